// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "text.h"
#include "view.h"

#define NAME_COLUMNS (TIMEGRAPH_COMM_LEN - 1)
#define BAR_COLUMNS 10
#define PATH_COLUMNS 26
/* From these widths on there is room for more. */
#define WIDE_COLUMNS 88
#define WIDER_COLUMNS 104
/* Two of memory, if it is accounted for: before those, from this width on. */
#define MEMORY_COLUMNS 14
#define MEMORY_WIDTH (80 + MEMORY_COLUMNS)

const char *const view_sort_name[VIEW_SORTS] = {
	[VIEW_BY_SHARE] = "gpu",
	[VIEW_BY_WAIT] = "wait",
	[VIEW_BY_THROTTLE] = "throttle",
	[VIEW_BY_PRIO] = "prio",
	[VIEW_BY_ERROR] = "error",
	[VIEW_BY_NAME] = "name",
	[VIEW_BY_PID] = "pid",
};

bool view_take_sort(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	enum view_sort s = 0;

	while (s < VIEW_SORTS && strcmp(view_sort_name[s], value))
		s++;
	if (s == VIEW_SORTS)
		return false;
	*(enum view_sort *)opt->dst = s;
	return true;
}

unsigned int view_terminal_width(void)
{
	struct winsize w;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) || !w.ws_col ? 80 : w.ws_col;
}

/*
 * Order of tasks.
 */

static int order(double a, double b)
{
	return a > b ? -1 : a < b;
}

/* Time that a group waited, on average. */
static double mean_ns(uint64_t ns, const struct sample_task *t)
{
	return sample_ratio(ns, t->groups);
}

/* None is worse than a wait without an end. */
static double wait_ns(uint64_t ns, const struct sample_task *t, bool stalled)
{
	return t->stalled && stalled ? INFINITY : mean_ns(ns, t);
}

/* What is most worth looking at comes first. */
static int compare(const struct sample_task *a, const struct sample_task *b,
		   enum view_sort sort)
{
	switch (sort) {
	case VIEW_BY_SHARE:
		return order(a->share, b->share);
	case VIEW_BY_WAIT:
		return order(wait_ns(a->wait_ns, a, a->task->nr_waiting),
			     wait_ns(b->wait_ns, b, b->task->nr_waiting));
	case VIEW_BY_THROTTLE:
		return order(wait_ns(a->throttle_ns, a, a->task->nr_throttled),
			     wait_ns(b->throttle_ns, b, b->task->nr_throttled));
	case VIEW_BY_PRIO:
		return order(text_prio_in_force(a->task), text_prio_in_force(b->task));
	case VIEW_BY_ERROR:
		return order(sample_prediction_error(a), sample_prediction_error(b));
	case VIEW_BY_NAME:
		return strncmp(a->task->comm, b->task->comm, TIMEGRAPH_COMM_LEN);
	default:
		return 0;
	}
}

static int compare_tasks(const void *x, const void *y, void *arg)
{
	const struct view_options *o = arg;
	const struct sample_task *a = *(const struct sample_task *const *)x;
	const struct sample_task *b = *(const struct sample_task *const *)y;
	int c = compare(a, b, o->sort);

	if (!c)
		c = a->task->pid < b->task->pid ? -1 : a->task->pid > b->task->pid;
	return o->reverse ? -c : c;
}

static int sort_tasks(struct view *v, const struct view_options *o,
		      const struct sample_gpu *g)
{
	if (g->nr_tasks > v->order_room) {
		void *p = reallocarray(v->order, g->nr_tasks, sizeof(*v->order));

		if (!p)
			return -ENOMEM;
		v->order = p;
		v->order_room = g->nr_tasks;
	}
	for (uint32_t i = 0; i < g->nr_tasks; i++)
		v->order[i] = &g->tasks[i];
	if (g->nr_tasks)
		qsort_r(v->order, g->nr_tasks, sizeof(*v->order), compare_tasks,
			(void *)o);
	return 0;
}

/*
 * Lines.
 */

