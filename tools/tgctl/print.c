// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <string.h>

#include "print.h"
#include "sample.h"
#include "text.h"
#include "tg_spec.h"

#define NAME_COLUMNS (TIMEGRAPH_COMM_LEN - 1)
#define SAFE_BYTES (4 * TIMEGRAPH_NAME_LEN)
#define RESV_COLUMNS 10

/* @s in @columns columns: padded or cut. */
static void put(FILE *out, const char *s, unsigned int columns)
{
	char safe[SAFE_BYTES];
	unsigned int n = 0;

	text_safe(safe, sizeof(safe), s, columns);
	for (const char *p = safe; *p; p++)
		n += ((unsigned char)*p & 0xc0) != 0x80;
	fprintf(out, "%s%*s", safe, (int)(columns - n), "");
}

void print_gpus(FILE *out, const struct timegraph_snapshot *snap)
{
	fputs("GPU NAME          STATE            TASKS RESERVES ONLINE WAITING      BUSY\n", out);
	for (uint32_t i = 0; i < snap->nr_gpus; i++) {
		const struct timegraph_gpu_state *g = &snap->gpus[i];
		const char *word = text_bypass_word(g->gpu.bypass);
		char busy[TEXT_BYTES];

		fprintf(out, "%3u ", g->gpu.index);
		put(out, g->gpu.name, 13);
		fprintf(out, " %s%-*s %5u %8u %6u %7u %9s\n", word ? "bypass: " : "",
			word ? 8 : 16, word ? word : "scheduling", g->tasks.count,
			g->reserves.count, g->gpu.nr_online,
			g->gpu.nr_waiting + g->gpu.nr_throttled,
			text_short(busy, (int64_t)g->gpu.busy_ns));
	}
}

static const char *kind_of(const struct timegraph_reserve *r)
{
	if (r->flags & TIMEGRAPH_RESERVE_DEMOTED)
		return "no fit";
	if (r->flags & TIMEGRAPH_RESERVE_LINGERING)
		return "left";
	if (r->flags & TIMEGRAPH_RESERVE_KEPT)
		return "kept";
	return r->flags & TIMEGRAPH_RESERVE_SHARED ? "shared" : "own";
}

void print_reserves(FILE *out, const struct timegraph_gpu_state *g)
{
	fputs("RESERVE           ID POL KIND   C/T           C/T%  BUDGET    USED WAITED TASKS\n",
	      out);
	for (uint32_t i = 0; i < g->reserves.count; i++) {
		const struct timegraph_reserve *r = &g->reserves.item[i];
		char times[2 * TEXT_BYTES], budget[TEXT_BYTES], used[TEXT_BYTES];

		put(out, r->name, NAME_COLUMNS);
		fprintf(out, " %4u %-3s %-6s %-11s %6.1f %7s %7s %6" PRIu64 " %5u\n", r->id,
			text_resv(r->policy), kind_of(r),
			text_reserve(times, r->capacity_ns, r->period_ns),
			100 * sample_ratio(r->capacity_ns, r->period_ns),
			text_short(budget, r->budget_ns),
			text_short(used, (int64_t)r->used_ns), (uint64_t)r->refused, r->nr_tasks);
	}
}

/* As a specification says it, and whether it is in force. */
static void resv_text(char *out, size_t size, const struct timegraph_task *t,
		      const struct timegraph_reserve *r)
{
	bool shared = r && r->flags & TIMEGRAPH_RESERVE_SHARED &&
		      !(r->flags & TIMEGRAPH_RESERVE_BACKGROUND);

	snprintf(out, size, "%s%s%s%s", text_resv(t->resv), shared ? "@" : "",
		 shared ? r->name : "",
		 t->flags & TIMEGRAPH_TASK_UNREGULATED ? " off" :
		 t->flags & TIMEGRAPH_TASK_DEMOTED ? "->BG" : "");
}

/* Where the parameters are from. */
static void source_text(char out[TEXT_BYTES], const struct timegraph_task *t)
{
	if (t->flags & TIMEGRAPH_TASK_SET)
		strcpy(out, "set");
	else if (t->spec_line)
		snprintf(out, TEXT_BYTES, "%u", t->spec_line);
	else
		strcpy(out, "-");
}

