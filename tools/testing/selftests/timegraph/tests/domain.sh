# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Domains: what control groups with a rule get of the GPU, whatever runs in them.

# start NAME CGROUP MICROSECONDS [OPTION]…: sends such groups until the test ends; in no other
# cgroup than the test if that is .
start() {
	set -- "$1" "$2" --seconds 9999 --cost-us "${@:3}"
	if [ "$2" = . ]; then
		load_client "$1" "${@:3}"
	else
		load_client_in "$2" "$1" "${@:3}"
	fi
	eventually 20 has_groups "$1" 1
}

# rule CGROUP OPTION…
rule() {
	tgctl domain set "$@"
}

# usage CGROUP FIELD: of its domain, from tgctl's JSON
usage() {
	tgctl domain --json | awk -v path="\"/$1\"," -v key="\"$2\":" '
		$1 == "\"path\":" { found = $2 == path }
		found && $1 == key { sub(",", "", $2); print $2; exit }'
}

# shares SECONDS CGROUP…: of what these had together, in thousandths; a task's name is
# for those in none
shares() {
	local -A from
	local g sum=0 seconds=$1
	shift

	sleep 0.5
	for g; do from[$g]=$(used_by "$g"); done
	sleep "$seconds"
	for g; do
		from[$g]=$(($(used_by "$g") - from[$g]))
		sum=$((sum + from[$g]))
	done
	for g; do
		printf -v "share_${g//\//_}" %s $((1000 * from[$g] / (sum ? sum : 1)))
		echo "$g: ${from[$g]} us, $((1000 * from[$g] / (sum ? sum : 1))) of 1000"
	done
	used=$sum
}

# In microseconds.
used_by() {
	if [ -d "$CG/$1" ]; then
		echo $(($(usage "$1" usage_ns) / 1000))
	else
		task "$1" gpu
	fi
}

# share CGROUP THOUSANDTHS: within 2 points
share() {
	local got="share_${1//\//_}"

	rate "share of $1" "${!got}" -ge $(($2 - 20))
	rate "share of $1" "${!got}" -le $(($2 + 20))
}

# Three programs of short groups against one of long ones: neither counts.
test_weights_are_shares_whatever_runs_within() {
	group tga tgb
	spec
	load
	rule /tga --weight 100
	rule /tgb --weight 300
	start a1 tga 2000
	start a2 tga 2000
	start a3 tga 2000
	start b tgb 15000
	shares 3 tga tgb
	share tga 250
	share tgb 750
	want "tasks" "$(usage tga tasks)" = 3
	tgtop -b -n 1 -d 1 >"$T/top"
	grep -E '^/tgb +300 +[0-9]+\.[0-9] ' "$T/top" || fail "$(cat "$T/top")"
}

test_domain_and_a_program_beside_it_are_equals() {
	group tga
	spec
	load
	rule /tga --weight 100
	start a1 tga 2000
	start a2 tga 2000
	start out . 2000
	shares 3 tga out
	share tga 500
	share out 500
}

test_nested_domains_share_what_their_parent_gets() {
	group tga tga/x tga/y tgb
	spec
	load
	rule /tga --weight 300
	rule /tga/x --weight 200
	rule /tga/y --weight 100
	rule /tgb --weight 300
	start x1 tga/x 2000
	start x2 tga/x 3000
	start y tga/y 2000
	start b tgb 5000
	shares 4 tga/x tga/y tgb
	share tga/x 333
	share tga/y 167
	share tgb 500
	want "usage of the parent covers those within" "$(used_by tga)" -ge "$(used_by tga/x)"
}

# 10 of each 40 ms, nobody beside it: what it has in eight seconds is at most that, and a group.
test_quota_bounds_a_domain_that_is_alone() {
	local before

	group tga
	spec
	load
	rule /tga --quota 10ms/40ms
	start a1 tga 2000
	start a2 tga 3000
	eventually 10 has_groups a1 1
	sleep 0.5
	before=$(used_by tga)
	sleep 4
	want "GPU time of 4 s, us" $(($(used_by tga) - before)) -le $((1000000 + 13000))
	rate "GPU time of 4 s, us" $(($(used_by tga) - before)) -ge 950000
	rate "times it was held" "$(usage tga nr_throttled)" -ge 80
	tgctl domain set /tga --quota -
	before=$(used_by tga)
	sleep 2
	rate "GPU time without it, us" $(($(used_by tga) - before)) -ge 1800000
}

