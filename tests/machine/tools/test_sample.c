// SPDX-License-Identifier: GPL-2.0-or-later
/* Differences of two looks. */
#include <math.h>

#include "fake.h"
#include "sample.h"
#include "tap.h"

#define SECOND 1000000000ULL

static struct fake before, after;
static struct sample s;

static void start(void)
{
	fake_init(&before, 10 * SECOND);
	fake_init(&after, 11 * SECOND);
}

static bool near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

static const struct sample_task *task_of(int pid)
{
	for (uint32_t i = 0; i < s.gpus[0].nr_tasks; i++)
		if (s.gpus[0].tasks[i].task->pid == pid)
			return &s.gpus[0].tasks[i];
	return NULL;
}

static void shares_are_of_the_interval(void)
{
	start();
	fake_task(&before, 0, 1, "a", 10, 5 * SECOND);
	fake_task(&before, 0, 2, "b", 10, SECOND);
	fake_task(&after, 0, 1, "a", 15, 5 * SECOND + SECOND / 4);
	fake_task(&after, 0, 2, "b", 10, SECOND);
	before.gpus[0].gpu.busy_ns = 6 * SECOND;
	after.gpus[0].gpu.busy_ns = 6 * SECOND + SECOND / 2;
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(s.nr_gpus == 1 && s.gpus[0].interval_ns == SECOND);
	CHECK(near(task_of(1)->share, 0.25) && task_of(1)->groups == 5 && !task_of(1)->fresh);
	CHECK(task_of(2)->share == 0 && !task_of(2)->groups);
	CHECK(near(s.gpus[0].busy, 0.5) && near(s.gpus[0].hidden, 0.25));
}

static void first_look_has_no_shares(void)
{
	start();
	fake_task(&after, 0, 1, "a", 15, 5 * SECOND);
	after.gpus[0].gpu.busy_ns = 5 * SECOND;
	CHECK(!sample_diff(&s, NULL, &after.snap));
	CHECK(s.gpus[0].interval_ns == 0 && s.gpus[0].busy == 0 && task_of(1)->share == 0);
}

static void gpu_that_has_just_appeared_is_not_measured(void)
{
	start();
	CHECK(!sample_diff(&s, NULL, &after.snap) && !sample_is_measured(&s));
	before.snap.nr_gpus = 0;
	CHECK(!sample_diff(&s, &before.snap, &after.snap) && !sample_is_measured(&s));
	start();
	CHECK(!sample_diff(&s, &before.snap, &after.snap) && sample_is_measured(&s));
	/* A second one beside it does not keep the first from being shown. */
	after.snap.nr_gpus = 2;
	CHECK(!sample_diff(&s, &before.snap, &after.snap) && sample_is_measured(&s));
	CHECK(s.gpus[0].interval_ns && !s.gpus[1].interval_ns);
	after.snap.nr_gpus = 0;
	CHECK(!sample_diff(&s, &before.snap, &after.snap) && sample_is_measured(&s));
}

static void no_time_between_looks_divides_by_nothing(void)
{
	start();
	after.gpus[0].gpu.now_ns = before.gpus[0].gpu.now_ns;
	fake_task(&before, 0, 1, "a", 10, 100);
	fake_task(&after, 0, 1, "a", 11, 200);
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(s.gpus[0].interval_ns == 0 && task_of(1)->share == 0);
	after.gpus[0].gpu.now_ns--;
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(s.gpus[0].interval_ns == 0 && task_of(1)->share == 0);
	CHECK(sample_ratio(1, 0) == 0);
}

static void task_that_comes_has_all_it_used(void)
{
	start();
	fake_task(&before, 0, 1, "a", 10, 100);
	fake_task(&after, 0, 7, "new", 3, SECOND / 10);
	fake_task(&after, 0, 1, "a", 10, 100);
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(task_of(7)->fresh && near(task_of(7)->share, 0.1));
	CHECK(!task_of(1)->fresh && task_of(1)->share == 0);
}

static void task_that_goes_is_in_hidden(void)
{
	start();
	fake_task(&before, 0, 1, "gone", 10, 100);
	after.gpus[0].gpu.busy_ns = SECOND / 5;
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(s.gpus[0].nr_tasks == 0 && near(s.gpus[0].hidden, 0.2));
}

static void counters_that_fell_began_anew(void)
{
	start();
	fake_task(&before, 0, 1, "a", 1000, 9 * SECOND);
	fake_task(&after, 0, 1, "a", 2, SECOND / 2);
	before.gpus[0].gpu.verified = 500;
	after.gpus[0].gpu.verified = 7;
	before.gpus[0].gpu.busy_ns = 9 * SECOND;
	after.gpus[0].gpu.busy_ns = SECOND / 2;
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(task_of(1)->fresh && task_of(1)->groups == 2 && near(task_of(1)->share, 0.5));
	CHECK(s.gpus[0].groups == 7 && near(s.gpus[0].busy, 0.5));
}

