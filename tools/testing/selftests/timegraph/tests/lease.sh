# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Programs that are given their turn and do not use it, by PUSHBUF (tgstall) and by EXEC:
# it goes on to the next, and what the others lose by that is bounded.

EXEC=(tgexec --seconds 600 --stall-ms 50)
# On a debug kernel, too, where honest turns lapse then.
LEASE=lease_us=10000

# start_stallers N PROGRAM OPTION…
start_stallers() {
	local i n=$1
	shift

	STALLERS=()
	for ((i = 1; i <= n; i++)); do
		"$@" --name "stall$i" >/dev/null 2>"$T/stall$i.err" &
		STALLERS+=($!)
	done
	for ((i = 1; i <= n; i++)); do
		eventually 20 has_groups "stall$i" 1
	done
}

stop_all() {
	kill "$@"
	wait "$@" || :
	eventually 20 status_idle
	nobody_asleep || fail "somebody sleeps"
}

# beside_stallers PERCENT N PROGRAM OPTION…: the groups that the victim has beside them are
# so many of those that it has alone; on a debug kernel it is only told
beside_stallers() {
	local alone beside percent=$1
	shift

	load_client victim --seconds 600 --cost-us 2500 --period-us 4000
	eventually 20 has_groups victim 50
	alone=$(gain victim groups 1)
	start_stallers "$@"
	beside=$(gain victim groups 2)
	echo "$alone groups a second alone, $((beside / 2)) beside $1 that stall;" \
		"$(counter abandoned) turns lapsed"
	on_debug_kernel ||
		want "groups beside them, of those alone, %" $((50 * beside / alone)) -ge "$percent"
}

# turns_lapsed N PROGRAM OPTION…: and the victim keeps its rate
turns_lapsed() {
	beside_stallers 90 "$@"
	want "turns that lapsed" "$(counter abandoned)" -ge 2
	stop_all "$PID" "${STALLERS[@]}"
}

test_turn_that_is_not_used_costs_the_others_little() {
	spec '<victim:PRT:-:60::>'
	load "$LEASE"
	turns_lapsed 1 tgstall
}

test_many_that_do_not_use_their_turns_cost_no_more() {
	spec
	load "$LEASE"
	turns_lapsed 6 tgstall
}

# Each as long as it may, so that none lapses at first.
test_many_that_hold_their_turns_cost_no_more() {
	spec
	load "$LEASE"
	turns_lapsed 6 tgstall --stall-ms 9
}

test_many_that_hold_their_turns_briefly_cost_no_more() {
	spec
	load "$LEASE"
	turns_lapsed 6 tgstall --stall-ms 1
}

# Not as long as to lapse: it costs him what the GPU idles.
test_many_that_hold_their_turns_for_less_cost_no_more() {
	spec
	load "$LEASE" freerun=0
	load_client victim --seconds 600 --cost-us 100
	eventually 20 has_groups victim 50
	start_stallers 6 tgstall --stall-ms 0.2
	rate "GPU time of the program beside them, us in a second" "$(gain victim gpu 1)" -ge 500000
	stop_all "$PID" "${STALLERS[@]}"
}

# The GPU has that one, and idles all the same.
# expect: nouveau .*
test_group_that_waits_on_the_gpu_is_no_cover() {
	local waits

	spec
	load "$LEASE" freerun=0
	client waits --groups 1 --hold-ms 600000
	waits=$PID
	eventually 20 counter_is running 1
	beside_stallers 90 6 tgstall --stall-ms 9
	want "groups that are set aside" "$(counter hung)" = 1
	kill "$waits" "$PID" "${STALLERS[@]}"
	wait
}

# Who lost the CPU twice at a bad moment, say, goes on as if nothing had been.
test_turns_that_lapsed_by_accident_are_forgiven() {
	spec
	load "$LEASE" freerun=0
	load_client victim --seconds 600 --cost-us 2500 --period-us 4000
	eventually 20 has_groups victim 50
	start_stallers 1 tgstall --stall-ms 20 --stalls 4
	eventually 20 counter_is abandoned 2
	rate "its groups in the second after" "$(gain stall1 groups 1)" -ge 100
	stop_all "$PID" "${STALLERS[@]}"
}

