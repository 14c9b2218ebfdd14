// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The decisions of the core among N groups, tasks or reserves, for "run" to count
 * their instructions.
 *
 *	decisions --list	name, what there are N of, what is decided; by tabs
 *	decisions NAME N	prints how many times it was decided
 *	decisions --time NAME N	prints how many nanoseconds it takes here, the median
 *
 * Only what decide() calls is counted. Before and after it, the scheduler is brought
 * into the state that the decision is about.
 */
#include <inttypes.h>
#include <time.h>

#include "random.h"
#include "tap.h"
#include "tg_sched.h"

#define MS 1000000ULL
#define N_MAX 1000000
#define ALL_NS (100 * MS)
/* What the module does at once, see TG_PART in tg_device.h. */
#define PART 8
#define WORLDS 11
#define CALLS_MAX 8

/* Groups, tasks, reserves and domains of one number belong together. The last task is free. */
struct world {
	struct tg_sched s;
	u32 n;
	struct tg_task *task;
	struct tg_group *group;
	struct tg_reserve *reserve;
	struct tg_domain *domain;
	u64 now, seed;
	bool fits;
};

/**
 * struct decision - something that the core is asked
 * @calls: how many times
 * @begin: a world with N of @of
 * @decide: what is counted
 * @again: as it was, for the next time
 */
struct decision {
	const char *name, *of, *about;
	u32 calls;
	void (*begin)(struct world *w);
	void (*decide)(struct world *w);
	void (*again)(struct world *w);
};

/* Of the free task. */
static struct tg_group *own(struct world *w)
{
	return &w->group[w->n];
}

static void arrive(struct world *w, struct tg_group *g)
{
	tg_sched_arrive(&w->s, g, w->now);
}

/* As the module asks after every change. */
static void wake_all(struct world *w)
{
	struct tg_group *g;

	while ((g = tg_sched_next(&w->s, w->now)))
		tg_sched_start(&w->s, g, w->now);
}

/* And goes on until all is done that was too much for once. */
static void finish(struct world *w)
{
	u64 timer;

	do {
		wake_all(w);
		timer = tg_sched_next_timer(&w->s);
	} while (timer && timer <= w->now);
}

static void own_runs(struct world *w)
{
	arrive(w, own(w));
	tg_sched_start(&w->s, own(w), w->now);
}

/* --- groups that wait for their turn */

static void wait_at_any_level(struct world *w)
{
	own_runs(w);
	for (u32 i = 0; i < w->n; i++) {
		w->task[i].prio = random_below(&w->seed, TG_PRIO_MAX + 1);
		arrive(w, &w->group[i]);
	}
}

static void wait_at_one_level(struct world *w)
{
	own_runs(w);
	for (u32 i = 0; i < w->n; i++)
		arrive(w, &w->group[i]);
}

static void wait_but_one(struct world *w)
{
	wait_at_any_level(w);
	tg_sched_cancel(&w->s, &w->group[0], w->now);
}

static void one_arrives(struct world *w)
{
	arrive(w, &w->group[0]);
	wake_all(w);
}

static void it_goes(struct world *w)
{
	tg_sched_cancel(&w->s, &w->group[0], w->now);
}

static void one_ends(struct world *w)
{
	tg_sched_complete(&w->s, tg_sched_head(&w->s), w->now);
	wake_all(w);
}

/* The one in the middle. */
static void one_gets_a_signal(struct world *w)
{
	struct tg_group *g = &w->group[w->n / 2];
	struct tg_ticket ticket = { };

	tg_sched_leave(&w->s, g, &ticket, w->now);
	tg_sched_return(&w->s, g, &ticket, w->now);
	wake_all(w);
}

static void it_waits_as_before(struct world *w)
{
	const struct tg_group *g = &w->group[w->n / 2];

	REQUIRE(g->state == TG_GROUP_WAITING && g->turn.place < g[1].turn.place);
}

static void it_arrives_again(struct world *w)
{
	u32 i = 0;

	while (w->group[i].state != TG_GROUP_OUT)
		i++;
	arrive(w, &w->group[i]);
	REQUIRE(w->s.nr_online == 1 && w->s.nr_waiting == w->n);
}

