// SPDX-License-Identifier: GPL-2.0-or-later
/* The card as a whole: creation, reset, BAR dispatch, the one timer. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "card.h"

#define NVSIM_LOG_LINES 1000

void nvsim_log(struct nvsim *s, const char *fmt, ...)
{
	char line[256];
	va_list ap;

	if (!s->ops.log || s->log_lines > NVSIM_LOG_LINES)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	if (s->log_lines++ == NVSIM_LOG_LINES)
		strcpy(line, "too many messages; no more are shown");
	s->ops.log(s->host, line);
}

/*
 * The guest may aim the card's DMA, or its MSI address, at the card's own
 * BARs.  What then comes back in while s->outside is set gets no answer.
 */
bool nvsim_dma_read(struct nvsim *s, uint64_t addr, void *buf, size_t len)
{
	bool ok;

	s->outside++;
	ok = s->ops.dma_read(s->host, addr, buf, len);
	s->outside--;
	if (!ok)
		memset(buf, 0xff, len);
	return ok;
}

bool nvsim_dma_write(struct nvsim *s, uint64_t addr, const void *buf, size_t len)
{
	bool ok;

	s->outside++;
	ok = s->ops.dma_write(s->host, addr, buf, len);
	s->outside--;
	return ok;
}

void nvsim_timer_update(struct nvsim *s)
{
	uint64_t t = s->run_ns;

	if (s->alarm_ns < t)
		t = s->alarm_ns;
	if (s->late_event.valid && s->late_event.at_ns < t)
		t = s->late_event.at_ns;
	if (s->late_nonstall_ns < t)
		t = s->late_nonstall_ns;
	if (t != s->timer_ns) {
		s->timer_ns = t;
		s->ops.set_timer(s->host, t);
	}
}

void nvsim_timer(struct nvsim *s)
{
	uint64_t now;

	if (s->outside)
		return;
	now = nvsim_now(s);
	/* The host's timer is spent: the next deadline is always set anew. */
	s->timer_ns = NVSIM_NEVER - 1;
	nvsim_mc_timer(s, now);
	nvsim_graph_timer(s, now);
	if (s->run_ns <= now)
		nvsim_sched_kick(s);
	nvsim_irq_update(s);
	nvsim_timer_update(s);
}

