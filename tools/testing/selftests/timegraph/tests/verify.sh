# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completions are believed only when they are ours: clients that raise NOTIFY
# themselves or write reference values confuse nothing and gain nothing.

test_notify_flood_is_counted_and_completes_nothing() {
	spec '<hi:PRT:-:90::>' '<flood:PRT:-:50::>' '<lo:PRT:-:10::>'
	load_paper
	trace_on
	scene --seconds 0.3 \
		tgload --name hi --bytes 131072 --fills 3 --period-us 900 -- \
		tgload --name flood --bytes 131072 --fills 6 --notify-flood 12 -- \
		tgload --name lo --bytes 131072 --fills 6
	check_trace --end --min-groups 500
	want "foreign NOTIFY interrupts" "$(counter foreign_notify)" -ge 1000
	want "foreign NOTIFY events" "$T_foreign" -ge 1000
	want "verified" "$(counter verified)" = "$(counter submitted)"
	# Who uses NOTIFY itself is served by fences.
	want "the others' completed by NOTIFY" "$T_notify" -ge 300
	want "completed by NOTIFY or fence" $((T_notify + T_fence)) = "$T_completed"
	want "recovered" "$(counter recovered)" = 0
	want "stuck" "$(counter stuck)" = 0
}

test_forged_completions_gain_nothing() {
	local pids=() c

	spec '<c1:PRT:-:20::>' '<c2:PRT:-:20::>' '<forger:HT:-:20::>'
	load_paper
	trace_on
	for c in c1 c2 forger; do
		if [ $c = forger ]; then set -- --forge; else set --; fi
		client $c "$@" --groups 200 --fills 6 --stamps --go "$T/go"
		pids+=("$PID")
	done
	ready c1 c2 forger
	touch "$T/go"
	finish "${pids[@]}"
	check_trace --end --min-groups 600
	want "overlaps on the GPU" "$(overlaps c1.out c2.out forger.out)" = 0
	want "foreign NOTIFY interrupts" "$(counter foreign_notify)" -ge 200
	want "verified" "$(counter verified)" = "$(counter submitted)"
}

test_reference_values_of_a_client_do_not_break_its_own_order() {
	spec '<forger:PRT:-:20::>'
	load_paper
	trace_on
	scene --seconds 0.2 \
		tgload --name forger --bytes 131072 --fills 4 --forge-refs --notify-flood 9 -- \
		tgload --name lo --bytes 131072 --fills 4
	check_trace --end --min-groups 400
	want "completed by NOTIFY or fence" $((T_notify + T_fence)) = "$T_completed"
	want "recovered" "$(counter recovered)" = 0
}
