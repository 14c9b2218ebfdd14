# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The two systems, and what is done to each, one after the other. A step that
# compiles nouveau or boots takes half a minute and more, even with a full cache:
# "fully" has those that --short leaves out.

fully() {
	[ "$short" = 1 ] || "$@"
}

# Debian 12: its own kernel is of a series without a patch, its newer one is not.
part_bookworm() {
	local kernels

	tg_kernel_release 6.12
	K=$TG_PACKAGE_KREL
	read -r OTHER _ < <(tg_pin kernel-6.1 debian_newest bookworm 'linux-image-6\.1\.0-[0-9]+-amd64')
	OTHER=${OTHER#linux-image-}
	kernels="linux-image-$OTHER linux-headers-$OTHER linux-image-$K linux-headers-$K"
	system bookworm bookworm "$installed $kernels linux-source-6.12" ""
	stock_kept "$K" >/dev/null
	source_hide
	run bookworm_unsupported_kernel_is_named_and_keeps_nouveau unsupported_kernel_is_named
	source_restore
	run bookworm_dkms_by_hand_refuses_an_unsupported_kernel dkms_refuses "$OTHER" 77
	run bookworm_tools_work tools_work /usr
	run bookworm_defaults_list_nobody defaults_list_nobody
	fully run bookworm_a_patch_that_does_not_apply_keeps_nouveau patch_that_does_not_apply
	fully run bookworm_code_that_does_not_compile_keeps_nouveau code_that_does_not_compile
	fully run bookworm_modules_build_and_are_taken modules_build
	fully run bookworm_secure_boot_with_an_unknown_key_keeps_nouveau unknown_key_keeps_nouveau
	fully run bookworm_upgrade_takes_the_new_modules upgrade
	fully guest_run bookworm_boots_after_an_upgrade_and_schedules installed "$K"
	fully run bookworm_a_version_that_cannot_be_built_keeps_nouveau \
		other_version_cannot_be_built "$version" "$next" "$K" "$OTHER"
	run bookworm_remove_leaves_stock_nouveau remove "$OTHER" "$K"
	run bookworm_purge_leaves_the_system_as_before purge
	fully guest_run bookworm_boots_with_stock_nouveau_after_purge purged "$K"
	system_end
}

# Debian 13: a kernel arrives, and leaves again.
part_trixie() {
	local kernels

	kernels=$(tg_pin kernels-trixie debian_two trixie)
	read -r K NEW _ <<<"$kernels"
	system trixie trixie "$installed $by_hand linux-image-$K linux-headers-$K linux-source-6.12" \
		"linux-image-$NEW linux-headers-$NEW"
	stock_kept "$K" >/dev/null
	run trixie_install_builds_the_modules install_builds
	hand_keep
	run trixie_tools_work tools_work /usr
	guest_run trixie_boots_with_its_modules_and_schedules installed "$K"
	run trixie_a_kernel_that_arrives_without_source_keeps_its_nouveau kernel_arrives_without_source
	run trixie_a_kernel_that_arrives_gets_the_modules kernel_arrives
	fully guest_run trixie_boots_the_kernel_that_arrived_and_schedules installed "$NEW"
	if [ "$short" = 1 ]; then
		run trixie_an_upgrade_that_cannot_be_built_keeps_nouveau \
			other_version_cannot_be_built "$next" "$version" "$K" "$NEW"
		run trixie_a_kernel_leaves kernel_leaves stock_in_use
	else
		run trixie_the_other_kernel_stays_when_one_leaves kernel_leaves modules_in_use
		run trixie_upgrade_takes_the_new_modules upgrade
	fi
	run trixie_remove_leaves_stock_nouveau remove "$K"
	run trixie_purge_leaves_the_system_as_before purge
	fully guest_run trixie_boots_with_stock_nouveau_after_purge purged "$K"
	run trixie_make_install_by_hand_works hand_installs
	run trixie_make_uninstall_takes_all_away hand_uninstalls
	system_end
}
