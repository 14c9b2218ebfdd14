// SPDX-License-Identifier: GPL-2.0-or-later
/* The card as a whole: creation, reset, BAR dispatch, the one timer. */
#include "nvsim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bus/bits.h"
#include "card.h"

_Static_assert(NVSIM_MMIO_BYTES == NV_BAR0_BYTES, "the registers are BAR0");

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The host's timer goes off at the first of the units' deadlines. */
static void timer_update(struct nvsim *s)
{
	uint64_t t = sooner(nvsim_fifo_deadline(&s->fifo), s->mc.alarm_ns);

	t = sooner(t, nvsim_graph_deadline(&s->graph));
	if (t != s->timer_ns) {
		s->timer_ns = t;
		s->bus.ops.set_timer(s->bus.host, t);
	}
}

/* After anything that may have changed the units. */
static void update(struct nvsim *s)
{
	nvsim_mc_update(&s->mc);
	timer_update(s);
}

void nvsim_timer(struct nvsim *s)
{
	uint64_t now;

	if (s->bus.outside)
		return;
	now = nvsim_now(&s->bus);
	/* The host's timer is spent: the next deadline is always set anew. */
	s->timer_ns = NVSIM_NEVER - 1;
	nvsim_mc_timer(&s->mc, now);
	nvsim_graph_timer(&s->graph, now);
	nvsim_fifo_timer(&s->fifo, now);
	update(s);
}

/* Where the units are that PMC_ENABLE can take away (envytools: docs/hw/mmio.rst). */
static const struct aperture {
	uint32_t unit, first, bytes;
} apertures[] = {
	{ NV_ENABLE_PFIFO, 0x002000, 0x2000 },
	{ NV_ENABLE_PTIMER, 0x009000, 0x1000 },
	{ NV_ENABLE_PFIFO, 0x090000, 0x1000 },
	{ NV_ENABLE_PFB, 0x100000, 0x1000 },
	{ NV_ENABLE_PGRAPH, 0x400000, 0x10000 },
};

static void mc_disable(void *owner, uint32_t units)
{
	struct nvsim *s = owner;
	size_t i;

	for (i = 0; i < NVSIM_ARRAY_SIZE(apertures); i++)
		if (apertures[i].unit & units)
			nvsim_bus_reset_range(&s->bus, apertures[i].first, apertures[i].bytes);
	if (units & NV_ENABLE_PGRAPH)
		nvsim_graph_reset(&s->graph);
	if (units & NV_ENABLE_PFIFO)
		nvsim_fifo_reset(&s->fifo);
	if (units & NV_ENABLE_PFB)
		nvsim_mem_reset(&s->mem);
}

/*
 * A disabled unit is not in MMIO (envytools: docs/hw/bus/pmc.rst). What a read
 * of it gives is not said: 0 here.
 */
static bool absent(const struct nvsim *s, uint32_t off)
{
	uint32_t enabled = s->bus.reg[NV_PMC_ENABLE / 4];
	size_t i;

	for (i = 0; i < NVSIM_ARRAY_SIZE(apertures); i++)
		if (off - apertures[i].first < apertures[i].bytes)
			return !(enabled & apertures[i].unit);
	return false;
}

static void mc_bars_moved(void *owner)
{
	struct nvsim *s = owner;

	nvsim_mem_flush(&s->mem);
}

static const struct nvsim_mc_ops mc_ops = {
	.disable = mc_disable,
	.bars_moved = mc_bars_moved,
};

static const char *open_logs(struct nvsim *s, const struct nvsim_config *config)
{
	if (config->reglog_path && *config->reglog_path) {
		s->reglog = fopen(config->reglog_path, "w");
		if (!s->reglog)
			return "cannot open the register log";
	}
	if (config->gpulog_path && *config->gpulog_path &&
	    !nvsim_occupancy_open(&s->fifo.sched.occupancy, config->gpulog_path))
		return "cannot open the GPU occupancy log";
	if (config->report_path && *config->report_path) {
		s->report_path = strdup(config->report_path);
		if (!s->report_path)
			return "out of memory";
	}
	return NULL;
}

static const char *check_config(const struct nvsim_config *config, uint64_t vram)
{
	const struct nvsim_ops *ops = config->ops;

	if (!ops || !ops->now_ns || !ops->set_irq || !ops->set_timer || !ops->dma_read ||
	    !ops->dma_write)
		return "a callback is missing";
	if (vram < (16u << 20) || vram > (512u << 20) || (vram & (vram - 1)))
		return "VRAM must be a power of two from 16 to 512 MiB";
	return NULL;
}

