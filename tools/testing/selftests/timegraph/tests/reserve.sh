# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Reserves: what a task gets, and who may wait for a budget how. The shares of the
# paper's experiments are measured in bench/reserves; here it is the
# life of those who wait.

# reserve NAME COLUMN: of the table of reserves
# reserves NAME COLUMN: of all that are called so, a line each
reserves() {
	awk -v n="$1" -v c="$2" '
		BEGIN { split("name policy kind state C T budget used periods refused debt", k)
			for (i in k) col[k[i]] = i }
		$1 == "task" { seen = 0 }
		seen && $1 == n && NF == 11 { print $col[c] }
		$1 == "reserve" { seen = 1 }' $STATUS
}

# reserve NAME COLUMN: of the first of them
reserve() {
	reserves "$@" | sed -n 1p
}

throttled() {
	[ "$(awk '/groups wait for a budget/ { print $6 }' $STATUS)" = "${1:-1}" ]
}

state_is() {
	[ "$(reserve "$1" state)" = "$2" ]
}

no_reserve() {
	[ -z "$(reserve "$1" state)" ]
}

limit() {
	echo "$1" >"$T/ac"
}

test_task_gets_its_capacity_every_period() {
	local got

	spec '<capped:PRT:PE:10:2500:25000>'
	load
	load_client capped --seconds 600 --fills 8
	eventually 20 has_groups capped 50
	got=$(gain capped gpu 1)
	kill "$PID"
	finish "$PID"
	want "GPU time of a second, us" "$got" -ge 97000
	want "GPU time of a second, us" "$got" -le 103000
	status_idle || fail "something is left: $(cat $STATUS)"
}

test_shared_reserve_is_one_for_all() {
	local pids=() i got=0 from

	spec '<a:PRT:PE@hogs:10:2500:25000>' '<b:PRT:PE@hogs:10::>' '<c:PRT:PE@hogs:10::>'
	load
	for i in a b c; do
		load_client $i --seconds 600 --fills 8
		pids+=("$PID")
	done
	for i in a b c; do eventually 20 has_groups $i 10; done
	from=$(reserve hogs used)
	sleep 1
	got=$(($(reserve hogs used) - from))
	want "kind" "$(reserve hogs kind)" = shared
	kill "${pids[@]}"
	finish "${pids[@]}"
	want "GPU time of a second, us" "$got" -ge 97000
	want "GPU time of a second, us" "$got" -le 103000
	# It lingers until it is full.
	eventually 2 no_reserve hogs
}

test_background_holds_tasks_without_an_entry() {
	local got

	spec
	load bg_capacity_us=5000 bg_period_us=25000
	load_client nobody --seconds 600 --fills 8
	eventually 20 has_groups nobody 50
	got=$(gain nobody gpu 1)
	kill "$PID"
	finish "$PID"
	want "GPU time of a second, us" "$got" -ge 195000
	want "GPU time of a second, us" "$got" -le 205000
}

test_ht_tasks_are_not_regulated() {
	local got

	spec '<free:HT:PE:10:2500:25000>'
	load
	load_client free --seconds 600 --fills 8
	eventually 20 has_groups free 50
	got=$(gain free gpu 1)
	want "reserve" "$(task free resv)" = 'PE(off:HT)'
	kill "$PID"
	finish "$PID"
	want "GPU time of a second, us" "$got" -ge 900000
}

# A group under AE is refused only once its cost is predicted: after validation,
# which is wound back.
test_ae_refuses_after_validation_and_lets_go() {
	local got

	spec '<ae:PRT:AE:10:2500:25000>'
	load
	trace_on
	load_client ae --seconds 600 --fills 8
	eventually 20 has_groups ae 50
	got=$(gain ae gpu 1)
	kill "$PID"
	finish "$PID"
	trace_off
	want "groups refused by their predicted cost" \
		"$(grep -cE 'tg_throttle:.* budget_ns=[1-9][0-9]* predicted_ns=[1-9]' "$T/trace")" -ge 30
	want "GPU time of a second, us" "$got" -le 100500
	want "GPU time of a second, us" "$got" -ge 85000
	want "cancelled" "$(counter cancelled)" = 0
	want "verified" "$(counter verified)" = "$(counter submitted)"
	status_idle || fail "something is left: $(cat $STATUS)"
}

# Both are asked what the group costs: the reserve, and the lead, which has its say though
# it lets no task of a reserve start ahead.
test_ae_predicts_by_what_is_asked_for() {
	local p

	for p in largest average; do
		spec '<ae:PRT:AE:10:5ms:10ms>'
		load predictor=$p lead_predictor=$p
		trace_on
		load_client ae --seconds 600 --fills 8 --vary 80
		eventually 20 has_groups ae 100
		kill "$PID"
		finish "$PID"
		trace_off
		sed -n 's/.*tg_complete:.* predicted_ns=\([0-9]*\) predicted_by=\([a-z]*\) .* lead_predicted_ns=\([0-9]*\) .*/\1 \2 \3/p' \
			"$T/trace" >"$T/said"
		want "groups" "$(wc -l <"$T/said")" -ge 100
		want "that both say the same of" "$(awk '$1 == $3 && $2 != "none"' "$T/said" | wc -l)" \
			= "$(wc -l <"$T/said")"
		want "different predictions" "$(awk '$2 == "hit"' "$T/said" | uniq | wc -l)" -ge 10
		unload
	done
}

