// SPDX-License-Identifier: GPL-2.0-or-later
/* Marks a control group as mutter does: tgmark DIR VALUE */
#include <stdio.h>
#include <string.h>
#include <sys/xattr.h>

int main(int argc, char **argv)
{
	if (argc == 3 && !setxattr(argv[1], "user.xdg.inactive-since", argv[2],
				   strlen(argv[2]), 0))
		return 0;
	perror("tgmark");
	return 1;
}
