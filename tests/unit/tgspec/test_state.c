// SPDX-License-Identifier: GPL-2.0-or-later
/* What tgspec export writes and tgspec import plans, on states made by hand and at random. */
#include <stdlib.h>
#include <string.h>

#include "amend.h"
#include "layout.h"
#include "plan.h"
#include "random.h"
#include "random_spec.h"
#include "tap.h"
#include "tg_sched.h"

#define TASKS_MAX 12

static void parse(struct spec *spec, const char *text)
{
	struct diags diags = { 0 };

	memset(spec, 0, sizeof(*spec));
	spec->src.path = "x";
	buf_puts(&spec->src.text, text);
	spec_parse(spec, &diags);
	CHECK(!diags.n);
	diags_free(&diags);
}

/* A task with the parameters of an entry, "game:PRT:PE:5:1ms:2ms". */
static void add_task(struct state *st, const char *entry, const char *exe, bool set)
{
	struct tg_spec_error err;
	struct running *t;

	st->task = mem_resize(st->task, st->n + 1, sizeof(*st->task));
	t = &st->task[st->n++];
	memset(t, 0, sizeof(*t));
	CHECK(tg_spec_parse(entry, strlen(entry), &t->has, 1, &err) == 1);
	/* The interface tells them of regulated tasks only. */
	if (t->has.sched == TG_SPEC_HT)
		t->has.capacity_ns = t->has.period_ns = 0;
	t->pid = 100 + st->n;
	t->id = st->n;
	t->known = true;
	t->set = set;
	memcpy(t->comm, t->has.name, sizeof(t->comm) - 1);
	snprintf(t->exe, sizeof(t->exe), "%s", exe);
	st->config.limit_percent = 100;
}

struct export_case {
	const char *description, *file;
	struct {
		const char *entry, *exe;
		bool set;
	} task[4];
	const char *to;
	u32 lost, stale;
};

