# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# /etc/timegraph.spec: when it is read, whom its lines mean, when it is refused.

GOOD='<alpha:HT:-:60::>'

# who NAME [PROGRAM]: what the task gets: "policy prio resv C T line"
who() {
	local name=$1 c out=''

	go=$((${go:-0} + 1))
	rm -f "$T/$name.ready"
	client "$name" --groups 1 --go "$T/go.$go"
	ready "$name"
	for c in policy prio resv C T line; do
		out+="$(task "$name" $c) "
	done
	touch "$T/go.$go"
	finish "$PID"
	WHO=${out% }
}

refusal() {
	sed -n 's/^spec: .*; refused: //p' $STATUS
}

test_task_without_an_entry_is_fq_priority_0_background() {
	spec '# nobody' "$GOOD"
	load
	who beta
	want "beta" "$WHO" = 'FQ 0 BG 0 0 0'
}

test_entry_gives_policy_priority_reserve() {
	spec '' "  alpha : PRT : PE : 60 : 5ms : 40000 # comment" '<"b:c" : PRT:AE@grp:7:1ms:20ms>'
	load
	who alpha
	want alpha "$WHO" = 'PRT 60 PE 5000 40000 2'
	who b:c
	want b:c "$WHO" = 'PRT 7 AE@grp 1000 20000 3'
}

test_reserve_of_an_ht_task_is_off_and_says_so() {
	spec '<alpha:HT:PE:60:5ms:40ms>'
	load
	who alpha
	want alpha "$WHO" = 'HT 60 PE(off:HT) 5000 40000 1'
}

test_star_is_the_default_level_50() {
	spec '<alpha:HT:-:*::>'
	load
	who alpha
	want alpha "$WHO" = 'HT 50* - 0 0 1'
}

test_missing_file_means_defaults_and_no_message() {
	rm "$T/spec"
	load
	who alpha
	want alpha "$WHO" = 'FQ 0 BG 0 0 0'
	grep -q '^spec: .* 0 entries in force$' $STATUS || fail "$(head -1 $STATUS)"
	want "kernel log lines" "$(log_count 'timegraph: .*spec')" = 0
}

test_changed_file_is_read_at_the_next_channel() {
	spec "$GOOD"
	load
	who alpha
	want alpha "$WHO" = 'HT 60 - 0 0 1'
	spec '' '<alpha:PRT:-:61::>'
	who alpha
	want alpha "$WHO" = 'PRT 61 - 0 0 2'
	rm "$T/spec"
	who alpha
	want "alpha without a file" "$WHO" = 'FQ 0 BG 0 0 0'
	spec "$GOOD"
	who alpha
	want "alpha with a new file" "$WHO" = 'HT 60 - 0 0 1'
}

test_running_task_keeps_its_parameters_until_a_new_channel() {
	spec "$GOOD"
	load
	client alpha --groups 1 --go "$T/go"
	ready alpha
	spec '<alpha:PRT:-:1::>'
	who beta
	want "alpha's priority" "$(task alpha prio)" = 60
	touch "$T/go"
	wait
}

test_wrong_file_keeps_the_last_good_one_and_says_where() {
	local where="$T/spec: 2:12: error\[[a-z-]+\]: "

	spec "$GOOD"
	load
	who alpha
	spec '# the next line is wrong' '<alpha:PRT:X:60::>'
	who alpha
	want alpha "$WHO" = 'HT 60 - 0 0 1'
	who alpha
	[[ "$(refusal)" =~ ^$where ]] || fail "status says '$(refusal)', wanted $where"
	want "reports in the kernel log" "$(log_count "timegraph: $where")" = 1
	spec '<alpha:PRT:-:7::>'
	who alpha
	want "corrected alpha" "$WHO" = 'PRT 7 - 0 0 1'
	want "refusal" "$(refusal)" = ''
}

test_wrong_file_at_load_means_defaults_and_is_reported() {
	spec 'nonsense'
	load
	want "reports in the kernel log" "$(log_count "timegraph: $T/spec: 1:[0-9]*: error")" = 1
	who alpha
	want alpha "$WHO" = 'FQ 0 BG 0 0 0'
}

