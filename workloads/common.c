// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "common.h"
#include "json.h"
#include "output.h"

static volatile sig_atomic_t stop_requested;

static void on_signal(int sig)
{
	(void)sig;
	stop_requested = 1;
}

bool wl_stopped(void)
{
	return stop_requested;
}

void wl_error(const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", program_invocation_short_name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

uint64_t wl_now_ns(void)
{
	return now_ns();
}

void wl_sleep_until(uint64_t ns)
{
	struct timespec ts = clock_timespec(ns);

	while (!stop_requested &&
	       clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL) == EINTR)
		;
}

bool wl_wait_dmabuf(int fd, uint64_t until_ns)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };
	uint64_t now = until_ns ? now_ns() : 0;
	struct timespec ts = clock_timespec(until_ns > now ? until_ns - now : 0);

	return ppoll(&p, 1, until_ns == WL_FOREVER_NS ? NULL : &ts, NULL) == 1;
}

/* SplitMix64 (Steele, Lea, Flood 2014) evaluated at one point. */
uint64_t wl_random(uint64_t seed, uint64_t index)
{
	uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

static uint64_t cpu_ns(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (uint64_t)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000 +
	       (uint64_t)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000;
}

void wl_catch_signals(void)
{
	/* No SA_RESTART: a sleeping program shall notice at once. */
	struct sigaction sa = { .sa_handler = on_signal };

	sigaction(SIGTERM, &sa, NULL);
	sigaction(SIGINT, &sa, NULL);
}

/* The kernel cuts a name at 15 characters; scripts take it out of a line. */
static bool plain(const char *name)
{
	return *name && strlen(name) < 16 && !strpbrk(name, "\"\\\n\t");
}

/* Options in the order of --help. */
static int parse(struct wl_common *c, int argc, char **argv, const char *summary,
		 const struct wl_opt *own, const struct wl_opt *family)
{
	const struct wl_opt table[] = {
		{ "seconds", WL_OPT_TIME, &c->duration_ns, "S", "length of the measuring window",
		  .unit_ns = 1000000000, .min = 1000000, .max = 86400ull * 1000000000 },
		{ "frames", WL_OPT_UINT, &c->frames, "N", "end after N frames",
		  .min = 1, .max = UINT32_MAX },
		{ "warmup", WL_OPT_UINT, &c->warmup, "N", "frames drawn before \"ready\"",
		  .min = 0, .max = 100000 },
		{ "size", WL_OPT_SIZE, &c->size, "WxH", "size of the frame" },
		{ "seed", WL_OPT_UINT, &c->seed, "N", "the scene's random seed" },
		{ "name", WL_OPT_STRING, &c->name, "NAME", "the task's name (comm)" },
		{ "device", WL_OPT_STRING, &c->device, "PATH", "DRM render node" },
		{ "start-at", WL_OPT_TIME, &c->start_at_ns, "MS",
		  "start at this CLOCK_MONOTONIC time", .unit_ns = 1000000 },
		{ "barrier", WL_OPT_STRING, &c->barrier, "FILE",
		  "read the start time from FILE, FIFO or '-'" },
		{ "frame-log", WL_OPT_STRING, &c->frame_log, "DIR",
		  "when each frame was complete, to DIR/PID.frames" },
		{ "check", WL_OPT_FLAG, &c->check, NULL, "read results back and verify them" },
		{ "json", WL_OPT_FLAG, &c->json, NULL, "one JSON object on a line" },
		{ "help", NULL, NULL, NULL, "this text" },
		{ 0 },
	};
	const struct wl_opt *const tables[] = {
		table, family ? family : own, family ? own : NULL, NULL
	};
	struct cli cli = wl_opts_cli(tables);
	char about[512];
	int status;

	/* Who has many options has it behind a colon, on one line: help is to fit a screen. */
	snprintf(about, sizeof(about), "usage: %s [options]%s%s\n", c->task,
		 *summary == ':' ? "" : "\n", summary);
	cli.who = c->task;
	cli.about = about;
	cli.notes = "exit status: 0 done, 1 failed, 2 usage, 77 no suitable GPU\n";
	status = cli_parse(&cli, argc, argv);
	if (status != CLI_GO_ON)
		return status;
	if (optind < argc)
		return cli_usage(&cli, "'%s' is not an option", argv[optind]);
	if (!c->name)
		c->name = c->task;
	if (!plain(c->name))
		return cli_usage(&cli, "--name: 1 to 15 plain characters");
	return CLI_GO_ON;
}

void wl_common_init(struct wl_common *c, int argc, char **argv, const char *summary,
		    const struct wl_opt *own, const struct wl_opt *family)
{
	int status = parse(c, argc, argv, summary, own, family);

	if (status != CLI_GO_ON)
		exit(wl_end(c, status));
	prctl(PR_SET_NAME, c->name);
	wl_catch_signals();
}

int wl_end(const struct wl_common *c, int status)
{
	return output_end(c->task, status, WL_FAILED);
}

void wl_run_init(struct wl_run *run, const struct wl_common *c)
{
	*run = (struct wl_run){ .common = c, .sync = "none" };
	wl_samples_init(&run->frame_times, 4096);
	wl_samples_init(&run->latencies, 4096);
}

void wl_run_fini(struct wl_run *run)
{
	wl_samples_fini(&run->frame_times);
	wl_samples_fini(&run->latencies);
	wl_marks_fini(&run->done);
}

/* All in one line without blanks: scripts look for "frames":60. */
static struct json open_json(const struct wl_common *c, const char *event)
{
	struct json j = { .out = stdout, .dense = true };

	json_open(&j, NULL, '{');
	if (event)
		json_string(&j, "event", event);
	json_string(&j, "task", c->task);
	json_string(&j, "name", c->name);
	json_int(&j, "pid", getpid());
	return j;
}

static void ready_json(const struct wl_run *run)
{
	struct json j = open_json(run->common, "ready");

	json_uint(&j, "channel_open_ns", run->channel_after_ns);
	json_uint(&j, "ready_ns", run->ready_ns);
	json_close(&j, '}');
}

static void say_ready(struct wl_run *run)
{
	const struct wl_common *c = run->common;

	run->ready_ns = wl_now_ns();
	if (!c->barrier && !c->start_at_ns)
		return;
	if (c->json)
		ready_json(run);
	else
		printf("ready %s pid %d channel_open_ns %llu ready_ns %llu\n",
		       c->name, (int)getpid(), (unsigned long long)run->channel_after_ns,
		       (unsigned long long)run->ready_ns);
	fflush(stdout);
}

/*
 * A regular file may not be there yet: it is looked for every millisecond, and
 * its writer must make it appear whole (rename). A FIFO or standard input
 * blocks until its line comes.
 */
static int open_barrier(const char *path)
{
	int fd;

	if (!strcmp(path, "-"))
		return dup(STDIN_FILENO);
	while (!wl_stopped()) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd >= 0 || (errno != ENOENT && errno != EINTR))
			return fd;
		wl_sleep_until(wl_now_ns() + 1000000);
	}
	return -1;
}