# 17 of 250 characters: longer than a path can be.
test_quota_bounds_who_is_deeper_than_any_path() {
	local before

	group tga
	spec
	load
	tgdomain --xattr trusted.timegraph.quota '10ms/40ms' $CG/tga
	tgdomain --below $CG/tga 17 tgload --name a --seconds 9999 --cost-us 2000 &
	deep=$!
	trap 'kill -9 $deep; eventually 10 tgdomain --below $CG/tga -1; groups_gone' EXIT
	eventually 10 has_groups a 1
	want "tasks" "$(usage tga tasks)" = 1
	before=$(task a gpu)
	sleep 4
	want "GPU time of 4 s, us" $(($(task a gpu) - before)) -le $((1000000 + 13000))
}

test_migration_under_load_moves_the_share() {
	local i pid verified

	group tga tgb
	spec
	load
	rule /tga --weight 100
	rule /tgb --weight 300
	start a tga 2000
	start b tgb 2000
	start mover tga 2000
	pid=$PID
	eventually 10 has_groups mover 1
	for i in {1..20}; do
		echo "$pid" >$CG/tgb/cgroup.procs
		sleep 0.05
		echo "$pid" >$CG/tga/cgroup.procs
		sleep 0.05
	done
	want "tasks" "$(usage tga tasks)" = 2
	shares 3 tga tgb
	share tga 250
	kill "$pid"
	wait "$pid" || true
	shares 3 tga tgb
	share tgb 750
	# In this order: both rise meanwhile.
	verified=$(counter verified)
	want "submitted" "$(counter submitted)" -ge "$verified"
}

test_cleared_rule_leaves_running_programs_equal() {
	group tga tgb
	spec
	load
	rule /tga --weight 100
	rule /tgb --weight 300
	start a tga 2000
	start b tgb 2000
	shares 2 tga tgb
	share tgb 750
	tgctl domain clear /tga
	tgctl domain clear /tgb
	want "domains" "$(tgctl domain --json | grep -c '"path"' || true)" = 0
	shares 2 a b
	share a 500
	share b 500
	! tgctl domain clear /tga || fail "there was something to clear"
}

test_removed_cgroup_takes_its_domain_along() {
	group tga
	spec
	load
	rule /tga --weight 500
	start a tga 2000
	eventually 10 has_groups a 1
	kill "$PID"
	wait "$PID" || true
	eventually 10 rmdir $CG/tga
	want "domains" "$(tgctl domain --json | grep -c '"path"' || true)" = 0
	mkdir $CG/tga
	start a tga 2000
	eventually 10 has_groups a 1
	want "domains" "$(tgctl domain --json | grep -c '"path"' || true)" = 0
}

test_specification_gives_rules() {
	group tga tgb tgb/in
	spec '<cgroup:/tga:DOMAIN:-:-::>' '<cgroup:/tgb:DOMAIN=300 target=50%:PE:-:90ms:100ms>'
	load
	start a tga 2000
	start b tgb/in 2000
	shares 3 tga tgb
	share tgb 750
	want "who gave it" "$(usage tgb weight_by)" = '"spec"'
	want "target" "$(usage tgb target_ppm)" = 500000
	want "quota" "$(usage tgb capacity_ns)" = 90000000
	rule /tgb --weight 100
	want "who gave it" "$(usage tgb weight_by)" = '"call"'
	shares 3 tga tgb
	share tgb 500
	spec
	tgctl reload
	want "domain without a rule" "$(usage tga weight)" = ""
	want "domain of a call" "$(usage tgb weight)" = 100
}

# A user is given a cgroup. What he says of it, or beside it, has no effect; of what is within, it has.
test_owner_divides_what_he_gets_and_cannot_lift_it() {
	local u="tgioctl --nobody"

	group tga tga/x tga/y tgb
	chown 65534:65534 $CG/tga $CG/tga/x $CG/tga/y
	spec
	load
	chmod 666 /dev/timegraph
	$u tgdomain --xattr user.timegraph.weight 10000 $CG/tga
	$u tgdomain --xattr user.timegraph.weight 300 $CG/tga/x
	tgdomain --xattr user.timegraph.weight 100 $CG/tgb
	! $u tgctl domain set /tga --weight 10000 || fail "he lifts his own"
	! $u tgctl domain set /tgb --weight 1 || fail "he lowers another"
	$u tgctl domain set /tga/y --weight 100
	start x tga/x 2000
	start y tga/y 2000
	start b tgb 2000
	shares 4 tga/x tga/y tgb
	share tgb 500
	share tga/x 375
	share tga/y 125
	want "weight of what he was given" "$(usage tga weight)" = 100
	tgdomain --xattr trusted.timegraph.weight 300 $CG/tga
	tgctl reload
	want "weight that root gives it" "$(usage tga weight)" = 300
	shares 3 tga/x tga/y tgb
	share tgb 250
	! $u tgctl domain clear /tgb || fail "he clears another's"
}