static void channel_ends(struct world *w)
{
	LIST_HEAD(online);
	LIST_HEAD(waiting);

	tg_sched_drain(&w->s, &w->task[0], &w->group[0], &online, &waiting, w->now);
}

static void focus(struct world *w, bool foreground)
{
	tg_sched_set_task(&w->s, &w->task[0], &tg_policy_prt, TG_PRIO_DEFAULT, true,
			  foreground, w->now);
}

static void one_is_focused(struct world *w)
{
	focus(w, true);
}

static void it_is_not(struct world *w)
{
	REQUIRE(tg_sched_best(&w->s) == &w->group[0]);
	focus(w, false);
}

/* --- tasks that share by weight */

static void wait_for_a_share(struct world *w)
{
	for (u32 i = 0; i <= w->n; i++) {
		tg_task_set_weight(&w->task[i], 1 + random_below(&w->seed, TG_WEIGHT_MAX));
		tg_sched_set_task(&w->s, &w->task[i], &tg_policy_fq, 0, false, false, w->now);
		for (int k = 0; k < TG_COSTS; k++)
			tg_costs_learn(&w->task[i].costs, random_below(&w->seed, 20 * MS));
	}
	wait_at_one_level(w);
}

static void wait_for_a_share_but_one(struct world *w)
{
	wait_for_a_share(w);
	tg_sched_cancel(&w->s, &w->group[0], w->now);
}

/* Each in a domain of its own, of which ten are in another. */
static void wait_in_domains(struct world *w)
{
	wait_for_a_share(w);
	for (u32 i = 0; i < w->n; i++) {
		struct tg_domain *d = &w->domain[i];

		tg_domain_init(d, i % 10 ? &w->domain[i - i % 10] : NULL);
		tg_sched_add_domain(&w->s, d, w->now);
		tg_sched_move(&w->s, &w->task[i], d, w->now);
	}
}

static void wait_in_domains_but_one(struct world *w)
{
	wait_in_domains(w);
	tg_sched_cancel(&w->s, &w->group[0], w->now);
}

static void one_ends_after_a_while(struct world *w)
{
	w->now += 1 + random_below(&w->seed, 20 * MS);
	one_ends(w);
}

/* --- groups that wait for a budget */

static void add_reserve(struct world *w, u32 i, u64 capacity_ns, u64 period_ns)
{
	tg_reserve_init(&w->reserve[i], &tg_reserve_pe, capacity_ns, period_ns, w->now);
	w->fits = tg_sched_add_reserve(&w->s, &w->reserve[i]);
}

static void use_up(struct world *w, u32 reserve)
{
	if (w->reserve[reserve].budget_ns > 0)
		tg_reserve_charge(&w->reserve[reserve], w->reserve[reserve].budget_ns);
}

/* Each in a reserve of its own, the periods of which begin one after the other. */
static void throttle_each(struct world *w)
{
	for (u32 i = 0; i < w->n; i++) {
		w->now = 1 + i;
		add_reserve(w, i, ALL_NS / w->n, ALL_NS);
		tg_sched_join(&w->s, &w->task[i], &w->reserve[i], w->now);
		use_up(w, i);
		arrive(w, &w->group[i]);
	}
	own_runs(w);
}

static void own_ends(struct world *w)
{
	tg_sched_complete(&w->s, own(w), w->now);
	wake_all(w);
}

static void a_period_begins(struct world *w)
{
	w->now = tg_sched_next_timer(&w->s);
	wake_all(w);
}

/* Who was let go waits for the GPU now; back to where it was. */
static void it_is_throttled_again(struct world *w)
{
	u32 i = 0;

	REQUIRE(w->s.nr_throttled == w->n - 1);
	while (w->group[i].state == TG_GROUP_THROTTLED)
		i++;
	tg_sched_cancel(&w->s, &w->group[i], w->now);
	use_up(w, i);
	arrive(w, &w->group[i]);
}

static void all_arrive(struct world *w)
{
	for (u32 i = 0; i < w->n; i++)
		arrive(w, &w->group[i]);
}

