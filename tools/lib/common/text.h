/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words and numbers of the interface, as a person reads them. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <drm/timegraph.h>

#define TEXT_BYTES 32

/*
 * @s without what would steer a terminal: control characters and bytes that are
 * no UTF-8 become '?'.  At most @columns characters, each taken for one column
 * wide; @size bytes with the end.  Returns @out.
 */
char *text_safe(char *out, size_t size, const char *s, size_t columns);

/* Exactly, as in a specification: "2500us", "25ms". */
char *text_time(char out[TEXT_BYTES], uint64_t ns);
/* "5/20ms" */
char *text_reserve(char out[2 * TEXT_BYTES], uint64_t capacity_ns, uint64_t period_ns);
/* In three digits: "1.23ms", "-45.6us", "0". */
char *text_short(char out[TEXT_BYTES], int64_t ns);

/* As in a specification; "?" for what this program does not know. */
const char *text_policy(unsigned int policy);
/*
 * The same with its weight, if that is not the usual one, and its lead, if that is its own
 * and not TIMEGRAPH_LEAD_COMMON: "FQ=200", "PRT lead=500us".
 */
char *text_sched(char out[2 * TEXT_BYTES], unsigned int policy, unsigned int weight,
		 uint64_t lead_ns);
/* A task's, for this; none from a module before interface 9. */
uint64_t text_own_lead(const struct timegraph_task *t);
const char *text_resv(unsigned int resv);
/* The module's parameter; NULL from one before interface 5, which does not tell. */
const char *text_completion(const struct timegraph_caps *caps);
/* One of @caps' predictors; NULL from a module before interface 6. */
const char *text_predictor(const struct timegraph_caps *caps, unsigned int predictor);
/*
 * The static priority that holds: a task whose reserve does not fit runs at the
 * lowest, whatever it was given, and the focus does not lift it; a display server has that
 * of the foreground.
 */
unsigned int text_prio_in_force(const struct timegraph_task *t);
/* The task with the policy, weight and priority that hold; see TIMEGRAPH_TASK_CPU. */
struct timegraph_task text_in_force(const struct timegraph_task *t);
/*
 * "50", "50*", "50*F" (in the foreground); "60>0": it was given 60, but 0 is what
 * holds, and then * and F have no effect; "20c": that of the CPU; "60S": it has 60 as the foreground's display
 * server.  At most four characters.
 */
char *text_prio(char out[TEXT_BYTES], const struct timegraph_task *t);
/* Why a GPU is not scheduled; NULL if it is. */
const char *text_bypass(unsigned int bits);
/* A word for an option: "user", "hang", "suspend"; NULL. */
const char *text_bypass_word(unsigned int bits);

/* How video memory is given, and why not yet; "?" as above. */
const char *text_vram_policy(unsigned int policy);
const char *text_vram_beyond(unsigned int beyond);
const char *text_vram_why(unsigned int why);
/* "256 MiB: 120 reserved, 8 used besides, 104 free, 1 waiting"; whole MiB */
#define TEXT_VRAM_BYTES 128
char *text_vram(char out[TEXT_VRAM_BYTES], const struct timegraph_vram *v);
/* The process numbered @pid, or the domain that its buffers are charged to; or NULL. */
const struct timegraph_vram_account *text_find_account(const struct timegraph_vram_account *a,
						       uint32_t n, int32_t pid);

/* The reserve numbered @id, or NULL. */
const struct timegraph_reserve *text_find_reserve(const struct timegraph_reserve *r,
						  uint32_t n, uint32_t id);

#endif
