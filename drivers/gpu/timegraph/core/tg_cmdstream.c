// SPDX-License-Identifier: GPL-2.0-only
/*
 * Header formats after envytools (hwdocs, "Puller / DMA pusher") and nouveau's
 * nvif/push*.h.
 */
#include "tg_cmdstream.h"

void tg_cmdstream_init(struct tg_cmdstream *cs, enum tg_cmdstream_format format)
{
	memset(cs, 0, sizeof(*cs));
	cs->format = format;
}

/*
 * Tesla: (w & mask) == value; bits 12:2 method, 15:13 subchannel, 28:18 count.
 * A long command has its count in the next word and is reported with that.
 */
static bool decode_tesla(struct tg_cmdstream *cs, u32 w, struct tg_cmd_header *h)
{
	if (cs->long_header) {
		h->count = w & 0x00ffffff;
		w = cs->long_header;
		cs->long_header = 0;
	} else if ((w & 0xffff0003) == 0x00030000) {
		cs->long_header = w;
		return false;
	} else if ((w & 0xe0030003) == 0 || (w & 0xe0030003) == 0x40000000) {
		h->count = (w >> 18) & 0x7ff;
	} else {
		return false;
	}
	h->method = w & 0x1ffc;
	h->subchannel = (w >> 13) & 7;
	h->same = w & 0x40000000;
	cs->skip = h->count;
	return w != 0;
}

/*
 * Fermi on: bits 31:29 opcode, 28:16 count, 15:13 subchannel, 11:0 method / 4.
 * Opcodes 0 and 2 have Tesla's fields if bits 17:16 are clear, and no data if
 * not (NVIDIA's class headers, cl906f.h: the "TERT" operations).
 */
static bool decode_fermi(struct tg_cmdstream *cs, u32 w, struct tg_cmd_header *h)
{
	h->method = (w & 0xfff) << 2;
	h->subchannel = (w >> 13) & 7;
	h->count = (w >> 16) & 0x1fff;
	h->same = w >> 29 != 1;
	switch (w >> 29) {
	case 0:
	case 2:
		if (!w || w >> 16 & 3)
			return false;
		h->method = w & 0x1ffc;
		h->count = (w >> 18) & 0x7ff;
		cs->skip = h->count;
		return true;
	case 1:
	case 3:
	case 5:
		cs->skip = h->count;
		return true;
	case 4: /* immediate: the count bits are the data */
		h->count = 0;
		return true;
	default:
		return false;
	}
}

/* Passes over a command's data, of which @left words are here. */
static u32 skip_data(struct tg_cmdstream *cs, u32 left)
{
	u32 step = cs->skip < left ? cs->skip : left;

	cs->skip -= step;
	return step;
}

bool tg_cmdstream_next(struct tg_cmdstream *cs, const u32 *words, u32 n,
		       u32 *pos, struct tg_cmd_header *h)
{
	while (*pos < n) {
		u32 left = n - *pos;
		u32 w;

		if (cs->skip) {
			*pos += skip_data(cs, left);
			continue;
		}
		w = READ_ONCE(words[(*pos)++]);
		if (cs->format == TG_CMDSTREAM_TESLA ? decode_tesla(cs, w, h) :
						       decode_fermi(cs, w, h))
			return true;
	}
	return false;
}

void tg_cmdstream_begin(struct tg_cmdstream *cs)
{
	cs->sum = 0;
	cs->nr_slow = 0;
}

/*
 * One command's share in the sum.  Squared, for the sum alone is the same when
 * two methods exchange their sizes; multiplied before by an odd number (2^32 /
 * golden ratio), so that all bits of the square depend on all of the header's.
 */
static __always_inline u64 mixed(u32 code)
{
	u64 x = (u32)(code * 0x9e3779b1u);

	return x * x;
}

/*
 * Of an ordinary command of Tesla this is the header as it stands.  What that has
 * no room for: the highest bit of Fermi's methods takes one that is always clear
 * in it, and the upper bits of a long count are spread over all.
 */
static u32 code(const struct tg_cmd_header *h)
{
	return (h->count << 18 | (h->method & 0x2000) << 3 |
		(u32)h->subchannel << 13 | (h->method & 0x1fff)) ^
	       (h->count >> 14) * 0x85ebca6bu;
}

/* Whether a command of @h's writes @method. */
static bool covers(const struct tg_cmd_header *h, u32 method)
{
	return h->method <= method && h->method + 4 * (u64)h->count > method;
}

/* In tg_cmdstream.notified: of objects that are not bound any more. */
#define UNBOUND (1 << TG_NR_SUBCHANNELS)

