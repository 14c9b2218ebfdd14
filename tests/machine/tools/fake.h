/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Snapshots written by hand, for the parts that only compute with them.  Whether
 * a kernel gives such ones is for the test machine to say, not for these tests.
 */
#ifndef FAKE_H
#define FAKE_H

#include <stdio.h>
#include <string.h>

#include "libtimegraph.h"

#define FAKE_MAX 8

/* A snapshot of one GPU, with room of its own: nothing is to be freed. */
struct fake {
	struct timegraph_snapshot snap;
	struct timegraph_gpu_state gpus[2];
	struct timegraph_task task[2][FAKE_MAX];
	struct timegraph_reserve reserve[2][FAKE_MAX];
	struct timegraph_vram_account account[2][FAKE_MAX];
};

static inline void fake_init(struct fake *f, uint64_t now_ns)
{
	static const char *const names[] = { "0000:01:00.0", "0000:02:00.0" };

	memset(f, 0, sizeof(*f));
	f->snap.gpus = f->gpus;
	f->snap.nr_gpus = 1;
	f->snap.config.limit_percent = 100;
	snprintf(f->snap.caps.version, sizeof(f->snap.caps.version), "1.2.3");
	for (unsigned int i = 0; i < 2; i++) {
		struct timegraph_gpu_state *g = &f->gpus[i];

		g->gpu.index = i;
		g->gpu.now_ns = now_ns;
		snprintf(g->gpu.name, sizeof(g->gpu.name), "%s", names[i]);
		g->tasks.item = f->task[i];
		g->reserves.item = f->reserve[i];
		g->accounts.item = f->account[i];
	}
}

static inline struct timegraph_task *fake_task(struct fake *f, unsigned int gpu, int pid,
					       const char *comm, uint64_t groups,
					       uint64_t gpu_ns)
{
	struct timegraph_tasks *list = &f->gpus[gpu].tasks;
	struct timegraph_task *t = &list->item[list->count++];

	t->pid = pid;
	snprintf(t->comm, sizeof(t->comm), "%s", comm);
	t->groups = groups;
	t->gpu_ns = gpu_ns;
	return t;
}

static inline struct timegraph_reserve *fake_reserve(struct fake *f, unsigned int gpu,
						     uint32_t id, const char *name,
						     uint64_t capacity_ns, uint64_t period_ns)
{
	struct timegraph_reserves *list = &f->gpus[gpu].reserves;
	struct timegraph_reserve *r = &list->item[list->count++];

	r->id = id;
	snprintf(r->name, sizeof(r->name), "%s", name);
	r->policy = TIMEGRAPH_RESV_PE;
	r->capacity_ns = capacity_ns;
	r->period_ns = period_ns;
	return r;
}

/* In MiB; the sums are the caller's. */
static inline struct timegraph_vram_account *fake_account(struct fake *f, unsigned int gpu, int pid,
							  uint64_t held, uint64_t charged)
{
	struct timegraph_vram_accounts *list = &f->gpus[gpu].accounts;
	struct timegraph_vram_account *a = &list->item[list->count++];

	a->pid = pid;
	a->held = held << 20;
	a->charged = charged << 20;
	a->state = held ? TIMEGRAPH_VRAM_HELD : TIMEGRAPH_VRAM_NONE;
	return a;
}

#endif