static const char *open_logs(struct nvsim *s, const struct nvsim_config *config)
{
	if (config->reglog_path && *config->reglog_path) {
		s->reglog = fopen(config->reglog_path, "w");
		if (!s->reglog)
			return "cannot open the register log";
	}
	if (config->gpulog_path && *config->gpulog_path) {
		s->gpulog = fopen(config->gpulog_path, "w");
		if (!s->gpulog)
			return "cannot open the GPU occupancy log";
		fputs("# nvsim occupancy 1\n"
		      "# chan SERIAL CHID INSTANCE VIRT_NS PTIMER_NS   activated\n"
		      "# run SERIAL CHID START_VIRT_NS END_VIRT_NS BUSY_NS   busy without gap; "
		      "BUSY_NS counts from activation\n", s->gpulog);
	}
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

struct nvsim *nvsim_create(const struct nvsim_config *config, const char **err)
{
	uint64_t vram = config->vram_bytes ? config->vram_bytes : 512u << 20;
	const char *why = check_config(config, vram);
	struct nvsim *s = NULL;

	if (why)
		goto fail;
	why = "out of memory";
	s = calloc(1, sizeof(*s));
	if (!s)
		goto fail;
	s->ops = *config->ops;
	s->host = config->host;
	s->vram_bytes = vram;
	s->reg = calloc(NVSIM_MMIO_BYTES / 4, sizeof(*s->reg));
	s->miss_rd = calloc(NVSIM_MMIO_BYTES / 4, sizeof(*s->miss_rd));
	s->miss_wr = calloc(NVSIM_MMIO_BYTES / 4, sizeof(*s->miss_wr));
	if (!s->reg || !s->miss_rd || !s->miss_wr || !nvsim_fb_init(s))
		goto fail;
	if (!nvsim_fault_parse(s, config->fault, &why))
		goto fail;
	why = open_logs(s, config);
	if (why)
		goto fail;
	nvsim_gr_init(&s->gr, s);
	nvsim_vbios_build(s->vbios);
	s->timer_ns = NVSIM_NEVER;
	s->late_nonstall_ns = NVSIM_NEVER;
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
	unsigned int i;

	if (!s)
		return;
	if (s->report_path && s->reg)
		nvsim_report(s, s->report_path);
	for (i = 0; i < NVSIM_CHANNELS; i++)
		nvsim_graph_unload(s, &s->chan[i]);
	nvsim_fifo_forget(s);
	nvsim_sched_log_flush(s);
	if (s->reglog)
		fclose(s->reglog);
	if (s->gpulog)
		fclose(s->gpulog);
	nvsim_fb_fini(s);
	free(s->report_path);
	free(s->miss_wr);
	free(s->miss_rd);
	free(s->reg);
	free(s);
}

void nvsim_reset(struct nvsim *s)
{
	const struct nvsim_reg_desc *d;
	uint32_t i;
	size_t n;

	if (s->outside)
		return;
	memset(s->reg, 0, NVSIM_MMIO_BYTES);
	for (d = nvsim_reg_table(&n); n--; d++)
		for (i = 0; i < d->count; i++)
			s->reg[(d->off + i * d->stride) / 4] = d->reset;
	nvsim_mc_reset(s);
	nvsim_mmu_flush(s);
	s->vm_fault = false;
	nvsim_graph_reset(s);
	nvsim_fifo_reset(s);
	nvsim_fifo_forget(s);
	nvsim_sched_reset(s);
	nvsim_irq_update(s);
	nvsim_timer_update(s);
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

static uint64_t pramin_addr(struct nvsim *s, uint32_t off)
{
	return ((uint64_t)(s->reg[NV_PBUS_PRAMIN / 4] & 0x00ffffff) << 16) + (off - NV_PRAMIN);
}

/* off is a multiple of 4. */
static uint32_t reg_read(struct nvsim *s, uint32_t off)
{
	if (off >= NV_USERD && off < NV_USERD_END)
		return nvsim_userd_read(s, off - NV_USERD);
	if (off >= NV_PROM && off < NV_PROM + NV_PROM_BYTES)
		return prom_read(s, off);
	switch (off >> 12) {
	case 0x002:
	case 0x003:
	case 0x090:
		return nvsim_fifo_read(s, off);
	case 0x100:
		return nvsim_fb_read(s, off);
	case 0x400 ... 0x40f:
		return nvsim_graph_read(s, off);
	default:
		return nvsim_mc_read(s, off);
	}
}

static void reg_write(struct nvsim *s, uint32_t off, uint32_t val)
{
	const struct nvsim_reg_desc *d;

	if (off >= NV_USERD && off < NV_USERD_END) {
		nvsim_userd_write(s, off - NV_USERD, val);
		return;
	}
	if (off >= NV_PROM && off < NV_PROM + NV_PROM_BYTES)
		return;
	d = nvsim_reg_find(off);
	if (d && d->kind == 'O')
		return;
	switch (off >> 12) {
	case 0x002:
	case 0x003:
	case 0x090:
		nvsim_fifo_write(s, off, val);
		break;
	case 0x100:
		nvsim_fb_write(s, off, val);
		break;
	case 0x400 ... 0x40f:
		nvsim_graph_write(s, off, val);
		break;
	default:
		nvsim_mc_write(s, off, val);
		break;
	}
	nvsim_irq_update(s);
	nvsim_timer_update(s);
}

static void reglog(struct nvsim *s, char dir, uint32_t off, uint32_t val)
{
	if (s->reglog)
		fprintf(s->reglog, "%llu %c %06x %08x\n", (unsigned long long)nvsim_now(s), dir,
			off, val);
}

static uint32_t mmio_read32(struct nvsim *s, uint32_t off)
{
	uint32_t val;

	if (off >= NV_PRAMIN && off < NV_PRAMIN + NV_PRAMIN_BYTES) {
		val = nvsim_vram_read(s, pramin_addr(s, off), 4);
	} else {
		val = reg_read(s, off);
		nvsim_report_access(s, off, val, false);
	}
	reglog(s, 'R', off, val);
	return val;
}

static void mmio_write32(struct nvsim *s, uint32_t off, uint32_t val)
{
	reglog(s, 'W', off, val);
	if (off >= NV_PRAMIN && off < NV_PRAMIN + NV_PRAMIN_BYTES) {
		nvsim_vram_write(s, pramin_addr(s, off), val, 4);
		return;
	}
	nvsim_report_access(s, off, val, true);
	reg_write(s, off, val);
}

static bool bad_access(const struct nvsim *s, uint32_t off, unsigned int size, uint32_t bar)
{
	return s->outside || (size != 1 && size != 2 && size != 4 && size != 8) ||
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
			nvsim_vram_write(s, pramin_addr(s, off), val, size);
			return;
		}
		shift = 8 * (off & 3);
		mask = ((1u << (8 * size)) - 1) << shift;
		off &= ~3u;
		val = (s->reg[off / 4] & ~mask) | ((uint32_t)val << shift & mask);
	}
	mmio_write32(s, off, val);
}

