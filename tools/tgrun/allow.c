// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A line is
 *
 *	WHO KEY=VALUE...	# comment
 *
 * and nothing else: a word that is not known, a key given twice, a byte that an editor does
 * not show, and the whole text is refused.  It is read to its end even when the line that
 * counts has been found: a mistake below it is to be seen when it is made.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "allow.h"
#include "args.h"
#include "text.h"

#define BLANKS " \t"

void allow_default(struct allow *a)
{
	*a = (struct allow){ .weight = ALLOW_WEIGHT };
}

static bool refuse(struct allow_error *err, const char *text, const char *hint)
{
	err->text = text;
	err->hint = hint;
	return false;
}

static bool take_weight(struct allow *a, const char *value)
{
	uint32_t v;

	if (!args_number(value, WANT_WEIGHT_MAX, &v) || !v)
		return false;
	a->weight = v;
	a->fq_weight = v;
	return true;
}

static bool take_target(struct allow *a, const char *value)
{
	return want_percent(value, &a->target_ppm);
}

static bool take_reserve(struct allow *a, const char *value)
{
	struct cli_error err;

	return want_times(value, &a->capacity_ns, &a->period_ns, &err);
}

static bool take_prio(struct allow *a, const char *value)
{
	return args_number(value, 99, &a->prio);
}

static bool yes_or_no(const char *value, bool *yes)
{
	*yes = !strcmp(value, "yes");
	return *yes || !strcmp(value, "no");
}

static bool take_prt(struct allow *a, const char *value)
{
	return yes_or_no(value, &a->prt);
}

static bool take_ht(struct allow *a, const char *value)
{
	return yes_or_no(value, &a->ht);
}

static const struct key {
	const char *name;
	bool (*take)(struct allow *a, const char *value);
	const char *wants;
} keys[] = {
	{ "weight", take_weight, "a weight is a number from 1 to 10000" },
	{ "target", take_target, "a target is a percentage, for example target=25%" },
	{ "reserve", take_reserve, "a reserve is C/T, for example reserve=10ms/40ms" },
	{ "priority", take_prio, "a priority is a number from 0 to 99" },
	{ "prt", take_prt, "write prt=yes or prt=no" },
	{ "ht", take_ht, "write ht=yes or ht=no" },
};

#define NR_KEYS (sizeof(keys) / sizeof(keys[0]))

static bool take_word(struct allow *a, char *word, unsigned int *seen, struct allow_error *err)
{
	char *value = strchr(word, '=');

	if (!value)
		return refuse(err, "a word that is no KEY=VALUE",
			      "write for example: alice weight=300");
	*value++ = '\0';
	for (size_t i = 0; i < NR_KEYS; i++) {
		if (strcmp(word, keys[i].name))
			continue;
		if (*seen & 1u << i)
			return refuse(err, "a key that is given twice", "give it once");
		*seen |= 1u << i;
		return keys[i].take(a, value) ||
		       refuse(err, "a value that the key cannot have", keys[i].wants);
	}
	return refuse(err, "an unknown key",
		      "there are weight, target, reserve, priority, prt and ht");
}

/* Decimal digits are a number, as chown(1) has it but the other way around: never a name. */
static bool is_number(const char *s, uint32_t *v)
{
	return args_number(s, UINT32_MAX - 1, v);
}

static bool is_all_digits(const char *s)
{
	return !s[strspn(s, "0123456789")];
}

static bool in_group(const struct allow_caller *c, const char *who)
{
	uint32_t gid;
	bool number = is_number(who, &gid);

	for (int i = 0; i < c->nr_groups; i++)
		if (number ? c->gids[i] == gid :
			     c->groups[i] && !strcmp(c->groups[i], who))
			return true;
	return false;
}

static bool means(const struct allow_caller *c, const char *who)
{
	uint32_t uid;

	if (!strcmp(who, "*"))
		return true;
	if (*who == '@')
		return in_group(c, who + 1);
	if (is_number(who, &uid))
		return c->uid == uid;
	return c->name && !strcmp(c->name, who);
}

static bool is_who(const char *who, struct allow_error *err)
{
	const char *name = who + (*who == '@');
	uint32_t v;

	if (!*name || strpbrk(name, "=@:/,") || (strchr(name, '*') && strcmp(who, "*")))
		return refuse(err, "this is no user and no group",
			      "a line begins with a user, an @group, or * for all");
	if (is_all_digits(name) && !is_number(name, &v))
		return refuse(err, "this number is no user's and no group's", "see id(1)");
	return true;
}

/* @line: without its end; it is cut into words.  @found: this or an earlier one meant him */
static bool read_line(char *line, const struct allow_caller *caller, struct allow *a, bool *found,
		      struct allow_error *err)
{
	unsigned int seen = 0;
	struct allow mine;
	char *who, *word, *rest;

