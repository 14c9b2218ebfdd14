// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <gbm.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "gl.h"

static bool has_word(const char *list, const char *word)
{
	size_t len = strlen(word);
	const char *at;

	for (at = list; at && (at = strstr(at, word)); at += len)
		if ((at == list || at[-1] == ' ') && (at[len] == ' ' || !at[len]))
			return true;
	return false;
}

static EGLDisplay open_display(struct gl *gl, const char *device)
{
	if (!device)
		return eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA,
					     EGL_DEFAULT_DISPLAY, NULL);
	gl->device_fd = open(device, O_RDWR | O_CLOEXEC);
	if (gl->device_fd < 0) {
		wl_error("%s: %s", device, strerror(errno));
		return EGL_NO_DISPLAY;
	}
	gl->gbm = gbm_create_device(gl->device_fd);
	if (!gl->gbm) {
		wl_error("%s: no GBM driver", device);
		return EGL_NO_DISPLAY;
	}
	return eglGetPlatformDisplay(EGL_PLATFORM_GBM_MESA, gl->gbm, NULL);
}

static bool make_context(struct gl *gl)
{
	static const EGLint config_attribs[] = {
		EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_NONE,
	};
	EGLint attribs[] = { EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE };
	EGLConfig config = EGL_NO_CONFIG_KHR;
	EGLint count;

	eglBindAPI(EGL_OPENGL_ES_API);
	if (!eglChooseConfig(gl->display, config_attribs, &config, 1, &count) || !count)
		config = EGL_NO_CONFIG_KHR;
	gl->context = eglCreateContext(gl->display, config, EGL_NO_CONTEXT, attribs);
	gl->es3 = gl->context != EGL_NO_CONTEXT;
	if (!gl->es3) {
		attribs[1] = 2;
		gl->context = eglCreateContext(gl->display, config, EGL_NO_CONTEXT, attribs);
	}
	return gl->context != EGL_NO_CONTEXT &&
	       eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, gl->context);
}

static bool is_software(const char *renderer)
{
	return strstr(renderer, "llvmpipe") || strstr(renderer, "softpipe") ||
	       strstr(renderer, "swrast") || strstr(renderer, "SWR");
}

/* The renderer's name goes into JSON: keep what needs no escape. */
static void copy_plain(char *to, size_t size, const char *from)
{
	size_t used = 0;

	for (; from && *from && used < size - 1; from++)
		if (*from >= ' ' && *from != '"' && *from != '\\')
			to[used++] = *from;
	to[used] = '\0';
}

int gl_open(struct gl *gl, const char *device, bool software)
{
	*gl = (struct gl){ .display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT, .device_fd = -1 };
	gl->channel_before_ns = wl_now_ns();
	gl->display = open_display(gl, device);
	/* Mesa's nouveau opens its one channel in eglInitialize, with the screen. */
	if (gl->display == EGL_NO_DISPLAY || !eglInitialize(gl->display, NULL, NULL)) {
		wl_error("no EGL display");
		return WL_NO_GPU;
	}
	gl->channel_after_ns = wl_now_ns();
	if (!make_context(gl)) {
		wl_error("no OpenGL ES context (EGL error 0x%x)", eglGetError());
		return WL_NO_GPU;
	}
	copy_plain(gl->renderer, sizeof(gl->renderer), (const char *)glGetString(GL_RENDERER));
	if (is_software(gl->renderer) && !software) {
		wl_error("%s is no GPU (--software accepts it)", gl->renderer);
		return WL_NO_GPU;
	}
	if (has_word(eglQueryString(gl->display, EGL_EXTENSIONS),
		     "EGL_MESA_image_dma_buf_export"))
		gl->export_image = (PFNEGLEXPORTDMABUFIMAGEMESAPROC)
			eglGetProcAddress("eglExportDMABUFImageMESA");
	return WL_OK;
}

