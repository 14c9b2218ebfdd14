/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several CPUs of a machine in virtual time have short turns. QEMU 7.2 gives the first CPU
 * that has something to do all that is left until the next timer, and the others what that
 * leaves: nothing. Who is after a busy one may not come to anything for milliseconds: a
 * program that wakes each half millisecond had 4 and 14 % of its work done beside two that
 * keep a CPU busy with system calls (98 % with this). So with more than one CPU a turn is
 * TG_TURN instructions at most, which are as many nanoseconds; and a CPU that finds a timer
 * due runs it and has its turn, instead of losing it.
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

