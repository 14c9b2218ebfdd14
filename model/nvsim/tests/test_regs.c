// SPDX-License-Identifier: GPL-2.0-or-later
/* The register list and its page, the VBIOS, the report, odd accesses. */
#include <dirent.h>

#include "machine.h"

#define DOC	"../../Documentation/gpu-model-registers.rst"
#define MESON	"qemu/meson.build"

static char *slurp(const char *path)
{
	FILE *f = fopen(path, "r");
	char *buf;
	size_t n;

	if (!f)
		return NULL;
	buf = calloc(1, 1 << 20);
	n = fread(buf, 1, (1 << 20) - 1, f);
	buf[n] = 0;
	fclose(f);
	return buf;
}

static bool list_is_sorted_and_unique(void)
{
	const struct nvsim_reg_desc *d, *p;
	bool ok = true;
	size_t n, i;
	uint32_t k;

	d = nvsim_reg_table(&n);
	for (i = 0; i < n; i++) {
		if (i && d[i].off <= d[i - 1].off) {
			printf("# %s is out of order\n", d[i].name);
			ok = false;
		}
		for (k = 0; k < d[i].count; k++) {
			p = nvsim_reg_find(d[i].off + k * d[i].stride);
			if (p != &d[i]) {
				printf("# %s(%u) is found as %s\n", d[i].name, k, p ? p->name : "-");
				ok = false;
			}
		}
	}
	EXPECT(!nvsim_reg_find(0x000008) && !nvsim_reg_find(0xfffffc));
	return ok;
}

/* ``000100``, PMC_INTR: one line of the page has both. */
static bool page_has_every_register(void)
{
	const struct nvsim_reg_desc *d;
	char *doc = slurp(DOC), key[32], *at, *end;
	bool ok = true, found;
	size_t n;

	if (!doc) {
		printf("# no %s\n", DOC);
		return false;
	}
	for (d = nvsim_reg_table(&n); n--; d++) {
		snprintf(key, sizeof(key), "``%06x``", d->off);
		found = false;
		for (at = doc; (at = strstr(at, key)); at++) {
			end = strstr(at, "\n   * - ");
			if (!end)
				end = at + strlen(at);
			char *name = strstr(at, d->name);

			found |= name && name < end;
		}
		if (!found) {
			printf("# the page lacks %s %s\n", key, d->name);
			ok = false;
		}
	}
	free(doc);
	return ok;
}

static bool meson_has_files_of(const char *meson, const char *folder)
{
	const char *slash = *folder ? "/" : "";
	DIR *dir = opendir(*folder ? folder : ".");
	struct dirent *e;
	unsigned int files = 0;
	bool ok = true;
	char key[300];
	size_t n;

	if (!dir)
		return false;
	while ((e = readdir(dir))) {
		n = strlen(e->d_name);
		if (n < 3 || strcmp(e->d_name + n - 2, ".c"))
			continue;
		files++;
		snprintf(key, sizeof(key), "'%s%s%.200s'", folder, slash, e->d_name);
		if (!strstr(meson, key)) {
			printf("# %s lacks %s\n", MESON, key);
			ok = false;
		}
	}
	closedir(dir);
	return ok && files;
}

static bool qemu_builds_every_file(void)
{
	static const char *const folders[] = { "", "bus", "fifo", "gr", "mem" };
	char *meson = slurp(MESON);
	bool ok = meson;
	size_t i;

	for (i = 0; meson && i < NVSIM_ARRAY_SIZE(folders); i++)
		ok &= meson_has_files_of(meson, folders[i]);
	free(meson);
	return ok;
}

static uint16_t u16(const uint8_t *p)
{
	return p[0] | p[1] << 8;
}

/* The way nouveau walks it: signature, PCIR, checksum, BIT entries, DCB. docs/hw/mmio.rst */
static bool vbios_is_what_nouveau_reads(void)
{
	struct machine *m = machine_new(NULL);
	uint8_t image[4096], sum = 0;
	bool ok = true, lower = false, init = false;
	uint32_t i, n, at;

	for (i = 0; i < sizeof(image); i += 4)
		nvsim_st32(image + i, rd(m, 0x300000 + i));
	EXPECT(rd(m, 0x301000) == 0xffffffff);
	EXPECT(u16(image) == 0xaa55 && image[2] * 512 == sizeof(image));
	for (i = 0; i < sizeof(image); i++)
		sum += image[i];
	EXPECT(sum == 0);
	at = u16(image + 0x18);
	EXPECT(!memcmp(image + at, "PCIR", 4) && u16(image + at + 4) == 0x10de);
	EXPECT(u16(image + at + 6) == 0x0614 && (image[at + 0x15] & 0x80));
	for (at = 0; at < sizeof(image) - 5 && memcmp(image + at, "\xff\xb8" "BIT", 5);)
		at++;
	n = image[at + 10];
	EXPECT(image[at + 9] == 6 && n >= 2 && n < 20);
	for (i = 0; i < n; i++) {
		const uint8_t *e = image + at + 12 + i * 6;

		EXPECT(u16(e + 4) + u16(e + 2) <= (int)sizeof(image));
		lower |= e[0] == 'i' && u16(e + 2) >= 15 && image[u16(e + 4) + 3] == 0x62;
		init |= e[0] == 'I';
	}
	EXPECT(lower && init);
	at = u16(image + 0x36);
	EXPECT(image[at] == 0x40 && nvsim_ld32(image + at + 6) == 0x4edcbdcb);
	machine_free(m);
	return ok;
}

