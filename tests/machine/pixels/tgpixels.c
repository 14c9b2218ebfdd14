// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tgpixels FOLDER: does one OpenGL operation after the other, each on an image whose
 * contents are known, and writes into FOLDER/NAME what the image held before and after
 * it. Nothing is drawn by the program; what its driver draws to do an operation is
 * counted. "compare" beside this file holds two drivers against each other.
 */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glcorearb.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define W	60	/* of every image: not a power of two, several tiles */
#define H	44
#define MAX	(W * H * 16)

/* How an image is stored, and the words that hold its pixels without loss. */
struct format {
	const char *name;
	GLenum internal, format, type;
	unsigned int bytes;
};

static const struct format colours[] = {
	{ "rgba8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4 },
	{ "rgb8", GL_RGB8, GL_RGBA, GL_UNSIGNED_BYTE, 4 },
	{ "srgb8", GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, 4 },
	{ "rgb565", GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2 },
	{ "rgb5a1", GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, 2 },
	{ "rgba4", GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 2 },
	{ "rgb10a2", GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 4 },
	{ "r8", GL_R8, GL_RED, GL_UNSIGNED_BYTE, 1 },
	{ "rg8", GL_RG8, GL_RG, GL_UNSIGNED_BYTE, 2 },
	{ "rgba16", GL_RGBA16, GL_RGBA, GL_UNSIGNED_SHORT, 8 },
	{ "rgba16f", GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8 },
	{ "rgba32f", GL_RGBA32F, GL_RGBA, GL_FLOAT, 16 },
};

static const struct format depths[] = {
	{ "d16", GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, 2 },
	{ "d24", GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, 4 },
	{ "d24s8", GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, 4 },
	{ "d32f", GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, 4 },
};

struct image {
	const struct format *f;
	GLuint texture, framebuffer;
};

/* Not in OpenGL ES, whose library is what the programs of this machine have. */
static PFNGLGETTEXIMAGEPROC get_image;
static PFNGLDRAWBUFFERPROC draw_buffer;
static PFNGLCLEARDEPTHPROC clear_depth_to;
static PFNGLGETBUFFERSUBDATAPROC get_buffer;

static const char *folder;
static const char *name;
static uint8_t before[MAX], after[MAX];
static GLuint query;
static unsigned int operations, failures;

static uint32_t rnd(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* A number below 1 of the depth or half or float, else any bits. */
static void noise(const struct format *f, uint8_t *p, uint32_t seed)
{
	unsigned int i;

	for (i = 0; i < W * H * f->bytes; i++)
		p[i] = (uint8_t)(rnd(&seed) >> 8);
	for (i = 0; f->type == GL_HALF_FLOAT && i < W * H * 4; i++)
		((uint16_t *)p)[i] &= 0x3bff;
	for (i = 0; f->type == GL_FLOAT && i < W * H * f->bytes / 4; i++)
		((float *)p)[i] = (float)(rnd(&seed) % 4097) / 4096.0f;
}

static bool is_depth(const struct format *f)
{
	return f->format == GL_DEPTH_COMPONENT || f->format == GL_DEPTH_STENCIL;
}

static GLenum attachment(const struct format *f)
{
	if (f->format == GL_DEPTH_STENCIL)
		return GL_DEPTH_STENCIL_ATTACHMENT;
	return is_depth(f) ? GL_DEPTH_ATTACHMENT : GL_COLOR_ATTACHMENT0;
}

/* Without an upload: nv50 draws those of depth and stencil. */
static void fill_by_clears(uint32_t seed)
{
	int i;

	glEnable(GL_SCISSOR_TEST);
	for (i = 0; i < 24; i++) {
		glScissor(i ? (int)(rnd(&seed) % W) : 0, i ? (int)(rnd(&seed) % H) : 0, W, H);
		clear_depth_to((rnd(&seed) & 31) / 64.0);	/* the same however it is rounded */
		glClearStencil((GLint)rnd(&seed) & 0xff);
		glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	}
	glDisable(GL_SCISSOR_TEST);
}

static void image_init(struct image *im, const struct format *f, uint32_t seed)
{
	static uint8_t pixels[MAX];

	im->f = f;
	noise(f, pixels, seed);
	glGenTextures(1, &im->texture);
	glBindTexture(GL_TEXTURE_2D, im->texture);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	glTexImage2D(GL_TEXTURE_2D, 0, (GLint)f->internal, W, H, 0, f->format, f->type, pixels);
	glGenFramebuffers(1, &im->framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, im->framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, attachment(f), GL_TEXTURE_2D, im->texture, 0);
	if (is_depth(f)) {
		draw_buffer(GL_NONE);
		glReadBuffer(GL_NONE);
	}
	if (f->format == GL_DEPTH_STENCIL)
		fill_by_clears(seed);
}

static void image_fini(struct image *im)
{
	glDeleteFramebuffers(1, &im->framebuffer);
	glDeleteTextures(1, &im->texture);
}

static void image_read(const struct image *im, uint8_t *to)
{
	memset(to, 0, MAX);
	glBindTexture(GL_TEXTURE_2D, im->texture);
	get_image(GL_TEXTURE_2D, 0, im->f->format, im->f->type, to);
	glBindFramebuffer(GL_FRAMEBUFFER, im->framebuffer);
}

static void begin(const char *what, const struct format *f, const char *more)
{
	static char text[80];

	snprintf(text, sizeof(text), "%s_%s%s", f->name, what, more);
	name = text;
	glBeginQuery(GL_VERTICES_SUBMITTED, query);
}

/* Ends the query; what it counted was the driver's own. */
static void end(const struct image *im, unsigned int bytes)
{
	GLuint vertices = 0;
	GLenum error;
	char path[400];
	FILE *out;

	glEndQuery(GL_VERTICES_SUBMITTED);
	glGetQueryObjectuiv(query, GL_QUERY_RESULT, &vertices);
	if (im)
		image_read(im, after);
	error = glGetError();
	printf("%s %u %u\n", name, vertices, error);
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	out = fopen(path, "w");
	if (!out || fwrite(before, bytes, 1, out) != 1 || fwrite(after, bytes, 1, out) != 1)
		failures++;
	if (out)
		failures += fclose(out) != 0;
	operations++;
}

static unsigned int size(const struct image *im)
{
	return W * H * im->f->bytes;
}

/* Whole, a part, each from memory and from a pixel buffer. */
static void uploads(const struct format *f)
{
	static uint8_t pixels[MAX];
	struct image im;
	int part, buffer;
	GLuint pbo;

	noise(f, pixels, 77);
	for (part = 0; part < 2; part++) {
		for (buffer = 0; buffer < 2; buffer++) {
			image_init(&im, f, 1);
			image_read(&im, before);
			glGenBuffers(1, &pbo);
			if (buffer) {
				glBindBuffer(GL_PIXEL_UNPACK_BUFFER, pbo);
				glBufferData(GL_PIXEL_UNPACK_BUFFER, MAX, pixels, GL_STREAM_DRAW);
			}
			glBindTexture(GL_TEXTURE_2D, im.texture);
			begin(buffer ? "pbo_upload" : "upload", f, part ? "_part" : "");
			glPixelStorei(GL_UNPACK_ROW_LENGTH, W);
			glTexSubImage2D(GL_TEXTURE_2D, 0, part ? 13 : 0, part ? 5 : 0, part ? 31 : W,
					part ? 17 : H, f->format, f->type, buffer ? NULL : pixels);
			end(&im, size(&im));
			glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
			glDeleteBuffers(1, &pbo);
			image_fini(&im);
		}
	}
}

static void read_as(const struct format *f, const char *what, GLenum format, GLenum type,
		    unsigned int bytes)
{
	struct image im;

	image_init(&im, f, 2);
	memset(before, 0x5a, MAX);
	memset(after, 0x5a, MAX);
	begin("read", f, what);
	glReadPixels(0, 0, W, H, format, type, after);
	end(NULL, W * H * bytes);
	image_fini(&im);
}

static void read_into_buffer(const struct format *f)
{
	struct image im;
	GLuint pbo;

	image_init(&im, f, 3);
	memset(before, 0x5a, MAX);
	glGenBuffers(1, &pbo);
	glBindBuffer(GL_PIXEL_PACK_BUFFER, pbo);
	glBufferData(GL_PIXEL_PACK_BUFFER, MAX, before, GL_STREAM_READ);
	begin("read_pbo", f, "");
	glReadPixels(0, 0, W, H, f->format, f->type, NULL);
	get_buffer(GL_PIXEL_PACK_BUFFER, 0, MAX, after);
	end(NULL, size(&im));
	glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
	glDeleteBuffers(1, &pbo);
	image_fini(&im);
}

static void clear_colour(const struct format *f, const char *what, unsigned int mask, bool part)
{
	struct image im;

	image_init(&im, f, 4);
	image_read(&im, before);
	glClearColor(0.2f, 0.4f, 0.6f, 0.8f);
	glColorMask(mask & 1, mask >> 1 & 1, mask >> 2 & 1, mask >> 3 & 1);
	if (part) {
		glEnable(GL_SCISSOR_TEST);
		glScissor(7, 9, 33, 21);
	}
	begin("clear", f, what);
	glClear(GL_COLOR_BUFFER_BIT);
	end(&im, size(&im));
	glDisable(GL_SCISSOR_TEST);
	glColorMask(1, 1, 1, 1);
	image_fini(&im);
}

static void clear_depth(const struct format *f, const char *what, GLbitfield bits, GLuint mask,
			bool part)
{
	struct image im;

	image_init(&im, f, 5);
	image_read(&im, before);
	clear_depth_to(strcmp(what, "_depth_rounded") ? 0.375 : 17218 / 65535.0);
	glClearStencil(0xa5);
	glStencilMask(mask);
	if (part) {
		glEnable(GL_SCISSOR_TEST);
		glScissor(7, 9, 33, 21);
	}
	begin("clear", f, what);
	glClear(bits);
	end(&im, size(&im));
	glDisable(GL_SCISSOR_TEST);
	glStencilMask(~0u);
	image_fini(&im);
}

static void blit(const struct format *from, const struct format *to, GLbitfield bits,
		 const char *what, int width, GLenum filter)
{
	struct image a, b;
	char more[64];

	image_init(&a, from, 6);
	image_init(&b, to, 7);
	image_read(&b, before);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, a.framebuffer);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, b.framebuffer);
	snprintf(more, sizeof(more), "_%s%s", to->name, what);
	begin("blit", from, more);
	glBlitFramebuffer(0, 0, W, H, width < 0 ? W : 0, 0, width < 0 ? 0 : width, H, bits, filter);
	end(&b, size(&b));
	image_fini(&a);
	image_fini(&b);
}