# Nobody can complain whom it goes before.
test_who_is_more_important_may_hold_its_turns() {
	spec '<stall1:HT:-:90::>'
	load "$LEASE"
	load_client lower --seconds 600 --cost-us 2500 --period-us 4000
	eventually 20 has_groups lower 50
	start_stallers 1 tgstall --stall-ms 4
	eventually 20 has_groups stall1 50
	rate "turns that lapsed" "$(counter abandoned)" = 0
	stop_all "$PID" "${STALLERS[@]}"
}

test_exec_without_its_entries_costs_the_others_little() {
	need_exec
	spec '<victim:PRT:-:60::>'
	load "$LEASE"
	turns_lapsed 1 "${EXEC[@]}"
}

test_many_execs_without_their_entries_cost_no_more() {
	need_exec
	spec
	load "$LEASE"
	turns_lapsed 6 "${EXEC[@]}"
}

# What a group waits for is read before its turn.
test_exec_without_what_it_waits_for_has_no_turn() {
	need_exec
	spec '<victim:PRT:-:60::>' '<stall1:HT:-:90::>'
	load lease_us=1000000
	beside_stallers 95 1 "${EXEC[@]}" --stall-waits --after --ahead 2
	want "groups of the one that stalls" "$(task stall1 groups)" -ge 10
	want "turns that lapsed" "$(counter abandoned)" = 0
	stop_all "$PID" "${STALLERS[@]}"
}

# One that lapsed runs out of turn, but it pays for that and is counted.
late_group_is_charged() {
	spec '<victim:PRT:-:60::>' '<stall1:PRT:PE:50:1000:100000>'
	load "$LEASE"
	trace_on
	load_client victim --seconds 600 --cost-us 2500 --period-us 4000
	start_stallers 1 "$@"
	eventually 20 counter_is abandoned 2
	# What lapsed second is submitted only now.
	eventually 20 has_groups stall1 3
	stop_all "$PID" "${STALLERS[@]}"
	trace_off
	want "groups of the one that stalls that ended" "$(task_ends stall1)" -ge 2
	want "submitted" "$(counter submitted)" = $(($(counter verified) + $(counter recovered) +
		$(counter dropped)))
}

test_group_that_comes_after_its_turn_is_charged() {
	late_group_is_charged tgstall --stall-ms 20
}

test_exec_that_comes_after_its_turn_is_charged() {
	need_exec
	late_group_is_charged "${EXEC[@]}" --stall-ms 20
}

# task_ends NAME: groups of its channel that completed, from the trace
task_ends() {
	local chid

	chid=$(sed -n "s/.*tg_channel: new chid=\([0-9]*\) comm=$1 .*/\1/p" "$T/trace" | head -n 1)
	grep -c "tg_complete: .*chid=$chid " "$T/trace" || :
}

refused() {
	! rmmod timegraph 2>/dev/null
}

# Refused at once, which harms nobody, instead of a removal that hangs.
refused_at_once() {
	local t0

	t0=$(uptime_ms)
	refused || fail "it was removed"
	want "time of the refusal, ms" $(($(uptime_ms) - t0)) -le 500
}

removal_is_refused() {
	local beside

	spec
	load freerun=0
	# So that its turn comes when what was read before it is gone again.
	load_client beside --cost-us 5000 --seconds 600
	beside=$PID
	start_stallers 1 "$@" --stall-ms 4000
	sleep 0.5
	refused_at_once
	want "scheduling" "$(grep -c '^gpu .*: scheduling$' $STATUS)" = 1
	kill "${STALLERS[@]}" "$beside"
	wait "${STALLERS[@]}" "$beside" || :
	unload
}

test_turn_that_waits_for_its_memory_refuses_the_removal() {
	removal_is_refused tgstall
}

test_exec_that_waits_for_its_memory_refuses_the_removal() {
	need_exec
	removal_is_refused "${EXEC[@]}"
}
