/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processes of a unit by pidfd, which no other process can take over as it could
 * their numbers.
 *
 * A descriptor is opened by number, and by then that may be another's already.  So
 * the unit is resolved again when all are open, and those are kept whose number is in
 * both: who has it at the second look is in the unit, and has it since the
 * descriptor was opened, or that one's process has ended, which harms nobody.
 */
#ifndef TGFOCUS_PINS_H
#define TGFOCUS_PINS_H

#include "unit.h"

struct focus_pins {
	uint32_t n;
	int32_t pid[UNIT_PIDS_MAX], fd[UNIT_PIDS_MAX];
};

/*
 * Opens one of each process of the unit that lives.  0, or -errno: there are no
 * pidfds, or not enough descriptors, and none is open.
 */
int focus_pins_open(struct focus_pins *pins, const struct focus_unit *unit);
/* Closes those that are not of the unit as it is now, and takes out of that who has none. */
void focus_pins_keep(struct focus_pins *pins, struct focus_unit *unit);
void focus_pins_close(struct focus_pins *pins);

/* As many descriptors as the user may have: a unit can have thousands of processes. */
void focus_pins_init(void);

#endif
