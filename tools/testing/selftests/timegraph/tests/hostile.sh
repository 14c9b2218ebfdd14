# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A user without privileges attacks two programs that were promised something: one has
# a reserve of 30 %, the other is HT and the most important. Whatever the attacker does,
# each keeps 95 % of what was promised to it in every window of a second, the kernel has
# nothing to report, nothing is left behind, and the module can be removed.
#
# The victims count themselves what they got, by the GPU's stamps around each of their
# groups (tgload --window-us). TG_LONG=1 makes the attacks longer; TG_SCALE=N makes all times
# N times as long, for a kernel on which a group costs so much more of the CPU.
#
# Who attacks may keep a CPU to himself; nobody promises one.
# boot: --smp 2

LONG=${TG_LONG:-0}
SCALE=$((${TG_SCALE:-0} ? TG_SCALE : 1))
SECONDS_EACH=$(((LONG ? 10 : 2) * SCALE))
WINDOW_US=$((1000000 * SCALE))
RESERVED_US=$((3000 * SCALE)) PERIOD_US=$((10000 * SCALE))	# 30 %
GROUP_US=$((500 * SCALE))
FRAME_US=$((16667 * SCALE))		# 60 frames in a window
FRAME_COST_US=$((3000 * SCALE))		# of which each needs 18 % of the GPU
LEASE_US=$((10000 * SCALE))

# tenths N: of a second
tenths() {
	echo $(($1 * SCALE / 10)).$(($1 * SCALE % 10))
}

as_nobody() {
	tgioctl --nobody "$@"
}

