// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A job as schedGPU's are: it computes on a core of its own, then has the GPU work on video
 * memory that it needs for that alone, and so on. Before it makes its buffers it can reserve
 * that memory, and waits until it has it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "libtimegraph.h"
#include "nv.h"

#define BUFFER_ROWS NV_MAX_ROWS
#define BUFFER_MIB (NV_PITCH * BUFFER_ROWS >> 20)
#define MAX_BUFFERS 128
#define MAX_FILLS 4000

struct job {
	struct wl_common common;
	struct wl_run run;
	struct nv nv;

	/* options */
	uint64_t memory_mib, think_ns, groups, fills;
	bool each_frame, reserve;

	int timegraph;			/* -1: not open */
	struct nouveau_bo *buffers[MAX_BUFFERS];
	unsigned int nr_buffers;
	uint64_t groups_sent;
	uint64_t held_since_ns;		/* 0: it has no memory */
	uint64_t held_ns, waited_ns;
};

static bool reserve(struct job *j)
{
	uint64_t began_ns = wl_now_ns();
	int error;

	/* Who is interrupted has kept his place. */
	do
		error = -timegraph_reserve_vram(j->timegraph, 0, j->memory_mib << 20,
						TIMEGRAPH_FOREVER);
	while (error == EINTR && !wl_stopped());
	j->waited_ns += wl_now_ns() - began_ns;
	if (error)
		wl_error("no %llu MiB of video memory: %s", (unsigned long long)j->memory_mib,
			 strerror(error));
	return !error;
}

static bool take_memory(struct job *j)
{
	unsigned int i;

	if (j->reserve && !reserve(j))
		return false;
	j->held_since_ns = wl_now_ns();
	for (i = 0; i < j->nr_buffers; i++) {
		int error = nouveau_bo_new(j->nv.device, NOUVEAU_BO_VRAM, 0,
					   NV_PITCH * BUFFER_ROWS, NULL, &j->buffers[i]);

		if (error) {
			wl_error("no buffer of %d MiB: %s", BUFFER_MIB, strerror(-error));
			return false;
		}
	}
	return true;
}

static void drop_memory(struct job *j)
{
	unsigned int i;

	if (!j->held_since_ns)
		return;
	for (i = 0; i < j->nr_buffers; i++)
		nouveau_bo_ref(NULL, &j->buffers[i]);
	if (j->reserve)
		timegraph_free_vram(j->timegraph, 0);
	j->held_ns += wl_now_ns() - j->held_since_ns;
	j->held_since_ns = 0;
}

/* It has all of the job's memory in use, and fills one buffer of it. */
static bool submit_group(struct job *j)
{
	struct nouveau_pushbuf_refn refs[MAX_BUFFERS];
	struct nouveau_bo *target = j->buffers[j->groups_sent++ % j->nr_buffers];
	unsigned int i;

	for (i = 0; i < j->nr_buffers; i++)
		refs[i] = (struct nouveau_pushbuf_refn){
			j->buffers[i], NOUVEAU_BO_VRAM | NOUVEAU_BO_WR };
	if (!nv_group_begin(&j->nv, NV_TARGET_WORDS + (uint32_t)j->fills * NV_FILL_WORDS, refs,
			    (int)j->nr_buffers))
		return false;
	nv_fill_target(&j->nv, target->offset, BUFFER_ROWS);
	for (i = 0; i < j->fills; i++)
		nv_fill(&j->nv, (uint32_t)(j->groups_sent + i), BUFFER_ROWS);
	return nv_group_end(&j->nv);
}

static bool run_groups(struct job *j)
{
	uint64_t begin_ns = wl_now_ns(), i;

	for (i = 0; i < j->groups; i++)
		if (!submit_group(j))
			return false;
	if (nouveau_bo_wait(j->buffers[0], NOUVEAU_BO_RDWR, j->nv.client))
		return false;
	wl_run_frame(&j->run, begin_ns, wl_now_ns());
	return true;
}

