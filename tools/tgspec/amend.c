// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An entry stands for all programs that match it, so what one of them was given
 * at run time cannot always be written into its line.  The tasks that match a
 * line are taken by their comm:
 *
 *	all of one comm		the line gets what they have
 *	several			the line gets what those have whose comm is its name,
 *				and the others an entry of their comm before it,
 *				if they have something else
 *	none matches		an entry of their comm at the end
 *
 * Tasks of one comm that have not the same cannot be told apart by an entry: the
 * file's own word goes first, then the task that came first.  Whether the outcome
 * is right is not taken from this: it is parsed and looked up as the kernel does,
 * for every task.
 */
#include <stdlib.h>
#include <string.h>

#include "amend.h"
#include "layout.h"
#include "reserves.h"

#define MARK "# tgspec export: "

/**
 * struct place - an entry of the new text
 * @at: index of the old entry that it replaces, or before which it stands; the
 *	number of the old entries is the end
 * @inserted: it replaces none
 * @changed: it is not the old one
 * @e: what it says
 * @why: a comment, without its MARK; owned
 */
struct place {
	u32 at;
	bool inserted;
	bool changed;
	struct tg_spec_entry e;
	char *why;
};

struct work {
	const struct spec *old;
	const struct state *st;
	u32 *match;	/* for each task the index of its entry, old->n for none */
	struct tg_spec_entry *say;	/* for each task what an entry is to say */
	bool *can;	/* for each task whether an entry can say what it has */
	bool *done;	/* for each task */
	struct place *line;	/* one for each old entry */
	struct place *add;
	u32 nr_add;
};

static bool same_comm(const struct running *a, const struct running *b)
{
	return !strcmp(a->comm, b->comm);
}

/*
 * Video memory cannot be set at run time: it is what the file gives.  The reserve that an HT
 * task asks for makes no difference, and is told without C and T: if the file has such a
 * one, it stays.
 */
static void choose_words(struct work *w, u32 k, const struct tg_spec_entry *given)
{
	const struct running *t = &w->st->task[k];
	struct tg_spec_entry *say = &w->say[k];

	*say = t->has;
	say->vram_bytes = given->vram_bytes;
	if (say->sched != TG_SPEC_HT || say->capacity_ns || !tg_spec_wants_reserve(say))
		return;
	if (given->resv != say->resv) {
		say->resv = TG_SPEC_RESV_NONE;
		return;
	}
	memcpy(say->group, given->group, sizeof(say->group));
	say->capacity_ns = given->capacity_ns;
	say->period_ns = given->period_ns;
}

/* Whether an entry can say it at all. */
static bool can_say(const struct work *w, u32 k)
{
	const struct running *t = &w->st->task[k];
	struct tg_spec_error err;
	struct tg_spec_entry e;
	struct buf text = { 0 };
	bool ok;

	layout_entry(&w->say[k], &text);
	ok = t->known && tg_spec_parse(text.p, text.len, &e, 1, &err) == 1 &&
	     running_same(&e, &t->has);
	buf_free(&text);
	return ok;
}

/* The first task of a GPU that has the same Shared reserve: its C and T count. */
static bool agrees_on_group(const struct state *st, u32 k)
{
	const struct tg_spec_entry *e = &st->task[k].has;

	for (u32 j = 0; e->group[0] && j < k; j++) {
		const struct tg_spec_entry *x = &st->task[j].has;

		if (!strcmp(x->group, e->group))
			return x->resv == e->resv && x->capacity_ns == e->capacity_ns &&
			       x->period_ns == e->period_ns;
	}
	return true;
}

/* The old entry as it stands there, without its end of the line. */
static char *old_text(const struct spec *old, u32 i)
{
	const struct spec_place *pl = &old->place[i];
	const char *p = old->src.text.p + pl->line_at, *end = old->src.text.p + pl->end;

	while (p < end && strchr(" \t\r", *p))
		p++;
	while (end > p && strchr(" \t\r", end[-1]))
		end--;
	return text_printf("%.*s", (int)(end - p), p);
}

/* Where it came from; @replaced is an old entry or -1. */
static char *reason(const struct work *w, const struct running *t, int replaced)
{
	char *name = running_name(t), *old, *s;

	s = text_printf("%s %s", t->set ? "set at run time for" :
				 "from before the file changed, for", name);
	free(name);
	if (replaced >= 0) {
		name = s;
		old = old_text(w->old, replaced);
		s = text_printf("%s; the file has %s", name, old);
		free(old);
		free(name);
	}
	return s;
}

static char *group_reason(const struct work *w, u32 i)
{
	char *old = old_text(w->old, i), *s;

	s = text_printf("this Shared reserve was set at run time; the file has %s", old);
	free(old);
	return s;
}

