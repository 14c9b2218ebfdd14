# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the tests are written with. Each test is a function that runs in a
# process of its own under "set -eu -o pipefail": it fails by failing. $T is its
# folder, gone afterwards; clients that it leaves behind are killed, the module
# is removed.

DEBUGFS=/sys/kernel/debug/timegraph
STATUS=$DEBUGFS/status
CONTROL=$DEBUGFS/control
TRACING=/sys/kernel/tracing
NOUVEAU_PCI=/sys/bus/pci/drivers/nouveau
SKIP=77

fail() {
	echo "failed: $*"
	exit 1
}

skip() {
	echo "SKIP: $*"
	exit $SKIP
}

# want WHAT VALUE OPERATOR NUMBER, or WHAT VALUE = TEXT
want() {
	local ok=0

	case $3 in
	=) [ "$2" = "$4" ] || ok=1;;
	!=) [ "$2" != "$4" ] || ok=1;;
	*) [ "$2" "$3" "$4" ] || ok=1;;
	esac
	[ $ok = 0 ] || fail "$1 is '$2', wanted $3 '$4'"
}

# rate …: as want, of what a machine does that has its time: a debug kernel has not
rate() {
	on_debug_kernel || want "$@"
}

# What is waited for is looked at many times, on a CPU that the clients need: so without a
# process for each look, which takes one or two million instructions.

# sleep SECONDS, in this process: on $NEVER, a pipe into which nobody writes
sleep() {
	read -rt "$1" -u "$NEVER" || :
}