static void number_given_to_another_user_is_another_task(void)
{
	start();
	fake_task(&before, 0, 1, "a", 10, 100)->uid = 1000;
	fake_task(&after, 0, 1, "a", 20, 300)->uid = 1001;
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(task_of(1)->fresh && task_of(1)->gpu_ns == 300);
}

static void tasks_without_a_number_are_told_by_name(void)
{
	start();
	fake_task(&before, 0, 0, "a", 10, 100);
	fake_task(&before, 0, 0, "b", 10, 1000);
	fake_task(&after, 0, 0, "b", 11, 1100);
	fake_task(&after, 0, 0, "a", 12, 300);
	fake_task(&after, 0, 0, "c", 13, 50);
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(s.gpus[0].tasks[0].gpu_ns == 100 && s.gpus[0].tasks[1].gpu_ns == 200);
	CHECK(s.gpus[0].tasks[2].fresh && s.gpus[0].tasks[2].gpu_ns == 50);
}

static void order_of_the_lists_does_not_matter(void)
{
	start();
	for (int i = 1; i <= FAKE_MAX; i++) {
		fake_task(&before, 0, i, "x", i, i);
		fake_task(&after, 0, FAKE_MAX + 1 - i, "x", 2 * (FAKE_MAX + 1 - i),
			  3 * (FAKE_MAX + 1 - i));
	}
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	for (int i = 1; i <= FAKE_MAX; i++)
		CHECK(!task_of(i)->fresh && task_of(i)->groups == (uint64_t)i &&
		      task_of(i)->gpu_ns == 2 * (uint64_t)i);
}

static void task_is_tied_to_its_reserve(void)
{
	start();
	fake_reserve(&after, 0, 1, "Background", 25, 25)->flags = TIMEGRAPH_RESERVE_BACKGROUND;
	fake_reserve(&after, 0, 5, "video", 5, 20);
	fake_task(&after, 0, 1, "a", 0, 0)->reserve = 5;
	fake_task(&after, 0, 2, "b", 0, 0)->reserve = 0;
	fake_task(&after, 0, 3, "c", 0, 0)->reserve = 99;
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(task_of(1)->reserve && task_of(1)->reserve->id == 5);
	CHECK(!task_of(2)->reserve && !task_of(3)->reserve);
}

static void background_and_what_does_not_fit_reserve_nothing(void)
{
	start();
	fake_reserve(&after, 0, 1, "Background", 25, 25)->flags = TIMEGRAPH_RESERVE_BACKGROUND;
	fake_reserve(&after, 0, 2, "a", 5, 20);
	fake_reserve(&after, 0, 3, "b", 1, 10);
	fake_reserve(&after, 0, 4, "c", 9, 10)->flags = TIMEGRAPH_RESERVE_DEMOTED;
	fake_reserve(&after, 0, 5, "d", 9, 0);
	CHECK(near(sample_reserved(after.reserve[0], 5), 0.35));
}

static void prediction_error_is_of_the_interval(void)
{
	struct timegraph_task *b, *a;

	start();
	b = fake_task(&before, 0, 1, "a", 10, 100);
	b->predictions = 10;
	b->prediction_error_ns = 900;
	b->predicted_ns = 1000;
	a = fake_task(&after, 0, 1, "a", 20, 200);
	a->predictions = 20;
	a->prediction_error_ns = 920;
	a->predicted_ns = 2000;
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(near(sample_prediction_error(task_of(1)), 0.02));
	*a = *b;
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(sample_prediction_error(task_of(1)) < 0);
}

static void only_a_wait_at_both_looks_is_a_stall(void)
{
	struct timegraph_task *b, *a;

	start();
	b = fake_task(&before, 0, 1, "a", 10, 100);
	a = fake_task(&after, 0, 1, "a", 10, 100);
	a->nr_waiting = 1;
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(!task_of(1)->stalled);
	b->nr_throttled = 1;
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(task_of(1)->stalled);
	a->groups++;
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(!task_of(1)->stalled);
}

