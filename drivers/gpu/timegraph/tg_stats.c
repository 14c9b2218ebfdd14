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

/* How many groups are shown: a program can have thousands. */
#define GROUPS_SHOWN 32

/* What is shown of a GPU, of one moment: the lock is not held for what is printed. */
struct moment {
	struct tg_counters count;
	u32 nr_online, nr_waiting, nr_throttled, nr_hung, limit_percent;
	u64 nr_wakeups, nr_led, nr_staged, nr_lifted, busy_ns;
	u64 nr_free, nr_free_times, nr_free_ahead;
	u64 nr_stamped, nr_unstamped, switch_ns, nr_switches;
	const char *bypass;
	const struct tg_sched *sched;
	u64 now;
	unsigned int nr_groups;
	struct shown_group {
		enum tg_group_state state;
		u64 id;
		char comm[TASK_COMM_LEN];
		int pid, chid;
		u8 level;
		u64 age_ns;
		const char *why;
	} group[GROUPS_SHOWN];
};

static bool note_group_locked(const struct tg_group *g, void *arg)
{
	const struct tg_dev_group *dg = container_of(g, struct tg_dev_group, group);
	const struct tg_client *client = dg->chan->client;
	struct moment *mo = arg;
	struct shown_group *out = &mo->group[mo->nr_groups++];

	out->state = g->state;
	out->id = dg->id;
	memcpy(out->comm, client->comm, sizeof(out->comm));
	out->pid = pid_nr(client->pid);
	out->chid = dg->chan->chid;
	out->level = tg_task_level(g->task);
	out->age_ns = mo->now - g->arrive_ns;
	out->why = tg_dev_group_is_waiting(dg) ? why(mo->sched, g) : NULL;
	return mo->nr_groups < GROUPS_SHOWN;
}

static void note_locked(struct tg_device *td, struct moment *mo)
{
	const struct tg_sched *s = &td->sched;

	lockdep_assert_held(&td->lock);
	mo->count = td->count;
	mo->nr_online = s->nr_online;
	mo->nr_waiting = s->nr_waiting;
	mo->nr_throttled = s->nr_throttled;
	mo->nr_hung = td->nr_hung;
	mo->limit_percent = s->limit_percent;
	mo->nr_wakeups = s->nr_wakeups;
	mo->nr_led = s->nr_led;
	mo->nr_staged = s->nr_staged;
	mo->nr_lifted = s->floor.nr_lifted;
	mo->busy_ns = s->busy_ns;
	mo->nr_free = td->freerun.nr_groups;
	mo->nr_free_times = td->freerun.nr_times;
	mo->nr_free_ahead = td->freerun.nr_ahead;
	mo->nr_stamped = s->nr_stamped;
	mo->nr_unstamped = s->nr_unstamped;
	mo->switch_ns = td->switch_ns;
	mo->nr_switches = td->nr_switches;
	mo->bypass = tg_bypass_reason(td);
	mo->sched = s;
	mo->now = ktime_get_ns();
	tg_sched_walk(s, note_group_locked, mo);
}

static const char *state_of(enum tg_group_state state)
{
	switch (state) {
	case TG_GROUP_WAITING:
	case TG_GROUP_THROTTLED:
		return "waiting";
	case TG_GROUP_ONLINE:
		return "admitted";
	case TG_GROUP_ASIDE:
		return "stuck";
	default:
		return "running";
	}
}

