/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Domains on the CPU: what policies that coordinate both want to know (Pegasus sections 4.2
 * and 4.3): the weight that the CPU's controller gives a domain, for XC and AugC, and which
 * domains run now, for AugC and CoSched.
 *
 * Only while a GPU is ordered by such a policy: then weights are read once a second, and a
 * probe of sched_switch counts the CPUs that run each domain.
 */
#ifndef TG_ONCPU_H
#define TG_ONCPU_H

/** tg_oncpu_init - finds the tracepoint; nothing is looked at yet */
void tg_oncpu_init(void);
void tg_oncpu_exit(void);

/**
 * tg_oncpu_update - GPUs have other policies
 *
 * Under tg_client_mutex; may sleep.
 */
void tg_oncpu_update(void);

#endif
