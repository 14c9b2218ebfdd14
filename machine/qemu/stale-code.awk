# SPDX-License-Identifier: GPL-2.0-or-later
# accel/tcg/translate-all.c with the functions of stale-code.c (the variable "code") and their
# calls. Fails if the file is another one than this was written for.
/^TranslationBlock \*tb_gen_code\(/ {
    while ((getline line <code) > 0)
        print line
    within = 1
    n++
}
/^}$/ {
    within = 0
}
within && /^    return tb;$/ {
    print "    if (unlikely(tg_code_has_changed(tb, host_pc, pc, cflags))) {"
    print "        tb_phys_invalidate(tb, -1);"
    print "        goto buffer_overflow;"
    print "    }"
    n++
}
{ print }
within && /^ buffer_overflow:$/ {
    print "    tg_keep_code(host_pc, pc, cflags);"
    n++
}
END { exit n != 3 }
