// SPDX-License-Identifier: GPL-2.0-or-later
/* Policies for the kernel, run here. */
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <drm/timegraph_policy.h>

#include "draw.h"
#include "mem.h"
#include "native.h"

/* What the module ejects for, by its parameters' defaults; see tg_bpf_glue.c. */
#define STRAY_PICKS 64		/* in a row, of who does not wait */
#define IDLE_NS 30000000ULL	/* while groups wait, in one go or of ten times that */
#define IDLE_WINDOW 10
#define STARVE_NS 2000000000ULL	/* and a turn of each task besides */
#define LONGEST_NS 1000000000ULL

/**
 * struct native_task - what is kept of a task
 * @task: it; ids are given in the order of appearance, from 1
 * @key, @last_key: by which it waits, and of its group that began to wait last
 * @since_ns: since when it waits without one of its groups having started
 * @waits: it is among those that do, or was
 */
struct native_task {
	struct tg_task *task;
	u64 id;
	u64 key;
	u64 last_key;
	u64 since_ns;
	bool waits;
	s64 data[TIMEGRAPH_POLICY_DATA / sizeof(s64)];
};

/**
 * struct native - the policy
 * @name_of: what is said of a task
 * @denied_ns: since when may_start() has said no, while the GPU had nothing to do; 0: it has not
 * @denied_busy_ns: what the GPU had done until then
 * @idle_ns: how long the GPU idled for that
 * @idle_window_ns: since then
 * @longest_ns: of the last groups
 */
static struct native {
	const struct timegraph_policy_ops *prog;
	const char *(*name_of)(const struct tg_task *task);
	struct tg_policy_ops ops;
	struct tg_sched *sched;
	struct timegraph_policy_gpu view;
	s64 data[TIMEGRAPH_POLICY_DATA / sizeof(s64)];
	struct native_task **task;
	u32 nr;
	u64 last_id;
	u64 now_ns;
	u64 denied_ns, denied_busy_ns;
	u64 idle_ns, idle_window_ns;
	u64 longest_ns;
	struct rng rng;
} n;

static struct native_task *find(const struct tg_task *task)
{
	for (u32 i = 0; i < n.nr; i++)
		if (n.task[i]->task == task)
			return n.task[i];
	return NULL;
}

static struct native_task *by_id(u64 id)
{
	for (u32 i = 0; i < n.nr; i++)
		if (n.task[i]->id == id)
			return n.task[i];
	return NULL;
}

static struct timegraph_policy_gpu *view(struct tg_sched *s)
{
	n.sched = s;
	n.view = (struct timegraph_policy_gpu){
		.now_ns = n.now_ns,
		.nr_tasks = n.nr,
		.nr_waiting = s->nr_waiting,
		.nr_online = s->nr_online,
	};
	return &n.view;
}

static void describe(const struct native_task *t, struct timegraph_policy_task *v)
{
	const struct tg_task *task = t->task;

	*v = (struct timegraph_policy_task){
		.id = t->id,
		.weight = task->weight,
		.prio = task->prio,
		.nr_waiting = task->nr_waiting,
		.nr_online = task->nr_online,
		.vtime_ns = task->vtime_ns,
		.predicted_ns = tg_costs_average(&task->costs),
		.gpu_ns = task->gpu_ns,
		.wait_ns = task->wait_ns,
		.groups = task->nr_groups,
	};
	snprintf(v->comm, sizeof(v->comm), "%s", n.name_of(task));
}

static struct timegraph_policy_group group_of(const struct tg_group *g, u64 now)
{
	return (struct timegraph_policy_group){
		.task = find(g->task)->id,
		.weight = g->task->weight,
		.arrive_ns = g->arrive_ns,
		.waited_ns = g->state == TG_GROUP_WAITING && g->queued_ns ? now - g->queued_ns : 0,
		.predicted_ns = g->predicted_ns ?: tg_costs_average(&g->task->costs),
		.cost_ns = g->cost_ns,
	};
}

/* What the kernel would eject it for. */
static void __attribute__((format(printf, 1, 2))) fail(const char *fmt, ...)
{
	va_list args;

	fprintf(stderr, "tgsim: policy %s: at %.3f ms: ", n.prog->name, (double)n.now_ns / 1e6);
	va_start(args, fmt);
	vfprintf(stderr, fmt, args);
	va_end(args);
	fputc('\n', stderr);
	exit(EXIT_VIOLATED);
}

