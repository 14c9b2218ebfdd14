// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tg_cmdstream: streams are built here from lists of commands, and the walk
 * must find exactly those, wherever the stream is cut.
 */
#include "random.h"
#include "tap.h"
#include "tg_cmdstream.h"
#include "cmdstream_scan.h"

#define MAX_WORDS	65536
#define MAX_COMMANDS	4096

enum kind {
	TESLA_INCR,
	TESLA_NON_INCR,
	TESLA_LONG,
	TESLA_GARBAGE,
	FERMI_INCR,
	FERMI_NON_INCR,
	FERMI_INCR_ONCE,
	FERMI_IMMEDIATE,
	FERMI_OLD_INCR,
	FERMI_OLD_NON_INCR,
	FERMI_GARBAGE,
};

struct command {
	enum kind kind;
	u32 subchannel;
	u32 method;
	u32 count;	/* of garbage: the word itself */
};

struct stream {
	enum tg_cmdstream_format format;
	u32 words[MAX_WORDS];
	u32 n;
	struct tg_cmd_header want[MAX_COMMANDS], got[MAX_COMMANDS];
	u32 nr_want, nr_got;
};

static struct stream stream;

static void put_data(struct stream *s, u32 n, u64 *seed)
{
	/* Data looks like headers, or like noise. */
	while (n--)
		s->words[s->n++] = random_below(seed, 2) ? 0x00040100 :
							   (u32)random_next(seed);
}

/* The layouts are those of nouveau's nvif/push006c.h and push906f.h. */
static void put(struct stream *s, const struct command *c, u64 *seed)
{
	u32 tesla = c->subchannel << 13 | c->method;
	u32 fermi = c->subchannel << 13 | c->method >> 2;
	bool header = true, data = true;

	switch (c->kind) {
	case TESLA_INCR:
		s->words[s->n++] = c->count << 18 | tesla;
		break;
	case TESLA_NON_INCR:
		s->words[s->n++] = 0x40000000 | c->count << 18 | tesla;
		break;
	case TESLA_LONG:
		s->words[s->n++] = 0x00030000 | tesla;
		s->words[s->n++] = c->count;
		break;
	case FERMI_INCR:
		s->words[s->n++] = 0x20000000 | c->count << 16 | fermi;
		break;
	case FERMI_NON_INCR:
		s->words[s->n++] = 0x60000000 | c->count << 16 | fermi;
		break;
	case FERMI_INCR_ONCE:
		s->words[s->n++] = 0xa0000000 | c->count << 16 | fermi;
		break;
	case FERMI_IMMEDIATE:
		s->words[s->n++] = 0x80000000 | c->count << 16 | fermi;
		data = false;
		break;
	case FERMI_OLD_INCR:
		s->words[s->n++] = c->count << 18 | tesla;
		break;
	case FERMI_OLD_NON_INCR:
		s->words[s->n++] = 0x40000000 | c->count << 18 | tesla;
		break;
	case TESLA_GARBAGE:
	case FERMI_GARBAGE:
		s->words[s->n++] = c->count;
		header = data = false;
		break;
	}
	if (header)
		s->want[s->nr_want++] = (struct tg_cmd_header){
			.method = c->method,
			.subchannel = c->subchannel,
			.count = data ? c->count : 0,
		};
	if (data)
		put_data(s, c->count, seed);
}

static void start(struct stream *s, enum tg_cmdstream_format format)
{
	s->format = format;
	s->n = 0;
	s->nr_want = 0;
}

static void feed(struct stream *s, struct tg_cmdstream *cs, u32 from, u32 n)
{
	/* On the heap, so that reading past the piece is seen. */
	u32 *piece = malloc(n ? n * sizeof(*piece) : 1);
	struct tg_cmd_header h;
	u32 pos = 0;

	memcpy(piece, s->words + from, n * sizeof(*piece));
	while (tg_cmdstream_next(cs, piece, n, &pos, &h))
		s->got[s->nr_got++] = h;
	CHECK(pos == n);
	free(piece);
}

static bool found_what_was_put(const struct stream *s, const struct tg_cmdstream *cs)
{
	bool ok = CHECK(s->nr_got == s->nr_want);

	for (u32 i = 0; ok && i < s->nr_want; i++)
		ok = CHECK(s->got[i].method == s->want[i].method) &&
		     CHECK(s->got[i].subchannel == s->want[i].subchannel) &&
		     CHECK(s->got[i].count == s->want[i].count);
	return ok;
}

/* Walk the whole, then cut in two at every position, then word by word. */
static void check_stream(struct stream *s)
{
	struct tg_cmdstream cs;

	for (u32 cut = 0; cut <= s->n; cut++) {
		tg_cmdstream_init(&cs, s->format);
		s->nr_got = 0;
		feed(s, &cs, 0, cut);
		feed(s, &cs, cut, s->n - cut);
		if (!found_what_was_put(s, &cs)) {
			tap_diag("  cut at word %u of %u", cut, s->n);
			return;
		}
	}
	tg_cmdstream_init(&cs, s->format);
	s->nr_got = 0;
	for (u32 i = 0; i < s->n; i++)
		feed(s, &cs, i, 1);
	found_what_was_put(s, &cs);
}

