# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# How the module attaches to a nouveau that knows nothing of it: which one, with
# what, beside whom, and what it does when it cannot.

module_file() {
	modinfo -n "$1"
}

test_status_says_how() {
	spec
	load
	want "attached" "$(attached)" = stock
	works
}

# expect: timegraph: attach=somehow: .*
test_unknown_provider_is_refused() {
	spec
	! modprobe timegraph spec="$T/spec" attach=somehow 2>"$T/err" || fail "it was loaded"
	want "reports" "$(log_count 'timegraph: attach=somehow: not one of auto, stock, patch')" = 1
}

# The module stays, and waits.
test_patch_waits_where_nouveau_has_none() {
	spec
	load attach=patch
	case $(attached) in
	'not attached: no nouveau is loaded that has the hooks') ;;
	*) fail "attached: $(attached)";;
	esac
	client a --groups 20
	finish "$PID"
	want "GPUs" "$(grep -c ^gpu $STATUS)" = 0
}

# expect: nouveau .*
test_nouveau_comes_goes_and_comes_back() {
	spec
	without_nouveau
	load
	case $(attached) in
	'not attached: no nouveau is loaded') ;;
	*) fail "attached: $(attached)";;
	esac
	modprobe nouveau
	eventually 5 eval '[ "$(attached)" = stock ]'
	eventually 20 test -e /dev/dri/renderD128
	works
	without_nouveau
	want "attached" "$(attached)" = 'not attached: no nouveau is loaded'
	modprobe nouveau
	eventually 20 test -e /dev/dri/renderD128
	works
	unload
	client b --groups 20
	finish "$PID"
}

# expect: timegraph: cannot attach to this nouveau: .*
# kernel.ftrace_enabled=0 would take the hooks away and leave the module believing.
test_ftrace_cannot_be_switched_off_below() {
	spec
	load
	! echo 0 >/proc/sys/kernel/ftrace_enabled 2>/dev/null || fail "it could"
	works
	unload
	# 7.3 refuses that in any case.
	if echo 0 >/proc/sys/kernel/ftrace_enabled; then
		! modprobe timegraph spec="$T/spec" 2>/dev/null || fail "it was loaded"
		want "reports" "$(log_count 'timegraph: cannot attach .* kernel.ftrace_enabled is 0')" = 1
		echo 1 >/proc/sys/kernel/ftrace_enabled
	fi
	load
	works
}

# Others may look at the same functions, in either order.
test_others_trace_and_probe_the_same_functions() {
	local k=$TRACING/kprobe_events f=$TRACING/set_ftrace_filter

	spec
	[ -e $k ] || skip "this kernel has no kprobe events"
	echo 'p:tgk/push nouveau:nouveau_gem_ioctl_pushbuf' >$k
	echo 'p:tgk/emit nouveau:nouveau_fence_emit' >>$k
	echo 1 >$TRACING/events/tgk/enable
	echo 1 >$TRACING/tracing_on
	printf '%s\n' nouveau_gem_ioctl_pushbuf nouveau_fence_emit nouveau_dma_wait >$f
	load
	echo function >$TRACING/current_tracer
	works
	want "calls that the kprobe saw" "$(grep -c ' push: ' $TRACING/trace)" -ge 50
	want "calls that the tracer saw" "$(grep -c ': nouveau_fence_emit ' $TRACING/trace)" -ge 50
	unload
	client b --groups 20
	finish "$PID"
	load
	works
	echo nop >$TRACING/current_tracer
	echo >$f
	echo 0 >$TRACING/events/tgk/enable
	echo >$k
}

# fexit FUNCTION: sets FEXIT
fexit() {
	tgfexit "$1" >"$T/fexit" &
	FEXIT=$!
	eventually 10 grep -q attached "$T/fexit"
}

