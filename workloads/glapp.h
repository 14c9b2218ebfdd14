/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of an OpenGL workload: options, set-up, warm-up, the common window,
 * checks, report. A workload fills in struct gl_workload and calls
 * gl_app_main() from main().
 */
#ifndef WL_GLAPP_H
#define WL_GLAPP_H

#include "gl.h"

struct gl_app {
	const struct gl_workload *workload;
	struct wl_common common;
	struct gl gl;
	struct gl_frames frames;
	struct wl_run run;
	uint64_t in_flight, fps, group;
	int sync;
	bool software;
	uint64_t next_frame;		/* index of the next frame to draw */
	uint64_t in_group;		/* draws since the last flush */
	uint64_t draws, groups;		/* since the window opened */
	uint64_t skipped;		/* periods that passed with no frame begun */
};

struct gl_workload {
	const char *task;
	const char *summary;		/* one or two lines for --help */
	struct wl_size size;
	uint64_t in_flight;		/* default of --frames-in-flight, 0 = unlimited */
	uint64_t fps;			/* default of --fps, 0 = as fast as it goes */
	uint64_t group;			/* default of --group */
	uint64_t warmup;
	bool depth;			/* the frame has a depth buffer */
	const struct wl_opt *opts;	/* own options or NULL */

	/*
	 * All are called with the context current, in this order. init() and
	 * check() return false after saying why; frame() draws frame `index`
	 * into `target`; fini() also follows a failed init().
	 */
	bool (*init)(struct gl_app *app);
	void (*frame)(struct gl_app *app, struct gl_target *target, uint64_t index);
	bool (*check)(struct gl_app *app);
	void (*report)(struct gl_app *app);
	void (*fini)(struct gl_app *app);
};

int gl_app_main(int argc, char **argv, const struct gl_workload *workload);

/* Call after each draw or clear: flushes a command group when it has `group` of them. */
void gl_app_drawn(struct gl_app *app);

/* Clears, uploads and blits that need no shader, read back and compared. */
bool gl_check_basics(struct gl_app *app);
/* Compares a rectangle of the bound framebuffer with one colour (±1). */
bool gl_check_colour(const char *what, int x, int y, int width, int height,
		     const unsigned char rgba[4]);

#endif
