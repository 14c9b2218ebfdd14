// SPDX-License-Identifier: GPL-2.0-or-later
/* The oracle's budgets: TimeGraph section 5, a period after the other. */
#include "sched_oracle.h"

int oracle_reserve_of(const struct oracle *o, int task)
{
	const struct oracle_task *t = &o->task[task];

	/* "GPU reservation is available under the PRT policy" */
	if (t->ht || t->reserve == ORACLE_NONE)
		return ORACLE_NONE;
	return o->reserve[t->reserve].demoted ? 0 : t->reserve;
}

/*
 * Not in the paper, where a task sends one group at a time: those of a task do so in a reserve,
 * whatever number of them it has sent.
 */
static bool asks_for_budget(const struct oracle *o, int g)
{
	const struct oracle_group *grp = &o->group[g];

	if (grp->place != ORACLE_THROTTLED)
		return false;
	for (int i = 0; i < ORACLE_GROUPS; i++) {
		const struct oracle_group *other = &o->group[i];

		if (other->task == grp->task && other->arrival < grp->arrival &&
		    (other->place == ORACLE_THROTTLED || other->place == ORACLE_QUEUED))
			return false;
	}
	return true;
}

static int first_of(const struct oracle *o, int r, bool asking)
{
	int first = -1;

	for (int i = 0; i < ORACLE_GROUPS; i++) {
		const struct oracle_group *g = &o->group[i];
		int better;

		if (g->place != ORACLE_THROTTLED || g->reserve != r ||
		    (asking && !asks_for_budget(o, i)))
			continue;
		better = first < 0 ? 1 : oracle_rank(o, g->task) -
					 oracle_rank(o, o->group[first].task);
		if (better > 0 || (!better && g->arrival < o->group[first].arrival))
			first = i;
	}
	return first;
}

int oracle_first_throttled(const struct oracle *o, int r)
{
	return first_of(o, r, false);
}

int oracle_first_asking(const struct oracle *o, int r)
{
	return first_of(o, r, true);
}

/* Section 5.2: e > x; of a group that was refused with this x, section 5.1: e >= x. */
static bool enough(const struct oracle_reserve *r, int64_t x, bool refused)
{
	/* Not in the paper: who may have all the time is not refused any. */
	if (r->capacity == r->period)
		return true;
	if (!r->ae)
		x = 0;
	if (r->budget <= 0)
		return false;
	return r->budget > x || (refused && r->budget == x);
}

bool oracle_may_use(const struct oracle *o, int r, int g)
{
	const struct oracle_group *grp = &o->group[g];

	/* Not in the paper: in a reserve nobody passes one that came before. */
	for (int i = 0; i < ORACLE_GROUPS; i++) {
		const struct oracle_group *other = &o->group[i];
		int ahead;

		if (other->place == ORACLE_THROTTLED && other->task == grp->task &&
		    other->arrival < grp->arrival)
			return false;
		if (!asks_for_budget(o, i) || other->reserve != r)
			continue;
		ahead = oracle_rank(o, other->task) - oracle_rank(o, grp->task);
		if (ahead > 0 || (!ahead && other->arrival < grp->arrival))
			return false;
	}
	return enough(&o->reserve[r], grp->x, grp->refused);
}

void oracle_throttle(struct oracle *o, int r, int g, uint64_t now)
{
	oracle_enter(o, g, ORACLE_THROTTLED);
	o->group[g].reserve = r;
	o->group[g].since_ns = now;
	o->reserve[r].refusals++;
}

void oracle_unthrottle(struct oracle *o, int g, uint64_t now)
{
	struct oracle_task *t = &o->task[o->group[g].task];
	uint64_t waited = now - o->group[g].since_ns;

	t->throttle_ns += waited;
	if (waited > t->throttle_max_ns)
		t->throttle_max_ns = waited;
	oracle_enter(o, g, ORACLE_QUEUED);
	o->group[g].since_ns = now;
}

void oracle_let_go(struct oracle *o, int r, uint64_t now)
{
	int g;

	while ((g = oracle_first_asking(o, r)) >= 0 &&
	       enough(&o->reserve[r], o->group[g].x, o->group[g].refused))
		oracle_unthrottle(o, g, now);
}

void oracle_let_next_go(struct oracle *o, int task, uint64_t now)
{
	for (int i = 0; i < ORACLE_GROUPS; i++)
		if (o->group[i].task == task && asks_for_budget(o, i)) {
			oracle_let_go(o, o->group[i].reserve, now);
			return;
		}
}

/* The periods that began until now, for the group that waited meanwhile. */
void oracle_periods(struct oracle *o, int r, uint64_t now)
{
	struct oracle_reserve *res = &o->reserve[r];
	int first = oracle_first_asking(o, r);
	int64_t x = first < 0 ? 0 : o->group[first].x;
	bool began = false;

	for (; res->next_ns <= (int64_t)now; res->next_ns += res->period) {
		int64_t more = res->budget + res->capacity, most = res->capacity;

		/* min(C, e + C); AE if x > C: min(x, e + C) */
		if (res->ae && x > res->capacity)
			most = x;
		res->budget = more < most ? more : most;
		res->periods++;
		began = true;
	}
	if (began)
		oracle_let_go(o, r, now);
}

