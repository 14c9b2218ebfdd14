/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is wanted for a domain, as it is typed: tgrun and tgrun-grant have these options in
 * common, so that what one hands on the other reads as it was meant.
 */
#ifndef WANT_H
#define WANT_H

#include <stdbool.h>
#include <stdint.h>

#include "cli.h"
#include "json.h"
#include "libtimegraph.h"

/* What the whole is that a target is a part of. */
#define WANT_PPM 1000000u
#define WANT_WEIGHT_MAX 10000u
/* Words that want_words() makes at most, with the NULL behind the last. */
#define WANT_WORDS 12
#define WANT_WORD_BYTES 64

/**
 * struct want - what is wanted; what is 0 was not asked for
 * @weight: 1–WANT_WEIGHT_MAX: the domain's part beside others
 * @target_ppm: for the policy SLAF: the part of the GPU's time that it is to get
 * @quota_ns: GPU time that it gets at most in each period of
 * @quota_period_ns: ... this
 * @task: what its tasks get instead of what the specification says; by @task.fields
 *	TIMEGRAPH_SET_POLICY, _WEIGHT, _PRIO and _RESV
 * @ht: the option of that name, until want_settle()
 * @prt: likewise
 */
struct want {
	uint32_t weight;
	uint32_t target_ppm;
	uint64_t quota_ns;
	uint64_t quota_period_ns;
	struct timegraph_set task;
	bool ht;
	bool prt;
};

/* The options, whose values go to want_typed. */
extern struct want want_typed;
extern const struct cli_opt want_opts[];

/* When all options are in.  Whether they go together; else false, with @err. */
bool want_settle(struct want *w, struct cli_error *err);

/* "10ms/40ms": 0 < C <= T <= 100 s */
bool want_times(const char *s, uint64_t *capacity_ns, uint64_t *period_ns,
		struct cli_error *err);
/* "12.5%", more than 0, at most 100, in ten-thousandths of a percent at best. */
bool want_percent(const char *s, uint32_t *ppm);

/**
 * struct want_words - it as a command line has it
 * @word: options and values in turn, NULL behind the last
 * @text: where they are
 */
struct want_words {
	const char *word[WANT_WORDS + 1];
	char text[WANT_WORDS][WANT_WORD_BYTES];
};

/* As words that want_opts reads as the same @w. */
void want_words(const struct want *w, struct want_words *out);

/* As members of the object that is open. */
void want_json(struct json *j, const struct want *w);

#endif
