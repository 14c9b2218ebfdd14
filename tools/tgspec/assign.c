// SPDX-License-Identifier: GPL-2.0-or-later
/* tgspec assign: priorities for the entries that have a reserve. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "layout.h"
#include "priorities.h"
#include "study.h"

#define TOP_PRIO (TG_PRIO_MAX - 1)

static struct options {
	struct study study;
	bool write, in_step;
	u32 top;
} options = { .study = STUDY_INIT, .top = TOP_PRIO };

/* Those that follow the focus or the CPU keep their level. */
static void fix_focus(struct priorities *p, const struct input *in)
{
	for (u32 i = 0; i < in->spec.n; i++)
		if (in->rs.of[i] != RESV_NONE &&
		    (in->spec.entry[i].focus || in->spec.entry[i].cpu))
			p->prio[in->rs.of[i]] = PRIO_FIXED;
}

/*
 * The text from @done on with another number in the place of this one.  Blanks
 * before it give way, so that aligned columns stay aligned.
 */
static size_t put_prio(struct buf *out, const struct buf *text, size_t done,
		       const struct spec_place *pl, u8 prio)
{
	size_t at = pl->at[SPEC_PRIO], end = at + pl->len[SPEC_PRIO];
	size_t blanks = 0;

	while (text->p[at - blanks - 1] == ' ')
		blanks++;
	buf_put(out, text->p + done, at - blanks - done);
	buf_printf(out, "%*u", blanks ? (int)(end - at + blanks) : 0, prio);
	return end;
}

/* The file with other numbers, everything else as it was. */
static void edit(const struct input *in, const struct priorities *p, struct buf *out)
{
	const struct buf *text = &in->spec.src.text;
	size_t done = 0;

	buf_put(out, "", 0);
	for (u32 i = 0; i < in->spec.n; i++) {
		const struct spec_place *pl = &in->spec.place[i];
		u32 r = in->rs.of[i];

		if (r == RESV_NONE || p->prio[r] == PRIO_FIXED)
			continue;
		done = put_prio(out, text, done, pl, p->prio[r]);
	}
	buf_put(out, text->p + done, text->len - done);
}

/* A file in canonical layout stays in it. */
static bool make_text(const struct input *in, const struct priorities *p, struct buf *out)
{
	struct buf was = { 0 }, now = { 0 };
	struct spec spec;
	bool ok;

	edit(in, p, out);
	ok = layout_reparse(&spec, &in->spec, out);
	if (ok) {
		layout_spec(&in->spec, &was);
		layout_spec(&spec, &now);
		if (buf_equal(&was, in->spec.src.text.p, in->spec.src.text.len)) {
			buf_free(out);
			*out = now;
			now = (struct buf){ 0 };
		}
	}
	buf_free(&was);
	buf_free(&now);
	spec_free(&spec);
	return ok;
}

static bool is_cpu(const struct input *in, const struct resv *r)
{
	return in->spec.entry[r->first].cpu;
}

static void print_table(const struct input *in, const struct priorities *p, FILE *out)
{
	char c[SPEC_TIME_BYTES], t[SPEC_TIME_BYTES];

	for (u32 i = 0; i < in->rs.n; i++) {
		const struct resv *r = &in->rs.r[i];

		if (p->prio[i] == PRIO_FIXED)
			fprintf(out, "%4s %s: %s every %s: follows the %s, left alone\n",
				is_cpu(in, r) ? "cpu" : "*", r->label, spec_time_text(c, r->capacity_ns),
				spec_time_text(t, r->period_ns),
				is_cpu(in, r) ? "CPU" : "focus");
		else
			fprintf(out, "%4u %s: %s every %s\n", p->prio[i], r->label,
				spec_time_text(c, r->capacity_ns),
				spec_time_text(t, r->period_ns));
	}
}

static void print_json(const struct input *in, const struct priorities *p,
		       const char *method, bool found)
{
	struct json j = { .out = stdout };

	json_open(&j, NULL, '{');
	json_string(&j, "file", source_name(&in->spec.src));
	json_string(&j, "method", method);
	json_bool(&j, "found", found);
	json_open(&j, "reserves", '[');
	for (u32 i = 0; i < in->rs.n; i++) {
		const struct resv *r = &in->rs.r[i];

		json_open(&j, NULL, '{');
		json_string(&j, "name", r->label);
		json_uint(&j, "line", in->spec.entry[r->first].line);
		json_uint(&j, "capacity_ns", r->capacity_ns);
		json_uint(&j, "period_ns", r->period_ns);
		if (p->prio[i] == PRIO_FIXED || !p->prio[i])
			json_null(&j, "prio");
		else
			json_uint(&j, "prio", p->prio[i]);
		json_close(&j, '}');
	}
	json_close(&j, ']');
	json_close(&j, '}');
}

/* Unlimited programs above the lowest that was given out void every bound. */
static void warn_unlimited(const struct input *in, const struct model *m, u8 lowest)
{
	char prio[SPEC_PRIO_BYTES];

	for (u32 k = 0; k < m->set.nr_free; k++) {
		const struct tg_spec_entry *e;

		if (m->free_entry[k] < 0 || m->free[k].high < 2 * lowest)
			continue;
		e = &in->spec.entry[m->free_entry[k]];
		fprintf(stderr, "tgspec assign: line %u: \"%s\" at priority %s is not limited by a reserve of its own and goes first\n",
			e->line, e->name, spec_prio_text(prio, e));
	}
}

