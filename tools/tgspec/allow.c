// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "allow.h"
#include "excerpt.h"

static bool is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r';
}

static const char *skip(const char *p, const char *end, bool blanks)
{
	while (p < end && is_blank(*p) == blanks)
		p++;
	return p;
}

/* Behind the word @word, which stands at @p; or NULL. */
static const char *behind(const char *p, const char *end, const char *word)
{
	size_t len = strlen(word);

	if ((size_t)(end - p) < len || memcmp(p, word, len))
		return NULL;
	return p + len;
}

/*
 * Behind "tgspec: allow" in the comment, which has it at its @start if it stands alone:
 * an entry that is commented out is no entry, nor is what stands behind it an order.
 */
static const char *find_order(const char *p, const char *end, bool start)
{
	const char *mark = memmem(p, end - p, "tgspec:", 7), *names;

	if (!mark || (start && mark != skip(p + 1, end, true)))
		return NULL;
	names = behind(skip(mark + 7, end, true), end, "allow");
	return names && (names == end || is_blank(*names)) ? names : NULL;
}

static void add(struct allows *a, const char *name, size_t len, u32 entry, u32 line,
		const char *line_at, const char *line_end)
{
	a->list = mem_resize(a->list, a->n + 1, sizeof(*a->list));
	a->list[a->n++] = (struct allow){
		.name = name, .len = len, .entry = entry, .line = line,
		.column = excerpt_column(line_at, line_end - line_at, name - line_at),
	};
}

/* Names, with blanks or commas between; "--" begins the reason. */
static void read_names(struct allows *a, const char *p, const char *end, u32 entry, u32 line,
		       const char *line_at)
{
	u32 before = a->n;

	for (p = skip(p, end, true); p < end; p = skip(p, end, true)) {
		const char *stop = p;

		if (behind(p, end, "--"))
			break;
		while (stop < end && !is_blank(*stop) && *stop != ',')
			stop++;
		if (stop > p)
			add(a, p, stop - p, entry, line, line_at, end);
		p = stop + (stop < end && *stop == ',');
	}
	/* An order that names nothing: reported as a name that no check has. */
	if (a->n == before)
		add(a, p, 0, entry, line, line_at, end);
}

void allows_read(struct allows *a, const struct spec *spec)
{
	const char *text = spec->src.text.p, *p = text, *end = text + spec->src.text.len;
	u32 entry = 0;

	*a = (struct allows){ 0 };
	for (u32 line = 1; p < end; line++) {
		const char *nl = memchr(p, '\n', end - p), *stop = nl ? nl : end;
		bool own = entry < spec->n && spec->entry[entry].line == line;
		const char *comment = own ? text + spec->place[entry].end : skip(p, stop, true);
		const char *names = comment < stop ? find_order(comment, stop, !own) : NULL;

		if (names)
			read_names(a, names, stop, entry < spec->n ? entry : ALLOW_NOBODY, line, p);
		entry += own;
		p = stop + 1;
	}
}

void allows_free(struct allows *a)
{
	free(a->list);
	*a = (struct allows){ 0 };
}

bool allows_take(struct allows *a, u32 entry, const char *check)
{
	bool found = false;

	for (u32 i = 0; i < a->n; i++)
		if (a->list[i].entry == entry && a->list[i].len == strlen(check) &&
		    !memcmp(a->list[i].name, check, a->list[i].len))
			found = a->list[i].used = true;
	return found;
}
