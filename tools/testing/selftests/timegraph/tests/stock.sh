# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Without timegraph.ko nouveau behaves, and its log reads, as before.

test_without_the_module_submission_works_and_the_log_is_silent() {
	! loaded || fail "the module is there"
	scene --seconds 0.2 tgload --name a --fills 8 -- tgload --name b --fills 8 --notify-flood 0
	want "lines of the kernel log" "$(log_since_start | grep -ciE 'timegraph|hook|nouveau')" = 0
	[ ! -e $DEBUGFS ] || fail "$DEBUGFS is there"
}

test_after_the_module_nothing_of_it_is_left() {
	spec
	load
	client a --groups 20
	finish "$PID"
	unload
	[ ! -e $DEBUGFS ] || fail "$DEBUGFS is there"
	[ ! -e $TRACING/events/timegraph ] || fail "its trace events are there"
	[ ! -e /sys/kernel/slab/tg_dev_group ] || fail "its slab cache is there"
	client b --groups 20
	finish "$PID"
	want "lines of the kernel log" "$(log_since_start | grep -ciE 'nouveau')" = 0
}
