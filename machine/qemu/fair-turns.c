/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several CPUs of a machine in virtual time have short turns. QEMU 7.2 gives the first CPU
 * that has something to do all that is left until the next timer, and the others what that
 * leaves: nothing. Who is after a busy one does not come to anything for milliseconds: 300
 * sleeps of a millisecond took 2.98 s beside a dd on the first CPU, and take 0.41 s with this
 * (busy_cpu_leaves_the_other_its_turns of the machine's tests). So with more than one CPU a
 * turn is TG_TURN instructions at most, which are as many nanoseconds; and a CPU that finds
 * a timer due runs it and has its turn, instead of losing it.
 *
 * The clock counts the instructions of all CPUs: two that are busy have half the speed each.
 *
 * Put into QEMU's accel/tcg/tcg-accel-ops-icount.c, and called for a CPU's turn.
 */
#define TG_TURN 10000

static int64_t tg_turn(void)
{
    int64_t limit = icount_get_limit();

    if (!CPU_NEXT(first_cpu)) {
        return limit;
    }
    if (!limit) {
        qemu_mutex_lock_iothread();
        icount_notify_aio_contexts();
        qemu_mutex_unlock_iothread();
        limit = icount_get_limit();
    }
    return MIN(limit, TG_TURN);
}

