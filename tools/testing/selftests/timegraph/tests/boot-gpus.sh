# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Two cards: each is scheduled by itself.
#
# boot: --gpus 2

# on GPU NAME OPTION…: a client of the card; sets $PID
on() {
	local node=/dev/dri/renderD$((128 + $1)) name=$2
	shift 2

	load_client "$name" --device "$node" "$@"
}

# of_gpu LINE KEY: of the LINE-th GPU's groups
of_gpu() {
	grep '^  groups:' $STATUS | sed -n "$1p" | grep -o "$2=[0-9]*" | cut -d= -f2
}

# Long enough that to begin and to end, on one CPU, is nothing beside it.
test_groups_of_two_cards_do_not_wait_for_each_other() {
	local first alone

	spec
	load
	on 0 alone --frames 3000 --fills 10
	finish "$PID"
	alone=$(report alone fps)
	on 0 left --frames 3000 --fills 10
	first=$PID
	on 1 right --frames 3000 --fills 10
	finish "$first" "$PID"
	want "GPUs" "$(grep -c ^gpu $STATUS)" = 2
	echo "alone $alone fps, beside each other $(report left fps) and $(report right fps)"
	for n in left right; do
		awk -v a="$alone" -v b="$(report $n fps)" 'BEGIN { exit !(b >= 0.97 * a) }' ||
			fail "$n is slower than alone"
	done
	for n in 1 2; do
		want "submitted" "$(of_gpu $n submitted)" -ge 3000
		want "verified" "$(of_gpu $n verified)" = "$(of_gpu $n submitted)"
		want "recovered" "$(of_gpu $n recovered)" = 0
	done
}

test_bypass_of_one_card_leaves_the_other() {
	spec
	load
	on 0 a --frames 20
	finish "$PID"
	on 1 b --frames 20
	finish "$PID"
	tgctl bypass 0 >/dev/null || fail "tgctl bypass"
	on 0 a --frames 20
	finish "$PID"
	on 1 b --frames 20
	finish "$PID"
	want "GPUs that are scheduled" "$(grep -c '^gpu .*: scheduling$' $STATUS)" = 1
	want "ungated groups, sorted" "$(for n in 1 2; do of_gpu $n ungated; done | sort -n | head -1)" = 0
	want "ungated groups, sorted" "$(for n in 1 2; do of_gpu $n ungated; done | sort -n | tail -1)" -ge 20
	tgctl restore 0 >/dev/null
}
