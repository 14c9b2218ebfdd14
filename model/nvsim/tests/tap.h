/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Test results as TAP. */
#ifndef TAP_H
#define TAP_H

#include <stdbool.h>
#include <stdio.h>

static unsigned int tap_run, tap_bad;

static inline void tap(bool ok, const char *name)
{
	printf("%sok %u - %s\n", ok ? "" : "not ", ++tap_run, name);
	tap_bad += !ok;
}

static inline int tap_done(void)
{
	printf("1..%u\n", tap_run);
	return tap_bad ? 1 : 0;
}

/* Inside a test: say what was expected, and fail. */
#define EXPECT(cond) \
	do { \
		if (!(cond)) { \
			printf("# %s:%d: %s\n", __FILE__, __LINE__, #cond); \
			ok = false; \
		} \
	} while (0)

#define TEST(name) tap(name(), #name)

#endif
