# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# "make install" on a system without our packages, and "make uninstall".

HAND_BUILD=/var/cache/by-hand
HAND_PREFIX=/usr/local

hand_make() {
	inside make -s -C "/build/timegraph-$version" BUILD=$HAND_BUILD WORKLOADS= \
		KDIR="/lib/modules/$K/build" "$@"
}

# hand_files: the files that the clean system does not have, without those that
# depmod, ldconfig and update-initramfs replaced.
hand_files() {
	"$here/lib/changes.py" "$ROOT_CLEAN" "$SYSTEM/upper" "$ROOT" |
		sed -n 's/^left over: //p' | while read -r f; do
			[ -d "$ROOT$f" ] || echo "$f"
		done | sort
}

hand_installs() {
	local list=$ROOT$HAND_PREFIX/share/timegraph/installed

	"$top/packaging/deb" --source-only "$ROOT/build"
	hand_make -j2 modules tools
	# Somebody's own limit, from before.
	echo 40 >"$ROOT/etc/timegraph.ac"
	hand_make install
	nouveau_is "$K" $STOCK
	inside modprobe -S "$K" --show-depends timegraph | grep updates/timegraph.ko
	inside ldconfig -p | grep "$HAND_PREFIX/lib/libtimegraph.so.2"
	tools_work $HAND_PREFIX
	defaults_list_nobody 40
	has "$ROOT$HAND_PREFIX/lib/systemd/user/tgfocus.service" "ExecStart=$HAND_PREFIX/bin/tgfocus"
	has "$ROOT$HAND_PREFIX/lib/systemd/system/timegraph-reload.service" \
		"ExecStart=$HAND_PREFIX/bin/tgctl reload"
	has "$ROOT$HAND_PREFIX/lib/systemd/system/timegraph-lend.service" \
		"ExecStart=$HAND_PREFIX/bin/tgctl lend"
	cmp "$top/packaging/udev/70-timegraph.rules" "$ROOT$HAND_PREFIX/lib/udev/rules.d/70-timegraph.rules"
	# Its list is what it installed.
	diff <(grep -v '^/ ' "$list" | cut -d ' ' -f 2 | sed 's,^/lib/,/usr/lib/,' | sort) \
		<(hand_files | grep -vxF -e "$HAND_PREFIX/share/timegraph/installed" -e /etc/timegraph.ac)
}

# A second one, of an older list, with a setting changed in between.
hand_uninstalls() {
	echo '# changed' >>"$ROOT/etc/timegraph.spec"
	hand_make install
	has "$ROOT/etc/timegraph.spec" '# changed'
	hand_make uninstall >"$RUN_LOG.out"
	has "$RUN_LOG.out" "kept, as it was changed: /etc/timegraph.spec"
	stock_in_use "$K"
	[ "$(cat "$ROOT/etc/timegraph.ac")" = 40 ]
	has "$ROOT/etc/timegraph.spec" '# changed'
	rm "$ROOT/etc/timegraph.spec" "$ROOT/etc/timegraph.ac"
	as_before
}
