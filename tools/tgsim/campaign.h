/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random scenarios, each watched by the monitor. */
#ifndef CAMPAIGN_H
#define CAMPAIGN_H

#include "scenario.h"

/* Runs @n scenarios; returns an exit status. */
int campaign_run(u64 n, u64 seed, bool quiet);

#endif
