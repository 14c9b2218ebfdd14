/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SCHED_RANDOM_H
#define SCHED_RANDOM_H

void random_events_agree_with_the_oracle(void);

#endif
