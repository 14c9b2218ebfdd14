// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The simulation.  It calls the core as the module does: a group arrives, is
 * granted at once or woken later, is checked against its budget once its cost
 * can be predicted, started, and completed (tg_gate.c, tg_complete.c); programs get
 * what the specification says when they start (tg_client.c, tg_reservation.c); after every
 * change those are let go who may, and the timer is set to the next
 * replenishment that somebody waits for.
 */
#include "domains.h"
#include "mem.h"
#include "memory.h"
#include "native.h"
#include "programs.h"
#include "sim.h"
#include "tg_cpu.h"

static void tell(struct sim *s, enum sim_what what, struct sim_group *g,
		 struct sim_inst *inst, struct sim_reserve *r)
{
	const struct sim_event ev = {
		what, s->now, g, inst ? inst : g ? g->inst : NULL, r,
	};

	for (u32 i = 0; i < s->nr_observers; i++)
		s->observers[i].event(s->observers[i].arg, s, &ev);
}

static void look(struct sim *s, struct sim_group *g)
{
	if (!s->states || g->shadow == g->core.state)
		return;
	tell(s, SIM_STATE, g, NULL, NULL);
	g->shadow = g->core.state;
}

/* To be called after every call of the core that may move groups. */
static void look_all(struct sim *s)
{
	struct sim_group *g;

	if (!s->states)
		return;
	list_for_each_entry(g, &s->pending, pending)
		look(s, g);
}

static void grant(struct sim *s, struct sim_group *g, u64 delay_ns)
{
	tell(s, SIM_GRANT, g, NULL, NULL);
	look(s, g);
	g->checking = true;
	heap_add(&s->heap, s->now + delay_ns, HEAP_CHECK, g);
}

static void expire_reserves(struct sim *s);

/* tg_dispatch_locked() */
static void dispatch(struct sim *s)
{
	struct tg_group *next;

	expire_reserves(s);
	while ((next = tg_sched_next(&s->core, s->now)))
		grant(s, container_of(next, struct sim_group, core),
		      s->sc->gpu.dispatch_ns);
	look_all(s);
}

static struct sim_group *backlog_take(struct sim_inst *inst)
{
	struct sim_queue *q = &inst->backlog;
	struct sim_group *g = q->first;

	q->first = g->next;
	if (!q->first)
		q->last = &q->first;
	q->n--;
	return g;
}

/* The program's threads enter the submission call with what it has. */
static void enter(struct sim *s, struct sim_inst *inst)
{
	while (inst->backlog.n && inst->nr_inside < inst->desc->threads) {
		struct sim_group *g = backlog_take(inst);

		inst->nr_inside++;
		g->core.task = &inst->core;
		g->core.context = inst;
		list_add_tail(&g->pending, &s->pending);
		tell(s, SIM_ARRIVE, g, NULL, NULL);
		if (tg_sched_arrive(&s->core, &g->core, s->now))
			grant(s, g, s->sc->gpu.submit_ns);
		else
			look(s, g);
		dispatch(s);
	}
}

static void free_group(struct sim *s, struct sim_group *g)
{
	g->next = s->unused;
	s->unused = g;
}

static void leave_reserve(struct sim *s, struct sim_reserve *r);
static void serve_memory(struct sim *s);
static void give_memory(struct sim *s, struct sim_inst *inst);
static void stop(struct sim *s, struct sim_inst *inst);

/* Ended programs leave when the GPU has nothing of theirs (tg_client.c). */
static void leave(struct sim *s, struct sim_inst *inst)
{
	struct sim_reserve *r = inst->reserve;

	if (!inst->stopped || inst->left || inst->nr_running)
		return;
	inst->left = true;
	inst->left_ns = s->now;
	tg_sched_remove_task(&s->core, &inst->core, s->now);
	tell(s, SIM_LEAVE, NULL, inst, r);
	if (r && !--r->nr_users)
		leave_reserve(s, r);
	memory_end(s, inst);
	dispatch(s);
	serve_memory(s);
}

