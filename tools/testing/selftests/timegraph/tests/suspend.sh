# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The machine sleeps, as far as the kernel's own test mode goes, with clients
# running: nobody is left asleep, scheduling is resumed.

# suspended LEVEL: "freezer" freezes the tasks, "devices" suspends the GPU too
suspended() {
	local before

	[ -w /sys/power/pm_test ] || skip "the kernel has no /sys/power/pm_test"
	spec '<s1:HT:-:20::>'
	load
	load_client s1 --seconds 600 --bytes 131072 --fills 4
	local s1=$PID
	load_client s2 --seconds 600 --bytes 131072 --fills 4
	local s2=$PID
	eventually 20 submitted_more 200
	# Five seconds of busy waiting are of no use here.
	echo 0 >/sys/module/suspend/parameters/pm_test_delay
	echo "$1" >/sys/power/pm_test
	echo mem >/sys/power/state || fail "it does not suspend"
	echo none >/sys/power/pm_test
	want "entries into sleep" "$(log_count 'PM: suspend entry')" = 1
	want "exits from sleep" "$(log_count 'PM: suspend exit')" = 1
	grep -q '^gpu .*: scheduling$' $STATUS || fail "$(grep ^gpu $STATUS)"
	before=$(counter submitted)
	eventually 10 submitted_more $((before + 200))
	kill "$s1" "$s2"
	finish "$s1" "$s2"
	status_idle || fail "something is left: $(cat $STATUS)"
	want "stuck" "$(counter stuck)" = 0
}

submitted_more() {
	[ "$(counter submitted)" -ge "$1" ]
}

test_frozen_tasks_go_on_afterwards() {
	suspended freezer
}

test_suspended_gpu_is_scheduled_again_afterwards() {
	suspended devices
}
