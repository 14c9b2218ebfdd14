// SPDX-License-Identifier: GPL-2.0-or-later
/* Values as they are typed. */
#include <string.h>

#include "args.h"
#include "tap.h"
#include "tg_spec.h"

static void pids_are_digits_above_zero(void)
{
	static const char *const bad[] = {
		"", "0", "-1", "+1", " 1", "1 ", "0x10", "1.0", "game", "12game",
		"2147483648", "99999999999999999999",
	};
	int32_t pid;

	CHECK(args_pid("1", &pid) && pid == 1);
	CHECK(args_pid("2147483647", &pid) && pid == INT32_MAX);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!CHECK(!args_pid(bad[i], &pid)))
			tap_diag("'%s'", bad[i]);
}

static void numbers_stop_at_their_maximum(void)
{
	uint32_t v;

	CHECK(args_number("0", 0, &v) && v == 0);
	CHECK(args_number("4294967295", UINT32_MAX, &v) && v == UINT32_MAX);
	CHECK(!args_number("4294967296", UINT32_MAX, &v));
	CHECK(!args_number("18446744073709551617", UINT32_MAX, &v));
	CHECK(!args_number("11", 10, &v));
	CHECK(!args_number("", 10, &v) && !args_number("1a", 100, &v));
}

static void seconds_may_have_a_fraction(void)
{
	static const char *const bad[] = {
		"", ".", "0", "0.009", "86401", "-1", "1e3", "inf", "nan", "0x1", "1s", "1.2.3",
	};
	uint64_t ns;

	CHECK(args_seconds("1", &ns) && ns == 1000000000);
	CHECK(args_seconds("0.25", &ns) && ns == 250000000);
	CHECK(args_seconds(".01", &ns) && ns == 10000000);
	CHECK(args_seconds("86400", &ns) && ns == 86400000000000ULL);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!CHECK(!args_seconds(bad[i], &ns)))
			tap_diag("'%s'", bad[i]);
}

static void bytes_are_as_in_a_specification(void)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} c[] = {
		{ "1", 1 }, { "4096", 4096 }, { "3K", 3 << 10 }, { "256M", 256 << 20 },
		{ "2G", 2ULL << 30 }, { "", 0 }, { "0", 0 }, { "0M", 0 }, { "M", 0 }, { "-1", 0 },
		{ "0x10", 0 }, { "1.5G", 0 }, { "1k", 0 }, { "1MM", 0 }, { "1 M", 0 },
		{ "99999999999999999999", 0 }, { "18446744073709551616", 0 },
	};

	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		uint64_t bytes = 0;
		const struct cli_opt opt = { .dst = &bytes };
		struct cli_error err;

		if (!CHECK(args_take_bytes(&opt, c[i].text, &err) == !!c[i].bytes) ||
		    !CHECK(bytes == c[i].bytes))
			tap_diag("'%s'", c[i].text);
	}
}

static void policy_and_priority_are_as_in_a_specification(void)
{
	static const char *const bad_prio[] = { "", "100", "-1", "1.5", "**", "a", "5:5", "5>", "5\n" };
	static const char *const bad_policy[] = { "", "prt", "HT ht", "PRT:-", "X" };
	struct cli_error err;

	for (size_t i = 0; i < sizeof(bad_prio) / sizeof(bad_prio[0]); i++) {
		struct timegraph_set set = { 0 };

		if (!CHECK(!args_prio(bad_prio[i], &set, &err) && !set.fields &&
			   *err.text && *err.hint))
			tap_diag("'%s'", bad_prio[i]);
	}
	for (size_t i = 0; i < sizeof(bad_policy) / sizeof(bad_policy[0]); i++) {
		struct timegraph_set set = { 0 };

		if (!CHECK(!args_policy(bad_policy[i], &set, &err) && !set.fields))
			tap_diag("'%s'", bad_policy[i]);
	}
	for (int prio = 0; prio < 100; prio++) {
		struct timegraph_set set = { 0 };
		char text[16];

		snprintf(text, sizeof(text), "%d", prio);
		CHECK(args_prio(text, &set, &err) && set.prio == prio && !set.focus &&
		      set.fields == TIMEGRAPH_SET_PRIO);
	}
}

static void star_is_priority_50_by_focus(void)
{
	struct timegraph_set set = { 0 };
	struct cli_error err;

	CHECK(args_prio("*", &set, &err) && set.focus == 1 && set.prio == 50);
	CHECK(args_policy("HT", &set, &err) && set.policy == TIMEGRAPH_POLICY_HT);
	CHECK(set.fields == (TIMEGRAPH_SET_PRIO | TIMEGRAPH_SET_POLICY));
}

