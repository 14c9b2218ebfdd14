# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Video memory: what is reserved is there, whoever else wants it and whatever happens to
# him. The card has 256 MiB; all buffers have 8.
#
# boot: --vram 256

# scene_beside_a_hog RESERVE…: how many of a program's 12 buffers are in video memory, when
# a hog has come before it allocates and goes on after it
scene_beside_a_hog() {
	mkfifo "$T/a" "$T/b"
	# The shell between its steps: each reads a line of a pipe.
	tgvram name=careful open channel "$@" "wait=$T/a" both=12,8 "wait=$T/b" where \
		>"$T/careful.out" &
	eventually 20 grep -qx 'channel ok' "$T/careful.out"
	[ $# = 0 ] || eventually 20 grep -qx 'reserve ok' "$T/careful.out"
	vram_client hog1 open channel alloc=40,8
	eventually 60 grep -q ^alloc "$T/hog1.out"
	echo >"$T/a"
	eventually 60 grep -q ^both "$T/careful.out"
	vram_client hog2 open channel alloc=20,8
	eventually 60 grep -q ^alloc "$T/hog2.out"
	[ ! -e $STATUS ] || grep vram $STATUS
	echo >"$T/b"
	eventually 60 grep -q ^where "$T/careful.out"
	cat "$T/careful.out"
	IN_VRAM=$(sed -n 's/^where vram=\([0-9]*\) .*/\1/p' "$T/careful.out")
}

test_reserved_memory_is_there_beside_hogs() {
	spec
	load vram=1
	scene_beside_a_hog reserve=96
	sums_are_right
	want "buffers in video memory" "$IN_VRAM" = 12
}

# The same scene: this is what the test above is about.
test_without_a_reservation_hogs_have_it() {
	scene_beside_a_hog
	want "buffers in video memory" "$IN_VRAM" -lt 12
}

# By the specification, at the first channel; the buffers stay within it.
test_an_entry_reserves_when_the_first_channel_opens() {
	spec 'boxed:FQ vram=64M:-:7::'
	load vram=1
	vram_client plain open channel
	vram_client boxed open channel both=8,8 both=1,8 where
	eventually 60 grep -q ^where "$T/boxed.out"
	want "held" "$(vram held)" = $((64 << 20))
	said boxed 'where vram=8 gart=1' || fail "$(cat "$T/boxed.out")"
	sums_are_right
	kill "$PID"
	eventually 20 vram_is held 0
}

# in_box CGROUP NAME STEP…: as vram_client, in a control group
in_box() {
	local cgroup=$1 name=$2
	shift 2

	(
		echo $BASHPID >"$CG/$cgroup/cgroup.procs"
		exec tgvram "name=$name" "$@" hold
	) >"$T/$name.out" 2>"$T/$name.err" &
	PID=$!
}

# What two of it have is within the same 64 MiB, and nobody else gets into that.
test_a_domain_has_memory_for_all_in_it() {
	local first

	group box/inner
	spec 'cgroup:/box:DOMAIN vram=64M:-:-::'
	load vram=1 vram_beyond=refuse
	in_box box one open channel alloc=5,8
	first=$PID
	eventually 20 said one 'alloc ok'
	in_box box/inner two open channel alloc=3,8 alloc=1,8
	eventually 20 said two 'alloc ENOMEM'
	want "held" "$(vram held)" = $((64 << 20))
	want "charged to it" "$(vram_of box charged)" = $((64 << 20))
	want "charged to one of it" "$(vram_of one charged)" = 0
	vram_client hog open channel alloc=40,8
	eventually 20 said hog 'alloc ENOMEM'
	sums_are_right
	tgctl vram
	tgctl vram | grep -q '^ domain box '
	kill "$first"
	eventually 20 vram_of_is box charged $((24 << 20))
	want "held by who is left" "$(vram held)" = $((64 << 20))
	kill "$PID"
	kill $(jobs -p) || :
	all_gone
}

# One reservation, for which all who come wait; who gives up keeps nobody from it.
test_all_of_a_domain_wait_for_its_memory() {
	local holder first

	group box
	spec 'cgroup:/box:DOMAIN vram=64M:-:-::'
	load vram=1
	holds holder 200
	holder=$PID
	in_box box one open channel
	first=$PID
	eventually 20 vram_is queued 1
	in_box box two open channel alloc=2,8
	in_box box three open channel alloc=2,8
	sleep 0.5
	want "waiting" "$(vram queued)" = 1
	! said one 'channel ok' && ! said two 'channel ok' || fail "who waits has a channel"
	kill -KILL "$first"
	sleep 0.3
	want "waiting without one of them" "$(vram queued)" = 1
	kill "$holder"
	eventually 20 said two 'alloc ok'
	eventually 20 said three 'alloc ok'
	want "held" "$(vram held)" = $((64 << 20))
	want "charged" "$(vram_of box charged)" = $((32 << 20))
	sums_are_right
	kill $(jobs -p)
	all_gone
}

# Two that each have something and wait for more would wait for each other: who has buffers
# does not wait with his domain, and goes on beside it.
# expect: timegraph: "late" \([0-9]+\) gets none of the 65536 KiB of video memory of its entry: it has buffers already, and would have to wait
test_who_has_buffers_does_not_wait_with_his_domain() {
	local holder

	group box
	spec 'cgroup:/box:DOMAIN vram=64M:-:-::'
	load vram=1
	holds holder 200
	holder=$PID
	in_box box early open channel
	eventually 20 vram_is queued 1
	in_box box late open alloc=1,8 channel alloc=1,8
	eventually 20 said_twice late 'alloc ok'
	want "charged to itself" "$(vram_of late charged)" = $((16 << 20))
	want "waiting" "$(vram queued)" = 1
	kill "$holder"
	eventually 20 said early 'channel ok'
	sums_are_right
	kill $(jobs -p)
	all_gone
}

# A program of an entry has that, and one of the domain cannot reserve besides.
test_a_domain_is_not_for_who_has_memory_of_his_own() {
	group box
	spec 'boxed:FQ vram=32M:-:7::' 'cgroup:/box:DOMAIN vram=64M:-:-::'
	load vram=1
	in_box box boxed open channel alloc=2,8
	eventually 20 said boxed 'alloc ok'
	want "held by the program" "$(vram_of boxed held)" = $((32 << 20))
	want "held" "$(vram held)" = $((32 << 20))
	in_box box other open channel reserve=16 alloc=1,8
	eventually 20 said other 'alloc ok'
	said other 'reserve EEXIST' || fail "$(cat "$T/other.out")"
	want "held by both" "$(vram held)" = $((96 << 20))
	want "charged to the domain" "$(vram_of box charged)" = $((8 << 20))
	sums_are_right
	kill $(jobs -p)
	all_gone
}

# What it becomes an entry's later would be held beside what it has already.
test_who_is_in_a_domain_gets_no_memory_by_another_name() {
	group box
	spec 'boxed:FQ vram=32M:-:7::' 'cgroup:/box:DOMAIN vram=64M:-:-::'
	load vram=1
	in_box box other open channel alloc=1,8 name=boxed channel alloc=1,8
	eventually 20 said_twice other 'alloc ok'
	want "held" "$(vram held)" = $((64 << 20))
	want "charged to the domain" "$(vram_of box charged)" = $((16 << 20))
	kill $(jobs -p)
	all_gone
}

# Who never opens a channel is within what his domain has all the same, and cannot reserve
# besides it, so that it would wait for him.
test_who_has_no_channel_is_within_his_domain() {
	group box
	spec 'cgroup:/box:DOMAIN vram=64M:-:-::'
	load vram=1 vram_beyond=refuse
	chmod 666 /dev/timegraph /dev/dri/renderD128
	in_box box one open channel alloc=4,8
	eventually 20 said one 'alloc ok'
	in_box box two open nobody reserve=16 alloc=4,8 alloc=1,8
	eventually 20 said two 'alloc ENOMEM'
	said two 'reserve EEXIST' || fail "$(cat "$T/two.out")"
	chown -R 65534 "$CG/box"
	! (echo $BASHPID >"$CG/box/cgroup.procs" &&
		exec tgioctl --nobody tgrun --vram 16M true) 2>"$T/run.err" ||
		fail "tgrun reserved"
	cat "$T/run.err"
	grep -q 'the specification gives memory to its cgroup' "$T/run.err"
	want "charged to the domain" "$(vram_of box charged)" = $((64 << 20))
	want "charged besides" "$(vram rest)" = 0
	kill $(jobs -p)
	all_gone
}

spy_has_looked() {
	[ "$(grep -c '^rest ' "$T/spy.out")" = "$1" ]
}

# What others allocate, and when, is for who may see others: it is shown half a second later.
test_others_are_not_watched() {
	spec
	load vram=1
	chmod 666 /dev/timegraph
	vram_client opener open channel
	eventually 20 said opener 'channel ok'
	mkfifo "$T/a" "$T/b" "$T/c"
	chmod 777 "$T" "$T/a" "$T/b"
	vram_client busy open "wait=$T/c" alloc=4,1
	eventually 20 said busy 'open ok'
	vram_client spy nobody rest "wait=$T/a" rest "wait=$T/b" rest
	eventually 20 said spy 'rest 0'
	begin=$(uptime_ms)
	echo >"$T/c"
	eventually 20 said busy 'alloc ok'
	want "used" "$(vram rest)" = 4194304
	echo >"$T/a"
	eventually 20 spy_has_looked 2
	# Where all that took longer it may be shown.
	[ $(($(uptime_ms) - begin)) -gt 450 ] || said_twice spy 'rest 0' || fail "$(cat "$T/spy.out")"
	sleep 0.6
	echo >"$T/b"
	eventually 20 said spy 'rest 4194304'
}

# As above, for who waits by an entry, and by a domain, at his first channel.
test_signals_do_not_cost_the_place_at_the_first_channel() {
	local who

	group box
	spec 'boxed:FQ vram=150M:-:7::' 'cgroup:/box:DOMAIN vram=150M:-:-::'
	load vram=1
	for who in boxed other; do
		holds first 150
		local first=$PID
		in_box box "$who" alarm=20 open channel
		eventually 20 vram_is queued 1
		sleep 0.3
		vram_client later open channel reserve=150
		eventually 20 vram_is queued 2
		sleep 0.3
		want "that wait" "$(vram queued)" = 2
		kill -9 "$first"
		eventually 20 said "$who" 'channel ok'
		! said later 'reserve ok' || fail "who came later was served before $who"
		kill -9 $(jobs -p)
		all_gone
	done
}

# It comes to who is away, and goes when he does not come back.
test_what_comes_to_nobody_goes_again() {
	local who pid

	group box
	spec 'boxed:FQ vram=150M:-:7::' 'cgroup:/box:DOMAIN vram=150M:-:-::'
	load vram=1
	for who in boxed other; do
		holds first 150
		local first=$PID
		in_box box "$who" alarm=1000,5000 open channel
		pid=$PID
		eventually 20 vram_is queued 1
		# In its handler; then it is served, and stays there.
		sleep 1.2
		kill -9 "$first"
		eventually 20 vram_is queued 0
		eventually 3 vram_is held 0
		kill -9 "$pid"
		all_gone
	done
}

# has_tried N: to allocate
has_tried() {
	[ "$(grep -c ^alloc "$T/boxed.out")" = "$1" ]
}

test_beyond_the_reservation_is_refused_if_that_is_wanted() {
	spec 'boxed:FQ vram=64M:-:7::'
	load vram=1 vram_beyond=refuse
	vram_client boxed open channel alloc=8,8 alloc=1,8 drop=1 alloc=1,8
	eventually 20 said boxed 'drop ok'
	eventually 20 has_tried 3
	want "what it was told" "$(grep ^alloc "$T/boxed.out" | tr '\n' ' ')" = \
		'alloc ok alloc ENOMEM alloc ok '
	want "charged" "$(vram charged || vram_of tgvram charged)$(vram_of boxed charged)" = \
		$((64 << 20))
}

test_a_buffer_that_waits_for_room_waits_with_its_reservation() {
	local holder

	spec
	load vram=1 vram_beyond=wait vram_wait_ms=60000
	holds holder 200
	holder=$PID
	vram_client two open channel behind=100,300 alloc=1,80
	eventually 20 vram_is queued 1
	want "refused before" "$(vram over)" -gt 0
	sleep 0.2
	! grep -q '^alloc\|^behind' "$T/two.out" || fail "$(cat "$T/two.out")"
	kill "$holder"
	eventually 20 said two 'behind ok'
	eventually 20 said two 'alloc ok'
	pkill_children
	all_gone
}

test_errors_are_told_at_once() {
	spec
	load vram=1
	holds holder 150
	tgvram open channel try=100 reserve=100,200 reserve=4000 >"$T/out"
	cat "$T/out"
	tail -n 3 "$T/out" | tr '\n' ' ' | grep -qx 'try EAGAIN reserve ETIMEDOUT reserve ENOSPC ' ||
		fail "other errors"
	# Who has something does not wait.
	tgvram open channel alloc=1,8 reserve=100,200 drop=1 reserve=100,200 >"$T/out"
	cat "$T/out"
	grep -qx 'reserve EDEADLK' "$T/out"
	tail -n 1 "$T/out" | grep -qx 'reserve ETIMEDOUT'
	want "who would have had to give something back" "$(vram deadlocks)" = 1
	kill "$PID"
	all_gone
}

# Each has more than half, so they go one by one.
test_who_waits_is_served_in_order() {
	local i pids=()

	spec
	load vram=1
	for i in 1 2 3 4; do
		vram_client "q$i" open channel reserve=150
		pids+=("$PID")
		eventually 20 vram_is queued $((i - 1))
		[ "$i" != 1 ] || eventually 20 said q1 'reserve ok'
	done
	for i in 1 2 3 4; do
		eventually 20 said "q$i" 'reserve ok'
		want "that wait" "$(vram queued)" = $((4 - i))
		kill -9 "${pids[i - 1]}"
	done
	all_gone
}

# runs NAME TGRUN_OPTION… STEP…: tgvram by tgrun, which makes its cgroup by hand; $PID
runs() {
	local name=$1 root
	shift

	root=$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)
	[ -n "$root" ] || mount -t cgroup2 none "${root:=/sys/fs/cgroup}" || skip "no cgroups v2"
	tgrun --cgroup-root "$root" "$1" "$2" tgvram "name=$name" "${@:3}" >"$T/$name.out" \
		2>"$T/$name.err" &
	PID=$!
}

