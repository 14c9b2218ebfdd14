/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RESERVE_CASES_H
#define RESERVE_CASES_H

/* reserve_figure.c: the paper's figure 6 */
void figure_6a_pe_pays_an_overrun_in_the_next_period(void);
void figure_6b_ae_saves_for_a_large_group(void);

/* reserve_budget.c: the arithmetic alone */
void periods_at_once_are_the_same_as_one_by_one(void);
void budgets_agree_with_128_bits(void);
void extremes_saturate(void);
void a_refused_group_needs_no_more_than_its_cost(void);
void new_parameters_cut_a_budget_but_keep_a_debt(void);
void a_budget_is_full_when_it_was_said(void);
void a_whole_gpu_refuses_nothing(void);

/* reserve_rules.c: single rules, through tg_sched */
void a_debt_is_paid_before_the_next_group(void);
void ae_waits_for_exactly_the_predicted_cost(void);
void ae_caps_a_task_whose_predictions_are_all_too_small(void);
void another_prediction_is_judged_afresh(void);
void an_endless_prediction_is_clamped(void);
void shared_reserves_are_one_budget(void);
void background_is_shared_by_those_without_an_entry(void);
void ht_is_not_regulated(void);
void throttled_groups_go_by_priority(void);
void of_a_task_one_at_a_time_is_let_go(void);
void nobody_overtakes_within_a_reserve(void);
void a_group_let_go_is_not_held_by_a_later_one(void);
void equal_times_keep_the_order_of_arrival(void);
void the_budget_is_asked_again_at_its_turn(void);
void an_idle_gpu_does_not_let_arrivals_pass(void);
void cancel_of_the_first_lets_others_go(void);
void draining_one_channel_lets_the_others_go(void);
void draining_all_leaves_nobody(void);
void reserves_that_do_not_fit_are_demoted(void);
void draining_all_takes_those_of_two_reserves(void);
void demoted_tasks_run_in_background(void);
void reconsidering_goes_by_age(void);
void set_reserve_goes_through_admission(void);
void joining_takes_throttled_groups_along(void);
void a_released_group_is_not_forgotten(void);
void priority_changes_reach_throttled_groups(void);
void throttled_time_is_accounted(void);
void the_next_replenishment_is_the_earliest(void);

/* reserve_stamps.c: what a group is charged, by whose clock */
void stamps_are_believed_with_reason(void);
void ends_that_are_said_too_early_are_charged_all_the_same(void);
void ends_that_are_heard_of_late_are_charged_by_the_gpu(void);
void two_that_are_heard_of_together_cost_what_they_cost(void);
void what_follows_one_that_ended_too_early_does_not_pay_for_it(void);
void a_gap_in_the_stamps_is_charged_by_the_cpu(void);

/* reserve_identity.c: owners who come and go */
void coming_anew_gains_nothing(void);
void handing_over_is_worth_what_is_there_at_once(void);
void whoever_comes_and_goes_gets_no_more(void);
void the_deepest_in_debt_is_last(void);
void a_reserve_that_lingers_keeps_its_claim_until_it_is_full(void);
void a_demotion_pays_no_debt(void);
void nothing_lingers_for_nothing(void);

/* reserve_parts.c: a part of the work at a time */
void parts_of_a_period_end_as_all_at_once(void);
void parts_of_a_demotion_end_as_all_at_once(void);
void parts_of_a_demotion_leave_nobody_out(void);
void parts_of_a_budget_that_ends_are_all(void);
void parts_that_keep_the_gpu_idle_are_paid_for(void);
void parts_of_a_drain_take_all(void);
void parts_of_reconsidering_leave_nobody_who_fits(void);

#endif
