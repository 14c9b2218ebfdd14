/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a scenario: what its readers share. */
#ifndef LOADER_H
#define LOADER_H

#include "reader.h"

#define TIME_HINT "a number of microseconds, or with ns, us, ms, s: 2.5ms"

struct focus_name {
	char name[TG_NAME_MAX];
	u32 change, line, column;
};

struct loader {
	struct scenario *sc;
	struct reader r;
	struct task_desc *task;
	char *spec;		/* inline specification */
	size_t spec_len;
	const char *spec_file;	/* or the file that holds it */
	const char *ac_file;
	char dir[4096];		/* of the scenario, for the files that it names */
	struct focus_name *focus;
	u32 nr_focus;
};

/* A "key=value" option of a line. */
struct option {
	const char *name;
	u64 *time;
	u64 *count;
	u64 min, max;
};

/* Arguments are named by their word of the line; all return 0 or -EINVAL. */
int load_refuse(struct loader *l, u32 word, const char *check, const char *text,
		const char *hint);
int load_time(struct loader *l, u32 word, u64 *ns);
int load_cost(struct loader *l, u32 word, u64 *ns);	/* a time that is not 0 */
int load_value(struct loader *l, u32 word, const char *text, u64 lo, u64 hi,
	       u64 *v);
int load_count(struct loader *l, u32 word, u64 lo, u64 hi, u64 *v);
int load_percent(struct loader *l, u32 word, u32 max, u32 *ppm);
int load_no_more(struct loader *l, u32 n);
int load_options(struct loader *l, u32 from, const struct option *o, u32 n);

/* Names of files are relative to the scenario's. */
void load_resolve(const struct loader *l, const char *name, char *path,
		  size_t size);

/* Reads a line of a task block: 1 if its keyword is none of those. */
int load_task_line(struct loader *l);

/* Lines about domains, the policy among them and CPUs, see load_domain.c. */
int load_domain(struct loader *l);
int load_task_domain(struct loader *l);
int load_policy(struct loader *l);
void load_policy_of_spec(struct scenario *sc);
int load_tick(struct loader *l);
int load_cpu(struct loader *l);

/* The card's memory, or what a task needs of it, see load_memory.c. */
int load_memory(struct loader *l);

/* Whether the open task has all that it needs. */
int load_task_end(struct loader *l);

#endif
