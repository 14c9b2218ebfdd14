// SPDX-License-Identifier: GPL-2.0-only
/*
 * GPU-online list, wait queue and reserves (TimeGraph sections 4 and 5).
 *
 * The paper states its rules as two events: a group arrives at PushBuf, and an
 * interrupt takes the head off the GPU-online list.  Here both end in one
 * question, "may the best candidate start?", put to the candidate's policy:
 * the answers are the paper's, because a PRT group starts only on an empty
 * list, and an HT group only on a list that is empty or its own task's, so the
 * groups of two tasks are never online together and "wake the best one when a
 * PRT group ended" and "… when the list is empty" coincide.
 *
 * A reserve adds a second question, "does the budget allow it?".  It is put when
 * the group would start, and again when it is validated, for only then can its
 * cost be predicted (figure 4).  A group that is refused leaves the queue and is
 * throttled in its reserve; once the budget is replenished it queues again, by
 * priority.  Within a reserve no group passes one that asks for the budget at a level
 * above, or came before it at its own: else small groups could use up, period
 * after period, what a large one needs (section 5.1 has no rule for this).  Of a task
 * one asks at a time.
 */
#include "tg_sched.h"

static u8 level_if(const struct tg_task *task, bool demoted)
{
	if (demoted)
		return 2 * TG_PRIO_MIN;
	return 2 * task->prio + (task->focus && task->foreground);
}

static bool is_demoted(const struct tg_task *task)
{
	return task->reserve && task->reserve->demoted;
}

u8 tg_task_own_level(const struct tg_task *task)
{
	return level_if(task, is_demoted(task));
}

u8 tg_task_level(const struct tg_task *task)
{
	u8 own = tg_task_own_level(task);

	return is_demoted(task) ? own : max(own, task->lent);
}

struct tg_reserve *tg_task_reserve(struct tg_sched *s,
				   const struct tg_task *task)
{
	struct tg_reserve *r = task->reserve;

	if (!r || !task->policy->reserves)
		return NULL;
	return r->demoted ? &s->background : r;
}

void tg_sched_init(struct tg_sched *s, u32 ht_depth, u64 capacity_ns,
		   u64 period_ns, u64 now)
{
	memset(s, 0, sizeof(*s));
	INIT_LIST_HEAD(&s->online);
	INIT_LIST_HEAD(&s->aside);
	for (unsigned int i = 0; i < TG_LEVELS; i++)
		s->queue[i] = RB_ROOT_CACHED;
	tg_fair_init(&s->fair);
	tg_credit_init(&s->credits);
	s->ht_depth = ht_depth ? ht_depth : 1;
	s->lead_by = &tg_predictors[TG_PREDICTOR_LARGEST];
	INIT_LIST_HEAD(&s->reserves);
	INIT_LIST_HEAD(&s->unsettled);
	INIT_LIST_HEAD(&s->domains);
	s->throttled = RB_ROOT_CACHED;
	s->due = RB_ROOT_CACHED;
	s->refused = RB_ROOT_CACHED;
	s->lingering = RB_ROOT_CACHED;
	tg_reserve_init(&s->background, &tg_reserve_pe, capacity_ns, period_ns,
			now);
	tg_admission_init(&s->admission);
	s->limit_percent = 100;
	s->part = ~0U;
}

void tg_sched_set_lead(struct tg_sched *s, u64 lead_ns)
{
	s->lead_ns = lead_ns;
}

void tg_task_init(struct tg_task *task)
{
	memset(task, 0, sizeof(*task));
	task->policy = &tg_policy_prt;
	task->weight = TG_WEIGHT_DEFAULT;
	task->lead_ns = TG_LEAD_COMMON;
	INIT_LIST_HEAD(&task->reserve_node);
	task->waiting = RB_ROOT_CACHED;
	task->throttled = RB_ROOT_CACHED;
}

void tg_task_set_weight(struct tg_task *task, u32 weight)
{
	if (!WARN_ON_ONCE(weight < TG_WEIGHT_MIN || weight > TG_WEIGHT_MAX))
		task->weight = weight;
}