static void all_leave(struct world *w)
{
	for (u32 i = 0; i < w->n; i++)
		tg_sched_cancel(&w->s, &w->group[i], w->now);
}

/* Each, and in one reserve. */
static void all_join_and_arrive(struct world *w)
{
	for (u32 i = 0; i < w->n; i++) {
		tg_sched_join(&w->s, &w->task[i], &w->reserve[0], w->now);
		arrive(w, &w->group[i]);
	}
}

static void throttle_in_one(struct world *w)
{
	add_reserve(w, 0, MS, ALL_NS);
	use_up(w, 0);
	all_join_and_arrive(w);
	own_runs(w);
}

static void throttle_but_the_last(struct world *w)
{
	throttle_in_one(w);
	tg_sched_cancel(&w->s, &w->group[w->n - 1], w->now);
}

static void throttle_but_the_first(struct world *w)
{
	throttle_in_one(w);
	tg_sched_cancel(&w->s, &w->group[0], w->now);
	w->task[0].prio = TG_PRIO_MAX;
}

static void last_is_throttled(struct world *w)
{
	arrive(w, &w->group[w->n - 1]);
}

static void last_goes(struct world *w)
{
	REQUIRE(w->s.nr_throttled == w->n);
	tg_sched_cancel(&w->s, &w->group[w->n - 1], w->now);
}

static void first_is_throttled(struct world *w)
{
	arrive(w, &w->group[0]);
}

static void all_are_throttled_again(struct world *w)
{
	finish(w);
	REQUIRE(!w->s.nr_throttled && w->s.nr_waiting == w->n);
	all_leave(w);
	use_up(w, 0);
	all_arrive(w);
}

/* --- reserves */

static void add_part(struct world *w, u32 i, u32 of)
{
	add_reserve(w, i, MS / 100 + 7, (MS / 100 + 7) * w->n * of);
}

/* All but the last of those that claim the whole of the GPU, or half of it. */
static void reserve_part(struct world *w, u32 of)
{
	for (u32 i = 0; i < w->n - 1; i++)
		add_part(w, i, of);
}

static void reserve_half(struct world *w)
{
	reserve_part(w, 2);
}

static void reserve_all(struct world *w)
{
	reserve_part(w, 1);
}

static void last_is_admitted(struct world *w)
{
	add_part(w, w->n - 1, 2);
}

static void last_of_all_is_admitted(struct world *w)
{
	add_part(w, w->n - 1, 1);
}

/*
 * The other half by five times 1/2p + 1/2q + C/10pq = 1/10, with primes: no digit of
 * the sum decides before the last, which is the most that a decision takes.
 */
static void reserve_all_of_many_periods(struct world *w)
{
	static const u64 primes[][2] = {
		{ 10007, 10009 }, { 10037, 10039 }, { 10061, 10067 },
		{ 10069, 10079 }, { 10091, 10093 },
	};
	static struct tg_reserve r[ARRAY_SIZE(primes)][3];

	for (u32 i = 0; i < ARRAY_SIZE(primes); i++) {
		u64 p = primes[i][0], q = primes[i][1];

		tg_reserve_init(&r[i][0], &tg_reserve_pe, 1, 2 * p, 0);
		tg_reserve_init(&r[i][1], &tg_reserve_pe, 1, 2 * q, 0);
		tg_reserve_init(&r[i][2], &tg_reserve_pe, p * q - 5 * (p + q), 10 * p * q, 0);
		for (u32 k = 0; k < 3; k++)
			REQUIRE(tg_sched_add_reserve(&w->s, &r[i][k]));
	}
	reserve_half(w);
}

static void it_fits(struct world *w)
{
	REQUIRE(w->fits);
	tg_sched_remove_reserve(&w->s, &w->reserve[w->n - 1]);
}

/* As many as there are, and none fits. */
static void refuse_all(struct world *w)
{
	for (u32 i = 0; i < w->n; i++)
		add_reserve(w, i, ALL_NS, ALL_NS);
	REQUIRE(!w->fits);
}

static void they_are_reconsidered(struct world *w)
{
	w->fits = tg_sched_reconsider(&w->s, w->now);
}

