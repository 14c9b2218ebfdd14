// SPDX-License-Identifier: GPL-2.0-or-later
/* tgspec explain: what a program would get, and why. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "input.h"
#include "json.h"
#include "running.h"
#include "tgspec.h"

struct options {
	const char *spec, *ac, *exe, *cgroup;
	uint64_t uid;
	bool pid, json;
};

/* Which user is not asked. */
#define ANY_USER TG_SPEC_ANY_UID

/**
 * struct verdict - what the kernel would give a program
 * @comm: at most 15 characters
 * @exe: base name of its executable
 * @p: the program, of which these two are part
 * @entry: index of the entry, or -1: none matches
 * @e: it, or what stands in for it
 * @by_exe: it matched by the executable's name
 * @by_comm: it matched by the comm
 * @resv: its reserve in @rs, or RESV_NONE
 */
struct verdict {
	char comm[TG_COMM_MAX + 1];
	const char *exe;
	struct tg_spec_program p;
	int entry;
	struct tg_spec_entry e;
	bool by_exe, by_comm;
	u32 resv;
	const struct spec *spec;
	const struct spec_limit *limit;
	const struct reserves *rs;
};

static void match(struct verdict *v)
{
	v->entry = spec_lookup(v->spec, &v->p, &v->e);
	v->resv = RESV_NONE;
	if (v->entry < 0)
		return;
	v->by_exe = v->e.kind == TG_SPEC_NAME && !strcmp(v->e.name, v->exe);
	v->by_comm = v->e.kind == TG_SPEC_NAME &&
		     !strncmp(v->e.name, v->comm, TG_COMM_MAX);
	v->resv = v->rs->of[v->entry];
}

/* Whether it would match if capitals were the same. */
static bool differs_in_case(const struct verdict *v, const struct tg_spec_entry *e)
{
	if (e->kind != TG_SPEC_NAME || !strcmp(e->name, v->exe) ||
	    !strncmp(e->name, v->comm, TG_COMM_MAX))
		return false;
	return !strcasecmp(e->name, v->exe) || !strncasecmp(e->name, v->comm, TG_COMM_MAX);
}

/* The first such entry, or -1. */
static int other_case(const struct verdict *v)
{
	for (u32 i = 0; v->entry < 0 && i < v->spec->n; i++)
		if (differs_in_case(v, &v->spec->entry[i]))
			return (int)i;
	return -1;
}

/* The first entry that would match if it were another user's program, or -1. */
static int other_user(const struct verdict *v)
{
	struct tg_spec_program p = v->p;

	p.uid = ANY_USER;
	for (u32 i = 0; v->entry < 0 && i < v->spec->n; i++)
		if (tg_spec_matches(&v->spec->entry[i], &p))
			return (int)i;
	return -1;
}

static const struct resv *own(const struct verdict *v)
{
	return v->resv == RESV_NONE ? NULL : &v->rs->r[v->resv];
}

static bool is_demoted(const struct verdict *v)
{
	return own(v) && own(v)->core.demoted;
}

static void say_names(const struct verdict *v)
{
	printf("%s", v->by_comm && v->by_exe ? "both " : "");
	if (v->by_comm)
		printf("its comm \"%s\"%s", v->comm, v->by_exe ? " and " : "");
	if (v->by_exe)
		printf("the base name of its executable \"%s\"", v->exe);
	printf("\n             %s the entry's name%s",
	       v->by_comm && v->by_exe ? "match" : "matches",
	       v->by_comm && strlen(v->e.name) > TG_COMM_MAX ?
	       " (a comm: its first 15 characters)" : "");
}

static void say_why(const struct verdict *v)
{
	printf("  because    ");
	if (v->e.kind == TG_SPEC_PATH)
		printf("its executable is the file that the path leads to");
	else if (v->e.kind == TG_SPEC_CGROUP)
		printf("it is in that cgroup, or in one below");
	else if (v->e.kind == TG_SPEC_ANY)
		printf("* is for all programs");
	else
		say_names(v);
	if (v->e.has_uid && v->p.uid == ANY_USER)
		printf(",\n             if it is user %u's", v->e.uid);
	else if (v->e.has_uid)
		printf(",\n             and it is user %u's", v->e.uid);
	puts("; no earlier line matches");
}

