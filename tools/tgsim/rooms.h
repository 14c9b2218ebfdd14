/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The monitor's account of the card's memory: a list of who came when, looked through anew
 * at each question, and what is taken added up from who has begun.
 */
#ifndef ROOMS_H
#define ROOMS_H

#include "sim.h"

struct rooms;

struct rooms *rooms_create(const struct sim *s);

void rooms_free(struct rooms *r);

/**
 * rooms_see - an event of the run
 *
 * Return: which rule it breaks, or NULL.
 */
const char *rooms_see(struct rooms *r, const struct sim_event *ev);

/** rooms_begun - programs that have had to wait for memory, and begun */
u64 rooms_begun(const struct rooms *r);

#endif
