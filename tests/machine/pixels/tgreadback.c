// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Read-backs through Mesa, for the guest (or any machine with a GPU): uploads, sub-images, copies,
 * blits, clears and queries that need no shader, of many formats and sizes. Nothing is drawn.
 */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <GLES2/gl2ext.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count, failed;
static uint32_t seed = 7;

static void tap(bool ok, const char *name)
{
	GLenum err = glGetError();

	if (err) {
		printf("# %s: GL error 0x%x\n", name, err);
		ok = false;
	}
	count++;
	failed += !ok;
	printf("%sok %d - %s\n", ok ? "" : "not ", count, name);
	fflush(stdout);
}

static uint32_t rnd(uint32_t n)
{
	seed = seed * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(seed >> 8) * n >> 24);
}

static uint8_t *noise(size_t n)
{
	uint8_t *p = malloc(n);

	for (size_t i = 0; i < n; i++)
		p[i] = rnd(256);
	return p;
}

static bool egl_init(void)
{
	static const EGLint attribs[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE };
	EGLDisplay dpy = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY,
					       NULL);
	EGLContext ctx;

	if (!eglInitialize(dpy, NULL, NULL) || !eglBindAPI(EGL_OPENGL_ES_API))
		return false;
	ctx = eglCreateContext(dpy, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attribs);
	return ctx && eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, ctx);
}

struct fmt {
	const char *name;
	GLenum internal, format, type;
	unsigned int bytes;
};

static const struct fmt formats[] = {
	{ "rgba8", GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4 },
	{ "rgb10_a2", GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 4 },
	{ "rgba32ui", GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16 },
};

static GLuint texture(GLenum target)
{
	GLuint t;

	glGenTextures(1, &t);
	glBindTexture(target, t);
	glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
	return t;
}

static GLuint fbo_of(GLuint tex, int level)
{
	GLuint f;

	glGenFramebuffers(1, &f);
	glBindFramebuffer(GL_FRAMEBUFFER, f);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, tex, level);
	return f;
}

static bool complete(void)
{
	return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static bool upload_reads_back(const struct fmt *f, int w, int h)
{
	size_t n = (size_t)w * h * f->bytes;
	uint8_t *in = noise(n), *out = calloc(1, n);
	GLuint tex, fbo;
	bool ok;

	tex = texture(GL_TEXTURE_2D);
	glTexImage2D(GL_TEXTURE_2D, 0, f->internal, w, h, 0, f->format, f->type, in);
	fbo = fbo_of(tex, 0);
	ok = complete();
	glReadPixels(0, 0, w, h, f->format, f->type, out);
	ok = ok && !memcmp(in, out, n);
	glDeleteFramebuffers(1, &fbo);
	glDeleteTextures(1, &tex);
	free(in);
	free(out);
	return ok;
}

/* A CPU copy of an RGBA8 texture that is changed along with it. */
struct image {
	GLuint tex, fbo;
	int w, h;
	uint8_t *px;
};

static void image_create(struct image *im, int w, int h)
{
	im->w = w;
	im->h = h;
	im->px = noise((size_t)w * h * 4);
	im->tex = texture(GL_TEXTURE_2D);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, w, h, 0, GL_RGBA, GL_UNSIGNED_BYTE, im->px);
	im->fbo = fbo_of(im->tex, 0);
}

static void image_destroy(struct image *im)
{
	glDeleteFramebuffers(1, &im->fbo);
	glDeleteTextures(1, &im->tex);
	free(im->px);
}

static bool image_check(struct image *im)
{
	uint8_t *out = calloc(4, (size_t)im->w * im->h);
	bool ok;

	glBindFramebuffer(GL_READ_FRAMEBUFFER, im->fbo);
	glReadPixels(0, 0, im->w, im->h, GL_RGBA, GL_UNSIGNED_BYTE, out);
	ok = !memcmp(out, im->px, (size_t)im->w * im->h * 4);
	for (int i = 0; !ok && i < im->w * im->h; i++) {
		if (memcmp(out + i * 4, im->px + i * 4, 4)) {
			printf("# %dx%d: pixel %d,%d is %02x%02x%02x%02x, not %02x%02x%02x%02x\n",
			       im->w, im->h, i % im->w, i / im->w, out[i * 4], out[i * 4 + 1],
			       out[i * 4 + 2], out[i * 4 + 3], im->px[i * 4], im->px[i * 4 + 1],
			       im->px[i * 4 + 2], im->px[i * 4 + 3]);
			break;
		}
	}
	free(out);
	return ok;
}

