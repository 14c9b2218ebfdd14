// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A reservation is a process', and ends with the file that it was asked for by: so the
 * process asks that will be the program, and the file stays open when it executes that.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "failure.h"
#include "libtimegraph.h"
#include "memory.h"

static int ask(int fd, uint64_t bytes, bool wait)
{
	int ret;

	/* A signal that does not end the process costs nobody his place. */
	do
		ret = timegraph_reserve_vram(fd, 0, bytes, wait ? TIMEGRAPH_FOREVER : 0);
	while (ret == -EINTR);
	return ret;
}

int memory_reserve(uint64_t bytes, const char *program, bool wait)
{
	const char *slash = strrchr(program, '/');
	int fd = timegraph_open(O_RDWR), ret;

	if (fd < 0)
		return fd;
	/* The module shows it, and finds its entry, by that. */
	prctl(PR_SET_NAME, slash ? slash + 1 : program);
	ret = ask(fd, bytes, wait);
	if (!ret && fcntl(fd, F_SETFD, 0))
		ret = -errno;
	if (ret)
		timegraph_close(fd);
	return ret;
}

/* Of a card that it does not look at the module does not know either. */
static bool is_off(void)
{
	int fd = open("/sys/module/timegraph/parameters/vram", O_RDONLY | O_CLOEXEC);
	char c = '\0';

	if (fd < 0)
		return false;
	if (read(fd, &c, 1) != 1)
		c = '\0';
	close(fd);
	return c == 'N';
}

const char *memory_failure(int err)
{
	if (err == -ENXIO && is_off())
		err = -EOPNOTSUPP;
	switch (err) {
	case -ENOSPC:
		return "the GPU never has as much to give; see 'tgctl vram'";
	case -EDQUOT:
		return "that is more than a user may reserve (the module's parameter vram_user),\n"
		       "or too many wait";
	case -EEXIST:
		return "the specification gives memory to its cgroup or to the program already";
	case -EOPNOTSUPP:
		return "the module does not account for it: load it with vram=1, for which\n"
		       "/etc/modprobe.d/timegraph.conf has 'options timegraph vram=1'";
	case -ENXIO:
		return "there is no GPU of nouveau's that you may open";
	case -ENOTTY:
		return "the module is too old for that";
	default:
		return failure_open(err);
	}
}

const char *memory_text(char out[MEMORY_TEXT_BYTES], uint64_t bytes)
{
	static const char *const units[] = { "bytes", "KiB", "MiB", "GiB" };
	size_t i = 0;

	for (; bytes && !(bytes % 1024) && i < 3; i++)
		bytes /= 1024;
	snprintf(out, MEMORY_TEXT_BYTES, "%llu %s", (unsigned long long)bytes, units[i]);
	return out;
}