# fexit_saw COUNT: at least so many calls; ends it
fexit_saw() {
	kill "$FEXIT"
	finish "$FEXIT"
	want "calls that BPF saw" "$(sed -n 's/calls=//p' "$T/fexit")" -ge "$1"
}

# Their trampolines call a function by its address, behind our redirection, unless the
# kernel tells them of it: whether they come first, second, or while not all is redirected.
test_bpf_programs_see_the_same_functions() {
	! on_debug_kernel || skip "the debug kernel has no BPF"
	spec
	fexit nouveau_gem_ioctl_pushbuf
	load
	works
	fexit_saw 50
	fexit nouveau_gem_ioctl_pushbuf
	works
	fexit_saw 50
	echo bypass >$CONTROL
	fexit nouveau_gem_ioctl_pushbuf
	echo restore >$CONTROL
	works
	fexit_saw 50
	fexit nouveau_gem_ioctl_pushbuf
	unload
	client without --groups 20
	finish "$PID"
	fexit_saw 20
}

# expect: timegraph: cannot attach to this nouveau: .*
# Only one may redirect a function: whoever came first.
test_another_who_redirects_is_named() {
	local rival

	spec
	rival=$(module_file tg_rival) || skip "tg_rival.ko is not installed"
	insmod "$rival"
	! modprobe timegraph spec="$T/spec" 2>/dev/null || fail "both redirect one function"
	want "reports" "$(log_count 'timegraph: cannot attach to this nouveau: somebody else')" = 1
	client a --groups 20
	finish "$PID"
	rmmod tg_rival
	load
	! insmod "$rival" 2>/dev/null || fail "both redirect one function"
	works
}

# lying_copy: of nouveau's file
lying_copy() {
	cp "$(module_file nouveau)" "$T/nouveau.ko"
}

# lie VERB ARGUMENT…: of tgbtf; the copy says something that is not so.
lie() {
	tgbtf "$T/nouveau.ko" "$@" || fail "tgbtf $*"
}

# insert_copy: instead of the nouveau that is loaded
insert_copy() {
	without_nouveau
	insmod "$T/nouveau.ko"
	eventually 20 test -e /dev/dri/renderD128
	# The kernel itself refuses types whose members overlap or leave their structure.
	[ -e /sys/kernel/btf/nouveau ] || fail "the kernel does not take these types"
}

truth() {
	without_nouveau
	modprobe nouveau
	eventually 20 test -e /dev/dri/renderD128
}

# lies STRUCT MEMBER BYTES: then nothing is written.
lies() {
	lying_copy
	lie move "$@"
	insert_copy
	load_paper
	works
	uses fence
	want "NOTIFYs" "$(grep -c 'by=notify' "$T/trace")" = 0
	unload
	truth
}

# has_member STRUCT MEMBER: in this kernel's nouveau
has_member() {
	cp "$(module_file nouveau)" "$T/look.ko"
	tgbtf "$T/look.ko" move "$1" "$2" 0
}

# A wrong offset must never be written to: nothing but fences is used then.
# expect: nouveau .*
test_false_types_of_a_ring_are_not_believed() {
	[ -e /sys/kernel/btf/nouveau ] || skip "nouveau has no BTF here"
	spec
	lies nvif_push cur 8
	lies nvif_push bgn -8
	lies nvif_push end -8
	lies nvif_push wait 8
	lies nvif_push mem 16
	load_paper
	uses notify
}

# expect: nouveau .*
test_false_types_of_a_channel_are_not_believed() {
	[ -e /sys/kernel/btf/nouveau ] || skip "nouveau has no BTF here"
	spec
	lies nouveau_channel chan 8
	lies nouveau_channel chid 4
	lies nouveau_channel chid -4
	# Nouveau's functions have a channel as a parameter, where a channel has no client.
	if has_member nouveau_channel cli; then
		lies nouveau_channel cli 8
		lies nouveau_fence channel 8
	fi
	load_paper
	uses notify
}

