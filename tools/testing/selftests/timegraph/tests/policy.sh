# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Policies that are BPF programs: that each sample keeps what it promises, and that one
# which misbehaves is thrown out and harms nobody.

HOSTILE=/usr/local/lib/timegraph/hostile

# Kernels before 6.12 let no module take policies: there it must say so.
need_policies() {
	# How long a group takes there is chance, and programs with short ones run free.
	! on_debug_kernel || set -- freerun=0 "$@"
	spec
	load "$@"
	case $(tgpolicy list) in
	*'no policies as BPF programs'*)
		case $(uname -r) in 6.1.*) ;; *) fail "$(tgpolicy list)";; esac
		skip "$(tgpolicy list)";;
	esac
}

# start NAME MICROSECONDS [OPTION]…: a program that sends such groups until the test ends
start() {
	load_client "$1" --seconds 9999 --cost-us "${@:2}"
	eventually 20 has_groups "$1" 2
}

# shares NAME…: of what these are charged in two seconds, in per cent
shares() {
	local -A from
	local n sum=0

	sleep 0.5
	for n in "$@"; do from[$n]=$(task "$n" gpu); done
	sleep 2
	for n in "$@"; do
		from[$n]=$(($(task "$n" gpu) - from[$n]))
		sum=$((sum + from[$n]))
	done
	for n in "$@"; do
		printf -v "share_$n" %s $(((1000 * from[$n] / (sum ? sum : 1) + 5) / 10))
		echo "$n: $((from[$n] / 1000)) ms, $((1000 * from[$n] / (sum ? sum : 1))) of 1000"
	done
	used=$sum
}

share() {
	local got="share_$1"

	rate "share of $1" "${!got}" -ge "$2"
	rate "share of $1" "${!got}" -le "$3"
}

# order NAME: what tgpolicy says it is called
order() {
	tgpolicy load "$1" >"$T/name" || fail "$1 cannot be loaded"
	tgpolicy list | grep -q "^$(cat "$T/name") 0000" || fail "$(tgpolicy list)"
}

# all_is_well NAME [MS]: whatever it was, it goes on, that one with so much GPU time in a
# second, and all groups that were given to the GPU came back
all_is_well() {
	local before

	before=$(counter submitted)
	eventually 5 counter_is submitted $((before + 20))
	rate "GPU time charged in a second, ms" $(($(gain "$1" gpu 1) / 1000)) -ge "${2:-300}"
	! tgctl status | grep -q bypass || fail "$(tgctl status)"
	kill $(jobs -p) 2>/dev/null || :
	wait || :
	eventually 5 status_idle
	want "groups" "$(counter submitted)" = \
		$(($(counter verified) + $(counter recovered) + $(counter dropped)))
}

test_fq_gives_shares_by_weights() {
	need_policies
	start four 2000
	start one 8000
	tgctl set --policy FQ=400 four
	order fq
	shares four one
	share four 79 81
	rate "GPU time of 2 s, ms" $((used / 1000)) -ge 1950
}

test_fifo_gives_turns_by_groups() {
	need_policies
	start short 2000
	start long 8000
	order fifo
	shares short long
	share short 18 22
}

# Turns of one and three ticks of 10 ms.
test_accc_gives_shares_by_credits() {
	need_policies
	start three 2000
	start one 2000
	tgctl set --policy FQ=300 three
	order accc
	shares three one
	share three 73 77
}

# 3 tickets to 1, of drawn groups of 1 ms: in 2,000 a standard deviation is one per cent.
test_lottery_gives_shares_in_the_mean() {
	need_policies
	start three 1000
	start one 1000
	tgctl set --policy FQ=300 three
	order lottery
	shares three one
	share three 70 80
}

# The game has one group at a time, so what it does not use is the others'.
test_gamemode_puts_a_game_first_and_starves_nobody() {
	local i

	need_policies
	start game 4000
	for i in 1 2 3; do start "hog$i" 4000; done
	tgctl set --policy FQ=1000 game
	order gamemode
	shares game hog1 hog2 hog3
	rate "share of the game" "$share_game" -ge 80
	for i in 1 2 3; do rate "groups of hog$i" "$(gain "hog$i" groups 2)" -ge 2; done
	tgpolicy list | grep -q ejected && fail "$(tgpolicy list)" || :
}

