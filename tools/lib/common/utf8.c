// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "tg_utf8.h"
#include "utf8.h"

unsigned int utf8_length(const char *s)
{
	/* The end counts, too: it is a character of one byte. */
	return tg_utf8_length(s, s + strnlen(s, 4) + 1);
}
