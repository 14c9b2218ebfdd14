# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Groups that are on the GPU behind another channel's and wait there for its end (stage=1),
# and what becomes of them when that does not come, or is forged.

# staged N: that many more than at the last call
staged() {
	local before=${seen:-0}

	seen=$before
	counter_is staged $((before + $1)) || return 1
	seen=$(counter staged)
}

# pair OPTION…: two programs that always have work
pair() {
	load_client one --seconds 600 --cost-us 300 "$@"
	one=$PID
	load_client two --seconds 600 --cost-us 300 "$@"
	two=$PID
	PIDS=("$one" "$two")
}

ended() {
	kill "$@"
	finish "$@"
}

# Nobody was taken for stuck or blamed, and nothing is left.
all_went_well() {
	want "stuck" "$(counter stuck)" = 0
	want "forged" "$(counter forged)" = 0
	status_idle || fail "something is left: $(cat $STATUS)"
}

scene_of_two() {
	scene --seconds 0.4 tgload --name one --cost-us 300 -- tgload --name two --cost-us 300
	sed -n 's/.*"groups_done":\([0-9]*\).*/\1/p' "$T/scene.json" |
		awk '{ sum += $1 } END { print sum }'
}

test_equals_follow_each_other_without_a_gap() {
	local without with

	spec '<one:PRT:-:50::>' '<two:PRT:-:50::>'
	load
	without=$(scene_of_two)
	want "staged without" "$(counter staged)" = 0
	unload
	load stage=1
	trace_on
	with=$(scene_of_two)
	check_trace --end --min-groups 1000
	want "groups, of $without without" "$with" -ge $((without * 105 / 100))
	want "of them staged" "$T_staged" -ge 1000
	want "forged" "$(counter forged)" = 0
	want "recovered" "$(counter recovered)" = 0
	want "verified" "$(counter verified)" = "$(counter submitted)"
	status_idle || fail "something is left: $(cat $STATUS)"
}

# By what the GPU itself says.
test_who_is_staged_runs_when_the_one_before_has_ended() {
	local p1 p2

	spec '<c1:PRT:-:50::>' '<c2:PRT:-:50::>'
	load stage=1
	client c1 --go "$T/go" --groups 300 --fills 2 --stamps
	p1=$PID
	client c2 --go "$T/go" --groups 300 --fills 2 --stamps
	p2=$PID
	ready c1 c2
	touch "$T/go"
	finish "$p1" "$p2"
	want "staged" "$(counter staged)" -ge 100
	want "stamps" "$(cat "$T"/c[12].out | grep -c ^stamp)" = 602
	want "groups that ran beside another's" "$(overlaps "$T"/c[12].out)" = 0
	want "forged" "$(counter forged)" = 0
}

# What it waits for waits itself, for a program that lets it wait; and nobody else waits.
test_who_is_behind_one_that_waits_is_let_in() {
	local hog

	spec '<two:PRT:-:50::>' '<hog:PRT:-:50::>'
	load stage=1
	load_client two --seconds 600 --cost-us 300 --frames-in-flight 1
	two=$PID
	eventually 20 has_groups two 20
	client hog --before 20 --groups 1 --hold-ms 400 --fills 6 --go "$T/go"
	hog=$PID
	ready hog
	trace_on
	touch "$T/go"
	sleep 0.1
	trace_off
	want "staged behind it" "$(grep -A6 "tg_submit: .* pid=$hog " "$T/trace" |
		grep -c "tg_submit: .* pid=$two .* staged=1")" -ge 1
	want "us of 200 ms" "$(gain two gpu 0.2)" -ge 160000
	finish "$hog"
	ended "$two"
	all_went_well
}

test_a_killed_one_lets_those_behind_it_in() {
	local i

	spec '<one:PRT:-:50::>' '<two:PRT:-:50::>'
	load stage=1
	load_client two --seconds 600 --cost-us 300
	two=$PID
	for i in 1 2 3 4 5 6; do
		load_client one --seconds 600 --cost-us 300
		one=$PID
		eventually 20 staged 50
		kill -KILL "$one"
		wait "$one" 2>/dev/null || :
		eventually 20 has_groups two $(($(task two groups) + 100))
	done
	ended "$two"
	all_went_well
}

test_bypass_and_removal_let_those_behind_in() {
	local i

	spec '<one:PRT:-:50::>' '<two:PRT:-:50::>'
	for i in 1 2 3; do
		load stage=1
		seen=0
		pair
		eventually 20 staged 50
		echo bypass >$CONTROL
		sleep 0.05
		echo restore >$CONTROL
		eventually 20 staged 50
		unload
		sleep 0.05
		ended "${PIDS[@]}"
	done
}

test_sleep_forgets_what_was_seen_of_the_words() {
	[ -w /sys/power/pm_test ] || skip "the kernel has no /sys/power/pm_test"
	spec '<one:PRT:-:50::>' '<two:PRT:-:50::>'
	load stage=1
	pair
	eventually 20 staged 50
	echo 0 >/sys/module/suspend/parameters/pm_test_delay
	echo devices >/sys/power/pm_test
	echo mem >/sys/power/state || fail "it does not suspend"
	echo none >/sys/power/pm_test
	staged 0
	eventually 20 staged 50
	ended "${PIDS[@]}"
	all_went_well
}

# Where nouveau has the words in the address space of every program of this kind.
WORDS=$((0x13800))

# It lets itself in beside the one that it is to wait for, and that is noticed. That one waits
# for a while in its last group, which it is not predicted to do.
test_one_that_forges_its_turn_is_not_staged_for_a_while() {
	local forger hog

	spec '<hog:PRT:-:50::>' '<forger:PRT:-:50::>' '<one:PRT:-:50::>'
	load stage=1
	# Nobody's words are looked at while it is alone.
	load_client one --seconds 600 --cost-us 100 --period-us 20000
	one=$PID
	eventually 20 has_groups one 5
	client hog --before 20 --groups 5 --hold-ms 10 --fills 6 --go "$T/go"
	hog=$PID
	ready hog
	client forger --groups 1000000 --fills 1 --words $WORDS
	forger=$PID
	ready forger
	eventually 20 has_groups forger 50
	trace_on
	touch "$T/go"
	finish "$hog"
	eventually 20 has_groups forger $(($(task forger groups) + 50))
	kill "$forger"
	wait "$forger" || :
	ended "$one"
	trace_off
	grep tg_forged: "$T/trace" || :
	want "forged" "$(counter forged)" -ge 1
	want "forged by the forger, and one that was under way" "$(grep -c "tg_forged: .* pid=$forger " "$T/trace")" -le 2
	want "staged of the forger's after that" "$(sed -n "/tg_forged: .* pid=$forger /,\$p" "$T/trace" |
		grep -c "tg_submit: .* pid=$forger .* staged=1")" -le 2
	want "recovered" "$(counter recovered)" = 0
}
