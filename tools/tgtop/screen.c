// SPDX-License-Identifier: GPL-2.0-or-later
/* The live view: puts the lines of a view on a terminal, and takes keys. */
#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "failure.h"
#include "tgtop.h"

/* The first look has nothing to compare with: the second follows soon. */
#define FIRST_INTERVAL_NS 200000000ULL

/**
 * struct screen - the terminal and what is on it
 * @state: what to show
 * @sampler: looks
 * @view: lines
 * @error: of the last look, 0 or -errno
 * @style: attributes of each enum view_style
 */
struct screen {
	struct state *state;
	struct sampler sampler;
	struct view view;
	int error;
	chtype style[VIEW_STYLES];
};

static volatile sig_atomic_t ended;

static void on_end(int sig)
{
	(void)sig;
	ended = 1;
}

static void init_styles(struct screen *s)
{
	s->style[VIEW_PLAIN] = A_NORMAL;
	s->style[VIEW_TITLE] = A_BOLD;
	s->style[VIEW_ALERT] = A_BOLD;
	s->style[VIEW_COLUMNS] = A_REVERSE;
	s->style[VIEW_RUNNING] = A_BOLD;
	s->style[VIEW_WAITING] = A_NORMAL;
	s->style[VIEW_THROTTLED] = A_NORMAL;
	/* See no-color.org: set and not empty. */
	if (!has_colors() || (getenv("NO_COLOR") && *getenv("NO_COLOR")))
		return;
	start_color();
	use_default_colors();
	init_pair(1, COLOR_RED, -1);
	init_pair(2, COLOR_GREEN, -1);
	init_pair(3, COLOR_YELLOW, -1);
	s->style[VIEW_ALERT] |= COLOR_PAIR(1);
	s->style[VIEW_RUNNING] |= COLOR_PAIR(2);
	s->style[VIEW_THROTTLED] |= COLOR_PAIR(3);
}

/* Lines for tasks: below the head, above the line of keys. */
static uint32_t page(const struct screen *s)
{
	int rows = LINES - (int)s->view.nr_head - 1;

	return rows > 1 ? rows : 1;
}

static void put_line(int y, chtype style, const char *text)
{
	if (y < 0 || y >= LINES)
		return;
	move(y, 0);
	attrset(style);
	addnstr(text, COLS * 4);
	/* What the text left of the line. */
	if (style & A_REVERSE)
		for (int x = getcurx(stdscr); getcury(stdscr) == y && x < COLS; x++)
			addch(' ');
	attrset(A_NORMAL);
}

static void draw_help(const struct screen *s)
{
	for (int i = 0; state_help[i]; i++)
		put_line(i, i ? s->style[VIEW_PLAIN] : s->style[VIEW_TITLE], state_help[i]);
	put_line(LINES - 1, s->style[VIEW_COLUMNS], "any key: back   q: quit");
}

static void draw_error(const struct screen *s)
{
	const char *text = failure_open(s->error);
	int y = 2;

	put_line(0, s->style[VIEW_TITLE], "timegraph");
	/* It may have several lines. */
	for (const char *p = text; *p; y++) {
		char line[VIEW_BYTES];
		size_t n = strcspn(p, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)n, p);
		put_line(y, s->style[VIEW_ALERT], line);
		p += n + (p[n] == '\n');
	}
	put_line(y + 1, s->style[VIEW_PLAIN], "It is looked for again and again.");
}

static void draw_tasks(struct screen *s)
{
	const struct view *v = &s->view;
	uint32_t below = v->n - v->nr_head;

	state_clamp(s->state, s->sampler.sample.nr_gpus, below, page(s));
	for (uint32_t i = 0; i < v->nr_head; i++)
		put_line(i, s->style[v->line[i].style], v->line[i].text);
	for (uint32_t i = 0; i < page(s) && s->state->top + i < below; i++) {
		const struct view_line *l = &v->line[v->nr_head + s->state->top + i];

		put_line(v->nr_head + i, s->style[l->style], l->text);
	}
}

static void draw_keys(const struct screen *s)
{
	char text[VIEW_BYTES];

	snprintf(text, sizeof(text), "h help  q quit  sort g w t p e n i, r  Tab GPU  +- %.3g s  f %s",
		 (double)s->state->interval_ns / 1e9, s->state->frozen ? "FROZEN" : "freeze");
	put_line(LINES - 1, s->style[VIEW_COLUMNS], text);
}