# ended STATUS: that of $PID
ended() {
	local rc=0

	wait "$PID" || rc=$?
	want "status" $rc = "$1"
}

# The module has seen no GPU yet. Each has more than half, so they go one by one.
test_tgrun_reserves_before_the_program_starts() {
	local first second

	spec
	load vram=1
	runs first --vram 120M open channel both=15,8 where hold
	first=$PID
	eventually 20 grep -q ^where "$T/first.out"
	said first 'where vram=15 gart=0' || fail "$(cat "$T/first.out")"
	want "held" "$(vram held)" = $((120 << 20))
	runs second --vram 120M hold
	second=$PID
	eventually 20 vram_is queued 1
	eventually 5 grep -q 'waiting for 120 MiB' "$T/second.err"
	runs third --vram 120M hold
	eventually 20 vram_is queued 2
	kill "$PID"
	ended 143
	eventually 5 vram_is queued 1
	[ ! -s "$T/second.out" ] && [ ! -s "$T/third.out" ] || fail "it did not wait"
	kill "$first"
	eventually 20 said second 'name ok'
	want "held" "$(vram held)" = $((120 << 20))
	kill "$second"
	wait
	all_gone
	want "cgroups left" "$(find /sys/fs/cgroup -name 'tgrun-*' | wc -l)" = 0
}

