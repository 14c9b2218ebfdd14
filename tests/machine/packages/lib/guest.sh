# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The installed system in the test machine. Its files lie over the machine's user
# space: programs, libraries, settings, and the kernel's modules with their indices as
# depmod left them, so that modprobe in there finds what it would find on the system.
# Left out is what no boot needs and no initramfs can hold: sources, headers,
# compilers, documentation, and modules that nouveau does not need. Process 1 is the
# machine's own.

GUEST_OUT=(/usr/src /usr/share/doc /usr/share/man /usr/share/locale /usr/share/i18n
	   /usr/share/perl '/usr/share/perl5' /usr/share/zoneinfo /usr/share/info
	   /usr/include /usr/lib/gcc /usr/libexec/gcc /usr/lib/linux-kbuild-\* /usr/lib/firmware
	   '/usr/lib/x86_64-linux-gnu/perl*' '/usr/lib/x86_64-linux-gnu/*.a'
	   /usr/lib/python3\* '/usr/lib/modules/*/kernel' '/usr/lib/modules/*/build'
	   '/usr/bin/*gcc*' '/usr/bin/*g++*' '/usr/bin/*cpp*' '/usr/bin/*lto-dump*' /usr/bin/ccache
	   '/usr/bin/x86_64-linux-gnu-*')

# guest_tree KERNEL DIR: the overlay.
guest_tree() {
	local k=$1 dir=$2 out=() p f

	rm -rf "$dir"
	mkdir -p "$dir/usr/local/bin"
	for p in "${GUEST_OUT[@]}"; do
		out+=(--exclude="$p")
	done
	rsync -a "${out[@]}" "$ROOT/usr" "$ROOT/etc" "$dir/"
	for p in $STOCK drivers; do
		for f in "$ROOT/lib/modules/$k/$p"*; do
			[ ! -f "$f" ] || install -D -m 644 "$f" "$dir/usr/lib/modules/$k/${f#"$ROOT/lib/modules/$k/"}"
		done
	done
	inside modprobe -S "$k" --show-depends nouveau | awk '$1 == "insmod" { print $2 }' |
		while read -r f; do
			install -D -m 644 "$ROOT$f" "$dir/usr${f#/usr}"
		done
	cp "$here/guest/"* "$dir/usr/local/bin/"
}

# guest_cache KERNEL: a view of the cache in which the machine's kernel is the one of
# the installed system, from its /boot.
guest_cache() {
	local k=$1 d=$build/cache f root kernel

	rm -rf "$d"
	mkdir -p "$d/pins"
	for f in "$TG_CACHE"/*; do
		case ${f##*/} in
		pins|kernel-6.12*|packages-*) ;;
		*) ln -s "$f" "$d/";;
		esac
	done
	cp "$TG_CACHE"/pins/* "$d/pins/"
	echo "linux-image-$k installed" >"$d/pins/kernel-6.12"
	kernel=$d/kernel-$k-$(tg_key installed "$(declare -f kernel_modules)")
	mkdir -p "$kernel"
	root=$(realpath "$ROOT")
	kernel_modules "$root" "$k" "$kernel/modules"
	cp "$ROOT/boot/vmlinuz-$k" "$kernel/vmlinuz"
	cp "$ROOT/lib/modules/$k"/modules.builtin{,.modinfo} "$kernel/modules/"
	touch "$kernel/done"
}

guest_boot() {
	local mode=$1 kernel=$2

	"$vm/build" qemu rootfs programs
	guest_cache "$kernel"
	guest_tree "$kernel" "$build/guest"
	du -sh "$build/guest"
	TIMEGRAPH_CACHE=$build/cache "$vm/run" --series 6.12 --cold --nouveau none --mem 4G \
		--overlay "$build/guest" --kernel-log "$RUN_LOG.kernel" \
		-- "tg-packages $mode"
}

# guest_run NAME MODE KERNEL
guest_run() {
	[ "$boot" = 1 ] || return 0
	run "$1" guest_boot "$2" "$3"
}
