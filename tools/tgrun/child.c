// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

/* What ends or stirs a program.  Those of the terminal that stop it stop tgrun beside it. */
static const int passed[] = {
	SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGCONT, SIGWINCH,
	SIGVTALRM, SIGPROF, SIGIO, SIGPWR,
};

static void kept_signals(sigset_t *set)
{
	sigemptyset(set);
	for (size_t i = 0; i < sizeof(passed) / sizeof(passed[0]); i++)
		sigaddset(set, passed[i]);
	sigaddset(set, SIGCHLD);
}

static void __attribute__((noreturn)) begin(int go, int wrong, char **argv,
					    const struct sigaction *chld, const sigset_t *mask)
{
	char c;

	if (read(go, &c, 1) != 1)
		_exit(CHILD_CANNOT_RUN);
	sigaction(SIGCHLD, chld, NULL);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], argv);
	if (write(wrong, &errno, sizeof(errno)) < 0)
		_exit(CHILD_CANNOT_RUN);
	_exit(errno == ENOENT ? CHILD_NOT_FOUND : CHILD_CANNOT_RUN);
}

int child_start(struct child *c, char **argv)
{
	struct sigaction usual = { .sa_handler = SIG_DFL }, chld;
	int go[2], wrong[2];
	sigset_t kept;

	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (pipe2(wrong, O_CLOEXEC)) {
		close(go[0]);
		close(go[1]);
		return -errno;
	}
	/* Where it is ignored nobody's end can be waited for. */
	sigaction(SIGCHLD, &usual, &chld);
	kept_signals(&kept);
	sigprocmask(SIG_BLOCK, &kept, &c->mask);
	c->pid = fork();
	if (!c->pid) {
		close(go[1]);
		close(wrong[0]);
		begin(go[0], wrong[1], argv, &chld, &c->mask);
	}
	close(go[0]);
	close(wrong[1]);
	c->go = go[1];
	c->wrong = wrong[0];
	return c->pid < 0 ? -errno : 0;
}

void child_drop(struct child *c)
{
	close(c->go);
	close(c->wrong);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/*
 * What the terminal sends (^C) the program has got, too.  Who sends one to tgrun alone means
 * the program.
 */
static void pass_on(const struct child *c, const siginfo_t *info)
{
	if (info->si_signo != SIGCHLD && info->si_code <= 0)
		kill(c->pid, info->si_signo);
}

static int wait_for_end(const struct child *c)
{
	siginfo_t info;
	sigset_t kept;
	int status;

	kept_signals(&kept);
	for (;;) {
		pid_t pid = waitpid(c->pid, &status, WNOHANG);

		if (pid == c->pid)
			break;
		if (pid < 0 && errno != EINTR)
			return CHILD_CANNOT_RUN;
		if (sigwaitinfo(&kept, &info) > 0)
			pass_on(c, &info);
	}
	return WIFSIGNALED(status) ? CHILD_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

int child_run(struct child *c, int *error)
{
	ssize_t n;
	int status;

	if (write(c->go, "", 1) != 1)
		*error = errno;
	close(c->go);
	/* The other end is closed by the exec. */
	*error = 0;
	do
		n = read(c->wrong, error, sizeof(*error));
	while (n < 0 && errno == EINTR);
	close(c->wrong);
	status = wait_for_end(c);
	return status;
}
