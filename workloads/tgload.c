// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The knob for exact experiments: frames of so many command groups, each of an
 * exact cost, submitted through libdrm_nouveau without Mesa. Every group stamps
 * its start and its end with the GPU's clock, so that latencies do not depend on
 * when this program gets the CPU.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tgload.h"

#define DRAIN_NS 2000000000ull
#define STAMPS_BYTES (2 * NV_STAMP_BYTES)	/* of a group: start, end */

static uint64_t stamp_address(const struct load_slot *slot, uint64_t group)
{
	return slot->bo->offset + group * STAMPS_BYTES;
}

/* The GPU time in the second half of a report; 0 = not written. */
static uint64_t stamp_ns(const struct load_slot *slot, uint64_t group, bool end)
{
	const volatile uint64_t *report = slot->bo->map;

	return report[group * 4 + (end ? 3 : 1)];
}

static void emit_unit(struct load *l, struct load_buffer *b, uint32_t rows)
{
	if (!rows)
		return;
	if (l->work == LOAD_FILL) {
		b->last_colour = b->last_colour * 1664525 + 1013904223;
		nv_fill(&l->nv, b->last_colour, rows);
	} else {
		nv_copy(&l->nv, b->from->offset, b->to->offset, rows);
	}
	if (rows > b->rows_done || l->work == LOAD_FILL)
		b->rows_done = rows;
}

static int add_refs(struct load *l, struct load_slot *slot, struct nouveau_pushbuf_refn *refs)
{
	uint32_t domain = l->work == LOAD_GART ? NOUVEAU_BO_GART : NOUVEAU_BO_VRAM;
	uint64_t i;
	int nr = 0;

	refs[nr++] = (struct nouveau_pushbuf_refn){ slot->bo, NOUVEAU_BO_GART | NOUVEAU_BO_WR };
	for (i = 0; i < l->nr_buffers; i++) {
		refs[nr++] = (struct nouveau_pushbuf_refn){
			l->buffers[i].to, domain | NOUVEAU_BO_WR };
		if (l->buffers[i].from)
			refs[nr++] = (struct nouveau_pushbuf_refn){
				l->buffers[i].from, domain | NOUVEAU_BO_RD };
	}
	return nr;
}

/* One command group: stamp, work, stamp; with what --fault and the flood add. */
static bool submit_group(struct load *l, struct load_slot *slot, uint64_t group,
			 uint64_t units, uint32_t rows, uint32_t last_rows, bool hostile)
{
	struct load_buffer *b = &l->buffers[l->groups % l->nr_buffers];
	struct nouveau_pushbuf_refn refs[2 * LOAD_MAX_BUFFERS + 1];
	uint32_t words = 2 * NV_STAMP_WORDS + NV_TARGET_WORDS + LOAD_HOSTILE_WORDS +
			 (uint32_t)(units + 1) * NV_COPY_WORDS + (uint32_t)l->flood * 4;
	uint64_t i, flood = hostile ? l->flood : 0;

	if (hostile && l->vary)
		rows -= (uint32_t)(rows * (wl_random(l->common.seed, l->groups) % (l->vary + 1)) / 100);
	if (!nv_group_begin(&l->nv, words, refs, add_refs(l, slot, refs)))
		return false;
	nv_stamp(&l->nv, stamp_address(slot, group), (uint32_t)l->groups);
	if (hostile && l->fault && l->groups % l->fault_every == 0)
		load_emit_fault(l, slot);
	if (hostile && l->forge_refs)
		load_emit_refs(l);
	load_emit_flood(l, flood / 3);
	if (l->work == LOAD_FILL)
		nv_fill_target(&l->nv, b->to->offset, l->rows);
	emit_unit(l, b, last_rows);
	for (i = 0; i < units; i++) {
		if (i == units / 2)
			load_emit_flood(l, flood / 3);
		emit_unit(l, b, rows);
	}
	nv_stamp(&l->nv, stamp_address(slot, group) + NV_STAMP_BYTES, (uint32_t)l->groups);
	load_emit_flood(l, flood - flood / 3 - (units ? flood / 3 : 0));
	slot->submit_ns[group] = wl_now_ns();
	l->groups++;
	return nv_group_end(&l->nv);
}

