// SPDX-License-Identifier: GPL-2.0-or-later
/* tgctl: look at timegraph and change what it does. */
#include "tgctl.h"

#ifndef TGCTL_VERSION
#error "TGCTL_VERSION comes from the Makefile"
#endif

static const struct command *const commands[] = {
	&tgctl_status, &tgctl_list, &tgctl_top, &tgctl_set, &tgctl_clear,
	&tgctl_domain, &tgctl_policy, &tgctl_foreground, &tgctl_reserve, &tgctl_reload, &tgctl_bypass,
	&tgctl_restore, &tgctl_monitor, &tgctl_trace, &tgctl_selftest,
	&tgctl_vram, &tgctl_lend, NULL
};

static const struct program program = {
	.name = "tgctl",
	.about =
	"usage: tgctl COMMAND [OPTION]... [ARGUMENT]...\n"
	"Looks at timegraph, the GPU scheduler, and changes what it does.\n"
	"\n",
	.notes =
	"\n"
	"\"tgctl COMMAND --help\" says more; so does tgctl(1).  --json is for all of them.\n"
	"Exit status: 0 done; 1 refused (no such task, a bad file); 2 wrong usage; 3 the\n"
	"module is not loaded; 4 a right is missing.\n",
	.version = "tgctl (timegraph) " TGCTL_VERSION,
	.lost = TGCTL_REFUSED,
	.commands = commands,
};

int main(int argc, char **argv)
{
	return command_main(&program, argc, argv);
}
