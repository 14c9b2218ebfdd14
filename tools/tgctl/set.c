// SPDX-License-Identifier: GPL-2.0-or-later
/* tgctl set, tgctl clear: parameters of running tasks. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "device.h"
#include "object.h"
#include "print.h"
#include "text.h"

/* What to do with each task: @set, or clear it where @set is NULL. */
struct change {
	const struct timegraph_set *set;
	bool json;
};

static bool is_demoted(const struct timegraph_task *t)
{
	return t->flags & TIMEGRAPH_TASK_DEMOTED;
}

static void print_task(const struct timegraph_task *t, const struct timegraph_gpu_state *g)
{
	char comm[4 * TIMEGRAPH_COMM_LEN];

	printf("%s (%d): ", text_safe(comm, sizeof(comm), t->comm, sizeof(comm)), t->pid);
	print_parameters(stdout, t, g);
	putchar('\n');
	if (is_demoted(t))
		puts("  this reserve does not fit beside the others: it is a background task;\n"
		     "  'tgctl list reserves' shows who has what, /etc/timegraph.ac is the limit");
	if (t->flags & TIMEGRAPH_TASK_UNREGULATED)
		puts("  the reserve has no effect: HT tasks are not regulated");
}

/* The tasks as they are after the change. */
static int show(int fd, const struct targets *targets, bool json)
{
	struct timegraph_snapshot snap = { 0 };
	struct json j = { .out = stdout };
	int ret = timegraph_snapshot(fd, &snap);

	if (ret)
		return device_fail("status", ret, DEVICE_LOOK);
	if (json) {
		json_open(&j, NULL, '{');
		json_open(&j, "tasks", '[');
	}
	for (uint32_t g = 0; g < snap.nr_gpus; g++) {
		const struct timegraph_tasks *list = &snap.gpus[g].tasks;

		for (uint32_t i = 0; i < list->count; i++)
			for (uint32_t k = 0; k < targets->n; k++)
				if (targets->pid[k] == list->item[i].pid && json)
					object_task(&j, NULL, &list->item[i]);
				else if (targets->pid[k] == list->item[i].pid)
					print_task(&list->item[i], &snap.gpus[g]);
	}
	if (json) {
		json_close(&j, ']');
		json_close(&j, '}');
	}
	timegraph_snapshot_free(&snap);
	return TGCTL_OK;
}

static int apply(int fd, const struct targets *targets, const struct change *ch)
{
	char what[64];
	int ret = 0, status = TGCTL_OK;

	for (uint32_t i = 0; i < targets->n && !ret; i++) {
		if (ch->set) {
			struct timegraph_set set = *ch->set;

			set.pid = targets->pid[i];
			ret = timegraph_set_task(fd, &set);
		} else {
			ret = timegraph_clear_task(fd, targets->pid[i]);
		}
		if (ret) {
			snprintf(what, sizeof(what), "%s %d", ch->set ? "set" : "clear",
				 targets->pid[i]);
			status = device_fail(what, ret, DEVICE_SET);
		}
	}
	return status ? status : show(fd, targets, ch->json);
}

static int change(char **words, int n, const struct change *ch)
{
	struct targets targets;
	int fd = device_open(O_RDWR), status;

	if (fd < 0)
		return -fd;
	status = device_targets(fd, words, n, &targets);
	if (!status) {
		status = apply(fd, &targets, ch);
		targets_free(&targets);
	}
	timegraph_close(fd);
	return status;
}

static const struct option set_options[] = {
	{ "policy", required_argument, NULL, 'p' },
	{ "prio", required_argument, NULL, 'n' },
	{ "resv", required_argument, NULL, 'r' },
	{ "capacity", required_argument, NULL, 'c' },
	{ "period", required_argument, NULL, 't' },
	{ "group", required_argument, NULL, 'g' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 }
};

static int bad_value(const struct tgctl_command *cmd, const char *option, const char *value,
		     const struct cli_error *err)
{
	return tgctl_usage(cmd, "%s%s%s: %s: %s", option, value ? " " : "", value ? value : "",
			   err->text, err->hint);
}

