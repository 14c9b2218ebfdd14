# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the module does if nothing is asked for: groups of a program that is alone start
# ahead of the end of those before (lead_us), and raise no NOTIFY (completion=auto).

groups_done() {
	sed -n 's/.*"groups_done":\([0-9]*\).*/\1/p' "$T/scene.json" | head -n 1
}

test_lone_program_keeps_the_gpu_busy() {
	local lone

	spec '<lone:PRT:-:50::>'
	load_paper
	scene --seconds 1 tgload --name lone --cost-us 500
	lone=$(groups_done)
	want "led, as the paper has it" "$(counter led)" = 0
	unload
	load
	trace_on
	scene --seconds 1 tgload --name lone --cost-us 500
	check_trace --end --min-groups 1500
	rate "groups, of $lone before" "$(groups_done)" -ge $((lone * 103 / 100))
	rate "groups that started ahead" "$(counter led)" -ge 1500
	# But for each 256th, so that the kernel sees an interrupt that is handled.
	want "completed by NOTIFY or fence" $((T_notify + T_fence)) = "$T_completed"
	want "completed by NOTIFY" "$T_notify" -le $((T_completed / 256))
	want "completed by NOTIFY" "$T_notify" -ge $((T_completed / 300))
	want "verified" "$(counter verified)" = "$(counter submitted)"
	want "recovered" "$(counter recovered)" = 0
	status_idle || fail "something is left: $(cat $STATUS)"
}

# One group, W, and what hearing of an end takes.
test_important_arrival_waits_for_one_group_and_the_lead() {
	spec '<hi:PRT:-:90::>' '<lo:PRT:-:10::>'
	load lead_us=2000
	trace_on
	scene --seconds 0.6 \
		tgload --name hi --cost-us 300 --period-us 7300 -- \
		tgload --name lo --cost-us 1000 --frames-in-flight 8
	check_trace --end --min-groups 400
	rate "groups that started ahead" "$(counter led)" -ge 100
	rate "groups online at once, at most" "$T_most_online" -ge 3
	sed -n 's/.*tg_dispatch: .* level=180 waited_ns=\([0-9]*\).*/\1/p' "$T/trace" |
		sort -n >"$T/waits"
	rate "times that it waited" "$(wc -l <"$T/waits")" -ge 40
	rate "the longest of them, us" $(($(tail -n 1 "$T/waits") / 1000)) -le 3200
}

# beside LEAD: the other one's entry has it; sets what an important program waited for at
# most, in us, and how many groups started ahead, and were on the GPU at once.
beside() {
	spec '<hi:PRT lead=0:-:90::>' "<lo:PRT$1:-:10::>"
	load lease_us=1000000
	trace_on
	scene --seconds 0.6 \
		tgload --name hi --cost-us 300 --period-us 7300 -- \
		tgload --name lo --cost-us 1000 --frames-in-flight 12
	check_trace --end --min-groups 400
	waited=$(($(sed -n 's/.*tg_dispatch: .* level=180 waited_ns=\([0-9]*\).*/\1/p' "$T/trace" |
		sort -n | tail -n 1) / 1000))
	led=$(counter led)
	echo "lo:PRT$1: waited $waited us, led $led, at once $T_most_online"
	unload
}

test_lead_of_an_entry_is_what_it_makes_others_wait_for() {
	local waited led

	beside ' lead=0'
	want "groups that started ahead" "$led" = 0
	rate "waited for a group without a lead, us" "$waited" -le 1200
	want "groups at once" "$T_most_online" = 1
	beside ''
	rate "waited with the module's lead, us" "$waited" -le 2200
	beside ' lead=5ms'
	rate "groups that started ahead" "$led" -ge 100
	rate "waited with 5 ms, us" "$waited" -ge 3000
	rate "waited with 5 ms, us" "$waited" -le 6200
	rate "groups at once" "$T_most_online" -ge 5
}