/* The GPU time of a group of this shape, the best of three; 0 = failed. */
static uint64_t measure_group(struct load *l, uint64_t units, uint32_t rows)
{
	struct load_slot *slot = &l->slots[0];
	uint64_t best_ns = UINT64_MAX, start, end;
	int i;

	for (i = 0; i < 3; i++) {
		memset(slot->bo->map, 0, STAMPS_BYTES);
		if (!submit_group(l, slot, 0, units, rows, 0, false) ||
		    nouveau_bo_wait(slot->bo, NOUVEAU_BO_RDWR, l->nv.client))
			return 0;
		start = stamp_ns(slot, 0, false);
		end = stamp_ns(slot, 0, true);
		if (!start || !end)
			return 0;
		if (end - start < best_ns)
			best_ns = end - start;
	}
	return best_ns;
}

/*
 * Finds the units and rows that make --cost-us. With T(n, r) the time of n units
 * of r rows, T(n, r) = e + n (a + b r): three measurements give e, a and b.
 */
static bool calibrate(struct load *l)
{
	double full_ns, few_ns, empty_ns, a, b, rest;
	const uint32_t few = l->rows / 4 ? l->rows / 4 : 1;
	const int n = 8;

	empty_ns = (double)measure_group(l, 0, l->rows);
	full_ns = (double)measure_group(l, n, l->rows);
	few_ns = (double)measure_group(l, n, few);
	if (empty_ns <= 0 || full_ns <= empty_ns || few_ns <= 0 || few >= l->rows) {
		wl_error("cannot calibrate (%.0f, %.0f, %.0f ns)", empty_ns, few_ns, full_ns);
		return false;
	}
	b = (full_ns - few_ns) / n / (l->rows - few);
	a = (full_ns - empty_ns) / n - b * l->rows;
	rest = (double)l->cost_ns - empty_ns;
	if (rest < 0)
		rest = 0;
	l->units = (uint64_t)(rest / (a + b * l->rows));
	if (l->units > LOAD_MAX_UNITS) {
		wl_error("--cost-us needs more than %d units: raise --bytes", LOAD_MAX_UNITS);
		return false;
	}
	rest -= (double)l->units * (a + b * l->rows);
	l->last_rows = b > 0 && rest > a ? (uint32_t)((rest - a) / b) : 0;
	return true;
}

static struct nouveau_bo *new_bo(struct load *l, uint32_t domain, uint64_t bytes)
{
	struct nouveau_bo *bo = NULL;

	if (nouveau_bo_new(l->nv.device, domain, 0, bytes, NULL, &bo))
		wl_error("no buffer of %llu bytes", (unsigned long long)bytes);
	return bo;
}

static uint32_t pattern(uint64_t buffer, uint32_t word)
{
	return (uint32_t)((buffer + 1) * 0x85ebca6b) + word * 0x9e3779b1;
}

/* Copies between a buffer and the staging buffer and waits for it. */
static bool stage(struct load *l, struct nouveau_bo *from, struct nouveau_bo *to)
{
	struct nouveau_pushbuf_refn refs[2] = {
		{ from, (from->flags & NOUVEAU_BO_APER) | NOUVEAU_BO_RD },
		{ to, (to->flags & NOUVEAU_BO_APER) | NOUVEAU_BO_WR },
	};

	if (!nv_group_begin(&l->nv, NV_COPY_WORDS + 2, refs, 2))
		return false;
	nv_copy(&l->nv, from->offset, to->offset, l->rows);
	nv_method(&l->nv, NV_SUBC_M2MF, NV_SERIALIZE, 0);
	return nv_group_end(&l->nv) &&
	       !nouveau_bo_wait(to, NOUVEAU_BO_RDWR, l->nv.client) &&
	       !nouveau_bo_wait(from, NOUVEAU_BO_RDWR, l->nv.client);
}

