/* SPDX-License-Identifier: GPL-2.0-only */
/* Tasks and their channels. */
#ifndef TG_TASK_H
#define TG_TASK_H

#include <linux/list.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/uidgid.h>

#include <uapi/drm/timegraph.h>

#include "core/tg_cmdstream.h"
#include "core/tg_predict.h"
#include "core/tg_sched.h"
#include "core/tg_spec.h"

struct nouveau_hook_chan;
struct tg_chan;
struct tg_device;
struct tg_reservation;

/* NOTIFYs missed in a row before a channel falls back to fences. */
#define TG_MISSED_LIMIT 4

/**
 * enum tg_backend - how the completion of a channel's groups is learnt
 * @TG_BACKEND_UNKNOWN: before the first group
 * @TG_BACKEND_NOTIFY: SERIALIZE, SET_REF, SERIALIZE, NOTIFY, NOP and PGRAPH's
 *	interrupt, verified by the reference value (TimeGraph section 4.2)
 * @TG_BACKEND_FENCE: nouveau's own fence value and the non-stall interrupt
 * @TG_BACKEND_NONE: neither exists, the channel is not scheduled
 */
enum tg_backend {
	TG_BACKEND_UNKNOWN,
	TG_BACKEND_NOTIFY,
	TG_BACKEND_FENCE,
	TG_BACKEND_NONE,
};

/**
 * struct tg_chan_ops - what a channel of the driver tells
 * @ref: REF_CNT, with the notify backend
 * @fence: the fence value, with @has_fence
 * @stamp: the GPU's clock when the trailer with stamp number @stamp ran; false
 *	if it did not, or its stamp is gone
 * @switch_time: what the context switch took that the channel's first leader
 *	measured; false if it did not
 * @charge: a group of the channel ended that had the GPU for @ns nanoseconds
 *
 * Any context, between the channel's creation and tg_device_forget().
 */
struct tg_chan_ops {
	u32 (*ref)(const struct tg_chan *chan);
	u32 (*fence)(const struct tg_chan *chan);
	bool (*stamp)(const struct tg_chan *chan, u32 stamp, u64 *ns);
	bool (*switch_time)(const struct tg_chan *chan, u64 *ns);
	void (*charge)(const struct tg_chan *chan, u64 ns);
};

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
 * struct tg_client - a task: a process with channels on one GPU
 * @task: the core's part, under tg_device.lock
 * @reservation: its reserve unless that is Background or none, under
 *	tg_device.lock
 * @history: of its groups' costs, once its reserve predicts; set under
 *	tg_device.lock and then constant
 * @td: the GPU
 * @id: its number, never used again
 * @node: in tg_device.clients, under tg_device.lock
 * @pid: the thread group, a reference is held
 * @comm: its name when the first channel was allocated
 * @uid: its user
 * @exe: base name of its executable, "" if not known
 * @nr_chans: its channels, under the task mutex
 * @entry: its parameters; @entry.line is 0 if no line of the specification
 *	gives them
 * @set: TIMEGRAPH_SET_* fields of @entry that were set at run time
 * @nr_predicted: groups completed whose cost was predicted
 * @predicted_ns: what these cost
 * @error_ns: by how much they were mispredicted
 *
 * @comm to @set are written under the task mutex and tg_device.lock, the rest is
 * under the latter.
 */
struct tg_client {
	struct tg_task task;
	struct tg_reservation *reservation;
	struct tg_history_memory *history;
	struct tg_device *td;
	u64 id;
	struct list_head node;
	struct pid *pid;
	char comm[TASK_COMM_LEN];
	kuid_t uid;
	char exe[TG_NAME_MAX];
	unsigned int nr_chans;
	struct tg_spec_entry entry;
	u32 set;
	u64 nr_predicted;
	u64 predicted_ns;
	u64 error_ns;
};

