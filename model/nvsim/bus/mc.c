// SPDX-License-Identifier: GPL-2.0-or-later
/* Sources: nouveau nvkm/subdev/{mc,bus,timer,gpio,clk}. */
#include "mc.h"

void nvsim_mc_init(struct nvsim_mc *mc, struct nvsim_bus *bus, const struct nvsim_mc_ops *ops,
		   void *owner)
{
	mc->bus = bus;
	mc->ops = ops;
	mc->owner = owner;
}

void nvsim_mc_reset(struct nvsim_mc *mc)
{
	struct nvsim_bus *bus = mc->bus;

	bus->ptimer_base = 0;
	mc->alarm_ns = NVSIM_NEVER;
	/* Vendor and device, class and revision, subsystem: as the bus shows them. */
	bus->reg[NV_PPCI / 4] = 0x061410de;
	bus->reg[NV_PPCI / 4 + 2] = 0x030000a2;
	bus->reg[NV_PPCI / 4 + 0x2c / 4] = 0x061410de;
}

static uint32_t pending(const struct nvsim_bus *bus)
{
	const uint32_t *r = bus->reg;
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

void nvsim_mc_update(struct nvsim_mc *mc)
{
	struct nvsim_bus *bus = mc->bus;
	bool level = pending(bus) && (bus->reg[NV_PMC_INTR_EN / 4] & 1);

	if (level == mc->irq)
		return;
	mc->irq = level;
	bus->outside++;
	bus->ops.set_irq(bus->host, level);
	bus->outside--;
}

/* The alarm compares the low word only: it comes round every 4.29 s. */
static void alarm_set(struct nvsim_mc *mc)
{
	struct nvsim_bus *bus = mc->bus;
	uint64_t now = nvsim_now(bus);
	uint32_t low = nvsim_ptimer_at(bus, now);
	uint32_t ahead = (bus->reg[NV_PTIMER_ALARM / 4] & ~31u) - low;

	mc->alarm_ns = now + (ahead ? ahead : 1ull << 32);
	/* now may lie up to 31 ns behind the step that PTIMER shows */
	mc->alarm_ns -= (now + bus->ptimer_base) & 31;
	if (mc->alarm_ns <= now)
		mc->alarm_ns = now + 1;
}

void nvsim_mc_timer(struct nvsim_mc *mc, uint64_t now)
{
	if (mc->alarm_ns > now)
		return;
	mc->bus->reg[NV_PTIMER_INTR / 4] |= 1;
	alarm_set(mc);
}

uint32_t nvsim_mc_read(struct nvsim_mc *mc, uint32_t off)
{
	struct nvsim_bus *bus = mc->bus;

	switch (off) {
	case NV_PMC_INTR:
		return pending(bus);
	case NV_PTIMER_TIME_0:
		return nvsim_ptimer_at(bus, nvsim_now(bus));
	case NV_PTIMER_TIME_1:
		return nvsim_ptimer_at(bus, nvsim_now(bus)) >> 32;
	case NV_PPEEPHOLE_FLUSH:
	case NV_PNVIO_GPIO_INTR_STAT_0:
	case NV_PNVIO_GPIO_INTR_STAT_1:
	case NV_PTHERM_INTR:
		return 0;
	default:
		return bus->reg[off / 4];
	}
}

/* PTIMER's part of a reset: its time starts when it is switched on. */
static void timer_reset(struct nvsim_mc *mc)
{
	mc->bus->ptimer_base = -nvsim_now(mc->bus);
	mc->alarm_ns = NVSIM_NEVER;
}

static void enable_write(struct nvsim_mc *mc, uint32_t val)
{
	struct nvsim_bus *bus = mc->bus;
	uint32_t had = bus->reg[NV_PMC_ENABLE / 4];

	bus->reg[NV_PMC_ENABLE / 4] = val;
	if ((had ^ val) & NV_ENABLE_PTIMER)
		timer_reset(mc);
	mc->ops->disable(mc->owner, had & ~val);
}

/* envytools, docs/hw/io/pstraps.rst: without bit 31 the board's straps are back. */
static uint32_t straps(uint32_t off, uint32_t val)
{
	return val & 0x80000000 ? val : nvsim_reg_find(off)->reset;
}

static void time_write(struct nvsim_mc *mc, uint64_t t)
{
	struct nvsim_bus *bus = mc->bus;

	bus->ptimer_base = t - nvsim_now(bus);
	if (mc->alarm_ns != NVSIM_NEVER)
		alarm_set(mc);
}

void nvsim_mc_write(struct nvsim_mc *mc, uint32_t off, uint32_t val)
{
	struct nvsim_bus *bus = mc->bus;
	uint64_t t;

	switch (off) {
	case NV_PMC_INTR:
		break;
	case NV_PMC_INTR_EN:
		/*
		 * The driver drops the line at the start of its handler and
		 * raises it again at the end: a new edge if more is pending.
		 */
		bus->reg[off / 4] = val & 3;
		break;
	case NV_PMC_ENABLE:
		enable_write(mc, val);
		break;
	case NV_PBUS_INTR:
	case NV_PTIMER_INTR:
		bus->reg[off / 4] &= ~val;
		break;
	case NV_PBUS_BAR_CHAN:
	case NV_PBUS_BAR1:
	case NV_PBUS_BAR3:
		bus->reg[off / 4] = val;
		mc->ops->bars_moved(mc->owner);
		break;
	case NV_PTIMER_TIME_0:
		t = nvsim_now(bus) + bus->ptimer_base;
		time_write(mc, (t & ~0xffffffffull) | val);
		break;
	case NV_PTIMER_TIME_1:
		t = nvsim_now(bus) + bus->ptimer_base;
		time_write(mc, (uint64_t)val << 32 | (uint32_t)t);
		break;
	case NV_PEXTDEV_STRAPS:
	case NV_PEXTDEV_STRAPS_1:
		bus->reg[off / 4] = straps(off, val);
		break;
	case NV_PTIMER_ALARM:
		bus->reg[off / 4] = val;
		alarm_set(mc);
		break;
	default:
		bus->reg[off / 4] = val;
		break;
	}
}