static bool has_times(const struct timegraph_task *t, const struct timegraph_reserve *r)
{
	return r && (t->resv == TIMEGRAPH_RESV_PE || t->resv == TIMEGRAPH_RESV_AE) &&
	       !(r->flags & TIMEGRAPH_RESERVE_BACKGROUND);
}

static void print_domain(FILE *out, const struct timegraph_domain *d)
{
	char times[2 * TEXT_BYTES] = "-", target[TEXT_BYTES] = "-";
	char usage[TEXT_BYTES], wait[TEXT_BYTES], held[TEXT_BYTES];
	char name[2 * UINT8_MAX + TIMEGRAPH_PATH_LEN + 1];
	const char *last = strrchr(d->path, '/');

	/* A domain within another is known by where it stands; the first has its path. */
	snprintf(name, sizeof(name), "%*s%s", 2 * d->depth, "",
		 d->parent && last ? last + 1 : d->path);
	if (d->capacity_ns)
		text_reserve(times, d->capacity_ns, d->period_ns);
	if (d->target_ppm)
		snprintf(target, sizeof(target), "%g%%", d->target_ppm / 1e4);
	put(out, name, 24);
	fprintf(out, " %6u %-9s %6s %5u %7s %7s %7s %s\n", d->weight, times, target, d->nr_tasks,
		text_short(usage, (int64_t)d->usage_ns), text_short(wait, (int64_t)d->wait_ns),
		text_short(held, (int64_t)d->throttle_ns),
		d->flags & TIMEGRAPH_DOMAIN_THROTTLED ? "held" : "");
}

static void print_within(FILE *out, const struct timegraph_domains *domains, uint64_t parent)
{
	for (uint32_t i = 0; i < domains->count; i++) {
		if (domains->item[i].parent != parent)
			continue;
		print_domain(out, &domains->item[i]);
		print_within(out, domains, domains->item[i].id);
	}
}

void print_domains(FILE *out, const struct timegraph_domains *domains)
{
	fputs("DOMAIN                   WEIGHT QUOTA     TARGET TASKS   USAGE  WAITED    HELD\n", out);
	print_within(out, domains, 0);
}

static double mib(uint64_t bytes)
{
	return bytes / 1048576.0;
}

void print_accounts(FILE *out, const struct timegraph_vram_accounts *accounts, uint64_t now_ns)
{
	if (accounts->count)
		fputs("    PID MEMORY IN MIB   PRIO  RESERVED      USED     WANTS    SINCE  WHY NOT YET\n",
		      out);
	for (uint32_t i = 0; i < accounts->count; i++) {
		const struct timegraph_vram_account *a = &accounts->item[i];
		const char *why = text_vram_why(a->why);
		char since[TEXT_BYTES] = "-";

		if (a->state == TIMEGRAPH_VRAM_WAITING)
			text_short(since, now_ns > a->since_ns ? now_ns - a->since_ns : 0);
		if (a->flags & TIMEGRAPH_VRAM_DOMAIN)
			fputs(" domain ", out);
		else
			fprintf(out, "%7d ", a->pid);
		put(out, a->comm, NAME_COLUMNS);
		fprintf(out, " %4u %9.1f %9.1f %9.1f %8s%s%s\n", a->prio, mib(a->held),
			mib(a->charged), mib(a->wanted), since, *why ? "  " : "", why);
	}
}

void print_tasks(FILE *out, const struct timegraph_gpu_state *g)
{
	fputs("    PID TASK            POL PRIO RESV       C/T        GPU TIME MAX WAIT LINE CH\n",
	      out);
	for (uint32_t i = 0; i < g->tasks.count; i++) {
		const struct timegraph_task *t = &g->tasks.item[i];
		const struct timegraph_reserve *r =
			text_find_reserve(g->reserves.item, g->reserves.count, t->reserve);
		char prio[TEXT_BYTES], resv[SAFE_BYTES], times[2 * TEXT_BYTES] = "-";
		char gpu[TEXT_BYTES], wait[TEXT_BYTES], from[TEXT_BYTES];

		resv_text(resv, sizeof(resv), t, r);
		source_text(from, t);
		if (has_times(t, r))
			text_reserve(times, r->capacity_ns, r->period_ns);
		fprintf(out, "%7d ", t->pid);
		put(out, t->comm, NAME_COLUMNS);
		fprintf(out, " %-3s %-4s ", text_policy(text_in_force(t).policy), text_prio(prio, t));
		put(out, resv, RESV_COLUMNS);
		fprintf(out, " %-10s %8s %8s %4s %2u\n", times,
			text_short(gpu, (int64_t)t->gpu_ns),
			text_short(wait, (int64_t)t->wait_max_ns), from, t->nr_channels);
	}
}