static void say_entry(const struct verdict *v)
{
	const struct spec_place *pl;
	int near = other_case(v), user = other_user(v);

	if (v->entry < 0) {
		printf("  entry      none in %s matches the comm \"%s\" or the executable \"%s\"\n",
		       source_name(&v->spec->src), v->comm, v->exe);
		if (near >= 0)
			printf("  but        \"%s\" in line %u differs only in case\n",
			       v->spec->entry[near].name, v->spec->entry[near].line);
		if (user >= 0)
			printf("  but        line %u is for the programs of user %u alone\n",
			       v->spec->entry[user].line, v->spec->entry[user].uid);
		return;
	}
	pl = &v->spec->place[v->entry];
	printf("  entry      %s:%u: %.*s\n", source_name(&v->spec->src), v->e.line,
	       (int)(pl->end - pl->line_at), v->spec->src.text.p + pl->line_at);
	say_why(v);
}

static void say_policy(const struct verdict *v)
{
	char lead[SPEC_TIME_BYTES];

	if (v->e.sched == TG_SPEC_HT)
		puts("  policy     HT: as fast as possible; keeps the GPU between its own command\n"
		     "             groups unless a task of higher priority waits");
	else if (v->e.sched == TG_SPEC_FQ)
		printf("  policy     FQ: shares the GPU's time with the others of its priority, by weight:\n"
		       "             its own is %u, 100 is usual; those of PRT and HT count as one of 100\n",
		       v->e.weight);
	else
		puts("  policy     PRT: every command group waits for its turn");
	if (v->e.has_lead && v->e.sched != TG_SPEC_HT)
		printf("  lead       %s of its own: its groups are started while the GPU has that much\n"
		       "             of its work at most%s\n", spec_time_text(lead, v->e.lead_ns),
		       v->e.lead_ns ? "" : ": none, as in the paper");
}

static void say_priority(const struct verdict *v)
{
	if (is_demoted(v))
		puts("  priority   0, the lowest, as a background task");
	else if (v->e.cpu)
		puts("  priority   that of its threads on the CPU: as long as one is real-time (1 to 99)\n"
		     "             that is its own, with this policy; else it is FQ, at 0, and its weight\n"
		     "             is multiplied by 1.25 for each step of nice below 0, divided above");
	else if (v->e.focus)
		printf("  priority   * (follows the focus): %u of 99, queue level %u; %u in the foreground\n",
		       v->e.prio, spec_level(&v->e, false), spec_level(&v->e, true));
	else
		printf("  priority   %u of 99%s, queue level %u\n", v->e.prio,
		       v->e.prio ? "" : " (the lowest)", spec_level(&v->e, false));
}

static void say_reserve(const struct verdict *v)
{
	bool pe = v->e.resv == TG_SPEC_RESV_PE;

	if (v->e.resv == TG_SPEC_RESV_BG) {
		puts("  reserve    Background: shares one reserve with all programs that have none");
	} else if (v->e.resv == TG_SPEC_RESV_NONE) {
		puts("  reserve    none: its GPU time is not limited");
	} else if (!tg_spec_is_regulated(&v->e)) {
		printf("  reserve    none: %s in the entry has no effect, HT tasks are not regulated\n",
		       tg_spec_resv_name(v->e.resv));
	} else {
		printf("  reserve    %s: %.6g ms every %.6g ms = %.4g %% of the GPU", tg_spec_resv_name(v->e.resv),
		       v->e.capacity_ns / 1e6, v->e.period_ns / 1e6,
		       100.0 * v->e.capacity_ns / v->e.period_ns);
		if (v->e.group[0])
			printf(", shared by all tasks of \"%s\"", v->e.group);
		puts(pe ? "\n             a group starts while budget is left; what it overruns is paid in the\n"
			  "             next period" :
			  "\n             a group starts only if its predicted cost fits the budget");
	}
}

