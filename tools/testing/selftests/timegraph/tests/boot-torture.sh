# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# For the debug kernel (KASAN, lockdep, kmemleak, failslab) with two CPUs that
# really run in parallel: where races and leaks show.
#
# boot: debug-kernel

KMEMLEAK=/sys/kernel/debug/kmemleak
FAILSLAB=/sys/kernel/debug/failslab

submitted_more() {
	[ "$(counter submitted)" -ge "$1" ]
}

# leaks: objects that nobody refers to, allocated by or for the module. An object
# counts from its second scan on: it must be old enough.
leaks() {
	sleep 6
	echo scan >$KMEMLEAK
	sleep 1
	echo scan >$KMEMLEAK
	awk '/^unreferenced object/ { if (ours) printf "%s", text; text = ""; ours = 0 }
		{ text = text $0 "\n" }
		/timegraph|nouveau_hook/ { ours = 1 }
		END { if (ours) printf "%s", text }' $KMEMLEAK
}

no_leaks() {
	local text

	text=$(leaks)
	[ -z "$text" ] || fail "leaked: $text"
}

# A victim's own NOTIFY is an error to nouveau while the module is away; one of the
# module's own, left over in a steady client's channel, would not be announced.
# expect: nouveau .* gr: 00000001 \[NOTIFY\] ch .* victim[123]\[
test_cycles_of_load_kill_and_remove_under_load_are_clean() {
	local i p pace cycles=${TG_CYCLES:-20} steady=() victims=()

	[ -e $KMEMLEAK ] || skip "no kmemleak"
	echo clear >$KMEMLEAK
	for i in 1 2; do
		load_client "steady$i" --seconds 86400 --bytes 131072 --fills $((2 * i)) --period-us $((20000 * i))
		steady+=("$PID")
	done
	for ((i = 0; i < cycles; i++)); do
		echo "cycle $i" >/dev/kmsg
		spec "<steady1:PRT:-:$((i % 20 * 5))::>" '<victim1:HT:-:50::>' '<victim2:PRT:-:60::>'
		load ht_depth=$((i % 4 + 1)) completion=$(word $((i % 3)) notify auto fence) poll_ms=$((i % 2 ? 5 : 100))
		# In every fifth round they leave the CPUs nothing, which takes long.
		pace=(--period-us 40000)
		[ $((i % 5)) != 3 ] || pace=()
		victims=()
		for p in 1 2 3; do
			load_client "victim$p" --seconds 3000 --bytes 131072 --fills $((p * 3)) \
				"${pace[@]}" --notify-flood $((i % 5 == 4 ? 3 : 0))
			victims+=("$PID")
		done
		eventually 60 submitted_more $((20 + 5 * (i % 20)))
		case $((i % 3)) in
		0) kill -KILL "${victims[@]}"; unload;;
		1) unload & kill -KILL "${victims[@]}"; wait $! || fail "rmmod";;
		2) unload; kill -KILL "${victims[@]}";;
		esac
		for p in "${victims[@]}"; do
			wait "$p" || :
		done
	done
	kill "${steady[@]}"
	finish "${steady[@]}"
	for i in 1 2; do
		want "frames of steady$i" "$(frames steady$i)" -ge 20
	done
	nobody_asleep || fail "somebody sleeps"
	no_leaks
}

test_signals_storms_and_threads_are_clean() {
	local pids=() i

	spec '<storm1:PRT:-:50::>' '<threads:HT:-:40::>'
	load ht_depth=3
	client storm1 --mode storm --wait --groups 100
	pids+=("$PID")
	client storm2 --mode storm --no-restart --groups 100
	pids+=("$PID")
	client threads --mode threads --threads 4 --groups 60
	pids+=("$PID")
	client forked --mode fork --groups 60
	pids+=("$PID")
	for i in 1 2 3; do
		echo bypass >$CONTROL
		echo restore >$CONTROL
		cat $STATUS >"$T/status"
		sleep 0.5
	done
	finish "${pids[@]}"
	eventually 20 status_idle
}

failslab_on() {
	echo N >$FAILSLAB/ignore-gfp-wait
	echo 0 >$FAILSLAB/verbose
	echo -1 >$FAILSLAB/times
	echo "$1" >$FAILSLAB/cache-filter
	echo "$2" >$FAILSLAB/task-filter
	echo "$3" >$FAILSLAB/probability
}

failslab_off() {
	echo 0 >$FAILSLAB/probability
	echo N >$FAILSLAB/cache-filter
	echo N >$FAILSLAB/task-filter
}

# A group without memory loses its place in the queue, and nothing else.
test_groups_without_memory_go_on_unscheduled() {
	local victim

	[ -e $FAILSLAB/cache-filter ] || skip "no failslab"
	spec '<victim:HT:-:50::>'
	load
	echo 1 >/sys/kernel/slab/tg_dev_group/failslab
	failslab_on Y N 10
	client victim --groups 300
	victim=$PID
	client other --groups 300
	finish "$victim" "$PID"
	failslab_off
	want "groups let through without memory" "$(counter ungated)" -ge 10
	want "groups scheduled all the same" "$(counter verified)" -ge 300
	eventually 20 status_idle
}

# Any allocation of a client may fail while it opens its channel and submits: it
# may fail, too, and leaves nothing behind. What nouveau says to that is its own.
# expect: nouveau .*
test_clients_without_memory_leave_nothing_behind() {
	local victim other i

	[ -e $FAILSLAB/task-filter ] || skip "no failslab"
	[ -e $KMEMLEAK ] || skip "no kmemleak"
	echo clear >$KMEMLEAK
	spec '<victim:HT:-:50::>'
	load
	client other --groups 300
	other=$PID
	failslab_on N Y 2
	for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
		sh -c 'echo 1 >/proc/self/make-it-fail; exec timeout -s KILL 60 tgclient --name victim --groups 30' || :
	done >"$T/victims.out" 2>&1
	failslab_off
	cat "$T/victims.out"
	finish "$other"
	eventually 30 status_idle
	client after --groups 20
	finish "$PID"
	unload
	no_leaks
}
