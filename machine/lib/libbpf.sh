# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# libbpf, which loads policies: that of the guest's suite is too old to load programs for a
# module. So it is compiled from the source package of Debian 13, in the development root,
# against the guest's C library, as an archive.

libbpf_newest() {
	tg_apt_update trixie
	tg_apt_cache trixie showsrc --only-source libbpf |
		awk '/^Version:/ { v = $2 } END { print v }'
}

libbpf_compile() {
	local version=$1 out=$2 work=$TG_WORK/libbpf
	local tree=$TG_DEVROOT$work

	rm -rf "$tree" "$out"
	mkdir -p "$tree"
	(cd "$tree" && tg_apt trixie source --download-only "libbpf=$version" &&
		dpkg-source --no-check --skip-patches -x libbpf_*.dsc src)
	nice_devroot make -C "$work/src/src" -j "$TG_JOBS" BUILD_STATIC_ONLY=1 \
		DESTDIR="$work/install" PREFIX=/usr LIBDIR=/usr/lib install
	mkdir -p "$out"
	cp -r "$tree/install/usr/include" "$tree/install/usr/lib" "$out/"
	rm -rf "$tree"
}

# tg_libbpf_build: sets TG_LIBBPF, the folder within the development root. Wants TG_DEVROOT.
tg_libbpf_build() {
	tg_locked libbpf libbpf_build
}

libbpf_build() {
	local version

	version=$(tg_pin libbpf libbpf_newest)
	TG_LIBBPF=/opt/libbpf-$(tg_key "$version" "$(declare -f libbpf_compile)")
	[ ! -e "$TG_DEVROOT$TG_LIBBPF/lib/libbpf.a" ] || return 0
	tg_step libbpf "building libbpf $version for the guest" \
		libbpf_compile "$version" "$TG_DEVROOT$TG_LIBBPF.tmp"
	mkdir -p "$TG_DEVROOT/opt"
	tg_publish "$TG_DEVROOT$TG_LIBBPF.tmp" "$TG_DEVROOT$TG_LIBBPF"
}