void gl_close(struct gl *gl)
{
	if (gl->display != EGL_NO_DISPLAY) {
		eglMakeCurrent(gl->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
		if (gl->context != EGL_NO_CONTEXT)
			eglDestroyContext(gl->display, gl->context);
		eglTerminate(gl->display);
	}
	if (gl->gbm)
		gbm_device_destroy(gl->gbm);
	if (gl->device_fd >= 0)
		close(gl->device_fd);
}

bool gl_ok(const char *what)
{
	GLenum error = glGetError();

	if (error != GL_NO_ERROR)
		wl_error("%s: OpenGL error 0x%x", what, error);
	return error == GL_NO_ERROR;
}

static GLuint compile(GLenum type, const char *source)
{
	GLuint shader = glCreateShader(type);
	char log[400] = "";
	GLint good;

	glShaderSource(shader, 1, &source, NULL);
	glCompileShader(shader);
	glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
	if (!good) {
		glGetShaderInfoLog(shader, sizeof(log), NULL, log);
		wl_error("shader: %s", log);
	}
	return shader;
}

/* Attribute 0 is "position", attribute 1 "instance". */
GLuint gl_program(const char *vertex, const char *fragment)
{
	GLuint program = glCreateProgram();
	GLuint vs = compile(GL_VERTEX_SHADER, vertex);
	GLuint fs = compile(GL_FRAGMENT_SHADER, fragment);
	GLint good;

	glAttachShader(program, vs);
	glAttachShader(program, fs);
	glBindAttribLocation(program, 0, "position");
	glBindAttribLocation(program, 1, "instance");
	glLinkProgram(program);
	glDeleteShader(vs);
	glDeleteShader(fs);
	glGetProgramiv(program, GL_LINK_STATUS, &good);
	if (good)
		return program;
	glDeleteProgram(program);
	return 0;
}

static bool export_target(struct gl *gl, struct gl_target *t)
{
	int fds[4] = { -1, -1, -1, -1 }, i;
	EGLint stride[4], offset[4];

	t->image = eglCreateImage(gl->display, gl->context, EGL_GL_TEXTURE_2D,
				  (EGLClientBuffer)(uintptr_t)t->texture, NULL);
	if (t->image == EGL_NO_IMAGE ||
	    !gl->export_image(gl->display, t->image, fds, stride, offset))
		return false;
	t->dmabuf_fd = fds[0];
	for (i = 1; i < 4; i++)
		if (fds[i] >= 0 && fds[i] != fds[0])
			close(fds[i]);
	return t->dmabuf_fd >= 0;
}

bool gl_target_init(struct gl *gl, struct gl_target *t, struct wl_size size,
		    bool depth, bool exported)
{
	GLenum depth_format = gl->es3 ? GL_DEPTH_COMPONENT24 : GL_DEPTH_COMPONENT16;

	*t = (struct gl_target){
		.width = (GLsizei)size.width, .height = (GLsizei)size.height,
		.image = EGL_NO_IMAGE, .dmabuf_fd = -1,
	};
	glGenTextures(1, &t->texture);
	glBindTexture(GL_TEXTURE_2D, t->texture);
	glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, t->width, t->height, 0, GL_RGBA,
		     GL_UNSIGNED_BYTE, NULL);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
	glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
	glGenFramebuffers(1, &t->framebuffer);
	glBindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
	glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D,
			       t->texture, 0);
	if (depth) {
		glGenRenderbuffers(1, &t->depth);
		glBindRenderbuffer(GL_RENDERBUFFER, t->depth);
		glRenderbufferStorage(GL_RENDERBUFFER, depth_format, t->width, t->height);
		glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT,
					  GL_RENDERBUFFER, t->depth);
	}
	if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
		wl_error("framebuffer %dx%d is incomplete", t->width, t->height);
		return false;
	}
	if (exported && !export_target(gl, t))
		return false;
	return gl_ok("render target");
}

void gl_target_fini(struct gl *gl, struct gl_target *t)
{
	if (t->dmabuf_fd >= 0)
		close(t->dmabuf_fd);
	if (t->image != EGL_NO_IMAGE)
		eglDestroyImage(gl->display, t->image);
	glDeleteFramebuffers(1, &t->framebuffer);
	glDeleteRenderbuffers(1, &t->depth);
	glDeleteTextures(1, &t->texture);
	*t = (struct gl_target){ .dmabuf_fd = -1 };
}

void gl_target_bind(const struct gl_target *t)
{
	glBindFramebuffer(GL_FRAMEBUFFER, t->framebuffer);
	glViewport(0, 0, t->width, t->height);
}

static bool init_targets(struct gl_frames *f, struct wl_size size, bool depth)
{
	unsigned int i;

	for (i = 0; i < f->nr_targets; i++)
		if (!gl_target_init(f->gl, &f->targets[i], size, depth,
				    f->sync == SWAP_DMABUF))
			return false;
	return true;
}

static void fini_targets(struct gl_frames *f)
{
	unsigned int i;

	for (i = 0; i < f->nr_targets; i++)
		gl_target_fini(f->gl, &f->targets[i]);
}

/*
 * An unlimited ring shares one target, so its dma-buf would only tell when ALL
 * frames are complete; it uses fences, which it looks at without waiting.
 */
