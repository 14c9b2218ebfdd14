// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the core asks a policy, put to a BPF program, and what it answers held against what
 * is so.
 *
 * Of all that is kept here nothing need be true when a program is ejected: the core's
 * queues are in FQ's order the whole time.
 */
#include <linux/sched/clock.h>

#include "tg_bpf_glue.h"
#include "tg_compat.h"
#include "tg_dispatch.h"
#include "tg_params.h"

/* A slow call is excused: an NMI, or a hypervisor.  Not so several, each so soon after. */
#define SLOW_CALLS 3
#define SLOW_NS NSEC_PER_SEC
/* Of each window a program may have a tenth of a CPU. */
#define WINDOW_NS (100 * NSEC_PER_MSEC)
#define WINDOW_SHARE 10
/* Turns in a row for which it picks tasks that do not wait; each is as none. */
#define STRAY_PICKS 64
/* Of so many times what it may let the GPU idle in one go it may do so for one, in all. */
#define IDLE_WINDOW 10
/* No group counts for more of the time that tasks may wait for others. */
#define LONGEST_NS (100 * NSEC_PER_MSEC)
/* Tasks of other levels that are passed over in search of the one with the smallest key. */
#define PASS_OVER 32
/* Who waits again after so short a time has not ceased to. */
#define BACK_NS (100 * NSEC_PER_MSEC)

/* While a GPU goes from one policy to another the old one is not asked any more. */
static bool is_asked(const struct tg_device *td, const struct tg_bpf_policy *p)
{
	return td->bpf.policy == p && !READ_ONCE(p->ejected);
}

/* @client: that the call is about, whom the program will ask for; or NULL */
static u64 begin(struct tg_device *td, struct tg_client *client, u64 now)
{
	struct timegraph_policy_gpu *v = &td->bpf.view;

	lockdep_assert_held(&td->lock);
	td->bpf.about = client;
	v->now_ns = now;
	v->nr_tasks = td->bpf.nr_tasks;
	v->nr_waiting = td->sched.nr_waiting;
	v->nr_online = td->sched.nr_online;
	return local_clock();
}

static void check_speed(struct tg_device *td, struct tg_bpf_policy *p, enum tg_bpf_op op,
			u64 ns)
{
	struct tg_bpf_gpu *b = &td->bpf;
	u64 now = b->view.now_ns;

	if (now >= b->window_ns + WINDOW_NS) {
		b->window_ns = now;
		b->used_ns = 0;
	}
	/* A hypervisor may take the CPU away for longer than all of it; twice that is excused. */
	b->used_ns += min_t(u64, ns, WINDOW_NS / WINDOW_SHARE / 2);
	if (b->used_ns > WINDOW_NS / WINDOW_SHARE)
		tg_bpf_fail(p, td, "its calls took %llu us of %lu us", div_u64(b->used_ns, 1000),
			    WINDOW_NS / NSEC_PER_USEC);
	if (ns <= (u64)tg_param_policy_call_us * NSEC_PER_USEC)
		return;
	b->nr_slow = now < b->slow_ns + SLOW_NS ? b->nr_slow + 1 : 1;
	b->slow_ns = now;
	if (b->nr_slow >= SLOW_CALLS)
		tg_bpf_fail(p, td, "%s took %llu us, the limit is %u us", tg_bpf_op_name(op),
			    ns / NSEC_PER_USEC, tg_param_policy_call_us);
}

static void end(struct tg_device *td, struct tg_bpf_policy *p, enum tg_bpf_op op, u64 task,
		u64 answer, u64 since)
{
	u64 ns = local_clock() - since;
	struct tg_bpf_gpu *b = &td->bpf;

	b->about = NULL;
	b->call[b->nr_calls++ % TG_BPF_CALLS] = (struct tg_bpf_call){
		.at_ns = b->view.now_ns,
		.task = task,
		.answer = answer,
		.ns = min_t(u64, ns, U32_MAX),
		.op = op,
	};
	b->count[op]++;
	b->sum_ns[op] += ns;
	b->max_ns[op] = max_t(u64, b->max_ns[op], min_t(u64, ns, U32_MAX));
	check_speed(td, p, op, ns);
}

