/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The monitor's account of the domains' quotas: budgets that are replenished period by
 * period, and what was used of the last ten.
 */
#ifndef QUOTAS_H
#define QUOTAS_H

#include "sim.h"

struct quotas;

struct quotas *quotas_create(const struct sim *s);

void quotas_free(struct quotas *q);

/** quotas_allow - whether none keeps a group of @inst, of the lowest level, from going */
bool quotas_allow(struct quotas *q, const struct sim_inst *inst, u64 now);

/**
 * quotas_charge - what a group of @inst cost
 * @limited: it is one that quotas limit
 * @expected_ns: what it was taken to cost by those that were let go behind it
 *
 * Return: the name of a domain that has had more than its quota, or NULL.
 */
const char *quotas_charge(struct quotas *q, const struct sim_inst *inst, bool limited,
			  u64 cost_ns, u64 expected_ns, u64 now);

#endif
