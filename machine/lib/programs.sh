# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The programs of this checkout, for the guest: workloads, selftests and tools,
# compiled in the development root of the guest's suite (so against the guest's
# C library and Mesa, whatever the host has), installed into one tree that lies
# over the guest's root.
#
# A folder takes part by having a Makefile that knows O (where to build), DESTDIR
# and PREFIX, and an "install" target.

TG_PROGRAM_DIRS=(workloads tools/testing/selftests/timegraph tools/lib
		 tools/tgctl tools/tgspec tools/tgsim tools/tgtop tools/tgfocus tools/tgrun
		 tools/tgpolicy
		 tests/machine/focus tests/machine/tools tests/machine/pixels)
# What these may include or compile from elsewhere in the tree.
TG_PROGRAM_SOURCES=(Makefile include drivers/gpu/timegraph tools workloads machine/guest machine/lib/klog.sh
		    packaging/polkit tests/lib tests/machine/focus tests/machine/tools tests/machine/pixels
		    Documentation/man)

programs_sync() {
	local s dst

	for s in "${TG_PROGRAM_SOURCES[@]}"; do
		[ -e "$TG_TOP/$s" ] || continue
		dst=$TG_DEVROOT$TG_WORK/tree/$(dirname "$s")
		mkdir -p "$dst"
		rsync -rlpc --delete --exclude='*.o' "$TG_TOP/$s" "$dst/"
	done
}

# Objects of the last time are good, but not their dependencies if a source file
# came, went or moved: then all is compiled anew.
programs_forget() {
	local out=$TG_DEVROOT$1 names

	names=$(cd "$TG_DEVROOT$TG_WORK/tree" && find . -name '*.[ch]' | sort)
	[ "$names" = "$(cat "$out/.names" 2>/dev/null)" ] || rm -rf "$out"
	mkdir -p "$out"
	echo "$names" >"$out/.names"
}

programs_compile() {
	local out=$TG_WORK/programs d

	programs_sync
	programs_forget "$out"
	rm -rf "$TG_DEVROOT$out/install"
	mkdir -p "$TG_DEVROOT$out/install/usr/bin"
	nice_devroot gcc -O2 -Wall -Wextra -Werror -s -o "$out/install/usr/bin/tg-port" \
		"$TG_WORK/tree/machine/guest/tg-port.c"
	tg_libbpf_build
	for d in "${TG_PROGRAM_DIRS[@]}"; do
		[ -e "$TG_TOP/$d/Makefile" ] || continue
		# The guest has no systemd for tgrun to ask, nor its library.
		nice_devroot make -C "$TG_WORK/tree/$d" -j "$TG_JOBS" O="$out/$d" \
			RUN_SYSTEMD=n LIBBPF="$TG_LIBBPF" DESTDIR="$out/install" PREFIX=/usr/local install
	done
	# Policies are the same for every user space; the compiler is the host's.
	nice make -C "$TG_TOP/tools/tgpolicy/policies" O="$TG_DEVROOT$out/policies" \
		DESTDIR="$TG_DEVROOT$out/install" PREFIX=/usr/local install
	nice make -C "$TG_TOP/tools/testing/selftests/timegraph/policies" \
		O="$TG_DEVROOT$out/hostile" DESTDIR="$TG_DEVROOT$out/install" PREFIX=/usr/local install
	mkdir -p "$1"
	rsync -rlpc --delete "$TG_DEVROOT$out/install/" "$1/"
}

# tg_programs_build: adds the tree to TG_PROGRAMS.
tg_programs_build() {
	tg_locked "programs-$TG_CHECKOUT" programs_build
}

programs_build() {
	local out=$TG_BUILD/vm/programs key s keys=() krel=$TG_KREL

	TG_PROGRAMS+=("$out")
	[ "$TG_FROZEN" = 0 ] || [ ! -d "$out" ] || return 0
	for s in "${TG_PROGRAM_SOURCES[@]}"; do
		[ ! -e "$TG_TOP/$s" ] || keys+=("$TG_TOP/$s")
	done
	key=$(tg_key "${keys[@]}" "$(declare -f programs_compile libbpf_compile)")
	[ "$(cat "$out.key" 2>/dev/null)" != "$key" ] || return 0
	rm -f "$out.key"
	# Programs are the same for every kernel: always from the guest's own suite.
	tg_kernel_release 6.12
	tg_devroot_build 6.12
	tg_once programs "$(tg_key "$key" "${TG_DEVROOT##*/}")" "$out" \
		programs "building workloads, selftests and tools for the guest" \
		programs_compile "$out"
	echo "$key" >"$out.key"
	TG_KREL=$krel
}