static u64 domain_id(const struct tg_task *task)
{
	return task->domain ? tg_dev_domain_of(task->domain)->id : 0;
}

bool tg_bpf_describe_domain(const struct tg_client *client, int up,
			    struct timegraph_policy_domain *v)
{
	struct tg_domain *d = client->task.domain;

	if (up < 0)
		d = tg_domain_top(d);
	for (; d && up > 0; up--)
		d = d->parent;
	if (!d)
		return false;
	*v = (struct timegraph_policy_domain){
		.id = tg_dev_domain_of(d)->id,
		.parent = d->parent ? tg_dev_domain_of(d->parent)->id : 0,
		.weight = d->rule.weight,
		.target_ppm = d->rule.target_ppm,
		.nr_tasks = d->nr_tasks,
		.nr_waiting = d->nr_queued,
		.nr_online = d->nr_online,
		.vtime_ns = d->vtime_ns,
		.gpu_ns = d->gpu_ns,
	};
	return true;
}

void tg_bpf_describe(const struct tg_client *client, struct timegraph_policy_task *t)
{
	const struct tg_task *task = &client->task;

	*t = (struct timegraph_policy_task){
		.id = client->id,
		.domain = domain_id(task),
		.weight = task->weight,
		.prio = task->prio,
		.pid = pid_nr(client->pid),
		.nr_waiting = task->nr_waiting,
		.nr_online = task->nr_online,
		.vtime_ns = task->vtime_ns,
		.predicted_ns = tg_costs_average(&task->costs),
		.gpu_ns = task->gpu_ns,
		.wait_ns = task->wait_ns,
		.groups = task->nr_groups,
	};
	BUILD_BUG_ON(sizeof(t->comm) != sizeof(client->comm));
	memcpy(t->comm, client->comm, sizeof(t->comm));
}

static void describe_group(const struct tg_group *g, u64 now, struct timegraph_policy_group *v)
{
	*v = (struct timegraph_policy_group){
		.task = tg_bpf_client_of(g->task)->id,
		.domain = domain_id(g->task),
		.weight = g->task->weight,
		.arrive_ns = g->arrive_ns,
		.waited_ns = g->state == TG_GROUP_WAITING ? now - g->queued_ns : 0,
		.predicted_ns = g->predicted_ns ?: tg_costs_average(&g->task->costs),
		.cost_ns = g->cost_ns,
	};
}

/*
 * Who waits.
 */

static bool key_before(struct rb_node *a, const struct rb_node *b)
{
	const struct tg_bpf_task *x = rb_entry(a, struct tg_bpf_task, node);
	const struct tg_bpf_task *y = rb_entry(b, struct tg_bpf_task, node);

	return x->key < y->key || (x->key == y->key && x->since_ns < y->since_ns);
}

static bool is_queued(const struct tg_device *td, const struct tg_client *client)
{
	return client->bpf.epoch == td->bpf.epoch;
}

static void queue(struct tg_device *td, struct tg_client *client, u64 now)
{
	struct tg_bpf_task *t = &client->bpf;

	if (is_queued(td, client))
		return;
	t->epoch = td->bpf.epoch;
	t->key = t->last_key;
	/* Who has come back has waited for longer than those who came meanwhile. */
	if (t->left_ns && now < t->left_ns + BACK_NS) {
		list_add(&t->waiting, &td->bpf.waiting);
	} else {
		t->since_ns = now;
		list_add_tail(&t->waiting, &td->bpf.waiting);
	}
	t->left_ns = 0;
	rb_add_cached(&t->node, &td->bpf.queue, key_before);
}

static void unqueue(struct tg_device *td, struct tg_client *client)
{
	struct tg_bpf_task *t = &client->bpf;

	if (!is_queued(td, client))
		return;
	t->epoch = 0;
	t->left_ns = td->bpf.view.now_ns;
	rb_erase_cached(&t->node, &td->bpf.queue);
	list_del(&t->waiting);
}

