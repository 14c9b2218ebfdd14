# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The kernel's sources, from the suite's linux-source package: all of them for
# the debug kernel, nouveau and the headers for the modules.

source_fetch() {
	local d=$1 deb tar
	shift

	mapfile -t deb < <(tg_debs "$TG_SUITE" "linux-source-$TG_SOURCE_SERIES")
	[ ${#deb[@]} -eq 1 ]
	tg_unpack "$d/deb" "${deb[@]}"
	tar=$(ls "$d"/deb/usr/src/linux-source-*.tar.*)
	tar -x -C "$d" --strip-components=1 --no-same-owner -f "$tar" "$@"
	rm -rf "$d/deb"
}

# tg_source_build SERIES [all]: sets TG_SOURCE to the sources, of the kernel's
# own version (wants TG_KVERSION); without "all" they hold nouveau, the headers
# and what a module build reads of the rest of drm.
tg_source_build() {
	tg_locked "source-$1" source_build "$@"
}

source_build() {
	local series=$1 part=${2:-part} what=() top=linux-source-$1

	tg_series "$series"
	TG_SOURCE_SERIES=$series
	TG_SOURCE=$TG_CACHE/source-$TG_KVERSION-$part
	[ ! -e "$TG_SOURCE" ] || return 0
	[ "$part" = all ] || what=("$top/drivers/gpu/drm/nouveau" "$top/include/drm"
				   "$top/include/uapi/drm" "$top/include/trace"
				   "$top/drivers/gpu/drm/Kconfig" "$top/drivers/gpu/drm/Makefile")
	rm -rf "$TG_SOURCE.tmp"
	mkdir -p "$TG_SOURCE.tmp"
	tg_apt_update "$TG_SUITE"
	tg_step "source-$series" "fetching the sources of kernel $TG_KVERSION" \
		source_fetch "$TG_SOURCE.tmp" "${what[@]}"
	tg_publish "$TG_SOURCE.tmp" "$TG_SOURCE"
}
