// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a person wants to see: who has the GPU, who waits for whom and why, and
 * what each task got so far.
 */
#include <linux/debugfs.h>
#include <linux/device.h>
#include <linux/math64.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "tg_config.h"
#include "tg_device.h"
#include "tg_stats.h"
#include "tg_task.h"

static struct dentry *dir;

static u64 to_us(u64 ns)
{
	return div_u64(ns, NSEC_PER_USEC);
}

static const struct tg_cmd *cmd_of(const struct tg_group *g)
{
	return container_of(g, struct tg_cmd, group);
}

/* Why the best waiting group, or one behind it, is not on the GPU. */
static const char *why(const struct tg_sched *s, const struct tg_group *g)
{
	const struct tg_group *head = tg_sched_head(s);

	if (g != tg_sched_best(s))
		return "a group before it in the wait queue";
	if (!head)
		return "being woken";
	if (head->task != g->task)
		return "another task's group on the GPU";
	if (g->task->policy == &tg_policy_prt)
		return "its task's group before it (PRT)";
	return "ht_depth groups of its task on the GPU";
}

static void show_group(struct seq_file *m, const struct tg_sched *s,
		       const struct tg_group *g, u64 now)
{
	const struct tg_cmd *cmd = cmd_of(g);
	const struct tg_client *client = cmd->chan->client;

	seq_printf(m, "  %-7s group %llu of %s[%d] channel %d level %u, %llu us",
		   g->state == TG_GROUP_WAITING ? "waiting" :
		   g->state == TG_GROUP_ONLINE ? "admitted" : "running",
		   cmd->id, client->comm, pid_nr(client->pid),
		   cmd->chan->chid, tg_task_level(g->task),
		   to_us(now - g->arrive_ns));
	if (g->state == TG_GROUP_WAITING)
		seq_printf(m, ": %s", why(s, g));
	seq_putc(m, '\n');
}

static void show_client(struct seq_file *m, const struct tg_client *c)
{
	const struct tg_task *t = &c->task;
	char resv[TG_NAME_MAX + 8];

	snprintf(resv, sizeof(resv), "%s%s%s", tg_spec_resv_name(c->entry.resv),
		 c->entry.group[0] ? "@" : "", c->entry.group);
	seq_printf(m, "  %-15s %7d %-6s %3u%c %-8s %8llu %8llu %10llu %10llu %10llu %10llu %5u\n",
		   c->comm, pid_nr(c->pid), t->policy->name, t->prio,
		   t->focus ? '*' : ' ', resv,
		   to_us(c->entry.capacity_ns), to_us(c->entry.period_ns),
		   t->nr_groups, to_us(t->gpu_ns), to_us(t->wait_ns),
		   to_us(t->wait_max_ns), c->entry.line);
}

static void show_device(struct tg_device *td, void *arg)
{
	struct seq_file *m = arg;
	const struct tg_client *client;
	const struct tg_group *g;
	int level;
	u64 now;

	spin_lock_irq(&td->lock);
	now = ktime_get_ns();
	seq_printf(m, "gpu %s: %s%s\n", dev_name(td->dev),
		   td->bypass ? "bypass: " : "scheduling",
		   td->bypass ? tg_device_bypass_reason(td) : "");
	seq_printf(m, "  groups: submitted=%llu verified=%llu recovered=%llu stuck=%llu abandoned=%llu cancelled=%llu interrupted=%llu ungated=%llu foreign_notify=%llu\n",
		   td->count.submitted, td->count.verified, td->count.recovered,
		   td->count.stuck, td->count.abandoned, td->count.cancelled,
		   td->count.interrupted, td->count.ungated, td->count.foreign);
	seq_printf(m, "  online=%u waiting=%u wakeups=%llu\n",
		   td->sched.nr_online, td->sched.nr_waiting,
		   td->sched.nr_wakeups);
	list_for_each_entry(g, &td->sched.online, node)
		show_group(m, &td->sched, g, now);
	for (level = TG_LEVELS - 1; level >= 0; level--)
		list_for_each_entry(g, &td->sched.queue[level], node)
			show_group(m, &td->sched, g, now);
	seq_puts(m, "  task                pid policy prio resv         C_us     T_us     groups     gpu_us    wait_us   wait_max  line\n");
	list_for_each_entry(client, &td->clients, node)
		show_client(m, client);
	spin_unlock_irq(&td->lock);
}

static int status_show(struct seq_file *m, void *unused)
{
	tg_config_show(m);
	tg_device_for_each(show_device, m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(status);

static void bypass_device(struct tg_device *td, void *unused)
{
	tg_device_bypass(td, TG_BYPASS_USER);
}

static void restore_device(struct tg_device *td, void *unused)
{
	tg_device_restore(td, TG_BYPASS_USER | TG_BYPASS_HANG);
}

/* Takes the words "bypass" and "restore". */
static ssize_t control_write(struct file *file, const char __user *ubuf,
			     size_t len, loff_t *pos)
{
	ssize_t ret = len;
	char *word;

	if (len > 16)
		return -EINVAL;
	word = memdup_user_nul(ubuf, len);
	if (IS_ERR(word))
		return PTR_ERR(word);
	if (sysfs_streq(word, "bypass"))
		tg_device_for_each(bypass_device, NULL);
	else if (sysfs_streq(word, "restore"))
		tg_device_for_each(restore_device, NULL);
	else
		ret = -EINVAL;
	kfree(word);
	return ret;
}

static const struct file_operations control_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = control_write,
};

void tg_stats_init(void)
{
	dir = debugfs_create_dir("timegraph", NULL);
	debugfs_create_file("status", 0444, dir, NULL, &status_fops);
	debugfs_create_file("control", 0200, dir, NULL, &control_fops);
}

void tg_stats_exit(void)
{
	debugfs_remove(dir);
}