test_spf_lets_short_groups_go_first() {
	local fq spf

	need_policies
	start long 20000
	start short 1000 --frames-in-flight 1
	sleep 1
	fq=$(gain short groups 2)
	order spf
	spf=$(gain short groups 2)
	echo "groups of 1 ms in 2 s: $fq under FQ, $spf under spf"
	rate "groups of the long one" "$(gain long groups 2)" -ge 10
	want "task of spf" "$(tgpolicy list | grep -c ejected || :)" = 0
}

# What comes after: the calls' fault is known in the call, an idle GPU within 40 ms.
gone_in_time() {
	local ms

	eventually 2 logged 'policy evil unloaded [0-9]+ ms after that: ' 1
	ms=$(dmesg | sed -n 's/.*policy evil unloaded \([0-9]*\) ms after.*/\1/p' | tail -n 1)
	rate "ms from the fault until it was gone" "$ms" -le 60
}

evil() {
	tgpolicy load "$HOSTILE/$1.bpf.o" >/dev/null || fail "$1 is refused"
}

# in_time REGEX: the number that it is to be; on a debug kernel any
in_time() {
	if on_debug_kernel; then echo '[0-9]+'; else echo "$1"; fi
}

# hostile FILE REGEX [PARAMETER]…: it misbehaves beside two clients
hostile() {
	local file=$1 regex=$2 t0
	shift 2

	need_policies policy_starve_ms=300 "$@"
	start a 2000
	start b 3000
	t0=$(uptime_ms)
	evil "$file"
	eventually 5 logged "policy evil ejected: $regex" 1
	gone_in_time
	echo "$file: ejected after $(($(uptime_ms) - t0)) ms"
	tgpolicy list | grep -q "^evil was ejected: " || fail "$(tgpolicy list)"
	# Not into a pipe that grep closes at the first: that would be an error.
	tgpolicy show >"$T/show"
	grep -q "task" "$T/show" || fail "no dump"
	! tgpolicy list | grep -q '^evil 0' || fail "$(tgpolicy list)"
	all_is_well a
	# It has gone by itself: nothing holds the module.
	eventually 2 rmmod_works
}

# By the verifier or by timegraph; all others in $HOSTILE can be loaded.
REFUSED='writes_group writes_gpu writes_behind_data data_unchecked forges_gpu reads_kernel
loops_for_ever recursion global_functions bpf_loop iterator sleeps signals large_value
bad_name no_name named_fq'

# refused FILE: by the verifier or by timegraph, and nothing changes
refused() {
	! tgpolicy load "$HOSTILE/$1.bpf.o" >"$T/out" 2>&1 || fail "$1 is taken"
	want "what is loaded" "$(tgpolicy list | grep -c '^evil' || :)" = 0
}

# expect: timegraph: policy evil ejected
test_one_that_never_starts_is_ejected_within_100_ms() {
	hostile never_starts "the GPU idled for $(in_time 3[0-9]) ms"
}

# expect: timegraph: policy evil ejected
test_one_that_stops_starting_is_ejected() {
	hostile starts_then_stops "the GPU idled for $(in_time 3[0-9]) ms"
}

# expect: timegraph: policy evil ejected
test_one_that_starts_one_task_alone_is_ejected() {
	hostile starts_one_task "(the GPU idled for $(in_time 3[0-9]) ms|task .* has waited)"
}

# expect: timegraph: policy evil ejected
test_one_that_picks_what_does_not_exist_is_ejected() {
	hostile picks_nobody 'it picked task 1099511627776, which does not exist'
}

# expect: timegraph: policy evil ejected
test_one_that_picks_the_greatest_number_is_ejected() {
	hostile picks_max 'it picked task 18446744073709551615, which does not exist'
}