static const struct export_case cases[] = {
	{ "nothing was set: the file as it is",
	  "# top\na:PRT:PE@g:5:1ms:2ms # x\nb:PRT:PE@g:6::\n",
	  { { "a:PRT:PE@g:5:1ms:2ms", "a" }, { "b:PRT:PE@g:6:1ms:2ms", "b" }, { "c:FQ:BG:0::", "c" } },
	  "# top\n<a:PRT:PE@g:5:1ms:2ms>  # x\n<b:PRT:PE@g:6:   :   >\n" },
	{ "a line gets what was set, and keeps its comment",
	  "a:PRT:-:5:: # mine\nb:HT:-:6::\n",
	  { { "a:PRT:PE:7:1ms:2ms", "a", true } },
	  "# tgspec export: set at run time for 101 (a); the file has a:PRT:-:5::\n"
	  "<a:PRT:PE:7:1ms:2ms>  # mine\n<b:HT :- :6:   :   >\n" },
	{ "who has no entry gets one at the end",
	  "a:PRT:-:5::",
	  { { "new:HT:-:*::", "x", true } },
	  "<a  :PRT:-:5::>\n# tgspec export: set at run time for 101 (new)\n<new:HT :-:*::>\n" },
	{ "by focus is not priority 50",
	  "a:PRT:-:50::", { { "a:PRT:-:*::", "a", true } },
	  "# tgspec export: set at run time for 101 (a); the file has a:PRT:-:50::\n<a:PRT:-:*::>\n" },
	{ "by the CPU is not priority 0",
	  "a:FQ:-:0::", { { "a:FQ:-:cpu::", "a", true } },
	  "# tgspec export: set at run time for 101 (a); the file has a:FQ:-:0::\n<a:FQ:-:cpu::>\n" },
	{ "no file, nothing set", "", { { "a:FQ:BG:0::", "a" } }, "" },
	{ "a weight", "<*:FQ:BG:0::>", { { "a:FQ=400:BG:0::", "a", true } },
	  "# tgspec export: set at run time for 101 (a); the file has <*:FQ:BG:0::>\n"
	  "<*:FQ=400:BG:0::>\n" },
	{ "a lead", "<*:FQ lead=1ms:BG:0::>", { { "a:FQ=400 lead=0:BG:0::", "a", true } },
	  "# tgspec export: set at run time for 101 (a); the file has <*:FQ lead=1ms:BG:0::>\n"
	  "<*:FQ=400 lead=0:BG:0::>\n" },
	{ "video memory stays", "<*:FQ vram=1M:BG:0::>\n<a:FQ vram=2M:BG:0::>", { { "a:FQ=400:BG:0::", "a", true } },
	  "# tgspec export: set at run time for 101 (a); the file has <*:FQ vram=1M:BG:0::>\n"
	  "<*:FQ=400 vram=1M:BG:0::>\n<a:FQ vram=2M    :BG:0::>\n" },
	{ "an older mark gives way to the new one",
	  "# keep\n# tgspec export: set at run time for 7 (a); the file has <a:HT:-:1::>\n<a:HT:-:2::>\n",
	  { { "a:HT:-:3::", "a", true } },
	  "# keep\n# tgspec export: set at run time for 101 (a); the file has <a:HT:-:2::>\n<a:HT:-:3::>\n" },
	{ "programs of one executable are told apart by their comm",
	  "python3:PRT:-:5::",
	  { { "one:PRT:-:5::", "python3" }, { "two:PRT:-:9::", "python3", true } },
	  "# tgspec export: set at run time for 102 (two)\n<two    :PRT:-:9::>\n<python3:PRT:-:5::>\n" },
	{ "the line is its name's, others go before it",
	  "game:PRT:-:5::",
	  { { "game:HT:-:7::", "game", true }, { "helper:PRT:-:5::", "game" } },
	  "# tgspec export: from before the file changed, for 102 (helper)\n<helper:PRT:-:5::>\n"
	  "# tgspec export: set at run time for 101 (game); the file has game:PRT:-:5::\n<game  :HT :-:7::>\n" },
	{ "a Shared reserve has one C and T, in all its lines",
	  "a:PRT:PE@g:5:1ms:2ms\nb:PRT:PE@g:6:1ms:2ms\n",
	  { { "a:PRT:AE@g:5:3ms:9ms", "a", true } },
	  "# tgspec export: this Shared reserve was set at run time; the file has a:PRT:PE@g:5:1ms:2ms\n"
	  "<a:PRT:AE@g:5:3ms:9ms>\n"
	  "# tgspec export: this Shared reserve was set at run time; the file has b:PRT:PE@g:6:1ms:2ms\n"
	  "<b:PRT:AE@g:6:3ms:9ms>\n" },
	{ "by another's hand, too",
	  "a:PRT:PE@g:5:1ms:2ms\nb:PRT:PE@g:6::\n",
	  { { "a:PRT:PE@g:5:3ms:9ms", "a", true }, { "b:PRT:PE@g:6:3ms:9ms", "b" } },
	  "# tgspec export: this Shared reserve was set at run time; the file has a:PRT:PE@g:5:1ms:2ms\n"
	  "<a:PRT:PE@g:5:3ms:9ms>\n"
	  "# tgspec export: this Shared reserve was set at run time; the file has b:PRT:PE@g:6::\n"
	  "<b:PRT:PE@g:6:3ms:9ms>\n" },
	{ "who leaves a group leaves its C and T behind",
	  "a:PRT:PE@g:5:1ms:2ms\nb:PRT:PE@g:6::\n",
	  { { "a:PRT:-:5::", "a", true }, { "b:PRT:PE@g:6:1ms:2ms", "b" } },
	  "# tgspec export: set at run time for 101 (a); the file has a:PRT:PE@g:5:1ms:2ms\n"
	  "<a:PRT:-   :5:   :   >\n<b:PRT:PE@g:6:1ms:2ms>\n" },
	{ "and who joins it behind them takes nothing from that",
	  "a:PRT:PE@g:5:1ms:2ms\nb:PRT:PE@g:6::\n",
	  { { "a:PRT:-:5::", "a", true }, { "c:PRT:PE@g:7:1ms:2ms", "c", true } },
	  "# tgspec export: set at run time for 101 (a); the file has a:PRT:PE@g:5:1ms:2ms\n"
	  "<a:PRT:-   :5:   :   >\n<b:PRT:PE@g:6:1ms:2ms>\n"
	  "# tgspec export: set at run time for 102 (c)\n<c:PRT:PE@g:7:1ms:2ms>\n" },
	{ "two of one name cannot both be told: the file's word goes first",
	  "a:PRT:-:5::",
	  { { "a:PRT:-:9::", "a", true }, { "a:PRT:-:5::", "a" } },
	  "<a:PRT:-:5::>\n", .lost = 1 },
	{ "of two that were set the first is told",
	  "a:PRT:-:5::",
	  { { "a:PRT:-:9::", "a", true }, { "a:PRT:-:8::", "a", true } },
	  "# tgspec export: set at run time for 101 (a); the file has a:PRT:-:5::\n<a:PRT:-:9::>\n",
	  .lost = 1 },
	{ "the file has changed under a task",
	  "a:PRT:-:5::",
	  { { "a:PRT:-:6::", "a" } },
	  "# tgspec export: from before the file changed, for 101 (a); the file has a:PRT:-:5::\n<a:PRT:-:6::>\n",
	  .stale = 1 },
	{ "HT tasks are not regulated, so the file's reserve stays",
	  "a:HT:PE:5:1ms:2ms", { { "a:HT:-:5::", "a" } }, "<a:HT:PE:5:1ms:2ms>\n" },
	{ "also if they were made HT",
	  "a:PRT:AE@g:5:1ms:2ms", { { "a:HT:AE:6:5ms:5ms", "a", true } },
	  "# tgspec export: set at run time for 101 (a); the file has a:PRT:AE@g:5:1ms:2ms\n"
	  "<a:HT:AE@g:6:1ms:2ms>\n" },
	{ "but not another one",
	  "a:PRT:AE@g:5:1ms:2ms", { { "a:HT:PE:6:5ms:5ms", "a", true } },
	  "# tgspec export: set at run time for 101 (a); the file has a:PRT:AE@g:5:1ms:2ms\n"
	  "<a:HT:-:6::>\n" },
};

