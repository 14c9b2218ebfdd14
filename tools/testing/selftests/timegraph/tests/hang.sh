# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Programs whose groups wait on the GPU for what they themselves hold back: a hang is
# their channels', costs what it takes, and does not switch anything off.
#
# On two CPUs, where nouveau finds no reason for most of its interrupts: none of that may have the
# kernel switch them off.
# boot: --smp 2

# The identity of the counters, at one look.
balanced() {
	sed -n 's/^  groups: //p' $STATUS | tr ' ' '\n' | awk -F= '
		{ n[$1] = $2 }
		END { sum = n["verified"] + n["recovered"] + n["dropped"] + n["running"]
			if (n["submitted"] == sum) exit 0
			print "submitted " n["submitted"] ", accounted for " sum; exit 1 }'
}

start_victim() {
	load_client victim --seconds 600 --bytes 131072 --fills 3 "$@"
	victim=$PID
	eventually 20 has_groups victim 5
}

# hogs N OPTION…: at the same time
hogs() {
	local i n=$1
	shift

	HOGS=()
	for ((i = 1; i <= n; i++)); do
		client "hog$i" --go "$T/go" "$@"
		HOGS+=("$PID")
	done
	for ((i = 1; i <= n; i++)); do
		ready "hog$i"
	done
	touch "$T/go"
}

# expect: timegraph: a group of channel .* \(hog.\) is on the GPU for .* stuck
# expect: timegraph: channel .* \(hog.\) hangs again: refused until it is closed
test_hung_channels_of_a_user_do_not_switch_the_scheduler_off() {
	local before i

	# All of them before the victim.
	spec '<victim:PRT:-:10::>' '<hog1:PRT:-:90::>' '<hog2:PRT:-:90::>' \
		'<hog3:PRT:-:90::>' '<hog4:HT:-:90::>'
	load poll_ms=10 hang_ms=50
	trace_on
	start_victim
	hogs 4 --groups 3 --hold-ms 1000
	eventually 20 counter_is hung 4
	grep -q '^gpu .*: scheduling$' $STATUS || fail "$(grep ^gpu $STATUS)"
	before=$(task victim groups)
	eventually 5 has_groups victim $((before + 100))
	balanced || fail "the counters"
	eventually 5 counter_is refused 4
	for i in 1 2 3 4; do
		eventually 20 is_gone_or_zombie "${HOGS[i - 1]}"
		! wait "${HOGS[i - 1]}" || fail "hog$i went on"
		grep -q 'No such device' "$T/hog$i.err" || fail "hog$i: $(cat "$T/hog$i.err")"
	done
	eventually 20 counter_is_not hung
	kill "$victim"
	finish "$victim"
	check_trace --end
	want "bypasses" "$(grep -c 'tg_bypass: .*stopped completing' "$T/trace" || :)" = 0
	want "stuck" "$(counter stuck)" = 4
	balanced || fail "the counters"
	status_idle || fail "something is left: $(cat $STATUS)"
}

counter_is_not() {
	[ "$(counter "$1")" = 0 ]
}

