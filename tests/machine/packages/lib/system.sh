# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What is tested on an installed system: $ROOT, an overlay on $ROOT_CLEAN, with
# kernels $K (supported) and $OTHER.

STOCK=kernel/drivers/gpu/drm/nouveau/nouveau.ko
OURS=updates/dkms
CCACHE_PATH=/usr/lib/ccache:/usr/sbin:/usr/bin:/sbin:/bin

# use_ccache: below the root, in a folder of one name: ccache must know a file again.
use_ccache() {
	mkdir -p "$TG_CACHE/packages-ccache" "$ROOT/run/ccache"
	mount --bind "$TG_CACHE/packages-ccache" "$ROOT/run/ccache"
	ROOT_ENV=(PATH=$CCACHE_PATH CCACHE_DIR=/run/ccache CCACHE_MAXSIZE=3G CCACHE_DEPEND=1)
}

# system NAME SUITE PACKAGES LATER: a fresh system.
system() {
	SYSTEM=$build/root-$1
	root_build "$@"
	root_overlay "$ROOT_CLEAN" "$SYSTEM"
	mkdir -p "$ROOT/run/debs"
	mount --bind "$debs" "$ROOT/run/debs"
	use_ccache
	ROOT_ENV+=(TIMEGRAPH_OUT=/var/cache/timegraph-build)
}

system_end() {
	root_overlay_end
	ROOT_ENV=()
}

inside() {
	root_enter "$ROOT" "$@" </dev/null
}

# packages VERSION: as arguments for apt.
packages() {
	local f

	for f in "$debs"/timegraph-{dkms,tools}_"$1"_*.deb; do
		echo "/run/debs/${f##*/}"
	done
}

nouveau_package() {
	local f

	f=$(echo "$debs"/timegraph-nouveau-dkms_"$1"_*.deb)
	echo "/run/debs/${f##*/}"
}

apt_do() {
	root_apt "$ROOT" -o DPkg::Path=$CCACHE_PATH -o Dpkg::Options::=--force-confdef \
		-o Dpkg::Options::=--force-confold "$@"
}

install_version() {
	# shellcheck disable=SC2046
	apt_do install $(packages "$1")
}

# --- what must hold -----------------------------------------------------------

# nouveau_is KERNEL WHERE: the file that "modprobe nouveau" would take.
nouveau_is() {
	local got

	got=$(inside modprobe -S "$1" --show-depends nouveau | tail -n 1)
	case $got in
	*"/lib/modules/$1/$2"*) ;;
	*) echo "modprobe nouveau on $1 takes: $got"; return 1;;
	esac
	got=$(inside modinfo -k "$1" -F filename nouveau)
	case $got in
	*"/$2"*) ;;
	*) echo "modinfo nouveau on $1: $got"; return 1;;
	esac
}