static uint8_t *at(struct image *im, int x, int y)
{
	return im->px + ((size_t)y * im->w + x) * 4;
}

static bool sub_images(void)
{
	struct image im;
	bool ok = true;

	image_create(&im, 301, 167);
	for (int i = 0; i < 20; i++) {
		int x = rnd(300), y = rnd(166), w = 1 + rnd(301 - x), h = 1 + rnd(167 - y);
		uint8_t *p = noise((size_t)w * h * 4);

		glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, w, h, GL_RGBA, GL_UNSIGNED_BYTE, p);
		for (int j = 0; j < h; j++)
			memcpy(at(&im, x, y + j), p + (size_t)j * w * 4, w * 4);
		free(p);
	}
	ok = image_check(&im);
	image_destroy(&im);
	return ok;
}

static bool copy_sub_image(void)
{
	struct image src, dst;
	bool ok = true;

	image_create(&src, 200, 150);
	image_create(&dst, 333, 222);
	for (int i = 0; i < 12; i++) {
		int w = 1 + rnd(200), h = 1 + rnd(150);
		int sx = rnd(201 - w), sy = rnd(151 - h), dx = rnd(334 - w), dy = rnd(223 - h);

		glBindFramebuffer(GL_FRAMEBUFFER, src.fbo);
		glBindTexture(GL_TEXTURE_2D, dst.tex);
		glCopyTexSubImage2D(GL_TEXTURE_2D, 0, dx, dy, sx, sy, w, h);
		for (int j = 0; j < h; j++)
			memcpy(at(&dst, dx, dy + j), at(&src, sx, sy + j), w * 4);
	}
	ok = image_check(&dst) && image_check(&src);
	image_destroy(&src);
	image_destroy(&dst);
	return ok;
}

/* Unscaled, and mirrored: both stay within the 2D engine. */
static bool blits(bool flip_x, bool flip_y)
{
	struct image src, dst;
	bool ok;

	image_create(&src, 130, 90);
	image_create(&dst, 256, 256);
	for (int i = 0; i < 8; i++) {
		int w = 1 + rnd(130), h = 1 + rnd(90);
		int sx = rnd(131 - w), sy = rnd(91 - h), dx = rnd(257 - w), dy = rnd(257 - h);

		glBindFramebuffer(GL_READ_FRAMEBUFFER, src.fbo);
		glBindFramebuffer(GL_DRAW_FRAMEBUFFER, dst.fbo);
		glBlitFramebuffer(flip_x ? sx + w : sx, flip_y ? sy + h : sy,
				  flip_x ? sx : sx + w, flip_y ? sy : sy + h, dx, dy, dx + w,
				  dy + h, GL_COLOR_BUFFER_BIT, GL_NEAREST);
		for (int y = 0; y < h; y++) {
			for (int x = 0; x < w; x++)
				memcpy(at(&dst, dx + x, dy + y),
				       at(&src, flip_x ? sx + w - 1 - x : sx + x,
					  flip_y ? sy + h - 1 - y : sy + y), 4);
		}
	}
	ok = image_check(&dst);
	image_destroy(&src);
	image_destroy(&dst);
	return ok;
}

static bool blit_scissored(void)
{
	struct image src, dst;
	bool ok;

	image_create(&src, 100, 100);
	image_create(&dst, 100, 100);
	glEnable(GL_SCISSOR_TEST);
	glScissor(20, 30, 41, 17);
	glBindFramebuffer(GL_READ_FRAMEBUFFER, src.fbo);
	glBindFramebuffer(GL_DRAW_FRAMEBUFFER, dst.fbo);
	glBlitFramebuffer(0, 0, 100, 100, 0, 0, 100, 100, GL_COLOR_BUFFER_BIT, GL_NEAREST);
	glDisable(GL_SCISSOR_TEST);
	for (int y = 30; y < 47; y++)
		memcpy(at(&dst, 20, y), at(&src, 20, y), 41 * 4);
	ok = image_check(&dst);
	image_destroy(&src);
	image_destroy(&dst);
	return ok;
}

