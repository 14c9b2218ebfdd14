# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Clients of all shapes, and broken ones.

test_threads_with_a_channel_each_are_one_task() {
	local pid

	spec '<threads:HT:-:30::>' '<other:PRT:-:10::>'
	load
	trace_on
	client threads --mode threads --threads 3 --groups 100 --go "$T/go"
	pid=$PID
	client other --groups 100 --go "$T/go"
	ready threads other
	want "tasks" "$(nr_tasks)" = 2
	touch "$T/go"
	finish "$pid" "$PID"
	check_trace --end --min-groups 400
	want "channels" "$(grep -c 'tg_channel: new .* comm=threads ' "$T/trace")" = 3
	status_idle || fail "something is left: $(cat $STATUS)"
}

test_child_uses_an_inherited_channel() {
	spec
	load
	trace_on
	client parent --mode fork --groups 60
	finish "$PID"
	grep -q '^child done' "$T/parent.out" || fail "the child did not end well"
	check_trace --end --min-groups 61
	status_idle || fail "something is left: $(cat $STATUS)"
}

test_child_goes_on_with_the_channel_of_a_dead_parent() {
	spec '<orphan:PRT:-:40::>'
	load
	trace_on
	client orphan --mode orphan --groups 60 --go "$T/go"
	finish "$PID"
	touch "$T/go"
	eventually 20 grep -q '^child done' "$T/orphan.out"
	eventually 5 status_idle
	check_trace --end --min-groups 60
}

test_thirty_two_processes_of_mixed_policies_finish() {
	local i pids=() lines=()

	for ((i = 0; i < 32; i++)); do
		# shellcheck disable=SC2102
		lines+=("<p$i:$([ $((i % 3)) = 0 ] && echo HT || echo PRT):-:$((i % 5 * 20))::>")
	done
	spec "${lines[@]}"
	# With one CPU for all of them a turn lapses now and then.
	load lease_us=1000000 ht_depth=4
	trace_on
	for ((i = 0; i < 32; i++)); do
		client "p$i" --groups 15 --fills $((i % 4 + 1)) --go "$T/go"
		pids+=("$PID")
	done
	for ((i = 0; i < 32; i++)); do
		ready "p$i"
	done
	want "tasks" "$(nr_tasks)" = 32
	touch "$T/go"
	finish "${pids[@]}"
	check_trace --end --ht-depth 4 --min-groups 512
	want "levels" "$T_levels" = 5
	status_idle || fail "something is left: $(cat $STATUS)"
}

test_bypass_lets_sleepers_go_and_restore_schedules_again() {
	local before scheduled

	spec '<b1:PRT:-:20::>' '<b2:PRT:-:10::>'
	load
	load_client b1 --seconds 600 --fills 60
	local b1=$PID
	load_client b2 --seconds 600 --fills 60
	local b2=$PID
	eventually 20 submitted_at_least 100
	echo bypass >$CONTROL
	grep -q '^gpu .*: bypass: asked for$' $STATUS || fail "$(grep ^gpu $STATUS)"
	want "online and waiting" "$(counter online) $(counter waiting)" = '0 0'
	sleep 0.3
	want "online and waiting" "$(counter online) $(counter waiting)" = '0 0'
	echo restore >$CONTROL
	grep -q '^gpu .*: scheduling$' $STATUS || fail "$(grep ^gpu $STATUS)"
	before=$(counter submitted)
	eventually 5 submitted_at_least $((before + 100))
	kill "$b1" "$b2"
	finish "$b1" "$b2"
	# A frame is a group. Those of the bypass may have gone by unseen.
	scheduled=$(counter submitted)
	want "groups that were not scheduled" $(($(frames b1) + $(frames b2) - scheduled)) -ge 50
	! echo nonsense >$CONTROL 2>/dev/null || fail "nonsense was taken"
	status_idle || fail "something is left: $(cat $STATUS)"
}

submitted_at_least() {
	[ "$(counter submitted)" -ge "$1" ]
}

# A broken client beside a good one: the good one's frames go on, the completions
# of both are verified, and nobody is taken for stuck.
broken() {
	local kind=$1

	spec '<good:PRT:-:10::>' '<broken:PRT:-:50::>'
	load
	trace_on
	load_client good --seconds 0.25 --bytes 131072 --fills 4
	local good=$PID
	load_client broken --seconds 0.2 --bytes 131072 --fills 4 --fault "$kind" --fault-every 32
	local broken=$PID
	finish "$good"
	# What becomes of the broken one itself is nouveau's business.
	[ "$kind" = no-prefetch ] || kill -KILL "$broken" 2>/dev/null || :
	wait "$broken" || :
	rate "frames of the good one" "$(frames good)" -ge 200
	eventually 5 status_idle
	check_trace --end
	want "stuck" "$(counter stuck)" = 0
}

