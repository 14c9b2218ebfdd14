# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Clients of EXEC (VM_BIND): each group waits for its turn in the ioctl, and keeps
# it until its job has ended. Without the hook patch the first one of a channel is met
# in nouveau's worker, and goes unscheduled.

# Before the module is loaded, with a bomb that may leave nothing to others.
need_exec() {
	tgexec --groups 1 >"$T/probe" 2>&1 || { [ $? != 77 ] || skip "$(cat "$T/probe")"; }
}

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
	want "submitted" "$(counter submitted)" -ge 499
	want "verified" "$(counter verified)" = "$(counter submitted)"
	want "recovered and abandoned" "$(counter recovered) $(counter abandoned)" = '0 0'
	check_trace --end --min-groups 499
	status_idle || fail "something is left: $(cat $STATUS)"
}

# A bomb that is more important leaves what it leaves by itself: unscheduled, the two
# would be served in turns, and a group would wait for less than a millisecond.
test_groups_wait_for_a_more_important_task() {
	local vk

	need_exec
	spec '<vk:PRT:-:10::>' '<bomb:HT:-:60::>'
	load
	load_client bomb --seconds 600 --fills 40
	eventually 20 task_has bomb 5
	exec_client vk --seconds 600
	vk=$PID
	sleep 1
	echo "groups of vk $(task vk groups), of the bomb $(task bomb groups)"
	want "four times the groups of vk" $(($(task vk groups) * 4)) -le "$(task bomb groups)"
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
	check_trace --end --min-groups 199
	want "verified" "$(counter verified)" = "$(counter submitted)"
}

# One that waits for another's end has no turn meanwhile: else nobody would go on.
test_groups_that_wait_for_each_other_go_on() {
	need_exec
	spec
	load
	exec_client a --groups 200 --ahead 8 --after
	first=$PID
	exec_client b --groups 200 --ahead 8 --after
	finish "$first" "$PID"
	want "groups" "$(exec_groups a) $(exec_groups b)" = '200 200'
	want "abandoned" "$(counter abandoned)" = 0
	status_idle || fail "something is left: $(cat $STATUS)"
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