static void none_fits(struct world *w)
{
	REQUIRE(!w->fits);
}

/* All wait for their turn with a budget, until that is used up. */
static void wait_with_a_budget(struct world *w)
{
	add_reserve(w, 0, MS, ALL_NS);
	own_runs(w);
	all_join_and_arrive(w);
}

static void the_budget_ends(struct world *w)
{
	use_up(w, 0);
	own_ends(w);
}

static void there_is_a_budget_again(struct world *w)
{
	finish(w);
	REQUIRE(w->s.nr_throttled == w->n);
	all_leave(w);
	w->reserve[0].budget_ns = MS;
	own_runs(w);
	all_arrive(w);
}

static void wait_in_one(struct world *w)
{
	add_reserve(w, 0, MS, ALL_NS);
	add_reserve(w, 1, ALL_NS / 2, ALL_NS);
	own_runs(w);
	all_join_and_arrive(w);
}

static void it_no_longer_fits(struct world *w)
{
	tg_sched_set_reserve(&w->s, &w->reserve[0], &tg_reserve_pe, ALL_NS, ALL_NS, w->now);
}

static void it_fits_again(struct world *w)
{
	finish(w);
	REQUIRE(w->reserve[0].demoted && w->group[w->n - 1].level == 0);
	tg_sched_set_reserve(&w->s, &w->reserve[0], &tg_reserve_pe, MS, ALL_NS, w->now);
	finish(w);
}

static const struct decision decisions[] = {
	{ "arrive", "waiting groups", "a group arrives, and waits", 8,
	  wait_but_one, one_arrives, it_goes },
	{ "complete", "waiting groups", "a group ends, the best starts", 8,
	  wait_at_any_level, one_ends, it_arrives_again },
	{ "fair-arrive", "waiting tasks", "a group of FQ arrives, and waits", 8,
	  wait_for_a_share_but_one, one_arrives, it_goes },
	{ "fair-complete", "waiting tasks", "a group of FQ ends, who is behind starts", 8,
	  wait_for_a_share, one_ends_after_a_while, it_arrives_again },
	{ "domain-arrive", "waiting domains", "a group of a domain arrives, and waits", 8,
	  wait_in_domains_but_one, one_arrives, it_goes },
	{ "domain-complete", "waiting domains", "a group of a domain ends, the next starts", 8,
	  wait_in_domains, one_ends_after_a_while, it_arrives_again },
	{ "return", "waiting groups", "one leaves, and comes back to its place", 8,
	  wait_at_one_level, one_gets_a_signal, it_waits_as_before },
	{ "drain", "waiting groups", "a channel with one group ends", 8,
	  wait_at_any_level, channel_ends, it_arrives_again },
	{ "focus", "waiting groups", "one of a level gets the focus", 8,
	  wait_at_one_level, one_is_focused, it_is_not },
	{ "throttle-last", "throttled groups", "one more of a reserve", 8,
	  throttle_but_the_last, last_is_throttled, last_goes },
	{ "throttle-first", "throttled groups", "one that goes before the others", 8,
	  throttle_but_the_first, first_is_throttled, it_goes },
	{ "budget-ends", "waiting groups", "a budget ends, a part goes to wait for it", 2,
	  wait_with_a_budget, the_budget_ends, there_is_a_budget_again },
	{ "let-go", "throttled groups", "a period begins, a part of its reserve goes", 2,
	  throttle_in_one, a_period_begins, all_are_throttled_again },
	{ "complete-reserves", "throttled reserves", "a group ends, no period begins", 8,
	  throttle_each, own_ends, own_runs },
	{ "period", "throttled reserves", "a period begins, of one reserve", 8,
	  throttle_each, a_period_begins, it_is_throttled_again },
	{ "admit", "reserves of half", "whether one fits", 8,
	  reserve_half, last_is_admitted, it_fits },
	{ "admit-full", "reserves of all", "whether one fits that leaves nothing", 1,
	  reserve_all, last_of_all_is_admitted, it_fits },
	{ "admit-periods", "reserves of all", "the same, and 16 different periods", 1,
	  reserve_all_of_many_periods, last_is_admitted, it_fits },
	{ "reconsider", "demoted reserves", "whether a part of them fits now", 1,
	  refuse_all, they_are_reconsidered, none_fits },
	{ "demote", "waiting tasks", "a part of a Shared reserve that is demoted", 1,
	  wait_in_one, it_no_longer_fits, it_fits_again },
};