/* Whether a group that is not throttled may use its reserve @r. */
static bool reserve_allows(const struct tg_reserve *r, const struct tg_group *g)
{
	const struct tg_group *head = tg_wait_head(r), *own = tg_wait_own(&g->task->throttled);
	u8 level = tg_task_level(g->task);

	if (own && own->arrival < g->arrival)
		return false;
	if (head && (head->level > level ||
		     (head->level == level && head->arrival < g->arrival)))
		return false;
	return tg_reserve_allows(r, g->predicted_ns, g->refused);
}

/*
 * Of each task one, see note_first() in tg_wait.c.  Each is compared on its own (section 5.2): that
 * one uses up what the next was let go for, is seen when that next one starts.
 */
u32 tg_sched_let_go(struct tg_sched *s, struct tg_reserve *r, u64 now)
{
	struct tg_group *g;
	u32 n = 0;

	r->rest_ns = 0;
	while ((g = tg_wait_head(r)) &&
	       tg_reserve_allows(r, g->predicted_ns, g->refused)) {
		if (n == s->part) {
			r->rest_ns = now ?: 1;
			break;
		}
		tg_wait_end(s, g, now);
		tg_wait_turn_last(s, g, now);
		n++;
	}
	tg_wait_track(s, r);
	return n;
}

void tg_sched_let_next_go(struct tg_sched *s, const struct tg_task *task, u64 now)
{
	if (task->first)
		tg_sched_let_go(s, task->first->reserve, now);
}

static u32 refresh(struct tg_sched *s, struct tg_reserve *r, u64 now)
{
	const struct tg_group *g = tg_wait_head(r);

	if (!tg_reserve_advance(r, now, g ? g->predicted_ns : 0) && !r->rest_ns)
		return 0;
	return tg_sched_let_go(s, r, now);
}

/* Accounts for the periods that began. */
void tg_sched_refresh(struct tg_sched *s, struct tg_reserve *r, u64 now)
{
	refresh(s, r, now);
}

/* Those that somebody waits for; nobody sees what the others have. */
static void refresh_due(struct tg_sched *s, u64 now)
{
	struct tg_reserve *r;
	u32 n = 0;

	while (n < s->part && (r = tg_wait_due(s)) && r->due_ns <= now)
		n += refresh(s, r, now) + 1;
}

void tg_sched_enlist(struct tg_sched *s, struct tg_group *g)
{
	g->state = TG_GROUP_ONLINE;
	tg_lead_enter(s, g);
	tg_domain_enter(s, g);
	list_add_tail(&g->node, &s->online);
	s->nr_online++;
	g->task->nr_online++;
	s->floor.nr_online += g->lifted;
}

static void put_online(struct tg_sched *s, struct tg_group *g, u64 now)
{
	g->online_ns = now;
	g->start_ns = now;
	tg_sched_enlist(s, g);
	tg_floor_served(&s->floor, tg_task_level(g->task), g->lifted, now);
}

void tg_sched_admit(struct tg_sched *s, struct tg_group *g, u64 now)
{
	g->led = s->nr_online && g->task->policy->lead;
	g->staged = g->led && tg_sched_head(s)->context != g->context;
	s->nr_led += g->led;
	s->nr_staged += g->staged;
	put_online(s, g, now);
	tg_sched_let_next_go(s, g->task, now);
}

void tg_sched_take_offline(struct tg_sched *s, struct tg_group *g)
{
	list_del_init(&g->node);
	tg_domain_leave(s, g);
	tg_lead_leave(s, g);
	s->nr_online--;
	s->floor.nr_online -= g->lifted;
	g->task->nr_online--;
	g->state = TG_GROUP_OUT;
}

static void enter(struct tg_sched *s, struct tg_group *g, u64 now)
{
	INIT_LIST_HEAD(&g->node);
	g->arrive_ns = now;
	g->arrival = ++s->nr_arrivals;
	g->turn.place = 0;
	g->predicted_ns = 0;
	g->refused = false;
	g->switched = false;
	g->led = false;
	g->can_be_awaited = false;
	g->staged = false;
	g->lifted = false;
	g->nr_passed = 0;
	g->kept_ns = 0;
	g->shared = false;
	g->has_stamps = false;
	g->heard_ns = 0;
	g->cost_ns = 0;
	g->cost_cpu_ns = 0;
	tg_fair_asked(s, g->task, now);
}

