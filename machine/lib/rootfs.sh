# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The guest's user space: one initramfs, made of several archives that the
# kernel unpacks one after the other, so that a changed test never rebuilds the
# part that comes from Debian.

TG_GUEST_PACKAGES="busybox-static bash kmod libc6 libegl1 libegl-mesa0 libgles2 libgl1-mesa-dri
libgbm1 libdrm2 libdrm-nouveau2 libncursesw6 ncurses-base"
# Programs that nobody here wrote, to run unchanged on the model: compositors
# without a screen, and clients for them; an X server and a window manager.
TG_DESKTOP_PACKAGES="weston glmark2-es2-wayland mesa-utils mesa-utils-bin libwayland-egl1 libgl1 bsdutils
xvfb openbox xdotool libxcb-res0 sway"

# tg_tree DIR DEB...: unpack packages as they would lie on a system whose /usr
# is merged.
tg_tree() {
	local d=$1 x f
	shift

	for x in bin sbin lib; do
		mkdir -p "$d/usr/$x"
		[ -e "$d/$x" ] || ln -s "usr/$x" "$d/$x"
	done
	mkdir -p "$d/usr/lib64"
	[ -e "$d/lib64" ] || ln -s usr/lib64 "$d/lib64"
	for f; do
		dpkg-deb --fsys-tarfile "$f" |
			tar -x -C "$d" --keep-directory-symlink --no-same-owner -f -
	done
}

# tg_cpio DIR: archive DIR so that the same files give the same bytes, whoever
# built it and when.
tg_cpio() {
	find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
	(cd "$1" && find . -mindepth 1 -print0 | sort -z |
		cpio --quiet --null -o -H newc --reproducible -R 0:0)
}

# What no program of the guest opens. LLVM and Mesa stay whole but for the
# drivers of other cards, which are links to the same file.
rootfs_prune() {
	local d=$1

	rm -rf "$d"/usr/share/{doc,man,locale,info,lintian,bug,icons,zoneinfo,bash-completion,perl5} \
		"$d"/usr/lib/x86_64-linux-gnu/{gconv,perl,perl-base} \
		"$d"/usr/lib/{firmware,systemd,udev} "$d"/usr/include "$d"/var/{lib,cache} \
		"$d"/usr/share/X11/locale "$d"/etc/{init.d,default,systemd}
	# The desktop image has none: what it adds to the base image is no driver.
	if [ -d "$d/usr/lib/x86_64-linux-gnu/dri" ]; then
		find "$d/usr/lib/x86_64-linux-gnu/dri" -name '*_dri.so' \
			! -name nouveau_dri.so ! -name swrast_dri.so ! -name kms_swrast_dri.so \
			-delete
	fi
	rm -f "$d"/usr/lib/x86_64-linux-gnu/libdrm_{intel,radeon,amdgpu}.a
}

rootfs_packages() {
	tg_apt_update bookworm
	tg_debs_closure bookworm "$@" | sed 's,.*/,,'
}

# rootfs_system DIR: what makes a tree of unpacked packages a system.
rootfs_system() {
	local d=$1 m

	mkdir -p "$d"/{dev,proc,sys,tmp,run,root,results,tg,etc}
	echo 'root:x:0:0:root:/root:/bin/bash' >"$d/etc/passwd"
	echo 'root:x:0:' >"$d/etc/group"
	# Debian's links for shells and awk are made by maintainer scripts, which
	# do not run here; busybox fills in every name that no package brought.
	"$d/bin/busybox" --list-full | while read -r m; do
		m=$d/usr/${m#usr/}
		[ -e "$m" ] || [ -L "$m" ] || ln -s /bin/busybox "$m"
	done
}

rootfs_make() {
	local d=$1 list=$2 debs

	mapfile -t debs < <(sed "s,^,$TG_DEBS/," <<<"$list")
	tg_tree "$d/root" "${debs[@]}"
	rootfs_prune "$d/root"
	[ ! -e "$d/root/bin/busybox" ] || rootfs_system "$d/root"
	tg_cpio "$d/root" >"$d/rootfs.cpio"
	echo "$list" >"$d/packages"
	rm -rf "$d/root"
}

# rootfs_image NAME PIN PACKAGES-FUNCTION: sets TG_ROOTFS to the archive of the
# packages that the function lists.
rootfs_image() {
	local name=$1 pin=$2 d list

	list=$(tg_pin "$pin" "$3")
	d=$TG_CACHE/rootfs-$name-$(tg_key "$list" \
		"$(declare -f tg_tree tg_cpio rootfs_prune rootfs_system rootfs_make)")
	TG_ROOTFS=$d/rootfs.cpio
	[ ! -e "$TG_ROOTFS" ] || return 0
	# The pin may be older than the downloads: fetch what is missing.
	# shellcheck disable=SC2086
	(cd "$TG_DEBS" && ls $list >/dev/null 2>&1) || "$3" >/dev/null
	rm -rf "$d.tmp"
	mkdir -p "$d.tmp"
	tg_step "rootfs-$name" "making the guest's root file system ($name)" \
		rootfs_make "$d.tmp" "$list"
	tg_publish "$d.tmp" "$d"
}

base_packages() {
	# shellcheck disable=SC2086
	rootfs_packages $TG_GUEST_PACKAGES
}

# The desktop image holds only what the base image has not, and not what only
# start scripts of a login session would run.
desktop_packages() {
	# shellcheck disable=SC2086
	comm -13 <(base_packages | sort) \
		<(rootfs_packages $TG_GUEST_PACKAGES $TG_DESKTOP_PACKAGES | sort) |
		grep -vE '^(libpython3|python3|libpolkit|polkitd|swaybg|systemd|dbus)[^-]*_'
}

# tg_rootfs_build, tg_desktop_build: set TG_ROOTFS to the image.
tg_rootfs_build() {
	tg_locked rootfs-base rootfs_image base \
		"rootfs-base-$(tg_key "$TG_GUEST_PACKAGES")" base_packages
}

tg_desktop_build() {
	tg_locked rootfs-desktop rootfs_image desktop \
		"rootfs-desktop-$(tg_key "$TG_GUEST_PACKAGES $TG_DESKTOP_PACKAGES")" desktop_packages
}
