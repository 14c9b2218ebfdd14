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

#include "attach/tg_attach.h"
#include "tg_bpf.h"
#include "tg_chan.h"
#include "tg_client.h"
#include "tg_complete.h"
#include "tg_dev_group.h"
#include "tg_config.h"
#include "tg_device.h"
#include "tg_memory.h"
#include "tg_registry.h"
#include "tg_reservation.h"
#include "tg_stats.h"
#include "tg_watchdog.h"

static struct dentry *dir;

static u64 to_us(u64 ns)
{
	return div_u64(ns, NSEC_PER_USEC);
}

static const struct tg_dev_group *dev_group_of(const struct tg_group *g)
{
	return container_of(g, struct tg_dev_group, group);
}

/* Why the best waiting group, or one behind it, is not on the GPU. */
static const char *why(const struct tg_sched *s, const struct tg_group *g)
{
	const struct tg_group *head = tg_sched_head(s);

	if (g->state == TG_GROUP_THROTTLED)
		return "the budget of its reserve";
	if (g != tg_sched_best(s))
		return "a group before it in the wait queue";
	if (!head)
		return "being woken";
	if (head->task != g->task)
		return "another task's group on the GPU";
	return g->task->policy->full;
}

static void show_group(struct seq_file *m, const struct tg_sched *s,
		       const struct tg_group *g, u64 now)
{
	const struct tg_dev_group *dg = dev_group_of(g);
	const struct tg_client *client = dg->chan->client;

	seq_printf(m, "  %-7s group %llu of %s[%d] channel %d level %u, %llu us",
		   g->state == TG_GROUP_WAITING ? "waiting" :
		   g->state == TG_GROUP_THROTTLED ? "waiting" :
		   g->state == TG_GROUP_ONLINE ? "admitted" :
		   g->state == TG_GROUP_ASIDE ? "stuck" : "running",
		   dg->id, client->comm, pid_nr(client->pid),
		   dg->chan->chid, tg_task_level(g->task),
		   to_us(now - g->arrive_ns));
	if (g->state == TG_GROUP_WAITING || g->state == TG_GROUP_THROTTLED)
		seq_printf(m, ": %s", why(s, g));
	seq_putc(m, '\n');
}

/* What regulates the task: its entry says more than is in force for HT. */
static void format_resv(const struct tg_client *c, char *buf, size_t size)
{
	const struct tg_spec_entry *e = &c->entry;

	snprintf(buf, size, "%s%s%s%s", tg_spec_resv_name(e->resv),
		 e->group[0] ? "@" : "", e->group,
		 !tg_spec_policy(e)->reserves && (e->resv == TG_SPEC_RESV_PE ||
					    e->resv == TG_SPEC_RESV_AE) ?
			 "(off:HT)" :
		 c->task.reserve && c->task.reserve->demoted ? "->BG" : "");
}

/* S: it serves the foreground, and has its level; c: it follows the CPU. */
static char mark(const struct tg_client *c)
{
	const struct tg_task *t = &c->task;

	if (tg_task_level(t) > tg_task_own_level(t))
		return 'S';
	return c->follows ? 'c' : t->focus ? '*' : ' ';
}

static void show_client(struct seq_file *m, const struct tg_client *c)
{
	const struct tg_task *t = &c->task;
	char resv[TG_NAME_MAX + 16];

	format_resv(c, resv, sizeof(resv));
	seq_printf(m, "  %-15s %7d %-6s %3u%c %-8s %8llu %8llu %10llu %10llu %10llu %10llu %5u %10llu %10llu\n",
		   c->comm, pid_nr(c->pid), t->policy->name, t->prio,
		   mark(c), resv,
		   to_us(c->entry.capacity_ns), to_us(c->entry.period_ns),
		   t->nr_groups, to_us(t->gpu_ns), to_us(t->wait_ns),
		   to_us(t->wait_max_ns), c->entry.line,
		   to_us(t->throttle_ns), to_us(t->gpu_cpu_ns));
}

static void show_history(struct seq_file *m, const struct tg_client *c)
{
	const struct tg_history *h = &c->history->table;

	seq_printf(m, "  %-15s %7d hits=%llu misses=%llu impact=%lld ns\n",
		   c->comm, pid_nr(c->pid), h->nr_hits, h->nr_misses,
		   h->impact_ns);
}

/* Signed, since a budget can be a debt. */
static s64 to_us_signed(s64 ns)
{
	return div_s64(ns, NSEC_PER_USEC);
}

static void show_reserve(struct seq_file *m, const char *name,
			 const struct tg_reserve *r, bool shared,
			 const char *state)
{
	seq_printf(m, "  %-15s %-6s %-6s %-10s %8llu %8llu %9lld %10llu %8llu %8llu %8llu\n",
		   name, r->ops->name, shared ? "shared" : "own", state,
		   to_us(r->capacity_ns), to_us(r->period_ns),
		   to_us_signed(r->budget_ns), to_us(r->used_ns), r->periods,
		   r->nr_refused, to_us(r->debt_max_ns));
}