static u64 held_until(const struct tg_sched *s, const struct tg_group *g, u64 now)
{
	const struct tg_policy_ops *policy = g->task->policy;

	return policy->hold && !s->nr_online ? policy->hold(s, g, now) : 0;
}

static bool may_start(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	const struct tg_policy_ops *policy = g->task->policy;

	if (policy->may_start(s, g->task))
		return held_until(s, g, now) <= now;
	return policy->lead && tg_lead_allows(s, g, now);
}

/*
 * Waiting groups of an idle GPU are those that were let go this moment.  And who starts
 * ahead of the end of its own group does not pass its equals.
 */
static bool must_queue(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	const struct tg_task *task = g->task;

	if (task->nr_waiting || !tg_domain_allows(s, tg_domain_of(task), now) ||
	    !may_start(s, g, now) ||
	    tg_floor_pick(s, now))
		return true;
	return (!s->nr_online || task->policy->lead) && s->nr_waiting &&
	       find_last_bit(s->waiting, TG_LEVELS) >= tg_task_level(task);
}

/* Its places are known. */
static bool ask(struct tg_sched *s, struct tg_group *g, u64 now)
{
	struct tg_reserve *r = tg_task_reserve(s, g->task);

	if (r) {
		tg_sched_refresh(s, r, now);
		if (!reserve_allows(r, g)) {
			tg_wait_budget(s, r, g, now);
			return false;
		}
	}
	/* A task's groups keep their order, and one that waits gives way. */
	if (must_queue(s, g, now)) {
		tg_wait_turn(s, g, now);
		/* One that came back goes before its task's first, which kept others back. */
		if (r)
			tg_sched_let_go(s, r, now);
		return false;
	}
	tg_sched_admit(s, g, now);
	return true;
}

bool tg_sched_arrive(struct tg_sched *s, struct tg_group *g, u64 now)
{
	enter(s, g, now);
	return ask(s, g, now);
}

bool tg_sched_return(struct tg_sched *s, struct tg_group *g,
		     struct tg_ticket *ticket, u64 now)
{
	enter(s, g, now);
	if (ticket->arrival && now <= ticket->until_ns) {
		g->arrival = ticket->arrival;
		g->nr_passed = ticket->nr_passed;
		if (ticket->level == tg_task_level(g->task) &&
		    ticket->within == tg_domain_of(g->task)) {
			g->turn.place = ticket->place;
			g->turn.key = ticket->key;
		}
	}
	ticket->arrival = 0;
	/* He is back. */
	if (s->away_until_ns == ticket->until_ns)
		s->away_until_ns = 0;
	return ask(s, g, now);
}

void tg_sched_insert(struct tg_sched *s, struct tg_group *g, u64 now)
{
	enter(s, g, now);
	put_online(s, g, now);
}

bool tg_sched_check(struct tg_sched *s, struct tg_group *g, u64 x, u64 now)
{
	struct tg_reserve *r = tg_task_reserve(s, g->task);

	if (!r || g->state != TG_GROUP_ONLINE)
		return true;
	/* No budget ever gets further. */
	if (x > TG_COST_MAX_NS)
		x = TG_COST_MAX_NS;
	/* Another cost than it was refused with: as if it had not been. */
	if (g->predicted_ns != x)
		g->refused = false;
	g->predicted_ns = x;
	tg_sched_refresh(s, r, now);
	if (!reserve_allows(r, g)) {
		tg_sched_take_offline(s, g);
		g->refused = true;
		tg_wait_budget(s, r, g, now);
		return false;
	}
	if (!g->led || tg_lead_covers(s, g, x))
		return true;
	/* What those before it leave of the budget is known when they have ended. */
	tg_sched_take_offline(s, g);
	tg_wait_turn(s, g, now);
	return false;
}

bool tg_sched_switches(const struct tg_sched *s, const void *context)
{
	return s->last_context != context;
}

void tg_sched_start(struct tg_sched *s, struct tg_group *g, u64 now)
{
	if (g->state != TG_GROUP_ONLINE)
		return;
	g->state = TG_GROUP_RUNNING;
	g->start_ns = now;
	g->switched = tg_sched_switches(s, g->context);
	s->last_context = g->context;
	if (g->task->policy->started)
		g->task->policy->started(s, g, now);
}

