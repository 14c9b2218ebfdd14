// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A command bomb: nothing but clears of the whole colour and depth buffer, sent
 * in long command groups as fast as the driver takes them. A "frame" is one
 * group. It is the TimeGraph paper's misbehaving neighbour: hardly any CPU, and
 * groups that occupy the GPU for milliseconds.
 */
#include "glapp.h"

static void bomb(struct gl_app *app, struct gl_target *target, uint64_t index)
{
	uint64_t i, colour = wl_random(app->common.seed, index);

	gl_target_bind(target);
	for (i = 0; i < app->group; i++) {
		colour += 0x010203;
		glClearColor((colour & 255) / 255.0f, (colour >> 8 & 255) / 255.0f,
			     (colour >> 16 & 255) / 255.0f, 1.0f);
		glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
		gl_app_drawn(app);
	}
}

static bool init(struct gl_app *app)
{
	glDisable(GL_SCISSOR_TEST);
	glClearDepthf(1.0f);
	return gl_ok(app->workload->task);
}

static bool check(struct gl_app *app)
{
	static const unsigned char rgba[4] = { 0x10, 0x60, 0xb0, 0xff };
	struct gl_target *target = gl_frames_target(&app->frames);

	gl_target_bind(target);
	glClearColor(rgba[0] / 255.0f, rgba[1] / 255.0f, rgba[2] / 255.0f, 1.0f);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
	return gl_check_colour("frame", 0, 0, target->width, target->height, rgba);
}

int main(int argc, char **argv)
{
	static const struct gl_workload workload = {
		.task = "clearspd",
		.summary = "Command bomb: back-to-back clears; a frame is one command group.",
		.size = { 512, 512 },
		.in_flight = 0,
		.group = 128,
		.warmup = 1,
		.depth = true,
		.init = init,
		.frame = bomb,
		.check = check,
	};

	return gl_app_main(argc, argv, &workload);
}
