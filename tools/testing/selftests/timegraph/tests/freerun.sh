# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Programs among which there is nothing to decide are not gated, and are again as soon as
# there is.

# Short groups as fast as the GPU takes them.
start_lone() {
	load_client lone --cost-us 50 --frames-in-flight 8 --groups-per-frame 10 --seconds 600 "$@"
	lone=$PID
}

runs_free() {
	eventually 20 ran_free $(($(freerun) + 1000))
}

# several_run_free N: so many programs
several_run_free() {
	[ "$(tgctl status --json | sed -n 's/.*"freerun_tasks": *\([0-9]*\).*/\1/p')" = "$1" ]
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
	sed -n 's/^  groups: //p' $STATUS
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
	# A thousand polls, each at work or not: a standard deviation is 3 % of it.
	want "GPU time, of 100 us" $((us / 100)) -ge $((groups * 2 * 86 / 100))
	want "GPU time, of 100 us" $((us / 100)) -le $((groups * 2 * 114 / 100))
	end_lone
}

test_another_program_has_its_half_at_once() {
	local before us

	spec
	load
	start_lone
	runs_free
	load_client other --cost-us 5000 --seconds 600
	other=$PID
	# Its mean is a long group's then: before, the small ones of its start count.
	eventually 20 has_groups other 30
	asks
	before=$(freerun)
	us=$(task lone gpu)
	want "GPU time of the other, ms" $(($(gain other gpu 2) / 1000)) -ge 970
	want "of the lone one, ms" $((($(task lone gpu) - us) / 1000)) -ge 870
	want "groups that did not ask" $(($(freerun) - before)) = 0
	kill "$other"
	finish "$other"
	runs_free
	end_lone
}

# A compositor, and two that want all of the GPU: nobody asks, each has what it has with
# no scheduler, and polls say how much that is.
test_several_with_short_groups_do_not_ask() {
	local submitted before name us
	local -A from

	need_instances
	spec
	load
	start_lone
	load_client other --cost-us 200 --frames-in-flight 8 --groups-per-frame 4 --seconds 600
	other=$PID
	load_client shown --cost-us 2000 --period-us 16667 --seconds 600
	shown=$PID
	eventually 30 several_run_free 3
	tgctl status | grep -q "3 programs share the GPU" || fail "tgctl does not say so"
	for name in lone other shown; do
		from[$name]=$(task "$name" gpu)
	done
	submitted=$(counter submitted)
	before=$(freerun)
	sleep 4
	want "groups that asked" $(($(counter submitted) - submitted)) = 0
	want "groups that did not" $(($(freerun) - before)) -ge 40000
	for name in lone other; do
		us=$(($(task $name gpu) - from[$name]))
		want "GPU time of $name, ms of 4000" $((us / 1000)) -ge 1500
		want "and at most" $((us / 1000)) -le 2050
	done
	# 240 pictures of 2 ms, seen by one poll in 4 ms: a standard deviation of 34 ms.
	want "of a compositor's 480 ms" $((($(task shown gpu) - from[shown]) / 1000)) -ge 310
	want "and at most" $((($(task shown gpu) - from[shown]) / 1000)) -le 650
	kill "$other" "$shown"
	finish "$other" "$shown"
	want "a compositor's longest frame, us" "$(report shown max_us | cut -d . -f 1)" -le 34000
	end_lone
}

# Three channels: with no scheduler the GPU gives them three quarters.
test_who_takes_more_than_his_share_is_held() {
	local pid

	need_instances
	spec
	load
	client many --mode threads --threads 3 --fills 4 --groups 1000000
	pid=$PID
	load_client lone --cost-us 200 --frames-in-flight 8 --groups-per-frame 2 --seconds 8
	finish "$PID"
	kill "$pid"
	wait "$pid" || :
	echo "$(report lone fps) frames of 400 us a second"
	want "frames of 400 us a second" "$(report lone fps | cut -d . -f 1)" -ge 900
	want "times that somebody was ahead" "$(counter freerun | cut -d / -f 3)" -ge 1
	want "groups that did not ask" "$(freerun)" -ge 1000
}