/* The barrier's line is a time as in --start-at; an empty one means "now". */
static bool read_barrier(const char *path, uint64_t *start_ns)
{
	char line[64];
	size_t used = 0;
	ssize_t n;
	int fd;

	fd = open_barrier(path);
	if (fd < 0) {
		if (!wl_stopped())
			wl_error("barrier %s: %s", path, strerror(errno));
		return false;
	}
	while (used < sizeof(line) - 1 && !memchr(line, '\n', used)) {
		n = read(fd, line + used, sizeof(line) - 1 - used);
		if (n < 0 && errno == EINTR && !wl_stopped())
			continue;
		if (n <= 0)
			break;
		used += (size_t)n;
	}
	close(fd);
	line[used] = '\0';
	line[strcspn(line, "\n")] = '\0';
	if (wl_stopped())
		return false;
	*start_ns = wl_now_ns();
	if (*line && !wl_parse_time(line, 1000000, start_ns)) {
		wl_error("barrier %s: '%s' is not a time", path, line);
		return false;
	}
	return true;
}

bool wl_run_start(struct wl_run *run)
{
	const struct wl_common *c = run->common;

	say_ready(run);
	run->start_ns = c->start_at_ns;
	if (c->barrier && !read_barrier(c->barrier, &run->start_ns))
		return false;
	if (run->start_ns)
		wl_sleep_until(run->start_ns);
	else
		run->start_ns = wl_now_ns();
	if (wl_stopped())
		return false;
	run->deadline_ns = c->duration_ns ? run->start_ns + c->duration_ns : WL_FOREVER_NS;
	run->last_done_ns = run->start_ns;
	run->cpu_start_ns = cpu_ns();
	return true;
}