static void say_stuck(const struct input *in, const struct priorities *p, u8 stuck)
{
	fprintf(stderr, "tgspec assign: no assignment lets all be met: none of these can be at priority %u,\n"
		"with the others above it:", stuck);
	for (u32 i = 0; i < p->n; i++)
		if (!p->prio[i])
			fprintf(stderr, " %s", in->rs.r[i].label);
	fputs("\n\"tgspec analyze\" shows the response times\n", stderr);
}

static int output(const struct input *in, const struct priorities *p,
		  const char *method, const struct options *o)
{
	struct buf text = { 0 };
	int ret = TGSPEC_OK;

	if (!make_text(in, p, &text)) {
		fprintf(stderr, "tgspec assign: %s: it would exceed 64 KiB; nothing is written\n",
			source_name(&in->spec.src));
		ret = TGSPEC_REFUSED;
	} else {
		if (o->write) {
			int err = source_write(&in->spec.src, &text);

			ret = err ? tgspec_io(in->spec.src.path, err) : TGSPEC_OK;
		}
		if (o->study.json) {
			print_json(in, p, method, true);
		} else {
			if (!o->write)
				fwrite(text.p, 1, text.len, stdout);
			print_table(in, p, stderr);
		}
	}
	buf_free(&text);
	return ret;
}

static int assign(const char *method, const struct options *o)
{
	bool optimal = !strcmp(method, "opa"), found = true;
	const struct input *in = &o->study.in;
	const struct model *m = &o->study.m;
	struct priorities p = { .n = in->rs.n, .top = o->top };
	u8 stuck = 0;
	int ret = TGSPEC_REFUSED;

	p.prio = mem_zero(p.n, 1);
	fix_focus(&p, in);
	if (priorities_wanted(&p) > p.top) {
		fprintf(stderr, "tgspec assign: %u reserves need as many priorities, and there are %u from %u down to 1\n",
			priorities_wanted(&p), p.top, p.top);
		goto out;
	}
	if (optimal)
		found = priorities_optimal(&p, &m->set, o->in_step ? RTA_IN_STEP : RTA_MET,
					   &stuck);
	else
		priorities_by_period(&p, &m->set);
	warn_unlimited(in, m, p.top - priorities_wanted(&p) + 1);
	if (found) {
		ret = output(in, &p, method, o);
	} else {
		if (o->study.json)
			print_json(in, &p, method, false);
		say_stuck(in, &p, stuck);
	}
out:
	free(p.prio);
	return ret;
}

static const struct cli_opt opts[] = {
	{ "write", cli_flag, &options.write, NULL, "replace the file, in one step", 'w' },
	{ "top", args_take_number, &options.top, "N",
	  "the highest priority to give out (98); the others follow\n"
	  "right below", .wants = "give 1 to 99", .min = 1, .max = TG_PRIO_MAX },
	{ "in-step", cli_flag, &options.in_step, NULL,
	  "opa: enough if work that comes in step is done within T" },
	{ .help = "  -g, -b, -s, --idle, --lead, --ht-depth, --ac    as for \"tgspec analyze\"" },
	{ "json", cli_flag, &options.study.json, NULL,
	  "the priorities as JSON instead of the file" },
	{ 0 }
};

static const struct cli_opt study_opts[] = { STUDY_OPTS(options.study), { 0 } };

static int run(const struct command *cmd, int n, char **args)
{
	const char *method = args[0];
	int ret;

	if (!method || (strcmp(method, "rm") && strcmp(method, "dm") && strcmp(method, "opa")))
		return cli_usage(&cmd->cli, "say rm, dm or opa");
	if (n > 2)
		return cli_usage(&cmd->cli, "one file at a time");
	options.study.spec = args[1];
	ret = study_open(&options.study, &cmd->cli);
	if (ret == TGSPEC_OK)
		ret = assign(method, &options);
	study_close(&options.study);
	return ret;
}

const struct command tgspec_assign = {
	.cli = {
		.who = "tgspec assign",
		.about =
		"usage: tgspec assign [OPTION]... rm|dm|opa [FILE]\n"
		"\n"
		"Prints FILE (" TGSPEC_SPEC_PATH ") with new priorities for entries that have a\n"
		"reserve, those of a Shared reserve the same; entries with * keep it.\n"
		"\n"
		"  rm   rate monotonic: the shorter T, the higher the priority\n"
		"  dm   deadline monotonic: the same, as deadlines are T\n"
		"  opa  the optimal assignment: meets all reserves if any assignment does, as\n"
		"       \"tgspec analyze\" would judge it\n"
		"\n",
		.opts = { opts },
		.column = 22,
		.hidden = study_opts,
		.notes =
		"\n"
		"Exit status: 0 fine; 1 no assignment meets all, or the kernel refuses FILE;\n"
		"2 wrong usage; 3 a file cannot be read or written.\n",
	},
	.summary = "priorities from periods or from response times",
	.run = run,
};
