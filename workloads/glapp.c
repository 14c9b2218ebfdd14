// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>

#include "glapp.h"

void gl_app_drawn(struct gl_app *app)
{
	app->draws++;
	if (++app->in_group < app->group)
		return;
	glFlush();
	app->in_group = 0;
	app->groups++;
}

static void draw_frame(struct gl_app *app, uint64_t due_ns)
{
	uint64_t begin_ns = wl_now_ns();

	app->workload->frame(app, gl_frames_target(&app->frames), app->next_frame++);
	app->groups += app->in_group != 0;
	app->in_group = 0;
	gl_frames_submit(&app->frames, begin_ns, due_ns);
}

/* Also compiles shaders and fills caches, which a measurement should not see. */
static void warm_up(struct gl_app *app)
{
	uint64_t i;

	for (i = 0; i < app->common.warmup && !wl_stopped(); i++) {
		gl_frames_reap(&app->frames, &app->run, app->frames.capacity - 1, WL_FOREVER_NS);
		draw_frame(app, 0);
	}
	gl_frames_reap(&app->frames, &app->run, 0, WL_FOREVER_NS);
	app->draws = app->groups = app->skipped = app->frames.late = 0;
	app->next_frame = 0;
}

/*
 * Waits for the tick of a periodic program; periods that are already over are
 * skipped, as a player drops pictures. Returns when the frame is due.
 */
static uint64_t next_tick(struct gl_app *app, uint64_t *tick)
{
	uint64_t start_ns = app->run.start_ns, now_ns, current;

	/* tick < 2^32 frames and 1e9: the product stays below 2^62. */
	gl_frames_reap(&app->frames, &app->run, 0, start_ns + *tick * 1000000000 / app->fps);
	wl_sleep_until(start_ns + *tick * 1000000000 / app->fps);
	now_ns = wl_now_ns();
	current = (now_ns - start_ns) * app->fps / 1000000000;
	if (current > *tick) {
		app->skipped += current - *tick;
		*tick = current;
	}
	++*tick;
	return start_ns + *tick * 1000000000 / app->fps;
}

static void measure(struct gl_app *app)
{
	struct wl_run *run = &app->run;
	uint64_t due_ns = 0, tick = 0;

	while (!wl_run_over(run, wl_now_ns())) {
		if (app->common.frames && app->next_frame >= app->common.frames) {
			gl_frames_reap(&app->frames, run, 0, run->deadline_ns);
			continue;
		}
		if (app->fps)
			due_ns = next_tick(app, &tick);
		if (gl_frames_reap(&app->frames, run, app->frames.capacity - 1,
				   run->deadline_ns) &&
		    !wl_run_over(run, wl_now_ns()))
			draw_frame(app, due_ns);
	}
	wl_run_end(run, gl_frames_oldest_ns(&app->frames));
}

static void add_extras(struct gl_app *app)
{
	wl_run_extra(&app->run, "groups", app->groups);
	wl_run_extra(&app->run, "draws", app->draws);
	wl_run_extra(&app->run, "in_flight", app->in_flight);
	if (app->fps) {
		wl_run_extra(&app->run, "late", app->frames.late);
		wl_run_extra(&app->run, "skipped", app->skipped);
	}
	if (app->workload->report)
		app->workload->report(app);
}

/* Reports before the frames still in flight are drained: a bomb's take long. */
static int run_window(struct gl_app *app)
{
	static const char *const sync_names[] = { "auto", "dmabuf", "fence", "finish" };
	bool good = true;

	app->run.sync = sync_names[app->frames.sync];
	if (!wl_run_start(&app->run))
		return wl_stopped() ? WL_OK : WL_FAILED;
	measure(app);
	if (app->common.check) {
		good = gl_check_basics(app) &&
		       (!app->workload->check || app->workload->check(app));
		app->run.check = good ? "pass" : "fail";
	}
	good = gl_ok(app->common.task) && good;
	add_extras(app);
	wl_run_report(&app->run);
	return good ? WL_OK : WL_FAILED;
}

static int run_app(struct gl_app *app)
{
	int status;

	status = gl_open(&app->gl, app->common.device, app->software);
	if (status != WL_OK)
		goto close;
	app->run.channel_before_ns = app->gl.channel_before_ns;
	app->run.channel_after_ns = app->gl.channel_after_ns;
	__builtin_memcpy(app->run.renderer, app->gl.renderer, sizeof(app->run.renderer));
	status = WL_FAILED;
	if (!gl_frames_init(&app->frames, &app->gl, app->common.size, app->workload->depth,
			    (unsigned int)app->in_flight, (enum gl_swap_sync)app->sync))
		goto close;
	if (app->workload->init(app) && gl_ok("set-up")) {
		warm_up(app);
		status = run_window(app);
	}
	/* Seconds of work may be queued: sleep here rather than spin in the driver. */
	gl_frames_reap(&app->frames, &app->run, 0, WL_FOREVER_NS);
	if (app->workload->fini)
		app->workload->fini(app);
	gl_frames_fini(&app->frames);
close:
	gl_close(&app->gl);
	return status;
}

int gl_app_main(int argc, char **argv, const struct gl_workload *w)
{
	static const char *const sync_choices[] = { "auto", "dmabuf", "fence", "finish", NULL };
	static struct gl_app app;
	const struct wl_opt family[] = {
		{ "fps", WL_OPT_UINT, &app.fps, "N", "begin N frames a second, 0 = all it can",
		  .min = 0, .max = 10000 },
		{ "frames-in-flight", WL_OPT_UINT, &app.in_flight, "N",
		  "frames on the GPU at once, 0 = no limit", .min = 0, .max = GL_TARGETS_MAX },
		{ "group", WL_OPT_UINT, &app.group, "N", "draws (clears) in a command group",
		  .min = 1, .max = 1000000 },
		{ "sync", WL_OPT_CHOICE, &app.sync, "HOW",
		  "frame end: auto, dmabuf, fence, finish", .choices = sync_choices },
		{ "software", WL_OPT_FLAG, &app.software, NULL, "accept a renderer that is no GPU" },
		{ 0 },
	};
	int status;

	app.workload = w;
	app.in_flight = w->in_flight;
	app.fps = w->fps;
	app.group = w->group;
	app.common = (struct wl_common){ .task = w->task, .size = w->size,
					 .warmup = w->warmup, .seed = 1 };
	wl_common_init(&app.common, argc, argv, w->summary, w->opts, family);
	if (!app.common.duration_ns && !app.common.frames)
		app.common.duration_ns = 5000000000;
	wl_run_init(&app.run, &app.common);
	status = run_app(&app);
	wl_run_fini(&app.run);
	return wl_end(&app.common, status);
}
