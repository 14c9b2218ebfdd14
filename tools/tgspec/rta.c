// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DOC: Response times of reserves
 *
 * Command groups are not preemptive and PRT starts the best waiting one when the
 * GPU is free, so this is fixed-priority non-preemptive scheduling.  All times
 * are integers, in nanoseconds, and 1 is the shortest.
 *
 * The task under analysis, i, asks for at most c of GPU time in any T, in groups
 * of at most g; while one runs, the next waits already.  It has done so since its
 * budget was full and it had no work.  Nothing is assumed of the others but that
 * no group of j is longer than g_j: what they ask for is up to them, what they get
 * is up to their reserves.  Periods of reserves begin whenever they do.  Under AE,
 * none is predicted to be longer than g either.
 *
 * Blocking.  A group of a lower level that started just before, be it in the same
 * instant, lasts on:
 *
 *	B = max over lower j of burst_j
 *
 * with burst = g for PRT, and for HT g times as many groups as it may have on
 * the GPU.  With a lead W (tg_lead.c) a PRT or FQ task has up to W of work there besides,
 * as long as none of its groups is longer than the sixteen before it; with a reserve up
 * to C, if that is less, for of its budget what the GPU has is taken off before.
 * W is that of the entry whose group started last before i came, for it alone was asked
 * whether it may: what the GPU had then is W at most, whosever it is, and its own group
 * comes on top.  So entries with leads of their own block for g_j + W_j each, the largest
 * counts, and i's own lead, or that of those who go before i, is not in it.  (A task that
 * is the only one on the GPU with a rule has 4 ms of work there: until i has opened its
 * first channel, and so not in what i waits for, but by a group that it sends within
 * these 4 ms.)
 *
 * Interference.  In a window of length t a PE reserve (C, T) lets run at most
 *
 *	I(t) = ⌈(t + J) / T⌉ · C + o,	J = T − C, o = g − 1
 *
 * J: C may be used at the very end of a period and C again right after it, as of
 * a deferrable server (Strosnider, Lehoczky, Sha 1995).  o: a group starts while
 * e > 0, so the last one takes up to g − 1 more than there is; that is a debt,
 * which later periods pay, so it comes once in a window.  In detail: let the
 * first replenishment in the window come after a, and t = K·T + r, 0 < r <= T.
 * Budgets only grow at replenishments, to at most C, and a group that runs across
 * one is charged behind it, so after the first replenishment k of them in all
 * give at most k·C + o, and before it passes a, in which no more than a and no
 * more than C + o is used, the latter at the cost of what follows.  A group that leads
 * starts while e exceeds what the GPU has, so of those there only the last one can
 * take more than there is.
 *   a >= r: k = K, at most C + K·C + o.
 *   a < r, r > C: k = K + 1, at most C + (K + 1)·C + o.
 *   a < r <= C: the last replenishment leaves r − a, so at most
 *   a + K·C + o + (r − a) <= (K + 1)·C + o.
 * In each case that is at most I(t).
 *
 * AE starts a group when its predicted cost x is covered, of which little more is
 * known than 0 < x <= g: the last one takes up to g − 1 more than there is, too, and
 * if g <= C all is as for PE.  If g > C, up to g are saved up for one: e <= g when
 * the window begins, and with at most K + 1 replenishments in it
 *
 *	g + (K + 1)·C + o <= ⌈(t + T) / T⌉ · C + g − C + g − 1,
 *
 * that is J = T, o = (g − C) + (g − 1).
 *
 * Floor.  Those of lower levels that wait for a period are lifted above all, and what
 * that lets run is I(t) of a PE reserve of the floor's C and T, above all and with groups
 * as long as B: its budget is filled a period after a turn began, or later.
 *
 * Start of a group.  As long as the last group of i's q-th job (from 0) in a busy
 * period of i's level waits, only these run: one lower group, i's own work
 * before it, and groups of tasks of the same or a higher level.  One that comes
 * at the instant of the start still goes first, hence the 1:
 *
 *	w = B + (q + 1)·c − last + Σ I_j(w + 1),	the least solution
 *	R_q = w + last − q·T
 *
 * (George, Rivierre, Spuri 1996.)  That the first job of a busy period need not
 * be the worst one (Davis, Burns, Bril, Lukkien 2007: "Controller Area Network
 * (CAN) schedulability analysis: Refuted, revisited and revised") is why q runs
 * up to ⌈L/T⌉, L = B + ⌈L/T⌉·c + Σ I_j(L) being the longest busy period.  How i
 * cuts its work into groups is not known, but for its one group if there is only
 * one: otherwise last = 1.  Tasks of the same level are served in the order of
 * arrival; to let them all go first can only make w longer.
 *
 * W = max R_q holds for work that i's own budget does not delay.
 *
 * Idle times.  From when a group gets its turn until the GPU has it (wake-up,
 * ioctl, validation), and from its end until the interrupt tells, the GPU idles
 * and nobody is charged.  To the others it is as if the group were so much longer,
 * at most δ.  With no group of j below s_j
 *
 *	I'(t) = I(t) + δ·(⌊I(t) / s⌋ + m·(⌈t / T⌉ + 1)),	c' = c + δ·⌊c / s⌋
 *
 * stand for I and c in the above, B + δ for B and last + δ for last: the groups
 * that start in the window are charged I(t) in all, so they are at most I(t) / s.
 * m: AE refuses a group when it is validated, after its turn has come, and none of
 * its program passes it before the next replenishment; so that happens once a
 * period to each of m programs.  PE has m = 0.  Budgets do not know of δ: below, c
 * and g are what is charged.
 *
 * The own budget.  Let all jobs be done before T, so that there is one at a time,
 * also at the instant of a replenishment.  By induction over replenishments: after each, e is at least the released
 * work that is not yet charged.  For in a period at most one job is released, at
 * most C is asked for, so a budget e becomes at least e − (rest + c − rest') >=
 * rest' − C before, and min(C, rest') after the next replenishment.  (AE: c = C − g,
 * and after each e >= rest + g: it becomes at least e − (rest + c − rest') >=
 * rest' + g − c = rest' + 2·g − C before, and min(C, rest' + 2·g) >= rest' + g after
 * the next, as rest' <= c.  So e > x as long as there is a rest.)  So a
 * job is refused, if at all, only until the first replenishment after its
 * arrival, and if x passes between the two, it is done after
 *
 *	x + W_x,	W_x: as W, but own work may have come x late: ⌈(L + x)/T⌉ jobs
 *
 * Work that comes in step with the replenishments has x = 0.  For others, x never
 * grows as long as there is a job in every period; and a period without one
 * leaves the full budget.  The first job behind it is not refused.  Only if it is
 * not charged at its replenishment does it take from a later job's budget.  It is
 * done after W at most (the jobs before it became runnable at replenishments, at
 * least T apart), so x <= W, and
 *
 *	R = W + W_x.
 *
 * If no busy period holds two jobs, L + x <= T, then W_x = W, and more can be
 * said: v being what is charged of that first job after its replenishment,
 * x <= W − v + g, and no more than v of a later job is refused, so that c − v of
 * its work is no longer ahead of it: R <= x + W − (c − v) <= 2·W − c + g.
 *
 * Rejected: to take I(t) = ⌈t/T⌉·C, as for sporadic tasks.  It holds only for
 * programs that ask for no more than C in any T; a program that does not is what
 * reserves are for.
 */
#include "rta.h"

/* Give up: the answer is then "late", which is safe. */
#define MAX_STEPS 100000
/* 2^50 ns, 13 days. */
#define HORIZON (1ULL << 50)

/*
 * Ranges: as C <= T, ⌈(t + J)/T⌉·C <= t + J + C; with t <= HORIZON = 2^50 and
 * times below 2^38 the sum over 1024 reserves stays below 2^61; also with idle
 * times, which are cut off at the horizon.
 */
u64 rta_interference(const struct rta_task *j, u64 t)
{
	return (t + j->jitter + j->period - 1) / j->period * j->capacity + j->overrun;
}

static u64 idle_for(const struct rta_set *set, u64 times)
{
	/* More than any limit, and 1024 of them below 2^62. */
	if (set->idle && times > HORIZON / set->idle)
		return 2 * HORIZON;
	return times * set->idle;
}

/* How long groups that are charged @charged in all keep the GPU from others. */
static u64 occupied(const struct rta_set *set, const struct rta_task *j, u64 charged)
{
	return charged + (set->idle ? idle_for(set, charged / j->shortest) : 0);
}

/* I'(t) */
static u64 kept_by(const struct rta_set *set, const struct rta_task *j, u64 t)
{
	u64 periods = (t + j->period - 1) / j->period + 1;

	return occupied(set, j, rta_interference(j, t)) + idle_for(set, j->refusals * periods);
}

static bool goes_first(const struct rta_task *j, const struct rta_task *i)
{
	return j != i && j->high >= i->low;
}

static u64 burst_of(const struct rta_set *set, const struct rta_task *j)
{
	return j->group + j->lead + set->idle;
}

static u64 blocking(const struct rta_set *set, const struct rta_task *i)
{
	u64 longest = 0;

	for (u32 k = 0; k < set->n; k++)
		if (set->task[k].low < i->low && burst_of(set, &set->task[k]) > longest)
			longest = burst_of(set, &set->task[k]);
	for (u32 k = 0; k < set->nr_free; k++)
		if (set->free[k].high < i->low && set->free[k].burst > longest)
			longest = set->free[k].burst;
	return longest;
}

/* @longest: of the groups that wait below */
static u64 lifted(const struct rta_set *set, u64 longest, u64 t)
{
	struct rta_task floor = {
		.capacity = set->floor.capacity,
		.period = set->floor.period,
		.jitter = set->floor.period - set->floor.capacity,
		.overrun = longest - 1,
		.shortest = set->floor.shortest,
	};

	return kept_by(set, &floor, t);
}

static u64 interference(const struct rta_set *set, const struct rta_task *i, u64 t)
{
	u64 longest = set->floor.capacity ? blocking(set, i) : 0;
	u64 sum = 0;

	if (longest)
		sum = lifted(set, longest, t);
	for (u32 k = 0; k < set->n; k++)
		if (goes_first(&set->task[k], i))
			sum += kept_by(set, &set->task[k], t);
	return sum;
}

/*
 * The least w = base + Σ I_j(w + 1), or 0 with *@ok false if it is over @limit.
 * Starts from below, from @w.
 */
static u64 least_start(const struct rta_set *set, const struct rta_task *i,
		       u64 base, u64 w, u64 limit, bool *ok)
{
	for (u32 step = 0; step < MAX_STEPS; step++) {
		u64 next = base + interference(set, i, w + 1);

		if (next > limit)
			break;
		if (next <= w) {
			*ok = true;
			return w;
		}
		w = next;
	}
	*ok = false;
	return 0;
}

/* L, the longest busy period with own work up to @x late. */
static u64 busy_period(const struct rta_set *set, const struct rta_task *i,
		       u64 b, u64 x, bool *ok)
{
	u64 work = occupied(set, i, i->work), l = b + work;

	for (u32 step = 0; step < MAX_STEPS; step++) {
		u64 jobs = (l + x + i->period - 1) / i->period;
		u64 next;

		if (l > HORIZON)
			break;
		next = b + jobs * work + interference(set, i, l);
		if (next <= l) {
			*ok = true;
			return l;
		}
		l = next;
	}
	*ok = false;
	return 0;
}

/*
 * W with own work up to @x late; false if it is over the deadline.  *@alone: no
 * busy period has two jobs.
 */
static bool without_refusal(const struct rta_set *set, const struct rta_task *i,
			    u64 b, u64 x, u64 *worst, bool *alone)
{
	u64 work = occupied(set, i, i->work), last = i->last + set->idle;
	u64 l, jobs, w = 0;
	bool ok;

	l = busy_period(set, i, b, x, &ok);
	if (!ok)
		return false;
	jobs = (l + x + i->period - 1) / i->period;
	if (jobs > MAX_STEPS)
		return false;
	*alone = jobs <= 1;
	*worst = 0;
	for (u64 q = 0; q < jobs; q++) {
		u64 base = b + (q + 1) * work - last;
		u64 latest = q * i->period + i->deadline;

		if (latest < last)
			return false;
		w = least_start(set, i, base, w, latest - last, &ok);
		if (!ok)
			return false;
		/* R_q may be below 0 for a job that need not be x late. */
		if (w + last > q * i->period + *worst)
			*worst = w + last - q * i->period;
	}
	return true;
}

static bool with_refusal(const struct rta_set *set, const struct rta_task *i,
			 u64 b, u64 w, u64 *response)
{
	bool alone;
	u64 wx;

	if (!without_refusal(set, i, b, w, &wx, &alone))
		return false;
	*response = w + wx;
	if (alone && i->group < i->work)
		*response -= i->work - i->group;
	return *response <= i->deadline;
}

void rta_analyze(const struct rta_set *set, u32 n, struct rta_result *res)
{
	const struct rta_task *i = &set->task[n];
	bool alone;

	memset(res, 0, sizeof(*res));
	res->blocking = blocking(set, i);
	for (u32 k = 0; k < set->nr_free; k++) {
		if (set->free[k].high >= i->low) {
			res->verdict = RTA_UNBOUNDED;
			res->culprit = k;
			return;
		}
	}
	res->verdict = RTA_LATE;
	if (!i->work || !without_refusal(set, i, res->blocking, 0, &res->in_step, &alone)) {
		res->in_step = 0;
		return;
	}
	res->verdict = RTA_IN_STEP;
	if (with_refusal(set, i, res->blocking, res->in_step, &res->any_time))
		res->verdict = RTA_MET;
	else
		res->any_time = 0;
}