void tg_sched_take_out(struct tg_sched *s, struct tg_group *g, u64 now)
{
	switch (g->state) {
	case TG_GROUP_WAITING:
	case TG_GROUP_THROTTLED:
		tg_wait_end(s, g, now);
		break;
	case TG_GROUP_RUNNING:
	case TG_GROUP_ASIDE:
		tg_sched_take_off(s, g, now);
		break;
	case TG_GROUP_ONLINE:
		tg_sched_take_offline(s, g);
		tg_fair_kept(s, g);
		break;
	case TG_GROUP_NEW:
	case TG_GROUP_OUT:
		return;
	}
	g->state = TG_GROUP_OUT;
	g->finish_ns = now;
}

void tg_sched_cancel(struct tg_sched *s, struct tg_group *g, u64 now)
{
	enum tg_group_state was = g->state;

	tg_sched_take_out(s, g, now);
	/* It may have kept others back. */
	if (was == TG_GROUP_THROTTLED)
		tg_sched_let_go(s, g->reserve, now);
	else if (was == TG_GROUP_WAITING)
		tg_sched_let_next_go(s, g->task, now);
}

/*
 * Who leads gives way to them, and not for longer than they may take.  Who goes while somebody
 * more important is away does not make that longer.
 */
static void note_away(struct tg_sched *s, const struct tg_task *task, u64 now, u64 until)
{
	u8 level = tg_task_level(task);

	if (now <= s->away_until_ns && level < s->away_level)
		return;
	s->away_level = level;
	s->away_until_ns = until;
}

void tg_sched_leave(struct tg_sched *s, struct tg_group *g,
		    struct tg_ticket *ticket, u64 now)
{
	if (!ticket->arrival || now > ticket->until_ns ||
	    g->arrival < ticket->arrival) {
		ticket->arrival = g->arrival;
		ticket->place = g->turn.place;
		ticket->key = g->turn.key;
		ticket->level = g->level;
		ticket->within = g->within;
		ticket->nr_passed = g->nr_passed;
	}
	ticket->until_ns = now + TG_TICKET_NS;
	note_away(s, g->task, now, ticket->until_ns);
	tg_sched_cancel(s, g, now);
}

void tg_sched_clock_set(struct tg_sched *s)
{
	s->last_gpu_finish_ns = 0;
}

struct tg_group *tg_sched_head(const struct tg_sched *s)
{
	if (list_empty(&s->online))
		return NULL;
	return list_first_entry(&s->online, struct tg_group, node);
}

struct tg_group *tg_sched_first_aside(const struct tg_sched *s)
{
	if (list_empty(&s->aside))
		return NULL;
	return list_first_entry(&s->aside, struct tg_group, node);
}

struct tg_group *tg_sched_best(const struct tg_sched *s)
{
	return tg_wait_best(s);
}

/*
 * Its throttled groups ask again, by the rules that hold now: whatever budget
 * they are put to then, they are not the ones that it refused.
 */
static void release(struct tg_sched *s, struct tg_task *task, u64 now)
{
	struct tg_reserve *r = NULL;
	struct tg_group *g;

	while ((g = tg_wait_own(&task->throttled))) {
		if (r && g->reserve != r)
			tg_sched_let_go(s, r, now);
		r = g->reserve->demoted ? NULL : g->reserve;
		tg_wait_end(s, g, now);
		g->predicted_ns = 0;
		g->refused = false;
		tg_wait_turn_last(s, g, now);
	}
	if (r)
		tg_sched_let_go(s, r, now);
}

static bool is_misplaced(const struct tg_task *task)
{
	u8 level = tg_task_level(task);
	struct rb_node *node;

	for (node = rb_first_cached(&task->waiting); node; node = rb_next(node))
		if (rb_entry(node, struct tg_group, own)->level != level)
			return true;
	return false;
}

static bool is_settled(const struct tg_task *task)
{
	return !task->reserve || task->epoch == task->reserve->epoch;
}

/*
 * Its reserve was demoted or admitted, and its groups go where they belong since.  Tasks that
 * are not settled stay first in the reserve's list.
 */
static void settle_task(struct tg_sched *s, struct tg_task *task, u64 now)
{
	if (is_settled(task))
		return;
	task->epoch = task->reserve->epoch;
	list_del_init(&task->reserve_node);
	list_add_tail(&task->reserve_node, &task->reserve->tasks);
	if (is_misplaced(task))
		tg_wait_requeue(s, task);
	release(s, task, now);
}

