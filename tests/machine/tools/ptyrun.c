// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs a program on a terminal of its own and does what a person would: types,
 * resizes the window, waits, looks at the screen.
 *
 *	ptyrun ROWSxCOLUMNS STEP... -- COMMAND [ARGUMENT]...
 *
 *	wait:MS       let MS milliseconds pass
 *	key:TEXT      type TEXT; \e is escape, \t tab, \x03 any byte
 *	resize:RxC    resize the window
 *	shot:FILE     write what the screen shows to FILE
 *	raw:FILE      write all that the program has sent so far to FILE
 *	signal:N      send signal N to the program
 *	end           wait for the program's end, at most 10 s
 *
 * The screen understands what terminfo says of a vt100 and of ECMA-48 terminals
 * that are like it; what it does not know it prints to standard error, and ends
 * with 99.  Else the exit status is the program's, 128 + N after a signal, 98 if
 * it had to be killed.
 */
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MAX_ROWS 200
#define MAX_COLUMNS 400
#define MAX_PARAMETERS 16
#define END_MS 10000

/**
 * struct vt - a screen
 * @cell: characters, UTF-8 each
 * @pending: an escape sequence that is not complete
 */
static struct vt {
	int rows, columns, y, x;
	bool wrap;
	char cell[MAX_ROWS][MAX_COLUMNS][5];
	char pending[64];
	unsigned int nr_pending;
	bool unknown;
} vt;

static char *all;
static size_t nr_all;

static void die(const char *what)
{
	perror(what);
	exit(97);
}

static int between(int v, int min, int max)
{
	return v < min ? min : v > max ? max : v;
}

static void clear_cells(int y, int from, int to)
{
	for (int x = from; x < to; x++)
		strcpy(vt.cell[y][x], " ");
}

static void scroll_up(void)
{
	for (int y = 0; y + 1 < vt.rows; y++)
		memcpy(vt.cell[y], vt.cell[y + 1], sizeof(vt.cell[y]));
	clear_cells(vt.rows - 1, 0, MAX_COLUMNS);
}

static void resize(int rows, int columns)
{
	for (int y = 0; y < MAX_ROWS; y++)
		clear_cells(y, y < vt.rows ? vt.columns : 0, MAX_COLUMNS);
	vt.rows = rows;
	vt.columns = columns;
	vt.y = between(vt.y, 0, rows - 1);
	vt.x = between(vt.x, 0, columns - 1);
}

static void line_feed(void)
{
	if (vt.y == vt.rows - 1)
		scroll_up();
	else
		vt.y++;
}

static void put_char(const char *s, unsigned int n)
{
	if (vt.wrap) {
		vt.x = 0;
		line_feed();
		vt.wrap = false;
	}
	memcpy(vt.cell[vt.y][vt.x], s, n);
	vt.cell[vt.y][vt.x][n] = '\0';
	/* A vt100 stays in the last column until the next character comes. */
	if (vt.x == vt.columns - 1)
		vt.wrap = true;
	else
		vt.x++;
}

static void erase_lines(int from, int to)
{
	for (int y = from; y < to; y++)
		clear_cells(y, 0, vt.columns);
}

static void erase_display(int how)
{
	if (how == 0) {
		clear_cells(vt.y, vt.x, vt.columns);
		erase_lines(vt.y + 1, vt.rows);
	} else if (how == 1) {
		erase_lines(0, vt.y);
		clear_cells(vt.y, 0, vt.x + 1);
	} else {
		erase_lines(0, vt.rows);
	}
}

static void erase_line(int how)
{
	clear_cells(vt.y, how == 0 ? vt.x : 0, how == 1 ? vt.x + 1 : vt.columns);
}

static void move_to(int y, int x)
{
	vt.y = between(y, 0, vt.rows - 1);
	vt.x = between(x, 0, vt.columns - 1);
	vt.wrap = false;
}

static void repeat(int n)
{
	char last[5];

	if (!vt.x)
		return;
	strcpy(last, vt.cell[vt.y][vt.x - !vt.wrap]);
	while (n--)
		put_char(last, strlen(last));
}

