// SPDX-License-Identifier: GPL-2.0-or-later
#include "graph.h"

#include <string.h>

#define PGRAPH_FIRST	0x400000u
#define PGRAPH_BYTES	0x010000u
/* No single method may claim more, however odd its arguments: 1 h. */
#define COST_MAX_NS	3600000000000ull

void nvsim_graph_init(struct nvsim_graph *g, const struct nvsim_graph_config *config)
{
	g->bus = config->bus;
	g->mmu = config->mmu;
	g->faults = config->faults;
	g->ops = config->ops;
	g->owner = config->owner;
	nvsim_gr_init(&g->gr, g->bus, g->mmu);
}

void nvsim_graph_fini(struct nvsim_graph *g)
{
	nvsim_graph_unload(g, &g->host);
}

void nvsim_graph_reset(struct nvsim_graph *g)
{
	memset(&g->bus->reg[PGRAPH_FIRST / 4], 0, PGRAPH_BYTES);
	nvsim_graph_unload(g, &g->host);
	g->handed = false;
	g->handed_ns = NVSIM_NEVER;
	g->cur = NULL;
	g->stalled = false;
	g->wedged = false;
	g->event.valid = false;
	g->late_event.valid = false;
	g->busy_until = 0;
}

void nvsim_graph_leave(struct nvsim_graph *g, const struct nvsim_graph_chan *c)
{
	if (g->cur == c) {
		g->cur = NULL;
		g->bus->reg[NV_PGRAPH_CTX_CUR / 4] = 0;
	}
}

void nvsim_graph_unload(struct nvsim_graph *g, struct nvsim_graph_chan *c)
{
	nvsim_graph_leave(g, c);
	nvsim_gr_chan_destroy(c->context);
	c->context = NULL;
}

bool nvsim_graph_kick_off(struct nvsim_graph *g, uint64_t inst, uint64_t now)
{
	if (!g->cur || g->cur->inst != inst)
		return true;
	if (nvsim_graph_busy(g, now))
		return false;
	nvsim_graph_leave(g, g->cur);
	return true;
}

bool nvsim_graph_stopped(const struct nvsim_graph *g)
{
	return g->stalled || g->wedged || !(g->bus->reg[NV_PGRAPH_CTL / 4] & 1);
}

bool nvsim_graph_busy(const struct nvsim_graph *g, uint64_t now)
{
	return g->wedged || g->busy_until > now;
}

static bool trap_status(uint32_t off)
{
	switch (off) {
	case NV_PGRAPH_TRAP_DISPATCH:
	case NV_PGRAPH_TRAP_VFETCH:
	case NV_PGRAPH_TRAP_STRMOUT:
	case NV_PGRAPH_TRAP_UNKC04:
	case NV_PGRAPH_TRAP_CCACHE:
	case NV_PGRAPH_TRAP_M2MF:
		return true;
	default:
		if (off < 0x408000)
			return false;
		off &= 0xfff;
		return off == 0x314 || off == 0x900 || off == 0xe08;
	}
}

uint32_t nvsim_graph_read(struct nvsim_graph *g, uint32_t off)
{
	bool busy;

	switch (off) {
	case NV_PGRAPH_VSTATUS_0:
		/* VFETCH; the other two have nothing of their own to say */
		return nvsim_graph_busy(g, nvsim_now(g->bus)) ? 1 : 0;
	case NV_PGRAPH_VSTATUS_1:
	case NV_PGRAPH_VSTATUS_2:
		return 0;
	case NV_PGRAPH_STATUS:
		busy = nvsim_graph_busy(g, nvsim_now(g->bus));
		return busy || g->stalled ? 3 : 0;
	default:
		return g->bus->reg[off / 4];
	}
}

/* Who has the context that CTX_CUR names; NULL = it names none. */
static struct nvsim_graph_chan *loaded(struct nvsim_graph *g)
{
	uint32_t cur = g->bus->reg[NV_PGRAPH_CTX_CUR / 4];
	uint64_t inst = (uint64_t)(cur & 0x0fffffff) << 12;

	if (!(cur & 0x80000000))
		return NULL;
	if (g->cur && g->cur->inst == inst)
		return g->cur;
	if (g->host.inst != inst)
		nvsim_graph_unload(g, &g->host);
	g->bus->reg[NV_PGRAPH_CTX_CUR / 4] = cur;
	g->host.chid = NVSIM_NO_CHANNEL;
	g->host.inst = inst;
	g->cur = &g->host;
	return g->cur;
}

/*
 * DISPATCH takes what CMD_ADDR and CMD_DATA_LOW hold as soon as it can, and
 * CMD_ADDR loses its VALID (envytools: rnndb/graph/g80_pgraph/pgraph.xml; that
 * the host may put it there: hwtest/g80_gr.cc). Objects are given by their
 * place in the instance block >> 4.
 */