static bool mipmap_levels(void)
{
	GLuint tex = texture(GL_TEXTURE_2D), fbo;
	uint8_t *level[10];
	bool ok = true;
	int n = 0;

	for (int w = 257, h = 100; n < 9; n++, w = w > 1 ? w / 2 : 1, h = h > 1 ? h / 2 : 1) {
		level[n] = noise((size_t)w * h * 4);
		glTexImage2D(GL_TEXTURE_2D, n, GL_RGBA8, w, h, 0, GL_RGBA, GL_UNSIGNED_BYTE,
			     level[n]);
	}
	for (int i = 0, w = 257, h = 100; i < n; i++, w = w > 1 ? w / 2 : 1,
	     h = h > 1 ? h / 2 : 1) {
		uint8_t *out = calloc(4, (size_t)w * h);

		fbo = fbo_of(tex, i);
		ok = ok && complete();
		glReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, out);
		if (memcmp(out, level[i], (size_t)w * h * 4)) {
			printf("# level %d wrong\n", i);
			ok = false;
		}
		glDeleteFramebuffers(1, &fbo);
		free(out);
		free(level[i]);
	}
	glDeleteTextures(1, &tex);
	return ok;
}

static bool layers(GLenum target)
{
	const int w = 70, h = 50, d = 6;
	uint8_t *px = noise((size_t)w * h * d * 4), *out = calloc(4, (size_t)w * h);
	GLuint tex = texture(target), fbo;
	bool ok = true;

	glTexImage3D(target, 0, GL_RGBA8, w, h, d, 0, GL_RGBA, GL_UNSIGNED_BYTE, px);
	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	for (int z = d - 1; z >= 0; z--) {
		glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, tex, 0, z);
		ok = ok && complete();
		glReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, out);
		if (memcmp(out, px + (size_t)z * w * h * 4, (size_t)w * h * 4)) {
			printf("# layer %d wrong\n", z);
			ok = false;
		}
	}
	/* clear one, look at it and its neighbours */
	glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, tex, 0, 3);
	glClearColor(1.0f, 0.0f, 1.0f, 0.0f);
	glClear(GL_COLOR_BUFFER_BIT);
	for (int i = 0; i < w * h; i++)
		memcpy(px + ((size_t)3 * w * h + i) * 4, "\xff\0\xff\0", 4);
	for (int z = 2; z < 5; z++) {
		glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, tex, 0, z);
		glReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, out);
		if (memcmp(out, px + (size_t)z * w * h * 4, (size_t)w * h * 4)) {
			printf("# layer %d wrong after clear\n", z);
			ok = false;
		}
	}
	glDeleteFramebuffers(1, &fbo);
	glDeleteTextures(1, &tex);
	free(px);
	free(out);
	return ok;
}

static bool clears(GLenum internal, int w, int h)
{
	GLuint rb, fbo;
	uint8_t *out = calloc(4, (size_t)w * h);
	bool ok;

	glGenRenderbuffers(1, &rb);
	glBindRenderbuffer(GL_RENDERBUFFER, rb);
	glRenderbufferStorage(GL_RENDERBUFFER, internal, w, h);
	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
	ok = complete();
	glClearColor(1.0f, 0.0f, 0.0f, 1.0f);
	glClear(GL_COLOR_BUFFER_BIT);
	glEnable(GL_SCISSOR_TEST);
	glScissor(w / 4, h / 4, w / 2, h / 2);
	glClearColor(0.0f, 1.0f, 0.0f, 1.0f);
	glClear(GL_COLOR_BUFFER_BIT);
	glScissor(w / 3, h / 3, 1, 1);
	glClearColor(0.0f, 0.0f, 1.0f, 1.0f);
	glClear(GL_COLOR_BUFFER_BIT);
	glDisable(GL_SCISSOR_TEST);
	glReadPixels(0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, out);
	for (int y = 0; y < h && ok; y++) {
		for (int x = 0; x < w && ok; x++) {
			bool in = x >= w / 4 && x < w / 4 + w / 2 && y >= h / 4 &&
				  y < h / 4 + h / 2;
			const char *want = x == w / 3 && y == h / 3 ? "\0\0\xff\xff" :
					   in ? "\0\xff\0\xff" : "\xff\0\0\xff";

			ok = !memcmp(out + (y * w + x) * 4, want, 4);
			if (!ok)
				printf("# pixel %d,%d: %02x%02x%02x%02x\n", x, y,
				       out[(y * w + x) * 4], out[(y * w + x) * 4 + 1],
				       out[(y * w + x) * 4 + 2], out[(y * w + x) * 4 + 3]);
		}
	}
	glDeleteFramebuffers(1, &fbo);
	glDeleteRenderbuffers(1, &rb);
	free(out);
	return ok;
}

