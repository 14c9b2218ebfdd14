/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "tgspec analyze" and "tgspec assign" ask for alike, and start from. */
#ifndef STUDY_H
#define STUDY_H

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

enum { STUDY_AC = 512, STUDY_JSON, STUDY_HT_DEPTH, STUDY_IDLE };

/* Rows of a table for getopt_long(), and their letters. */
#define STUDY_OPTIONS \
	{ "group", required_argument, NULL, 'g' }, \
	{ "blocking", required_argument, NULL, 'b' }, \
	{ "shortest", required_argument, NULL, 's' }, \
	{ "idle", required_argument, NULL, STUDY_IDLE }, \
	{ "ht-depth", required_argument, NULL, STUDY_HT_DEPTH }, \
	{ "ac", required_argument, NULL, STUDY_AC }, \
	{ "json", no_argument, NULL, STUDY_JSON }, \
	{ "help", no_argument, NULL, 'h' }
#define STUDY_LETTERS "g:b:s:h"

void study_init(struct study *s);

/*
 * Take option @c, which the caller does not know.  Returns -1 if it was taken,
 * otherwise the exit status.
 */
int study_option(struct study *s, const struct tgspec_command *cmd, int c);

/* Read the files.  Returns an exit status; what is wrong has been said. */
int study_open(struct study *s, const struct tgspec_command *cmd);

/* At any time after study_init(). */
void study_close(struct study *s);

#endif
