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
/* The objects' NOTIFY (Tesla: envytools, "graph object methods"). */
#define TG_METHOD_NOTIFY 0x0104
/* Their DMA_NOTIFY, the handle of where notifiers are written (likewise). */
#define TG_METHOD_DMA_NOTIFY 0x0180

#define TG_NR_SUBCHANNELS 8

/**
 * struct tg_cmdstream - where the walk over a channel's commands is
 * @format: of the headers
 * @skip: data words of the last command still to come
 * @long_header: of a long command whose length is the next word, or 0
 * @binding: the next data word is the object that is bound to @bind_to
 * @bind_to: a subchannel
 * @bound: bit mask of the subchannels that were bound to an object
 * @object: what is bound to each: a class (Fermi on), or the handle of an
 *	object (Tesla), which has one class
 * @notify: a command covers NOTIFY.  Takes commands that do not increment for
 *	ones that do; so do the next
 * @notify_subc: a subchannel, the last command's that covers DMA_NOTIFY
 * @to_notifier: data words of the last command up to that of DMA_NOTIFY, or 0
 * @notifier: what DMA_NOTIFY was set to last, or 0
 * @notified: bit mask of the subchannels on which it was set to that; one bit more: and
 *	an object that has left its subchannel has it
 * @several: objects differ in it, or did, or it cannot be told
 * @sum: over the headers since tg_cmdstream_begin()
 * @nr_slow: headers since then that took the long way, ten times as long
 */
struct tg_cmdstream {
	enum tg_cmdstream_format format;
	u32 skip;
	u32 long_header;
	bool binding;
	u8 bind_to;
	u8 bound;
	bool notify;
	u8 notify_subc;
	u32 to_notifier;
	u32 notifier;
	u16 notified;
	bool several;
	u32 object[TG_NR_SUBCHANNELS];
	u64 sum;
	u32 nr_slow;
};

/**
 * struct tg_cmd_header - one command
 * @method: byte offset of the first method
 * @subchannel: 0–7
 * @count: data words
 * @same: they all go to the one method, or may
 */
struct tg_cmd_header {
	u16 method;
	u8 subchannel;
	u32 count;
	bool same;
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

/** tg_cmdstream_begin - a command group begins */
void tg_cmdstream_begin(struct tg_cmdstream *cs);

/**
 * tg_cmdstream_scan - walk over words of a command group
 * @cs: the walk: learns what is bound and used, and adds up the headers
 * @words: may change while they are read; each is read once
 * @n: how many
 * @profile: whether these words count for tg_cmdstream_hash()
 *
 * A header of Tesla that neither binds nor notifies takes 13 instructions on
 * x86-64, 10 without @profile.
 */
void tg_cmdstream_scan(struct tg_cmdstream *cs, const u32 *words, u32 n,
		       bool profile);

/**
 * tg_cmdstream_hash - of the multiset of (class, method, data size) of the
 * words profiled since tg_cmdstream_begin()
 *
 * A sum over the headers, each of which holds subchannel, method and size, for
 * the order does not count, together with what is bound to the subchannels.  It
 * is no cryptographic hash: a program that makes its groups collide on purpose
 * spoils its own predictions, because a history table belongs to one task.
 */
u64 tg_cmdstream_hash(const struct tg_cmdstream *cs);

#endif
