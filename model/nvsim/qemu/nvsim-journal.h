/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that ever happened to a card, for a snapshot of it.
 *
 * The core knows nothing but the calls of nvsim.h and what its callbacks answer, and
 * does the same when the same happens. So a list of these is its whole state, however
 * much the model grows: a new card that hears the list is the old one. In the seconds
 * that a driver takes to load this is some ten megabytes, heard in a fraction of a
 * second; it is no way to save a card that has drawn for hours.
 *
 * The list is read where it was written: in the host's byte order, and by the same
 * program.
 */
#ifndef NVSIM_JOURNAL_H
#define NVSIM_JOURNAL_H

#include <glib.h>

enum nvsim_journal_kind {
    /* calls */
    NVSIM_CREATE,
    NVSIM_RESET,
    NVSIM_TIMER,
    NVSIM_MMIO_READ,
    NVSIM_MMIO_WRITE,
    NVSIM_BAR1_READ,
    NVSIM_BAR1_WRITE,
    NVSIM_BAR3_READ,
    NVSIM_BAR3_WRITE,
    /* what the call before it asked for */
    NVSIM_DMA_READ,
    NVSIM_DMA_WRITE,
};

struct nvsim_journal_record {
    /* of a call; of DMA the address */
    uint64_t now_ns;
    /* what is written; of DMA whether it went well */
    uint64_t val;
    /* of DMA the length; after a read that went well follow so many bytes */
    uint32_t off;
    uint16_t kind;
    uint16_t size;
};

struct nvsim_journal {
    /* What is written to; NULL: nothing is. */
    GByteArray *bytes;
    /* What a snapshot holds, and what of it was read. */
    uint8_t *data;
    uint32_t len;
    uint32_t at;
    bool replays;
    bool failed;
};

void nvsim_journal_begin(struct nvsim_journal *j);
void nvsim_journal_end(struct nvsim_journal *j);

/* Writing: without nvsim_journal_begin() before them they do nothing. */
void nvsim_journal_call(struct nvsim_journal *j, enum nvsim_journal_kind kind, uint64_t now_ns,
                        uint32_t off, uint64_t val, unsigned size);
void nvsim_journal_asked(struct nvsim_journal *j, enum nvsim_journal_kind kind, uint64_t addr,
                         const void *buf, uint32_t len, bool ok);

/* Reading, from data and len. False from next: the end, or it does not fit. */
void nvsim_journal_replay(struct nvsim_journal *j);
bool nvsim_journal_next(struct nvsim_journal *j, struct nvsim_journal_record *r);
/* The same answer as then. Another question than then: it does not fit. */
bool nvsim_journal_answer(struct nvsim_journal *j, enum nvsim_journal_kind kind, uint64_t addr,
                          void *buf, uint32_t len);
void nvsim_journal_fail(struct nvsim_journal *j);
bool nvsim_journal_fits(const struct nvsim_journal *j);

static inline bool nvsim_journal_replays(const struct nvsim_journal *j)
{
    return j->replays;
}

#endif
