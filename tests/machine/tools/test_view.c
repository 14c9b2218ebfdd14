// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers and lines as they are shown, and what keys do. */
#include "fake.h"
#include "state.h"
#include "tap.h"
#include "text.h"
#include "view.h"

#define SECOND 1000000000ULL

static struct fake before, after;
static struct sample s;
static struct view v;

static void short_times_have_three_digits(void)
{
	static const struct {
		int64_t ns;
		const char *text;
	} c[] = {
		{ 0, "0" }, { 1, "1ns" }, { 999, "999ns" }, { 1000, "1.00us" },
		{ -1, "-1ns" }, { 12345, "12.3us" }, { -456789, "-457us" },
		{ 999499, "999us" }, { 999600, "1.00ms" }, { 1234567890, "1.23s" },
		{ 9999999999, "10.0s" }, { 123456789012, "123s" },
		{ INT64_MAX, "9223372037s" }, { INT64_MIN, "-9223372037s" },
	};
	char out[TEXT_BYTES];

	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++)
		if (!CHECK(!strcmp(text_short(out, c[i].ns), c[i].text)))
			tap_diag("%lld is '%s', wanted '%s'", (long long)c[i].ns, out, c[i].text);
}

static void exact_times_are_a_specifications(void)
{
	char out[2 * TEXT_BYTES];

	CHECK(!strcmp(text_time(out, 20000000), "20ms"));
	CHECK(!strcmp(text_time(out, 2500000), "2500us"));
	CHECK(!strcmp(text_time(out, 1), "1ns"));
	CHECK(!strcmp(text_time(out, 100 * SECOND), "100s"));
	CHECK(!strcmp(text_reserve(out, 5000000, 20000000), "5/20ms"));
	CHECK(!strcmp(text_reserve(out, 2500000, 25000000), "2500/25000us"));
	CHECK(!strcmp(text_reserve(out, 500000000, SECOND), "500/1000ms"));
}

static void names_cannot_steer_the_terminal(void)
{
	static const struct {
		const char *in, *out;
		size_t columns;
	} c[] = {
		{ "game", "game", 15 }, { "a\033[2Jb", "a?[2Jb", 15 }, { "a\nb\tc\x7f", "a?b?c?", 15 },
		{ "\xc3\xa9t\xc3\xa9", "\xc3\xa9t\xc3\xa9", 15 }, { "\xc3\xa9t\xc3\xa9", "\xc3\xa9t", 2 },
		{ "\xff\xc3[", "??[", 15 }, { "\xc2\x9b""2J", "?2J", 15 }, { "abcdef", "abc", 3 },
		{ "\xed\xa0\x80", "???", 15 }, { "\xc0\xaf", "??", 15 }, { "\xe2\x82", "??", 15 },
	};
	char out[64];

	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++)
		if (!CHECK(!strcmp(text_safe(out, sizeof(out), c[i].in, c[i].columns), c[i].out)))
			tap_diag("case %zu: '%s'", i, out);
	CHECK(!strcmp(text_safe(out, 4, "\xc3\xa9\xc3\xa9", 9), "\xc3\xa9"));
}

/* Four tasks of all kinds, one second. */
static void scene(void)
{
	struct timegraph_task *t;

	fake_init(&before, 10 * SECOND);
	fake_init(&after, 11 * SECOND);
	fake_reserve(&after, 0, 1, "Background", 25000000, 25000000)->flags =
		TIMEGRAPH_RESERVE_BACKGROUND;
	fake_reserve(&after, 0, 2, "capped", 5000000, 20000000)->budget_ns = -1500000;
	fake_reserve(&after, 0, 3, "half", 4000000, 8000000)->budget_ns = 2000000;
	fake_task(&before, 0, 11, "capped", 100, 0);
	t = fake_task(&after, 0, 11, "capped", 200, SECOND / 4);
	t->reserve = 2;
	t->resv = TIMEGRAPH_RESV_PE;
	t->prio = 60;
	t->nr_throttled = 1;
	t->wait_ns = 100 * 1230000;
	fake_task(&before, 0, 12, "half", 100, 0);
	t = fake_task(&after, 0, 12, "half", 200, SECOND / 2);
	t->reserve = 3;
	t->nr_online = 1;
	t->prio = 7;
	fake_task(&before, 0, 13, "starved", 5, 0)->nr_waiting = 1;
	t = fake_task(&after, 0, 13, "starved", 5, 0);
	t->reserve = 1;
	t->nr_waiting = 1;
	fake_task(&before, 0, 14, "free", 5, 0);
	t = fake_task(&after, 0, 14, "free", 5, 0);
	t->prio = 50;
	t->flags = TIMEGRAPH_TASK_FOCUS | TIMEGRAPH_TASK_FOREGROUND;
	t->policy = TIMEGRAPH_POLICY_HT;
	after.gpus[0].gpu.nr_online = 1;
	after.gpus[0].gpu.online_pid = 12;
	after.gpus[0].gpu.busy_ns = SECOND * 4 / 5;
}