# When that one does not wait another goes; if it always does, the policy is ejected.
#
# expect: timegraph: policy evil ejected
test_one_that_picks_one_for_ever_starves_nobody() {
	need_policies policy_starve_ms=300
	start a 2000
	start b 3000
	evil picks_one_forever
	sleep 0.5
	rate "GPU time of a in a second, ms" $(($(gain a gpu 1) / 1000)) -ge 200
	rate "GPU time of b in a second, ms" $(($(gain b gpu 1) / 1000)) -ge 200
	all_is_well a
}

# expect: timegraph: policy evil ejected
test_one_that_picks_what_is_gone_is_ejected() {
	need_policies
	start a 2000
	start b 3000
	evil picks_the_gone
	client gone --groups 5
	finish "$PID"
	eventually 5 logged 'policy evil ejected: it picked task .*, which does not exist' 1
	gone_in_time
	all_is_well a
}

# expect: timegraph: policy evil ejected
test_one_that_picks_another_classes_is_ejected() {
	spec '<rt:PRT:-:10::>'
	load
	tgpolicy list | grep -q 'no policies' && skip "$(tgpolicy list)"
	start a 2000
	start rt 3000 --frames-in-flight 1
	start b 2000
	evil picks_by_number
	eventually 5 logged 'policy evil ejected: it picked task' 1
	gone_in_time
	all_is_well a 100
}

# expect: timegraph: policy evil ejected
test_one_that_picks_at_random_is_ejected() {
	hostile picks_at_random 'it picked task'
}

# expect: timegraph: policy evil ejected
test_one_whose_calls_are_slow_is_ejected() {
	hostile slow_pick '(pick took|its calls took)' policy_call_us=100
}

# expect: timegraph: policy evil ejected
test_one_whose_completions_are_slow_is_ejected() {
	hostile slow_complete '(complete took|its calls took)' policy_call_us=100
}

# expect: timegraph: policy evil ejected
test_one_that_starves_a_task_is_ejected() {
	need_policies policy_starve_ms=300
	start a 2000
	start b 2000
	start c 2000
	evil starves_by_key
	eventually 5 logged "policy evil ejected: task .* has waited for $(in_time 3[0-9][0-9]) ms" 1
	gone_in_time
	all_is_well a
}

# Its ticks take some of the CPU, and that is all; keys decide among its own tasks only.
test_floods_of_ticks_and_keys_harm_nobody() {
	local f

	need_policies
	start a 2000
	start b 3000
	for f in floods_of_ticks ticks_in_the_past keys_of_others keys_in_pick data_too_large; do
		evil $f
		sleep 0.5
		rate "$f: GPU time in a second, ms" \
			$((($(gain a gpu 1) + $(gain b gpu 1)) / 1000)) -ge 600
		tgpolicy eject evil || :
	done
	all_is_well a
}

stays() {
	sleep "${1:-1}"
	want "ejections" "$(log_count 'policy evil ejected')" = 0
}

test_tick_at_the_end_of_time_never_comes() {
	need_policies
	start a 2000
	start b 3000
	evil tick_at_the_end
	stays
	all_is_well a
}

test_large_buffer_is_not_written() {
	need_policies
	start a 2000
	start b 3000
	evil large_buffer
	stays
	all_is_well a
}

# expect: timegraph: policy evil ejected
test_one_that_denies_again_and_again_is_ejected() {
	need_policies
	start a 2000
	start b 3000
	evil denies_29_ms
	eventually 5 logged 'policy evil ejected: the GPU idled for [0-9]+ ms of [0-9]+ ms' 1
	gone_in_time
	all_is_well a
}

# Whose turn the floor lends may not keep the GPU from all others.
test_denial_does_not_keep_the_gpu_from_a_higher_class() {
	spec '<rt:PRT:-:10::>'
	load policy_timeout_ms=10000 floor=5
	tgpolicy list | grep -q 'no policies' && skip "$(tgpolicy list)"
	start rt 2000
	start a 2000
	evil denies_29_ms
	rate "GPU time of rt in 2 s, ms" $(($(gain rt gpu 2) / 1000)) -ge 1700
	stays 0
	all_is_well rt
}

