// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text.h"
#include "tg_cpu.h"
#include "tg_sched.h"
#include "tg_spec.h"
#include "utf8.h"

/* U+0080–U+009F steer some terminals. */
static bool is_control(const char *s, unsigned int n)
{
	const unsigned char *u = (const unsigned char *)s;

	return n == 1 ? u[0] < 0x20 || u[0] == 0x7f :
	       n == 2 && u[0] == 0xc2 && u[1] < 0xa0;
}

char *text_safe(char *out, size_t size, const char *s, size_t columns)
{
	size_t at = 0;

	while (*s && columns--) {
		unsigned int n = utf8_length(s);

		if (at + (n ? n : 1) >= size)
			break;
		if (!n || is_control(s, n)) {
			out[at++] = '?';
		} else {
			memcpy(out + at, s, n);
			at += n;
		}
		s += n ? n : 1;
	}
	out[at] = '\0';
	return out;
}

static const struct unit {
	uint64_t ns;
	const char *name;
} units[] = {
	{ 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" },
};

static const struct unit *exact_unit(uint64_t ns)
{
	const struct unit *u = units;

	while (ns % u->ns)
		u++;
	return u;
}

char *text_time(char out[TEXT_BYTES], uint64_t ns)
{
	const struct unit *u = exact_unit(ns);

	snprintf(out, TEXT_BYTES, "%" PRIu64 "%s", ns / u->ns, u->name);
	return out;
}

char *text_reserve(char out[2 * TEXT_BYTES], uint64_t capacity_ns, uint64_t period_ns)
{
	const struct unit *c = exact_unit(capacity_ns), *t = exact_unit(period_ns);
	const struct unit *u = c->ns < t->ns ? c : t;

	snprintf(out, 2 * TEXT_BYTES, "%" PRIu64 "/%" PRIu64 "%s",
		 capacity_ns / u->ns, period_ns / u->ns, u->name);
	return out;
}

char *text_short(char out[TEXT_BYTES], int64_t ns)
{
	const struct unit *u = units;
	double a = fabs((double)ns), v;

	if (!ns)
		return strcpy(out, "0");
	/* 999.5 rounds up to four digits: the next larger unit is for it. */
	while (u->ns > 1 && a < 0.9995 * (double)u->ns)
		u++;
	v = (double)ns / (double)u->ns;
	a /= (double)u->ns;
	snprintf(out, TEXT_BYTES, "%.*f%s",
		 u->ns == 1 || a >= 99.95 ? 0 : a >= 9.995 ? 1 : 2, v, u->name);
	return out;
}

const char *text_policy(unsigned int policy)
{
	switch (policy) {
	case TIMEGRAPH_POLICY_PRT:
		return tg_spec_sched_name(TG_SPEC_PRT);
	case TIMEGRAPH_POLICY_HT:
		return tg_spec_sched_name(TG_SPEC_HT);
	case TIMEGRAPH_POLICY_FQ:
		return tg_spec_sched_name(TG_SPEC_FQ);
	}
	return "?";
}

char *text_sched(char out[2 * TEXT_BYTES], unsigned int policy, unsigned int weight,
		 uint64_t lead_ns)
{
	bool weighs = policy == TIMEGRAPH_POLICY_FQ && weight && weight != TG_WEIGHT_DEFAULT;
	int n = snprintf(out, TEXT_BYTES, "%s", text_policy(policy));
	char time[TEXT_BYTES];

	if (weighs)
		n += snprintf(out + n, TEXT_BYTES - n, "=%u", weight);
	if (lead_ns != TIMEGRAPH_LEAD_COMMON)
		snprintf(out + n, 2 * TEXT_BYTES - n, " lead=%s",
			 lead_ns ? text_time(time, lead_ns) : "0");
	return out;
}

uint64_t text_own_lead(const struct timegraph_task *t)
{
	return t->flags & TIMEGRAPH_TASK_LEAD ? t->lead_ns : TIMEGRAPH_LEAD_COMMON;
}

const char *text_resv(unsigned int resv)
{
	switch (resv) {
	case TIMEGRAPH_RESV_NONE:
		return tg_spec_resv_name(TG_SPEC_RESV_NONE);
	case TIMEGRAPH_RESV_PE:
		return tg_spec_resv_name(TG_SPEC_RESV_PE);
	case TIMEGRAPH_RESV_AE:
		return tg_spec_resv_name(TG_SPEC_RESV_AE);
	case TIMEGRAPH_RESV_BG:
		return tg_spec_resv_name(TG_SPEC_RESV_BG);
	}
	return "?";
}

const char *text_completion(const struct timegraph_caps *caps)
{
	static const char *const words[] = { "notify", "auto", "fence" };

	if (caps->abi_version < 5)
		return NULL;
	return caps->completion < ARRAY_SIZE(words) ? words[caps->completion] : "?";
}

const char *text_predictor(const struct timegraph_caps *caps, unsigned int predictor)
{
	static const char *const words[] = { "history", "largest", "average" };

	if (caps->abi_version < 6)
		return NULL;
	return predictor < ARRAY_SIZE(words) ? words[predictor] : "?";
}

const char *text_vram_policy(unsigned int policy)
{
	static const char *const words[] = {
		[TIMEGRAPH_VRAM_FIFO] = "fifo",
		[TIMEGRAPH_VRAM_MMU] = "mmu",
		[TIMEGRAPH_VRAM_PRIO_FIFO] = "prio-fifo",
		[TIMEGRAPH_VRAM_PRIO_MMU] = "prio-mmu",
	};

	return policy < ARRAY_SIZE(words) ? words[policy] : "?";
}

const char *text_vram_beyond(unsigned int beyond)
{
	static const char *const words[] = {
		[TIMEGRAPH_VRAM_SPILL] = "spill",
		[TIMEGRAPH_VRAM_REFUSE] = "refuse",
		[TIMEGRAPH_VRAM_WAIT] = "wait",
	};

	return beyond < ARRAY_SIZE(words) ? words[beyond] : "?";
}

const char *text_vram_why(unsigned int why)
{
	static const char *const words[] = {
		[TIMEGRAPH_VRAM_WHY_NOT] = "",
		[TIMEGRAPH_VRAM_WHY_ROOM] = "there is no room",
		[TIMEGRAPH_VRAM_WHY_TURN] = "others are before it",
		[TIMEGRAPH_VRAM_WHY_AGED] = "another has waited for too long",
	};

	return why < ARRAY_SIZE(words) ? words[why] : "?";
}

char *text_vram(char out[TEXT_VRAM_BYTES], const struct timegraph_vram *v)
{
	const double mib = 1 << 20;

	snprintf(out, TEXT_VRAM_BYTES,
		 "%.0f MiB: %.0f reserved, %.0f used besides, %.0f free, %u waiting",
		 v->size / mib, v->held / mib, (v->rest + v->older) / mib, v->free / mib,
		 v->nr_waiting);
	return out;
}

static const struct timegraph_vram_account *find_domain(const struct timegraph_vram_account *a,
							uint32_t n, uint64_t cgroup)
{
	for (uint32_t i = 0; i < n; i++)
		if (a[i].flags & TIMEGRAPH_VRAM_DOMAIN && a[i].domain == cgroup)
			return &a[i];
	return NULL;
}

const struct timegraph_vram_account *text_find_account(const struct timegraph_vram_account *a,
						       uint32_t n, int32_t pid)
{
	for (uint32_t i = 0; pid && i < n; i++)
		if (a[i].pid == pid)
			return a[i].domain && !a[i].held ? find_domain(a, n, a[i].domain) : &a[i];
	return NULL;
}

struct timegraph_task text_in_force(const struct timegraph_task *t)
{
	struct tg_spec_entry e = { .sched = (enum tg_spec_sched)t->policy, .weight = t->weight };
	struct timegraph_task is = *t;

	if (t->flags & TIMEGRAPH_TASK_CPU && t->rank <= TG_CPU_RANK_MAX) {
		tg_cpu_follow(&e, (u8)t->rank);
		is.policy = (uint8_t)e.sched;
		is.weight = e.weight;
	}
	is.prio = (uint8_t)text_prio_in_force(t);
	return is;
}

unsigned int text_prio_in_force(const struct timegraph_task *t)
{
	if (t->flags & (TIMEGRAPH_TASK_SERVER | TIMEGRAPH_TASK_CPU))
		return t->level / 2;
	return t->flags & TIMEGRAPH_TASK_DEMOTED ? TG_PRIO_MIN : t->prio;
}

char *text_prio(char out[TEXT_BYTES], const struct timegraph_task *t)
{
	unsigned int prio = text_prio_in_force(t);

	if (t->flags & TIMEGRAPH_TASK_SERVER)
		snprintf(out, TEXT_BYTES, "%uS", prio);
	else if (t->flags & TIMEGRAPH_TASK_CPU)
		snprintf(out, TEXT_BYTES, "%uc", prio);
	else if (prio != t->prio)
		snprintf(out, TEXT_BYTES, "%u>%u", t->prio, prio);
	else
		snprintf(out, TEXT_BYTES, "%u%s%s", t->prio,
			 t->flags & TIMEGRAPH_TASK_FOCUS ? "*" : "",
			 t->flags & TIMEGRAPH_TASK_FOREGROUND ? "F" : "");
	return out;
}

const char *text_bypass(unsigned int bits)
{
	if (bits & TIMEGRAPH_BYPASS_HANG)
		return "the GPU stopped completing groups";
	if (bits & TIMEGRAPH_BYPASS_USER)
		return "asked for";
	if (bits & TIMEGRAPH_BYPASS_SUSPEND)
		return "suspended";
	return bits ? "an unknown reason" : NULL;
}

const char *text_bypass_word(unsigned int bits)
{
	if (bits & TIMEGRAPH_BYPASS_HANG)
		return "hang";
	if (bits & TIMEGRAPH_BYPASS_USER)
		return "user";
	if (bits & TIMEGRAPH_BYPASS_SUSPEND)
		return "suspend";
	return bits ? "unknown" : NULL;
}

const struct timegraph_reserve *text_find_reserve(const struct timegraph_reserve *r,
						  uint32_t n, uint32_t id)
{
	for (uint32_t i = 0; id && i < n; i++)
		if (r[i].id == id)
			return &r[i];
	return NULL;
}