/* It has stopped waiting for another reason than that it was its turn. */
static bool is_stale(const struct tg_client *client)
{
	return !client->task.nr_waiting;
}

/* The group of its that would go next, or NULL if none may. */
static struct tg_group *group_of(const struct tg_client *client)
{
	struct tg_group *g = tg_wait_own(&client->task.waiting);
	const struct tg_domain *d;

	/* Those in the queue of a domain that has used its quota wait for that. */
	for (d = g ? g->within : NULL; d; d = d->parent)
		if (d->throttled)
			return NULL;
	return g;
}

/* The same at a level: the task's may be another while its groups are still to be moved. */
static struct tg_group *group_at(const struct tg_client *client, u8 level)
{
	struct tg_group *g = group_of(client);

	return g && g->level == level ? g : NULL;
}

/* It waits for something else than the policy, and from then on for that. */
static void wait_anew(struct tg_device *td, struct tg_client *client, u64 now)
{
	struct tg_bpf_task *t = &client->bpf;

	rb_erase_cached(&t->node, &td->bpf.queue);
	t->since_ns = now;
	rb_add_cached(&t->node, &td->bpf.queue, key_before);
	list_move_tail(&t->waiting, &td->bpf.waiting);
}

struct tg_client *tg_bpf_next_waiting(struct tg_device *td, const struct tg_client *client,
				      u64 now)
{
	struct list_head *at = client ? client->bpf.waiting.next : td->bpf.waiting.next;
	struct list_head *next;

	/* Behind those that are passed over somebody may be, who then is nearer next time. */
	for (unsigned int i = 0; at != &td->bpf.waiting && i < PASS_OVER; i++, at = next) {
		struct tg_client *c = container_of(at, struct tg_client, bpf.waiting);

		next = at->next;
		if (is_stale(c))
			unqueue(td, c);
		else if (group_of(c))
			return c;
		else
			wait_anew(td, c, now);
	}
	return NULL;
}

void tg_bpf_set_key(struct tg_device *td, struct tg_client *client, u64 key)
{
	struct tg_bpf_task *t = &client->bpf;

	t->last_key = key;
	if (!is_queued(td, client))
		return;
	rb_erase_cached(&t->node, &td->bpf.queue);
	t->key = key;
	rb_add_cached(&t->node, &td->bpf.queue, key_before);
}

/* And a turn of each task's, which is a slice or a group: in fair queuing it may wait for that. */
static u64 starve_limit_ns(const struct tg_bpf_gpu *b)
{
	return (u64)tg_param_policy_starve_ms * NSEC_PER_MSEC +
	       b->nr_tasks * max(b->longest_ns, TG_FAIR_SLICE_NS);
}

/* Of the last groups: one alone is forgotten by and by, and what hangs is none. */
static void note_cost(struct tg_bpf_gpu *b, u64 cost_ns)
{
	b->longest_ns = max(min_t(u64, cost_ns, LONGEST_NS),
			    b->longest_ns - b->longest_ns / 64);
}

/* Who lets others wait on purpose has its tasks starve.  The oldest stands first. */
static void check_starvation(struct tg_device *td, struct tg_bpf_policy *p,
			     const struct tg_group *g, u64 now)
{
	struct tg_client *c = tg_bpf_next_waiting(td, NULL, now);

	if (!c || now < c->bpf.since_ns + starve_limit_ns(&td->bpf))
		return;
	if (tg_task_level(&c->task) == tg_task_level(g->task)) {
		tg_bpf_fail(p, td, "task %llu (%*pE) has waited for %llu ms while others ran",
			    c->id, (int)strnlen(c->comm, sizeof(c->comm)), c->comm,
			    (now - c->bpf.since_ns) / NSEC_PER_MSEC);
		return;
	}
	/* It waits for who is more important. */
	wait_anew(td, c, now);
}