static int render(enum view_sort sort, bool reverse, unsigned int width)
{
	struct view_options o = { .sort = sort, .reverse = reverse, .width = width };

	return sample_diff(&s, &before.snap, &after.snap) ||
	       view_render(&v, &o, &after.snap, &s, 0);
}

static bool has_line(const char *text)
{
	for (uint32_t i = 0; i < v.n; i++)
		if (strstr(v.line[i].text, text))
			return true;
	tap_diag("no line with '%s':", text);
	for (uint32_t i = 0; i < v.n; i++)
		tap_diag("%s", v.line[i].text);
	return false;
}

static void tasks_show_share_reserve_and_budget(void)
{
	scene();
	CHECK(!render(VIEW_BY_SHARE, false, 80));
	CHECK(has_line("     12 half            PRT 7     50.0  50.0 [#####.....]      0      0    - G"));
	CHECK(has_line("     11 capped          PRT 60    25.0  25.0 [   -1.50ms] 1.23ms      0    - B"));
	CHECK(has_line("     14 free            HT  50*F   0.0     -            -      -      -    - -"));
	CHECK(has_line("     13 starved         PRT 0      0.0    BG [..........] >1.00s      -    - W"));
	CHECK(has_line("      - (others, ended)            5.0"));
	CHECK(has_line("busy  80.0 % [#####################.....]  on the GPU: half (12)"));
	CHECK(has_line("reserved 75 of 100 %"));
}

static void scene_with_memory(void)
{
	struct timegraph_vram_account *domain;

	scene();
	after.gpus[0].vram = (struct timegraph_vram){
		.flags = TIMEGRAPH_VRAM_KEPT, .nr_waiting = 1, .size = 256 << 20,
		.margin = 16 << 20, .older = 2 << 20, .held = 120 << 20, .rest = 6 << 20,
		.free = 112 << 20,
	};
	fake_account(&after, 0, 11, 120, 64);
	fake_account(&after, 0, 14, 0, 6);
	fake_account(&after, 0, 12, 0, 0)->domain = 4711;
	domain = fake_account(&after, 0, 0, 32, 24);
	domain->flags = TIMEGRAPH_VRAM_DOMAIN;
	domain->domain = 4711;
}

static void memory_is_a_line_and_two_columns(void)
{
	static const char *const of_tasks[] = {
		"11 capped          PRT 60    25.0  25.0 [   -1.50ms] 1.23ms      0    - B     64    120",
		"12 half            PRT 7     50.0  50.0 [#####.....]      0      0    - G     24     32",
		"14 free            HT  50*F   0.0     -            -      -      -    - -      6      0",
	};

	scene_with_memory();
	CHECK(!render(VIEW_BY_SHARE, false, 94));
	CHECK(has_line("memory 256 MiB: 120 reserved, 8 used besides, 112 free, 1 waiting"));
	CHECK(has_line("ERR% S    MIB     OF"));
	for (size_t i = 0; i < 3; i++)
		CHECK(has_line(of_tasks[i]));
}

static bool lacks(const char *text)
{
	for (uint32_t i = 0; i < v.n; i++)
		if (strstr(v.line[i].text, text))
			return false;
	return true;
}

/* Where it does not fit, and where nothing is accounted for, all is as it was. */
static void memory_takes_room_from_nothing_else(void)
{
	scene_with_memory();
	CHECK(!render(VIEW_BY_SHARE, false, 93));
	CHECK(lacks(" OF") && has_line("GROUP/S"));
	CHECK(!render(VIEW_BY_SHARE, false, 118));
	CHECK(has_line("MIB     OF GROUP/S RESERVE"));
	scene();
	CHECK(!render(VIEW_BY_SHARE, false, 104));
	CHECK(lacks("memory") && lacks(" OF") && has_line("S GROUP/S RESERVE"));
}

