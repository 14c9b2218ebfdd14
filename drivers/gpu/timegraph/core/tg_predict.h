/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Predicts the GPU time of a command group from those before it (TimeGraph
 * section 5.3).
 *
 * A program issues the same commands again and again, with the same methods and
 * data sizes but other data, and its cost depends on the former.  So a history
 * table keeps, for each such profile, the average cost it had.
 *
 * Pure as tg_sched.h: the caller owns the memory and serialises the calls for
 * one struct tg_history.
 */
#ifndef TG_PREDICT_H
#define TG_PREDICT_H

#include "tg_port.h"

/* Records of a history table. */
#define TG_HISTORY_DEFAULT 100
#define TG_HISTORY_MAX 4096

/**
 * struct tg_profile - what a command group consists of
 * @hash: of the multiset of (class, method, data size), see tg_cmdstream_scan()
 * @words: its length in words
 *
 * Two groups are taken for the same if both agree.
 */
struct tg_profile {
	u64 hash;
	u32 words;
};

/**
 * struct tg_record - a profile and its average cost
 * @node: in tg_history.lru
 * @profile: see there
 * @average_ns: of the costs without context switch
 * @weight: costs in the average, at most 16
 */
struct tg_record {
	struct list_head node;
	struct tg_profile profile;
	s64 average_ns;
	u32 weight;
};

/**
 * struct tg_history - a history table
 * @lru: records in use, the most recently used first
 * @unused: the others
 * @impact_ns: average preemption impact: what a group costs more after the GPU
 *	was with another context
 * @impact_weight: impacts in that average; 1 for the measured one
 * @nr_hits: groups whose profile had a record
 * @nr_misses: groups whose profile had none.  Rises when the program's groups
 *	differ all the time, or when the table is too small for it
 */
struct tg_history {
	struct list_head lru;
	struct list_head unused;
	s64 impact_ns;
	u32 impact_weight;
	u64 nr_hits;
	u64 nr_misses;
};

/**
 * struct tg_prediction - what was predicted for a group
 * @cost_ns: x
 * @hit: a record has its profile (the paper's flag)
 * @switched: the GPU switches contexts before it
 */
struct tg_prediction {
	u64 cost_ns;
	bool hit;
	bool switched;
};

/**
 * tg_history_init - an empty table
 * @h: the table
 * @records: memory for its records
 * @n: how many, 0–TG_HISTORY_MAX
 * @switch_ns: measured cost of a context switch, the first preemption impact
 */
void tg_history_init(struct tg_history *h, struct tg_record *records, u32 n,
		     u64 switch_ns);

/**
 * tg_history_measured - a context switch was measured
 * @switch_ns: what it took
 *
 * Ignored once a preemption impact was learnt from groups.
 */
void tg_history_measured(struct tg_history *h, u64 switch_ns);

/**
 * tg_history_predict - the cost of a group
 * @profile: its profile
 * @switched: whether the GPU switches contexts before it
 * @p: filled in
 *
 * A hit predicts the record's average, a miss the worst average of all records
 * (0 if there are none); the preemption impact is added if @switched.  Linear in
 * the number of records, since those in use are found near the front.
 */
void tg_history_predict(struct tg_history *h, const struct tg_profile *profile,
			bool switched, struct tg_prediction *p);

/**
 * tg_history_learn - the group has ended
 * @profile: its profile
 * @p: what was predicted; @p->switched as it really was
 * @cost_ns: what it cost
 *
 * Without a switch: the cost joins its record's average.  With one: what it cost
 * more than the average joins the average preemption impact.  Without a record:
 * a new one is made, in the place of the least recently used if need be, less
 * the preemption impact after a switch, so that it means the same as the others.
 */
void tg_history_learn(struct tg_history *h, const struct tg_profile *profile,
		      const struct tg_prediction *p, u64 cost_ns);

#endif
