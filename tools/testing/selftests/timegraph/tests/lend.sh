# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# tgctl lend: who makes more of his CPU time on the GPU than others is lent CPU weight, within
# bounds, and it comes back however that ends.

# weights: of the four groups, in a line
weights() {
	local g line=

	for g in tgcoupled tgbusy1 tgbusy2 tgbusy3; do
		line+=" $(cat "$CG/$g/cpu.weight")"
	done
	echo "${line# }"
}

weights_are() {
	[ "$(weights)" = "$1" ]
}

coupled_weighs() {
	[ "$(cat "$CG/tgcoupled/cpu.weight")" "$@" ]
}

# start_lending OPTION…
start_lending() {
	tgctl lend "$@" >"$T/lend.out" 2>"$T/lend.err" &
	LEND=$!
}

prepare() {
	local g

	coupled_groups
	[ -e /proc/self/schedstat ] || skip "no thread tells how long it waits"
	spec
	load freerun=0
	# A GPU is known from its first channel on.
	tgload --frames 1 >/dev/null
	for g in tgcoupled tgbusy1 tgbusy2 tgbusy3; do
		tgctl domain set "/$g" --weight 100
	done
}

# gains POLICY: a tenth more groups at least than without the module
gains() {
	tgctl policy "$1"
	coupled_frames
	echo "$1: $FRAMES groups in 3 s, $PLAIN without the module"
	rate "groups, of a hundred without the module" $((100 * FRAMES / PLAIN)) -ge 110
}

test_coupled_program_gains_by_it() {
	coupled_groups
	coupled_frames
	PLAIN=$FRAMES
	prepare
	start_lending
	gains augc
	gains cosched
	# Nobody is left who could gain.
	eventually 10 weights_are "100 100 100 100"
	! grep '^/tgbusy' "$T/lend.out" || fail "it was lent to who computes alone"
	kill "$LEND"
	finish "$LEND"
	eventually 5 status_idle
}

# lent POLICY: to the coupled one, beside the others
lent() {
	local i

	tgctl policy "$1"
	for i in 1 2 3; do
		load_client_in "tgbusy$i" "busy$i" --seconds 9999 --cpu-us 5000 --cost-us 500 --wait
	done
	load_client_in tgcoupled coupled --seconds 9999 --cpu-us 2000 --cost-us 2000 --wait
	start_lending --max 3
	# Each look is 0.1 s, and the average that of some of them.
	eventually 20 coupled_weighs = 300
}

stop_clients() {
	kill $(jobs -p) 2>/dev/null || :
	wait || :
	eventually 10 status_idle
}

test_it_comes_back_with_another_policy_and_at_the_end() {
	prepare
	lent augc
	tgctl policy fq
	eventually 5 weights_are "100 100 100 100"
	tgctl policy cosched
	eventually 20 coupled_weighs = 300
	kill -INT "$LEND"
	finish "$LEND"
	want "weights" "$(weights)" = "100 100 100 100"
	stop_clients
}

# xc takes a domain's part of the CPU's weights for its credit: what is lent is none of it.
test_what_is_lent_is_no_credit() {
	prepare
	lent augc
	# Asked for once a second.
	sleep 1.5
	want "weight that the module goes by" \
		"$(tgctl domain --json | awk '$1 == "\"path\":" { found = $2 == "\"/tgcoupled\"," }
			found && $1 == "\"cpu_weight\":" { sub(",", "", $2); print $2; exit }')" = 100
	kill "$LEND"
	finish "$LEND"
	stop_clients
}

test_it_comes_back_after_a_kill() {
	prepare
	lent augc
	! tgctl lend --undo 2>"$T/second" || fail "a second one began"
	grep -q "another" "$T/second" || fail "it says: $(cat "$T/second")"
	kill -KILL "$LEND"
	wait "$LEND" || :
	want "weight" "$(cat "$CG/tgcoupled/cpu.weight")" = 300
	tgctl lend --undo >"$T/undo"
	grep -q '^/tgcoupled: ' "$T/undo" || fail "it says: $(cat "$T/undo")"
	want "weights" "$(weights)" = "100 100 100 100"
	tgctl lend --undo >"$T/again" || fail "it cannot be undone again"
	want "what is left to undo" "$(wc -l <"$T/again")" = 0
	stop_clients
}

test_weight_that_is_set_after_a_kill_stays() {
	prepare
	lent augc
	kill -KILL "$LEND"
	wait "$LEND" || :
	echo 50 >"$CG/tgcoupled/cpu.weight"
	tgctl lend --undo >"$T/undo"
	want "weights" "$(weights)" = "50 100 100 100"
	stop_clients
}

# Nor may one that lost its weight, or its reader, keep it from being taken back.
test_it_comes_back_whatever_becomes_of_the_cgroup() {
	prepare
	lent augc
	echo 1 >"$CG/tgcoupled/cpu.idle"
	sleep 0.5
	echo 0 >"$CG/tgcoupled/cpu.idle"
	eventually 20 coupled_weighs = 300
	chmod 0 "$CG/tgcoupled"
	kill -INT "$LEND"
	finish "$LEND"
	want "weights" "$(weights)" = "100 100 100 100"
	[ ! -s "$T/lend.err" ] || fail "it says: $(cat "$T/lend.err")"
	stop_clients
}

# Who sets a weight meanwhile has set the own one.
test_weight_that_is_set_meanwhile_stays() {
	prepare
	lent augc
	echo 50 >"$CG/tgcoupled/cpu.weight"
	eventually 20 coupled_weighs -gt 50
	coupled_weighs -le 150 || fail "more than three times the own weight is lent"
	kill "$LEND"
	finish "$LEND"
	want "weights" "$(weights)" = "50 100 100 100"
	stop_clients
}

test_cgroups_and_programs_may_go() {
	prepare
	lent augc
	kill "$PID"
	wait "$PID" || :
	rmdir "$CG/tgcoupled"
	sleep 0.5
	! is_gone "$LEND" || fail "it ended: $(cat "$T/lend.err")"
	kill "$LEND"
	finish "$LEND"
	[ ! -s "$T/lend.err" ] || fail "it says: $(cat "$T/lend.err")"
	stop_clients
}

test_it_ends_with_the_module() {
	local status=0

	prepare
	lent augc
	unload
	wait "$LEND" || status=$?
	want "status" "$status" = 3
	want "weights" "$(weights)" = "100 100 100 100"
	kill $(jobs -p)
	wait || :
}