static void say_admission(const struct verdict *v)
{
	const struct resv *r = own(v);
	double before;

	if (!r)
		return;
	before = reserves_percent(v->rs, v->resv);
	printf("  admission  %s: ", r->core.demoted ? "does not fit" : "fits");
	printf("%.4g %% for the reserves above it + %.4g %%, the limit is %u %%%s%s\n",
	       before, resv_percent(r), v->limit->percent,
	       v->limit->path ? " in " : " (no file)",
	       v->limit->path ? v->limit->path : "");
	puts(r->core.demoted ?
	     "             if all those are active, it gets Background instead; it is tried\n"
	     "             again when one of them ends" :
	     "             in the order of the file; the kernel takes them as programs start");
}

static void explain_text(const struct verdict *v)
{
	printf("comm \"%s\", executable \"%s\"\n", v->comm, v->exe);
	if (v->spec->src.missing)
		printf("  file       %s does not exist\n", source_name(&v->spec->src));
	say_entry(v);
	say_policy(v);
	say_priority(v);
	say_reserve(v);
	say_admission(v);
}

static void explain_json(const struct verdict *v)
{
	struct json j = { .out = stdout };
	const struct resv *r = own(v);
	int near = other_case(v);

	json_open(&j, NULL, '{');
	json_string(&j, "comm", v->comm);
	json_string(&j, "exe", v->exe);
	json_string(&j, "file", source_name(&v->spec->src));
	if (v->entry < 0)
		json_null(&j, "line");
	else
		json_uint(&j, "line", v->e.line);
	if (near < 0)
		json_null(&j, "line_other_case");
	else
		json_uint(&j, "line_other_case", v->spec->entry[near].line);
	json_bool(&j, "matched_by_comm", v->by_comm);
	json_bool(&j, "matched_by_exe", v->by_exe);
	json_bool(&j, "matched_by_path", v->entry >= 0 && v->e.kind == TG_SPEC_PATH);
	json_bool(&j, "matched_by_cgroup", v->entry >= 0 && v->e.kind == TG_SPEC_CGROUP);
	json_bool(&j, "matched_by_any", v->entry >= 0 && v->e.kind == TG_SPEC_ANY);
	json_string(&j, "sched", tg_spec_sched_name(v->e.sched));
	json_uint(&j, "weight", v->e.weight);
	if (v->e.has_lead)
		json_uint(&j, "lead_ns", v->e.lead_ns);
	else
		json_null(&j, "lead_ns");
	json_string(&j, "resv", tg_spec_resv_name(v->e.resv));
	json_string(&j, "group", v->e.group[0] ? v->e.group : NULL);
	json_uint(&j, "prio", v->e.prio);
	json_bool(&j, "focus", v->e.focus);
	json_bool(&j, "cpu", v->e.cpu);
	json_uint(&j, "level", is_demoted(v) ? 0 : spec_level(&v->e, false));
	json_uint(&j, "level_foreground", is_demoted(v) ? 0 : spec_level(&v->e, true));
	json_uint(&j, "capacity_ns", v->e.capacity_ns);
	json_uint(&j, "period_ns", v->e.period_ns);
	json_bool(&j, "regulated", tg_spec_is_regulated(&v->e) &&
				   v->e.resv != TG_SPEC_RESV_NONE);
	json_bool(&j, "background", is_demoted(v) || v->e.resv == TG_SPEC_RESV_BG);
	if (r) {
		json_open(&j, "admission", '{');
		json_bool(&j, "fits", !r->core.demoted);
		json_real(&j, "percent", resv_percent(r));
		json_real(&j, "percent_above", reserves_percent(v->rs, v->resv));
		json_uint(&j, "limit_percent", v->limit->percent);
		json_close(&j, '}');
	} else {
		json_null(&j, "admission");
	}
	json_close(&j, '}');
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* What is said of a program, or of a process that runs. */
struct subject {
	struct running process;
	char comm[TG_COMM_MAX + 1];
	const char *exe;
	struct tg_spec_program p;
};

static void take_name(struct subject *s, const char *name, const struct options *o)
{
	/* The kernel cuts a comm at 15 characters. */
	snprintf(s->comm, sizeof(s->comm), "%s", base_name(name));
	s->exe = o->exe ? o->exe : base_name(name);
	s->p = (struct tg_spec_program){ .cgroup = o->cgroup, .uid = o->uid };
	if (name[0] == '/') {
		s->p.path = name;
		s->p.file = spec_file(name);
	}
}

/* @pid: digits */
static bool take_process(struct subject *s, const char *pid)
{
	struct running *t = &s->process;
	char name[64];
	struct stat st;
	FILE *f;

	t->pid = atoi(pid);
	snprintf(name, sizeof(name), "/proc/%d/comm", t->pid);
	f = t->pid > 0 && !stat(name, &st) ? fopen(name, "re") : NULL;
	if (!f || !fgets(s->comm, sizeof(s->comm), f)) {
		fprintf(stderr, "tgspec explain: there is no process %s\n", pid);
		if (f)
			fclose(f);
		return false;
	}
	fclose(f);
	s->comm[strcspn(s->comm, "\n")] = '\0';
	running_look(t);
	s->exe = t->exe;
	s->p = (struct tg_spec_program){
		.cgroup = t->cgroup[0] ? t->cgroup : NULL,
		.file = t->file,
		.uid = st.st_uid,
	};
	return true;
}

static int explain(const char *name, const struct options *o)
{
	struct subject s = { 0 };
	struct verdict v = { 0 };
	struct input in;
	int ret;

	if (!o->pid)
		take_name(&s, name, o);
	else if (!take_process(&s, name))
		return TGSPEC_IO;
	s.p.comm = s.comm;
	s.p.exe = s.exe[0] ? s.exe : NULL;
	ret = input_open(&in, o->spec, o->ac);
	if (ret == TGSPEC_OK) {
		memcpy(v.comm, s.comm, sizeof(v.comm));
		v.exe = s.exe;
		v.p = s.p;
		v.spec = &in.spec;
		v.limit = &in.limit;
		v.rs = &in.rs;
		match(&v);
		if (o->json)
			explain_json(&v);
		else
			explain_text(&v);
	}
	input_close(&in);
	return ret;
}

static bool take_exe(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	*(const char **)opt->dst = base_name(value);
	return true;
}

static struct options options = { .uid = ANY_USER };

static const struct cli_opt opts[] = {
	{ "exe", take_exe, &options.exe, "NAME",
	  "base name of its executable, if that is another one: a\n"
	  "script has its interpreter's", 'e' },
	{ "uid", cli_uint, &options.uid, "N", "its user's number (any)", 'u',
	  .max = TG_SPEC_NO_UID - 1 },
	{ "cgroup", cli_text, &options.cgroup, "PATH", "its path in cgroups v2", 'g' },
	{ "pid", cli_flag, &options.pid, NULL,
	  "NAME is the number of a process: all this is looked up", 'p' },
	{ "spec", cli_text, &options.spec, "FILE",
	  "the specification (" TGSPEC_SPEC_PATH ")", 'f' },
	{ "ac", cli_text, &options.ac, "FILE",
	  "the admission limit (" TGSPEC_AC_PATH "; without it 100 %)" },
	{ "json", cli_flag, &options.json, NULL, "the same as JSON; times in nanoseconds" },
	{ 0 }
};

static int run(const struct command *cmd, int n, char **args)
{
	return explain(args[0], &options);
}

const struct command tgspec_explain = {
	.cli = {
		.who = "tgspec explain",
		.about =
		"usage: tgspec explain [OPTION]... NAME\n"
		"\n"
		"Says which entry a program called NAME matches and why, and what it gets:\n"
		"policy, priority, reserve, and whether the reserve fits if all reserves above it\n"
		"in the file are active.  NAME is its comm (ps -o comm), or the path of its\n"
		"executable.\n"
		"\n",
		.opts = { opts },
		.min_args = 1,
		.max_args = 1,
		.args_wanted = "give the name of one program",
		.notes =
		"\n"
		"Exit status: 0 fine, also if no entry matches; 1 the kernel refuses the file;\n"
		"2 wrong usage; 3 a file cannot be read.\n",
	},
	.summary = "what a program would get, and why",
	.run = run,
};
