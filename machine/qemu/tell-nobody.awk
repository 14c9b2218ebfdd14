# SPDX-License-Identifier: GPL-2.0-or-later
# The CPUs' thread does not tell the main loop that the clock has moved: that waits for
# nothing in virtual time (pass-idle.c). Fails if the file tells nobody anyhow.
/^ *qemu_clock_notify\(QEMU_CLOCK_VIRTUAL\);$/ {
    match($0, /^ */)
    blanks = substr($0, 1, RLENGTH)
    print blanks "if (!qemu_in_vcpu_thread()) {"
    print "    " $0
    print blanks "}"
    n++
    next
}
{ print }
END { exit n == 0 }