/**
 * struct tg_chan - a channel
 * @client: its task
 * @ops: how the driver is asked
 * @hc: nouveau's view, valid until tg_chan_destroy()
 * @chid: hardware channel id
 * @has_fence: the fence value can be read in atomic context
 * @stream: the walk over the client's push buffers
 * @seq: last reference value given out
 * @stamp: last stamp number given out
 * @measured: its first leader was sent
 * @backend: see there
 * @subc: subchannel of the trailer's object
 * @older: than the module: what the client bound before is not known
 * @missed: NOTIFYs in a row that did not come although the group ended
 * @stuck: a group of it is held to hang; @stuck_fence tells when it ended
 * @dead: the channel goes or was killed
 *
 * @client to @older are constant.  @stream, @subc, @stamp and @measured
 * belong to the submitting thread (nouveau's cli->mutex), which also is the only
 * one to change @backend.  @backend and the rest are under tg_device.lock.
 */
struct tg_chan {
	struct tg_client *client;
	const struct tg_chan_ops *ops;
	struct nouveau_hook_chan *hc;
	int chid;
	bool has_fence;
	bool older;

	struct tg_cmdstream stream;
	u8 subc;
	bool measured;

	u32 stamp;
	u32 seq;
	enum tg_backend backend;
	unsigned int missed;
	bool stuck;
	u32 stuck_fence;
	bool dead;
};

/**
 * struct tg_chan_args - a channel that appears
 * @dev: the GPU
 * @ops: see struct tg_chan
 * @hc: nouveau's view of it
 * @pid: its owner
 * @comm: the owner's name
 * @chid: hardware channel id
 * @has_fence: see struct tg_chan
 * @tesla: the GPU reads command headers of the Tesla format
 * @older: see struct tg_chan
 */
struct tg_chan_args {
	struct device *dev;
	const struct tg_chan_ops *ops;
	struct nouveau_hook_chan *hc;
	struct pid *pid;
	const char *comm;
	int chid;
	bool has_fence;
	bool tesla;
	bool older;
};

/** tg_task_uid - the user of a process; INVALID_UID if there is none */
kuid_t tg_task_uid(struct pid *pid);

/**
 * tg_chan_create - a channel appears; its task gets the parameters that the
 * specification gives it now
 *
 * May sleep.  Return: the channel or an ERR_PTR.
 */
struct tg_chan *tg_chan_create(const struct tg_chan_args *args);

/** tg_chan_destroy - frees it, and its task with the last one; may sleep */
void tg_chan_destroy(struct tg_chan *chan);

/**
 * struct tg_foreground - the processes that an open file has in the foreground
 * @node: in the list of them
 * @pids: references
 * @count: how many
 *
 * Under the task mutex.
 */
struct tg_foreground {
	struct list_head node;
	struct pid **pids;
	u32 count;
};

void tg_foreground_add(struct tg_foreground *fg);
/** tg_foreground_remove - the file goes, and with it its foreground */
void tg_foreground_remove(struct tg_foreground *fg);

/**
 * tg_foreground_set - other processes are in the foreground
 * @pids: kvmalloc()ed array of references, taken over
 * @count: its length
 *
 * May sleep.  Return: tasks that are in the foreground by @fg now.
 */
u32 tg_foreground_set(struct tg_foreground *fg, struct pid **pids, u32 count);

/**
 * tg_task_set - change a process' parameters on all GPUs
 * @set: checked for range, but not for permission; @set->fields may be 0 to go
 *	back to the specification
 * @privileged: the caller has CAP_SYS_NICE
 *
 * May sleep.
 * Return: 0, -ESRCH without a channel, -EPERM, -ENOENT for a Shared reserve that
 * does not exist, -ENOMEM.  If it fails nothing has changed.
 */
int tg_task_set(struct pid *pid, const struct timegraph_set *set,
		bool privileged);

/** tg_task_reload - read the files and apply them to all tasks; may sleep */
void tg_task_reload(void);

/**
 * tg_task_for_each - call @fn for every task of a GPU
 *
 * The task mutex is held, tg_device.lock is not.
 */
void tg_task_for_each(struct tg_device *td,
		      void (*fn)(struct tg_client *client, void *arg),
		      void *arg);

const char *tg_backend_name(enum tg_backend backend);

#endif
