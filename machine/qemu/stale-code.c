/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Virtual CPUs on threads of their own share what QEMU translated. QEMU 7.2 has two
 * moments in which a CPU's store to code goes unnoticed by another that translates it:
 *
 *	translates the old code
 *	                            throws away what is known of that code: nothing
 *	                            stores the new code
 *	makes it known to all       (also between the two lines above)
 *
 * From then on each CPU that comes there executes what is no more. The guest's kernel pokes a
 * breakpoint into a function for a moment when it is to be traced or not to be any more; a
 * CPU that meets one later, when nobody expects it, dies of it ("Oops: int3" at the
 * beginning of a function of nouveau's, after 10 to 16 rounds of loading and removing the
 * module). So who translated looks, when it is known, at whether the code is still the same,
 * and who stored throws away what was made known before the store (drop-again.awk).
 *
 * Of a block whose last instruction goes into the next page only the first page is
 * looked at. With one thread for all CPUs there are no such moments, and nothing is done.
 *
 * Put into QEMU's accel/tcg/translate-all.c.
 */
static __thread uint8_t tg_code[TARGET_PAGE_SIZE];

static size_t tg_left_in_page(target_ulong pc)
{
    return TARGET_PAGE_SIZE - (pc & ~TARGET_PAGE_MASK);
}

/* Called before the code is read: host_pc is where it is, or NULL. */
static void tg_keep_code(const void *host_pc, target_ulong pc, int cflags)
{
    if ((cflags & CF_PARALLEL) && host_pc) {
        memcpy(tg_code, host_pc, tg_left_in_page(pc));
    }
}

/* Called when all can find the block: whether what it was made of is gone. */
static bool tg_code_has_changed(const TranslationBlock *tb, const void *host_pc,
                                target_ulong pc, int cflags)
{
    return (cflags & CF_PARALLEL) && host_pc &&
           memcmp(tg_code, host_pc, MIN(tb->size, tg_left_in_page(pc)));
}

