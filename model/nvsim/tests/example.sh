#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# example.sh LIBRARY: the example of README.md, built as a stranger would build
# it, prints what the page says.
set -u
# shellcheck source=/dev/null
. "$(dirname "$0")/tap.sh"

sed -n '/^```c$/,/^```$/p' README.md | sed '1d;$d' >"$tmp/example.c"
sed '1,/^It prints$/d' README.md | awk '/^```$/ { fences++; next } fences == 1' >"$tmp/want"
${CC:-gcc} -std=gnu11 -Wall -Wextra -Werror -I. -o "$tmp/example" "$tmp/example.c" "$1" 2>"$tmp/log"
tap $? example_of_the_readme_compiles
sed 's/^/# /' "$tmp/log"
"$tmp/example" >"$tmp/got" 2>&1
[ -s "$tmp/want" ] && diff "$tmp/want" "$tmp/got" >"$tmp/log"
tap $? example_prints_what_the_readme_says
sed 's/^/# /' "$tmp/log"
tap_end