static void predict(struct sim *s, struct sim_group *g)
{
	struct sim_inst *inst = g->inst;
	const struct tg_past past = { &inst->core.costs, &inst->history_table };
	bool switched = tg_sched_switches(&s->core, inst);

	if (g->profiled || !inst->history)
		return;
	g->profiled = true;
	tg_predictors[s->sc->predictor].predict(&past, &g->profile, switched, &g->prediction);
	if (s->sc->perfect)
		g->prediction.cost_ns = g->work_ns +
					(switched ? s->sc->gpu.switch_ns : 0);
}

static void put_on_gpu(struct sim *s, struct sim_group *g)
{
	u64 free = s->gpu_free_ns;

	g->gpu_begin_ns = s->now > free ? s->now : free;
	g->gpu_end_ns = g->gpu_begin_ns + g->work_ns;
	if (g->core.switched) {
		g->gpu_end_ns += s->sc->gpu.switch_ns;
		s->nr_switches++;
	}
	s->gpu_free_ns = g->gpu_end_ns;
	heap_add(&s->heap, g->gpu_end_ns + s->sc->gpu.irq_ns, HEAP_COMPLETE, g);
	g->next = NULL;
	*s->on_gpu.last = g;
	s->on_gpu.last = &g->next;
	s->on_gpu.n++;
}

/* tg_gate_check() */
static void check(struct sim *s, struct sim_group *g)
{
	struct sim_inst *inst = g->inst;
	struct tg_reserve *r;

	g->checking = false;
	if (g->dead) {
		free_group(s, g);
		return;
	}
	r = tg_task_reserve(&s->core, &inst->core);
	predict(s, g);
	g->x = r && r->ops->predicts ? g->prediction.cost_ns : 0;
	tell(s, SIM_CHECK, g, NULL, NULL);
	if (!tg_sched_check(&s->core, &g->core, g->x, s->now)) {
		tell(s, SIM_REFUSE, g, NULL, NULL);
		look(s, g);
		dispatch(s);
		return;
	}
	tg_sched_start(&s->core, &g->core, s->now);
	list_del_init(&g->pending);
	inst->nr_inside--;
	inst->nr_running++;
	put_on_gpu(s, g);
	tell(s, SIM_START, g, NULL, NULL);
	look(s, g);
	enter(s, inst);
	program_continue(s, inst);
}

static void account(struct sim_reserve *r, u64 cost_ns)
{
	u64 periods = r->core->periods;

	if (r->periods_seen != periods) {
		r->periods_seen = periods;
		r->period_used_ns = 0;
	}
	if (r->period_used_ns <= r->core->capacity_ns &&
	    r->period_used_ns + cost_ns > r->core->capacity_ns)
		r->nr_overrun++;
	r->period_used_ns += cost_ns;
}

/* complete_locked() */
static void complete(struct sim *s, struct sim_group *g)
{
	struct sim_inst *inst = g->inst;

	s->on_gpu.first = g->next;
	if (!s->on_gpu.first)
		s->on_gpu.last = &s->on_gpu.first;
	s->on_gpu.n--;
	s->gpu_busy_ns += g->gpu_end_ns - g->gpu_begin_ns;
	tell(s, SIM_FINISH, g, NULL, NULL);
	g->charged = sim_reserve_of(s, inst);
	if (!s->sc->cpu_clock)
		tg_sched_stamp(&s->core, &g->core, g->core.start_ns,
			       g->gpu_end_ns, s->sc->gpu.irq_ns);
	tg_sched_complete(&s->core, &g->core, s->now);
	if (g->charged)
		account(g->charged, g->core.cost_ns);
	if (g->profiled) {
		g->prediction.switched = g->core.switched;
		tg_history_learn(&inst->history_table, &g->profile,
				 &g->prediction, g->core.cost_ns);
	}
	inst->nr_running--;
	inst->frames_done += g->last_of_frame;
	s->nr_complete++;
	s->nr_open--;
	tell(s, SIM_COMPLETE, g, NULL, NULL);
	look_all(s);
	dispatch(s);
	if (g->last_of_frame && inst->desc->each_frame)
		give_memory(s, inst);
	if (program_is_over(inst) && !inst->stopped)
		stop(s, inst);
	program_continue(s, inst);
	leave(s, inst);
	free_group(s, g);
}

