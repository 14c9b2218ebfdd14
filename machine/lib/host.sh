# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What must be installed on this machine: what builds and runs the test machine,
# and what the host's own test suites ask for. Compilers for the guest are not
# among it: those are unpacked into the cache (lib/devroot.sh).

# Package, and why. Present on both Debian 12 and 13 under these names.
TG_HOST_PACKAGES="gcc:compiles QEMU and the host's tests, with its sanitizers
libc6-dev:the C library's headers (gcc only recommends them)
make:runs the build
python3:prints the table of make run
patch:applies the hooks to nouveau
meson:configures QEMU
ninja-build:builds QEMU
python3-setuptools:QEMU's configure needs it
python3-venv:QEMU's configure needs it
pkg-config:finds libraries
libglib2.0-dev:QEMU's only library
libpixman-1-dev:QEMU's configure needs it
libfdt-dev:QEMU's configure needs it
zlib1g-dev:QEMU reads compressed images
flex:generates parsers of QEMU
bison:generates parsers of QEMU
dpkg-dev:unpacks the source package of QEMU
binutils:strips modules
kmod:orders modules (depmod, modprobe --show-depends)
cpio:makes the initramfs
rsync:copies what changed
xz-utils:unpacks modules and sources
zstd:unpacks modules and packages
util-linux:setpriv and unshare
procps:ps, for the machine's own tests
libegl-dev:the workloads use EGL
libgles-dev:the workloads use OpenGL ES
libgbm-dev:the workloads draw without a screen
libdrm-dev:tgload talks to nouveau through libdrm_nouveau
libegl1:runs the workloads' tests
python3-sphinx:builds the manual
mandoc:renders the manual pages
gnuplot-nox:draws the paper's figures
clang:compiles policies, which are BPF programs
ccache:compiles once what several test suites compile
libgl1-mesa-dri:Mesa's software renderer, for the workloads' tests"

host_missing() {
	local line p

	while IFS= read -r line; do
		p=${line%%:*}
		dpkg-query -W -f '${Status}' "$p" 2>/dev/null | grep -q 'ok installed' ||
			printf '%s\n' "$line"
	done <<<"$TG_HOST_PACKAGES"
}

# tg_host_check: what is missing ends the build with the command that helps.
tg_host_check() {
	local missing stamp=$TG_CACHE/host-ok

	# dpkg is asked once; a removed package shows soon enough.
	[ "$(cat "$stamp" 2>/dev/null)" != "$TG_HOST_PACKAGES" ] || return 0
	missing=$(host_missing)
	if [ -n "$missing" ]; then
		{
			echo "Missing packages:"
			sed 's/^\([^:]*\):/    \1: /' <<<"$missing"
			echo "Install them with:  ${TG_VM_DIR#"$PWD"/}/build host"
		} >&2
		exit 1
	fi
	mkdir -p "$TG_CACHE"
	echo "$TG_HOST_PACKAGES" >"$stamp"
}

# tg_host_packages: the one thing here that changes the host.
tg_host_packages() {
	local missing sudo=()

	missing=$(host_missing)
	[ -n "$missing" ] || return 0
	tg_say "installing packages on this machine:"
	sed 's/^\([^:]*\):/    \1: /' <<<"$missing" >&2
	if [ "$(id -u)" != 0 ]; then
		command -v sudo >/dev/null ||
			tg_die "not root and no sudo: install these packages as root, then come back"
		sudo=(sudo)
		tg_say "this needs root: sudo may ask for your password"
	fi
	mapfile -t missing < <(sed 's/:.*//' <<<"$missing")
	"${sudo[@]}" apt-get -q install -y --no-install-recommends "${missing[@]}" ||
		{ "${sudo[@]}" apt-get -q update &&
		  "${sudo[@]}" apt-get -q install -y --no-install-recommends "${missing[@]}"; }
}
