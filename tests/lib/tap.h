/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tests that print TAP: one line each, what is known of a failure above it, and the
 * plan. A program either runs a table of cases (tap_run) or says how each test went
 * (tap_ok) and ends with tap_end. What runs no cases can use CHECK and REQUIRE alone.
 */
#ifndef TAP_H
#define TAP_H

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tap_case {
	const char *name;
	void (*run)(void);
};

/* Weak: one counter for the program, whichever of its files count. */
__attribute__((weak)) unsigned int tap_bad_checks, tap_tests, tap_bad_tests;

static inline void __attribute__((format(printf, 1, 2))) tap_diag(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	printf("# ");
	vprintf(fmt, ap);
	putchar('\n');
	va_end(ap);
}

static inline bool tap_check(bool ok, const char *file, int line, const char *what)
{
	int error = errno;

	if (ok)
		return true;
	/* One broken rule may fail in thousands of places. */
	if (tap_bad_checks++ >= 20)
		return false;
	if (error)
		tap_diag("%s:%d: failed: %s (errno %d, %s)", file, line, what, error,
			 strerror(error));
	else
		tap_diag("%s:%d: failed: %s", file, line, what);
	errno = error;
	return false;
}

/* True if it holds, so that a caller can add what it knows. */
#define CHECK(cond) tap_check(!!(cond), __FILE__, __LINE__, #cond)

/* For fuzzers: what does not hold ends the program. */
#define REQUIRE(cond)                                                      \
	do {                                                               \
		if (!(cond)) {                                             \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, \
				#cond);                                    \
			abort();                                           \
		}                                                          \
	} while (0)

static inline void tap_ok(bool ok, const char *name)
{
	printf("%sok %u - %s\n", ok ? "" : "not ", ++tap_tests, name);
	tap_bad_tests += !ok;
}

/* The exit status of the program. */
static inline int tap_status(void)
{
	if (tap_bad_tests)
		tap_diag("%u of %u failed", tap_bad_tests, tap_tests);
	return tap_bad_tests ? 1 : 0;
}

/* The plan, where the tests were counted as they came; tap_status(). */
static inline int tap_end(void)
{
	printf("1..%u\n", tap_tests);
	return tap_status();
}

/* All cases, their plan first; tap_status(). */
static inline int tap_run(const struct tap_case *cases, unsigned int n)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%u\n", n);
	for (unsigned int i = 0; i < n; i++) {
		tap_bad_checks = 0;
		cases[i].run();
		tap_ok(!tap_bad_checks, cases[i].name);
	}
	return tap_status();
}

#endif