static unsigned long long ms(u64 ns)
{
	return ns / 1000000;
}

/*
 * Denials, as in the module: the timer that it has for them is native_look() here.
 */

static void check_idle(void)
{
	if (n.idle_ns > IDLE_NS)
		fail("the GPU idled for %llu ms of %llu ms while groups waited, as may_start() said no",
		     ms(n.idle_ns), ms(IDLE_WINDOW * IDLE_NS));
}

static u64 idle_since_denied(const struct tg_sched *s)
{
	u64 busy = s->busy_ns - n.denied_busy_ns;
	u64 since = max(n.now_ns, n.denied_ns) - n.denied_ns;

	busy += busy / 8;
	return since - min(since, busy);
}

static void end_denial(const struct tg_sched *s)
{
	if (!n.denied_ns)
		return;
	if (n.now_ns >= n.idle_window_ns + IDLE_WINDOW * IDLE_NS) {
		n.idle_window_ns = n.now_ns;
		n.idle_ns = 0;
	}
	n.idle_ns += idle_since_denied(s);
	n.denied_ns = 0;
	check_idle();
}

static void deny(const struct tg_sched *s)
{
	if (n.denied_ns && n.denied_busy_ns == s->busy_ns)
		return;
	end_denial(s);
	n.denied_ns = max(n.now_ns, 1);
	n.denied_busy_ns = s->busy_ns;
}

void native_look(const struct tg_sched *s, u64 now)
{
	u64 idle;

	n.now_ns = now;
	if (!n.denied_ns || !s->nr_waiting)
		return;
	idle = idle_since_denied(s);
	if (idle <= IDLE_NS)
		return;
	/* The timer would have come when it was too long. */
	n.idle_ns = IDLE_NS + 1;
	n.now_ns -= idle - n.idle_ns;
	check_idle();
}

/*
 * What policies call, see tg_bpf_kfunc.c.
 */

u64 timegraph_policy_now(void)
{
	return n.view.now_ns;
}

u32 timegraph_policy_random(void)
{
	return rng_next(&n.rng);
}

static int give(void *out, u32 out_size, const void *from, u32 size)
{
	memset(out, 0, out_size);
	memcpy(out, from, min(out_size, size));
	return 0;
}

int timegraph_policy_get_task(struct timegraph_policy_gpu *gpu, u64 id, void *out, u32 out__sz)
{
	const struct native_task *t = by_id(id);
	struct timegraph_policy_task v;

	if (!t)
		return -ENOENT;
	describe(t, &v);
	return give(out, out__sz, &v, sizeof(v));
}

/* Here are no domains. */
int timegraph_policy_get_domain(struct timegraph_policy_gpu *gpu, u64 id, s32 up, void *out,
				u32 out__sz)
{
	return -ENOENT;
}

int timegraph_policy_get_reserve(struct timegraph_policy_gpu *gpu, u64 id, void *out, u32 out__sz)
{
	const struct native_task *t = by_id(id);
	const struct tg_reserve *r = t ? tg_task_reserve(n.sched, t->task) : NULL;
	struct timegraph_policy_reserve v;

	if (!r)
		return -ENOENT;
	v = (struct timegraph_policy_reserve){ r->capacity_ns, r->period_ns, r->budget_ns };
	return give(out, out__sz, &v, sizeof(v));
}

u64 timegraph_policy_predict(struct timegraph_policy_gpu *gpu, u64 id)
{
	const struct native_task *t = by_id(id);

	return t ? tg_costs_average(&t->task->costs) : 0;
}

/* By how long they have waited, and then by number. */
static bool waits_after(const struct native_task *t, const struct native_task *after)
{
	return t->since_ns > after->since_ns ||
	       (t->since_ns == after->since_ns && t->id > after->id);
}