test_tgrun_says_why_there_is_no_memory() {
	spec
	load vram=1
	runs large --vram 4G hold
	ended 125
	grep -q 'no 4 GiB of video memory: the GPU never has' "$T/large.err" || fail "$(cat "$T/large.err")"
	unload
	load
	runs plain --vram 1M hold
	ended 125
	grep -q 'options timegraph vram=1' "$T/plain.err" || fail "$(cat "$T/plain.err")"
	[ ! -s "$T/large.out" ] && [ ! -s "$T/plain.out" ] || fail "it began"
}

test_status_and_tgtop_show_memory() {
	spec
	load vram=1
	vram_client first open channel reserve=150 both=4,8
	eventually 20 said first 'both ok'
	vram_client second reserve=150
	eventually 20 vram_is queued 1
	tgctl status | tee "$T/status"
	grep -q '^  memory      256 MiB: 150 reserved, [0-9]* used besides, [0-9]* free, 1 waiting$' \
		"$T/status" || fail "no memory in it"
	grep -Eq ' first  * [0-9]+  *150\.0  *32\.0 ' "$T/status" || fail "not of the first"
	grep -q ' second .* there is no room$' "$T/status" || fail "not of the second"
	tgctl status --json >"$T/json"
	grep -q "\"held\": *$((150 << 20))," "$T/json" || fail "not in JSON"
	tgtop -b -n 1 -d 0.2 -w 94 | tee "$T/top"
	grep -q '^memory 256 MiB: 150 reserved, ' "$T/top" || fail "not in tgtop"
	grep -Eq ' first .*  32    150$' "$T/top" || fail "not of the first in tgtop"
	pkill_children
	all_gone
	unload
	load
	vram_client plain open channel
	eventually 20 said plain 'channel ok'
	tgctl status >"$T/status"
	! grep -q memory "$T/status" || fail "memory without vram=1"
}

