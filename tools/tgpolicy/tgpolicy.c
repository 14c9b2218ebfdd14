// SPDX-License-Identifier: GPL-2.0-or-later
/* tgpolicy: load, watch and eject policies that are BPF programs. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <drm/timegraph.h>

#include "tgpolicy.h"

#ifndef TGPOLICY_VERSION
#error "TGPOLICY_VERSION comes from the Makefile"
#endif

void pin_path(char *out, size_t size, const char *name)
{
	snprintf(out, size, PIN_FOLDER "/%s", name);
}

int no_module(int err)
{
	if (err == EACCES || err == EPERM) {
		fprintf(stderr, "tgpolicy: no right: it takes root\n");
		return TGPOLICY_DENIED;
	}
	fprintf(stderr, "tgpolicy: timegraph is not loaded (modprobe timegraph): %s\n",
		strerror(err));
	return TGPOLICY_NO_MODULE;
}

static int choose_on(int fd, const char *name, uint32_t gpu)
{
	struct timegraph_class c = { .gpu = gpu };

	snprintf(c.set, sizeof(c.set), "%s", name);
	return ioctl(fd, TIMEGRAPH_IOC_POLICY, &c) ? -errno : 0;
}

int choose(const char *name, int64_t gpu)
{
	int fd = open("/dev/timegraph", O_RDWR | O_CLOEXEC);
	uint32_t i = 0;
	int ret;

	if (fd < 0)
		return -errno;
	if (gpu >= 0) {
		ret = choose_on(fd, name, gpu);
	} else {
		while (!(ret = choose_on(fd, name, i)))
			i++;
		if (ret == -ENXIO)
			ret = 0;
		if (!ret && !i)
			fprintf(stderr, "tgpolicy: no program has used a GPU yet: it is loaded, choose it then (tgctl policy %s)\n",
				name);
	}
	close(fd);
	return ret;
}

static const struct command *const commands[] = {
	&tgpolicy_load, &tgpolicy_list, &tgpolicy_show, &tgpolicy_stats, &tgpolicy_eject,
	&tgpolicy_new, NULL
};

static const struct program program = {
	.name = "tgpolicy",
	.about =
	"usage: tgpolicy COMMAND [OPTION]... [ARGUMENT]...\n"
	"Loads policies that are BPF programs into timegraph, the GPU scheduler, shows what\n"
	"they do, and ejects them.\n"
	"\n",
	.notes =
	"\n"
	"\"tgpolicy COMMAND --help\" says more; so does tgpolicy(1).\n"
	"\n"
	"Exit status: 0 done; 1 refused (a bad program, no such policy); 2 wrong usage; 3 the\n"
	"module is not loaded; 4 a right is missing.\n",
	.version = "tgpolicy (timegraph) " TGPOLICY_VERSION,
	.lost = TGPOLICY_REFUSED,
	.commands = commands,
};

int main(int argc, char **argv)
{
	return command_main(&program, argc, argv);
}
