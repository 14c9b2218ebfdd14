# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The other way to learn of completions: nouveau's fences. By the parameter
# completion=fence, or for channels on which the notify sequence cannot be placed.

test_fences_alone_keep_the_same_order() {
	spec '<hi:PRT:-:90::>' '<ht:HT:-:60::>' '<lo1:PRT:-:10::>' '<lo2:PRT:-:10::>'
	load completion=fence
	trace_on
	scene --seconds 0.5 \
		tgload --name hi --bytes 131072 --fills 2 --period-us 900 -- \
		tgload --name ht --bytes 131072 --fills 2 --period-us 1200 --groups-per-frame 4 -- \
		tgload --name lo1 --bytes 131072 --fills 4 -- \
		tgload --name lo2 --bytes 131072 --fills 5
	check_trace --end --min-groups 3000
	want "completed by fence" "$T_fence" = "$T_completed"
	want "recovered" "$(counter recovered)" = 0
	want "verified" "$(counter verified)" = "$(counter submitted)"
	want "groups that found a lower one on the GPU" "$T_behind_lower" -ge 200
	want "overlapping HT groups" "$T_ht_overlaps" -ge 400
}

test_fences_alone_keep_tasks_apart_on_the_gpu() {
	local pids=() c

	spec '<c1:PRT:-:20::>' '<c2:HT:-:30::>'
	load completion=fence
	for c in c1 c2 c3; do
		client $c --groups 150 --fills 4 --stamps --go "$T/go"
		pids+=("$PID")
	done
	ready c1 c2 c3
	touch "$T/go"
	finish "${pids[@]}"
	want "overlaps on the GPU" "$(overlaps c1.out c2.out c3.out)" = 0
}

# A client without a free subchannel completes by fences beside others that do by
# NOTIFY; nobody's order suffers.
test_client_that_uses_all_subchannels_completes_by_fence_beside_others() {
	local full other

	spec '<full:PRT:-:50::>' '<other:PRT:-:10::>'
	load_paper
	trace_on
	client full --all-subcs --groups 200 --fills 3 --go "$T/go"
	full=$PID
	client other --groups 300 --fills 3 --go "$T/go"
	other=$PID
	ready full other
	touch "$T/go"
	finish "$full" "$other"
	check_trace --end --min-groups 500
	want "completed by fence" "$T_fence" -ge 200
	want "completed by NOTIFY" "$T_notify" -ge 300
	want "recovered" "$(counter recovered)" = 0
}

# The client's fills go where they should although the trailer uses a
# subchannel, too: the client checks its pixels.
test_trailer_leaves_every_subchannel_of_a_client_alone() {
	local s

	spec
	load_paper
	for s in 0 1 2 6 7; do
		client "s$s" --subc "$s" --groups 20
		finish "$PID"
	done
	want "recovered" "$(counter recovered)" = 0
}

# client_of_notifiers N: it looks whether each of 50 copies wrote its notifier; sets T_… of the trace
client_of_notifiers() {
	spec
	load_paper
	trace_on
	client copies --notifiers "$1" --groups 50
	finish "$PID"
	check_trace --end --min-groups 50
	want "recovered" "$(counter recovered)" = 0
}

# What a program has of its own: the notifier that M2MF writes with each copy. PGRAPH has one
# for all M2MF objects of a channel.
test_trailer_leaves_a_client_its_notifier() {
	client_of_notifiers 1
	want "completed by NOTIFY" "$T_notify" -ge 50
}

test_client_with_several_notifiers_completes_by_fence() {
	client_of_notifiers 2
	want "completed by fence" "$T_fence" -ge 50
}

# As for the bindings above, of a channel that the module has not seen making them.
test_trailer_leaves_subchannels_of_an_older_channel_alone() {
	local s pids=()

	for s in 0 1 2 6 7; do
		client "s$s" --subc "$s" --groups 20 --go "$T/go"
		pids+=("$PID")
	done
	ready s0 s1 s2 s6 s7
	spec
	load_paper
	touch "$T/go"
	finish "${pids[@]}"
	want "recovered" "$(counter recovered)" = 0
	want "verified" "$(counter verified)" -ge 100
}