# look_at_clock: sets NOW_MS, of the machine's uptime
look_at_clock() {
	local uptime

	read -r uptime _ </proc/uptime
	NOW_MS=$((10#${uptime/./} * 10))
}

uptime_ms() {
	look_at_clock
	echo $NOW_MS
}

# eventually SECONDS COMMAND…: until it succeeds.
eventually() {
	local slowness=1 until

	! on_debug_kernel || slowness=10
	look_at_clock
	until=$((NOW_MS + $1 * 1000 * slowness))
	shift

	until "$@"; do
		look_at_clock
		[ "$NOW_MS" -lt "$until" ] || fail "not in time: $*"
		sleep 0.01
	done
}

# --- module

spec() {
	printf '%s\n' "$@" >"$T/spec"
}

# Most likely emulated: everything takes long, so that nobody gets what was promised.
on_debug_kernel() {
	[ -e /sys/kernel/debug/kmemleak ]
}

# load PARAMETER=VALUE…: with the specification that spec wrote. A debug kernel takes
# longer from a turn to the ring, and in a policy's calls.
load() {
	! on_debug_kernel || set -- lease_us=1000000 policy_call_us=10000 "$@"
	modprobe timegraph spec="$T/spec" "$@" || fail "timegraph.ko cannot be loaded"
}

# As the paper has it: NOTIFY after each group, one at a time, nothing for who is passed over, and
# turns that do not lapse.
load_paper() {
	load completion=notify lead_us=0 floor=0 freerun=0 lease_us=1000000 "$@"
}

# policy_is NAME: what orders the GPU
policy_is() {
	want "policy" "$(tgctl policy)" = "GPU 0: $1"
}

# word N WORD…: one of them, from 0
word() {
	shift $(($1 + 1))
	echo "$1"
}

mount_securityfs() {
	grep -q ' /sys/kernel/security ' /proc/mounts || mount -t securityfs none /sys/kernel/security
}

loaded() {
	[ -d /sys/module/timegraph ]
}

# A removal must not wait for anybody; the bound is generous for slow machines.
unload() {
	local t0
	t0=$(uptime_ms)

	timeout -s KILL 60 rmmod timegraph || fail "timegraph.ko cannot be removed"
	! loaded || fail "timegraph.ko is still there after rmmod"
	echo "rmmod took $(($(uptime_ms) - t0)) ms"
	[ $(($(uptime_ms) - t0)) -le "${RMMOD_LIMIT_MS:-2000}" ] || fail "rmmod took too long"
}

# attached: to what the module is
attached() {
	sed -n 's/^attached: //p' $STATUS
}

# nouveau goes; nobody may use it. It logs errors of its own when it goes.
without_nouveau() {
	rmmod nouveau || fail "nouveau cannot be removed: $(lsmod | grep ^nouveau)"
}

# A group under the scheduler, with the right pixels.
works() {
	[ -e /dev/dri/renderD128 ] || fail "nouveau is not there"
	client works --groups 50
	finish "$PID"
	want "submitted" "$(counter submitted)" -ge 50
	want "verified" "$(counter verified)" = "$(counter submitted)"
	engine --frames 5 --check >/dev/null || fail "engine draws wrong pixels"
}

# uses notify|fence: how groups end
uses() {
	trace_on
	client uses --groups 50
	finish "$PID"
	trace_off
	want "groups that ended by $1" "$(grep -c "tg_complete: .* by=$1 " "$T/trace")" -ge 20
}

# read_counter NAME: sets VALUE to it, of the first GPU that has it; as empty if none has
read_counter() {
	local lines line

	VALUE=
	mapfile -t lines <$STATUS || :
	for line in "${lines[@]}"; do
		[[ " $line" == *[[:space:]]"$1="* ]] || continue
		VALUE=" $line"
		VALUE=${VALUE#*[[:space:]]"$1="}
		VALUE=${VALUE%%[[:space:]]*}
		break
	done
}

# counter NAME
counter() {
	read_counter "$1"
	echo "$VALUE"
}

declare -A COLUMN=([name]=0 [pid]=1 [policy]=2 [prio]=3 [resv]=4 [C]=5 [T]=6 [groups]=7 [gpu]=8
	[wait]=9 [wait_max]=10 [line]=11 [throttle]=12 [gpu_cpu]=13)

# read_row NAME: sets ROW to that of the table of tasks, by $COLUMN
read_row() {
	local lines line words

	ROW=()
	mapfile -t lines <$STATUS || :
	for line in "${lines[@]}"; do
		[[ $line == *"$1"* ]] || continue
		read -ra words <<<"$line"
		[ "${#words[@]}" = 14 ] && [ "${words[0]}" = "$1" ] || continue
		ROW=("${words[@]}")
		break
	done
}

# read_task NAME COLUMN: sets VALUE to it
read_task() {
	read_row "$1"
	VALUE=${ROW[${COLUMN[$2]}]:-}
}

# task NAME COLUMN
task() {
	read_task "$1" "$2"
	echo "$VALUE"
}

# gain NAME COLUMN SECONDS: by how much that grows in the time
gain() {
	local from

	from=$(task "$1" "$2")
	sleep "$3"
	echo $(($(task "$1" "$2") - from))
}

# For "eventually": a counter, or a task's groups, are so many.
counter_is() {
	read_counter "$1"
	[ "${VALUE:-0}" -ge "$2" ]
}

has_groups() {
	read_task "$1" groups
	[ "${VALUE:-0}" -ge "$2" ]
}

# Groups that did not ask.
freerun() {
	read_counter freerun
	echo "${VALUE%%/*}"
}

ran_free() {
	read_counter freerun
	VALUE=${VALUE%%/*}
	[ "${VALUE:-0}" -ge "$1" ]
}

nr_tasks() {
	awk '$1 == "reserves," { seen = 0 } seen { n++ } $1 == "task" { seen = 1 }
		END { print n + 0 }' $STATUS
}

# status_idle: nothing is left of any client
status_idle() {
	read_counter online
	[ "$VALUE" = 0 ] || return
	read_counter waiting
	[ "$VALUE" = 0 ] || return
	[ "$(nr_tasks)" = 0 ]
}

# busy_ms_of COMMAND…: GPU time that was charged meanwhile, until nobody is left
busy_ms_of() {
	local before

	before=$(counter busy_us)
	"$@"
	eventually 20 status_idle
	BUSY_MS=$((($(counter busy_us) - before) / 1000))
	echo "$*: $BUSY_MS ms"
}

# A short group and two long ones.
whole_groups() {
	client whole --groups 1 --fills 2000 --wait
	finish "$PID"
}

# --- kernel log, since this test's start

log_since_start() {
	dmesg | awk -v mark="$TG_MARK" 'index($0, mark) { n = 0; next } { line[n++] = $0 }
		END { for (i = 0; i < n; i++) print line[i] }'
}

log_count() {
	dmesg | MARK=$TG_MARK REGEX=$1 awk 'index($0, ENVIRON["MARK"]) { n = 0; next }
		$0 ~ ENVIRON["REGEX"] { n++ } END { print n + 0 }'
}

log_has() {
	[ "$(log_count "$1")" != 0 ]
}

# logged REGEX N: what the module says under a lock is printed a moment later.
logged() {
	[ "$(log_count "$1")" = "$2" ]
}

# --- clients: all run in the background; client NAME OPTION… sets $PID

client() {
	local name=$1
	shift

	tgclient --name "$name" --say "$T/$name.ready" "$@" >"$T/$name.out" 2>"$T/$name.err" &
	PID=$!
}

# tgload NAME OPTION…
load_client() {
	local name=$1
	shift

	tgload --name "$name" --json "$@" >"$T/$name.out" 2>"$T/$name.err" &
	PID=$!
}

# vram_client NAME STEP…: in the background, until it is killed; sets $PID
vram_client() {
	local name=$1
	shift

	tgvram "name=$name" "$@" hold >"$T/$name.out" 2>"$T/$name.err" &
	PID=$!
}

# said NAME LINE: it has printed that
said() {
	grep -qx "$2" "$T/$1.out"
}

# said_twice NAME LINE
said_twice() {
	[ "$(grep -cx "$2" "$T/$1.out")" = 2 ]
}

# All jobs of the test, if any is left.
pkill_children() {
	local pids

	pids=$(jobs -p)
	# They may all be dead.
	# shellcheck disable=SC2086
	[ -z "$pids" ] || kill -9 $pids || :
	wait || :
}

# holds NAME MB: a program has reserved that; sets $PID
holds() {
	vram_client "$1" open channel "reserve=$2"
	eventually 20 said "$1" 'reserve ok'
}

# vram KEY: of the card
vram() {
	sed -n "s/^  vram: .*\<$1=\([0-9a-z-]*\).*/\1/p" $STATUS
}

# vram_of NAME KEY: of a process, by what it was called when it was seen first
vram_of() {
	sed -n "s/^  vram of $1 .*\<$2=\([0-9]*\).*/\1/p" $STATUS
}

# vram_of_is NAME KEY VALUE
vram_of_is() {
	[ "$(vram_of "$1" "$2")" = "$3" ]
}

vram_is() {
	[ "$(vram "$1")" = "$2" ]
}

# Less than a buffer is nobody's.
nothing_is_free() {
	[ "$(vram free)" -lt $((8 << 20)) ]
}

# charged_is COMPARISON BYTES: what all processes have been charged with, and what is older
charged_is() {
	local sum

	sum=$(sed -n 's/^  vram of .*\<charged=\([0-9]*\).*/\1/p; s/^  vram: .*\<older=\([0-9]*\).*/\1/p' $STATUS |
		awk '{ sum += $1 } END { printf "%.0f\n", sum }')
	[ "$sum" "$1" "$2" ]
}

# nouveau_agrees COMPARISON: what is charged is what there is, by its word (from 6.9 on)
nouveau_agrees() {
	local used

	used=$(tgvram open used | sed -n 's/^used //p')
	[[ $used = EINVAL && $(uname -r) == 6.1.* ]] || charged_is "$1" "$used"
}

# What is accounted for is what there is, to the byte: of all processes together, and by nouveau's
# word, when they have done what they are about to do. What was evicted is charged, too:
# "sums_are_right -ge".
sums_are_right() {
	awk '
	{ gsub(/[a-z]+=/, " & ") }
	/^  vram: / { for (i = 1; i < NF; i++) v[$i] = $(i + 1) }
	/^  vram of / {
		for (i = 1; i < NF; i++) a[$i] = $(i + 1)
		held += a["held="]
		if (a["charged="] > a["held="]) rest += a["charged="] - a["held="]
	}
	END {
		if (held + 0 != v["held="] || rest + 0 != v["rest="]) {
			print "held", held, v["held="], "rest", rest, v["rest="]
			exit 1
		}
	}' $STATUS || fail "$(grep vram $STATUS)"
	eventually 20 nouveau_agrees "${1:--eq}"
}

nobody_has_memory() {
	! grep -q 'vram of' $STATUS
}

all_gone() {
	eventually 20 nobody_has_memory
	vram_is rest 0 && vram_is held 0 && vram_is queued 0 || fail "$(grep vram $STATUS)"
}

# run_jobs N OPTION…: so many at once, each a tgjob; sets $FAILED, and prints why
run_jobs() {
	local i n=$1 pids=()
	shift

	for ((i = 1; i <= n; i++)); do
		tgjob --name "job$i" --json "$@" >"$T/job$i.out" 2>"$T/job$i.err" &
		pids[i]=$!
	done
	FAILED=0
	for ((i = 1; i <= n; i++)); do
		wait "${pids[i]}" || FAILED=$((FAILED + 1))
	done
	grep -h '^tgjob:' "$T"/job*.err || :
}

# load_client_in CGROUP NAME OPTION…: the same in a control group, below $CG
load_client_in() {
	local cgroup=$1 name=$2
	shift 2

	(
		echo $BASHPID >"$CG/$cgroup/cgroup.procs"
		exec tgload --name "$name" --json "$@"
	) >"$T/$name.out" 2>"$T/$name.err" &
	PID=$!
}

# cpu_groups CGROUP…: such that the CPU is shared by
cpu_groups() {
	group "$@"
	echo +cpu >"$CG/cgroup.subtree_control" || skip "the CPU is not shared by cgroups v2"
}

coupled_groups() {
	cpu_groups tgcoupled tgbusy1 tgbusy2 tgbusy3
}

# coupled_frames: sets FRAMES to those of a program that computes 2 ms for each group of 2 ms, in three seconds,
# beside three that compute much and draw little; all weigh the same
coupled_frames() {
	local busy=() i

	for i in 1 2 3; do
		load_client_in "tgbusy$i" "busy$i" --seconds 9999 --cpu-us 5000 --cost-us 500 --wait
		busy+=("$PID")
	done
	load_client_in tgcoupled coupled --seconds 3 --cpu-us 2000 --cost-us 2000 --wait
	finish "$PID"
	FRAMES=$(frames coupled)
	kill "${busy[@]}"
	wait "${busy[@]}" || :
}

# Before the module is loaded, with a bomb that may leave nothing to others.
need_exec() {
	tgexec --groups 1 >"$T/probe" 2>&1 || { [ $? != 77 ] || skip "$(cat "$T/probe")"; }
}

# nouveau of 6.1 keeps no instance's address for cards before Kepler: only one runs free.
need_instances() {
	case $(uname -r) in 6.1.*) skip "this nouveau does not tell which channel the GPU is at";; esac
}

has_file() { [ -e "$1" ]; }
is_gone() { ! kill -0 "$1" 2>/dev/null; }

ready() {
	local name

	for name; do
		eventually 60 has_file "$T/$name.ready"
	done
}

# finish PID…: they end well
finish() {
	local pid rc

	for pid; do
		rc=0
		wait "$pid" || rc=$?
		[ $rc = 0 ] || { cat "$T"/*.err; fail "a client ended with status $rc"; }
	done
}

# frames NAME: that a tgload reported
frames() {
	sed -n 's/.*"frames":\([0-9]*\).*/\1/p' "$T/$1.out"
}

# report NAME KEY
report() {
	sed -n "s/.*\"$2\":\([0-9.]*\).*/\1/p" "$T/$1.out"
}

# Channel of a task, from the trace of its creation. Not one line more is read:
# a trace that grows as fast as it is read has no end.
channel_of() {
	grep -m 1 "tg_channel: new chid=[0-9]* comm=$1 " "$TRACING/trace" |
		sed 's/.* chid=\([0-9]*\) .*/\1/'
}

# scene TASK [ARG]… -- TASK…: together, for one window; all must end well
scene() {
	tgscene --output "$T/scene.json" "$@" 2>"$T/scene.err" || {
		cat "$T/scene.err" "$T/scene.json"
		fail "the scene ended badly"
	}
}

# --- trace

# trace_on: after load. All events are kept; with several CPUs a counter orders them.
trace_on() {
	echo 0 >$TRACING/tracing_on
	[ "$(nproc)" = 1 ] || echo counter >$TRACING/trace_clock
	echo 65536 >$TRACING/buffer_size_kb
	: >$TRACING/trace
	echo 1 >$TRACING/events/timegraph/enable
	echo 1 >$TRACING/tracing_on
}

trace_off() {
	echo 0 >$TRACING/tracing_on
	cat $TRACING/trace >"$T/trace"
}

# check_trace [--end] [--min-groups N] OPTION…: no rule broken; sets the numbers as variables
# T_<name>. How many groups there were is a rate, too.
check_trace() {
	local rc=0 word i

	trace_off
	if on_debug_kernel; then
		for ((i = 1; i < $#; i++)); do
			[ "${!i}" != --min-groups ] || set -- "${@:1:i-1}" "${@:i+2}"
		done
	fi
	[ "$(cat /sys/module/timegraph/parameters/lead_us)" = 0 ] || set -- --lead "$@"
	[ "$(cat /sys/module/timegraph/parameters/stage)" = N ] || set -- --stage "$@"
	[ "$(cat /sys/module/timegraph/parameters/floor)" = 0 ] || set -- --floor "$@"
	tg-check-trace "$@" <"$T/trace" >"$T/verdict" || rc=$?
	cat "$T/verdict"
	if [ $rc != 0 ]; then
		[ ! -d /results ] || cp "$T/trace" "/results/broken-rules.trace"
		fail "the trace breaks the rules"
	fi
	for word in $(tail -n 1 "$T/verdict"); do
		printf -v "T_${word%%=*}" %s "${word#*=}"
	done
}

# overlaps FILE…: pairs of groups of different tasks that the GPU ran at the same
# time, by the stamps it wrote itself; empty ranges touch nobody.
overlaps() {
	cat "$@" | awk '$1 == "stamp"' | sort -n -k 4,4 | awk '
		{ if (n && $4 < end && $2 != pid) bad++
		  if ($5 > end) { end = $5; pid = $2 }
		  n++ }
		END { print bad + 0 }'
}

# --- tasks

# Threads of a process that sleep in the module or in nouveau's hooks.
in_hooks() {
	cat "/proc/$1/task/"*/stack 2>/dev/null | grep -cE 'tg_|nouveau_hook' || :
}

waits_in_admit() {
	grep -qs tg_gate_admit "/proc/$1/stack"
}

# Nobody is in an uninterruptible sleep, or in the hooks.
nobody_asleep() {
	local d left=''

	for d in /proc/[0-9]*; do
		# Kernel threads come and go in D state; a process has a command line.
		[ -s "$d/cmdline" ] || continue
		if grep -qsE 'tg_(gate|freerun|complete|watchdog|registry|config|reader)|nouveau_hook' "$d"/task/*/stack ||
		   awk '/^State:/ { exit $2 != "D" }' "$d/status" 2>/dev/null; then
			left+=" ${d#/proc/}($(cat "$d/comm" 2>/dev/null))"
		fi
	done
	[ -z "$left" ] || { echo "asleep:$left"; return 1; }
}

CG=/sys/fs/cgroup

# group PATH…: control groups, made for the test; its end removes what is in none of them
group() {
	local g

	grep -q " $CG cgroup2 " /proc/mounts || mount -t cgroup2 none $CG || skip "no cgroups v2"
	for g; do
		mkdir -p "$CG/$g"
		echo "$CG/$g" >>"$T/groups"
	done
	trap groups_gone EXIT
}

# The deepest first; who is still in one is the test's, and goes.
groups_gone() {
	local g

	sort -r "$T/groups" | while read -r g; do
		[ -d "$g" ] || continue
		echo 1 >"$g/cgroup.kill"
		eventually 10 rmdir "$g" 2>/dev/null
	done
}