/* The units, each after those that it stands on. */
static bool init_units(struct nvsim *s, const struct nvsim_config *config, uint64_t vram)
{
	const struct nvsim_graph_config graph = {
		.bus = &s->bus,
		.mmu = &s->mem.mmu,
		.faults = &s->faults,
		.ops = &nvsim_sched_graph_ops,
		.owner = &s->fifo.sched,
	};

	nvsim_mc_init(&s->mc, &s->bus, &mc_ops, s);
	nvsim_graph_init(&s->graph, &graph);
	nvsim_fifo_init(&s->fifo, &s->bus, &s->mem, &s->graph, &s->faults);
	return nvsim_bus_init(&s->bus, config->ops, config->host) &&
	       nvsim_report_init(&s->report, &s->bus) &&
	       nvsim_mem_init(&s->mem, &s->bus, vram);
}

struct nvsim *nvsim_create(const struct nvsim_config *config, const char **err)
{
	uint64_t vram = config->vram_bytes ? config->vram_bytes : 512u << 20;
	const char *why = check_config(config, vram);
	struct nvsim *s = NULL;

	if (why)
		goto fail;
	why = "out of memory";
	s = calloc(1, sizeof(*s));
	if (!s || !init_units(s, config, vram))
		goto fail;
	if (!nvsim_fault_parse(&s->faults, config->fault, &why))
		goto fail;
	why = open_logs(s, config);
	if (why)
		goto fail;
	nvsim_vbios_build(s->vbios);
	s->timer_ns = NVSIM_NEVER;
	nvsim_reset(s);
	return s;
fail:
	if (err)
		*err = why;
	nvsim_destroy(s);
	return NULL;
}

void nvsim_destroy(struct nvsim *s)
{
	if (!s)
		return;
	if (s->report_path && s->bus.reg)
		nvsim_report(s, s->report_path);
	nvsim_fifo_fini(&s->fifo);
	nvsim_graph_fini(&s->graph);
	if (s->reglog)
		fclose(s->reglog);
	nvsim_mem_fini(&s->mem);
	nvsim_report_fini(&s->report);
	nvsim_bus_fini(&s->bus);
	free(s->report_path);
	free(s);
}

void nvsim_reset(struct nvsim *s)
{
	if (s->bus.outside)
		return;
	nvsim_bus_reset(&s->bus);
	nvsim_mc_reset(&s->mc);
	nvsim_mem_reset(&s->mem);
	nvsim_graph_reset(&s->graph);
	nvsim_fifo_reset(&s->fifo);
	nvsim_fifo_forget(&s->fifo);
	nvsim_sched_reset(&s->fifo.sched);
	update(s);
}

static void print_method(void *opaque, uint16_t class_id, uint32_t mthd, const char *what,
			 uint64_t count)
{
	fprintf(opaque, "method %04x %04x %10llu  %s\n", class_id, mthd,
		(unsigned long long)count, what ? what : "-");
}

int nvsim_report(struct nvsim *s, const char *path)
{
	FILE *f = fopen(path, "w");
	unsigned int unknown;
	bool bad;

	if (!f)
		return -errno;
	fprintf(f, "# nvsim: what the guest did that the model does not do\n");
	unknown = nvsim_report_print(&s->report, f);
	fprintf(f, "# method CLASS METHOD COUNT: accepted but without effect, or refused\n");
	nvsim_gr_report(&s->graph.gr, print_method, f);
	nvsim_fault_print(&s->faults, f);
	fprintf(f, "# %u unknown registers\n", unknown);
	bad = ferror(f);
	if (fclose(f) || bad)
		return -EIO;
	return 0;
}

const uint8_t *nvsim_vbios(struct nvsim *s, size_t *bytes)
{
	*bytes = sizeof(s->vbios);
	return s->vbios;
}

static uint32_t prom_read(struct nvsim *s, uint32_t off)
{
	off -= NV_PROM;
	return off < sizeof(s->vbios) ? nvsim_ld32(s->vbios + off) : 0xffffffff;
}

/* off is a multiple of 4. */
static uint32_t reg_read(struct nvsim *s, uint32_t off)
{
	if (off >= NV_USERD && off < NV_USERD_END)
		return nvsim_userd_read(&s->fifo, off - NV_USERD);
	if (off >= NV_PROM && off < NV_PROM + NV_PROM_BYTES)
		return prom_read(s, off);
	if (absent(s, off))
		return 0;
	switch (off >> 12) {
	case 0x002:
	case 0x003:
	case 0x090:
		return nvsim_fifo_read(&s->fifo, off);
	case 0x100:
		return nvsim_mem_reg_read(&s->mem, off);
	case 0x400 ... 0x40f:
		return nvsim_graph_read(&s->graph, off);
	default:
		return nvsim_mc_read(&s->mc, off);
	}
}