void wl_run_frame(struct wl_run *run, uint64_t begin_ns, uint64_t done_ns)
{
	if (!run->start_ns || done_ns > run->deadline_ns || begin_ns < run->start_ns)
		return;
	/* GPU clocks are coarser than the CPU's: time must not run backwards. */
	if (done_ns < run->last_done_ns)
		done_ns = run->last_done_ns;
	run->frames++;
	wl_samples_add(&run->frame_times, done_ns - run->last_done_ns);
	wl_samples_add(&run->latencies, done_ns - begin_ns);
	run->last_done_ns = done_ns;
	if (run->common->frame_log)
		wl_marks_add(&run->done, done_ns, 1);
}

bool wl_run_over(const struct wl_run *run, uint64_t now_ns)
{
	return wl_stopped() || now_ns >= run->deadline_ns ||
	       (run->common->frames && run->frames >= run->common->frames);
}

/*
 * With --frames the window ends with the last frame, otherwise at its deadline,
 * however late this program noticed: that is what makes windows comparable.
 */
void wl_run_end(struct wl_run *run, uint64_t oldest_ns)
{
	uint64_t now_ns = wl_now_ns();
	bool frames_done = run->common->frames && run->frames >= run->common->frames;

	if (frames_done)
		run->end_ns = run->last_done_ns;
	else
		run->end_ns = now_ns < run->deadline_ns ? now_ns : run->deadline_ns;
	if (oldest_ns && run->end_ns > oldest_ns)
		run->pending_ns = run->end_ns - oldest_ns;
	run->cpu_ns = cpu_ns() - run->cpu_start_ns;
}

void wl_run_extra(struct wl_run *run, const char *key, uint64_t value)
{
	if (run->nr_extra < WL_MAX_EXTRA)
		run->extra[run->nr_extra++] = (struct wl_extra){ key, value };
}

static void us(struct json *j, const char *key, double ns)
{
	json_fixed(j, key, ns / 1e3, 1);
}

static void times_json(struct json *j, const struct wl_summary *frame,
		       const struct wl_summary *lat)
{
	us(j, "p50_us", frame->p50_ns);
	us(j, "p90_us", frame->p90_ns);
	us(j, "p99_us", frame->p99_ns);
	us(j, "max_us", frame->max_ns);
	us(j, "mean_us", frame->mean_ns);
	us(j, "lat_p50_us", lat->p50_ns);
	us(j, "lat_p90_us", lat->p90_ns);
	us(j, "lat_p99_us", lat->p99_ns);
	us(j, "lat_max_us", lat->max_ns);
}