/* The task's groups that wait for @r ask again, as if they had never asked. */
void oracle_release(struct oracle *o, int task, int r, uint64_t now)
{
	bool any = false;

	if (r == ORACLE_NONE)
		return;
	for (;;) {
		int first = -1;

		for (int i = 0; i < ORACLE_GROUPS; i++)
			if (o->group[i].place == ORACLE_THROTTLED &&
			    o->group[i].task == task && o->group[i].reserve == r &&
			    (first < 0 || o->group[i].arrival < o->group[first].arrival))
				first = i;
		if (first < 0)
			break;
		oracle_unthrottle(o, first, now);
		o->group[first].x = 0;
		o->group[first].refused = false;
		any = true;
	}
	/* Those that they kept back; all leave one that does not fit. */
	if (any && !o->reserve[r].demoted)
		oracle_let_go(o, r, now);
}

uint64_t oracle_next_time(const struct oracle *o)
{
	uint64_t next = 0;

	for (int r = 0; r < ORACLE_RESERVES; r++)
		if (o->reserve[r].exists && oracle_first_throttled(o, r) >= 0 &&
		    (!next || (uint64_t)o->reserve[r].next_ns < next))
			next = o->reserve[r].next_ns;
	return next;
}

/* All periods that the test uses divide this. */
#define COMMON_PERIOD 1200

bool oracle_fits(const struct oracle *o, int r)
{
	int64_t sum = 0;

	for (int i = 1; i < ORACLE_RESERVES; i++) {
		const struct oracle_reserve *res = &o->reserve[i];

		if (res->exists && (i == r || !res->demoted))
			sum += res->capacity * (COMMON_PERIOD / res->period);
	}
	return 100 * sum <= o->limit * COMMON_PERIOD;
}

void oracle_set_up(struct oracle *o, int r, bool ae, int64_t capacity, int64_t period,
		   uint64_t now)
{
	o->reserve[r] = (struct oracle_reserve){
		.exists = true,
		.ae = ae,
		.age = o->next_order++,
		.capacity = capacity,
		.period = period,
		.budget = capacity,
		.next_ns = now + period,
	};
}

bool oracle_add(struct oracle *o, int r, bool ae, int64_t capacity, int64_t period,
		uint64_t now)
{
	oracle_set_up(o, r, ae, capacity, period, now);
	o->reserve[r].demoted = !oracle_fits(o, r);
	return !o->reserve[r].demoted;
}

/* The member that joined next after @after, or -1. */
static int next_member(const struct oracle *o, int r, uint64_t after)
{
	int next = -1;

	for (int i = 0; i < ORACLE_TASKS; i++)
		if (o->task[i].reserve == r && o->task[i].joined > after &&
		    (next < 0 || o->task[i].joined < o->task[next].joined))
			next = i;
	return next;
}

/*
 * Its tasks move to Background or back, one after the other; its budget is its own,
 * whichever.
 */
static void demote(struct oracle *o, int r, bool demoted, uint64_t now)
{
	struct oracle_reserve *res = &o->reserve[r];
	int old = demoted ? r : 0;

	if (res->demoted == demoted)
		return;
	oracle_periods(o, r, now);
	for (int t = next_member(o, r, 0); t >= 0; t = next_member(o, r, o->task[t].joined)) {
		int rank;

		res->demoted = !demoted;
		rank = oracle_rank(o, t);
		res->demoted = demoted;
		if (oracle_rank(o, t) != rank)
			oracle_move_back(o, t, o->next_order);
		/* In Background those of the next members are in it for want of room. */
		res->demoted = true;
		oracle_release(o, t, old, now);
	}
	res->demoted = demoted;
}

bool oracle_alter(struct oracle *o, int r, bool ae, int64_t capacity, int64_t period,
		  uint64_t now)
{
	struct oracle_reserve *res = &o->reserve[r];

	oracle_periods(o, r, now);
	res->ae = ae;
	res->capacity = capacity;
	res->period = period;
	if (res->budget > capacity)
		res->budget = capacity;
	if (res->next_ns > (int64_t)now + period)
		res->next_ns = now + period;
	demote(o, r, !oracle_fits(o, r), now);
	return !res->demoted;
}

int oracle_reconsider(struct oracle *o, uint64_t now)
{
	int oldest = -1;

	for (int i = 1; i < ORACLE_RESERVES; i++)
		if (o->reserve[i].exists && o->reserve[i].demoted && oracle_fits(o, i) &&
		    (oldest < 0 || o->reserve[i].age < o->reserve[oldest].age))
			oldest = i;
	if (oldest >= 0)
		demote(o, oldest, false, now);
	return oldest;
}

void oracle_join(struct oracle *o, int task, int r, uint64_t now)
{
	int rank = oracle_rank(o, task), before = oracle_reserve_of(o, task);

	if (o->task[task].reserve == r)
		return;
	o->task[task].reserve = r;
	o->task[task].joined = o->next_order++;
	if (oracle_rank(o, task) != rank)
		oracle_move_back(o, task, o->next_order);
	oracle_release(o, task, before, now);
}
