# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A locked-down kernel, as Secure Boot makes it: nothing that is not signed is loaded,
# and nobody writes to the kernel's memory. The module is inserted before the lock
# falls, as one with the owner's signature would be after it; nouveau has Debian's
# signature, and comes after it, so that all of attaching happens under the lock.
#
# boot: --lockdown

LOCKDOWN=/sys/kernel/security/lockdown

# expect: Lockdown: .*
# expect: nouveau .*
test_attaches_under_lockdown() {
	mount_securityfs || fail "no securityfs"
	grep -q '\[none\]' $LOCKDOWN || fail "no lockdown, or too early: $(cat $LOCKDOWN)"
	spec
	without_nouveau
	load_paper
	echo integrity >$LOCKDOWN
	! insmod "$(modinfo -n tg_rival)" 2>"$T/err" || fail "the kernel takes modules without a signature"
	modprobe nouveau
	eventually 20 test -e /dev/dri/renderD128
	want "attached" "$(attached)" = stock
	works
	uses notify
}
