// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any words as a push buffer: a walk ends, finds sane headers, and finds the
 * same ones when the buffer is cut into pieces.
 */
#include "tap.h"
#include "tg_cmdstream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_WORDS 4096

struct walk {
	struct tg_cmd_header found[MAX_WORDS];
	u32 n;
};

static struct walk whole, cut;

static void feed(struct walk *w, struct tg_cmdstream *cs, const u32 *words, u32 n)
{
	/* An exact copy on the heap: reading past a piece is seen. */
	u32 *copy = malloc(n ? n * sizeof(*copy) : 1);
	struct tg_cmd_header h;
	u32 pos = 0, last = 0;

	if (n)
		memcpy(copy, words, n * sizeof(*copy));
	while (tg_cmdstream_next(cs, copy, n, &pos, &h)) {
		REQUIRE(pos > last && pos <= n);
		REQUIRE(h.method <= 0x3ffc && !(h.method & 3));
		REQUIRE(h.subchannel < 8 && h.count <= 0xffffff);
		w->found[w->n++] = h;
		last = pos;
	}
	REQUIRE(pos == n);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static u32 words[MAX_WORDS];
	struct tg_cmdstream a, b;
	u32 n, piece;

	if (size < 2)
		return 0;
	piece = 1 + data[1] % 32;
	n = (size - 2) / 4;
	if (n > MAX_WORDS)
		n = MAX_WORDS;
	memcpy(words, data + 2, n * 4);

	tg_cmdstream_init(&a, data[0] & 1 ? TG_CMDSTREAM_FERMI : TG_CMDSTREAM_TESLA);
	b = a;
	whole.n = 0;
	cut.n = 0;
	feed(&whole, &a, words, n);
	for (u32 i = 0; i < n; i += piece)
		feed(&cut, &b, words + i, n - i < piece ? n - i : piece);

	REQUIRE(whole.n == cut.n);
	REQUIRE(a.skip == b.skip && a.long_header == b.long_header);
	for (u32 i = 0; i < whole.n; i++)
		REQUIRE(whole.found[i].method == cut.found[i].method &&
			whole.found[i].subchannel == cut.found[i].subchannel &&
			whole.found[i].count == cut.found[i].count);
	return 0;
}
