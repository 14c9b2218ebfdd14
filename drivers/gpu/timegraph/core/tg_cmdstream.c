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

bool tg_cmdstream_next(struct tg_cmdstream *cs, const u32 *words, u32 n,
		       u32 *pos, struct tg_cmd_header *h)
{
	while (*pos < n) {
		u32 left = n - *pos;
		u32 w;

		if (cs->skip) {
			u32 step = cs->skip < left ? cs->skip : left;

			cs->skip -= step;
			*pos += step;
			continue;
		}
		w = words[(*pos)++];
		if (cs->format == TG_CMDSTREAM_TESLA ? decode_tesla(cs, w, h) :
						       decode_fermi(cs, w, h)) {
			cs->nr_headers++;
			return true;
		}
	}
	return false;
}
