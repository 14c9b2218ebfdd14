// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages of tgfocus. */
#include <stdarg.h>
#include <stdio.h>

#include "focus.h"
#include "text.h"

bool focus_verbose;

static void vsay(const char *format, va_list args)
{
	char text[1024], safe[1024];

	vsnprintf(text, sizeof(text), format, args);
	/* Names of windows and programs are in it. */
	fprintf(stderr, "tgfocus: %s\n", text_safe(safe, sizeof(safe), text, sizeof(safe)));
}

void focus_say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsay(format, args);
	va_end(args);
}

void focus_note(const char *format, ...)
{
	va_list args;

	if (!focus_verbose)
		return;
	va_start(args, format);
	vsay(format, args);
	va_end(args);
}