static void copy(const struct format *from, const struct format *to)
{
	struct image a, b;

	image_init(&a, from, 8);
	image_init(&b, to, 9);
	image_read(&b, before);
	glBindFramebuffer(GL_FRAMEBUFFER, a.framebuffer);
	glBindTexture(GL_TEXTURE_2D, b.texture);
	begin("copy", from, "_");
	strncat((char *)name, to->name, 20);
	glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 3, 4, 1, 2, 41, 33);
	end(&b, size(&b));
	image_fini(&a);
	image_fini(&b);
}

static void colour(const struct format *f)
{
	uploads(f);
	read_as(f, "", f->format, f->type, f->bytes);
	read_as(f, "_ubyte", GL_RGBA, GL_UNSIGNED_BYTE, 4);
	read_as(f, "_bgra", GL_BGRA, GL_UNSIGNED_BYTE, 4);
	read_as(f, "_float", GL_RGBA, GL_FLOAT, 16);
	read_into_buffer(f);
	clear_colour(f, "", 15, false);
	clear_colour(f, "_part", 15, true);
	clear_colour(f, "_r", 1, false);
	clear_colour(f, "_b", 4, false);
	clear_colour(f, "_a", 8, false);
	clear_colour(f, "_rga_part", 11, true);
	blit(f, f, GL_COLOR_BUFFER_BIT, "_mirrored", -W, GL_NEAREST);
	blit(f, f, GL_COLOR_BUFFER_BIT, "_scaled", W / 2, GL_NEAREST);
	blit(f, f, GL_COLOR_BUFFER_BIT, "_filtered", W / 2, GL_LINEAR);
}

