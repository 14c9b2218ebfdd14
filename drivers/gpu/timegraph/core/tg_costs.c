// SPDX-License-Identifier: GPL-2.0-only
/* What the last groups of a task cost. */
#include "tg_costs.h"

void tg_costs_learn(struct tg_costs *c, u64 ns)
{
	c->ns[c->next] = ns < TG_COSTS_MAX_NS ? ns : TG_COSTS_MAX_NS;
	c->next = (c->next + 1) % TG_COSTS;
	if (c->nr < TG_COSTS)
		c->nr++;
}

u64 tg_costs_largest(const struct tg_costs *c)
{
	u64 largest = 0;

	if (c->nr < TG_COSTS)
		return 0;
	for (u8 i = 0; i < TG_COSTS; i++)
		if (c->ns[i] > largest)
			largest = c->ns[i];
	return largest;
}

u64 tg_costs_average(const struct tg_costs *c)
{
	u64 sum = 0;

	for (u8 i = 0; i < c->nr; i++)
		sum += c->ns[i];
	return c->nr ? div_u64(sum, c->nr) : 0;
}
