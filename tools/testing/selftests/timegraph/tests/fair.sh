# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Fair queuing: what programs without an entry get of the GPU, and those with a weight.

# start NAME MICROSECONDS [OPTION]…: a program that sends such groups until the test ends
start() {
	load_client "$1" --seconds 9999 --cost-us "${@:2}"
}

# shares NAME…: of what these are charged in a second, in per cent
shares() {
	local -A from
	local n sum=0

	sleep 0.5
	for n in "$@"; do from[$n]=$(task "$n" gpu); done
	sleep 2
	for n in "$@"; do
		from[$n]=$(($(task "$n" gpu) - from[$n]))
		sum=$((sum + from[$n]))
	done
	for n in "$@"; do
		printf -v "share_$n" %s $(((1000 * from[$n] / sum + 5) / 10))
		echo "$n: $((from[$n] / 1000)) ms, $((1000 * from[$n] / sum)) of 1000"
	done
	used=$sum
}

# share NAME FROM TO
share() {
	local got="share_$1"

	want "share of $1" "${!got}" -ge "$2"
	want "share of $1" "${!got}" -le "$3"
}

test_unlisted_programs_share_the_gpu_whatever_their_groups() {
	spec
	load
	trace_on
	start short 2000
	start long 20000
	shares short long
	check_trace --min-groups 500
	share short 49 51
	share long 49 51
	want "policy" "$(task short policy)" = FQ
	want "GPU time of 2 s, ms" $((used / 1000)) -ge 1970
}

# Plain nouveau gives it half, for the GPU goes round among channels.
test_program_that_waits_for_each_group_has_its_share() {
	spec
	load
	start waits 2000 --frames-in-flight 1
	start long 20000
	shares waits long
	share waits 46 52
}

test_weights_are_shares() {
	spec '<four:FQ=400:BG:0::>' '<*:FQ:BG:0::>'
	load
	start four 2000
	start one 20000
	shares four one
	share four 79 81
	tgctl set --policy FQ=900 one
	tgctl set --policy FQ=100 four
	want "weight" "$(tgctl list tasks --json | sed -n 's/.*"weight": *900.*/900/p' | head -n 1)" = 900
	shares four one
	share one 89 91
}

test_fifo_gives_turns_by_groups_as_the_paper_has_it() {
	spec '<*:FIFO:BG:0::>'
	load
	start short 2000
	start long 20000
	shares short long
	want "policy" "$(task short policy)" = PRT
	share short 8 10
}

# A compositor that nobody listed, beside five bombs that nobody listed: a group, not one of each.
test_program_that_draws_now_and_then_is_next_when_it_comes() {
	local i groups wait

	spec
	load
	for i in 1 2 3 4 5; do start "bomb$i" 2000; done
	start eye 1000 --period-us 16667
	sleep 1
	groups=$(task eye groups)
	wait=$(gain eye wait 2)
	groups=$(($(task eye groups) - groups))
	want "frames in 2 s" $groups -ge 117
	want "wait of each, us" $((wait / groups)) -le 2000
}

# Their threads wait for the CPU when their turn comes, and nobody is to wait for that with the
# GPU idle, group after group: then it had 55 in a hundred.
test_turn_is_not_kept_for_who_waits_for_the_cpu() {
	local plain

	coupled_groups
	coupled_frames
	plain=$FRAMES
	spec
	load freerun=0
	trace_on
	coupled_frames
	check_trace --min-groups 300
	echo "$plain groups in 3 s without the module, $FRAMES with it," \
		"$(counter passed) turns of who did not come"
	want "turns of who did not come" "$(counter passed)" -ge 50
	want "groups, of a hundred without the module" $((100 * FRAMES / plain)) -ge 75
	eventually 5 status_idle
}
