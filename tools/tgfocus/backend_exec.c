// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The plug for any other desktop: a program that prints a line each time the
 * focus moves.
 *
 *	1234		process 1234 has the focus
 *	/user.slice/…	this control group has it
 *	(empty line)	nobody has it
 *
 * The end of the output ends a line, too.  Any other line is nobody, and is reported.  The program runs in a process group
 * of its own and ends with this one.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "focus.h"

const char *focus_exec_command;

static struct {
	int fd;
	pid_t pid;
	size_t used;
	bool too_long, said;
	char ended[64];		/* how the program did; then it is not waited for again */
	char line[PATH_MAX];	/* being received */
	struct focus_window window;
} plug = { .fd = -1 };

static void run(int out)
{
	sigset_t none;

	/* This process blocks its signals for signalfd. */
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	dup2(out, STDOUT_FILENO);
	execl("/bin/sh", "sh", "-c", focus_exec_command, (char *)NULL);
	_exit(127);
}

static int exec_open(char why[FOCUS_TEXT_BYTES])
{
	int pipes[2];

	if (!focus_exec_command) {
		snprintf(why, FOCUS_TEXT_BYTES, "no program given (--exec COMMAND)");
		return -ENOTSUP;
	}
	focus_nobody(&plug.window, "the program has not said yet");
	if (pipe2(pipes, O_CLOEXEC))
		return -errno;
	plug.pid = fork();
	if (!plug.pid)
		run(pipes[1]);
	close(pipes[1]);
	plug.fd = pipes[0];
	fcntl(plug.fd, F_SETFL, O_NONBLOCK);
	return plug.pid < 0 ? -errno : 0;
}

static int exec_fd(void)
{
	return plug.fd;
}

static void take_line(void)
{
	struct focus_window *w = &plug.window;
	long pid;
	char *end;

	w->pid = 0;
	w->cgroup[0] = '\0';
	errno = 0;
	pid = strtol(plug.line, &end, 10);
	if (plug.too_long) {
		focus_nobody(w, "the program's line is too long");
		focus_say("%s", w->why);
	} else if (!plug.line[0]) {
		focus_nobody(w, "the program says so");
	} else if (plug.line[0] == '/' && !strstr(plug.line, "/../")) {
		snprintf(w->cgroup, sizeof(w->cgroup), "%s", plug.line);
		focus_why(w, "by the program");
	} else if (!*end && pid > 0 && pid <= INT_MAX && !errno) {
		w->pid = (pid_t)pid;
		focus_why(w, "by the program");
	} else {
		focus_nobody(w, "the program's line is no process: %.100s", plug.line);
		focus_say("%s", w->why);
	}
}

static void end_line(void)
{
	plug.line[plug.used] = '\0';
	take_line();
	plug.used = 0;
	plug.too_long = false;
}

/* How the program ended, which it does a moment after its output. */
static const char *exec_ended(void)
{
	int status, tries;
	pid_t pid = 0;

	for (tries = 0; !plug.ended[0] && !pid && tries < 20; tries++) {
		pid = waitpid(plug.pid, &status, WNOHANG);
		if (!pid)
			usleep(5000);
	}
	if (plug.ended[0])
		return plug.ended;
	if (pid <= 0)
		return "its program closed its output";
	if (WIFSIGNALED(status))
		snprintf(plug.ended, sizeof(plug.ended), "its program was killed by signal %d",
			 WTERMSIG(status));
	else
		snprintf(plug.ended, sizeof(plug.ended), "its program ended with status %d%s",
			 WEXITSTATUS(status), WEXITSTATUS(status) == 127 ? ", not found" : "");
	return plug.ended;
}

static int exec_dispatch(void)
{
	char buf[512], *p;
	bool moved = false;
	ssize_t n;

	while ((n = read(plug.fd, buf, sizeof(buf))) > 0) {
		for (p = buf; p < buf + n; p++) {
			if (*p == '\n') {
				end_line();
				plug.said = moved = true;
			} else if (plug.used < sizeof(plug.line) - 1) {
				plug.line[plug.used++] = *p;
			} else {
				plug.too_long = true;
			}
		}
	}
	/* What it said before it ended is not true for longer than it lives. */
	if (!n) {
		if (plug.used)
			end_line();
		else if (!plug.said)
			focus_nobody(&plug.window, "%s and said nothing", exec_ended());
		return -EPIPE;
	}
	return errno == EAGAIN || errno == EINTR ? moved : -errno;
}

static void exec_current(struct focus_window *w)
{
	*w = plug.window;
}

static void exec_close(void)
{
	if (plug.pid > 0) {
		kill(-plug.pid, SIGTERM);
		if (!plug.ended[0])
			kill(plug.pid, SIGTERM);
		/* It may take its time; it is not this process's any more then. */
		waitpid(plug.pid, NULL, WNOHANG);
	}
	close(plug.fd);
	plug.fd = -1;
	plug.pid = 0;
}

const struct focus_backend focus_exec = {
	.name = "exec",
	.about = "any desktop: a program that prints who has the focus",
	.open = exec_open,
	.fd = exec_fd,
	.dispatch = exec_dispatch,
	.current = exec_current,
	.close = exec_close,
	.ended = exec_ended,
	.told = true,
};
