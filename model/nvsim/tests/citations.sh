#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# citations.sh: every register that a test looks at has, in the test or in the comment
# above it, the public document that says what is there: a file of envytools' repository
# (or of nouveau's, where envytools has nothing), and one that covers the register.
set -u
# shellcheck source=/dev/null
. "$(dirname "$0")/tap.sh"

# Documents, and which registers they are about.
cat >"$tmp/documents" <<TEXT
rnndb/bus/pmc.xml			000000 000fff
docs/hw/bus/pmc.rst			000000 000fff
rnndb/bus/pbus.xml			001000 001fff
rnndb/fifo/g80_pfifo.xml		002000 003fff
docs/hw/fifo/dma-pusher.rst		002000 003fff
docs/hw/fifo/puller.rst			002000 003fff
nouveau:engine/fifo/nv50.c		0032ec 0032fc
rnndb/bus/ptimer.xml			009000 009fff
docs/hw/bus/ptimer.rst			009000 009fff
docs/hw/mmio.rst			00a000 00bfff
rnndb/bus/pci.xml			088000 088fff
rnndb/fifo/nv4_pfifo.xml		090000 090fff
rnndb/memory/g80_pfb.xml		100000 100fff
nouveau:subdev/fb/nv50.c		100c94 100c94
docs/hw/io/pstraps.rst			101000 101fff
docs/hw/mmio.rst			300000 30ffff
rnndb/graph/g80_pgraph/pgraph.xml	400000 407fff
rnndb/graph/g80_pgraph/tpc.xml		408000 40ffff
docs/hw/mmio.rst			601000 601fff
docs/hw/mmio.rst			700000 7fffff
TEXT

# Lines "FILE:LINE: REGISTER in FUNCTION" of what has no document. A function begins
# behind the end of the one before, so that comments and tables above it are its own.
uncited() {
	awk -v documents="$tmp/documents" '
	function number(hex,	n, i) {
		for (n = i = 0; i++ < length(hex);)
			n = n * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
		return n
	}
	function judge(	i, d, good) {
		for (i = 1; i <= looks; i++) {
			good = 0
			for (d = 1; d <= docs; d++)
				good = good || (index(text, path[d]) && first[d] <= reg[i] && reg[i] <= last[d])
			if (!good)
				printf "%s: %06x in %s\n", where[i], reg[i], name
		}
		text = name = ""
		looks = 0
	}
	function look(line, before,	rest) {
		for (rest = line; match(rest, before "0x[0-9a-f]+");) {
			where[++looks] = FILENAME ":" FNR
			reg[looks] = substr(rest, RSTART, RLENGTH)
			sub(/.*0x/, "", reg[looks])
			reg[looks] = number(reg[looks])
			rest = substr(rest, RSTART + RLENGTH)
		}
	}
	BEGIN {
		while ((getline line <documents) > 0) {
			split(line, word)
			path[++docs] = word[1]
			first[docs] = number(word[2])
			last[docs] = number(word[3])
		}
	}
	/^static .*\(/ && !/;$/ { name = $0; sub(/\(.*/, "", name); sub(/.*[ *]/, "", name) }
	{ text = text " " $0; look($0, "[^a-z_]rd\\(m, "); look($0, "[.]reg == ") }
	/^}$/ { judge() }
	END { judge() }' "$@"
}

uncited tests/*.h tests/test_*.c >"$tmp/log"
[ ! -s "$tmp/log" ]
tap $? every_register_that_is_looked_at_has_its_document
sed 's/^/# /' "$tmp/log"

# What this test would not see: nothing looked at, a document about something else.
cat >"$tmp/mistakes.c" <<'TEXT'
/* rnndb/bus/ptimer.xml */
static bool wrong(void)
{
	EXPECT(rd(m, 0x9400) == 0 && rd(m, 0x2100) == 0);
}

static bool none(void)
{
	return g.reg == 0x408e08;
}
TEXT
uncited "$tmp/mistakes.c" | sed 's/.*: //' >"$tmp/log"
[ "$(paste -sd, "$tmp/log")" = "002100 in wrong,408e08 in none" ]
tap $? a_missing_and_a_wrong_document_are_seen

# The control area of a channel: what the tests read of it.
grep -oh 'userd([^,]*, 0x[0-9a-f]*' tests/test_*.c | sed 's/.*0x//' | sort -u >"$tmp/read"
sed -n 's,.*rnndb/fifo/g80_pfifo.xml\, USER_DMA: \([0-9a-f ]*[0-9a-f]\).*,\1,p' tests/machine.h |
	tr ' ' '\n' | sort -u >"$tmp/cited"
[ -s "$tmp/read" ] && [ -z "$(comm -23 "$tmp/read" "$tmp/cited")" ]
tap $? words_of_userd_have_their_document
tap_end
