// SPDX-License-Identifier: GPL-2.0-or-later
/* tgspec fmt and the rewriting of priorities, on specifications of any shape. */
#include <string.h>

#include "layout.h"
#include "random.h"
#include "random_spec.h"
#include "tap.h"

static void parse(struct spec *spec, const struct buf *text, struct diags *diags)
{
	memset(spec, 0, sizeof(*spec));
	spec->src.path = "x";
	buf_put(&spec->src.text, text->p, text->len);
	spec_parse(spec, diags);
}

struct layout_case {
	const char *description, *from, *to;
};

static const struct layout_case cases[] = {
	{ "nothing", "", "" },
	{ "empty lines", "\n\n \t\n", "" },
	{ "the paper's form", "<glxgears:PRT:PE:10:2500:25000>", "<glxgears:PRT:PE:10:2500us:25ms>\n" },
	{ "columns and comments",
	  "# top\n\n\n  # of a\na : HT:-:5::#x  \n<longer:PRT:PE@g:50:1000us:2s># y\r\n\n"
	  "\"q q\":PRT:PE@g:*::\n# end",
	  "# top\n\n# of a\n<a     :HT :-   : 5:   :  >  #x\n<longer:PRT:PE@g:50:1ms:2s>  # y\n\n"
	  "<q q:PRT:PE@g:*::>\n# end\n" },
	{ "quotes only where needed", "\"a\":HT:-:5::\n\"a:b\":HT:-:5::\n\"a\\\"\\\\\":HT:-:5::\n\"a\\b\":HT:-:5::\n",
	  "<a      :HT:-:5::>\n<\"a:b\"  :HT:-:5::>\n<\"a\\\"\\\\\":HT:-:5::>\n<a\\b    :HT:-:5::>\n" },
	{ "escapes before a colon", "\"a\\\":b\":HT:-:5::\n\"a\\\\\":HT:-:6::\n",
	  "<\"a\\\":b\":HT:-:5::>\n<a\\     :HT:-:6::>\n" },
	{ "width in characters", "\303\244:HT:-:5::\nab:HT:-:5::\n", "<\303\244 :HT:-:5::>\n<ab:HT:-:5::>\n" },
	{ "leading zero", "a:HT:-:05::", "<a:HT:-:5::>\n" },
	{ "video memory", "a:FQ=7  vram=1024K:-:5::\n\nb:PRT lead=1ms vram=1025:-:5::\n\nc:HT vram=262144G:-:5::\n",
	  "<a:FQ=7 vram=1M:-:5::>\n\n<b:PRT lead=1ms vram=1025:-:5::>\n\n<c:HT vram=262144G:-:5::>\n" },
	{ "a domain", "cgroup:/a:DOMAIN=10000 target=33.3333% vram=281474976710655:PE:-:1ms:2ms\n",
	  "<cgroup:/a:DOMAIN=10000 target=33.3333% vram=281474976710655:PE:-:1ms:2ms>\n" },
	{ "GPUs' policies", "gpu:0:POLICY=accc:-:-::\n\ngpu:*  : POLICY=mine :-:-::\n\n\"gpu:0\":HT:-:5::",
	  "<gpu:0:POLICY=accc:-:-::>\n\n<gpu:*:POLICY=mine:-:-::>\n\n<\"gpu:0\":HT:-:5::>\n" },
	{ "units", "a:PRT:PE:5:1ns:1000ns\nb:PRT:PE:5:1500:100000000\n",
	  "<a:PRT:PE:5:   1ns: 1us>\n<b:PRT:PE:5:1500us:100s>\n" },
};

static void examples_come_out_as_written_here(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buf text = { 0 }, out = { 0 };
		struct diags diags = { 0 };
		struct spec spec;

		buf_puts(&text, cases[i].from);
		parse(&spec, &text, &diags);
		CHECK(!diags.n);
		layout_spec(&spec, &out);
		if (!CHECK(buf_equal(&out, cases[i].to, strlen(cases[i].to))))
			tap_diag("  \"%s\":\n%s", cases[i].description, out.p);
		diags_free(&diags);
		spec_free(&spec);
		buf_free(&text);
		buf_free(&out);
	}
}

/*
 * All comments one after the other without the blanks at their ends, found by
 * another way than the parser's: the first # outside quotes.
 */
