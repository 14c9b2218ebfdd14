/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values as they are typed.  What a specification can say is read by the
 * kernel's own parser of it, so that both mean the same; nothing here prints.
 */
#ifndef ARGS_H
#define ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include "cli.h"
#include "libtimegraph.h"

/* A process number, in digits only. */
bool args_pid(const char *s, int32_t *pid);
/* A number of at most @max, in digits only. */
bool args_number(const char *s, uint32_t max, uint32_t *v);
/* Seconds, a fraction as well ("0.5"), 10 ms to one day, as nanoseconds. */
bool args_seconds(const char *s, uint64_t *ns);

/* Both as an option's value: uint32_t in the option's range, and nanoseconds. */
cli_take args_take_number;
cli_take args_take_seconds;
/* "256M", as a specification has it: K, M, G or nothing behind a number; uint64_t bytes. */
cli_take args_take_bytes;

/* Into @set, with its TIMEGRAPH_SET_* bit. */
bool args_policy(const char *s, struct timegraph_set *set, struct cli_error *err);
bool args_lead(const char *s, struct timegraph_set *set, struct cli_error *err);
bool args_prio(const char *s, struct timegraph_set *set, struct cli_error *err);

/**
 * struct args_resv - a reserve as it is typed; NULL is what was left out
 * @resv: -, PE, AE, BG; PE@group and AE@group, then without @group
 */
struct args_resv {
	const char *resv;
	const char *capacity;
	const char *period;
	const char *group;
};

bool args_resv(const struct args_resv *r, struct timegraph_set *set,
	       struct cli_error *err);

/* "5ms:20ms" */
bool args_times(const char *s, uint64_t *capacity_ns, uint64_t *period_ns,
		struct cli_error *err);

#endif
