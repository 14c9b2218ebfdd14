// SPDX-License-Identifier: GPL-2.0-or-later
/* tgctl policy: how a GPU orders the programs that nobody gave another policy. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "args.h"
#include "device.h"
#include "json.h"

static bool json;

static const struct cli_opt opts[] = {
	{ "json", cli_flag, &json, NULL, "as JSON", 'j' },
	{ 0 }
};

static int show(int fd, uint32_t gpu, bool all)
{
	struct json j = { .out = stdout };
	struct timegraph_caps caps;
	char name[TIMEGRAPH_COMM_LEN];
	int ret = timegraph_get_caps(fd, &caps);

	if (json) {
		json_open(&j, NULL, '{');
		json_open(&j, "gpus", '[');
	}
	for (uint32_t i = all ? 0 : gpu; !ret && (all ? i < caps.nr_gpus : i == gpu); i++) {
		ret = timegraph_get_policy(fd, i, name);
		if (ret)
			break;
		if (!json) {
			printf("GPU %u: %s\n", i, name);
			continue;
		}
		json_open(&j, NULL, '{');
		json_uint(&j, "index", i);
		json_string(&j, "policy", name);
		json_close(&j, '}');
	}
	if (json) {
		json_close(&j, ']');
		json_close(&j, '}');
	}
	return ret;
}

static int no_gpu(void)
{
	fprintf(stderr, "tgctl: no GPU is known yet: each is from its first program on\n");
	return TGCTL_REFUSED;
}

static int choose(int fd, uint32_t gpu, bool all, const char *name)
{
	struct timegraph_caps caps;
	int ret = timegraph_get_caps(fd, &caps);

	if (!ret && !all)
		return timegraph_set_policy(fd, gpu, name);
	if (!ret && !caps.nr_gpus)
		return -ENODATA;
	for (uint32_t i = 0; !ret && i < caps.nr_gpus; i++)
		ret = timegraph_set_policy(fd, i, name);
	return ret;
}

static int run(const struct command *cmd, int n, char **args)
{
	uint32_t gpu = 0;
	bool all = !n || !args_number(args[0], UINT32_MAX - 1, &gpu);
	const char *name = n > (all ? 0 : 1) ? args[n - 1] : NULL;
	int fd, ret;

	if (n == 2 && all)
		return cli_usage(&cmd->cli, "%s: that is no GPU's number", args[0]);
	fd = device_open(name ? O_RDWR : O_RDONLY);
	if (fd < 0)
		return -fd;
	ret = name ? choose(fd, gpu, all, name) : 0;
	if (!ret)
		ret = show(fd, gpu, all);
	timegraph_close(fd);
	if (ret == -ENODATA)
		return no_gpu();
	if (ret == -ENOENT || (ret == -EINVAL && name)) {
		fprintf(stderr, "tgctl: %s: there is no such policy; fq, rr, accc, xc, slaf, augc, cosched,\n"
			"or one that was loaded\n", name);
		return TGCTL_REFUSED;
	}
	return ret ? device_fail("policy", ret, DEVICE_ADMIN) : TGCTL_OK;
}

const struct command tgctl_policy = {
	.cli = {
		.who = "tgctl policy",
		.about =
		"usage: tgctl policy [--json] [GPU] [NAME]\n"
		"\n"
		"How a GPU orders the programs whose policy is FQ, which all have that nobody gave\n"
		"another: fq (fair queuing), or a policy of Pegasus, which order domains: rr, accc,\n"
		"xc, slaf, augc, cosched; or one that was loaded.  Without NAME: which it is.  Without\n"
		"GPU: all of them.  Groups that wait go on waiting.\n"
		"\n",
		.opts = { opts },
		.min_args = 0,
		.max_args = 2,
		.args_wanted = "it takes a GPU's number and a policy's name",
		.notes =
		"\n"
		"  tgctl policy accc        by accelerator credits: the domains' weights\n"
		"\n"
		"To choose one takes CAP_SYS_ADMIN.\n"
		"\n"
		"Exit status: 0 done; 1 no such GPU or policy, or no GPU yet; 2 wrong usage; 3 the\n"
		"module is not loaded; 4 no right.\n",
	},
	.summary = "the policy of a GPU",
	.run = run,
};
