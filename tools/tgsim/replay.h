/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recorded trace, replayed: what each predictor would have said of its groups. */
#ifndef REPLAY_H
#define REPLAY_H

#include "show.h"
#include "tg_predictor.h"

/**
 * struct replay_group - a group of the trace
 * @id, @pid: by which the trace knows it
 * @task: whose it is
 * @next: one more than the index of the group before in its bucket, 0 for none
 * @profile: its words are 0 if its commands were not read
 * @cost_ns: what it cost
 * @recorded_ns: what the module predicted for the lead, 0 for unknown
 * @switched: the GPU was with another context before
 * @began, @ended: the trace has it; a group that began anew was put back meanwhile
 * @predicted: by each
 */
struct replay_group {
	u64 id;
	u32 pid;
	u32 task;
	u32 next;
	struct tg_profile profile;
	u64 cost_ns, recorded_ns;
	bool switched, began, ended;
	struct tg_prediction predicted[TG_NR_PREDICTORS];
};

/* The predictors, and what the module had predicted. */
#define REPLAY_RECORDED TG_NR_PREDICTORS
#define REPLAY_ROWS (TG_NR_PREDICTORS + 1)

/**
 * struct replay_errors - of the predictions of one predictor
 * @nr: how many there are: of groups that every predictor had a prediction for
 * @late_ns: sum of what groups took longer than predicted
 * @early_ns: sum of what they took less
 * @late_max_ns, @early_max_ns: the largest of these
 * @nr_late: groups that took longer
 * @nr_gaps: groups that took less by more than the lead: they had ended before the next
 *	one would have been let in
 * @nr_unknown: groups that began, of which nothing was predicted, of all in the trace
 * @nr_hits: of @nr those whose profile had a record, or whose task enough costs
 */
struct replay_errors {
	u64 nr;
	u64 late_ns, early_ns;
	u64 late_max_ns, early_max_ns;
	u64 nr_late, nr_gaps, nr_unknown, nr_hits;
};

/**
 * struct replay_task - a program of the trace, from its first channel to its last
 * @name: "" if its channels are older than the trace
 * @pid: of it
 * @nr_chans: of those that the trace has seen come
 * @gone: it has none any more: the next of that number is another
 * @nr_groups: groups that ended
 * @nr_compared: those that all predictors had a prediction for
 * @errors: of these, by predictor
 * @costs, @history, @record: what the predictors know; the table once it is needed
 */
struct replay_task {
	char name[16];
	u32 pid;
	u32 nr_chans;
	bool gone;
	u64 nr_groups, nr_compared;
	struct replay_errors errors[REPLAY_ROWS];
	struct tg_costs costs;
	struct tg_history history;
	struct tg_record *record;
};

/* A group begins (it enters the GPU-online list), or ends; in the order of the trace. */
struct replay_event {
	u32 group;
	bool ends;
};

#define REPLAY_BUCKETS 4096

/**
 * struct replay - a trace
 * @name: of its file
 * @lead_ns: W
 * @nr_records: of a history table
 * @event, @group, @task: what it consists of
 * @bucket: one more than the index of the last group of each
 * @from_ns, @to_ns: of its first and last event
 * @nr_dropped: groups that did not complete
 * @nr_cut: groups that began before it, or have not ended in it
 * @nr_other: lines that are no events of timegraph
 * @has_lost: the kernel says in it that it lost events
 * @has_profiles: it tells what was in some group: the history table can be replayed
 * @all: of all programs; no name
 */
struct replay {
	const char *name;
	u64 lead_ns;
	u32 nr_records;
	struct replay_event *event;
	size_t nr_events;
	struct replay_group *group;
	size_t nr_groups;
	struct replay_task *task;
	size_t nr_tasks;
	u32 bucket[REPLAY_BUCKETS];
	u64 from_ns, to_ns;
	u64 nr_dropped, nr_cut, nr_other;
	bool has_lost, has_profiles;
	struct replay_task all;
};

/** replay_read - take a trace in; 0, -EIO or -EINVAL with a message on stderr */
int replay_read(struct replay *r, const char *name);

/** replay_run - have all predictors predict it */
void replay_run(struct replay *r);

/** replay_show - what came of it */
void replay_show(const struct replay *r, enum format format, FILE *out);

void replay_fini(struct replay *r);

/* Whether a row has numbers in this trace. */
static inline bool replay_has(const struct replay *r, u32 row)
{
	return row == REPLAY_RECORDED || !tg_predictors[row].profiles || r->has_profiles;
}

#endif
