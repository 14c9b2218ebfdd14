# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Injected faults of the GPU: each ends in the documented way, and the other
# tasks go on. The channel of a fault tells which test meets it; interrupts are
# counted from the boot, so the tests that lose some keep this order, and run together: of one
# that is left out the next test meets the fault.
#
# boot: --fault lost-nonstall:200,lost-irq:150,late-irq:600:30000,late-irq:1000:5000,lost-irq@8:1-,page-fault@5:30-,hang@6:30-,hang@9:30000

# two_run GROUPS: two clients at different levels, to their end
two_run() {
	client f1 --groups "$1" --fills 3 --go "$T/go"
	local f1=$PID
	client f2 --groups "$1" --fills 3 --go "$T/go"
	ready f1 f2
	touch "$T/go"
	finish "$f1" "$PID"
}

# Idle clients on channels $1 and up, so that the next one gets channel $2.
fill_channels() {
	local n

	HOLDERS=()
	for ((n = $1; n < $2; n++)); do
		client "hold$n" --groups 1 --go "$T/go.hold"
		HOLDERS+=("$PID")
		ready "hold$n"
	done
}

# On channel 2, which no fault is meant for.
start_other() {
	load_client other --seconds 600 --bytes 131072 --fills 3
	other=$PID
	eventually 20 has_groups other 5
}

release_channels() {
	touch "$T/go.hold"
	finish "${HOLDERS[@]}"
}

# One group at a time: the interrupt of a later one would tell of the lost one's end too.
test_lost_nonstall_interrupt_is_recovered_by_polling() {
	spec '<f1:PRT:-:20::>'
	load_paper completion=fence poll_ms=10
	trace_on
	two_run 200
	check_trace --end --min-groups 400
	want "recovered" "$(counter recovered)" = 1
	want "recovered, in the trace" "$T_poll" = 1
	want "stuck" "$(counter stuck)" = 0
}

test_lost_interrupt_is_recovered_by_polling() {
	spec '<f1:PRT:-:20::>'
	load_paper poll_ms=10
	trace_on
	two_run 200
	check_trace --end --min-groups 400
	want "recovered" "$(counter recovered)" = 1
	want "recovered, in the trace" "$T_poll" = 1
	want "verified" "$(counter verified)" = $(($(counter submitted) - 1))
	want "stuck" "$(counter stuck)" = 0
}

# Later than two polls: the group was recovered, the interrupt is nobody's.
test_interrupt_later_than_polling_is_counted_as_foreign() {
	spec '<f1:PRT:-:20::>'
	load_paper poll_ms=5
	trace_on
	two_run 200
	eventually 5 counter_is foreign_notify 1
	check_trace --end --min-groups 400
	# A group that ends as that interrupt comes shares it, and is found by polling too.
	want "recovered" "$(counter recovered)" -ge 1
	want "recovered" "$(counter recovered)" -le 2
	want "foreign" "$(counter foreign_notify)" = 1
	want "stuck" "$(counter stuck)" = 0
}

# longest_by HOW: GPU time of a group, in ns, that was found to have ended so
longest_by() {
	sed -n "s/.* by=$1 .*cost_cpu_ns=\([0-9]*\).*/\1/p" "$T/trace" | sort -n | tail -n 1
}

# Another one waits meanwhile, but for less than 10 ms.
test_interrupt_late_by_less_than_polling_completes_its_group() {
	spec '<f1:PRT:-:20::>'
	load_paper poll_ms=100
	trace_on
	two_run 200
	check_trace --end --min-groups 400
	want "recovered" "$(counter recovered)" = 0
	want "foreign" "$(counter foreign_notify)" = 0
	want "longest completion, ns" "$(longest_by notify)" -ge 4000000
}

test_channel_that_loses_every_interrupt_falls_back_to_fences() {
	local warning='timegraph: no NOTIFY from channel 8 \(deaf\), using fences for it'

	spec '<deaf:PRT:-:20::>'
	load_paper poll_ms=10
	trace_on
	fill_channels 2 8
	client deaf --groups 200 --fills 3
	local deaf=$PID
	ready deaf
	client other --groups 200 --fills 3
	finish "$deaf" "$PID"
	want "deaf's channel" "$(channel_of deaf)" = 8
	release_channels
	check_trace --end --min-groups 400
	want "recovered" "$(counter recovered)" = 4
	eventually 5 logged "$warning" 1
	want "completed by fence" "$T_fence" -ge 190
	want "stuck" "$(counter stuck)" = 0
}

