/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calling thread's generator from its start, with a seed of its own. Appended to
 * QEMU's util/guest-random.c, whose variables it needs.
 */
void qemu_guest_random_restart(uint64_t seed);
void qemu_guest_random_restart(uint64_t seed)
{
    if (deterministic) {
        g_clear_pointer(&thread_rand, g_rand_free);
        qemu_guest_random_seed_thread_part2(seed);
    }
}
