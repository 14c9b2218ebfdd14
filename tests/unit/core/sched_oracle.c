// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "sched_oracle.h"

#define ANY (-1)

void oracle_init(struct oracle *o, int depth)
{
	memset(o, 0, sizeof(*o));
	o->depth = depth;
	o->next_order = 1;
	o->limit = 100;
	o->beside = ORACLE_NONE;
	for (int i = 0; i < ORACLE_TASKS; i++)
		o->task[i].reserve = ORACLE_NONE;
}

int oracle_count(const struct oracle *o, enum oracle_place place, int task)
{
	int n = 0;

	for (int i = 0; i < ORACLE_GROUPS; i++)
		n += o->group[i].place == place &&
		     (task == ANY || o->group[i].task == task);
	return n;
}

int oracle_next_in(const struct oracle *o, enum oracle_place place, uint64_t after)
{
	int found = -1;

	for (int i = 0; i < ORACLE_GROUPS; i++) {
		if (o->group[i].place != place || o->group[i].order <= after)
			continue;
		if (found < 0 || o->group[i].order < o->group[found].order)
			found = i;
	}
	return found;
}

/*
 * Static priority decides; the foreground only among equals.  Who serves the foreground
 * counts as that does, unless it counts for more.  Who is in Background for want of room has
 * nothing to say.
 */
int oracle_rank(const struct oracle *o, int task)
{
	const struct oracle_task *t = &o->task[task];

	if (t->reserve != ORACLE_NONE && o->reserve[t->reserve].demoted)
		return 0;
	return t->serves > 10 * t->prio + t->on_top ? t->serves : 10 * t->prio + t->on_top;
}

static bool more_important(const struct oracle *o, int a, int b)
{
	return oracle_rank(o, a) > oracle_rank(o, b);
}

int oracle_best(const struct oracle *o)
{
	int best = -1, top = 0;

	for (int i = 0; i < ORACLE_GROUPS; i++) {
		const struct oracle_group *g = &o->group[i];
		int rank;

		if (g->place != ORACLE_QUEUED)
			continue;
		rank = oracle_rank(o, g->task);
		if (best < 0 || rank > top ||
		    (rank == top && g->order < o->group[best].order)) {
			best = i;
			top = rank;
		}
	}
	return best;
}

int oracle_queue(const struct oracle *o, int queue[ORACLE_GROUPS])
{
	int rank[ORACLE_GROUPS], n = 0;

	for (int i = 0; i < ORACLE_GROUPS; i++) {
		const struct oracle_group *g = &o->group[i];
		int mine, at;

		if (g->place != ORACLE_QUEUED)
			continue;
		mine = oracle_rank(o, g->task);
		for (at = n++; at > 0; at--) {
			if (rank[at - 1] > mine || (rank[at - 1] == mine &&
			    o->group[queue[at - 1]].order < g->order))
				break;
			queue[at] = queue[at - 1];
			rank[at] = rank[at - 1];
		}
		queue[at] = i;
		rank[at] = mine;
	}
	return n;
}

void oracle_enter(struct oracle *o, int g, enum oracle_place place)
{
	o->group[g].place = place;
	o->group[g].order = o->next_order++;
}

static void to_gpu(struct oracle *o, int g, uint64_t now)
{
	oracle_enter(o, g, ORACLE_ON_GPU);
	o->group[g].handed_over = false;
	o->group[g].start_ns = now;
}

static void arrives(struct oracle *o, int g, int task, uint64_t now)
{
	o->group[g] = (struct oracle_group){
		.task = task,
		.arrival = o->next_order++,
		.since_ns = now,
		.reserve = ORACLE_NONE,
	};
}

static bool asks(struct oracle *o, int g, uint64_t now)
{
	int task = o->group[g].task;
	const struct oracle_task *t = &o->task[task];
	int running = oracle_count(o, ORACLE_ON_GPU, ANY);
	int r = oracle_reserve_of(o, task), best;
	bool go;

	if (r != ORACLE_NONE) {
		oracle_periods(o, r, now);
		if (!oracle_may_use(o, r, g)) {
			oracle_throttle(o, r, g, now);
			return false;
		}
	}
	if (oracle_count(o, ORACLE_QUEUED, task)) {
		/* The task is asleep: this came from another of its threads. */
		go = false;
	} else if (running == 0) {
		/* Whose budget was filled this moment is there already. */
		best = oracle_best(o);
		go = best < 0 || more_important(o, task, o->group[best].task);
	} else if (!t->ht) {
		go = false;
	} else {
		/* (i) the GPU is its own, (ii) nobody more important is ready */
		go = oracle_count(o, ORACLE_ON_GPU, task) == running;
		for (int i = 0; i < ORACLE_GROUPS; i++)
			if (o->group[i].place == ORACLE_QUEUED &&
			    more_important(o, o->group[i].task, task))
				go = false;
		/* not in the paper: a bound on what one task has on the GPU */
		if (running >= o->depth)
			go = false;
	}
	if (go) {
		to_gpu(o, g, now);
		oracle_let_next_go(o, task, now);
	} else {
		oracle_enter(o, g, ORACLE_QUEUED);
		/* Behind it none of its task asks. */
		if (r != ORACLE_NONE)
			oracle_let_go(o, r, now);
	}
	return go;
}

