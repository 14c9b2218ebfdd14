// SPDX-License-Identifier: GPL-2.0-only
/* Tasks, their channels and the parameters the specification gives them. */
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "tg_config.h"
#include "tg_device.h"
#include "tg_params.h"
#include "tg_reservation.h"
#include "tg_task.h"
#include "tg_trace.h"

/* Serialises the making and freeing of tasks. */
static DEFINE_MUTEX(task_mutex);

/*
 * Base name of the executable, if @pid is the current process.  Another's
 * could only be had with a reference to its mm, and only channels older than
 * the module belong to another: those go by their comm.
 */
static const char *exe_name(struct pid *pid, char *buf, size_t size)
{
	struct file *file = NULL;

	if (task_tgid(current) != pid || !current->mm)
		return NULL;
	rcu_read_lock();
	if (rcu_access_pointer(current->mm->exe_file))
		file = get_file_rcu(&current->mm->exe_file);
	rcu_read_unlock();
	if (!file)
		return NULL;
	snprintf(buf, size, "%pD", file);
	fput(file);
	return buf;
}

static const struct tg_policy_ops *policy_of(const struct tg_spec_entry *entry)
{
	return entry->sched == TG_SPEC_HT ? &tg_policy_ht : &tg_policy_prt;
}

static struct tg_client *find_client(struct tg_device *td, struct pid *pid)
{
	struct tg_client *client;

	lockdep_assert_held(&task_mutex);
	list_for_each_entry(client, &td->clients, node)
		if (client->pid == pid)
			return client;
	return NULL;
}

static struct tg_client *create_client(struct tg_device *td,
				       const struct tg_chan_args *args)
{
	struct tg_client *client = kzalloc(sizeof(*client), GFP_KERNEL);

	if (!client)
		return NULL;
	client->td = td;
	client->pid = get_pid(args->pid);
	tg_task_init(&client->task);
	spin_lock_irq(&td->lock);
	list_add_tail(&client->node, &td->clients);
	spin_unlock_irq(&td->lock);
	return client;
}

static void free_client(struct tg_client *client)
{
	struct tg_device *td = client->td;
	struct tg_reservation *gone;

	spin_lock_irq(&td->lock);
	list_del(&client->node);
	gone = tg_reservation_leave(client);
	tg_device_dispatch_locked(td, ktime_get_ns());
	spin_unlock_irq(&td->lock);
	kfree(gone);
	kvfree(client->history);
	put_pid(client->pid);
	kfree(client);
}

/* Without memory for it the predicted costs are 0, as for PE. */
static struct tg_history_memory *alloc_history(const struct tg_spec_entry *entry)
{
	struct tg_history_memory *h;

	if (entry->resv != TG_SPEC_RESV_AE || entry->sched != TG_SPEC_PRT)
		return NULL;
	h = kvzalloc(struct_size(h, record, tg_param_history), GFP_KERNEL);
	if (h)
		tg_history_init(&h->table, h->record, tg_param_history, 0);
	return h;
}

/* The specification is read at every channel allocation (section 3). */
static void apply_spec(struct tg_client *client, const char *comm,
		       const char *exe)
{
	struct tg_device *td = client->td;
	struct tg_history_memory *history;
	struct tg_reservation *spare;
	struct tg_spec_entry entry;
	u32 percent;
	u64 now;

	tg_config_lookup(comm, exe, &entry, &percent);
	spare = tg_reservation_alloc(&entry);
	history = alloc_history(&entry);
	spin_lock_irq(&td->lock);
	now = ktime_get_ns();
	strscpy(client->comm, comm, sizeof(client->comm));
	client->entry = entry;
	if (!client->history && history) {
		client->history = history;
		tg_history_measured(&history->table, td->switch_ns);
		history = NULL;
	}
	tg_reservation_limit(td, percent);
	tg_sched_set_task(&td->sched, &client->task, policy_of(&entry),
			  entry.prio, entry.focus, client->task.foreground,
			  now);
	spare = tg_reservation_apply(client, &entry, spare);
	tg_device_dispatch_locked(td, now);
	spin_unlock_irq(&td->lock);
	kfree(spare);
	kvfree(history);
}

struct tg_chan *tg_chan_create(const struct tg_chan_args *args)
{
	struct tg_chan *chan;
	struct tg_device *td;
	char exe[TG_NAME_MAX];

	td = tg_device_get(args->dev);
	chan = kzalloc(sizeof(*chan), GFP_KERNEL);
	if (!td || !chan)
		goto err_free;
	chan->ops = args->ops;
	chan->hc = args->hc;
	chan->chid = args->chid;
	chan->has_fence = args->has_fence;
	chan->older = args->older;
	tg_cmdstream_init(&chan->stream, args->tesla ? TG_CMDSTREAM_TESLA :
						       TG_CMDSTREAM_FERMI);

	mutex_lock(&task_mutex);
	chan->client = find_client(td, args->pid);
	if (!chan->client)
		chan->client = create_client(td, args);
	if (!chan->client)
		goto err_unlock;
	chan->client->nr_chans++;
	apply_spec(chan->client, args->comm,
		   exe_name(args->pid, exe, sizeof(exe)));
	trace_tg_channel(chan, true);
	mutex_unlock(&task_mutex);
	return chan;

err_unlock:
	mutex_unlock(&task_mutex);
err_free:
	kfree(chan);
	return ERR_PTR(-ENOMEM);
}

void tg_chan_destroy(struct tg_chan *chan)
{
	trace_tg_channel(chan, false);
	mutex_lock(&task_mutex);
	if (!--chan->client->nr_chans)
		free_client(chan->client);
	mutex_unlock(&task_mutex);
	kfree(chan);
}

const char *tg_backend_name(enum tg_backend backend)
{
	static const char *const name[] = {
		[TG_BACKEND_UNKNOWN] = "unknown",
		[TG_BACKEND_NOTIFY] = "notify",
		[TG_BACKEND_FENCE] = "fence",
		[TG_BACKEND_NONE] = "none",
	};

	return name[backend];
}
