/* SPDX-License-Identifier: GPL-2.0-only */
/* Tasks: processes with channels on a GPU. */
#ifndef TG_CLIENT_H
#define TG_CLIENT_H

#include <linux/list.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/semaphore.h>
#include <linux/uidgid.h>

#include <uapi/drm/timegraph.h>

#include "core/tg_polled.h"
#include "core/tg_predict.h"
#include "core/tg_sched.h"
#include "core/tg_spec.h"
#include "tg_cgroup.h"
#include "tg_client_mutex.h"
#include "tg_bpf_state.h"
#include "tg_lease.h"
#include "tg_program.h"
#include "tg_version.h"

/* Above every priority. */
#define TG_NO_CEILING (TG_PRIO_MAX + 1)

struct tg_device;
struct tg_dev_reserve;
struct tg_foreground;

/**
 * struct tg_history_memory - a task's history table
 * @table: the table, under tg_device.lock
 * @record: its records
 */
struct tg_history_memory {
	struct tg_history table;
	struct tg_record record[];
};

/**
 * TG_CLIENT_ROOM - so many calls of a task ask, wait, or are on their way to the ring at a time
 *
 * So no lock is held longer for a task of more threads: to change a task's level, to move
 * it, or to close a channel of it takes a look at each of its groups that wait.
 */
#define TG_CLIENT_ROOM 128

/**
 * struct tg_client - a task: a process with channels on one GPU
 * @task: the core's part, under tg_device.lock
 * @reservation: its reserve unless that is Background or none, under
 *	tg_device.lock
 * @history: of its groups' costs, once a predictor wants it; set under tg_device.lock
 *	and then constant
 * @predicts: its reserve predicts, or did
 * @td: the GPU
 * @id: its number, never used again
 * @node: in tg_device.clients, under tg_device.lock
 * @pid: the thread group, a reference is held
 * @comm: its name when the last channel was allocated
 * @uid: its user
 * @payer: whose limits it counts for, see tg_process_payer()
 * @program: what else the specification can know it by, of the same time
 * @nr_chans: its channels, under tg_client_mutex
 * @given: the parameters that the specification, or somebody who may, gives it;
 *	@given.line is 0 if no line of the specification does
 * @set: TIMEGRAPH_SET_* fields of @given that were set at run time
 * @ceiling: its priority is at most that, by its own user's wish; TG_NO_CEILING
 * @entry: @given below @ceiling: what is in force
 * @version: number of the version of the specification that @given is of
 * @follows: @given.cpu
 * @rank: of the most important of its threads on the CPU, if it follows that, see
 *	core/tg_cpu.h
 * @rank_ns: when a thread of that rank last had a group, or waited with one; written by
 *	any of them, without a lock
 * @late: its last channel did not wait for the look at the files that it asked for;
 *	under tg_client_mutex
 * @chain: the cgroup that it was in when that was looked at, and those around it; under
 *	tg_client_mutex
 * @cgroup: number of that cgroup; read without a lock
 * @nr_free: its channels that are not gated now
 * @polled: what it has had while it was not gated
 * @nr_refused: its channels that are refused, see tg_hang.c
 * @staged_ns: not before then one of its groups is staged, see tg_stage.c
 * @turns: how it uses its turns
 * @room: of calls at a time between asking for a turn and the ring, see tg_gate.c
 * @bpf: of a policy that is a BPF program
 * @nr_predicted: groups completed whose cost was predicted
 * @predicted_ns: what these cost
 * @error_ns: by how much they were mispredicted
 *
 * @comm to @rank are written under tg_client_mutex and tg_device.lock, the rest is
 * under the latter.
 */
struct tg_client {
	struct tg_task task;
	struct tg_dev_reserve *reservation;
	struct tg_history_memory *history;
	bool predicts;
	struct tg_device *td;
	u64 id;
	struct list_head node;
	struct pid *pid;
	char comm[TASK_COMM_LEN];
	kuid_t uid;
	kuid_t payer;
	struct tg_program program;
	unsigned int nr_chans;
	struct tg_spec_entry given;
	u32 set;
	u8 ceiling;
	struct tg_spec_entry entry;
	u64 version;
	bool follows;
	u8 rank;
	u64 rank_ns;
	bool late;
	struct tg_cgroup_chain *chain;
	u64 cgroup;
	u32 nr_free;
	struct tg_polled_task polled;
	u32 nr_refused;
	u64 staged_ns;
	struct tg_turns turns;
	struct semaphore room;
	struct tg_bpf_task bpf;
	u64 nr_predicted;
	u64 predicted_ns;
	u64 error_ns;
};

