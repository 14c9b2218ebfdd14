# SPDX-License-Identifier: GPL-2.0-or-later
# softmmu/icount.c, where the main loop moves the clock for CPUs that wait, and for no others
# (pass-idle.c). Fails if the file is another one than this was written for.
/^void icount_start_warp_timer\(void\)$/ {
    print "extern bool tg_cpus_wait;"
    print ""
    within = 1
    n++
}
/^}$/ { within = 0 }
{ print }
within && /^    assert\(icount_enabled\(\)\);$/ {
    print ""
    print "    if (!qemu_in_vcpu_thread() && !tg_cpus_wait) {"
    print "        return;"
    print "    }"
    n++
}
END { exit n != 2 }