# A small one passes a large one by MMU, not by FIFO.
test_mmu_serves_who_fits() {
	local policy

	for policy in fifo mmu; do
		spec
		load vram=1 vram_policy=$policy
		holds first 150
		vram_client large open channel reserve=150
		eventually 20 vram_is queued 1
		tgvram open channel reserve=40,300 >"$T/small"
		[ $policy = mmu ] || grep -qx 'reserve ETIMEDOUT' "$T/small" ||
			fail "$policy: $(cat "$T/small")"
		[ $policy = fifo ] || grep -qx 'reserve ok' "$T/small" ||
			fail "$policy: $(cat "$T/small")"
		unload
		eventually 20 said large 'reserve ENODEV'
		pkill_children
	done
}

# A signal that has a handler costs nobody his place.
test_signals_do_not_cost_the_place() {
	spec
	load vram=1
	holds first 150
	local first=$PID
	vram_client stormy open channel alarm=20 reserve=150
	eventually 20 vram_is queued 1
	sleep 0.3
	vram_client later open channel reserve=150
	eventually 20 vram_is queued 2
	sleep 0.3
	want "that wait" "$(vram queued)" = 2
	kill -9 "$first"
	eventually 20 said stormy 'reserve ok'
	! said later 'reserve ok' || fail "who came later was served"
}

