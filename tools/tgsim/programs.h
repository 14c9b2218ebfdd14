/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the simulated programs do: when their groups arrive and what they cost. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include "sim_state.h"

/* Its first frame is scheduled. */
void program_start(struct sim *s, struct sim_inst *inst);

/* A frame begins: its groups join the backlog; the next is scheduled. */
void program_frame(struct sim *s, struct sim_inst *inst);

/* All its frames are complete. */
bool program_is_over(const struct sim_inst *inst);

/* A group was submitted or is complete: a loop may go on. */
void program_continue(struct sim *s, struct sim_inst *inst);

#endif
