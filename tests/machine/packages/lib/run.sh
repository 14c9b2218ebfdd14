# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A test is a function; what it prints is shown when it fails.

# run_begin DIR: where the logs go
run_begin() {
	RUN_LOGS=$1
	rm -rf "$RUN_LOGS"
	mkdir -p "$RUN_LOGS"
}

# cpu_now: sets CPU_S, the processor time that ended children used, in seconds. Bash
# prints it as "1m2.345s", and a subshell has a clock of its own.
cpu_now() {
	times >"$RUN_LOGS/.times"
	CPU_S=$(awk 'NR == 2 {
			for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); s += 60 * t[1] + t[2] }
		} END { print int(s) }' "$RUN_LOGS/.times")
}

# run NAME FUNCTION...: in a shell of its own that ends at the first failure.
run() {
	local name=$1 rc=0 t0=$SECONDS c0
	shift

	cpu_now
	c0=$CPU_S
	RUN_LOG=$RUN_LOGS/$name.log
	set +e
	(set -e; "$@") >"$RUN_LOG" 2>&1 </dev/null
	rc=$?
	set -e
	ok "$name" $rc
	cpu_now
	[ $((SECONDS - t0)) -lt 5 ] ||
		echo "# $((SECONDS - t0)) s, $((CPU_S - c0)) s of processor time"
	[ $rc = 0 ] || { cat "$RUN_LOG".* "$RUN_LOG" 2>/dev/null || :; } |
		tail -n 30 | cut -c1-200 | tap_diag
}

# has FILE TEXT, has_not FILE REGEX
has() {
	grep -qF -- "$2" "$1" || { echo "nowhere in $1: $2"; return 1; }
}

has_not() {
	! grep -E -- "$2" "$1" || { echo "that stands in $1"; return 1; }
}