static void states_have_styles(void)
{
	static const enum view_style want[] = {
		VIEW_RUNNING, VIEW_THROTTLED, VIEW_WAITING, VIEW_PLAIN, VIEW_PLAIN,
	};

	scene();
	CHECK(!render(VIEW_BY_SHARE, false, 80));
	CHECK(v.n - v.nr_head == 5);
	for (uint32_t i = 0; i < 5 && i < v.n - v.nr_head; i++)
		CHECK(v.line[v.nr_head + i].style == want[i]);
}

static bool order_is(enum view_sort sort, bool reverse, const char *want)
{
	char got[128] = "";

	if (render(sort, reverse, 80))
		return false;
	for (uint32_t i = v.nr_head; i + 1 < v.n; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%.2s ",
			 v.line[i].text + 5);
	if (!strcmp(got, want))
		return true;
	tap_diag("order '%s', wanted '%s'", got, want);
	return false;
}

static void each_key_sorts_and_reverses(void)
{
	scene();
	CHECK(order_is(VIEW_BY_SHARE, false, "12 11 13 14 "));
	CHECK(order_is(VIEW_BY_SHARE, true, "14 13 11 12 "));
	CHECK(order_is(VIEW_BY_WAIT, false, "13 11 12 14 "));
	CHECK(order_is(VIEW_BY_PRIO, false, "11 14 12 13 "));
	CHECK(order_is(VIEW_BY_NAME, false, "11 14 12 13 "));
	CHECK(order_is(VIEW_BY_PID, false, "11 12 13 14 "));
	CHECK(order_is(VIEW_BY_PID, true, "14 13 12 11 "));
}

static void no_line_is_wider_than_the_screen(void)
{
	static const unsigned int widths[] = { 40, 60, 80, 88, 94, 104, 118, 160 };

	scene_with_memory();
	strcpy(after.task[0][0].comm, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9");
	memset(after.snap.config.spec_refusal, 'x', TIMEGRAPH_TEXT_LEN - 1);
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		CHECK(!render(VIEW_BY_SHARE, false, widths[i]));
		for (uint32_t k = 0; k < v.n; k++) {
			unsigned int columns = 0;

			for (const char *p = v.line[k].text; *p; p++)
				columns += ((unsigned char)*p & 0xc0) != 0x80;
			if (!CHECK(columns <= widths[i]))
				tap_diag("%u: %s", widths[i], v.line[k].text);
		}
	}
}

static void bypass_and_refusals_are_alerts(void)
{
	uint32_t alerts = 0;

	scene();
	after.gpus[0].gpu.bypass = TIMEGRAPH_BYPASS_HANG;
	strcpy(after.snap.config.spec_refusal, "/etc/timegraph.spec: 3:1: error");
	CHECK(!render(VIEW_BY_SHARE, false, 80));
	CHECK(has_line("NOT scheduling") && has_line("the GPU stopped completing groups"));
	CHECK(has_line("refused: /etc/timegraph.spec: 3:1: error"));
	for (uint32_t i = 0; i < v.nr_head; i++)
		alerts += v.line[i].style == VIEW_ALERT;
	CHECK(alerts == 2);
}

static void flags_are_words(void)
{
	scene();
	after.task[0][0].flags = TIMEGRAPH_TASK_DEMOTED;
	after.task[0][1].flags = TIMEGRAPH_TASK_UNREGULATED;
	CHECK(!render(VIEW_BY_SHARE, false, 80));
	CHECK(has_line("25.0   BG! ") && has_line("50.0   off "));
}

static bool prio_is(unsigned int prio, uint32_t flags, const char *want)
{
	struct timegraph_task t = { .prio = prio, .flags = flags, .level = 120 };
	char out[TEXT_BYTES];

	if (!strcmp(text_prio(out, &t), want))
		return true;
	tap_diag("'%s', wanted '%s'", out, want);
	return false;
}

