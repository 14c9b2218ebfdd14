// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"

#define HEAD 5

/* What pkexec ends with, besides with what tgrun-grant ends with. */
enum { ASK_DISMISSED = 126, ASK_NOT_ALLOWED = 127, ASK_NO_PKEXEC = 99 };

/* Nothing is read, and what is said is no output of the program's. */
static void __attribute__((noreturn)) begin(const char **argv, const sigset_t *mask)
{
	int null = open("/dev/null", O_RDONLY);

	if (null >= 0)
		dup2(null, STDIN_FILENO);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(argv[0], (char **)argv);
	_exit(ASK_NO_PKEXEC);
}

static bool say(int status)
{
	switch (status) {
	case 0:
		return true;
	case ASK_NO_PKEXEC:
		fputs("tgrun: this takes the administrator's leave, which pkexec asks for, and that\n"
		      "is not installed (package pkexec or policykit-1).  Without it: run tgrun as\n"
		      "root, or have a control group of yours given what it shall divide\n", stderr);
		break;
	case ASK_DISMISSED:
	case ASK_NOT_ALLOWED:
		fputs("tgrun: polkit does not let you ask for that here: it lets who sits at the\n"
		      "machine; see timegraph.grant(5) for others\n", stderr);
		break;
	}
	return false;
}

bool ask_grant(const char *path, const struct want *w, const sigset_t *mask)
{
	const char *argv[HEAD + WANT_WORDS + 1] = {
		"pkexec", "--disable-internal-agent", TGRUN_GRANT, "--cgroup", path,
	};
	struct want_words words;
	int status;
	pid_t pid;

	want_words(w, &words);
	memcpy(argv + HEAD, words.word, sizeof(words.word));
	pid = fork();
	if (!pid)
		begin(argv, mask);
	if (pid < 0) {
		fprintf(stderr, "tgrun: fork: %s\n", strerror(errno));
		return false;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && say(WEXITSTATUS(status));
}