/*
 * The ops.
 */

static void begin_gpu(struct tg_device *td, struct tg_bpf_policy *p)
{
	struct tg_bpf_gpu *b = &td->bpf;

	/* What another asked for. */
	tg_policy_tick_at(&td->sched, &p->ops, 0);
	b->policy = p;
	b->nr_tasks = 0;
	b->epoch++;
	b->queue = RB_ROOT_CACHED;
	INIT_LIST_HEAD(&b->waiting);
	b->denied_ns = 0;
	b->idle_window_ns = 0;
	b->idle_ns = 0;
	b->longest_ns = 0;
	b->stray = 0;
	b->nr_stray = 0;
	b->nr_slow = 0;
	b->used_ns = 0;
	b->nr_calls = 0;
	memset(b->count, 0, sizeof(b->count));
	memset(b->sum_ns, 0, sizeof(b->sum_ns));
	memset(b->max_ns, 0, sizeof(b->max_ns));
	memset(b->data, 0, sizeof(b->data));
}

/* Nothing points to the policy any more. */
static void end_gpu(struct tg_device *td, struct tg_bpf_policy *p)
{
	td->bpf.policy = NULL;
	td->bpf.epoch++;
	td->bpf.denied_ns = 0;
	tg_policy_tick_at(&td->sched, &p->ops, 0);
}

static void bpf_task_init(struct tg_sched *s, struct tg_task *task)
{
	struct tg_bpf_policy *p = tg_bpf_policy_of(task->policy);
	struct tg_client *client = tg_bpf_client_of(task);
	struct tg_device *td = tg_bpf_device_of(s);
	struct timegraph_policy_task t;
	u64 since, now;

	tg_policy_fq.task_init(s, task);
	memset(&client->bpf, 0, sizeof(client->bpf));
	if (td->bpf.policy != p)
		begin_gpu(td, p);
	td->bpf.nr_tasks++;
	if (!p->prog->task_init || !is_asked(td, p))
		return;
	now = ktime_get_ns();
	tg_bpf_describe(client, &t);
	since = begin(td, client, now);
	p->prog->task_init(&td->bpf.view, &t);
	end(td, p, TG_BPF_TASK_INIT, client->id, 0, since);
}

static void bpf_task_exit(struct tg_sched *s, struct tg_task *task)
{
	struct tg_bpf_policy *p = tg_bpf_policy_of(task->policy);
	struct tg_client *client = tg_bpf_client_of(task);
	struct tg_device *td = tg_bpf_device_of(s);
	struct timegraph_policy_task t;
	u64 since;

	tg_policy_fq.task_exit(s, task);
	if (td->bpf.policy != p)
		return;
	unqueue(td, client);
	if (p->prog->task_exit && is_asked(td, p)) {
		tg_bpf_describe(client, &t);
		since = begin(td, client, ktime_get_ns());
		p->prog->task_exit(&td->bpf.view, &t);
		end(td, p, TG_BPF_TASK_EXIT, client->id, 0, since);
	}
	if (!--td->bpf.nr_tasks)
		end_gpu(td, p);
}

/* Of several groups that a task has waiting the first one's key counts. */
static void tell(struct tg_device *td, struct tg_bpf_policy *p, const struct tg_group *g, u64 now)
{
	struct tg_client *client = tg_bpf_client_of(g->task);
	struct timegraph_policy_group v;
	u64 since, key = 0;

	if (p->prog->enqueue) {
		describe_group(g, now, &v);
		v.waited_ns = 0;
		since = begin(td, client, now);
		key = p->prog->enqueue(&td->bpf.view, &v);
		end(td, p, TG_BPF_ENQUEUE, client->id, key, since);
	}
	client->bpf.last_key = key;
}