static void priority_is_the_one_in_force(void)
{
	const uint32_t focus = TIMEGRAPH_TASK_FOCUS, front = TIMEGRAPH_TASK_FOREGROUND,
		       demoted = TIMEGRAPH_TASK_DEMOTED;

	CHECK(prio_is(60, 0, "60") && prio_is(60, demoted, "60>0"));
	CHECK(prio_is(0, demoted, "0"));
	CHECK(prio_is(0, TIMEGRAPH_TASK_SERVER, "60S"));
	CHECK(prio_is(50, focus | front, "50*F") && prio_is(50, focus | front | demoted, "50>0"));
	scene();
	after.task[0][0].flags = TIMEGRAPH_TASK_DEMOTED;
	CHECK(order_is(VIEW_BY_PRIO, false, "14 12 11 13 "));
	CHECK(has_line("     11 capped          PRT 60>0  25.0   BG! ["));
}

static void no_line_ends_in_blanks(void)
{
	static const unsigned int widths[] = { 40, 80, 97, 110, 160 };

	scene();
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		CHECK(!render(VIEW_BY_SHARE, false, widths[i]));
		for (uint32_t k = 0; k < v.n; k++) {
			size_t n = strlen(v.line[k].text);

			if (!CHECK(n && v.line[k].text[n - 1] != ' '))
				tap_diag("%u: '%s'", widths[i], v.line[k].text);
		}
	}
}

static void no_tasks_no_crash(void)
{
	fake_init(&before, 10 * SECOND);
	fake_init(&after, 11 * SECOND);
	CHECK(!render(VIEW_BY_SHARE, false, 80) && v.n == v.nr_head);
	CHECK(has_line("on the GPU: idle"));
}

static void keys_sort_scroll_and_quit(void)
{
	struct state st = { .interval_ns = SECOND, .top = 5 };

	CHECK(state_key(&st, 'p', 1, 10) == STATE_DRAW && st.view.sort == VIEW_BY_PRIO && !st.top);
	CHECK(state_key(&st, 'r', 1, 10) == STATE_DRAW && st.view.reverse);
	CHECK(state_key(&st, STATE_KEY_DOWN, 1, 10) == STATE_DRAW && st.top == 1);
	CHECK(state_key(&st, STATE_KEY_PAGE_DOWN, 1, 10) == STATE_DRAW && st.top == 11);
	CHECK(state_key(&st, STATE_KEY_PAGE_UP, 1, 20) == STATE_DRAW && st.top == 0);
	CHECK(state_key(&st, STATE_KEY_UP, 1, 10) == STATE_DRAW && st.top == 0);
	CHECK(state_key(&st, STATE_KEY_END, 1, 10) == STATE_DRAW);
	state_clamp(&st, 1, 25, 10);
	CHECK(st.top == 15);
	state_clamp(&st, 1, 5, 10);
	CHECK(st.top == 0);
	CHECK(state_key(&st, 'Z', 1, 10) == STATE_NOTHING);
	CHECK(state_key(&st, ' ', 1, 10) == STATE_LOOK);
	CHECK(state_key(&st, 'q', 1, 10) == STATE_QUIT);
}

static void interval_stays_readable(void)
{
	struct state st = { .interval_ns = SECOND };

	for (int i = 0; i < 20; i++)
		state_key(&st, '-', 1, 10);
	CHECK(st.interval_ns == STATE_MIN_NS);
	for (int i = 0; i < 20; i++)
		state_key(&st, '+', 1, 10);
	CHECK(st.interval_ns == STATE_MAX_NS);
}

static void gpus_go_round(void)
{
	struct state st = { .interval_ns = SECOND };

	state_key(&st, '\t', 3, 10);
	CHECK(st.gpu == 1);
	state_key(&st, STATE_KEY_LEFT, 3, 10);
	state_key(&st, STATE_KEY_LEFT, 3, 10);
	CHECK(st.gpu == 2);
	state_key(&st, STATE_KEY_RIGHT, 3, 10);
	CHECK(st.gpu == 0);
	CHECK(state_key(&st, '5', 3, 10) == STATE_NOTHING && st.gpu == 0);
	CHECK(state_key(&st, '2', 3, 10) == STATE_DRAW && st.gpu == 2);
	state_clamp(&st, 1, 0, 10);
	CHECK(st.gpu == 0);
	CHECK(state_key(&st, '\t', 0, 10) == STATE_NOTHING && st.gpu == 0);
	CHECK(state_key(&st, STATE_KEY_LEFT, 0, 10) == STATE_NOTHING);
}

