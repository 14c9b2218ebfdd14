# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A small QEMU with the GPU model in it, from Debian's source package. Built in
# two layers: the tree and its objects are kept (keyed by QEMU's version and the
# configuration), so that a change of the device costs seconds.

TG_NVSIM=$TG_TOP/model/nvsim
# The machine's own device, and functions that it needs of QEMU.
TG_DOCK=$TG_VM_DIR/qemu
# All that the machine of lib/boot.sh uses. No disk and no virtio: their
# completions arrive in the host's time, which virtual time must not see.
TG_QEMU_DEVICES="CONFIG_I440FX=y
CONFIG_ISA_DEBUG=y
CONFIG_NVSIM=y"
TG_QEMU_CONFIGURE="--target-list=x86_64-softmmu --without-default-features
--without-default-devices --with-devices-x86_64=timegraph --enable-tcg --enable-kvm
--enable-system --disable-user --disable-linux-user --disable-bsd-user --disable-docs
--disable-tools --disable-guest-agent --disable-install-blobs --disable-werror
--disable-debug-info --audio-drv-list="

qemu_newest() {
	tg_apt_update bookworm
	tg_apt_cache bookworm showsrc --only-source qemu |
		awk '/^Version:/ { print $2 }' |
		while read -r v; do
			if [ -z "${best:-}" ] || dpkg --compare-versions "$v" gt "$best"; then
				best=$v
			fi
			echo "$best"
		done | tail -n 1
}

qemu_fetch() {
	cd "$1"
	tg_apt bookworm source --download-only "qemu=$2"
	dpkg-source --no-check --skip-debianization -x qemu_*.dsc src ||
		dpkg-source --no-check -x qemu_*.dsc src
}

# The source package has its binary blobs removed; the build must not ask for
# the one it would unpack.
qemu_patch() {
	cd "$1"
	sed -i 's/^if unpack_edk2_blobs$/if false/' pc-bios/meson.build
	printf '%s\n' "$TG_QEMU_DEVICES" >configs/devices/x86_64-softmmu/timegraph.mak
}

qemu_configure() {
	mkdir -p "$1/build"
	cd "$1/build"
	# shellcheck disable=SC2086
	../configure $TG_QEMU_CONFIGURE
}

# What QEMU gets of the model's core, as paths in model/nvsim.
qemu_core_files() {
	(cd "$TG_NVSIM" && find . \( -path ./qemu -o -path ./tests \) -prune -o \
		-name '*.[ch]' -printf '%P\n' | sort)
}

# qemu_device TREE: put the model into the tree, as upstream would have it:
# a folder under hw/display with its own meson.build and Kconfig, and the core's
# folders in it. Files are replaced only when they differ, so ninja rebuilds
# only what changed.
qemu_device() {
	local dst=$1/hw/display/nvsim f

	mkdir -p "$dst"
	find "$dst" -type f -printf '%P\n' | while read -r f; do
		[ -e "$TG_NVSIM/$f" ] || [ -e "$TG_NVSIM/qemu/$f" ] || rm -f "$dst/$f"
	done
	find "$dst" -mindepth 1 -type d -empty -delete
	qemu_core_files | while read -r f; do
		cmp -s "$TG_NVSIM/$f" "$dst/$f" || install -m 644 -D "$TG_NVSIM/$f" "$dst/$f"
	done
	for f in "$TG_NVSIM"/qemu/*; do
		cmp -s "$f" "$dst/${f##*/}" || cp "$f" "$dst/"
	done
	grep -q nvsim "$1/hw/display/meson.build" ||
		echo "subdir('nvsim')" >>"$1/hw/display/meson.build"
	grep -q nvsim "$1/hw/display/Kconfig" ||
		echo "source nvsim/Kconfig" >>"$1/hw/display/Kconfig"
}

# qemu_replace FILE SCRIPT…: with what awk and the scripts of qemu/, one after the other,
# make of the original
qemu_replace() {
	local f=$1 script
	shift

	[ -e "$f.orig" ] || { cp "$f" "$f.orig.new" && mv "$f.orig.new" "$f.orig"; }
	cp "$f.orig" "$f.new"
	for script; do
		awk -f "$TG_DOCK/$script" code="$TG_DOCK/${script%.awk}.c" "$f.new" >"$f.next" ||
			tg_die "$f: not the file that $script was written for"
		mv "$f.next" "$f.new"
	done
	if cmp -s "$f.new" "$f"; then rm "$f.new"; else mv "$f.new" "$f"; fi
}

