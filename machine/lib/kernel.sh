# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The guest's kernels: Debian's binary packages, unpacked into the cache, with
# the modules the machine needs made ready for a fast insmod.

# tg_series SERIES: where a series comes from, e.g. 6.12, or 6.12-rt for another
# flavour. Debian 12's kernel and user space are used whatever the host is, so that
# guests are the same on every host; of the series that are not tested every time,
# Debian 13's backports have most.
tg_series() {
	case ${1%%-*} in
	6.1|6.12) TG_SUITE=bookworm;;
	7.2) TG_SUITE=sid;;
	[67].[0-9]|[67].[0-9][0-9]) TG_SUITE=trixie-backports;;
	*) tg_die "'$1' is no kernel series such as 6.12 or 6.12-rt";;
	esac
}

kernel_fetch() {
	local d=$1 suite=$2 rel=$3 image=$4 parts gone debs

	# An archive drops packages of old versions one by one.
	gone=$(tg_apt_cache "$suite" depends "$image" |
		sed -n 's/.*Depends: <\(linux-modules-.*\)>/\1/p')
	[ -z "$gone" ] || tg_die "$suite has $image, but no more $gone"
	# Newer suites split the image: the package of that name then only depends
	# on those with the kernel and the modules.
	parts=$(tg_apt_cache "$suite" depends "$image" |
		sed -n 's/.*Depends: \(linux-\(binary\|modules\|base\)-.*\)/\1/p' |
		grep -F -- "$rel" || :)
	# shellcheck disable=SC2086
	mapfile -t debs < <(tg_debs "$suite" "$image" $parts)
	tg_tree "$d/root" "${debs[@]}"
	depmod -b "$d/root" "$rel"
}

# kernel_modules ROOT RELEASE OUT: nouveau and what it needs, in loading order, and the
# overlay file system, where there is one, for a test.
# Uncompressed and without debug data, and with it the signature: under emulation,
# unpacking, checking and parsing modules is most of the time that loading them
# takes. nouveau.ko as it was signed lies beside them, in signed/.
kernel_modules() {
	local root=$1 rel=$2 out=$3 m f

	mkdir -p "$out" "${out%/*}/signed"
	modprobe -d "$root" -S "$rel" --show-depends nouveau |
		awk '$1 == "insmod" { print $2 }' >"$out/paths"
	[ -s "$out/paths" ]
	modprobe -q -d "$root" -S "$rel" --show-depends overlay 2>/dev/null |
		awk '$1 == "insmod" { print $2 }' >>"$out/paths" || :
	: >"$out/order"
	while read -r f; do
		m=$(basename "$f")
		case $m in
		*.xz) m=${m%.xz}; xz -dc "$f" >"$out/$m";;
		*.zst) m=${m%.zst}; zstd -qdc "$f" >"$out/$m";;
		*.gz) m=${m%.gz}; gzip -dc "$f" >"$out/$m";;
		*) cp "$f" "$out/$m";;
		esac
		[ "$m" != nouveau.ko ] || cp "$out/$m" "${out%/*}/signed/"
		objcopy --strip-debug "$out/$m"
		echo "$m" >>"$out/order"
	done <"$out/paths"
	rm "$out/paths"
}

kernel_newest() {
	local version=${1%%-*} flavour=''

	[ "$1" = "$version" ] || flavour=${1#*-}-
	tg_apt_update "$TG_SUITE"
	# The signed image and the unsigned one hold the same files; either does.
	tg_apt_newest "$TG_SUITE" "linux-image-${version//./\\.}\.(0-[0-9]+|[0-9]+\+deb[0-9]+)-${flavour}amd64(-unsigned)?"
}

# tg_kernel_release SERIES: sets TG_SUITE, TG_KREL (the release), TG_PACKAGE_KREL
# (the same; the debug kernel changes only the first) and TG_KVERSION (the
# package's version).
tg_kernel_release() {
	tg_series "$1"
	read -r TG_IMAGE TG_KVERSION < <(tg_pin "kernel-$1" kernel_newest "$1") ||
		tg_die "$TG_SUITE has no kernel package of series $1"
	TG_KREL=${TG_IMAGE#linux-image-}
	TG_KREL=${TG_KREL%-unsigned}
	TG_PACKAGE_KREL=$TG_KREL
}

# tg_kernel_build SERIES: sets TG_KERNEL (the folder: vmlinuz, modules/ with
# "order") and what tg_kernel_release sets. TG_KERNEL_KEY names the kernel's
# build, TG_KDIR its build folder in the development root.
tg_kernel_build() {
	tg_locked "kernel-$1" kernel_build "$1"
}

kernel_build() {
	local series=$1 d f

	tg_kernel_release "$series"
	TG_KERNEL_KEY=$(tg_key "$TG_KVERSION" "$(declare -f kernel_modules)")
	TG_KERNEL=$TG_CACHE/kernel-$TG_KREL-$TG_KERNEL_KEY
	TG_KDIR=/lib/modules/$TG_KREL/build
	[ ! -e "$TG_KERNEL/done" ] || return 0
	tg_apt_update "$TG_SUITE"
	d=$TG_KERNEL.tmp
	rm -rf "$d"
	mkdir -p "$d"
	tg_step "kernel-$series" "fetching Debian's kernel $TG_KREL ($TG_KVERSION)" \
		kernel_fetch "$d" "$TG_SUITE" "$TG_KREL" "$TG_IMAGE"
	find "$d/root/lib/modules/$TG_KREL" -name 'nouveau.ko*' | grep -q . ||
		tg_die "Debian's kernel $TG_KREL comes without nouveau: nothing to attach to"
	kernel_modules "$d/root" "$TG_KREL" "$d/modules"
	for f in vmlinuz config; do
		# In /boot, or beside the modules in newer suites.
		mv "$d/root/boot/$f-$TG_KREL" "$d/$f" 2>/dev/null ||
			mv "$d/root/lib/modules/$TG_KREL/$f" "$d/$f"
	done
	mv "$d/root/lib/modules/$TG_KREL"/modules.builtin{,.modinfo} "$d/modules/"
	rm -rf "$d/root"
	touch "$d/done"
	tg_publish "$d" "$TG_KERNEL"
}