# nobody_runs_free_with STRUCT MEMBER BYTES: what was sent last cannot be told
nobody_runs_free_with() {
	lying_copy
	lie move "$@"
	insert_copy
	load
	load_client one --cost-us 50 --frames-in-flight 8 --groups-per-frame 10 --seconds 0.5
	finish "$PID"
	want "groups that did not ask" "$(freerun)" = 0
	want "groups" "$(counter verified)" -ge 2000
	unload
	truth
}

# expect: nouveau .*
test_false_types_of_fences_are_not_believed() {
	[ -e /sys/kernel/btf/nouveau ] || skip "nouveau has no BTF here"
	spec
	nobody_runs_free_with nouveau_fence_chan pending 16
	nobody_runs_free_with nouveau_fence_chan sequence 4
	nobody_runs_free_with nouveau_fence head 8
	nobody_runs_free_with nouveau_channel fence -8
	nobody_runs_free_with nouveau_cli mutex 8
}

# Where it cannot be told which channel the GPU is at, several are gated, one is not.
# expect: nouveau .*
# expect: timegraph: it cannot be told which channel the GPU is at: no two run free
test_false_instance_of_a_channel_is_noticed() {
	local pid freed

	[ -e /sys/kernel/btf/nouveau ] || skip "nouveau has no BTF here"
	spec
	lying_copy
	lie move nouveau_channel inst 4
	insert_copy
	load
	load_client one --cost-us 50 --frames-in-flight 8 --groups-per-frame 10 --seconds 10
	pid=$PID
	load_client two --cost-us 50 --frames-in-flight 8 --groups-per-frame 10 --seconds 10
	eventually 8 logged 'it cannot be told which channel the GPU is at' 1
	sleep 0.2
	freed=$(freerun)
	sleep 1
	want "groups that did not ask" $(($(freerun) - freed)) = 0
	finish "$pid" "$PID"
	load_client one --cost-us 50 --seconds 1
	finish "$PID"
	want "groups of who is alone that did not" "$(freerun)" -ge $((freed + 5000))
	unload
	truth
}

# refused_for LINE…: no module, a line for each reason and no other, nouveau as before.
refused_for() {
	local line err='timegraph: cannot attach to this nouveau: '

	! modprobe timegraph spec="$T/spec" 2>"$T/err" || fail "it was loaded"
	! loaded || fail "timegraph.ko is there"
	for line; do
		want "lines '$line'" "$(log_count "$err$line\$")" = 1
	done
	want "lines of it" "$(log_count 'timegraph: cannot')" = $#
	client a --groups 50
	finish "$PID"
	engine --frames 5 --check >/dev/null || fail "engine draws wrong pixels"
	! grep -q '[^ ]' $TRACING/enabled_functions || fail "hooked: $(cat $TRACING/enabled_functions)"
}

# As a compiler that inlines it, or a nouveau in which it has another name.
# expect: nouveau .*
# expect: timegraph: cannot attach to this nouveau: no [a-z_]+: it is not there, or inlined
test_function_that_is_not_there_is_named() {
	spec
	lying_copy
	lie rename nouveau_fence_unref nouveau_fence_unget
	insert_copy
	refused_for 'no nouveau_fence_unref: it is not there, or inlined'
	truth
	load
	works
}

# expect: nouveau .*
# expect: timegraph: cannot attach to this nouveau: no [a-z_]+: .*
test_each_missing_function_has_a_line() {
	[ -e /sys/kernel/btf/nouveau ] || skip "nouveau has no BTF here"
	spec
	lying_copy
	lie rename nouveau_drm_postclose nouveau_drm_lastclose
	lie rename nouveau_pmops_resume nouveau_pmops_wakeup
	lie retype nouveau_fence_emit nouveau_pmops_suspend
	insert_copy
	refused_for 'no nouveau_drm_postclose: it is not there, or inlined' \
		'no nouveau_pmops_resume: it is not there, or inlined' \
		'no nouveau_fence_emit: its parameters are others'
	truth
	load
	works
}

