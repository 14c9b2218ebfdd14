// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A small regular widget in the manner of Gallium's "engine" and "gears" demos:
 * every frame costs the same, a fraction of a millisecond of GPU time.
 */
#include "glapp.h"
#include "mesh.h"

#define MAX_PARTS 1000

static const char vertex_source[] =
	"attribute vec2 position;\n"
	"attribute vec4 instance;\n"	/* x, y, direction, scale */
	"uniform float angle;\n"
	"varying float light;\n"
	"void main() {\n"
	"	float c = cos(instance.z * angle), s = sin(instance.z * angle);\n"
	"	vec2 turned = mat2(c, s, -s, c) * position;\n"
	"	light = 0.6 + 0.4 * turned.y;\n"
	"	gl_Position = vec4(instance.xy + instance.w * turned, 0.0, 1.0);\n"
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
	GLint angle;
	struct mesh gear;
	struct instances places;
} engine = { .parts = 24 };

static bool place_parts(bool es3)
{
	float places[MAX_PARTS][4];
	uint64_t i;

	for (i = 0; i < engine.parts; i++) {
		places[i][0] = 0.4f * (float)(i % 5) - 0.8f;
		places[i][1] = 0.4f * (float)(i / 5 % 5) - 0.8f;
		places[i][2] = i & 1 ? -1.0f : 1.0f;
		places[i][3] = 0.22f;
	}
	return instances_init(&engine.places, places[0], (GLsizei)engine.parts, es3);
}

static bool init(struct gl_app *app)
{
	engine.program = gl_program(vertex_source, fragment_source);
	if (!engine.program || !mesh_gear(&engine.gear, 20, 0.3f, 1.0f) ||
	    !place_parts(app->gl.es3))
		return false;
	engine.angle = glGetUniformLocation(engine.program, "angle");
	glUseProgram(engine.program);
	glUniform3f(glGetUniformLocation(engine.program, "colour"), 0.8f, 0.5f, 0.1f);
	mesh_bind(&engine.gear);
	instances_bind(&engine.places);
	return true;
}

static void frame(struct gl_app *app, struct gl_target *target, uint64_t index)
{
	gl_target_bind(target);
	glClearColor(0.1f, 0.1f, 0.1f, 1.0f);
	glClear(GL_COLOR_BUFFER_BIT);
	glUniform1f(engine.angle, (float)(index % 360) * 0.0174533f);
	instances_draw(&engine.places, &engine.gear, (GLsizei)engine.parts);
	gl_app_drawn(app);
}

static void fini(struct gl_app *app)
{
	(void)app;
	instances_fini(&engine.places);
	mesh_fini(&engine.gear);
	glDeleteProgram(engine.program);
}

int main(int argc, char **argv)
{
	static const struct wl_opt opts[] = {
		{ "parts", WL_OPT_UINT, &engine.parts, "N", "moving parts, a copy each",
		  .min = 1, .max = MAX_PARTS },
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
