// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The checks stand in one table, as in the device-tree compiler: a check sees
 * one entry or one reserve and complains about a field of it.  They run only on
 * a file without errors, so each can take entries and places for granted.
 */
#include <string.h>

#include "lint.h"

struct lint {
	const struct spec *spec;
	const struct spec_limit *limit;
	const struct reserves *rs;
	const struct lint_check *check;
	struct diags *diags;
};

/* Takes @text and @hint. */
static void complain(struct lint *l, u32 entry, enum spec_field field,
		     char *text, char *hint)
{
	struct diag d = {
		.severity = l->check->severity,
		.file = source_name(&l->spec->src),
		.line = l->spec->entry[entry].line,
		.column = spec_column(l->spec, entry, field),
		.check = l->check->name,
		.text = text,
		.hint = hint,
	};

	diags_add(l->diags, &d);
}

static const struct tg_spec_entry *entry_of(const struct lint *l, u32 i)
{
	return &l->spec->entry[i];
}

static void unreachable(struct lint *l, u32 i)
{
	int k = spec_shadow(l->spec, i);

	if (k >= 0)
		complain(l, i, SPEC_NAME,
			 text_printf("never reached: line %u has the same name",
				     entry_of(l, k)->line),
			 text_printf("the first line that matches wins: remove one of the two"));
}

/*
 * By comm, 15 characters are compared: an earlier entry that agrees in them
 * takes every program of this name, unless it has changed its comm.
 */
static void same_comm(struct lint *l, u32 i)
{
	const struct tg_spec_entry *e = entry_of(l, i);

	if (strlen(e->name) < TG_COMM_MAX || spec_shadow(l->spec, i) >= 0)
		return;
	for (u32 k = 0; k < i; k++) {
		if (strncmp(entry_of(l, k)->name, e->name, TG_COMM_MAX))
			continue;
		complain(l, i, SPEC_NAME,
			 text_printf("line %u has the same first 15 characters, so it takes these programs by their comm",
				     entry_of(l, k)->line),
			 text_printf("only a program with another comm gets here: remove one, or order them so that the right one comes first"));
		return;
	}
}

static void long_name(struct lint *l, u32 i)
{
	const struct tg_spec_entry *e = entry_of(l, i);

	if (strlen(e->name) > TG_COMM_MAX)
		complain(l, i, SPEC_NAME,
			 text_printf("the name has %zu characters, a comm has 15",
				     strlen(e->name)),
			 text_printf("the whole name is compared with the executable's base name only; by comm, every program that begins with \"%.15s\" matches",
				     e->name));
}

static void path_name(struct lint *l, u32 i)
{
	const char *name = entry_of(l, i)->name, *slash = strrchr(name, '/');

	if (slash)
		complain(l, i, SPEC_NAME,
			 text_printf("a path matches no executable"),
			 text_printf("write the base name: %s",
				     slash[1] ? slash + 1 : "what stands behind the last /"));
}

static void pattern_name(struct lint *l, u32 i)
{
	const char *name = entry_of(l, i)->name;

	if (strpbrk(name, "*?"))
		complain(l, i, SPEC_NAME,
			 text_printf("the name is compared as it is: * and ? stand for themselves"),
			 text_printf("write one line for each program"));
}

static void ht_reserve(struct lint *l, u32 i)
{
	const struct tg_spec_entry *e = entry_of(l, i);

	if (e->sched == TG_SPEC_HT && spec_wants_reserve(e))
		complain(l, i, SPEC_RESV,
			 text_printf("the reserve has no effect: HT tasks are not regulated"),
			 text_printf("write PRT to have it regulated, or - and no C:T"));
}

static void background_priority(struct lint *l, u32 i)
{
	const struct tg_spec_entry *e = entry_of(l, i);

	if (e->resv == TG_SPEC_RESV_BG && e->prio && !e->focus)
		complain(l, i, SPEC_PRIO,
			 text_printf("a background task at priority %u goes before all below it",
				     e->prio),
			 text_printf("tasks of the Background reserve usually have priority 0"));
}

/*
 * The kernel admits reserves as programs start, so the order of the file only
 * stands in for an order that nobody knows.
 */
static void over_limit(struct lint *l, u32 n)
{
	const struct resv *r = &l->rs->r[n];
	double before = reserves_percent(l->rs, n);
	double all = before + resv_percent(r);
	bool never = resv_percent(r) > l->limit->percent;

	if (!r->core.demoted)
		return;
	complain(l, r->first, SPEC_CAPACITY,
		 text_printf("does not fit%s: %.3g %% + %.3g %% for \"%s\" = %.4g %%, the limit is %u %%%s",
			     never ? "" : " beside those above", before, resv_percent(r), r->label, all,
			     l->limit->percent,
			     all <= l->limit->percent ? " (exceeded by less than this shows)" : ""),
		 text_printf("%s: lower a C, or raise the limit in %s", never ?
			     "it is a background task even if no other is active" :
			     "if all are active, whichever started last is a background task, be it this one or one above",
			     l->limit->path ? l->limit->path : "/etc/timegraph.ac"));
}

