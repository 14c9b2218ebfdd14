// SPDX-License-Identifier: GPL-2.0-or-later
/* Many groups at once: moved in parts, they get where they do if moved at once. */
#include "random.h"
#include "reserve_cases.h"
#include "tap.h"
#include "tg_sched.h"

#define GROUPS 300
#define TASKS GROUPS
/* Few that have many, where it is about what one task has. */
#define FEW 100
#define RESERVES 3
#define PERIOD 1000
/* Groups that one task has, at most. */
#define TASK_MAX 12

struct crowd {
	struct tg_sched s;
	struct tg_task task[TASKS + 1];
	struct tg_group group[GROUPS + 1];
	struct tg_reserve reserve[RESERVES];
};

/* All that wait, first those for their turn. */
struct order {
	const struct crowd *c;
	u32 group[GROUPS + 1], n;
};

static bool note(const struct tg_group *g, void *arg)
{
	struct order *o = arg;

	o->group[o->n++] = g - o->c->group;
	return true;
}

static bool same_order(const struct crowd *a, const struct crowd *b)
{
	struct order x = { .c = a }, y = { .c = b };

	tg_sched_walk(&a->s, note, &x);
	tg_sched_walk(&b->s, note, &y);
	return x.n == y.n && !memcmp(x.group, y.group, x.n * sizeof(*x.group));
}

/* One group runs, and those of all tasks wait for the budget of one reserve. */
static void crowd_of(struct crowd *c, u32 tasks, u32 part)
{
	u64 seed = 1;

	memset(c, 0, sizeof(*c));
	tg_sched_init(&c->s, 1, 10, PERIOD, 0);
	c->s.part = part;
	for (u32 i = 0; i < RESERVES; i++) {
		tg_reserve_init(&c->reserve[i], &tg_reserve_pe, 300, PERIOD, 0);
		CHECK(tg_sched_add_reserve(&c->s, &c->reserve[i]));
	}
	for (u32 i = 0; i <= TASKS; i++) {
		tg_task_init(&c->task[i]);
		c->task[i].prio = random_below(&seed, 4);
	}
	c->group[GROUPS].task = &c->task[TASKS];
	CHECK(tg_sched_arrive(&c->s, &c->group[GROUPS], 0));
	tg_reserve_charge(&c->reserve[0], 301);
	for (u32 i = 0; i < GROUPS; i++) {
		c->group[i].task = &c->task[tasks == GROUPS ? i : random_below(&seed, tasks)];
		tg_sched_join(&c->s, c->group[i].task, &c->reserve[0], 0);
		CHECK(!tg_sched_arrive(&c->s, &c->group[i], 0));
	}
	CHECK(c->s.nr_throttled == GROUPS);
}

/* Of a task one at a time is let go, so each has one. */
static void crowd_init(struct crowd *c, u32 part)
{
	crowd_of(c, GROUPS, part);
}

/* As the module does; returns how many calls it took. */
static u32 go_on(struct crowd *c, u64 now)
{
	u32 calls = 0, before;
	u64 timer;

	do {
		before = c->s.nr_throttled;
		CHECK(!tg_sched_next(&c->s, now));
		CHECK(before - c->s.nr_throttled <= (u64)c->s.part + TASK_MAX);
		timer = tg_sched_next_timer(&c->s);
	} while (++calls < 10 * GROUPS && timer && timer <= now);
	return calls;
}

void parts_of_a_period_end_as_all_at_once(void)
{
	static struct crowd once, parts;

	crowd_init(&once, ~0U);
	crowd_init(&parts, 7);
	CHECK(go_on(&once, PERIOD - 1) == 1 && once.s.nr_throttled == GROUPS);
	CHECK(go_on(&parts, PERIOD - 1) == 1 && parts.s.nr_throttled == GROUPS);
	CHECK(go_on(&once, PERIOD) == 1 && !once.s.nr_throttled);
	CHECK(go_on(&parts, PERIOD) >= GROUPS / 7 && !parts.s.nr_throttled);
	CHECK(same_order(&once, &parts));
	CHECK(!tg_sched_next_timer(&parts.s));
}