# Alone for a moment, beside another for a moment: each change of how ends are learnt
# falls between two groups of a channel that is busy.
# While somebody traces each is heard of; else those end quietly that decide nothing.
test_changes_between_notify_and_fences_lose_and_double_nothing() {
	local both i

	both=(tgload --name steady --cost-us 60 --frames-in-flight 8 --
		tgload --name now --cost-us 60 --groups-per-frame 2 --period-us 390)
	spec '<steady:PRT:-:50::>' '<now:PRT:-:60::>'
	load
	for i in $(seq $((${TG_LONG:-0} ? 72 : 1))); do
		scene --seconds 1 "${both[@]}"
		trace_on
		scene --seconds 1 "${both[@]}"
		check_trace --end --min-groups 8000
		rate "changes" "$(sed -n 's/.*tg_complete: .* by=\([a-z]*\) .*/\1/p' "$T/trace" |
			uniq | wc -l)" -ge 1400
		rate "completed by NOTIFY" "$T_notify" -ge 1000
		rate "completed by fence" "$T_fence" -ge 1000
	done
	want "recovered" "$(counter recovered)" = 0
	want "verified" "$(counter verified)" = "$(counter submitted)"
}

# expect: timegraph: completion=sometimes.*
test_completion_is_one_of_three_words() {
	spec
	! modprobe timegraph spec="$T/spec" completion=sometimes 2>"$T/err" ||
		fail "it takes any word"
	log_has 'timegraph: completion=sometimes: auto, notify or fence' ||
		fail "no word why"
	load
	want "completion" "$(cat /sys/module/timegraph/parameters/completion)" = auto
}

# expect: timegraph: (lead_)?predictor=guess.*
test_predictors_are_of_three_words() {
	local name

	spec
	for name in predictor lead_predictor; do
		! modprobe timegraph spec="$T/spec" $name=guess 2>"$T/err" || fail "it takes any word"
		log_has "timegraph: $name=guess: history, largest or average" ||
			fail "no word why"
	done
	load
	want "predictor" "$(cat /sys/module/timegraph/parameters/predictor)" = history
	want "lead_predictor" "$(cat /sys/module/timegraph/parameters/lead_predictor)" = largest
}

# errors FILE PREDICTOR: of all programs: groups compared, late and early in all
errors() {
	awk -F, -v p="$2" '$2 == 0 && $3 == p { print $4, $6 * $4, $7 * $4 }' "$1"
}

# What the module said is what its own code says of the trace. The history table is asked
# here when a group begins, there when it was read: a group that ends meanwhile tells.
test_replayed_trace_says_what_the_module_said() {
	local p groups late early said

	for p in largest average history; do
		spec
		load lead_predictor=$p
		tgctl trace on --buffer 8192
		scene --seconds 0.4 tgload --name varied --cost-us 500 --vary 80
		tgctl trace off
		rate "groups that started ahead" "$(counter led)" -ge 100
		tgctl trace show >"$T/replayed"
		tgctl trace clear
		tgsim --replay "$T/replayed" --csv >"$T/$p.csv" || fail "it cannot be replayed"
		cat "$T/$p.csv"
		read -r groups late early <<<"$(errors "$T/$p.csv" $p)"
		want "groups of $p" "$groups" -ge 500
		want "groups whose commands were read" "$(errors "$T/$p.csv" history | cut -d ' ' -f 1)" \
			= "$groups"
		read -r -a said <<<"$(errors "$T/$p.csv" recorded)"
		want "groups that the module predicted" "${said[0]}" -ge $((groups * 99 / 100))
		if [ $p != history ]; then
			want "late and early of $p" "$late $early" = "${said[1]} ${said[2]}"
		else
			want "late by history" $((late / 1000)) -ge $((said[1] / 1100))
			want "late by history" $((late / 1000)) -le $((said[1] / 900))
		fi
		unload
	done
}