/* Those of @r that are not settled are first in its list.  Returns whether it is done. */
static bool settle_reserve(struct tg_sched *s, struct tg_reserve *r, u32 *left, u64 now)
{
	struct tg_task *task;
	u32 steps;

	while (!list_empty(&r->tasks)) {
		task = list_first_entry(&r->tasks, struct tg_task, reserve_node);
		if (is_settled(task))
			break;
		if (!*left)
			return false;
		steps = 1 + task->nr_waiting + task->nr_throttled;
		*left -= steps < *left ? steps : *left;
		settle_task(s, task, now);
	}
	return true;
}

void tg_sched_settle(struct tg_sched *s, u64 now)
{
	u32 left = s->part;
	struct tg_reserve *r;

	while (!list_empty(&s->unsettled)) {
		r = list_first_entry(&s->unsettled, struct tg_reserve, unsettled);
		if (!settle_reserve(s, r, &left, now))
			return;
		list_del_init(&r->unsettled);
	}
}

static void run_ticks(struct tg_sched *s, u64 now)
{
	if (!s->tick_ns || s->tick_ns > now)
		return;
	for (unsigned int i = 0; i < TG_NR_POLICIES; i++) {
		struct tg_policy_state *p = &s->policy[i];

		if (!p->tick_ns || p->tick_ns > now)
			continue;
		tg_policy_tick_at(s, p->ops, 0);
		p->ops->tick(s, now);
	}
}

/* The earlier one; 0 is never. */
static u64 earlier(u64 a, u64 b)
{
	return !a || (b && b < a) ? b : a;
}

/* @g is the best that waits, or NULL: when the time alone lets it start. */
static u64 ahead_at(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	u64 from, until;

	if (!g)
		return 0;
	from = held_until(s, g, now);
	if (from || !g->task->policy->lead)
		return from;
	from = tg_lead_from(s, g, now, &until);
	return from > now ? from : 0;
}

/* The policy of the best one may prefer another of its tasks'. */
static struct tg_group *pick(struct tg_sched *s, struct tg_group *first, u64 now)
{
	const struct tg_policy_ops *policy;
	struct tg_group *g;

	if (!first)
		return NULL;
	policy = first->task->policy;
	if (!policy->pick)
		return first;
	g = policy->pick(s, first, now);
	if (!g || WARN_ON_ONCE(g->state != TG_GROUP_WAITING || g->level != first->level ||
			       g->task->policy != policy))
		return first;
	return g;
}

/* Whether so many were sent to wait for a budget or a quota that it is enough for one call. */
static bool sent_enough(struct tg_sched *s, u64 sent)
{
	s->more = sent >= (u64)TG_SCHED_SENT_PARTS * s->part;
	return s->more;
}

struct tg_group *tg_sched_next(struct tg_sched *s, u64 now)
{
	struct tg_group *g, *lifted;
	struct tg_reserve *r;
	u32 left = s->part;
	u64 sent = 0;

	s->more = false;
	tg_charge_sending(s, now);
	tg_sched_settle(s, now);
	refresh_due(s, now);
	tg_domain_refresh(s, now);
	run_ticks(s, now);
	for (;;) {
		lifted = tg_floor_pick(s, now);
		g = pick(s, lifted ?: tg_sched_best(s), now);
		if (!g || !may_start(s, g, now)) {
			s->ahead_at_ns = earlier(ahead_at(s, g, now),
						 tg_floor_look_ns(s, now));
			return NULL;
		}
		/* It still stands where it did: others may go first where it belongs. */
		if (!is_settled(g->task)) {
			if (!left--)
				return NULL;
			settle_task(s, g->task, now);
			continue;
		}
		/* By the queue that it is in: who is not kept from it would be found again. */
		if (!tg_domain_allows(s, g->within, now)) {
			if (sent_enough(s, ++sent))
				return NULL;
			continue;
		}
		tg_wait_end(s, g, now);
		r = tg_task_reserve(s, g->task);
		if (!r)
			break;
		tg_sched_refresh(s, r, now);
		if (reserve_allows(r, g))
			break;
		/* It has been validated if that is known, and waited for those before it. */
		g->refused |= g->predicted_ns > 0;
		tg_wait_budget(s, r, g, now);
		if (sent_enough(s, ++sent)) {
			s->sent_for = r;
			s->sent_ns = now;
			return NULL;
		}
	}
	g->lifted = lifted;
	s->floor.nr_lifted += g->lifted;
	tg_sched_admit(s, g, now);
	s->nr_wakeups++;
	return g;
}