u64 timegraph_policy_next_waiting(struct timegraph_policy_gpu *gpu, u64 after)
{
	const struct native_task *from = after ? by_id(after) : NULL, *next = NULL;

	if (after && !from)
		return 0;
	for (u32 i = 0; i < n.nr; i++) {
		const struct native_task *t = n.task[i];

		if (!t->waits || !t->task->nr_waiting || (from && !waits_after(t, from)))
			continue;
		if (!next || waits_after(next, t))
			next = t;
	}
	return next ? next->id : 0;
}

int timegraph_policy_set_key(struct timegraph_policy_gpu *gpu, u64 id, u64 key)
{
	struct native_task *t = by_id(id);

	if (!t)
		return -ENOENT;
	t->key = t->last_key = key;
	return 0;
}

int timegraph_policy_tick_at(struct timegraph_policy_gpu *gpu, u64 when)
{
	tg_policy_tick_at(n.sched, &n.ops, when ? max(when, n.view.now_ns + 100000) : 0);
	return 0;
}

s64 *timegraph_policy_task_data(struct timegraph_policy_gpu *gpu, u64 id, u32 rdwr_buf_size)
{
	struct native_task *t = by_id(id);

	return t && rdwr_buf_size <= sizeof(t->data) ? t->data : NULL;
}

s64 *timegraph_policy_gpu_data(struct timegraph_policy_gpu *gpu, u32 rdwr_buf_size)
{
	return rdwr_buf_size <= sizeof(n.data) ? n.data : NULL;
}

/*
 * The ops.
 */

static void queue(struct native_task *t)
{
	if (t->waits)
		return;
	t->waits = true;
	t->since_ns = n.now_ns;
	t->key = t->last_key;
}

/* Who waits for something else than the policy waits for that from then on. */
static struct native_task *oldest(void)
{
	struct native_task *first = NULL;

	for (u32 i = 0; i < n.nr; i++) {
		struct native_task *t = n.task[i];

		if (!t->waits)
			continue;
		if (!t->task->nr_waiting)
			t->since_ns = n.now_ns;
		else if (!first || waits_after(first, t))
			first = t;
	}
	return first;
}

static void check_starvation(const struct tg_group *g)
{
	u64 limit = STARVE_NS + n.nr * max(n.longest_ns, TG_FAIR_SLICE_NS);
	struct native_task *t = oldest();

	if (!t || n.now_ns < t->since_ns + limit)
		return;
	if (tg_task_level(t->task) == tg_task_level(g->task))
		fail("task %llu (%s) has waited for %llu ms while others ran",
		     (unsigned long long)t->id, n.name_of(t->task), ms(n.now_ns - t->since_ns));
	t->since_ns = n.now_ns;
}

static void native_task_init(struct tg_sched *s, struct tg_task *task)
{
	struct native_task *t = mem_alloc(sizeof(*t));
	struct timegraph_policy_task v;

	tg_policy_fq.task_init(s, task);
	n.task = mem_grow(n.task, n.nr, sizeof(*n.task));
	*t = (struct native_task){ .task = task, .id = ++n.last_id };
	n.task[n.nr++] = t;
	if (!n.prog->task_init)
		return;
	describe(t, &v);
	n.prog->task_init(view(s), &v);
}

static void native_task_exit(struct tg_sched *s, struct tg_task *task)
{
	struct native_task *t = find(task);
	struct timegraph_policy_task v;

	tg_policy_fq.task_exit(s, task);
	if (n.prog->task_exit) {
		describe(t, &v);
		n.prog->task_exit(view(s), &v);
	}
	for (u32 i = 0; i < n.nr; i++)
		if (n.task[i] == t)
			n.task[i] = n.task[--n.nr];
	free(t);
}

static u64 native_enqueue(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	u64 place = tg_policy_fq.enqueue(s, g, now);
	struct native_task *t = find(g->task);
	struct timegraph_policy_group v = group_of(g, now);

	t->last_key = n.prog->enqueue ? n.prog->enqueue(view(s), &v) : 0;
	if (!g->task->nr_waiting)
		t->waits = false;
	queue(t);
	return place;
}

static struct native_task *first_by_key(u8 level)
{
	struct native_task *first = NULL;

	for (u32 i = 0; i < n.nr; i++) {
		struct native_task *t = n.task[i];

		if (!t->task->nr_waiting || tg_task_level(t->task) != level)
			continue;
		if (!first || t->key < first->key ||
		    (t->key == first->key && t->since_ns < first->since_ns))
			first = t;
	}
	return first;
}

