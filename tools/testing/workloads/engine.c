// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A small regular widget in the manner of Gallium's "engine" and "gears" demos:
 * every frame costs the same, a fraction of a millisecond of GPU time.
 */
#include "glapp.h"
#include "mesh.h"

static const char vertex_source[] =
	"attribute vec2 position;\n"
	"uniform vec4 place;\n"		/* x, y, angle, scale */
	"varying float light;\n"
	"void main() {\n"
	"	float c = cos(place.z), s = sin(place.z);\n"
	"	vec2 turned = mat2(c, s, -s, c) * position;\n"
	"	light = 0.6 + 0.4 * turned.y;\n"
	"	gl_Position = vec4(place.xy + place.w * turned, 0.0, 1.0);\n"
	"}\n";

static const char fragment_source[] =
	"precision mediump float;\n"
	"uniform vec3 colour;\n"
	"varying float light;\n"
	"void main() {\n"
	"	gl_FragColor = vec4(light * colour, 1.0);\n"
	"}\n";

static struct {
	uint64_t parts;
	GLuint program;
	GLint place, colour;
	struct mesh gear;
} engine = { .parts = 24 };

static bool init(struct gl_app *app)
{
	(void)app;
	engine.program = gl_program(vertex_source, fragment_source);
	if (!engine.program || !mesh_gear(&engine.gear, 20, 0.3f, 1.0f))
		return false;
	engine.place = glGetUniformLocation(engine.program, "place");
	engine.colour = glGetUniformLocation(engine.program, "colour");
	glUseProgram(engine.program);
	glUniform3f(engine.colour, 0.8f, 0.5f, 0.1f);
	mesh_bind(&engine.gear);
	return true;
}

static void frame(struct gl_app *app, struct gl_target *target, uint64_t index)
{
	float turn = (float)(index % 360) * 0.0174533f;
	uint64_t i;

	gl_target_bind(target);
	glClearColor(0.1f, 0.1f, 0.1f, 1.0f);
	glClear(GL_COLOR_BUFFER_BIT);
	for (i = 0; i < engine.parts; i++) {
		float column = (float)(i % 5), row = (float)(i / 5 % 5);

		glUniform4f(engine.place, 0.4f * column - 0.8f, 0.4f * row - 0.8f,
			    i & 1 ? -turn : turn, 0.22f);
		mesh_draw(&engine.gear);
		gl_app_drawn(app);
	}
}

static void fini(struct gl_app *app)
{
	(void)app;
	mesh_fini(&engine.gear);
	glDeleteProgram(engine.program);
}

int main(int argc, char **argv)
{
	static const struct wl_opt opts[] = {
		{ "parts", WL_OPT_UINT, &engine.parts, "N", "moving parts, a draw each",
		  .min = 1, .max = 100000 },
		{ 0 },
	};
	static const struct gl_workload workload = {
		.task = "engine",
		.summary = "A small regular widget: the same little work in every frame.",
		.size = { 512, 512 },
		.in_flight = 2,
		.group = 1000,
		.warmup = 3,
		.opts = opts,
		.init = init,
		.frame = frame,
		.fini = fini,
	};

	return gl_app_main(argc, argv, &workload);
}