struct sim_reserve *sim_reserve_of(struct sim *s, const struct sim_inst *inst)
{
	struct tg_reserve *r = tg_task_reserve(&s->core, &inst->core);

	if (!r)
		return NULL;
	if (r == &s->core.background)
		return &s->background;
	return inst->reserve;
}

static void note_admission(struct sim *s, struct sim_reserve *r)
{
	r->demoted = r->core->demoted;
	if (r->demoted) {
		r->nr_demoted++;
		r->demoted_ns = s->now;
	} else if (r->nr_demoted) {
		r->nr_admitted++;
		r->readmitted_ns = s->now;
	}
	tell(s, SIM_ADMISSION, NULL, NULL, r);
	look_all(s);
}

static void reconsider(struct sim *s)
{
	struct tg_reserve *core;

	while ((core = tg_sched_reconsider(&s->core, s->now)))
		note_admission(s, container_of(core, struct sim_reserve, impl));
}

static void reserve_gone(struct sim *s, struct sim_reserve *r)
{
	r->gone = true;
	r->gone_ns = s->now;
	tell(s, SIM_RESERVE_GONE, NULL, NULL, r);
	reconsider(s);
}

/* It lingers until its budget is full (tg_reservation.c). */
static void leave_reserve(struct sim *s, struct sim_reserve *r)
{
	if (tg_sched_retire_reserve(&s->core, &r->impl, s->now))
		reserve_gone(s, r);
}

static void expire_reserves(struct sim *s)
{
	struct tg_reserve *core;

	while ((core = tg_sched_expire_reserve(&s->core, s->now)))
		reserve_gone(s, container_of(core, struct sim_reserve, impl));
}

static struct sim_reserve *find_reserve(struct sim *s, const char *group)
{
	for (struct sim_reserve *r = s->reserves; r; r = r->next)
		if (r->shared && !r->gone && !strcmp(r->name, group))
			return r;
	return NULL;
}

/* All programs are of one user: what an entry's last one left. */
static struct sim_reserve *find_lingering(struct sim *s, const char *entry)
{
	struct sim_reserve *last = NULL;
	struct tg_reserve *core;

	tg_sched_for_each_lingering(core, &s->core) {
		struct sim_reserve *r = container_of(core, struct sim_reserve, impl);

		if (!r->shared && !strcmp(r->entry, entry))
			last = r;
	}
	return last;
}

static struct sim_reserve *create_reserve(struct sim *s,
					  const struct sim_inst *inst)
{
	const struct tg_spec_entry *e = &inst->entry;
	struct sim_reserve *r = mem_alloc(sizeof(*r));

	r->shared = e->group[0];
	r->id = ++s->nr_reserves;
	r->created_ns = s->now;
	r->core = &r->impl;
	snprintf(r->name, sizeof(r->name), "%s",
		 r->shared ? e->group : inst->name);
	snprintf(r->entry, sizeof(r->entry), "%s", e->name);
	*s->last_reserve = r;
	s->last_reserve = &r->next;
	tg_reserve_init(&r->impl, e->resv == TG_SPEC_RESV_AE ?
			&tg_reserve_ae : &tg_reserve_pe, e->capacity_ns,
			e->period_ns, s->now);
	tg_sched_add_reserve(&s->core, &r->impl);
	note_admission(s, r);
	return r;
}

/* tg_reservation_apply() */
static void apply_reserve(struct sim *s, struct sim_inst *inst)
{
	const struct tg_spec_entry *e = &inst->entry;
	struct sim_reserve *r = NULL;

	if (tg_spec_has_reserve(e)) {
		r = e->group[0] ? find_reserve(s, e->group) :
				  find_lingering(s, e->name);
		if (!r)
			r = create_reserve(s, inst);
		if (!r->nr_users++)
			tg_sched_revive_reserve(&s->core, &r->impl);
	}
	inst->reserve = r;
	tg_sched_join(&s->core, &inst->core, r ? &r->impl :
		      e->resv != TG_SPEC_RESV_NONE ? &s->core.background : NULL,
		      s->now);
}