static u64 bpf_enqueue(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	struct tg_bpf_policy *p = tg_bpf_policy_of(g->task->policy);
	struct tg_client *client = tg_bpf_client_of(g->task);
	struct tg_device *td = tg_bpf_device_of(s);
	u64 place = tg_policy_fq.enqueue(s, g, now);

	if (!is_asked(td, p))
		return place;
	/* Who was denied the GPU has gone without it. */
	if (!s->nr_waiting)
		td->bpf.denied_ns = 0;
	tell(td, p, g, now);
	if (is_stale(client))
		unqueue(td, client);
	queue(td, client, now);
	return place;
}

/* By the keys that the program gave. */
static struct tg_group *first_by_key(struct tg_device *td, u8 level)
{
	struct rb_node *node = rb_first_cached(&td->bpf.queue);
	struct tg_group *g;

	for (unsigned int i = 0; node && i < PASS_OVER; i++) {
		struct tg_client *c = rb_entry(node, struct tg_client, bpf.node);

		node = rb_next(node);
		g = group_at(c, level);
		if (g)
			return g;
		if (is_stale(c))
			unqueue(td, c);
	}
	return NULL;
}

/* The group of the task of that number, if it is one that may be picked. */
static struct tg_group *picked(struct tg_device *td, struct tg_bpf_policy *p, u64 id, u8 level)
{
	struct tg_client *c = id == (unsigned long)id ? xa_load(&td->bpf.tasks, id) : NULL;

	if (!c)
		tg_bpf_fail(p, td, "it picked task %llu, which does not exist", id);
	else if (c->task.policy != &p->ops)
		tg_bpf_fail(p, td, "it picked task %llu (%*pE), which another policy schedules", id,
			    (int)strnlen(c->comm, sizeof(c->comm)), c->comm);
	else
		return group_at(c, level);
	return NULL;
}

/*
 * The program is not told that a task has stopped waiting, by a signal, or has got another
 * priority, nor that one was granted the GPU before its group is started.  When it picks such
 * for the idle GPU, turn after turn, it does not notice.  It may be asked more than once for
 * each.
 */
static void note_stray(struct tg_device *td, u64 id)
{
	struct tg_bpf_gpu *b = &td->bpf;

	if (td->sched.nr_online)
		return;
	b->stray = id;
	if (!id)
		b->nr_stray = 0;
}

static void check_stray(struct tg_device *td, struct tg_bpf_policy *p)
{
	struct tg_bpf_gpu *b = &td->bpf;

	if (b->stray && ++b->nr_stray >= STRAY_PICKS)
		tg_bpf_fail(p, td, "it picked task %llu, which does not wait, after %u such turns",
			    b->stray, b->nr_stray - 1);
	b->stray = 0;
}

static struct tg_group *bpf_pick(struct tg_sched *s, struct tg_group *first, u64 now)
{
	struct tg_bpf_policy *p = tg_bpf_policy_of(first->task->policy);
	struct tg_client *client = tg_bpf_client_of(first->task);
	struct tg_device *td = tg_bpf_device_of(s);
	struct timegraph_policy_group v;
	struct tg_group *g = NULL;
	u64 id = 0;

	if (!is_asked(td, p))
		return NULL;
	/* One that came back to its place the program was not told of. */
	if (!is_queued(td, client)) {
		tell(td, p, first, now);
		queue(td, client, now);
	}
	if (p->prog->pick && is_asked(td, p)) {
		u64 since;

		describe_group(first, now, &v);
		since = begin(td, client, now);
		id = p->prog->pick(&td->bpf.view, &v);
		end(td, p, TG_BPF_PICK, v.task, id, since);
	}
	if (id)
		g = picked(td, p, id, first->level);
	note_stray(td, g ? 0 : id);
	if (!g && p->prog->enqueue)
		g = first_by_key(td, first->level);
	return is_asked(td, p) ? g : NULL;
}

/*
 * Denials.  A policy may let the GPU idle for a while, in case somebody comes: not for longer
 * than policy_timeout_ms in one go, and not for more than a tenth of ten times that in all.
 */

static u64 idle_limit_ns(void)
{
	return (u64)tg_param_policy_timeout_ms * NSEC_PER_MSEC;
}

