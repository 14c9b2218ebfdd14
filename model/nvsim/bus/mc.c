// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The small units: PMC (interrupt tree, unit enables), PBUS, PTIMER, GPIO,
 * clocks, fuses.  Sources: nouveau nvkm/subdev/{mc,bus,timer,gpio,clk}.
 */
#include <string.h>

#include "../card.h"

#define ENABLE_PFIFO	0x00000100u
#define ENABLE_PGRAPH	0x00001000u

/* PTIMER counts in steps of 32 ns. */
uint64_t nvsim_ptimer_at(const struct nvsim *s, uint64_t virt_ns)
{
	return (virt_ns + s->ptimer_base) & ~31ull;
}

uint64_t nvsim_gpu_time_ns(struct nvsim *s)
{
	return nvsim_ptimer_at(s, s->gpu_ns);
}

void nvsim_mc_reset(struct nvsim *s)
{
	s->ptimer_base = 0;
	s->alarm_ns = NVSIM_NEVER;
	/* Vendor and device, class and revision, subsystem: as the bus shows them. */
	s->reg[NV_PPCI / 4] = 0x061410de;
	s->reg[NV_PPCI / 4 + 2] = 0x030000a2;
	s->reg[NV_PPCI / 4 + 0x2c / 4] = 0x061410de;
}

static uint32_t pending(const struct nvsim *s)
{
	const uint32_t *r = s->reg;
	uint32_t v = 0;

	if (r[NV_PFIFO_INTR / 4] & r[NV_PFIFO_INTR_EN / 4])
		v |= NV_INTR_PFIFO;
	if (r[NV_PGRAPH_INTR / 4] & r[NV_PGRAPH_INTR_EN / 4])
		v |= NV_INTR_PGRAPH;
	if (r[NV_PTIMER_INTR / 4] & r[NV_PTIMER_INTR_EN / 4])
		v |= NV_INTR_PTIMER;
	if (r[NV_PBUS_INTR / 4] & r[NV_PBUS_INTR_EN / 4])
		v |= NV_INTR_PBUS;
	return v;
}

void nvsim_irq_update(struct nvsim *s)
{
	bool level = pending(s) && (s->reg[NV_PMC_INTR_EN / 4] & 1);

	if (level == s->irq)
		return;
	s->irq = level;
	s->outside++;
	s->ops.set_irq(s->host, level);
	s->outside--;
}

/* The alarm compares the low word only: it comes round every 4.29 s. */
static void alarm_set(struct nvsim *s)
{
	uint64_t now = nvsim_now(s);
	uint32_t ahead = (s->reg[NV_PTIMER_ALARM / 4] & ~31u) - (uint32_t)nvsim_ptimer_at(s, now);

	s->alarm_ns = now + (ahead ? ahead : 1ull << 32);
	/* now may lie up to 31 ns behind the step that PTIMER shows */
	s->alarm_ns -= (now + s->ptimer_base) & 31;
	if (s->alarm_ns <= now)
		s->alarm_ns = now + 1;
}

void nvsim_mc_timer(struct nvsim *s, uint64_t now)
{
	if (s->alarm_ns > now)
		return;
	s->reg[NV_PTIMER_INTR / 4] |= 1;
	alarm_set(s);
}

uint32_t nvsim_mc_read(struct nvsim *s, uint32_t off)
{
	switch (off) {
	case NV_PMC_INTR:
		return pending(s);
	case NV_PTIMER_TIME_0:
		return nvsim_ptimer_at(s, nvsim_now(s));
	case NV_PTIMER_TIME_1:
		return nvsim_ptimer_at(s, nvsim_now(s)) >> 32;
	case NV_PPEEPHOLE_FLUSH:
	case NV_PNVIO_GPIO_INTR_STAT_0:
	case NV_PNVIO_GPIO_INTR_STAT_1:
	case NV_PTHERM_INTR:
		return 0;
	default:
		return s->reg[off / 4];
	}
}

static void enable_write(struct nvsim *s, uint32_t val)
{
	uint32_t off = s->reg[NV_PMC_ENABLE / 4] & ~val;

	s->reg[NV_PMC_ENABLE / 4] = val;
	if (off & ENABLE_PGRAPH)
		nvsim_graph_reset(s);
	if (off & ENABLE_PFIFO)
		nvsim_fifo_reset(s);
}

static void time_write(struct nvsim *s, uint64_t t)
{
	s->ptimer_base = t - nvsim_now(s);
	if (s->alarm_ns != NVSIM_NEVER)
		alarm_set(s);
}

void nvsim_mc_write(struct nvsim *s, uint32_t off, uint32_t val)
{
	uint64_t t;

	switch (off) {
	case NV_PMC_INTR:
		break;
	case NV_PMC_INTR_EN:
		/*
		 * The driver drops the line at the start of its handler and
		 * raises it again at the end: a new edge if more is pending.
		 */
		s->reg[off / 4] = val & 3;
		break;
	case NV_PMC_ENABLE:
		enable_write(s, val);
		break;
	case NV_PBUS_INTR:
	case NV_PTIMER_INTR:
		s->reg[off / 4] &= ~val;
		break;
	case NV_PBUS_BAR_CHAN:
	case NV_PBUS_BAR1:
	case NV_PBUS_BAR3:
		s->reg[off / 4] = val;
		nvsim_mmu_flush(s);
		break;
	case NV_PTIMER_TIME_0:
		t = nvsim_now(s) + s->ptimer_base;
		time_write(s, (t & ~0xffffffffull) | val);
		break;
	case NV_PTIMER_TIME_1:
		t = nvsim_now(s) + s->ptimer_base;
		time_write(s, (uint64_t)val << 32 | (uint32_t)t);
		break;
	case NV_PTIMER_ALARM:
		s->reg[off / 4] = val;
		alarm_set(s);
		break;
	default:
		s->reg[off / 4] = val;
		break;
	}
}
