// SPDX-License-Identifier: GPL-2.0-only
/* Shares by polls; see tg_polled.h. */
#include "tg_polled.h"

void tg_polled_begin(struct tg_polled *p)
{
	p->run++;
	p->vtime_ns = 0;
	p->most_ns = 0;
	p->nr = 0;
}

static void catch_up(const struct tg_polled *p, struct tg_polled_task *t)
{
	if (t->run != p->run)
		t->vtime_ns = 0;
	t->run = p->run;
	t->vtime_ns = max(t->vtime_ns, p->vtime_ns);
}

static u64 least(struct tg_polled_task *const *active, unsigned int nr)
{
	u64 found = active[0]->vtime_ns;

	for (unsigned int i = 1; i < nr; i++)
		found = min(found, active[i]->vtime_ns);
	return found;
}

/* A poll adds to a difference between two that share evenly or takes it off: ± @ns each. */
static bool is_chance(const struct tg_polled *p, u64 ahead_ns, u32 ns)
{
	u64 over;

	if (ahead_ns <= TG_POLLED_SLICE_NS)
		return true;
	over = div_u64(ahead_ns - TG_POLLED_SLICE_NS, ns);
	return over * over <= TG_POLLED_CHANCE * TG_POLLED_CHANCE * p->nr;
}

u64 tg_polled_saw(struct tg_polled *p, struct tg_polled_task *const *active,
		  unsigned int nr, struct tg_polled_task *at, u32 ns)
{
	u64 ahead;

	if (p->nr >= TG_POLLED_FORGET)
		tg_polled_begin(p);
	for (unsigned int i = 0; i < nr; i++)
		catch_up(p, active[i]);
	at->vtime_ns += ns;
	p->vtime_ns = least(active, nr);
	p->most_ns = max(p->most_ns, at->vtime_ns);
	/* Chance has to explain only what happened since they were level. */
	if (nr > 1)
		p->nr = p->most_ns - p->vtime_ns <= ns ? 0 : p->nr + 1;
	ahead = at->vtime_ns - p->vtime_ns;
	return is_chance(p, ahead, ns) ? 0 : ahead;
}
