# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Debian packages of any suite, without touching the host: one private apt
# configuration a suite, in the cache, with an empty package state. Where the
# mirror is, and how to reach it, is learned from the host's own apt.

TG_APT=$TG_CACHE/apt
TG_DEBS=$TG_CACHE/debs

# The archive's base URI as the host knows it, e.g. ".../debian/" or
# ".../archive/debian/20250520T000000Z/". Asked for without release files, since
# a fresh machine has not downloaded any: entries are told by the suite's name.
tg_apt_base() {
	local want=$1 fmt uri

	# These are apt's own field names, not the shell's.
	# shellcheck disable=SC2016
	fmt='$(RELEASE) $(REPO_URI)'
	uri=$(apt-get indextargets --no-release-info --format "$fmt" 'Identifier: Packages' |
		awk -v want="$want" '
		$1 !~ /^(bookworm|trixie|forky|sid|stable|oldstable|testing|unstable)(-security|\/updates|-updates|-backports)?$/ { next }
		{ part = $1 ~ /-security$|\/updates$/ ? "security" : "main" }
		part == want { print $2; exit }')
	echo "$uri"
}

# tg_apt_uris: sets TG_URI and TG_URI_SECURITY. A host without a security entry
# (or with nothing else) has the other archive beside the one it knows.
tg_apt_uris() {
	TG_URI=$(tg_apt_base main)
	TG_URI_SECURITY=$(tg_apt_base security)
	[ -n "$TG_URI$TG_URI_SECURITY" ] ||
		tg_die "no Debian archive in this host's apt sources (apt-get indextargets lists none)"
	: "${TG_URI:=${TG_URI_SECURITY/debian-security/debian}}"
	: "${TG_URI_SECURITY:=${TG_URI/\/debian\//\/debian-security\/}}"
}

tg_apt_keyring() {
	local k

	for k in "$TG_APT/keyring.gpg" /usr/share/keyrings/debian-archive-keyring.gpg \
		 /usr/share/keyrings/debian-archive-keyring.pgp; do
		if [ -s "$k" ]; then
			echo "$k"
			return
		fi
	done
	tg_die "no Debian archive keyring: install debian-archive-keyring"
}

# tg_apt_setup SUITE: write the private configuration.
tg_apt_setup() {
	local suite=$1 d=$TG_APT/$1 key s

	[ ! -e "$d/apt.conf" ] || return 0
	tg_apt_uris
	key=$(tg_apt_keyring)
	mkdir -p "$d"/{lists/partial,cache,etc/preferences.d,etc/apt.conf.d,etc/trusted.gpg.d,state} \
		"$TG_DEBS/partial"
	: >"$d/state/status"
	: >"$d/state/extended_states"
	: >"$d/sources.list"
	for s in $(tg_apt_parts "$suite"); do
		local uri=$TG_URI
		case $s in *-security) uri=$TG_URI_SECURITY;; esac
		printf '%s [signed-by=%s] %s %s main\n' deb "$key" "$uri" "$s" \
			deb-src "$key" "$uri" "$s" >>"$d/sources.list"
	done
	cat >"$d/apt.conf.new" <<-CONF
	Dir::Etc::sourcelist "$d/sources.list";
	Dir::Etc::sourceparts "-";
	Dir::Etc::preferences "-";
	Dir::Etc::preferencesparts "$d/etc/preferences.d";
	Dir::Etc::trustedparts "$d/etc/trusted.gpg.d";
	Dir::State "$d/state";
	Dir::State::lists "$d/lists";
	Dir::State::status "$d/state/status";
	Dir::State::extended_states "$d/state/extended_states";
	Dir::Cache "$d/cache";
	Dir::Cache::archives "$TG_DEBS";
	Dir::Log "$d/state";
	APT::Architecture "amd64";
	APT::Architectures { "amd64"; };
	APT::Install-Recommends "false";
	APT::Sandbox::User "root";
	APT::Get::Assume-Yes "true";
	Acquire::Check-Valid-Until "false";
	Acquire::Languages "none";
	Acquire::Retries "3";
	Dir::Ignore-Files-Silently { "\.deb$"; };
	CONF
	mv "$d/apt.conf.new" "$d/apt.conf"
}

tg_apt_parts() {
	case $1 in
	sid) echo sid;;
	# With the suite that it stands on.
	*-backports) echo "$1 ${1%-backports}";;
	*) echo "$1 $1-updates $1-security";;
	esac
}

# The key of a suite that is newer than this host's keyring: apt checks the
# suite's release file against the keys that the next older suite delivers.
tg_apt_newer_keyring() {
	local tmp=$TG_APT/keyring.tmp

	tg_apt trixie update || return 1
	rm -rf "$tmp"
	mkdir -p "$tmp"
	(cd "$tmp" && tg_apt trixie download debian-archive-keyring) || return 1
	dpkg-deb -x "$tmp"/debian-archive-keyring_*.deb "$tmp/x"
	cp "$tmp/x/usr/share/keyrings/debian-archive-keyring.gpg" "$TG_APT/keyring.gpg"
}

