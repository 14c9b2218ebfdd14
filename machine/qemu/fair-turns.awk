# SPDX-License-Identifier: GPL-2.0-or-later
# accel/tcg/tcg-accel-ops-icount.c with the function of fair-turns.c (the variable "code") and
# its call. Fails if the file is another one than this was written for.
/^void icount_prepare_for_run\(CPUState \*cpu\)$/ {
    while ((getline line <code) > 0)
        print line
    within = 1
    n++
}
/^}$/ { within = 0 }
within && /^    cpu->icount_budget = icount_get_limit\(\);$/ {
    print "    cpu->icount_budget = tg_turn();"
    n++
    next
}
{ print }
END { exit n != 2 }
