// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A window for a program that draws off-screen: maps a plain window, then runs the
 * program and ends with its status. For the desktop the window is this process's,
 * and the program is its child.
 *
 *	tgwindow --x11 --title one -- game --name one
 */
#include <errno.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tgwindow.h"

static pid_t start(char **argv, const sigset_t *mask)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	sigprocmask(SIG_UNBLOCK, mask, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	execvp(argv[0], argv);
	fprintf(stderr, "tgwindow: %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/* The child's exit status, or -1 while it runs. */
static int on_signal(int signals, pid_t child)
{
	struct signalfd_siginfo info;
	int status;

	if (read(signals, &info, sizeof(info)) != sizeof(info))
		return -1;
	if (info.ssi_signo != SIGCHLD) {
		kill(child, (int)info.ssi_signo);
		return -1;
	}
	if (waitpid(child, &status, WNOHANG) != child)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int run(const struct window_ops *ops, char **argv)
{
	struct pollfd p[2] = { { .events = POLLIN }, { .events = POLLIN } };
	int status = -1;
	sigset_t mask;
	pid_t child;

	sigemptyset(&mask);
	sigaddset(&mask, SIGCHLD);
	sigaddset(&mask, SIGTERM);
	sigaddset(&mask, SIGINT);
	sigprocmask(SIG_BLOCK, &mask, NULL);
	p[0].fd = ops->fd();
	p[1].fd = signalfd(-1, &mask, SFD_CLOEXEC);
	child = start(argv, &mask);
	while (status < 0) {
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			break;
		if (p[0].revents && !ops->dispatch()) {
			fprintf(stderr, "tgwindow: the display went away\n");
			kill(child, SIGTERM);
			p[0].fd = -1;
		}
		if (p[1].revents)
			status = on_signal(p[1].fd, child);
	}
	return status < 0 ? 1 : status;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "x11", no_argument, NULL, 'x' },
		{ "wayland", no_argument, NULL, 'w' },
		{ "title", required_argument, NULL, 't' },
		{ "claim", required_argument, NULL, 'c' },
		{ "host", required_argument, NULL, 'o' },
		{ 0 },
	};
	struct window_options o = { .title = "tgwindow", .claim = -1 };
	const struct window_ops *ops = getenv("WAYLAND_DISPLAY") ? &wayland_window : &x11_window;
	int c;

	while ((c = getopt_long(argc, argv, "+", options, NULL)) != -1) {
		switch (c) {
		case 'x': ops = &x11_window; break;
		case 'w': ops = &wayland_window; break;
		case 't': o.title = optarg; break;
		case 'c': o.claim = atol(optarg); break;
		case 'o': o.host = optarg; break;
		default: return 2;
		}
	}
	if (optind == argc) {
		fprintf(stderr, "usage: tgwindow [--x11|--wayland] [--title T] [--claim PID] "
			"[--host NAME] [--] COMMAND...\n");
		return 2;
	}
	return ops->open(&o) ? run(ops, argv + optind) : 1;
}