static void depth(const struct format *f)
{
	bool stencil = f->format == GL_DEPTH_STENCIL;

	uploads(f);
	read_as(f, "", f->format, f->type, f->bytes);
	read_as(f, "_float", GL_DEPTH_COMPONENT, GL_FLOAT, 4);
	read_into_buffer(f);
	clear_depth(f, "_depth", GL_DEPTH_BUFFER_BIT, ~0u, false);
	clear_depth(f, "_depth_part", GL_DEPTH_BUFFER_BIT, ~0u, true);
	clear_depth(f, "_depth_rounded", GL_DEPTH_BUFFER_BIT, ~0u, true);
	blit(f, f, GL_DEPTH_BUFFER_BIT, "_depth", W, GL_NEAREST);
	if (!stencil)
		return;
	read_as(f, "_stencil", GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, 1);
	clear_depth(f, "_stencil", GL_STENCIL_BUFFER_BIT, ~0u, false);
	clear_depth(f, "_stencil_mask", GL_STENCIL_BUFFER_BIT, 0x3c, false);
	clear_depth(f, "_both", GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, ~0u, false);
	clear_depth(f, "_both_part", GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, ~0u, true);
	blit(f, f, GL_STENCIL_BUFFER_BIT, "_stencil", W, GL_NEAREST);
	blit(f, f, GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT, "_both", W, GL_NEAREST);
}