stock_in_use() {
	local k

	for k; do
		nouveau_is "$k" $STOCK
		[ -z "$(find "$ROOT/lib/modules/$k" \( -path "*/$OURS/*" -o -name 'timegraph.ko*' \) -print)" ] ||
			{ echo "modules of ours are in $k"; return 1; }
		initramfs_has "$k" $STOCK
	done
}

# module_in_use KERNEL...: timegraph.ko, beside the kernel's own nouveau.
module_in_use() {
	local k order

	for k; do
		order=$(inside modprobe -S "$k" --show-depends timegraph)
		grep -q "$OURS/timegraph\.ko" <<<"$order" || { echo "$order"; return 1; }
		nouveau_is "$k" $STOCK
		initramfs_has "$k" $STOCK
		stock_is_there "$k"
	done
}

# The patched nouveau, which must be the one of the initramfs, too.
nouveau_in_use() {
	nouveau_is "$1" $OURS/nouveau.ko
	initramfs_has "$1" $OURS/nouveau.ko
	stock_is_there "$1"
}

# The kernel's own file lies where it was, and DKMS has no other to put over it.
stock_is_there() {
	cmp "$ROOT/lib/modules/$1/$STOCK"* "$(stock_kept "$1")"
	[ -z "$(find "$ROOT/var/lib/dkms" -path '*/original_module/*')" ] ||
		{ find "$ROOT/var/lib/dkms" -path '*/original_module/*'; return 1; }
}

# stock_kept KERNEL: a copy of the kernel's own nouveau, from before we did anything.
stock_kept() {
	local kept=$SYSTEM/stock-$1

	[ -e "$kept" ] || cp "$ROOT/lib/modules/$1/$STOCK"* "$kept"
	echo "$kept"
}

# The clean systems have nouveau in the initramfs: the one of two places.
initramfs_has() {
	local list

	list=$(inside lsinitramfs "/boot/initrd.img-$1" | grep '/nouveau\.ko' || :)
	[[ $list == *"/$2"* ]] && [ "$(wc -l <<<"$list")" = 1 ] ||
		{ echo "the initramfs of $1 has '$list', not $2"; return 1; }
}

nothing_half_done() {
	[ -z "$(inside dpkg --audit)" ] || { inside dpkg --audit; return 1; }
	! inside dpkg-query -W -f '${Status} ${Package}\n' | grep -vE '^(install|deinstall|hold) ok (installed|config-files) ' ||
		{ echo "are half installed"; return 1; }
}

# as_before: the whole system against the clean one, file by file, and its packages.
as_before() {
	local show='${Package} ${Version} ${Status}\n'

	"$here/lib/changes.py" "$ROOT_CLEAN" "$SYSTEM/upper" "$ROOT"
	diff <(dpkg-query --admindir="$ROOT_CLEAN/var/lib/dpkg" -W -f "$show") \
		<(dpkg-query --admindir="$ROOT/var/lib/dpkg" -W -f "$show")
}

# --- ways to break a build ------------------------------------------------------

source_tar() {
	echo "$ROOT"/usr/src/linux-source-*.tar.xz
}

source_hide() {
	local f

	f=$(source_tar)
	mkdir "$ROOT/usr/src/hidden"
	mv "$f" "$ROOT/usr/src/hidden/"
}

source_restore() {
	rm -f "$ROOT"/usr/src/linux-source-*.tar.gz
	mv "$ROOT/usr/src/hidden/"* "$ROOT/usr/src/"
	rmdir "$ROOT/usr/src/hidden"
}

# source_fake SED-SCRIPT FILE: a source whose nouveau has another FILE.
source_fake() {
	local tar name tmp=$SYSTEM/fake

	tar=$(source_tar)
	name=$(basename "$tar" .tar.xz)
	if [ ! -d "$tmp" ]; then
		mkdir -p "$tmp"
		tar -C "$tmp" -xf "$tar" "$name/drivers/gpu/drm/nouveau"
	fi
	cp "$tmp/$name/drivers/gpu/drm/nouveau/$2" "$tmp/kept"
	sed -i "$1" "$tmp/$name/drivers/gpu/drm/nouveau/$2"
	! cmp -s "$tmp/$name/drivers/gpu/drm/nouveau/$2" "$tmp/kept" || return 1
	source_hide
	tar -C "$tmp" -czf "${tar%.xz}.gz" "$name"
	cp "$tmp/kept" "$tmp/$name/drivers/gpu/drm/nouveau/$2"
}

# --- the tests ------------------------------------------------------------------

# tools_work PREFIX
tools_work() {
	local p n=0

	for p in "$ROOT$1"/bin/tg*; do
		inside "$1/bin/${p##*/}" --version
		inside "$1/bin/${p##*/}" --help
		n=$((n + 1))
	done
	[ $n -ge 5 ] || { echo "only $n programs in $1/bin"; return 1; }
	inside "$1/bin/tgspec" check /etc/timegraph.spec
}