static void change_line(struct work *w, u32 i, const struct tg_spec_entry *to, char *why)
{
	struct place *l = &w->line[i];
	struct tg_spec_entry was = l->e;

	/* What it gives is @to's, but to whom, and where it stands, is its own. */
	l->e = *to;
	memcpy(l->e.name, was.name, sizeof(was.name));
	l->e.kind = was.kind;
	l->e.has_uid = was.has_uid;
	l->e.uid = was.uid;
	l->e.file = was.file;
	l->e.line = was.line;
	l->changed = true;
	free(l->why);
	l->why = why;
}

static void add_line(struct work *w, u32 before, u32 k)
{
	w->add = mem_resize(w->add, w->nr_add + 1, sizeof(*w->add));
	w->add[w->nr_add++] = (struct place){
		.at = before, .inserted = true, .changed = true, .e = w->say[k],
		.why = reason(w, &w->st->task[k], -1),
	};
}

/*
 * A Shared reserve has one C and T: who joins it with others changes them for all.
 * So they are those of the reserve that there is, in every entry that names it.
 */
static void take_groups(struct work *w)
{
	for (u32 k = 0; k < w->st->n; k++) {
		const struct tg_spec_entry *has = &w->st->task[k].has;

		if (!has->group[0] || !w->can[k])
			continue;
		for (u32 i = 0; i < w->old->n; i++) {
			struct tg_spec_entry e = w->line[i].e;

			if (w->line[i].changed || strcmp(e.group, has->group) ||
			    (e.resv == has->resv && e.capacity_ns == has->capacity_ns &&
			     e.period_ns == has->period_ns))
				continue;
			e.resv = has->resv;
			e.capacity_ns = has->capacity_ns;
			e.period_ns = has->period_ns;
			change_line(w, i, &e, group_reason(w, i));
		}
	}
}

/*
 * Of the tasks that match entry @i and have @k's comm: the one that says what they
 * get.  Marks them done.
 */
static u32 spokesman(struct work *w, u32 i, u32 k)
{
	const struct running *task = w->st->task;
	struct tg_spec_entry given;
	u32 best = k;
	bool agrees = false;

	if (i < w->old->n)
		given = w->line[i].e;
	else
		running_lookup(w->old, &task[k], &given);
	for (u32 j = k; j < w->st->n; j++) {
		if (w->match[j] != i || !same_comm(&task[j], &task[k]))
			continue;
		w->done[j] = true;
		if (agrees || !w->can[j])
			continue;
		agrees = running_same(&task[j].has, &given);
		if (agrees || !w->can[best])
			best = j;
	}
	return best;
}

static void put_into_line(struct work *w, u32 i, u32 k)
{
	const struct running *t = &w->st->task[k];

	if (w->can[k] && !running_same(&t->has, &w->line[i].e))
		change_line(w, i, &w->say[k], reason(w, t, i));
}

/* The tasks that match entry @i, or none. */
static void take_entry(struct work *w, u32 i)
{
	u32 *speaker = mem_zero(w->st->n, sizeof(*speaker)), n = 0;
	struct tg_spec_entry given;
	int own = -1;

	for (u32 k = 0; k < w->st->n; k++)
		if (w->match[k] == i && !w->done[k])
			speaker[n++] = spokesman(w, i, k);
	if (i < w->old->n) {
		for (u32 s = 0; s < n; s++)
			if (n == 1 || !strncmp(w->line[i].e.name, w->st->task[speaker[s]].comm,
					       TG_COMM_MAX))
				own = s;
		if (own >= 0)
			put_into_line(w, i, speaker[own]);
	}
	for (u32 s = 0; s < n; s++) {
		const struct running *t = &w->st->task[speaker[s]];

		if ((int)s == own || !w->can[speaker[s]])
			continue;
		if (i < w->old->n)
			given = w->line[i].e;
		else
			running_lookup(w->old, t, &given);
		if (!running_same(&t->has, &given))
			add_line(w, i, speaker[s]);
	}
	free(speaker);
}

/* Marks of an export before. */
static bool is_mark(const char *p, size_t len)
{
	while (len && strchr(" \t", *p)) {
		p++;
		len--;
	}
	return len >= strlen(MARK) && !memcmp(p, MARK, strlen(MARK));
}

static void put_new(struct buf *out, const struct place *l)
{
	if (l->changed)
		buf_printf(out, MARK "%s\n", l->why);
	layout_entry(&l->e, out);
}

static void put_additions(struct work *w, u32 before, struct buf *out)
{
	for (u32 i = 0; i < w->nr_add; i++)
		if (w->add[i].at == before) {
			put_new(out, &w->add[i]);
			buf_puts(out, "\n");
		}
}