# Also when its turn comes while its handler runs, which takes longer than the queue waits.
test_what_comes_during_a_signal_is_kept() {
	spec 'boxed:FQ vram=150M:-:7::'
	load vram=1
	holds first 150
	local first=$PID
	vram_client boxed alarm=1500,900 open channel
	eventually 20 vram_is queued 1
	# It has been woken once it is in its handler: then it has nothing to wait in.
	sleep 1.7
	kill -9 "$first"
	eventually 20 said boxed 'channel ok'
	sleep 2
	want "held" "$(vram held)" = $((150 << 20))
}

# What has no reservation makes room for one of the administrator's. To move a buffer nouveau
# wants page tables, for which there is no room while the memory is full: it copies by CPU then,
# after a second.
#
# expect: nouveau .* imem: OOM
test_a_hog_does_not_keep_an_entry_from_its_memory() {
	spec 'boxed:FQ vram=150M:-:7::'
	load vram=1 vram_aging_ms=300
	vram_client hog open channel alloc=26,8
	eventually 60 grep -q ^alloc "$T/hog.out"
	vram_client boxed open channel alloc=18,8 where
	eventually 60 grep -q ^where "$T/boxed.out"
	said boxed 'where vram=18 gart=0' || fail "$(cat "$T/boxed.out")"
	sums_are_right -ge
	pkill_children
	all_gone
}

# A user's hog, and a reservation of his that waits for it, hold nobody up for long.
test_who_waits_for_his_own_hog_does_not_stop_the_card() {
	spec
	load vram=1 vram_aging_ms=300
	chmod 666 /dev/timegraph /dev/dri/renderD128
	vram_client hog nobody open channel alloc=20,8
	eventually 60 grep -q ^alloc "$T/hog.out"
	vram_client waits nobody open channel reserve=100
	eventually 20 vram_is queued 1
	sleep 0.4
	tgvram open channel both=2,8 where >"$T/other"
	tgvram open channel reserve=40,5000 >>"$T/other"
	cat "$T/other"
	grep -qx 'where vram=2 gart=0' "$T/other" || fail "buffers were put elsewhere"
	grep -qx 'reserve ok' "$T/other" || fail "no other is served"
	pkill_children
	all_gone
}