# defaults_list_nobody [LIMIT]: the default files change nothing, no entry is in force.
defaults_list_nobody() {
	has_not "$ROOT/etc/timegraph.spec" '^[^#]'
	has_not "$ROOT/etc/modprobe.d/timegraph.conf" '^[^#]'
	[ "$(grep -v '^#' "$ROOT/etc/timegraph.ac")" = "${1:-90}" ]
	[ -z "$(find "$ROOT/etc/systemd" "$ROOT/etc/modules-load.d" -name 'timegraph*' -o -name 'tgfocus*')" ] ||
		{ echo "something of ours starts by itself"; return 1; }
}

# install_builds KERNEL...
install_builds() {
	local k

	install_version "$version" >"$RUN_LOG.apt" 2>&1
	for k; do
		has "$RUN_LOG.apt" "timegraph-dkms: kernel $k: built and installed; \"modprobe timegraph\" starts it"
	done
	nothing_half_done
	module_in_use "$@"
	# DKMS leaves its build folder behind only when something failed.
	[ ! -e "$ROOT/var/lib/dkms/timegraph/$version/build/out" ]
}

code_that_does_not_compile() {
	local f=$ROOT/usr/src/timegraph-$version/drivers/gpu/timegraph/tg_main.c

	inside dkms remove -m timegraph -v "$version" -k "$K"
	cp "$f" "$SYSTEM/kept"
	echo '#error does not compile' >>"$f"
	inside /usr/lib/timegraph/dkms-install-timegraph "$K" >"$RUN_LOG.out"
	cp "$SYSTEM/kept" "$f"
	has "$RUN_LOG.out" "kernel $K: the build failed; it is without timegraph"
	has "$RUN_LOG.out" "does not compile"
	stock_in_use "$K"
	module_in_use "$OTHER"
	inside /usr/lib/timegraph/dkms-install-timegraph "$K"
	module_in_use "$K"
}

# --- the patched nouveau --------------------------------------------------------

nouveau_without_source() {
	source_hide
	apt_do install "$(nouveau_package "$version")" >"$RUN_LOG.apt" 2>&1
	source_restore
	has "$RUN_LOG.apt" "timegraph-nouveau-dkms: kernel $OTHER: kernels of series 6.1 are not supported (supported: 6.12 7.2); its own nouveau stays in use"
	has "$RUN_LOG.apt" "kernel $K: nouveau's source is missing: install linux-source-6.12; its own nouveau stays in use"
	nothing_half_done
	module_in_use "$OTHER" "$K"
}

# nouveau_refused WHY: what the install script says, of a source that was faked.
nouveau_refused() {
	inside /usr/lib/timegraph/dkms-install-nouveau "$K" >"$RUN_LOG.out"
	source_restore
	has "$RUN_LOG.out" "kernel $K: the build failed; its own nouveau stays in use"
	has "$RUN_LOG.out" "$1"
	module_in_use "$K"
}

nouveau_does_not_fit() {
	source_fake 's/nouveau_gem_ioctl_pushbuf/nouveau_gem_ioctl_pushed/' nouveau_gem.c
	nouveau_refused "is not what the patches were made for"
}

nouveau_does_not_compile() {
	source_fake '$a #error does not compile' nvif/client.c
	nouveau_refused "does not compile"
}

nouveau_builds() {
	apt_do install --reinstall "$(nouveau_package "$version")" >"$RUN_LOG.apt" 2>&1
	has "$RUN_LOG.apt" "kernel $K: built and installed; in force from the next start on"
	nothing_half_done
	nouveau_in_use "$K"
}

nouveau_leaves() {
	apt_do purge timegraph-nouveau-dkms
	nothing_half_done
	module_in_use "$K"
}

# firmware STATE KEY-STATE: what the tool that asks the firmware answers, in its words.
firmware() {
	printf '#!/bin/sh\ncase $1 in\n--sb-state) echo "SecureBoot %s";;\n--test-key) echo "$2 %s";;\nesac\n' \
		"$1" "$2" >"$ROOT/usr/bin/mokutil"
	chmod 755 "$ROOT/usr/bin/mokutil"
}