static void check_commands(enum tg_cmdstream_format format, const struct command *c,
			   u32 n)
{
	u64 seed = 7;

	start(&stream, format);
	for (u32 i = 0; i < n; i++)
		put(&stream, &c[i], &seed);
	check_stream(&stream);
}

static void tesla_headers_are_read(void)
{
	static const struct command c[] = {
		{ TESLA_INCR, 0, TG_METHOD_SET_OBJECT, 1 },
		{ TESLA_INCR, 3, 0x0100, 1 },
		{ TESLA_INCR, 7, 0x1ffc, 2047 },
		{ TESLA_NON_INCR, 3, 0x1530, 5 },
		{ TESLA_NON_INCR, 0, 0x0004, 2047 },
		{ TESLA_INCR, 5, 0x0104, 0 },
		{ TESLA_INCR, 1, 0x15e0, 2 },
	};

	check_commands(TG_CMDSTREAM_TESLA, c, ARRAY_SIZE(c));
}

static void fermi_headers_are_read(void)
{
	static const struct command c[] = {
		{ FERMI_INCR, 0, TG_METHOD_SET_OBJECT, 1 },
		{ FERMI_INCR, 7, 0x3ffc, 0x1fff },
		{ FERMI_NON_INCR, 3, 0x1530, 5 },
		{ FERMI_INCR_ONCE, 2, 0x2384, 3 },
		{ FERMI_INCR, 5, 0x0104, 0 },
		{ FERMI_NON_INCR, 0, 0x0004, 1 },
	};

	check_commands(TG_CMDSTREAM_FERMI, c, ARRAY_SIZE(c));
}

static void a_long_command_has_its_length_behind_it(void)
{
	static const struct command c[] = {
		{ TESLA_INCR, 3, 0x0100, 1 },
		{ TESLA_LONG, 2, 0x0860, 3 },
		{ TESLA_LONG, 7, 0x1ffc, 0 },
		{ TESLA_LONG, 0, 0x0000, 3000 },
		{ TESLA_INCR, 4, 0x0200, 2 },
	};

	check_commands(TG_CMDSTREAM_TESLA, c, ARRAY_SIZE(c));
}

static void a_long_length_has_24_bits(void)
{
	static const u32 words[] = { 0x00030000 | 2 << 13 | 0x860, 0xff000001, 0x00040100,
				     0x00040104, 0 };
	struct tg_cmdstream cs;
	struct tg_cmd_header h;
	u32 pos = 0;

	tg_cmdstream_init(&cs, TG_CMDSTREAM_TESLA);
	CHECK(tg_cmdstream_next(&cs, words, 5, &pos, &h) && pos == 2);
	CHECK(h.method == 0x860 && h.subchannel == 2 && h.count == 1);
	CHECK(tg_cmdstream_next(&cs, words, 5, &pos, &h) && pos == 4);
	CHECK(h.method == 0x104 && h.count == 1);
	CHECK(!tg_cmdstream_next(&cs, words, 5, &pos, &h) && pos == 5);
}

static void data_beyond_the_buffer_is_awaited(void)
{
	static const u32 header[] = { 0x00030860, 0x00ffffff };
	static const u32 data[1000];
	struct tg_cmdstream cs;
	struct tg_cmd_header h;
	u32 pos = 0, left = 0x00ffffff;

	tg_cmdstream_init(&cs, TG_CMDSTREAM_TESLA);
	CHECK(tg_cmdstream_next(&cs, header, 2, &pos, &h) && h.count == left);
	while (left > 1000) {
		pos = 0;
		CHECK(!tg_cmdstream_next(&cs, data, 1000, &pos, &h) && pos == 1000);
		left -= 1000;
		CHECK(cs.skip == left);
	}
}

static void an_immediate_has_no_data_words(void)
{
	static const struct command c[] = {
		{ FERMI_IMMEDIATE, 0, 0x0110, 0 },
		{ FERMI_IMMEDIATE, 7, 0x3ffc, 0x1fff },
		{ FERMI_INCR, 1, 0x0200, 2 },
		{ FERMI_IMMEDIATE, 1, 0x0204, 1 },
		{ FERMI_INCR, 1, 0x0200, 1 },
	};

	check_commands(TG_CMDSTREAM_FERMI, c, ARRAY_SIZE(c));
}

/* NV4 jump, call, return, SLI conditional, reserved bits; and no-ops. */
static const u32 tesla_garbage[] = {
	0x20000000, 0x2004100c, 0x00000001, 0x00000002, 0x00020000, 0x00010000,
	0x80000000, 0xe0040100, 0xffffffff, 0x60040100, 0x00040101, 0x40040102,
	0x00070100, 0x00030001, 0x00000000,
};