# Not by a domain around it, which nobody gave a weight.
test_owner_cannot_lift_what_root_gives_within_his() {
	local u="tgioctl --nobody"

	group tga tga/x tga/x/z tgb
	chown 65534:65534 $CG/tga $CG/tga/x $CG/tga/x/z
	spec
	load
	tgdomain --xattr trusted.timegraph.weight 25 $CG/tga/x
	tgdomain --xattr trusted.timegraph.weight 75 $CG/tgb
	$u tgdomain --xattr user.timegraph.weight 300 $CG/tga/x/z
	start z tga/x/z 2000
	start b tgb 2000
	shares 3 tga/x tgb
	share tga/x 250
	want "weight within" "$(usage tga/x/z weight)" = 300
}

# Nor by dividing what he has, for which that is a domain of the usual weight, what the
# specification gives his program; but a quota that root put on it holds.
test_owner_cannot_lift_a_program_of_a_smaller_weight() {
	local u="tgioctl --nobody"

	group tga tga/x
	chown 65534:65534 $CG/tga $CG/tga/x
	spec '<small:FQ=25:BG:0::>'
	load
	$u tgdomain --xattr user.timegraph.weight 300 $CG/tga/x
	start small tga/x 2000
	start other . 2000
	shares 3 small other
	share small 200
	rule /tga/x --quota 2ms/40ms
	shares 3 small other
	share small 50
}

# A thousand take a minute; with TG_LONG.
test_many_domains() {
	local i names=() sum nr=250

	[ "${TG_LONG:-0}" != 1 ] || nr=1000
	for ((i = 1; i <= nr; i++)); do names+=("tg$i"); done
	group "${names[@]}"
	spec
	load
	for ((i = 1; i <= nr; i++)); do rule "/tg$i" --weight 100; done
	for ((i = 1; i <= nr; i++)); do
		(
			echo $BASHPID >$CG/tg$i/cgroup.procs
			exec tgclient --name "c$i" --groups 3
		) >"$T/c.out" 2>"$T/c.err" || fail "client $i: $(cat "$T/c.err")"
	done
	want "domains" "$(tgctl domain --json | grep -c '"path"')" = "$nr"
	sum=$(tgctl domain --json | awk '$1 == "\"groups\":" { sub(",", "", $2); s += $2 } END { print s }')
	rate "groups of all" "$sum" -ge $((3 * nr))
	for ((i = 1; i <= nr; i++)); do tgctl domain clear "/tg$i"; done
	want "domains" "$(tgctl domain --json | grep -c '"path"' || true)" = 0
}

# Four that always have a group waiting: no CPU is short, so the credits alone say it.
four_domains() {
	local i weights=(256 512 1024 256) targets=(12.5% 25% 50% 12.5%)

	cpu_groups tg1 tg2 tg3 tg4
	spec
	load
	for i in 1 2 3 4; do
		rule /tg$i --weight "${weights[i - 1]}" --target "${targets[i - 1]}"
		echo "${weights[i - 1]}" >$CG/tg$i/cpu.weight
		start "p$i" tg$i 2000
	done
}

# credits POINTS: of 12.5, 25, 50 and 12.5 %, in tenths
credits() {
	local i wanted=(125 250 500 125) got

	for i in 1 2 3 4; do
		got="share_tg$i"
		rate "share of $i" "${!got}" -ge $((wanted[i - 1] - $1))
		rate "share of $i" "${!got}" -le $((wanted[i - 1] + $1))
	done
}

test_accc_and_xc_give_shares_by_credits() {
	local p

	four_domains
	for p in accc xc; do
		tgctl policy 0 $p
		echo "$p:"
		shares 4 tg1 tg2 tg3 tg4
		credits 10
	done
}

# One that waits for each of its groups, and computes before the next, beside three that always
# have one waiting: these use its pauses, and it has its credit all the same.  Four fifths of it
# at least: without what a unit keeps it has three fifths.
test_who_computes_between_its_groups_has_its_credit() {
	local g p

	cpu_groups tga tgb tgc tgd
	spec
	load
	for g in tga tgb tgc tgd; do rule /$g --weight 100; done
	start a tga 1500 --cpu-us 500 --wait
	for g in b c d; do start $g tg$g 2000; done
	eventually 10 has_groups d 1
	for p in accc rr; do
		tgctl policy 0 $p
		echo "$p:"
		shares 4 tga tgb tgc tgd
		rate "share of a" "$share_tga" -ge 200
		rate "share of a" "$share_tga" -le 300
	done
}