static u32 count(const bool *b, u32 n)
{
	u32 sum = 0;

	while (n--)
		sum += b[n];
	return sum;
}

static void export_examples_come_out_as_written_here(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct export_case *c = &cases[i];
		struct state st = { 0 };
		struct amended a;
		struct spec spec;
		bool ok;

		parse(&spec, c->file);
		for (u32 k = 0; k < ARRAY_SIZE(c->task) && c->task[k].entry; k++)
			add_task(&st, c->task[k].entry, c->task[k].exe, c->task[k].set);
		ok = CHECK(amend(&a, &spec, &st)) &&
		     CHECK(buf_equal(&a.spec.src.text, c->to, strlen(c->to))) &&
		     CHECK(a.nr_lost == c->lost) && CHECK(count(a.stale, st.n) == c->stale);
		if (!ok)
			tap_diag("\"%s\": %u lost, %u stale\n%s", c->description, a.nr_lost,
				 count(a.stale, st.n), a.spec.src.text.p ? a.spec.src.text.p : "");
		amended_free(&a);
		spec_free(&spec);
		state_free(&st);
	}
}

static void what_no_entry_can_say_is_told(void)
{
	struct state st = { 0 };
	struct amended a;
	struct spec spec;

	parse(&spec, "a:PRT:-:5::\n");
	add_task(&st, "a:PRT:PE@g:5:1ms:2ms", "a", true);
	add_task(&st, "b:PRT:-:5::", "b", true);
	add_task(&st, "c:PRT:-:6::", "c", true);
	memcpy(st.task[0].has.group, "g h", 4);
	memcpy(st.task[1].comm, "b\nc", 4);
	memcpy(st.task[1].has.name, "b\nc", 4);
	if (CHECK(amend(&a, &spec, &st)))
		CHECK(a.lost[0] && a.lost[1] && !a.lost[2] && a.changed == 1);
	amended_free(&a);
	spec_free(&spec);
	state_free(&st);
}

static void shared_reserve_that_differs_between_gpus_is_told(void)
{
	struct state st = { 0 };
	struct amended a;
	struct spec spec;

	parse(&spec, "");
	add_task(&st, "a:PRT:PE@g:5:1ms:2ms", "a", true);
	add_task(&st, "b:PRT:PE@g:5:1ms:3ms", "b", true);
	st.task[1].gpu = 1;
	if (CHECK(amend(&a, &spec, &st)))
		CHECK(!a.lost[0] && a.lost[1]);
	amended_free(&a);
	spec_free(&spec);
	state_free(&st);
}

