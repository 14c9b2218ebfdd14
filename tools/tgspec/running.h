/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The programs that run now, and what the module gives them, as entries. */
#ifndef RUNNING_H
#define RUNNING_H

#include "libtimegraph.h"
#include "spec.h"

/**
 * struct running - a task
 * @pid: process number, 0 if it has none in this namespace
 * @uid: its user
 * @gpu: index of the GPU
 * @id: its number on that
 * @comm: its name
 * @exe: base name of its executable, "" if that is not known
 * @file: its executable
 * @cgroup: its path in cgroups v2, "" if that is not known
 * @line: of the entry that gave it its parameters, as the file was then; or 0
 * @set: parameters were set at run time
 * @demoted: it asks for a reserve that does not fit, and is a background task
 * @known: @has is all of it; otherwise the reserve's C and T are not known
 * @has: its parameters; the name is @comm.  Of an HT task without C and T
 */
struct running {
	s32 pid;
	u32 uid;
	u32 gpu;
	u64 id;
	char comm[TIMEGRAPH_COMM_LEN];
	char exe[TG_NAME_MAX];
	struct tg_spec_file file;
	char cgroup[TG_SPEC_NAME_MAX];
	u32 line;
	bool set;
	bool demoted;
	bool known;
	struct tg_spec_entry has;
};

/**
 * struct kept - a Shared reserve without tasks that a program keeps
 * @gpu: index of the GPU
 * @demoted: it does not fit
 */
struct kept {
	u32 gpu;
	bool demoted;
	char name[TIMEGRAPH_NAME_LEN];
	enum tg_spec_resv kind;
	u64 capacity_ns, period_ns;
};

/**
 * struct state - all of them, GPU by GPU
 * @config: the files in force, as timegraph_get_config() tells
 */
struct state {
	struct running *task;
	u32 n;
	struct kept *kept;
	u32 nr_kept;
	struct timegraph_config config;
};

/*
 * Read it; @fd is open.  Returns 0 or -errno; { 0 } before and to be freed
 * afterwards in either case.
 */
int state_read(struct state *st, int fd);
/* The same from a snapshot. */
void state_take(struct state *st, const struct timegraph_snapshot *snap);
void state_free(struct state *st);

/*
 * Where /proc does not tell a task's executable, the entry does that it has got:
 * if its name is not the comm, it is the executable's.
 */
void state_guess_exe(struct state *st, const struct spec *spec);

/* What /proc tells of the process @t->pid: executable and cgroup. */
void running_look(struct running *t);

/*
 * What @spec gives the task; the index of the entry, or -1 and the default.
 */
int running_lookup(const struct spec *spec, const struct running *t,
		   struct tg_spec_entry *e);

/*
 * Whether a task is treated alike by both.  HT tasks are not regulated: whatever
 * reserve they ask for.
 */
bool running_same(const struct tg_spec_entry *a, const struct tg_spec_entry *b);
/* Of which: the number, and what it follows. */
bool running_same_prio(const struct tg_spec_entry *a, const struct tg_spec_entry *b);

/* "PRT:PE@video:50:5ms:20ms"; to be freed. */
char *running_text(const struct tg_spec_entry *e);

/* "412 (game)"; to be freed. */
char *running_name(const struct running *t);

#endif