static void put_priority(FILE *out, const struct timegraph_task *t)
{
	const struct timegraph_task is = text_in_force(t);
	char sched[2 * TEXT_BYTES];

	if (t->flags & TIMEGRAPH_TASK_CPU)
		fputs(TG_SPEC_CPU_WORD, out);
	else
		fprintf(out, "%u%s", t->prio,
			t->flags & TIMEGRAPH_TASK_FOCUS ? "* (by focus)" : "");
	if (t->flags & TIMEGRAPH_TASK_FOREGROUND)
		fputs(" in the foreground", out);
	if (t->flags & TIMEGRAPH_TASK_SERVER)
		fprintf(out, " (%u, as the display server of the foreground)", is.prio);
	else if (t->flags & TIMEGRAPH_TASK_CPU)
		fprintf(out, " (%s at %u is in force)",
			text_sched(sched, is.policy, is.weight, TIMEGRAPH_LEAD_COMMON),
			is.prio);
	else if (is.prio != t->prio)
		fprintf(out, " (%u is in force)", is.prio);
}

void print_parameters(FILE *out, const struct timegraph_task *t,
		      const struct timegraph_gpu_state *g)
{
	const struct timegraph_reserve *r =
		text_find_reserve(g->reserves.item, g->reserves.count, t->reserve);
	char resv[SAFE_BYTES], safe[SAFE_BYTES], times[2 * TEXT_BYTES];
	char sched[2 * TEXT_BYTES];

	resv_text(resv, sizeof(resv), t, r);
	text_safe(safe, sizeof(safe), resv, sizeof(safe));
	fprintf(out, "%s, priority ",
		text_sched(sched, t->policy, t->weight, text_own_lead(t)));
	put_priority(out, t);
	fputs(", ", out);
	if (t->resv == TIMEGRAPH_RESV_NONE)
		fputs("no reserve", out);
	else
		fprintf(out, "reserve %s", safe);
	if (has_times(t, r))
		fprintf(out, " %s = %.4g %%",
			text_reserve(times, r->capacity_ns, r->period_ns),
			100 * sample_ratio(r->capacity_ns, r->period_ns));
}

static unsigned int count(FILE *out, bool all, const char *name, uint64_t value,
			  const char *meaning)
{
	if (!value && !all)
		return 0;
	fprintf(out, "  %-11s %8" PRIu64 "  %s\n", name, value, meaning);
	return 1;
}

unsigned int print_trouble(FILE *out, const struct timegraph_gpu *g, bool all)
{
	unsigned int n = 0;

	n += count(out, all, "recovered", g->recovered,
		   "completions found by polling: interrupts get lost");
	n += count(out, all, "stuck", g->stuck,
		   "times a channel stopped completing: a client's group hangs");
	n += count(out, all, "hung", g->nr_hung,
		   "channels that do so now: they wait, the others go on");
	n += count(out, all, "refused", g->refused,
		   "channels that hung again: refused until they are closed");
	n += count(out, all, "abandoned", g->abandoned,
		   "groups admitted, but not submitted in time");
	n += count(out, all, "ungated", g->ungated,
		   "groups let through unscheduled: bypass, or no memory");
	n += count(out, all, "cancelled", g->cancelled,
		   "groups that nouveau refused: a client's mistake");
	n += count(out, all, "dropped", g->dropped,
		   "groups whose end was not seen: a client died, or bypass");
	n += count(out, all, "foreign", g->foreign,
		   "interrupts that clients caused themselves: harmless");
	n += count(out, all, "interrupted", g->interrupted,
		   "waits ended by a signal, and begun again: harmless");
	n += count(out, all, "unstamped", g->unstamped,
		   "groups charged by the CPU's clock: less exact");
	return n;
}