bool tg_sched_may_start_now(struct tg_sched *s, struct tg_group *g, u64 now)
{
	struct tg_reserve *r = tg_task_reserve(s, g->task);

	if (tg_floor_pick(s, now) || !is_settled(g->task) || !may_start(s, g, now) ||
	    !tg_domain_allows(s, g->within, now))
		return false;
	if (r)
		tg_sched_refresh(s, r, now);
	return !r || reserve_allows(r, g);
}

u64 tg_sched_next_timer(const struct tg_sched *s)
{
	const struct tg_reserve *r;
	u64 next = s->look || s->more || !list_empty(&s->unsettled);

	next = earlier(next, s->ahead_at_ns);
	next = earlier(next, tg_domain_due_ns(s));
	next = earlier(next, s->tick_ns);
	r = tg_sched_lingering(s);
	if (r)
		next = earlier(next, r->full_ns);
	r = tg_wait_due(s);
	return r ? earlier(next, r->due_ns) : next;
}

static void set_policy(struct tg_sched *s, struct tg_task *task,
		       const struct tg_policy_ops *policy)
{
	const struct tg_policy_ops *before = task->policy;

	if (policy == before)
		return;
	if (before->task_exit)
		before->task_exit(s, task);
	task->policy = policy;
	task->vtime_ns = 0;
	if (policy->task_init)
		policy->task_init(s, task);
	/* Those from elsewhere may share an enqueue that asks a program: each is to be told. */
	if (task->nr_waiting &&
	    (before->enqueue != policy->enqueue || policy->id == TG_POLICY_OTHER))
		tg_wait_requeue(s, task);
}

void tg_sched_set_task(struct tg_sched *s, struct tg_task *task,
		       const struct tg_policy_ops *policy, u8 prio, bool focus,
		       bool foreground, u64 now)
{
	struct tg_reserve *r = tg_task_reserve(s, task);
	u8 old = tg_task_level(task);

	if (WARN_ON_ONCE(prio > TG_PRIO_MAX))
		return;
	settle_task(s, task, now);
	set_policy(s, task, policy);
	task->prio = prio;
	task->focus = focus;
	task->foreground = foreground;
	tg_fair_count(s, task);
	if (old != tg_task_level(task))
		tg_wait_requeue(s, task);
	if (r != tg_task_reserve(s, task) || old != tg_task_level(task))
		release(s, task, now);
}

void tg_sched_lend(struct tg_sched *s, struct tg_task *task, u8 level, u64 now)
{
	u8 old = tg_task_level(task);

	if (WARN_ON_ONCE(level >= TG_LEVELS))
		return;
	settle_task(s, task, now);
	task->lent = level;
	if (old == tg_task_level(task))
		return;
	tg_wait_requeue(s, task);
	release(s, task, now);
}

void tg_sched_join(struct tg_sched *s, struct tg_task *task,
		   struct tg_reserve *r, u64 now)
{
	u8 old = tg_task_level(task);

	if (task->reserve == r)
		return;
	settle_task(s, task, now);
	list_del_init(&task->reserve_node);
	task->reserve = r;
	if (r) {
		list_add_tail(&task->reserve_node, &r->tasks);
		task->epoch = r->epoch;
	}
	if (old != tg_task_level(task))
		tg_wait_requeue(s, task);
	release(s, task, now);
}

void tg_sched_remove_task(struct tg_sched *s, struct tg_task *task, u64 now)
{
	WARN_ON_ONCE(task->nr_online || task->nr_aside || task->nr_waiting ||
		     task->nr_throttled);
	tg_sched_join(s, task, NULL, now);
	/* Who comes next is not before it where it was, so it goes from there. */
	if (task->policy->task_exit)
		task->policy->task_exit(s, task);
	tg_sched_move(s, task, NULL, now);
	tg_fair_uncount(s, task);
}
