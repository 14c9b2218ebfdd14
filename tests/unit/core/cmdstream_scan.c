// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tg_cmdstream_scan() beside a walk that takes a word after the other and writes
 * down every command.
 */
#include "random.h"
#include "tap.h"
#include "tg_cmdstream.h"
#include "cmdstream_scan.h"

#define MAX_WORDS 3000

/* What a group consists of: the multiset, sorted, and what is bound. */
struct key {
	u32 n;
	u64 command[MAX_WORDS];
	u32 object[TG_NR_SUBCHANNELS];
};

struct walker {
	bool fermi;
	u32 data;		/* words to come */
	u32 at;			/* the method that the next of them goes to */
	bool first;		/* the next of them is the first */
	bool length_next;
	u32 method, subchannel;
	bool binds;
	u8 bound;
	bool notify;
	bool same;		/* the command may write one method again and again */
	u32 given[MAX_WORDS];	/* notifiers, whoever they were given to */
	u32 to[MAX_WORDS];	/* to whom: the objects, as they were bound */
	u32 nr_given, nr_bound, object[TG_NR_SUBCHANNELS];
	u32 last;
	bool several;
	struct key key;
};

static struct walker walker;

static void walker_init(struct walker *w, bool fermi)
{
	memset(w, 0, sizeof(*w));
	w->fermi = fermi;
}

static void command(struct walker *w, u32 method, u32 subchannel, u32 count, bool datum)
{
	/* A command of nothing to nothing is no command. */
	if (method || subchannel || count)
		w->key.command[w->key.n++] = (u64)count << 20 | subchannel << 16 | method;
	w->data = count;
	w->at = method;
	w->first = true;
	w->subchannel = subchannel;
	w->binds = method == TG_METHOD_SET_OBJECT && count;
	if (w->binds)
		w->bound |= 1 << subchannel;
	for (u32 i = 0; i < count; i++) {
		w->notify |= method + 4ULL * i == TG_METHOD_NOTIFY;
		if (method + 4ULL * i == TG_METHOD_DMA_NOTIFY && w->same && count > 1) {
			w->several = true;
			w->at = ~0U / 2;
		}
	}
	w->notify |= datum && method == TG_METHOD_NOTIFY;
}

/* Each object that has been given a handle has the same one. */
static void notifier(struct walker *w, u32 handle)
{
	u32 to = w->object[w->subchannel] * TG_NR_SUBCHANNELS + w->subchannel, i;

	w->last = handle;
	for (i = 0; i < w->nr_given && w->to[i] != to; i++)
		;
	w->to[i] = to;
	w->given[i] = handle;
	w->nr_given += i == w->nr_given;
	for (i = 0; i < w->nr_given; i++)
		w->several |= w->given[i] != handle;
}

/* Layouts: nouveau's nvif/push006c.h and push906f.h. */
static void walk_word(struct walker *w, u32 word)
{
	u32 field = word >> 18 & 0x7ff, method = word & 0x1ffc;

	if (w->length_next) {
		w->length_next = false;
		w->same = false;
		command(w, w->method, w->subchannel, word & 0xffffff, false);
	} else if (w->data) {
		w->data--;
		if (w->at == TG_METHOD_DMA_NOTIFY)
			notifier(w, word);
		w->at += 4;
		/* Bound anew, it is another, if it is not what is bound. */
		if (w->first && w->binds && w->key.object[w->subchannel] != word)
			w->object[w->subchannel] = ++w->nr_bound;
		if (w->first && w->binds)
			w->key.object[w->subchannel] = word;
		w->first = false;
	} else if (!w->fermi) {
		w->method = method;
		w->same = word >> 30 & 1;
		w->subchannel = word >> 13 & 7;
		if ((word & 0xffff0003) == 0x00030000)
			w->length_next = true;
		else if (word && !(word & 0xa0030003))
			command(w, method, w->subchannel, field, !field);
	} else {
		u32 opcode = word >> 29, count = word >> 16 & 0x1fff;

		w->same = opcode != 1;
		w->subchannel = word >> 13 & 7;
		if (opcode == 1 || opcode == 3 || opcode == 5)
			command(w, (word & 0xfff) * 4, w->subchannel, count, !count);
		else if (opcode == 4)
			command(w, (word & 0xfff) * 4, w->subchannel, 0, true);
		else if (word && (opcode == 0 || opcode == 2) && !(word >> 16 & 3))
			command(w, method, w->subchannel, field, !field);
	}
}

