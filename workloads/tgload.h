/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tgload's files share. */
#ifndef WL_TGLOAD_H
#define WL_TGLOAD_H

#include "nv.h"

#define LOAD_MAX_BUFFERS 64
#define LOAD_MAX_SLOTS 64
#define LOAD_MAX_GROUPS 256	/* in a frame */
#define LOAD_MAX_UNITS 4000	/* fills or copies in a group */

enum load_work {
	LOAD_FILL,	/* 2D rectangles into VRAM */
	LOAD_COPY,	/* M2MF from VRAM to VRAM */
	LOAD_GART,	/* M2MF from system memory to system memory */
};

enum load_fault {
	LOAD_FAULT_NONE,
	LOAD_FAULT_METHOD,	/* a method the class does not have */
	LOAD_FAULT_VALUE,	/* a value a method does not take */
	LOAD_FAULT_ADDRESS,	/* a fill where nothing is mapped */
	LOAD_FAULT_OBJECT,	/* a method on a subchannel without an object */
	LOAD_FAULT_BIND,	/* an object that does not exist */
	LOAD_FAULT_COMMAND,	/* a word that is no method header */
	LOAD_FAULT_PUSH,	/* a push buffer outside of its buffer object */
	LOAD_FAULT_NO_PREFETCH,	/* legal: a segment the GPU may not prefetch */
	LOAD_FAULT_HANG,	/* waits for a semaphore nobody releases */
};

/* A frame in flight: its stamps lie in a buffer of its own, which its end signals. */
struct load_slot {
	struct nouveau_bo *bo;
	int dmabuf_fd;
	uint64_t begin_ns, due_ns;
	uint64_t submit_ns[LOAD_MAX_GROUPS];
};

struct load_buffer {
	struct nouveau_bo *to, *from;
	uint32_t last_colour;		/* of the last fill */
	uint32_t rows_done;		/* rows whose content is known */
};

struct load {
	struct wl_common common;
	struct wl_run run;
	struct nv nv;
	uint64_t offset_ns;		/* GPU time to CLOCK_MONOTONIC */

	/* options */
	uint64_t cost_ns, bytes, units, groups_per_frame, period_ns, nr_buffers, in_flight;
	uint64_t flood, fault_every, vary, window_ns, cpu_ns;
	int work, fault;
	bool wait, verify, forge_refs;

	/* one group: `units` of `rows` rows and, before them, one of last_rows */
	uint32_t rows, last_rows;
	struct load_buffer buffers[LOAD_MAX_BUFFERS];
	struct nouveau_bo *staging;	/* system memory, one buffer's size */
	struct nouveau_bo *command;	/* for the no-prefetch segment */

	struct load_slot slots[LOAD_MAX_SLOTS];
	unsigned int nr_slots;
	uint64_t head, tail;		/* frames submitted, frames complete */

	/* counters since the window opened */
	uint64_t groups;		/* submitted */
	uint64_t late, skipped;		/* frames complete too late; periods without a frame */
	uint64_t stamps_lost;		/* groups without a GPU time: each was cut short by a fault */
	uint64_t faults, notifies;	/* sent */
	uint64_t busy_ns;		/* GPU time of completed groups */
	struct wl_samples gpu_times, latencies;	/* of groups */
	struct wl_marks busy, ends;	/* of groups, if --window-us: GPU time; 1 for each */
};

/* Hostile words for the push buffer; at most LOAD_HOSTILE_WORDS beside the flood. */
#define LOAD_HOSTILE_WORDS 64
void load_emit_fault(struct load *l, struct load_slot *slot);
void load_emit_flood(struct load *l, uint64_t count);
void load_emit_refs(struct load *l);
bool load_init_faults(struct load *l);

#endif
