// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs and a GPU around the scheduler; see world.h. */
#include "world.h"

struct world w;

void world_begin(u64 lead_ns, int nr)
{
	memset(&w, 0, sizeof(w));
	tg_sched_init(&w.s, 16, 25000000, 25000000, 0);
	tg_sched_set_lead(&w.s, lead_ns);
	w.nr = nr;
	w.seed = 1;
	for (int i = 0; i < nr; i++) {
		struct program *p = &w.p[i];

		tg_task_init(&p->task);
		p->of = &p->task;
		p->submitted_at = NEVER;
		p->asks_at = NEVER;
	}
}

static struct program *program_of(const struct tg_group *g)
{
	return (struct program *)g->context;
}

static void granted(struct tg_group *g)
{
	program_of(g)->submitted_at = w.now + SUBMIT_NS;
}

static void wake(void)
{
	struct tg_group *g;

	while ((g = tg_sched_next(&w.s, w.now)))
		granted(g);
}

void world_ask(struct program *p)
{
	struct tg_group *g = &p->group[p->next++ % WORLD_GROUPS];

	*g = (struct tg_group){ .task = p->of, .context = p, .can_wait = w.stages };
	p->asks = g;
	p->asked_at = w.now;
	p->asks_at = p->period_ns ? w.now + p->period_ns : NEVER;
	if (tg_sched_arrive(&w.s, g, w.now))
		granted(g);
	wake();
}

/* What the GPU still has to do now, though the scheduler cannot know it. */
static u64 unfinished(void)
{
	return w.gpu_end > w.now ? w.gpu_end - w.now : 0;
}

static void count_submission(struct program *p, u64 cost)
{
	if (w.now - p->asked_at > p->waited_max_ns)
		p->waited_max_ns = w.now - p->asked_at;
	if (cost > w.longest_ns)
		w.longest_ns = cost;
	if (w.gpu_end < w.now) {
		w.idle_ns += w.now - w.gpu_end;
		w.gpu_end = w.now;
	}
	w.gpu_end += cost;
	p->ran_ns += cost;
	if (unfinished() > w.most_ns)
		w.most_ns = unfinished();
}

/* What it is behind is its own, or, where it can wait for that, of one channel, and not above it. */
static void check_behind(const struct program *p)
{
	for (int i = 0; i < w.nr_fifo; i++) {
		CHECK(w.fifo[i]->context == (w.stages ? w.fifo[0]->context : p));
		CHECK(tg_task_level(w.fifo[i]->task) <= tg_task_level(p->of));
	}
}

static void submit(struct program *p)
{
	u64 cost = p->cost_ns + (p->jitter_ns ? random_below(&w.seed, p->jitter_ns) : 0);
	const struct tg_reserve *r = tg_task_reserve(&w.s, p->of);

	if (!tg_sched_check(&w.s, p->asks, r && r->ops->predicts ? cost : 0, w.now)) {
		p->submitted_at = NEVER;
		wake();
		return;
	}
	check_behind(p);
	tg_sched_start(&w.s, p->asks, w.now);
	count_submission(p, cost);
	w.fifo[w.nr_fifo] = p->asks;
	w.ends[w.nr_fifo++] = w.gpu_end;
	p->submitted_at = NEVER;
	p->unfinished++;
	w.fifo[w.nr_fifo - 1]->can_be_awaited = w.stages;
	if (w.stages)
		wake();
	if (!p->period_ns && !p->reborn && !p->waits && p->unfinished != p->ahead)
		world_ask(p);
}

static void renew_domain(struct tg_domain *d)
{
	const struct tg_domain_rule rule = d->rule;

	tg_sched_remove_domain(&w.s, d, w.now);
	tg_domain_init(d, NULL);
	tg_sched_add_domain(&w.s, d, w.now);
	tg_sched_set_domain(&w.s, d, &rule, w.now);
}

static void end_process(struct program *p)
{
	p->domain = p->task.domain;
	p->dead = true;
	tg_sched_remove_task(&w.s, &p->task, w.now);
	if (p->fresh)
		renew_domain(p->fresh);
	p->asks_at = w.now + p->think_ns;
}

/* As the module does: it has its policy before it is known which domain it is in. */
static void begin_process(struct program *p)
{
	const struct tg_policy_ops *policy = p->task.policy;
	u32 weight = p->task.weight;

	p->dead = false;
	tg_task_init(&p->task);
	tg_task_set_weight(&p->task, weight);
	tg_sched_set_task(&w.s, &p->task, policy, 0, false, false, w.now);
	tg_sched_move(&w.s, &p->task, p->domain, w.now);
	world_ask(p);
}

static void finish(void)
{
	struct tg_group *g = w.fifo[0];
	struct program *p = program_of(g);

	memmove(w.fifo, w.fifo + 1, sizeof(w.fifo) - sizeof(w.fifo[0]));
	memmove(w.ends, w.ends + 1, sizeof(w.ends) - sizeof(w.ends[0]));
	w.nr_fifo--;
	p->nr_ran++;
	tg_sched_complete(&w.s, g, w.now);
	if (p->waits || p->unfinished-- == p->ahead)
		p->asks_at = w.now + p->think_ns;
	if (p->reborn)
		end_process(p);
	if (p->dead && !p->think_ns)
		begin_process(p);
	wake();
}

/* It is busy: it comes a period later. */
static void come(struct program *p)
{
	if (p->dead)
		begin_process(p);
	else if (p->asks->state == TG_GROUP_OUT || p->ahead)
		world_ask(p);
	else
		p->asks_at += p->period_ns;
}

static struct program *first_to_submit(void)
{
	struct program *found = &w.p[0];

	for (int i = 1; i < w.nr; i++)
		if (w.p[i].submitted_at < found->submitted_at)
			found = &w.p[i];
	return found;
}

static struct program *first_to_ask(void)
{
	struct program *found = &w.p[0];

	for (int i = 1; i < w.nr; i++)
		if (w.p[i].asks_at < found->asks_at)
			found = &w.p[i];
	return found;
}

static u64 first_of(u64 a, u64 b)
{
	return a < b ? a : b;
}

/* Whether anything will ever happen. */
static bool step(void)
{
	struct program *s = first_to_submit(), *a = first_to_ask();
	u64 finish_at = w.nr_fifo ? w.ends[0] + NOTICE_NS : NEVER;
	u64 timer_at = tg_sched_next_timer(&w.s) ?: NEVER;
	u64 at = first_of(first_of(s->submitted_at, a->asks_at),
			  first_of(finish_at, timer_at));

	if (!CHECK(at != NEVER))
		return false;
	if (at == timer_at && at != finish_at && at != s->submitted_at) {
		/* One that has passed and changes nothing would ring for ever. */
		if (!CHECK(timer_at > w.now))
			return false;
		w.now = timer_at;
		wake();
		return true;
	}
	if (at > w.now)
		w.now = at;
	if (at == finish_at)
		finish();
	else if (at == s->submitted_at)
		submit(s);
	else
		come(a);
	return true;
}

void world_run_until(u64 end)
{
	while (w.now < end && step())
		;
}