/* NULL text: it is accepted. */
static const struct resv_case {
	struct args_resv in;
	uint8_t resv;
	uint64_t capacity_ns, period_ns;
	const char *group;
	const char *text;
} resv_cases[] = {
	{ { "PE", "5ms", "20ms", NULL }, TIMEGRAPH_RESV_PE, 5000000, 20000000, "", NULL },
	{ { "AE", "2500", "25000", NULL }, TIMEGRAPH_RESV_AE, 2500000, 25000000, "", NULL },
	{ { "PE", "1s", "100s", "a-b" }, TIMEGRAPH_RESV_PE, 1000000000, 100000000000, "a-b", NULL },
	{ { "PE@v", "1us", "1us", NULL }, TIMEGRAPH_RESV_PE, 1000, 1000, "v", NULL },
	{ { "AE", NULL, NULL, "v" }, TIMEGRAPH_RESV_AE, 0, 0, "v", NULL },
	{ { "PE@v", NULL, NULL, NULL }, TIMEGRAPH_RESV_PE, 0, 0, "v", NULL },
	{ { "BG", NULL, NULL, NULL }, TIMEGRAPH_RESV_BG, 0, 0, "", NULL },
	{ { "-", NULL, NULL, NULL }, TIMEGRAPH_RESV_NONE, 0, 0, "", NULL },
	{ { NULL, "5ms", "20ms", NULL }, .text = "needs its policy" },
	{ { NULL, NULL, NULL, "v" }, .text = "needs its policy" },
	{ { "PE", NULL, NULL, NULL }, .text = "no capacity and no period" },
	{ { "PE", "5ms", NULL, NULL }, .text = "no period" },
	{ { "PE", NULL, "5ms", NULL }, .text = "no capacity" },
	{ { "PE", "5ms", NULL, "v" }, .text = "no period" },
	{ { "PE", "21ms", "20ms", NULL }, .text = "larger than the period" },
	{ { "PE", "5ms", "101s", NULL }, .text = "at most 100 s" },
	{ { "PE", "0", "20ms", NULL }, .text = "more than 0" },
	{ { "PE", "5min", "20ms", NULL }, .text = "no unit of time" },
	{ { "PE", "5.5ms", "16.666667ms", NULL }, TIMEGRAPH_RESV_PE, 5500000, 16666667, "", NULL },
	{ { "PE", "5,5ms", "20ms", NULL }, .text = "a comma" },
	{ { "PE", "5.5ns", "20ms", NULL }, .text = "fraction of a nanosecond" },
	{ { "BG", "5ms", "20ms", NULL }, .text = "no reserve of its own" },
	{ { "BG", NULL, NULL, "v" }, .text = "only PE and AE" },
	{ { "PE@a", "5ms", "20ms", "b" }, .text = "twice" },
	{ { "PE", "5ms", "20ms", "a b" }, .text = "cannot have" },
	{ { "PE", "5ms", "20ms", "a:b" }, .text = "no value can have" },
	{ { "PE", "5ms:1", "20ms", NULL }, .text = "no value can have" },
	{ { "PE", "5ms", "20ms>", NULL }, .text = "no value can have" },
	{ { "PE", "5ms", "20ms #", NULL }, .text = "no value can have" },
	{ { "pe", "5ms", "20ms", NULL }, .text = "unknown reservation policy" },
};

static void reserves_mean_what_a_specification_means(void)
{
	for (size_t i = 0; i < sizeof(resv_cases) / sizeof(resv_cases[0]); i++) {
		const struct resv_case *c = &resv_cases[i];
		struct timegraph_set set = { 0 };
		struct cli_error err = { "", "" };
		bool ok = args_resv(&c->in, &set, &err);
		bool right = c->text ? !ok && strstr(err.text, c->text) && *err.hint :
			ok && set.fields == TIMEGRAPH_SET_RESV && set.resv == c->resv &&
			set.capacity_ns == c->capacity_ns && set.period_ns == c->period_ns &&
			!strcmp(set.group, c->group);

		if (!CHECK(right))
			tap_diag("case %zu: %s '%s'", i, ok ? "accepted" : "refused", err.text);
	}
}

static void long_values_are_refused(void)
{
	char longer[1000];
	struct timegraph_set set = { 0 };
	struct cli_error err;

	memset(longer, 'a', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	CHECK(!args_prio(longer, &set, &err));
	CHECK(!args_policy(longer, &set, &err));
	CHECK(!args_resv(&(struct args_resv){ "PE", "1", "1", longer }, &set, &err));
	CHECK(!args_resv(&(struct args_resv){ "PE", longer, longer, NULL }, &set, &err));
	CHECK(!args_resv(&(struct args_resv){ longer, "1", "1", NULL }, &set, &err));
	/* The longest group's name: 63 bytes. */
	longer[63] = '\0';
	CHECK(args_resv(&(struct args_resv){ "PE", "1", "1", longer }, &set, &err));
	CHECK(strlen(set.group) == 63);
	CHECK(!set.capacity_ns || set.capacity_ns == 1000);
}

static void times_are_c_colon_t(void)
{
	static const char *const bad[] = {
		"", ":", "5ms", "5ms:", ":20ms", "5ms:20ms:", "30ms:20ms", "5ms:20ms>", "5ms:20ms#",
	};
	struct cli_error err;
	uint64_t c, t;

	CHECK(args_times("5ms:20ms", &c, &t, &err) && c == 5000000 && t == 20000000);
	CHECK(args_times("2500:25000", &c, &t, &err) && c == 2500000 && t == 25000000);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!CHECK(!args_times(bad[i], &c, &t, &err)))
			tap_diag("'%s'", bad[i]);
}

static const struct tap_case cases[] = {
	{ "pids_are_digits_above_zero", pids_are_digits_above_zero },
	{ "numbers_stop_at_their_maximum", numbers_stop_at_their_maximum },
	{ "seconds_may_have_a_fraction", seconds_may_have_a_fraction },
	{ "bytes_are_as_in_a_specification", bytes_are_as_in_a_specification },
	{ "policy_and_priority_are_as_in_a_specification",
	  policy_and_priority_are_as_in_a_specification },
	{ "star_is_priority_50_by_focus", star_is_priority_50_by_focus },
	{ "reserves_mean_what_a_specification_means", reserves_mean_what_a_specification_means },
	{ "long_values_are_refused", long_values_are_refused },
	{ "times_are_c_colon_t", times_are_c_colon_t },
};

int main(void)
{
	return tap_run(cases, sizeof(cases) / sizeof(cases[0]));
}
