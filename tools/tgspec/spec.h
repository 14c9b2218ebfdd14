/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A specification and an admission limit, read with the kernel's own parser. */
#ifndef SPEC_H
#define SPEC_H

#include "diag.h"
#include "source.h"
#include "tg_spec.h"

enum spec_field {
	SPEC_NAME,	/* with its quotes */
	SPEC_SCHED,
	SPEC_RESV,
	SPEC_PRIO,
	SPEC_CAPACITY,
	SPEC_PERIOD,
};
#define SPEC_FIELDS 6

/**
 * struct spec_place - where an entry's fields stand
 * @at: offset of each in the file
 * @len: its length without the blanks around it
 * @line_at: offset of the line
 * @end: offset of what follows the entry on its line: a comment or its end
 */
struct spec_place {
	size_t at[SPEC_FIELDS];
	size_t len[SPEC_FIELDS];
	size_t line_at;
	size_t end;
};

struct spec {
	struct source src;
	struct tg_spec_entry *entry;
	struct spec_place *place;
	u32 n;
};

/**
 * struct spec_limit - what reserves may claim together
 * @percent: 0–100
 * @path: where it is from; NULL without a file
 * @vram_bytes: video memory of the card; 0: not known
 */
struct spec_limit {
	u32 percent;
	const char *path;
	u64 vram_bytes;
};

/* Either returns 0 or -errno; the errors of the text are in @diags. */
int spec_read(struct spec *spec, const char *path, bool may_be_missing,
	      struct diags *diags);
/* @path NULL is /etc/timegraph.ac, which may be missing. */
int spec_limit_read(struct spec_limit *limit, struct source *src,
		    const char *path, struct diags *diags);

/*
 * The text of @spec->src.  The kernel stops at the first error; here each bad
 * line is blanked out, which moves nothing, and the file is parsed again.  What
 * is only wrong because of an earlier bad line (the first entry of a group)
 * is not reported.
 */
void spec_parse(struct spec *spec, struct diags *diags);

void spec_free(struct spec *spec);

/*
 * What the kernel gives a program, as tg_config_lookup().  The index of its entry, or
 * -1 and the default in @e.
 */
int spec_lookup(const struct spec *spec, const struct tg_spec_program *p,
		struct tg_spec_entry *e);

/* What a path leads to; all 0 if to nothing. */
struct tg_spec_file spec_file(const char *path);

/* Column of a field, from 1, in characters. */
u32 spec_column(const struct spec *spec, u32 entry, enum spec_field field);

/* A time as the kernel reads it, or 0 for "0"; false if it does not. */
bool spec_time(const char *text, u64 *ns);

/* @ns in the largest unit that divides it: "25ms". */
#define SPEC_TIME_BYTES 24
const char *spec_time_text(char *out, u64 ns);

/* An entry's priority as it is written: "60", "*", "cpu". */
#define SPEC_PRIO_BYTES 8
const char *spec_prio_text(char *out, const struct tg_spec_entry *e);

/* Policy or domain, with what stands behind it in a specification. */
#define SPEC_SCHED_BYTES (3 * TEXT_BYTES)
const char *spec_sched_text(char *out, const struct tg_spec_entry *e);

/* Whether both lead alike: that an HT task has a lead makes no difference. */
bool spec_same_lead(const struct tg_spec_entry *a, const struct tg_spec_entry *b);

#endif