# refused WHY COMMAND…: after it, the last good file is in force.
refused() {
	local why=$1
	shift

	rm -rf "$T/spec"
	spec "$GOOD"
	who alpha
	want "$why: alpha before" "$WHO" = 'HT 60 - 0 0 1'
	want "$why: refusal before" "$(refusal)" = ''
	spec '<alpha:PRT:-:99::>' '# longer, so that the change is seen'
	"$@"
	who alpha
	want "$why: alpha" "$WHO" = 'HT 60 - 0 0 1'
	[[ "$(refusal)" == "$T/spec: $why"* ]] || fail "status says '$(refusal)', not '$why'"
}

big_spec() {
	{ cat "$T/spec"; head -c 65536 /dev/zero | tr '\0' '#'; } >"$T/big"
	mv "$T/big" "$T/spec"
}

dir_spec() {
	rm "$T/spec"
	mkdir "$T/spec"
}

fifo_spec() {
	rm "$T/spec"
	mkfifo "$T/spec"
}

test_file_that_others_may_write_is_refused() {
	load
	refused 'writable by others' chmod 646 "$T/spec"
	refused 'writable by others' chmod 664 "$T/spec"
}

test_file_that_is_not_roots_is_refused() {
	load
	refused 'not owned by root' chown 1000 "$T/spec"
}

test_file_over_64_KiB_is_refused() {
	load
	refused 'larger than 64 KiB' big_spec
}

test_file_of_64_KiB_is_accepted() {
	spec "$GOOD"
	head -c $((65536 - $(stat -c %s "$T/spec"))) /dev/zero | tr '\0' '#' >>"$T/spec"
	want size "$(stat -c %s "$T/spec")" = 65536
	load
	who alpha
	want alpha "$WHO" = 'HT 60 - 0 0 1'
}

test_directory_and_fifo_are_refused() {
	load
	refused 'not a regular file' dir_spec
	refused 'not a regular file' fifo_spec
}

test_file_whose_mode_is_corrected_comes_in_force() {
	load
	refused 'writable by others' chmod 646 "$T/spec"
	chmod 644 "$T/spec"
	who alpha
	want alpha "$WHO" = 'PRT 99 - 0 0 1'
	want "refusal" "$(refusal)" = ''
}

# The kernel reads no file that somebody has open for writing.
test_file_that_is_being_written_comes_in_force_afterwards() {
	spec "$GOOD"
	load
	who alpha
	exec 5>"$T/spec"
	echo '<alpha:PRT:-:33::>' >&5
	who alpha
	want "alpha meanwhile" "$WHO" = 'HT 60 - 0 0 1'
	exec 5>&-
	who alpha
	want "alpha afterwards" "$WHO" = 'PRT 33 - 0 0 1'
}

# IMA's rule is for this group's files; it is there until the end of the machine.
IMA_GROUP=4242

# ima_hash FILE: gives it its hash, as evmctl(1) does; neither 0 nor a newline can be passed on, so
# that the file gets longer until there is none
ima_hash() {
	local hash zero='^(..)*(00|0a)'

	chgrp 0 "$1"
	while hash=$(sha256sum <"$1"); hash=${hash%% *}; [[ $hash =~ $zero ]]; do echo '#' >>"$1"; done
	# 4: a hash, 4: it is SHA-256.
	# shellcheck disable=SC2059
	tgdomain --xattr security.ima "$(printf "\\x04\\x04$(sed 's/../\\x&/g' <<<"$hash")")" "$1"
	chgrp $IMA_GROUP "$1"
}

# The file is appraised like any that is opened: by rules that an administrator has for those.
test_file_that_ima_does_not_know_is_refused() {
	local policy=/sys/kernel/security/ima/policy

	mount_securityfs || skip "no securityfs"
	[ -e $policy ] || skip "a kernel without IMA, or with rules already"
	echo "appraise func=FILE_CHECK mask=MAY_READ fgroup=$IMA_GROUP" >$policy
	spec "$GOOD"
	load
	who alpha
	want "alpha" "$WHO" = 'HT 60 - 0 0 1'
	spec '<alpha:PRT:-:7::>'
	chgrp $IMA_GROUP "$T/spec"
	who alpha
	want "alpha, of a file without a hash" "$WHO" = 'HT 60 - 0 0 1'
	want "refusal" "$(refusal)" = "$T/spec: it cannot be opened"
	ima_hash "$T/spec"
	who alpha
	want "alpha, of a file with its hash" "$WHO" = 'PRT 7 - 0 0 1'
	want "refusal" "$(refusal)" = ''
	spec '<alpha:PRT:-:8::>'
	who alpha
	want "alpha, of a file with another's hash" "$WHO" = 'PRT 7 - 0 0 1'
	ima_hash "$T/spec"
	who alpha
	want "alpha, with that corrected" "$WHO" = 'PRT 8 - 0 0 1'
}