/* What it cannot know is forgiven, as the module does: then the first goes. */
static bool is_missed(const struct native_task *t, u64 id, u8 level)
{
	static u32 nr;

	if (t->task->nr_waiting && tg_task_level(t->task) == level) {
		nr = 0;
		return false;
	}
	if (++nr >= STRAY_PICKS)
		fail("it picked task %llu (%s), which does not wait, for %u turns",
		     (unsigned long long)id, n.name_of(t->task), STRAY_PICKS);
	return true;
}

static struct tg_group *native_pick(struct tg_sched *s, struct tg_group *first, u64 now)
{
	struct timegraph_policy_group v = group_of(first, now);
	struct native_task *t = NULL;
	u64 id;

	queue(find(first->task));
	id = n.prog->pick ? n.prog->pick(view(s), &v) : 0;
	if (id) {
		t = by_id(id);
		if (!t)
			fail("it picked task %llu, which does not exist", (unsigned long long)id);
		if (is_missed(t, id, first->level))
			return NULL;
	} else if (n.prog->enqueue) {
		t = first_by_key(first->level);
	}
	return t ? tg_wait_own(&t->task->waiting) : NULL;
}

/* The turn is lent, by the floor: then there is nothing to decide. */
static bool keeps_from_others(const struct tg_sched *s, const struct tg_task *task)
{
	return s->nr_waiting && find_last_bit(s->waiting, TG_LEVELS) > tg_task_level(task);
}

static bool native_may_start(const struct tg_sched *s, const struct tg_task *task)
{
	struct timegraph_policy_task v;

	if (s->nr_online)
		return false;
	if (!n.prog->may_start || keeps_from_others(s, task))
		return true;
	describe(find(task), &v);
	if (n.prog->may_start(view((struct tg_sched *)s), &v))
		return true;
	deny(s);
	return false;
}

static void native_started(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	struct timegraph_policy_group v = group_of(g, now);
	struct native_task *t = find(g->task);

	tg_policy_fq.started(s, g, now);
	end_denial(s);
	t->waits = false;
	if (g->task->nr_waiting)
		queue(t);
	check_starvation(g);
	if (n.prog->started)
		n.prog->started(view(s), &v);
}

static void native_complete(struct tg_sched *s, const struct tg_group *g, u64 now)
{
	struct timegraph_policy_group v = group_of(g, now);

	tg_policy_fq.complete(s, g, now);
	n.longest_ns = max(min(g->cost_ns, LONGEST_NS), n.longest_ns - n.longest_ns / 64);
	if (n.prog->complete)
		n.prog->complete(view(s), &v);
}

static void native_tick(struct tg_sched *s, u64 now)
{
	if (n.prog->tick)
		n.prog->tick(view(s));
}

static u64 native_lead(struct tg_sched *s, const struct tg_task *task, u64 now)
{
	return n.prog->may_start ? 0 : tg_policy_fq.lead(s, task, now);
}

const char *native_load(const char *path, const char *(*name_of)(const struct tg_task *task))
{
	void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const struct timegraph_policy_ops *prog;

	if (!object)
		return dlerror();
	prog = dlsym(object, "timegraph_policy");
	if (!prog || !memchr(prog->name, 0, sizeof(prog->name)) || !prog->name[0])
		return "there is no policy in it";
	n.prog = prog;
	n.name_of = name_of;
	n.ops = (struct tg_policy_ops){
		.id = TG_POLICY_OTHER,
		.name = prog->name,
		.reserves = true,
		.fair = true,
		.full = "its task's groups before it",
		.task_init = native_task_init,
		.task_exit = native_task_exit,
		.enqueue = native_enqueue,
		.pick = native_pick,
		.may_start = native_may_start,
		.lead = native_lead,
		.started = native_started,
		.complete = native_complete,
		.tick = native_tick,
	};
	rng_seed(&n.rng, 1, 0, 0);
	return NULL;
}

const struct tg_policy_ops *native_of(const struct tg_policy_ops *policy)
{
	return n.prog && policy == &tg_policy_fq ? &n.ops : policy;
}