# Whoever waits does not wait for poll_ms.
test_lost_interrupts_hold_nobody_up_for_long() {
	local deaf

	spec '<deaf:PRT:-:20::>'
	load_paper
	trace_on
	fill_channels 2 8
	client deaf --groups 200 --fills 3
	deaf=$PID
	ready deaf
	client other --groups 200 --fills 3
	finish "$deaf" "$PID"
	release_channels
	check_trace --end --min-groups 400
	want "recovered" "$(counter recovered)" = 4
	want "longest of them, ns" "$(longest_by poll)" -le 15000000
}

# expect: nouveau .* (gr|fb):[ ]
test_page_fault_harms_only_its_client() {
	local victim other before

	spec '<other:PRT:-:10::>' '<victim:PRT:-:20::>'
	load_paper poll_ms=10 hang_ms=200
	trace_on
	start_other
	fill_channels 3 5
	load_client victim --seconds 600 --work copy --bytes 131072 --fills 3 --period-us 2000
	victim=$PID
	eventually 20 has_task victim
	want "victim's channel" "$(channel_of victim)" = 5
	eventually 20 trapped
	before=$(task other groups)
	eventually 5 has_groups other $((before + 300))
	kill -KILL "$victim"
	wait "$victim" || :
	kill "$other"
	finish "$other"
	release_channels
	eventually 20 status_idle
	check_trace --end
	nobody_asleep || fail "somebody sleeps"
}

no_threads_in_hooks() {
	[ "$(in_hooks "$1")" = 0 ]
}

has_task() {
	[ -n "$(task "$1" pid)" ]
}

trapped() {
	[ "$(log_count 'nouveau .* (trap|fault|TRAP|FAULT)')" -ge 1 ]
}

# expect: nouveau .* (gr|fb|fifo):[ ]
# expect: nouveau .*victim.* failed to idle channel
# expect: timegraph: a group of channel 6 \(victim\) is on the GPU for .* stuck
# expect: timegraph: channel 6 \(victim\) hangs again: refused until it is closed
test_group_that_never_completes_is_stuck_and_the_others_go_on() {
	local victim other before

	spec '<victim:HT:-:20::>' '<other:PRT:-:10::>'
	load_paper poll_ms=10 hang_ms=50
	trace_on
	start_other
	fill_channels 3 6
	load_client victim --seconds 600 --bytes 131072 --fills 3 --period-us 1000 --frames-in-flight 4
	victim=$PID
	eventually 20 has_task victim
	want "victim's channel" "$(channel_of victim)" = 6
	eventually 20 counter_is stuck 1
	eventually 5 logged 'timegraph: .* channel 6 \(victim\) .* stuck' 1
	before=$(task other groups)
	eventually 5 has_groups other $((before + 300))
	grep -q '^gpu .*: scheduling$' $STATUS || fail "$(grep ^gpu $STATUS)"
	# The others' groups end: it hangs by itself, and is refused in the end.
	eventually 5 counter_is refused 1
	eventually 5 no_threads_in_hooks "$victim"
	want "threads of the victim in the hooks" "$(in_hooks "$victim")" = 0
	# nouveau waits for its channel to become idle, for 15 s; the others do not.
	kill -KILL "$victim"
	before=$(task other groups)
	eventually 5 has_groups other $((before + 300))
	kill "$other"
	finish "$other"
	wait "$victim" || :
	release_channels
	eventually 60 status_idle
	want "channels taken for stuck" "$(counter stuck)" = 1
	check_trace --end
	want "groups taken for stuck, in the trace" "$T_stuck" -ge 1
	nobody_asleep || fail "somebody sleeps"
}

# expect: nouveau .*victim.* failed to idle channel
# expect: timegraph: a group of channel 9 \(victim\) is on the GPU for .* stuck
# expect: timegraph: channel 9 \(victim\) hangs again: refused until it is closed
# It runs free, so nobody looks at its groups: that they do not end is seen by polls. It waits for
# its frame in user space, with less there than it may have: it asks no more, by which that would end.
test_hang_of_who_runs_free_is_found() {
	local victim other submitted

	spec
	load poll_ms=10 hang_ms=50
	trace_on
	fill_channels 2 9
	load_client victim --seconds 600 --cost-us 50 --frames-in-flight 1 --groups-per-frame 10
	victim=$PID
	eventually 20 has_task victim
	want "victim's channel" "$(channel_of victim)" = 9
	echo 0 >$TRACING/events/timegraph/enable
	eventually 20 ran_free 1000
	submitted=$(counter submitted)
	want "stuck" "$(counter stuck)" = 0
	eventually 20 counter_is stuck 1
	want "groups that asked since" $(($(counter submitted) - submitted)) -ge 1
	load_client other --seconds 600 --cost-us 2000
	other=$PID
	eventually 20 has_groups other 200
	kill -KILL "$victim"
	eventually 20 has_groups other 400
	kill "$other"
	finish "$other"
	wait "$victim" || :
	release_channels
	eventually 60 status_idle
	nobody_asleep || fail "somebody sleeps"
}
