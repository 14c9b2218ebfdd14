// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The checks stand in one table, as in the device-tree compiler: a check sees
 * one entry, one reserve or the file and complains about a field of an entry.  They run only on
 * a file without errors, so each can take entries and places for granted.
 */
#include <stdlib.h>
#include <string.h>

#include "allow.h"
#include "lint.h"

struct lint {
	const struct spec *spec;
	const struct spec_limit *limit;
	const struct reserves *rs;
	const bool *off;
	const struct lint_check *check;
	struct allows allows;
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

	if (allows_take(&l->allows, entry, l->check->name)) {
		l->diags->allowed++;
		free(text);
		free(hint);
		return;
	}
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
			 text_printf(entry_of(l, k)->kind == TG_SPEC_ANY ?
				     "never reached: line %u is for all programs" :
				     "never reached: line %u has the same name",
				     entry_of(l, k)->line),
			 text_printf(entry_of(l, k)->kind == TG_SPEC_ANY ?
				     "the first line that matches wins: * stands behind all others" :
				     "the first line that matches wins: remove one of the two"));
}

/*
 * By comm, 15 characters are compared: an earlier entry that agrees in them
 * takes every program of this name, unless it has changed its comm.
 */
static void same_comm(struct lint *l, u32 i)
{
	const struct tg_spec_entry *e = entry_of(l, i);

	if (e->kind != TG_SPEC_NAME || strlen(e->name) < TG_COMM_MAX ||
	    spec_shadow(l->spec, i) >= 0)
		return;
	for (u32 k = 0; k < i; k++) {
		if (entry_of(l, k)->kind != TG_SPEC_NAME || entry_of(l, k)->has_uid ||
		    strncmp(entry_of(l, k)->name, e->name, TG_COMM_MAX))
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

	if (e->kind == TG_SPEC_NAME && strlen(e->name) > TG_COMM_MAX)
		complain(l, i, SPEC_NAME,
			 text_printf("the name has %zu bytes, a comm has 15",
				     strlen(e->name)),
			 text_printf("the whole name is compared with the executable's base name only; by comm, every program that begins with \"%.15s\" matches",
				     e->name));
}

/* But of the root cgroup's. */
static bool ends_in_slash(const char *path)
{
	return path[strlen(path) - 1] == '/' && strcmp(path, TG_SPEC_CGROUP_WORD "/");
}

static void path_name(struct lint *l, u32 i)
{
	const struct tg_spec_entry *e = entry_of(l, i);

	if (e->kind != TG_SPEC_NAME && e->kind != TG_SPEC_ANY && ends_in_slash(e->name))
		complain(l, i, SPEC_NAME,
			 text_printf("the path ends in /, so nothing matches"),
			 text_printf("write the path of the program itself, or leave out the / behind a cgroup's"));
	else if (e->kind == TG_SPEC_NAME && strchr(e->name, '/'))
		complain(l, i, SPEC_NAME,
			 text_printf("no executable has a / in its base name"),
			 text_printf("write the whole path, from the first / on, or the base name"));
	else if (e->kind == TG_SPEC_PATH && !e->file.ino)
		complain(l, i, SPEC_NAME,
			 text_printf("there is no such file here, so no program matches"),
			 text_printf("look it up: ls -l /proc/PID/exe of the program while it runs"));
}

static void pattern_name(struct lint *l, u32 i)
{
	const struct tg_spec_entry *e = entry_of(l, i);

	if (e->kind != TG_SPEC_ANY && e->kind != TG_SPEC_GPU && strpbrk(e->name, "*?"))
		complain(l, i, SPEC_NAME,
			 text_printf("the name is compared as it is: * and ? stand for themselves"),
			 text_printf("write one line for each program, or * alone and without quotes for all"));
}

static void ht_reserve(struct lint *l, u32 i)
{
	const struct tg_spec_entry *e = entry_of(l, i);

	if (e->sched == TG_SPEC_HT && tg_spec_wants_reserve(e))
		complain(l, i, SPEC_RESV,
			 text_printf("the reserve has no effect: HT tasks are not regulated"),
			 text_printf("write PRT to have it regulated, or - and no C:T"));
}

static void unused_lead(struct lint *l, u32 i)
{
	const struct tg_spec_entry *e = entry_of(l, i);

	if (e->has_lead && e->sched == TG_SPEC_HT)
		complain(l, i, SPEC_SCHED,
			 text_printf("the lead has no effect: groups of an HT task follow each other at once"),
			 text_printf("leave it out"));
}

static void loaded_policy(struct lint *l, u32 i)
{
	const struct tg_spec_entry *e = entry_of(l, i);

	if (e->kind == TG_SPEC_GPU && tg_spec_class(e->policy) == TG_NR_POLICIES)
		complain(l, i, SPEC_SCHED,
			 text_printf("the policy \"%s\" is not built in: the GPU gets it when it is loaded",
				     e->policy),
			 text_printf("have tgpolicy load it; built in are " TG_SPEC_CLASS_NAMES));
}

/* The module's, ten times. */
#define LONG_LEAD_NS 10000000

static void long_lead(struct lint *l, u32 i)
{
	const struct tg_spec_entry *e = entry_of(l, i);
	char lead[SPEC_TIME_BYTES];
	u64 ns = e->lead_ns;

	/* What the GPU has is within the budget. */
	if (tg_spec_wants_reserve(e) && ns > e->capacity_ns)
		ns = e->capacity_ns;
	if (e->has_lead && ns > LONG_LEAD_NS && e->sched != TG_SPEC_HT)
		complain(l, i, SPEC_SCHED,
			 text_printf("who is more important waits for %s of \"%s\", and for one of its groups",
				     spec_time_text(lead, ns), e->name),
			 text_printf("write lead=1ms, or as long as a group takes: more keeps the GPU no busier"));
}

/* All at once, one of each: at the entry that is too much. */
static void over_vram(struct lint *l)
{
	u64 sum = 0, size = l->limit->vram_bytes;

	for (u32 i = 0; size && i < l->spec->n; i++) {
		u64 bytes = entry_of(l, i)->vram_bytes;

		sum += bytes > size ? 0 : bytes;
		if (bytes > size || (bytes && sum > size))
			complain(l, i, SPEC_SCHED,
				 text_printf(bytes > size ?
					     "it reserves %llu MiB of video memory, more than the card has: it goes without" :
					     "with this one %llu MiB of video memory are reserved, more than the card has: one waits for another",
					     (unsigned long long)(bytes > size ? bytes : sum) >> 20),
				 text_printf("write what they need at most, or have them run one after another"));
	}
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

/*
 * Who can starve what the file does not name: a program that is not listed has the
 * lowest priority, and gets what the others leave, or the module's floor.  What follows
 * the CPU can do so only if it was given a real-time priority there: somebody meant it.
 */

#define ACCEPT "# tgspec: allow "

static void ht_starves(struct lint *l, u32 i)
{
	const struct tg_spec_entry *e = entry_of(l, i);
	char prio[SPEC_PRIO_BYTES];

	if (e->sched != TG_SPEC_HT || e->cpu || spec_shadow(l->spec, i) >= 0)
		return;
	complain(l, i, SPEC_SCHED,
		 text_printf("while \"%s\" has work, nothing below its priority gets more of the GPU than the module's floor (3 %%), nor anything that is not listed, such as a compositor",
			     e->name),
		 text_printf("write PRT and a reserve, as PRT:PE:%s:8ms:16ms; or list what must go on above it, and accept this with \"" ACCEPT "%s\"",
			     spec_prio_text(prio, e), l->check->name));
}

static void unlimited(struct lint *l, u32 i)
{
	const struct tg_spec_entry *e = entry_of(l, i);
	char prio[SPEC_PRIO_BYTES];

	if (e->sched == TG_SPEC_HT || e->resv != TG_SPEC_RESV_NONE || e->prio == TG_PRIO_MIN ||
	    spec_shadow(l->spec, i) >= 0)
		return;
	complain(l, i, SPEC_RESV,
		 text_printf("\"%s\" goes before what is not listed, and without a reserve it may take all of the GPU",
			     e->name),
		 text_printf("write a reserve, as PE:%s:8ms:16ms; or, if it is trusted to leave some, accept this with \"" ACCEPT "%s\"",
			     spec_prio_text(prio, e), l->check->name));
}

/* What a program that is not listed weighs. */
static u32 weight_of_others(const struct lint *l)
{
	for (u32 i = 0; i < l->spec->n; i++)
		if (entry_of(l, i)->kind == TG_SPEC_ANY && !entry_of(l, i)->has_uid)
			/* Who gives all others little by an entry means it. */
			return max(entry_of(l, i)->weight, TG_WEIGHT_DEFAULT);
	return TG_WEIGHT_DEFAULT;
}

/* The module's floor is no help: it counts for those that nobody lets run at all. */
#define LITTLE_PERCENT 3

static void weight_starves(struct lint *l, u32 i)
{
	const struct tg_spec_entry *e = entry_of(l, i);
	u32 others = weight_of_others(l);
	double left = 100.0 * others / (others + e->weight);

	if (e->sched != TG_SPEC_FQ || e->kind == TG_SPEC_ANY || left >= LITTLE_PERCENT ||
	    (!e->domain && spec_shadow(l->spec, i) >= 0))
		return;
	complain(l, i, SPEC_SCHED,
		 text_printf("while \"%s\" has work, a program that is not listed has %.2g %% of the GPU beside it",
			     e->name, left),
		 text_printf("lower the weight, to %u at most; or accept this with \"" ACCEPT "%s\"",
			     others * (100 - LITTLE_PERCENT) / LITTLE_PERCENT, l->check->name));
}

/* What is left then for what is not listed: a tenth. */
#define MUCH_PERCENT 90

/* Complains about the one that goes over it. */
static void reserves_starve(struct lint *l)
{
	double sum = 0;

	for (u32 i = 0; i < l->rs->n; i++) {
		const struct resv *r = &l->rs->r[i];

		if (r->core.demoted || !r->high)
			continue;
		sum += resv_percent(r);
		if (sum <= MUCH_PERCENT)
			continue;
		complain(l, r->first, SPEC_CAPACITY,
			 text_printf("reserves up to this one may take %.4g %% of the GPU: what is not listed gets %.3g %% then",
				     sum, sum < 100 ? 100 - sum : 0),
			 text_printf("lower a C, or set a limit of %u in /etc/timegraph.ac; or accept this with \"" ACCEPT "%s\"",
				     MUCH_PERCENT, l->check->name));
		return;
	}
}

/* Whether an entry gives more than what is not listed has, to whom a name tells. */
static bool gives_much(const struct tg_spec_entry *e)
{
	if (e->kind != TG_SPEC_NAME || e->has_uid)
		return false;
	return (e->sched == TG_SPEC_HT && !e->cpu) || e->prio > TG_PRIO_MIN ||
	       tg_spec_wants_reserve(e) || e->weight > TG_WEIGHT_DEFAULT || e->vram_bytes;
}

/* Anybody may call a process as he likes. */
static void name_alone(struct lint *l)
{
	u32 first = 0, n = 0;

	for (u32 i = l->spec->n; i--;)
		if (gives_much(entry_of(l, i)) && spec_shadow(l->spec, i) < 0) {
			first = i;
			n++;
		}
	if (n)
		complain(l, first, SPEC_NAME,
			 text_printf("a name is no identity: whoever calls a process so gets what this entry%s",
				     n > 1 ? " or another of the file gives" : " gives"),
			 text_printf("write its path, or @ and its user's number behind the name; or, where all users are trusted, accept it with \"" ACCEPT "%s\"",
				     l->check->name));
}

/* The names behind "allow" themselves; runs last, when it is known which were of use. */
static void complain_of_allow(struct lint *l, const struct allow *a, char *text, char *hint)
{
	struct diag d = {
		.severity = l->check->severity,
		.file = source_name(&l->spec->src),
		.line = a->line,
		.column = a->column,
		.check = l->check->name,
		.text = text,
		.hint = hint,
	};

	diags_add(l->diags, &d);
}

static const struct lint_check *allowed_check(const struct allow *a)
{
	for (size_t i = 0; i < lint_nr_checks; i++)
		if (strlen(lint_checks[i].name) == a->len &&
		    !memcmp(lint_checks[i].name, a->name, a->len))
			return &lint_checks[i];
	return NULL;
}

static void bad_allow(struct lint *l)
{
	for (u32 i = 0; i < l->allows.n; i++) {
		const struct allow *a = &l->allows.list[i];

		if (!allowed_check(a))
			complain_of_allow(l, a, a->len ?
					  text_printf("there is no check \"%.*s\"", (int)a->len,
						      a->name) :
					  text_printf("no check is named behind \"allow\""),
					  text_printf("\"tgspec check --list\" has their names; a reason stands behind --"));
		else if (a->entry == ALLOW_NOBODY)
			complain_of_allow(l, a, text_printf("no entry follows that this could be about"),
					  text_printf("write it behind an entry, or above it"));
	}
}

static void unused_allow(struct lint *l)
{
	for (u32 i = 0; i < l->allows.n; i++) {
		const struct allow *a = &l->allows.list[i];
		const struct lint_check *check = allowed_check(a);

		if (!check || a->used || a->entry == ALLOW_NOBODY ||
		    (l->off && l->off[check - lint_checks]))
			continue;
		complain_of_allow(l, a, text_printf("nothing to accept: %s finds no fault here",
						    check->name),
				  text_printf("remove it: it might hide a later mistake"));
	}
}

const struct lint_check lint_checks[] = {
	{ "unreachable", DIAG_WARNING, "an earlier line has the same name", .entry = unreachable },
	{ "same-comm", DIAG_WARNING,
	  "an earlier line takes the program by 15 characters of its comm", .entry = same_comm },
	{ "long-name", DIAG_WARNING, "a name over 15 characters", .entry = long_name },
	{ "path-name", DIAG_WARNING, "a path that leads to no file, or half a path",
	  .entry = path_name },
	{ "pattern-name", DIAG_WARNING, "* or ? in a name", .entry = pattern_name },
	{ "ht-reserve", DIAG_WARNING, "an HT task with a reserve", .entry = ht_reserve },
	{ "unused-lead", DIAG_WARNING, "a lead of an HT task",
	  .entry = unused_lead },
	{ "long-lead", DIAG_WARNING, "a lead over 10 ms", .entry = long_lead },
	{ "background-priority", DIAG_WARNING, "BG with a priority over 0",
	  .entry = background_priority },
	{ "over-limit", DIAG_WARNING, "a reserve over the admission limit", .reserve = over_limit },
	{ "mixed-periods", DIAG_WARNING,
	  "one priority for periods that differ by a factor of 10", .reserve = mixed_periods },
	{ "tiny-capacity", DIAG_WARNING, "a capacity below 100us", .reserve = tiny_capacity },
	{ "ht-starves", DIAG_WARNING, "HT: what is not listed gets next to nothing beside it",
	  .entry = ht_starves },
	{ "weight-starves", DIAG_WARNING,
	  "a weight that leaves what is not listed less than 3 %", .entry = weight_starves },
	{ "over-vram", DIAG_WARNING, "more video memory than the card has; with --vram",
	  .file = over_vram },
	{ "unlimited", DIAG_WARNING, "a priority over 0 without a reserve", .entry = unlimited },
	{ "reserves-starve", DIAG_WARNING, "reserves over 90 % of the GPU",
	  .file = reserves_starve },
	{ "name-alone", DIAG_NOTE, "more than nothing for whoever bears a name; once a file",
	  .file = name_alone },
	{ "loaded-policy", DIAG_NOTE, "a GPU's policy that is not built in",
	  .entry = loaded_policy },
	{ "whole-gpu", DIAG_NOTE, "a reserve with C = T", .reserve = whole_gpu },
	{ "lone-group", DIAG_NOTE, "a Shared reserve that one line names", .reserve = lone_group },
	{ "bad-allow", DIAG_WARNING, "\"tgspec: allow\" without a check or an entry",
	  .file = bad_allow },
	/* The last one: the others have run. */
	{ "unused-allow", DIAG_NOTE, "\"tgspec: allow\" with nothing to accept",
	  .file = unused_allow },
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
	struct lint l = { .spec = spec, .limit = limit, .rs = &rs, .off = off,
			  .diags = diags };

	reserves_init(&rs, spec, limit->percent);
	allows_read(&l.allows, spec);
	for (size_t c = 0; c < lint_nr_checks; c++) {
		l.check = &lint_checks[c];
		if (off && off[c])
			continue;
		for (u32 i = 0; l.check->entry && i < spec->n; i++)
			l.check->entry(&l, i);
		for (u32 i = 0; l.check->reserve && i < rs.n; i++)
			l.check->reserve(&l, i);
		if (l.check->file)
			l.check->file(&l);
	}
	allows_free(&l.allows);
	reserves_free(&rs);
}