# An entry of any user's is for each of them once: they take its program's name, or run its file.
test_an_entry_without_a_user_gives_each_one_reservation() {
	local entry n=0

	for entry in boxed "$(command -v tgvram)"; do
		spec "$entry:FQ vram=100M:-:7::"
		load vram=1
		chmod 666 /dev/timegraph /dev/dri/renderD128
		vram_client boxed nobody open channel
		eventually 20 said boxed 'channel ok'
		tgvram name=boxed nobody open channel >"$T/second"
		grep -qx 'channel ok' "$T/second"
		want "held" "$(vram held)" = $((100 << 20))
		want "refused for its user" \
			"$(log_count 'gets none of the .* its user has as much as he may')" = $((++n))
		pkill_children
		all_gone
		unload
	done
}

# What one has let go of is there until the GPU has done with it. He may make as much anew, and
# waits when no memory is free: another one's reservation is not for that.
test_who_lets_go_faster_than_the_gpu_works_waits() {
	spec
	load vram=1
	mkfifo "$T/go" "$T/end"
	vram_client holder open channel reserve=100 "wait=$T/go" alloc=12,8 where \
		"wait=$T/end" where
	eventually 20 said holder 'reserve ok'
	vram_client eager open channel reserve=100 alloc=12,8 busy=400 drop=12 alloc=12,8 where
	eventually 20 said eager 'drop ok'
	eventually 20 nothing_is_free
	echo >"$T/go"
	eventually 20 grep -q ^where "$T/holder.out"
	on_debug_kernel || ! said_twice eager 'alloc ok' || fail "it did not wait, or too short to tell"
	said holder 'where vram=12 gart=0' || fail "$(cat "$T/holder.out")"
	sums_are_right
	eventually 20 said eager 'where vram=12 gart=0'
	eventually 20 vram_is rest 0
	said_twice eager 'alloc ok'
	sums_are_right
	echo >"$T/end"
	eventually 20 said_twice holder 'where vram=12 gart=0'
	pkill_children
	all_gone
}

# Jobs that have it in turn, three at a time: of what one has given back nouveau takes the last out of
# his page tables a moment later, and the next finds it there all the same.
test_what_one_gives_back_is_there_for_the_next() {
	spec
	load vram=1
	run_jobs 8 --memory-mib 72 --frames 12 --groups 8 --fills 6 --think-us 1000 --each-frame --reserve
	want "jobs that failed" "$FAILED" = 0
	want "the longest waits, ns" \
		"$(sed -n 's/.*"memory_waited_ns":\([0-9]*\).*/\1/p' "$T"/job*.out | sort -n | tail -n 1)" -gt 10000000
	all_gone
	sums_are_right
}

# The same without reservations, all at once: nouveau moves their buffers to and fro until it cannot.
# expect: nouveau .*(imem: OOM|vctx .*: -(12|28)|: job[0-9]*\[[0-9]*\]: (fail ttm_validate|validating bo list|validate: -12))
test_jobs_that_reserve_nothing_fail() {
	! on_debug_kernel || skip "lockdep finds that TTM evicts after ww_acquire_done()"
	[[ $(uname -r) = 6.12.* ]] || skip "how it ends is 6.12's"
	spec
	load vram=1
	run_jobs 12 --memory-mib 84 --frames 10 --fills 44 --think-us 2000
	want "jobs that failed" "$FAILED" -gt 0
	all_gone
	sums_are_right
}

# Its memory is not kept by a child that has the file open.
test_a_dead_holder_is_noticed_by_who_asks() {
	spec
	load vram=1
	vram_client daemon open channel reserve=150 orphan
	eventually 20 said daemon 'reserve ok'
	eventually 20 said daemon 'orphan ok'
	tgvram open channel try=150 >"$T/next"
	grep -qx 'try ok' "$T/next" || fail "$(cat "$T/next")"
	killall -9 tgvram
}

# A screen can be set up although all is reserved but for the page tables that come with it: the
# margin is for that.
test_scanout_has_the_margin() {
	spec
	load vram=1
	holds holder 100
	vram_client rest open channel reserve="$((($(vram free) >> 20) - 3))"
	eventually 20 said rest 'reserve ok'
	tgvram open channel both=1,8 where dumb=1,8 dumb=4,8 >"$T/screen"
	cat "$T/screen"
	grep -qx 'where vram=0 gart=1' "$T/screen" || fail "somebody has reserved that"
	want "screens" "$(grep ^dumb "$T/screen" | tr '\n' ' ')" = 'dumb ok dumb ENOMEM '
	pkill_children
	all_gone
}