# expect: nouveau .* gr:[ ]
# expect: nouveau .* fifo:[ ]
test_illegal_methods_harm_only_their_client() {
	broken method
	unload
	broken value
	unload
	broken object
	unload
	broken command
}

# expect: nouveau .* (gr|fb|fifo):[ ]
test_unmapped_addresses_harm_only_their_client() {
	broken address
	unload
	broken push
}

# expect: nouveau .* fifo:[ ]
test_object_that_does_not_exist_harms_only_its_client() {
	broken bind
}

test_segments_without_prefetch_are_scheduled() {
	broken no-prefetch
	want "frames of the odd one" "$(frames broken)" -ge 0
	want "submitted" "$(counter submitted)" = "$(counter verified)"
}

channels() {
	[ "$(grep -c 'tg_channel: new ' $TRACING/trace)" -ge "$1" ]
}

# The card has 128 channels, some of which are nouveau's own.
test_a_hundred_and_twenty_channels_at_once() {
	local i pids=()

	# A budget that lasts: tg-check-trace does not know who waits for the next.
	spec '<many1:HT:-:30::>' '<many2:PRT:PE:20:2500000:5000000>'
	# With one CPU for all of them a turn lapses now and then.
	load lease_us=1000000
	trace_on
	for i in 1 2 3; do
		client "many$i" --mode threads --threads 40 --groups 3 --fills 1 --go "$T/go"
		pids+=("$PID")
	done
	eventually 60 channels 120
	touch "$T/go"
	finish "${pids[@]}"
	check_trace --end --min-groups 480
	want "groups" "$(counter submitted)" -ge 480
	rate "those whose end was seen" "$(counter verified)" = "$(counter submitted)"
	status_idle || fail "something is left: $(cat $STATUS)"
}

# Threads of one channel overtake each other on their way to the ring. However many a task has,
# a part of them stands in the queue, which is walked with interrupts off.
test_threads_of_a_channel_go_in_its_order() {
	spec '<many:PRT:-:30::>'
	load lease_us=1000000
	trace_on
	client beside --groups 50 --fills 1
	pids=("$PID")
	client many --mode shared --threads 400 --groups 2 --fills 20
	finish "${pids[@]}" "$PID"
	check_trace --end --min-groups 850 | tee "$T/check"
	want "groups that wait at a time" "$(sed -n 's/.*most_waiting=\([0-9]*\).*/\1/p' "$T/check")" -le 129
	rate "groups that wait at a time" "$(sed -n 's/.*most_waiting=\([0-9]*\).*/\1/p' "$T/check")" -ge 120
	rate "those whose end was seen" "$(counter verified)" = "$(counter submitted)"
	status_idle || fail "something is left: $(cat $STATUS)"
}

# Each has 304 MiB, the card 512: nouveau refuses groups of one of them at least, and with
# them it ends.
# expect: nouveau .* (fail ttm_validate|validating bo list|validate: -12)
test_gpu_out_of_memory_harms_only_who_asks_for_more() {
	local i before other refused=0 pids=()

	spec '<other:PRT:-:10::>' '<big1:PRT:-:60::>'
	load
	load_client other --seconds 600 --bytes 131072 --fills 3 --period-us 1000
	other=$PID
	eventually 20 has_groups other 5
	for i in 1 2; do
		load_client "big$i" --seconds 20 --work copy --buffers 38 --bytes 4194304 --fills 1
		pids[i]=$PID
	done
	on_debug_kernel || eventually 20 counter_is cancelled 1
	for i in 1 2; do
		wait "${pids[i]}" || refused=$((refused + 1))
	done
	rate "clients without memory" $refused -ge 1
	rate "turns given back" "$(counter cancelled)" -ge 1
	before=$(task other groups)
	eventually 5 has_groups other $((before + 100))
	kill "$other"
	finish "$other"
	eventually 5 status_idle
	nobody_asleep || fail "somebody sleeps"
}

# Its threads guess the number of a channel before it is known and after it is gone.
test_channels_that_are_freed_under_calls_do_no_harm() {
	spec '<race:PRT:PE:50:20000:100000>'
	load
	load_client victim --seconds 600 --cost-us 500
	VICTIM=$PID
	tgrace --name race --seconds 3 >"$T/race.out" 2>&1 || fail "$(cat "$T/race.out")"
	cat "$T/race.out"
	kill "$VICTIM"
	finish "$VICTIM"
	eventually 5 status_idle
	want "groups whose end was seen" "$(counter running)" = 0
}

# NOUVEAU_GEM_PUSHBUF_SYNC: tgsync fails if a call returns before the group has ended.
test_call_that_waits_for_its_group_returns_after_it() {
	spec
	load
	tgsync --groups 5 --hold-ms 20 >"$T/sync.out" 2>&1 || fail "$(cat "$T/sync.out")"
	eventually 5 status_idle
	want "groups" "$(counter submitted)" -ge 5
	want "stuck" "$(counter stuck)" = 0
}
