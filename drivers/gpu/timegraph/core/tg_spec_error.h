/* SPDX-License-Identifier: GPL-2.0-only */
/* What is wrong in a specification or a limit. */
#ifndef TG_SPEC_ERROR_H
#define TG_SPEC_ERROR_H

#include "tg_port.h"

/**
 * struct tg_spec_error - why a file was refused
 * @line: from 1
 * @column: from 1, in characters of UTF-8; a tab is one, and so is a byte that is no
 *	UTF-8
 * @check: stable name of the rule, for example "bad-priority"
 * @text: what is wrong
 * @hint: what to write instead
 */
struct tg_spec_error {
	u32 line;
	u32 column;
	const char *check;
	const char *text;
	const char *hint;
};

#endif