# A second of GPU time every hundred seconds: who has used it up waits for long.
start_throttled() {
	spec "<waiter:PRT:${1:-PE}:10:1ms:100s>"
	load
	load_client waiter --seconds 600 --fills 400
	eventually 20 throttled
}

test_killed_throttled_task_leaves_nothing() {
	start_throttled
	kill -KILL "$PID"
	eventually 2 is_gone "$PID"
	wait "$PID" || :
	eventually 2 throttled 0
	status_idle || fail "something is left: $(cat $STATUS)"
}

test_killed_throttled_ae_task_leaves_nothing() {
	start_throttled AE
	kill -KILL "$PID"
	eventually 2 is_gone "$PID"
	wait "$PID" || :
	eventually 2 throttled 0
	status_idle || fail "something is left: $(cat $STATUS)"
}

test_removed_module_lets_throttled_tasks_go_on() {
	start_throttled
	unload
	sleep 0.2
	kill "$PID"
	finish "$PID"
	want "frames" "$(frames waiter)" -ge 5
}

test_bypass_lets_throttled_tasks_go_on() {
	start_throttled
	echo bypass >$CONTROL
	eventually 2 throttled 0
	sleep 0.2
	kill "$PID"
	finish "$PID"
	want "frames" "$(frames waiter)" -ge 5
	# The one that waited; the next ones nobody looked at.
	want "groups let through" "$(counter ungated)" -ge 1
	echo restore >$CONTROL
	load_client waiter --seconds 600 --fills 400
	eventually 20 throttled
	kill -KILL "$PID"
	wait "$PID" || :
	status_idle || fail "something is left: $(cat $STATUS)"
}

# Of a Shared AE reserve the first waits for more than there is, and keeps the others
# back; whoever takes it out lets them go.
start_kept_back() {
	spec '<large:PRT:AE@both:10:20ms:100s>' '<small:PRT:AE@both:10::>'
	load
	load_client large --seconds 600 --fills 400
	LARGE=$PID
	eventually 20 throttled
	load_client small --seconds 600 --fills 4
	SMALL=$PID
	eventually 20 throttled 2
}

both_went_on() {
	sleep 0.2
	kill "$LARGE" "$SMALL"
	finish "$LARGE" "$SMALL"
	want "frames of large" "$(frames large)" -ge 3
	want "frames of small" "$(frames small)" -ge 5
}

test_bypass_lets_go_whom_a_refused_group_keeps_back() {
	start_kept_back
	echo bypass >$CONTROL
	eventually 2 throttled 0
	both_went_on
	status_idle || fail "something is left: $(cat $STATUS)"
}

test_killed_client_lets_go_whom_its_refused_group_keeps_back() {
	start_kept_back
	kill -KILL "$LARGE"
	wait "$LARGE" || :
	eventually 5 has_groups small 5
	# It may have used up what there was, and would restart its ioctl.
	kill -KILL "$SMALL"
	wait "$SMALL" || :
	status_idle || fail "something is left: $(cat $STATUS)"
}

test_removed_module_lets_go_whom_a_refused_group_keeps_back() {
	start_kept_back
	unload
	both_went_on
}

test_signal_storm_on_a_throttled_task_loses_no_group() {
	spec '<storm:PRT:AE:50:500:10000>'
	load
	trace_on
	client storm --mode storm --wait --groups 60 --fills 6
	finish "$PID"
	want "signals taken" "$(sed -n 's/^alarms //p' "$T/storm.out")" -ge 50
	want "verified" "$(counter verified)" = "$(counter submitted)"
	status_idle || fail "something is left: $(cat $STATUS)"
}

# Others run while a task of higher priority waits for its budget.
test_throttled_task_does_not_hold_up_lower_priorities() {
	local before waiter

	spec '<waiter:PRT:PE:90:1ms:100s>' '<other:PRT:-:10::>'
	load
	load_client waiter --seconds 600 --fills 400
	waiter=$PID
	eventually 20 throttled
	load_client other --seconds 600 --fills 8
	eventually 20 has_groups other 10
	before=$(task other groups)
	eventually 5 has_groups other $((before + 200))
	kill "$PID"
	finish "$PID"
	kill -KILL "$waiter"
	wait "$waiter" || :
}

test_reserve_over_the_limit_is_background_until_another_leaves() {
	local a

	spec '<a:PRT:PE:50:6ms:25ms>' '<b:PRT:PE:40:6ms:25ms>'
	limit 30
	load ac="$T/ac"
	load_client a --seconds 600 --fills 8
	a=$PID
	eventually 20 has_groups a 10
	load_client b --seconds 600 --fills 8
	eventually 20 state_is b background
	want "reserve of a" "$(reserve a state)" = active
	want "what b gets" "$(task b resv)" = 'PE->BG'
	eventually 5 logged 'reserve b .* does not fit within 30%: background' 1
	kill "$a"
	finish "$a"
	eventually 5 state_is b active
	eventually 5 logged 'reserve b fits now' 1
	kill "$PID"
	finish "$PID"
}

