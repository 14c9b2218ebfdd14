/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idle time passes on the CPUs' own thread. QEMU has its main loop see that all CPUs are
 * idle, move the clock to the next timer and run that, which wakes the CPUs' thread: two
 * changes of threads for each timer, most of the time of a guest that waits for its GPU.
 * (tell-nobody.awk: nor does the CPUs' thread tell it each time that the clock has moved.)
 * Put into QEMU's accel/tcg/tcg-accel-ops-rr.c, and called where it would tell the main
 * loop. With the clock of the host (icount without sleep=off) nothing is moved, and the
 * main loop is told.
 *
 * The main loop moves the clock, too, whenever it is awake and sees that all CPUs are idle;
 * but what they have executed up to that moment may not have been counted yet, and the clock
 * is ahead by as much (27 ns in one of two runs of the table). So it does that only for CPUs
 * whose thread waits, which it says (tg_cpus_wait, under QEMU's lock; warp-waiting.awk).
 *
 * A CPU that was stopped counts as idle, too, and the machine as one that runs until the
 * main loop has come to stop it (tg-dock.c): no time passes for a guest in that state.
 */
extern bool tg_cpus_wait;
bool tg_cpus_wait;

static bool tg_all_halted(void)
{
    CPUState *cpu;

    CPU_FOREACH(cpu) {
        if (cpu->stopped) {
            return false;
        }
    }
    return all_cpu_threads_idle() && runstate_is_running();
}

static void tg_pass_idle_time(void)
{
    while (icount_enabled() && tg_all_halted()) {
        icount_start_warp_timer();
        if (qemu_clock_deadline_ns_all(QEMU_CLOCK_VIRTUAL, ~QEMU_TIMER_ATTR_EXTERNAL)) {
            return;
        }
        qemu_clock_run_timers(QEMU_CLOCK_VIRTUAL);
        /* The main loop may have something else to do. */
        qemu_mutex_unlock_iothread();
        qemu_mutex_lock_iothread();
    }
}

