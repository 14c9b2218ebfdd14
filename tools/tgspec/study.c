// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

#include "study.h"

void study_init(struct study *s)
{
	memset(s, 0, sizeof(*s));
	s->lengths.ht_depth = MODEL_HT_DEPTH;
}

int study_option(struct study *s, const struct tgspec_command *cmd, int c)
{
	switch (c) {
	case 'g':
		if (!model_take_group(&s->lengths, optarg))
			return tgspec_usage(cmd, "--group: '%s' is no time", optarg);
		return -1;
	case 'b':
		if (!model_take_blocking(&s->lengths, optarg))
			return tgspec_usage(cmd, "--blocking: '%s' is no time", optarg);
		return -1;
	case 's':
		if (!model_take_shortest(&s->lengths, optarg))
			return tgspec_usage(cmd, "--shortest: '%s' is no time", optarg);
		return -1;
	case STUDY_IDLE:
		if (!model_take_idle(&s->lengths, optarg))
			return tgspec_usage(cmd, "--idle: '%s' is no time", optarg);
		return -1;
	case STUDY_HT_DEPTH:
		if (!model_take_depth(&s->lengths, optarg))
			return tgspec_usage(cmd, "--ht-depth: '%s' is not 1 to 256", optarg);
		return -1;
	case STUDY_AC:
		s->ac = optarg;
		return -1;
	case STUDY_JSON:
		s->json = true;
		return -1;
	case 'h':
		return tgspec_help(cmd);
	default:
		return tgspec_usage(cmd, NULL);
	}
}

int study_open(struct study *s, const struct tgspec_command *cmd)
{
	const char *unknown, *vague;
	int ret = input_open(&s->in, s->spec, s->ac);

	if (ret != TGSPEC_OK)
		return ret;
	model_init(&s->m, &s->in.spec, &s->in.rs, &s->lengths, &unknown, &vague);
	if (unknown)
		return tgspec_usage(cmd, "no reserve or program has the name in '%s'", unknown);
	if (vague)
		return tgspec_usage(cmd, "--idle: how many groups does '%s' send? say --shortest %s=TIME",
				    vague, vague);
	return TGSPEC_OK;
}

void study_close(struct study *s)
{
	model_free(&s->m);
	input_close(&s->in);
	model_lengths_free(&s->lengths);
}
