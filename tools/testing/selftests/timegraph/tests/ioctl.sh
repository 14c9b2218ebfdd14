# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# /dev/timegraph: every call, right and wrong, by those who may and those who may
# not (tgioctl has the calls).

# two_clients [PARAMETER]...: alpha is root's and in a Shared reserve, beta is nobody's and
# managed by focus.
two_clients() {
	spec '<alpha:PRT:PE@shop:30:20ms:40ms>' '<beta:PRT:-:*::>'
	limit 60
	load ac="$T/ac" "$@"
	chmod 666 /dev/timegraph /dev/dri/*
	load_client alpha --seconds 600 --fills 8 --period-us 5000
	ALPHA=$PID
	tgioctl --nobody tgload --name beta --json --seconds 600 --fills 8 --period-us 5000 \
		>"$T/beta.out" 2>"$T/beta.err" &
	BETA=$!
	eventually 20 has_groups alpha 20
	eventually 20 has_groups beta 20
}

limit() {
	echo "$1" >"$T/ac"
}

end_clients() {
	kill "$ALPHA" "$BETA"
	finish "$ALPHA" "$BETA"
	status_idle || fail "something is left: $(cat $STATUS)"
}

# calls NAME [PARAMETER]...
calls() {
	local name=$1

	shift
	two_clients "$@"
	tgioctl "$name" "$ALPHA" "$BETA" || fail "tgioctl $name"
	end_clients
}

test_state_is_told() { calls look; }
test_elements_fit_the_stride() { calls elements_fit_the_stride; }
test_bad_lists_are_refused() { calls bad_lists; }
test_structures_of_any_size_are_taken() { calls structures_of_any_size; }
test_foreground_lasts_as_long_as_the_file() { calls foreground_lasts_as_long_as_the_file; }
test_bad_foregrounds_are_refused() { calls bad_foregrounds; }
test_parameters_hold_until_they_are_cleared() { calls parameters_hold_until_they_are_cleared; }
test_tasks_join_reserves_by_name() { calls tasks_join_reserves_by_name; }
test_bad_parameters_change_nothing() { calls bad_parameters; }
test_bad_reserves_are_refused() { calls bad_reserves; }
test_bypass_and_reload_work() { calls bypass_and_reload; }
test_reload_reads_what_looks_the_same() { calls reload_reads_what_looks_the_same; }
test_events_are_told_once() { calls events_tell_once; }
test_other_users_get_no_more_than_theirs() { calls other_users_get_no_more_than_theirs; }
test_who_follows_the_cpu_can_be_lowered() { calls who_follows_the_cpu_can_be_lowered; }
test_own_user_cannot_pin_a_task() { calls nobody_pins_a_task; }
test_others_are_not_watched() { calls others_are_not_watched; }
test_numbers_are_of_the_callers_namespace() { calls numbers_are_of_the_callers_namespace; }
test_arbitrary_calls_do_no_harm() { calls arbitrary_calls_do_no_harm vram=1; }

test_calls_race_with_tasks_that_come_and_go() {
	local i racer

	two_clients
	tgioctl races_with_tasks_that_come_and_go &
	racer=$!
	for i in $(seq "${RACE_ROUNDS:-12}"); do
		load_client "short$((i % 3))" --frames 5 --fills 2
		finish "$PID"
	done
	kill "$racer"
	finish "$racer"
	end_clients
}

test_killed_holder_holds_nothing() {
	local holder

	two_clients
	tgioctl hold_everything "$ALPHA" "$BETA" >"$T/held" &
	holder=$!
	eventually 10 has_held
	kill -KILL "$holder"
	wait "$holder" || :
	tgioctl nothing_is_held "$ALPHA" "$BETA" || fail "something is held"
	end_clients
}

has_held() {
	grep -q held "$T/held"
}

test_reload_applies_to_tasks_that_run_and_reports_refusals() {
	two_clients
	spec '<alpha:PRT:-:31::>' '<beta:PRT:-:*::>'
	tgioctl bypass_and_reload || fail "a reload"
	want "priority" "$(task alpha prio)" = 31
	want "reserve" "$(task alpha resv)" = -
	spec '<alpha:PRT:-:131::>'
	! tgioctl bypass_and_reload >"$T/reload" || fail "a wrong file was taken"
	grep -q 'errno 22' "$T/reload" || fail "$(cat "$T/reload")"
	want "priority" "$(task alpha prio)" = 31
	end_clients
}