bool oracle_arrive(struct oracle *o, int g, int task, uint64_t now)
{
	arrives(o, g, task, now);
	return asks(o, g, now);
}

bool oracle_return(struct oracle *o, int g, uint64_t arrival, uint64_t order, uint64_t now)
{
	bool went;

	arrives(o, g, o->group[g].task, now);
	o->group[g].arrival = arrival;
	went = asks(o, g, now);
	if (order && o->group[g].place == ORACLE_QUEUED)
		o->group[g].order = order;
	return went;
}

void oracle_force(struct oracle *o, int g, int task, uint64_t now)
{
	arrives(o, g, task, now);
	to_gpu(o, g, now);
}

bool oracle_validated(struct oracle *o, int g, int64_t x, uint64_t now)
{
	struct oracle_group *grp = &o->group[g];
	int r = oracle_reserve_of(o, grp->task);

	if (r == ORACLE_NONE || grp->place != ORACLE_ON_GPU || grp->handed_over)
		return true;
	/* "Refused" is about a cost; of another cost nothing was said. */
	if (grp->x != x)
		grp->refused = false;
	grp->x = x;
	oracle_periods(o, r, now);
	if (oracle_may_use(o, r, g))
		return true;
	grp->refused = true;
	oracle_throttle(o, r, g, now);
	return false;
}

void oracle_handed_over(struct oracle *o, int g, uint64_t now)
{
	if (o->group[g].place != ORACLE_ON_GPU || o->group[g].handed_over)
		return;
	o->group[g].handed_over = true;
	o->group[g].start_ns = now;
}

/* @g pays for the GPU's time until then that it was there and nobody has paid for. */
static void pays(struct oracle *o, int g, uint64_t until, uint64_t now)
{
	struct oracle_group *grp = &o->group[g];
	int r = oracle_reserve_of(o, grp->task);
	uint64_t from = grp->start_ns, cost;

	if (o->paid_until_ns > from)
		from = o->paid_until_ns;
	if (from >= until)
		return;
	cost = until - from;
	grp->cost_ns += cost;
	o->task[grp->task].gpu_ns += cost;
	o->paid_until_ns = until;
	if (r == ORACLE_NONE)
		return;
	oracle_periods(o, r, now);
	o->reserve[r].budget -= cost;
	o->reserve[r].used_ns += cost;
}

/* What was unpaid when @g came to the GPU is paid by who was there first. */
static void others_pay(struct oracle *o, int g, uint64_t now)
{
	int first = oracle_next_in(o, ORACLE_ASIDE, 0);

	if (o->beside != ORACLE_NONE && o->beside != g)
		pays(o, o->beside, now, now);
	for (int i = 0; first < 0 && i < ORACLE_GROUPS; i++)
		if (o->group[i].place == ORACLE_ON_GPU && o->group[i].handed_over)
			first = i;
	for (int i = 0; i < ORACLE_GROUPS; i++)
		if (o->group[i].place == ORACLE_ON_GPU && o->group[i].handed_over &&
		    (o->group[i].start_ns < o->group[first].start_ns ||
		     (o->group[i].start_ns == o->group[first].start_ns &&
		      o->group[first].place == ORACLE_ON_GPU &&
		      o->group[i].order < o->group[first].order)))
			first = i;
	if (first >= 0 && first != g)
		pays(o, first, o->group[g].start_ns, now);
}

static void leaves_gpu(struct oracle *o, int g, uint64_t now)
{
	others_pay(o, g, now);
	o->group[g].place = ORACLE_NOWHERE;
	pays(o, g, now, now);
	if (o->beside == g)
		o->beside = ORACLE_NONE;
}

void oracle_interrupt(struct oracle *o, int g, uint64_t now)
{
	if (o->group[g].place == ORACLE_ON_GPU)
		o->last_complete_ns = now;
	o->task[o->group[g].task].groups++;
	leaves_gpu(o, g, now);
	o->paid_until_ns = now;
}

void oracle_set_aside(struct oracle *o, int g, uint64_t now)
{
	int first = oracle_next_in(o, ORACLE_ASIDE, 0), payer = g;

	others_pay(o, g, now);
	/* Behind one that is still there the GPU may never have come to this one. */
	if (first >= 0 && o->last_complete_ns <= o->group[first].aside_ns)
		payer = first;
	pays(o, payer, now, now);
	oracle_enter(o, g, ORACLE_ASIDE);
	o->group[g].aside_ns = now;
}

