# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What may not stand in a guest's kernel log.

# Reports of the kernel's own checkers, whatever their level. Only the line that
# begins a report: an announced one must not be caught by its own back trace.
TG_KLOG_REPORTS='BUG[: ]|WARNING: |Oops|Kernel panic|general protection fault'
TG_KLOG_REPORTS+='|[Uu]nable to handle|invalid opcode: |divide error|stack segment: '
TG_KLOG_REPORTS+='|INFO: (task|rcu|trying|lockdep|possible)|rcu: .*(stall|detected)|soft lockup|hard LOCKUP'
TG_KLOG_REPORTS+='|possible (circular|irq|recursive)|inconsistent lock state|suspicious RCU'
TG_KLOG_REPORTS+='|sleeping function called|scheduling while atomic|bad unlock balance|held lock freed'
TG_KLOG_REPORTS+='|KASAN|KCSAN|UBSAN|KFENCE|ODEBUG|DEBUG_LOCKS_WARN_ON'
TG_KLOG_REPORTS+='|kmemleak: [0-9]+ new|unreferenced object|refcount_t: |list_(add|del) corruption'
TG_KLOG_REPORTS+='|blocked for more than|memory leak|Out of memory|Killed process'
# Of these, a line of level "error" or worse is a failure as well.
TG_KLOG_DRIVERS='nouveau|timegraph|nvkm|ttm|\[drm|drm:|gpu-sched'

# Lines that look like the above and are none, with the reason:
# - KASAN, kmemleak and others announce themselves at boot.
TG_KLOG_HARMLESS='KernelAddressSanitizer initialized|kmemleak: (Kernel memory leak detector|Automatic memory scanning|Cannot)'
TG_KLOG_HARMLESS+='|kasan: KernelAddressSanitizer|ODEBUG: (selftest|[0-9]+ of)|KFENCE|UBSAN: (Undefined|enabled)'

# klog_bad LOG LEVELS EXPECT...: prints the lines that fail a run. LOG is the
# serial console's, complete even if the guest died; LEVELS is the same with the
# "<level>" prefix of each line, as the guest wrote it at its end.
klog_bad() {
	local log=$1 levels=$2 e
	local -a keep=()
	shift 2

	for e; do
		keep+=(-e "$e")
	done
	{
		grep -a -E "$TG_KLOG_REPORTS" "$log"
		# Below the facility's bits, 0 to 3 are emerg, alert, crit, err.
		[ ! -s "$levels" ] ||
			awk -F'[<>]' '/^<[0-9]+>/ && $2 % 8 <= 3 { sub(/^<[0-9]+>/, ""); print }' \
				"$levels" | grep -a -E "$TG_KLOG_DRIVERS"
	} | tr -d '\r' | grep -v -a -E "$TG_KLOG_HARMLESS" |
		if [ ${#keep[@]} -gt 0 ]; then grep -v -a -E "${keep[@]}"; else cat; fi |
		awk '!seen[$0]++'
}
