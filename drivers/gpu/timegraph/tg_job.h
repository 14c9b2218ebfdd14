/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * EXEC's jobs: groups that have their turn, and that a worker of nouveau's gives to
 * the GPU when their ioctl is over.
 *
 * Which group a job is, is told by a number of the provider's, and never by their
 * order: threads overtake each other, jobs without a group are among them, and the
 * worker may not be seen.
 */
#ifndef TG_JOB_H
#define TG_JOB_H

#include <linux/types.h>

struct tg_chan;
struct tg_dev_group;
struct tg_device;

/**
 * tg_job_queue - a job will run for the group; takes @dg over
 * @id: of the job, of which there is no other
 *
 * Any context.
 */
void tg_job_queue(struct tg_dev_group *dg, u64 id);

/** tg_job_take - the group of a job, handed over, or NULL; any context */
struct tg_dev_group *tg_job_take(u64 id);

/**
 * tg_job_forget_locked - those of a channel that is about to go, or of the whole GPU with
 * NULL, go unscheduled, if they are run at all
 *
 * Their groups are taken out: what its worker has not begun the driver throws away.
 */
void tg_job_forget_locked(struct tg_device *td, const struct tg_chan *chan, u64 now);

#endif
