// SPDX-License-Identifier: GPL-2.0-or-later
#include "domains.h"
#include "mem.h"

static struct sim_domain *top_of(const struct sim *s, const struct sim_inst *inst)
{
	struct tg_domain *d = tg_domain_top(inst->core.domain);

	return d && s->sc->nr_cpus ? container_of(d, struct sim_domain, core) : NULL;
}

/* The program at the head goes on. */
static void go_on(struct sim *s, struct sim_domain *d)
{
	d->since_ns = s->now;
	d->thought_ns = 0;
	if (!d->cpu || !d->thinkers)
		return;
	d->thought_ns = s->now + d->thinkers->think_left_ns;
	heap_add(&s->heap, d->thought_ns, HEAP_THOUGHT, d);
}

/* What the one at the head did since it went on is done. */
static void account(struct sim *s, struct sim_domain *d)
{
	if (d->thought_ns)
		d->thinkers->think_left_ns -= s->now - d->since_ns;
	d->thought_ns = 0;
}

static void run(struct sim *s, struct sim_cpu *cpu, struct sim_domain *d)
{
	u64 weight = d->desc->cpu_weight;

	cpu->domain = d;
	d->cpu = cpu;
	cpu->over_ns = s->now + s->sc->slice_ns * weight / TG_WEIGHT_DEFAULT;
	tg_sched_domain_cpu(&s->core, &d->core, weight, weight);
	tg_sched_domain_runs(&s->core, &d->core, 1);
	heap_add(&s->heap, cpu->over_ns, HEAP_SLICE, cpu);
	go_on(s, d);
}

static void take_cpu(struct sim *s, struct sim_domain *d)
{
	account(s, d);
	d->cpu->domain = NULL;
	d->cpu->over_ns = 0;
	d->cpu = NULL;
	tg_sched_domain_runs(&s->core, &d->core, 0);
}

/* Round the domains, from behind the one that had a CPU last. */
static struct sim_domain *next_to_run(struct sim *s)
{
	for (u32 n = 0; n < s->sc->nr_domains; n++) {
		struct sim_domain *d = &s->domains[s->cpu_turn++ % s->sc->nr_domains];

		if (!d->core.parent && d->nr_programs && !d->cpu)
			return d;
	}
	return NULL;
}

static void fill_cpus(struct sim *s)
{
	for (u32 i = 0; i < s->sc->nr_cpus; i++) {
		struct sim_domain *d = s->cpus[i].domain ? NULL : next_to_run(s);

		if (d)
			run(s, &s->cpus[i], d);
	}
}

void domains_slice_over(struct sim *s, struct sim_cpu *cpu)
{
	if (cpu->over_ns != s->now || !cpu->domain)
		return;
	take_cpu(s, cpu->domain);
	fill_cpus(s);
}

void domains_thought(struct sim *s, struct sim_domain *d)
{
	struct sim_inst *inst = d->thinkers;

	if (d->thought_ns != s->now || !inst)
		return;
	account(s, d);
	d->thinkers = inst->next_thinker;
	heap_add(&s->heap, s->now, HEAP_FRAME, inst);
	go_on(s, d);
}

bool domains_think(struct sim *s, struct sim_inst *inst, u64 ns)
{
	struct sim_domain *d = top_of(s, inst);
	struct sim_inst **last;

	if (!d)
		return false;
	for (last = &d->thinkers; *last; last = &(*last)->next_thinker)
		;
	*last = inst;
	inst->next_thinker = NULL;
	inst->think_left_ns = ns;
	if (d->thinkers == inst)
		go_on(s, d);
	return true;
}

void domains_join(struct sim *s, struct sim_inst *inst)
{
	struct sim_domain *d;

	if (inst->desc->domain)
		tg_sched_move(&s->core, &inst->core, &s->domains[inst->desc->domain - 1].core,
			      s->now);
	d = top_of(s, inst);
	if (!d)
		return;
	d->nr_programs++;
	fill_cpus(s);
}

void domains_leave(struct sim *s, struct sim_inst *inst)
{
	struct sim_domain *d = top_of(s, inst);

	if (!d)
		return;
	account(s, d);
	for (struct sim_inst **p = &d->thinkers; *p; p = &(*p)->next_thinker)
		if (*p == inst) {
			*p = inst->next_thinker;
			break;
		}
	go_on(s, d);
	if (--d->nr_programs)
		return;
	if (d->cpu)
		take_cpu(s, d);
	fill_cpus(s);
}

void domains_init(struct sim *s)
{
	const struct scenario *sc = s->sc;

	if (sc->tick_ns)
		tg_sched_set_tick(&s->core, sc->tick_ns);
	s->domains = mem_alloc((sc->nr_domains + 1) * sizeof(*s->domains));
	s->cpus = mem_alloc((sc->nr_cpus + 1) * sizeof(*s->cpus));
	for (u32 i = 0; i < sc->nr_domains; i++) {
		const struct domain_desc *desc = &sc->domains[i];
		struct sim_domain *d = &s->domains[i];

		d->desc = desc;
		tg_domain_init(&d->core, desc->parent ? &s->domains[desc->parent - 1].core : NULL);
		tg_sched_add_domain(&s->core, &d->core, 0);
		tg_sched_set_domain(&s->core, &d->core, &desc->rule, 0);
		tg_sched_domain_cpu(&s->core, &d->core, desc->cpu_weight, 0);
	}
}

void domains_fini(struct sim *s)
{
	free(s->domains);
	free(s->cpus);
}