/* All wait for their turn when the budget is used up, and another group ends. */
void parts_of_a_budget_that_ends_are_all(void)
{
	static struct crowd once, parts;
	struct crowd *const both[] = { &once, &parts };

	crowd_init(&once, ~0U);
	crowd_init(&parts, 7);
	for (u32 i = 0; i < 2; i++) {
		struct crowd *c = both[i];
		u32 before, calls = 0;

		go_on(c, PERIOD);
		CHECK(c->s.nr_waiting == GROUPS);
		tg_reserve_charge(&c->reserve[0], PERIOD);
		tg_sched_complete(&c->s, &c->group[GROUPS], PERIOD);
		do {
			before = c->s.nr_throttled;
			CHECK(!tg_sched_next(&c->s, PERIOD));
			CHECK(c->s.nr_throttled - before <= (u64)TG_SCHED_SENT_PARTS * c->s.part);
		} while (++calls < GROUPS && c->s.nr_throttled > before);
		CHECK(c->s.nr_throttled == GROUPS && tg_sched_next_timer(&c->s) > PERIOD);
	}
	CHECK(same_order(&once, &parts));
}

/* Behind all of them one of another reserve, which could go. */
void parts_that_keep_the_gpu_idle_are_paid_for(void)
{
	static struct crowd c;
	struct tg_group other = { .task = &c.task[TASKS] };
	struct tg_reserve *crowd = &c.reserve[0];
	struct tg_group *next = NULL;
	u64 used, now = PERIOD;

	crowd_init(&c, 7);
	for (u32 i = 0; i < TASKS; i++)
		c.task[i].prio++;
	c.task[TASKS].prio = 0;
	go_on(&c, now);
	CHECK(c.s.nr_waiting == GROUPS && !tg_sched_arrive(&c.s, &other, now));
	tg_reserve_charge(crowd, PERIOD);
	used = crowd->used_ns;
	/* Not while the GPU has something. */
	for (u32 i = 0; i < 3; i++)
		CHECK(!tg_sched_next(&c.s, ++now));
	CHECK(crowd->used_ns == used);
	tg_sched_complete(&c.s, &c.group[GROUPS], now);
	for (; !next && now < 2 * PERIOD; now++)
		next = tg_sched_next(&c.s, now);
	CHECK(next == &other && c.s.nr_throttled == GROUPS);
	CHECK(now > PERIOD + 3 + GROUPS / 14);
	CHECK(crowd->used_ns == used + now - 1 - (PERIOD + 3));
	tg_sched_next(&c.s, now + 1);
	CHECK(crowd->used_ns == used + now - 1 - (PERIOD + 3));
}

/* Meanwhile a group goes, and a member joins another that does not fit. */
void parts_of_a_demotion_end_as_all_at_once(void)
{
	static struct crowd once, parts;
	struct crowd *const both[] = { &once, &parts };

	crowd_init(&once, ~0U);
	crowd_init(&parts, 7);
	for (u32 i = 0; i < 2; i++) {
		struct crowd *c = both[i];
		struct tg_task *member;

		/* Half of the groups wait for their turn, half for the budget. */
		go_on(c, PERIOD);
		for (u32 k = 0; k < GROUPS; k += 2)
			tg_sched_cancel(&c->s, &c->group[k], PERIOD);
		tg_reserve_charge(&c->reserve[0], PERIOD);
		for (u32 k = 0; k < GROUPS; k += 2)
			tg_sched_arrive(&c->s, &c->group[k], PERIOD);
		CHECK(c->s.nr_throttled == GROUPS / 2 && c->s.nr_waiting == GROUPS / 2);
		for (u32 k = 0; k < RESERVES; k += 2)
			CHECK(!tg_sched_set_reserve(&c->s, &c->reserve[k], &tg_reserve_pe,
						    PERIOD, PERIOD, PERIOD));
		CHECK(c == &once ? !c->s.nr_throttled : c->s.nr_throttled > GROUPS / 3);
		tg_sched_cancel(&c->s, &c->group[1], PERIOD);
		tg_reserve_for_each_task(member, &c->reserve[0])
			if (member->prio && member->nr_waiting)
				break;
		tg_sched_join(&c->s, member, &c->reserve[2], PERIOD);
		go_on(c, PERIOD);
		CHECK(c->s.nr_waiting == GROUPS - 1 && tg_sched_best(&c->s)->level <= 6);
		for (u32 k = 0; k < GROUPS; k++)
			CHECK(k == 1 || c->group[k].level == 0);
	}
	for (u32 i = 0; i < 2; i++) {
		CHECK(tg_sched_set_reserve(&both[i]->s, &both[i]->reserve[0], &tg_reserve_pe,
					   300, PERIOD, PERIOD));
		go_on(both[i], PERIOD);
	}
	for (u32 k = 0; k < GROUPS; k++)
		CHECK(k == 1 || parts.group[k].level == tg_task_level(parts.group[k].task));
}

