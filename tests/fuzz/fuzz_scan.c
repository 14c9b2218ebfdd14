// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any words, cut anywhere, as a command group: a scan reads nothing behind its
 * buffer, finds the same however it is cut, and notices what
 * tg_cmdstream_next() finds.
 */
#include <sys/mman.h>

#include "tap.h"
#include "tg_cmdstream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MAX_WORDS 1024
#define PAGE 4096

/* Words that end where a page ends that nobody may touch the next of. */
static const u32 *at_end_of_page(const void *words, u32 n)
{
	static u8 *page;
	u8 *to;

	if (!page) {
		page = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (page == MAP_FAILED || mprotect(page + PAGE, PAGE, PROT_NONE))
			abort();
	}
	to = page + PAGE - 4 * n;
	if (n)
		memcpy(to, words, 4 * n);
	return (const u32 *)to;
}

static void check_against_next(const struct tg_cmdstream *before,
			       const struct tg_cmdstream *after, const u8 *words, u32 n)
{
	struct tg_cmdstream cs = *before;
	struct tg_cmd_header h;
	u8 bound = before->bound;
	bool notify = before->notify;
	u32 pos = 0;

	words = (const u8 *)at_end_of_page(words, n);
	while (tg_cmdstream_next(&cs, (const u32 *)words, n, &pos, &h)) {
		notify |= h.method == TG_METHOD_NOTIFY ||
			  (h.method < TG_METHOD_NOTIFY &&
			   h.method + 4ULL * h.count > TG_METHOD_NOTIFY);
		if (h.method == TG_METHOD_SET_OBJECT && h.count)
			bound |= 1 << h.subchannel;
	}
	REQUIRE(cs.skip == after->skip && cs.long_header == after->long_header);
	REQUIRE(notify == after->notify && bound == after->bound);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tg_cmdstream whole, cut, unprofiled;
	u32 n, cuts;

	if (size < 18)
		return 0;
	/* A flag, and sixteen lengths of pieces that repeat. */
	n = (size - 17) / 4;
	if (n > MAX_WORDS)
		n = MAX_WORDS;
	tg_cmdstream_init(&whole, data[0] & 1 ? TG_CMDSTREAM_FERMI : TG_CMDSTREAM_TESLA);
	tg_cmdstream_begin(&whole);
	cut = whole;
	unprofiled = whole;

	tg_cmdstream_scan(&whole, at_end_of_page(data + 17, n), n, true);
	tg_cmdstream_scan(&unprofiled, at_end_of_page(data + 17, n), n, false);
	cuts = 0;
	for (u32 at = 0; at < n;) {
		u32 piece = data[1 + cuts++ % 16] % 64;
		struct tg_cmdstream before = cut;

		if (!piece && cuts % 16 == 0)
			piece = 1;
		if (piece > n - at)
			piece = n - at;
		tg_cmdstream_scan(&cut, at_end_of_page(data + 17 + 4 * at, piece), piece,
				  true);
		check_against_next(&before, &cut, data + 17 + 4 * at, piece);
		at += piece;
	}
	/* Which way a header takes depends on the cuts. */
	cut.nr_slow = whole.nr_slow;
	REQUIRE(!memcmp(&whole, &cut, sizeof(whole)));
	REQUIRE(tg_cmdstream_hash(&whole) == tg_cmdstream_hash(&cut));
	REQUIRE(!unprofiled.sum);
	unprofiled.sum = whole.sum;
	REQUIRE(!memcmp(&whole, &unprofiled, sizeof(whole)));
	/* Whatever it was left in, the next group is scanned. */
	tg_cmdstream_begin(&whole);
	tg_cmdstream_scan(&whole, at_end_of_page(data + 17, n), n, true);
	return 0;
}