promise() {
	spec "<reserved@0:PRT:PE:60:$RESERVED_US:$PERIOD_US>" '<fast@0:HT:-:90::>' \
		"<small:PRT:PE:0:$((1000 * SCALE)):$((100000 * SCALE))>" \
		"<crowded:PRT:PE@crowd:70:$((300 * SCALE)):$PERIOD_US>" \
		"<aside:PRT:AE:0:$((1000 * SCALE)):$((100000 * SCALE))>" '<focused:PRT:-:*::>'
	load lease_us=$LEASE_US "$@"
	chmod 666 /dev/timegraph /dev/dri/*
}

# victim NAME OPTION…: begins to count when there is $T/go
victim() {
	load_client "$@" --seconds $SECONDS_EACH --window-us $WINDOW_US --barrier "$T/go"
	VICTIMS+=("$PID")
	# Where all is that slow there is least of the CPU, and that is not promised here.
	[ $SCALE = 1 ] || renice -n -20 -p "$PID" >"$T/renice.out"
	eventually 60 grep -q ready "$T/$1.out" "$T/$1.err"
}

victims() {
	VICTIMS=()
	victim reserved --cost-us $GROUP_US
	victim fast --cost-us $FRAME_COST_US --period-us $FRAME_US
}

goes_on() {
	[ ! -e "$T/stop" ]
}

# attack NAME: until end_attack
attack() {
	rm -f "$T/stop" "$T/rounds"
	"attack_$1" >"$T/attack.out" 2>&1 &
	ATTACK=$!
}

# What is killed is one process at most: each attack starts a new one meanwhile. nouveau takes
# up to 15 s for a channel that hangs, one after the other.
end_attack() {
	touch "$T/stop"
	eventually 60 kill_attackers
	wait "$ATTACK" || :
}

kill_attackers() {
	pkill_nobody
	is_gone "$ATTACK"
}

# Processes of that user and of those that he has in namespaces, by /proc: there may be no pkill.
pkill_nobody() {
	local d uid

	for d in /proc/[0-9]*; do
		uid=$(stat -c %u "$d" 2>/dev/null) || continue
		[ "$uid" -lt 65534 ] || kill -KILL "${d#/proc/}" 2>/dev/null || :
	done
}

# Of a debug kernel in real time nothing is: what it leaves is only told.
is_asked() {
	! on_debug_kernel || [ "${TG_SCALE:-0}" != 0 ]
}

# kept WHAT GOT PROMISED
kept() {
	echo "$1: $2 of $3 promised in the worst $SCALE s"
	is_asked || return 0
	want "$1 in the worst $SCALE s" "$2" -ge $(($3 * 95 / 100))
}

# What nobody's programs have come to since BEFORE: groups that are not the victims', or rounds.
attackers_worked() {
	local groups rounds=0

	groups=$(($(counter submitted) - BEFORE - $(report reserved groups) - $(report fast groups)))
	[ ! -e "$T/rounds" ] || rounds=$(wc -l <"$T/rounds")
	echo "the attack: $groups groups, $rounds rounds"
	! is_asked || want "groups and rounds of the attack" $((groups + rounds)) -ge 5
}

# against ATTACK [PARAMETER=VALUE]…
against() {
	local name=$1
	shift

	promise "$@"
	victims
	BEFORE=$(counter submitted)
	attack "$name"
	# The attack has begun before anybody counts.
	sleep "$(tenths 3)"
	! declare -F "begun_$name" >"$T/begun" || "begun_$name"
	! is_gone "$ATTACK" || fail "the attack is over already: $(tail -n 3 "$T/attack.out")"
	touch "$T/go"
	finish "${VICTIMS[@]}"
	kept "GPU time of the reserve, us" $(($(report reserved window_busy_min_ns) / 1000)) \
		$((WINDOW_US / PERIOD_US * RESERVED_US))
	# Between the stamps of a group others can have had the GPU, too.
	kept "the same by the groups of the reserve, us" \
		$(($(report reserved window_groups_min) * GROUP_US)) $((WINDOW_US / PERIOD_US * RESERVED_US))
	kept "frames of the HT task" "$(report fast window_groups_min)" $((WINDOW_US / FRAME_US))
	attackers_worked
	! grep -E "^usage:|^Try '|: No such file|: not found|Segmentation fault" "$T/attack.out" ||
		fail "an attacker was called wrong"
	# The GPU loses no interrupt: who waits is told at once, if there is a CPU for it.
	! is_asked || want "groups whose end was found by polling" "$(counter recovered)" = 0
	end_attack
	eventually 20 status_idle
	RMMOD_LIMIT_MS=${RMMOD_LIMIT_MS:-1000} unload
	nobody_asleep || fail "somebody sleeps"
}

# loop COMMAND…: over and over; a round is one that ended well, or was killed
loop() {
	local rc

	while goes_on; do
		rc=0
		"$@" || rc=$?
		[ $rc != 0 ] && [ $rc != 137 ] || echo >>"$T/rounds"
	done
}

# dies_after SECONDS COMMAND…: the machine's timeout(1) knows whole seconds only
dies_after() {
	local seconds=$1 pid
	shift

	"$@" &
	pid=$!
	sleep "$seconds"
	kill -KILL $pid || :
	wait $pid
}

# Before a command: leaves others what they need of the CPU, which is not promised here.
POLITE=(tgchrt other 10 0)

# No longer than what a period of the reserve has left over (tgspec analyze).
attack_bombs() {
	local i

	for i in 1 2 3 4 5 6; do
		as_nobody tgload --name "bomb$i" --seconds $((SECONDS_EACH + 1)) --cost-us $((i * GROUP_US)) &
	done
	wait
}

# As many as a user likes are called like a program that was promised something.
attack_names() {
	local i

	for i in 1 2 3; do
		as_nobody tgload --name fast --seconds $((SECONDS_EACH + 1)) --cost-us $((4 * GROUP_US)) &
		as_nobody tgload --name reserved --seconds $((SECONDS_EACH + 1)) --cost-us $((4 * GROUP_US)) &
	done
	wait
}

attack_reopen() {
	loop as_nobody tgload --name small --frames 3 --cost-us $((2 * GROUP_US))
}

attack_kills() {
	loop dies_after "$(tenths 2)" tgioctl --nobody \
		tgload --name victim --seconds $((SECONDS_EACH + 1)) --cost-us $((6 * GROUP_US))
}

# Their groups wait on the GPU for what they release themselves, long after; killed ones
# would never, and nouveau keeps the CPU for seconds when it takes such a channel away.
attack_hold() {
	local i

	for i in 1 2 3; do
		loop as_nobody tgclient --name "hold$i" --groups 2 --hold-ms 700 &
	done
	wait
}

# The same, and nouveau waits for them within the call.
attack_syncs() {
	local i

	for i in 1 2 3; do
		loop as_nobody tgsync --name "sync$i" --hold-ms 700 &
	done
	wait
}

# They wait for as long as it takes to be set aside, and work then, beside whoever has the turn.
attack_late_work() {
	local i

	for i in 1 2 3 4 5 6; do
		loop as_nobody tgclient --name "late$i" --groups 1000 --hold-ms $((12 * SCALE)) \
			--fills $((i * 25 * SCALE)) &
	done
	wait
}

# Their groups end long after they are found to hang, again and again: of new channels each time.
attack_hangs() {
	local i

	for i in 1 2 3; do
		loop as_nobody tgclient --name "hang$i" --groups 2 --hold-ms $((300 * SCALE)) &
	done
	wait
}

# stallers MS: six that hold each turn for so long.  A system may allow that, and FUSE is as good.
stallers() {
	local i

	echo 1 >/proc/sys/vm/unprivileged_userfaultfd
	for i in 1 2 3 4 5 6; do
		as_nobody tgstall --name "stall$i" --stall-ms "$1" &
	done
	wait
}

# Each is believed once, and from then on proves itself first.
stallers_are_known() {
	local i

	for i in 1 2 3 4 5 6; do
		eventually 20 has_groups "stall$i" 1
	done
}

begun_hangs() { eventually 20 counter_is stuck 1; }
begun_turns() { stallers_are_known; }
begun_held() { stallers_are_known; }

attack_turns() {
	stallers $((100 * SCALE))
}

# Not as long that they lapse at first.
attack_held() {
	stallers $((9 * SCALE))
}

# new_programs FUNCTION: six over and over, called with their numbers; none is believed, even once
new_programs() {
	local i

	echo 1 >/proc/sys/vm/unprivileged_userfaultfd
	for i in 1 2 3 4 5 6; do
		loop "$1" $i &
	done
	wait
}

# holds_turns_and_dies PROGRAM…: as who that makes of it
holds_turns_and_dies() {
	dies_after "$(tenths 1)5" "${POLITE[@]}" "$@" tgstall --stall-ms $((9 * SCALE))
}

as_the_same_user() {
	holds_turns_and_dies tgioctl --nobody
}

# One of the users that may be had in a namespace, another one each time.
as_a_subuser() {
	holds_turns_and_dies tgsubuid $((RANDOM * 6 % 60000 + $1))
}

# The same users, by programs that are set-user-ID to them: nobody made them, as far as is known.
as_a_setuid_user() {
	holds_turns_and_dies tgsubuid --outside $((RANDOM * 6 % 60000 + $1))
}

attack_fresh() {
	new_programs as_the_same_user
}

attack_subusers() {
	new_programs as_a_subuser
}

attack_setuids() {
	new_programs as_a_setuid_user
}

attack_notifies() {
	as_nobody tgload --name flood --seconds $((SECONDS_EACH + 1)) --notify-flood 500 &
	as_nobody tgload --name forge --seconds $((SECONDS_EACH + 1)) --forge-refs &
	wait
}

attack_signals() {
	loop as_nobody tgclient --name storm --mode storm --wait --groups 1000
}

attack_exec() {
	as_nobody tgexec --name vk --seconds $((SECONDS_EACH + 1)) --ahead 8
}

# A round's own checks are for root. Many rounds, not one of a million calls.
calls_of_nobody() {
	TG_LONG=0 TG_SEED=$((RANDOM + 1)) as_nobody tgioctl arbitrary_calls_do_no_harm $$ 1 >"$T/calls.out" || :
	grep -q '^seed' "$T/calls.out"
}

# As EXEC, but that the GPU has something to do: half a millisecond each.
attack_copies() {
	as_nobody tgexec --name vk --seconds $((SECONDS_EACH + 1)) --ahead 8 --copies $SCALE
}

attack_calls() {
	loop calls_of_nobody
}

# Their turns come while they have no CPU: that is others', from a while after they have begun.
attack_idle() {
	local i

	for i in 1 2 3 4 5 6; do
		as_nobody tgchrt idle 0 0 tgload --name "idle$i" \
			--seconds $((SECONDS_EACH + 1)) --cost-us $((2 * GROUP_US)) &
	done
	sleep "$(tenths 2)"
	for i in 1 2 3; do
		"${POLITE[@]}" tgioctl --nobody timeout $((SECONDS_EACH + 1)) bash -c 'while :; do :; done' &
	done
	wait
}

# As many as a task may have, on one channel.
attack_threads() {
	as_nobody tgclient --name many --mode shared --threads 200 --groups 100000 --fills 2
}

# In each period one of each program is let go, and sent back when the budget is used up.
attack_budget() {
	local i crowds=30

	! on_debug_kernel || crowds=2
	for ((i = 0; i < crowds; i++)); do
		as_nobody tgchrt idle 0 0 tgclient --name crowded --mode shared --threads 120 \
			--groups 100000 --fills 2 &
	done
	wait
}

# At one look: they are on their way between here and there.
wait_for_a_budget() {
	local n

	n=$(sed -n 's/.*, \([0-9]*\) groups wait for a budget:/\1/p' $STATUS)
	[ "${n:-0}" -ge "$1" ]
}

# Nearly all of them: what it takes to begin is not the question.
begun_budget() { on_debug_kernel || eventually 60 wait_for_a_budget 2500; }

# They die while groups of theirs wait for a budget that does not come for long.
attack_forget() {
	loop dies_after "$(tenths 3)" tgioctl --nobody \
		tgclient --name aside --mode shared --threads 20 --groups 100000 --fills 20
}

# Files of the device and of the GPU, over and over; fewer where each takes that long.
attack_files() {
	loop as_nobody bash -c 'ulimit -n "$(ulimit -Hn)"
		for ((i = 0; i < $1; i++)); do
			exec {a}<>/dev/timegraph {b}<>/dev/dri/renderD128 || break
		done
		[ $i -ge 5 ]' files $((400 / SCALE))
}

# The focus goes from one bomb to the next as fast as a program can say so.
attack_focus() {
	local i pids=()

	for i in 1 2 3 4 5 6; do
		tgioctl --nobody tgload --name focused --seconds $((SECONDS_EACH + 1)) \
			--cost-us $((i * GROUP_US)) &
		pids+=($!)
	done
	# They are nobody's a moment later only.
	loop "${POLITE[@]}" tgfiles foreground_goes_from_one_to_the_next "${pids[@]}"
}

attack_faults() {
	local kind

	while goes_on; do
		for kind in method value address object bind; do
			as_nobody tgload --name fault --frames 40 --fault $kind --fault-every 2 || :
		done
	done
}

test_bombs_take_nothing_from_a_promise() { against bombs; }
test_equal_names_take_nothing_from_a_promise() { against names; }
test_reopened_channels_take_nothing_from_a_promise() { against reopen; }
test_killed_clients_take_nothing_from_a_promise() { against kills; }
# expect: nouveau .*
test_groups_that_wait_take_nothing_from_a_promise() { against hold; }
# expect: nouveau .*
test_groups_that_work_later_take_nothing_from_a_promise() { against late_work; }
# expect: nouveau .*
test_groups_that_nouveau_waits_for_take_nothing_from_a_promise() { against syncs; }
# expect: nouveau .*
# expect: timegraph: a group of channel .* \(hang.\) is on the GPU for .* stuck
# expect: timegraph: channel .* \(hang.\) hangs again: refused until it is closed
test_hangs_take_nothing_from_a_promise() { against hangs hang_ms=$((100 * SCALE)); }
test_unused_turns_take_nothing_from_a_promise() { against turns; }
test_held_turns_take_nothing_from_a_promise() { against held; }
test_new_programs_take_nothing_from_a_promise() { against fresh; }
test_users_of_a_namespace_take_nothing_from_a_promise() { against subusers; }
test_setuid_programs_take_nothing_from_a_promise() { against setuids; }
test_forged_completions_take_nothing_from_a_promise() { against notifies; }
test_signals_take_nothing_from_a_promise() { against signals; }
test_exec_takes_nothing_from_a_promise() { need_exec; against exec; }
test_calls_take_nothing_from_a_promise() { against calls; }
test_programs_without_a_cpu_take_nothing_from_a_promise() { against idle; }
test_threads_take_nothing_from_a_promise() { against threads; }
test_budget_of_a_crowd_takes_nothing_from_a_promise() { against budget; }
test_deaths_of_those_that_wait_take_nothing_from_a_promise() { against forget; }
test_many_files_take_nothing_from_a_promise() { against files; }
test_changes_of_the_focus_take_nothing_from_a_promise() { against focus; }
# expect: nouveau .*
test_illegal_groups_take_nothing_from_a_promise() { against faults; }

kmalloced_kb() {
	awk '$1 == "SUnreclaim:" { print $2 }' /proc/meminfo
}

# start_random NAME: as nobody, and of any kind
start_random() {
	local name=$1

	case $((RANDOM % 4)) in
	0) set -- tgload --seconds 60 --cost-us $((RANDOM % 3000 + 50));;
	1) set -- tgload --seconds 60 --cost-us 500 --channels 3;;
	2) set -- tgclient --mode threads --threads 3 --groups 100000;;
	3) set -- tgclient --mode storm --groups 100000;;
	esac
	tgioctl --nobody "$@" --name "$name" >"$T/random.out" 2>&1 &
	PID=$!
}

# Killed while they open a channel, wait, run free, or end. The first rounds fill caches.
# Channels of the dead go by and by: meanwhile nouveau may have none left.
# expect: nouveau .*
test_killed_clients_leave_nothing() {
	local round i p pids before=0 kills=0 names=(reserved fast small none)

	promise
	for ((round = 0; round < (LONG ? 1250 : 6); round++)); do
		pids=()
		for ((i = 0; i < 8; i++)); do
			start_random "${names[RANDOM % 4]}"
			pids+=("$PID")
		done
		sleep "0.0$((RANDOM % 10))$((RANDOM % 10))"
		kill -KILL "${pids[@]}" 2>"$T/kill.err" || :
		for p in "${pids[@]}"; do wait "$p" || :; done
		kills=$((kills + 8))
		[ $round != $((LONG ? 250 : 2)) ] || before=$(kmalloced_kb)
	done
	eventually 60 status_idle
	echo "$kills kills; unreclaimable memory grew by $(($(kmalloced_kb) - before)) KiB"
	want "growth, KiB" $(($(kmalloced_kb) - before)) -le $((LONG ? 4096 : 2048))
	nobody_asleep || fail "somebody sleeps"
	want "submitted" "$(counter submitted)" = \
		$(($(counter verified) + $(counter recovered) + $(counter dropped)))
	client after --groups 20
	finish "$PID"
}

# nouveau waits for the GPU in the first of these calls, and timegraph keeps the others back. Who
# comes out wakes one of them, not all. The wait costs processor time, too: as much for each.
test_crowd_at_a_channel_wakes_one_at_a_time() {
	local few many

	spec
	load
	tgvram open channel busy=50 crowd=400 channel busy=500 crowd=4000 >"$T/crowd"
	few=$(sed -n 's/^crowd //p' "$T/crowd" | head -n 1)
	many=$(sed -n 's/^crowd //p' "$T/crowd" | tail -n 1)
	echo "processor time of a call, ns: of 400 at once $few, of 4000 $many"
	want "of 400, ns" "$few" -ge 1
	want "of 4000, ns" "$many" -le $((few * 2))
}

# A thread writes over what the GPU wrote of a group's end, before anybody has read that.
test_forged_ends_are_charged_all_the_same() {
	local used charged

	spec "<forger:PRT:PE:50:$((50000 * SCALE)):$((100000 * SCALE))>"
	load
	trace_on
	client forger --forge-ends --wait --groups 200 --fills $((40 * SCALE)) --stamps
	finish "$PID"
	trace_off
	used=$(awk '$1 == "stamp" { ns += $5 - $4 } END { printf "%d\n", ns / 1000 }' "$T/forger.out")
	charged=$(sed -n "s/.*tg_complete: .* pid=$PID .* cost_ns=\([0-9]*\) .*/\1/p" "$T/trace" |
		awk '{ ns += $1 } END { printf "%d\n", ns / 1000 }')
	echo "used $used us, charged $charged us, $(counter unstamped) of $(counter submitted) by the CPU's clock"
	want "us of GPU time charged" "$charged" -ge $((used * 95 / 100))
}