is_gone_or_zombie() {
	[ ! -e "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status"
}

# expect: timegraph: a group of channel .* \(hog1\) is on the GPU for .* stuck
# task_is_charged NAME US; or has gone
task_is_charged() {
	read_task "$1" gpu
	[ "${VALUE:-$2}" -ge "$2" ]
}

test_long_group_is_charged_as_it_passes_and_goes_on_when_it_ends() {
	local early

	spec '<hog1:PRT:-:50::>'
	load poll_ms=10 hang_ms=50
	hogs 1 --groups 2 --hold-ms 120
	eventually 5 counter_is hung 1
	sleep 0.03
	early=$(task hog1 gpu)
	want "charged while it goes on, us" "$early" -ge 50000
	# Nobody else's groups ended meanwhile: nothing says that it was its fault.
	eventually 5 task_is_charged hog1 110000
	finish "${HOGS[@]}"
	want "refused" "$(counter refused)" = 0
	want "hangs" "$(counter stuck)" = 2
	balanced || fail "the counters"
}

# expect: timegraph: a group of channel .* \(hog1\) is on the GPU for .* stuck
test_hanging_task_pays_from_its_reserve() {
	spec '<hog1:PRT:PE:50:20000:100000>' '<victim:PRT:-:10::>'
	load poll_ms=10 hang_ms=50
	hogs 1 --groups 1 --hold-ms 300
	eventually 5 counter_is hung 1
	sleep 0.1
	want "the reserve's debt, us" "$(awk '$1 == "hog1" && $2 == "PE" { print $NF }' $STATUS)" \
		-ge 20000
	finish "${HOGS[@]}"
	# The task is gone by now, what the GPU did is not.
	want "charged, us" "$(counter busy_us)" -ge 250000
}

goes_on() {
	grep -q 'tg_bypass: .*reason: none' $TRACING/trace
}

# Long work of many, time-sliced: for a while nothing ends and the engine is busy.
# expect: timegraph: a group of channel .* \(slow.\) is on the GPU for .* stuck
# expect: timegraph: channel .* \(slow.\) hangs again: refused until it is closed
# expect: timegraph: the GPU completes nothing any more: bypass
# expect: timegraph: the GPU goes on: scheduling again
test_bypass_of_a_gpu_that_completes_nothing_ends_by_itself() {
	local i pids=()

	spec
	load poll_ms=5 hang_ms=10
	trace_on
	for i in 1 2 3 4; do
		client "slow$i" --groups 1 --fills 4000 --go "$T/go"
		pids+=("$PID")
		ready "slow$i"
	done
	touch "$T/go"
	eventually 20 goes_on
	grep -q '^gpu .*: scheduling$' $STATUS || fail "$(grep ^gpu $STATUS)"
	balanced || fail "the counters"
	for i in "${pids[@]}"; do
		wait "$i" || :
	done
	trace_off
	want "bypasses" "$(grep -c 'tg_bypass: .*stopped completing' "$T/trace")" -ge 1
	eventually 20 status_idle
	balanced || fail "the counters"
	client after --groups 50
	finish "$PID"
	want "ungated since" "$(counter hung)" = 0
}

# At a random moment each; SOAK_GROUPS for more.
test_counters_balance_at_every_moment_of_a_soak() {
	local i looks=0 victim

	spec '<a:PRT:-:20::>' '<b:HT:-:20::>' '<c:PRT:PE:30:2000:10000>'
	load poll_ms=10
	for i in a b c d; do
		load_client $i --seconds 6000 --bytes 65536 --fills 2 --groups-per-frame 3
		LOAD+=("$PID")
	done
	until [ "$(counter submitted)" -ge "${SOAK_GROUPS:-5000}" ] && [ $looks -ge 100 ]; do
		looks=$((looks + 1))
		balanced || fail "at look $looks: $(grep groups: $STATUS)"
		case $((RANDOM % 25)) in
		0)	echo bypass >$CONTROL
			balanced || fail "in bypass: $(grep groups: $STATUS)"
			echo restore >$CONTROL;;
		1)	load_client v --seconds 600 --bytes 131072 --fills 3
			victim=$PID
			sleep "0.0$RANDOM"
			kill -KILL "$victim"
			wait "$victim" || :;;
		*)	sleep "0.00$RANDOM";;
		esac
	done
	echo "$looks looks, $(grep groups: $STATUS)"
	kill -TERM "${LOAD[@]}"
	finish "${LOAD[@]}"
	eventually 20 status_idle
	balanced || fail "in the end"
	want "running" "$(counter running)" = 0
}

# Its threads that stand in the queue are sent back, and none of them has the GPU idle for it.
# expect: timegraph: a group of channel .* \(crowd\) is on the GPU for .* stuck
test_waiting_threads_of_a_hung_channel_get_no_turns() {
	spec '<crowd:PRT:-:90::>' '<victim:PRT:-:10::>'
	load poll_ms=10
	trace_on
	start_victim
	client crowd --mode shared --threads 200 --groups 1 --fills 1 --hold-ms 2000
	crowd=$PID
	eventually 20 counter_is hung 1
	eventually 20 has_groups victim $(($(task victim groups) + 20))
	finish "$crowd"
	trace_off
	turns=$(awk -v pid=" pid=$crowd " '
		/tg_complete:/ && / by=stuck/ && index($0, pid) { hangs = 1; next }
		/tg_complete:/ && index($0, pid) { hangs = 0 }
		/tg_dispatch:/ && hangs && index($0, pid) { n++ }
		END { print n + 0 }' "$T/trace")
	want "turns while it hung" "$turns" -le 2
	want "threads that waited for theirs" "$(grep -c "tg_drop: .* pid=$crowd .* waiting" "$T/trace")" -ge 1
	balanced || fail "the counters"
	kill "$victim"
	finish "$victim"
	eventually 20 status_idle
}

# Those that worked were at it still when the one was found that waits.
aside_while_they_worked() {
	awk -v waiter="$waiter" -v hogs=" ${HOGS[*]} " '
		!/tg_complete:/ || !match($0, / pid=[0-9]+ /) { next }
		{ pid = substr($0, RSTART + 5, RLENGTH - 6) }
		/ by=stuck/ { aside[pid] = 1; next }
		aside[pid] && index(hogs, " " pid " ") { exit !aside[waiter] }' "$T/trace"
}

# Three that were set aside keep the engine busy, so that it is not idle for the one that waits.
test_group_that_waits_is_found_beside_others_that_work_later() {
	spec '<hog1:PRT:-:90::>' '<hog2:PRT:-:90::>' '<hog3:PRT:-:90::>' '<waiter:PRT:-:80::>' \
		'<victim:PRT:-:10::>'
	load
	start_victim
	client waiter --groups 1 --hold-ms 1000 --go "$T/go2"
	waiter=$PID
	ready waiter
	trace_on
	hogs 3 --groups 1 --fills 4000 --hold-ms 60
	eventually 5 counter_is hung 3
	sleep 0.06
	touch "$T/go2"
	finish "${HOGS[@]}" "$waiter"
	trace_off
	kill "$victim"
	finish "$victim"
	aside_while_they_worked || fail "found too late: $(grep "tg_complete:.*pid=$waiter " "$T/trace")"
	eventually 20 status_idle
	balanced || fail "the counters"
}
