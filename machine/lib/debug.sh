# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The debug kernel: Debian's source of the same version, with the checkers of
# debug.config. Built once, in the development root.

TG_DEBUG_CONFIG=$TG_VM_DIR/debug.config

# Every line of debug.config must have survived Kconfig: a checker that silently
# fell off would make every later "clean log" worthless.
debug_config_check() {
	local want bad=0

	while read -r want; do
		case $want in
		''|\#*) continue;;
		*=n) ! grep -q "^${want%=n}=" "$1" || { echo "not off: $want"; bad=1; };;
		*) grep -qxF "$want" "$1" || { echo "not in force: $want"; bad=1; };;
		esac
	done <"$TG_DEBUG_CONFIG"
	return $bad
}

debug_configure() {
	cp "$TG_DEBUG_CONFIG" "$TG_DEVROOT$1/timegraph.config"
	nice_devroot make -C "$1" KCONFIG_ALLCONFIG=timegraph.config allnoconfig
	debug_config_check "$TG_DEVROOT$1/.config"
}

debug_compile() {
	nice_devroot make -C "$1" -j "$TG_JOBS" bzImage modules
	rm -rf "$TG_DEVROOT$1/install"
	nice_devroot make -C "$1" INSTALL_MOD_PATH="$1/install" modules_install
}

# What a module build needs afterwards stays, the types of vmlinux for the module's own among
# it; the objects of a whole kernel go.
debug_shrink() {
	(cd "$TG_DEVROOT$1" && objcopy -j .BTF vmlinux vmlinux.types && mv vmlinux.types vmlinux &&
		find . -name '*.[oa]' -not -path './scripts/*' -not -path './tools/*' \
		-delete && rm -rf vmlinux.unstripped Documentation sound install)
}

# tg_debug_kernel_build SERIES: like tg_kernel_build, for the debug kernel.
tg_debug_kernel_build() {
	tg_locked "debug-$1" debug_build "$1"
}

debug_build() {
	local series=$1 tree d root

	tg_kernel_release "$series"
	tg_devroot_build "$series"
	TG_KERNEL_KEY=$(tg_key "$TG_KVERSION" "$TG_DEBUG_CONFIG" "$(declare -f kernel_modules)")
	TG_KDIR=/debug-$series-$TG_KERNEL_KEY
	TG_KERNEL=$TG_CACHE/kernel-$series-debug-$TG_KERNEL_KEY
	tree=$TG_DEVROOT$TG_KDIR
	if [ ! -e "$TG_KERNEL/done" ] || [ ! -e "$tree/Module.symvers" ]; then
		tg_source_build "$series" all
		rm -rf "$TG_DEVROOT/debug-$series-"*
		mv "$TG_SOURCE" "$tree"
		tg_step "debug-config" "configuring the debug kernel" debug_configure "$TG_KDIR"
		tg_step "debug-build" "building the debug kernel $TG_KVERSION (10 to 20 minutes)" \
			debug_compile "$TG_KDIR"
		d=$TG_KERNEL.tmp root=$tree/install
		rm -rf "$d"
		mkdir -p "$d"
		cp "$tree/include/config/kernel.release" "$d/release"
		kernel_modules "$root" "$(cat "$d/release")" "$d/modules"
		cp "$tree/arch/x86/boot/bzImage" "$d/vmlinuz"
		cp "$tree/.config" "$d/config"
		cp "$root"/lib/modules/*/modules.builtin{,.modinfo} "$d/modules/"
		debug_shrink "$TG_KDIR"
		touch "$d/done"
		tg_publish "$d" "$TG_KERNEL"
	fi
	TG_KREL=$(cat "$TG_KERNEL/release")
}
