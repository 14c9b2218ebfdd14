# SPDX-License-Identifier: GPL-2.0-or-later
# accel/tcg/cputlb.c, where a store to a page that has code in it throws away what was
# translated of it a second time, when the new code is there (stale-code.c). Fails if the
# file is another one than this was written for.
/^static void notdirty_write\(/ { head = 1 }
/^store_helper\(/ { within = 1 }
{ print }
/^}$/ {
    if (head) {
        print ""
        print "static void tg_drop_again(vaddr addr, unsigned size, CPUTLBEntryFull *full)"
        print "{"
        print "    ram_addr_t ram = addr + full->xlat_section;"
        print ""
        print "    /* Known code protects its page, also if it became known just now. */"
        print "    if ((tcg_ctx->tb_cflags & CF_PARALLEL) &&"
        print "        !cpu_physical_memory_get_dirty_flag(ram, DIRTY_MEMORY_CODE)) {"
        print "        struct page_collection *pages = page_collection_lock(ram, ram + size);"
        print ""
        print "        tb_invalidate_phys_page_fast(pages, ram, size, 0);"
        print "        page_collection_unlock(pages);"
        print "    }"
        print "}"
        n++
    }
    head = within = 0
}
within && /^            notdirty_write\(/ { stores = 1; n++ }
within && stores && /^            store_memop\(haddr, val, op\);$/ {
    getline
    print
    print "        if (unlikely(tlb_addr & TLB_NOTDIRTY)) {"
    print "            tg_drop_again(addr, size, full);"
    print "        }"
    stores = 0
    n++
}
END { exit n != 3 }
