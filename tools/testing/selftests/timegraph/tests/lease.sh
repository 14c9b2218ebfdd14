# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Programs that are given their turn and do not use it (tgstall): it goes on to the next,
# and what the others lose by that is bounded.

# start_stallers N OPTION…
start_stallers() {
	local i n=$1
	shift

	STALLERS=()
	for ((i = 1; i <= n; i++)); do
		tgstall --name "stall$i" "$@" >/dev/null 2>"$T/stall$i.err" &
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

# beside_stallers N: of the groups that the victim has alone, in per cent
beside_stallers() {
	local alone beside

	load_client victim --seconds 600 --cost-us 2500 --period-us 4000
	eventually 20 has_groups victim 50
	alone=$(gain victim groups 1)
	start_stallers "$1"
	beside=$(gain victim groups 2)
	echo "$alone groups a second alone, $((beside / 2)) beside $1 that stall;" \
		"$(counter abandoned) turns lapsed"
	want "turns that lapsed" "$(counter abandoned)" -ge 2
	want "groups beside them, of those alone, %" $((50 * beside / alone)) -ge 90
	stop_all "$PID" "${STALLERS[@]}"
}

test_turn_that_is_not_used_costs_the_others_little() {
	spec '<victim:PRT:-:60::>'
	load
	beside_stallers 1
}

test_many_that_do_not_use_their_turns_cost_no_more() {
	spec
	load
	beside_stallers 6
}

# One that lapsed runs out of turn, but it pays for that and is counted.
test_group_that_comes_after_its_turn_is_charged() {
	spec '<victim:PRT:-:60::>' '<stall1:PRT:PE:50:1000:100000>'
	load
	trace_on
	load_client victim --seconds 600 --cost-us 2500 --period-us 4000
	start_stallers 1 --stall-ms 20
	eventually 20 counter_is abandoned 2
	stop_all "$PID" "${STALLERS[@]}"
	trace_off
	want "groups of the one that stalls that ended" "$(task_ends stall1)" -ge 2
	want "submitted" "$(counter submitted)" = $(($(counter verified) + $(counter recovered) +
		$(counter dropped)))
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
test_turn_that_waits_for_its_memory_refuses_the_removal() {
	local t0

	spec
	load
	start_stallers 1 --stall-ms 4000
	sleep 0.5
	t0=$(uptime_ms)
	refused || fail "it was removed"
	want "time of the refusal, ms" $(($(uptime_ms) - t0)) -le 500
	want "scheduling" "$(grep -c '^gpu .*: scheduling$' $STATUS)" = 1
	kill "${STALLERS[@]}"
	wait "${STALLERS[@]}" || :
	unload
}