static int render(struct screen *s)
{
	const struct sampler *p = &s->sampler;

	s->state->view.width = COLS;
	state_clamp(s->state, p->sample.nr_gpus, UINT32_MAX, 0);
	if (s->error || !p->sample.nr_gpus)
		return 0;
	return view_render(&s->view, &s->state->view, sampler_now(p), &p->sample, s->state->gpu);
}

static int draw(struct screen *s)
{
	int ret = render(s);

	if (ret)
		return ret;
	erase();
	if (s->state->help) {
		draw_help(s);
	} else {
		if (s->error)
			draw_error(s);
		else if (!s->sampler.sample.nr_gpus)
			put_line(0, s->style[VIEW_PLAIN],
				 "No GPU yet: one appears when a program first uses it.");
		else
			draw_tasks(s);
		draw_keys(s);
	}
	refresh();
	return 0;
}

static int translate(int key)
{
	switch (key) {
	case KEY_UP:
		return STATE_KEY_UP;
	case KEY_DOWN:
		return STATE_KEY_DOWN;
	case KEY_PPAGE:
		return STATE_KEY_PAGE_UP;
	case KEY_NPAGE:
		return STATE_KEY_PAGE_DOWN;
	case KEY_HOME:
		return STATE_KEY_HOME;
	case KEY_END:
		return STATE_KEY_END;
	case KEY_LEFT:
		return STATE_KEY_LEFT;
	case KEY_RIGHT:
		return STATE_KEY_RIGHT;
	}
	return key;
}

/* All keys that are there; what the most urgent of them asks for. */
static enum state_action take_keys(struct screen *s)
{
	enum state_action a = STATE_NOTHING, next;
	int key;

	while ((key = getch()) != ERR) {
		next = key == KEY_RESIZE ? STATE_DRAW :
		       state_key(s->state, translate(key), s->sampler.sample.nr_gpus, page(s));
		if (next > a)
			a = next;
	}
	return a;
}

/* Until a key, a signal, or @until_ns; false if the terminal is gone. */
static bool wait_for(uint64_t until_ns, const sigset_t *unblocked)
{
	struct pollfd p = { .fd = STDIN_FILENO, .events = POLLIN };
	uint64_t now = now_ns(), left = until_ns > now ? until_ns - now : 0;
	struct timespec t = clock_timespec(left);

	if (ppoll(&p, 1, &t, unblocked) < 0)
		return errno == EINTR;
	return !(p.revents & (POLLHUP | POLLERR | POLLNVAL));
}

static void look(struct screen *s)
{
	s->error = sampler_take(&s->sampler);
}

static int loop(struct screen *s, const sigset_t *unblocked)
{
	uint64_t next = now_ns() + FIRST_INTERVAL_NS;
	enum state_action a;
	int ret;

	while (!(ret = draw(s)) && !ended) {
		if (!wait_for(next, unblocked))
			break;
		a = take_keys(s);
		if (a == STATE_QUIT)
			break;
		if (a == STATE_LOOK || (!s->state->frozen && now_ns() >= next)) {
			look(s);
			next = now_ns() + s->state->interval_ns;
		} else if (now_ns() + s->state->interval_ns < next ||
			   (s->state->frozen && now_ns() >= next)) {
			next = now_ns() + s->state->interval_ns;
		}
	}
	return ret;
}

/*
 * Signals come only while the loop waits, so that none gets lost between a look
 * at the flag and the wait.
 */
static void catch_signals(sigset_t *unblocked)
{
	static const int end[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction sa = { .sa_handler = on_end };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(end) / sizeof(end[0]); i++) {
		sigaction(end[i], &sa, NULL);
		sigaddset(&set, end[i]);
	}
	sigaddset(&set, SIGWINCH);
	sigprocmask(SIG_BLOCK, &set, unblocked);
}

int screen_run(struct state *state)
{
	struct screen s = { .state = state };
	sigset_t unblocked;
	SCREEN *term;
	int ret;

	/* Before the screen is cleared: the message is to be read. */
	look(&s);
	if (s.error) {
		sampler_free(&s.sampler);
		return tgtop_fail(s.error);
	}
	term = newterm(NULL, stdout, stdin);
	if (!term) {
		fprintf(stderr, "tgtop: the terminal '%s' is unknown: set TERM, or use --batch\n",
			getenv("TERM") ? getenv("TERM") : "");
		sampler_free(&s.sampler);
		return TGTOP_FAILED;
	}
	catch_signals(&unblocked);
	init_styles(&s);
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(25);
	ret = loop(&s, &unblocked);
	endwin();
	delscreen(term);
	view_free(&s.view);
	sampler_free(&s.sampler);
	return ret ? tgtop_fail(ret) : TGTOP_OK;
}