# At the first channel, too: the process can be killed, and the queue goes on.
test_who_waits_at_his_first_channel_can_be_killed() {
	spec 'boxed:FQ vram=150M:-:7::'
	load vram=1
	vram_client boxed open channel
	local first=$PID
	eventually 20 said boxed 'channel ok'
	tgvram name=boxed open channel hold >"$T/second.out" &
	local second=$!
	eventually 20 vram_is queued 1
	kill -9 "$second"
	wait "$second" || :
	eventually 5 vram_is queued 0
	tgvram name=boxed open channel hold >"$T/second.out" &
	eventually 20 vram_is queued 1
	kill -9 "$first"
	eventually 20 grep -qx 'channel ok' "$T/second.out"
	want "held" "$(vram held)" = $((150 << 20))
}

# rmmod lets all go on at once, and nothing is left of it.
test_module_goes_while_some_wait() {
	local i

	spec 'boxed:FQ vram=150M:-:7::'
	load vram=1
	vram_client boxed open channel both=4,8
	eventually 20 said boxed 'both ok'
	for i in 1 2 3; do
		tgvram name=boxed open channel hold >"$T/wait$i.out" &
		eventually 20 vram_is queued "$i"
	done
	vram_client caller open channel reserve=150
	eventually 20 vram_is queued 4
	unload
	for i in 1 2 3; do
		eventually 20 grep -qx 'channel ok' "$T/wait$i.out"
	done
	eventually 20 said caller 'reserve ENODEV'
	load vram=1
	tgvram open channel reserve=100 >"$T/again"
	grep -qx 'reserve ok' "$T/again"
	pkill_children
	eventually 20 vram_is rest 0
}

# One without rights has half of it at most, however many processes he has.
test_a_user_cannot_reserve_it_all() {
	spec
	load vram=1
	chmod 666 /dev/timegraph /dev/dri/renderD128
	vram_client one nobody open channel reserve=80 fork
	eventually 20 grep -q ^reserve "$T/one.out"
	tgvram nobody open channel reserve=80 >"$T/two"
	cat "$T/one.out" "$T/two"
	grep -qx 'reserve ok' "$T/one.out"
	grep -qx 'reserve EDQUOT' "$T/two"
	tgvram open channel reserve=80 | grep -qx 'reserve ok'
}

# Nobody's buffers are moved for one that can never be there.
test_larger_than_the_card_evicts_nobody() {
	spec
	load vram=1
	mkfifo "$T/a"
	tgvram name=careful open channel reserve=96 both=12,8 "wait=$T/a" where >"$T/careful.out" &
	eventually 20 grep -q ^both "$T/careful.out"
	tgvram name=absurd open channel alloc=1,300 both=1,300 where alloc=4,8 busy=1 >"$T/absurd.out"
	cat "$T/absurd.out"
	grep -qx 'alloc ENOMEM' "$T/absurd.out"
	grep -qx 'both ok' "$T/absurd.out"
	grep -qx 'where vram=0 gart=1' "$T/absurd.out"
	echo >"$T/a"
	eventually 20 grep -q ^where "$T/careful.out"
	grep -x 'where vram=12 gart=0' "$T/careful.out" || fail "$(cat "$T/careful.out")"
	all_gone
}

# Between a program's 12 buffers are holes of their size, and so nowhere a piece as large as is asked
# for, though the sum would be: nothing that is reserved is moved for that.
test_a_buffer_in_one_piece_moves_nothing_that_is_reserved() {
	spec
	load vram=1
	mkfifo "$T/a"
	tgvram name=careful open channel both=24,8 thin reserve=96 "wait=$T/a" where hold >"$T/careful.out" &
	eventually 20 said careful 'reserve ok'
	tgvram name=greedy open channel piece=1,80 piece=1,40 >"$T/greedy.out"
	echo >"$T/a"
	eventually 20 grep -q ^where "$T/careful.out"
	cat "$T/greedy.out"
	tail -n 1 "$T/careful.out"
	grep -x 'where vram=12 gart=0' "$T/careful.out" || fail "careful's have been moved"
	want "of 80 and 40 MiB" "$(grep ^piece "$T/greedy.out" | tr '\n' ' ')" = 'piece ENOMEM piece ok '
	pkill_children
	all_gone
}