/* ECMA-48 5.4: what stands between CSI and its final byte. */
static bool control(char final, const int *p, bool private)
{
	int n = p[0] ? p[0] : 1;

	switch (final) {
	case 'A':
		move_to(vt.y - n, vt.x);
		return true;
	case 'B':
		move_to(vt.y + n, vt.x);
		return true;
	case 'C':
		move_to(vt.y, vt.x + n);
		return true;
	case 'D':
		move_to(vt.y, vt.x - n);
		return true;
	case 'G':
		move_to(vt.y, n - 1);
		return true;
	case 'd':
		move_to(n - 1, vt.x);
		return true;
	case 'H':
	case 'f':
		move_to(n - 1, (p[1] ? p[1] : 1) - 1);
		return true;
	case 'J':
		erase_display(p[0]);
		return true;
	case 'K':
		erase_line(p[0]);
		return true;
	case 'X':
		clear_cells(vt.y, vt.x, between(vt.x + n, 0, vt.columns));
		return true;
	case 'b':
		repeat(n);
		return true;
	case 'm':	/* colours and the like are not kept */
	case 't':	/* window titles */
	case 'r':	/* the whole screen scrolls */
		return true;
	case 'c':	/* the cursor's shape, on a Linux console */
		return private;
	case 'h':
	case 'l':	/* of the modes, only insertion would matter */
		return private || p[0] != 4 || final == 'l';
	}
	return false;
}

/* Whether @s is a whole escape sequence, and does it. */
static bool escape(const char *s, unsigned int n)
{
	int p[MAX_PARAMETERS] = { 0 };
	unsigned int i = 2, k = 0;
	bool private = false, known = true;

	if (n < 2)
		return false;
	if (s[1] == '(' || s[1] == ')' || s[1] == '#')
		return n == 3;
	if (s[1] == 'M' && vt.y)
		vt.y--;
	else if (s[1] != '[')
		known = strchr("=>78c", s[1]);
	if (s[1] == '[') {
		if (n < 3 || !((unsigned char)s[n - 1] >= 0x40 && s[n - 1] != 0x7f))
			return false;
		for (; i < n - 1; i++) {
			if (isdigit((unsigned char)s[i]))
				p[k] = 10 * p[k] + s[i] - '0';
			else if (s[i] == ';' && k + 1 < MAX_PARAMETERS)
				k++;
			else if (s[i] == '?' || s[i] == '>')
				private = true;
		}
		known = control(s[n - 1], p, private);
	}
	if (!known) {
		fprintf(stderr, "ptyrun: unknown sequence ESC %.*s\n", (int)n - 1, s + 1);
		vt.unknown = true;
	}
	return true;
}

static unsigned int utf8_bytes(unsigned char ch)
{
	return ch < 0x80 ? 1 : ch < 0xe0 ? 2 : ch < 0xf0 ? 3 : 4;
}

static void feed(char ch)
{
	if (vt.nr_pending || ch == '\033' || (ch & 0x80)) {
		vt.pending[vt.nr_pending++] = ch;
		if (vt.pending[0] == '\033' ? escape(vt.pending, vt.nr_pending) :
		    vt.nr_pending == utf8_bytes(vt.pending[0])) {
			if (vt.pending[0] != '\033')
				put_char(vt.pending, vt.nr_pending);
			vt.nr_pending = 0;
		}
		if (vt.nr_pending == sizeof(vt.pending)) {
			vt.unknown = true;
			vt.nr_pending = 0;
		}
		return;
	}
	switch (ch) {
	case '\r':
		move_to(vt.y, 0);
		break;
	case '\n':
		line_feed();
		break;
	case '\b':
		move_to(vt.y, vt.x - 1);
		break;
	case '\t':
		move_to(vt.y, (vt.x | 7) + 1);
		break;
	case '\a':
	case '\016':
	case '\017':
	case '\0':
		break;
	default:
		put_char(&ch, 1);
	}
}

/* The screen without blanks at the ends of lines. */
static void shot(const char *file)
{
	FILE *f = fopen(file, "w");

	if (!f)
		die(file);
	for (int y = 0; y < vt.rows; y++) {
		int end = vt.columns;

		while (end && !strcmp(vt.cell[y][end - 1], " "))
			end--;
		for (int x = 0; x < end; x++)
			fputs(vt.cell[y][x], f);
		putc('\n', f);
	}
	fclose(f);
}