static bool init_buffer(struct load *l, uint64_t index)
{
	uint32_t domain = l->work == LOAD_GART ? NOUVEAU_BO_GART : NOUVEAU_BO_VRAM;
	struct load_buffer *b = &l->buffers[index];
	uint32_t i, *words = l->staging->map;

	b->last_colour = (uint32_t)wl_random(l->common.seed, index);
	b->to = new_bo(l, domain, l->bytes);
	if (!b->to)
		return false;
	if (l->work == LOAD_FILL)
		return true;
	b->from = new_bo(l, domain, l->bytes);
	if (!b->from)
		return false;
	for (i = 0; i < l->bytes / 4; i++)
		words[i] = pattern(index, i);
	return stage(l, l->staging, b->from);
}

static bool init_slot(struct load *l, struct load_slot *slot)
{
	slot->dmabuf_fd = -1;
	slot->bo = new_bo(l, NOUVEAU_BO_GART | NOUVEAU_BO_MAP,
			  LOAD_MAX_GROUPS * STAMPS_BYTES + 4096);
	return slot->bo && !nouveau_bo_map(slot->bo, 0, l->nv.client) &&
	       !nouveau_bo_set_prime(slot->bo, &slot->dmabuf_fd);
}

static bool init_buffers(struct load *l)
{
	uint64_t i;

	l->staging = new_bo(l, NOUVEAU_BO_GART | NOUVEAU_BO_MAP, l->bytes);
	if (!l->staging || nouveau_bo_map(l->staging, NOUVEAU_BO_WR, l->nv.client))
		return false;
	for (i = 0; i < l->nr_buffers; i++)
		if (!init_buffer(l, i))
			return false;
	for (i = 0; i < l->nr_slots; i++)
		if (!init_slot(l, &l->slots[i]))
			return false;
	return load_init_faults(l);
}

static void fini_buffers(struct load *l)
{
	uint64_t i;

	for (i = 0; i < l->nr_slots; i++) {
		if (l->slots[i].bo && l->slots[i].dmabuf_fd >= 0)
			close(l->slots[i].dmabuf_fd);
		nouveau_bo_ref(NULL, &l->slots[i].bo);
	}
	for (i = 0; i < l->nr_buffers; i++) {
		nouveau_bo_ref(NULL, &l->buffers[i].to);
		nouveau_bo_ref(NULL, &l->buffers[i].from);
	}
	nouveau_bo_ref(NULL, &l->staging);
	nouveau_bo_ref(NULL, &l->command);
}

/* Takes the oldest frame's stamps; a frame whose stamps are lost ends when seen. */
static void retire_oldest(struct load *l)
{
	const struct load_slot *slot = &l->slots[l->tail++ % l->nr_slots];
	uint64_t done_ns = 0, group, start, end;

	for (group = 0; group < l->groups_per_frame; group++) {
		start = stamp_ns(slot, group, false);
		end = stamp_ns(slot, group, true);
		if (!start || !end) {
			l->stamps_lost++;
			continue;
		}
		done_ns = end + l->offset_ns;
		if (done_ns > l->run.deadline_ns || slot->begin_ns < l->run.start_ns)
			continue;
		wl_samples_add(&l->gpu_times, end - start);
		wl_samples_add(&l->latencies, done_ns - slot->submit_ns[group]);
		l->busy_ns += end - start;
		if (l->window_ns) {
			wl_marks_add(&l->busy, done_ns, end - start);
			wl_marks_add(&l->ends, done_ns, 1);
		}
	}
	if (!done_ns)
		done_ns = wl_now_ns();
	if (slot->due_ns && done_ns > slot->due_ns)
		l->late++;
	wl_run_frame(&l->run, slot->begin_ns, done_ns);
}

/* As gl_frames_reap(): until no more than `left` frames are in flight. */
static bool reap(struct load *l, uint64_t left, uint64_t until_ns)
{
	while (l->tail != l->head) {
		bool must = l->head - l->tail > left;

		if (wl_wait_dmabuf(l->slots[l->tail % l->nr_slots].dmabuf_fd,
				   must ? until_ns : 0))
			retire_oldest(l);
		else if (!must || wl_stopped() || wl_now_ns() >= until_ns)
			break;
	}
	return l->head - l->tail <= left;
}