static void take_handed(struct nvsim_graph *g)
{
	uint32_t cmd = g->bus->reg[NV_PGRAPH_TRAP_STUCK / 4];
	struct nvsim_mthd m = { true, cmd >> 16 & 7, cmd & 0x1ffc,
				g->bus->reg[NV_PGRAPH_TRAP_STUCK / 4 + 1] };
	enum nvsim_graph_status status;
	struct nvsim_graph_chan *c;
	uint64_t now;

	g->handed_ns = NVSIM_NEVER;
	if (!g->handed || nvsim_graph_stopped(g))
		return;
	g->ops->kick(g->owner);		/* an idle GPU's time follows the clock */
	c = loaded(g);
	if (!c)
		return;
	if (!m.addr || (m.addr >= 0x180 && m.addr < 0x200))
		m.data = (m.data & 0xffff) << 4;
	now = nvsim_now(g->bus);
	status = g->event.valid ? NVSIM_GRAPH_EARLY : nvsim_graph_exec(g, c, &m, now);
	if (status == NVSIM_GRAPH_EARLY)
		g->handed_ns = g->bus->gpu_ns > now ? g->bus->gpu_ns : now + 1;
	if (status != NVSIM_GRAPH_DONE)
		return;
	g->handed = false;
	g->bus->reg[NV_PGRAPH_TRAP_STUCK / 4] &= 0x7fffffff;
	g->ops->kick(g->owner);
}

/* A unit's TRAP (envytools: rnndb/graph/g80_pgraph): bit 30 CLEAR, bit 31 ENABLE. */
static uint32_t trap_write(uint32_t had, uint32_t val)
{
	return (val & 0x80000000) | (val & 0x40000000 ? 0 : had & 0x3fffffff);
}

void nvsim_graph_write(struct nvsim_graph *g, uint32_t off, uint32_t val)
{
	switch (off) {
	case NV_PGRAPH_INTR:
	case NV_PGRAPH_TRAP:
		g->bus->reg[off / 4] &= ~val;
		return;
	case NV_PGRAPH_VSTATUS_0:
	case NV_PGRAPH_VSTATUS_1:
	case NV_PGRAPH_VSTATUS_2:
	case NV_PGRAPH_STATUS:
	case NV_PGRAPH_CTXPROG_DATA:
		return;
	case NV_PGRAPH_CTL:
		g->bus->reg[off / 4] = val;
		if ((val & 0x00010001) == 0x00010001)
			g->stalled = false;
		take_handed(g);
		g->ops->kick(g->owner);
		return;
	case NV_PGRAPH_TRAP_STUCK:
		g->bus->reg[off / 4] = val;
		g->handed = val & 0x80000000;
		take_handed(g);
		return;
	default:
		if (trap_status(off))
			val = trap_write(g->bus->reg[off / 4], val);
		g->bus->reg[off / 4] = val;
		return;
	}
}

static void event_apply(struct nvsim_graph *g, const struct nvsim_gr_event *e)
{
	const struct nvsim_gr_result *r = &e->r;
	uint32_t i, reg;

	g->bus->reg[NV_PGRAPH_CTX_CUR / 4] = 0x80000000 | e->inst >> 12;
	g->bus->reg[NV_PGRAPH_MTHD / 4] = r->mthd_addr;
	g->bus->reg[NV_PGRAPH_MTHD_DATA / 4] = r->mthd_data;
	g->bus->reg[0x400814 / 4] = r->mthd_class;
	if (r->intr & NVSIM_GR_INTR_DATA_ERROR)
		g->bus->reg[NV_PGRAPH_DATA_ERROR / 4] = r->data_error;
	if (r->intr & NVSIM_GR_INTR_TRAP) {
		g->bus->reg[NV_PGRAPH_TRAP / 4] |= r->trap;
		for (i = 0; i < r->trap_reg_count && i < NVSIM_GR_TRAP_REGS; i++) {
			reg = r->trap_regs[i].reg;
			if (trap_status(reg))
				g->bus->reg[reg / 4] |= r->trap_regs[i].val;
			else
				g->bus->reg[reg / 4] = r->trap_regs[i].val;
		}
	}
	g->bus->reg[NV_PGRAPH_INTR / 4] |= r->intr;
	g->stalled = true;
}

/* The method's time has passed: its interrupt shows, and PGRAPH stops. */
void nvsim_graph_raise(struct nvsim_graph *g)
{
	struct nvsim_gr_event *e = &g->event;
	struct nvsim_fault *f;
	uint32_t chid;

	e->valid = false;
	if (e->r.intr == NVSIM_GR_INTR_NOTIFY) {
		chid = g->cur ? g->cur->chid : NVSIM_NO_CHANNEL;
		g->notifies++;
		if (nvsim_fault_hit(g->faults, NVSIM_FAULT_LOST_NOTIFY, chid, g->notifies))
			return;
		f = nvsim_fault_hit(g->faults, NVSIM_FAULT_LATE_NOTIFY, chid, g->notifies);
		if (f) {
			g->late_event = *e;
			g->late_event.at_ns = e->at_ns + f->delay_ns;
			g->late_event.valid = true;
			return;
		}
	}
	event_apply(g, e);
}

void nvsim_graph_timer(struct nvsim_graph *g, uint64_t now)
{
	if (g->late_event.valid && g->late_event.at_ns <= now) {
		g->late_event.valid = false;
		event_apply(g, &g->late_event);
	}
	if (g->handed_ns <= now)
		take_handed(g);
}