static int run_set(const struct tgctl_command *cmd, int argc, char **argv)
{
	struct timegraph_set set = { 0 };
	struct change ch = { .set = &set };
	struct args_resv resv = { 0 };
	struct cli_error err;
	int c;

	while ((c = getopt_long(argc, argv, "p:n:r:c:t:g:jh", set_options, NULL)) != -1) {
		switch (c) {
		case 'p':
			if (!args_policy(optarg, &set, &err))
				return bad_value(cmd, "--policy", optarg, &err);
			break;
		case 'n':
			if (!args_prio(optarg, &set, &err))
				return bad_value(cmd, "--prio", optarg, &err);
			break;
		case 'r':
			resv.resv = optarg;
			break;
		case 'c':
			resv.capacity = optarg;
			break;
		case 't':
			resv.period = optarg;
			break;
		case 'g':
			resv.group = optarg;
			break;
		case 'j':
			ch.json = true;
			break;
		case 'h':
			return tgctl_help(cmd);
		default:
			return tgctl_usage(cmd, NULL);
		}
	}
	if ((resv.resv || resv.capacity || resv.period || resv.group) &&
	    !args_resv(&resv, &set, &err))
		return bad_value(cmd, "the reserve", NULL, &err);
	if (optind == argc)
		return tgctl_usage(cmd, "which task? Give its process number or its name");
	if (!set.fields)
		return tgctl_usage(cmd, "nothing to set: give --policy, --prio or --resv");
	return change(argv + optind, argc - optind, &ch);
}

const struct tgctl_command tgctl_set = {
	.name = "set",
	.summary = "give running tasks other parameters",
	.help =
	"usage: tgctl set [OPTION]... PID|NAME...\n"
	"\n"
	"Instead of what the specification says, on all GPUs, until 'tgctl clear' or the\n"
	"task's end.  What no option names stays.  NAME means all tasks of that name.\n"
	"\n"
	"  -p, --policy P    PRT or HT\n"
	"  -n, --prio N      0 (lowest) to 99, or '*': managed by focus\n"
	"  -r, --resv R      PE or AE, with capacity and period; BG: Background; -: none\n"
	"  -c, --capacity T  GPU time in each period: microseconds, or with ns, us, ms, s\n"
	"  -t, --period T    the period, at least the capacity, at most 100s\n"
	"  -g, --group NAME  a Shared reserve; without times: to join one that exists\n"
	"  -j, --json        print the tasks as JSON\n"
	"\n"
	"  tgctl set --resv PE --capacity 5ms --period 20ms mplayer\n"
	"\n"
	"One's own tasks may be given a lower priority; all else takes CAP_SYS_NICE.\n"
	"\n"
	"Exit status: 0 done; 1 no such task or reserve; 2 wrong usage; 3 the module is\n"
	"not loaded; 4 no right.  Tasks before the one that fails have been changed.\n",
	.run = run_set,
};

static const struct option clear_options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 }
};

static int run_clear(const struct tgctl_command *cmd, int argc, char **argv)
{
	struct change ch = { 0 };
	int c;

	while ((c = getopt_long(argc, argv, "jh", clear_options, NULL)) != -1) {
		if (c == 'h')
			return tgctl_help(cmd);
		else if (c == 'j')
			ch.json = true;
		else
			return tgctl_usage(cmd, NULL);
	}
	if (optind == argc)
		return tgctl_usage(cmd, "which task? Give its process number or its name");
	return change(argv + optind, argc - optind, &ch);
}

const struct tgctl_command tgctl_clear = {
	.name = "clear",
	.summary = "take back what 'set' did",
	.help =
	"usage: tgctl clear [--json] PID|NAME...\n"
	"\n"
	"The tasks get what the specification says now.  NAME means all of that name.\n"
	"\n"
	"  -j, --json  print the tasks as JSON\n"
	"\n"
	"Exit status: 0 done; 1 no such task; 2 wrong usage; 3 the module is not loaded;\n"
	"4 no right: it takes CAP_SYS_NICE, unless it lowers an own task's priority.\n",
	.run = run_clear,
};