static bool submit_frame(struct load *l, uint64_t due_ns)
{
	struct load_slot *slot = &l->slots[l->head % l->nr_slots];
	uint64_t group;

	memset(slot->bo->map, 0, LOAD_MAX_GROUPS * STAMPS_BYTES);
	slot->begin_ns = wl_now_ns();
	slot->due_ns = due_ns;
	for (group = 0; group < l->groups_per_frame; group++)
		if (!submit_group(l, slot, group, l->units, l->rows, l->last_rows, true))
			return false;
	l->head++;
	return true;
}

/* Sleeps until the period's start; skips periods that are over. Returns its end. */
static uint64_t next_period(struct load *l, uint64_t *period)
{
	uint64_t start_ns = l->run.start_ns, current;

	reap(l, 0, start_ns + *period * l->period_ns);
	wl_sleep_until(start_ns + *period * l->period_ns);
	current = (wl_now_ns() - start_ns) / l->period_ns;
	if (current > *period) {
		l->skipped += current - *period;
		*period = current;
	}
	++*period;
	return start_ns + *period * l->period_ns;
}

/*
 * Before a frame, what the program computes for it: CPU time of its own, however long it
 * takes to get that beside others.
 */
static void compute(const struct load *l)
{
	struct timespec now;
	uint64_t end_ns = 0, now_ns;

	do {
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
		now_ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
		if (!end_ns)
			end_ns = now_ns + l->cpu_ns;
	} while (now_ns < end_ns && !wl_run_over(&l->run, wl_now_ns()));
}

static bool measure(struct load *l)
{
	struct wl_run *run = &l->run;
	uint64_t due_ns = 0, period = 0, limit = l->common.frames;

	while (!wl_run_over(run, wl_now_ns())) {
		if (limit && l->head >= limit) {
			reap(l, 0, run->deadline_ns);
			if (l->head == l->tail)
				break;
			continue;
		}
		if (l->period_ns)
			due_ns = next_period(l, &period);
		if (!reap(l, l->nr_slots - 1, run->deadline_ns) ||
		    wl_run_over(run, wl_now_ns()))
			continue;
		if (l->cpu_ns)
			compute(l);
		if (!submit_frame(l, due_ns))
			return false;
		if (l->wait)
			reap(l, 0, run->deadline_ns);
	}
	wl_run_end(run, l->head == l->tail ? 0 : l->slots[l->tail % l->nr_slots].begin_ns);
	return true;
}

static uint32_t expected(const struct load *l, uint64_t index, uint32_t word)
{
	return l->work == LOAD_FILL ? l->buffers[index].last_colour : pattern(index, word);
}

static bool verify_buffer(struct load *l, uint64_t index)
{
	const uint32_t *words = l->staging->map;
	uint32_t i, count = l->buffers[index].rows_done * (NV_PITCH / 4), bad = 0, first = 0;

	memset(l->staging->map, 0x5a, l->bytes);
	if (!stage(l, l->buffers[index].to, l->staging))
		return false;
	for (i = 0; i < count; i++)
		if (words[i] != expected(l, index, i) && !bad++)
			first = i;
	if (bad)
		wl_error("verify: buffer %llu: %u of %u words wrong, word %u is %08x, not %08x",
			 (unsigned long long)index, bad, count, first, words[first],
			 expected(l, index, first));
	return !bad;
}

static bool verify(struct load *l)
{
	bool good = true;
	uint64_t i;

	for (i = 0; i < l->nr_buffers; i++)
		good = verify_buffer(l, i) && good;
	return good;
}

/* A run that is shorter than a window has none, and reports none. */
static void add_windows(struct load *l)
{
	struct wl_run *run = &l->run;
	uint64_t end_ns = run->end_ns < run->deadline_ns ? run->end_ns : run->deadline_ns;
	uint64_t groups = wl_marks_least(&l->ends, run->start_ns, end_ns, l->window_ns);

	if (groups == UINT64_MAX)
		return;
	wl_run_extra(run, "window_groups_min", groups);
	wl_run_extra(run, "window_busy_min_ns",
		     wl_marks_least(&l->busy, run->start_ns, end_ns, l->window_ns));
}

