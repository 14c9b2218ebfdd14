// SPDX-License-Identifier: GPL-2.0-or-later
#include <stddef.h>

#include "gpusim.h"
#include "random.h"

static bool has_jobs(const struct gpusim_task *t)
{
	return t->habit == GPUSIM_JOBS || t->habit == GPUSIM_IN_STEP;
}

static bool period_begins(const struct gpusim_task *t, uint32_t now)
{
	return t->period && (now + t->period - t->phase) % t->period == 0;
}

/* Section 5.1, but that AE pays its debts: what a period's beginning does. */
static void replenish(struct gpusim_task *t)
{
	int64_t c = t->capacity, x = t->head ? t->predicted : 0;
	int64_t bound = c;

	if (t->ae && x > c)
		bound = x;
	t->budget = t->budget + c < bound ? t->budget + c : bound;
}

static uint32_t length(const struct gpusim_task *t, uint64_t *seed)
{
	return random_below(seed, 3) ? t->group : 1 + random_below(seed, t->group);
}

static void job_arrives(struct gpusim_task *t, uint32_t now, uint64_t *seed)
{
	bool comes = t->habit == GPUSIM_IN_STEP ? period_begins(t, now) :
						  now >= t->next_job;

	/* A job that is late has failed already. */
	if (!comes || t->left || random_below(seed, 16) == 0)
		return;
	t->arrived = now;
	t->next_job = now + t->period;
	t->left = random_below(seed, 8) ? t->work : 1 + random_below(seed, t->work);
}

static void next_group(struct gpusim_task *t, uint64_t *seed)
{
	if (!has_jobs(t))
		t->head = length(t, seed);
	else if (t->left)
		t->head = t->whole ? t->left : length(t, seed);
	if (has_jobs(t) && t->head > t->left)
		t->head = t->left;
	t->predicted = 1 + random_below(seed, t->group);
	t->refused = false;
}

void gpusim_arrive(struct gpusim_task *t, uint32_t now, uint64_t *seed)
{
	if (t->habit == GPUSIM_BURSTS && now >= t->mood_until) {
		t->mood = !t->mood;
		t->mood_until = now + 1 + random_below(seed, 40);
	}
	if (t->head || (t->habit == GPUSIM_BURSTS && !t->mood))
		return;
	if (has_jobs(t))
		job_arrives(t, now, seed);
	next_group(t, seed);
}

/* Section 5.2. */
static bool allowed(struct gpusim_task *t)
{
	int64_t x = t->predicted;
	bool ok;

	if (!t->period)
		return true;
	if (!t->ae)
		return t->budget > 0;
	ok = t->budget > 0 && (t->refused ? t->budget >= x : t->budget > x);
	t->refused |= !ok;
	return ok;
}

static struct gpusim_task *pick(struct gpusim_task *task, uint32_t n, uint64_t *seed)
{
	struct gpusim_task *best = NULL;

	for (uint32_t i = 0; i < n; i++) {
		struct gpusim_task *t = &task[i];

		if (!t->head || !allowed(t))
			continue;
		if (!best || t->level > best->level ||
		    (t->level == best->level && random_below(seed, 2)))
			best = t;
	}
	return best;
}

void gpusim_finish(struct gpusim_task *t, uint32_t now, uint64_t *seed)
{
	if (has_jobs(t)) {
		t->left -= t->head;
		if (!t->left && now - t->arrived > t->worst)
			t->worst = now - t->arrived;
	}
	t->head = 0;
	if (has_jobs(t))
		next_group(t, seed);
}

static void charge(struct gpusim_task *t)
{
	t->budget -= t->head;
}

void gpusim_begin(struct gpusim_task *t, uint64_t *seed)
{
	t->next_job = random_below(seed, 2 * (t->period + 1));
	t->head = t->left = t->mood_until = t->worst = 0;
	t->mood = t->refused = false;
}

void gpusim_run(struct gpusim_task *task, uint32_t n, uint32_t steps, uint64_t *seed,
		uint32_t *used)
{
	struct gpusim_task *running = NULL;
	uint32_t ends = 0;

	for (uint32_t i = 0; i < n; i++) {
		task[i].budget = task[i].capacity;
		gpusim_begin(&task[i], seed);
	}
	if (used)
		used[0] = 0;
	for (uint32_t now = 0; now < steps; now++) {
		/* What happens in one instant happens in any order. */
		bool first = random_below(seed, 2), early = random_below(seed, 2);

		if (running && now == ends && first) {
			charge(running);
			gpusim_finish(running, now, seed);
			running = NULL;
		}
		for (uint32_t i = 0; i < n; i++)
			if (period_begins(&task[i], now))
				replenish(&task[i]);
		if (running && now == ends) {
			charge(running);
			gpusim_finish(running, now, seed);
			running = NULL;
		}
		if (!running && early)
			running = pick(task, n, seed);
		for (uint32_t i = 0; i < n; i++)
			gpusim_arrive(&task[i], now, seed);
		if (!running)
			running = pick(task, n, seed);
		if (running && ends <= now)
			ends = now + running->head;
		if (used)
			used[now + 1] = used[now] + (running == task);
	}
}