# Its feedback is once a second: after ten of them.
test_slaf_reaches_its_targets_within_ten_periods() {
	four_domains
	tgctl policy 0 slaf
	sleep 10
	shares 4 tg1 tg2 tg3 tg4
	credits 20
}

test_policy_switched_under_load_loses_no_group() {
	local i p pids=()

	group tga tgb
	spec
	load
	rule /tga --weight 100
	rule /tgb --weight 300
	for i in 1 2 3; do
		start "a$i" tga 700
		start "b$i" tgb 1100
	done
	client counts --groups 2000
	pids=("$PID")
	for i in {1..10}; do
		for p in rr accc xc slaf augc cosched fq; do
			if ! tgctl policy 0 $p >"$T/policy" 2>&1; then
				[ $p != fq ] || fail "$(cat "$T/policy")"
				continue
			fi
			want "policy" "$(tgctl policy)" = "GPU 0: $p"
			sleep 0.05
		done
	done
	finish "${pids[@]}"
	want "policy" "$(tgctl policy)" = "GPU 0: fq"
	shares 2 tga tgb
	share tgb 750
	kill $(jobs -p)
	wait || true
	eventually 10 status_idle
	want "groups ended" $(($(counter verified) + $(counter recovered) + $(counter dropped))) -ge \
		"$(counter submitted)"
}

# expect: timegraph: policy=guess: .*
test_policy_of_the_parameter_is_there_from_the_first_channel_on() {
	spec
	! modprobe timegraph spec="$T/spec" policy=guess 2>"$T/err" || fail "it takes any word"
	log_has 'timegraph: policy=guess: fq, rr, accc, xc, slaf, augc or cosched' ||
		fail "no word why"
	load policy=cosched
	start one . 2000
	eventually 10 has_groups one 1
	want "policy" "$(tgctl policy)" = "GPU 0: cosched"
	tgctl policy 0 rr
	kill "$PID"
	finish "$PID"
	start two . 2000
	eventually 10 has_groups two 1
	want "policy" "$(tgctl policy)" = "GPU 0: rr"
}

# expect: .*timegraph: the policy nowhere of the specification is not loaded.*
# expect: timegraph: .*error\[gpu-priority\].*
test_policy_of_the_specification_is_followed() {
	spec '<gpu:0:POLICY=rr:-:-::>' '<gpu:*:POLICY=slaf:-:-::>'
	load policy=xc
	start one . 2000
	start two . 3000
	eventually 10 has_groups one 1
	policy_is rr
	# Chosen by hand it stays while the line says the same.
	tgctl policy 0 accc
	tgctl reload
	policy_is accc
	spec '<gpu:0:POLICY=rr:-:-::>' '# the same'
	tgctl reload
	policy_is accc
	spec '<gpu:1:POLICY=rr:-:-::>' '<gpu:*:POLICY=slaf:-:-::>'
	tgctl reload
	policy_is slaf
	spec '<gpu:0:POLICY=nowhere:-:-::>'
	tgctl reload
	policy_is slaf
	want "words of it" "$(dmesg | grep -c 'the policy nowhere of the specification' || :)" = 1
	# Without tgctl: with the next channel.
	spec
	client three --groups 2
	finish "$PID"
	policy_is xc
	spec '<gpu:0:POLICY=rr:-:5::>'
	! tgctl reload 2>"$T/err" || fail "it is taken"
	grep -q gpu-priority "$T/err" || fail "$(cat "$T/err")"
	policy_is xc
	want "groups of one" "$(gain one groups 1)" -ge 10
	want "groups of two" "$(gain two groups 1)" -ge 10
	kill $(jobs -p)
	wait || true
	eventually 10 status_idle
	want "groups ended" $(($(counter verified) + $(counter recovered) + $(counter dropped))) -ge \
		"$(counter submitted)"
}

test_calls_do_what_they_say() {
	group tga
	spec
	load
	start a tga 2000
	eventually 10 has_groups a 1
	exec 9<$CG/tga
	tgdomain bad_domains "$PID" 9
	tgdomain entries_of_a_cgroup "$PID" 9
	chmod 666 /dev/timegraph
	tgioctl --nobody tgdomain policy_is_the_administrators
	! tgctl policy nonsense || fail "there is such a policy"
	exec 9<&-
	mkdir $CG/tgb
	exec 9<$CG/tgb
	rmdir $CG/tgb
	! tgctl domain set /tgb --weight 3 || fail "a removed cgroup got a rule"
	exec 9<&-
}
