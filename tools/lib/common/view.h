/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sample of one GPU as lines of text.  Nothing here knows a terminal. */
#ifndef VIEW_H
#define VIEW_H

#include "cli.h"
#include "sample.h"

/* Of a line, with its end. */
#define VIEW_BYTES 512
#define VIEW_MIN_WIDTH 40
#define VIEW_MAX_WIDTH 160

enum view_style {
	VIEW_PLAIN,
	VIEW_TITLE,
	VIEW_ALERT,	/* something is not as it should be */
	VIEW_COLUMNS,	/* names of columns */
	VIEW_RUNNING,	/* a task on the GPU */
	VIEW_WAITING,	/* a task that waits for its turn */
	VIEW_THROTTLED,	/* a task that waits for its budget */
	VIEW_STYLES,
};

enum view_sort {
	VIEW_BY_SHARE,
	VIEW_BY_WAIT,
	VIEW_BY_THROTTLE,
	VIEW_BY_PRIO,
	VIEW_BY_ERROR,
	VIEW_BY_NAME,
	VIEW_BY_PID,
	VIEW_SORTS,
};

struct view_line {
	enum view_style style;
	char text[VIEW_BYTES];
};

/**
 * struct view_options - what to show
 * @sort: of the tasks
 * @reverse: the other way round
 * @width: columns
 */
struct view_options {
	enum view_sort sort;
	bool reverse;
	unsigned int width;
};

/**
 * struct view - lines; { 0 } at first
 * @line: @n of them
 * @nr_head: of them, those above the tasks
 * @room: allocated
 * @order: scratch: tasks as they are sorted
 * @order_room: allocated
 */
struct view {
	struct view_line *line;
	uint32_t n;
	uint32_t nr_head;
	uint32_t room;
	const struct sample_task **order;
	uint32_t order_room;
};

/* Names of the sorts, for options and help. */
extern const char *const view_sort_name[VIEW_SORTS];
/* One of them as an option's value, an enum view_sort. */
cli_take view_take_sort;

/* Of standard output; 80 if it is no terminal. */
unsigned int view_terminal_width(void);

/**
 * view_render - draw GPU @index of @s
 * @snap: what @s was made of
 *
 * Return: 0 or -ENOMEM.
 */
int view_render(struct view *v, const struct view_options *o,
		const struct timegraph_snapshot *snap, const struct sample *s,
		uint32_t index);
void view_free(struct view *v);

/*
 * Prints the GPUs whose interval @s has measured: @gpu, or TIMEGRAPH_ALL_GPUS. @v
 * is scratch. 0 or -ENOMEM.
 */
int view_print(struct view *v, const struct view_options *o, const struct sampler *s,
	       uint32_t gpu);

#endif
