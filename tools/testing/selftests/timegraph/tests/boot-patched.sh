# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What only a nouveau with the hook patch tells: to GPU monitors, in /proc/PID/fdinfo
# (tgfdinfo has the rules), and to its own tracer.
#
# boot: --nouveau patched

seen_by_monitors() {
	spec
	load
	tgfdinfo "$1" || fail "tgfdinfo $1"
}

test_keys_are_by_the_kernels_rules() { seen_by_monitors keys; }
test_a_client_is_an_open_file() { seen_by_monitors files; }
test_memory_is_what_was_allocated() { seen_by_monitors memory; }
test_evicted_buffers_are_resident_elsewhere() { seen_by_monitors evicted; }
test_buffers_in_use_are_active() { seen_by_monitors active; }
test_engine_time_is_what_was_charged() { seen_by_monitors engine; }

# engine_ns PID: of its one DRM file
engine_ns() {
	sed -n 's/^drm-engine-gr:\s*\([0-9]*\) ns$/\1/p' "/proc/$1"/fdinfo/*
}

test_engine_time_outlives_the_module() {
	local first last

	spec
	load
	load_client a --seconds 600 --fills 8
	eventually 20 has_time "$PID" 1000000
	unload
	first=$(engine_ns "$PID")
	[ "$first" -ge 1000000 ] || fail "with the module the time went: '$first'"
	sleep 0.2
	want "time without a scheduler" "$(engine_ns "$PID")" = "$first"
	load
	eventually 20 has_time "$PID" $((first + 1))
	last=$(engine_ns "$PID")
	echo "$first ns before, $last ns after"
	kill "$PID"
	finish "$PID"
}

has_time() {
	[ "$(engine_ns "$1")" -ge "$2" ] 2>/dev/null
}

# Readers, while files and channels come and go.
test_monitors_race_with_clients() {
	local i reader readers=()

	spec
	load
	for i in 1 2; do
		while :; do cat /proc/[0-9]*/fdinfo/* >"$T/read$i" 2>&1 || :; done &
		readers+=($!)
	done
	for i in $(seq "${RACE_ROUNDS:-12}"); do
		load_client "short$((i % 3))" --frames 5 --fills 2
		[ $((i % 4)) != 0 ] || kill -KILL "$PID"
		wait "$PID" || [ $((i % 4)) = 0 ] || fail "a client ended badly"
	done
	for reader in "${readers[@]}"; do
		kill "$reader"
		wait "$reader" || :
	done
	status_idle || fail "something is left: $(cat $STATUS)"
}

test_without_a_scheduler_no_engine_time_is_told() {
	tgfdinfo no_engine || fail "tgfdinfo no_engine"
}

# The user of the hooks that the patch brings; the clients are not scheduled.
test_the_tracer_tells_of_channels_and_groups() {
	local events=$TRACING/events/nouveau group

	modprobe nouveau_trace || fail "nouveau_trace.ko cannot be loaded"
	: >$TRACING/trace
	echo 1 >$events/enable
	echo 1 >$TRACING/tracing_on
	client a --groups 50
	finish "$PID"
	trace_off
	want "channels" "$(grep -c "nouveau_chan_new: .* pid=$PID comm=a$" "$T/trace")" = 1
	want "channels that went" "$(grep -c "nouveau_chan_del: .* pid=$PID comm=a$" "$T/trace")" = 1
	# The channel's end may submit one more.
	group=$(grep -c 'nouveau_group_submit: ' "$T/trace")
	want "groups" "$group" -ge 50
	want "ioctls" "$(grep -c 'nouveau_group_admit: .* ioctl=pushbuf ' "$T/trace")" = "$group"
	want "fences that stand twice" "$(sed -n 's/.*nouveau_group_submit: .*\(context=.*\)/\1/p' \
		"$T/trace" | sort | uniq -d | wc -l)" = 0
	rmmod nouveau_trace || fail "nouveau_trace.ko cannot be removed"
	[ ! -e $events ] || fail "its trace events are there"
}

# expect: timegraph: nouveau's hooks cannot be had: somebody else has them .*
test_one_user_of_the_hooks_at_a_time() {
	spec
	modprobe nouveau_trace
	! modprobe timegraph spec="$T/spec" 2>/dev/null || fail "both have the hooks"
	want "reports" "$(log_count 'hooks cannot be had: somebody else has them')" = 1
	rmmod nouveau_trace
	load
	! modprobe nouveau_trace 2>/dev/null || fail "both have the hooks"
	client a --groups 20
	finish "$PID"
	want "verified" "$(counter verified)" = "$(counter submitted)"
}
