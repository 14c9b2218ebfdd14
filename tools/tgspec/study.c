// SPDX-License-Identifier: GPL-2.0-or-later
#include "study.h"

bool study_take_group(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	return model_take_group(opt->dst, value);
}

bool study_take_blocking(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	return model_take_blocking(opt->dst, value);
}

bool study_take_shortest(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	return model_take_shortest(opt->dst, value);
}

bool study_take_idle(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	return model_take_idle(opt->dst, value);
}

bool study_take_lead(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	return model_take_lead(opt->dst, value);
}

bool study_take_floor_period(const struct cli_opt *opt, const char *value,
			     struct cli_error *err)
{
	return model_take_floor_period(opt->dst, value);
}

int study_open(struct study *s, const struct cli *cli)
{
	const char *unknown, *vague;
	int ret = input_open(&s->in, s->spec, s->ac);

	if (ret != TGSPEC_OK)
		return ret;
	model_init(&s->m, &s->in.spec, &s->in.rs, &s->lengths, &unknown, &vague);
	if (unknown)
		return cli_usage(cli, "no reserve or program has the name in '%s'", unknown);
	if (vague)
		return cli_usage(cli, "--idle: how many groups does '%s' send? say --shortest %s=TIME",
				 vague, vague);
	return TGSPEC_OK;
}

void study_close(struct study *s)
{
	model_free(&s->m);
	input_close(&s->in);
	model_lengths_free(&s->lengths);
}