/* That of the GPU takes the place of FQ. */
static const struct tg_policy_ops *policy_of(const struct scenario *sc,
					     const struct tg_spec_entry *e)
{
	const struct tg_policy_ops *policy = tg_spec_policy(e);

	return policy == &tg_policy_fq && sc->policy ? sc->policy : policy;
}

static void frame(struct sim *s, struct sim_inst *inst)
{
	u32 before = inst->backlog.n;

	program_frame(s, inst);
	if (inst->backlog.n != before)
		tell(s, SIM_RELEASE, NULL, inst, NULL);
	else if (inst->desc->each_frame)
		give_memory(s, inst);
	enter(s, inst);
}

static void begin(struct sim *s, struct sim_inst *inst)
{
	tell(s, SIM_MEMORY, NULL, inst, NULL);
	if (inst->desc->each_frame)
		frame(s, inst);
	else
		program_start(s, inst);
}

static void refuse(struct sim *s, struct sim_inst *inst)
{
	tell(s, SIM_MEMORY, NULL, inst, NULL);
	stop(s, inst);
}

/* tg_memory_serve_locked() */
static void serve_memory(struct sim *s)
{
	struct sim_inst *inst;

	if (!s->sc->memory.bytes)
		return;
	while ((inst = memory_next(s))) {
		if (inst->refused)
			refuse(s, inst);
		else
			begin(s, inst);
	}
}

/* What it had for a frame. */
static void give_memory(struct sim *s, struct sim_inst *inst)
{
	memory_end(s, inst);
	tell(s, SIM_GIVE, NULL, inst, NULL);
	serve_memory(s);
}

static void ask_memory(struct sim *s, struct sim_inst *inst)
{
	tell(s, SIM_ASK, NULL, inst, NULL);
	if (memory_begin(s, inst))
		begin(s, inst);
	else if (inst->refused)
		refuse(s, inst);
	serve_memory(s);
}

/* apply_spec() */
static void start(struct sim *s, struct sim_inst *inst)
{
	const struct scenario *sc = s->sc;
	const struct tg_spec_entry *e;
	char comm[TG_COMM_MAX + 1];

	snprintf(comm, sizeof(comm), "%.*s", TG_COMM_MAX, inst->desc->program);
	/* Of whatever user: scenarios have none. */
	e = tg_spec_match(sc->spec, sc->nr_spec, &(struct tg_spec_program){
		.comm = comm,
		.exe = inst->desc->program,
		.path = inst->desc->program,
		.uid = TG_SPEC_ANY_UID,
	});
	inst->has_entry = e;
	if (e)
		inst->entry = *e;
	else
		tg_spec_default(&inst->entry);
	/* There is no CPU here whose priorities could be followed. */
	if (inst->entry.cpu)
		tg_cpu_follow(&inst->entry, tg_cpu_rank_nice(0));
	if (inst->entry.resv == TG_SPEC_RESV_AE &&
	    tg_spec_is_regulated(&inst->entry)) {
		inst->history = mem_alloc(sc->history * sizeof(*inst->history));
		tg_history_init(&inst->history_table, inst->history,
				sc->history, sc->gpu.switch_ns);
	}
	inst->started = true;
	tell(s, SIM_BEGIN, NULL, inst, NULL);
	tg_task_set_weight(&inst->core, inst->entry.weight);
	tg_task_set_lead(&inst->core, inst->entry.has_lead ? inst->entry.lead_ns :
							      TG_LEAD_COMMON);
	tg_sched_set_task(&s->core, &inst->core,
			  native_of(policy_of(sc, &inst->entry)),
			  inst->entry.prio, inst->entry.focus,
			  inst->core.foreground, s->now);
	apply_reserve(s, inst);
	domains_join(s, inst);
	tell(s, SIM_JOIN, NULL, inst, inst->reserve);
	dispatch(s);
	if (inst->desc->memory_bytes && !inst->desc->each_frame) {
		ask_memory(s, inst);
		return;
	}
	inst->begun_ns = s->now;
	program_start(s, inst);
}

