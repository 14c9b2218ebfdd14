# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The floor: what programs get that others would always go before, and HT beside its equals.

# start NAME MICROSECONDS [OPTION]…: a program that sends such groups until the test ends
start() {
	load_client "$1" --seconds 9999 --cost-us "${@:2}"
}

# A compositor that nobody listed beside a game that is always more important: of 60
# pictures a second it has the ten that the floor pays for, and the game the rest.
beside_ht() {
	spec '<game:HT:-:99::>'
	load "$@"
	trace_on
	start game 2000
	start eye 2000 --period-us 16667
	sleep 1
	groups=$(task eye groups)
	from=$(task game gpu)
	sleep 3
	groups=$(($(task eye groups) - groups))
	used=$(($(task game gpu) - from))
	check_trace --min-groups 1000
	echo "eye: $groups pictures in 3 s, game: $((used / 3000)) ms of each"
}

test_program_below_ht_99_goes_on() {
	local groups from used

	beside_ht
	want "pictures in 3 s" $groups -ge 28
	want "pictures in 3 s" $groups -le 50
	want "the game's GPU time of 3 s, ms" $((used / 1000)) -ge 2850
	want "groups lifted" "$T_lifted" -ge 28
	[ "$(task eye wait_max)" -le 140000 ] || fail "one waited for $(task eye wait_max) us"
}

test_without_a_floor_it_is_passed_over() {
	local groups from used

	beside_ht floor=0
	# A gap that the game leaves by chance.
	want "pictures in 3 s" $groups -le 5
	want "groups lifted" "$T_lifted" = 0
}

test_floor_and_its_period_can_be_set() {
	local groups from used

	beside_ht floor=20 floor_period_us=50000
	want "pictures in 3 s" $groups -ge 58
	tgctl status | grep -q "floor 10.0ms in 50.0ms" || fail "$(tgctl status | grep floor)"
}

# One of 20 ms is paid for by seven periods.
test_long_groups_get_no_more() {
	spec '<game:HT:-:99::>'
	load
	trace_on
	start game 2000
	start bomb 20000
	sleep 8
	check_trace --min-groups 1000
	# And what was saved up, and one group.
	# Nine at its start are short.
	want "groups lifted in 8 s" "$T_lifted" -le 24
	want "groups lifted in 8 s" "$T_lifted" -ge 10
}

# Either may have as much on the GPU as it likes, and none waits for more than a slice of both.
test_ht_gives_way_to_its_equals() {
	local used

	spec '<first:HT:-:50::>' '<second:HT:-:50::>'
	load
	trace_on
	start first 1000
	start second 3000
	used=$(gain first gpu 2)
	check_trace --min-groups 500
	# Slices of five groups and of two: five elevenths.
	want "the first's GPU time of 2 s, ms" $((used / 1000)) -ge 850
	want "the first's GPU time of 2 s, ms" $((used / 1000)) -le 1100
	want "groups lifted" "$T_lifted" = 0
}