static void add_extras(struct load *l)
{
	struct wl_run *run = &l->run;

	wl_run_extra(run, "groups", l->groups);
	wl_run_extra(run, "groups_done", l->gpu_times.count);
	wl_run_extra(run, "units_per_group", l->units);
	wl_run_extra(run, "last_rows", l->last_rows);
	wl_run_extra(run, "bytes_per_unit", l->bytes);
	wl_run_extra(run, "gpu_busy_ns", l->busy_ns);
	wl_run_extra(run, "group_gpu_p50_ns", wl_samples_percentile(&l->gpu_times, 50));
	wl_run_extra(run, "group_gpu_max_ns", wl_samples_percentile(&l->gpu_times, 100));
	wl_run_extra(run, "group_lat_p50_ns", wl_samples_percentile(&l->latencies, 50));
	wl_run_extra(run, "group_lat_p90_ns", wl_samples_percentile(&l->latencies, 90));
	wl_run_extra(run, "group_lat_p99_ns", wl_samples_percentile(&l->latencies, 99));
	wl_run_extra(run, "group_lat_max_ns", wl_samples_percentile(&l->latencies, 100));
	wl_run_extra(run, "stamps_lost", l->stamps_lost);
	if (l->period_ns) {
		wl_run_extra(run, "late", l->late);
		wl_run_extra(run, "skipped", l->skipped);
	}
	if (l->window_ns)
		add_windows(l);
	if (l->flood)
		wl_run_extra(run, "notifies", l->notifies);
	if (l->fault)
		wl_run_extra(run, "faults", l->faults);
}

/* Nothing before the window counts, whatever calibration and warm-up submitted. */
static bool warm_up(struct load *l)
{
	uint64_t i;

	if (l->cost_ns && !calibrate(l))
		return false;
	for (i = 0; i < l->common.warmup && !wl_stopped(); i++)
		if (measure_group(l, l->units, l->rows) == 0)
			return false;
	l->groups = 0;
	return nv_clock_offset(&l->nv, &l->offset_ns);
}

static int run_window(struct load *l)
{
	bool good;

	if (!wl_run_start(&l->run))
		return wl_stopped() ? WL_OK : WL_FAILED;
	good = measure(l);
	if (l->verify || l->common.check) {
		reap(l, 0, wl_now_ns() + DRAIN_NS);
		good = verify(l) && good;
		l->run.check = good ? "pass" : "fail";
	}
	add_extras(l);
	wl_run_report(&l->run);
	return good ? WL_OK : WL_FAILED;
}

static int run_load(struct load *l)
{
	int status = nv_open(&l->nv, l->common.device);

	if (status != WL_OK)
		goto close;
	l->run.channel_before_ns = l->nv.channel_before_ns;
	l->run.channel_after_ns = l->nv.channel_after_ns;
	l->run.sync = "dmabuf";
	snprintf(l->run.renderer, sizeof(l->run.renderer), "nouveau NV%02X",
		 l->nv.device->chipset);
	status = WL_FAILED;
	if (init_buffers(l) && warm_up(l))
		status = run_window(l);
	/* What does not end in a while never will: leave it to the kernel. */
	reap(l, 0, wl_now_ns() + DRAIN_NS);
	fini_buffers(l);
close:
	nv_close(&l->nv);
	return status;
}

static int usage(const char *what)
{
	wl_error("%s", what);
	return WL_USAGE;
}

