# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The machine: what QEMU is told, what it boots, and the ways in and out.
#
# In: one initramfs, which all runs of one machine share, and this run's own part, which
# the guest takes in when it has booted (qemu/tg-dock.c). Out: bytes through I/O ports, one port a stream (the same
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

# tg_uses_kvm: as tg_kvm_works said when it was first asked, if it may be used at all.
tg_uses_kvm() {
	[ "$OPT_TIME" = real ] && [ "$OPT_KVM" = 1 ] || return 1
	if [ -z "${TG_KVM:-}" ]; then
		TG_KVM=0
		! tg_kvm_works || TG_KVM=1
	fi
	[ "$TG_KVM" = 1 ]
}

# boot_accel: sets "accel" according to the options.
boot_accel() {
	case $OPT_TIME in
	virtual)
		# One instruction is 2^0 ns for every virtual CPU together; the clock
		# follows the instructions alone, and sleeping costs no host time.
		accel=(-accel "tcg,thread=single" -cpu "$TG_TCG_CPU"
		       -icount "shift=0,sleep=off" -rtc "base=2020-01-01T00:00:00,clock=vm")
		;;
	real)
		if tg_uses_kvm; then
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

# boot_gpu MODE
boot_gpu() {
	local dev=nvsim n more=''

	gpu=()
	[ "$OPT_GPU" = 1 ] || return 0
	[ -z "$OPT_VRAM" ] || more=,vram-mb=$OPT_VRAM
	if [ -n "$OPT_FAULT" ]; then dev+=",fault=$(qemu_value "$OPT_FAULT")"; fi
	if [ -n "$OPT_GPU_REPORT" ]; then dev+=",report=$(qemu_value "$OPT_GPU_REPORT")"; fi
	if [ -n "$OPT_GPU_LOG" ]; then dev+=",gpulog=$(qemu_value "$OPT_GPU_LOG")"; fi
	if [ -n "$OPT_DEVICE_LOG" ]; then dev+=",log=$(qemu_value "$OPT_DEVICE_LOG")"; fi
	# What a snapshot needs; with logs only who runs has, a file each.
	[ "$1" != save ] || more+=,journal=on
	gpu=(-device "$dev$more")
	# Faults and logs are the first one's.
	for ((n = 1; n < OPT_GPUS; n++)); do
		gpu+=(-device "nvsim$more")
	done
}

# boot_port NAME PORT FILE
boot_port() {
	ports+=(-chardev "file,id=$1,path=$3" -device "isa-debugcon,iobase=$2,chardev=$1")
}

# boot_memory MODE DIR: a snapshot's memory is a file; who saves writes to it, who is
# restored maps it and keeps changes to itself.
boot_memory() {
	local share=off

	memory=(-M pc -m "$OPT_MEM")
	[ "$1" != cold ] || return 0
	[ "$1" != save ] || share=on
	# Without the global state, which says "stopped": who is restored shall run. And
	# without announcements to a network, which have timers of the host's time: these
	# cut the CPU's runs short, wherever they come.
	memory=(-global migration.store-global-state=off -global migration.announce-rounds=0
		-object "memory-backend-file,id=ram,size=$OPT_MEM,share=$share,mem-path=$(qemu_value "$2/memory")"
		-M pc,memory-backend=ram -m "$OPT_MEM")
}

