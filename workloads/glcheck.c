// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Read-back checks that need no shader: the simulated GPU executes clears,
 * copies and 2D blits but no shader programs, so a draw leaves nothing to look
 * at there. Everything happens in buffers of its own, so that on real hardware
 * the scene does not get in the way.
 */
#include <stdlib.h>
#include <string.h>

#include "glapp.h"

#define SIDE 96			/* of the check buffers: several tiles, not a power of two */

static bool near(unsigned char a, unsigned char b)
{
	return abs((int)a - (int)b) <= 1;
}

bool gl_check_colour(const char *what, int x, int y, int width, int height,
		     const unsigned char rgba[4])
{
	unsigned char *pixels = malloc((size_t)width * (size_t)height * 4), *p;
	int i, c, bad = 0, first = -1;

	if (!pixels)
		return false;
	memset(pixels, 0x5a, (size_t)width * (size_t)height * 4);
	glReadPixels(x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (i = 0; i < width * height; i++) {
		p = pixels + i * 4;
		for (c = 0; c < 4 && near(p[c], rgba[c]); c++)
			;
		if (c < 4 && !bad++)
			first = i;
	}
	if (bad) {
		p = pixels + first * 4;
		wl_error("check %s: %d of %d pixels wrong, first at %d,%d: %02x%02x%02x%02x, not %02x%02x%02x%02x",
			 what, bad, width * height, x + first % width, y + first / width,
			 p[0], p[1], p[2], p[3], rgba[0], rgba[1], rgba[2], rgba[3]);
	}
	free(pixels);
	return !bad && gl_ok(what);
}

static void clear_to(const unsigned char rgba[4])
{
	glClearColor(rgba[0] / 255.0f, rgba[1] / 255.0f, rgba[2] / 255.0f, rgba[3] / 255.0f);
	glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

static bool check_clear(const struct gl_target *t)
{
	static const unsigned char whole[4] = { 0x20, 0x80, 0xc0, 0xff };
	static const unsigned char inner[4] = { 0xf0, 0x10, 0x40, 0x80 };

	gl_target_bind(t);
	clear_to(whole);
	if (!gl_check_colour("clear", 0, 0, SIDE, SIDE, whole))
		return false;
	glEnable(GL_SCISSOR_TEST);
	glScissor(17, 33, 40, 21);
	clear_to(inner);
	glDisable(GL_SCISSOR_TEST);
	return gl_check_colour("scissored clear", 17, 33, 40, 21, inner) &&
	       gl_check_colour("clear left of the scissor", 0, 0, 17, SIDE, whole) &&
	       gl_check_colour("clear right of the scissor", 57, 0, SIDE - 57, SIDE, whole) &&
	       gl_check_colour("clear below the scissor", 0, 0, SIDE, 33, whole) &&
	       gl_check_colour("clear above the scissor", 0, 54, SIDE, SIDE - 54, whole);
}

static bool compare_image(const char *what, const unsigned char *want)
{
	unsigned char *pixels = calloc(SIDE * SIDE, 4);
	int i;

	if (!pixels)
		return false;
	glReadPixels(0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	for (i = 0; i < SIDE * SIDE * 4 && pixels[i] == want[i]; i++)
		;
	if (i < SIDE * SIDE * 4)
		wl_error("check %s: pixel %d,%d differs (%02x, not %02x)", what,
			 i / 4 % SIDE, i / 4 / SIDE, pixels[i], want[i]);
	free(pixels);
	return i == SIDE * SIDE * 4 && gl_ok(what);
}

static void fill_random(unsigned char *pixels, uint64_t seed)
{
	int i;

	for (i = 0; i < SIDE * SIDE * 4; i++)
		pixels[i] = (unsigned char)wl_random(seed, (uint64_t)i);
}

static bool check_upload_and_blit(struct gl_app *app, const struct gl_target *from,
				  const struct gl_target *to)
{
	unsigned char *pixels = malloc(SIDE * SIDE * 4);
	bool good = false;

	if (!pixels)
		return false;
	fill_random(pixels, app->common.seed);
	glBindTexture(GL_TEXTURE_2D, from->texture);
	glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIDE, SIDE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
	gl_target_bind(from);
	if (!compare_image("upload", pixels))
		goto out;
	good = true;
	if (app->gl.es3) {
		glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to->framebuffer);
		glBlitFramebuffer(0, 0, SIDE, SIDE, 0, 0, SIDE, SIDE, GL_COLOR_BUFFER_BIT,
				  GL_NEAREST);
		gl_target_bind(to);
		good = compare_image("blit", pixels);
	}
out:
	free(pixels);
	return good;
}

bool gl_check_basics(struct gl_app *app)
{
	const struct wl_size size = { SIDE, SIDE };
	struct gl_target a, b = { .dmabuf_fd = -1 };
	bool good;

	good = gl_target_init(&app->gl, &a, size, true, false) &&
	       gl_target_init(&app->gl, &b, size, false, false);
	good = good && check_clear(&a) && check_upload_and_blit(app, &a, &b);
	gl_target_fini(&app->gl, &a);
	gl_target_fini(&app->gl, &b);
	return good;
}
