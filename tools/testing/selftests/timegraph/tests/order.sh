# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Who goes first: the rules of PRT and HT over many groups, from the trace
# (tg-check-trace has the rules) and from the GPU's own clock.

# Five tasks at four levels whose groups arrive in ever new constellations: the
# upper ones come and go, the lower ones always have work.
five_tasks() {
	scene --seconds "$1" \
		tgload --name hi --bytes 131072 --fills 2 --period-us 700 --groups-per-frame 2 -- \
		tgload --name mid --bytes 131072 --fills 3 --period-us 1100 --groups-per-frame 3 -- \
		tgload --name lo1 --bytes 131072 --fills 4 -- \
		tgload --name lo2 --bytes 131072 --fills 5 -- \
		tgload --name bg --bytes 131072 --fills 9
}

FIVE=('<hi:PRT:-:90::>' '<mid:PRT:-:60::>' '<lo1:PRT:-:10::>' '<lo2:PRT:-:10::>')

test_prt_keeps_order_and_waits_for_one_lower_group_over_10000_groups() {
	spec "${FIVE[@]}"
	load_paper
	trace_on
	five_tasks 0.8
	check_trace --end --min-groups 10000
	want "levels" "$T_levels" = 4
	want "groups that found a lower one on the GPU" "$T_behind_lower" -ge 1000
	want "lower groups a group waited for, at most" "$T_most_lower" = 1
	want "groups online at once, at most" "$T_most_online" = 1
	want "groups waiting at once, at most" "$T_most_waiting" -ge 4
	want "verified by reference value" "$T_notify" = "$T_completed"
	want "verified" "$(counter verified)" = "$(counter submitted)"
	want "recovered" "$(counter recovered)" = 0
	status_idle || fail "something is left: $(cat $STATUS)"
}

# The checker itself: real traces with one thing changed must be found out.
test_checker_finds_every_kind_of_doctored_trace() {
	local lib=/usr/local/lib/timegraph-selftests

	spec "${FIVE[@]}" '<ht:HT:-:50::>'
	load_paper
	trace_on
	scene --seconds 0.04 \
		tgload --name hi --bytes 131072 --fills 2 --period-us 700 -- \
		tgload --name ht --bytes 131072 --fills 2 --groups-per-frame 3 --period-us 900 -- \
		tgload --name lo1 --bytes 131072 --fills 4 -- \
		tgload --name lo2 --bytes 131072 --fills 5
	check_trace --end --min-groups 300
	[ -d "$lib" ] || lib=${BASH_SOURCE[0]%/tests/*}
	"$lib/traces/run" "$(command -v tg-check-trace)" "$T/trace"
}

# Groups of four tasks, each stamped by the GPU at its start and its end.
stamped_groups() {
	local i pids=()

	for i in 1 2 3 4; do
		client "c$i" --groups 150 --fills $((i + 2)) --stamps --go "$T/go"
		pids+=("$PID")
	done
	ready c1 c2 c3 c4
	touch "$T/go"
	finish "${pids[@]}"
	want "stamps" "$(cat "$T"/c?.out | grep -c ^stamp)" = 604
	OVERLAPS=$(overlaps "$T"/c?.out)
	rm -f "$T"/c?.ready "$T/go"
}

test_gpu_never_runs_groups_of_two_tasks_at_once() {
	stamped_groups
	want "overlaps without the module" "$OVERLAPS" -gt 0
	spec '<c1:PRT:-:20::>' '<c2:HT:-:20::>' '<c3:PRT:-:10::>'
	load_paper
	stamped_groups
	want "overlaps with the module" "$OVERLAPS" = 0
}

test_equal_priorities_take_turns() {
	local i n

	spec '<*:FIFO:BG:0::>'
	load_paper
	scene --seconds 0.3 tgload --name e1 --fills 8 -- tgload --name e2 --fills 8 -- \
		tgload --name e3 --fills 8
	tr '{' '\n' <"$T/scene.json" | sed -n 's/.*"groups_done":\([0-9]*\).*/\1/p' >"$T/done"
	cat "$T/done"
	n=$(sort -n "$T/done" | tail -1)
	i=$(sort -n "$T/done" | head -1)
	want "groups of each" "$(wc -l <"$T/done")" = 3
	want "groups of the slowest" "$i" -ge 100
	want "difference between them" $((n - i)) -le 3
}

test_ht_is_not_interrupted_by_lower_levels() {
	spec '<ht:HT:-:60::>' '<lo1:PRT:-:10::>' '<lo2:PRT:-:20::>' '<lo3:HT:-:20::>'
	load_paper
	trace_on
	scene --seconds 0.5 \
		tgload --name ht --bytes 131072 --fills 3 --groups-per-frame 6 --period-us 800 -- \
		tgload --name lo1 --bytes 131072 --fills 4 -- \
		tgload --name lo2 --bytes 131072 --fills 2 --period-us 500 -- \
		tgload --name lo3 --bytes 131072 --fills 2 --groups-per-frame 3 --period-us 900
	check_trace --end --min-groups 3000
	want "overlapping HT groups" "$T_ht_overlaps" -ge 1500
	want "groups that found a lower one on the GPU" "$T_behind_lower" -ge 200
}

test_ht_gives_way_to_higher_levels() {
	spec '<ht:HT:-:60::>' '<top:PRT:-:80::>' '<lo:PRT:-:10::>'
	load_paper
	trace_on
	scene --seconds 0.4 \
		tgload --name top --bytes 131072 --fills 2 --period-us 900 -- \
		tgload --name ht --bytes 131072 --fills 2 --frames-in-flight 8 --groups-per-frame 4 -- \
		tgload --name lo --bytes 131072 --fills 4
	check_trace --end --min-groups 2000
	want "overlapping HT groups" "$T_ht_overlaps" -ge 500
	want "times the top task found a lower one" "$T_behind_lower" -ge 300
	# Of 444. The kernel's own slices of the one CPU, 4 ms until 6.12, cost some of them.
	want "frames of the top task" "$(sed 's/.*"name":"top"[^}]*"frames":\([0-9]*\).*/\1/' "$T/scene.json")" -ge 300
}

# ht_depth groups of one task online, no more and no fewer.
depth_is_respected() {
	spec '<ht:HT:-:60::>'
	load_paper ht_depth="$1"
	trace_on
	scene --seconds 0.1 \
		tgload --name ht --bytes 131072 --fills 12 --frames-in-flight 8 --groups-per-frame 8 -- \
		tgload --name lo --bytes 131072 --fills 4
	check_trace --end --ht-depth "$1" --min-groups 200
	want "groups online, at most" "$T_most_online" = "$1"
	unload
}

test_ht_depth_limits_the_groups_online() {
	depth_is_respected 1
	depth_is_respected 4
	depth_is_respected 16
}
