# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The guest's development root: compiler, headers and libraries of the suite
# that a guest's parts come from, unpacked into the cache and entered with
# chroot. Modules get the compiler their kernel was built with, programs the C
# library they will run on, and both come out the same on a Debian 12 and on a
# Debian 13 host. No mount is needed, so it works in plain containers too.

devroot_packages() {
	local suite=$1 krel=$2 gcc
	local pkgs=(bash coreutils findutils sed grep gawk diffutils tar gzip xz-utils zstd
		    make binutils bc flex bison perl-base kmod cpio rsync patch dwarves
		    pkg-config libc6-dev libelf-dev libssl-dev zlib1g-dev)

	tg_apt_update "$suite"
	case $suite in
	bookworm)
		gcc=gcc-12
		pkgs+=(libdrm-dev libegl-dev libgles-dev libgbm-dev libgl-dev libncurses-dev
		       libxcb1-dev libxcb-res0-dev libwayland-dev libsystemd-dev)
		;;
	*)
		# The newest compiler that the suite's own kernel headers ask for.
		gcc=$(tg_apt_cache "$suite" depends "linux-headers-$krel" |
			sed -n 's/.*Depends: \(gcc-[0-9]*\).*/\1/p' | head -n 1)
		;;
	esac
	tg_debs_closure "$suite" "${pkgs[@]}" "${gcc:-gcc}" | sed 's,.*/,,'
}

# The three packages that make a build folder for modules. Not by closure: the
# headers package also asks for the kernel image and an initramfs generator.
devroot_headers() {
	local suite=$1 krel=$2 deps

	deps=$(tg_apt_cache "$suite" depends "linux-headers-$krel" |
		sed -n 's/.*Depends: \(linux-\(headers\|kbuild\)-[^ ]*\)$/\1/p')
	# shellcheck disable=SC2086
	tg_debs "$suite" "linux-headers-$krel" $deps | sed 's,.*/,,'
}

devroot_make() {
	local d=$1 list=$2

	mapfile -t debs < <(sed "s,^,$TG_DEBS/," <<<"$list")
	tg_tree "$d" "${debs[@]}"
	mkdir -p "$d"/{dev,proc,tmp,work,etc}
	echo 'root:x:0:0:root:/root:/bin/sh' >"$d/etc/passwd"
	# The links that maintainer scripts would have made.
	[ -e "$d/bin/sh" ] || ln -s bash "$d/bin/sh"
	[ -e "$d/usr/bin/awk" ] || ln -s gawk "$d/usr/bin/awk"
	local gcc
	gcc=$(cd "$d/usr/bin" && ls -d gcc-[0-9]* | sort -V | tail -n 1)
	[ -e "$d/usr/bin/gcc" ] || ln -s "$gcc" "$d/usr/bin/gcc"
	[ -e "$d/usr/bin/cc" ] || ln -s gcc "$d/usr/bin/cc"
	rm -rf "$d"/usr/share/{doc,man,locale,info}
	if [ "$(id -u)" = 0 ]; then
		mknod -m 666 "$d/dev/null" c 1 3
		mknod -m 666 "$d/dev/zero" c 1 5
		mknod -m 666 "$d/dev/urandom" c 1 9
	fi
	# Read by newer objtools, which look for the line of their stack.
	mkdir -p "$d/proc/self"
	cp /proc/self/maps "$d/proc/self/"
	devroot_enter "$d" gcc --version
}

# devroot_enter ROOT COMMAND...: chroot, with the host's /proc and /dev lent in a
# mount namespace; anybody but root needs a user namespace for it. Where neither
# is allowed (root in a plain container) devroot_make's few files have to do.
devroot_enter() {
	local d=$1 vars own=()
	shift

	vars=(PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LC_ALL=C TZ=UTC
	      SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" KBUILD_BUILD_TIMESTAMP=@"$SOURCE_DATE_EPOCH"
	      KBUILD_BUILD_USER=timegraph KBUILD_BUILD_HOST=timegraph)
	[ "$(id -u)" = 0 ] || own=(-r)
	# shellcheck disable=SC2016
	if unshare -m "${own[@]}" true 2>/dev/null; then
		env -i "${vars[@]}" unshare -m "${own[@]}" sh -c \
			'mount --rbind /proc "$0/proc" && mount --rbind /dev "$0/dev" &&
			 exec chroot "$0" "$@"' "$d" "$@"
	elif [ "$(id -u)" = 0 ]; then
		env -i "${vars[@]}" chroot "$d" "$@"
	else
		tg_die "building needs user namespaces (unshare -r), or root"
	fi
}

# tg_devroot_build SERIES: sets TG_DEVROOT; the kernel's build folder is at
# /lib/modules/$TG_PACKAGE_KREL/build in there (and TG_WORK, this checkout's folder).
# Wants TG_PACKAGE_KREL.
tg_devroot_build() {
	tg_series "$1"
	tg_locked "devroot-$TG_SUITE" devroot_build
}

devroot_build() {
	local list headers

	list=$(tg_pin "devroot-$TG_SUITE-$(tg_key "$(declare -f devroot_packages)")" \
		devroot_packages "$TG_SUITE" "$TG_PACKAGE_KREL")
	headers=$(tg_pin "headers-$TG_PACKAGE_KREL" devroot_headers "$TG_SUITE" "$TG_PACKAGE_KREL")
	TG_DEVROOT=$TG_CACHE/devroot-$TG_SUITE-$(tg_key "$list" "$headers" "$(declare -f devroot_make)")
	# Checkouts share the cache: each has a folder of its own.
	TG_WORK=/work-$(tg_key "checkout:$TG_TOP")
	if [ ! -e "$TG_DEVROOT/usr" ]; then
		# The pins may be older than the downloads: fetch what is missing.
		# shellcheck disable=SC2086
		if ! (cd "$TG_DEBS" && ls $list $headers >/dev/null 2>&1); then
			devroot_packages "$TG_SUITE" "$TG_PACKAGE_KREL" >/dev/null
			devroot_headers "$TG_SUITE" "$TG_PACKAGE_KREL" >/dev/null
		fi
		rm -rf "$TG_DEVROOT.tmp"
		mkdir -p "$TG_DEVROOT.tmp"
		tg_step "devroot-$TG_SUITE" "unpacking compiler and headers of $TG_SUITE for $TG_PACKAGE_KREL" \
			devroot_make "$TG_DEVROOT.tmp" "$list"$'\n'"$headers"
		tg_publish "$TG_DEVROOT.tmp" "$TG_DEVROOT"
	fi
	mkdir -p "$TG_DEVROOT$TG_WORK"
}

tg_devroot() {
	devroot_enter "$TG_DEVROOT" "$@"
}
