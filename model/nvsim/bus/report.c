// SPDX-License-Identifier: GPL-2.0-or-later
#include "report.h"

#include <stdlib.h>
#include <string.h>

/* So many reads in a row with one and the same result count as waiting. */
#define SPIN_READS	1000
#define SPIN_SHOUT	1000000
#define REG_WORDS	(NV_BAR0_BYTES / 4)

bool nvsim_report_init(struct nvsim_report *r, struct nvsim_bus *bus)
{
	r->bus = bus;
	r->miss_rd = calloc(REG_WORDS, sizeof(*r->miss_rd));
	r->miss_wr = calloc(REG_WORDS, sizeof(*r->miss_wr));
	return r->miss_rd && r->miss_wr;
}

void nvsim_report_fini(struct nvsim_report *r)
{
	free(r->miss_wr);
	free(r->miss_rd);
}

static bool userd_known(uint32_t off)
{
	switch (off % NV_USERD_STRIDE) {
	case NV_USERD_PUT:
	case NV_USERD_GET:
	case NV_USERD_REF:
	case NV_USERD_PUT_HI:
	case NV_USERD_MGET:
	case NV_USERD_MGET_HI:
	case NV_USERD_GET_HI:
	case NV_USERD_IB_GET:
	case NV_USERD_IB_PUT:
		return true;
	default:
		return false;
	}
}

static bool modelled(uint32_t off)
{
	if (off >= NV_USERD && off < NV_USERD_END)
		return userd_known(off);
	if (off >= NV_PROM && off < NV_PROM + NV_PROM_BYTES)
		return true;
	return nvsim_reg_find(off) != NULL;
}

static void spin_end(struct nvsim_report *r)
{
	struct nvsim_spin *p;

	if (r->spin_run < SPIN_READS)
		return;
	for (p = r->spin; p < r->spin + r->spins; p++)
		if (p->off == r->spin_off)
			break;
	if (p == r->spin + NVSIM_SPINS)
		return;
	if (p == r->spin + r->spins) {
		r->spins++;
		p->off = r->spin_off;
	}
	p->total += r->spin_run;
	if (r->spin_run > p->longest)
		p->longest = r->spin_run;
}

/* A wait loop also reads the clock: that does not end the run. */
static void spin_access(struct nvsim_report *r, uint32_t off, uint32_t val, bool write)
{
	char name[48];

	if (off == NV_PTIMER_TIME_0 || off == NV_PTIMER_TIME_1)
		return;
	if (!write && off == r->spin_off && val == r->spin_val) {
		if (++r->spin_run == SPIN_SHOUT) {
			nvsim_reg_name(off, name, sizeof(name));
			nvsim_log(r->bus, "the guest spins on %06x (%s) = %08x", off, name, val);
		}
		return;
	}
	spin_end(r);
	r->spin_off = write ? UINT32_MAX : off;
	r->spin_val = val;
	r->spin_run = 1;
}

void nvsim_report_access(struct nvsim_report *r, uint32_t off, uint32_t val, bool write)
{
	uint32_t *count = write ? r->miss_wr : r->miss_rd;

	spin_access(r, off, val, write);
	if (!modelled(off) && count[off / 4] != UINT32_MAX)
		count[off / 4]++;
}

static unsigned int print_registers(const struct nvsim_report *r, FILE *f)
{
	unsigned int n = 0;
	uint32_t w;

	fprintf(f, "# reg OFFSET READS WRITES: accessed, unknown to the model (kept as storage)\n");
	for (w = 0; w < REG_WORDS; w++) {
		if (!r->miss_rd[w] && !r->miss_wr[w])
			continue;
		fprintf(f, "reg %06x %10u %10u\n", w * 4, r->miss_rd[w], r->miss_wr[w]);
		n++;
	}
	return n;
}

static void print_spins(struct nvsim_report *r, FILE *f)
{
	char name[48];
	unsigned int i;

	fprintf(f, "# spin OFFSET LONGEST TOTAL NAME: read over and over with the same result\n");
	spin_end(r);
	r->spin_run = 0;
	for (i = 0; i < r->spins; i++) {
		nvsim_reg_name(r->spin[i].off, name, sizeof(name));
		fprintf(f, "spin %06x %10llu %10llu  %s\n", r->spin[i].off,
			(unsigned long long)r->spin[i].longest,
			(unsigned long long)r->spin[i].total, name);
	}
}

unsigned int nvsim_report_print(struct nvsim_report *r, FILE *f)
{
	unsigned int n = print_registers(r, f);

	print_spins(r, f);
	return n;
}