/* It leaves C and T to an entry before it, and there is none any more. */
static bool needs_times(const struct work *w, u32 i)
{
	const char *group = w->line[i].e.group;

	if (!group[0] || w->old->place[i].len[SPEC_CAPACITY])
		return false;
	for (u32 j = 0; j < i; j++)
		if (!strcmp(w->line[j].e.group, group))
			return false;
	for (u32 j = 0; j < w->nr_add; j++)
		if (w->add[j].at <= i && !strcmp(w->add[j].e.group, group))
			return false;
	return true;
}

/* The old text up to @end, less a mark that stood right before a changed entry. */
static size_t put_before(struct buf *out, const char *text, size_t from, size_t end, bool changed)
{
	size_t last = end;

	if (changed && end > from && text[end - 1] == '\n') {
		last = end - 1;
		while (last > from && text[last - 1] != '\n')
			last--;
		if (!is_mark(text + last, end - last))
			last = end;
	}
	buf_put(out, text + from, last - from);
	return end;
}

static void put_all(struct work *w, struct buf *out)
{
	const struct buf *text = &w->old->src.text;
	size_t done = 0;

	buf_put(out, "", 0);
	for (u32 i = 0; i < w->old->n; i++) {
		const struct spec_place *pl = &w->old->place[i];

		done = put_before(out, text->p, done, pl->line_at, w->line[i].changed);
		put_additions(w, i, out);
		if (w->line[i].changed || needs_times(w, i)) {
			put_new(out, &w->line[i]);
			buf_puts(out, " ");
			done = pl->end;
		}
	}
	buf_put(out, text->p + done, text->len - done);
	if (out->len && out->p[out->len - 1] != '\n')
		buf_puts(out, "\n");
	put_additions(w, w->old->n, out);
}

/* As the kernel would read it, and laid out. */
static bool read_back(struct amended *a, const struct spec *old, const struct buf *text)
{
	struct buf out = { 0 };
	struct spec rough;
	bool ok = layout_reparse(&rough, old, text);

	if (ok) {
		layout_spec(&rough, &out);
		ok = layout_reparse(&a->spec, old, &out);
	}
	spec_free(&rough);
	buf_free(&out);
	return ok;
}

static void judge(struct amended *a, const struct work *w)
{
	for (u32 k = 0; k < w->st->n; k++) {
		const struct running *t = &w->st->task[k];
		struct tg_spec_entry e;

		running_lookup(&a->spec, t, &e);
		a->lost[k] = !t->known || !running_same(&e, &t->has);
		a->nr_lost += a->lost[k];
		running_lookup(w->old, t, &e);
		/* A Shared reserve may have been set by another task. */
		if (e.group[0] && !strcmp(e.group, t->has.group)) {
			e.resv = t->has.resv;
			e.capacity_ns = t->has.capacity_ns;
			e.period_ns = t->has.period_ns;
		}
		a->stale[k] = t->known && !t->set && !running_same(&e, &t->has);
	}
	a->changed = w->nr_add;
	for (u32 i = 0; i < w->old->n; i++)
		a->changed += w->line[i].changed;
}

bool amend(struct amended *a, const struct spec *old, const struct state *st)
{
	struct work w = { .old = old, .st = st };
	struct tg_spec_entry e;
	struct buf text = { 0 };
	bool ok;

	memset(a, 0, sizeof(*a));
	a->lost = mem_zero(st->n, sizeof(*a->lost));
	a->stale = mem_zero(st->n, sizeof(*a->stale));
	w.match = mem_zero(st->n, sizeof(*w.match));
	w.say = mem_zero(st->n, sizeof(*w.say));
	w.can = mem_zero(st->n, sizeof(*w.can));
	w.done = mem_zero(st->n, sizeof(*w.done));
	w.line = mem_zero(old->n, sizeof(*w.line));
	for (u32 i = 0; i < old->n; i++)
		w.line[i] = (struct place){ .at = i, .e = old->entry[i] };
	for (u32 k = 0; k < st->n; k++) {
		int i = running_lookup(old, &st->task[k], &e);

		w.match[k] = i < 0 ? old->n : (u32)i;
		choose_words(&w, k, &e);
		w.can[k] = can_say(&w, k) && agrees_on_group(st, k);
	}
	take_groups(&w);
	for (u32 k = 0; k < st->n; k++)
		if (w.match[k] < old->n)
			choose_words(&w, k, &w.line[w.match[k]].e);
	for (u32 i = 0; i <= old->n; i++)
		take_entry(&w, i);
	put_all(&w, &text);
	ok = read_back(a, old, &text);
	if (ok)
		judge(a, &w);

	for (u32 i = 0; i < old->n; i++)
		free(w.line[i].why);
	for (u32 i = 0; i < w.nr_add; i++)
		free(w.add[i].why);
	free(w.add);
	free(w.line);
	free(w.match);
	free(w.say);
	free(w.can);
	free(w.done);
	buf_free(&text);
	return ok;
}

void amended_free(struct amended *a)
{
	spec_free(&a->spec);
	free(a->lost);
	free(a->stale);
}
