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

	! on_debug_kernel || skip "the debug kernel has no time for it"
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

# Cards have numbers in the order in which they are used first.
knows_the_second_card() {
	tgvram gpu=1 open channel reserve=1 >"$T/known.out"
	said known 'reserve ok' || fail "$(cat "$T/known.out")"
}

# While a thread of a program waits for the first card, no other gets anything of the second: a
# reservation and a buffer wait with it, or the buffer is put elsewhere. So two that want both never
# wait for each other.
test_who_waits_for_a_card_gets_nothing_of_the_next() {
	local holder i

	spec
	load vram=1 vram_beyond=refuse
	vram_client holder open channel reserve=400
	holder=$PID
	eventually 20 said holder 'reserve ok'
	knows_the_second_card
	vram_client buffer open behind=100 gpu=1 open channel try=10 alloc=1,8
	vram_client reserve open behind=100 gpu=1 open channel reserve=10
	eventually 20 said buffer 'try EAGAIN'
	sleep 0.3
	for i in buffer reserve; do
		! grep -q '^alloc\|^behind\|^reserve' "$T/$i.out" || fail "$i: $(cat "$T/$i.out")"
	done
	tgctl vram --beyond spill >/dev/null || fail "tgctl vram"
	vram_client spilled open behind=100 gpu=1 open channel alloc=1,8 where
	eventually 20 said spilled 'where vram=0 gart=1'
	# Others may have it meanwhile.
	tgvram gpu=1 open channel reserve=480 >"$T/second.out"
	said second 'reserve ok' || fail "$(cat "$T/second.out")"
	kill "$holder"
	for i in buffer reserve spilled; do
		eventually 20 said "$i" 'behind ok'
	done
	eventually 20 said buffer 'alloc ok'
	eventually 20 said reserve 'reserve ok'
	pkill_children
}

# Each has one card, and asks for the other: one is told so.
test_two_programs_do_not_wait_for_each_other_on_two_cards() {
	spec
	load vram=1
	mkfifo "$T/a" "$T/b"
	tgvram open channel reserve=1 >"$T/first.out"
	knows_the_second_card
	vram_client left open channel reserve=400 "wait=$T/a" gpu=1 open channel reserve=400
	vram_client right gpu=1 open channel reserve=400 "wait=$T/b" gpu=0 open channel reserve=400
	eventually 20 said left 'reserve ok'
	eventually 20 said right 'reserve ok'
	echo >"$T/a"
	echo >"$T/b"
	eventually 20 said right 'reserve EDEADLK'
	sleep 0.2
	[ "$(grep -c ^reserve "$T/left.out")" = 1 ] || fail "$(cat "$T/left.out")"
	kill "$PID"
	eventually 20 said_twice left 'reserve ok'
	pkill_children
}