# Quotas hold the lowest level back, and no other.
test_more_important_task_in_a_throttled_domain_is_picked() {
	need_policies
	mount -t cgroup2 none /sys/fs/cgroup 2>/dev/null || [ -e /sys/fs/cgroup/cgroup.procs ] ||
		skip "no cgroups v2"
	mkdir -p /sys/fs/cgroup/tgp
	tgctl domain set /tgp --quota 10ms/40ms
	(echo "$BASHPID" >/sys/fs/cgroup/tgp/cgroup.procs
	 exec tgload --name low --seconds 9999 --cost-us 2000) >/dev/null 2>&1 &
	(echo "$BASHPID" >/sys/fs/cgroup/tgp/cgroup.procs
	 exec tgload --name high --seconds 9999 --cost-us 2000 --frames-in-flight 1) >/dev/null 2>&1 &
	start other 2000
	eventually 20 has_groups low 2
	eventually 20 has_groups high 2
	tgctl set --prio 5 high
	evil picks_first
	rate "groups of the more important one" "$(gain high groups 1)" -ge 20
	stays
	all_is_well other
	rmdir /sys/fs/cgroup/tgp
}

test_own_queue_survives_a_signal_storm() {
	need_policies
	start a 8000
	start b 3000
	evil keeps_a_queue
	client storm --mode storm --wait --groups 40 --fills 6
	finish "$PID"
	rate "signals taken" "$(sed -n 's/^alarms //p' "$T/storm.out")" -ge 20
	stays 0
	all_is_well a
}

test_list_beside_set_ends() {
	need_policies
	start a 2000
	evil harmless
	for _ in 1 2 3 4 5 6 7 8; do
		timeout 10 tgpolicy list >/dev/null &
		timeout 10 tgctl set --policy FQ=200 a >/dev/null
		timeout 10 tgctl policy fq >/dev/null
		timeout 10 tgctl policy evil >/dev/null
		wait $! || fail "tgpolicy list does not end"
	done
	all_is_well a
}

# expect: timegraph: policy refused
test_programs_without_a_bound_or_that_write_are_refused() {
	local f

	need_policies
	start a 2000
	start b 3000
	for f in $REFUSED; do
		refused $f
	done
	evil harmless
	tgpolicy eject evil
	all_is_well a
}

# expect: timegraph: policy evil ejected
test_one_that_is_ejected_in_the_middle_loses_no_group() {
	local i

	need_policies
	start a 500
	start b 500
	for i in 1 2 3 4 5 6 7 8; do
		order fq
		order lottery
		tgpolicy eject lottery
		tgpolicy eject fq-bpf
	done
	tgpolicy list | grep -q '^fq-bpf 0' && fail "$(tgpolicy list)"
	all_is_well a
}

# under FILE GROUPS: so many, under it and, once it is ejected, under it again
under() {
	local from until

	read_counter submitted
	from=$VALUE until=$((VALUE + $2))
	while [ "$VALUE" -lt $until ]; do
		tgpolicy load "$HOSTILE/$1.bpf.o" >"$T/load" 2>&1 || fail "$1 is refused: $(cat "$T/load")"
		sleep 0.4
		tgpolicy eject evil >"$T/eject" 2>&1 || :
		read_counter submitted
		[ "$VALUE" -gt "$from" ] || fail "nothing runs under $1"
	done
}

