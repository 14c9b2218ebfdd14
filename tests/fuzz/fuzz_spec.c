// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as timegraph.spec and as timegraph.ac: the parser answers with
 * sane entries that survive being written and read again, or with a place
 * inside the file.
 */
#include "spec_check.h"
#include "tap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tg_spec_entry entries[TG_SPEC_MAX_ENTRIES];
static struct tg_spec_entry again[TG_SPEC_MAX_ENTRIES];
static char written[TG_SPEC_MAX_ENTRIES * 512];

static void round_trip(u32 n)
{
	struct tg_spec_error err;
	size_t len = 0;

	for (u32 i = 0; i < n; i++)
		len += spec_format(written + len, &entries[i]);
	if (len > TG_SPEC_MAX_BYTES)
		return;
	REQUIRE(tg_spec_parse(written, len, again, TG_SPEC_MAX_ENTRIES, &err) == (int)n);
	for (u32 i = 0; i < n; i++) {
		const struct tg_spec_entry *first =
			tg_spec_match(entries, n, &(struct tg_spec_program){
				.comm = "", .exe = entries[i].name, .path = entries[i].name,
				.cgroup = strchr(entries[i].name, '/'),
				.uid = TG_SPEC_ANY_UID });

		REQUIRE(spec_entries_equal(&entries[i], &again[i]));
		/* Another cgroup may hold it, or any user's. */
		REQUIRE(first && first <= &entries[i]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* The parser need not find a NUL: a copy without one shows overreads. */
	char *text = malloc(size ? size : 1);
	struct tg_spec_error err;
	u32 percent = 12345;
	int n;

	if (size)
		memcpy(text, data, size);
	n = tg_spec_parse(text, size, entries, TG_SPEC_MAX_ENTRIES, &err);
	if (n >= 0) {
		REQUIRE(spec_error_is_clear(&err));
		REQUIRE(spec_entries_are_sane(entries, n));
		round_trip(n);
	} else {
		REQUIRE(n == -EINVAL || n == -E2BIG);
		REQUIRE(spec_place_is_inside(text, size, &err));
	}
	n = tg_ac_parse(text, size, &percent, &err);
	if (!n) {
		REQUIRE(percent <= 100);
	} else {
		REQUIRE(n == -EINVAL && percent == 12345);
		REQUIRE(spec_place_is_inside(text, size, &err));
	}
	free(text);
	return 0;
}