static bool run_frame(struct job *j)
{
	bool good;

	wl_sleep_until(wl_now_ns() + j->think_ns);
	if (wl_stopped())
		return true;
	good = (j->held_since_ns || take_memory(j)) && run_groups(j);
	if (j->each_frame)
		drop_memory(j);
	return good;
}

static bool run(struct job *j)
{
	bool good = j->each_frame || take_memory(j);

	while (good && !wl_run_over(&j->run, wl_now_ns()))
		good = run_frame(j);
	wl_run_end(&j->run, 0);
	drop_memory(j);
	wl_run_extra(&j->run, "groups", j->groups_sent);
	wl_run_extra(&j->run, "memory_mib", j->memory_mib);
	wl_run_extra(&j->run, "memory_held_ns", j->held_ns);
	wl_run_extra(&j->run, "memory_waited_ns", j->waited_ns);
	if (good)
		wl_run_report(&j->run);
	return good;
}

static bool open_timegraph(struct job *j)
{
	if (!j->reserve)
		return true;
	j->timegraph = timegraph_open(O_RDWR);
	if (j->timegraph < 0)
		wl_error("%s: %s", TIMEGRAPH_DEVICE, strerror(-j->timegraph));
	return j->timegraph >= 0;
}

static int run_job(struct job *j)
{
	int status = nv_open(&j->nv, j->common.device);

	if (status == WL_OK) {
		j->run.channel_before_ns = j->nv.channel_before_ns;
		j->run.channel_after_ns = j->nv.channel_after_ns;
		j->run.sync = "wait";
		snprintf(j->run.renderer, sizeof(j->run.renderer), "nouveau NV%02X",
			 j->nv.device->chipset);
		if (!open_timegraph(j))
			status = WL_FAILED;
		else if (wl_run_start(&j->run))
			status = run(j) ? WL_OK : WL_FAILED;
		else
			status = wl_stopped() ? WL_OK : WL_FAILED;
	}
	timegraph_close(j->timegraph);
	nv_close(&j->nv);
	return status;
}

int main(int argc, char **argv)
{
	static struct job j = {
		.memory_mib = 64, .groups = 1, .fills = 1, .timegraph = -1,
		.common = { .task = "tgjob", .frames = 1, .seed = 1 },
	};
	const struct wl_opt opts[] = {
		{ "think-us", WL_OPT_TIME, &j.think_ns, "US",
		  "before each frame: time that a core of its own takes",
		  .unit_ns = 1000, .max = 1000000000000 },
		{ "memory-mib", WL_OPT_UINT, &j.memory_mib, "N", "of video memory, by 4 (64)",
		  .min = BUFFER_MIB, .max = BUFFER_MIB * MAX_BUFFERS },
		{ "groups", WL_OPT_UINT, &j.groups, "N", "command groups in a frame (1)",
		  .min = 1, .max = 100000 },
		{ "fills", WL_OPT_UINT, &j.fills, "N", "of 4 MiB, in a group (1)",
		  .min = 1, .max = MAX_FILLS },
		{ "each-frame", WL_OPT_FLAG, &j.each_frame, NULL,
		  "have the memory for the groups of a frame alone" },
		{ "reserve", WL_OPT_FLAG, &j.reserve, NULL,
		  "reserve it first, by libtimegraph" },
		{ 0 },
	};
	int status;

	wl_common_init(&j.common, argc, argv, ": has video memory while it needs it", opts, NULL);
	if (j.memory_mib % BUFFER_MIB) {
		wl_error("--memory-mib: a multiple of %d, please", BUFFER_MIB);
		return WL_USAGE;
	}
	if (j.common.check) {
		wl_error("--check: nothing is read back");
		return WL_USAGE;
	}
	j.nr_buffers = (unsigned int)(j.memory_mib / BUFFER_MIB);
	j.common.size = (struct wl_size){ NV_PITCH / 4, BUFFER_ROWS };
	wl_run_init(&j.run, &j.common);
	status = run_job(&j);
	wl_run_fini(&j.run);
	return wl_end(&j.common, status);
}