static bool float_clear(void)
{
	static const float want[4] = { 0.25f, -3.5f, 1000.0f, 0.1f };
	GLuint tex = texture(GL_TEXTURE_2D), fbo;
	float out[4] = { 0 };
	bool ok;

	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32UI, 40, 40, 0, GL_RGBA_INTEGER, GL_UNSIGNED_INT,
		     NULL);
	fbo = fbo_of(tex, 0);
	ok = complete();
	glClearBufferuiv(GL_COLOR, 0, (const GLuint *)want);
	glReadPixels(17, 23, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, out);
	ok = ok && !memcmp(out, want, sizeof(want));
	glDeleteFramebuffers(1, &fbo);
	glDeleteTextures(1, &tex);
	return ok;
}

static bool pixel_buffers(void)
{
	const size_t n = 128 * 64 * 4;
	struct image im;
	GLuint pbo;
	uint8_t *map;
	bool ok;

	image_create(&im, 128, 64);
	glGenBuffers(1, &pbo);
	glBindBuffer(GL_PIXEL_PACK_BUFFER, pbo);
	glBufferData(GL_PIXEL_PACK_BUFFER, n, NULL, GL_STREAM_READ);
	glReadPixels(0, 0, 128, 64, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
	map = glMapBufferRange(GL_PIXEL_PACK_BUFFER, 0, n, GL_MAP_READ_BIT);
	ok = map && !memcmp(map, im.px, n);
	glUnmapBuffer(GL_PIXEL_PACK_BUFFER);
	glDeleteBuffers(1, &pbo);
	image_destroy(&im);
	return ok;
}

static bool buffer_copies(void)
{
	const size_t n = 1 << 20;
	uint8_t *in = noise(n), *map;
	GLuint b[2];
	bool ok;

	glGenBuffers(2, b);
	glBindBuffer(GL_COPY_READ_BUFFER, b[0]);
	glBufferData(GL_COPY_READ_BUFFER, n, in, GL_STATIC_DRAW);
	glBindBuffer(GL_COPY_WRITE_BUFFER, b[1]);
	glBufferData(GL_COPY_WRITE_BUFFER, n, NULL, GL_STATIC_COPY);
	glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 1000, 77777, 900001);
	glBufferSubData(GL_COPY_WRITE_BUFFER, 100000, 333, in);
	map = glMapBufferRange(GL_COPY_WRITE_BUFFER, 77777, 900001, GL_MAP_READ_BIT);
	ok = map && !memcmp(map, in + 1000, 100000 - 77777) &&
	     !memcmp(map + 100000 - 77777, in, 333) &&
	     !memcmp(map + 100333 - 77777, in + 1000 + 100333 - 77777, 900001 - 100333 + 77777);
	glUnmapBuffer(GL_COPY_WRITE_BUFFER);
	glDeleteBuffers(2, b);
	free(in);
	return ok;
}

/* Conversions the 2D engine makes when the formats of the two sides differ. */
static bool converts_565(void)
{
	uint16_t px[64 * 32];
	uint8_t out[64 * 32 * 4];
	GLuint tex = texture(GL_TEXTURE_2D), fbo;
	bool ok;

	for (int i = 0; i < 64 * 32; i++)
		px[i] = rnd(65536);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB565, 64, 32, 0, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, px);
	fbo = fbo_of(tex, 0);
	ok = complete();
	glReadPixels(0, 0, 64, 32, GL_RGBA, GL_UNSIGNED_BYTE, out);
	for (int i = 0; i < 64 * 32 && ok; i++) {
		int r = px[i] >> 11, g = px[i] >> 5 & 63, b = px[i] & 31;

		ok = abs(out[i * 4] - (r * 255 + 15) / 31) <= 1 &&
		     abs(out[i * 4 + 1] - (g * 255 + 31) / 63) <= 1 &&
		     abs(out[i * 4 + 2] - (b * 255 + 15) / 31) <= 1 && out[i * 4 + 3] == 255;
		if (!ok)
			printf("# pixel %d: %04x gave %02x%02x%02x%02x\n", i, px[i], out[i * 4],
			       out[i * 4 + 1], out[i * 4 + 2], out[i * 4 + 3]);
	}
	glDeleteFramebuffers(1, &fbo);
	glDeleteTextures(1, &tex);
	return ok;
}