# tg_apt SUITE APT-GET-ARGUMENTS...
tg_apt() {
	local suite=$1
	shift

	tg_apt_setup "$suite"
	apt-get -c "$TG_APT/$suite/apt.conf" -q "$@" </dev/null
}

tg_apt_cache() {
	local suite=$1
	shift

	apt-cache -c "$TG_APT/$suite/apt.conf" "$@"
}

# tg_apt_update SUITE: fetch the lists once ("build --update" forgets them).
tg_apt_update() {
	[ -e "$TG_APT/$1/updated" ] || tg_locked apt apt_update "$1"
}

apt_update() {
	local suite=$1 d=$TG_APT/$1 what="reading the package lists of $1"

	[ ! -e "$d/updated" ] || return 0
	tg_apt_setup "$suite"
	if ! tg_step "apt-$suite" "$what" tg_apt "$suite" update \
			-o APT::Update::Error-Mode=any; then
		[ "$suite" = sid ] || [ "$suite" = trixie-backports ] || return 1
		tg_say "trying again with the keyring of a newer suite"
		tg_apt_newer_keyring || return 1
		rm -f "$d/apt.conf"
		tg_apt_setup "$suite"
		tg_step "apt-$suite" "$what" tg_apt "$suite" update \
			-o APT::Update::Error-Mode=any || return 1
	fi
	touch "$d/updated"
}

tg_apt_forget() {
	rm -rf "$TG_APT" "$TG_CACHE/pins"
}

# tg_apt_newest SUITE REGEX: the newest package whose name matches, as
# "name version"; of several as new, the last by name.
tg_apt_newest() {
	local suite=$1 re=$2 p v best='' bestv=''

	for p in $(tg_apt_cache "$suite" pkgnames | grep -E "^($re)\$" | sort -r); do
		v=$(tg_apt_candidate "$suite" "$p")
		[ -n "$v" ] || continue
		if [ -z "$best" ] || dpkg --compare-versions "$v" gt "$bestv"; then
			best=$p bestv=$v
		fi
	done
	[ -n "$best" ] || return 1
	echo "$best $bestv"
}

tg_apt_candidate() {
	tg_apt_cache "$1" policy "$2" |
		awk '/Candidate:/ && $2 != "(none)" { print $2; exit }'
}

tg_deb_path() {
	# apt names downloads with the version's colon escaped.
	printf '%s/%s_%s_%s.deb' "$TG_DEBS" "$1" "${2//:/%3a}" "$3"
}

# Downloads happen inside command substitutions: their output goes to a log.
apt_get_quietly() {
	local log=$TG_LOGS/apt-get.log

	mkdir -p "$TG_LOGS" "$TG_DEBS/partial"
	tg_say "downloading packages of $1 (${*: -1})"
	tg_apt "$@" >"$log" 2>&1 || {
		tg_say "apt-get failed; the end of $log:"
		tail -n 20 "$log" | sed 's/^/    /' >&2
		return 1
	}
}

# tg_debs SUITE PACKAGE...: download exactly these; prints their paths.
tg_debs() {
	tg_locked apt apt_debs "$@"
}

apt_debs() {
	local suite=$1 p v f
	shift

	for p; do
		v=$(tg_apt_candidate "$suite" "$p")
		[ -n "$v" ] || tg_die "$suite has no package $p"
		for f in "$(tg_deb_path "$p" "$v" amd64)" "$(tg_deb_path "$p" "$v" all)"; do
			if [ -s "$f" ]; then
				echo "$f"
				continue 2
			fi
		done
		(cd "$TG_DEBS" && apt_get_quietly "$suite" download "$p") || return 1
		for f in "$(tg_deb_path "$p" "$v" amd64)" "$(tg_deb_path "$p" "$v" all)"; do
			[ ! -s "$f" ] || echo "$f"
		done
	done
}

# tg_debs_closure SUITE PACKAGE...: these and everything they depend on, as apt
# itself resolves it against an empty system; prints the paths.
tg_debs_closure() {
	tg_locked apt apt_closure "$@"
}

apt_closure() {
	local suite=$1
	shift

	apt_get_quietly "$suite" install --download-only "$@" || return 1
	tg_apt "$suite" install --print-uris "$@" -o Dir::Cache::archives="$TG_APT/none" |
		sed -n "s/^'[^']*' \([^ ]*\.deb\) .*/\1/p" |
		sort | sed "s,^,$TG_DEBS/,"
}

# tg_unpack DIR DEB...
tg_unpack() {
	local d=$1 f
	shift

	mkdir -p "$d"
	for f; do
		dpkg-deb -x "$f" "$d"
	done
}