static void any_key_ends_the_help(void)
{
	struct state st = { .interval_ns = SECOND };

	CHECK(state_key(&st, '?', 1, 10) == STATE_DRAW && st.help);
	CHECK(state_key(&st, 'p', 1, 10) == STATE_DRAW && !st.help);
	CHECK(st.view.sort == VIEW_BY_SHARE);
	state_key(&st, 'h', 1, 10);
	CHECK(state_key(&st, 'q', 1, 10) == STATE_QUIT);
}

static void help_fits_a_screen(void)
{
	int n = 0;

	for (; state_help[n]; n++)
		if (!CHECK(strlen(state_help[n]) <= 80))
			tap_diag("%s", state_help[n]);
	CHECK(n <= 23);
}

static void domains_stand_below_the_tasks(void)
{
	static const char *const wanted[] = {
		"DOMAIN                     WEIGHT  GPU%  C/T%   WAIT B-WAIT GROUP/S TASKS S",
		"ce/user@1000.service/games    300  25.0     - 2.00ms      0    50.0     2 W",
		"/batch                        100  10.0  12.5      -      -     0.0     1 B",
	};
	struct timegraph_domain d[] = {
		{ .id = 1, .path = "/batch", .weight = 100, .capacity_ns = 5, .period_ns = 40,
		  .usage_ns = SECOND / 10, .nr_tasks = 1, .flags = TIMEGRAPH_DOMAIN_THROTTLED },
		{ .id = 2, .path = "/user.slice/user@1000.service/games", .weight = 300,
		  .usage_ns = SECOND / 4, .groups = 50, .wait_ns = SECOND / 10, .nr_tasks = 2,
		  .nr_waiting = 1 },
	};
	struct timegraph_domains now = { d, 2, 2 };
	struct view_options o = { .width = 80 };

	scene();
	CHECK(!sample_diff(&s, &before.snap, &after.snap));
	CHECK(!sample_diff_domains(&s.gpus[0], NULL, &now));
	CHECK(!view_render(&v, &o, &after.snap, &s, 0) && v.n > 3);
	for (uint32_t i = 0; i < 3; i++)
		if (!CHECK(!strcmp(v.line[v.n - 3 + i].text, wanted[i])))
			tap_diag("'%s'", v.line[v.n - 3 + i].text);
	CHECK(v.line[v.n - 1].style == VIEW_THROTTLED);
}

static const struct tap_case cases[] = {
	{ "short_times_have_three_digits", short_times_have_three_digits },
	{ "exact_times_are_a_specifications", exact_times_are_a_specifications },
	{ "names_cannot_steer_the_terminal", names_cannot_steer_the_terminal },
	{ "tasks_show_share_reserve_and_budget", tasks_show_share_reserve_and_budget },
	{ "memory_is_a_line_and_two_columns", memory_is_a_line_and_two_columns },
	{ "memory_takes_room_from_nothing_else", memory_takes_room_from_nothing_else },
	{ "states_have_styles", states_have_styles },
	{ "each_key_sorts_and_reverses", each_key_sorts_and_reverses },
	{ "no_line_is_wider_than_the_screen", no_line_is_wider_than_the_screen },
	{ "bypass_and_refusals_are_alerts", bypass_and_refusals_are_alerts },
	{ "flags_are_words", flags_are_words },
	{ "priority_is_the_one_in_force", priority_is_the_one_in_force },
	{ "no_line_ends_in_blanks", no_line_ends_in_blanks },
	{ "no_tasks_no_crash", no_tasks_no_crash },
	{ "keys_sort_scroll_and_quit", keys_sort_scroll_and_quit },
	{ "interval_stays_readable", interval_stays_readable },
	{ "gpus_go_round", gpus_go_round },
	{ "any_key_ends_the_help", any_key_ends_the_help },
	{ "help_fits_a_screen", help_fits_a_screen },
	{ "domains_stand_below_the_tasks", domains_stand_below_the_tasks },
};

int main(void)
{
	int status = tap_run(cases, sizeof(cases) / sizeof(cases[0]));

	sample_free(&s);
	view_free(&v);
	return status;
}
