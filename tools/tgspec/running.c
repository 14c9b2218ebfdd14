// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "running.h"
#include "text.h"

/* Longer paths than the kernel gives anybody. */
#define PATH_BYTES 4200

static enum tg_spec_resv resv_of(unsigned int resv)
{
	switch (resv) {
	case TIMEGRAPH_RESV_PE:
		return TG_SPEC_RESV_PE;
	case TIMEGRAPH_RESV_AE:
		return TG_SPEC_RESV_AE;
	case TIMEGRAPH_RESV_BG:
		return TG_SPEC_RESV_BG;
	default:
		return TG_SPEC_RESV_NONE;
	}
}

static bool has_own_times(const struct tg_spec_entry *e)
{
	return e->resv == TG_SPEC_RESV_PE || e->resv == TG_SPEC_RESV_AE;
}

/* What the kernel took: the file's name, without the " (deleted)" of /proc. */
static void read_exe(struct running *t)
{
	static const char deleted[] = " (deleted)";
	char link[64], path[PATH_BYTES];
	const char *name;
	size_t tail = strlen(deleted);
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/%d/exe", t->pid);
	n = t->pid ? readlink(link, path, sizeof(path) - 1) : -1;
	if (n <= 0)
		return;
	path[n] = '\0';
	if ((size_t)n > tail && !strcmp(path + n - tail, deleted) && access(path, F_OK))
		path[n - tail] = '\0';
	name = strrchr(path, '/');
	name = name ? name + 1 : path;
	memcpy(t->exe, name, strnlen(name, sizeof(t->exe) - 1));
	t->file = spec_file(link);
}

/* "0::/path" is the line of v2. */
static void read_cgroup(struct running *t)
{
	char name[64], line[PATH_BYTES];
	FILE *f;

	snprintf(name, sizeof(name), "/proc/%d/cgroup", t->pid);
	f = t->pid ? fopen(name, "re") : NULL;
	if (!f)
		return;
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = '\0';
		if (!strncmp(line, "0::", 3) && strlen(line + 3) < sizeof(t->cgroup))
			memcpy(t->cgroup, line + 3, strlen(line + 3) + 1);
	}
	fclose(f);
}

void running_look(struct running *t)
{
	read_exe(t);
	read_cgroup(t);
}

static void take_reserve(struct running *t, const struct timegraph_reserve *r)
{
	if (r->flags & TIMEGRAPH_RESERVE_SHARED)
		snprintf(t->has.group, sizeof(t->has.group), "%s", r->name);
	t->has.capacity_ns = r->capacity_ns;
	t->has.period_ns = r->period_ns;
	t->known = true;
}

/* The reserve of a task that is a background task because it does not fit. */
static bool may_be_its(const struct running *t, const struct timegraph_reserve *r)
{
	if (!(r->flags & TIMEGRAPH_RESERVE_DEMOTED) || resv_of(r->policy) != t->has.resv)
		return false;
	return r->flags & TIMEGRAPH_RESERVE_SHARED || !strcmp(r->name, t->comm);
}

static bool same_reserve(const struct timegraph_reserve *a, const struct timegraph_reserve *b)
{
	return a->capacity_ns == b->capacity_ns && a->period_ns == b->period_ns &&
	       !((a->flags ^ b->flags) & TIMEGRAPH_RESERVE_SHARED) &&
	       (!(a->flags & TIMEGRAPH_RESERVE_SHARED) || !strcmp(a->name, b->name));
}

/* The interface names Background in its place: if only one can be meant, it is. */
static void find_demoted(struct running *t, const struct timegraph_reserves *list)
{
	const struct timegraph_reserve *found = NULL;

	for (u32 i = 0; i < list->count; i++) {
		const struct timegraph_reserve *r = &list->item[i];

		if (!may_be_its(t, r))
			continue;
		if (found && !same_reserve(found, r))
			return;
		found = r;
	}
	if (found)
		take_reserve(t, found);
}

static void take_task(struct running *t, const struct timegraph_task *from,
		      const struct timegraph_gpu_state *g)
{
	const struct timegraph_reserve *r =
		text_find_reserve(g->reserves.item, g->reserves.count, from->reserve);

	memset(t, 0, sizeof(*t));
	t->pid = from->pid > 0 ? from->pid : 0;
	t->uid = from->uid;
	t->gpu = g->gpu.index;
	t->id = from->id;
	memcpy(t->comm, from->comm, sizeof(t->comm) - 1);
	t->line = from->spec_line;
	t->set = from->flags & TIMEGRAPH_TASK_SET;
	t->demoted = from->flags & TIMEGRAPH_TASK_DEMOTED;
	memcpy(t->has.name, t->comm, sizeof(t->comm));
	t->has.sched = (enum tg_spec_sched)from->policy;
	/* A module that knows of none tells 0. */
	t->has.weight = from->weight ? from->weight : TG_WEIGHT_DEFAULT;
	t->has.has_lead = from->flags & TIMEGRAPH_TASK_LEAD;
	t->has.lead_ns = t->has.has_lead ? from->lead_ns : 0;
	t->has.focus = from->flags & TIMEGRAPH_TASK_FOCUS;
	t->has.cpu = from->flags & TIMEGRAPH_TASK_CPU;
	t->has.prio = from->prio;
	t->has.resv = resv_of(from->resv);
	running_look(t);
	/* An HT task is not regulated: C and T are not told, and make no difference. */
	if (!tg_spec_is_regulated(&t->has) || !has_own_times(&t->has))
		t->known = true;
	else if (t->demoted)
		find_demoted(t, &g->reserves);
	else if (r && !(r->flags & TIMEGRAPH_RESERVE_BACKGROUND))
		take_reserve(t, r);
}

