/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an event was, told from the state before and after it. */
#ifndef EVENTS_H
#define EVENTS_H

#include "libtimegraph.h"

enum event_what {
	EVENT_TASK_APPEARED,
	EVENT_TASK_GONE,
	EVENT_FITS,
	EVENT_DOES_NOT_FIT,
	EVENT_SCHEDULING,
	EVENT_BYPASS,
	EVENT_FOREGROUND,
	EVENT_NOT_FOREGROUND,
	EVENT_CONFIG_READ,
	EVENT_CONFIG_REFUSED,
	EVENT_UNSEEN,	/* over already, or of a task that may not be seen */
};

/**
 * struct event - one of them
 * @kind: TIMEGRAPH_EVENT_* bit
 * @what: what happened
 * @gpu: the GPU, NULL for the files
 * @task: for tasks and the foreground
 * @reserve: for admission
 * @config: for the files
 */
struct event {
	uint32_t kind;
	enum event_what what;
	const struct timegraph_gpu *gpu;
	const struct timegraph_task *task;
	const struct timegraph_reserve *reserve;
	const struct timegraph_config *config;
};

#define EVENTS_ALL (TIMEGRAPH_EVENT_TASK | TIMEGRAPH_EVENT_ADMISSION |		\
		    TIMEGRAPH_EVENT_BYPASS | TIMEGRAPH_EVENT_FOREGROUND |	\
		    TIMEGRAPH_EVENT_CONFIG)

/* "task", "admission", "bypass", "foreground", "config"; NULL for no single bit. */
const char *events_name(uint32_t kind);
/* Bits from "task,bypass"; 0 if a word is unknown. */
uint32_t events_mask(const char *words);
/* A word for scripts: "appeared". */
const char *events_word(enum event_what what);

/*
 * Calls @emit for each difference of the kinds in @mask; for a kind without one,
 * once with EVENT_UNSEEN.
 */
void events_diff(const struct timegraph_snapshot *before,
		 const struct timegraph_snapshot *after, uint32_t mask,
		 void (*emit)(const struct event *e, void *arg), void *arg);

#endif