void oracle_account(struct oracle *o, int at, uint64_t now)
{
	int payer = o->beside, on = oracle_next_in(o, ORACLE_ON_GPU, 0);
	bool aside = at != ORACLE_NONE && o->group[at].place == ORACLE_ASIDE;

	while (on >= 0 && !o->group[on].handed_over)
		on = oracle_next_in(o, ORACLE_ON_GPU, o->group[on].order);
	/* From the last look on it was who was found then; before the first one who has the turn. */
	if (payer == ORACLE_NONE)
		payer = on;
	if (payer == ORACLE_NONE)
		payer = aside ? at : oracle_next_in(o, ORACLE_ASIDE, 0);
	/* Who has the turn, and is found to have it alone, pays when he ends. */
	if (payer == on && aside)
		others_pay(o, on, now);
	if (payer >= 0 && (payer != on || aside))
		pays(o, payer, now, now);
	o->beside = aside ? at : ORACLE_NONE;
}

static void count_wait(struct oracle_task *t, uint64_t waited)
{
	t->wait_ns += waited;
	if (waited > t->wait_max_ns)
		t->wait_max_ns = waited;
}

/* Of the reserves that somebody waits for, whose period began first; or none. */
static int first_due(const struct oracle *o, uint64_t now)
{
	int first = ORACLE_NONE;

	for (int i = 0; i < ORACLE_RESERVES; i++) {
		const struct oracle_reserve *r = &o->reserve[i];
		const struct oracle_reserve *f = &o->reserve[first < 0 ? 0 : first];

		if (!r->exists || r->next_ns > (int64_t)now ||
		    oracle_first_throttled(o, i) < 0)
			continue;
		if (first < 0 || r->next_ns < f->next_ns ||
		    (r->next_ns == f->next_ns && r->age < f->age))
			first = i;
	}
	return first;
}

int oracle_wake(struct oracle *o, uint64_t now)
{
	int r;

	while ((r = first_due(o, now)) != ORACLE_NONE)
		oracle_periods(o, r, now);
	for (;;) {
		int running = oracle_count(o, ORACLE_ON_GPU, ANY);
		int best = oracle_best(o);
		struct oracle_task *t;

		if (best < 0)
			return -1;
		t = &o->task[o->group[best].task];
		/*
		 * The highest-priority task is woken when the GPU is idle.
		 * What a HT task left waiting for want of depth follows its own
		 * groups.
		 */
		if (running > 0 &&
		    !(t->ht && running < o->depth &&
		      oracle_count(o, ORACLE_ON_GPU, o->group[best].task) == running))
			return -1;
		count_wait(t, now - o->group[best].since_ns);
		/* It was let go by a budget that another may have used since. */
		r = oracle_reserve_of(o, o->group[best].task);
		if (r != ORACLE_NONE) {
			oracle_periods(o, r, now);
			if (!oracle_may_use(o, r, best)) {
				oracle_throttle(o, r, best, now);
				continue;
			}
		}
		to_gpu(o, best, now);
		oracle_let_next_go(o, o->group[best].task, now);
		o->wakeups++;
		return best;
	}
}

void oracle_withdraw(struct oracle *o, int g, uint64_t now)
{
	struct oracle_group *grp = &o->group[g];

	if (grp->place == ORACLE_THROTTLED) {
		oracle_unthrottle(o, g, now);
		grp->place = ORACLE_NOWHERE;
		oracle_let_go(o, grp->reserve, now);
		return;
	}
	if (grp->place == ORACLE_QUEUED) {
		count_wait(&o->task[grp->task], now - grp->since_ns);
		grp->place = ORACLE_NOWHERE;
		oracle_let_next_go(o, grp->task, now);
		return;
	}
	if (grp->place == ORACLE_ASIDE ||
		 (grp->place == ORACLE_ON_GPU && grp->handed_over))
		leaves_gpu(o, g, now);
	grp->place = ORACLE_NOWHERE;
}

/* The task's waiting groups go to the back of the queue, oldest first. */
void oracle_move_back(struct oracle *o, int task, uint64_t before)
{
	for (;;) {
		int oldest = -1;

		for (int i = 0; i < ORACLE_GROUPS; i++) {
			const struct oracle_group *g = &o->group[i];

			if (g->place == ORACLE_QUEUED && g->task == task &&
			    g->order < before &&
			    (oldest < 0 || g->arrival < o->group[oldest].arrival))
				oldest = i;
		}
		if (oldest < 0)
			return;
		oracle_enter(o, oldest, ORACLE_QUEUED);
	}
}

void oracle_change(struct oracle *o, int task, bool ht, int prio, bool on_top,
		   uint64_t now)
{
	struct oracle_task *t = &o->task[task];
	int rank = oracle_rank(o, task), r = oracle_reserve_of(o, task);

	t->ht = ht;
	t->prio = prio;
	t->on_top = on_top;
	if (oracle_rank(o, task) != rank)
		oracle_move_back(o, task, o->next_order);
	if (oracle_rank(o, task) != rank || oracle_reserve_of(o, task) != r)
		oracle_release(o, task, r, now);
}

void oracle_lend(struct oracle *o, int task, int rank, uint64_t now)
{
	int before = oracle_rank(o, task);

	o->task[task].serves = rank;
	if (oracle_rank(o, task) == before)
		return;
	oracle_move_back(o, task, o->next_order);
	oracle_release(o, task, oracle_reserve_of(o, task), now);
}
