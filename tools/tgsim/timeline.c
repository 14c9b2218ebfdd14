// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The timeline: a row for each program, a column for each step.
 *
 *	#	on the GPU for at least half of the step
 *	+	on the GPU for less
 *	.	waits for its turn (or is being submitted)
 *	~	waits for a budget
 */
#include "mem.h"
#include "show.h"

enum { ON_GPU, WAITS, THROTTLED, WHATS };

static void spend(struct timeline *t, u32 row, u32 what, u64 from, u64 to)
{
	if (from < t->from_ns)
		from = t->from_ns;
	if (to > t->to_ns)
		to = t->to_ns;
	while (from < to) {
		u32 column = (from - t->from_ns) / t->step_ns;
		u64 end = t->from_ns + (column + 1) * t->step_ns;

		if (end > to)
			end = to;
		t->spent[((u64)row * t->columns + column) * WHATS + what] +=
			end - from;
		from = end;
	}
}

/* The time since the last change, by what held then. */
static void settle(struct timeline *t, u32 row, u64 now)
{
	struct timeline_row *r = &t->row[row];

	if (r->throttled)
		spend(t, row, THROTTLED, r->since, now);
	if (r->waiting)
		spend(t, row, WAITS, r->since, now);
	r->since = now;
}

static u32 *counter(struct timeline_row *r, enum tg_group_state state)
{
	static u32 ignored;

	switch (state) {
	case TG_GROUP_WAITING:
	case TG_GROUP_ONLINE:
		return &r->waiting;
	case TG_GROUP_THROTTLED:
		return &r->throttled;
	default:
		return &ignored;
	}
}

static void event(void *arg, struct sim *s, const struct sim_event *ev)
{
	struct timeline *t = arg;
	const struct sim_group *g = ev->group;

	if (ev->what == SIM_STATE) {
		struct timeline_row *r = &t->row[g->inst->index];

		settle(t, g->inst->index, ev->now);
		--*counter(r, g->shadow);
		++*counter(r, g->core.state);
	} else if (ev->what == SIM_COMPLETE) {
		spend(t, g->inst->index, ON_GPU, g->gpu_begin_ns,
		      g->gpu_end_ns);
	} else if (ev->what == SIM_END) {
		for (u32 i = 0; i < t->rows; i++)
			settle(t, i, ev->now);
		for (g = s->on_gpu.first; g; g = g->next)
			spend(t, g->inst->index, ON_GPU, g->gpu_begin_ns,
			      ev->now);
	}
}

void timeline_observe(struct timeline *t, struct sim *s)
{
	const struct sim_observer o = { event, t, true };

	t->rows = s->nr_insts;
	t->row = mem_alloc(t->rows * sizeof(*t->row));
	t->spent = mem_alloc((size_t)t->rows * t->columns * WHATS *
			     sizeof(*t->spent));
	sim_observe(s, &o);
}

static char cell(const u64 *spent, u64 step_ns)
{
	if (2 * spent[ON_GPU] >= step_ns)
		return '#';
	if (spent[ON_GPU])
		return '+';
	if (spent[WAITS] && spent[WAITS] >= spent[THROTTLED])
		return '.';
	return spent[THROTTLED] ? '~' : ' ';
}

void timeline_show(const struct timeline *t, const struct sim *s, FILE *out)
{
	char at[24], step[24];
	size_t w = 4;

	for (u32 i = 0; i < t->rows; i++)
		if (strlen(s->insts[i].name) > w)
			w = strlen(s->insts[i].name);
	fprintf(out, "%-*s ", (int)w, "ms");
	for (u32 c = 0; c < t->columns; c += 10)
		fprintf(out, "|%-9.6g", (double)(t->from_ns + c * t->step_ns) / 1e6);
	fputc('\n', out);
	for (u32 i = 0; i < t->rows; i++) {
		fprintf(out, "%-*s ", (int)w, s->insts[i].name);
		for (u32 c = 0; c < t->columns; c++)
			fputc(cell(&t->spent[((u64)i * t->columns + c) * WHATS],
				   t->step_ns), out);
		fputc('\n', out);
	}
	fprintf(out, "%-*s from %s, one column %s; # GPU, + GPU for less than half, . waits, ~ waits for budget\n\n",
		(int)w, "", show_time(at, sizeof(at), t->from_ns),
		show_time(step, sizeof(step), t->step_ns));
}

void timeline_fini(struct timeline *t)
{
	free(t->row);
	free(t->spent);
}