# qemu_dock TREE: the machine's own device, and what it needs of QEMU's files. These
# begin from the original each time: the tree is older than what is added here.
qemu_dock() {
	local f

	mkdir -p "$1/hw/misc/timegraph"
	for f in tg-dock.c meson.build; do
		cmp -s "$TG_DOCK/$f" "$1/hw/misc/timegraph/$f" ||
			cp "$TG_DOCK/$f" "$1/hw/misc/timegraph/"
	done
	grep -q timegraph "$1/hw/misc/meson.build" ||
		echo "subdir('timegraph')" >>"$1/hw/misc/meson.build"
	qemu_replace "$1/util/guest-random.c" guest-random.awk
	qemu_replace "$1/accel/tcg/tcg-accel-ops-rr.c" pass-idle.awk
	qemu_replace "$1/accel/tcg/tcg-accel-ops-icount.c" tell-nobody.awk fair-turns.awk
	qemu_replace "$1/accel/tcg/translate-all.c" stale-code.awk
	qemu_replace "$1/accel/tcg/cputlb.c" drop-again.awk
	qemu_replace "$1/softmmu/icount.c" tell-nobody.awk warp-waiting.awk
}

qemu_compile() {
	# What is built here must be what the key says: nothing from the caller.
	unset CFLAGS LDFLAGS CPPFLAGS
	nice ninja -C "$1/build" -j "$TG_JOBS" qemu-system-x86_64
}

# tg_qemu_build: sets TG_QEMU to the program, TG_FIRMWARE to its BIOS folder.
tg_qemu_build() {
	tg_locked qemu qemu_build
	tg_locked firmware firmware_build
}

qemu_build() {
	local version tree key

	version=$(tg_pin qemu qemu_newest)
	[ -n "$version" ] || tg_die "bookworm has no source package qemu"
	tree=$TG_CACHE/qemu-$(tg_key "$version" "$TG_QEMU_CONFIGURE" "$TG_QEMU_DEVICES")
	if [ ! -e "$tree/configured" ]; then
		rm -rf "$tree"
		mkdir -p "$tree"
		tg_apt_update bookworm
		tg_step qemu-fetch "fetching the source of QEMU $version" qemu_fetch "$tree" "$version"
		qemu_patch "$tree/src"
		qemu_device "$tree/src"
		qemu_dock "$tree/src"
		tg_step qemu-configure "configuring QEMU" qemu_configure "$tree/src"
		echo "$version" >"$tree/configured"
	fi
	if [ "$TG_FROZEN" = 1 ]; then
		# shellcheck disable=SC2012
		TG_QEMU=$(ls -t "$tree"/bin/qemu-* 2>/dev/null | head -n 1)
		[ -z "$TG_QEMU" ] || return 0
	fi
	key=$(tg_key "$(cd "$TG_NVSIM" && qemu_core_files | xargs sha256sum)" "$TG_NVSIM/qemu" \
		"$TG_DOCK")
	# One program a version of the model: checkouts share the tree, and a build
	# never takes the program away under a machine that runs.
	TG_QEMU=$tree/bin/qemu-$key
	if [ ! -e "$TG_QEMU" ]; then
		qemu_device "$tree/src"
		qemu_dock "$tree/src"
		tg_step qemu-build "building QEMU with the GPU model" qemu_compile "$tree/src"
		mkdir -p "$tree/bin"
		cp "$tree/src/build/qemu-system-x86_64" "$TG_QEMU.new"
		mv "$TG_QEMU.new" "$TG_QEMU"
		# The oldest go; what still runs keeps its file.
		# shellcheck disable=SC2012
		ls -t "$tree"/bin/qemu-* | tail -n +9 | xargs -r rm -f
	fi
}

# The BIOS and the boot ROM are the guest's as well: from its suite, not from
# the host. firmware_build sets TG_FIRMWARE to their folder.
TG_FIRMWARE_PACKAGES="seabios qemu-system-data"

firmware_packages() {
	tg_apt_update bookworm
	# shellcheck disable=SC2086
	tg_debs bookworm $TG_FIRMWARE_PACKAGES | sed 's,.*/,,'
}

firmware_make() {
	local d=$1 debs

	mapfile -t debs < <(sed "s,^,$TG_DEBS/," <<<"$2")
	tg_unpack "$d/root" "${debs[@]}"
	cp "$d"/root/usr/share/seabios/bios-256k.bin "$d"/root/usr/share/seabios/vgabios-stdvga.bin \
		"$d"/root/usr/share/qemu/{kvmvapic,linuxboot,linuxboot_dma,multiboot_dma,pvh}.bin "$d/"
	rm -rf "$d/root"
}

firmware_build() {
	local list

	list=$(tg_pin firmware firmware_packages)
	TG_FIRMWARE=$TG_CACHE/firmware-$(tg_key "$list")
	[ ! -e "$TG_FIRMWARE" ] || return 0
	# shellcheck disable=SC2086
	(cd "$TG_DEBS" && ls $list >/dev/null 2>&1) || firmware_packages >/dev/null
	rm -rf "$TG_FIRMWARE.tmp"
	mkdir -p "$TG_FIRMWARE.tmp"
	firmware_make "$TG_FIRMWARE.tmp" "$list"
	tg_publish "$TG_FIRMWARE.tmp" "$TG_FIRMWARE"
}
