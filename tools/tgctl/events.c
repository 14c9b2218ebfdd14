// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdbool.h>
#include <string.h>

#include "events.h"
#include "text.h"

static const struct {
	uint32_t kind;
	const char *name;
} kinds[] = {
	{ TIMEGRAPH_EVENT_TASK, "task" },
	{ TIMEGRAPH_EVENT_ADMISSION, "admission" },
	{ TIMEGRAPH_EVENT_BYPASS, "bypass" },
	{ TIMEGRAPH_EVENT_FOREGROUND, "foreground" },
	{ TIMEGRAPH_EVENT_CONFIG, "config" },
};
#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

static const char *const words[] = {
	[EVENT_TASK_APPEARED] = "appeared",
	[EVENT_TASK_GONE] = "gone",
	[EVENT_FITS] = "fits",
	[EVENT_DOES_NOT_FIT] = "does-not-fit",
	[EVENT_SCHEDULING] = "scheduling",
	[EVENT_BYPASS] = "bypass",
	[EVENT_FOREGROUND] = "foreground",
	[EVENT_NOT_FOREGROUND] = "not-foreground",
	[EVENT_CONFIG_READ] = "read",
	[EVENT_CONFIG_REFUSED] = "refused",
	[EVENT_UNSEEN] = "unseen",
};

const char *events_name(uint32_t kind)
{
	for (size_t i = 0; i < NR_KINDS; i++)
		if (kinds[i].kind == kind)
			return kinds[i].name;
	return NULL;
}

uint32_t events_mask(const char *s)
{
	uint32_t mask = 0;

	for (;;) {
		size_t n = strcspn(s, ","), i = 0;

		while (i < NR_KINDS && (strlen(kinds[i].name) != n || memcmp(kinds[i].name, s, n)))
			i++;
		if (i == NR_KINDS)
			return 0;
		mask |= kinds[i].kind;
		if (!s[n])
			return mask;
		s += n + 1;
	}
}

const char *events_word(enum event_what what)
{
	return words[what];
}

/* What the comparisons hand on. */
struct diff {
	void (*emit)(const struct event *e, void *arg);
	void *arg;
	uint32_t seen;
};

static void emit(struct diff *d, const struct event *e)
{
	d->seen |= e->kind;
	d->emit(e, d->arg);
}

static const struct timegraph_task *find_task(const struct timegraph_gpu_state *g,
					      const struct timegraph_task *t)
{
	for (uint32_t i = 0; g && i < g->tasks.count; i++) {
		const struct timegraph_task *x = &g->tasks.item[i];

		if (x->pid == t->pid && x->uid == t->uid &&
		    (t->pid || !strncmp(x->comm, t->comm, sizeof(x->comm))))
			return x;
	}
	return NULL;
}

static bool in_foreground(const struct timegraph_task *t)
{
	return t && t->flags & TIMEGRAPH_TASK_FOREGROUND;
}

/* Tasks of @a that @b has not. */
static void diff_tasks(struct diff *d, const struct timegraph_gpu_state *a,
		       const struct timegraph_gpu_state *b, const struct timegraph_gpu *gpu,
		       enum event_what what)
{
	for (uint32_t i = 0; a && i < a->tasks.count; i++)
		if (!find_task(b, &a->tasks.item[i]))
			emit(d, &(struct event){ .kind = TIMEGRAPH_EVENT_TASK, .what = what,
						 .gpu = gpu, .task = &a->tasks.item[i] });
}

static void diff_foreground(struct diff *d, const struct timegraph_gpu_state *before,
			    const struct timegraph_gpu_state *after)
{
	for (uint32_t i = 0; i < after->tasks.count; i++) {
		const struct timegraph_task *t = &after->tasks.item[i];

		if (in_foreground(find_task(before, t)) != in_foreground(t))
			emit(d, &(struct event){ .kind = TIMEGRAPH_EVENT_FOREGROUND,
						 .what = in_foreground(t) ? EVENT_FOREGROUND :
									    EVENT_NOT_FOREGROUND,
						 .gpu = &after->gpu, .task = t });
	}
}

/* A reserve that has just begun has fitted so far. */
static void diff_reserves(struct diff *d, const struct timegraph_gpu_state *before,
			  const struct timegraph_gpu_state *after)
{
	for (uint32_t i = 0; i < after->reserves.count; i++) {
		const struct timegraph_reserve *r = &after->reserves.item[i];
		const struct timegraph_reserve *x = before ?
			text_find_reserve(before->reserves.item, before->reserves.count, r->id) :
			NULL;
		bool was = x && x->flags & TIMEGRAPH_RESERVE_DEMOTED;
		bool is = r->flags & TIMEGRAPH_RESERVE_DEMOTED;

		if (r->flags & TIMEGRAPH_RESERVE_BACKGROUND || (x && was == is))
			continue;
		emit(d, &(struct event){ .kind = TIMEGRAPH_EVENT_ADMISSION,
					 .what = is ? EVENT_DOES_NOT_FIT : EVENT_FITS,
					 .gpu = &after->gpu, .reserve = r });
	}
}

static void diff_gpu(struct diff *d, const struct timegraph_gpu_state *before,
		     const struct timegraph_gpu_state *after, uint32_t mask)
{
	if (mask & TIMEGRAPH_EVENT_TASK) {
		diff_tasks(d, after, before, &after->gpu, EVENT_TASK_APPEARED);
		diff_tasks(d, before, after, &after->gpu, EVENT_TASK_GONE);
	}
	if (mask & TIMEGRAPH_EVENT_ADMISSION)
		diff_reserves(d, before, after);
	if (mask & TIMEGRAPH_EVENT_BYPASS && (before ? before->gpu.bypass : 0) != after->gpu.bypass)
		emit(d, &(struct event){ .kind = TIMEGRAPH_EVENT_BYPASS,
					 .what = after->gpu.bypass ? EVENT_BYPASS : EVENT_SCHEDULING,
					 .gpu = &after->gpu });
	if (mask & TIMEGRAPH_EVENT_FOREGROUND)
		diff_foreground(d, before, after);
}

void events_diff(const struct timegraph_snapshot *before,
		 const struct timegraph_snapshot *after, uint32_t mask,
		 void (*fn)(const struct event *e, void *arg), void *arg)
{
	const struct timegraph_config *c = &after->config;
	struct diff d = { .emit = fn, .arg = arg };

	for (uint32_t i = 0; i < after->nr_gpus; i++) {
		const struct timegraph_gpu_state *g = &after->gpus[i], *old = NULL;

		for (uint32_t k = 0; k < before->nr_gpus && !old; k++)
			if (!strncmp(before->gpus[k].gpu.name, g->gpu.name, sizeof(g->gpu.name)))
				old = &before->gpus[k];
		diff_gpu(&d, old, g, mask);
	}
	if (mask & TIMEGRAPH_EVENT_CONFIG)
		emit(&d, &(struct event){ .kind = TIMEGRAPH_EVENT_CONFIG,
					  .what = c->spec_refusal[0] || c->ac_refusal[0] ?
						  EVENT_CONFIG_REFUSED : EVENT_CONFIG_READ,
					  .config = c });
	for (size_t i = 0; i < NR_KINDS; i++)
		if (mask & kinds[i].kind & ~d.seen)
			fn(&(struct event){ .kind = kinds[i].kind, .what = EVENT_UNSEEN }, arg);
}