test_task_in_a_mount_namespace_gets_the_administrators_file() {
	spec "$GOOD"
	load
	echo '<alpha:PRT:-:99::>' >"$T/other"
	cat >"$T/inside" <<-SH
		mount --bind "$T/other" "$T/spec" && grep -q :99: "$T/spec" || exit 9
		exec tgclient --name alpha --say "$T/alpha.ready" --go "$T/go" --groups 1
	SH
	unshare -m sh "$T/inside" &
	ready alpha
	want "alpha's priority" "$(task alpha prio)" = 60
	touch "$T/go"
	finish $!
}

test_task_in_a_chroot_gets_the_administrators_file() {
	spec "$GOOD"
	load
	mkdir "$T/jail"
	# A root of its own, with the same programs and another file at that path.
	cat >"$T/inside" <<-SH
		mount -t tmpfs none "$T/jail" && cd "$T/jail" &&
		mkdir -p usr dev tmp proc sys "./$T" &&
		for l in bin lib lib64 sbin; do ln -s usr/\$l \$l; done &&
		for d in usr dev sys proc; do mount --rbind /\$d \$d; done &&
		echo '<alpha:PRT:-:99::>' >"./$T/spec" || exit 9
		exec chroot . /usr/local/bin/tgclient --name alpha --say "$T/ready" --go "$T/go" --groups 1
	SH
	unshare -m sh "$T/inside" &
	eventually 60 has_task alpha
	want "alpha's priority" "$(task alpha prio)" = 60
	# Its --go is beyond reach: end it.
	kill $!
	wait || :
}

has_task() {
	[ -n "$(task "$1" pid)" ]
}

test_name_means_the_comm_by_15_characters() {
	spec '<abcdefghijklmnoPQR:PRT:-:31::>' '<alph:PRT:-:1::>' "$GOOD" '<alpha:PRT:-:2::>'
	load
	who abcdefghijklmno
	want "a name of 15" "$WHO" = 'PRT 31 - 0 0 1'
	who abcdefghijklmn
	want "a name of 14" "$WHO" = 'FQ 0 BG 0 0 0'
	who alpha
	want "the first match" "$WHO" = 'HT 60 - 0 0 3'
}

test_name_means_the_base_name_of_the_executable() {
	spec '<a-program-with-a-long-name:PRT:-:44::>'
	load
	cp "$(command -v tgclient)" "$T/a-program-with-a-long-name"
	"$T/a-program-with-a-long-name" --name other --say "$T/other.ready" --go "$T/go" --groups 1 &
	ready other
	want "its priority" "$(task other prio)" = 44
	touch "$T/go"
	finish $!
}

# line_of NAME COMMAND…: which line of the specification a client of that name gets
line_of() {
	local name=$1
	shift

	go=$((${go:-0} + 1))
	"$@" --name "$name" --say "$T/$name.$go" --groups 1 --go "$T/go.$go" >/dev/null 2>&1 &
	PID=$!
	eventually 60 has_file "$T/$name.$go"
	LINE=$(task "$name" line)
	touch "$T/go.$go"
	finish "$PID"
}

test_path_means_the_file_whatever_its_name() {
	cp "$(command -v tgclient)" "$T/game"
	spec "<$T/game:HT:-:60::>" '<x:PRT:-:50::>'
	load
	line_of alpha "$T/game"
	want "the file under another name" "$LINE" = 1
	# Who only calls himself so, by name or by path.
	line_of game tgclient
	want "its name" "$LINE" = 0
	mkdir "$T/sub" && cp "$T/game" "$T/sub/game"
	line_of game "$T/sub/game"
	want "another file of its name" "$LINE" = 0
	# A link leads to it, too; and once it is replaced, the old one is another's.
	ln -s "$T/game" "$T/link"
	spec "<$T/link:HT:-:60::>"
	line_of alpha "$T/game"
	want "the file by a link" "$LINE" = 1
	rm "$T/link"
	line_of alpha "$T/game"
	want "the file by no link" "$LINE" = 0
}

