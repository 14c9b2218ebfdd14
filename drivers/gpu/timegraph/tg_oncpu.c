// SPDX-License-Identifier: GPL-2.0-only
/* Domains on the CPU: their weights there, and which of them run. */
#include <linux/cgroup.h>
#include <linux/cpu.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/ktime.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "tg_cgroup.h"
#include "tg_client.h"
#include "tg_compat.h"
#include "tg_device.h"
#include "tg_dispatch.h"
#include "tg_domains.h"
#include "tg_oncpu.h"
#include "tg_registry.h"

#define WEIGHT_PERIOD_MS 1000
/* How often GPUs are told who runs: that takes a time for each domain, with interrupts off. */
#define TELL_PERIOD_NS (200 * NSEC_PER_USEC)
/* As many as the probe looks at without a list that may change. */
#define GPUS_MAX 8

/* Levels of cgroups in which domains are looked for. */
#define LEVELS 8

/* sched_switch, NULL if this kernel has none. */
static struct tracepoint *point;
/* Whether the probe is there; under tg_client_mutex. */
static bool probing;
/* The GPUs whose policy asks who runs; changed while there is no probe. */
static struct tg_device *asking[GPUS_MAX];
static unsigned int nr_asking;

/**
 * struct on_cpu - where the thread is that a CPU runs
 * @leaf: number of its cgroup
 * @id: of the outermost cgroups around it, and of itself; behind the last 0
 *
 * Written by the CPU, read by others without a lock: of a moment in which it changes there is
 * a mixture, and then a second look.
 */
struct on_cpu {
	u64 leaf;
	u64 id[LEVELS];
};

static DEFINE_PER_CPU(struct on_cpu, on_cpu);

static bool wants_weight(const struct tg_device *td)
{
	enum tg_policy_id id = td->fair->id;

	return id == TG_POLICY_XC || id == TG_POLICY_AUGC;
}

static bool wants_runs(const struct tg_device *td)
{
	enum tg_policy_id id = td->fair->id;

	return id == TG_POLICY_AUGC || id == TG_POLICY_COSCHED;
}

static void count_cpu(struct tg_device *td, const struct on_cpu *on)
{
	for (unsigned int i = 0; i < LEVELS; i++) {
		u64 id = READ_ONCE(on->id[i]);
		struct tg_dev_domain *d = id ? tg_domains_find_rcu(td, id) : NULL;

		if (d)
			d->runs++;
	}
}

/*
 * What the CPUs run, told to the core.  The probe runs with the lock of a run queue: it takes
 * none and wakes nobody, so an interrupt of its own does this.
 */
static void tell_gpu(struct tg_device *td)
{
	struct tg_domain *core;
	unsigned long flags;
	bool news = false;
	int cpu;

	rcu_read_lock();
	spin_lock_irqsave(&td->lock, flags);
	tg_sched_for_each_domain(core, &td->sched)
		tg_dev_domain_of(core)->runs = 0;
	for_each_online_cpu(cpu)
		count_cpu(td, per_cpu_ptr(&on_cpu, cpu));
	tg_sched_for_each_domain(core, &td->sched) {
		struct tg_dev_domain *d = tg_dev_domain_of(core);

		if (core->nr_running == d->runs)
			continue;
		tg_sched_domain_runs(&td->sched, core, d->runs);
		news = true;
	}
	if (news)
		tg_dispatch_locked(td, ktime_get_ns());
	spin_unlock_irqrestore(&td->lock, flags);
	rcu_read_unlock();
}

/* When that was last. */
static u64 told_ns;
static struct hrtimer tell_later;

static void tell_all(u64 now)
{
	WRITE_ONCE(told_ns, now);
	for (unsigned int i = 0; i < nr_asking; i++)
		tell_gpu(asking[i]);
}

static void tell(struct irq_work *work)
{
	u64 due = READ_ONCE(told_ns) + TELL_PERIOD_NS;
	u64 now = ktime_get_ns();

	if (now >= due)
		tell_all(now);
	else if (!hrtimer_is_queued(&tell_later))
		hrtimer_start(&tell_later, ns_to_ktime(due - now), HRTIMER_MODE_REL);
}

static DEFINE_IRQ_WORK(teller, tell);

static enum hrtimer_restart tell_now(struct hrtimer *timer)
{
	tell_all(ktime_get_ns());
	return HRTIMER_NORESTART;
}

#ifdef CONFIG_CGROUPS
/* What is deeper than LEVELS is left out: domains are further out. */
static void note(struct on_cpu *on, struct cgroup *cgrp)
{
	unsigned int n = min_t(unsigned int, cgrp->level, LEVELS);

	for (unsigned int i = 0; i < LEVELS; i++)
		WRITE_ONCE(on->id[i], i < n ? cgroup_id(cgroup_ancestor(cgrp, i + 1)) : 0);
	on->leaf = cgroup_id(cgrp);
}