# It need not have submitted anything: what it is promised holds for its first group.
test_nobody_runs_free_beside_a_rule() {
	local word

	need_instances
	for word in '<vip:PRT:-:90::>' '<vip:HT:-:10::>' '<vip:FQ:PE:0:10:40>'; do
		spec "$word"
		load
		start_lone
		load_client second --cost-us 100 --seconds 600
		second=$PID
		eventually 20 several_run_free 2
		client vip --groups 1 --go "$T/go"
		vip=$PID
		ready vip
		asks
		touch "$T/go"
		finish "$vip"
		rm "$T/go" "$T/vip.ready"
		kill "$second"
		finish "$second"
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

# Whether timegraph sees what nouveau does within a call.
sees_within() {
	grep -q '^nouveau_fence_emit ' $TRACING/enabled_functions
}

sees_calls_only() {
	! sees_within && grep -q '^nouveau_gem_ioctl_pushbuf ' $TRACING/enabled_functions
}

# After 20,000 groups of it only each group's call is seen, which most pass; then all is again.
test_little_is_seen_of_who_runs_free_for_long() {
	local before us

	spec
	load
	sees_within || fail "it is not seen what nouveau does from the beginning"
	start_lone
	runs_free
	eventually 60 sees_calls_only
	before=$(counter submitted)
	eventually 20 ran_free $(($(freerun) + 12000))
	want "groups that asked meanwhile" $(($(counter submitted) - before)) = 0
	load_client other --cost-us 5000 --seconds 600
	other=$PID
	eventually 20 has_groups other 30
	eventually 20 sees_within
	asks
	us=$(task lone gpu)
	want "GPU time of the other, ms" $(($(gain other gpu 2) / 1000)) -ge 970
	want "of the lone one, ms" $((($(task lone gpu) - us) / 1000)) -ge 870
	kill "$other"
	finish "$other"
	end_lone
}

# To change what is seen takes a CPU for longer than groups of two seconds save.
test_who_has_few_groups_is_seen_for_as_long_as_they_take() {
	spec
	load
	start_lone --cost-us 200
	eventually 20 ran_free 8000
	sees_within || fail "hooks were taken out for $(freerun) groups"
	end_lone
}

# Its channel is there before, but nothing has been seen of it.
test_first_group_is_seen_however_late_it_comes() {
	local submitted

	spec
	load
	start_lone
	runs_free
	client late --groups 2 --go "$T/go"
	late=$PID
	ready late
	eventually 60 sees_calls_only
	submitted=$(counter submitted)
	touch "$T/go"
	finish "$late"
	rm "$T/go"
	want "groups that asked" $(($(counter submitted) - submitted)) -ge 1
	end_lone
}

# What stops tracing a function for good waits until each thread has slept, and nobody else can put
# hooks in meanwhile: not with a worker that has work without end.
test_busy_worker_holds_up_no_change_of_what_is_seen() {
	local t0 few_ms=500

	spec
	load
	start_lone
	runs_free
	# There a group takes milliseconds, and 20,000 longer than the worker is busy.
	if on_debug_kernel; then
		few_ms=5000
		eventually 60 ran_free 19000
	fi
	modprobe tg_rival busy_ms=30000 || skip "tg_rival.ko is not installed"
	t0=$(uptime_ms)
	eventually 60 sees_calls_only
	want "until less is seen, ms" $(($(uptime_ms) - t0)) -le 15000
	t0=$(uptime_ms)
	client late --groups 3
	finish "$PID"
	sees_within || fail "the first groups of a channel are not seen"
	want "a program of three groups, ms" $(($(uptime_ms) - t0)) -le $few_ms
	eventually 60 sees_calls_only
	rmmod tg_rival
	end_lone
}

# A thread that was let pass and comes only when the others have to ask is charged.
test_late_group_of_who_ran_free_is_charged() {
	local us

	need_instances
	spec
	load
	tglate --name late --say "$T/late.ready" --go "$T/go" --fills 1200 2>"$T/late.err" &
	late=$!
	ready late
	want "groups that did not ask" "$(freerun)" -ge 100
	load_client other --cost-us 5000 --period-us 20000 --seconds 600
	other=$PID
	eventually 20 has_groups other 5
	sleep 4
	us=$(task late gpu)
	touch "$T/go"
	eventually 10 has_groups other $(($(task other groups) + 20))
	us=$(($(task late gpu) - us))
	echo "$us us of a group of 1200 fills"
	want "GPU time of the late group, ms" $((us / 1000)) -ge 80
	kill "$late" "$other"
	finish "$late" "$other"
	rm "$T/go"
	eventually 5 status_idle
	want "groups whose end was seen" "$(counter verified)" = "$(counter submitted)"
}

# While one of its threads is in nouveau the others ask, or any number could pile up there.
test_threads_do_not_pile_up_with_what_they_were_let() {
	local submitted

	spec
	load
	tglate --name late --say "$T/late.ready" --go "$T/go" --fills 10 --threads 10 2>"$T/late.err" &
	late=$!
	ready late
	want "groups that did not ask" "$(freerun)" -ge 100
	submitted=$(counter submitted)
	touch "$T/go"
	eventually 10 counter_is submitted $((submitted + 8))
	kill "$late"
	finish "$late"
	rm "$T/go"
	eventually 5 status_idle
}

# One of its threads is in nouveau, where nobody has seen it go; another waits there for that.
test_who_waits_behind_one_that_passed_refuses_the_removal() {
	spec
	load
	tglate --name late --say "$T/late.ready" --go "$T/go" --fills 10 --threads 1 2>"$T/late.err" &
	late=$!
	ready late
	sleep 0.5
	rmmod timegraph 2>"$T/rmmod.err" &
	eventually 2 is_gone $! || { touch "$T/go"; fail "rmmod hangs"; }
	! wait $! || fail "it was removed"
	grep -q 'in use' "$T/rmmod.err" || fail "$(cat "$T/rmmod.err")"
	want "scheduling" "$(grep -c '^gpu .*: scheduling$' $STATUS)" = 1
	touch "$T/go"
	eventually 5 has_groups late 1
	kill "$late"
	finish "$late"
	rm "$T/go"
	unload
}

# Killed when the GPU has a group that did not ask; nouveau waits for its end then.
left_free() {
	local freerun

	freerun=$(freerun)
	touch "$T/go"
	sleep 0.01
	kill -KILL "$PID"
	wait "$PID" || :
	want "groups that did not ask" $(($(freerun) - freerun)) -ge 1
}

test_what_who_ran_free_left_on_the_gpu_is_paid() {
	spec
	load
	busy_ms_of whole_groups
	LONG_MS=$((BUSY_MS / 2))
	tglate --name late --say "$T/late.ready" --go "$T/go" --fills 2000 2>"$T/late.err" &
	PID=$!
	ready late
	want "groups that did not ask" "$(freerun)" -ge 100
	busy_ms_of left_free
	want "ms of one that was left" "$BUSY_MS" -ge $((LONG_MS * 90 / 100))
}
