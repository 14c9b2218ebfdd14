// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Unit tests of what needs no GPU: percentiles against a slow oracle, option
 * parsing, the measuring window, the least of any window, the random stream. TAP
 * on standard output.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common.h"
#include "tap.h"

/*
 * The definition, taken literally: the smallest sample that at least percent %
 * of the samples do not exceed.
 */
static uint64_t slow_percentile(const uint64_t *ns, size_t count, unsigned int percent)
{
	uint64_t best = UINT64_MAX;
	size_t i, j, below;

	for (i = 0; i < count; i++) {
		for (j = below = 0; j < count; j++)
			below += ns[j] <= ns[i];
		if (below * 100 >= percent * count && ns[i] < best)
			best = ns[i];
	}
	return count ? best : 0;
}

static bool percentiles_agree(size_t count, uint64_t seed, uint64_t range)
{
	static const unsigned int percents[] = { 1, 10, 50, 90, 99, 100 };
	struct wl_samples s;
	uint64_t copy[300];
	bool good = true;
	size_t i;

	wl_samples_init(&s, 1);
	for (i = 0; i < count; i++) {
		copy[i] = wl_random(seed, i) % range;
		wl_samples_add(&s, copy[i]);
	}
	for (i = 0; i < sizeof(percents) / sizeof(percents[0]); i++)
		good = good && wl_samples_percentile(&s, percents[i]) ==
				       slow_percentile(copy, count, percents[i]);
	wl_samples_fini(&s);
	return good;
}

static void test_percentiles(void)
{
	struct wl_samples s;
	struct wl_summary sum;
	bool good = true;
	uint64_t seed;

	for (seed = 0; seed < 200 && good; seed++)
		good = percentiles_agree(1 + wl_random(99, seed) % 300, seed, 1000000) &&
		       percentiles_agree(1 + wl_random(98, seed) % 300, seed, 4);
	tap_ok(good, "percentiles_equal_the_literal_definition_on_random_samples");

	wl_samples_init(&s, 4);
	wl_samples_summarise(&s, &sum);
	tap_ok(!sum.p50_ns && !sum.max_ns && !sum.mean_ns, "no_samples_summarise_to_zero");
	for (seed = 1; seed <= 100; seed++)
		wl_samples_add(&s, 101 - seed);
	wl_samples_summarise(&s, &sum);
	tap_ok(sum.p50_ns == 50 && sum.p90_ns == 90 && sum.p99_ns == 99 && sum.max_ns == 100 &&
	       sum.mean_ns == 50, "one_to_a_hundred_has_p99_of_99");
	wl_samples_add(&s, 0);
	tap_ok(wl_samples_percentile(&s, 0) == 0 && wl_samples_percentile(&s, 1) == 1,
	       "a_sample_added_after_sorting_is_seen");
	wl_samples_fini(&s);
}

