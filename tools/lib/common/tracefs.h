/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of the kernel's trace. */
#ifndef TRACEFS_H
#define TRACEFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json.h"

/**
 * struct trace_line - an event
 * @time_ns: its time, by the clock of the trace
 * @event: its name, "tg_submit"; not ended
 * @event_len: bytes of it
 * @text: what it says
 */
struct trace_line {
	uint64_t time_ns;
	const char *event;
	unsigned int event_len;
	const char *text;
};

/* Takes a line without its end apart; false if it is no event of timegraph. */
bool trace_parse(const char *line, struct trace_line *t);

/*
 * What stands behind the first "@key=" in a line's text, up to the next blank: its length
 * goes to @len. NULL if it is not there.
 */
const char *trace_field(const char *text, const char *key, size_t *len);

/* An object: time_ns, event, text, and in "fields" what stands as key=value. */
void trace_json(struct json *j, const struct trace_line *t);

/* From the trace's head: events written and events still there. */
bool trace_counts(const char *line, uint64_t *kept, uint64_t *written);

#endif