test_limit_of_exactly_the_sum_admits_all() {
	local i pids=()

	spec '<a:PRT:PE:50:1ms:30ms>' '<b:PRT:PE:40:1ms:30ms>' '<c:PRT:PE:40:1ms:30ms>'
	limit 10
	load ac="$T/ac"
	for i in a b c; do
		load_client $i --seconds 600 --fills 2
		pids+=("$PID")
		eventually 20 state_is $i active
	done
	kill "${pids[@]}"
	finish "${pids[@]}"
}

test_wrong_limit_keeps_the_last_good_one() {
	spec '<a:PRT:PE:50:6ms:25ms>'
	limit 20
	load ac="$T/ac"
	limit 'a lot'
	load_client a --seconds 600 --fills 2
	eventually 20 state_is a background
	want "messages" "$(log_count "$T/ac: 1:1: error.*stays in force")" = 1
	grep -q "^ac: $T/ac, limit 20%; refused: " $STATUS || fail "$(sed -n 2p $STATUS)"
	kill "$PID"
	finish "$PID"
}

test_gpu_clock_and_cpu_clock_agree_within_the_latency() {
	local gpu cpu groups

	spec '<a:PRT:-:50::>'
	load
	load_client a --seconds 600 --fills 32
	eventually 20 has_groups a 200
	# All at one look.
	read_row a
	groups=${ROW[${COLUMN[groups]}]} gpu=${ROW[${COLUMN[gpu]}]} cpu=${ROW[${COLUMN[gpu_cpu]}]}
	want "unstamped" "$(counter unstamped)" = 0
	kill "$PID"
	finish "$PID"
	want "GPU time by the CPU's clock, us" "$cpu" -ge "$gpu"
	want "difference a group, us" $(((cpu - gpu) / groups)) -le 50
}

# Groups in the trace, their GPU time and the longest's, in us
ran() {
	sed -n 's/.*tg_complete:.* cost_ns=\([0-9]*\) .*/\1/p' "$T/trace" |
		awk '{ sum += $1; if ($1 > max) max = $1 }
			END { printf "%d %d %d\n", NR, sum / 1000, max / 1000 }'
}

# One process after the other, each with a group that is long for its reserve.
short_runs() {
	while :; do
		tgload --name "$1" --fills 400 --frames 1 --warmup 0 >/dev/null 2>&1 || :
	done
}

# A reserve of 1 %, and a new process for each group: each pays for those before.
test_short_runs_share_one_reserve() {
	local groups sum longest loop

	spec '<short:PRT:PE:10:1ms:100ms>'
	load
	trace_on
	short_runs short &
	loop=$!
	sleep 4
	kill "$loop"
	trace_off
	read -r groups sum longest <<<"$(ran)"
	echo "$groups groups, $sum us of 4 s, the longest $longest us"
	want "groups" "$groups" -ge 2
	want "the longest group, us" "$longest" -ge 2000
	want "GPU time of 4 s, us" "$sum" -le $((41000 + longest))
}

test_reserve_lingers_until_its_debt_is_paid() {
	spec '<debtor:PRT:PE:10:1ms:200ms>' '<other:PRT:PE:10:997ms:1s>'
	load
	load_client debtor --fills 400 --frames 1 --warmup 0
	finish "$PID"
	want "state" "$(reserve debtor state)" = lingering
	# It keeps its claim: what would fit without it does not.
	load_client other --seconds 600 --fills 2
	eventually 20 state_is other background
	eventually 60 no_reserve debtor
	eventually 5 state_is other active
	kill "$PID"
	finish "$PID"
}

# states_are NAME STATE…: in the order in which they were made
states_are() {
	local name=$1 states
	shift

	mapfile -t states <<<"$(reserves "$name" state)"
	[ "${states[*]}" = "$*" ]
}

# Programs of containers, each with users of its own, which root made: one does not get what
# another owes.
test_containers_have_a_reserve_each() {
	local one two

	spec '<debtor:PRT:PE:10:1ms:500ms>'
	load
	chmod 666 /dev/dri/*
	tgsubuid --root 1 tgload --name debtor --fills 400 --frames 1 --warmup 0 >"$T/one" 2>&1
	want "state" "$(reserve debtor state)" = lingering
	tgsubuid --root 2 tgload --name debtor --fills 2 --seconds 600 >"$T/two" 2>&1 &
	two=$!
	eventually 5 states_are debtor lingering active
	tgsubuid --root 1 tgload --name debtor --fills 2 --seconds 600 >"$T/one" 2>&1 &
	one=$!
	eventually 5 states_are debtor active active
	kill "$one" "$two"
	finish "$one" "$two"
}

test_module_goes_while_a_reserve_lingers() {
	spec '<debtor:PRT:PE:10:1ms:100s>'
	load
	load_client debtor --fills 400 --frames 1 --warmup 0
	finish "$PID"
	want "state" "$(reserve debtor state)" = lingering
	unload
}