static void too_many_entries_are_refused(void)
{
	struct buf text = { 0 };
	struct state st = { 0 };
	struct amended a;
	struct spec spec;

	for (u32 i = 0; i < TG_SPEC_MAX_ENTRIES; i++)
		buf_printf(&text, "a%u:HT:-:5::\n", i);
	parse(&spec, text.p);
	add_task(&st, "b:HT:-:5::", "b", true);
	CHECK(!amend(&a, &spec, &st));
	amended_free(&a);
	spec_free(&spec);
	state_free(&st);
	buf_free(&text);
}

/* A task's parameters: mostly what the file gives, else anything. */
static void random_has(uint64_t *seed, const struct spec *spec, struct running *t)
{
	struct tg_spec_entry *e = &t->has;
	u32 kind = random_below(seed, 4);

	running_lookup(spec, t, e);
	if (e->sched == TG_SPEC_HT) {
		e->capacity_ns = e->period_ns = 0;
		e->group[0] = '\0';
	}
	if (!random_below(seed, 2))
		return;
	t->set = random_below(seed, 8);
	e->sched = random_below(seed, TG_SPEC_FQ + 1);
	e->weight = e->sched == TG_SPEC_FQ ? 1 + random_below(seed, 300) : TG_WEIGHT_DEFAULT;
	e->has_lead = !random_below(seed, 3);
	e->lead_ns = e->has_lead ? random_below(seed, 3) * 1000000 : 0;
	e->focus = !random_below(seed, 4);
	e->cpu = !e->focus && !random_below(seed, 4);
	e->prio = e->focus ? TG_PRIO_DEFAULT : e->cpu ? TG_PRIO_MIN : random_below(seed, 100);
	memset(e->group, 0, sizeof(e->group));
	e->capacity_ns = e->period_ns = 0;
	e->resv = kind == 0 ? TG_SPEC_RESV_NONE : kind == 1 ? TG_SPEC_RESV_BG : TG_SPEC_RESV_PE;
	if (e->resv == TG_SPEC_RESV_PE && e->sched != TG_SPEC_HT) {
		e->capacity_ns = 1 + random_below(seed, 1000000);
		e->period_ns = e->capacity_ns + random_below(seed, 1000000);
	}
	/* As running.c reads them. */
	if (kind == 3 && e->sched != TG_SPEC_HT)
		snprintf(e->group, sizeof(e->group), "%s", random_below(seed, 2) ? "v" : "new");
}

/* A Shared reserve has one policy, C and T on a GPU. */
static void agree(struct state *st)
{
	for (u32 k = 0; k < st->n; k++)
		for (u32 j = 0; j < k && st->task[k].has.group[0]; j++) {
			struct tg_spec_entry *e = &st->task[k].has, *x = &st->task[j].has;

			if (strcmp(e->group, x->group))
				continue;
			e->resv = x->resv;
			e->capacity_ns = x->capacity_ns;
			e->period_ns = x->period_ns;
			break;
		}
}

static void random_state(uint64_t *seed, const struct spec *spec, struct state *st)
{
	st->n = random_below(seed, TASKS_MAX);
	st->task = mem_zero(st->n, sizeof(*st->task));
	for (u32 k = 0; k < st->n; k++) {
		struct running *t = &st->task[k];
		u32 e = random_below(seed, spec->n + 1);

		t->pid = k + 1;
		t->id = k + 1;
		t->known = true;
		/* Names that no two have: so every task can be told from the others. */
		if (e < spec->n && !strchr(spec->entry[e].name, '\001'))
			snprintf(t->exe, sizeof(t->exe), "%.63s", spec->entry[e].name);
		snprintf(t->comm, sizeof(t->comm), "t#%u", k);
		random_has(seed, spec, t);
		memcpy(t->has.name, t->comm, sizeof(t->comm));
	}
	agree(st);
}

