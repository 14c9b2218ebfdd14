# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What open files of /dev/timegraph hold, and for how long (tgfiles has the calls).

load_open() {
	spec '<gamma:PRT:-:*::>'
	load
	chmod 666 /dev/timegraph
}

holds() {
	load_open
	tgfiles "$@" || fail "tgfiles $1"
}

test_lists_of_the_dead_take_no_memory() { holds lists_of_the_dead_take_no_memory; }
test_processes_that_end_are_forgotten() { holds processes_that_end_are_forgotten; }
test_files_of_a_user_share_a_limit() { holds files_of_a_user_share_a_limit; }
test_namespaces_do_not_widen_the_limit() { holds namespaces_do_not_widen_the_limit; }
test_pidfds_are_never_another_process() { holds pidfds_are_never_another_process; }
