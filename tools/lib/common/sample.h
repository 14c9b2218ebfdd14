/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happened between two looks at the GPUs: differences of counters, shares
 * of time.  Nothing here shows anything, and only sampler_take() looks.
 */
#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "libtimegraph.h"

/**
 * struct sample_task - a task in the interval
 * @task: as it is now
 * @reserve: what it is charged to, NULL if it is not regulated
 * @fresh: it was not there at the look before, so all that it has is counted
 * @stalled: a group waited at both looks, and none completed
 * @groups: completed
 * @gpu_ns: GPU time charged
 * @wait_ns: time that groups let through had spent in the wait queue
 * @throttle_ns: the same, waiting for the budget
 * @predictions: groups whose cost was predicted
 * @prediction_error_ns: sum of |predicted − actual cost|
 * @predicted_ns: sum of their actual costs
 * @share: @gpu_ns of the interval, 1 is all of it.  Time is charged when a group
 *	ends, so a group longer than the interval makes more than 1
 */
struct sample_task {
	const struct timegraph_task *task;
	const struct timegraph_reserve *reserve;
	bool fresh;
	bool stalled;
	uint64_t groups;
	uint64_t gpu_ns;
	uint64_t wait_ns;
	uint64_t throttle_ns;
	uint64_t predictions;
	uint64_t prediction_error_ns;
	uint64_t predicted_ns;
	double share;
};

/**
 * struct sample_domain - a domain in the interval, with those within it
 * @domain: as it is now
 * @groups: as in struct sample_task, as what follows
 */
struct sample_domain {
	const struct timegraph_domain *domain;
	uint64_t groups;
	uint64_t gpu_ns;
	uint64_t wait_ns;
	uint64_t throttle_ns;
	double share;
};

/**
 * struct sample_gpu - a GPU in the interval
 * @gpu: as it is now
 * @reserves: as they are now
 * @nr_reserves: of them
 * @vram: its memory, as it is now
 * @accounts: who has some of it
 * @interval_ns: length; 0 at the first look, then all shares are 0
 * @busy_ns: GPU time of groups that completed
 * @hidden_ns: of it, what no task in @tasks got: other users' tasks, and tasks
 *	that have ended
 * @groups: completed
 * @trouble: by how much the counters rose that should not: recovered, stuck,
 *	abandoned
 * @busy: @busy_ns of the interval
 * @hidden: @hidden_ns of the interval
 * @tasks: @nr_tasks of them, in the kernel's order
 * @room: elements of @tasks allocated
 * @domains: @nr_domains of them, who had most first
 * @domain_room: elements of @domains allocated
 */
struct sample_gpu {
	const struct timegraph_gpu *gpu;
	const struct timegraph_reserve *reserves;
	uint32_t nr_reserves;
	const struct timegraph_vram *vram;
	const struct timegraph_vram_accounts *accounts;
	uint64_t interval_ns;
	uint64_t busy_ns;
	uint64_t hidden_ns;
	uint64_t groups;
	uint64_t trouble;
	double busy;
	double hidden;
	struct sample_task *tasks;
	uint32_t nr_tasks;
	uint32_t room;
	struct sample_domain *domains;
	uint32_t nr_domains;
	uint32_t domain_room;
};

/** struct sample - all GPUs; { 0 } at first */
struct sample {
	struct sample_gpu *gpus;
	uint32_t nr_gpus;
	uint32_t room;
};

/* @num/@den, 0 if @den is. */
double sample_ratio(uint64_t num, uint64_t den);

/* Relative error of the predictions in the interval; negative if there were none. */
double sample_prediction_error(const struct sample_task *t);

/* Σ C/T of the reserves that are in force, without Background; 1 is all. */
double sample_reserved(const struct timegraph_reserve *r, uint32_t n);

/**
 * sample_diff - fill in @s
 * @s: its memory is used again; it points into @now afterwards
 * @before: the look before, NULL if there was none
 * @now: this look
 *
 * Return: 0 or -ENOMEM, and then @s is empty.
 */
int sample_diff(struct sample *s, const struct timegraph_snapshot *before,
		const struct timegraph_snapshot *now);
void sample_free(struct sample *s);

/**
 * sample_diff_domains - fill in @s->domains, of which it has none after sample_diff()
 * @before: NULL if there was no look before
 * @now: this look; it is pointed into
 *
 * Return: 0 or -ENOMEM.
 */
int sample_diff_domains(struct sample_gpu *s, const struct timegraph_domains *before,
			const struct timegraph_domains *now);

/*
 * Whether there is something to show: a GPU that was there at both looks, or none
 * at all.  A GPU that has just appeared has no interval yet, and all of it is 0.
 */
bool sample_is_measured(const struct sample *s);

/** struct sample_domains - the domains of each GPU of a snapshot; @gpu has room for @room */
struct sample_domains {
	struct timegraph_domains *gpu;
	uint32_t room;
};

/**
 * struct sampler - looks, one after the other; { 0 } at first
 * @snap: the last two
 * @domains: of each
 * @last: which of them is newer
 * @started: there was a look
 * @sample: between them
 */
struct sampler {
	struct timegraph_snapshot snap[2];
	struct sample_domains domains[2];
	unsigned int last;
	bool started;
	struct sample sample;
};

/*
 * Look.  The device is open only meanwhile: so the module is found again when it was
 * removed and has come back.  Returns 0 or -errno as timegraph_open() and
 * timegraph_snapshot(); after a failure the next look is a first one.
 */
int sampler_take(struct sampler *s);
void sampler_free(struct sampler *s);

static inline const struct timegraph_snapshot *sampler_now(const struct sampler *s)
{
	return &s->snap[s->last];
}

#endif
