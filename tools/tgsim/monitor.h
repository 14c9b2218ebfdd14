/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An observer that knows the paper's rules and nothing of the core: it is told
 * what arrives, what is let go and what things cost, keeps budgets of its own,
 * and says when a decision breaks a rule.  The rules stand in monitor.c.
 */
#ifndef MONITOR_H
#define MONITOR_H

#include "sim.h"

struct monitor;

struct monitor *monitor_observe(struct sim *s);

/* The first rule that was broken, as a sentence; NULL if none was. */
const char *monitor_violation(const struct monitor *m);

/* What was checked, to know that a campaign is not empty. */
struct monitor_counts {
	u64 grants, throttles, refusals, completions, replenishments;
	u64 demotions, admissions, idle_checks, windows;
};
const struct monitor_counts *monitor_counts(const struct monitor *m);

void monitor_free(struct monitor *m);

#endif