static void show_groups(struct seq_file *m, const struct moment *mo)
{
	for (unsigned int i = 0; i < mo->nr_groups; i++) {
		const struct shown_group *g = &mo->group[i];

		seq_printf(m, "  %-7s group %llu of %s[%d] channel %d level %u, %llu us%s%s\n",
			   state_of(g->state), g->id, g->comm, g->pid, g->chid, g->level,
			   to_us(g->age_ns), g->why ? ": " : "", g->why ?: "");
	}
	if (mo->nr_groups == GROUPS_SHOWN)
		seq_printf(m, "  (no more than %u groups are shown)\n", GROUPS_SHOWN);
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

static void show_client(struct tg_client *c, void *arg)
{
	const struct tg_task *t = &c->task;
	char resv[TG_NAME_MAX + 16];
	struct seq_file *m = arg;

	spin_lock_irq(&c->td->lock);
	format_resv(c, resv, sizeof(resv));
	seq_printf(m, "  %-15s %7d %-6s %3u%c %-8s %8llu %8llu %10llu %10llu %10llu %10llu %5u %10llu %10llu\n",
		   c->comm, pid_nr(c->pid), t->policy->name, t->prio,
		   mark(c), resv,
		   to_us(c->entry.capacity_ns), to_us(c->entry.period_ns),
		   t->nr_groups, to_us(t->gpu_ns), to_us(t->wait_ns),
		   to_us(t->wait_max_ns), c->entry.line,
		   to_us(t->throttle_ns), to_us(t->gpu_cpu_ns));
	spin_unlock_irq(&c->td->lock);
}

static void show_history(struct tg_client *c, void *arg)
{
	const struct tg_history *h;
	struct seq_file *m = arg;

	if (!c->history)
		return;
	h = &c->history->table;
	spin_lock_irq(&c->td->lock);
	seq_printf(m, "  %-15s %7d hits=%llu misses=%llu impact=%lld ns\n",
		   c->comm, pid_nr(c->pid), h->nr_hits, h->nr_misses,
		   h->impact_ns);
	spin_unlock_irq(&c->td->lock);
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

/* Of each of so many the lock is held while it is printed. */
#define RESERVES_AT_ONCE 4

static void show_walked(struct tg_dev_reserve *res, void *arg)
{
	show_reserve(arg, res->name, &res->reserve, res->shared,
		     !res->nr_users ? "lingering" :
		     res->reserve.demoted ? "background" : "active");
}

static void show_reserves(struct seq_file *m, struct tg_device *td, const struct moment *mo)
{
	seq_printf(m, "  reserves, at most %u%% together, %u groups wait for a budget:\n",
		   mo->limit_percent, mo->nr_throttled);
	seq_puts(m, "  reserve         policy kind   state          C_us     T_us budget_us    used_us  periods  refused  debt_us\n");
	spin_lock_irq(&td->lock);
	show_reserve(m, "Background", &td->sched.background, true, "active");
	tg_reservation_walk_locked(td, RESERVES_AT_ONCE, show_walked, m);
	spin_unlock_irq(&td->lock);
}

static void show_counters(struct seq_file *m, const struct moment *mo)
{
	const struct tg_counters *c = &mo->count;

	seq_printf(m, "  groups: submitted=%llu verified=%llu recovered=%llu stuck=%llu abandoned=%llu cancelled=%llu interrupted=%llu ungated=%llu foreign_notify=%llu dropped=%llu running=%llu refused=%llu forged=%llu passed=%llu\n",
		   c->submitted, c->verified, c->recovered, c->stuck, c->abandoned,
		   c->cancelled, c->interrupted, c->ungated, c->foreign, c->dropped,
		   c->running, c->refused, c->forged, c->passed);
	seq_printf(m, "  online=%u waiting=%u hung=%u wakeups=%llu led=%llu staged=%llu lifted=%llu freerun=%llu/%llu/%llu busy_us=%llu\n",
		   mo->nr_online, mo->nr_waiting, mo->nr_hung, mo->nr_wakeups, mo->nr_led,
		   mo->nr_staged, mo->nr_lifted, mo->nr_free, mo->nr_free_times,
		   mo->nr_free_ahead, to_us(mo->busy_ns));
	seq_printf(m, "  clock: stamped=%llu unstamped=%llu context_switch=%llu ns (%llu measured)\n",
		   mo->nr_stamped, mo->nr_unstamped, mo->switch_ns, mo->nr_switches);
}

/* Each row is of a moment of its own. */
static void show_tables(struct seq_file *m, struct tg_device *td, const struct moment *mo)
{
	seq_puts(m, "  task                pid policy prio resv         C_us     T_us     groups     gpu_us    wait_us   wait_max  line throttle_us gpu_us_cpu\n");
	tg_client_for_each(td, show_client, m);
	show_reserves(m, td, mo);
	tg_client_for_each(td, show_history, m);
	tg_memory_show(td, m);
}

static void show_device(struct tg_device *td, void *arg)
{
	struct moment *mo = kzalloc(sizeof(*mo), GFP_KERNEL);
	struct seq_file *m = arg;

	if (!mo)
		return;
	spin_lock_irq(&td->lock);
	tg_complete_reap_locked(td, ktime_get_ns());
	note_locked(td, mo);
	spin_unlock_irq(&td->lock);
	seq_printf(m, "gpu %s: %s%s\n", dev_name(td->dev), mo->bypass ? "bypass: " : "scheduling",
		   mo->bypass ?: "");
	show_counters(m, mo);
	show_groups(m, mo);
	show_tables(m, td, mo);
	kfree(mo);
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