static int by_value(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

static void walk(struct walker *w, const u32 *words, u32 n)
{
	for (u32 i = 0; i < n; i++)
		walk_word(w, words[i]);
	qsort(w->key.command, w->key.n, sizeof(u64), by_value);
}

static bool keys_equal(const struct key *a, const struct key *b)
{
	return a->n == b->n && !memcmp(a->command, b->command, a->n * sizeof(u64)) &&
	       !memcmp(a->object, b->object, sizeof(a->object));
}

/* An exact copy on the heap, so that reading past the piece is seen. */
static void scan(struct tg_cmdstream *cs, const u32 *words, u32 n, bool profile)
{
	u32 *piece = malloc(n ? n * sizeof(*piece) : 1);

	if (n)
		memcpy(piece, words, n * sizeof(*piece));
	tg_cmdstream_scan(cs, piece, n, profile);
	free(piece);
}

static struct tg_cmdstream scanned(bool fermi, const u32 *words, u32 n)
{
	struct tg_cmdstream cs;

	tg_cmdstream_init(&cs, fermi ? TG_CMDSTREAM_FERMI : TG_CMDSTREAM_TESLA);
	tg_cmdstream_begin(&cs);
	scan(&cs, words, n, true);
	return cs;
}

/* All but the sum can be told from the walk. */
static bool same_state(const struct tg_cmdstream *cs, const struct walker *w)
{
	bool ok = CHECK(cs->skip == w->data) &&
		  CHECK(!!cs->long_header == w->length_next) &&
		  CHECK(cs->bound == w->bound) && CHECK(cs->notify == w->notify) &&
		  CHECK(cs->notifier == w->last) && CHECK(cs->several == w->several);

	return CHECK(!memcmp(cs->object, w->key.object, sizeof(cs->object))) && ok;
}

/* The sum of the walk's commands, given to the scan as a stream in order. */
static u64 hash_of_key(bool fermi, const struct key *k)
{
	static u32 words[2];
	struct tg_cmdstream cs;

	tg_cmdstream_init(&cs, fermi ? TG_CMDSTREAM_FERMI : TG_CMDSTREAM_TESLA);
	tg_cmdstream_begin(&cs);
	for (u32 i = 0; i < k->n; i++) {
		u32 method = k->command[i] & 0xffff, subchannel = k->command[i] >> 16 & 15;
		u32 count = k->command[i] >> 20;

		/* The header alone; its data is not awaited. */
		if (fermi) {
			words[0] = 0x60000000 | count << 16 | subchannel << 13 | method >> 2;
			scan(&cs, words, 1, true);
		} else {
			words[0] = 0x00030000 | subchannel << 13 | method;
			words[1] = count;
			scan(&cs, words, 2, true);
		}
		cs.skip = 0;
		cs.binding = false;
		cs.to_notifier = 0;
	}
	memcpy(cs.object, k->object, sizeof(cs.object));
	return tg_cmdstream_hash(&cs);
}

/* A command of @fermi or Tesla, of any kind; its length in words. */
static u32 put(u32 *to, bool fermi, u64 *seed, u32 room)
{
	u32 method = 4 * random_below(seed, random_below(seed, 4) ? 0x800 : 0x60);
	u32 subchannel = random_below(seed, 8) << 13, n = 1;
	u32 count = random_below(seed, random_below(seed, 30) ? 9 : 0x7ff);

	if (!random_below(seed, 12)) {
		method = 0;
		count = 1 + random_below(seed, 2);
	}
	if (count + 2 > room)
		count = 0;
	if (!fermi) {
		u32 kind = random_below(seed, 12);

		to[0] = count << 18 | subchannel | method;
		if (kind == 0)
			to[0] |= 0x40000000;
		if (kind == 1) {
			to[0] = 0x00030000 | subchannel | method;
			to[n++] = count | random_below(seed, 2) << 24;
		}
		if (kind == 2) {
			to[0] = (u32)random_next(seed) | 1;
			count = 0;
		}
	} else {
		static const u32 opcodes[] = { 1, 1, 1, 3, 5 };
		u32 wide = method + (random_below(seed, 2) ? 0x2000 : 0);
		u32 kind = random_below(seed, 9);

		to[0] = opcodes[random_below(seed, 5)] << 29 | count << 16 | subchannel |
			wide >> 2;
		if (kind == 0) {
			to[0] = 4U << 29 | random_below(seed, 0x2000) << 16 | subchannel |
				wide >> 2;
			count = 0;
		}
		if (kind == 1)
			to[0] = (random_below(seed, 2) ? 0 : 2U << 29) | count << 18 |
				subchannel | method;
	}
	/* Data is like headers, few values, or noise. */
	for (u32 i = 0; i < count; i++)
		to[n++] = random_below(seed, 3) ? random_below(seed, 4) << 18 | 0x100 :
						  (u32)random_next(seed);
	return n;
}

static u32 random_stream(u32 *words, bool fermi, u64 *seed)
{
	u32 commands = 1 + random_below(seed, 40), n = 0;

	while (commands-- && n + 8 < MAX_WORDS)
		n += put(words + n, fermi, seed, MAX_WORDS - 8 - n);
	return n;
}

void a_scan_finds_what_a_naive_walk_finds(void)
{
	static u32 words[MAX_WORDS];
	u64 seed = 0x5ca, commands = 0;

	for (u32 round = 0; round < 20000 && !tap_bad_checks; round++) {
		bool fermi = round & 1;
		/* Also a stream that ends in the middle. */
		u32 n = random_stream(words, fermi, &seed), m = random_below(&seed, n + 1);
		struct tg_cmdstream cs;

		n = random_below(&seed, 2) ? n : m;
		walker_init(&walker, fermi);
		walk(&walker, words, n);
		cs = scanned(fermi, words, n);
		commands += walker.key.n;
		if (!same_state(&cs, &walker) ||
		    !CHECK(tg_cmdstream_hash(&cs) == hash_of_key(fermi, &walker.key)))
			tap_diag("  round %u, %u words", round, n);
	}
	tap_diag("%llu commands", (unsigned long long)commands);
	CHECK(commands > 100000);
}

/* But for the headers that were slow: which way one takes depends on the cuts. */
static bool alike(const struct tg_cmdstream *a, const struct tg_cmdstream *b)
{
	return a->format == b->format && a->skip == b->skip && a->long_header == b->long_header &&
	       a->binding == b->binding && a->bind_to == b->bind_to && a->bound == b->bound &&
	       a->notify == b->notify && a->notify_subc == b->notify_subc &&
	       a->to_notifier == b->to_notifier && a->notifier == b->notifier &&
	       a->notified == b->notified && a->several == b->several &&
	       !memcmp(a->object, b->object, sizeof(a->object)) && a->sum == b->sum;
}

void cuts_do_not_change_a_scan(void)
{
	static u32 words[MAX_WORDS];
	u64 seed = 0xc07;

	for (u32 round = 0; round < 200 && !tap_bad_checks; round++) {
		bool fermi = round & 1;
		u32 n = random_stream(words, fermi, &seed);
		struct tg_cmdstream whole, cut;

		n = n > 400 ? 400 : n;
		whole = scanned(fermi, words, n);
		for (u32 at = 0; at <= n; at++) {
			cut = scanned(fermi, words, at);
			scan(&cut, words + at, n - at, true);
			if (!CHECK(alike(&cut, &whole))) {
				tap_diag("  cut at %u of %u", at, n);
				return;
			}
		}
		for (u32 piece = 1; piece <= 3; piece++) {
			cut = scanned(fermi, words, 0);
			for (u32 at = 0; at < n; at += piece)
				scan(&cut, words + at, n - at < piece ? n - at : piece, true);
			CHECK(alike(&cut, &whole));
		}
	}
}

void headers_off_the_fast_path_are_counted(void)
{
	static const u32 words[] = {
		1 << 18 | 0x200, 1, 1 << 18 | 0x104, 1, 2 << 18 | 0x300, 1, 2,
		0x40000000 | 1 << 18 | 0x400, 1, 1 << 18, 0x502d, 1 << 18 | 0x500, 1,
	};
	struct tg_cmdstream cs = scanned(false, words, ARRAY_SIZE(words));

	CHECK(cs.nr_slow == 3);
	tg_cmdstream_begin(&cs);
	CHECK(!cs.nr_slow);
}

void arbitrary_words_are_scanned(void)
{
	static u32 words[MAX_WORDS];
	u64 seed = 0xa5b;

	for (u32 round = 0; round < 20000 && !tap_bad_checks; round++) {
		u32 n = random_below(&seed, 60);
		/* Few bits set make more words headers, and short ones. */
		u32 mask = random_below(&seed, 2) ? ~0U : random_next(&seed) & random_next(&seed);
		struct tg_cmdstream cs;

		for (u32 i = 0; i < n; i++)
			words[i] = random_next(&seed) & mask;
		walker_init(&walker, round & 1);
		walk(&walker, words, n);
		cs = scanned(round & 1, words, n);
		same_state(&cs, &walker);
		CHECK(tg_cmdstream_hash(&cs) == hash_of_key(round & 1, &walker.key));
	}
}

/* Commands as pieces, to be put together in any order. */
struct pieces {
	u32 n;
	u32 start[41], words[MAX_WORDS];
};

static void random_pieces(struct pieces *p, bool fermi, u64 *seed)
{
	struct tg_cmdstream cs;
	u32 room = MAX_WORDS - 8, n = 1 + random_below(seed, 40);

	p->start[0] = 0;
	for (p->n = 0; p->n < n;) {
		u32 *at = p->words + p->start[p->n];
		u32 len = put(at, fermi, seed, room / (n - p->n));

		/* Whole commands; of bindings the order counts. */
		cs = scanned(fermi, at, len);
		if (cs.skip || cs.long_header || cs.bound)
			continue;
		room -= len;
		p->start[p->n + 1] = p->start[p->n] + len;
		p->n++;
	}
}

static u64 hash_in_order(const struct pieces *p, bool fermi, const u32 *order, u32 n)
{
	struct tg_cmdstream cs = scanned(fermi, NULL, 0);

	for (u32 i = 0; i < n; i++) {
		u32 from = p->start[order[i]];

		scan(&cs, p->words + from, p->start[order[i] + 1] - from, true);
	}
	return tg_cmdstream_hash(&cs);
}

void the_order_of_commands_does_not_count(void)
{
	static struct pieces p;
	u64 seed = 0x02de2;

	for (u32 round = 0; round < 5000 && !tap_bad_checks; round++) {
		u32 order[40];
		u64 hash;

		random_pieces(&p, round & 1, &seed);
		for (u32 i = 0; i < p.n; i++)
			order[i] = i;
		hash = hash_in_order(&p, round & 1, order, p.n);
		for (u32 i = p.n; i > 1; i--) {
			u32 k = random_below(&seed, i), was = order[k];

			order[k] = order[i - 1];
			order[i - 1] = was;
		}
		CHECK(hash == hash_in_order(&p, round & 1, order, p.n));
		/* One of them left out, and one of them twice. */
		walker_init(&walker, round & 1);
		walk(&walker, p.words + p.start[order[0]],
		     p.start[order[0] + 1] - p.start[order[0]]);
		CHECK((hash != hash_in_order(&p, round & 1, order + 1, p.n - 1)) ==
		      !!walker.key.n);
	}
}

void any_other_command_changes_the_hash(void)
{
	static struct walker other;
	static u32 words[MAX_WORDS], changed[MAX_WORDS];
	u64 seed = 0xd1f, different = 0, same = 0;

	for (u32 round = 0; round < 40000 && !tap_bad_checks; round++) {
		bool fermi = round & 1;
		u32 n = random_stream(words, fermi, &seed) % 200;
		struct tg_cmdstream a, b;
		bool equal;

		memcpy(changed, words, sizeof(words));
		/* One bit or two: of headers or of data. */
		for (u32 i = 0; n && i <= round % 2; i++)
			changed[random_below(&seed, n)] ^= 1U << random_below(&seed, 32);
		walker_init(&walker, fermi);
		walk(&walker, words, n);
		walker_init(&other, fermi);
		walk(&other, changed, n);
		a = scanned(fermi, words, n);
		b = scanned(fermi, changed, n);
		equal = keys_equal(&walker.key, &other.key);
		if (!CHECK((tg_cmdstream_hash(&a) == tg_cmdstream_hash(&b)) == equal))
			tap_diag("  round %u: %s", round, equal ? "same" : "different");
		same += equal;
		different += !equal;
	}
	tap_diag("%llu pairs differ, %llu do not", (unsigned long long)different,
		 (unsigned long long)same);
	CHECK(different > 5000 && same > 5000);
}

static void no_two_alike(u64 *hash, u32 n, const char *what)
{
	u32 twice = 0;

	qsort(hash, n, sizeof(*hash), by_value);
	for (u32 i = 1; i < n; i++)
		twice += hash[i] == hash[i - 1];
	if (!CHECK(!twice))
		tap_diag("  %s: %u of %u have another's", what, twice, n);
}

void single_commands_differ_in_their_hash(void)
{
	static u64 hash[1 << 19];
	u32 n = 0, words[2];
	struct tg_cmdstream cs;

	/* Every method of every subchannel, with some sizes. */
	for (u32 i = 0; i < 8 * 0x1000; i++)
		for (u32 size = 1; size < 0x2000; size = size * 3 + 1) {
			words[0] = 0x60000000 | size << 16 | i >> 12 << 13 | (i & 0xfff);
			cs = scanned(true, words, 1);
			hash[n++] = tg_cmdstream_hash(&cs);
		}
	no_two_alike(hash, n, "Fermi");

	n = 0;
	for (u32 i = 0; i < 8 * 0x800; i++)
		for (u32 size = 1; size < 0x1000000; size = size * 3 + 1) {
			words[0] = 0x00030000 | i << 2;
			words[1] = size;
			cs = scanned(false, words, 2);
			hash[n++] = tg_cmdstream_hash(&cs);
		}
	no_two_alike(hash, n, "Tesla");

	/* Every size there is, of one method, as far as the table goes. */
	for (n = 0; n < 1 << 19; n++) {
		words[0] = 0x00032860;
		words[1] = n * 32 + 31;
		cs = scanned(false, words, 2);
		hash[n] = tg_cmdstream_hash(&cs);
	}
	no_two_alike(hash, n, "sizes");
}

void bound_objects_count(void)
{
	static const u32 group[] = { 1 << 18 | 3 << 13 | 0x200, 0 };
	u32 bind[] = { 1 << 18 | 3 << 13, 0x8297, 1 << 18 | 4 << 13, 0x50c0 };
	u64 seen[5];

	for (u32 i = 0; i < 5; i++) {
		struct tg_cmdstream cs;

		/* Nothing bound; the class, the other subchannel's, both, swapped. */
		cs = scanned(false, bind + (i == 2 ? 2 : 0), i == 0 ? 0 : i > 2 ? 4 : 2);
		tg_cmdstream_begin(&cs);
		scan(&cs, group, 2, true);
		seen[i] = tg_cmdstream_hash(&cs);
		CHECK(cs.bound == (i == 0 ? 0 : i == 1 ? 8 : i == 2 ? 16 : 24));
		/* Bound in another buffer, the group's own is the same. */
		tg_cmdstream_begin(&cs);
		scan(&cs, group, 2, true);
		CHECK(tg_cmdstream_hash(&cs) == seen[i]);
		if (i == 3) {
			u32 class = bind[1];

			bind[1] = bind[3];
			bind[3] = class;
		}
	}
	no_two_alike(seen, 5, "bindings");
}

void words_that_are_not_profiled_are_learnt_from(void)
{
	static const u32 words[] = {
		1 << 18 | 2 << 13, 0x502d, 3 << 18 | 2 << 13 | 0x200, 1, 2, 3,
		1 << 18 | 2 << 13 | 0x104, 0, 2 << 18 | 2 << 13 | 0x300, 7,
	};
	struct tg_cmdstream with, without;

	with = scanned(false, words, ARRAY_SIZE(words));
	without = scanned(false, NULL, 0);
	scan(&without, words, ARRAY_SIZE(words), false);
	CHECK(!without.sum && with.sum);
	without.sum = with.sum;
	CHECK(alike(&with, &without) && with.nr_slow == without.nr_slow);
	CHECK(with.skip == 1 && with.notify && with.bound == 4 && with.object[2] == 0x502d);
}

void a_notify_is_noticed(void)
{
	static const struct {
		const char *description;
		bool fermi, notify;
		u32 word;
	} cases[] = {
		{ "itself", false, true, 1 << 18 | 0x104 },
		{ "another subchannel's", false, true, 1 << 18 | 7 << 13 | 0x104 },
		{ "not incrementing", false, true, 0x40000000 | 2 << 18 | 0x104 },
		{ "the method before", false, false, 1 << 18 | 0x100 },
		{ "two from the method before", false, true, 2 << 18 | 0x100 },
		{ "from 0 up to it", false, false, 65 << 18 },
		{ "from 0 on", false, true, 66 << 18 },
		{ "the method behind", false, false, 5 << 18 | 0x108 },
		{ "all from 0x200", false, false, 0x7ff << 18 | 0x200 },
		{ "Fermi's", true, true, 0x20000000 | 1 << 16 | 0x41 },
		{ "Fermi's immediate", true, true, 0x80000000 | 5 << 16 | 0x41 },
		{ "Fermi's immediate before", true, false, 0x80000000 | 5 << 16 | 0x40 },
		{ "Fermi's, by a range", true, true, 0x20000000 | 9 << 16 | 0x3a },
		{ "Fermi's, not by a range", true, false, 0x20000000 | 7 << 16 | 0x3a },
		{ "Fermi's, high", true, false, 0x20000000 | 1 << 16 | 0x841 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tg_cmdstream cs = scanned(cases[i].fermi, &cases[i].word, 1);

		if (!CHECK(cs.notify == cases[i].notify))
			tap_diag("  %s", cases[i].description);
	}
}

void notifiers_are_followed(void)
{
	static const struct {
		const char *description;
		u32 words[9], n, notifier;
		bool several;
	} cases[] = {
		{ "none", { 1 << 18 | 0x17c, 7, 1 << 18 | 0x184, 8 }, 4, 0, false },
		{ "one", { 1 << 18 | 5 << 13 | 0x180, 0xb0 }, 2, 0xb0, false },
		{ "in a range", { 4 << 18 | 5 << 13 | 0x17c, 7, 0xb0, 8, 9 }, 5, 0xb0, false },
		{ "the last", { 1 << 18 | 5 << 13 | 0x180, 0xb0,
				1 << 18 | 5 << 13 | 0x180, 0xb1 }, 4, 0xb1, false },
		{ "one for two", { 1 << 18 | 5 << 13 | 0x180, 0xb0,
				   1 << 18 | 3 << 13 | 0x180, 0xb0 }, 4, 0xb0, false },
		{ "two", { 1 << 18 | 5 << 13 | 0x180, 0xb0,
			   1 << 18 | 3 << 13 | 0x180, 0xb1 }, 4, 0xb1, true },
		{ "another for what is bound there now", { 2 << 18 | 5 << 13, 7, 8,
							   1 << 18 | 5 << 13 | 0x180, 0xb0,
							   1 << 18 | 5 << 13, 9,
							   1 << 18 | 5 << 13 | 0x180, 0xb1 }, 9, 0xb1, true },
		{ "the same for it", { 1 << 18 | 5 << 13 | 0x180, 0xb0, 1 << 18 | 5 << 13, 9,
				       1 << 18 | 5 << 13 | 0x180, 0xb0 }, 6, 0xb0, false },
		{ "again and again", { 0x40000000 | 2 << 18 | 0x180, 0xb0, 0xb1 }, 3, 0, true },
		{ "not by what comes after another", { 0x40000000 | 3 << 18 | 0x17c, 1, 2, 3 }, 4, 0,
		  true },
		{ "its datum is yet to come", { 1 << 18 | 5 << 13 | 0x180 }, 1, 0, false },
	};

	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tg_cmdstream cs = scanned(false, cases[i].words, cases[i].n);

		if (!CHECK(cs.notifier == cases[i].notifier) ||
		    !CHECK(cs.several == cases[i].several))
			tap_diag("  %s", cases[i].description);
	}
}

void a_group_begins_at_nothing(void)
{
	static const u32 words[] = { 1 << 18 | 0x200, 0, 2 << 18 | 0x300, 0 };
	struct tg_cmdstream cs = scanned(false, words, 4), fresh = scanned(false, NULL, 0);

	CHECK(tg_cmdstream_hash(&cs) != tg_cmdstream_hash(&fresh) && cs.skip == 1);
	/* The rest of a command that began before is not the group's. */
	tg_cmdstream_begin(&cs);
	CHECK(cs.skip == 1);
	scan(&cs, words, 1, true);
	CHECK(!cs.skip && tg_cmdstream_hash(&cs) == tg_cmdstream_hash(&fresh));
}
