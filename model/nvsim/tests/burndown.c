// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * burndown LOG...: which registers the guests of these register logs (the
 * device's log=) used, how often in each, and what the model does with them:
 *
 *	modelled	the unit's code decides
 *	constant	reads what it comes up with
 *	stored		keeps what is written, without effect
 *	unknown		not in bus/regs.h; kept as storage
 *
 * Windows onto memory and the ROM are left out. A line is one entry of
 * bus/regs.h, an unknown register, or the channels' control areas.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bus/regs.h"

#define LOGS	8
#define WORDS	(NV_BAR0_BYTES / 4)

static uint32_t *count[LOGS];

/* Many registers, one line. */
static uint32_t line_of(uint32_t off)
{
	const struct nvsim_reg_desc *d = nvsim_reg_find(off);

	if (off >= NV_USERD && off < NV_USERD_END)
		return NV_USERD;
	return d ? d->off : off;
}

static bool is_memory(uint32_t off)
{
	return (off >= NV_PRAMIN && off < NV_PRAMIN + NV_PRAMIN_BYTES) ||
	       (off >= NV_PROM && off < NV_PROM + NV_PROM_BYTES);
}

static bool read_log(const char *path, uint32_t *n)
{
	FILE *f = fopen(path, "r");
	char line[128], dir;
	uint32_t off;
	bool ok = f;

	while (ok && fgets(line, sizeof(line), f)) {
		ok = sscanf(line, "%*u %c %x", &dir, &off) == 2 && off < NV_BAR0_BYTES;
		if (ok && !is_memory(off))
			n[line_of(off & ~3u) / 4]++;
	}
	if (!ok)
		fprintf(stderr, "burndown: %s: not a register log\n", path);
	if (f)
		fclose(f);
	return ok;
}

static const char *what(uint32_t off, const char **name)
{
	const struct nvsim_reg_desc *d = nvsim_reg_find(off);

	*name = d ? d->name : off == NV_USERD ? "USERD" : "-";
	if (off == NV_USERD)
		return "modelled";
	if (!d)
		return "unknown";
	return d->kind == 'N' ? "modelled" : d->kind == 'O' ? "constant" : "stored";
}

static void print(int logs)
{
	uint32_t w, total = 0, unknown = 0;
	const char *name, *how;
	int i;

	for (w = 0; w < WORDS; w++) {
		bool used = false;

		for (i = 0; i < logs; i++)
			used |= count[i][w];
		if (!used)
			continue;
		how = what(w * 4, &name);
		total++;
		unknown += !strcmp(how, "unknown");
		printf("%06x %-24s %-8s", w * 4, name, how);
		for (i = 0; i < logs; i++)
			printf(" %10u", count[i][w]);
		printf("\n");
	}
	printf("# %u lines, %u unknown\n", total, unknown);
}

int main(int argc, char **argv)
{
	bool ok = argc > 1 && argc <= LOGS + 1;
	int i;

	if (!ok)
		fprintf(stderr, "usage: burndown LOG... (up to %d)\n", LOGS);
	for (i = 0; ok && i < argc - 1; i++) {
		count[i] = calloc(WORDS, sizeof(*count[i]));
		ok = count[i] && read_log(argv[i + 1], count[i]);
	}
	if (ok)
		print(argc - 1);
	for (i = 0; i < LOGS; i++)
		free(count[i]);
	return ok ? 0 : 1;
}
