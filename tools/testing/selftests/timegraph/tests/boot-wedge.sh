# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The GPU's engine stops for good: scheduling ends with a reason, nobody is left
# asleep in the module, and it can be removed.
#
# A group of timegraph's releases three semaphores, its first one two: the number is one at which
# the commands of a group begin.
# boot: --fault wedge@2:3001

in_bypass() {
	grep -q '^gpu .*: bypass: ' $STATUS
}

# expect: nouveau .*
# expect: timegraph: a group of channel .* is on the GPU for .* stuck
# expect: timegraph: the GPU completes nothing any more: bypass
test_gpu_that_stops_ends_in_bypass_with_a_reason() {
	local i pids=()

	spec
	load poll_ms=10 hang_ms=50
	trace_on
	# In sessions of their own, so that nobody ends them: nouveau spins for many
	# seconds to free the channels of such a GPU, and this boot is over anyway.
	for i in 1 2 3 4; do
		setsid tgclient --name "w$i" --groups 1000000 --say "$T/w$i.ready" --go "$T/go" \
			>/dev/null 2>&1 &
		pids+=($!)
		ready "w$i"
	done
	touch "$T/go"
	# By then all have their channels: making one waits for a GPU that is idle.
	eventually 60 in_bypass
	grep -q '^gpu .*: bypass: the GPU stopped completing groups$' $STATUS ||
		fail "$(grep ^gpu $STATUS)"
	eventually 5 logged 'timegraph: the GPU completes nothing any more: bypass' 1
	want "online and waiting" "$(counter online) $(counter waiting)" = '0 0'
	for i in "${pids[@]}"; do
		want "threads of $i in the hooks" "$(in_hooks "$i")" = 0
	done
	# After restore the channels that hang are left alone, so nobody sleeps again.
	echo restore >$CONTROL
	grep -q '^gpu .*: scheduling$' $STATUS || fail "$(grep ^gpu $STATUS)"
	sleep 0.3
	want "online and waiting" "$(counter online) $(counter waiting)" = '0 0'
	# nouveau spins for 2 s at a time on a GPU that is not idle.
	RMMOD_LIMIT_MS=10000 unload
	for i in "${pids[@]}"; do
		want "threads of $i in the hooks" "$(in_hooks "$i")" = 0
	done
}
