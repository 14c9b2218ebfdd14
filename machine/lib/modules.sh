# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# timegraph.ko, and nouveau with the hook patch where that is asked for: built
# against the headers of the kernel they will be loaded into, in the development
# root of its suite.

# What the modules of a checkout need beside the kernel's own folder.
TG_MODULE_SOURCES=(Kbuild Makefile include drivers/gpu/timegraph patches/nouveau/include)

# A module of the selftests', which redirects what timegraph wants to.
TG_RIVAL=tools/testing/selftests/timegraph/rival
TG_MODULE_SOURCES+=("$TG_RIVAL")

# The build folder's own options apart, modules are made without debug data:
# it triples their build time, and nobody looks at it in the guest.
modules_make() {
	local dir=$1
	shift

	nice_devroot make -C "$TG_KDIR" M="$dir" -j "$TG_JOBS" \
		CONFIG_DEBUG_INFO= CONFIG_DEBUG_INFO_BTF= CONFIG_DEBUG_INFO_BTF_MODULES= \
		"$@" modules
}

# timegraph.ko has BTF, for policies that are BPF programs: of the files that ask for it. Here a
# warning is an error; for who builds it with another compiler it is not.
timegraph_make() {
	nice_devroot make -C "$TG_KDIR" M="$1" -j "$TG_JOBS" CONFIG_DEBUG_INFO= KCFLAGS=-Werror \
		modules
}

nice_devroot() {
	devroot_enter "$TG_DEVROOT" nice "$@"
}

nouveau_compile() {
	local series=$1 out=$2 work=$TG_WORK/$3/nouveau fresh=$TG_DEVROOT$TG_WORK/$3/nouveau.new ko

	rm -rf "$fresh"
	mkdir -p "$TG_DEVROOT$work"
	"$TG_TOP/patches/nouveau/prepare" "$TG_SOURCE" "$series" "$fresh"
	# By content, so that only what the patch changed is compiled again.
	rsync -rlc --delete --exclude='*.o' --exclude='*.o.d' --exclude='.*.cmd' --exclude='*.mod*' \
		--exclude='*.ko' --exclude='Module.symvers' --exclude='modules.order' \
		"$fresh/" "$TG_DEVROOT$work/"
	rm -rf "$fresh"
	modules_make "$work" CONFIG_DRM_NOUVEAU_TRACE=m
	mkdir -p "$out"
	for ko in nouveau nouveau_trace; do
		objcopy --strip-debug "$TG_DEVROOT$work/$ko.ko" "$out/$ko.ko"
	done
	cp "$TG_DEVROOT$work/Module.symvers" "$out/"
	cp -r "$TG_DEVROOT$work/include" "$out/"
}

# tg_nouveau_build SERIES VARIANT: sets TG_NOUVEAU to the folder of the patched
# module, in the cache: a second checkout with the same patch has it at once.
tg_nouveau_build() {
	local series=$1 variant=$2

	TG_NOUVEAU=$TG_CACHE/nouveau-$variant-$(tg_key "$TG_TOP/patches/nouveau" \
		"$TG_KVERSION" "$TG_KERNEL_KEY" "$(declare -f modules_make nouveau_compile)")
	[ ! -e "$TG_NOUVEAU/nouveau.ko" ] || return 0
	tg_source_build "$series"
	rm -rf "$TG_NOUVEAU.tmp"
	tg_step "nouveau-$variant" "building the patched nouveau for $TG_KREL" \
		nouveau_compile "$series" "$TG_NOUVEAU.tmp" "$variant"
	tg_publish "$TG_NOUVEAU.tmp" "$TG_NOUVEAU"
}

timegraph_compile() {
	local out=$1 work=$TG_WORK/$2/timegraph s dst
	local tree=$TG_DEVROOT$work

	mkdir -p "$tree" "$out"
	for s in "${TG_MODULE_SOURCES[@]}"; do
		[ -e "$TG_TOP/$s" ] || continue
		dst=$tree/$(dirname "$s")
		mkdir -p "$dst"
		rsync -rlc --delete --exclude='*.o' --exclude='.*.cmd' --exclude='*.mod*' \
			--exclude='*.ko' "$TG_TOP/$s" "$dst/"
	done
	timegraph_make "$work"
	find "$tree" -name timegraph.ko -exec objcopy --strip-debug {} "$out/timegraph.ko" \;
	[ -s "$out/timegraph.ko" ]
	modules_make "$work/$TG_RIVAL"
	objcopy --strip-debug "$tree/$TG_RIVAL/tg_rival.ko" "$out/tg_rival.ko"
}

# tg_modules_build SERIES DEBUG WHICH: sets TG_MODULES to the folder that has
# timegraph.ko, unless WHICH is "none", and, if WHICH is "patched", TG_NOUVEAU to the one of the patched
# nouveau.ko. Needs tg_kernel_build before it.
tg_modules_build() {
	tg_locked "modules-$1-$2-$TG_CHECKOUT" modules_build "$@"
}

modules_build() {
	local series=$1 variant=$1 which=$3 key s keys=()

	[ "$2" = 0 ] || variant=$1-debug
	TG_MODULES=$TG_BUILD/vm/modules-$variant
	[ "$which" != none ] || return 0
	[ "$TG_FROZEN" = 0 ] || [ "$which" = patched ] || [ ! -e "$TG_MODULES/timegraph.ko" ] ||
		return 0
	tg_devroot_build "$series"
	[ "$which" != patched ] || tg_locked "nouveau-$variant" tg_nouveau_build "$series" "$variant"
	mkdir -p "$TG_MODULES"
	for s in "${TG_MODULE_SOURCES[@]}"; do
		keys+=("$TG_TOP/$s")
	done
	key=$(tg_key "$TG_KERNEL_KEY" "${TG_DEVROOT##*/}" "${keys[@]}" "$(declare -f timegraph_make timegraph_compile)")
	[ "$(cat "$TG_MODULES/key" 2>/dev/null)" != "$key" ] || return 0
	rm -f "$TG_MODULES/key"
	tg_once "modules-$variant" "$key" "$TG_MODULES" \
		"timegraph-$variant" "building timegraph.ko for $TG_KREL" \
		timegraph_compile "$TG_MODULES" "$variant"
	echo "$key" >"$TG_MODULES/key"
}
