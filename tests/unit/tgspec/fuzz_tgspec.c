// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as a specification: tgspec accepts what the kernel's parser accepts,
 * its first error is the kernel's, every error points into the file, and what is
 * accepted can be laid out, linted and analyzed.
 */
#include <string.h>

#include "layout.h"
#include "lint.h"
#include "model.h"
#include "spec_check.h"
#include "tap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tg_spec_entry entries[TG_SPEC_MAX_ENTRIES];

static void check_errors(const char *text, size_t len, const struct diags *diags,
			 const struct tg_spec_error *kernel)
{
	REQUIRE(diags->n);
	for (size_t i = 0; i < diags->n; i++) {
		const struct diag *d = &diags->list[i];
		struct tg_spec_error place = {
			.line = d->line, .column = d->column, .check = d->check,
			.text = d->text, .hint = d->hint,
		};

		REQUIRE(spec_place_is_inside(text, len, &place));
		REQUIRE(!i || d->line > diags->list[i - 1].line);
	}
	REQUIRE(diags->list[0].line == kernel->line);
	REQUIRE(diags->list[0].column == kernel->column);
	REQUIRE(!strcmp(diags->list[0].check, kernel->check));
}

static void check_layout(const struct spec *spec)
{
	struct buf once = { 0 }, twice = { 0 };
	struct spec again, last;

	layout_spec(spec, &once);
	if (once.len <= TG_SPEC_MAX_BYTES) {
		REQUIRE(layout_reparse(&again, spec, &once));
		REQUIRE(layout_same_meaning(spec, &again));
		layout_spec(&again, &twice);
		REQUIRE(buf_equal(&twice, once.p, once.len));
		spec_free(&again);
	} else {
		REQUIRE(!layout_reparse(&last, spec, &once));
		spec_free(&last);
	}
	buf_free(&once);
	buf_free(&twice);
}

static void check_reserves(const struct spec *spec)
{
	static bool off[64];
	struct spec_limit limit = { .percent = 80 };
	struct model_lengths lengths = { .ht_depth = MODEL_HT_DEPTH };
	struct diags diags = { 0 };
	const char *unknown, *vague;
	struct reserves rs;
	struct model m;

	lint_run(spec, &limit, off, &diags);
	REQUIRE(!diags.count[DIAG_ERROR]);
	diags_free(&diags);
	reserves_init(&rs, spec, limit.percent);
	model_init(&m, spec, &rs, &lengths, &unknown, &vague);
	for (u32 i = 0; i < rs.n && i < 8; i++) {
		struct rta_result res;

		rta_analyze(&m.set, i, &res);
		REQUIRE(res.in_step < m.task[i].period && res.any_time < m.task[i].period);
		REQUIRE(res.verdict != RTA_MET || res.any_time >= res.in_step);
	}
	model_free(&m);
	reserves_free(&rs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size ? size : 1);
	struct spec spec = { .src.path = "x" };
	struct diags diags = { 0 };
	struct tg_spec_error err;
	int n;

	if (size)
		memcpy(text, data, size);
	n = tg_spec_parse(text, size, entries, TG_SPEC_MAX_ENTRIES, &err);
	buf_put(&spec.src.text, text, size);
	spec_parse(&spec, &diags);
	if (n < 0) {
		check_errors(text, size, &diags, &err);
	} else {
		REQUIRE(!diags.n && spec.n == (u32)n);
		check_layout(&spec);
		check_reserves(&spec);
	}
	diags_free(&diags);
	spec_free(&spec);
	free(text);
	return 0;
}