static void raw(const char *file)
{
	FILE *f = fopen(file, "w");

	if (!f || fwrite(all, 1, nr_all, f) != nr_all)
		die(file);
	fclose(f);
}

/*
 * The program.
 */

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Takes what it sends, for @ms or until it ends; true if it has ended. */
static bool listen_for(int fd, int ms)
{
	uint64_t until = now_ms() + ms, now;
	char buf[4096];

	while ((now = now_ms()) < until) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		ssize_t n;

		if (poll(&p, 1, until - now) <= 0)
			continue;
		n = read(fd, buf, sizeof(buf));
		if (n <= 0)
			return true;
		all = realloc(all, nr_all + n);
		if (!all)
			die("realloc");
		memcpy(all + nr_all, buf, n);
		nr_all += n;
		for (ssize_t i = 0; i < n; i++)
			feed(buf[i]);
	}
	return false;
}

static void type(int fd, const char *s)
{
	while (*s) {
		char ch = *s++;

		if (ch == '\\' && *s == 'e') {
			ch = '\033';
			s++;
		} else if (ch == '\\' && *s == 't') {
			ch = '\t';
			s++;
		} else if (ch == '\\' && *s == 'x') {
			char hex[3] = { s[1], s[1] ? s[2] : 0, 0 };

			ch = strtol(hex, NULL, 16);
			s += 1 + strlen(hex);
		}
		if (write(fd, &ch, 1) != 1)
			die("write");
	}
}

static bool parse_size(const char *s, struct winsize *w)
{
	int rows, columns;

	if (sscanf(s, "%dx%d", &rows, &columns) != 2 || rows < 1 || columns < 1 ||
	    rows > MAX_ROWS || columns > MAX_COLUMNS)
		return false;
	*w = (struct winsize){ .ws_row = rows, .ws_col = columns };
	return true;
}

static void resize_window(int fd, const char *size)
{
	struct winsize w;

	if (!parse_size(size, &w))
		die(size);
	resize(w.ws_row, w.ws_col);
	if (ioctl(fd, TIOCSWINSZ, &w))
		die("TIOCSWINSZ");
}

static void step(int fd, pid_t pid, const char *s)
{
	const char *arg = strchr(s, ':');

	arg = arg ? arg + 1 : "";
	if (!strncmp(s, "wait:", 5))
		listen_for(fd, atoi(arg));
	else if (!strncmp(s, "key:", 4))
		type(fd, arg);
	else if (!strncmp(s, "resize:", 7))
		resize_window(fd, arg);
	else if (!strncmp(s, "shot:", 5))
		shot(arg);
	else if (!strncmp(s, "raw:", 4))
		raw(arg);
	else if (!strncmp(s, "signal:", 7))
		kill(pid, atoi(arg));
	else if (!strcmp(s, "end"))
		listen_for(fd, END_MS);
	else {
		fprintf(stderr, "ptyrun: what is '%s'?\n", s);
		exit(97);
	}
}

static int status_of(pid_t pid)
{
	int wstatus, ms = 0;

	while (!waitpid(pid, &wstatus, WNOHANG)) {
		if (ms++ == 1000) {
			kill(pid, SIGKILL);
			return 98;
		}
		usleep(1000);
	}
	if (vt.unknown)
		return 99;
	return WIFSIGNALED(wstatus) ? 128 + WTERMSIG(wstatus) : WEXITSTATUS(wstatus);
}

int main(int argc, char **argv)
{
	struct winsize w;
	int command = 2, fd;
	pid_t pid;

	while (command < argc && strcmp(argv[command], "--"))
		command++;
	if (argc < 2 || command + 1 >= argc || !parse_size(argv[1], &w)) {
		fputs("usage: ptyrun ROWSxCOLUMNS STEP... -- COMMAND [ARGUMENT]...\n", stderr);
		return 97;
	}
	resize(w.ws_row, w.ws_col);
	pid = forkpty(&fd, NULL, NULL, &w);
	if (pid < 0)
		die("forkpty");
	if (!pid) {
		execvp(argv[command + 1], argv + command + 1);
		_exit(127);
	}
	for (int i = 2; i < command; i++)
		step(fd, pid, argv[i]);
	return status_of(pid);
}