/* One in their midst gets other parameters, and is where it belongs with that. */
void parts_of_a_demotion_leave_nobody_out(void)
{
	static struct crowd c;
	struct tg_task *member;
	u32 left = TASKS / 2;

	crowd_init(&c, 7);
	go_on(&c, PERIOD);
	CHECK(c.s.nr_waiting == GROUPS);
	CHECK(!tg_sched_set_reserve(&c.s, &c.reserve[0], &tg_reserve_pe, PERIOD, PERIOD, PERIOD));
	tg_reserve_for_each_task(member, &c.reserve[0])
		if (!left--)
			break;
	tg_sched_set_task(&c.s, member, member->policy, 3, false, false, PERIOD);
	go_on(&c, PERIOD);
	for (u32 k = 0; k < GROUPS; k++)
		CHECK(c.group[k].level == 0);
}

/* A channel's, and then all. */
void parts_of_a_drain_take_all(void)
{
	static struct crowd c;
	LIST_HEAD(online);
	LIST_HEAD(waiting);
	struct tg_task *task = c.task;
	u32 own, calls = 0;

	crowd_of(&c, FEW, 2);
	tg_reserve_charge(&c.reserve[0], PERIOD);
	for (u32 i = 0; i < GROUPS; i++)
		c.group[i].context = c.group[i].task;
	while (task->nr_throttled < 5)
		task++;
	own = task->nr_throttled;
	while (tg_sched_drain(&c.s, task, task, &online, &waiting, 1))
		calls++;
	CHECK(calls == own / 2 && !task->nr_throttled);
	CHECK(c.s.nr_throttled == GROUPS - own && c.s.nr_online == 1);
	for (calls = 0; tg_sched_drain(&c.s, NULL, NULL, &online, &waiting, 1);)
		calls++;
	CHECK(calls == (GROUPS - own) / 2);
	CHECK(!c.s.nr_throttled && !c.s.nr_waiting && !c.s.nr_online);
}

/* One that has all of the GPU, and many behind it that do not fit. */
static void refuse_many(struct tg_sched *s, struct tg_reserve *r, u32 n)
{
	tg_sched_init(s, 1, 10, PERIOD, 0);
	for (u32 i = 0; i < n; i++) {
		tg_reserve_init(&r[i], &tg_reserve_pe, i ? 1 + i * 7 % 50 : PERIOD, PERIOD, 0);
		CHECK(tg_sched_add_reserve(s, &r[i]) == !i);
	}
	s->part = 7;
}

static u32 reconsider(struct tg_sched *s)
{
	u32 calls = 0;

	do
		tg_sched_reconsider(s, 0);
	while (++calls < 1000 && s->look);
	CHECK(!tg_sched_next_timer(s));
	return calls;
}

void parts_of_reconsidering_leave_nobody_who_fits(void)
{
	static struct tg_reserve r[100];
	struct tg_reserve *gone;
	struct tg_sched s;
	u32 admitted = 0;

	refuse_many(&s, r, ARRAY_SIZE(r));
	CHECK(reconsider(&s) == 99 / 7 + 1);
	/* Room for some; and when it has looked at most, for more; and one goes. */
	tg_sched_set_reserve(&s, &r[0], &tg_reserve_pe, PERIOD - 30, PERIOD, 0);
	for (u32 i = 0; i < 14; i++)
		tg_sched_reconsider(&s, 0);
	CHECK(s.look && tg_sched_next_timer(&s) == 1);
	tg_sched_set_reserve(&s, &r[0], &tg_reserve_pe, PERIOD - 200, PERIOD, 0);
	gone = s.look;
	tg_sched_remove_reserve(&s, gone);
	CHECK(s.look && s.look != gone);
	reconsider(&s);
	CHECK(!gone->share.period_ns);
	for (u32 i = 1; i < ARRAY_SIZE(r); i++) {
		admitted += !r[i].demoted;
		CHECK(!r[i].demoted || !tg_admission_fits(&s.admission, r[i].capacity_ns,
							  PERIOD, s.limit_percent));
	}
	CHECK(admitted > 3 && r[1].demoted == false);
}
