// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * PGRAPH as the bus sees it: interrupt and trap registers, the stop after an
 * interrupt, dispatch control, status, whose context is loaded.  What the
 * methods do is gr.h's side.
 * Sources: nouveau nvkm/engine/gr/{nv50,g84,ctxnv50}.c.
 *
 * The context program that the driver uploads is not run: on a switch the
 * model just swaps its own per-channel state, shows the new context in
 * 0x40032c as the program would, and charges the switch's time.
 */
#include <string.h>

#include "../card.h"

#define PGRAPH_FIRST	0x400000u
#define PGRAPH_BYTES	0x010000u
/* No single method may claim more, however odd its arguments: 1 h. */
#define COST_MAX_NS	3600000000000ull

void nvsim_graph_reset(struct nvsim *s)
{
	memset(&s->reg[PGRAPH_FIRST / 4], 0, PGRAPH_BYTES);
	s->gr_cur = NULL;
	s->gr_stalled = false;
	s->gr_wedged = false;
	s->gr_event.valid = false;
	s->late_event.valid = false;
	s->gr_busy_until = 0;
}

void nvsim_graph_leave(struct nvsim *s, const struct nvsim_chan *c)
{
	if (s->gr_cur == c) {
		s->gr_cur = NULL;
		s->reg[NV_PGRAPH_CTX_CUR / 4] = 0;
	}
}

void nvsim_graph_unload(struct nvsim *s, struct nvsim_chan *c)
{
	nvsim_graph_leave(s, c);
	nvsim_gr_chan_destroy(c->gr);
	c->gr = NULL;
}

bool nvsim_graph_stopped(const struct nvsim *s)
{
	return s->gr_stalled || s->gr_wedged || !(s->reg[NV_PGRAPH_CTL / 4] & 1);
}