/* "run" counts from here. */
__attribute__((noinline)) void decide(const struct decision *d, struct world *w);
void decide(const struct decision *d, struct world *w)
{
	d->decide(w);
}

static void *zeroed(size_t n, size_t size)
{
	void *p = calloc(n, size);

	if (!p)
		exit(1);
	return p;
}

static void world_init(struct world *w, u32 n)
{
	memset(w, 0, sizeof(*w));
	w->n = n;
	w->now = 1;
	w->seed = 1;
	w->task = zeroed(n + 1, sizeof(*w->task));
	w->group = zeroed(n + 1, sizeof(*w->group));
	w->reserve = zeroed(n + 1, sizeof(*w->reserve));
	w->domain = zeroed(n + 1, sizeof(*w->domain));
	tg_sched_init(&w->s, 1, MS, ALL_NS, w->now);
	tg_sched_set_floor(&w->s, 3 * MS, 100 * MS, w->now);
	w->s.part = PART;
	for (u32 i = 0; i <= n; i++) {
		tg_task_init(&w->task[i]);
		w->task[i].prio = TG_PRIO_DEFAULT;
		w->task[i].focus = true;
		w->group[i].task = &w->task[i];
		w->group[i].context = &w->group[i];
	}
}

static void world_fini(struct world *w)
{
	free(w->task);
	free(w->group);
	free(w->reserve);
	free(w->domain);
}

static u64 clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 * MS + ts.tv_nsec;
}

/* took: of each call, or NULL */
static void run(const struct decision *d, u32 n, u64 *took)
{
	struct world w;

	world_init(&w, n);
	d->begin(&w);
	for (u32 i = 0; i < d->calls; i++) {
		u64 begin = clock_ns();

		decide(d, &w);
		if (took)
			took[i] = clock_ns() - begin;
		d->again(&w);
	}
	world_fini(&w);
}

static int by_size(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return (x > y) - (x < y);
}

static u64 median(u64 *of, u32 n)
{
	qsort(of, n, sizeof(*of), by_size);
	return of[n / 2];
}

/* In eleven worlds; without what looking at the clock takes. */
static u64 time_of(const struct decision *d, u32 n)
{
	u64 took[WORLDS * CALLS_MAX], clock[WORLDS * CALLS_MAX];
	u64 ns, looks;

	for (u32 i = 0; i < ARRAY_SIZE(clock); i++) {
		clock[i] = clock_ns();
		clock[i] = clock_ns() - clock[i];
	}
	for (u32 i = 0; i < WORLDS; i++)
		run(d, n, took + i * d->calls);
	ns = median(took, WORLDS * d->calls);
	looks = median(clock, ARRAY_SIZE(clock));
	return ns > looks ? ns - looks : 0;
}

int main(int argc, char **argv)
{
	const struct decision *d;
	bool list = argc == 2 && !strcmp(argv[1], "--list");
	bool timed = argc == 4 && !strcmp(argv[1], "--time");
	const char *name = argc >= 3 ? argv[argc - 2] : "";
	unsigned long n = argc == 3 || timed ? strtoul(argv[argc - 1], NULL, 10) : 0;

	for (d = decisions; d < decisions + ARRAY_SIZE(decisions); d++) {
		if (list) {
			printf("%s\t%s\t%s\n", d->name, d->of, d->about);
		} else if (n >= 2 && n <= N_MAX && !strcmp(name, d->name)) {
			if (!timed)
				run(d, n, NULL);
			printf("%" PRIu64 "\n", timed ? time_of(d, n) : d->calls);
			return 0;
		}
	}
	if (list)
		return 0;
	fprintf(stderr, "usage: decisions --list | decisions [--time] NAME N\n");
	return 2;
}