static void gpus_are_told_by_name(void)
{
	start();
	after.snap.nr_gpus = 2;
	before.gpus[0].gpu.busy_ns = 50;
	after.gpus[0].gpu.busy_ns = 70;
	after.gpus[1].gpu.busy_ns = SECOND;
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(s.nr_gpus == 2 && s.gpus[0].busy_ns == 20);
	/* One that was not there before has no interval. */
	CHECK(s.gpus[1].interval_ns == 0 && s.gpus[1].busy == 0);
	/* Their numbers are exchanged: it is the same GPU still. */
	strcpy(after.gpus[0].gpu.name, "0000:02:00.0");
	strcpy(after.gpus[1].gpu.name, "0000:01:00.0");
	after.gpus[1].gpu.busy_ns = 80;
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(s.gpus[1].busy_ns == 30 && s.gpus[1].interval_ns == SECOND);
}

static void gpu_that_goes_is_gone(void)
{
	start();
	after.snap.nr_gpus = 0;
	CHECK(!sample_diff(&s, &before.snap, &after.snap) && s.nr_gpus == 0);
}

static void trouble_is_the_sum_of_what_got_lost(void)
{
	start();
	before.gpus[0].gpu.recovered = 5;
	after.gpus[0].gpu.recovered = 7;
	after.gpus[0].gpu.stuck = 1;
	after.gpus[0].gpu.abandoned = 1;
	after.gpus[0].gpu.foreign = 100;
	CHECK(!sample_diff(&s, &before.snap, &after.snap) && s.gpus[0].trouble == 4);
}

/* By number: a path can be used again. */
static void domains_are_told_by_number(void)
{
	struct timegraph_domain old[] = {
		{ .id = 5, .path = "/a", .usage_ns = SECOND, .groups = 10, .wait_ns = 100 },
		{ .id = 6, .path = "/b", .usage_ns = 7 * SECOND, .groups = 99 },
	};
	struct timegraph_domain new[] = {
		{ .id = 9, .path = "/b", .usage_ns = SECOND / 10, .groups = 3 },
		{ .id = 5, .path = "/a", .usage_ns = SECOND + SECOND / 4, .groups = 30, .wait_ns = 300 },
	};
	struct timegraph_domains before_list = { old, 2, 2 }, now = { new, 2, 2 };
	const struct sample_domain *d;

	start();
	CHECK(!sample_diff(&s, &before.snap, &after.snap) && !s.gpus[0].nr_domains);
	CHECK(!sample_diff_domains(&s.gpus[0], &before_list, &now) && s.gpus[0].nr_domains == 2);
	d = s.gpus[0].domains;
	CHECK(d[0].domain == &new[1] && d[0].groups == 20 && d[0].wait_ns == 200);
	CHECK(d[0].share == 0.25 && d[0].gpu_ns == SECOND / 4);
	CHECK(d[1].domain == &new[0] && d[1].groups == 3 && d[1].share == 0.1);
	CHECK(!sample_diff_domains(&s.gpus[0], NULL, &now) && d[0].gpu_ns == SECOND + SECOND / 4);
}

static const struct tap_case cases[] = {
	{ "shares_are_of_the_interval", shares_are_of_the_interval },
	{ "first_look_has_no_shares", first_look_has_no_shares },
	{ "gpu_that_has_just_appeared_is_not_measured",
	  gpu_that_has_just_appeared_is_not_measured },
	{ "no_time_between_looks_divides_by_nothing", no_time_between_looks_divides_by_nothing },
	{ "task_that_comes_has_all_it_used", task_that_comes_has_all_it_used },
	{ "task_that_goes_is_in_hidden", task_that_goes_is_in_hidden },
	{ "counters_that_fell_began_anew", counters_that_fell_began_anew },
	{ "number_given_to_another_user_is_another_task",
	  number_given_to_another_user_is_another_task },
	{ "tasks_without_a_number_are_told_by_name", tasks_without_a_number_are_told_by_name },
	{ "order_of_the_lists_does_not_matter", order_of_the_lists_does_not_matter },
	{ "task_is_tied_to_its_reserve", task_is_tied_to_its_reserve },
	{ "background_and_what_does_not_fit_reserve_nothing",
	  background_and_what_does_not_fit_reserve_nothing },
	{ "prediction_error_is_of_the_interval", prediction_error_is_of_the_interval },
	{ "only_a_wait_at_both_looks_is_a_stall", only_a_wait_at_both_looks_is_a_stall },
	{ "gpus_are_told_by_name", gpus_are_told_by_name },
	{ "gpu_that_goes_is_gone", gpu_that_goes_is_gone },
	{ "trouble_is_the_sum_of_what_got_lost", trouble_is_the_sum_of_what_got_lost },
	{ "domains_are_told_by_number", domains_are_told_by_number },
};

int main(void)
{
	int status = tap_run(cases, sizeof(cases) / sizeof(cases[0]));

	sample_free(&s);
	return status;
}