/*
 * BAR1 and BAR3 are windows onto the BAR channel's address space; without
 * one (before the driver sets it up) they show VRAM as it lies.
 */
static bool bar_vram(struct nvsim *s, unsigned int bar, uint32_t off, bool write, uint64_t *addr)
{
	struct nvsim_bar_tlb *t = &s->bar_tlb[bar][(off >> 12) % NVSIM_BAR_TLB_SIZE];
	uint32_t ctl = s->reg[(bar ? NV_PBUS_BAR3 : NV_PBUS_BAR1) / 4];
	struct nvsim_vm vm = { .engine = NVSIM_VM_ENGINE_BAR, .subclient = bar };
	struct nvsim_run run;

	if (t->page == off >> 12 && !(write && t->ro)) {
		*addr = t->vram + (off & 0xfff);
		return true;
	}
	if (!(ctl & 0x80000000)) {
		*addr = off;
		return true;
	}
	vm.inst = (uint64_t)(s->reg[NV_PBUS_BAR_CHAN / 4] & 0x0fffffff) << 12;
	vm.client = write ? NVSIM_VM_CLIENT_PFIFO_WRITE : NVSIM_VM_CLIENT_PFIFO_READ;
	if (!nvsim_mmu_map(s, &vm, (ctl & 0x000fffff) << 4, off & ~0xfffu, 0x1000, write, &run) ||
	    !run.ptr || run.len < 0x1000)
		return false;
	t->page = off >> 12;
	t->vram = run.phys;
	/* A page seen through a read only: the first write walks again. */
	t->ro = !write;
	*addr = run.phys + (off & 0xfff);
	return true;
}

static uint64_t bar_read(struct nvsim *s, unsigned int bar, uint32_t off, unsigned int size)
{
	uint64_t addr, val = 0;
	unsigned int i;

	if (off & (size - 1)) {
		/* may cross a page: byte by byte */
		for (i = 0; i < size; i++)
			val |= (bar_read(s, bar, off + i, 1) & 0xff) << (8 * i);
		return val;
	}
	if (!bar_vram(s, bar, off, false, &addr))
		return ~0ull;
	return nvsim_vram_read(s, addr, size);
}

static void bar_write(struct nvsim *s, unsigned int bar, uint32_t off, uint64_t val,
		      unsigned int size)
{
	uint64_t addr;
	unsigned int i;

	if (off & (size - 1)) {
		for (i = 0; i < size; i++)
			bar_write(s, bar, off + i, val >> (8 * i) & 0xff, 1);
		return;
	}
	if (bar_vram(s, bar, off, true, &addr))
		nvsim_vram_write(s, addr, val, size);
}

uint64_t nvsim_bar1_read(struct nvsim *s, uint32_t off, unsigned int size)
{
	return bad_access(s, off, size, NVSIM_BAR1_BYTES) ? ~0ull : bar_read(s, 0, off, size);
}

void nvsim_bar1_write(struct nvsim *s, uint32_t off, uint64_t val, unsigned int size)
{
	if (!bad_access(s, off, size, NVSIM_BAR1_BYTES))
		bar_write(s, 0, off, val, size);
}

uint64_t nvsim_bar3_read(struct nvsim *s, uint32_t off, unsigned int size)
{
	return bad_access(s, off, size, NVSIM_BAR3_BYTES) ? ~0ull : bar_read(s, 1, off, size);
}

void nvsim_bar3_write(struct nvsim *s, uint32_t off, uint64_t val, unsigned int size)
{
	if (!bad_access(s, off, size, NVSIM_BAR3_BYTES))
		bar_write(s, 1, off, val, size);
}