/* An eighth more than is charged: the way to the GPU and back is no idleness of the policy's. */
static u64 idle_since_denied(const struct tg_device *td, u64 now)
{
	const struct tg_bpf_gpu *b = &td->bpf;
	u64 busy = td->sched.busy_ns - b->denied_busy_ns;
	/* Who waited for the lock may have looked at the clock before. */
	u64 since = max(now, b->denied_ns) - b->denied_ns;

	busy += busy / 8;
	return since - min(since, busy);
}

/* It says yes, or something has run since. */
static void end_denial(struct tg_device *td, struct tg_bpf_policy *p, u64 now)
{
	u64 window = IDLE_WINDOW * idle_limit_ns();
	struct tg_bpf_gpu *b = &td->bpf;

	if (!b->denied_ns)
		return;
	if (now >= b->idle_window_ns + window) {
		b->idle_window_ns = now;
		b->idle_ns = 0;
	}
	b->idle_ns += idle_since_denied(td, now);
	b->denied_ns = 0;
	if (b->idle_ns > idle_limit_ns())
		tg_bpf_fail(p, td, "the GPU idled for %llu ms of %llu ms while groups waited",
			    b->idle_ns / NSEC_PER_MSEC, window / NSEC_PER_MSEC);
}

static void deny(struct tg_device *td, struct tg_bpf_policy *p, u64 now)
{
	struct tg_bpf_gpu *b = &td->bpf;

	if (b->denied_ns && b->denied_busy_ns == td->sched.busy_ns)
		return;
	end_denial(td, p, now);
	b->denied_ns = now;
	b->denied_busy_ns = td->sched.busy_ns;
	if (!hrtimer_is_queued(&b->timer))
		hrtimer_start(&b->timer, ns_to_ktime(idle_limit_ns()), HRTIMER_MODE_REL);
}

/* The turn is lent, by the floor: then there is nothing to decide. */
static bool keeps_from_others(const struct tg_sched *s, const struct tg_task *task)
{
	return s->nr_waiting && find_last_bit(s->waiting, TG_LEVELS) > tg_task_level(task);
}

static bool bpf_may_start(const struct tg_sched *s, const struct tg_task *task)
{
	struct tg_bpf_policy *p = tg_bpf_policy_of(task->policy);
	struct tg_client *client = tg_bpf_client_of(task);
	struct tg_device *td = tg_bpf_device_of(s);
	struct timegraph_policy_task t;
	u64 since, now;
	bool may;

	if (s->nr_online)
		return false;
	if (!p->prog->may_start || !is_asked(td, p) || keeps_from_others(s, task))
		return true;
	now = ktime_get_ns();
	tg_bpf_describe(client, &t);
	since = begin(td, client, now);
	may = p->prog->may_start(&td->bpf.view, &t);
	end(td, p, TG_BPF_MAY_START, client->id, may, since);
	if (!may)
		deny(td, p, now);
	return may || READ_ONCE(p->ejected);
}

static void bpf_started(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	struct tg_bpf_policy *p = tg_bpf_policy_of(g->task->policy);
	struct tg_client *client = tg_bpf_client_of(g->task);
	struct tg_device *td = tg_bpf_device_of(s);
	struct timegraph_policy_group v;
	u64 since;

	tg_policy_fq.started(s, g, now);
	if (!is_asked(td, p))
		return;
	end_denial(td, p, now);
	unqueue(td, client);
	client->bpf.left_ns = 0;
	if (g->task->nr_waiting)
		queue(td, client, now);
	check_starvation(td, p, g, now);
	check_stray(td, p);
	if (!p->prog->started)
		return;
	describe_group(g, now, &v);
	since = begin(td, client, now);
	p->prog->started(&td->bpf.view, &v);
	end(td, p, TG_BPF_STARTED, client->id, 0, since);
}

