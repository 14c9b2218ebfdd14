// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "random.h"
#include "random_spec.h"
#include "tg_port.h"

static const char *any(uint64_t *seed, const char *const *some, uint32_t n)
{
	return some[random_below(seed, n)];
}
#define ANY(seed, ...) \
	any(seed, (const char *const[]){ __VA_ARGS__ }, \
	    sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

static void blanks(uint64_t *seed, struct buf *out)
{
	buf_puts(out, ANY(seed, "", "", "", " ", "\t", "   "));
}

static void comment(uint64_t *seed, struct buf *out)
{
	buf_puts(out, ANY(seed, "#", "# plain", "#<a:HT:-:5::>", "#\t: > \" ## ",
			  "# caf\303\251 \377\001 end", "#   # twice  "));
}

static void colon(uint64_t *seed, struct buf *out)
{
	blanks(seed, out);
	buf_puts(out, ":");
	blanks(seed, out);
}

static void plain_name(uint64_t *seed, struct buf *out)
{
	static const char letters[] = "abcAB019-_.+\\%*";
	uint32_t n = 1 + random_below(seed, random_below(seed, 6) ? 9 : 60);

	switch (random_below(seed, 4)) {
	case 0:
		buf_puts(out, ANY(seed, "\"a b\"", "\" a\"", "\"a:b\"", "\"#\"", "\">\"", "\"a\\\"b\"",
				  "\"a\\\\\"", "\"a\\\":b\"", "\"\\a\"", "\"\303\244<\"", "\"plain\"", "\"a \"", "\"a@1\"", "\"cgroup:/a:b\"", "\"/a@b\""));
		return;
	case 1:
		buf_puts(out, ANY(seed, "two words", "a\\b", "/bin/sh", "/a b/c", "cgroup:/a/b c", "cgroup:/", "x\303\244", "mpv", "Xorg", "a  b"));
		return;
	}
	while (n--)
		buf_put(out, &letters[random_below(seed, sizeof(letters) - 1)], 1);
}

static void name(uint64_t *seed, struct buf *out)
{
	plain_name(seed, out);
	if (random_below(seed, 4))
		return;
	blanks(seed, out);
	buf_puts(out, ANY(seed, "@0", "@1000", "@4294967293"));
}

/* C:T, C <= T, in some units. */
static void times(uint64_t *seed, struct buf *out)
{
	static const struct {
		const char *c, *t;
	} some[] = {
		{ "2500", "25000" }, { "1ms", "1ms" }, { "1ns", "100s" }, { "10 ms", "40ms" },
		{ "0007us", "7\tus" }, { "1500us", "3s" }, { "999ns", "1us" }, { "1", "2" },
		{ "60000ms", "60s" }, { "123456789ns", "1s" },
		{ "2.5ms", "16.666667ms" }, { "0.5", "1.000us" },
	};
	uint32_t i = random_below(seed, ARRAY_SIZE(some));

	buf_puts(out, some[i].c);
	colon(seed, out);
	buf_puts(out, some[i].t);
}

/*
 * Shared reserves: the first entry gives the times, later ones may repeat them.
 */
static const struct {
	const char *name, *c, *t;
} groups[] = {
	{ "PE@v", "1ms", "9ms" }, { "AE@long-name_1", "50", "1000us" }, { "PE@\303\244", "3s", "3000ms" },
};

static void entry(uint64_t *seed, struct buf *out, bool *known)
{
	bool brackets = random_below(seed, 2);
	uint32_t g = random_below(seed, ARRAY_SIZE(groups)), kind = random_below(seed, 4);

	buf_puts(out, brackets ? "<" : "");
	blanks(seed, out);
	name(seed, out);
	colon(seed, out);
	buf_puts(out, ANY(seed, "PRT", "HT", "FQ", "FQ=20", "FIFO", "PRT lead=2.5ms",
			  "FQ=7\tlead=0", "HT lead=7 us", "FQ vram=12345", "PRT lead=1ms vram=2048M"));
	colon(seed, out);
	buf_puts(out, kind == 0 ? groups[g].name : kind == 1 ? ANY(seed, "PE", "AE") :
		 kind == 2 ? "-" : "BG");
	colon(seed, out);
	buf_puts(out, ANY(seed, "0", "00", "7", "07", "50", "99", "*", "cpu"));
	colon(seed, out);
	if (kind == 0 && (!known[g] || random_below(seed, 2))) {
		buf_puts(out, groups[g].c);
		colon(seed, out);
		buf_puts(out, groups[g].t);
		known[g] = true;
	} else if (kind == 1) {
		times(seed, out);
	} else {
		colon(seed, out);
	}
	blanks(seed, out);
	buf_puts(out, brackets ? ">" : "");
}

void random_spec(uint64_t *seed, struct buf *out)
{
	bool known[ARRAY_SIZE(groups)] = { false };
	uint32_t lines = random_below(seed, 20);

	buf_put(out, "", 0);
	while (lines--) {
		blanks(seed, out);
		if (random_below(seed, 3))
			entry(seed, out, known);
		blanks(seed, out);
		if (random_below(seed, 3) == 0)
			comment(seed, out);
		if (lines || random_below(seed, 2))
			buf_puts(out, "\n");
	}
}

void random_damage(uint64_t *seed, struct buf *text, uint32_t n)
{
	static const char likely[] = ":<>#\"\\@*-%0159 \t\r\n\0PRTHTPEAEBG";

	while (n-- && text->len) {
		size_t at = random_below(seed, text->len);
		char ch = random_below(seed, 3) ? likely[random_below(seed, sizeof(likely) - 1)] :
						  (char)random_below(seed, 256);

		switch (random_below(seed, 3)) {
		case 0:
			memmove(text->p + at, text->p + at + 1, text->len - at - 1);
			text->len--;
			break;
		case 1:
			buf_put(text, "", 1);
			memmove(text->p + at + 1, text->p + at, text->len - at - 1);
			text->p[at] = ch;
			break;
		case 2:
			text->p[at] = ch;
			break;
		}
	}
}
