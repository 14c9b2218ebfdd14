# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# tgrun: a program has what was asked for as long as it runs, and nothing is left of it.

# cgroups: where tgrun makes them here, without systemd
cgroups() {
	CG=$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)
	if [ -z "$CG" ]; then
		CG=/sys/fs/cgroup
		mount -t cgroup2 none "$CG" || skip "no cgroups v2"
	fi
	OWN=$CG$(sed -n 's/^0:://p' /proc/self/cgroup)
	# In the outermost that is "/".
	OWN=${OWN%/}
	rmdir "$OWN"/tgrun-* 2>/dev/null || :
}

by_hand() {
	tgrun --cgroup-root "$CG" "$@"
}

# run NAME MICROSECONDS TGRUN_OPTION… [-- LOAD_OPTION…]: such groups by tgrun; $PID
run() {
	local name=$1 cost=$2 words=()
	shift 2
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		words+=("$1")
		shift
	done
	[ $# = 0 ] || shift
	tgrun --cgroup-root "$CG" "${words[@]}" --name "$name" tgload --name "$name" --json --seconds 9999 \
		--cost-us "$cost" "$@" >"$T/$name.out" 2>"$T/$name.err" &
	PID=$!
}

nr_left() {
	find "$OWN" -maxdepth 1 -name 'tgrun-*' | wc -l
}

# shares_of SECONDS NAME…: of what these are charged, in per mille of it: $share_NAME; of the
# time: $part_NAME
shares_of() {
	local -A from
	local n sum=0 seconds=$1
	shift

	sleep 0.5
	for n in "$@"; do from[$n]=$(task "$n" gpu); done
	sleep "$seconds"
	for n in "$@"; do
		from[$n]=$(($(task "$n" gpu) - from[$n]))
		sum=$((sum + from[$n]))
	done
	for n in "$@"; do
		printf -v "share_$n" %s $((1000 * from[$n] / (sum ? sum : 1)))
		printf -v "part_$n" %s $((from[$n] / seconds / 1000))
		echo "$n: $((from[$n] / 1000)) ms, $((1000 * from[$n] / (sum ? sum : 1))) of 1000"
	done
}

test_weight_of_a_run_is_its_share() {
	cgroups
	spec
	load
	run three 2000 --weight 300
	local three=$PID
	run one 20000
	eventually 20 has_groups three 1
	eventually 20 has_groups one 1
	shares_of 2 three one
	rate "share of 300" "$share_three" -ge 735
	rate "share of 300" "$share_three" -le 765
	kill "$PID" "$three"
	wait
}

# By its tasks alone it would have three quarters of what both get.
test_weight_is_of_all_that_it_starts() {
	cgroups
	spec
	load
	tgrun --cgroup-root "$CG" --name many sh -c 'for n in a b c; do tgload --name many$n --json --seconds 9999 \
		--cost-us 2000 >/dev/null 2>&1 & done; wait' &
	run one 2000
	for n in manya manyb manyc one; do eventually 20 has_groups $n 1; done
	shares_of 2 manya manyb manyc one
	rate "share of the one" "$share_one" -ge 485
	rate "share of the one" "$share_one" -le 515
	kill "$PID"
	for n in manya manyb manyc; do kill "$(task $n pid)"; done
	wait
}

test_quota_of_a_run_holds() {
	cgroups
	spec
	load
	run half 2000 --quota 10ms/40ms
	eventually 20 has_groups half 1
	shares_of 2 half
	rate "part of the GPU, per mille" "$part_half" -ge 235
	want "part of the GPU, per mille" "$part_half" -le 265
	kill "$PID"
	wait
}

# Both of its programs share it.
test_reserve_of_a_run_is_one_and_holds() {
	cgroups
	spec
	load
	tgrun --cgroup-root "$CG" --prt --prio 50 --reserve 10ms/40ms --name two sh -c \
		'tgload --name twoa --json --seconds 9999 --cost-us 1000 >/dev/null 2>&1 &
		 exec tgload --name twob --json --seconds 9999 --cost-us 1000 >/dev/null 2>&1' &
	local two=$! resv
	load_client bomb --seconds 9999 --cost-us 3000
	for n in twoa twob bomb; do eventually 20 has_groups $n 1; done
	shares_of 2 twoa twob bomb
	rate "part of both, per mille" $((part_twoa + part_twob)) -ge 235
	want "part of both, per mille" $((part_twoa + part_twob)) -le 275
	want "policy" "$(task twob policy)" = PRT
	resv=$(task twob resv)
	want "reserve" "${resv%%-[0-9]*}" = PE@tgrun-two
	kill "$(task twoa pid)" "$two" "$PID"
	wait
}

# Two cgroups called the same, as of two users, each in a tree of his own.
test_reserves_of_cgroups_of_one_name_are_two() {
	local pids=() n

	cgroups
	spec
	load
	chmod 666 /dev/dri/renderD128
	for n in one two; do
		mkdir -p "$OWN/$n/tgrun-his"
		chown 65534 "$OWN/$n/tgrun-his"
		tgioctl --nobody tgload --name "$n" --json --seconds 9999 --cost-us 1000 >/dev/null 2>&1 &
		pids+=($!)
		echo $! >"$OWN/$n/tgrun-his/cgroup.procs"
		eventually 5 is_nobodys $!
		eventually 20 has_groups $n 1
	done
	echo '* reserve=10ms/40ms' >/etc/timegraph.grant
	for n in one two; do OWN=$OWN/$n is_granted 0 --reserve PE:10ms/40ms; done
	rm /etc/timegraph.grant
	want "their reserves are called the same" "$(task one resv)" != "$(task two resv)"
	kill "${pids[@]}"
	wait
	rmdir "$OWN"/{one,two}/tgrun-his "$OWN"/{one,two}
}

test_ht_of_a_run_keeps_the_gpu() {
	cgroups
	spec
	load
	run fast 2000 --ht --prio 60
	local fast=$PID
	load_client bomb --seconds 9999 --cost-us 2000
	eventually 20 has_groups fast 1
	eventually 20 has_task_named bomb
	shares_of 2 fast bomb
	want "policy" "$(task fast policy)" = HT
	rate "share of HT" "$share_fast" -ge 940
	kill "$PID" "$fast"
	wait
}

has_task_named() {
	[ -n "$(task "$1" groups)" ]
}

test_rule_and_cgroup_end_with_the_program() {
	cgroups
	spec
	load
	by_hand --weight 300 --json tgload --name once --groups-per-frame 1 --frames 5 --cost-us 500 \
		>"$T/out" 2>&1 || fail "status $?: $(cat "$T/out")"
	want "what was given" "$(grep -c '"weight":* *300' "$T/out")" = 1
	want "cgroups left" "$(nr_left)" = 0
	eventually 5 no_domains
}

no_domains() {
	! tgctl domain list --json | grep -q tgrun-
}

test_killed_run_leaves_nothing_after_the_next() {
	local child

	cgroups
	spec
	load
	run victim 2000 --weight 300
	eventually 20 has_groups victim 1
	child=$(task victim pid)
	kill -KILL "$PID"
	wait "$PID" || :
	want "its cgroup stays with the program" "$(nr_left)" = 1
	want "its rule too" "$(tgctl domain list --json | grep -c '"weight": *300')" = 1
	kill "$child"
	eventually 5 is_gone "$child"
	by_hand true || fail "the next one"
	want "cgroups left" "$(nr_left)" = 0
	eventually 5 no_domains
}

test_run_passes_on_status_and_signals() {
	cgroups
	spec
	load
	ends 7 by_hand sh -c 'exit 7'
	ends 143 by_hand sh -c 'kill -TERM $$; sleep 5'
	ends 127 by_hand "$T/none"
	ends 126 by_hand /
	run ends 2000
	eventually 20 has_groups ends 1
	kill -TERM "$PID"
	wait "$PID" || :
	want "the program is gone" "$(task ends groups)" = ""
	want "cgroups left" "$(nr_left)" = 0
}

# ends STATUS COMMAND…
ends() {
	local want=$1 rc=0
	shift
	"$@" >"$T/ends.out" 2>&1 || rc=$?
	want "status of $*" $rc = "$want"
}

# What it takes to ask is root's, and there is no pkexec here: the program does not begin.
test_user_without_a_right_is_told_so() {
	cgroups
	spec
	load
	mkdir "$OWN/top" "$OWN/top/own"
	chown -R 65534 "$OWN/top"
	chmod 666 /dev/timegraph
	echo $$ >"$OWN/top/own/cgroup.procs"
	local rc=0
	tgioctl --nobody tgrun --cgroup-root "$CG" --prio 50 touch "$T/ran" >"$T/out" 2>&1 || rc=$?
	echo $$ >"$OWN/cgroup.procs"
	want "status" $rc = 125
	grep -q pkexec "$T/out" || fail "it says: $(cat "$T/out")"
	want "it has not begun" "$(ls "$T/ran" 2>/dev/null)" = ""
	want "cgroups left" "$(find "$OWN/top" -name 'tgrun-*' | wc -l)" = 0
	rmdir "$OWN/top/own" "$OWN/top"
}

# tgrun-grant as pkexec would run it for nobody: status in $rc
grant() {
	rc=0
	env -i PKEXEC_UID=65534 "$(dirname "$(command -v tgrun)")/../libexec/timegraph/tgrun-grant" \
		--cgroup "$OWN/tgrun-his" "$@" >"$T/grant.out" 2>&1 || rc=$?
}

is_granted() {
	grant "${@:2}"
	want "status of ${*:2}: $(cat "$T/grant.out")" "$rc" = "$1"
}

test_helper_gives_a_users_cgroup_what_is_allowed() {
	local his roots rc

	cgroups
	spec
	load
	[ ! -e /etc/timegraph.grant ] || skip "there is an /etc/timegraph.grant"
	mkdir "$OWN/tgrun-his"
	is_granted 4 --weight 100
	chown 65534 "$OWN/tgrun-his"
	is_granted 4 --weight 100
	tgioctl --nobody sleep 999 &
	his=$!
	echo "$his" >"$OWN/tgrun-his/cgroup.procs"
	eventually 5 is_nobodys "$his"
	is_granted 0 --weight 100
	is_granted 4 --weight 101
	is_granted 4 --prio 1
	is_granted 4 --policy FQ=100
	echo '* weight=300 priority=50 prt=yes reserve=10ms/40ms' >/etc/timegraph.grant
	is_granted 0 --weight 300 --prio 50 --policy PRT --reserve PE:10ms/40ms
	is_granted 4 --weight 300 --policy HT
	chmod 666 /etc/timegraph.grant
	is_granted 4 --weight 100
	chmod 644 /etc/timegraph.grant
	command sleep 999 &
	roots=$!
	echo "$roots" >"$OWN/tgrun-his/cgroup.procs"
	is_granted 4 --weight 100
	kill "$his" "$roots"
	wait
	rm /etc/timegraph.grant
	rmdir "$OWN/tgrun-his"
}

is_nobodys() {
	[ "$(stat -c %u "/proc/$1")" = 65534 ]
}