static void bpf_complete(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	struct tg_bpf_policy *p = tg_bpf_policy_of(g->task->policy);
	struct tg_client *client = tg_bpf_client_of(g->task);
	struct tg_device *td = tg_bpf_device_of(s);
	struct timegraph_policy_group v;
	u64 since;

	tg_policy_fq.complete(s, g, now);
	note_cost(&td->bpf, g->cost_ns);
	if (!p->prog->complete || !is_asked(td, p))
		return;
	describe_group(g, now, &v);
	since = begin(td, client, now);
	p->prog->complete(&td->bpf.view, &v);
	end(td, p, TG_BPF_COMPLETE, client->id, g->cost_ns, since);
}

static void bpf_tick(struct tg_sched *s, u64 now)
{
	struct tg_bpf_policy *p = tg_bpf_policy_of(s->policy[TG_POLICY_OTHER].ops);
	struct tg_device *td = tg_bpf_device_of(s);
	u64 since;

	if (!td->bpf.nr_tasks || !p->prog->tick || !is_asked(td, p))
		return;
	since = begin(td, NULL, now);
	p->prog->tick(&td->bpf.view);
	end(td, p, TG_BPF_TICK, 0, 0, since);
}

static u64 bpf_lead(struct tg_sched *s, const struct tg_task *task, u64 now)
{
	const struct tg_bpf_policy *p = tg_bpf_policy_of(task->policy);
	const struct tg_device *td = tg_bpf_device_of(s);

	/* Who wants to be asked wants that for each. */
	if (p->prog->may_start && is_asked(td, p))
		return 0;
	return tg_policy_fq.lead(s, task, now);
}

const struct tg_policy_ops tg_bpf_ops = {
	.id = TG_POLICY_OTHER,
	.name = "BPF",
	.reserves = true,
	.fair = true,
	.full = "its task's groups before it (BPF)",
	.task_init = bpf_task_init,
	.task_exit = bpf_task_exit,
	.enqueue = bpf_enqueue,
	.pick = bpf_pick,
	.may_start = bpf_may_start,
	.lead = bpf_lead,
	.started = bpf_started,
	.complete = bpf_complete,
	.tick = bpf_tick,
};

/* What asked for may have been started meanwhile, and what waits been let go. */
static enum hrtimer_restart look_at_idle(struct hrtimer *timer)
{
	struct tg_bpf_gpu *b = container_of(timer, struct tg_bpf_gpu, timer);
	struct tg_device *td = container_of(b, struct tg_device, bpf);
	u64 limit = idle_limit_ns();
	unsigned long flags;
	u64 now, idle;

	spin_lock_irqsave(&td->lock, flags);
	now = ktime_get_ns();
	idle = td->sched.nr_online ? 0 : idle_since_denied(td, now);
	if (!b->policy || !b->denied_ns || !td->sched.nr_waiting) {
		b->denied_ns = 0;
	} else if (idle < limit) {
		/* A denial that waited for the lock may have started it already. */
		hrtimer_start(timer, ns_to_ktime(limit - idle), HRTIMER_MODE_REL);
	} else {
		tg_bpf_fail(b->policy, td, "the GPU idled for %llu ms while %u groups waited",
			    idle / NSEC_PER_MSEC, td->sched.nr_waiting);
		b->denied_ns = 0;
		tg_dispatch_locked(td, now);
	}
	spin_unlock_irqrestore(&td->lock, flags);
	return HRTIMER_NORESTART;
}

void tg_bpf_glue_start(struct tg_device *td)
{
	xa_init_flags(&td->bpf.tasks, XA_FLAGS_LOCK_IRQ);
	INIT_LIST_HEAD(&td->bpf.waiting);
	td->bpf.queue = RB_ROOT_CACHED;
	td->bpf.epoch = 1;
	tg_compat_hrtimer_setup(&td->bpf.timer, look_at_idle, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
}

void tg_bpf_glue_stop(struct tg_device *td)
{
	hrtimer_cancel(&td->bpf.timer);
	WARN_ON(!xa_empty(&td->bpf.tasks));
	xa_destroy(&td->bpf.tasks);
}