/*
 * Notifiers may be kept by object, by class, or one for all: if all objects that have been
 * given one have the same, it does not matter.
 */
static void learn_notifier(struct tg_cmdstream *cs, u32 handle)
{
	u16 subc = 1 << cs->notify_subc;

	if (handle != cs->notifier) {
		cs->several |= cs->notified & ~subc;
		cs->notified = 0;
	}
	cs->notifier = handle;
	cs->notified |= subc;
}

/* Notes what a command tells about the channel. */
static void learn(struct tg_cmdstream *cs, const struct tg_cmd_header *h,
		  bool profile)
{
	cs->nr_slow++;
	if (profile)
		cs->sum += mixed(code(h));
	if (h->method == TG_METHOD_SET_OBJECT && h->count) {
		cs->binding = true;
		cs->bind_to = h->subchannel;
		cs->bound |= 1 << h->subchannel;
	}
	/* An immediate has its one datum in the header, and a count of 0. */
	if (h->method == TG_METHOD_NOTIFY || covers(h, TG_METHOD_NOTIFY))
		cs->notify = true;
	if (!covers(h, TG_METHOD_DMA_NOTIFY))
		return;
	/* Which of its data is the last is not looked for: nobody does that. */
	if (h->same && h->count > 1) {
		cs->several = true;
		return;
	}
	cs->notify_subc = h->subchannel;
	cs->to_notifier = (TG_METHOD_DMA_NOTIFY - h->method) / 4 + 1;
}

static void bind(struct tg_cmdstream *cs, u32 object)
{
	u16 subc = 1 << cs->bind_to;

	cs->binding = false;
	if (cs->object[cs->bind_to] != object && cs->notified & subc)
		cs->notified = (cs->notified & ~subc) | UNBOUND;
	cs->object[cs->bind_to] = object;
}

/* Passes over a command's data in @words, but for a notifier's handle. */
static u32 scan_data(struct tg_cmdstream *cs, const u32 *words, u32 left)
{
	u32 step = skip_data(cs, left);

	if (!cs->to_notifier)
		return step;
	if (cs->to_notifier <= step) {
		learn_notifier(cs, READ_ONCE(words[cs->to_notifier - 1]));
		cs->to_notifier = 0;
	} else {
		cs->to_notifier -= step;
	}
	return step;
}

/*
 * Passes over ordinary headers: incrementing, of Tesla, from method 0x200 on,
 * where nothing is bound or notified.  Returns where it stopped.
 *
 * It does not matter that user space may change the words meanwhile: the
 * position only grows, and what is read lies before @n.
 */
static __always_inline const u32 *pass(u64 *sum, const u32 *p, const u32 *end,
				       bool profile)
{
	u64 s = *sum;

	do {
		u32 w = READ_ONCE(*p);

		if (w & 0xe0030003 || !(w & 0x1e00))
			break;
		if (profile)
			s += mixed(w);
		p += (w >> 18) + 1;
	} while (p < end);
	*sum = s;
	return p;
}

static u32 pass_ordinary(struct tg_cmdstream *cs, const u32 *words, u32 pos,
			 u32 n, bool profile)
{
	const u32 *p = words + pos, *end = words + n;

	return (profile ? pass(&cs->sum, p, end, true) :
			  pass(&cs->sum, p, end, false)) - words;
}

void tg_cmdstream_scan(struct tg_cmdstream *cs, const u32 *words, u32 n,
		       bool profile)
{
	bool tesla = cs->format == TG_CMDSTREAM_TESLA;
	struct tg_cmd_header h;
	u32 pos = 0;

	while (pos < n) {
		if (cs->binding)
			bind(cs, READ_ONCE(words[pos]));
		/*
		 * Here, not in tg_cmdstream_next(), which would go on to the
		 * next command and leave that one's data to be skipped.
		 */
		if (cs->skip) {
			pos += scan_data(cs, words + pos, n - pos);
			continue;
		}
		if (tesla && !cs->long_header) {
			pos = pass_ordinary(cs, words, pos, n, profile);
			if (pos >= n) {
				cs->skip = pos - n;
				break;
			}
		}
		if (!tg_cmdstream_next(cs, words, n, &pos, &h))
			break;
		learn(cs, &h, profile);
	}
}

u64 tg_cmdstream_hash(const struct tg_cmdstream *cs)
{
	u64 hash = cs->sum;

	/* Odd multipliers (2^64 / golden ratio), so that no object is lost. */
	for (u32 i = 0; i < TG_NR_SUBCHANNELS; i++)
		hash = (hash ^ cs->object[i]) * 0x9e3779b97f4a7c15ULL;
	return hash;
}
