/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A scenario: what tgsim simulates.  The text form is described in tgsim(1). */
#ifndef SCENARIO_H
#define SCENARIO_H

#include "tg_predictor.h"
#include "tg_sched.h"
#include "tg_spec.h"
#include "tg_vram.h"

/* Limits that keep a typing error from eating the machine. */
#define SCENARIO_INSTANCES_MAX 1000
#define SCENARIO_BYTES_MAX (64u << 20)
#define SCENARIO_CPUS_MAX 64
#define SCENARIO_TIME_MAX_NS (1000000ULL * 1000 * 1000 * 1000)

#define PPM 1000000u

/* As the module's parameters have them at most. */
#define SCENARIO_LEAD_MAX_NS 100000000ULL
#define SCENARIO_FLOOR_MAX 50
#define SCENARIO_FLOOR_PERIOD_MIN_NS 1000000ULL
#define SCENARIO_FLOOR_PERIOD_MAX_NS 10000000000ULL

enum cost_type {
	COST_CONSTANT,	/* v[0] */
	COST_UNIFORM,	/* v[0] … v[1] */
	COST_CHOICE,	/* one of v, at random */
	COST_CYCLE,	/* v in turn */
	COST_LOGNORMAL,	/* median v[0], sigma_ppm */
};

/** struct cost - GPU time of a command group, without context switch */
struct cost {
	enum cost_type type;
	u64 *v;
	u32 n;
	u32 sigma_ppm;
};

/**
 * struct kind - groups with the same commands: one profile for the predictor
 * @weight: how often, relative to the task's other kinds
 */
struct kind {
	char name[TG_NAME_MAX];
	u32 weight;
	struct cost cost;
};

enum arrival_type {
	ARRIVE_PERIODIC,	/* @groups at offset + k·period + 0…jitter */
	ARRIVE_SPORADIC,	/* the next after gap + 0…extra */
	ARRIVE_LOOP,		/* closed: a frame once one before is done */
	ARRIVE_AT,		/* at given times */
	ARRIVE_TRACE,		/* times and costs from a file */
};

/** struct trace_point - one line of a trace */
struct trace_point {
	u64 at_ns;
	u64 cost_ns;
	u32 kind;
};

/**
 * struct arrival - when a task's groups arrive
 * @groups: of one frame
 * @ahead: frames a loop may have in flight
 * @think_ns: CPU time before each frame of a loop
 * @frames: after so many a loop ends, and its program; 0: never
 * @at, @nr_at: times, from the task's start
 * @trace, @nr_trace: sorted by time
 */
struct arrival {
	enum arrival_type type;
	u64 period_ns, offset_ns, jitter_ns;
	u64 gap_ns, extra_ns;
	u64 think_ns;
	u32 groups, ahead, frames;
	u64 *at;
	u32 nr_at;
	struct trace_point *trace;
	u32 nr_trace;
};

/**
 * struct task_desc - a task block
 * @name: label
 * @program: what the specification is searched for
 * @cycle: kinds come in turn, each weight times, not at random
 * @noise_ppm: each cost is multiplied by 1 ± this
 * @from_ns, @until_ns: life of the program; until 0 = to the end
 * @stagger_ns: between the starts of its instances
 * @threads: how many may sleep in the submission call at once
 * @domain: number of its domain and 1; 0: none
 * @memory_bytes: of the card that it reserves before it begins; 0: none
 * @uses_bytes: of its buffers
 * @each_frame: only for its frames, one after the other
 */
struct task_desc {
	char name[TG_NAME_MAX];
	char program[TG_NAME_MAX];
	u32 domain;
	struct arrival arrival;
	bool has_arrival;
	struct kind *kinds;
	u32 nr_kinds;
	bool cycle;
	u32 noise_ppm;
	u64 from_ns, until_ns, stagger_ns;
	u32 instances;
	u32 threads;
	u64 memory_bytes, uses_bytes;
	bool each_frame;
	u32 line;
};

/**
 * struct domain_desc - a domain
 * @parent: number of the one that it is within and 1, 0: none
 * @cpu_weight: on the CPU
 */
struct domain_desc {
	char name[TG_NAME_MAX];
	u32 parent;
	struct tg_domain_rule rule;
	u32 cpu_weight;
};

enum change_type {
	CHANGE_LIMIT,
	CHANGE_FOCUS,
};

/** struct change - something the user does at a time */
struct change {
	enum change_type type;
	u64 at_ns;
	u32 percent;
	u32 task;
};

/** struct gpu_desc - the GPU and the driver's share in its idle times */
struct gpu_desc {
	u64 switch_ns;		/* a context switch */
	u64 dispatch_ns;	/* woken by a completion, to the submission */
	u64 submit_ns;		/* arrival at an idle GPU, to the submission */
	u64 irq_ns;		/* end of a group, to the interrupt's handling */
};

/**
 * struct memory_desc - the card's memory
 * @bytes: 0: nobody asks
 * @policy: whose reservation is given next; NULL: nobody reserves
 */
struct memory_desc {
	u64 bytes, margin_bytes, aging_ns;
	const struct tg_vram_policy_ops *policy;
};

struct scenario {
	char title[128];
	struct gpu_desc gpu;
	u32 limit_percent;
	u64 bg_capacity_ns, bg_period_ns;
	u32 ht_depth;
	u64 lead_ns;		/* W */
	u32 floor_percent;
	u64 floor_period_ns;
	u32 history;
	enum tg_predictor_id predictor;
	bool perfect;		/* x = the cost it will have */
	u32 unknown_ppm;	/* groups with a profile never seen */
	bool cpu_clock;		/* charge by the CPU's clock */
	struct memory_desc memory;
	u64 seed;
	u64 horizon_ns;
	u64 drain_ns;		/* then nothing arrives, until all is done */
	struct tg_spec_entry *spec;
	u32 nr_spec;
	const struct tg_policy_ops *policy;	/* instead of FQ, or NULL */
	u64 tick_ns;		/* 0: as it is */
	u32 nr_cpus;		/* 0: each program has its own */
	u64 slice_ns;
	struct domain_desc *domains;	/* parents before those within */
	u32 nr_domains;
	struct task_desc *tasks;
	u32 nr_tasks;
	struct change *changes;
	u32 nr_changes;
};

/* C of the floor. */
static inline u64 scenario_floor_ns(const struct scenario *sc)
{
	return sc->floor_period_ns / 100 * sc->floor_percent;
}

void scenario_init(struct scenario *sc);
void scenario_free(struct scenario *sc);

/** scenario_add_task - returns a task with defaults and without kinds */
struct task_desc *scenario_add_task(struct scenario *sc, const char *name);
/** scenario_add_domain - returns one with a name and nothing else */
struct domain_desc *scenario_add_domain(struct scenario *sc, const char *name);
struct kind *task_add_kind(struct task_desc *t, const char *name);
void cost_add(struct cost *c, u64 v);
struct change *scenario_add_change(struct scenario *sc, enum change_type type,
				   u64 at_ns);

/*
 * The files named on the command line, which go before those that the scenario
 * names; NULL for none.
 */
struct scenario_files {
	const char *scenario;
	const char *text;	/* the scenario itself, @scenario is its name */
	const char *spec;
	const char *ac;
};

/**
 * scenario_load - read a scenario, its specification and traces
 *
 * Messages go to stderr.
 *
 * Return: 0, -EINVAL if a file is wrong, -EIO if one cannot be read.
 */
int scenario_load(struct scenario *sc, const struct scenario_files *files);

/** parse_time - "2.5ms", "300" (µs); the number of characters read, or 0 */
size_t parse_time(const char *text, u64 *ns);

#endif
