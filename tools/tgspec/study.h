/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "tgspec analyze" and "tgspec assign" ask for alike, and start from. */
#ifndef STUDY_H
#define STUDY_H

#include "args.h"
#include "input.h"
#include "model.h"
#include "tgspec.h"

/**
 * struct study - a specification with the lengths of its command groups
 * @spec: its path, NULL for the file in /etc
 * @ac: the limit's path, likewise
 * @json: how to answer
 * @lengths: as given
 * @in: the files, once open
 * @m: for the analysis, once open
 */
struct study {
	const char *spec, *ac;
	bool json;
	struct model_lengths lengths;
	struct input in;
	struct model m;
};

cli_take study_take_group;
cli_take study_take_blocking;
cli_take study_take_shortest;
cli_take study_take_idle;
cli_take study_take_lead;
cli_take study_take_floor_period;

#define STUDY_NO_TIME "this is no time: write 2500us or 2.5ms"

/* Rows of a table of options, for the object @s. */
#define STUDY_OPTS(s) \
	{ "group", study_take_group, &(s).lengths, "NAME=TIME", \
	  "longest command group of a reserve or program", 'g', STUDY_NO_TIME }, \
	{ "group", NULL, NULL, "TIME", "of all others that have a reserve (C, one group)", 'g' }, \
	{ "blocking", study_take_blocking, &(s).lengths, "NAME=TIME", \
	  "longest group of a program without a reserve", 'b', STUDY_NO_TIME }, \
	{ "blocking", NULL, NULL, "TIME", "of all others, also those without an entry (0)", 'b' }, \
	{ "idle", study_take_idle, &(s).lengths, "TIME", \
	  "how long the GPU idles around each group (0)", .wants = STUDY_NO_TIME }, \
	{ "shortest", study_take_shortest, &(s).lengths, "[NAME=]TIME", \
	  "shortest command group; needed with --idle", 's', STUDY_NO_TIME }, \
	{ "lead", study_take_lead, &(s).lengths, "TIME", \
	  "work on the GPU as a PRT group starts (1ms)", .wants = STUDY_NO_TIME }, \
	{ "floor", args_take_number, &(s).lengths.floor, "PERCENT", \
	  "of the GPU for who is passed over (3)", .wants = "give 0 to 50", .max = 50 }, \
	{ "floor-period", study_take_floor_period, &(s).lengths, "TIME", \
	  "for how long he is (100ms)", .wants = STUDY_NO_TIME }, \
	{ "ht-depth", args_take_number, &(s).lengths.ht_depth, "N", \
	  "groups an HT task may have on the GPU at once (16)", .wants = "give 1 to 256", \
	  .min = 1, .max = 256 }, \
	{ "ac", cli_text, &(s).ac, "FILE", "the admission limit (" TGSPEC_AC_PATH ")" }

#define STUDY_INIT { .lengths = { .ht_depth = MODEL_HT_DEPTH, \
				    .lead_ns = MODEL_LEAD_NS, \
				    .floor = MODEL_FLOOR, \
				    .floor_period_ns = MODEL_FLOOR_PERIOD_NS } }

/* Read the files.  Returns an exit status; what is wrong has been said. */
int study_open(struct study *s, const struct cli *cli);

void study_close(struct study *s);

#endif
