/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Test cases that print TAP: a plan, one line a case, diagnostics above it. */
#ifndef TAP_H
#define TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct tap_case {
	const char *name;
	void (*run)(void);
};

/* Weak: one counter for the program, whichever of its files count. */
__attribute__((weak)) unsigned int tap_bad_checks;

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
	if (ok)
		return true;
	/* One broken rule may fail in thousands of places. */
	if (tap_bad_checks++ < 20)
		tap_diag("%s:%d: failed: %s", file, line, what);
	return false;
}

/* True if it holds, so that a caller can add what it knows. */
#define CHECK(cond) tap_check(!!(cond), __FILE__, __LINE__, #cond)

/* The exit status of the program. */
static inline int tap_run(const struct tap_case *cases, unsigned int n)
{
	unsigned int bad_cases = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("1..%u\n", n);
	for (unsigned int i = 0; i < n; i++) {
		tap_bad_checks = 0;
		cases[i].run();
		printf("%sok %u - %s\n", tap_bad_checks ? "not " : "", i + 1,
		       cases[i].name);
		bad_cases += !!tap_bad_checks;
	}
	if (bad_cases)
		tap_diag("%u of %u failed", bad_cases, n);
	return bad_cases ? 1 : 0;
}

/* Random numbers that are the same everywhere (xorshift64*, Vigna 2016). */
static inline uint64_t tap_random(uint64_t *seed)
{
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return *seed * 0x2545f4914f6cdd1dULL;
}

/* 0 … n - 1 */
static inline uint32_t tap_below(uint64_t *seed, uint32_t n)
{
	return (tap_random(seed) >> 32) % n;
}

#endif
