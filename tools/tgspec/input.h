/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A specification without errors, its limit and its reserves. */
#ifndef INPUT_H
#define INPUT_H

#include "reserves.h"

struct input {
	struct spec spec;
	struct source ac;
	struct spec_limit limit;
	struct reserves rs;
};

/*
 * @spec and @ac NULL are the files in /etc, which may be missing.  Errors are
 * printed.  Returns an enum tgspec_exit; to be closed even then.
 */
int input_open(struct input *in, const char *spec, const char *ac);
void input_close(struct input *in);

#endif