static void put(struct view_line *l, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void put(struct view_line *l, const char *fmt, ...)
{
	size_t at = strlen(l->text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(l->text + at, sizeof(l->text) - at, fmt, ap);
	va_end(ap);
}

static bool is_continuation(char ch)
{
	return ((unsigned char)ch & 0xc0) == 0x80;
}

static unsigned int columns_of(const char *s)
{
	unsigned int n = 0;

	for (; *s; s++)
		n += !is_continuation(*s);
	return n;
}

static void put_name(struct view_line *l, const char *name, unsigned int columns)
{
	char safe[VIEW_BYTES];

	text_safe(safe, sizeof(safe), name, columns);
	put(l, "%s%*s", safe, (int)(columns - columns_of(safe)), "");
}

/* What does not fit is cut off, and so are the blanks at the end. */
static void cut(struct view_line *l, unsigned int width)
{
	char *s = l->text;
	unsigned int n = 0;

	for (; *s; s++)
		if (!is_continuation(*s) && n++ == width)
			break;
	while (s > l->text && s[-1] == ' ')
		s--;
	*s = '\0';
}

static struct view_line *add_line(struct view *v, enum view_style style)
{
	struct view_line *l;

	if (v->n == v->room) {
		uint32_t room = v->room ? 2 * v->room : 32;

		l = reallocarray(v->line, room, sizeof(*l));
		if (!l)
			return NULL;
		v->line = l;
		v->room = room;
	}
	l = &v->line[v->n++];
	l->style = style;
	l->text[0] = '\0';
	return l;
}

/* @part of 1 as @columns characters. */
static void put_bar(struct view_line *l, double part, unsigned int columns)
{
	unsigned int full = part <= 0 ? 0 : part >= 1 ? columns :
			    (unsigned int)lround(part * columns);

	put(l, "[");
	for (unsigned int i = 0; i < columns; i++)
		put(l, "%c", i < full ? '#' : '.');
	put(l, "]");
}

/* Budget left of the capacity; what was overrun, as a time. */
static void put_budget(struct view_line *l, const struct timegraph_reserve *r)
{
	char debt[TEXT_BYTES];

	if (!r)
		put(l, "%*s", BAR_COLUMNS + 2, "-");
	else if (r->budget_ns < 0)
		put(l, "[%*s]", BAR_COLUMNS, text_short(debt, r->budget_ns));
	else
		put_bar(l, sample_ratio(r->budget_ns, r->capacity_ns), BAR_COLUMNS);
}

/* Share of the GPU that the task's reserve has, in five columns. */
static void put_reserved(struct view_line *l, const struct sample_task *t)
{
	if (t->task->flags & TIMEGRAPH_TASK_UNREGULATED)
		put(l, "  off");
	else if (t->task->flags & TIMEGRAPH_TASK_DEMOTED)
		put(l, "  BG!");
	else if (!t->reserve)
		put(l, "    -");
	else if (t->reserve->flags & TIMEGRAPH_RESERVE_BACKGROUND)
		put(l, "   BG");
	else
		put(l, "%5.1f", 100 * sample_ratio(t->reserve->capacity_ns,
						   t->reserve->period_ns));
}

/* @stalled: of the interval, where no group got through, it is known only this. */
static void put_mean(struct view_line *l, uint64_t ns, const struct sample_task *t,
		     bool stalled, uint64_t interval_ns)
{
	char text[TEXT_BYTES + 1] = ">";

	if (t->groups)
		text_short(text, (int64_t)mean_ns(ns, t));
	else if (t->stalled && stalled)
		text_short(text + 1, (int64_t)interval_ns);
	else
		strcpy(text, "-");
	put(l, " %6s", text);
}

/* What memory takes of the width. */
static unsigned int memory_columns(const struct view_options *o, const struct sample_gpu *g)
{
	return g->vram->flags & TIMEGRAPH_VRAM_KEPT && o->width >= MEMORY_WIDTH ?
	       MEMORY_COLUMNS : 0;
}

/* Used and reserved, in MiB. */
static void put_memory(struct view_line *l, const struct sample_gpu *g, int32_t pid)
{
	const struct timegraph_vram_account *a =
		text_find_account(g->accounts->item, g->accounts->count, pid);

	if (a)
		put(l, " %6.0f %6.0f", a->charged / 1048576.0, a->held / 1048576.0);
	else
		put(l, " %6s %6s", "-", "-");
}

static enum view_style style_of(const struct sample_gpu *g, const struct timegraph_task *t)
{
	if (t->nr_throttled)
		return VIEW_THROTTLED;
	if (t->nr_online && (g->gpu->online_pid == t->pid || t->nr_online == g->gpu->nr_online))
		return VIEW_RUNNING;
	return t->nr_waiting || t->nr_online ? VIEW_WAITING : VIEW_PLAIN;
}

static char letter_of(const struct timegraph_task *t, enum view_style style)
{
	switch (style) {
	case VIEW_RUNNING:
		return 'G';
	case VIEW_WAITING:
		return 'W';
	case VIEW_THROTTLED:
		return 'B';
	default:
		return t->flags & TIMEGRAPH_TASK_FREERUN ? 'F' : '-';
	}
}

static int add_task(struct view *v, const struct view_options *o,
		    const struct sample_gpu *g, const struct sample_task *s)
{
	const struct timegraph_task *t = s->task;
	enum view_style style = style_of(g, t);
	struct view_line *l = add_line(v, style);
	unsigned int memory = memory_columns(o, g);
	double error = sample_prediction_error(s);
	char prio[TEXT_BYTES];

	if (!l)
		return -ENOMEM;
	if (t->pid)
		put(l, "%7d ", t->pid);
	else
		put(l, "      - ");
	put_name(l, t->comm, NAME_COLUMNS);
	put(l, " %-3s %-4s %5.1f ", text_policy(text_in_force(t).policy), text_prio(prio, t),
	    100 * s->share);
	put_reserved(l, s);
	put(l, " ");
	put_budget(l, s->reserve);
	put_mean(l, s->wait_ns, s, t->nr_waiting, g->interval_ns);
	put_mean(l, s->throttle_ns, s, t->nr_throttled, g->interval_ns);
	if (error < 0)
		put(l, "    -");
	else
		put(l, " %4.0f", fmin(100 * error, 9999));
	put(l, " %c", letter_of(t, style));
	if (memory)
		put_memory(l, g, t->pid);
	if (o->width >= WIDE_COLUMNS + memory)
		put(l, " %7.1f", 1e9 * sample_ratio(s->groups, g->interval_ns));
	if (o->width >= WIDER_COLUMNS + memory) {
		put(l, " ");
		put_name(l, s->reserve ? s->reserve->name : "-", TIMEGRAPH_NAME_LEN);
	}
	cut(l, o->width);
	return 0;
}

static int add_columns(struct view *v, const struct view_options *o, const struct sample_gpu *g)
{
	struct view_line *l = add_line(v, VIEW_COLUMNS);
	unsigned int memory = memory_columns(o, g);

	if (!l)
		return -ENOMEM;
	put(l, "    PID %-*s POL PRIO  GPU%%  C/T%% %-*s   WAIT B-WAIT ERR%% S",
	    NAME_COLUMNS, "TASK", BAR_COLUMNS + 2, "BUDGET LEFT");
	if (memory)
		put(l, " %6s %6s", "MIB", "OF");
	if (o->width >= WIDE_COLUMNS + memory)
		put(l, " GROUP/S");
	if (o->width >= WIDER_COLUMNS + memory)
		put(l, " RESERVE");
	cut(l, o->width);
	return 0;
}

static int add_title(struct view *v, const struct view_options *o,
		     const struct timegraph_snapshot *snap, const struct sample *s,
		     const struct sample_gpu *g)
{
	struct view_line *l = add_line(v, VIEW_TITLE);

	if (!l)
		return -ENOMEM;
	put(l, "timegraph ");
	put_name(l, snap->caps.version, strnlen(snap->caps.version, TIMEGRAPH_COMM_LEN));
	put(l, "  GPU %u of %u: ", g->gpu->index, s->nr_gpus);
	put_name(l, g->gpu->name, strnlen(g->gpu->name, TIMEGRAPH_NAME_LEN));
	put(l, ", %s", g->gpu->bypass ? "NOT scheduling" : "scheduling");
	put(l, "  by %s%s  %.2f s", view_sort_name[o->sort], o->reverse ? " reversed" : "",
	    (double)g->interval_ns / 1e9);
	cut(l, o->width);
	return 0;
}

static void put_online(struct view_line *l, const struct sample_gpu *g)
{
	if (!g->gpu->nr_online) {
		put(l, "idle");
		return;
	}
	for (uint32_t i = 0; i < g->nr_tasks; i++) {
		const struct timegraph_task *t = g->tasks[i].task;

		if (style_of(g, t) == VIEW_RUNNING) {
			put_name(l, t->comm, strnlen(t->comm, TIMEGRAPH_COMM_LEN));
			put(l, " (%d)", t->pid);
			return;
		}
	}
	put(l, "a task that is not shown");
}

static int add_busy(struct view *v, const struct view_options *o, const struct sample_gpu *g)
{
	struct view_line *l = add_line(v, VIEW_PLAIN);

	if (!l)
		return -ENOMEM;
	put(l, "busy %5.1f %% ", 100 * g->busy);
	put_bar(l, g->busy, o->width / 3);
	put(l, "  on the GPU: ");
	put_online(l, g);
	cut(l, o->width);
	return 0;
}

static int add_counts(struct view *v, const struct view_options *o,
		      const struct timegraph_snapshot *snap, const struct sample_gpu *g)
{
	struct view_line *l = add_line(v, g->trouble ? VIEW_ALERT : VIEW_PLAIN);

	if (!l)
		return -ENOMEM;
	put(l, "groups %.1f/s, waiting: %u for their turn, %u for a budget; reserved %.0f of %u %%",
	    1e9 * sample_ratio(g->groups, g->interval_ns), g->gpu->nr_waiting,
	    g->gpu->nr_throttled, 100 * sample_reserved(g->reserves, g->nr_reserves),
	    snap->config.limit_percent);
	if (g->trouble)
		put(l, "; %llu lost", (unsigned long long)g->trouble);
	cut(l, o->width);
	return 0;
}

static int add_memory(struct view *v, const struct view_options *o, const struct sample_gpu *g)
{
	char text[TEXT_VRAM_BYTES];
	struct view_line *l;

	if (!(g->vram->flags & TIMEGRAPH_VRAM_KEPT))
		return 0;
	l = add_line(v, VIEW_PLAIN);
	if (!l)
		return -ENOMEM;
	put(l, "memory %s", text_vram(text, g->vram));
	cut(l, o->width);
	return 0;
}

static int add_alert(struct view *v, const struct view_options *o,
		     const char *what, const char *text)
{
	struct view_line *l;

	if (!text || !text[0])
		return 0;
	l = add_line(v, VIEW_ALERT);
	if (!l)
		return -ENOMEM;
	put(l, "%s", what);
	put_name(l, text, strnlen(text, TIMEGRAPH_TEXT_LEN));
	cut(l, o->width);
	return 0;
}

static int add_hidden(struct view *v, const struct view_options *o,
		      const struct sample_gpu *g)
{
	struct view_line *l;

	/* Less would be shown as 0.0. */
	if (g->hidden < 0.0005)
		return 0;
	l = add_line(v, VIEW_PLAIN);
	if (!l)
		return -ENOMEM;
	put(l, "      - %-*s          %5.1f", NAME_COLUMNS, "(others, ended)", 100 * g->hidden);
	cut(l, o->width);
	return 0;
}

/* The end of a path says more than its beginning. */
static const char *end_of(const char *path, unsigned int columns)
{
	unsigned int n = columns_of(path);

	for (; n > columns; path++)
		n -= !is_continuation(path[1]);
	return path;
}

static void put_mean_of(struct view_line *l, uint64_t ns, uint64_t groups)
{
	char text[TEXT_BYTES] = "-";

	if (groups)
		text_short(text, (int64_t)(ns / groups));
	put(l, " %6s", text);
}

static int add_domain(struct view *v, const struct view_options *o, const struct sample_gpu *g,
		      const struct sample_domain *s)
{
	const struct timegraph_domain *d = s->domain;
	bool held = d->flags & TIMEGRAPH_DOMAIN_THROTTLED;
	struct view_line *l = add_line(v, held ? VIEW_THROTTLED : VIEW_PLAIN);

	if (!l)
		return -ENOMEM;
	put_name(l, end_of(d->path, PATH_COLUMNS), PATH_COLUMNS);
	put(l, " %6u %5.1f ", d->weight, 100 * s->share);
	if (d->capacity_ns)
		put(l, "%5.1f", 100 * sample_ratio(d->capacity_ns, d->period_ns));
	else
		put(l, "    -");
	put_mean_of(l, s->wait_ns, s->groups);
	put_mean_of(l, s->throttle_ns, s->groups);
	put(l, " %7.1f %5u %c", 1e9 * sample_ratio(s->groups, g->interval_ns), d->nr_tasks,
	    held ? 'B' : d->nr_waiting ? 'W' : '-');
	cut(l, o->width);
	return 0;
}

static int add_domains(struct view *v, const struct view_options *o, const struct sample_gpu *g)
{
	struct view_line *l;
	int ret = 0;

	if (!g->nr_domains)
		return 0;
	l = add_line(v, VIEW_COLUMNS);
	if (!l)
		return -ENOMEM;
	put(l, "%-*s WEIGHT  GPU%%  C/T%%   WAIT B-WAIT GROUP/S TASKS S", PATH_COLUMNS, "DOMAIN");
	cut(l, o->width);
	for (uint32_t i = 0; !ret && i < g->nr_domains; i++)
		ret = add_domain(v, o, g, &g->domains[i]);
	return ret;
}

static int add_head(struct view *v, const struct view_options *o,
		    const struct timegraph_snapshot *snap, const struct sample *s,
		    const struct sample_gpu *g)
{
	int ret = add_title(v, o, snap, s, g);

	if (!ret)
		ret = add_busy(v, o, g);
	if (!ret)
		ret = add_counts(v, o, snap, g);
	if (!ret)
		ret = add_memory(v, o, g);
	if (!ret)
		ret = add_alert(v, o, "not scheduling, and not counting: ", text_bypass(g->gpu->bypass));
	if (!ret)
		ret = add_alert(v, o, "refused: ", snap->config.spec_refusal);
	if (!ret)
		ret = add_alert(v, o, "refused: ", snap->config.ac_refusal);
	if (!ret)
		ret = add_columns(v, o, g);
	v->nr_head = v->n;
	return ret;
}

int view_render(struct view *v, const struct view_options *o,
		const struct timegraph_snapshot *snap, const struct sample *s,
		uint32_t index)
{
	struct view_options used = *o;
	const struct sample_gpu *g = &s->gpus[index];
	int ret = sort_tasks(v, o, g);

	if (used.width < VIEW_MIN_WIDTH)
		used.width = VIEW_MIN_WIDTH;
	if (used.width > VIEW_MAX_WIDTH)
		used.width = VIEW_MAX_WIDTH;
	v->n = 0;
	if (!ret)
		ret = add_head(v, &used, snap, s, g);
	for (uint32_t i = 0; !ret && i < g->nr_tasks; i++)
		ret = add_task(v, &used, g, v->order[i]);
	if (!ret)
		ret = add_hidden(v, &used, g);
	if (!ret)
		ret = add_domains(v, &used, g);
	return ret;
}

void view_free(struct view *v)
{
	free(v->line);
	free(v->order);
	memset(v, 0, sizeof(*v));
}

int view_print(struct view *v, const struct view_options *o, const struct sampler *s,
	       uint32_t gpu)
{
	int ret = 0;

	if (!s->sample.nr_gpus)
		puts("no GPU yet: one appears when a program first uses it");
	for (uint32_t i = 0; !ret && i < s->sample.nr_gpus; i++) {
		const struct sample_gpu *g = &s->sample.gpus[i];

		if (!g->interval_ns || (gpu != TIMEGRAPH_ALL_GPUS && g->gpu->index != gpu))
			continue;
		ret = view_render(v, o, sampler_now(s), &s->sample, i);
		for (uint32_t k = 0; !ret && k < v->n; k++)
			puts(v->line[k].text);
	}
	return ret;
}
