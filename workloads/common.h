/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every workload shares, whatever it drives the GPU with: the common
 * options, the common measuring window, and the report.
 *
 * All times are CLOCK_MONOTONIC in ns, so that the reports of several programs
 * and the kernel's trace can be laid side by side.
 */
#ifndef WL_COMMON_H
#define WL_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "opts.h"
#include "stats.h"

#define WL_FOREVER_NS UINT64_MAX
#define WL_MAX_EXTRA 24

struct wl_common {
	const char *task;	/* the program's name */
	const char *name;	/* what the kernel sees: --name or the task */
	struct wl_size size;
	uint64_t duration_ns;
	uint64_t frames;	/* 0: until the window ends */
	uint64_t warmup;	/* frames before "ready" */
	uint64_t seed;
	uint64_t start_at_ns;
	const char *barrier;
	const char *device;
	const char *frame_log;	/* a folder, or NULL */
	bool json, check;
};

/* A run's measurements. Frame times go between completions, latency from submission. */
struct wl_run {
	const struct wl_common *common;
	uint64_t channel_before_ns, channel_after_ns;	/* the GPU channel was opened between */
	uint64_t ready_ns, start_ns, end_ns;
	uint64_t deadline_ns;		/* end of the window, WL_FOREVER_NS with --frames alone */
	uint64_t cpu_start_ns, cpu_ns;
	uint64_t last_done_ns;
	uint64_t frames;		/* completed inside the window */
	uint64_t pending_ns;		/* how long the oldest unfinished frame had waited */
	struct wl_samples frame_times, latencies;
	struct wl_marks done;		/* each frame's completion, with --frame-log */
	char renderer[64];
	const char *sync;
	const char *check;		/* "pass", "fail" or NULL = not asked for */
	struct wl_extra {
		const char *key;
		uint64_t value;
	} extra[WL_MAX_EXTRA];
	unsigned int nr_extra;
};

uint64_t wl_now_ns(void);
void wl_sleep_until(uint64_t ns);
/* Sleeps until no GPU work on the buffer is left; false if until_ns came first. */
bool wl_wait_dmabuf(int fd, uint64_t until_ns);
/* A reproducible stream: the same (seed, index) always gives the same value. */
uint64_t wl_random(uint64_t seed, uint64_t index);

/* True once SIGTERM or SIGINT came: finish and report what was measured. */
bool wl_stopped(void);
void wl_catch_signals(void);

/*
 * Parses the command line by the common options and up to two further tables
 * (either may be NULL), answers --help, sets the process name and the signal
 * handlers. Ends the process on a usage error. c holds the defaults on entry.
 */
void wl_common_init(struct wl_common *c, int argc, char **argv, const char *summary,
		    const struct wl_opt *own, const struct wl_opt *family);

/* What the program exits with: status, or WL_FAILED if its output did not arrive. */
int wl_end(const struct wl_common *c, int status);

void wl_run_init(struct wl_run *run, const struct wl_common *c);
void wl_run_fini(struct wl_run *run);
/*
 * Says "ready", waits for the common start, opens the window. Returns false if
 * the wait was ended by a signal or the barrier cannot be read.
 */
bool wl_run_start(struct wl_run *run);
/* A frame begun at begin_ns was seen complete at done_ns; ignored outside the window. */
void wl_run_frame(struct wl_run *run, uint64_t begin_ns, uint64_t done_ns);
bool wl_run_over(const struct wl_run *run, uint64_t now_ns);
/* oldest_ns: when the oldest frame still on the GPU was begun, 0 = none. */
void wl_run_end(struct wl_run *run, uint64_t oldest_ns);
void wl_run_extra(struct wl_run *run, const char *key, uint64_t value);
/*
 * Prints the report. With --json it is one object on a line, with these keys:
 *
 *	task, name, pid			the program; its comm
 *	frames, fps			completed in the window; per second of it
 *	p50_us p90_us p99_us max_us mean_us	from one frame's completion to the next
 *	lat_p50_us … lat_max_us		from a frame's submission to its completion
 *	pending_us			how long the oldest unfinished frame had
 *					waited when the window ended: a starved
 *					program shows here, not in the percentiles
 *	cpu_us, cpu_percent		user + system time in the window
 *	wall_us, start_us, end_us, start_ns, end_ns	the window, CLOCK_MONOTONIC
 *	channel_open_ns			the GPU channel existed from here on
 *	ready_ns			warm-up was over
 *	width, height, sync, renderer	what was drawn, how its end was awaited
 *	check				"pass" or "fail", with --check or --verify
 *
 * OpenGL programs add groups (flushes), draws, in_flight and, when paced, late
 * and skipped. tgload adds per-group values by GPU time: group_gpu_*_ns (from
 * start to end), group_lat_*_ns (from submission to end), gpu_busy_ns,
 * groups_done, stamps_lost, units_per_group, last_rows, bytes_per_unit, and with
 * --window-us the least that any window of that length in the run got:
 * window_busy_min_ns (by GPU time), window_groups_min.
 *
 * With --frame-log DIR it also writes DIR/PID.frames: when each frame was complete, in ns
 * after the window's start, a line each.
 */
void wl_run_report(struct wl_run *run);

void wl_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