/* The program is ended: what the GPU does not have yet goes. */
static void stop(struct sim *s, struct sim_inst *inst)
{
	struct sim_group *g, *n;

	inst->stopped = true;
	domains_leave(s, inst);
	while (inst->backlog.n) {
		g = backlog_take(inst);
		inst->nr_cancelled++;
		s->nr_open--;
		free_group(s, g);
	}
	list_for_each_entry_safe(g, n, &s->pending, pending) {
		if (g->inst != inst)
			continue;
		tell(s, SIM_CANCEL, g, NULL, NULL);
		tg_sched_cancel(&s->core, &g->core, s->now);
		look(s, g);
		list_del_init(&g->pending);
		inst->nr_inside--;
		inst->nr_cancelled++;
		s->nr_open--;
		g->dead = true;
		if (!g->checking)
			free_group(s, g);
	}
	dispatch(s);
	leave(s, inst);
}

static void set_foreground(struct sim *s, struct sim_inst *inst, bool foreground)
{
	struct tg_task *t = &inst->core;

	if (t->foreground == foreground)
		return;
	tg_sched_set_task(&s->core, t, t->policy, t->prio, t->focus, foreground,
			  s->now);
	tell(s, SIM_FOCUS, NULL, inst, NULL);
	look_all(s);
}

static void change(struct sim *s, const struct change *c)
{
	if (c->type == CHANGE_LIMIT) {
		s->core.limit_percent = c->percent;
		tell(s, SIM_LIMIT, NULL, NULL, NULL);
		reconsider(s);
	} else {
		for (u32 i = 0; i < s->nr_insts; i++)
			set_foreground(s, &s->insts[i],
				       s->insts[i].task == c->task);
	}
	dispatch(s);
}

u32 sim_count_instances(const struct scenario *sc)
{
	u32 n = 0;

	for (u32 i = 0; i < sc->nr_tasks; i++)
		n += sc->tasks[i].instances;
	return n;
}

static void init_inst(struct sim *s, u32 task, u32 number)
{
	const struct task_desc *t = &s->sc->tasks[task];
	struct sim_inst *inst = &s->insts[s->nr_insts];

	inst->desc = t;
	inst->task = task;
	inst->index = s->nr_insts++;
	if (t->instances > 1)
		snprintf(inst->name, sizeof(inst->name), "%s#%u", t->name,
			 number + 1);
	else
		snprintf(inst->name, sizeof(inst->name), "%s", t->name);
	tg_task_init(&inst->core);
	inst->backlog.last = &inst->backlog.first;
	inst->cost_turn = mem_alloc(t->nr_kinds * sizeof(*inst->cost_turn));
	rng_seed(&inst->rng, s->sc->seed, task, number);
	inst->from_ns = t->from_ns + number * t->stagger_ns;
	heap_add(&s->heap, inst->from_ns, HEAP_START, inst);
	if (t->until_ns) {
		inst->until_ns = t->until_ns > inst->from_ns ? t->until_ns :
							       inst->from_ns;
		heap_add(&s->heap, inst->until_ns, HEAP_STOP, inst);
	}
}

void sim_init(struct sim *s, const struct scenario *sc)
{
	memset(s, 0, sizeof(*s));
	s->sc = sc;
	s->last_reserve = &s->reserves;
	s->on_gpu.last = &s->on_gpu.first;
	INIT_LIST_HEAD(&s->pending);
	tg_sched_init(&s->core, sc->ht_depth, sc->bg_capacity_ns,
		      sc->bg_period_ns, 0);
	tg_sched_set_lead(&s->core, sc->lead_ns);
	tg_sched_set_floor(&s->core, scenario_floor_ns(sc), sc->floor_period_ns, 0);
	s->core.limit_percent = sc->limit_percent;
	memory_init(s);
	domains_init(s);
	s->background.core = &s->core.background;
	snprintf(s->background.name, sizeof(s->background.name), "Background");
	for (u32 i = 0; i < sc->nr_changes; i++)
		heap_add(&s->heap, sc->changes[i].at_ns, HEAP_CHANGE,
			 (void *)&sc->changes[i]);
	s->insts = mem_alloc(sim_count_instances(sc) * sizeof(*s->insts));
	for (u32 i = 0; i < sc->nr_tasks; i++)
		for (u32 k = 0; k < sc->tasks[i].instances; k++)
			init_inst(s, i, k);
}

