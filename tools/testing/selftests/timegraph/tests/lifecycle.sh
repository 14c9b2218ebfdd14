# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The module comes and goes while clients run, and clients come and go.

# Clients that run until they are stopped, most of them asleep in the queue.
start_load() {
	local i

	LOAD=()
	for ((i = 1; i <= $1; i++)); do
		tgload --name "load$i" --seconds 86400 --json --work gart --bytes 524288 --fills $((3 + i)) \
			>"$T/load$i.out" 2>"$T/load$i.err" &
		LOAD+=($!)
	done
}

# SIGTERM lets them end in good order and report.
stop_load() {
	kill -TERM "${LOAD[@]}"
	finish "${LOAD[@]}"
}

submitted_more() {
	[ "$(counter submitted)" -ge "$1" ]
}

someone_waits() {
	[ "$(counter waiting)" -ge 1 ]
}

test_running_clients_are_scheduled_when_the_module_comes() {
	start_load 4
	sleep 0.2
	spec '<load1:PRT:-:40::>' '<load2:HT:-:20::>'
	load
	trace_on
	eventually 20 submitted_more 500
	# Three of them may have sent those.
	eventually 20 all_are_there 4
	want "load1's priority" "$(task load1 prio)" = 40
	want "load2's policy" "$(task load2 policy)" = HT
	stop_load
	trace_off
	want "verified" "$(counter verified)" = "$(counter submitted)"
	want "recovered" "$(counter recovered)" = 0
	status_idle || fail "something is left: $(cat $STATUS)"
}

test_running_clients_go_on_when_the_module_goes() {
	local before after

	# The last one has the GPU, so that the others wait whoever is let go first.
	spec '<load4:PRT:-:90::>'
	load
	start_load 4
	eventually 20 submitted_more 300
	eventually 5 someone_waits
	unload
	nobody_asleep || fail "a client sleeps in a module that is gone"
	sleep 0.1
	before=$(uptime_ms)
	stop_load
	after=$(uptime_ms)
	want "time to end, ms" $((after - before)) -le 5000
	for i in 1 2 3 4; do
		want "frames of load$i" "$(frames load$i)" -ge 100
	done
}

# all_are_there N
all_are_there() { [ "$(nr_tasks)" = "$1" ]; }

# Killed while it waits for the GPU, or while its group is on it: gone at once. Each depth
# and each kind of completion; boot-torture has the same on the debug kernel.
test_cycles_of_load_kill_and_remove_leave_nothing() {
	local i victim cycles=$((${TG_LONG:-0} ? 1000 : 6))

	start_load 3
	for ((i = 0; i < cycles; i++)); do
		spec "<load1:PRT:-:$((i % 20))::>" '<victim:HT:-:50::>'
		load ht_depth=$((i % 4 + 1)) completion=$(word $((i % 3)) notify auto fence)
		load_client victim --seconds 600 --work gart --bytes 524288 --fills $((i % 20 + 1))
		victim=$PID
		eventually 20 submitted_more $((20 + i % 20))
		kill -KILL "$victim"
		[ $((i % 2)) = 0 ] || { wait "$victim" || :; }
		unload
		wait "$victim" || :
		want "references to the module" "$(loaded && cat /sys/module/timegraph/refcnt || echo 0)" = 0
	done
	nobody_asleep || fail "a client sleeps"
	spec
	load
	eventually 20 submitted_more 100
	# Two of them may have sent those.
	eventually 20 all_are_there 3
	stop_load
	status_idle || fail "something is left: $(cat $STATUS)"
	if [ -e /sys/kernel/slab/tg_dev_group ] && [ ! -L /sys/kernel/slab/tg_dev_group ]; then
		echo 1 >/sys/kernel/slab/tg_dev_group/shrink
		want "objects in the slab cache tg_dev_group" "$(awk '{ print $1 }' /sys/kernel/slab/tg_dev_group/objects)" = 0
	fi
	unload
}

test_module_cannot_be_loaded_twice_and_comes_back() {
	spec
	load
	! insmod "$(modinfo -n timegraph)" 2>/dev/null || fail "it was loaded twice"
	unload
	load
	client alpha --groups 10
	finish "$PID"
	want "verified" "$(counter verified)" -ge 10
}

# Out-of-range parameters are corrected and reported.
test_parameters_out_of_range_are_corrected() {
	spec
	load ht_depth=0 poll_ms=0 hang_ms=1
	want ht_depth "$(cat /sys/module/timegraph/parameters/ht_depth)" = 1
	want poll_ms "$(cat /sys/module/timegraph/parameters/poll_ms)" = 1
	want hang_ms "$(cat /sys/module/timegraph/parameters/hang_ms)" = 10
	want "reports" "$(log_count 'timegraph: .* is out of range')" = 3
}

test_killed_clients_free_what_they_held() {
	local i pids=()

	spec
	load freerun=0
	for ((i = 0; i < 8; i++)); do
		load_client "k$i" --seconds 600 --bytes 131072 --fills 20
		pids+=("$PID")
	done
	eventually 20 submitted_more 200
	eventually 5 someone_waits
	kill -KILL "${pids[@]}"
	for i in "${pids[@]}"; do
		wait "$i" || :
	done
	eventually 5 status_idle
	client after --groups 20
	finish "$PID"
}

# Killed when the GPU has a long one; nouveau waits for its end then.
left_group() {
	local submitted

	submitted=$(counter submitted)
	client left --groups 1 --fills 2000 --wait
	eventually 5 counter_is submitted $((submitted + 2))
	kill -KILL "$PID"
	wait "$PID" || :
}

# A program that goes does not leave its GPU time to the others to pay.
test_what_a_closed_channel_left_on_the_gpu_is_paid() {
	local submitted long

	spec '<left:PRT:PE:50:20000:100000>'
	load
	busy_ms_of whole_groups
	want "ms of two long groups" "$BUSY_MS" -ge 80
	LONG_MS=$((BUSY_MS / 2))
	submitted=$(counter submitted)
	busy_ms_of left_group
	# But for a short one all are long.
	long=$(($(counter submitted) - submitted - 1))
	want "ms of $long that were left" "$BUSY_MS" -ge $((long * LONG_MS * 95 / 100))
	want "groups whose end was seen" "$(counter verified)" = "$(counter submitted)"
}
