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
				if (targets->item[k].pid == list->item[i].pid && json)
					object_task(&j, NULL, &list->item[i]);
				else if (targets->item[k].pid == list->item[i].pid)
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

			set.pid = targets->name[i];
			set.flags = targets->flags;
			ret = timegraph_set_task(fd, &set);
		} else if (targets->flags) {
			ret = timegraph_clear_task_pidfd(fd, targets->name[i]);
		} else {
			ret = timegraph_clear_task(fd, targets->name[i]);
		}
		if (ret) {
			snprintf(what, sizeof(what), "%s %d", ch->set ? "set" : "clear",
				 targets->item[i].pid);
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

static struct timegraph_set set;
static struct args_resv resv;
static bool json;

static bool take_policy(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	return args_policy(value, opt->dst, err);
}

static bool take_prio(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	return args_prio(value, opt->dst, err);
}

static bool take_lead(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	return args_lead(value, opt->dst, err);
}

static const struct cli_opt set_opts[] = {
	{ "policy", take_policy, &set, "P", "PRT, HT, FQ or FQ=WEIGHT (1 to 10000, 100 is usual)", 'p' },
	{ "lead", take_lead, &set, "T",
	  "work on the GPU as one of its groups starts; -: the module's", 'l' },
	{ "prio", take_prio, &set, "N", "0 (lowest) to 99, '*': managed by focus, cpu: as on the CPU", 'n' },
	{ "resv", cli_text, &resv.resv, "R",
	  "PE or AE, with capacity and period; BG: Background; -: none", 'r' },
	{ "capacity", cli_text, &resv.capacity, "T",
	  "GPU time in each period: microseconds, or with ns, us, ms, s", 'c' },
	{ "period", cli_text, &resv.period, "T",
	  "the period, at least the capacity, at most 100s", 't' },
	{ "group", cli_text, &resv.group, "NAME",
	  "a Shared reserve; without times: to join one that exists", 'g' },
	{ "json", cli_flag, &json, NULL, "print the tasks as JSON", 'j' },
	{ 0 }
};

static int run_set(const struct command *cmd, int n, char **args)
{
	struct cli_error err;

	if ((resv.resv || resv.capacity || resv.period || resv.group) &&
	    !args_resv(&resv, &set, &err))
		return cli_usage(&cmd->cli, "the reserve: %s: %s", err.text, err.hint);
	if (!set.fields)
		return cli_usage(&cmd->cli, "nothing to set: give --policy, --lead, --prio or --resv");
	return change(args, n, &(struct change){ .set = &set, .json = json });
}

const struct command tgctl_set = {
	.cli = {
		.who = "tgctl set",
		.about =
		"usage: tgctl set [OPTION]... PID|NAME...\n"
		"\n"
		"Instead of what the specification says, on all GPUs, until 'tgctl clear' or the\n"
		"task's end.  What no option names stays.  NAME means all tasks of that name.\n"
		"\n",
		.opts = { set_opts },
		.min_args = 1,
		.max_args = -1,
		.args_wanted = "which task? Give its process number or its name",
		.notes =
		"\n"
		"  tgctl set --resv PE --capacity 5ms --period 20ms mplayer\n"
		"\n"
		"One's own tasks may be given a lower priority, which the specification cannot\n"
		"raise then, but still lower; all else takes CAP_SYS_NICE.\n"
		"\n"
		"Exit status: 0 done; 1 no such task or reserve; 2 wrong usage; 3 the module is\n"
		"not loaded; 4 no right.  Tasks before the one that fails have been changed.\n",
	},
	.summary = "give running tasks other parameters",
	.run = run_set,
};

static const struct cli_opt clear_opts[] = {
	{ "json", cli_flag, &json, NULL, "print the tasks as JSON", 'j' },
	{ 0 }
};

static int run_clear(const struct command *cmd, int n, char **args)
{
	return change(args, n, &(struct change){ .json = json });
}

const struct command tgctl_clear = {
	.cli = {
		.who = "tgctl clear",
		.about =
		"usage: tgctl clear [--json] PID|NAME...\n"
		"\n"
		"The tasks get what the specification says now.  NAME means all of that name.\n"
		"\n",
		.opts = { clear_opts },
		.min_args = 1,
		.max_args = -1,
		.args_wanted = "which task? Give its process number or its name",
		.notes =
		"\n"
		"Exit status: 0 done; 1 no such task; 2 wrong usage; 3 the module is not loaded;\n"
		"4 no right: without CAP_SYS_NICE only what one's own 'set' did to one's own\n"
		"tasks is taken back.\n",
	},
	.summary = "take back what 'set' did",
	.run = run_clear,
};
