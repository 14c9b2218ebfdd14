/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulation: runs a scenario, and tells who watches it what happens. */
#ifndef SIM_H
#define SIM_H

#include "sim_state.h"

void sim_init(struct sim *s, const struct scenario *sc);
void sim_observe(struct sim *s, const struct sim_observer *o);
void sim_run(struct sim *s);
void sim_fini(struct sim *s);

/** sim_task_name - what the scenario calls the program of a task */
const char *sim_task_name(const struct tg_task *task);

/* How many instances a scenario makes. */
u32 sim_count_instances(const struct scenario *sc);

/* The reserve that the core would charge @inst's groups to, or NULL. */
struct sim_reserve *sim_reserve_of(struct sim *s, const struct sim_inst *inst);

#endif
