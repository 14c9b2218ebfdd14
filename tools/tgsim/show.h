/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A run, shown. */
#ifndef SHOW_H
#define SHOW_H

#include "stats.h"

enum format {
	FORMAT_TEXT,
	FORMAT_CSV,
	FORMAT_JSON,
};

/* "12.34ms"; returns buf. */
const char *show_time(char *buf, size_t size, u64 ns);

/* Why a group that was not finished was not. */
const char *show_why(const struct sim *s, const struct sim_group *g);

const char *show_sched(const struct sim_inst *inst);
const char *show_reserve(const struct sim_inst *inst);

void report_text(const struct sim *s, const struct stats *st, FILE *out);
void report_csv(const struct sim *s, const struct stats *st, FILE *out);
/* @line: all in one. */
void report_json(const struct sim *s, const struct stats *st, bool line, FILE *out);

/* A cell of a table. */
void csv_text(FILE *out, const char *text);

/* Every event as a line. */
struct events {
	FILE *out;
	enum format format;
};
void events_observe(struct events *e, struct sim *s);

/* Every change of a budget as a line. */
struct budgets {
	FILE *out;
	enum format format;
	struct budget_seen { u64 periods, used_ns; s64 budget_ns; bool known; } *seen;
	u32 n;
};
void budgets_observe(struct budgets *b, struct sim *s);
void budgets_fini(struct budgets *b);

/* A picture of who had the GPU, who waited for it and who for a budget. */
struct timeline {
	u64 step_ns, from_ns, to_ns;
	u32 columns, rows;
	u64 *spent;	/* [row][column][what] */
	struct timeline_row { u64 since; u32 waiting, throttled; } *row;
};
void timeline_observe(struct timeline *t, struct sim *s);
void timeline_show(const struct timeline *t, const struct sim *s, FILE *out);
void timeline_fini(struct timeline *t);

#endif
