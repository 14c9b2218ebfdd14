# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Clients of EXEC (VM_BIND): each group waits for its turn in the ioctl, after what its
# job waits for, and keeps it until its job has ended.

# exec_client NAME OPTION…: sets $PID
exec_client() {
	local name=$1
	shift

	tgexec --name "$name" "$@" >"$T/$name.out" 2>"$T/$name.err" &
	PID=$!
}

exec_groups() {
	sed -n 's/^groups //p' "$T/$1.out"
}

task_has() {
	[ "$(task "$1" groups)" -ge "$2" ] 2>/dev/null
}

test_every_group_is_admitted_and_ends_by_its_fence() {
	need_exec
	spec
	load
	trace_on
	exec_client vk --groups 500 --ahead 4
	finish "$PID"
	want "groups" "$(exec_groups vk)" = 500
	want "submitted" "$(counter submitted)" = 500
	want "verified" "$(counter verified)" = 500
	want "recovered and abandoned" "$(counter recovered) $(counter abandoned)" = '0 0'
	check_trace --end --min-groups 500
	status_idle || fail "something is left: $(cat $STATUS)"
}

# A bomb that is more important leaves what it leaves by itself: unscheduled, the two
# would be served in turns, and a group would wait for less than a millisecond.
test_groups_wait_for_a_more_important_task() {
	local vk

	need_exec
	spec '<vk:PRT:-:10::>' '<bomb:HT:-:60::>'
	load floor=0
	load_client bomb --seconds 600 --fills 40
	eventually 20 task_has bomb 5
	exec_client vk --seconds 600
	vk=$PID
	sleep 1
	echo "groups of vk $(task vk groups), of the bomb $(task bomb groups)"
	rate "four times the groups of vk" $(($(task vk groups) * 4)) -le "$(task bomb groups)"
	kill "$(task bomb pid)"
	eventually 5 task_has vk 200
	want "longest wait of vk, us" "$(task vk wait_max)" -ge 20000
	kill "$vk"
}

test_groups_go_before_a_less_important_task() {
	need_exec
	spec '<vk:PRT:-:90::>' '<bomb:PRT:-:10::>'
	load
	trace_on
	load_client bomb --seconds 600 --fills 8
	bomb=$PID
	eventually 20 task_has bomb 5
	exec_client vk --groups 200
	finish "$PID"
	kill "$bomb"
	finish "$bomb"
	check_trace --end --min-groups 200
	want "verified" "$(counter verified)" = "$(counter submitted)"
}

# Jobs without commands are none of a group's: taken for one, they would end its turn
# at once, and it would run beside the other's.
test_no_group_runs_beside_a_more_important_one() {
	need_exec
	spec '<high:PRT:-:90::>' '<bomb:PRT:-:10::>'
	load
	trace_on
	exec_client bomb --seconds 600 --copies 6 --empty 2 --ahead 4 --stamps
	bomb=$PID
	eventually 20 task_has bomb 20
	client high --groups 100 --fills 8 --stamps --pause-us 2000
	finish "$PID"
	kill "$bomb"
	wait "$bomb" || :
	check_trace --end --min-groups 120
	want "groups of the bomb with stamps" "$(grep -c ^stamp "$T/bomb.out")" -ge 20
	want "overlaps on the GPU" "$(overlaps "$T/bomb.out" "$T/high.out")" = 0
	want "verified, or dropped with the bomb" $(($(counter verified) + $(counter dropped))) = \
		"$(counter submitted)"
}

# most_in MS FILE: the most GPU time, in us, of the groups that begin within any such
# window, by the stamps of the GPU
most_in() {
	grep ^stamp "$2" | sort -n -k 4,4 | awk -v window=$(($1 * 1000000)) '
		{ start[n] = $4; cost[n] = $5 - $4; n++ }
		END {
			for (i = 0; i < n; i++) {
				while (j < n && start[j] < start[i] + window)
					sum += cost[j++]
				if (sum > most)
					most = sum
				sum -= cost[i]
			}
			printf "%d\n", most / 1000
		}'
}

