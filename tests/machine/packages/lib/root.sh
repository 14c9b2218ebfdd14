# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Clean installed systems of a Debian suite, to install packages into: made as an
# installer makes them (every maintainer script runs), kept in the cache, and used
# through an overlay, so that no test changes what the next one starts from.
#
# Needs machine/lib/{common,apt}.sh.

# As little as apt installs with; the essential packages come in by themselves.
PKG_BASE="apt ca-certificates"

# root_essential SUITE: the names of the packages that every system has.
root_essential() {
	tg_apt_cache "$1" dumpavail |
		awk '/^Package:/ { p = $2 } /^Essential: yes/ { print p }' | sort -u
}

# root_enter ROOT COMMAND...: as on a running system, but that it runs no daemon.
# The caller has a mount namespace of its own (see "check") and has called
# root_mounts.
root_enter() {
	local d=$1
	shift

	env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
		LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
		SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" "${ROOT_ENV[@]}" chroot "$d" "$@"
}
ROOT_ENV=()

# root_mounts ROOT: the kernel's file systems, and the kept downloads.
root_mounts() {
	local d=$1

	mount --rbind /proc "$d/proc"
	mount --rbind /dev "$d/dev"
	mount -t tmpfs none "$d/tmp"
	mount -t tmpfs none "$d/run"
	mkdir -p "$PKG_DEBS/partial" "$d/var/cache/apt/archives"
	mount --bind "$PKG_DEBS" "$d/var/cache/apt/archives"
	cp -L /etc/resolv.conf "$d/run/resolv.conf" 2>/dev/null || :
}

root_umount() {
	local d=$1 m

	for m in var/cache/apt/archives run tmp dev proc; do
		! mountpoint -q "$d/$m" || umount -R -l "$d/$m"
	done
}

# root_sources ROOT SUITE: this host's mirror, and the way to it.
root_sources() {
	local d=$1 suite=$2 s uri

	tg_apt_uris
	for s in $(tg_apt_parts "$suite"); do
		uri=$TG_URI
		case $s in *-security) uri=$TG_URI_SECURITY;; esac
		echo "deb $uri $s main"
	done >"$d/etc/apt/sources.list"
	rm -f "$d/etc/apt/sources.list.d/"*
	{
		apt-config dump | grep -E '^Acquire::(http|https|ftp)::.*[Pp]roxy' || :
		echo 'Acquire::Languages "none";'
		echo 'Acquire::Check-Valid-Until "false";'
		echo 'Acquire::Retries "3";'
		echo 'APT::Install-Recommends "false";'
		echo 'APT::Keep-Downloaded-Packages "true";'
		echo 'Binary::apt-get::APT::Keep-Downloaded-Packages "true";'
		echo 'APT::Sandbox::User "root";'
		echo 'Dpkg::Use-Pty "false";'
	} >"$d/etc/apt/apt.conf.d/99test"
	ln -sf /run/resolv.conf "$d/etc/resolv.conf"
}

root_apt() {
	local d=$1
	shift

	root_enter "$d" apt-get -q -y "$@" </dev/null
}

# root_bootstrap ROOT SUITE: the essential packages are unpacked, so that their
# programs are there, and then installed by dpkg as if they were not.
root_bootstrap() {
	local d=$1 suite=$2 debs f

	# shellcheck disable=SC2046,SC2086
	mapfile -t debs < <(tg_debs_closure "$suite" $PKG_BASE $(root_essential "$suite"))
	[ ${#debs[@]} -gt 50 ]
	tg_tree "$d" "${debs[@]}"
	mkdir -p "$d"/{proc,dev,sys,tmp,run,root,var/lib/dpkg/info,var/lib/dpkg/updates}
	: >>"$d/var/lib/dpkg/status"
	: >>"$d/var/lib/dpkg/available"
	: >"$d/etc/fstab"
	printf '127.0.0.1 localhost\n' >"$d/etc/hosts"
	echo timegraph >"$d/etc/hostname"
	# No daemon of a chroot may start.
	printf '#!/bin/sh\nexit 101\n' >"$d/usr/sbin/policy-rc.d"
	chmod 755 "$d/usr/sbin/policy-rc.d"
	# Nobody misses what a power cut would take, and each fsync is slow.
	mkdir -p "$d/etc/dpkg/dpkg.cfg.d"
	echo force-unsafe-io >"$d/etc/dpkg/dpkg.cfg.d/test"
	root_mounts "$d"
	for f in "${debs[@]}"; do
		ln -f "$f" "$PKG_DEBS/" 2>/dev/null || cp "$f" "$PKG_DEBS/"
	done
	mapfile -t debs < <(printf '%s\n' "${debs[@]##*/}" | sed 's,^,/var/cache/apt/archives/,')
	# Nothing is configured yet that any of these may depend on.
	root_enter "$d" dpkg --install --force-depends --force-confnew "${debs[@]}"
	root_enter "$d" dpkg --configure -a
}

# root_image ROOT RELEASE: the package with that kernel, by ROOT's own lists. For days
# an archive may have a version unsigned only; the two hold the same kernel.
root_image() {
	local p

	for p in "linux-image-$2" "linux-image-$2-unsigned"; do
		if root_apt "$1" --simulate install "$p" >/dev/null 2>&1; then
			echo "$p"
			return
		fi
	done
	echo "no package has kernel $2" >&2
	return 1
}

# root_packages ROOT PACKAGE...: as they are called there; "kernel:RELEASE" is an image.
root_packages() {
	local d=$1 p
	shift

	for p in "$@"; do
		case $p in
		kernel:*) root_image "$d" "${p#kernel:}" || return;;
		*) echo "$p";;
		esac
	done
}