/* Where a command group of a simple program takes longer than the capacity. */
#define TINY_NS 100000

static void tiny_capacity(struct lint *l, u32 n)
{
	const struct resv *r = &l->rs->r[n];
	char c[SPEC_TIME_BYTES];

	if (r->capacity_ns >= TINY_NS)
		return;
	complain(l, r->first, SPEC_CAPACITY,
		 text_printf("%s is less than a typical command group takes (100us and more)",
			     spec_time_text(c, r->capacity_ns)),
		 text_printf(r->kind == TG_SPEC_RESV_PE ?
			     "a group is not stopped once it runs: each overruns and is paid for over several periods; raise C and T together" :
			     "a group waits until its predicted cost is saved up, over several periods; raise C and T together"));
}

static void whole_gpu(struct lint *l, u32 n)
{
	const struct resv *r = &l->rs->r[n];

	if (r->capacity_ns == r->period_ns)
		complain(l, r->first, SPEC_CAPACITY,
			 text_printf("C = T limits nothing, and leaves nothing for other reserves"),
			 text_printf("write - without C and T if it need not be regulated"));
}

static void lone_group(struct lint *l, u32 n)
{
	const struct resv *r = &l->rs->r[n];

	if (r->shared && r->members == 1)
		complain(l, r->first, SPEC_RESV,
			 text_printf("\"%s\" is shared by the processes of one line only",
				     r->label),
			 text_printf("meant if several \"%s\" run and should share; else write %s",
				     entry_of(l, r->first)->name,
				     tg_spec_resv_name(r->kind)));
}

/* Within a priority it is first come, first served. */
#define PERIOD_RATIO 10

static void mixed_periods(struct lint *l, u32 n)
{
	const struct resv *r = &l->rs->r[n];
	char ours[SPEC_TIME_BYTES], theirs[SPEC_TIME_BYTES];

	for (u32 i = 0; i < n; i++) {
		const struct resv *o = &l->rs->r[i];
		u64 a = r->period_ns, b = o->period_ns;

		if (o->low > r->high || r->low > o->high)
			continue;
		if ((a > b ? a : b) < PERIOD_RATIO * (a > b ? b : a))
			continue;
		complain(l, r->first, SPEC_PRIO,
			 text_printf("the same priority for periods of %s and %s (line %u)",
				     spec_time_text(ours, a), spec_time_text(theirs, b),
				     entry_of(l, o->first)->line),
			 text_printf("the shorter period waits for groups of the longer: give it the higher priority, or use \"tgspec assign rm\""));
		return;
	}
}

const struct lint_check lint_checks[] = {
	{ "unreachable", DIAG_WARNING, "an earlier line has the same name", unreachable, NULL },
	{ "same-comm", DIAG_WARNING,
	  "an earlier line takes the program by 15 characters of its comm", same_comm, NULL },
	{ "long-name", DIAG_WARNING, "a name over 15 characters", long_name, NULL },
	{ "path-name", DIAG_WARNING, "a path instead of a base name", path_name, NULL },
	{ "pattern-name", DIAG_WARNING, "* or ? in a name", pattern_name, NULL },
	{ "ht-reserve", DIAG_WARNING, "an HT task with a reserve", ht_reserve, NULL },
	{ "background-priority", DIAG_WARNING, "BG with a priority over 0",
	  background_priority, NULL },
	{ "over-limit", DIAG_WARNING, "a reserve over the admission limit", NULL, over_limit },
	{ "mixed-periods", DIAG_WARNING,
	  "one priority for periods that differ by a factor of 10", NULL, mixed_periods },
	{ "tiny-capacity", DIAG_WARNING, "a capacity below 100us", NULL, tiny_capacity },
	{ "whole-gpu", DIAG_NOTE, "a reserve with C = T", NULL, whole_gpu },
	{ "lone-group", DIAG_NOTE, "a Shared reserve that one line names", NULL, lone_group },
};

const size_t lint_nr_checks = ARRAY_SIZE(lint_checks);

const struct lint_check *lint_find(const char *name)
{
	for (size_t i = 0; i < lint_nr_checks; i++)
		if (!strcmp(lint_checks[i].name, name))
			return &lint_checks[i];
	return NULL;
}

void lint_run(const struct spec *spec, const struct spec_limit *limit,
	      const bool *off, struct diags *diags)
{
	struct reserves rs;
	struct lint l = { .spec = spec, .limit = limit, .rs = &rs, .diags = diags };

	reserves_init(&rs, spec, limit->percent);
	for (size_t c = 0; c < lint_nr_checks; c++) {
		l.check = &lint_checks[c];
		if (off && off[c])
			continue;
		for (u32 i = 0; l.check->entry && i < spec->n; i++)
			l.check->entry(&l, i);
		for (u32 i = 0; l.check->reserve && i < rs.n; i++)
			l.check->reserve(&l, i);
	}
	reserves_free(&rs);
}
