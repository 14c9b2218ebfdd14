#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# statics.sh LIBRARY: all that a card remembers is in its struct nvsim; what the
# core itself has is constant. Constants with pointers in them are .data.rel.ro,
# which is written to by the loader alone.
set -u
writable=$(objdump -t "$1" | awk '
	$NF ~ /^\./ { next }		# the sections themselves
	/ (\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && !/ \.data\.rel\.ro/ { print "# " $0 }')
symbols=$(objdump -t "$1" | grep -c ' F \.text.*nvsim_')
if [ -z "$writable" ] && [ "$symbols" -gt 50 ]; then
	echo "ok 1 - core_has_no_variables"
	echo "1..1"
	exit 0
fi
echo "$writable"
echo "not ok 1 - core_has_no_variables"
echo "1..1"
exit 1
