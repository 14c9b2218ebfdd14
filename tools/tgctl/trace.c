// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tgctl trace: the module's tracepoints, in an instance of tracefs of its own, so
 * that nobody else's tracing is touched.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "args.h"
#include "device.h"
#include "text.h"
#include "tracefs.h"

#define TRACEFS "/sys/kernel/tracing"
#define EVENTS "/events/timegraph"
#define INSTANCE TRACEFS "/instances/timegraph"

static int fail(const char *path, int err)
{
	if (err == EACCES || err == EPERM) {
		fputs("tgctl: tracing takes root; become root\n", stderr);
		return TGCTL_DENIED;
	}
	fprintf(stderr, "tgctl: %s: %s\n", path, strerror(err));
	return TGCTL_REFUSED;
}

static int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC), status = TGCTL_OK;

	if (fd < 0)
		return fail(path, errno);
	if (write(fd, text, strlen(text)) < 0)
		status = fail(path, errno);
	close(fd);
	return status;
}

/* Whether tracing is there at all, and the module's events. */
static int check(void)
{
	if (access(TRACEFS "/events", X_OK)) {
		if (errno != ENOENT)
			return fail(TRACEFS, errno);
		fputs("tgctl: tracefs is not mounted: run 'mount -t tracefs nodev " TRACEFS "'\n",
		      stderr);
		return TGCTL_REFUSED;
	}
	if (!access(TRACEFS EVENTS, F_OK))
		return TGCTL_OK;
	if (errno != ENOENT)
		return fail(TRACEFS EVENTS, errno);
	fputs("tgctl: timegraph is not loaded: run 'modprobe timegraph' as root\n", stderr);
	return TGCTL_NO_MODULE;
}

static int turn_on(uint32_t buffer_kib)
{
	char kib[16];
	int status = check();

	if (status)
		return status;
	if (mkdir(INSTANCE, 0700) && errno != EEXIST)
		return fail(INSTANCE, errno);
	status = write_file(INSTANCE "/tracing_on", "0");
	if (!status && buffer_kib) {
		snprintf(kib, sizeof(kib), "%" PRIu32, buffer_kib);
		status = write_file(INSTANCE "/buffer_size_kb", kib);
	}
	/* Opening it for writing empties it. */
	if (!status)
		status = write_file(INSTANCE "/trace", "");
	if (!status)
		status = write_file(INSTANCE EVENTS "/enable", "1");
	if (!status)
		status = write_file(INSTANCE "/tracing_on", "1");
	return status;
}

static int no_instance(void)
{
	if (errno != ENOENT)
		return fail(INSTANCE, errno);
	fputs("tgctl: nothing is traced: run 'tgctl trace on' first\n", stderr);
	return TGCTL_REFUSED;
}

static int turn_off(void)
{
	int status;

	if (access(INSTANCE, F_OK))
		return no_instance();
	status = write_file(INSTANCE "/tracing_on", "0");
	/* Without the module there are no events to turn off. */
	if (!status && !access(INSTANCE EVENTS, F_OK))
		status = write_file(INSTANCE EVENTS "/enable", "0");
	return status;
}

static int forget(void)
{
	return rmdir(INSTANCE) ? no_instance() : TGCTL_OK;
}

static void print_line(char *line, bool json)
{
	struct json j = { .out = stdout, .compact = true };
	struct trace_line t;
	char *safe;
	size_t size;

	if (json && trace_parse(line, &t)) {
		trace_json(&j, &t);
	} else if (!json && line[0] != '#') {
		size = 4 * strlen(line) + 1;
		safe = malloc(size);
		if (safe)
			puts(text_safe(safe, size, line, size));
		free(safe);
	}
}

static int show(bool follow, bool json)
{
	const char *path = follow ? INSTANCE "/trace_pipe" : INSTANCE "/trace";
	uint64_t kept, written;
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	FILE *f = fopen(path, "re");

	if (!f)
		return no_instance();
	while ((n = getline(&line, &room, f)) > 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		if (trace_counts(line, &kept, &written) && written > kept)
			fprintf(stderr, "tgctl: %" PRIu64 " older events were overwritten; see --buffer\n",
				written - kept);
		print_line(line, json);
		if (follow && fflush(stdout))
			break;
	}
	free(line);
	fclose(f);
	return TGCTL_OK;
}

static void say(const char *verb, bool json)
{
	struct json j = { .out = stdout };

	if (!json)
		return;
	json_open(&j, NULL, '{');
	json_string(&j, "trace", verb);
	json_string(&j, "path", INSTANCE);
	json_close(&j, '}');
}

static struct {
	uint32_t buffer_kib;
	bool follow, json;
} options;

static const struct cli_opt opts[] = {
	{ "buffer", args_take_number, &options.buffer_kib, "KIB",
	  "with on: memory for each CPU; older events are overwritten", 'b',
	  "give KiB, 1 to 1048576", .min = 1, .max = 1 << 20 },
	{ "follow", cli_flag, &options.follow, NULL,
	  "with show: go on as events come, and forget what was printed", 'f' },
	{ "json", cli_flag, &options.json, NULL, "with show: one JSON object a line", 'j' },
	{ 0 }
};

static int run(const struct command *cmd, int n, char **args)
{
	const char *verb = args[0];
	int status;

	if (!strcmp(verb, "show"))
		return show(options.follow, options.json);
	if (!strcmp(verb, "on"))
		status = turn_on(options.buffer_kib);
	else if (!strcmp(verb, "off"))
		status = turn_off();
	else if (!strcmp(verb, "clear"))
		status = forget();
	else
		return cli_usage(&cmd->cli, "%s", cmd->cli.args_wanted);
	if (!status)
		say(verb, options.json);
	return status;
}

const struct command tgctl_trace = {
	.cli = {
		.who = "tgctl trace",
		.about =
		"usage: tgctl trace [OPTION]... on|off|show|clear\n"
		"\n"
		"  on     record from now on: groups that arrive, wait, are submitted, complete;\n"
		"         budgets, predictions, admission, bypass\n"
		"  off    stop; what was recorded stays\n"
		"  show   print what was recorded\n"
		"  clear  forget it, and give back its memory\n"
		"\n",
		.opts = { opts },
		.min_args = 1,
		.max_args = 1,
		.args_wanted = "say what: on, off, show or clear",
		.notes =
		"\n"
		"Other tracing is not touched: it is an instance of its own,\n"
		INSTANCE ".\n"
		"\n"
		"Exit status: 0 done; 1 nothing is traced, or it failed; 2 wrong usage; 3 the\n"
		"module is not loaded; 4 no right: it takes root.\n",
	},
	.summary = "record each command group's way (tracepoints)",
	.run = run,
};
