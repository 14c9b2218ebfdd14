// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"
#include "text.h"

/* One line of the file: an entry, or only a comment, or neither. */
struct line {
	char *cell[SPEC_FIELDS];	/* NULL without an entry */
	const char *comment;
	size_t comment_len;
};

struct lines {
	struct line *list;
	u32 n;
};

static bool is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r';
}

/* Whether the name is not read back as it is when it stands bare. */
static bool needs_quotes(const struct tg_spec_entry *e)
{
	const char *name = e->name, *rest = name;

	if (e->kind == TG_SPEC_GPU)
		return false;

	/* The word of a cgroup has a colon. */
	if (!strncmp(name, TG_SPEC_CGROUP_WORD "/", strlen(TG_SPEC_CGROUP_WORD) + 1))
		rest += strlen(TG_SPEC_CGROUP_WORD);
	return strpbrk(rest, ":><#\"@") || is_blank(name[0]) ||
	       is_blank(name[strlen(name) - 1]);
}

static char *name_cell(const struct tg_spec_entry *e)
{
	const char *name = e->name;
	bool quotes = needs_quotes(e) ||
		      (!strcmp(name, TG_SPEC_ANY_WORD) && e->kind != TG_SPEC_ANY);
	struct buf b = { 0 };
	char user[16];

	if (quotes)
		buf_puts(&b, "\"");
	for (; *name; name++) {
		if (quotes && (*name == '"' || *name == '\\'))
			buf_puts(&b, "\\");
		buf_put(&b, name, 1);
	}
	if (quotes)
		buf_puts(&b, "\"");
	snprintf(user, sizeof(user), "@%u", e->uid);
	buf_puts(&b, e->has_uid ? user : "");
	return b.p;
}

static char *time_cell(u64 ns, bool written)
{
	char text[SPEC_TIME_BYTES];

	return text_printf("%s", written ? spec_time_text(text, ns) : "");
}

static void entry_cells(struct line *l, const struct tg_spec_entry *e, bool capacity,
			bool period)
{
	char sched[SPEC_SCHED_BYTES], prio[SPEC_PRIO_BYTES];

	l->cell[SPEC_NAME] = name_cell(e);
	l->cell[SPEC_SCHED] = text_printf("%s", spec_sched_text(sched, e));
	l->cell[SPEC_RESV] = text_printf("%s%s%s", tg_spec_resv_name(e->resv),
					 e->group[0] ? "@" : "", e->group);
	l->cell[SPEC_PRIO] = text_printf("%s", spec_prio_text(prio, e));
	l->cell[SPEC_CAPACITY] = time_cell(e->capacity_ns, capacity);
	l->cell[SPEC_PERIOD] = time_cell(e->period_ns, period);
}

static void fill_cells(struct line *l, const struct spec *spec, u32 i)
{
	const struct tg_spec_entry *e = &spec->entry[i];
	const struct spec_place *pl = &spec->place[i];

	/* Those that a group's later entries leave to the first stay empty. */
	entry_cells(l, e, pl->len[SPEC_CAPACITY], pl->len[SPEC_PERIOD]);
}

static void take_comment(struct line *l, const char *p, const char *end)
{
	while (p < end && is_blank(*p))
		p++;
	while (end > p && is_blank(end[-1]))
		end--;
	l->comment = p;
	l->comment_len = end - p;
}

static void read_lines(struct lines *ls, const struct spec *spec)
{
	const char *p = spec->src.text.p, *end = p + spec->src.text.len;
	u32 entry = 0;

	while (p < end) {
		const char *nl = memchr(p, '\n', end - p);
		const char *stop = nl ? nl : end;
		struct line *l;

		ls->list = mem_resize(ls->list, ls->n + 1, sizeof(*ls->list));
		l = &ls->list[ls->n++];
		memset(l, 0, sizeof(*l));
		if (entry < spec->n && spec->entry[entry].line == ls->n) {
			fill_cells(l, spec, entry);
			p = spec->src.text.p + spec->place[entry].end;
			entry++;
		}
		take_comment(l, p, stop);
		p = stop + 1;
	}
}

