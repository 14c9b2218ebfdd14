// SPDX-License-Identifier: GPL-2.0-only
/* Turns of levels that others pass over; see tg_lift.h. */
#include "tg_sched.h"

void tg_sched_set_floor(struct tg_sched *s, u64 capacity_ns, u64 period_ns, u64 now)
{
	struct tg_floor *f = &s->floor;

	tg_reserve_init(&f->budget, &tg_reserve_pe, capacity_ns, period_ns, now);
	f->look_ns = 0;
	f->until_ns = 0;
}

bool tg_floor_is_on(const struct tg_floor *f)
{
	return f->budget.capacity_ns;
}

void tg_floor_waits(struct tg_floor *f, u8 level, u64 since_ns)
{
	/* Groups that move come with the time since when they wait. */
	f->since_ns[level] = max(f->since_ns[level], since_ns);
	f->look_ns = min(f->look_ns, f->since_ns[level] + f->budget.period_ns);
}

void tg_floor_served(struct tg_floor *f, u8 level, bool lifted, u64 now)
{
	f->since_ns[level] = now;
	if (level == f->level && !lifted)
		f->until_ns = 0;
}

/* Of the levels in which somebody waits, the one that has waited for longest. */
static u8 longest(const struct tg_sched *s)
{
	const u64 *since = s->floor.since_ns;
	unsigned long found = find_last_bit(s->waiting, TG_LEVELS);
	unsigned long next, level = found;

	while ((next = find_last_bit(s->waiting, level)) < level) {
		level = next;
		if (since[level] < since[found])
			found = level;
	}
	return found;
}

/* Of what is lifted already it is only known later what it costs. */
static bool budget_allows(const struct tg_sched *s)
{
	const struct tg_floor *f = &s->floor;

	if (!f->nr_online)
		return tg_reserve_allows(&f->budget, 0, false);
	return !s->nr_unknown && f->budget.budget_ns > (s64)s->ahead_ns;
}

/*
 * Whose turn is next, and when; somebody waits.  Turns of one level begin a period after
 * each other, however long the GPU took to get to it.
 */
static u8 next_turn(const struct tg_sched *s, u64 now, u64 *due)
{
	const struct tg_floor *f = &s->floor;
	u8 level = longest(s);

	*due = f->since_ns[level] + f->budget.period_ns;
	if (*due <= now || f->until_ns <= f->since_ns[f->level] ||
	    f->until_ns >= *due || !tg_wait_first(s, f->level))
		return level;
	*due = f->until_ns;
	return f->level;
}

static bool begin_turn(struct tg_sched *s, u64 now)
{
	struct tg_floor *f = &s->floor;
	u64 due;
	u8 level;

	if (now < f->look_ns || f->nr_online)
		return false;
	level = next_turn(s, now, &due);
	tg_reserve_advance(&f->budget, now, 0);
	if (due <= now && !budget_allows(s))
		due = f->budget.next_ns;
	if (due > now) {
		f->look_ns = due;
		return false;
	}
	f->level = level;
	f->until_ns = now + f->budget.period_ns;
	/* The budget is filled again after the turn, not in it. */
	f->budget.next_ns = f->until_ns;
	return true;
}

struct tg_group *tg_floor_pick(struct tg_sched *s, u64 now)
{
	struct tg_floor *f = &s->floor;
	struct tg_group *g = NULL;

	if (!tg_floor_is_on(f) || !s->nr_waiting)
		return NULL;
	if (now < f->until_ns && budget_allows(s))
		g = tg_wait_first(s, f->level);
	if (!g && begin_turn(s, now))
		g = tg_wait_first(s, f->level);
	return g;
}

u64 tg_floor_look_ns(const struct tg_sched *s, u64 now)
{
	const struct tg_floor *f = &s->floor;

	return tg_floor_is_on(f) && s->nr_waiting && f->look_ns > now ? f->look_ns : 0;
}

void tg_floor_charge(struct tg_floor *f, u64 cost_ns, u64 now)
{
	tg_reserve_advance(&f->budget, now, 0);
	tg_reserve_charge(&f->budget, cost_ns);
}
