// SPDX-License-Identifier: GPL-2.0-or-later
#include "mem.h"
#include "quotas.h"

#define PERIODS 10

/**
 * struct quota - of a domain
 * @e: its budget
 * @period: number of the present period, the first is 0
 * @used_ns: what was charged in the last ten
 * @longest_ns: of its groups
 * @short_ns: how much more than expected one of them took at most
 * @is_free: there are groups in it that no quota limits, and their time counts
 */
struct quota {
	u64 capacity_ns, period_ns;
	s64 e;
	u64 period;
	u64 used_ns[PERIODS];
	u64 longest_ns, short_ns;
	bool is_free;
};

struct quotas {
	const struct scenario *sc;
	struct quota *of;
};

struct quotas *quotas_create(const struct sim *s)
{
	struct quotas *q = mem_alloc(sizeof(*q));

	q->sc = s->sc;
	q->of = mem_alloc((s->sc->nr_domains + 1) * sizeof(*q->of));
	for (u32 i = 0; i < s->sc->nr_domains; i++) {
		const struct tg_domain_rule *rule = &s->sc->domains[i].rule;

		q->of[i].capacity_ns = rule->capacity_ns;
		q->of[i].period_ns = rule->period_ns;
		q->of[i].e = (s64)rule->capacity_ns;
	}
	return q;
}

void quotas_free(struct quotas *q)
{
	free(q->of);
	free(q);
}

/* All of the time is no limit. */
static bool is_limit(const struct quota *d)
{
	return d->capacity_ns && d->capacity_ns < d->period_ns;
}

static void replenish(struct quota *d, u64 now)
{
	while ((d->period + 1) * d->period_ns <= now) {
		d->period++;
		d->used_ns[d->period % PERIODS] = 0;
		d->e += (s64)d->capacity_ns;
		if (d->e > (s64)d->capacity_ns)
			d->e = (s64)d->capacity_ns;
	}
}

#define for_each_domain(i, q, inst) \
	for (u32 i = (inst)->desc->domain; i; i = (q)->sc->domains[i - 1].parent)

bool quotas_allow(struct quotas *q, const struct sim_inst *inst, u64 now)
{
	for_each_domain(i, q, inst) {
		struct quota *d = &q->of[i - 1];

		if (!is_limit(d))
			continue;
		replenish(d, now);
		if (d->e <= 0)
			return false;
	}
	return true;
}

/* The first of them was in debt, or had C; the last of them was let go when e was positive. */
static bool exceeds(const struct quotas *q, const struct quota *d)
{
	u64 bound = PERIODS * d->capacity_ns + d->longest_ns, used = 0;

	if (q->sc->lead_ns)
		bound += q->sc->ht_depth * d->short_ns;
	for (u32 k = 0; k < PERIODS; k++)
		used += d->used_ns[k];
	return used > bound;
}

const char *quotas_charge(struct quotas *q, const struct sim_inst *inst, bool limited,
			  u64 cost_ns, u64 expected_ns, u64 now)
{
	const char *found = NULL;

	for_each_domain(i, q, inst) {
		struct quota *d = &q->of[i - 1];

		if (!is_limit(d))
			continue;
		replenish(d, now);
		d->is_free |= !limited;
		d->e -= (s64)cost_ns;
		d->used_ns[d->period % PERIODS] += cost_ns;
		if (cost_ns > d->longest_ns)
			d->longest_ns = cost_ns;
		if (cost_ns > expected_ns && cost_ns - expected_ns > d->short_ns)
			d->short_ns = cost_ns - expected_ns;
		if (!d->is_free && exceeds(q, d))
			found = q->sc->domains[i - 1].name;
	}
	return found;
}
