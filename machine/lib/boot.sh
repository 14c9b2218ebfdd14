# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The machine: what QEMU is told, what it boots, and the ways in and out.
#
# In: one initramfs. Out: bytes through I/O ports, one port a stream (the same
# numbers as in guest/init). Nothing else: every other kind of device completes
# its work in the host's time.

# Without what QEMU 7.2 gets wrong. CX16: CMPXCHG16B computes its flags from a
# stale condition code, so that the kernel's next interrupt frame can hold a set
# trap flag. XSAVE, and with it AVX: glibc's memchr() misses characters under it.
TG_TCG_CPU=max,-cx16,-xsave,-avx,-avx2,-fma,-f16c,-vaes,-vpclmulqdq

# The commas of a value are doubled in a QEMU option.
qemu_value() {
	printf '%s' "${1//,/,,}"
}

# True if this kernel runs under KVM here: the device file may exist without
# working, and a KVM inside of another virtual machine may stop at an instruction
# that it cannot emulate. So see whether the kernel comes to its first line; without
# a root file system it soon panics, and the machine ends.
tg_kvm_works() {
	[ -w /dev/kvm ] || return 1
	# In a shell of its own, whose word on how QEMU died nobody wants to read.
	(timeout 10 "$TG_QEMU" -L "$TG_FIRMWARE" -M pc -accel kvm -cpu host \
		-nodefaults -no-user-config -display none -no-reboot -m 512M \
		-kernel "$TG_KERNEL/vmlinuz" -append "earlyprintk=serial panic=-1" \
		-serial stdio | grep -q '^.*Linux version') >/dev/null 2>&1
}

# boot_cpu: sets "accel" according to the options.
boot_accel() {
	case $OPT_TIME in
	virtual)
		# One instruction is 2^0 ns for every virtual CPU together; the clock
		# follows the instructions alone, and sleeping costs no host time.
		accel=(-accel "tcg,thread=single" -cpu "$TG_TCG_CPU"
		       -icount "shift=0,sleep=off" -rtc "base=2020-01-01T00:00:00,clock=vm")
		;;
	real)
		if [ "$OPT_KVM" = 1 ] && tg_kvm_works; then
			accel=(-accel kvm -cpu host)
			tg_verbose "using KVM"
		else
			accel=(-accel "tcg,thread=$OPT_THREADS" -cpu "$TG_TCG_CPU")
		fi
		accel+=(-rtc "base=2020-01-01T00:00:00")
		;;
	esac
	# All of the guest's randomness, RDRAND and KASLR included, comes from here.
	accel+=(-seed "$OPT_SEED")
}

boot_gpu() {
	local dev=nvsim n

	gpu=()
	[ "$OPT_GPU" = 1 ] || return 0
	if [ -n "$OPT_FAULT" ]; then dev+=",fault=$(qemu_value "$OPT_FAULT")"; fi
	if [ -n "$OPT_GPU_REPORT" ]; then dev+=",report=$(qemu_value "$OPT_GPU_REPORT")"; fi
	if [ -n "$OPT_GPU_LOG" ]; then dev+=",gpulog=$(qemu_value "$OPT_GPU_LOG")"; fi
	if [ -n "$OPT_DEVICE_LOG" ]; then dev+=",log=$(qemu_value "$OPT_DEVICE_LOG")"; fi
	gpu=(-device "$dev")
	# Faults and logs are the first one's.
	for ((n = 1; n < OPT_GPUS; n++)); do
		gpu+=(-device nvsim)
	done
}

# boot_port NAME PORT FILE
boot_port() {
	ports+=(-chardev "file,id=$1,path=$3" -device "isa-debugcon,iobase=$2,chardev=$1")
}

# boot_command RUNDIR: sets "qemu" to the command line. The streams' files are
# those that lib/boot.sh's caller has made in RUNDIR.
boot_command() {
	local d=$1 ports=() accel gpu append

	boot_accel
	boot_gpu
	boot_port out 0x4e1 "$d/out"
	boot_port err 0x4e2 "$d/err"
	boot_port results 0x4e3 "$d/results.tar"
	boot_port control 0x4e4 "$d/control"
	boot_port levels 0x4e5 "$d/levels"
	append="console=ttyS0 panic=-1 log_buf_len=16M printk.devkmsg=on"
	[ -z "$OPT_APPEND" ] || append+=" $OPT_APPEND"
	qemu=("$TG_QEMU" -L "$TG_FIRMWARE"
	      -name timegraph -M pc -nodefaults -no-user-config -display none -no-reboot
	      -m "$OPT_MEM" -smp "$OPT_SMP" "${accel[@]}" "${gpu[@]}"
	      -kernel "$TG_KERNEL/vmlinuz" -initrd "$d/initrd" -append "$append"
	      -serial "file:$d/kernel.log" "${ports[@]}"
	      -device isa-debug-exit,iobase=0x4e8)
	if [ "$OPT_SHELL" = 1 ]; then qemu+=(-serial stdio); fi
}