int main(int argc, char **argv)
{
	static const char *const works[] = { "fill", "copy", "gart", NULL };
	static const char *const faults[] = {
		"none", "method", "value", "address", "object", "bind", "command", "push",
		"no-prefetch", "hang", NULL,
	};
	static struct load l = {
		.bytes = 1 << 20, .units = 16, .groups_per_frame = 1, .nr_buffers = 2,
		.in_flight = 2, .fault_every = 16,
		.common = { .task = "tgload", .warmup = 1, .seed = 1 },
	};
	const struct wl_opt opts[] = {
		{ "cost-us", WL_OPT_TIME, &l.cost_ns, "US", "GPU time of a group (calibrated)",
		  .unit_ns = 1000, .min = 1000, .max = 10000000000 },
		{ "work", WL_OPT_CHOICE, &l.work, "HOW",
		  "fill (2D), copy (VRAM), gart (system memory)", .choices = works },
		{ "fills", WL_OPT_UINT, &l.units, "N", "fills or copies in a group (16)",
		  .min = 0, .max = LOAD_MAX_UNITS },
		{ "bytes", WL_OPT_UINT, &l.bytes, "N", "of a fill, multiple of 4096 (1 MiB)",
		  .min = NV_PITCH, .max = NV_PITCH * NV_MAX_ROWS },
		{ "vary", WL_OPT_UINT, &l.vary, "PERCENT",
		  "make groups shorter by up to that, at random", .min = 0, .max = 99 },
		{ "buffers", WL_OPT_UINT, &l.nr_buffers, "N", "to work on in turn (2)",
		  .min = 1, .max = LOAD_MAX_BUFFERS },
		{ "groups-per-frame", WL_OPT_UINT, &l.groups_per_frame, "N", "(1)",
		  .min = 1, .max = LOAD_MAX_GROUPS },
		{ "period-us", WL_OPT_TIME, &l.period_ns, "US", "begin a frame every US",
		  .unit_ns = 1000, .min = 1000, .max = 3600000000000 },
		{ "frames-in-flight", WL_OPT_UINT, &l.in_flight, "N", "(2), 0 = 64",
		  .min = 0, .max = LOAD_MAX_SLOTS },
		{ "cpu-us", WL_OPT_TIME, &l.cpu_ns, "US", "compute for US of CPU time before a frame",
		  .unit_ns = 1000, .min = 1000, .max = 10000000000 },
		{ "wait", WL_OPT_FLAG, &l.wait, NULL, "wait for each frame's end" },
		{ "window-us", WL_OPT_TIME, &l.window_ns, "US",
		  "report the least GPU time and groups in any US of the run",
		  .unit_ns = 1000, .min = 1000, .max = 3600000000000 },
		{ "verify", WL_OPT_FLAG, &l.verify, NULL, "check the buffers at the end" },
		{ "notify-flood", WL_OPT_UINT, &l.flood, "N", "own NOTIFY + NOP in each group",
		  .min = 0, .max = 4000 },
		{ "forge-refs", WL_OPT_FLAG, &l.forge_refs, NULL,
		  "own SET_REFERENCE values in each group" },
		{ "fault", WL_OPT_CHOICE, &l.fault, "KIND", "method value address object bind",
		  .choices = faults },
		{ "fault-every", WL_OPT_UINT, &l.fault_every, "N",
		  "groups; KIND also: command push no-prefetch hang", .min = 1, .max = 1000000 },
		{ 0 },
	};
	int status;

	wl_common_init(&l.common, argc, argv,
		       ": groups of an exact cost, by libdrm_nouveau",
		       opts, NULL);
	if (l.bytes % NV_PITCH)
		return usage("--bytes: a multiple of 4096, please");
	/* A hung group never completes, so --frames alone would never be reached. */
	if (!l.common.duration_ns && (!l.common.frames || l.fault == LOAD_FAULT_HANG))
		l.common.duration_ns = 5000000000;
	l.rows = (uint32_t)(l.bytes / NV_PITCH);
	l.common.size = (struct wl_size){ NV_PITCH / 4, l.rows };
	l.nr_slots = l.in_flight ? (unsigned int)l.in_flight : LOAD_MAX_SLOTS;
	wl_samples_init(&l.gpu_times, 4096);
	wl_samples_init(&l.latencies, 4096);
	wl_run_init(&l.run, &l.common);
	status = run_load(&l);
	wl_run_fini(&l.run);
	wl_samples_fini(&l.gpu_times);
	wl_samples_fini(&l.latencies);
	wl_marks_fini(&l.busy);
	wl_marks_fini(&l.ends);
	return wl_end(&l.common, status);
}