# raced MB MS: how often a user was granted that, while another thread of his gave back
raced() {
	tgvram nobody open channel "race=$1,$2" | sed -n 's/^race //p'
}

# One without rights has half of the video memory at most, and not more for a moment, in which it
# would be nobody's.
test_who_gives_back_meanwhile_has_no_more_memory_than_he_may() {
	local mb

	promise vram=1
	tgvram open channel
	mb=$(($(sed -n 's/^  vram: size=\([0-9]*\) .*/\1/p' $STATUS) >> 20))
	want "times that three quarters were granted" "$(raced $((mb * 3 / 4)) 3000)" = 0
	want "times that a quarter was granted" "$(raced $((mb / 4)) 1000)" -ge 10
	want "held" "$(sed -n 's/^  vram: .* held=\([0-9]*\) .*/\1/p' $STATUS)" = 0
}

# At any moment; but for calls without their memory, which keep the module, and for channels
# that hang: nouveau takes up to 15 s to give one up, and the call for that has gone through
# the module.
# expect: nouveau .*
test_module_is_removed_under_attack() {
	local a i

	for a in bombs names kills notifies signals exec copies calls files; do
		for ((i = 0; i < (LONG ? 20 : 1); i++)); do
			promise
			attack $a
			sleep "0.$((RANDOM % 9 + 1))"
			echo "$a:"
			RMMOD_LIMIT_MS=${RMMOD_LIMIT_MS:-1000} unload
			end_attack
		done
	done
	nobody_asleep || fail "somebody sleeps"
}