bool nvsim_graph_busy(const struct nvsim *s, uint64_t now)
{
	return s->gr_wedged || s->gr_busy_until > now;
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

uint32_t nvsim_graph_read(struct nvsim *s, uint32_t off)
{
	bool busy;

	switch (off) {
	case NV_PGRAPH_VSTATUS_0:
		/* VFETCH; the other two have nothing of their own to say */
		return nvsim_graph_busy(s, nvsim_now(s)) ? 1 : 0;
	case NV_PGRAPH_VSTATUS_1:
	case NV_PGRAPH_VSTATUS_2:
		return 0;
	case NV_PGRAPH_STATUS:
		busy = nvsim_graph_busy(s, nvsim_now(s));
		return busy || s->gr_stalled ? 3 : 0;
	default:
		return s->reg[off / 4];
	}
}

void nvsim_graph_write(struct nvsim *s, uint32_t off, uint32_t val)
{
	switch (off) {
	case NV_PGRAPH_INTR:
	case NV_PGRAPH_TRAP:
		s->reg[off / 4] &= ~val;
		return;
	case NV_PGRAPH_VSTATUS_0:
	case NV_PGRAPH_VSTATUS_1:
	case NV_PGRAPH_VSTATUS_2:
	case NV_PGRAPH_STATUS:
	case NV_PGRAPH_CTXPROG_DATA:
		return;
	case NV_PGRAPH_CTL:
		s->reg[off / 4] = val;
		if ((val & 0x00010001) == 0x00010001)
			s->gr_stalled = false;
		nvsim_sched_kick(s);
		return;
	default:
		if (trap_status(off) && (val & 0x80000000))
			val = 0;
		s->reg[off / 4] = val;
		return;
	}
}

static void event_apply(struct nvsim *s, const struct nvsim_gr_event *e)
{
	const struct nvsim_gr_result *r = &e->r;
	uint32_t i, reg;

	s->reg[NV_PGRAPH_CTX_CUR / 4] = 0x80000000 | e->inst >> 12;
	s->reg[NV_PGRAPH_MTHD / 4] = r->mthd_addr;
	s->reg[NV_PGRAPH_MTHD_DATA / 4] = r->mthd_data;
	s->reg[0x400814 / 4] = r->mthd_class;
	if (r->intr & NVSIM_GR_INTR_DATA_ERROR)
		s->reg[NV_PGRAPH_DATA_ERROR / 4] = r->data_error;
	if (r->intr & NVSIM_GR_INTR_TRAP) {
		s->reg[NV_PGRAPH_TRAP / 4] |= r->trap;
		for (i = 0; i < r->trap_reg_count && i < NVSIM_GR_TRAP_REGS; i++) {
			reg = r->trap_regs[i].reg;
			if (reg - PGRAPH_FIRST < PGRAPH_BYTES)
				s->reg[reg / 4] = r->trap_regs[i].val;
		}
	}
	s->reg[NV_PGRAPH_INTR / 4] |= r->intr;
	s->gr_stalled = true;
}

/* The method's time has passed: its interrupt shows, and PGRAPH stops. */
void nvsim_graph_raise(struct nvsim *s)
{
	struct nvsim_gr_event *e = &s->gr_event;
	struct nvsim_fault *f;
	uint32_t chid;

	e->valid = false;
	if (e->r.intr == NVSIM_GR_INTR_NOTIFY) {
		chid = s->gr_cur ? s->gr_cur - s->chan : NVSIM_NO_CHANNEL;
		s->notifies++;
		if (nvsim_fault_hit(s, NVSIM_FAULT_LOST_NOTIFY, chid, s->notifies))
			return;
		f = nvsim_fault_hit(s, NVSIM_FAULT_LATE_NOTIFY, chid, s->notifies);
		if (f) {
			s->late_event = *e;
			s->late_event.at_ns = e->at_ns + f->delay_ns;
			s->late_event.valid = true;
			return;
		}
	}
	event_apply(s, e);
}

void nvsim_graph_timer(struct nvsim *s, uint64_t now)
{
	if (s->late_event.valid && s->late_event.at_ns <= now) {
		s->late_event.valid = false;
		event_apply(s, &s->late_event);
	}
	if (s->late_nonstall_ns <= now) {
		s->late_nonstall_ns = NVSIM_NEVER;
		s->reg[NV_PFIFO_INTR / 4] |= NV_PFIFO_INTR_NONSTALL;
	}
}

static void context_switch(struct nvsim *s, struct nvsim_chan *c)
{
	if (s->gr_cur == c)
		return;
	if (s->gr_cur || s->reg[NV_PGRAPH_CTX_CUR / 4])
		nvsim_sched_charge(s, c, nvsim_gr_switch_cost_ns());
	s->gr_cur = c;
	s->reg[NV_PGRAPH_CTX_CUR / 4] = 0x80000000 | c->inst >> 12;
}

/* Injected: M2MF reads a page that is not there, instead of this method. */
static void inject_page_fault(struct nvsim *s, struct nvsim_chan *c, uint32_t data,
			      struct nvsim_gr_result *r)
{
	const uint32_t va = 0xdead000;
	struct nvsim_vm vm = {
		.inst = c->inst,
		.engine = NVSIM_VM_ENGINE_PGRAPH,
		.client = NVSIM_VM_CLIENT_DISPATCH,
		.subclient = 4,
	};

	nvsim_mmu_raise(s, &vm, va, false, NVSIM_VM_PAGE_NOT_PRESENT);
	memset(r, 0, sizeof(*r));
	r->intr = NVSIM_GR_INTR_TRAP;
	r->trap = 0x002;
	r->trap_regs[0].reg = NV_PGRAPH_TRAP_M2MF;
	r->trap_regs[0].val = 0x80000002;
	r->trap_regs[1].reg = NV_PGRAPH_M2MF;
	r->trap_regs[1].val = va;
	r->trap_reg_count = 2;
	r->mthd_addr = (uint32_t)c->pend.subc << 16 | c->pend.addr;
	r->mthd_data = data;
	r->mthd_class = nvsim_gr_class(c->gr, c->pend.subc);
}

/* Faults aimed at this channel's current group; true = nothing may run now. */
static bool inject_stop(struct nvsim *s, struct nvsim_chan *c)
{
	uint32_t chid = c - s->chan;
	uint64_t group = c->releases + 1;

	if (nvsim_fault_hit(s, NVSIM_FAULT_HANG, chid, group)) {
		nvsim_log(s, "injected: group %llu of channel %u never completes",
			  (unsigned long long)group, chid);
		c->hung = true;
	}
	if (!s->gr_wedged && nvsim_fault_hit(s, NVSIM_FAULT_WEDGE, chid, group)) {
		nvsim_log(s, "injected: PGRAPH wedges in group %llu of channel %u",
			  (unsigned long long)group, chid);
		s->gr_wedged = true;
	}
	return c->hung || s->gr_wedged;
}

static bool inject_page(struct nvsim *s, struct nvsim_chan *c)
{
	uint64_t group = c->releases + 1;

	if (c->faulted_group == group ||
	    !nvsim_fault_hit(s, NVSIM_FAULT_PAGE, c - s->chan, group))
		return false;
	c->faulted_group = group;
	return true;
}

/* data: c->pend's, with handles already translated to instance offsets. */
enum nvsim_step nvsim_graph_exec(struct nvsim *s, struct nvsim_chan *c, uint32_t data,
				 uint64_t now)
{
	const struct nvsim_mthd *m = &c->pend;
	struct nvsim_gr_result r = { .cost_ns = 0 };

	if (s->faults && inject_stop(s, c))
		return c->hung ? NVSIM_STEP_BLOCKED : NVSIM_STEP_STALLED;
	if (nvsim_graph_stopped(s))
		return NVSIM_STEP_STALLED;
	if (!c->gr)
		c->gr = nvsim_gr_chan_create(c->inst);
	if (!c->gr)
		return NVSIM_STEP_STALLED;
	context_switch(s, c);
	if (s->gpu_ns > now && nvsim_gr_method_visible(c->gr, m->subc, m->addr))
		return NVSIM_STEP_SETTLE;
	if (s->faults && m->addr && inject_page(s, c))
		inject_page_fault(s, c, data, &r);
	else if (!m->addr)
		nvsim_gr_bind(&s->gr, c->gr, m->subc, data, &r);
	else
		nvsim_gr_method(&s->gr, c->gr, m->subc, m->addr, data, &r);
	c->pend.valid = false;
	nvsim_sched_charge(s, c, r.cost_ns < COST_MAX_NS ? r.cost_ns + !r.cost_ns : COST_MAX_NS);
	s->gr_busy_until = s->gpu_ns;
	if (r.intr) {
		s->gr_event.r = r;
		s->gr_event.inst = c->inst;
		s->gr_event.at_ns = s->gpu_ns;
		s->gr_event.valid = true;
	}
	return NVSIM_STEP_DONE;
}
