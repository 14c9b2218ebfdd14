/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Amounts as people write them.  What a domain is to get: in the specification, in an extended
 * attribute of its cgroup, behind "tgctl domain set".  One parser for all three.
 *
 *	weight	1 … 10000
 *	target	0% … 100%, up to four decimals behind a point
 *	quota	C/T, times as in the specification, 0 < C <= T <= 100 s; or - for none
 *
 * And video memory, in the specification.
 */
#ifndef TG_WORDS_H
#define TG_WORDS_H

#include "tg_domain.h"
#include "tg_port.h"

/* Longest text of one: "100000000000ns/100000000000ns" and room. */
#define TG_WORDS_TEXT_MAX 64

/**
 * tg_words_weight - read a weight
 * @p: text, need not end in NUL
 * @len: its length
 * @weight: set if it is good
 *
 * Return: 0, -EINVAL.
 */
int tg_words_weight(const char *p, size_t len, u32 *weight);

/**
 * tg_words_target - read a target
 * @ppm: set, in millionths, if it is good
 *
 * Return: 0, -EINVAL.
 */
int tg_words_target(const char *p, size_t len, u32 *ppm);

/**
 * tg_words_quota - read a quota
 * @capacity_ns: C, 0 for none; set if it is good
 * @period_ns: T, 0 for none
 *
 * Return: 0, -EINVAL.
 */
int tg_words_quota(const char *p, size_t len, u64 *capacity_ns, u64 *period_ns);

/* More than any card has: 256 TiB. */
#define TG_WORDS_SIZE_MAX (1ULL << 48)

/**
 * tg_words_size - read an amount of video memory: a whole number, K, M or G may follow
 * @bytes: set, 1–TG_WORDS_SIZE_MAX, if it is good
 *
 * Return: 0; -EINVAL: it is no such number; -ERANGE: it is 0, empty, or too large.
 */
int tg_words_size(const char *p, size_t len, u64 *bytes);

#endif