# Under Secure Boot a module whose key it does not know would not load.
unknown_key_leaves_it_out() {
	inside dkms uninstall -m timegraph -v "$version" -k "$K"
	firmware enabled "is not enrolled"
	inside /usr/lib/timegraph/dkms-install-timegraph "$K" >"$RUN_LOG.out"
	has "$RUN_LOG.out" "kernel $K: built, but Secure Boot would refuse it; it is without timegraph"
	has "$RUN_LOG.out" "mokutil --import /var/lib/dkms/mok.pub"
	[ -e "$ROOT/var/lib/dkms/mok.pub" ]
	stock_in_use "$K"
	firmware enabled "is already enrolled"
	inside /usr/lib/timegraph/dkms-install-timegraph "$K" >"$RUN_LOG.out"
	rm "$ROOT/usr/bin/mokutil"
	has "$RUN_LOG.out" "kernel $K: built and installed"
	has_not "$RUN_LOG.out" "building timegraph"
	module_in_use "$K"
	[ "$(inside modinfo -k "$K" -F signer timegraph)" = "DKMS module signing key" ]
}

# What the administrator wrote is neither replaced nor asked about.
upgrade() {
	local k

	echo '# changed by the administrator' >>"$ROOT/etc/timegraph.spec"
	install_version "$next" >"$RUN_LOG.apt" 2>&1
	for k; do
		has "$RUN_LOG.apt" "kernel $k: built and installed"
		inside dkms status -m timegraph -v "$next" -k "$k" | grep installed
	done
	module_in_use "$@"
	is_version "$next" "$version"
}

# is_version NEW OLD: nothing of the old one is left.
is_version() {
	nothing_half_done
	grep -q 'changed by the administrator' "$ROOT/etc/timegraph.spec"
	[ "$(inside dkms status -m timegraph | sed 's/[,:].*//' | sort -u)" = "timegraph/$1" ]
	[ ! -e "$ROOT/usr/src/timegraph-$2" ]
	[ ! -e "$ROOT/var/lib/dkms/timegraph/$2" ]
}

remove() {
	apt_do remove timegraph-dkms timegraph-tools
	nothing_half_done
	stock_in_use "$@"
	[ -e "$ROOT/etc/timegraph.spec" ]
	[ -z "$(inside dkms status -m timegraph)" ]
	# What stays behind as a conffile must do nothing.
	inside /etc/kernel/postinst.d/dkms-timegraph "$1"
	inside /etc/kernel/header_postinst.d/dkms-timegraph "$1"
}

purge() {
	apt_do purge timegraph-dkms timegraph-tools
	apt_do autoremove --purge
	nothing_half_done
	as_before
}

kernel_arrives() {
	local image

	image=$(root_image "$ROOT" "$NEW")
	apt_do install "$image" "linux-headers-$NEW" >"$RUN_LOG.apt" 2>&1
	has "$RUN_LOG.apt" "kernel $NEW: built and installed"
	nothing_half_done
	stock_kept "$NEW" >/dev/null
	module_in_use "$NEW" "$K"
}

kernel_leaves() {
	local image

	image=$(root_image "$ROOT" "$NEW")
	apt_do purge "$image" "linux-headers-$NEW"
	apt_do autoremove --purge
	nothing_half_done
	[ ! -e "$ROOT/lib/modules/$NEW" ] || { find "$ROOT/lib/modules/$NEW"; return 1; }
	module_in_use "$K"
}

# debian_two SUITE: the releases of its last kernel but one, and of its last.
debian_two() {
	local p v

	tg_apt_update "$1"
	for p in $(tg_apt_cache "$1" pkgnames | grep -E '^linux-headers-6\.12\.[0-9]+\+deb[0-9.]+-amd64$'); do
		v=$(tg_apt_candidate "$1" "$p")
		[ -z "$v" ] || echo "$v ${p#linux-headers-}"
	done | sort -V | tail -n 2 | sed 's/.* //' | paste -s -d ' '
}

