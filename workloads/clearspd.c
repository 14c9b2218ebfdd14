// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A command bomb: nothing but clears of the whole colour and depth buffer, with
 * always enough of them queued that the GPU would never be free. It is the
 * TimeGraph paper's misbehaving neighbour.
 *
 * A "frame" is --group clears. Three of them are in flight at most, as with a
 * swap chain; --frames-in-flight 0 sends without end, but then nouveau waits
 * for room in the channel's ring by spinning, and the bomb takes the CPU too.
 *
 * Mesa's nv50 driver (22.0 and later) ends a command group after every clear.
 * --overdraw N makes long groups instead: one draw call that covers the whole
 * buffer N times.
 */
#include "glapp.h"
#include "mesh.h"

#define MAX_OVERDRAW 1000

static const char vertex_source[] =
	"attribute vec2 position;\n"
	"attribute vec4 instance;\n"
	"void main() {\n"
	"	gl_Position = vec4(position, instance.x, 1.0);\n"
	"}\n";

static const char fragment_source[] =
	"precision mediump float;\n"
	"uniform vec4 colour;\n"
	"void main() {\n"
	"	gl_FragColor = colour;\n"
	"}\n";

static struct {
	uint64_t overdraw;
	GLuint program;
	GLint colour;
	struct mesh quad;
	struct instances copies;
} bomb;

static void set_off(struct gl_app *app, struct gl_target *target, uint64_t index)
{
	uint64_t i, colour = wl_random(app->common.seed, index);

	gl_target_bind(target);
	for (i = 0; i < app->group; i++) {
		float r = (float)(colour & 255) / 255.0f, g = (float)(colour >> 8 & 255) / 255.0f;

		colour += 0x0203;
		if (bomb.overdraw) {
			glUniform4f(bomb.colour, r, g, 0.5f, 1.0f);
			instances_draw(&bomb.copies, &bomb.quad, (GLsizei)bomb.overdraw);
		} else {
			glClearColor(r, g, 0.5f, 1.0f);
			glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
		}
		app->draws++;
	}
	app->groups++;
}

static bool init(struct gl_app *app)
{
	static float copies[MAX_OVERDRAW][4];

	glClearDepthf(1.0f);
	if (!bomb.overdraw)
		return true;
	bomb.program = gl_program(vertex_source, fragment_source);
	if (!bomb.program || !mesh_grid(&bomb.quad, 1, 1) ||
	    !instances_init(&bomb.copies, copies[0], MAX_OVERDRAW, app->gl.es3))
		return false;
	bomb.colour = glGetUniformLocation(bomb.program, "colour");
	glUseProgram(bomb.program);
	mesh_bind(&bomb.quad);
	instances_bind(&bomb.copies);
	return true;
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

static void fini(struct gl_app *app)
{
	(void)app;
	instances_fini(&bomb.copies);
	mesh_fini(&bomb.quad);
	glDeleteProgram(bomb.program);
}

int main(int argc, char **argv)
{
	static const struct wl_opt opts[] = {
		{ "overdraw", WL_OPT_UINT, &bomb.overdraw, "N",
		  "draw over everything N times, not clear", .min = 0, .max = MAX_OVERDRAW },
		{ 0 },
	};
	static const struct gl_workload workload = {
		.task = "clearspd",
		.summary = "Command bomb: back-to-back clears; a frame is --group of them.",
		.size = { 1280, 1024 },
		.in_flight = 3,
		.group = 16,
		.warmup = 1,
		.depth = true,
		.init = init,
		.opts = opts,
		.frame = set_off,
		.check = check,
		.fini = fini,
	};

	return gl_app_main(argc, argv, &workload);
}