	line[strcspn(line, "#")] = '\0';
	who = strtok_r(line, BLANKS, &rest);
	if (!who)
		return true;
	if (!is_who(who, err))
		return false;
	allow_default(&mine);
	while ((word = strtok_r(NULL, BLANKS, &rest)))
		if (!take_word(&mine, word, &seen, err))
			return false;
	if (!seen)
		return refuse(err, "the line says nothing of what may be had",
			      "write for example: alice weight=300");
	if (!*found && means(caller, who)) {
		*a = mine;
		*found = true;
	}
	return true;
}

static bool is_plain(const char *line, size_t n, struct allow_error *err)
{
	for (size_t i = 0; i < n; i++)
		if (line[i] != '\t' && ((unsigned char)line[i] < ' ' || line[i] == 0x7f))
			return refuse(err, "a control character",
				      "lines end with a line feed, without a carriage return");
	if (n >= ALLOW_LINE_BYTES)
		return refuse(err, "a line that is too long", "it may have 1023 bytes");
	return true;
}

bool allow_read(const char *text, size_t len, const struct allow_caller *caller,
		struct allow *a, struct allow_error *err)
{
	char line[ALLOW_LINE_BYTES];
	bool found = false;

	*err = (struct allow_error){ 0 };
	allow_default(a);
	if (len > ALLOW_FILE_BYTES)
		return refuse(err, "the file is too long", "it may have 64 KiB");
	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t n = end ? (size_t)(end - text) : len;

		err->line++;
		if (!is_plain(text, n, err))
			return false;
		memcpy(line, text, n);
		line[n] = '\0';
		if (!read_line(line, caller, a, &found, err))
			return false;
		n += !!end;
		text += n;
		len -= n;
	}
	return true;
}

static bool __attribute__((format(printf, 2, 3))) deny(char why[ALLOW_WHY_BYTES],
							const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, ALLOW_WHY_BYTES, fmt, ap);
	va_end(ap);
	return false;
}

static bool check_weight(const struct allow *a, uint32_t weight, char why[ALLOW_WHY_BYTES])
{
	if (weight <= a->weight)
		return true;
	return deny(why, "a weight of %u: %u is the most you may have", weight, a->weight);
}

/*
 * C itself, for it may keep others from the GPU for that long at a stretch, and C/T.
 * Multiplied rather than divided: the times are below 2^37, 100 s.
 */
static bool check_reserve(const struct allow *a, const struct timegraph_set *t,
			  char why[ALLOW_WHY_BYTES])
{
	char most[2 * TEXT_BYTES];

	if (!a->capacity_ns)
		return deny(why, "you may have no reserve");
	if (t->capacity_ns <= a->capacity_ns &&
	    (unsigned __int128)t->capacity_ns * a->period_ns <=
	    (unsigned __int128)a->capacity_ns * t->period_ns)
		return true;
	return deny(why, "a reserve: %s is the most you may have, in C and in C/T",
		    text_reserve(most, a->capacity_ns, a->period_ns));
}

/*
 * It replaces what the specification says, which may be less.  Without a weight that stays,
 * and is the usual one where the specification has none.
 */
static bool check_fq(const struct allow *a, const struct timegraph_set *t,
		     char why[ALLOW_WHY_BYTES])
{
	uint32_t weight = t->fields & TIMEGRAPH_SET_WEIGHT ? t->weight : ALLOW_WEIGHT;

	if (!a->fq_weight)
		return deny(why, "you may not have the policy FQ, for the specification's");
	if (weight <= a->fq_weight)
		return true;
	return deny(why, "the policy FQ=%u: FQ=%u is the most you may have", weight,
		    a->fq_weight);
}

static bool check_task(const struct allow *a, const struct timegraph_set *t,
		       char why[ALLOW_WHY_BYTES])
{
	if (t->fields & TIMEGRAPH_SET_POLICY) {
		if (t->policy == TIMEGRAPH_POLICY_HT && !a->ht)
			return deny(why, "you may not have the policy HT");
		if (t->policy == TIMEGRAPH_POLICY_PRT && !a->ht && !a->prt)
			return deny(why, "you may not have the policy PRT");
		if (t->policy == TIMEGRAPH_POLICY_FQ && !check_fq(a, t, why))
			return false;
	}
	if (t->fields & TIMEGRAPH_SET_PRIO && t->prio > a->prio)
		return deny(why, "priority %u: %u is the highest you may have", t->prio, a->prio);
	return !(t->fields & TIMEGRAPH_SET_RESV) || check_reserve(a, t, why);
}

bool allow_check(const struct allow *a, const struct want *w, char why[ALLOW_WHY_BYTES])
{
	if (w->weight && !check_weight(a, w->weight, why))
		return false;
	if (w->target_ppm > a->target_ppm)
		return deny(why, "a target of %g %%: %g %% is the most you may have",
			    w->target_ppm / 1e4, a->target_ppm / 1e4);
	/* A quota takes from nobody but himself. */
	return check_task(a, &w->task, why);
}