# 10^6 with TG_LONG. None is a loss of one who is not ended by it.
# expect: timegraph: policy evil ejected
test_groups_of_all_policies_that_misbehave_are_not_lost() {
	local f name each=$((${TG_LONG:-0} ? 40000 : 200)) nr=0 before

	need_policies policy_starve_ms=300 freerun=0
	start a 50
	start b 50
	start c 100
	before=$(counter submitted)
	for f in "$HOSTILE"/*.bpf.o; do
		name=$(basename "$f" .bpf.o)
		[[ " ${REFUSED//$'\n'/ } " != *" $name "* ]] || continue
		under "$name" $each
		nr=$((nr + 1))
	done
	echo "$nr policies, $(($(counter submitted) - before)) groups"
	want "policies" $nr -ge 25
	all_is_well a 100
}

# expect: timegraph: policy evil ejected
test_one_ejected_by_hand_leaves_its_calls() {
	need_policies
	start a 2000
	evil picks_first
	eventually 20 has_groups a 20
	tgpolicy eject evil
	want "picks that are told of" "$(tgpolicy show | grep -c ' pick ' || :)" -ge 3
	all_is_well a
}

# expect: .*timegraph: the policy fq-bpf of the specification is not loaded.*
test_one_of_the_specification_is_chosen_when_it_is_loaded() {
	need_policies
	spec '<gpu:*:POLICY=fq-bpf:-:-::>'
	start a 500
	start b 500
	policy_is fq
	tgpolicy load --no-choose lottery
	policy_is fq
	tgpolicy load --no-choose fq
	policy_is fq-bpf
	# Taken out by hand, or for a fault, it is not taken up again by itself.
	tgpolicy eject fq-bpf
	policy_is fq
	tgpolicy load --no-choose fq
	policy_is fq
	spec
	tgctl reload
	policy_is fq
	spec '<gpu:*:POLICY=fq-bpf:-:-::>'
	tgctl reload
	policy_is fq-bpf
	# Gone without a fault, the next one of its name takes its place.
	rm /sys/fs/bpf/timegraph/fq-bpf
	eventually 5 ordered_by fq
	tgpolicy load --no-choose fq
	policy_is fq-bpf
	all_is_well a
}

ordered_by() {
	[ "$(tgctl policy)" = "GPU 0: $1" ]
}

test_two_of_one_name_are_refused_and_two_of_other_names_take_turns() {
	need_policies
	start a 2000
	start b 3000
	evil harmless
	! tgpolicy load "$HOSTILE/harmless.bpf.o" 2>"$T/err" || fail "it is taken twice"
	grep -q 'of that name' "$T/err" || fail "$(cat "$T/err")"
	order fq
	order fifo
	want "loaded" "$(tgpolicy list --json | grep -c -E '"(evil|fq-bpf|fifo)",?$')" -ge 3
	all_is_well a
}

# A policy that is loaded holds the module; ejected, it does not.
test_module_goes_when_policies_are_ejected() {
	local name

	need_policies
	name=$(tgpolicy load fq)
	want "rmmod while it is loaded" "$(rmmod timegraph 2>/dev/null && echo gone || echo stays)" = stays
	tgpolicy eject "$name"
	eventually 2 rmmod_works
}

rmmod_works() {
	rmmod timegraph 2>/dev/null
}

# Groups of 500 us: what a program costs, beside the policy that does the same built in.
test_fq_as_a_program_costs_less_than_a_hundredth() {
	local plain=0 program=0

	need_policies
	start a 500
	start b 500
	# The CPU may be elsewhere for a moment in any of them.
	order fq
	for _ in 1 2; do
		tgctl policy 0 fq
		shares a b
		plain=$((used > plain ? used : plain))
		tgctl policy 0 fq-bpf
		shares a b
		program=$((used > program ? used : program))
	done
	tgpolicy stats | tee "$T/stats"
	for op in enqueue started complete; do
		rate "ns of $op" "$(awk -v op=$op '$1 == op { print $3 }' "$T/stats")" -lt 300
	done
	echo "GPU time in 2 s: $plain us built in, $program us as a program"
	rate "thousandths of it" $((1000 * program / plain)) -ge 990
	share a 49 51
}

# "ten minutes": from nothing to a policy that runs. The compiler is not in the machine.
test_template_is_written_once() {
	(cd "$T" && tgpolicy new mine >cmd)
	grep -q '^clang -target bpf .* -c mine.c -o mine.bpf.o$' "$T/cmd"
	! (cd "$T" && tgpolicy new mine 2>/dev/null) || fail "it wrote over a file"
	! (cd "$T" && tgpolicy new 'no name' 2>/dev/null) || fail "a bad name"
}
