# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The module goes while files of /dev/timegraph are open (tgrevoke has the calls).

goes() {
	spec ''
	load
	works
	tgrevoke "$1" || fail "tgrevoke $1"
	works
}

test_open_files_answer_that_it_is_gone() { goes open_files_answer_that_it_is_gone; }
test_what_watches_a_file_lets_go_of_it() { goes what_watches_a_file_lets_go_of_it; }
test_what_a_file_has_asked_for_ends() { goes what_a_file_has_asked_for_ends; }
test_file_that_is_used_oddly_does_no_harm() { goes file_that_is_used_oddly_does_no_harm; }
test_asynchronous_poll_ends() { goes asynchronous_poll_ends; }
test_poll_that_stays_ends() { goes poll_that_stays_ends; }
test_many_open_files_do_not_hold_it_up() { goes many_open_files_do_not_hold_it_up; }
test_processes_are_killed_while_it_goes() { goes processes_are_killed_while_it_goes; }
test_calls_race_with_its_going() { goes calls_race_with_its_going; }
test_call_without_its_memory_refuses_the_removal() {
	goes call_without_its_memory_refuses_the_removal
}