/* It is canonical, an export of it changes nothing, and each task gets its own. */
static bool export_is_good(const struct spec *spec, const struct state *st)
{
	struct amended a, again = { 0 };
	struct buf laid = { 0 };
	bool ok;

	ok = CHECK(amend(&a, spec, st)) && CHECK(!a.nr_lost);
	for (u32 k = 0; ok && k < st->n; k++) {
		struct tg_spec_entry e;

		running_lookup(&a.spec, &st->task[k], &e);
		ok = CHECK(running_same(&e, &st->task[k].has));
	}
	if (ok) {
		layout_spec(&a.spec, &laid);
		ok = CHECK(buf_equal(&laid, a.spec.src.text.p, a.spec.src.text.len)) &&
		     CHECK(amend(&again, &a.spec, st)) && CHECK(!again.changed) &&
		     CHECK(buf_equal(&laid, again.spec.src.text.p, again.spec.src.text.len));
	}
	if (!ok)
		tap_diag("%s\nbecomes\n%s", spec->src.text.p, a.spec.src.text.p);
	buf_free(&laid);
	amended_free(&again);
	amended_free(&a);
	return ok;
}

static void random_states_are_exported_whole(void)
{
	uint64_t seed = 11;
	u32 good = 0;

	for (u32 i = 0; i < 5000; i++) {
		struct diags diags = { 0 };
		struct state st = { 0 };
		struct buf text = { 0 };
		struct spec spec = { .src.path = "x" };
		bool ok = true;

		random_spec(&seed, &text);
		buf_put(&spec.src.text, text.p, text.len);
		spec_parse(&spec, &diags);
		if (!diags.n) {
			random_state(&seed, &spec, &st);
			ok = export_is_good(&spec, &st);
			good++;
		}
		diags_free(&diags);
		state_free(&st);
		spec_free(&spec);
		buf_free(&text);
		if (!ok)
			return;
	}
	CHECK(good > 2500);
	tap_diag("%u states", good);
}

/* What the plan asks for, done by a kernel that does as it is told. */
static void make_changes(const struct plan *p, struct state *st)
{
	for (u32 i = 0; i < p->n; i++)
		for (u32 k = 0; k < st->n; k++) {
			struct tg_spec_entry *e = &st->task[k].has;
			struct timegraph_set set;

			if (st->task[k].pid != p->list[i].task->pid)
				continue;
			plan_set(&set, st->task[k].pid, p->list[i].fields, &p->list[i].to);
			if (set.fields & TIMEGRAPH_SET_POLICY)
				e->sched = (enum tg_spec_sched)set.policy;
			if (set.fields & TIMEGRAPH_SET_WEIGHT)
				e->weight = set.weight;
			if (set.fields & TIMEGRAPH_SET_LEAD) {
				e->has_lead = set.lead_ns != TIMEGRAPH_LEAD_COMMON;
				e->lead_ns = e->has_lead ? set.lead_ns : 0;
			}
			if (set.fields & TIMEGRAPH_SET_PRIO) {
				e->prio = set.prio;
				e->focus = set.focus == TIMEGRAPH_FOLLOW_FOCUS;
				e->cpu = set.focus == TIMEGRAPH_FOLLOW_CPU;
			}
			if (set.fields & TIMEGRAPH_SET_RESV) {
				e->resv = p->list[i].to.resv;
				e->capacity_ns = set.capacity_ns;
				e->period_ns = set.period_ns;
				memcpy(e->group, set.group, sizeof(e->group));
			}
		}
}

static void planned_changes_give_what_the_file_says(void)
{
	uint64_t seed = 12;

	for (u32 i = 0; i < 5000; i++) {
		struct diags diags = { 0 };
		struct state st = { 0 };
		struct spec spec = { .src.path = "x" };
		struct plan p;
		u32 changed;

		random_spec(&seed, &spec.src.text);
		spec_parse(&spec, &diags);
		if (diags.n)
			spec.n = 0;
		random_state(&seed, &spec, &st);
		plan_make(&p, &spec, &st, 0);
		changed = p.n;
		make_changes(&p, &st);
		plan_free(&p);
		for (u32 k = 0; k < st.n; k++) {
			struct tg_spec_entry e;

			running_lookup(&spec, &st.task[k], &e);
			CHECK(running_same(&e, &st.task[k].has));
		}
		plan_make(&p, &spec, &st, 0);
		CHECK(changed <= st.n && !p.n);
		plan_free(&p);
		diags_free(&diags);
		state_free(&st);
		spec_free(&spec);
	}
}