uint64_t nvsim_graph_deadline(const struct nvsim_graph *g)
{
	uint64_t late = g->late_event.valid ? g->late_event.at_ns : NVSIM_NEVER;

	return late < g->handed_ns ? late : g->handed_ns;
}

static void context_switch(struct nvsim_graph *g, struct nvsim_graph_chan *c)
{
	if (g->cur == c)
		return;
	if (g->cur || g->bus->reg[NV_PGRAPH_CTX_CUR / 4])
		g->ops->charge(g->owner, c, nvsim_gr_switch_cost_ns());
	g->cur = c;
	g->bus->reg[NV_PGRAPH_CTX_CUR / 4] = 0x80000000 | c->inst >> 12;
}

/* Injected: M2MF reads a page that is not there, instead of this method. */
static void inject_page_fault(struct nvsim_graph *g, const struct nvsim_graph_chan *c,
			      const struct nvsim_mthd *m, struct nvsim_gr_result *r)
{
	const uint32_t va = 0xdead000;
	struct nvsim_vm vm = {
		.inst = c->inst,
		.engine = NVSIM_VM_ENGINE_PGRAPH,
		.client = NVSIM_VM_CLIENT_DISPATCH,
		.subclient = 4,
	};

	nvsim_mmu_raise(g->mmu, &vm, va, false, NVSIM_VM_PAGE_NOT_PRESENT);
	memset(r, 0, sizeof(*r));
	r->intr = NVSIM_GR_INTR_TRAP;
	r->trap = 0x002;
	r->trap_regs[0].reg = NV_PGRAPH_TRAP_M2MF;
	r->trap_regs[0].val = 0x2;
	r->trap_regs[1].reg = NV_PGRAPH_M2MF;
	r->trap_regs[1].val = va;
	r->trap_reg_count = 2;
	r->mthd_addr = (uint32_t)m->subc << 16 | m->addr;
	r->mthd_data = m->data;
	r->mthd_class = nvsim_gr_class(c->context, m->subc);
}

/* Faults aimed at this channel's current group; true = nothing may run now. */
static bool inject_stop(struct nvsim_graph *g, struct nvsim_graph_chan *c)
{
	uint32_t chid = c->chid;
	uint64_t group = c->releases + 1;

	if (nvsim_fault_hit(g->faults, NVSIM_FAULT_HANG, chid, group)) {
		nvsim_log(g->bus, "injected: group %llu of channel %u never completes",
			  (unsigned long long)group, chid);
		c->hung = true;
	}
	if (!g->wedged && nvsim_fault_hit(g->faults, NVSIM_FAULT_WEDGE, chid, group)) {
		nvsim_log(g->bus, "injected: PGRAPH wedges in group %llu of channel %u",
			  (unsigned long long)group, chid);
		g->wedged = true;
	}
	return c->hung || g->wedged;
}

static bool inject_page(struct nvsim_graph *g, struct nvsim_graph_chan *c)
{
	uint64_t group = c->releases + 1;

	if (c->faulted_group == group ||
	    !nvsim_fault_hit(g->faults, NVSIM_FAULT_PAGE, c->chid, group))
		return false;
	c->faulted_group = group;
	return true;
}

static void run(struct nvsim_graph *g, struct nvsim_graph_chan *c, const struct nvsim_mthd *m,
		struct nvsim_gr_result *r)
{
	if (g->faults->n && m->addr && inject_page(g, c))
		inject_page_fault(g, c, m, r);
	else if (!m->addr)
		nvsim_gr_bind(&g->gr, c->context, m->subc, m->data, r);
	else
		nvsim_gr_method(&g->gr, c->context, m->subc, m->addr, m->data, r);
}

enum nvsim_graph_status nvsim_graph_exec(struct nvsim_graph *g, struct nvsim_graph_chan *c,
					 const struct nvsim_mthd *m, uint64_t now)
{
	struct nvsim_gr_result r = { .cost_ns = 0 };

	if (g->faults->n && inject_stop(g, c))
		return c->hung ? NVSIM_GRAPH_HUNG : NVSIM_GRAPH_STOPPED;
	if (nvsim_graph_stopped(g))
		return NVSIM_GRAPH_STOPPED;
	if (!c->context)
		c->context = nvsim_gr_chan_create(c->inst);
	if (!c->context)
		return NVSIM_GRAPH_STOPPED;
	context_switch(g, c);
	if (g->bus->gpu_ns > now && nvsim_gr_method_visible(c->context, m->subc, m->addr))
		return NVSIM_GRAPH_EARLY;
	run(g, c, m, &r);
	g->ops->charge(g->owner, c, r.cost_ns < COST_MAX_NS ? r.cost_ns + !r.cost_ns : COST_MAX_NS);
	g->busy_until = g->bus->gpu_ns;
	if (r.intr) {
		g->event.r = r;
		g->event.inst = c->inst;
		g->event.at_ns = g->bus->gpu_ns;
		g->event.valid = true;
	}
	return NVSIM_GRAPH_DONE;
}
