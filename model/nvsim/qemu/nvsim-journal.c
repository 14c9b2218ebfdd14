/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All that ever happened to a card: see nvsim-journal.h. */
#include "qemu/osdep.h"
#include "nvsim-journal.h"

void nvsim_journal_begin(struct nvsim_journal *j)
{
    j->bytes = g_byte_array_new();
}

/* What was written is bytes'; what is read was allocated for it. */
void nvsim_journal_end(struct nvsim_journal *j)
{
    if (j->bytes) {
        g_byte_array_unref(j->bytes);
    } else {
        g_free(j->data);
    }
    *j = (struct nvsim_journal) { 0 };
}

void nvsim_journal_call(struct nvsim_journal *j, enum nvsim_journal_kind kind, uint64_t now_ns,
                        uint32_t off, uint64_t val, unsigned size)
{
    struct nvsim_journal_record r = {
        .now_ns = now_ns,
        .val = val,
        .off = off,
        .kind = kind,
        .size = size,
    };

    if (j->bytes) {
        g_byte_array_append(j->bytes, (const guint8 *)&r, sizeof(r));
    }
}

void nvsim_journal_asked(struct nvsim_journal *j, enum nvsim_journal_kind kind, uint64_t addr,
                         const void *buf, uint32_t len, bool ok)
{
    nvsim_journal_call(j, kind, addr, len, ok, 0);
    if (j->bytes && kind == NVSIM_DMA_READ && ok) {
        g_byte_array_append(j->bytes, buf, len);
    }
}

void nvsim_journal_replay(struct nvsim_journal *j)
{
    j->at = 0;
    j->replays = true;
    j->failed = !j->data;
}

static bool take(struct nvsim_journal *j, void *buf, uint32_t len)
{
    if (j->failed || j->len - j->at < len) {
        j->failed = true;
        return false;
    }
    memcpy(buf, j->data + j->at, len);
    j->at += len;
    return true;
}

bool nvsim_journal_next(struct nvsim_journal *j, struct nvsim_journal_record *r)
{
    return !j->failed && j->at < j->len && take(j, r, sizeof(*r));
}

bool nvsim_journal_answer(struct nvsim_journal *j, enum nvsim_journal_kind kind, uint64_t addr,
                          void *buf, uint32_t len)
{
    struct nvsim_journal_record r;

    if (!take(j, &r, sizeof(r))) {
        return false;
    }
    if (r.kind != kind || r.now_ns != addr || r.off != len) {
        j->failed = true;
        return false;
    }
    if (kind == NVSIM_DMA_READ && r.val) {
        return take(j, buf, len);
    }
    return r.val;
}

void nvsim_journal_fail(struct nvsim_journal *j)
{
    j->failed = true;
}

bool nvsim_journal_fits(const struct nvsim_journal *j)
{
    return !j->failed;
}
