/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a specification to what the analysis needs to know. */
#ifndef MODEL_H
#define MODEL_H

#include "reserves.h"
#include "rta.h"

/* As the module's parameters. */
#define MODEL_HT_DEPTH 16
#define MODEL_LEAD_NS 1000000
#define MODEL_FLOOR 3
#define MODEL_FLOOR_PERIOD_NS 100000000

/**
 * struct model_lengths - lengths of command groups, from the command line
 * @longest: those of one reserve or program
 * @shortest: the same
 * @group_ns: longest of a reserve that is not in the list; 0: C, in one group
 * @shortest_ns: shortest of a reserve that is not in the list; 0: not known
 * @blocking_ns: of a program without a reserve that is not in the list
 * @blocking_given: the user has said so
 * @idle_ns: how long the GPU idles around a group
 * @idle_given: the user has said so
 * @lead_ns: work that the GPU may have when a group starts
 * @floor: percent of the GPU for those who are passed over
 * @floor_period_ns: for how long they are
 * @ht_depth: groups that an HT task may have on the GPU at once
 */
struct model_lengths {
	struct model_list {
		struct model_length {
			const char *name;
			size_t name_len;
			u64 ns;
			bool used;
		} *of;
		size_t n;
	} longest, shortest;
	u64 group_ns, shortest_ns, blocking_ns, idle_ns, lead_ns, floor_period_ns;
	bool blocking_given, idle_given;
	u32 ht_depth, floor;
};

/* Take "TIME" or "NAME=TIME"; false if it is neither. */
bool model_take_group(struct model_lengths *ml, const char *arg);
bool model_take_blocking(struct model_lengths *ml, const char *arg);
bool model_take_shortest(struct model_lengths *ml, const char *arg);
bool model_take_floor_period(struct model_lengths *ml, const char *arg);
/* Take "TIME", or 0. */
bool model_take_idle(struct model_lengths *ml, const char *arg);
bool model_take_lead(struct model_lengths *ml, const char *arg);

/* C of the floor, ns */
u64 model_floor_ns(const struct model_lengths *ml);

/**
 * struct model - a specification for rta_analyze()
 * @task: one for each reserve, in the order of struct reserves
 * @free: programs without a reserve
 * @free_entry: the entry of each, or -1 for all programs without one
 */
struct model {
	struct rta_task *task;
	struct rta_free *free;
	int *free_entry;
	struct rta_set set;
};

/**
 * model_init - what @spec and @ml say together
 * @unknown: set to a name in @ml that nothing in @spec has, or NULL
 * @vague: set to a reserve whose shortest group would have to be known, or NULL
 */
void model_init(struct model *m, const struct spec *spec,
		const struct reserves *rs, struct model_lengths *ml,
		const char **unknown, const char **vague);
void model_lengths_free(struct model_lengths *ml);
void model_free(struct model *m);

#endif