static void show_reserves(struct seq_file *m, struct tg_device *td)
{
	const struct tg_dev_reserve *res;
	u32 id = 0;

	seq_printf(m, "  reserves, at most %u%% together, %u groups wait for a budget:\n",
		   td->sched.limit_percent, td->sched.nr_throttled);
	seq_puts(m, "  reserve         policy kind   state          C_us     T_us budget_us    used_us  periods  refused  debt_us\n");
	show_reserve(m, "Background", &td->sched.background, true, "active");
	while ((res = tg_reservation_next_locked(td, id))) {
		show_reserve(m, res->name, &res->reserve, res->shared,
			     !res->nr_users ? "lingering" :
			     res->reserve.demoted ? "background" : "active");
		id = res->id;
	}
}

struct group_walk {
	struct seq_file *m;
	const struct tg_sched *s;
	u64 now;
};

static void show_walked(const struct tg_group *g, void *arg)
{
	const struct group_walk *w = arg;

	show_group(w->m, w->s, g, w->now);
}

static void show_groups(struct seq_file *m, const struct tg_sched *s, u64 now)
{
	struct group_walk w = { .m = m, .s = s, .now = now };

	tg_sched_walk(s, show_walked, &w);
}

static void show_device(struct tg_device *td, void *arg)
{
	struct seq_file *m = arg;
	const struct tg_client *client;

	spin_lock_irq(&td->lock);
	tg_complete_reap_locked(td, ktime_get_ns());
	seq_printf(m, "gpu %s: %s%s\n", dev_name(td->dev),
		   td->bypass ? "bypass: " : "scheduling",
		   td->bypass ? tg_bypass_reason(td) : "");
	seq_printf(m, "  groups: submitted=%llu verified=%llu recovered=%llu stuck=%llu abandoned=%llu cancelled=%llu interrupted=%llu ungated=%llu foreign_notify=%llu dropped=%llu running=%llu refused=%llu forged=%llu passed=%llu\n",
		   td->count.submitted, td->count.verified, td->count.recovered,
		   td->count.stuck, td->count.abandoned, td->count.cancelled,
		   td->count.interrupted, td->count.ungated, td->count.foreign,
		   td->count.dropped, td->count.running, td->count.refused,
		   td->count.forged, td->count.passed);
	seq_printf(m, "  online=%u waiting=%u hung=%u wakeups=%llu led=%llu staged=%llu lifted=%llu freerun=%llu/%llu/%llu busy_us=%llu\n",
		   td->sched.nr_online, td->sched.nr_waiting, td->nr_hung,
		   td->sched.nr_wakeups, td->sched.nr_led, td->sched.nr_staged,
		   td->sched.floor.nr_lifted,
		   td->freerun.nr_groups, td->freerun.nr_times, td->freerun.nr_ahead,
		   to_us(td->sched.busy_ns));
	seq_printf(m, "  clock: stamped=%llu unstamped=%llu context_switch=%llu ns (%llu measured)\n",
		   td->sched.nr_stamped, td->sched.nr_unstamped,
		   td->switch_ns, td->nr_switches);
	show_groups(m, &td->sched, ktime_get_ns());
	seq_puts(m, "  task                pid policy prio resv         C_us     T_us     groups     gpu_us    wait_us   wait_max  line throttle_us gpu_us_cpu\n");
	list_for_each_entry(client, &td->clients, node)
		show_client(m, client);
	show_reserves(m, td);
	list_for_each_entry(client, &td->clients, node)
		if (client->history)
			show_history(m, client);
	spin_unlock_irq(&td->lock);
	tg_memory_show(td, m);
}

static int status_show(struct seq_file *m, void *unused)
{
	char attached[TIMEGRAPH_TEXT_LEN];

	if (tg_attach_text(attached, sizeof(attached)) < 0)
		return -ERESTARTSYS;
	seq_printf(m, "attached: %s\n", attached);
	tg_config_show(m);
	tg_registry_for_each(show_device, m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(status);

static int policies_show(struct seq_file *m, void *unused)
{
	tg_bpf_show(m);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(policies);

static void bypass_device(struct tg_device *td, void *unused)
{
	tg_bypass_set(td, TG_BYPASS_USER);
}

static void restore_device(struct tg_device *td, void *unused)
{
	tg_bypass_clear(td, TG_BYPASS_USER | TG_BYPASS_HANG);
}

/* Takes the words "bypass", "restore" and "eject NAME". */
static ssize_t control_write(struct file *file, const char __user *ubuf,
			     size_t len, loff_t *pos)
{
	ssize_t ret = len;
	char *word;

	if (len > 32)
		return -EINVAL;
	word = memdup_user_nul(ubuf, len);
	if (IS_ERR(word))
		return PTR_ERR(word);
	if (sysfs_streq(word, "bypass"))
		tg_registry_for_each(bypass_device, NULL);
	else if (sysfs_streq(word, "restore"))
		tg_registry_for_each(restore_device, NULL);
	else if (strstarts(word, "eject "))
		ret = tg_bpf_eject(strim(word + strlen("eject "))) ?: (ssize_t)len;
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
	debugfs_create_file("policies", 0400, dir, NULL, &policies_fops);
	debugfs_create_file("control", 0200, dir, NULL, &control_fops);
}

void tg_stats_exit(void)
{
	debugfs_remove(dir);
}