static void take_kept(struct state *st, u32 gpu, const struct timegraph_reserve *r)
{
	struct kept *k;

	st->kept = mem_resize(st->kept, st->nr_kept + 1, sizeof(*st->kept));
	k = &st->kept[st->nr_kept++];
	memset(k, 0, sizeof(*k));
	k->gpu = gpu;
	k->demoted = r->flags & TIMEGRAPH_RESERVE_DEMOTED;
	snprintf(k->name, sizeof(k->name), "%s", r->name);
	k->kind = resv_of(r->policy);
	k->capacity_ns = r->capacity_ns;
	k->period_ns = r->period_ns;
}

void state_take(struct state *st, const struct timegraph_snapshot *snap)
{
	state_free(st);
	st->config = snap->config;
	for (u32 i = 0; i < snap->nr_gpus; i++) {
		const struct timegraph_gpu_state *g = &snap->gpus[i];

		st->task = mem_resize(st->task, st->n + g->tasks.count, sizeof(*st->task));
		for (u32 k = 0; k < g->tasks.count; k++)
			take_task(&st->task[st->n++], &g->tasks.item[k], g);
		for (u32 k = 0; k < g->reserves.count; k++)
			if (g->reserves.item[k].flags & TIMEGRAPH_RESERVE_KEPT &&
			    !g->reserves.item[k].nr_tasks)
				take_kept(st, g->gpu.index, &g->reserves.item[k]);
	}
}

int state_read(struct state *st, int fd)
{
	struct timegraph_snapshot snap = { 0 };
	int ret = timegraph_snapshot(fd, &snap);

	if (!ret)
		state_take(st, &snap);
	timegraph_snapshot_free(&snap);
	return ret;
}

void state_free(struct state *st)
{
	free(st->task);
	free(st->kept);
	memset(st, 0, sizeof(*st));
}

void state_guess_exe(struct state *st, const struct spec *spec)
{
	for (u32 i = 0; i < st->n; i++) {
		struct running *t = &st->task[i];

		for (u32 k = 0; !t->exe[0] && t->line && k < spec->n; k++) {
			const struct tg_spec_entry *e = &spec->entry[k];

			if (e->line == t->line && e->kind == TG_SPEC_NAME &&
			    strncmp(e->name, t->comm, TG_COMM_MAX))
				memcpy(t->exe, e->name, sizeof(t->exe));
		}
	}
}

int running_lookup(const struct spec *spec, const struct running *t,
		   struct tg_spec_entry *e)
{
	return spec_lookup(spec, &(struct tg_spec_program){
		.comm = t->comm,
		.exe = t->exe[0] ? t->exe : NULL,
		.cgroup = t->cgroup[0] ? t->cgroup : NULL,
		.file = t->file,
		.uid = t->uid,
	}, e);
}

bool running_same_prio(const struct tg_spec_entry *a, const struct tg_spec_entry *b)
{
	return a->prio == b->prio && a->focus == b->focus && a->cpu == b->cpu;
}

bool running_same(const struct tg_spec_entry *a, const struct tg_spec_entry *b)
{
	if (a->sched != b->sched || !running_same_prio(a, b))
		return false;
	if ((a->sched == TG_SPEC_FQ && a->weight != b->weight) || !spec_same_lead(a, b))
		return false;
	if (!tg_spec_is_regulated(a))
		return true;
	return a->resv == b->resv && a->capacity_ns == b->capacity_ns &&
	       a->period_ns == b->period_ns && !strcmp(a->group, b->group);
}

char *running_text(const struct tg_spec_entry *e)
{
	char c[SPEC_TIME_BYTES], t[SPEC_TIME_BYTES], prio[SPEC_PRIO_BYTES];
	char sched[SPEC_SCHED_BYTES];
	bool times = e->capacity_ns;

	return text_printf("%s:%s%s%s:%s%s%s%s%s",
			   spec_sched_text(sched, e),
			   tg_spec_resv_name(e->resv), e->group[0] ? "@" : "", e->group,
			   spec_prio_text(prio, e),
			   times ? ":" : "", times ? spec_time_text(c, e->capacity_ns) : "",
			   times ? ":" : "", times ? spec_time_text(t, e->period_ns) : "");
}

char *running_name(const struct running *t)
{
	char comm[4 * TIMEGRAPH_COMM_LEN];

	text_safe(comm, sizeof(comm), t->comm, sizeof(comm));
	return t->pid ? text_printf("%d (%s)", t->pid, comm) : text_printf("%s", comm);
}