# boot_command MODE RUNDIR SNAPSHOT: sets "qemu" to the command line. MODE: cold;
# save, which ends when the guest has booted and leaves it in the folder SNAPSHOT; or
# restore, from there. The streams' files are those that the caller has made in RUNDIR.
# What is the same in a run that saves and one that restores makes the snapshot's key
# (lib/snapshot.sh): only paths and the roles may differ.
boot_command() {
	local mode=$1 d=$2 dock=tg-dock,seed=$OPT_SEED ports=() accel gpu memory append

	boot_accel
	boot_gpu "$mode"
	boot_memory "$mode" "$3"
	boot_port out 0x4e1 "$d/out"
	boot_port err 0x4e2 "$d/err"
	boot_port results 0x4e3 "$d/results.tar"
	boot_port control 0x4e4 "$d/control"
	boot_port levels 0x4e5 "$d/levels"
	append="console=ttyS0 panic=-1 log_buf_len=16M printk.devkmsg=on"
	[ -z "$OPT_APPEND" ] || append+=" $OPT_APPEND"
	# shellcheck disable=SC2016
	case $mode in
	save) dock+=',save=exec:cat >"$TG_SNAPSHOT/state"';;
	*) dock+=",payload=$(qemu_value "$d/payload")";;
	esac
	qemu=("$TG_QEMU" -L "$TG_FIRMWARE"
	      -name timegraph -nodefaults -no-user-config -display none -no-reboot
	      "${memory[@]}" -smp "$OPT_SMP" "${accel[@]}" "${gpu[@]}"
	      -kernel "$TG_KERNEL/vmlinuz" -append "$append"
	      -chardev "file,id=log,path=$(qemu_value "$d/kernel.log"),append=on" -serial chardev:log
	      "${ports[@]}" -device "$dock" -device isa-debug-exit,iobase=0x4e8)
	if [ "$OPT_SHELL" = 1 ]; then qemu+=(-serial stdio); fi
	# shellcheck disable=SC2016
	case $mode in
	restore) qemu+=(-incoming 'exec:cat "$TG_SNAPSHOT/state"');;
	*) qemu+=(-initrd "$TG_INITRD");;
	esac
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

# boot_config BOOT PAYLOAD: what process 1 reads before it is laid up, and after.
boot_config() {
	local first='' then=''

	[ "$OPT_NOUVEAU" = none ] || first=$(boot_insmod "$2" nouveau)
	[ "$OPT_TIMEGRAPH" = 0 ] ||
		then=$(boot_insmod "$2" nouveau timegraph | grep -vxF "$first")
	{
		echo "TG_LOCKDOWN=${OPT_LOCKDOWN#0}"
		echo "TG_INSMOD='${first//$'\n'/ }'"
	} >"$1/tg/config"
	{
		echo "TG_SHELL=${OPT_SHELL#0}"
		[ "$OPT_SHELL" = 0 ] || boot_terminal
		echo "TG_INSMOD='${then//$'\n'/ }'"
	} >"$2/tg/run"
}

# boot_first BOOT PAYLOAD: what the guest needs before it is laid up goes from one tree
# to the other: process 1, how it gets out, and the kernel's own modules.
boot_first() {
	local mods=usr/lib/modules/$TG_KREL/timegraph m

	mkdir -p "$1/$mods" "$1/usr/bin" "$1/tg"
	mv "$2/init" "$1/"
	mv "$2/usr/bin/tg-port" "$1/usr/bin/"
	for m in "$2/$mods"/*.ko; do
		case ${m##*/} in
		timegraph.ko|tg_rival.ko) ;;
		*) mv "$m" "$1/$mods/";;
		esac
	done
}

# boot_trees BOOT PAYLOAD: what lies over Debian's files. BOOT: what all runs of one
# machine share. PAYLOAD: this checkout's modules and programs, the user's own files,
# the command. An overlay comes last, and so after nouveau.
boot_trees() {
	local boot=$1 tree=$2 d

	mkdir -p "$boot" "$tree/tg" "$tree/usr/local/bin"
	install -m 755 "$TG_VM_DIR/guest/init" "$tree/init"
	install -m 755 "$TG_VM_DIR/guest/tg-desktop" "$tree/usr/local/bin/"
	for d in "${TG_PROGRAMS[@]}"; do
		[ ! -d "$d" ] || cp -a "$d/." "$tree/"
	done
	boot_modules "$tree"
	mkdir "$boot/tg"
	boot_config "$boot" "$tree"
	boot_first "$boot" "$tree"
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

# boot_archives RUNDIR: the trees as archives.
boot_archives() {
	tg_cpio "$1/boot" >"$1/boot.cpio"
	tg_cpio "$1/tree" >"$1/payload"
	rm -rf "$1/boot" "$1/tree"
}

# boot_initrd RUNDIR: sets TG_INITRD to the archives of the boot, one behind the other.
boot_initrd() {
	TG_INITRD=$1/initrd
	[ -e "$TG_INITRD" ] || cat "${TG_IMAGES[@]}" "$1/boot.cpio" >"$TG_INITRD"
}