# Its name alone does not tell that it is still the same.
# expect: nouveau .*
# expect: timegraph: cannot attach to this nouveau: no [a-z_]+: its parameters are others
test_function_of_other_parameters_is_named() {
	[ -e /sys/kernel/btf/nouveau ] || skip "nouveau has no BTF here"
	spec
	lying_copy
	lie retype nouveau_gem_ioctl_pushbuf nouveau_pmops_suspend
	insert_copy
	refused_for 'no nouveau_gem_ioctl_pushbuf: its parameters are others'
	truth
	load
	works
}

# Then nobody can be told by its exit status; nouveau is used as if it were alone.
# expect: nouveau .*
# expect: timegraph: cannot attach to this nouveau: no [a-z_]+: it is not there, or inlined
test_function_that_is_not_there_in_a_later_nouveau_is_named() {
	spec
	lying_copy
	lie rename nouveau_fence_emit nouveau_fence_send
	without_nouveau
	load
	insmod "$T/nouveau.ko"
	eventually 20 test -e /dev/dri/renderD128
	want "attached" "$(attached)" = 'not attached (error -2), see the kernel log'
	want "lines" "$(log_count 'cannot attach to this nouveau: no nouveau_fence_emit: ')" = 1
	client a --groups 50
	finish "$PID"
	want "GPUs" "$(grep -c ^gpu $STATUS)" = 0
	truth
	want "attached" "$(attached)" = stock
	works
}

# What only NOTIFY needs may be missing: then groups end by fences.
# expect: nouveau .*
test_function_of_the_paper_that_is_not_there_leaves_fences() {
	local lost lacked=0

	spec
	for lost in nv50_gr_intr:nv50_gr_inta nvif_chan_gpfifo_wait:nvif_chan_gpfifo_wont \
			nouveau_dma_wait:nouveau_dma_wont; do
		# The last two are one function, before 6.15 and since; a newer kernel has both.
		[ $lacked -lt 2 ] || break
		lying_copy
		tgbtf "$T/nouveau.ko" rename "${lost%:*}" "${lost#*:}" 2>"$T/err" || continue
		insert_copy
		load_paper
		works
		uses fence
		want "NOTIFYs after ${lost%:*} went" "$(grep -c 'by=notify' "$T/trace")" = 0
		unload
		truth
		lacked=$((lacked + 1))
	done
	want "functions that were taken away" $lacked = 2
	load_paper
	uses notify
}

# The hooks of groups go while nothing is scheduled, and come back.
test_bypass_takes_the_hooks_out_and_back() {
	spec
	load_paper
	works
	grep -q nouveau_fence_emit $TRACING/enabled_functions || fail "groups are not seen"
	echo bypass >$CONTROL
	eventually 5 eval '! grep -q nouveau_fence_emit $TRACING/enabled_functions'
	grep -q channel_alloc $TRACING/enabled_functions || fail "channels are not seen"
	client b --groups 20
	finish "$PID"
	echo restore >$CONTROL
	eventually 5 grep -q nouveau_fence_emit $TRACING/enabled_functions
	works
	uses notify
}

# What a channel bound while nobody looked is not known.
test_channel_used_in_bypass_completes_by_fences_later() {
	spec
	load_paper
	client early --groups 400 --say "$T/early.ready" --go "$T/go"
	ready early
	echo bypass >$CONTROL
	eventually 5 eval '! grep -q nouveau_fence_emit $TRACING/enabled_functions'
	echo restore >$CONTROL
	eventually 5 grep -q nouveau_fence_emit $TRACING/enabled_functions
	trace_on
	touch "$T/go"
	finish "$PID"
	trace_off
	want "NOTIFYs" "$(grep -c 'by=notify' "$T/trace")" = 0
	want "fences" "$(grep -c 'by=fence' "$T/trace")" -ge 300
}