static void window_json(struct json *j, const struct wl_run *run)
{
	uint64_t wall_ns = run->end_ns - run->start_ns;

	us(j, "pending_us", run->pending_ns);
	us(j, "cpu_us", run->cpu_ns);
	json_fixed(j, "cpu_percent", wall_ns ? 100.0 * run->cpu_ns / wall_ns : 0.0, 2);
	us(j, "wall_us", wall_ns);
	json_fixed(j, "start_us", run->start_ns / 1e3, 3);
	json_fixed(j, "end_us", run->end_ns / 1e3, 3);
	json_uint(j, "start_ns", run->start_ns);
	json_uint(j, "end_ns", run->end_ns);
	json_uint(j, "channel_open_ns", run->channel_after_ns);
	json_uint(j, "ready_ns", run->ready_ns);
}

static void report_json(const struct wl_run *run, const struct wl_summary *frame,
			const struct wl_summary *lat, double fps)
{
	struct json j = open_json(run->common, NULL);
	unsigned int i;

	json_uint(&j, "frames", run->frames);
	json_fixed(&j, "fps", fps, 3);
	times_json(&j, frame, lat);
	window_json(&j, run);
	json_uint(&j, "width", run->common->size.width);
	json_uint(&j, "height", run->common->size.height);
	for (i = 0; i < run->nr_extra; i++)
		json_uint(&j, run->extra[i].key, run->extra[i].value);
	if (run->check)
		json_string(&j, "check", run->check);
	json_string(&j, "sync", run->sync);
	json_string(&j, "renderer", run->renderer);
	json_close(&j, '}');
}

static void report_text(const struct wl_run *run, const struct wl_summary *frame,
			const struct wl_summary *lat, double fps)
{
	uint64_t wall_ns = run->end_ns - run->start_ns;
	unsigned int i;

	printf("%s: %llu frames in %.3f s, %.2f fps, cpu %.1f %%\n", run->common->name,
	       (unsigned long long)run->frames, wall_ns / 1e9, fps,
	       wall_ns ? 100.0 * run->cpu_ns / wall_ns : 0.0);
	printf("  frame time   p50 %.1f  p90 %.1f  p99 %.1f  max %.1f us\n",
	       frame->p50_ns / 1e3, frame->p90_ns / 1e3, frame->p99_ns / 1e3,
	       frame->max_ns / 1e3);
	printf("  to complete  p50 %.1f  p90 %.1f  p99 %.1f  max %.1f us, pending %.1f us\n",
	       lat->p50_ns / 1e3, lat->p90_ns / 1e3, lat->p99_ns / 1e3,
	       lat->max_ns / 1e3, run->pending_ns / 1e3);
	printf("  %ux%u, sync %s, %s", run->common->size.width, run->common->size.height,
	       run->sync, run->renderer);
	for (i = 0; i < run->nr_extra; i++)
		printf(", %s %llu", run->extra[i].key,
		       (unsigned long long)run->extra[i].value);
	printf("%s%s\n", run->check ? ", check " : "", run->check ? run->check : "");
}

static void log_frames(const struct wl_run *run)
{
	char path[4096];
	bool good;
	FILE *out;
	size_t i;

	snprintf(path, sizeof(path), "%s/%d.frames", run->common->frame_log, (int)getpid());
	out = fopen(path, "w");
	for (i = 0; out && i < run->done.count; i++)
		fprintf(out, "%llu\n",
			(unsigned long long)(run->done.mark[i].at_ns - run->start_ns));
	good = out && !ferror(out) && !run->done.dropped;
	if ((out && fclose(out)) || !good)
		wl_error("the frame log %s could not be written", path);
}

void wl_run_report(struct wl_run *run)
{
	struct wl_summary frame, lat;
	uint64_t wall_ns = run->end_ns - run->start_ns;
	double fps = wall_ns ? run->frames * 1e9 / wall_ns : 0.0;

	wl_samples_summarise(&run->frame_times, &frame);
	wl_samples_summarise(&run->latencies, &lat);
	if (run->common->json)
		report_json(run, &frame, &lat, fps);
	else
		report_text(run, &frame, &lat, fps);
	fflush(stdout);
	if (run->common->frame_log)
		log_frames(run);
}
