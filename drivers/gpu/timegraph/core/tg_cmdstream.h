/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Walking the headers of a push buffer.
 *
 * Each GPU command is a header (method, subchannel, number of data words)
 * followed by its data (TimeGraph section 2).  The walk reads headers and
 * skips data; it takes any words whatsoever, bounded.
 */
#ifndef TG_CMDSTREAM_H
#define TG_CMDSTREAM_H

#include "tg_port.h"

/* Header formats: Tesla (envytools, "DMA pusher", NV4 style) and Fermi on. */
enum tg_cmdstream_format {
	TG_CMDSTREAM_TESLA,
	TG_CMDSTREAM_FERMI,
};

/* Binding an object to a subchannel is a method of the host, number 0. */
#define TG_METHOD_SET_OBJECT 0x0000

/**
 * struct tg_cmdstream - where a walk is
 * @format: of the headers
 * @skip: data words of the last command still to come
 * @long_header: of a long command whose length is the next word, or 0
 * @nr_headers: headers seen
 */
struct tg_cmdstream {
	enum tg_cmdstream_format format;
	u32 skip;
	u32 long_header;
	u32 nr_headers;
};

/**
 * struct tg_cmd_header - one command
 * @method: byte offset of the first method
 * @subchannel: 0–7
 * @count: data words
 */
struct tg_cmd_header {
	u16 method;
	u8 subchannel;
	u32 count;
};

void tg_cmdstream_init(struct tg_cmdstream *cs, enum tg_cmdstream_format format);

/**
 * tg_cmdstream_next - find the next header
 * @cs: the walk; data of a command may continue in the next buffer
 * @words: the buffer
 * @n: its length in words
 * @pos: in: where to go on; out: behind the header, or @n
 * @h: filled in
 *
 * A word that is no header of the format is passed over.
 *
 * Return: true if @h is valid, false at the end of the buffer.
 */
bool tg_cmdstream_next(struct tg_cmdstream *cs, const u32 *words, u32 n,
		       u32 *pos, struct tg_cmd_header *h);

#endif
