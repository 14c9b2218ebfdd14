# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Tests that print TAP: one line each, below it what is known of a failure, and the
# plan at the end.
#
#	. tap.sh
#	grep -q yes answer
#	ok answer_is_yes $? answer
#	tap_end
#
# It is installed with the programs that run in the test machine, too; they find it
# in ../lib/timegraph-tests of their folder.

TAP_N=0 TAP_FAILED=0 TAP_SKIPPED=0
TAP_LOGS=()

# tap_logs FILE...: to show of a test that fails and names none
tap_logs() {
	TAP_LOGS=("$@")
}

# Standard input as diagnostics.
tap_diag() {
	sed 's/^/# /'
}

# ok NAME STATUS [FILE]...: passed if STATUS is 0; else the end of each file is shown.
ok() {
	local name=$1 status=$2 file
	shift 2

	TAP_N=$((TAP_N + 1))
	if [ "$status" = 0 ]; then
		echo "ok $TAP_N - $name"
		return 0
	fi
	TAP_FAILED=$((TAP_FAILED + 1))
	echo "not ok $TAP_N - $name"
	[ $# -gt 0 ] || set -- "${TAP_LOGS[@]}"
	for file; do
		[ ! -e "$file" ] || tail -n 40 "$file" | tap_diag
	done
}

# skip NAME REASON
skip() {
	TAP_N=$((TAP_N + 1)) TAP_SKIPPED=$((TAP_SKIPPED + 1))
	echo "ok $TAP_N - $1 # SKIP $2"
}

# tap_capture COMMAND...: its output and its errors to the two files of tap_logs
tap_capture() {
	"$@" >"${TAP_LOGS[0]}" 2>"${TAP_LOGS[1]}" </dev/null
}

# tap_take [PREFIX]: the TAP of another program, from standard input, as tests of this
# one. Its plan is left to the caller.
tap_take() {
	local line

	while IFS= read -r line; do
		case $line in
		ok*'# SKIP '*) line=${line#* - }; skip "${1:-}${line% # SKIP *}" "${line##* # SKIP }";;
		ok*) ok "${1:-}${line#* - }" 0;;
		'not ok'*) ok "${1:-}${line#* - }" 1;;
		1..*) ;;
		*) echo "$line";;
		esac
	done
}

# The plan; whether all tests passed.
tap_end() {
	echo "1..$TAP_N"
	[ $TAP_FAILED = 0 ] || echo "# $TAP_FAILED of $TAP_N failed"
	[ $TAP_FAILED = 0 ]
}

# tap_count FILE: sets passed, failed and skipped to its numbers of tests.
# shellcheck disable=SC2034
tap_count() {
	skipped=$(grep -cE '^(not )?ok\b.*# SKIP' "$1")
	passed=$(($(grep -cE '^ok\b' "$1") - skipped))
	failed=$(grep -cE '^not ok\b' "$1")
}

# tap_closing PASSED FAILED SKIPPED: one line for all; whether none failed.
tap_closing() {
	local skipped=''

	[ "$3" = 0 ] || skipped=", $3 skipped"
	echo "$1 passed, $2 failed$skipped"
	[ "$2" = 0 ]
}
