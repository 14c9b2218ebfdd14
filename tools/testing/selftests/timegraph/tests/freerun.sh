# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A program that has the GPU to itself is not gated, and is again as soon as there is
# something to decide.

# Short groups as fast as the GPU takes them.
start_lone() {
	load_client lone --cost-us 50 --frames-in-flight 8 --groups-per-frame 10 --seconds 600 "$@"
	lone=$PID
}

runs_free() {
	eventually 20 ran_free $(($(freerun) + 1000))
}

# asks: the next thousand groups of the lone program, but for some that were on their way
asks() {
	local before

	before=$(counter submitted)
	eventually 20 counter_is submitted $((before + 20))
	before=$(freerun)
	eventually 20 counter_is submitted $(($(counter submitted) + 1000))
	want "groups that did not ask" $(($(freerun) - before)) = 0
}

end_lone() {
	kill "$lone"
	finish "$lone"
	eventually 5 status_idle
	want "groups whose end was seen" "$(counter verified)" = "$(counter submitted)"
	want "recovered" "$(counter recovered)" = 0
	want "stuck" "$(counter stuck)" = 0
}

test_lone_program_does_not_ask() {
	local submitted

	spec
	load
	start_lone
	runs_free
	submitted=$(counter submitted)
	eventually 20 ran_free 12000
	want "groups that asked meanwhile" $(($(counter submitted) - submitted)) = 0
	tgctl status | grep -q "lone ($lone) has the GPU to itself" || fail "tgctl does not say so"
	want "who runs free" "$(tgctl status --json | sed -n 's/.*"freerun_pid": *\([0-9]*\).*/\1/p')" = "$lone"
	end_lone
}

# Polls say how long it had the GPU: half of the time here.
test_gpu_time_is_polled() {
	local us groups

	spec
	load
	load_client lone --cost-us 200 --period-us 400 --seconds 600
	lone=$PID
	runs_free
	us=$(task lone gpu)
	groups=$(task lone groups)
	sleep 4
	us=$(($(task lone gpu) - us))
	groups=$(($(task lone groups) - groups))
	echo "$groups groups of 200 us: $us us by polls"
	want "GPU time, of 100 us" $((us / 100)) -ge $((groups * 2 * 92 / 100))
	want "GPU time, of 100 us" $((us / 100)) -le $((groups * 2 * 108 / 100))
	end_lone
}

test_another_program_has_its_half_at_once() {
	local before us

	spec
	load
	start_lone
	runs_free
	load_client other --cost-us 2000 --seconds 600
	other=$PID
	eventually 20 has_groups other 5
	asks
	before=$(freerun)
	us=$(task lone gpu)
	want "GPU time of the other, ms" $(($(gain other gpu 2) / 1000)) -ge 970
	want "of the lone one, ms" $((($(task lone gpu) - us) / 1000)) -ge 970
	want "groups that did not ask" $(($(freerun) - before)) = 0
	kill "$other"
	finish "$other"
	runs_free
	end_lone
}

# It need not have submitted anything: what it is promised holds for its first group.
test_nobody_runs_free_beside_a_rule() {
	local word

	for word in '<vip:PRT:-:90::>' '<vip:HT:-:10::>' '<vip:FQ:PE:0:10:40>'; do
		spec "$word"
		load
		start_lone
		runs_free
		client vip --groups 1 --go "$T/go"
		vip=$PID
		ready vip
		asks
		touch "$T/go"
		finish "$vip"
		rm "$T/go" "$T/vip.ready"
		end_lone
		unload
	done
}

test_a_rule_of_its_own_does_not_keep_it_from_running_free() {
	local word

	for word in '<lone:PRT:-:50::>' '<lone:HT:-:60::>'; do
		spec "$word"
		load
		start_lone
		runs_free
		end_lone
		unload
	done
}

test_reserve_holds_for_a_lone_program() {
	local share

	spec '<lone:PRT:PE:50:10ms:40ms>'
	load
	start_lone
	eventually 20 has_groups lone 500
	share=$(($(gain lone gpu 2) / 20000))
	want "per cent of the GPU" "$share" -le 26
	want "groups that did not ask" "$(freerun)" = 0
	end_lone
}

test_parameters_reach_who_runs_free() {
	spec
	load
	start_lone
	runs_free
	tgctl set --resv PE --capacity 10ms --period 40ms lone
	want "per cent of the GPU" $(($(gain lone gpu 2) / 20000)) -le 26
	tgctl clear lone
	runs_free
	end_lone
}

test_trace_has_every_group() {
	spec
	load
	start_lone
	runs_free
	trace_on
	asks
	trace_off
	want "groups in the trace" "$(grep -c 'tg_complete: ' "$T/trace")" -ge 1000
	echo 0 >$TRACING/events/timegraph/enable
	runs_free
	end_lone
}

test_long_groups_ask() {
	spec
	load
	load_client lone --cost-us 500 --seconds 0.5
	lone=$PID
	finish "$lone"
	want "groups that did not ask" "$(freerun)" = 0
	want "groups" "$(counter submitted)" -ge 900
}

test_death_and_removal_meet_who_runs_free() {
	local i

	spec
	for i in 1 2 3 4; do
		load
		start_lone
		runs_free
		case $i in
		1) kill -KILL "$lone" ;;
		2) tgctl bypass; tgctl restore; runs_free; kill "$lone" ;;
		3) unload; kill "$lone" ;;
		4) kill -STOP "$lone"; unload; kill -CONT "$lone"; kill "$lone" ;;
		esac
		wait "$lone" || :
		! loaded || { eventually 10 status_idle; unload; }
	done
	nobody_asleep || fail "somebody sleeps"
}

test_freerun_can_be_refused() {
	local word

	spec
	for word in freerun=0 completion=notify; do
		load "$word"
		start_lone
		eventually 20 has_groups lone 5000
		want "groups that did not ask" "$(freerun)" = 0
		end_lone
		unload
	done
}
