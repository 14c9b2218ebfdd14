#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# burndown.sh LIBRARY: burndown sorts the registers of a log as bus/regs.h has them.
set -u
# shellcheck source=/dev/null
. "$(dirname "$0")/tap.sh"

${CC:-gcc} -std=gnu11 -Wall -Wextra -Werror -o "$tmp/burndown" tests/burndown.c "$1" 2>"$tmp/log"
tap $? burndown_compiles
sed 's/^/# /' "$tmp/log"

cat >"$tmp/a" <<TEXT
1 R 000000 092a00a2
2 W 002044 01003fff
3 W 700000 00000001
4 R 100c90 001d07ff
5 R c0208c 00000001
6 W 00abc0 00000001
7 R 002604 00000000
8 R 002608 00000000
TEXT
echo "1 R 000000 092a00a2" >"$tmp/b"
cat >"$tmp/want" <<TEXT
000000 PMC_BOOT_0 constant 1 1
002044 PFIFO_DMA_TIMESLICE stored 1 0
002600 PFIFO_CHAN modelled 2 0
00abc0 - unknown 1 0
100c90 PFB_FAULT_IDX modelled 1 0
c00000 USERD modelled 1 0
# 6 lines, 1 unknown
TEXT
"$tmp/burndown" "$tmp/a" "$tmp/b" 2>&1 | sed 's/  */ /g' >"$tmp/got"
diff "$tmp/want" "$tmp/got" >"$tmp/log"
tap $? registers_are_sorted_by_what_the_model_does
sed 's/^/# /' "$tmp/log"

echo "not a log" >"$tmp/c"
! "$tmp/burndown" "$tmp/c" >/dev/null 2>&1
tap $? other_files_are_refused
tap_end