static void plan_sets_what_differs_in_a_good_order(void)
{
	struct state st = { 0 };
	struct spec spec;
	struct plan p;

	parse(&spec, "more:PRT:PE:5:5ms:10ms\nless:PRT:PE:5:1ms:10ms\nlow:PRT:-:1::\nsame:HT:-:5::\n"
	      "slow:PRT:-:5::\n");
	add_task(&st, "low:PRT:-:9::", "low", false);
	add_task(&st, "more:PRT:PE:5:2ms:10ms", "more", false);
	add_task(&st, "less:PRT:PE:5:8ms:10ms", "less", false);
	add_task(&st, "same:HT:-:5::", "same", false);
	/* What it asks for while it is HT is not told in full. */
	add_task(&st, "slow:HT:-:5::", "slow", false);
	plan_make(&p, &spec, &st, 0);
	CHECK(p.nr_tasks == 5 && p.n == 4);
	CHECK(!strcmp(p.list[0].task->comm, "less") && !p.list[0].lowers);
	CHECK(!strcmp(p.list[1].task->comm, "slow") &&
	      p.list[1].fields == (TIMEGRAPH_SET_POLICY | TIMEGRAPH_SET_RESV));
	CHECK(!strcmp(p.list[2].task->comm, "more") && !p.list[2].lowers);
	CHECK(!strcmp(p.list[3].task->comm, "low") && p.list[3].lowers);
	CHECK(p.list[3].fields == TIMEGRAPH_SET_PRIO && p.list[3].line == 3);
	CHECK(p.list[0].fields == TIMEGRAPH_SET_RESV);
	plan_free(&p);
	/* Another user's takes a right. */
	plan_make(&p, &spec, &st, 7);
	for (u32 i = 0; i < p.n; i++)
		CHECK(!p.list[i].lowers);
	plan_free(&p);
	spec_free(&spec);
	state_free(&st);
}

static void plan_finds_the_reserve_that_does_not_fit(void)
{
	static const struct {
		const char *description, *file, *task[4], *misfit;
		bool demoted[4], kept;
	} some[] = {
		{ "exactly all", "a:PRT:PE:5:5ms:10ms\nb:PRT:PE:5:5ms:10ms", { "a:PRT:-:5::", "b:PRT:-:5::" } },
		{ "a nanosecond more", "a:PRT:PE:5:5ms:10ms\nb:PRT:PE:5:5000001ns:10ms",
		  { "a:PRT:-:5::", "b:PRT:-:5::" }, "b" },
		{ "what shrinks makes room", "a:PRT:PE:5:2ms:10ms\nb:PRT:PE:5:8ms:10ms",
		  { "a:PRT:PE:5:9ms:10ms", "b:PRT:-:5::" } },
		{ "beside one that stays", "a:PRT:PE:5:3ms:10ms\nb:PRT:PE:5:8ms:10ms",
		  { "a:PRT:PE:5:3ms:10ms", "b:PRT:-:5::" }, "b" },
		{ "what does not fit already does not count", "a:PRT:PE:5:8ms:10ms\nb:PRT:PE:6:8ms:10ms",
		  { "a:PRT:PE:5:9ms:10ms", "b:PRT:PE:5:8ms:10ms" }, NULL, { false, true } },
		{ "a Shared reserve counts once", "a:PRT:PE@g:5:6ms:10ms\nb:PRT:PE@g:5::",
		  { "a:PRT:-:5::", "b:PRT:-:5::" } },
		{ "who becomes HT frees its own", "a:HT:-:5::\nb:PRT:PE:5:8ms:10ms",
		  { "a:PRT:PE:5:9ms:10ms", "b:PRT:-:5::" } },
		{ "a kept one counts", "a:PRT:PE:5:6ms:10ms", { "a:PRT:-:5::" }, "a", .kept = true },
		{ "with what it becomes", "a:PRT:PE@kept:5:9ms:10ms\nb:PRT:PE:5:2ms:10ms",
		  { "a:PRT:-:5::", "b:PRT:-:5::" }, "a", .kept = true },
		{ "but not if it is the same", "a:PRT:PE@kept:5:6ms:10ms", { "a:PRT:-:5::" }, .kept = true },
	};

	for (u32 i = 0; i < ARRAY_SIZE(some); i++) {
		struct kept kept = { .name = "kept", .kind = TG_SPEC_RESV_PE, .capacity_ns = 5, .period_ns = 10 };
		const struct change *c;
		struct state st = { 0 };
		struct spec spec;
		struct plan p;

		parse(&spec, some[i].file);
		for (u32 k = 0; k < 4 && some[i].task[k]; k++) {
			add_task(&st, some[i].task[k], "x", false);
			st.task[k].demoted = some[i].demoted[k];
		}
		if (some[i].kept) {
			st.kept = &kept;
			st.nr_kept = 1;
		}
		plan_make(&p, &spec, &st, 0);
		c = plan_misfit(&p, &st);
		if (!CHECK(!c == !some[i].misfit && (!c || !strcmp(c->task->comm, some[i].misfit))))
			tap_diag("\"%s\": %s", some[i].description, c ? c->task->comm : "all fit");
		plan_free(&p);
		st.kept = NULL;
		state_free(&st);
		spec_free(&spec);
	}
}

