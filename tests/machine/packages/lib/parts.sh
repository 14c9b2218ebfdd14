# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The two systems, and what is done to each, one after the other. A step that
# compiles nouveau or boots takes half a minute and more, even with a full cache:
# "fully" has those that --short leaves out.

fully() {
	[ "$short" = 1 ] || "$@"
}

# Debian 12: its own kernel, and its newer one.
part_bookworm() {
	local kernels

	tg_kernel_release 6.12
	K=$TG_PACKAGE_KREL
	tg_kernel_release 6.1
	OTHER=$TG_PACKAGE_KREL
	kernels="kernel:$OTHER linux-headers-$OTHER kernel:$K linux-headers-$K"
	system bookworm bookworm "$installed $kernels linux-source-6.12" ""
	stock_kept "$K" >/dev/null
	stock_kept "$OTHER" >/dev/null
	run bookworm_install_builds_for_each_kernel install_builds "$OTHER" "$K"
	run bookworm_tools_work tools_work /usr
	run bookworm_defaults_list_nobody defaults_list_nobody
	guest_run bookworm_own_kernel_schedules_without_a_restart installed "$OTHER"
	run bookworm_code_that_does_not_compile_leaves_a_kernel_without code_that_does_not_compile
	run bookworm_secure_boot_with_an_unknown_key_leaves_it_out unknown_key_leaves_it_out
	run bookworm_upgrade_takes_the_new_module upgrade "$OTHER" "$K"
	fully guest_run bookworm_newer_kernel_schedules_without_a_restart installed "$K"
	run bookworm_nouveau_without_source_is_named nouveau_without_source
	fully run bookworm_nouveau_whose_patch_does_not_apply_is_not_taken nouveau_does_not_fit
	fully run bookworm_nouveau_that_does_not_compile_is_not_taken nouveau_does_not_compile
	fully run bookworm_nouveau_builds_and_is_taken nouveau_builds
	fully guest_run bookworm_attaches_to_the_patched_nouveau patched "$K"
	run bookworm_removed_nouveau_leaves_the_kernels_own nouveau_leaves
	run bookworm_remove_leaves_nothing_that_acts remove "$OTHER" "$K"
	run bookworm_purge_leaves_the_system_as_before purge
	guest_run bookworm_boots_as_before_after_purge purged "$K"
	system_end
}

# Debian 13: a kernel arrives, and leaves again.
part_trixie() {
	local kernels

	kernels=$(tg_pin kernels-trixie debian_two trixie)
	read -r K NEW _ <<<"$kernels"
	system trixie trixie "$installed $by_hand kernel:$K linux-headers-$K linux-source-6.12" \
		"kernel:$NEW linux-headers-$NEW"
	stock_kept "$K" >/dev/null
	run trixie_install_builds_the_module install_builds "$K"
	run trixie_tools_work tools_work /usr
	guest_run trixie_schedules_without_a_restart_and_takes_policies programmable "$K"
	run trixie_a_kernel_that_arrives_gets_the_module kernel_arrives
	fully guest_run trixie_boots_the_kernel_that_arrived_and_schedules installed "$NEW"
	fully run trixie_nouveau_builds_and_is_taken nouveau_builds
	fully run trixie_removed_nouveau_leaves_the_kernels_own nouveau_leaves
	run trixie_the_other_kernel_keeps_it_when_one_leaves kernel_leaves
	run trixie_upgrade_takes_the_new_module upgrade "$K"
	run trixie_remove_leaves_nothing_that_acts remove "$K"
	run trixie_purge_leaves_the_system_as_before purge
	fully guest_run trixie_boots_as_before_after_purge purged "$K"
	run trixie_make_install_by_hand_works hand_installs
	run trixie_make_uninstall_takes_all_away hand_uninstalls
	system_end
}
