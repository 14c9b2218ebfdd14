/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the module tells of policies, in debugfs. */
#ifndef STATE_H
#define STATE_H

#include <stdbool.h>
#include <stdint.h>

#define STATE_FILE "/sys/kernel/debug/timegraph/policies"
#define STATE_CONTROL "/sys/kernel/debug/timegraph/control"
#define STATE_NAMES 64
#define STATE_GPUS 16
#define STATE_OPS 16
#define STATE_CALLS 64

struct state_call {
	uint64_t at_ns;
	char op[16];
	uint64_t task;
	uint64_t answer;
	uint64_t ns;
};

struct state_calls {
	unsigned int nr;
	struct state_call call[STATE_CALLS];
};

/* A function of a policy: how often, how long together, and at most. */
struct state_op {
	char name[16];
	uint64_t calls;
	uint64_t ns;
	uint64_t max_ns;
};

struct state_gpu {
	char name[64];
	char class[16];
	char policy[16];
	unsigned int tasks;
	unsigned int nr_ops;
	struct state_op op[STATE_OPS];
	struct state_calls calls;
};

/**
 * struct state - all of it
 * @bpf: "yes", or why there can be none
 * @ejected: the one that was ejected last, "" for none; with @reason and what it did
 */
struct state {
	char bpf[128];
	unsigned int nr_loaded;
	char loaded[STATE_NAMES][16];
	char ejected[16];
	char reason[128];
	struct state_calls did;
	unsigned int nr_gpus;
	struct state_gpu gpu[STATE_GPUS];
};

/* Returns 0 or -errno. */
int state_read(struct state *s);

#endif