/* A snapshot by hand: what the interface leaves out is not made up. */
static void demoted_tasks_reserve_is_found_if_only_one_can_be_meant(void)
{
	struct timegraph_task task[2] = {
		{ .pid = 0, .comm = "a", .resv = TIMEGRAPH_RESV_PE, .reserve = 1, .id = 1,
		  .flags = TIMEGRAPH_TASK_DEMOTED },
		{ .pid = 0, .comm = "ht", .policy = TIMEGRAPH_POLICY_HT, .resv = TIMEGRAPH_RESV_AE, .id = 2 },
	};
	struct timegraph_reserve reserve[4] = {
		{ .id = 1, .name = "Background", .policy = TIMEGRAPH_RESV_PE, .capacity_ns = 1, .period_ns = 9,
		  .flags = TIMEGRAPH_RESERVE_SHARED | TIMEGRAPH_RESERVE_BACKGROUND },
		{ .id = 2, .name = "b", .policy = TIMEGRAPH_RESV_PE, .capacity_ns = 2, .period_ns = 9,
		  .flags = TIMEGRAPH_RESERVE_DEMOTED },
		{ .id = 3, .name = "a", .policy = TIMEGRAPH_RESV_PE, .capacity_ns = 3, .period_ns = 9,
		  .flags = TIMEGRAPH_RESERVE_DEMOTED },
		{ .id = 4, .name = "g", .policy = TIMEGRAPH_RESV_PE, .capacity_ns = 4, .period_ns = 9,
		  .flags = TIMEGRAPH_RESERVE_DEMOTED | TIMEGRAPH_RESERVE_SHARED },
	};
	struct timegraph_gpu_state gpu = {
		.tasks = { task, 2, 2 }, .reserves = { reserve, 3, 4 },
	};
	struct timegraph_snapshot snap = { .gpus = &gpu, .nr_gpus = 1 };
	struct state st = { 0 };

	state_take(&st, &snap);
	CHECK(st.n == 2 && st.task[0].known && st.task[0].has.capacity_ns == 3 && !st.task[0].has.group[0]);
	CHECK(st.task[1].known && st.task[1].has.sched == TG_SPEC_HT);
	gpu.reserves.count = 4;
	state_take(&st, &snap);
	CHECK(!st.task[0].known && !st.task[0].has.capacity_ns);
	state_free(&st);
}

int main(void)
{
	static const struct tap_case list[] = {
		{ "export_examples_come_out_as_written_here", export_examples_come_out_as_written_here },
		{ "what_no_entry_can_say_is_told", what_no_entry_can_say_is_told },
		{ "shared_reserve_that_differs_between_gpus_is_told",
		  shared_reserve_that_differs_between_gpus_is_told },
		{ "too_many_entries_are_refused", too_many_entries_are_refused },
		{ "random_states_are_exported_whole", random_states_are_exported_whole },
		{ "planned_changes_give_what_the_file_says", planned_changes_give_what_the_file_says },
		{ "plan_sets_what_differs_in_a_good_order",
		  plan_sets_what_differs_in_a_good_order },
		{ "plan_finds_the_reserve_that_does_not_fit", plan_finds_the_reserve_that_does_not_fit },
		{ "demoted_tasks_reserve_is_found_if_only_one_can_be_meant",
		  demoted_tasks_reserve_is_found_if_only_one_can_be_meant },
	};

	return tap_run(list, ARRAY_SIZE(list));
}
