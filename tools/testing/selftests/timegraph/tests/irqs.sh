# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# How long the module has interrupts off: from each lock that it takes with them off to its
# being given back, by the kernel's own tracer of functions, whose events cost something, too.
# It is measured in the machine's time; a debug kernel has none to go by. On one CPU, where
# nobody waits for a lock. With TG_LONG=1 eleven thousand groups wait, for which this card has just
# enough channels.

LIMIT_US=50
LONG=${TG_LONG:-0}

# The names are looked for among all, which takes seconds: once.
prepare_trace() {
	echo 0 >$TRACING/tracing_on
	echo mono >$TRACING/trace_clock
	echo $((LONG ? 65536 : 16384)) >$TRACING/buffer_size_kb
	printf '%s\n' _raw_spin_lock_irq _raw_spin_lock_irqsave _raw_spin_unlock_irq \
		_raw_spin_unlock_irqrestore >$TRACING/set_ftrace_filter
	trap forget_trace EXIT
	echo function >$TRACING/current_tracer
}

forget_trace() {
	echo nop >$TRACING/current_tracer
	: >$TRACING/set_ftrace_filter
}

trace_locks() {
	: >$TRACING/trace
	echo 1 >$TRACING/tracing_on
}

trace_locks_off() {
	echo 0 >$TRACING/tracing_on
	cat $TRACING/trace >"$T/trace"
	grep -qE '^# entries-in-buffer/entries-written: ([0-9]+)/\1 ' "$T/trace" || fail "events were lost"
}

# kept_within_limit WHAT N: there are so many
kept_within_limit() {
	local result sections longest_us

	result=$(tgirqs <"$T/trace")
	echo "$1: $result"
	read -r sections _ longest_us _ <<<"$result"
	want "times that interrupts were off" "${sections#*=}" -ge "$2"
	want "the longest of them, us" "${longest_us#*=}" -le $LIMIT_US
}

# crowds N OPTION…: of 125 threads each
crowds() {
	local i n=$1
	shift

	CROWD=()
	for ((i = 0; i < n; i++)); do
		# Who looks comes first.
		tgchrt idle 0 0 tgclient --name crowd --mode shared --threads 125 --groups 1000000 \
			--fills 2 --say "$T/crowd$i.ready" "$@" >"$T/crowd$i" 2>&1 &
		CROWD+=($!)
	done
	for ((i = 0; i < n; i++)); do
		ready "crowd$i"
	done
}

# Ten thousand files and a thousand reserves.
much_is_held() {
	tgfiles many_are_held 10000 1000 >"$T/held" 2>&1 &
	HELD=$!
	eventually 60 grep -q ready "$T/held"
}

# groups_wait N: for their turn or a budget, at one look, which takes a while
groups_wait() {
	WAITING=$(sed -n 's/.* waiting=\([0-9]*\) .*/\1/p
		s/.*, \([0-9]*\) groups wait for a budget:/\1/p' $STATUS | awk '{ n += $1 } END { print n }')
	[ "$WAITING" -ge "$1" ]
}

# For a budget that is next to nothing, so that they stay; they come when all is there.
eleven_thousand_wait() {
	crowds 88 --go "$T/go"
	spec "$@" '<crowd:PRT:PE:10:10us:1000ms>'
	tgctl reload
	much_is_held
	touch "$T/go"
	eventually 60 groups_wait 10560
}

hundreds_wait() {
	much_is_held
	crowds 4
	sleep 2
	groups_wait 400 || fail "$WAITING groups wait"
}

# during WHAT N COMMAND…
during() {
	local what=$1 n=$2
	shift 2

	trace_locks
	"$@" >"$T/during.out" 2>&1 || fail "$what: $(tail -n 1 "$T/during.out")"
	trace_locks_off
	kept_within_limit "$what" "$n"
}

# As anybody who looks, and as the administrator.
look() {
	tgctl list reserves && cat $STATUS
}

change() {
	tgctl set --prio 20 fast && tgctl clear fast
}

# Of a crowd, and of who holds all the files and reserves.
die() {
	kill -KILL "${CROWD[0]}" "$HELD"
	wait "${CROWD[0]}" "$HELD" || :
	sleep 0.1
}

test_interrupts_are_off_for_50_us_at_most() {
	! on_debug_kernel || skip "a debug kernel has no time to go by"
	# Those aside stay: of the others, none may be waiting while the CPU has no time for them.
	local entries=('<fast:HT:-:90::>' '<aside:PRT:PE:50:10us:1000ms>')

	spec "${entries[@]}"
	load
	load_client fast --cost-us 500 --period-us 5000 --seconds 6000
	client aside --mode shared --threads 100 --groups 1000000 --fills 20
	if [ "$LONG" = 1 ]; then
		eleven_thousand_wait "${entries[@]}"
	else
		hundreds_wait
	fi
	echo "$WAITING groups wait"
	prepare_trace
	during "while they wait" $((LONG ? 100 : 1000)) sleep 0.1
	during "while it is looked at" 10 look
	want "groups that are shown" "$(grep -c ' group [0-9]* of ' "$T/during.out")" = 32
	during "while it is changed" 100 change
	during "while they die" 100 die
}
