// SPDX-License-Identifier: GPL-2.0-only
/*
 * The history table.
 *
 * Averages.  The paper says "average" and no more.  The mean of all costs would
 * follow a change of the scene ever more slowly, the last cost alone would
 * follow every disturbance; so it is the mean of the first AVERAGE_WEIGHT costs,
 * and from then on each new cost has that weight:
 *
 *	average += (cost − average) / min(costs so far, AVERAGE_WEIGHT)
 *
 * The error that the integer division leaves is below AVERAGE_WEIGHT ns.
 *
 * Where to keep the table.  One for all programs, which the paper's words would
 * allow, lets a program's largest group become every other's prediction on a
 * miss, and lets programs evict each other's records.  The shell keeps one for
 * each task.
 */
#include "tg_predict.h"

#define AVERAGE_WEIGHT 16

/*
 * Costs are clamped to 2^61 ns.  An impact is then within ±2^62 (cost − average,
 * where the average of a record that was made after a switch is at most cost −
 * impact, which insert() clamps again), and 64 bits hold average + impact, the
 * prediction, and the difference of two impacts.
 */
#define COST_MAX (1LL << 61)
static s64 clamped(u64 cost_ns)
{
	return cost_ns < COST_MAX ? (s64)cost_ns : COST_MAX;
}

static void average(s64 *mean, u32 *weight, s64 value)
{
	if (*weight < AVERAGE_WEIGHT)
		++*weight;
	*mean += div_s64(value - *mean, (s32)*weight);
}

void tg_history_init(struct tg_history *h, struct tg_record *records, u32 n,
		     u64 switch_ns)
{
	memset(h, 0, sizeof(*h));
	INIT_LIST_HEAD(&h->lru);
	INIT_LIST_HEAD(&h->unused);
	for (u32 i = 0; i < n; i++)
		list_add_tail(&records[i].node, &h->unused);
	tg_history_measured(h, switch_ns);
}

void tg_history_measured(struct tg_history *h, u64 switch_ns)
{
	if (h->impact_weight > 1)
		return;
	h->impact_ns = clamped(switch_ns);
	h->impact_weight = 1;
}

static struct tg_record *find(const struct tg_history *h,
			      const struct tg_profile *profile)
{
	struct tg_record *r;

	list_for_each_entry(r, &h->lru, node)
		if (r->profile.hash == profile->hash &&
		    r->profile.words == profile->words)
			return r;
	return NULL;
}

static s64 worst(const struct tg_history *h)
{
	struct tg_record *r;
	s64 max = 0;

	list_for_each_entry(r, &h->lru, node)
		if (r->average_ns > max)
			max = r->average_ns;
	return max;
}

static void touch(struct tg_history *h, struct tg_record *r)
{
	list_del_init(&r->node);
	list_add(&r->node, &h->lru);
}

void tg_history_predict(struct tg_history *h, const struct tg_profile *profile,
			bool switched, struct tg_prediction *p)
{
	struct tg_record *r = find(h, profile);
	s64 x;

	p->hit = r;
	p->switched = switched;
	if (r) {
		h->nr_hits++;
		touch(h, r);
		x = r->average_ns;
	} else {
		h->nr_misses++;
		x = worst(h);
	}
	if (switched)
		x += h->impact_ns;
	p->cost_ns = x > 0 ? (u64)x : 0;
}

/* Room for one more: an unused record, or the least recently used one. */
static struct tg_record *take(struct tg_history *h)
{
	struct list_head *from = list_empty(&h->unused) ? &h->lru : &h->unused;

	if (list_empty(from))
		return NULL;
	return list_entry(from->prev, struct tg_record, node);
}

static void insert(struct tg_history *h, const struct tg_profile *profile,
		   s64 cost)
{
	struct tg_record *r = take(h);

	if (!r)
		return;
	r->profile = *profile;
	r->average_ns = cost > 0 ? clamped(cost) : 0;
	r->weight = 1;
	touch(h, r);
}

void tg_history_learn(struct tg_history *h, const struct tg_profile *profile,
		      const struct tg_prediction *p, u64 cost_ns)
{
	/* Groups of one task can overlap: the record may be gone, or be new. */
	struct tg_record *r = find(h, profile);
	s64 cost = clamped(cost_ns);

	if (!r)
		insert(h, profile, p->switched ? cost - h->impact_ns : cost);
	else if (p->switched)
		average(&h->impact_ns, &h->impact_weight, cost - r->average_ns);
	else
		average(&r->average_ns, &r->weight, cost);
}
