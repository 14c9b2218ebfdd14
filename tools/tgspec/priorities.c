// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "buf.h"
#include "priorities.h"

u32 priorities_wanted(const struct priorities *p)
{
	u32 wanted = 0;

	for (u32 i = 0; i < p->n; i++)
		wanted += p->prio[i] != PRIO_FIXED;
	return wanted;
}

/* Not yet given out. */
#define PRIO_OPEN 0

static void open_all(struct priorities *p)
{
	for (u32 i = 0; i < p->n; i++)
		if (p->prio[i] != PRIO_FIXED)
			p->prio[i] = PRIO_OPEN;
}

void priorities_by_period(struct priorities *p, const struct rta_set *set)
{
	u32 wanted = priorities_wanted(p);

	open_all(p);
	for (u8 prio = p->top; wanted--; prio--) {
		u32 best = p->n;

		for (u32 i = 0; i < p->n; i++)
			if (p->prio[i] == PRIO_OPEN &&
			    (best == p->n ||
			     set->task[i].period < set->task[best].period))
				best = i;
		p->prio[best] = prio;
	}
}

static void set_level(struct rta_task *t, u8 prio)
{
	t->low = 2 * prio;
	t->high = 2 * prio;
}

/*
 * The open task to be met at @prio with all other open ones at the top: of those
 * that can, the one with the longest period, so that the outcome is rate
 * monotonic where that will do.
 */
static u32 choose(const struct priorities *p, struct rta_task *task,
		  const struct rta_set *set, u8 prio, enum rta_verdict met)
{
	u32 best = p->n;

	for (u32 i = p->n; i--;) {
		struct rta_result res;

		if (p->prio[i] != PRIO_OPEN ||
		    (best < p->n && task[i].period <= task[best].period))
			continue;
		set_level(&task[i], prio);
		rta_analyze(set, i, &res);
		set_level(&task[i], p->top);
		if (res.verdict <= met)
			best = i;
	}
	return best;
}

bool priorities_optimal(struct priorities *p, const struct rta_set *set,
			enum rta_verdict met, u8 *stuck)
{
	struct rta_task *task = mem_resize(NULL, p->n, sizeof(*task));
	struct rta_set trial = *set;
	u32 wanted = priorities_wanted(p);
	bool ok = true;

	memcpy(task, set->task, p->n * sizeof(*task));
	trial.task = task;
	open_all(p);
	for (u32 i = 0; i < p->n; i++)
		if (p->prio[i] == PRIO_OPEN)
			set_level(&task[i], p->top);
	for (u8 prio = p->top - wanted + 1; ok && wanted--; prio++) {
		u32 best = choose(p, task, &trial, prio, met);

		ok = best < p->n;
		if (ok) {
			p->prio[best] = prio;
			set_level(&task[best], prio);
		} else {
			*stuck = prio;
		}
	}
	free(task);
	return ok;
}
