#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# layers.sh: the core's include graph, a .c file and its header taken as one.
# Folders stand on each other in one order, and no unit includes itself by way
# of others.
set -u
# bus stands on nothing; what is on top is last. "." is the card itself.
order="bus mem gr fifo ."
# shellcheck source=/dev/null
. "$(dirname "$0")/tap.sh"

# Lines "UNIT UNIT-IT-INCLUDES", as bus/mc or ./nvsim.
edges() {
	for f in ./*.[ch] bus/*.[ch] mem/*.[ch] gr/*.[ch] fifo/*.[ch]; do
		sed -n 's/^#include "\(.*\)"/\1/p' "$f" | while read -r to; do
			case $to in
			../*) to=${to#../};;
			*/*) ;;
			*) to=${f%/*}/$to;;
			esac
			[ -e "$to" ] || echo "$f includes $to, which is not there" >>"$tmp/missing"
			case $to in */*) ;; *) to=./$to;; esac
			[ "${f%.*}" = "${to%.*}" ] || echo "${f%.*} ${to%.*}"
		done
	done | sort -u
}

: >"$tmp/missing"
edges >"$tmp/edges"
[ "$(wc -l <"$tmp/edges")" -gt 50 ] && [ ! -s "$tmp/missing" ]
tap $? every_include_is_found
sed 's/^/# /' "$tmp/missing"

tsort "$tmp/edges" >/dev/null 2>"$tmp/cycles"
tap $? no_unit_includes_itself_through_others
sed 's/^tsort: /# /' "$tmp/cycles"

awk -v order="$order" '
	BEGIN { n = split(order, o, " "); for (i = 1; i <= n; i++) level[o[i]] = i }
	{
		from = $1; to = $2
		sub("/.*", "", from); sub("/.*", "", to)
		if (level[to] > level[from]) { print "# " $1 " includes " $2; bad = 1 }
	}
	END { exit bad }' "$tmp/edges" >"$tmp/upwards"
tap $? no_folder_includes_one_above_it
cat "$tmp/upwards"

tap_end