/* Opcodes 6 and 7, and 0 and 2 with an operation that has no data. */
static const u32 fermi_garbage[] = {
	0x00000000, 0x00010100, 0x1fffffff, 0x40030000, 0x4001a0c4, 0x5fffffff,
	0xc0000000, 0xdfffffff, 0xe0000000, 0xffffffff,
};

static void words_that_are_no_header_are_passed_over(void)
{
	u64 seed = 9;

	start(&stream, TG_CMDSTREAM_TESLA);
	for (u32 i = 0; i < ARRAY_SIZE(tesla_garbage); i++) {
		put(&stream, &(struct command){ TESLA_GARBAGE, 0, 0, tesla_garbage[i] }, &seed);
		put(&stream, &(struct command){ TESLA_INCR, i % 8, 4 * i, 2 }, &seed);
	}
	check_stream(&stream);

	start(&stream, TG_CMDSTREAM_FERMI);
	for (u32 i = 0; i < ARRAY_SIZE(fermi_garbage); i++) {
		put(&stream, &(struct command){ FERMI_GARBAGE, 0, 0, fermi_garbage[i] }, &seed);
		put(&stream, &(struct command){ FERMI_INCR, i % 8, 4 * i, 2 }, &seed);
	}
	check_stream(&stream);
}

static void an_empty_buffer_has_no_header(void)
{
	struct tg_cmdstream cs;
	struct tg_cmd_header h;
	u32 pos = 0;

	tg_cmdstream_init(&cs, TG_CMDSTREAM_TESLA);
	CHECK(!tg_cmdstream_next(&cs, NULL, 0, &pos, &h) && pos == 0);
}

static struct command random_command(enum tg_cmdstream_format format, u64 *seed)
{
	struct command c = {
		.subchannel = random_below(seed, 8),
		.count = random_below(seed, random_below(seed, 20) ? 12 : 2048),
	};

	if (format == TG_CMDSTREAM_TESLA) {
		c.kind = TESLA_INCR + random_below(seed, 4);
		c.method = 4 * random_below(seed, 0x800);
		/* A header that is all zero is a no-op. */
		if (c.kind == TESLA_INCR && !c.count)
			c.count = 1;
		if (c.kind == TESLA_GARBAGE)
			c.count = tesla_garbage[random_below(seed, ARRAY_SIZE(tesla_garbage))];
	} else {
		c.kind = FERMI_INCR + random_below(seed, 7);
		c.method = 4 * random_below(seed, 0x1000);
		if (c.kind == FERMI_OLD_INCR || c.kind == FERMI_OLD_NON_INCR) {
			c.method &= 0x1ffc;
			c.count = 1 + c.count % 0x7ff;
		}
		if (c.kind == FERMI_GARBAGE)
			c.count = fermi_garbage[random_below(seed, ARRAY_SIZE(fermi_garbage))];
	}
	return c;
}

static void random_streams_agree_with_their_commands(void)
{
	u64 seed = 0x5eed, commands = 0;

	for (u32 round = 0; round < 3000 && !tap_bad_checks; round++) {
		struct tg_cmdstream cs;
		u32 n = 1 + random_below(&seed, 30);

		start(&stream, round & 1 ? TG_CMDSTREAM_FERMI : TG_CMDSTREAM_TESLA);
		for (u32 i = 0; i < n; i++) {
			struct command c = random_command(stream.format, &seed);

			put(&stream, &c, &seed);
		}
		commands += stream.nr_want;
		tg_cmdstream_init(&cs, stream.format);
		stream.nr_got = 0;
		for (u32 at = 0; at < stream.n;) {
			u32 piece = random_below(&seed, 40);

			if (piece > stream.n - at)
				piece = stream.n - at;
			feed(&stream, &cs, at, piece);
			at += piece;
		}
		if (!found_what_was_put(&stream, &cs))
			tap_diag("  round %u, %u commands", round, n);
	}
	tap_diag("%llu commands", (unsigned long long)commands);
	CHECK(commands > 10000);
}

int main(void)
{
	static const struct tap_case cases[] = {
#define CASE(f) { #f, f }
		CASE(tesla_headers_are_read),
		CASE(fermi_headers_are_read),
		CASE(a_long_command_has_its_length_behind_it),
		CASE(a_long_length_has_24_bits),
		CASE(data_beyond_the_buffer_is_awaited),
		CASE(an_immediate_has_no_data_words),
		CASE(words_that_are_no_header_are_passed_over),
		CASE(an_empty_buffer_has_no_header),
		CASE(random_streams_agree_with_their_commands),
		CASE(a_scan_finds_what_a_naive_walk_finds),
		CASE(cuts_do_not_change_a_scan),
		CASE(headers_off_the_fast_path_are_counted),
		CASE(arbitrary_words_are_scanned),
		CASE(the_order_of_commands_does_not_count),
		CASE(any_other_command_changes_the_hash),
		CASE(single_commands_differ_in_their_hash),
		CASE(bound_objects_count),
		CASE(words_that_are_not_profiled_are_learnt_from),
		CASE(a_notify_is_noticed),
		CASE(notifiers_are_followed),
		CASE(a_group_begins_at_nothing),
#undef CASE
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