# boot_modules TREE: the modules of this run under /lib/modules, so that both
# insmod in a fixed order (at boot) and modprobe (in tests) work.
boot_modules() {
	local tree=$1 mods=$1/usr/lib/modules/$TG_KREL m

	mkdir -p "$mods/timegraph"
	ln -s usr/lib "$tree/lib"
	for m in "$TG_KERNEL"/modules/*.ko; do
		cp "$m" "$mods/timegraph/"
	done
	cp "$TG_KERNEL"/modules/modules.builtin* "$mods/"
	: >"$mods/modules.order"
	[ "$OPT_LOCKDOWN" = 0 ] || cp "$TG_KERNEL/signed/nouveau.ko" "$mods/timegraph/"
	[ "$OPT_NOUVEAU" != patched ] || cp "$TG_NOUVEAU"/*.ko "$mods/timegraph/"
	[ "$OPT_NOUVEAU" = none ] ||
		cp "$TG_MODULES/timegraph.ko" "$TG_MODULES/tg_rival.ko" "$mods/timegraph/"
	depmod -b "$tree" "$TG_KREL"
	rm "$tree/lib"
}

# boot_insmod TREE MODULE...: full guest paths in loading order.
boot_insmod() {
	local tree=$1
	shift

	ln -s usr/lib "$tree/lib"
	modprobe -d "$tree" -S "$TG_KREL" --show-depends -a "$@" |
		awk '$1 == "insmod" && !seen[$2]++ { print $2 }' | sed "s,^$tree,,"
	rm "$tree/lib"
}

# boot_terminal: a serial line does not say how large the terminal is, nor which.
boot_terminal() {
	[ -t 0 ] || return 0
	stty size | { read -r rows cols && echo "TG_TTY='rows $rows cols $cols'"; }
	printf 'TG_TERM=%q\n' "${TERM:-vt100}"
}

boot_config() {
	local tree=$1 want=()

	case $OPT_NOUVEAU in
	stock|patched) want+=(nouveau);;
	esac
	[ "$OPT_TIMEGRAPH" = 0 ] || want+=(timegraph)
	{
		echo "TG_SHELL=${OPT_SHELL#0}"
		echo "TG_LOCKDOWN=${OPT_LOCKDOWN#0}"
		[ "$OPT_SHELL" = 0 ] || boot_terminal
		printf "TG_INSMOD='"
		[ ${#want[@]} -eq 0 ] || boot_insmod "$tree" "${want[@]}" | tr '\n' ' '
		echo "'"
	} >"$tree/tg/config"
}

# boot_overlay TREE: what lies over Debian's files: process 1, modules,
# programs, the user's own files, the command.
boot_overlay() {
	local tree=$1 d

	mkdir -p "$tree/tg" "$tree/usr/local/bin"
	install -m 755 "$TG_VM_DIR/guest/init" "$tree/init"
	install -m 755 "$TG_VM_DIR/guest/tg-desktop" "$tree/usr/local/bin/"
	for d in "${TG_PROGRAMS[@]}"; do
		[ ! -d "$d" ] || cp -a "$d/." "$tree/"
	done
	boot_modules "$tree"
	boot_config "$tree"
	for d in "${OPT_OVERLAY[@]}"; do
		# Debian's /bin and /lib are links; a folder would replace them.
		rsync -rlpE --no-owner --no-group "$d/" "$tree/" ||
			tg_die "cannot copy the overlay $d"
	done
	for d in bin sbin lib lib64; do
		if [ -d "$tree/$d" ] && [ ! -L "$tree/$d" ]; then
			mkdir -p "$tree/usr/$d"
			cp -a "$tree/$d/." "$tree/usr/$d/"
			rm -r "${tree:?}/$d"
		fi
	done
}

# boot_initrd RUNDIR: the archives, one behind the other.
boot_initrd() {
	local d=$1

	tg_cpio "$d/tree" >"$d/overlay.cpio"
	cat "${TG_IMAGES[@]}" "$d/overlay.cpio" >"$d/initrd"
	rm -rf "$d/tree" "$d/overlay.cpio"
}
