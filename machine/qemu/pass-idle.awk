# SPDX-License-Identifier: GPL-2.0-or-later
# accel/tcg/tcg-accel-ops-rr.c with the function of pass-idle.c (the variable "code") and its
# call, and a word on when the CPUs' thread waits. Fails if the file is another one than this
# was written for.
/^static void rr_wait_io_event\(void\)$/ {
    while ((getline line <code) > 0)
        print line
    within = 1
    n++
}
/^}$/ { within = 0 }
within && /^        qemu_cond_wait_iothread\(/ {
    print "        tg_cpus_wait = true;"
    print
    print "        tg_cpus_wait = false;"
    n++
    next
}
/^        if \(icount_enabled\(\) && all_cpu_threads_idle\(\)\) \{$/ {
    print "        tg_pass_idle_time();"
    n++
}
{ print }
/^#include "sysemu\/cpu-timers.h"$/ {
    print "#include \"sysemu/runstate.h\""
    n++
}
END { exit n != 4 }
