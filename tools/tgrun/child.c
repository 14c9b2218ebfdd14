// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"
#include "memory.h"

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

/* What the process between fork() and exec() has. */
struct start {
	int go, told;
	char **argv;
	uint64_t vram_bytes;
	const struct sigaction *chld;
	const sigset_t *mask;
};

static void may_go_on(int go)
{
	char c;

	if (read(go, &c, 1) != 1)
		_exit(CHILD_CANNOT_RUN);
}

static void tell(int told, int error)
{
	if (write(told, &error, sizeof(error)) < 0)
		_exit(CHILD_CANNOT_RUN);
}

static void reserve(const struct start *s)
{
	int ret = memory_reserve(s->vram_bytes, s->argv[0], false);

	if (ret == -EAGAIN) {
		tell(s->told, ret);
		ret = memory_reserve(s->vram_bytes, s->argv[0], true);
	}
	tell(s->told, ret);
	may_go_on(s->go);
}

static void __attribute__((noreturn)) begin(const struct start *s)
{
	may_go_on(s->go);
	sigaction(SIGCHLD, s->chld, NULL);
	sigprocmask(SIG_SETMASK, s->mask, NULL);
	if (s->vram_bytes)
		reserve(s);
	execvp(s->argv[0], s->argv);
	tell(s->told, errno);
	_exit(errno == ENOENT ? CHILD_NOT_FOUND : CHILD_CANNOT_RUN);
}

int child_start(struct child *c, char **argv, uint64_t vram_bytes)
{
	struct sigaction usual = { .sa_handler = SIG_DFL }, chld;
	struct start s = { .argv = argv, .vram_bytes = vram_bytes, .chld = &chld,
			   .mask = &c->mask };
	int go[2], told[2];
	sigset_t kept;

	/* Sockets: who writes to one that has ended gets no signal. */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, go))
		return -errno;
	if (pipe2(told, O_CLOEXEC)) {
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
		close(told[0]);
		s.go = go[0];
		s.told = told[1];
		begin(&s);
	}
	close(go[0]);
	close(told[1]);
	c->go = go[1];
	c->told = told[0];
	c->ended = false;
	return c->pid < 0 ? -errno : 0;
}

void child_drop(struct child *c)
{
	close(c->go);
	close(c->told);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
}

/*
 * What the terminal sends (^C) the program has got, too.  Who sends one to tgrun alone means
 * the program.
 */
static void pass_on(const struct child *c, int signo, int code)
{
	if (signo != SIGCHLD && code <= 0)
		kill(c->pid, signo);
}

/* What it tells, with signals passed on until then; 0 if it has ended. */
static int hear(struct child *c, int signals)
{
	struct pollfd p[] = { { .fd = c->told, .events = POLLIN },
			      { .fd = signals, .events = POLLIN } };
	struct signalfd_siginfo info;
	int error = 0;

	for (;;) {
		if (poll(p, 2, -1) < 0 && errno != EINTR)
			return -errno;
		if (p[0].revents) {
			c->ended = read(c->told, &error, sizeof(error)) != sizeof(error);
			return error;
		}
		if (p[1].revents && read(signals, &info, sizeof(info)) == sizeof(info))
			pass_on(c, info.ssi_signo, info.ssi_code);
	}
}

int child_reserve(struct child *c, void (*waits)(void))
{
	int signals, ret;
	sigset_t kept;

	kept_signals(&kept);
	signals = signalfd(-1, &kept, SFD_CLOEXEC);
	if (signals < 0)
		return -errno;
	send(c->go, "", 1, MSG_NOSIGNAL);
	ret = hear(c, signals);
	if (ret == -EAGAIN) {
		waits();
		ret = hear(c, signals);
	}
	close(signals);
	return ret;
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
			pass_on(c, info.si_signo, info.si_code);
	}
	return WIFSIGNALED(status) ? CHILD_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

int child_run(struct child *c, int *error)
{
	int status;

	/* If it has ended its status tells. */
	send(c->go, "", 1, MSG_NOSIGNAL);
	close(c->go);
	status = wait_for_end(c);
	/* An exec has closed the other end. */
	if (read(c->told, error, sizeof(*error)) != sizeof(*error))
		*error = 0;
	close(c->told);
	return status;
}
