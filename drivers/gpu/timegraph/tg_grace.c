// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module goes in some grace periods of RCU tasks, one after the other: they end when each
 * thread has slept, or a tick has found it in user space.  A worker of the kernel's does neither
 * while it has work without end, such as the jobs of one program that cost the GPU nothing, and
 * nobody could remove the module until that program ends.
 *
 * But it is whoever comes to it first in its pool that runs an item: so there are items that sleep
 * for a tick, in the pools where users can have nouveau work.  Then another worker goes on, which
 * had slept until then.
 */
#include <linux/cpu.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "tg_grace.h"

/**
 * struct pauses - items that let a worker sleep, over and over
 * @ordered: its pool is that of the queues that the DRM scheduler makes for a channel
 * @of_ordered: the item in it
 * @of_cpu: in the pool of each CPU, where nouveau's own queue is
 */
struct pauses {
	struct workqueue_struct *ordered;
	struct work_struct of_ordered;
	struct work_struct of_cpu[];
};

static struct pauses *pauses;

static void pause_ordered(struct work_struct *work)
{
	schedule_timeout_uninterruptible(1);
	queue_work(pauses->ordered, work);
}

static void pause_cpu(struct work_struct *work)
{
	schedule_timeout_uninterruptible(1);
	schedule_work(work);
}

void tg_grace_hasten(void)
{
	struct pauses *p = kvzalloc(struct_size(p, of_cpu, nr_cpu_ids), GFP_KERNEL);
	int cpu;

	if (!p)
		return;
	p->ordered = alloc_ordered_workqueue("timegraph_pause", 0);
	if (!p->ordered) {
		kvfree(p);
		return;
	}
	pauses = p;
	INIT_WORK(&p->of_ordered, pause_ordered);
	queue_work(p->ordered, &p->of_ordered);
	for (cpu = 0; cpu < nr_cpu_ids; cpu++)
		INIT_WORK(&p->of_cpu[cpu], pause_cpu);
	cpus_read_lock();
	for_each_online_cpu(cpu)
		schedule_work_on(cpu, &p->of_cpu[cpu]);
	cpus_read_unlock();
}

void tg_grace_relax(void)
{
	struct pauses *p = pauses;

	if (!p)
		return;
	for (unsigned int cpu = 0; cpu < nr_cpu_ids; cpu++)
		cancel_work_sync(&p->of_cpu[cpu]);
	cancel_work_sync(&p->of_ordered);
	destroy_workqueue(p->ordered);
	kvfree(p);
	pauses = NULL;
}
