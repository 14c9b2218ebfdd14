/* SPDX-License-Identifier: GPL-2.0-only */
/* Module parameters; defined and described in tg_main.c. */
#ifndef TG_PARAMS_H
#define TG_PARAMS_H

#include <linux/types.h>

extern char *tg_param_spec;
extern char *tg_param_ac;
extern unsigned int tg_param_ht_depth;
extern unsigned int tg_param_poll_ms;
extern unsigned int tg_param_hang_ms;
extern unsigned int tg_param_lease_us;
extern bool tg_param_fence_only;
extern bool tg_param_cpu_clock;
extern unsigned int tg_param_history;
extern unsigned int tg_param_bg_capacity_us;
extern unsigned int tg_param_bg_period_us;

#endif