static bool depth_clear_leaves_colour(void)
{
	struct image im;
	GLuint rb;
	bool ok;

	image_create(&im, 99, 77);
	glGenRenderbuffers(1, &rb);
	glBindRenderbuffer(GL_RENDERBUFFER, rb);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, 99, 77);
	glBindFramebuffer(GL_FRAMEBUFFER, im.fbo);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
				  rb);
	ok = complete();
	glClear(GL_DEPTH_BUFFER_BIT);
	glClear(GL_STENCIL_BUFFER_BIT);
	glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
	ok = ok && image_check(&im);
	glDeleteRenderbuffers(1, &rb);
	image_destroy(&im);
	return ok;
}

static bool timer_query(void)
{
	PFNGLQUERYCOUNTEREXTPROC counter = (void *)eglGetProcAddress("glQueryCounterEXT");
	PFNGLGETQUERYOBJECTUI64VEXTPROC get = (void *)eglGetProcAddress("glGetQueryObjectui64vEXT");
	GLuint q[2], rb, fbo;
	GLuint64 t[2] = { 0, 0 };

	if (!counter || !get)
		return false;
	glGenRenderbuffers(1, &rb);
	glBindRenderbuffer(GL_RENDERBUFFER, rb);
	glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 2048, 2048);
	glGenFramebuffers(1, &fbo);
	glBindFramebuffer(GL_FRAMEBUFFER, fbo);
	glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
	glGenQueries(2, q);
	glClear(GL_COLOR_BUFFER_BIT);
	glFinish();
	counter(q[0], GL_TIMESTAMP_EXT);
	for (int i = 0; i < 10; i++)
		glClear(GL_COLOR_BUFFER_BIT);
	counter(q[1], GL_TIMESTAMP_EXT);
	get(q[0], GL_QUERY_RESULT, &t[0]);
	get(q[1], GL_QUERY_RESULT, &t[1]);
	printf("# 10 clears of 4 Mpixel took %llu us\n", (unsigned long long)(t[1] - t[0]) / 1000);
	glDeleteQueries(2, q);
	glDeleteFramebuffers(1, &fbo);
	glDeleteRenderbuffers(1, &rb);
	/* 9.6 Gpixel/s: 437 us each at least */
	return t[1] > t[0] + 4000000 && t[1] < t[0] + 10000000;
}

int main(void)
{
	char name[64];

	if (!egl_init()) {
		printf("1..0 # SKIP no EGL\n");
		return 77;
	}
	printf("# %s\n", glGetString(GL_RENDERER));
	for (unsigned int i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		snprintf(name, sizeof(name), "upload_%s_reads_back", formats[i].name);
		tap(upload_reads_back(&formats[i], 64, 64) &&
		    upload_reads_back(&formats[i], 1, 1) &&
		    upload_reads_back(&formats[i], 333, 77) &&
		    upload_reads_back(&formats[i], 1023, 130), name);
	}
	tap(upload_reads_back(&formats[2], 4100, 5), "upload_wider_than_64k_bytes_reads_back");
	tap(upload_reads_back(&formats[0], 2048, 2048), "upload_4_mpixel_reads_back");
	tap(sub_images(), "sub_images");
	tap(copy_sub_image(), "copy_tex_sub_image");
	tap(blits(false, false), "blit");
	tap(blits(true, false), "blit_flip_x");
	tap(blits(false, true), "blit_flip_y");
	tap(blits(true, true), "blit_flip_both");
	tap(blit_scissored(), "blit_scissored");
	tap(mipmap_levels(), "mipmap_levels");
	tap(layers(GL_TEXTURE_2D_ARRAY), "array_layers");
	tap(layers(GL_TEXTURE_3D), "3d_slices");
	tap(clears(GL_RGBA8, 640, 480), "clear_rgba8");
	tap(clears(GL_RGBA8, 1366, 768), "clear_odd_size");
	tap(clears(GL_RGB565, 123, 45), "clear_rgb565");
	tap(clears(GL_RGB5_A1, 123, 45), "clear_rgb5_a1");
	tap(float_clear(), "clear_rgba32");
	tap(pixel_buffers(), "read_into_pixel_buffer");
	tap(buffer_copies(), "buffer_copies");
	tap(converts_565(), "read_converts_565");
	tap(depth_clear_leaves_colour(), "depth_clear_leaves_colour");
	tap(timer_query(), "timer_query_measures_fill_rate");
	printf("1..%d\n", count);
	return failed ? 1 : 0;
}