/*
 * partitions x banks x columns x 8 B x rows = size, as nv50_fb_vram_rblock has it
 * rnndb/memory/g80_pfb.xml, rnndb/bus/pbus.xml
 */
static bool dram_geometry_matches_size(void)
{
	struct machine *m = machine_new(NULL);
	uint32_t r4 = rd(m, 0x100204), units = rd(m, 0x1540);
	bool ok = true;
	uint64_t size;

	size = (uint64_t)__builtin_popcount(units >> 16 & 0xff) << ((r4 >> 24 & 3) + 2)
		<< (r4 >> 12 & 15) << 3 << ((r4 >> 16 & 15) + 8);
	EXPECT(size == VRAM_BYTES);
	EXPECT((rd(m, 0x10020c) & 0xffffff00) == VRAM_BYTES);
	machine_free(m);
	return ok;
}

/* docs/hw/mmio.rst, rnndb/graph/g80_pgraph/pgraph.xml, rnndb/bus/ptimer.xml */
static bool report_names_the_unknown(void)
{
	struct machine *m = machine_new(NULL);
	const char *path = "/tmp/nvsim-report.txt";
	char *text;
	bool ok = true;
	uint32_t i;

	rd(m, 0x00abc0);
	rd(m, 0x00abc0);
	wr(m, 0x00abc0, 5);
	EXPECT(rd(m, 0x00abc0) == 5);
	for (i = 0; i < 5000; i++) {
		rd(m, 0x400700);
		rd(m, 0x9400);
	}
	rd(m, 0);
	EXPECT(nvsim_report(m->s, path) == 0);
	text = slurp(path);
	EXPECT(text && strstr(text, "reg 00abc0          3          1"));
	EXPECT(text && strstr(text, "spin 400700") && strstr(text, "PGRAPH_STATUS"));
	EXPECT(text && !strstr(text, "reg 400700"));
	EXPECT(text && strstr(text, "# 1 unknown registers"));
	free(text);
	remove(path);
	EXPECT(nvsim_report(m->s, "/nowhere/at/all") < 0);
	machine_free(m);
	return ok;
}

/* docs/hw/mmio.rst */
static bool odd_accesses_are_harmless(void)
{
	struct machine *m = machine_new(NULL);
	bool ok = true;

	EXPECT(nvsim_mmio_read(m->s, 0, 1) == 0xa2);
	EXPECT(nvsim_mmio_read(m->s, 2, 2) == 0x092a);
	EXPECT(nvsim_mmio_read(m->s, 1, 2) == ~0ull);
	EXPECT(nvsim_mmio_read(m->s, 0, 3) == ~0ull);
	EXPECT(nvsim_mmio_read(m->s, NVSIM_MMIO_BYTES - 4, 8) == ~0ull);
	EXPECT(nvsim_mmio_read(m->s, 0xffffffff, 1) == ~0ull);
	nvsim_mmio_write(m->s, 0, 0, 4);			/* read only */
	EXPECT(rd(m, 0) == 0x092a00a2);
	nvsim_mmio_write(m->s, 0x6013d4, 0x12, 1);
	nvsim_mmio_write(m->s, 0x6013d5, 0x34, 1);
	EXPECT((rd(m, 0x6013d4) & 0xffff) == 0x3412);
	wr(m, 0x1700, 0xffffff);				/* PRAMIN beyond VRAM */
	EXPECT(rd(m, 0x700000) == 0xffffffff);
	wr(m, 0x700000, 1);
	EXPECT(nvsim_bar1_read(m->s, NVSIM_BAR1_BYTES - 4, 4) == 0xffffffff);
	machine_free(m);
	return ok;
}

/* rnndb/bus/pmc.xml, rnndb/fifo/g80_pfifo.xml */
static bool reset_forgets_all_but_vram(void)
{
	struct machine *m = machine_new(NULL);
	struct chan *c = chan_new(m, 1);
	bool ok = true;

	listed(m, 1, 1);
	bind(c);
	work(c, 100);
	kick(c);
	run_for(m, 2000);
	vw(m, V_DATA + 64, 0x1234);
	nvsim_reset(m->s);
	EXPECT(rd(m, 0x140) == 0 && rd(m, 0x2604) == 0 && userd(c, 0x8c) == 0);
	EXPECT(m->timer == NVSIM_NEVER && !m->irq);
	EXPECT(vr(m, V_DATA + 64) == 0x1234);
	free(c);
	machine_free(m);
	return ok;
}

int main(void)
{
	TEST(list_is_sorted_and_unique);
	TEST(page_has_every_register);
	TEST(qemu_builds_every_file);
	TEST(vbios_is_what_nouveau_reads);
	TEST(dram_geometry_matches_size);
	TEST(report_names_the_unknown);
	TEST(odd_accesses_are_harmless);
	TEST(reset_forgets_all_but_vram);
	return tap_done();
}
