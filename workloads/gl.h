/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * OpenGL ES off-screen: EGL, render targets, and a ring of frames in flight
 * that stands for a swap chain.
 */
#ifndef WL_GL_H
#define WL_GL_H

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl3.h>
#include <GLES2/gl2ext.h>

#include "common.h"

struct gbm_device;

/*
 * How the end of a frame on the GPU is awaited.
 *
 * DMABUF: poll() on the target's dma-buf, as a display server does. It sleeps.
 * FENCE: glClientWaitSync. Mesa's nouveau drivers spin in it, which would take
 *	the CPU from the very programs that are being compared.
 * FINISH: glFinish after every frame.
 */
enum gl_swap_sync {
	SWAP_AUTO,
	SWAP_DMABUF,
	SWAP_FENCE,
	SWAP_FINISH,
};

struct gl {
	EGLDisplay display;
	EGLContext context;
	struct gbm_device *gbm;
	int device_fd;
	bool es3;
	char renderer[64];
	uint64_t channel_before_ns, channel_after_ns;
	PFNEGLEXPORTDMABUFIMAGEMESAPROC export_image;
};

struct gl_target {
	GLuint framebuffer, texture, depth;
	EGLImage image;
	int dmabuf_fd;		/* -1 unless exported */
	GLsizei width, height;
};

#define GL_FRAMES_MAX 1024	/* when the number in flight is not limited */
#define GL_TARGETS_MAX 8

struct gl_frame {
	uint64_t begin_ns;
	uint64_t due_ns;	/* complete later than this: late; 0 = no deadline */
	GLsync fence;
};

/* Oldest frame at tail; a limited ring has one target for each slot. */
struct gl_frames {
	struct gl *gl;
	enum gl_swap_sync sync;
	unsigned int capacity, nr_targets;
	uint64_t head, tail;
	uint64_t late;		/* frames seen complete after due_ns */
	struct gl_target targets[GL_TARGETS_MAX];
	struct gl_frame ring[GL_FRAMES_MAX];
};

/* Returns an enum wl_exit. software: accept a renderer that is no GPU. */
int gl_open(struct gl *gl, const char *device, bool software);
void gl_close(struct gl *gl);
bool gl_ok(const char *what);
GLuint gl_program(const char *vertex, const char *fragment);

bool gl_target_init(struct gl *gl, struct gl_target *t, struct wl_size size,
		    bool depth, bool exported);
void gl_target_fini(struct gl *gl, struct gl_target *t);
void gl_target_bind(const struct gl_target *t);

/* in_flight 0: as many as the driver takes. */
bool gl_frames_init(struct gl_frames *f, struct gl *gl, struct wl_size size,
		    bool depth, unsigned int in_flight, enum gl_swap_sync sync);
void gl_frames_fini(struct gl_frames *f);
struct gl_target *gl_frames_target(struct gl_frames *f);
/*
 * Accounts completed frames to run until no more than `left` are in flight, or
 * until_ns is reached, or a signal comes; true when that many are left.
 */
bool gl_frames_reap(struct gl_frames *f, struct wl_run *run, unsigned int left,
		    uint64_t until_ns);
void gl_frames_submit(struct gl_frames *f, uint64_t begin_ns, uint64_t due_ns);
uint64_t gl_frames_oldest_ns(const struct gl_frames *f);
static inline unsigned int gl_frames_in_flight(const struct gl_frames *f)
{
	return (unsigned int)(f->head - f->tail);
}

#endif
