// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "pins.h"

void focus_pins_init(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

int focus_pins_open(struct focus_pins *pins, const struct focus_unit *unit)
{
	pins->n = 0;
	for (uint32_t i = 0; i < unit->nr_pids; i++) {
		int fd = syscall(SYS_pidfd_open, unit->pids[i], 0), error = errno;

		if (fd >= 0) {
			pins->pid[pins->n] = unit->pids[i];
			pins->fd[pins->n++] = fd;
		} else if (error != ESRCH) {
			focus_pins_close(pins);
			return -error;
		}
	}
	return 0;
}

/* Both are in ascending order. */
void focus_pins_keep(struct focus_pins *pins, struct focus_unit *unit)
{
	uint32_t kept = 0, i = 0;

	for (uint32_t k = 0; k < pins->n; k++) {
		while (i < unit->nr_pids && unit->pids[i] < pins->pid[k])
			i++;
		if (i < unit->nr_pids && unit->pids[i] == pins->pid[k]) {
			pins->pid[kept] = pins->pid[k];
			pins->fd[kept++] = pins->fd[k];
		} else {
			close(pins->fd[k]);
		}
	}
	pins->n = kept;
	for (uint32_t k = 0; k < kept; k++)
		unit->pids[k] = pins->pid[k];
	unit->nr_pids = kept;
}

void focus_pins_close(struct focus_pins *pins)
{
	while (pins->n)
		close(pins->fd[--pins->n]);
}