/**
 * tg_client_join - the task of a channel that appears
 * @td: the GPU
 * @pid: its owner
 * @comm: the owner's name
 *
 * The task gets the parameters that the specification gives it now, or, if the files
 * cannot be had within TG_READER_WAIT_MS, what is in force gives it, and the files'
 * when they are there.  May sleep.
 * Return: the task, or NULL without memory.
 */
struct tg_client *tg_client_join(struct tg_device *td, struct pid *pid,
				 const char *comm);

/** tg_client_leave - a channel went; frees the task with the last; may sleep */
void tg_client_leave(struct tg_client *client);

/**
 * tg_client_set - change a process' parameters on all GPUs
 * @set: checked for range, but not for permission; @set->fields may be 0 to take
 *	back what was set
 * @privileged: the caller has CAP_SYS_NICE.  Without, he sets a ceiling to the
 *	priority of his own tasks: the specification goes on to hold below it
 *
 * May sleep.
 * Return: 0, -ESRCH without a channel, -EPERM, -ENOENT for a Shared reserve that
 * does not exist, -ENOMEM.  If it fails nothing has changed.
 */
int tg_client_set(struct pid *pid, const struct timegraph_set *set,
		  bool privileged);

/** tg_client_to_entry - what @set asks for; false: it joins a reserve that @td has not */
bool tg_client_to_entry(struct tg_device *td, const struct timegraph_set *set,
			struct tg_spec_entry *e);

/* Under tg_client_mutex: */

/** tg_client_apply_version - give it what a version and the rules of its cgroup say */
void tg_client_apply_version(struct tg_client *client, const struct tg_version *v);

/** tg_client_update_servers - what display servers inherit may have changed */
void tg_client_update_servers(struct tg_device *td);

/**
 * tg_client_set_chain - where it is
 * @chain: taken over; NULL, or that of a process that is gone, changes nothing
 */
void tg_client_set_chain(struct tg_client *client, struct tg_cgroup_chain *chain);

/**
 * tg_client_reclass - a GPU gets another policy for its fair class
 *
 * Under tg_client_mutex; each task has it, and none the one before, when this returns.
 */
void tg_client_reclass(struct tg_device *td, const struct tg_policy_ops *ops);

/** tg_client_migrate - the process was moved to another cgroup; may sleep */
void tg_client_migrate(struct tg_client *client);

/** tg_client_follow_current - as tg_client_follow(), of a task that follows */
void tg_client_follow_current(struct tg_client *client);

/*
 * How often a thread that waits for its turn is to call tg_client_follow(): of a task that
 * follows or is in a domain; and of another, which can come into one while it waits.
 */
#define TG_CLIENT_FOLLOW_MS 100
#define TG_CLIENT_LOOK_MS 1000

/**
 * tg_client_follow - the calling thread has a group for the task's channels, or waits
 * with one: if its priority follows the CPU's ("cpu" in an entry), that is looked at, and
 * whether its process is in the same cgroup as before
 *
 * May sleep; takes tg_client_mutex if there is news.
 */
static inline void tg_client_follow(struct tg_client *client)
{
	u64 cgroup;

	if (READ_ONCE(client->follows))
		tg_client_follow_current(client);
	/* Its channel may have come to a child, who is where he is: it is its own that counts. */
	cgroup = tg_cgroup_id_of(client->pid);
	if (cgroup && cgroup != READ_ONCE(client->cgroup))
		tg_client_migrate(client);
}

/**
 * tg_client_refocus - the foreground has changed: tell all tasks
 * @fg: by this file
 *
 * May sleep.  Return: tasks managed by focus that are in the foreground by @fg.
 */
u32 tg_client_refocus(const struct tg_foreground *fg);

/**
 * tg_client_reload - read the files and apply what is in force then to all tasks
 *
 * May sleep.  Return: 0, also if a file is refused; -ERESTARTSYS.
 */
int tg_client_reload(void);

/**
 * tg_client_push - put a version in force and apply it to all tasks
 * @text: its texts, taken over if it succeeds
 * @nr: its number
 *
 * May sleep.  Return: 0; -EBADMSG: a text is refused, tg_config_get() says why;
 * -ENOMEM, -ERESTARTSYS.  If it fails nothing has changed.
 */
int tg_client_push(struct tg_text text[TG_VERSION_PARTS], u64 *nr);

/** tg_client_late - a look at the files has ended for which a channel did not wait */
void tg_client_late(void);

/**
 * tg_client_for_each - call @fn for every task of a GPU
 *
 * tg_client_mutex is held, tg_device.lock is not.
 */
void tg_client_for_each(struct tg_device *td,
			void (*fn)(struct tg_client *client, void *arg),
			void *arg);

#endif