# Whatever dies when: the sums are right, and at the end there is nothing.
test_random_deaths_leave_nothing() {
	local i n pids=() rounds=40

	[ "${TG_LONG:-0}" != 1 ] || rounds=200
	spec 'boxed:FQ vram=60M:-:7::'
	load vram=1 vram_policy=mmu vram_aging_ms=300
	RANDOM=7
	for ((i = 0; i < rounds; i++)); do
		n=$((RANDOM % 4))
		case $n in
		0) vram_client boxed open channel both=$((RANDOM % 9)),8;;
		1) vram_client r open channel reserve=$((20 + RANDOM % 120)) both=2,8;;
		2) vram_client h open channel alloc=$((RANDOM % 20)),8;;
		*) vram_client f open reserve=$((20 + RANDOM % 60)) fork channel both=2,8;;
		esac
		pids+=("$PID")
		if [ ${#pids[@]} -gt 5 ]; then
			n=$((RANDOM % ${#pids[@]}))
			kill -9 "${pids[n]}"
			unset "pids[n]"
			pids=("${pids[@]}")
		fi
		sums_are_right -ge
	done
	# What a child has inherited ends with it.
	kill -9 "${pids[@]}"
	killall -9 tgvram 2>/dev/null || :
	pkill_children
	all_gone
	sums_are_right
}

# turns N: what a program does again and again with N buffers that it reserves
turns() {
	local reserve="reserve=$((8 * $1))" use="alloc=$1,8 busy=1 where drop=$1 free"

	echo "$reserve channel $use $reserve $use $reserve $use $reserve $use"
}

# Programs of all sizes reserve what they need, again and again, beside hogs that take all that is left;
# any of them dies at any time. Who lives gets his channel and each buffer, and it is where it was asked
# for. Hogs may be refused, and nouveau says so; also where it is tried again for who is not.
# expect: nouveau .*(imem: OOM|vctx .*: -(12|28))
test_who_has_reserved_is_never_refused_nor_moved() {
	local i n rounds=60 left=() names=() bad

	[ "${TG_LONG:-0}" != 1 ] || rounds=200
	spec
	load vram=1 vram_policy=mmu vram_aging_ms=300
	RANDOM=11
	for ((i = 0; i < rounds; i++)); do
		n=$((1 + RANDOM % 24))
		# shellcheck disable=SC2046
		if [ $((RANDOM % 4)) = 0 ]; then
			vram_client "hog$i" open channel "both=$n,8" busy=2
		else
			vram_client "job$i" open $(turns "$n")
			names+=("job$i")
		fi
		left+=("$PID")
		while [ ${#left[@]} -gt 6 ]; do
			n=$((RANDOM % ${#left[@]}))
			kill -9 "${left[n]}"
			unset "left[n]"
			left=("${left[@]}")
		done
		sleep 0.0$((RANDOM % 10))
	done
	killall -9 tgvram 2>/dev/null || :
	pkill_children
	bad=$(cd "$T" && grep -sHE '^(channel|alloc|reserve|busy|drop|free) E|^where .*gart=[1-9]' "${names[@]/%/.out}" || :)
	[ -z "$bad" ] || fail "$bad"
	rate "turns of $rounds programs" "$(cd "$T" && grep -shc ^where "${names[@]/%/.out}" | awk '{ n += $1 } END { print n }')" -ge $((rounds / 2))
	all_gone
	sums_are_right
}

# least STEP: of what five programs print of it, each with a first channel and 500 buffers
least() {
	local i

	for i in 1 2 3 4 5; do
		tgvram name=boxed open begin channel time=500,1
	done | sed -n "s/^$1 //p" | sort -n | head -n 1
}

# A first channel with its entry's reservation 50 us more; a buffer of 1 MiB, made and let go of, a
# fourteenth.
test_what_accounting_costs() {
	local channel buffer more_channel more_buffer

	spec 'boxed:FQ vram=64M:-:7::'
	load vram=0
	channel=$(least begin) buffer=$(least time)
	unload
	load vram=1
	more_channel=$(least begin) more_buffer=$(least time)
	echo "first channel, ns: $channel $more_channel; buffer, ns: $buffer $more_buffer"
	rate "more for a channel, ns" $((more_channel - channel)) -le 50000
	rate "a buffer, per cent" $((100 * more_buffer / buffer)) -lt 107
	want "no failure" "$more_buffer" -gt 0
}
