// SPDX-License-Identifier: GPL-2.0-or-later
/* tg_reserve, alone and in tg_sched: figure 6, single rules, random events. */
#include "tap.h"
#include "tg_sched.h"
#include "reserve_cases.h"

int main(void)
{
	static const struct tap_case cases[] = {
#define CASE(f) { #f, f }
		CASE(figure_6a_pe_pays_an_overrun_in_the_next_period),
		CASE(figure_6b_ae_saves_for_a_large_group),
		CASE(periods_at_once_are_the_same_as_one_by_one),
		CASE(budgets_agree_with_128_bits),
		CASE(extremes_saturate),
		CASE(a_refused_group_needs_no_more_than_its_cost),
		CASE(new_parameters_cut_a_budget_but_keep_a_debt),
		CASE(a_budget_is_full_when_it_was_said),
		CASE(a_whole_gpu_refuses_nothing),
		CASE(a_debt_is_paid_before_the_next_group),
		CASE(ae_waits_for_exactly_the_predicted_cost),
		CASE(ae_caps_a_task_whose_predictions_are_all_too_small),
		CASE(another_prediction_is_judged_afresh),
		CASE(an_endless_prediction_is_clamped),
		CASE(shared_reserves_are_one_budget),
		CASE(background_is_shared_by_those_without_an_entry),
		CASE(ht_is_not_regulated),
		CASE(throttled_groups_go_by_priority),
		CASE(of_a_task_one_at_a_time_is_let_go),
		CASE(nobody_overtakes_within_a_reserve),
		CASE(a_group_let_go_is_not_held_by_a_later_one),
		CASE(equal_times_keep_the_order_of_arrival),
		CASE(the_budget_is_asked_again_at_its_turn),
		CASE(an_idle_gpu_does_not_let_arrivals_pass),
		CASE(cancel_of_the_first_lets_others_go),
		CASE(draining_one_channel_lets_the_others_go),
		CASE(draining_all_leaves_nobody),
		CASE(reserves_that_do_not_fit_are_demoted),
		CASE(draining_all_takes_those_of_two_reserves),
		CASE(demoted_tasks_run_in_background),
		CASE(reconsidering_goes_by_age),
		CASE(set_reserve_goes_through_admission),
		CASE(joining_takes_throttled_groups_along),
		CASE(a_released_group_is_not_forgotten),
		CASE(priority_changes_reach_throttled_groups),
		CASE(throttled_time_is_accounted),
		CASE(the_next_replenishment_is_the_earliest),
		CASE(stamps_are_believed_with_reason),
		CASE(ends_that_are_said_too_early_are_charged_all_the_same),
		CASE(ends_that_are_heard_of_late_are_charged_by_the_gpu),
		CASE(two_that_are_heard_of_together_cost_what_they_cost),
		CASE(what_follows_one_that_ended_too_early_does_not_pay_for_it),
		CASE(a_gap_in_the_stamps_is_charged_by_the_cpu),
		CASE(coming_anew_gains_nothing),
		CASE(handing_over_is_worth_what_is_there_at_once),
		CASE(whoever_comes_and_goes_gets_no_more),
		CASE(the_deepest_in_debt_is_last),
		CASE(a_reserve_that_lingers_keeps_its_claim_until_it_is_full),
		CASE(a_demotion_pays_no_debt),
		CASE(nothing_lingers_for_nothing),
		CASE(parts_of_a_period_end_as_all_at_once),
		CASE(parts_of_a_demotion_end_as_all_at_once),
		CASE(parts_of_a_demotion_leave_nobody_out),
		CASE(parts_of_a_budget_that_ends_are_all),
		CASE(parts_that_keep_the_gpu_idle_are_paid_for),
		CASE(parts_of_a_drain_take_all),
		CASE(parts_of_reconsidering_leave_nobody_who_fits),
#undef CASE
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
