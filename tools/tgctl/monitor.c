// SPDX-License-Identifier: GPL-2.0-or-later
/* tgctl monitor: events as they come. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>

#include "args.h"
#include "device.h"
#include "events.h"
#include "object.h"
#include "print.h"
#include "text.h"

/**
 * struct monitor - what a line is made of
 * @json: one object a line
 * @time_ns: of the event
 * @now: state after it, for names
 */
struct monitor {
	bool json;
	uint64_t time_ns;
	const struct timegraph_snapshot *now;
};

static void print_task_name(const struct timegraph_task *t)
{
	char comm[4 * TIMEGRAPH_COMM_LEN];

	printf("%s (%d)", text_safe(comm, sizeof(comm), t->comm, sizeof(comm)), t->pid);
}

static const struct timegraph_gpu_state *state_of(const struct monitor *m,
						  const struct timegraph_gpu *gpu)
{
	for (uint32_t i = 0; i < m->now->nr_gpus; i++)
		if (&m->now->gpus[i].gpu == gpu)
			return &m->now->gpus[i];
	return NULL;
}

static void print_reserve(const struct event *e)
{
	char name[4 * TIMEGRAPH_NAME_LEN], times[2 * TEXT_BYTES];
	const struct timegraph_reserve *r = e->reserve;

	printf("reserve %s, %s %s: %s\n", text_safe(name, sizeof(name), r->name, sizeof(name)),
	       text_resv(r->policy), text_reserve(times, r->capacity_ns, r->period_ns),
	       e->what == EVENT_FITS ? "fits" : "does not fit, background");
}

static void print_config(const struct timegraph_config *c)
{
	char safe[4 * TIMEGRAPH_TEXT_LEN];
	const char *refusal = c->spec_refusal[0] ? c->spec_refusal : c->ac_refusal;

	if (refusal[0])
		printf("refused: %s\n", text_safe(safe, sizeof(safe), refusal, sizeof(safe)));
	else
		printf("%u entries in force, limit %u %%\n", c->nr_entries, c->limit_percent);
}

static void print_text(const struct event *e, const struct monitor *m)
{
	printf("%" PRIu64 ".%06" PRIu64 " %-10s ", m->time_ns / 1000000000,
	       m->time_ns / 1000 % 1000000, events_name(e->kind));
	if (e->gpu)
		printf("GPU %u: ", e->gpu->index);
	switch (e->what) {
	case EVENT_TASK_APPEARED:
		fputs("+ ", stdout);
		print_task_name(e->task);
		fputs(": ", stdout);
		print_parameters(stdout, e->task, state_of(m, e->gpu));
		putchar('\n');
		break;
	case EVENT_TASK_GONE:
		fputs("- ", stdout);
		print_task_name(e->task);
		putchar('\n');
		break;
	case EVENT_FOREGROUND:
	case EVENT_NOT_FOREGROUND:
		print_task_name(e->task);
		puts(e->what == EVENT_FOREGROUND ? " is in the foreground" :
						   " is no longer in the foreground");
		break;
	case EVENT_FITS:
	case EVENT_DOES_NOT_FIT:
		print_reserve(e);
		break;
	case EVENT_SCHEDULING:
		puts("scheduling");
		break;
	case EVENT_BYPASS:
		printf("NOT scheduling: %s\n", text_bypass(e->gpu->bypass));
		break;
	case EVENT_CONFIG_READ:
	case EVENT_CONFIG_REFUSED:
		print_config(e->config);
		break;
	case EVENT_UNSEEN:
		puts("something that is over, or not yours to see");
		break;
	}
}

static void print_json(const struct event *e, const struct monitor *m)
{
	struct json j = { .out = stdout, .compact = true };

	json_open(&j, NULL, '{');
	json_uint(&j, "time_ns", m->time_ns);
	json_string(&j, "event", events_name(e->kind));
	json_string(&j, "what", events_word(e->what));
	if (e->gpu)
		json_uint(&j, "gpu", e->gpu->index);
	if (e->gpu && e->kind == TIMEGRAPH_EVENT_BYPASS)
		json_string(&j, "bypass", text_bypass_word(e->gpu->bypass));
	if (e->task)
		object_task(&j, "task", e->task);
	if (e->reserve)
		object_reserve(&j, "reserve", e->reserve);
	if (e->config) {
		json_open(&j, "config", '{');
		object_config(&j, e->config);
		json_close(&j, '}');
	}
	json_close(&j, '}');
}

static void print_event(const struct event *e, void *arg)
{
	const struct monitor *m = arg;

	if (m->json)
		print_json(e, m);
	else
		print_text(e, m);
}

/* Reads until something fails; @limit events at most, 0 is no limit. */
static int watch(int fd, uint32_t mask, uint32_t limit, bool json)
{
	struct timegraph_snapshot snap[2] = { };
	struct timegraph_events events;
	struct monitor m = { .json = json };
	unsigned int last = 0;
	int ret = timegraph_subscribe(fd, mask);

	/* In this order: what happens in between is told as an event. */
	if (!ret)
		ret = timegraph_snapshot(fd, &snap[last]);
	for (uint32_t n = 0; !ret && (!limit || n < limit); n++) {
		ret = timegraph_read_events(fd, &events);
		if (!ret)
			ret = timegraph_snapshot(fd, &snap[!last]);
		if (ret)
			break;
		m.time_ns = events.time_ns;
		m.now = &snap[!last];
		events_diff(&snap[last], &snap[!last], events.mask, print_event, &m);
		if (fflush(stdout))
			break;
		last = !last;
	}
	timegraph_snapshot_free(&snap[0]);
	timegraph_snapshot_free(&snap[1]);
	return ret;
}

static struct {
	uint32_t mask, limit;
	bool json;
} options = { .mask = EVENTS_ALL };

static bool take_events(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	*(uint32_t *)opt->dst = events_mask(value);
	return *(uint32_t *)opt->dst;
}

static const struct cli_opt opts[] = {
	{ "event", take_events, &options.mask, "KIND,...",
	  "only these: task (appeared or gone), admission (a\n"
	  "reserve fits or does not), bypass (scheduling stopped,\n"
	  "or again), foreground, config (a file read or refused)", 'e',
	  "a list of task, admission, bypass, foreground, config" },
	{ "number", args_take_number, &options.limit, "N", "end after N wake-ups", 'n',
	  "give a number above 0", .min = 1, .max = UINT32_MAX },
	{ "json", cli_flag, &options.json, NULL, "one JSON object a line", 'j' },
	{ 0 }
};

static int run(const struct command *cmd, int n, char **args)
{
	int fd = device_open(O_RDONLY), ret;

	if (fd < 0)
		return -fd;
	ret = watch(fd, options.mask, options.limit, options.json);
	timegraph_close(fd);
	return ret ? device_fail("monitor", ret, DEVICE_LOOK) : TGCTL_OK;
}

const struct command tgctl_monitor = {
	.cli = {
		.who = "tgctl monitor",
		.about =
		"usage: tgctl monitor [OPTION]...\n"
		"\n"
		"Prints a line for each event until ^C: seconds since boot, kind, what happened.\n"
		"What happened between two looks is told once, as the state after it.  When\n"
		"the module is removed, it ends.\n"
		"\n",
		.opts = { opts },
		.args_wanted = "it takes no arguments",
		.notes =
		"\n"
		"Exit status: 0 ended by --number; 1 the kernel refused; 2 wrong usage; 3 the\n"
		"module is not loaded; 4 no right.\n",
	},
	.summary = "print events as they come",
	.run = run,
};
