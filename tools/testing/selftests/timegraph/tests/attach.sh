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

# lie STRUCT MEMBER BYTES: nouveau's BTF says something that is not so.
lie() {
	local ko

	without_nouveau
	ko=$T/nouveau.ko
	cp "$(module_file nouveau)" "$ko"
	tgbtf "$ko" "$@" || fail "tgbtf $*"
	insmod "$ko"
	eventually 20 test -e /dev/dri/renderD128
	# The kernel itself refuses types whose members overlap or leave their structure.
	[ -e /sys/kernel/btf/nouveau ] || fail "the kernel does not take $* for types"
}

truth() {
	without_nouveau
	modprobe nouveau
	eventually 20 test -e /dev/dri/renderD128
}

# lies STRUCT MEMBER BYTES: then nothing is written.
lies() {
	lie "$@"
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
	tgbtf "$T/look.ko" "$1" "$2" 0
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

# Where it cannot be told which channel the GPU is at, several are gated, one is not.
# expect: nouveau .*
# expect: timegraph: it cannot be told which channel the GPU is at: no two run free
test_false_instance_of_a_channel_is_noticed() {
	local pid freed

	[ -e /sys/kernel/btf/nouveau ] || skip "nouveau has no BTF here"
	spec
	lie nouveau_channel inst 4
	load
	load_client one --cost-us 50 --frames-in-flight 8 --groups-per-frame 10 --seconds 5
	pid=$PID
	load_client two --cost-us 50 --frames-in-flight 8 --groups-per-frame 10 --seconds 5
	sleep 3
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
