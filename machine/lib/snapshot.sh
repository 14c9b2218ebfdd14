# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Machines that have booted, in the cache: memory and state of the moment in which
# process 1 has inserted nouveau and is about to take in what is this run's own. A
# restored machine goes on as the one would have that booted.
#
# A snapshot's name is the hash of all that the boot depends on, so another kernel,
# model, option or user space has another one. A file that was written to since, or
# copied, has to pass the check of its sums, which reads 2 GiB; what QEMU refuses is
# removed, and the machine booted.

# How many are kept: "make check" has 16 machines. One of 2G takes some 570 MB.
TG_SNAPSHOTS=${TIMEGRAPH_SNAPSHOTS:-20}

# snapshot_key RUNDIR: programs and archives by what they contain, or, where their name
# has it already, by name, size and date; options as QEMU gets them.
snapshot_key() {
	local d=$1 qemu text

	boot_command restore /run /snapshot
	# The logs are made anew by the card that is restored, and are no part of it.
	text=$(printf '%s\n' "${qemu[@]}" | sed -E 's/,(report|gpulog|log)=([^,]|,,)*//g'
		stat -L -c '%n %s %Y' "$TG_KERNEL/vmlinuz" "${TG_IMAGES[@]}" "$TG_FIRMWARE"/*)
	# Wherever the cache lies.
	tg_key "${text//"$TG_CACHE"/}" "$TG_QEMU" "$d/boot.cpio"
}

# The sums of a snapshot's files. The memory's file has holes, which cost nothing.
snapshot_sums() {
	(cd "$1" && cksum memory state kernel.log)
}

# What no write to its files leaves as it is: which they are, how long, written when.
snapshot_stamp() {
	(cd "$1" && stat -c '%n %i %s %.Y %.Z' memory state kernel.log sums)
}

snapshot_good() {
	local stamp

	stamp=$(snapshot_stamp "$1" 2>/dev/null) || return 1
	[ "$stamp" != "$(cat "$1/stamp" 2>/dev/null)" ] || return 0
	[ "$(snapshot_sums "$1")" = "$(cat "$1/sums")" ] || return 1
	echo "$stamp" >"$1/stamp.$$" && mv "$1/stamp.$$" "$1/stamp"
}

# The least used go, and what a killed run left half-made.
snapshot_trim() {
	local d

	for d in "$TG_CACHE"/snapshot-*.tmp; do
		[ ! -d "$d" ] || flock -n "$TG_CACHE/locks/$(basename "$d" .tmp)" rm -rf "$d" || :
	done
	tg_keep_last "$TG_SNAPSHOTS" "$TG_CACHE/snapshot"
}

# snapshot_make SNAPSHOT RUNDIR: boots a machine and lays it up. Fails if it does not
# come so far: then the run's own boot shows why.
snapshot_make() {
	local to=$1 d=$2/save qemu

	[ ! -e "$to/sums" ] || return 0
	# Whoever ends early removes it.
	SNAPSHOT_TMP=$to.tmp
	rm -rf "$SNAPSHOT_TMP"
	mkdir -p "$SNAPSHOT_TMP" "$d"
	boot_initrd "$2"
	boot_command save "$d" "$SNAPSHOT_TMP"
	tg_say "booting the machine; later runs begin where this ends"
	export TG_SNAPSHOT=$SNAPSHOT_TMP
	run_qemu $((OPT_TIMEOUT > 900 ? OPT_TIMEOUT : 900)) "$d/qemu.err"
	if [ "$QEMU_STATUS" != 0 ] || [ ! -s "$SNAPSHOT_TMP/state" ]; then
		rm -rf "$SNAPSHOT_TMP"
		SNAPSHOT_TMP=''
		return 1
	fi
	fallocate -d "$SNAPSHOT_TMP/memory" 2>/dev/null || :
	cp "$d/kernel.log" "$SNAPSHOT_TMP/"
	snapshot_sums "$SNAPSHOT_TMP" >"$SNAPSHOT_TMP/sums.new"
	mv "$SNAPSHOT_TMP/sums.new" "$SNAPSHOT_TMP/sums"
	tg_publish "$SNAPSHOT_TMP" "$to"
	SNAPSHOT_TMP=''
	snapshot_trim
}

# snapshot_find RUNDIR: sets SNAPSHOT to the folder of this machine's snapshot, made
# now if there was none; empty if there can be none.
snapshot_find() {
	local d

	SNAPSHOT=''
	! tg_uses_kvm || return 0
	d=$TG_CACHE/snapshot-$(snapshot_key "$1")
	if [ -e "$d/sums" ] && ! snapshot_good "$d"; then
		tg_say "the snapshot ${d##*/} is damaged: it goes, this run boots"
		rm -rf "$d"
		return 0
	fi
	if ! tg_locked "${d##*/}" snapshot_make "$d" "$1"; then
		tg_say "no snapshot of this machine could be made: this run boots"
		return 0
	fi
	touch "$d"
	SNAPSHOT=$d
}