# The paper's comparison: one group ends in a tick, however short it is.
test_ticks_let_one_group_end_in_each() {
	local groups t0 ticks

	spec '<lone:PRT:-:50::>' '<other:PRT:-:60::>'
	load_paper tick_us=1000
	trace_on
	load_client lone --cost-us 50 --frames-in-flight 8 --seconds 600
	lone=$PID
	eventually 5 has_groups lone 20
	t0=$(uptime_ms)
	groups=$(gain lone groups 1)
	ticks=$(($(uptime_ms) - t0))
	want "groups in 1000 ticks" "$groups" -ge 950
	# The clock goes by 10 ms.
	want "groups in $ticks ticks" "$groups" -le $((ticks + 10))
	load_client other --cost-us 2000 --groups-per-frame 1 --seconds 0.5
	finish "$PID"
	kill "$lone"
	finish "$lone"
	eventually 5 status_idle
	check_trace --end --min-groups 1000
	want "completed by NOTIFY" "$T_notify" = 0
	want "recovered" "$(counter recovered)" = 0
}

# Of all CPUs.
interrupts() {
	awk '/nvkm/ { for (i = 2; $i ~ /^[0-9]+$/; i++) n += $i } END { print n + 0 }' /proc/interrupts
}

# sixty_groups MODE: sets TAKEN to the interrupts of the card meanwhile and CHARGED to their GPU time,
# us; between two of them the GPU is idle, and nobody waits for the end of one
sixty_groups() {
	local busy

	client some --groups 60 --pause-us 3000 --go "$T/go"
	ready some
	TAKEN=$(interrupts)
	busy=$(counter busy_us)
	touch "$T/go"
	finish "$PID"
	TAKEN=$(($(interrupts) - TAKEN))
	CHARGED=$(($(counter busy_us) - busy))
	rm "$T/go"
	echo "$1: $TAKEN interrupts, $CHARGED us"
}

test_group_whose_end_decides_nothing_raises_no_interrupt() {
	local heard

	spec
	load freerun=0 completion=notify
	sixty_groups "each heard of"
	want "interrupts" "$TAKEN" -ge 60
	heard=$CHARGED
	rmmod timegraph
	load freerun=0
	sixty_groups "none heard of"
	want "interrupts" "$TAKEN" -le 15
	want "verified" "$(counter verified)" = "$(counter submitted)"
	want "recovered" "$(counter recovered)" = 0
	# The CPU's part of a group, which counts as well, is long there.
	! on_debug_kernel || return 0
	# The pauses are not the groups', though it is after them that their ends are found.
	want "GPU time, of a hundred" $((100 * CHARGED / heard)) -ge 97
	want "GPU time, of a hundred" $((100 * CHARGED / heard)) -le 103
}

# meets MODE: sets MEAN to the wait of a group that meets one of 12 ms, us
meets() {
	local long

	client long --groups 1000 --fills 200 --pause-us 5000
	long=$PID
	load_client hi --cost-us 1000 --period-us 20300 --seconds 9999
	eventually 10 has_groups hi 1
	sleep 0.5
	MEAN=$(task hi wait)
	groups=$(task hi groups)
	sleep 2
	groups=$(($(task hi groups) - groups))
	MEAN=$((($(task hi wait) - MEAN) / groups))
	kill "$long" "$PID"
	wait || :
	echo "$1: $MEAN us, $groups groups"
}

# One that begins to wait is woken when what it waits for ends, though nobody was to be told.
test_who_comes_is_told_of_the_end_of_what_is_there() {
	local groups heard

	spec '<long:PRT:-:10::>' '<hi:PRT:-:50::>'
	load freerun=0 lead_us=0 completion=notify
	meets "each heard of"
	heard=$MEAN
	rmmod timegraph
	load freerun=0 lead_us=0
	meets "none heard of"
	want "mean wait, us" "$MEAN" -ge 500
	on_debug_kernel || want "mean wait, us" "$MEAN" -le $((heard + 300))
}