static void collect_comments(const struct buf *text, struct buf *out)
{
	size_t i = 0;

	buf_put(out, "", 0);
	while (i < text->len) {
		bool quoted = false, seen = false;
		size_t end;

		for (; i < text->len && text->p[i] != '\n'; i++) {
			char ch = text->p[i];

			if (ch == '#' && !quoted)
				break;
			/* Only a name in quotes may have quotes. */
			if (ch == '"' && (quoted || !seen))
				quoted = !quoted;
			else if (quoted && ch == '\\' && (text->p[i + 1] == '"' || text->p[i + 1] == '\\'))
				i++;
			seen |= !strchr(" \t\r<", ch);
		}
		for (end = i; end < text->len && text->p[end] != '\n'; end++)
			;
		while (end > i && strchr(" \t\r", text->p[end - 1]))
			end--;
		buf_put(out, text->p + i, end - i);
		buf_puts(out, end > i ? "\n" : "");
		while (i < text->len && text->p[i++] != '\n')
			;
	}
}

static bool round_is_good(const struct buf *text)
{
	struct buf once = { 0 }, twice = { 0 }, before = { 0 }, after = { 0 };
	struct diags diags = { 0 };
	struct spec a, b;
	bool ok;

	parse(&a, text, &diags);
	if (diags.n) {
		diags_free(&diags);
		spec_free(&a);
		return true;
	}
	layout_spec(&a, &once);
	parse(&b, &once, &diags);
	ok = CHECK(!diags.n) && CHECK(layout_same_meaning(&a, &b));
	if (ok) {
		layout_spec(&b, &twice);
		collect_comments(text, &before);
		collect_comments(&once, &after);
		ok = CHECK(buf_equal(&twice, once.p, once.len)) &&
		     CHECK(buf_equal(&after, before.p, before.len));
	}
	if (!ok)
		tap_diag("%s\nbecomes\n%s", text->p, once.p);
	diags_free(&diags);
	spec_free(&a);
	spec_free(&b);
	buf_free(&once);
	buf_free(&twice);
	buf_free(&before);
	buf_free(&after);
	return ok;
}

static void layout_keeps_meaning_and_comments_and_is_final(void)
{
	u64 seed = 0xf0a7;
	u64 bytes = 0;

	for (u32 round = 0; round < 20000; round++) {
		struct buf text = { 0 };
		bool ok;

		random_spec(&seed, &text);
		bytes += text.len;
		ok = round_is_good(&text);
		buf_free(&text);
		if (!ok)
			return;
	}
	tap_diag("%llu bytes", (unsigned long long)bytes);
	CHECK(bytes > 1000000);
}

static void damaged_files_that_are_still_valid_too(void)
{
	u64 seed = 0xdada;

	for (u32 round = 0; round < 20000; round++) {
		struct buf text = { 0 };
		bool ok;

		random_spec(&seed, &text);
		random_damage(&seed, &text, 1 + random_below(&seed, 3));
		ok = round_is_good(&text);
		buf_free(&text);
		if (!ok)
			return;
	}
}

/* Parse each field alone again, at the place where it is said to stand. */
static void places_hold_the_fields(void)
{
	u64 seed = 0x91ace;
	u32 entries = 0;

	for (u32 round = 0; round < 5000; round++) {
		struct buf text = { 0 };
		struct diags diags = { 0 };
		struct spec spec;

		random_spec(&seed, &text);
		parse(&spec, &text, &diags);
		if (!CHECK(!diags.n))
			tap_diag("%s", text.p);
		for (u32 i = 0; i < spec.n; i++) {
			const struct spec_place *pl = &spec.place[i];
			struct tg_spec_entry e;
			struct tg_spec_error err;
			struct buf line = { 0 };

			for (int f = 0; f < SPEC_FIELDS; f++) {
				buf_puts(&line, f ? ":" : "");
				buf_put(&line, text.p + pl->at[f], pl->len[f]);
			}
			entries++;
			/* A group's later entry is not complete alone. */
			if (spec.entry[i].group[0] && !pl->len[SPEC_PERIOD])
				CHECK(tg_spec_parse(line.p, line.len, &e, 1, &err) < 0);
			else if (!CHECK(tg_spec_parse(line.p, line.len, &e, 1, &err) == 1) ||
				 !CHECK(!strcmp(e.name, spec.entry[i].name) &&
					e.sched == spec.entry[i].sched &&
					e.resv == spec.entry[i].resv &&
					e.prio == spec.entry[i].prio &&
					e.period_ns == spec.entry[i].period_ns &&
					!strcmp(e.group, spec.entry[i].group)))
				tap_diag("%s", line.p);
			buf_free(&line);
		}
		diags_free(&diags);
		spec_free(&spec);
		buf_free(&text);
	}
	CHECK(entries > 10000);
}

int main(void)
{
	static const struct tap_case tests[] = {
#define CASE(f) { #f, f }
		CASE(examples_come_out_as_written_here),
		CASE(places_hold_the_fields),
		CASE(layout_keeps_meaning_and_comments_and_is_final),
		CASE(damaged_files_that_are_still_valid_too),
#undef CASE
	};

	return tap_run(tests, ARRAY_SIZE(tests));
}
