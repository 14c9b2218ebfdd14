// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Honesty: which registers a guest used that the model does not know, and
 * which it was seen waiting on.
 */
#include <errno.h>
#include <string.h>

#include "../card.h"

/* So many reads in a row with one and the same result count as waiting. */
#define SPIN_READS	1000
#define SPIN_SHOUT	1000000

#define REG_DESC(off, count, stride, name, kind, reset, meaning) \
	{ off, count, stride, reset, #kind[1], #name, meaning },
static const struct nvsim_reg_desc table[] = { NVSIM_REGS(REG_DESC) };

const struct nvsim_reg_desc *nvsim_reg_table(size_t *n)
{
	*n = NVSIM_ARRAY_SIZE(table);
	return table;
}

static bool covers(const struct nvsim_reg_desc *d, uint32_t off)
{
	uint32_t rel = off - d->off;

	return off >= d->off && rel % d->stride == 0 && rel / d->stride < d->count;
}

/*
 * Strided entries may interleave, so the entry that starts last before off
 * need not be the one: step back while an earlier one can still reach.
 */
const struct nvsim_reg_desc *nvsim_reg_find(uint32_t off)
{
	size_t lo = 0, hi = NVSIM_ARRAY_SIZE(table), mid;
	unsigned int back;

	while (lo < hi) {
		mid = (lo + hi) / 2;
		if (table[mid].off <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (back = 0; lo && back < 4; back++)
		if (covers(&table[--lo], off))
			return &table[lo];
	return NULL;
}

void nvsim_reg_name(uint32_t off, char *buf, size_t len)
{
	const struct nvsim_reg_desc *d = nvsim_reg_find(off);

	if (off >= NV_USERD && off < NV_USERD_END)
		snprintf(buf, len, "USERD(%u)+%02x", (off - NV_USERD) / NV_USERD_STRIDE,
			 off % NV_USERD_STRIDE);
	else if (!d)
		snprintf(buf, len, "-");
	else if (d->count > 1)
		snprintf(buf, len, "%s(%u)", d->name, (off - d->off) / d->stride);
	else
		snprintf(buf, len, "%s", d->name);
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

static void spin_end(struct nvsim *s)
{
	struct nvsim_spin *p;

	if (s->spin_run < SPIN_READS)
		return;
	for (p = s->spin; p < s->spin + s->spins; p++)
		if (p->off == s->spin_off)
			break;
	if (p == s->spin + NVSIM_SPINS)
		return;
	if (p == s->spin + s->spins) {
		s->spins++;
		p->off = s->spin_off;
	}
	p->total += s->spin_run;
	if (s->spin_run > p->longest)
		p->longest = s->spin_run;
}

/* A wait loop also reads the clock: that does not end the run. */
static void spin_access(struct nvsim *s, uint32_t off, uint32_t val, bool write)
{
	char name[48];

	if (off == NV_PTIMER_TIME_0 || off == NV_PTIMER_TIME_1)
		return;
	if (!write && off == s->spin_off && val == s->spin_val) {
		if (++s->spin_run == SPIN_SHOUT) {
			nvsim_reg_name(off, name, sizeof(name));
			nvsim_log(s, "the guest spins on %06x (%s) = %08x", off, name, val);
		}
		return;
	}
	spin_end(s);
	s->spin_off = write ? UINT32_MAX : off;
	s->spin_val = val;
	s->spin_run = 1;
}

void nvsim_report_access(struct nvsim *s, uint32_t off, uint32_t val, bool write)
{
	uint32_t *count = write ? s->miss_wr : s->miss_rd;

	spin_access(s, off, val, write);
	if (!modelled(off) && count[off / 4] != UINT32_MAX)
		count[off / 4]++;
}

static void emit_method(void *opaque, uint16_t class_id, uint32_t mthd, const char *what,
			uint64_t count)
{
	fprintf(opaque, "method %04x %04x %10llu  %s\n", class_id, mthd,
		(unsigned long long)count, what ? what : "-");
}

int nvsim_report(struct nvsim *s, const char *path)
{
	FILE *f = fopen(path, "w");
	unsigned int n = 0, i;
	char name[48];
	uint32_t w;
	bool bad;

	if (!f)
		return -errno;
	fprintf(f, "# nvsim: what the guest did that the model does not do\n"
		   "# reg OFFSET READS WRITES: accessed, unknown to the model (kept as storage)\n");
	for (w = 0; w < NVSIM_MMIO_BYTES / 4; w++) {
		if (!s->miss_rd[w] && !s->miss_wr[w])
			continue;
		fprintf(f, "reg %06x %10u %10u\n", w * 4, s->miss_rd[w], s->miss_wr[w]);
		n++;
	}
	fprintf(f, "# spin OFFSET LONGEST TOTAL NAME: read over and over with the same result\n");
	spin_end(s);
	s->spin_run = 0;
	for (i = 0; i < s->spins; i++) {
		nvsim_reg_name(s->spin[i].off, name, sizeof(name));
		fprintf(f, "spin %06x %10llu %10llu  %s\n", s->spin[i].off,
			(unsigned long long)s->spin[i].longest,
			(unsigned long long)s->spin[i].total, name);
	}
	fprintf(f, "# method CLASS METHOD COUNT: accepted but without effect, or refused\n");
	nvsim_gr_report(&s->gr, emit_method, f);
	fprintf(f, "# fault injection: kind, times it struck\n");
	for (i = 0; i < s->faults; i++)
		fprintf(f, "fault %u %llu\n", s->fault[i].kind,
			(unsigned long long)s->fault[i].hits);
	fprintf(f, "# %u unknown registers\n", n);
	bad = ferror(f);
	if (fclose(f) || bad)
		return -EIO;
	return 0;
}
