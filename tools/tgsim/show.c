// SPDX-License-Identifier: GPL-2.0-or-later
/* Names and numbers as people read them. */
#include "show.h"

/* Four digits or less, up to 9999 s: a column of seven characters. */
static int decimals(double v)
{
	return v >= 999.95 ? 0 : v >= 99.995 ? 1 : 2;
}

const char *show_time(char *buf, size_t size, u64 ns)
{
	static const struct {
		u64 ns;
		const char *name;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" } };

	for (u32 i = 0; i < ARRAY_SIZE(units); i++)
		if (ns >= units[i].ns) {
			double v = (double)ns / (double)units[i].ns;

			snprintf(buf, size, "%.*f%s", decimals(v), v, units[i].name);
			return buf;
		}
	snprintf(buf, size, ns ? "%lluns" : "0", (unsigned long long)ns);
	return buf;
}

const char *show_why(const struct sim *s, const struct sim_group *g)
{
	const struct tg_reserve *r = tg_task_reserve((struct tg_sched *)&s->core,
						     g->core.task);

	switch (g->core.state) {
	case TG_GROUP_WAITING:
		return "waiting for its turn";
	case TG_GROUP_THROTTLED:
		return r && g->x > (r->budget_ns > 0 ? (u64)r->budget_ns : 0) ?
		       "waiting for a budget of its predicted cost" :
		       "waiting for its budget";
	case TG_GROUP_ONLINE:
		return "being submitted";
	case TG_GROUP_RUNNING:
		return "on the GPU";
	default:
		return "not come to be submitted";
	}
}

const char *show_sched(const struct sim_inst *inst)
{
	return tg_spec_sched_name(inst->entry.sched);
}

const char *show_reserve(const struct sim_inst *inst)
{
	if (!inst->started)
		return "not started";
	if (inst->reserve)
		return inst->reserve->name;
	if (inst->entry.resv == TG_SPEC_RESV_NONE)
		return "-";
	return inst->entry.sched == TG_SPEC_HT ? "- (HT)" : "Background";
}
