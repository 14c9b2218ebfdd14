# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Priorities that follow the CPU's: real-time threads, nice values, and changes while
# groups run, wait, or go without asking.

# start NAME OPTION…: a program that sends groups of 2 ms until the test ends; sets $PID
start() {
	load_client "$1" --seconds 9999 --cost-us 2000 "${@:2}"
	eventually 20 has_groups "$1" 3
}

# part NAME OTHER: of the GPU time of both in a second, in per cent
part() {
	local one other

	sleep 0.5
	one=$(task "$1" gpu)
	other=$(task "$2" gpu)
	sleep 1
	one=$(($(task "$1" gpu) - one))
	other=$(($(task "$2" gpu) - other))
	echo $(((100 * one + (one + other) / 2) / (one + other)))
}

is_at() {
	[ "$(task "$1" prio)" = "$2" ]
}

has_policy() {
	[ "$(task "$1" policy)" = "$2" ]
}

test_real_time_threads_go_by_their_priority() {
	local a b

	spec '<*:PRT:BG:cpu::>'
	load
	start a
	a=$PID
	start b
	b=$PID
	want "priority of a thread that is none" "$(task a prio)" = 0c
	want "its policy" "$(task a policy)" = FQ
	want "its part" "$(part a b)" -ge 48
	tgchrt fifo 30 "$a"
	eventually 1 is_at a 30c
	want "policy" "$(task a policy)" = PRT
	want "part of the real-time one" "$(part a b)" -ge 90
	tgchrt rr 31 "$b"
	eventually 1 is_at b 31c
	want "part of the one above" "$(part b a)" -ge 90
	tgchrt other 0 "$b"
	eventually 1 is_at b 0c
	tgchrt other 0 "$a"
	eventually 1 is_at a 0c
	want "part, both as at first" "$(part a b)" -ge 48
	want "part, both as at first" "$(part b a)" -ge 48
}

test_a_program_starts_with_what_its_thread_has() {
	spec '<*:HT:-:cpu::>'
	load
	tgchrt fifo 99 0 tgload --name fifo --seconds 9999 --cost-us 2000 --period-us 50000 >"$T/fifo" 2>&1 &
	tgchrt deadline 0 0 tgload --name deadline --seconds 9999 --cost-us 2000 --period-us 50000 >"$T/deadline" 2>&1 &
	tgchrt idle 0 0 tgload --name idle --seconds 9999 --cost-us 2000 --period-us 50000 >"$T/idle" 2>&1 &
	eventually 20 has_groups fifo 1
	eventually 20 has_groups deadline 1
	eventually 20 has_groups idle 1
	want "fifo" "$(task fifo prio) $(task fifo policy)" = "99c HT"
	want "deadline" "$(task deadline prio) $(task deadline policy)" = "99c HT"
	want "idle" "$(task idle prio) $(task idle policy)" = "0c FQ"
	want "weight of the idle one" "$(weight_of idle)" = 1
}

# weight_of NAME: that is in force
weight_of() {
	tgctl list tasks --json | tr -d ' \n' | sed 's/{"pid"/\n&/g' |
		sed -n "s/.*\"comm\":\"$1\".*\"weight_in_force\":\([0-9]*\).*/\1/p"
}

test_nice_values_are_weights() {
	spec '<*:PRT:BG:cpu::>'
	load
	start polite
	renice -n 5 -p "$PID" >"$T/renice"
	start other
	eventually 1 weighs polite 33
	want "part of nice 0 beside nice 5, of 100:33" "$(part other polite)" -ge 74
	want "part of nice 0 beside nice 5, of 100:33" "$(part other polite)" -le 76
	tgchrt other -5 "$PID"
	eventually 1 weighs other 305
	want "part of nice -5 beside nice 5, of 305:33" "$(part other polite)" -ge 89
}

weighs() {
	[ "$(weight_of "$1")" = "$2" ]
}

