/* SPDX-License-Identifier: GPL-2.0-only */
/* Module parameters; defined and described in tg_main.c. */
#ifndef TG_PARAMS_H
#define TG_PARAMS_H

#include <linux/time64.h>
#include <linux/types.h>

#include "core/tg_predictor.h"

/* What is to tell the ends of groups, where both can: NOTIFY, or nouveau's fence. */
enum tg_complete_param {
	TG_COMPLETE_NOTIFY,
	TG_COMPLETE_AUTO,
	TG_COMPLETE_FENCE,
};

extern char *tg_param_spec;
extern char *tg_param_ac;
extern unsigned int tg_param_ht_depth;
extern unsigned int tg_param_lead_us;
extern bool tg_param_stage;
extern unsigned int tg_param_floor;
extern unsigned int tg_param_floor_period_us;
extern unsigned int tg_param_poll_ms;
extern unsigned int tg_param_hang_ms;
extern unsigned int tg_param_lease_us;
extern enum tg_complete_param tg_param_completion;
extern bool tg_param_freerun;
extern unsigned int tg_param_tick_us;
extern bool tg_param_cpu_clock;
extern unsigned int tg_param_history;
extern const struct tg_predictor_ops *tg_param_predictor;
extern const struct tg_predictor_ops *tg_param_lead_predictor;
extern unsigned int tg_param_bg_capacity_us;
extern unsigned int tg_param_bg_period_us;
extern unsigned int tg_param_policy_timeout_ms;
extern unsigned int tg_param_policy_starve_ms;
extern unsigned int tg_param_policy_call_us;
extern bool tg_param_vram;
extern unsigned int tg_param_vram_margin_mb;
extern unsigned int tg_param_vram_aging_ms;
extern unsigned int tg_param_vram_user;
extern unsigned int tg_param_vram_wait_ms;
extern char *tg_param_vram_beyond;
extern char *tg_param_vram_policy;

/** tg_param_floor_ns - C of the floor */
static inline u64 tg_param_floor_ns(void)
{
	return (u64)tg_param_floor * tg_param_floor_period_us * (NSEC_PER_USEC / 100);
}

#endif
