# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# For the scripts here: a folder $tmp that goes with them, TAP, and an end.
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
n=0 bad=0

# tap STATUS NAME
tap() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then echo "ok $n - $2"; else echo "not ok $n - $2"; bad=1; fi
}

# The plan, and the script's status.
tap_end() {
	echo "1..$n"
	exit $bad
}