# 2 ms every 20 ms: ten periods give ten capacities, and what was left of one before;
# the last group may overrun, and is paid for later.
test_reserve_holds_in_every_ten_periods() {
	local most longest

	need_exec
	spec '<bomb:PRT:PE:50:2ms:20ms>'
	load
	exec_client bomb --groups 400 --copies 2 --empty 3 --ahead 4 --stamps
	finish "$PID"
	most=$(most_in 200 "$T/bomb.out")
	longest=$(awk '$1 == "stamp" { c = $5 - $4; if (c > m) m = c } END { printf "%d\n", m / 1000 }' "$T/bomb.out")
	echo "at most $most us in ten periods, longest group $longest us"
	want "the most in ten periods, us" "$most" -le $((22000 + longest))
	want "the most in ten periods, us" "$most" -ge 15000
	want "submitted" "$(counter submitted)" = 400
}

# One that waits for another's end has no turn meanwhile: else nobody would go on.
test_groups_that_wait_for_each_other_go_on() {
	need_exec
	spec
	# So many threads on one CPU: a turn would lapse now and then.
	load lease_us=1000000
	exec_client a --groups 200 --ahead 8 --after
	first=$PID
	exec_client b --groups 200 --ahead 8 --after
	finish "$first" "$PID"
	want "groups" "$(exec_groups a) $(exec_groups b)" = '200 200'
	want "abandoned" "$(counter abandoned)" = 0
	status_idle || fail "something is left: $(cat $STATUS)"
}

# Those that wait for a less important one's end are more important, but have no
# turn until it comes.
test_jobs_that_wait_keep_nobody_from_the_gpu() {
	need_exec
	spec '<vk:PRT:-:10::>' '<vk-w:PRT:-:90::>' '<mid:PRT:-:50::>'
	# So many threads on one CPU: a turn would lapse now and then.
	load lease_us=1000000
	trace_on
	exec_client vk --groups 150 --copies 4 --waiters 6
	first=$PID
	eventually 20 task_has vk-w 5
	client mid --groups 100 --pause-us 1000
	finish "$PID" "$first"
	# Those that waited die after it.
	eventually 5 status_idle
	check_trace --end --min-groups 400
	want "abandoned" "$(counter abandoned)" = 0
}

test_client_that_dies_with_jobs_queued_leaves_nothing() {
	local i

	need_exec
	spec '<dying:HT:-:50::>' '<dying-w:HT:-:50::>'
	load
	for i in 1 2 3; do
		exec_client dying --seconds 600 --copies 20 --empty 1 --ahead 8 --waiters 3
		eventually 20 task_has dying 20
		kill -KILL "$PID"
		wait "$PID" || :
		eventually 10 status_idle
	done
	rate "abandoned" "$(counter abandoned)" = 0
	client after --groups 20
	finish "$PID"
}

# expect: nouveau .*push count exceeds limit.*
test_calls_that_are_refused_change_nothing() {
	need_exec
	spec
	load
	trace_on
	exec_client wrong --groups 30 --wrong --ahead 4
	finish "$PID"
	want "submitted" "$(counter submitted)" = 30
	want "verified" "$(counter verified)" = 30
	check_trace --end --min-groups 30
	status_idle || fail "something is left: $(cat $STATUS)"
}

test_first_group_of_an_older_channel_is_scheduled() {
	need_exec
	exec_client older --seconds 600 --ahead 2
	sleep 0.3
	spec
	load
	eventually 20 counter_is submitted 1
	kill "$PID"
	wait "$PID" || :
	eventually 5 status_idle
	want "ungated" "$(counter ungated)" = 0
	want "verified, or dropped with it" $(($(counter verified) + $(counter dropped))) = \
		"$(counter submitted)"
}

test_killed_client_leaves_nothing() {
	local i

	need_exec
	spec
	load
	for i in 1 2 3 4 5; do
		exec_client "k$i" --seconds 600 --ahead 8
		eventually 20 task_has "k$i" 20
		kill -KILL "$PID"
		wait "$PID" || :
	done
	eventually 5 status_idle
	client after --groups 20
	finish "$PID"
}

test_module_goes_under_load() {
	need_exec
	spec
	load
	exec_client vk --seconds 600 --ahead 8
	eventually 20 task_has vk 50
	unload
	load
	eventually 20 task_has vk 20
	unload
	kill "$PID"
}