static void test_time(void)
{
	static const struct {
		const char *text;
		uint64_t unit_ns, ns;
	} good[] = {
		{ "2", 1000000000, 2000000000 }, { "1.5ms", 1, 1500000 },
		{ "40us", 1, 40000 }, { "0.25s", 1, 250000000 }, { "7ns", 1000, 7 },
		{ "123456789012345678ns", 1, 123456789012345678 },
		{ "1234567890.123456789s", 1, 1234567890123456789 },
	};
	static const char *const bad[] = {
		"", "-1", "1.", "ms", "1m", "1 s", "1e3", "99999999999999999999", "20000000000s",
		"+1", "1.5.2s",
	};
	bool all = true;
	uint64_t ns;
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		all = all && wl_parse_time(good[i].text, good[i].unit_ns, &ns) &&
		      ns == good[i].ns;
	tap_ok(all, "times_with_units_parse_to_the_nanosecond");
	for (all = true, i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		all = all && !wl_parse_time(bad[i], 1, &ns);
	tap_ok(all, "malformed_times_are_refused");
}

static struct {
	bool flag;
	uint64_t number, time_ns;
	struct wl_size size;
	const char *text;
	int choice;
} got;

static const char *const choices[] = { "red", "green", NULL };
static const struct wl_opt first[] = {
	{ "flag", WL_OPT_FLAG, &got.flag, NULL, "" },
	{ "number", WL_OPT_UINT, &got.number, "N", "", .min = 2, .max = 9 },
	{ "time", WL_OPT_TIME, &got.time_ns, "MS", "", .unit_ns = 1000000 },
	{ 0 },
};
static const struct wl_opt second[] = {
	{ "size", WL_OPT_SIZE, &got.size, "WxH", "" },
	{ "text", WL_OPT_STRING, &got.text, "TEXT", "" },
	{ "choice", WL_OPT_CHOICE, &got.choice, "COLOUR", "", .choices = choices },
	{ 0 },
};

static int parse(char *words, char *err, size_t err_size)
{
	const struct wl_opt *const tables[] = { first, second, NULL };
	char *argv[16] = { "program" };
	int argc = 1;
	char *word;

	memset(&got, 0, sizeof(got));
	*err = '\0';
	for (word = strtok(words, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	return wl_opts_parse(argc, argv, tables, err, err_size);
}

static void test_options(void)
{
	static const struct {
		const char *words, *says;
	} bad[] = {
		{ "--nothing", "unknown option '--nothing'" },
		{ "--number", "--number needs N" },
		{ "--number 1", "'1' is not a valid N" },
		{ "--number 10", "'10' is not a valid N" },
		{ "--number=x", "'x' is not a valid N" },
		{ "--flag=1", "--flag takes no value" },
		{ "--size 0x5", "not a valid WxH" },
		{ "--size 5x5x5", "not a valid WxH" },
		{ "--size 99999x5", "not a valid WxH" },
		{ "--choice blue", "write one of red, green" },
		{ "--num 3", "unknown option '--num'" },
	};
	char words[160] = "--flag --number=7 --time 1.5 --size 640x480 --text=a=b --choice green rest";
	char err[160];
	bool all = true;
	size_t i;
	int at;

	at = parse(words, err, sizeof(err));
	tap_ok(at == 10 && got.flag && got.number == 7 && got.time_ns == 1500000 &&
	       got.size.width == 640 && got.size.height == 480 && !strcmp(got.text, "a=b") &&
	       got.choice == 1, "every_option_type_is_parsed_up_to_the_first_word");
	strcpy(words, "--number 3 -- --flag");
	at = parse(words, err, sizeof(err));
	tap_ok(at == 4 && got.number == 3 && !got.flag, "two_dashes_end_the_options");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		strcpy(words, bad[i].words);
		at = parse(words, err, sizeof(err));
		if (at != -1 || !strstr(err, bad[i].says)) {
			printf("# '%s' gives %d, '%s'\n", bad[i].words, at, err);
			all = false;
		}
	}
	tap_ok(all, "wrong_options_are_refused_with_what_to_write");
}

static void test_window(void)
{
	struct wl_common c = { .task = "t", .name = "t", .duration_ns = 1000 };
	struct wl_run run;

	wl_run_init(&run, &c);
	wl_run_frame(&run, 5, 10);
	tap_ok(run.frames == 0, "a_frame_before_the_start_is_not_counted");
	run.start_ns = run.last_done_ns = 1000;
	run.deadline_ns = 2000;
	wl_run_frame(&run, 900, 1100);
	wl_run_frame(&run, 1000, 1300);
	wl_run_frame(&run, 1200, 1400);
	wl_run_frame(&run, 1300, 2001);
	tap_ok(run.frames == 2, "only_frames_begun_and_done_in_the_window_count");
	tap_ok(wl_samples_percentile(&run.frame_times, 100) == 300 &&
	       wl_samples_percentile(&run.frame_times, 50) == 100,
	       "frame_times_go_from_completion_to_completion");
	tap_ok(wl_samples_percentile(&run.latencies, 100) == 300, "latency_goes_from_submission");
	tap_ok(!wl_run_over(&run, 1999) && wl_run_over(&run, 2000),
	       "the_window_ends_at_its_deadline");
	wl_run_end(&run, 1500);
	tap_ok(run.end_ns == 2000 && run.pending_ns == 500,
	       "an_unfinished_frame_is_reported_as_pending");
	wl_run_fini(&run);
}

static bool start_from_file(const char *path, uint64_t *start_ns)
{
	struct wl_common c = { .task = "t", .name = "t", .duration_ns = 1000, .barrier = path };
	struct wl_run run;
	bool good;

	wl_run_init(&run, &c);
	fflush(stdout);
	good = wl_run_start(&run);
	*start_ns = run.start_ns;
	wl_run_fini(&run);
	return good;
}

static void write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	close(fd);
}

static void test_barrier(void)
{
	char path[] = "/tmp/wl-unit-XXXXXX", text[64];
	uint64_t start_ns, want_ns;
	int fd = mkstemp(path), saved = dup(STDOUT_FILENO);
	int null = open("/dev/null", O_WRONLY);
	bool at_time, at_once, refused;

	if (fd < 0 || saved < 0 || null < 0)
		abort();
	close(fd);
	fflush(stdout);
	dup2(null, STDOUT_FILENO);	/* the programs' own "ready" lines */
	want_ns = wl_now_ns() + 20000000;
	snprintf(text, sizeof(text), "%lluns\n", (unsigned long long)want_ns);
	write_file(path, text);
	at_time = start_from_file(path, &start_ns) && start_ns == want_ns &&
		  wl_now_ns() >= want_ns;
	write_file(path, "");
	want_ns = wl_now_ns();
	at_once = start_from_file(path, &start_ns) && start_ns >= want_ns;
	write_file(path, "soon\n");
	refused = !start_from_file(path, &start_ns);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(null);
	unlink(path);
	tap_ok(at_time, "a_barrier_with_a_time_starts_exactly_then");
	tap_ok(at_once, "an_empty_barrier_starts_at_once");
	tap_ok(refused, "a_barrier_without_a_time_is_refused");
}

/* Every window of whole ns, counted one by one. */
static uint64_t slow_least(const struct wl_marks *m, uint64_t start, uint64_t end, uint64_t window)
{
	uint64_t t, sum, least = UINT64_MAX;
	size_t i;

	for (t = start; t + window <= end; t++) {
		for (i = sum = 0; i < m->count; i++)
			if (m->mark[i].at_ns > t && m->mark[i].at_ns <= t + window)
				sum += m->mark[i].amount;
		if (sum < least)
			least = sum;
	}
	return least;
}

static bool least_agrees(uint64_t seed)
{
	uint64_t i, at = 0, count = wl_random(seed, 1000) % 40;
	uint64_t window = 1 + wl_random(seed, 1001) % 60;
	uint64_t start = wl_random(seed, 1002) % 50, end = start + wl_random(seed, 1003) % 200;
	struct wl_marks m = { 0 };
	bool good;

	for (i = 0; i < count; i++) {
		at += wl_random(seed, 2 * i) % 12;
		wl_marks_add(&m, at, wl_random(seed, 2 * i + 1) % 5);
	}
	good = wl_marks_least(&m, start, end, window) == slow_least(&m, start, end, window);
	wl_marks_fini(&m);
	return good;
}

static void test_marks(void)
{
	struct wl_marks m = { 0 };
	bool good = true;
	uint64_t seed;

	for (seed = 0; seed < 2000 && good; seed++)
		good = least_agrees(seed);
	tap_ok(good, "the_least_of_a_window_equals_every_window_counted");
	wl_marks_add(&m, 10, 7);
	tap_ok(wl_marks_least(&m, 0, 99, 100) == UINT64_MAX &&
	       wl_marks_least(&m, 0, 100, 100) == 7 && wl_marks_least(&m, 0, 101, 100) == 7 &&
	       wl_marks_least(&m, 10, 110, 100) == 0,
	       "a_window_that_does_not_fit_is_none");
	wl_marks_fini(&m);
}

static void test_random(void)
{
	uint64_t i, ones = 0;

	/* First outputs of SplitMix64 with seed 0, from its published reference. */
	tap_ok(wl_random(0, 0) == 0xe220a8397b1dcdaf && wl_random(0, 1) == 0x6e789e6aa1b965f4,
	       "the_random_stream_is_splitmix64");
	for (i = 0; i < 1000; i++)
		ones += (uint64_t)__builtin_popcountll(wl_random(7, i));
	tap_ok(ones > 31500 && ones < 32500, "half_of_its_bits_are_set");
}

int main(void)
{
	test_percentiles();
	test_time();
	test_options();
	test_window();
	test_barrier();
	test_marks();
	test_random();
	return tap_end();
}
