// SPDX-License-Identifier: GPL-2.0-or-later
/* tgctl domain: what control groups are to get, and what they got. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "device.h"
#include "object.h"
#include "print.h"
#include "tg_words.h"

static struct timegraph_domain_set set;
static bool json;

static bool take_weight(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	err->hint = "100 is usual; 200 gets twice as much as 100";
	set.fields |= TIMEGRAPH_DOMAIN_WEIGHT;
	return !tg_words_weight(value, strlen(value), &set.weight);
}

static bool take_target(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	err->hint = "write a percentage: 50% or 12.5%";
	set.fields |= TIMEGRAPH_DOMAIN_TARGET;
	return !tg_words_target(value, strlen(value), &set.target_ppm);
}

static bool take_quota(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	u64 capacity = 0, period = 0;

	err->hint = "10ms/40ms is 10 ms of GPU time in each 40 ms; - is none";
	set.fields |= TIMEGRAPH_DOMAIN_QUOTA;
	if (tg_words_quota(value, strlen(value), &capacity, &period))
		return false;
	set.capacity_ns = capacity;
	set.period_ns = period;
	return true;
}

static const struct cli_opt opts[] = {
	{ "weight", take_weight, NULL, "N", "its part beside others: 1 to 10000, 100 is usual", 'w' },
	{ "quota", take_quota, NULL, "C/T", "GPU time in each period, as 10ms/40ms; -: no quota", 'q' },
	{ "target", take_target, NULL, "P%", "part of the GPU that it is to get, in the policy slaf", 't' },
	{ "json", cli_flag, &json, NULL, "list as JSON; times in nanoseconds", 'j' },
	{ 0 }
};

static int fail(const char *path, int err)
{
	switch (-err) {
	case EPERM:
		fprintf(stderr, "tgctl: %s: that takes CAP_SYS_ADMIN, or a cgroup of one's own below\n"
			"another of one's own; become root\n", path);
		return TGCTL_DENIED;
	case EACCES:
		fprintf(stderr, "tgctl: %s: you may not look into it\n", path);
		return TGCTL_DENIED;
	case ENOENT:
		fprintf(stderr, "tgctl: %s: there is no such cgroup, or nothing was set for it\n", path);
		return TGCTL_REFUSED;
	case ENOSPC:
		fprintf(stderr, "tgctl: %s: there are %u domains; clear some\n", path,
			TIMEGRAPH_DOMAINS_MAX);
		return TGCTL_REFUSED;
	case EDQUOT:
		fprintf(stderr, "tgctl: %s: a user can have %u domains; clear some\n", path,
			TIMEGRAPH_DOMAINS_USER_MAX);
		return TGCTL_REFUSED;
	default:
		return device_fail(path, err, DEVICE_ADMIN);
	}
}

static int no_cgroup(const char *path, int err)
{
	if (err != -ENODEV)
		return fail(path, err);
	fprintf(stderr, "tgctl: no cgroup2 is mounted\n");
	return TGCTL_REFUSED;
}

static int change(const char *path, bool clear)
{
	int fd = device_open(O_RDWR), cgroup, ret;

	if (fd < 0)
		return -fd;
	cgroup = timegraph_open_cgroup(path);
	if (cgroup < 0) {
		timegraph_close(fd);
		return no_cgroup(path, cgroup);
	}
	set.cgroup = cgroup;
	ret = clear ? timegraph_clear_domain(fd, cgroup) : timegraph_set_domain(fd, &set);
	close(cgroup);
	timegraph_close(fd);
	return ret ? fail(path, ret) : TGCTL_OK;
}

static void show(const struct timegraph_gpu_state *g, bool many, int fd, struct json *j,
		 const struct timegraph_domains *domains)
{
	char policy[TIMEGRAPH_COMM_LEN] = "?";

	timegraph_get_policy(fd, g->gpu.index, policy);
	if (!json) {
		if (many)
			printf("%sGPU %u\n", g->gpu.index ? "\n" : "", g->gpu.index);
		print_domains(stdout, domains);
		return;
	}
	json_open(j, NULL, '{');
	json_uint(j, "index", g->gpu.index);
	json_string(j, "name", g->gpu.name);
	json_string(j, "policy", policy);
	json_open(j, "domains", '[');
	for (uint32_t i = 0; i < domains->count; i++)
		object_domain(j, NULL, &domains->item[i]);
	json_close(j, ']');
	json_close(j, '}');
}

static int list_all(int fd, const struct timegraph_snapshot *snap)
{
	struct timegraph_domains domains = { 0 };
	struct json j = { .out = stdout };
	int ret = 0;

	if (json) {
		json_open(&j, NULL, '{');
		json_open(&j, "gpus", '[');
	}
	for (uint32_t i = 0; i < snap->nr_gpus && !ret; i++) {
		ret = timegraph_list_domains(fd, snap->gpus[i].gpu.index, &domains);
		if (!ret)
			show(&snap->gpus[i], snap->nr_gpus > 1, fd, &j, &domains);
	}
	if (json) {
		json_close(&j, ']');
		json_close(&j, '}');
	}
	timegraph_domains_free(&domains);
	return ret;
}

static int list(void)
{
	struct timegraph_snapshot snap = { 0 };
	int fd = device_open(O_RDONLY), ret;

	if (fd < 0)
		return -fd;
	ret = timegraph_snapshot(fd, &snap);
	if (!ret)
		ret = list_all(fd, &snap);
	timegraph_snapshot_free(&snap);
	timegraph_close(fd);
	return ret ? device_fail("domain", ret, DEVICE_LOOK) : TGCTL_OK;
}

static int run(const struct command *cmd, int n, char **args)
{
	const char *verb = n ? args[0] : "list";

	if (!strcmp(verb, "list") && n <= 1)
		return set.fields ? cli_usage(&cmd->cli, "nothing is set by 'list'") : list();
	if (!strcmp(verb, "set") && n == 2)
		return set.fields ? change(args[1], false) :
				    cli_usage(&cmd->cli, "nothing to set: give --weight, --quota or --target");
	if (!strcmp(verb, "clear") && n == 2)
		return set.fields ? cli_usage(&cmd->cli, "nothing is set by 'clear'") :
				    change(args[1], true);
	return cli_usage(&cmd->cli, "%s", cmd->cli.args_wanted);
}

const struct command tgctl_domain = {
	.cli = {
		.who = "tgctl domain",
		.about =
		"usage: tgctl domain [list] [--json]\n"
		"       tgctl domain set CGROUP [--weight N] [--quota C/T] [--target P%]\n"
		"       tgctl domain clear CGROUP\n"
		"\n"
		"A domain is a control group (cgroup v2) with a rule: its programs share what it gets\n"
		"of the GPU, as many as they are.  CGROUP is its path, as /batch or\n"
		"/sys/fs/cgroup/batch.  What is set holds for what is in it and below it, on all GPUs,\n"
		"until it is cleared or the cgroup is removed; what no option names stays.\n"
		"\n",
		.opts = { opts },
		.min_args = 0,
		.max_args = 2,
		.args_wanted = "say what: list, set CGROUP or clear CGROUP",
		.notes =
		"\n"
		"  tgctl domain set /system.slice/render.service --weight 300 --quota 10ms/40ms\n"
		"\n"
		"It takes CAP_SYS_ADMIN, or a cgroup of one's own below another of one's own.\n"
		"\n"
		"Exit status: 0 done; 1 no such cgroup, or nothing to clear; 2 wrong usage; 3 the\n"
		"module is not loaded; 4 no right.\n",
	},
	.summary = "what control groups get of the GPU, and are to get",
	.run = run,
};