static bool open_display(void)
{
	EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY,
					       NULL);
	EGLContext ctx;

	if (!eglInitialize(dpy, NULL, NULL) || !eglBindAPI(EGL_OPENGL_API))
		return false;
	ctx = eglCreateContext(dpy, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, NULL);
	if (!ctx || !eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, ctx))
		return false;
	get_image = (void *)eglGetProcAddress("glGetTexImage");
	draw_buffer = (void *)eglGetProcAddress("glDrawBuffer");
	clear_depth_to = (void *)eglGetProcAddress("glClearDepth");
	get_buffer = (void *)eglGetProcAddress("glGetBufferSubData");
	return get_image && draw_buffer && clear_depth_to && get_buffer;
}

int main(int argc, char **argv)
{
	const size_t n = sizeof(colours) / sizeof(colours[0]);
	size_t i, j;

	if (argc != 2 || !open_display()) {
		fprintf(stderr, "usage: tgpixels FOLDER, where OpenGL is\n");
		return 1;
	}
	folder = argv[1];
	printf("# %s\n", glGetString(GL_RENDERER));
	glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
	glPixelStorei(GL_PACK_ALIGNMENT, 1);
	glGenQueries(1, &query);
	for (i = 0; i < n; i++)
		colour(&colours[i]);
	for (i = 0; i < sizeof(depths) / sizeof(depths[0]); i++)
		depth(&depths[i]);
	for (i = 0; i < n; i++) {
		for (j = 0; j < 7; j++) {
			blit(&colours[i], &colours[j], GL_COLOR_BUFFER_BIT, "", W, GL_NEAREST);
			copy(&colours[i], &colours[j]);
		}
	}
	printf("# %u operations\n", operations);
	return failures ? 1 : 0;
}