/* With interrupts off, as the scheduler calls it. */
static void probe(void *data, bool preempt, struct task_struct *prev, struct task_struct *next,
		  unsigned int state)
{
	struct on_cpu *on = this_cpu_ptr(&on_cpu);
	struct cgroup *cgrp;

	rcu_read_lock();
	cgrp = task_dfl_cgroup(next);
	if (on->leaf != cgroup_id(cgrp)) {
		note(on, cgrp);
		irq_work_queue(&teller);
	}
	rcu_read_unlock();
}
#else
static void probe(void *data, bool preempt, struct task_struct *prev, struct task_struct *next,
		  unsigned int state)
{
}
#endif

static void find_point(struct tracepoint *tp, void *arg)
{
	if (!strcmp(tp->name, "sched_switch"))
		point = tp;
}

static void stop_probe(void)
{
	tracepoint_probe_unregister(point, probe, NULL);
	tracepoint_synchronize_unregister();
	irq_work_sync(&teller);
	/* What would start it again is gone. */
	hrtimer_cancel(&tell_later);
	probing = false;
}

static void collect(struct tg_device *td, void *arg)
{
	if (wants_runs(td) && nr_asking < GPUS_MAX)
		asking[nr_asking++] = td;
}

static void none_runs(struct tg_device *td, void *arg)
{
	struct tg_domain *core;

	spin_lock_irq(&td->lock);
	tg_sched_for_each_domain(core, &td->sched)
		if (core->nr_running)
			tg_sched_domain_runs(&td->sched, core, 0);
	tg_dispatch_locked(td, ktime_get_ns());
	spin_unlock_irq(&td->lock);
}

static void update_probe(void)
{
	if (probing)
		stop_probe();
	nr_asking = 0;
	tg_registry_for_each(collect, NULL);
	if (nr_asking && point)
		probing = !tracepoint_probe_register(point, probe, NULL);
	if (!probing)
		tg_registry_for_each(none_runs, NULL);
}

/*
 * Weights.
 */

/**
 * struct weigh - a domain whose weight is read, without a lock
 * @td: its GPU
 * @id: its number
 * @cgrp: its cgroup, with a reference
 */
struct weigh {
	struct tg_device *td;
	u64 id;
	struct cgroup *cgrp;
};

struct weigh_walk {
	struct weigh *item;
	u32 nr, room;
	bool any;
};

static void list_domains(struct tg_device *td, void *arg)
{
	struct weigh_walk *w = arg;
	struct tg_dev_domain *d;

	lockdep_assert_held(&tg_client_mutex);
	if (!wants_weight(td))
		return;
	w->any = true;
	tg_domains_for_each(d, td) {
		if (w->nr < w->room) {
			tg_cgroup_get(d->cgrp);
			w->item[w->nr] = (struct weigh){ td, d->id, d->cgrp };
		}
		w->nr++;
	}
}

static void weigh(const struct weigh *it)
{
	u32 weight = tg_cgroup_weight(it->cgrp);
	struct tg_dev_domain *d;

	mutex_lock(&tg_client_mutex);
	d = tg_domains_find_rcu(it->td, it->id);
	if (d && d->core.cpu_weight != weight) {
		spin_lock_irq(&it->td->lock);
		/* What is left of it the CPU's scheduler tells nobody: it is taken for full. */
		tg_sched_domain_cpu(&it->td->sched, &d->core, weight, weight);
		spin_unlock_irq(&it->td->lock);
	}
	mutex_unlock(&tg_client_mutex);
	tg_cgroup_put(it->cgrp);
}

static void weigh_all(struct work_struct *work);
static DECLARE_DELAYED_WORK(weigher, weigh_all);

static void weigh_all(struct work_struct *work)
{
	struct weigh_walk w = { };

	mutex_lock(&tg_client_mutex);
	tg_registry_for_each(list_domains, &w);
	w.room = w.nr;
	w.nr = 0;
	w.item = kvcalloc(w.room, sizeof(*w.item), GFP_KERNEL);
	if (w.item)
		tg_registry_for_each(list_domains, &w);
	mutex_unlock(&tg_client_mutex);
	for (u32 i = 0; i < w.nr; i++)
		weigh(&w.item[i]);
	kvfree(w.item);
	if (w.any)
		queue_delayed_work(tg_compat_unbound_wq, &weigher,
				   msecs_to_jiffies(WEIGHT_PERIOD_MS));
}

static void weigh_soon(void)
{
	mod_delayed_work(tg_compat_unbound_wq, &weigher, 0);
}

/* Until its weight is read a domain that comes has the default, beside others with theirs. */
static void watch_domains(struct tg_device *td, void *unused)
{
	td->domains.came = wants_weight(td) ? weigh_soon : NULL;
}

void tg_oncpu_update(void)
{
	lockdep_assert_held(&tg_client_mutex);
	update_probe();
	tg_registry_for_each(watch_domains, NULL);
	weigh_soon();
}

void tg_oncpu_init(void)
{
	tg_compat_hrtimer_setup(&tell_later, tell_now, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	for_each_kernel_tracepoint(find_point, NULL);
}

void tg_oncpu_exit(void)
{
	mutex_lock(&tg_client_mutex);
	if (probing)
		stop_probe();
	mutex_unlock(&tg_client_mutex);
	cancel_delayed_work_sync(&weigher);
}