# gets_nothing SECONDS: while it waits, but for a gap that both of HT 60 leave since neither had
# the CPU; of 500 groups a second
gets_nothing() {
	local before

	before=$(task waiter groups)
	sleep "$1"
	want "more groups of who has to wait" $(($(task waiter groups) - before)) -le 2
}

# Without the floor nobody below two of HT 60 gets anything, nor one of these if the other
# leaves no gap.
bar() {
	load floor=0
	start hog
	load_client hog2 --seconds 9999 --cost-us 2000
	load_client waiter --seconds 9999 --cost-us 2000
	eventually 20 is_at hog2 60
	eventually 20 is_at waiter "$1"
	eventually 20 has_groups hog 100
	sleep 0.5
	gets_nothing 1
}

test_who_waits_is_followed() {
	spec '<hog:HT:-:60::>' '<hog2:HT:-:60::>' '<*:PRT:-:cpu::>'
	bar 0c
	tgchrt fifo 70 "$PID"
	eventually 1 has_groups waiter 10
	want "priority" "$(task waiter prio)" = 70c
}

test_who_waits_can_begin_to_follow() {
	spec '<hog:HT:-:60::>' '<hog2:HT:-:60::>'
	bar 0
	tgchrt fifo 70 "$PID"
	gets_nothing 0.5
	tgctl set --prio cpu waiter >"$T/set"
	eventually 1 has_groups waiter 10
	want "priority" "$(task waiter prio)" = 70c
}

# Both use one process' task; the GPU's order within a channel is the ring's.
test_most_important_thread_counts() {
	local i tids

	spec '<*:PRT:-:cpu::>'
	load
	client threads --mode threads --threads 2 --groups 100000
	eventually 20 has_groups threads 20
	# The first one of three, which has no channel, stays the first whatever their numbers are.
	read -ra tids <<<"$PID $(cd "/proc/$PID/task" && printf '%s\n' * | grep -vx "$PID" | tr '\n' ' ')"
	tgchrt fifo 40 "${tids[2]}"
	eventually 2 is_at threads 40c
	for ((i = 0; i < 50; i++)); do
		want "priority" "$(task threads prio)" = 40c
		sleep 0.02
	done
	tgchrt fifo 50 "${tids[1]}"
	eventually 2 is_at threads 50c
	tgchrt other 0 "${tids[1]}"
	eventually 2 is_at threads 40c
	tgchrt other 0 "${tids[2]}"
	eventually 2 is_at threads 0c
}

test_freerun_ends_when_somebody_becomes_important() {
	need_instances
	spec '<*:FQ:BG:cpu::>'
	load
	load_client lone --seconds 9999 --cost-us 200
	eventually 20 ran_free 1000
	load_client other --seconds 9999 --cost-us 200
	sleep 2
	want "how many run free" "$(tgctl status --json | tr -d ' \n' | sed 's/.*"freerun_tasks":\([0-9]*\).*/\1/')" = 2
	tgchrt fifo 20 "$PID"
	eventually 1 is_at other 20c
	want "part of the important one" "$(part other lone)" -ge 80
}

test_it_can_be_set_and_lowered() {
	local pid

	spec
	load
	start a
	pid=$PID
	tgchrt rr 60 "$pid"
	want "priority of who does not follow" "$(task a prio)" = 0
	tgctl set --policy HT --prio cpu a >"$T/set"
	cat "$T/set"
	want "priority" "$(task a prio)" = 60c
	want "what tgctl says" "$(grep -c 'HT, priority cpu (HT at 60 is in force)' "$T/set")" = 1
	tgchrt rr 10 "$pid"
	eventually 1 is_at a 10c
	tgctl set --prio 25 a >"$T/set"
	want "priority by number" "$(task a prio)" = 25
	tgctl clear a >"$T/set"
	want "priority of who does not follow any more" "$(task a prio)" = 0
}

test_a_reserve_limits_whoever_follows() {
	spec '<a:HT:PE:cpu:2ms:20ms>' '<*:FQ:BG:cpu::>'
	load
	start a
	start b
	want "part of who has 10 %" "$(part a b)" -le 11
	want "policy" "$(task a policy)" = FQ
}
