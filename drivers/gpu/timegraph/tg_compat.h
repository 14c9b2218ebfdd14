/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between kernels, by feature and never by version: Kbuild looks
 * for each feature in the headers and defines TG_HAVE_*.
 */
#ifndef TG_COMPAT_H
#define TG_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/workqueue.h>

#ifdef TG_HAVE_SYSTEM_DFL_WQ
#define tg_compat_unbound_wq system_dfl_wq
#else
#define tg_compat_unbound_wq system_unbound_wq
#endif

static inline void
tg_compat_hrtimer_setup(struct hrtimer *timer,
			enum hrtimer_restart (*fn)(struct hrtimer *),
			clockid_t clock, enum hrtimer_mode mode)
{
#ifdef TG_HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, fn, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = fn;
#endif
}

#endif
