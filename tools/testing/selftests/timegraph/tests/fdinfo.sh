# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What GPU monitors read of nouveau's clients in /proc/PID/fdinfo (tgfdinfo has
# the rules).

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