# Its two layers number their inodes, each by itself.
test_path_tells_files_of_an_overlay_apart() {
	local low=$T/low up=$T/up all=$T/all wanted f

	mkdir "$low" "$up" "$all"
	mount -t tmpfs none "$low"
	mount -t tmpfs none "$up"
	mkdir "$up/upper" "$up/work"
	touch "$low"/before{1..20}
	cp "$(command -v tgclient)" "$low/game"
	wanted=$(stat -c %i "$low/game")
	for f in "$up/upper/thief"{1..40}; do
		touch "$f"
		[ "$(stat -c %i "$f")" != "$wanted" ] || break
	done
	want "inode" "$(stat -c %i "$f")" = "$wanted"
	cp "$low/game" "$f"
	chmod 755 "$f"
	if mount -t overlay none "$all" 2>/dev/null \
		-o "lowerdir=$low,upperdir=$up/upper,workdir=$up/work,xino=off"; then
		spec "<$all/game:HT:-:60::>"
		load
		line_of alpha "$all/game"
		want "the file" "$LINE" = 1
		line_of beta "$all/${f##*/}"
		want "one with its inode" "$LINE" = 0
		umount "$all"
	else
		f=
	fi
	umount "$low" "$up"
	[ -n "$f" ] || skip "no overlayfs"
}