void sim_observe(struct sim *s, const struct sim_observer *o)
{
	s->observers[s->nr_observers++] = *o;
	s->states |= o->states;
}

static void handle(struct sim *s, const struct heap_event *e)
{
	struct sim_inst *inst = e->arg;

	switch (heap_class_of(e)) {
	case HEAP_COMPLETE:
		complete(s, e->arg);
		break;
	case HEAP_CHECK:
		check(s, e->arg);
		break;
	case HEAP_CHANGE:
		change(s, e->arg);
		break;
	case HEAP_START:
		start(s, inst);
		break;
	case HEAP_AGED:
		serve_memory(s);
		break;
	case HEAP_SLICE:
		domains_slice_over(s, e->arg);
		dispatch(s);
		break;
	case HEAP_THOUGHT:
		domains_thought(s, e->arg);
		break;
	case HEAP_FRAME:
		if (inst->desc->each_frame && !inst->stopped && !s->draining)
			ask_memory(s, inst);
		else
			frame(s, inst);
		break;
	case HEAP_STOP:
		if (!inst->stopped)
			stop(s, inst);
		break;
	}
}

static void show_progress(const struct sim *s)
{
	if (s->progress && !(s->nr_events & 0x3ffff))
		fprintf(stderr, "\r%3u %%  %llu groups",
			(u32)(100.0 * (double)s->now / (double)s->sc->horizon_ns),
			(unsigned long long)s->nr_complete);
}

/* The next time something happens; timers go before what else happens then. */
static bool step(struct sim *s, u64 end)
{
	u64 timer = tg_sched_next_timer(&s->core);
	u64 next = s->heap.n ? s->heap.e[0].at : UINT64_MAX;
	struct heap_event e;

	if (timer && timer < s->now)
		timer = s->now;
	if (timer && timer <= next) {
		if (timer >= end)
			return false;
		s->now = timer;
		native_look(&s->core, s->now);
		dispatch(s);
		if (tg_sched_next_timer(&s->core) &&
		    tg_sched_next_timer(&s->core) <= timer) {
			s->stuck = "a replenishment did not happen";
			return false;
		}
	} else {
		if (next >= end)
			return false;
		e = heap_take(&s->heap);
		s->now = e.at;
		native_look(&s->core, s->now);
		handle(s, &e);
	}
	s->nr_events++;
	tell(s, SIM_SETTLED, NULL, NULL, NULL);
	show_progress(s);
	return true;
}

const char *sim_task_name(const struct tg_task *task)
{
	return container_of(task, struct sim_inst, core)->desc->name;
}

void sim_run(struct sim *s)
{
	while (step(s, s->sc->horizon_ns))
		;
	if (s->sc->drain_ns && !s->stuck) {
		s->draining = true;
		while (s->nr_open && step(s, s->sc->horizon_ns + s->sc->drain_ns))
			;
	} else if (!s->stuck) {
		s->now = s->sc->horizon_ns;
		native_look(&s->core, s->now);
	}
	if (s->progress)
		fputs("\r\033[K", stderr);
	tell(s, SIM_END, NULL, NULL, NULL);
}

void sim_fini(struct sim *s)
{
	for (u32 i = 0; i < s->nr_insts; i++) {
		free(s->insts[i].history);
		free(s->insts[i].cost_turn);
	}
	free(s->insts);
	domains_fini(s);
	while (s->reserves) {
		struct sim_reserve *r = s->reserves;

		s->reserves = r->next;
		free(r);
	}
	while (s->slabs) {
		struct sim_slab *slab = s->slabs;

		s->slabs = slab->next;
		free(slab);
	}
	free(s->heap.e);
}
