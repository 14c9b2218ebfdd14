// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "input.h"
#include "tgspec.h"

static int verdict(int ret, const char *path, const struct source *src,
		   struct diags *diags)
{
	int status = TGSPEC_OK;

	if (ret) {
		status = tgspec_io(path, ret);
	} else if (diags->n) {
		diags_print(diags, src, stderr);
		status = TGSPEC_REFUSED;
	}
	diags_free(diags);
	return status;
}

int input_open(struct input *in, const char *spec, const char *ac)
{
	const char *spec_path = spec ? spec : TGSPEC_SPEC_PATH;
	struct diags diags = { 0 };
	int ret;

	memset(in, 0, sizeof(*in));
	ret = verdict(spec_read(&in->spec, spec_path, !spec, &diags), spec_path,
		      &in->spec.src, &diags);
	if (ret)
		return ret;
	ret = verdict(spec_limit_read(&in->limit, &in->ac, ac, &diags),
		      ac ? ac : TGSPEC_AC_PATH, &in->ac, &diags);
	if (ret)
		return ret;
	reserves_init(&in->rs, &in->spec, in->limit.percent);
	return TGSPEC_OK;
}

void input_close(struct input *in)
{
	reserves_free(&in->rs);
	source_free(&in->ac);
	spec_free(&in->spec);
}
