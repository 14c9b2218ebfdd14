// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A video player: 24 times a second, by absolute deadlines, it uploads the
 * three planes of a picture and draws them. Late = complete only after the next
 * picture was due; skipped = a period passed without a picture being begun.
 *
 * --passes N draws each picture N times, as filters (scaling, deinterlacing,
 * sharpening) read and write it again and again: the GPU's part of the work
 * grows and the CPU's does not.
 */
#include <stdlib.h>

#include "glapp.h"
#include "mesh.h"

#define PICTURES 4		/* prepared ones, shown in turn */

static const char vertex_source[] =
	"attribute vec2 position;\n"
	"varying vec2 at;\n"
	"void main() {\n"
	"	at = 0.5 + vec2(0.5, -0.5) * position;\n"
	"	gl_Position = vec4(position, 0.0, 1.0);\n"
	"}\n";

/* BT.709, video range (ITU-R BT.709-6, section 3). */
static const char fragment_source[] =
	"precision mediump float;\n"
	"uniform sampler2D luma, blue, red;\n"
	"varying vec2 at;\n"
	"void main() {\n"
	"	float y = 1.1644 * (texture2D(luma, at).r - 0.0627);\n"
	"	float u = texture2D(blue, at).r - 0.5;\n"
	"	float v = texture2D(red, at).r - 0.5;\n"
	"	gl_FragColor = vec4(y + 1.7927 * v, y - 0.2132 * u - 0.5329 * v,\n"
	"			    y + 2.1124 * u, 1.0);\n"
	"}\n";

static struct {
	uint64_t passes;
	GLuint program, planes[3];
	struct mesh quad;
	unsigned char *pictures[PICTURES];	/* Y, U, V planes behind each other */
} player = { .passes = 1 };

static GLsizei plane_width(const struct gl_app *app, int plane)
{
	return (GLsizei)(app->common.size.width + (plane ? 1 : 0)) >> (plane ? 1 : 0);
}

static GLsizei plane_height(const struct gl_app *app, int plane)
{
	return (GLsizei)(app->common.size.height + (plane ? 1 : 0)) >> (plane ? 1 : 0);
}

static size_t plane_bytes(const struct gl_app *app, int plane)
{
	return (size_t)plane_width(app, plane) * (size_t)plane_height(app, plane);
}

/* Moving diagonal bars: cheap to make and different in each picture. */
static bool make_pictures(struct gl_app *app)
{
	size_t bytes = plane_bytes(app, 0) + 2 * plane_bytes(app, 1), i;
	size_t width = app->common.size.width;
	int n;

	for (n = 0; n < PICTURES; n++) {
		player.pictures[n] = malloc(bytes);
		if (!player.pictures[n])
			return false;
		for (i = 0; i < bytes; i++)
			player.pictures[n][i] = (unsigned char)
				(i % width + i / width + (size_t)n * 16);
	}
	return true;
}

static void make_planes(struct gl_app *app)
{
	int i;

	glGenTextures(3, player.planes);
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	for (i = 0; i < 3; i++) {
		glActiveTexture(GL_TEXTURE0 + (GLenum)i);
		glBindTexture(GL_TEXTURE_2D, player.planes[i]);
		glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE, plane_width(app, i),
			     plane_height(app, i), 0, GL_LUMINANCE, GL_UNSIGNED_BYTE, NULL);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
		glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	}
}

static bool init(struct gl_app *app)
{
	player.program = gl_program(vertex_source, fragment_source);
	if (!player.program || !mesh_grid(&player.quad, 1, 1) || !make_pictures(app))
		return false;
	make_planes(app);
	glUseProgram(player.program);
	glUniform1i(glGetUniformLocation(player.program, "luma"), 0);
	glUniform1i(glGetUniformLocation(player.program, "blue"), 1);
	glUniform1i(glGetUniformLocation(player.program, "red"), 2);
	mesh_bind(&player.quad);
	return true;
}

static void upload(struct gl_app *app, const unsigned char *picture)
{
	int i;

	for (i = 0; i < 3; i++) {
		glActiveTexture(GL_TEXTURE0 + (GLenum)i);
		glBindTexture(GL_TEXTURE_2D, player.planes[i]);
		glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, plane_width(app, i),
				plane_height(app, i), GL_LUMINANCE, GL_UNSIGNED_BYTE, picture);
		picture += plane_bytes(app, i);
	}
}

static void frame(struct gl_app *app, struct gl_target *target, uint64_t index)
{
	uint64_t i;

	upload(app, player.pictures[index % PICTURES]);
	gl_target_bind(target);
	glClearColor(0.0f, 0.0f, 0.0f, 1.0f);
	glClear(GL_COLOR_BUFFER_BIT);
	for (i = 0; i < player.passes; i++) {
		mesh_draw(&player.quad);
		gl_app_drawn(app);
	}
}

/* The picture's first rows, uploaded where they can be read back. */
static bool check(struct gl_app *app)
{
	const struct wl_size size = { 256, 16 };
	unsigned char got[256 * 4], *want = player.pictures[0];
	struct gl_target t;
	int i, bad = 0;

	glActiveTexture(GL_TEXTURE3);
	if (!gl_target_init(&app->gl, &t, size, false, false))
		return false;
	if (app->common.size.width * app->common.size.height < sizeof(got)) {
		gl_target_fini(&app->gl, &t);
		return true;
	}
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 5, 256, 1, GL_RGBA, GL_UNSIGNED_BYTE, want);
	glReadPixels(0, 5, 256, 1, GL_RGBA, GL_UNSIGNED_BYTE, got);
	for (i = 0; i < (int)sizeof(got); i++)
		bad += got[i] != want[i];
	if (bad)
		wl_error("check picture: %d of %d bytes differ", bad, (int)sizeof(got));
	gl_target_fini(&app->gl, &t);
	return !bad && gl_ok("check picture");
}

static void report(struct gl_app *app)
{
	wl_run_extra(&app->run, "upload_bytes", plane_bytes(app, 0) + 2 * plane_bytes(app, 1));
}

static void fini(struct gl_app *app)
{
	int i;

	(void)app;
	for (i = 0; i < PICTURES; i++)
		free(player.pictures[i]);
	glDeleteTextures(3, player.planes);
	mesh_fini(&player.quad);
	glDeleteProgram(player.program);
}

int main(int argc, char **argv)
{
	static const struct wl_opt opts[] = {
		{ "passes", WL_OPT_UINT, &player.passes, "N", "draw each picture N times (1)",
		  .min = 1, .max = 1000 },
		{ 0 },
	};
	static const struct gl_workload workload = {
		.task = "player",
		.summary = "Plays a video: uploads and draws a picture 24 times a second.",
		.size = { 1920, 800 },
		.in_flight = 2,
		.fps = 24,
		.group = 1000,
		.warmup = 2,
		.opts = opts,
		.init = init,
		.frame = frame,
		.check = check,
		.report = report,
		.fini = fini,
	};

	return gl_app_main(argc, argv, &workload);
}
