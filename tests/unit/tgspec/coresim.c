// SPDX-License-Identifier: GPL-2.0-or-later
/* The habits of gpusim.h on the kernel's own core, under virtual time. */
#include <string.h>

#include "gpusim.h"
#include "random.h"
#include "tg_reserve.h"
#include "tg_sched.h"

struct client {
	struct gpusim_task *task;
	struct tg_task core;
	struct tg_reserve reserve;
	struct tg_group group;
};

struct machine {
	struct tg_sched s;
	struct client client[GPUSIM_TASKS + 1];
	uint32_t n;
	struct client *running;
	uint32_t ends;
};

static bool add_client(struct machine *m, struct gpusim_task *t)
{
	struct client *c = &m->client[m->n++];

	c->task = t;
	tg_task_init(&c->core);
	tg_sched_set_task(&m->s, &c->core, &tg_policy_prt, t->level / 2, false, false, 0);
	if (!t->period)
		return true;
	tg_reserve_init(&c->reserve, t->ae ? &tg_reserve_ae : &tg_reserve_pe, t->capacity,
			t->period, 0);
	/* Its first period ends at the phase. */
	c->reserve.next_ns = t->phase ? t->phase : t->period;
	if (!tg_sched_add_reserve(&m->s, &c->reserve))
		return false;
	tg_sched_join(&m->s, &c->core, &c->reserve, 0);
	return true;
}

/* An online group: to the GPU, unless its budget is found wanting (figure 4). */
static void go(struct machine *m, struct tg_group *g, uint32_t now)
{
	struct client *c = container_of(g, struct client, group);
	uint64_t x = c->task->ae ? c->task->predicted : 0;

	if (!tg_sched_check(&m->s, g, x, now))
		return;
	tg_sched_start(&m->s, g, now);
	m->running = c;
	m->ends = now + c->task->head;
}

static void ask(struct machine *m, struct client *c, uint32_t now)
{
	memset(&c->group, 0, sizeof(c->group));
	c->group.task = &c->core;
	c->group.context = c;
	if (tg_sched_arrive(&m->s, &c->group, now))
		go(m, &c->group, now);
}

static void dispatch(struct machine *m, uint32_t now)
{
	struct tg_group *g;

	while ((g = tg_sched_next(&m->s, now)))
		go(m, g, now);
}

static void complete(struct machine *m, uint32_t now, uint64_t *seed)
{
	struct client *c = m->running;

	tg_sched_complete(&m->s, &c->group, now);
	gpusim_finish(c->task, now, seed);
	m->running = NULL;
	if (c->task->head)
		ask(m, c, now);
	dispatch(m, now);
}

static void arrive(struct machine *m, struct client *c, uint32_t now, uint64_t *seed)
{
	if (c->task->head)
		return;
	gpusim_arrive(c->task, now, seed);
	if (c->task->head)
		ask(m, c, now);
	dispatch(m, now);
}

bool coresim_run(struct gpusim_task *task, uint32_t n, uint32_t steps, uint64_t *seed,
		 const struct coresim_floor *floor)
{
	static struct machine m;

	memset(&m, 0, sizeof(m));
	tg_sched_init(&m.s, 1, 1, 1, 0);
	if (floor->capacity)
		tg_sched_set_floor(&m.s, floor->capacity, floor->period, 0);
	for (uint32_t i = 0; i < n; i++) {
		gpusim_begin(&task[i], seed);
		if (!add_client(&m, &task[i]))
			return false;
	}
	for (uint32_t now = 0; now < steps; now++) {
		uint32_t first = random_below(seed, n);

		/* The timer of the budgets; a busy GPU does not matter. */
		dispatch(&m, now);
		if (m.running && now == m.ends)
			complete(&m, now, seed);
		for (uint32_t i = 0; i < n; i++)
			arrive(&m, &m.client[(first + i) % n], now, seed);
	}
	return true;
}
