/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is shown and how, and what keys change in it.  No terminal here. */
#ifndef STATE_H
#define STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "view.h"

#define STATE_MIN_NS 100000000ULL	/* faster cannot be read */
#define STATE_MAX_NS 60000000000ULL

/* Keys that are no characters. */
enum state_key {
	STATE_KEY_UP = 0x110000,
	STATE_KEY_DOWN,
	STATE_KEY_PAGE_UP,
	STATE_KEY_PAGE_DOWN,
	STATE_KEY_HOME,
	STATE_KEY_END,
	STATE_KEY_LEFT,
	STATE_KEY_RIGHT,
};

/**
 * struct state - of the screen
 * @view: sort and width
 * @interval_ns: between two looks
 * @gpu: which is shown
 * @top: first task shown
 * @help: the help is shown instead
 * @frozen: no new looks
 */
struct state {
	struct view_options view;
	uint64_t interval_ns;
	uint32_t gpu;
	uint32_t top;
	bool help;
	bool frozen;
};

enum state_action {
	STATE_NOTHING,
	STATE_DRAW,
	STATE_LOOK,	/* now, and draw */
	STATE_QUIT,
};

/* What a key does; @page is how many tasks the screen has room for. */
enum state_action state_key(struct state *s, int key, uint32_t nr_gpus, uint32_t page);

/* Keep @gpu and @top within what there is. */
void state_clamp(struct state *s, uint32_t nr_gpus, uint32_t nr_lines, uint32_t page);

/* The help's lines, with NULL behind the last. */
extern const char *const state_help[];

#endif
