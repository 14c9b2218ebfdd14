/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The card's memory in a run: who has reserved how much of it, and who waits.
 *
 * A program with memory asks for all of it when it starts, and begins when it has it; then
 * it makes its buffers.  It gives all back when it ends.  Or ("each frame") it does so for
 * each of its frames alone, as a program that allocates for a phase.  Under the policy "none" nobody
 * reserves: whose buffers do not fit is refused them, and ends there.
 */
#ifndef MEMORY_H
#define MEMORY_H

#include "sim_state.h"

void memory_init(struct sim *s);

/**
 * memory_begin - @inst's program, or its frame, is to begin
 *
 * Return: whether it begins now; else memory_next() has it later, or it was refused
 * (sim_inst.refused).
 */
bool memory_begin(struct sim *s, struct sim_inst *inst);

/** memory_next - one that has its memory now, and begins; NULL if none does */
struct sim_inst *memory_next(struct sim *s);

/** memory_end - it, or its frame, has ended */
void memory_end(struct sim *s, struct sim_inst *inst);

/**
 * struct memory_sum - how a run's programs got through
 * @makespan_ns: from the start of the first to the end of the last of those with memory
 * @gpu_ppm: of that time the GPU was busy
 * @used_ppm: of the memory that can be reserved was taken, in the mean of that time
 * @nr_refused: programs that did not get theirs
 * @all: each has ended
 */
struct memory_sum {
	u64 makespan_ns;
	u32 gpu_ppm, used_ppm;
	u32 nr_refused;
	bool all;
};

struct memory_sum memory_sum(const struct sim *s);

#endif
