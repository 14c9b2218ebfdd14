/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must hold for every answer of the parsers, for tests and fuzzers. */
#ifndef SPEC_CHECK_H
#define SPEC_CHECK_H

#include "tg_sched.h"
#include "tg_spec.h"

/* Line and column point into the file, at most just behind a line's end. */
static inline bool spec_place_is_inside(const char *text, size_t len,
					const struct tg_spec_error *err)
{
	size_t start = 0, end;
	u32 line = 1;

	if (!err->check || !err->text || !err->hint || !err->line || !err->column)
		return false;
	for (; line < err->line; line++) {
		while (start < len && text[start] != '\n')
			start++;
		if (start == len)
			return false;
		start++;
	}
	for (end = start; end < len && text[end] != '\n'; end++)
		;
	return err->column <= end - start + 1;
}

static inline bool spec_entry_is_sane(const struct tg_spec_entry *e)
{
	bool own = e->resv == TG_SPEC_RESV_PE || e->resv == TG_SPEC_RESV_AE;

	if ((e->kind == TG_SPEC_PATH) != (e->name[0] == '/') || e->file.ino ||
	    (e->kind == TG_SPEC_CGROUP) != !strncmp(e->name, "cgroup:/", 8) ||
	    (e->kind == TG_SPEC_NAME && strlen(e->name) >= TG_NAME_MAX))
		return false;
	if (e->weight < TG_WEIGHT_MIN || e->weight > TG_WEIGHT_MAX ||
	    (e->weight != TG_WEIGHT_DEFAULT && e->sched != TG_SPEC_FQ) ||
	    (e->kind == TG_SPEC_ANY && strcmp(e->name, "*")))
		return false;
	if (e->domain && (e->kind != TG_SPEC_CGROUP || e->has_uid || e->prio || e->has_lead ||
			  e->resv > TG_SPEC_RESV_PE || e->group[0] || e->sched != TG_SPEC_FQ))
		return false;
	if (e->kind == TG_SPEC_GPU &&
	    (e->has_uid || e->prio || e->has_lead || e->resv != TG_SPEC_RESV_NONE || e->domain ||
	     e->sched != TG_SPEC_FQ || e->weight != TG_WEIGHT_DEFAULT || e->vram_bytes ||
	     strncmp(e->name, "gpu:", 4) || !e->policy[0] || e->policy[TG_SPEC_POLICY_LEN - 1] ||
	     (e->gpu > TG_SPEC_GPU_MAX && e->gpu != TG_SPEC_ANY_GPU)))
		return false;
	if (e->kind != TG_SPEC_GPU && (e->gpu || e->policy[0]))
		return false;
	if ((e->has_target && !e->domain) || e->target_ppm > (e->has_target ? TG_PPM : 0))
		return false;
	if (e->vram_bytes > TG_SPEC_VRAM_MAX)
		return false;
	if (e->lead_ns > (e->has_lead ? TG_SPEC_LEAD_MAX_NS : 0))
		return false;
	if (!e->name[0] || !memchr(e->name, 0, sizeof(e->name)) ||
	    !memchr(e->group, 0, sizeof(e->group)))
		return false;
	if (e->prio > TG_PRIO_MAX || (e->focus && e->prio != TG_PRIO_DEFAULT) ||
	    (e->cpu && (e->focus || e->prio != TG_PRIO_MIN)))
		return false;
	if (!own)
		return !e->group[0] && !e->capacity_ns && !e->period_ns;
	return e->capacity_ns && e->capacity_ns <= e->period_ns &&
	       e->period_ns <= TG_TIME_MAX_NS;
}

/* Entries are sane, in the order of their lines, and groups agree. */
static inline bool spec_entries_are_sane(const struct tg_spec_entry *e, u32 n)
{
	for (u32 i = 0; i < n; i++) {
		if (!spec_entry_is_sane(&e[i]) || e[i].line <= (i ? e[i - 1].line : 0))
			return false;
		for (u32 k = 0; k < i && e[i].group[0]; k++)
			if (!strcmp(e[k].group, e[i].group) &&
			    (e[k].resv != e[i].resv ||
			     e[k].capacity_ns != e[i].capacity_ns ||
			     e[k].period_ns != e[i].period_ns))
				return false;
	}
	return true;
}

static inline bool spec_error_is_clear(const struct tg_spec_error *err)
{
	return !err->line && !err->column && !err->check && !err->text && !err->hint;
}

static inline size_t spec_quote(char *out, const char *name)
{
	size_t n = 0;

	out[n++] = '"';
	for (; *name; name++) {
		if (*name == '"' || *name == '\\')
			out[n++] = '\\';
		out[n++] = *name;
	}
	out[n++] = '"';
	return n;
}

/* Write an entry in the plainest form; @out has 1024 bytes. */
static inline size_t spec_format(char *out, const struct tg_spec_entry *e)
{
	size_t n = 0;

	out[n++] = '<';
	if (e->kind == TG_SPEC_GPU)
		return n + sprintf(out + n, "%s:POLICY=%s:-:-::>\n", e->name, e->policy);
	if (e->kind == TG_SPEC_ANY)
		out[n++] = '*';
	else
		n += spec_quote(out + n, e->name);
	if (e->has_uid)
		n += sprintf(out + n, "@%u", e->uid);
	n += sprintf(out + n, ":%s", e->domain ? "DOMAIN" : tg_spec_sched_name(e->sched));
	if (e->has_target)
		n += sprintf(out + n, "=%u target=%u.%04u%%", e->weight, e->target_ppm / 10000,
			     e->target_ppm % 10000);
	else if (e->sched == TG_SPEC_FQ)
		n += sprintf(out + n, "=%u", e->weight);
	if (e->has_lead)
		n += sprintf(out + n, " lead=%lluns", (unsigned long long)e->lead_ns);
	if (e->vram_bytes)
		n += sprintf(out + n, " vram=%llu", (unsigned long long)e->vram_bytes);
	n += sprintf(out + n, ":%s", tg_spec_resv_name(e->resv));
	if (e->group[0])
		n += sprintf(out + n, "@%s", e->group);
	if (e->domain)
		n += sprintf(out + n, ":-:");
	else if (e->focus || e->cpu)
		n += sprintf(out + n, ":%s:", e->cpu ? "cpu" : "*");
	else
		n += sprintf(out + n, ":%u:", e->prio);
	if (e->period_ns)
		n += sprintf(out + n, "%lluns:%lluns", (unsigned long long)e->capacity_ns,
			     (unsigned long long)e->period_ns);
	else
		out[n++] = ':';
	n += sprintf(out + n, ">\n");
	return n;
}

/* Equal but for the line. */
static inline bool spec_entries_equal(const struct tg_spec_entry *a,
				      const struct tg_spec_entry *b)
{
	return !strcmp(a->name, b->name) && a->gpu == b->gpu && !strcmp(a->policy, b->policy) && a->kind == b->kind && a->uid == b->uid && a->has_uid == b->has_uid &&
	       !strcmp(a->group, b->group) &&
	       a->sched == b->sched &&
	       (a->sched != TG_SPEC_FQ || a->weight == b->weight) && a->resv == b->resv &&
	       a->has_lead == b->has_lead && a->lead_ns == b->lead_ns &&
	       a->vram_bytes == b->vram_bytes &&
	       a->domain == b->domain && a->has_target == b->has_target &&
	       a->target_ppm == b->target_ppm && a->prio == b->prio && a->focus == b->focus && a->cpu == b->cpu &&
	       a->capacity_ns == b->capacity_ns && a->period_ns == b->period_ns;
}

#endif