bool gl_frames_init(struct gl_frames *f, struct gl *gl, struct wl_size size,
		    bool depth, unsigned int in_flight, enum gl_swap_sync sync)
{
	bool automatic = sync == SWAP_AUTO;

	f->gl = gl;
	f->head = f->tail = f->late = 0;
	f->capacity = in_flight ? in_flight : GL_FRAMES_MAX;
	f->nr_targets = in_flight ? in_flight : 1;
	if (automatic)
		sync = in_flight && gl->export_image ? SWAP_DMABUF : SWAP_FENCE;
	if (sync == SWAP_DMABUF && (!gl->export_image || !in_flight)) {
		wl_error("dma-buf sync needs a driver with dma-bufs and frames in flight");
		return false;
	}
	if (sync == SWAP_FENCE && !gl->es3)
		sync = SWAP_FINISH;
	f->sync = sync;
	if (init_targets(f, size, depth))
		return true;
	if (!automatic || f->sync != SWAP_DMABUF)
		return false;
	fini_targets(f);
	while (glGetError() != GL_NO_ERROR)
		;
	f->sync = gl->es3 ? SWAP_FENCE : SWAP_FINISH;
	return init_targets(f, size, depth);
}

void gl_frames_fini(struct gl_frames *f)
{
	for (; f->tail != f->head; f->tail++)
		if (f->ring[f->tail % f->capacity].fence)
			glDeleteSync(f->ring[f->tail % f->capacity].fence);
	fini_targets(f);
}

struct gl_target *gl_frames_target(struct gl_frames *f)
{
	return &f->targets[f->head % f->nr_targets];
}

static bool wait_fence(GLsync fence, uint64_t timeout_ns)
{
	GLenum status = glClientWaitSync(fence, 0, timeout_ns);

	return status == GL_ALREADY_SIGNALED || status == GL_CONDITION_SATISFIED;
}

/* A ring that is not limited is only ever waited for when it is drained. */
static bool wait_unlimited(GLsync fence, uint64_t until_ns)
{
	uint64_t now_ns;

	if (wait_fence(fence, 0))
		return true;
	if (!until_ns)
		return false;
	now_ns = wl_now_ns();
	wl_sleep_until(until_ns < now_ns + 1000000 ? until_ns : now_ns + 1000000);
	return wait_fence(fence, 0);
}

/* until_ns 0: only look. */
static bool wait_oldest(struct gl_frames *f, uint64_t until_ns)
{
	GLsync fence = f->ring[f->tail % f->capacity].fence;
	uint64_t now_ns = until_ns ? wl_now_ns() : 0;

	switch (f->sync) {
	case SWAP_DMABUF:
		return wl_wait_dmabuf(f->targets[f->tail % f->nr_targets].dmabuf_fd, until_ns);
	case SWAP_FENCE:
		if (f->capacity == GL_FRAMES_MAX)
			return wait_unlimited(fence, until_ns);
		return wait_fence(fence, until_ns > now_ns ? until_ns - now_ns : 0);
	default:
		return true;	/* glFinish has waited */
	}
}

static void retire_oldest(struct gl_frames *f, struct wl_run *run)
{
	struct gl_frame *frame = &f->ring[f->tail % f->capacity];
	uint64_t now_ns = wl_now_ns();

	wl_run_frame(run, frame->begin_ns, now_ns);
	if (frame->due_ns && now_ns > frame->due_ns)
		f->late++;
	if (frame->fence)
		glDeleteSync(frame->fence);
	frame->fence = NULL;
	f->tail++;
}

bool gl_frames_reap(struct gl_frames *f, struct wl_run *run, unsigned int left,
		    uint64_t until_ns)
{
	while (f->tail != f->head) {
		bool must = gl_frames_in_flight(f) > left;

		if (wait_oldest(f, must ? until_ns : 0))
			retire_oldest(f, run);
		else if (!must || wl_stopped() || wl_now_ns() >= until_ns)
			break;
	}
	return gl_frames_in_flight(f) <= left;
}

void gl_frames_submit(struct gl_frames *f, uint64_t begin_ns, uint64_t due_ns)
{
	struct gl_frame *frame = &f->ring[f->head % f->capacity];

	*frame = (struct gl_frame){ .begin_ns = begin_ns, .due_ns = due_ns };
	if (f->sync == SWAP_FENCE)
		frame->fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
	if (f->sync == SWAP_FINISH)
		glFinish();
	else
		glFlush();
	f->head++;
}

uint64_t gl_frames_oldest_ns(const struct gl_frames *f)
{
	return f->head == f->tail ? 0 : f->ring[f->tail % f->capacity].begin_ns;
}
