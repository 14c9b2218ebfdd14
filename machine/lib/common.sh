# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Common functions of the test machine: where things are, progress lines,
# content keys and locks. Sourced, never run.

TG_VM_DIR=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
TG_TOP=$(cd "$TG_VM_DIR/.." && pwd)
TG_CACHE=${TIMEGRAPH_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/timegraph}
# What is built from the checkout itself (modules, overlays, logs): removed by
# "make clean". What is expensive and only depends on Debian: TG_CACHE.
TG_BUILD=${TIMEGRAPH_BUILD:-$TG_TOP/build}
TG_LOGS=$TG_CACHE/logs
TG_JOBS=${TIMEGRAPH_JOBS:-$(nproc)}
TG_VERBOSE=${TG_VERBOSE:-0}
# 1: use what was built last, even if the sources have changed since.
TG_FROZEN=0
TG_T0=${TG_T0:-$(date +%s)}
# Guest artefacts must not depend on the time of day or on the caller's locale.
export LC_ALL=C TZ=UTC SOURCE_DATE_EPOCH=1577836800

tg_die() {
	printf '%s: %s\n' "${TG_PROG:-${0##*/}}" "$*" >&2
	exit 1
}

# Progress: one line a step, with the time since the command started.
tg_say() {
	local t=$(($(date +%s) - TG_T0))

	printf '[%3d:%02d] %s\n' $((t / 60)) $((t % 60)) "$*" >&2
}

tg_verbose() {
	[ "$TG_VERBOSE" = 0 ] || tg_say "$*"
}

# tg_step LOGNAME WHAT COMMAND...: run COMMAND with its output in a log file;
# say what it is, and show the end of the log if it fails.
tg_step() {
	local log=$TG_LOGS/$1.log what=$2 t0 rc=0
	shift 2

	mkdir -p "$TG_LOGS"
	t0=$(date +%s)
	tg_say "$what"
	# Not "|| rc=$?": the shell would then go on after a failure inside.
	set +e
	if [ "$TG_VERBOSE" -ge 2 ]; then
		(set -e; "$@") > >(tee "$log" >&2) 2>&1
	else
		(set -e; "$@") >"$log" 2>&1
	fi
	rc=$?
	set -e
	if [ $rc -ne 0 ]; then
		tg_say "$what: FAILED (status $rc); the end of $log:"
		tail -n 30 "$log" | cut -c1-300 | sed 's/^/    /' >&2
		return $rc
	fi
	# A step that is over at once needs no line of its own.
	t0=$(($(date +%s) - t0))
	if [ $t0 -ge 3 ]; then
		tg_say "$what: done in $t0 s"
	else
		tg_verbose "$what: done in $t0 s"
	fi
}

# tg_key FILES-OR-STRINGS...: a short content hash. Files are hashed by content
# and relative name, so a checkout elsewhere gives the same key.
tg_key() {
	local a

	for a; do
		if [ -d "$a" ]; then
			(cd "$a" && find . -type f -print0 | sort -z | xargs -0r sha256sum)
		elif [ -f "$a" ]; then
			echo "${a##*/}"
			sha256sum <"$a"
		else
			printf '%s\n' "$a"
		fi
	done | sha256sum | cut -c1-12
}

# This checkout's name in the cache: what it builds there is for it alone.
TG_CHECKOUT=$(tg_key "checkout:$TG_TOP")

# tg_locked NAME FUNCTION...: run FUNCTION in this shell while holding the lock
# of one artefact. A second builder of the same thing waits, then finds it done;
# builders of other things go on. Locks nest in one order only: modules and
# programs, then development root, then package lists, then what checkouts share.
tg_locked() {
	local fd rc name=$1
	shift

	mkdir -p "$TG_CACHE/locks"
	exec {fd}>"$TG_CACHE/locks/$name"
	if ! flock -n "$fd"; then
		tg_say "waiting for another build of $name"
		flock "$fd"
	fi
	# Under "set -e" a failure ends the shell here; elsewhere it is handed on.
	"$@"
	rc=$?
	exec {fd}>&-
	return $rc
}

# tg_publish TMPDIR DEST: make a finished directory visible in one step, so
# that an interrupted build never leaves a half-made one under its final name.
tg_publish() {
	rm -rf "$2"
	mv "$1" "$2"
}

# tg_once NAME KEY OUT STEP...: make OUT by a step (as tg_step has it) that does; or copy it from
# where another checkout left what has the same key. The last eight of a name are kept.
tg_once() {
	local had=$TG_CACHE/built/$1-$2 out=$3
	shift 3

	if tg_locked built once_take "$had" "$out"; then
		tg_verbose "${out##*/}: as another checkout has built it"
		return 0
	fi
	tg_step "$@"
	tg_locked built once_keep "$had" "$out"
}

once_take() {
	[ -d "$1" ] || return 1
	touch "$1"
	mkdir -p "$2"
	rsync -rlpc --delete "$1/" "$2/"
}

once_keep() {
	local had=$1 out=$2

	rm -rf "$had.tmp"
	mkdir -p "$had.tmp"
	rsync -rlp "$out/" "$had.tmp/"
	tg_publish "$had.tmp" "$had"
	tg_keep_last 8 "${had%-*}"
}

# tg_keep_last N PATH: of the folders PATH-KEY those that were used last; the others go.
tg_keep_last() {
	local d

	# shellcheck disable=SC2012
	ls -td "$2"-????????????/ | tail -n +$(($1 + 1)) | while read -r d; do
		rm -rf "${d%/}"
	done
}

# tg_pin NAME COMMAND...: what COMMAND printed when it was first asked. "Newest
# available" is decided once and then holds, without asking apt again, until
# "build --update".
tg_pin() {
	local f=$TG_CACHE/pins/$1
	shift

	if [ ! -s "$f" ]; then
		mkdir -p "${f%/*}"
		if ! "$@" >"$f.$$" || [ ! -s "$f.$$" ]; then
			rm -f "$f.$$"
			return 1
		fi
		mv "$f.$$" "$f"
	fi
	cat "$f"
}