# root_make ROOT SUITE PACKAGES LATER: LATER is downloaded only: tests install it
# without a network.
root_make() {
	local d=$1 suite=$2 now later

	mkdir -p "$d"
	root_bootstrap "$d" "$suite"
	root_sources "$d" "$suite"
	root_apt "$d" update
	# A system with nouveau in its initramfs, for the splash screen or the disk's
	# password, is the harder case; and nothing else in it, for speed.
	mkdir -p "$d/etc/initramfs-tools/conf.d" "$d/usr/share/initramfs-tools/modules.d"
	echo nouveau >"$d/usr/share/initramfs-tools/modules.d/test"
	echo MODULES=list >"$d/etc/initramfs-tools/conf.d/test"
	# shellcheck disable=SC2086
	now=$(root_packages "$d" $3) || return
	# shellcheck disable=SC2086
	root_apt "$d" install $now
	# shellcheck disable=SC2086
	later=$(root_packages "$d" $4) || return
	# shellcheck disable=SC2086
	[ -z "$later" ] || root_apt "$d" install --download-only $later
	root_umount "$d"
}

# root_build NAME SUITE PACKAGES LATER: sets ROOT_CLEAN.
root_build() {
	PKG_DEBS=$TG_CACHE/packages-debs-$2
	tg_locked "packages-$2" root_build_locked "$@"
}

root_build_locked() {
	local name=$1 suite=$2 key

	tg_apt_update "$suite"
	key=$(tg_key "$suite" "$3" "$4" "$(declare -f root_bootstrap root_image root_make root_packages root_sources)")
	ROOT_CLEAN=$TG_CACHE/packages-$name-$key
	[ ! -d "$ROOT_CLEAN" ] || return 0
	rm -rf "$ROOT_CLEAN.tmp"
	tg_step "packages-$name" "installing a clean Debian ($name; some minutes)" \
		root_make "$ROOT_CLEAN.tmp" "$suite" "$3" "$4"
	tg_publish "$ROOT_CLEAN.tmp" "$ROOT_CLEAN"
}

# overlay_mount LOWER DIR NAME AT: what changes lies in DIR/NAME.
overlay_mount() {
	mkdir -p "$2/$3" "$2/$3.work"
	mount -t overlay -o "lowerdir=$1,upperdir=$2/$3,workdir=$2/$3.work" none "$4"
}

# root_overlay CLEAN DIR: sets ROOT to a system that begins as CLEAN; what changes
# lies below DIR.
root_overlay() {
	local clean=$1 dir=$2

	rm -rf "$dir"
	ROOT=$dir/root
	mkdir -p "$ROOT"
	if ! overlay_mount "$clean" "$dir" upper "$ROOT" 2>/dev/null; then
		# In a container DIR may be on an overlay itself, which takes no other.
		mount -t tmpfs -o mode=755 none "$dir"
		mkdir "$ROOT"
		overlay_mount "$clean" "$dir" upper "$ROOT"
	fi
	root_mounts "$ROOT"
	# apt locks its downloads: two checkouts must not wait for each other.
	umount "$ROOT/var/cache/apt/archives"
	overlay_mount "$PKG_DEBS" "$dir" debs "$ROOT/var/cache/apt/archives"
}

root_overlay_end() {
	root_umount "$ROOT"
	umount -l "$ROOT"
	! mountpoint -q "${ROOT%/root}" || umount -l "${ROOT%/root}"
}