static void reg_write(struct nvsim *s, uint32_t off, uint32_t val)
{
	const struct nvsim_reg_desc *d;

	if (off >= NV_USERD && off < NV_USERD_END) {
		nvsim_userd_write(&s->fifo, off - NV_USERD, val);
		update(s);
		return;
	}
	if (off >= NV_PROM && off < NV_PROM + NV_PROM_BYTES)
		return;
	d = nvsim_reg_find(off);
	if ((d && d->kind == 'O') || absent(s, off))
		return;
	val &= nvsim_reg_mask(off);
	switch (off >> 12) {
	case 0x002:
	case 0x003:
	case 0x090:
		nvsim_fifo_write(&s->fifo, off, val);
		break;
	case 0x100:
		nvsim_mem_reg_write(&s->mem, off, val);
		break;
	case 0x400 ... 0x40f:
		nvsim_graph_write(&s->graph, off, val);
		break;
	default:
		nvsim_mc_write(&s->mc, off, val);
		break;
	}
	update(s);
}

static void reglog(struct nvsim *s, char dir, uint32_t off, uint32_t val)
{
	if (s->reglog)
		fprintf(s->reglog, "%llu %c %06x %08x\n",
			(unsigned long long)nvsim_now(&s->bus), dir, off, val);
}

static uint32_t mmio_read32(struct nvsim *s, uint32_t off)
{
	uint32_t val;

	if (off >= NV_PRAMIN && off < NV_PRAMIN + NV_PRAMIN_BYTES) {
		val = nvsim_mem_pramin_read(&s->mem, off, 4);
	} else {
		val = reg_read(s, off);
		nvsim_report_access(&s->report, off, val, false);
	}
	reglog(s, 'R', off, val);
	return val;
}

static void mmio_write32(struct nvsim *s, uint32_t off, uint32_t val)
{
	reglog(s, 'W', off, val);
	if (off >= NV_PRAMIN && off < NV_PRAMIN + NV_PRAMIN_BYTES) {
		nvsim_mem_pramin_write(&s->mem, off, val, 4);
		return;
	}
	nvsim_report_access(&s->report, off, val, true);
	reg_write(s, off, val);
}

static bool bad_access(const struct nvsim *s, uint32_t off, unsigned int size, uint32_t bar)
{
	return s->bus.outside || (size != 1 && size != 2 && size != 4 && size != 8) ||
	       off >= bar || bar - off < size;
}

/* Registers have no unaligned accesses; memory behind a BAR does. */
static bool bad_register(const struct nvsim *s, uint32_t off, unsigned int size)
{
	return bad_access(s, off, size, NVSIM_MMIO_BYTES) || (off & (size - 1));
}

uint64_t nvsim_mmio_read(struct nvsim *s, uint32_t off, unsigned int size)
{
	uint32_t val;

	if (bad_register(s, off, size))
		return ~0ull;
	if (size == 8) {
		val = mmio_read32(s, off);
		return (uint64_t)mmio_read32(s, off + 4) << 32 | val;
	}
	val = mmio_read32(s, off & ~3u) >> (8 * (off & 3));
	return size == 4 ? val : val & ((1u << (8 * size)) - 1);
}

/*
 * A narrow write is merged with the stored word: only the VGA CRTC is
 * written that way, and PRAMIN, which is memory.
 */
void nvsim_mmio_write(struct nvsim *s, uint32_t off, uint64_t val, unsigned int size)
{
	uint32_t mask, shift;

	if (bad_register(s, off, size))
		return;
	if (size == 8) {
		mmio_write32(s, off, val);
		mmio_write32(s, off + 4, val >> 32);
		return;
	}
	if (size < 4) {
		if (off >= NV_PRAMIN && off < NV_PRAMIN + NV_PRAMIN_BYTES) {
			reglog(s, 'W', off, val);
			nvsim_mem_pramin_write(&s->mem, off, val, size);
			return;
		}
		shift = 8 * (off & 3);
		mask = ((1u << (8 * size)) - 1) << shift;
		off &= ~3u;
		val = (s->bus.reg[off / 4] & ~mask) | ((uint32_t)val << shift & mask);
	}
	mmio_write32(s, off, val);
}

uint64_t nvsim_bar1_read(struct nvsim *s, uint32_t off, unsigned int size)
{
	if (bad_access(s, off, size, NVSIM_BAR1_BYTES))
		return ~0ull;
	return nvsim_bar_read(&s->mem.bar1, off, size);
}

void nvsim_bar1_write(struct nvsim *s, uint32_t off, uint64_t val, unsigned int size)
{
	if (!bad_access(s, off, size, NVSIM_BAR1_BYTES))
		nvsim_bar_write(&s->mem.bar1, off, val, size);
}

uint64_t nvsim_bar3_read(struct nvsim *s, uint32_t off, unsigned int size)
{
	if (bad_access(s, off, size, NVSIM_BAR3_BYTES))
		return ~0ull;
	return nvsim_bar_read(&s->mem.bar3, off, size);
}

void nvsim_bar3_write(struct nvsim *s, uint32_t off, uint64_t val, unsigned int size)
{
	if (!bad_access(s, off, size, NVSIM_BAR3_BYTES))
		nvsim_bar_write(&s->mem.bar3, off, val, size);
}