static void free_cells(struct line *l)
{
	for (int f = 0; f < SPEC_FIELDS; f++)
		free(l->cell[f]);
}

static void free_lines(struct lines *ls)
{
	for (u32 i = 0; i < ls->n; i++)
		free_cells(&ls->list[i]);
	free(ls->list);
}

static bool is_empty(const struct line *l)
{
	return !l->cell[SPEC_NAME] && !l->comment_len;
}

/* What a terminal takes, if each character is one column wide. */
static size_t width(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static void put_entry(struct buf *out, const struct line *l, const size_t *column)
{
	for (int f = 0; f < SPEC_FIELDS; f++) {
		size_t pad = column[f] - width(l->cell[f]);
		bool right = f >= SPEC_PRIO;

		buf_puts(out, f ? ":" : "<");
		if (right)
			buf_pad(out, ' ', pad);
		buf_puts(out, l->cell[f]);
		if (!right)
			buf_pad(out, ' ', pad);
	}
	buf_puts(out, ">");
}

void layout_entry(const struct tg_spec_entry *e, struct buf *out)
{
	size_t column[SPEC_FIELDS];
	struct line l;

	entry_cells(&l, e, e->capacity_ns, e->period_ns);
	for (int f = 0; f < SPEC_FIELDS; f++)
		column[f] = width(l.cell[f]);
	put_entry(out, &l, column);
	free_cells(&l);
}

static void put_block(struct buf *out, const struct line *l, u32 n)
{
	size_t column[SPEC_FIELDS] = { 0 };

	for (u32 i = 0; i < n; i++)
		for (int f = 0; f < SPEC_FIELDS && l[i].cell[f]; f++)
			if (width(l[i].cell[f]) > column[f])
				column[f] = width(l[i].cell[f]);
	for (u32 i = 0; i < n; i++) {
		if (l[i].cell[SPEC_NAME]) {
			put_entry(out, &l[i], column);
			if (l[i].comment_len)
				buf_puts(out, "  ");
		}
		buf_put(out, l[i].comment, l[i].comment_len);
		buf_puts(out, "\n");
	}
}

void layout_spec(const struct spec *spec, struct buf *out)
{
	struct lines ls = { 0 };

	buf_put(out, "", 0);
	read_lines(&ls, spec);
	for (u32 i = 0, n; i < ls.n; i += n) {
		n = 1;
		if (is_empty(&ls.list[i]))
			continue;
		while (i + n < ls.n && !is_empty(&ls.list[i + n]))
			n++;
		if (out->len)
			buf_puts(out, "\n");
		put_block(out, &ls.list[i], n);
	}
	free_lines(&ls);
}

bool layout_same_meaning(const struct spec *a, const struct spec *b)
{
	if (a->n != b->n)
		return false;
	for (u32 i = 0; i < a->n; i++) {
		const struct tg_spec_entry *x = &a->entry[i], *y = &b->entry[i];

		if (strcmp(x->name, y->name) || strcmp(x->group, y->group) ||
		    x->sched != y->sched || x->resv != y->resv ||
		    x->weight != y->weight || x->prio != y->prio || x->focus != y->focus ||
		    x->cpu != y->cpu || x->has_lead != y->has_lead || x->lead_ns != y->lead_ns ||
		    x->vram_bytes != y->vram_bytes ||
		    x->domain != y->domain || x->kind != y->kind || x->gpu != y->gpu ||
		    strcmp(x->policy, y->policy) || x->has_target != y->has_target ||
		    x->target_ppm != y->target_ppm || x->capacity_ns != y->capacity_ns || x->period_ns != y->period_ns)
			return false;
	}
	return true;
}

bool layout_reparse(struct spec *spec, const struct spec *old, const struct buf *text)
{
	struct diags diags = { 0 };
	bool ok;

	memset(spec, 0, sizeof(*spec));
	spec->src.path = old->src.path;
	buf_put(&spec->src.text, text->p, text->len);
	spec_parse(spec, &diags);
	ok = !diags.n;
	diags_free(&diags);
	return ok;
}