test_crowd_by_a_name_gets_nothing_of_the_file() {
	local i pids=()

	cp "$(command -v tgload)" "$T/game"
	spec "<$T/game:PRT:PE:60:10ms:20ms>" '<game@0:PRT:PE:50:10ms:40ms>'
	load
	chmod 666 /dev/timegraph /dev/dri/*
	for i in 1 2 3 4 5 6; do
		tgioctl --nobody tgload --name game --seconds 600 --fills 4 >/dev/null 2>&1 &
		pids+=("$!")
	done
	eventually 60 crowd 6
	"$T/game" --name other --json --seconds 600 --fills 4 >"$T/other.out" 2>"$T/other.err" &
	eventually 20 has_task other
	want "the crowd's lines" "$(awk '$1 == "game" && NF == 14 { print $12 }' $STATUS | sort -u)" = 0
	want "line of the file" "$(task other line)" = 1
	want "its reserve" "$(task other resv)" = PE
	kill "$!" "${pids[@]}"
	wait
}

crowd() {
	[ "$(awk '$1 == "game" && NF == 14' $STATUS | wc -l)" = "$1" ]
}

has_task() {
	[ -n "$(task "$1" line)" ]
}

test_cgroup_means_all_below_it() {
	local top=$T/cgroup

	mkdir "$top"
	mount -t cgroup2 none "$top" || skip "no cgroups v2"
	mkdir -p "$top/batch/one" "$top/batches"
	spec '<cgroup:/batch@0:PRT:BG:5::>' '<alpha:PRT:-:50::>'
	load
	line_of alpha in_cgroup "$top/batch/one"
	want "below it" "$LINE" = 1
	line_of alpha in_cgroup "$top/batches"
	want "beside it" "$LINE" = 2
	rmdir "$top/batch/one" "$top/batch" "$top/batches"
	umount "$top"
}

# in_cgroup FOLDER OPTION…: a client there
in_cgroup() {
	echo "$BASHPID" >"$1/cgroup.procs"
	shift
	exec tgclient "$@"
}

# --- one version

# versions TEST: with alpha and beta, who wait
versions() {
	spec "<alpha:PRT:-:30::>" "<beta:PRT:-:30::>"
	load ac="$T/ac"
	chmod 666 /dev/timegraph
	client alpha --groups 1 --go "$T/end"
	client beta --groups 1 --go "$T/end"
	ready alpha beta
	tgversion "$1" || fail "tgversion $1"
	touch "$T/end"
	wait
	status_idle || fail "something is left: $(cat $STATUS)"
}

test_bad_pushes_change_nothing() { versions bad_pushes_change_nothing; }
test_refused_texts_change_nothing() { versions refused_texts_change_nothing; }
test_push_is_one_version_for_all() { versions push_is_one_version_for_all; }
test_pushed_version_stays_until_a_file_changes() {
	versions pushed_version_stays_until_a_file_changes
}
test_pushes_race_with_channels() { versions pushes_race_with_channels; }
test_reload_applies_one_version() { versions reload_applies_one_version; }
test_renames_of_equal_size_are_seen() { versions renames_are_seen; }

# Its path is looked up before it is in force.
test_pushed_path_matches_at_once() {
	cp "$(command -v tgclient)" "$T/game"
	spec '# nobody'
	load
	"$T/game" --name alpha --say "$T/alpha.ready" --groups 1 --go "$T/go" &
	ready alpha
	want "before" "$(task alpha prio)" = 0
	tgversion push "<$T/game:HT:-:60::>" || fail "no push"
	want "its priority" "$(task alpha prio)" = 60
	touch "$T/go"
	finish $!
}

test_tgctl_pushes_both_files() {
	spec "$GOOD"
	echo 90 >"$T/ac"
	load ac="$T/ac"
	client alpha --groups 1 --go "$T/go"
	ready alpha
	spec '<alpha:PRT:-:33::>'
	echo 44 >"$T/ac"
	want "reload" "$(tgctl reload)" = '1 entry in force, limit 44 %, version 2'
	want "its priority" "$(task alpha prio)" = 33
	grep -q '^version: 2, pushed$' $STATUS || fail "$(grep ^version $STATUS)"
	tgctl status | grep -q '^  both  version 2, pushed by a tool$' || fail "$(tgctl status)"
	spec 'nonsense'
	! tgctl reload 2>"$T/why" || fail "nonsense is taken"
	grep -q "$T/spec: 1:[0-9]*: error" "$T/why" || fail "$(cat "$T/why")"
	# What the kernel would not read is not pushed either.
	spec '<alpha:PRT:-:99::>'
	chmod 646 "$T/spec"
	! tgctl reload 2>"$T/why" || fail "a file that others may write is taken"
	grep -q "$T/spec: writable by others" "$T/why" || fail "$(cat "$T/why")"
	want "its priority" "$(task alpha prio)" = 33
	touch "$T/go"
	finish "$PID"
}

# --- files that do not answer

# slow: $T/slow/file has what $T/text holds, once $T/hold is gone
slow() {
	mkdir "$T/slow"
	tgslow "$T/slow" "$T/text" "$T/hold" 2>"$T/slow.err" &
	SLOW=$!
	eventually 20 slow_is_mounted
	[ -e "$T/slow/file" ] || skip "no FUSE: $(cat "$T/slow.err")"
}

slow_is_mounted() {
	grep -q "^tgslow $T/slow " /proc/mounts || is_gone "$SLOW"
}

not_slow() {
	touch "$T/end"
	finish "${OPEN[@]}"
	unload
	umount "$T/slow"
	wait "$SLOW"
}

# opens NAME: sets MS to how long a client takes until its channel is there
opens() {
	local t0
	t0=$(uptime_ms)

	client "$1" --groups 1 --go "$T/end"
	OPEN+=("$PID")
	ready "$1"
	MS=$(($(uptime_ms) - t0))
	echo "$1: $MS ms"
}

has_prio() {
	[ "$(task "$1" prio)" = "$2" ]
}

test_file_that_does_not_answer_blocks_no_channel() {
	local usual

	echo '<alpha:PRT:-:33::>' >"$T/text"
	slow
	modprobe timegraph spec="$T/slow/file"
	opens alpha
	usual=$MS
	want "alpha's priority" "$(task alpha prio)" = 33
	touch "$T/hold"
	echo '<beta:PRT:-:44::>' >"$T/text"
	# The first waits half a second, the others not at all.
	opens beta
	want "beta's wait" "$MS" -le $((usual + 1500))
	tgversion slow_files_are_told || fail "nobody is told"
	opens gamma
	want "gamma's wait" "$MS" -le $((usual + 500))
	want "what is in force: alpha" "$(task alpha prio)" = 33
	want "beta" "$(task beta prio)" = 0
	# A push does not wait for it.
	tgversion push '<gamma:PRT:-:55::>' || fail "no push"
	want "gamma" "$(task gamma prio)" = 55
	# Who did not wait gets it when it is there, the others as ever.
	rm "$T/hold"
	eventually 20 has_prio beta 44
	want "alpha, by what was pushed" "$(task alpha prio)" = 0
	not_slow
}

test_path_that_does_not_answer_blocks_no_channel() {
	local usual

	cp "$(command -v tgclient)" "$T/text"
	slow
	spec "<$T/slow/file:HT:-:60::>" '<alpha:PRT:-:33::>'
	load
	opens alpha
	usual=$MS
	touch "$T/hold"
	opens beta
	want "beta's wait" "$MS" -le $((usual + 1500))
	opens gamma
	want "gamma's wait" "$MS" -le $((usual + 500))
	# Nor a push that does not name it.
	tgversion push '<gamma:PRT:-:55::>' || fail "no push"
	want "gamma" "$(task gamma prio)" = 55
	rm "$T/hold"
	not_slow
}
