#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run.sh TEST...: run TAP programs, show what failed, count. 77 = skipped.
set -u
pass=0 fail=0 skip=0
for t in "$@"; do
	echo "# ${t##*/}"
	log=$t.log
	"$t" >"$log" 2>&1
	status=$?
	ok=$(grep -c '^ok ' "$log")
	bad=$(grep -c '^not ok ' "$log")
	plan=$(sed -n 's/^1\.\.//p' "$log")
	if [ "$status" = 77 ]; then
		skip=$((skip + 1))
		continue
	fi
	# A program that dies, or runs fewer tests than it planned, fails.
	if [ "$status" != 0 ] || [ "$bad" != 0 ] || [ "$plan" != "$ok" ]; then
		[ "$bad" != 0 ] || bad=1
	fi
	cat "$log"
	pass=$((pass + ok)) fail=$((fail + bad))
done
echo "# nvsim: $pass passed, $fail failed, $skip skipped"
[ "$fail" = 0 ]
