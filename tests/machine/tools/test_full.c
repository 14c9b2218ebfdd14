// SPDX-License-Identifier: GPL-2.0-or-later
/* Each tool notices that its output has not arrived. $TOOLS: the folder they are in. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

static char said[512];

/* Its exit status, with standard output at @path, NULL: closed. */
static int run(const char *tool, const char *option, const char *path)
{
	char program[512];
	int err[2], status, out;
	size_t size = 0;
	ssize_t n;
	pid_t pid;

	snprintf(program, sizeof(program), "%s/%s/%s", getenv("TOOLS"), tool, tool);
	if (pipe(err))
		return -1;
	pid = fork();
	if (!pid) {
		out = path ? open(path, O_WRONLY) : -1;
		if (out < 0)
			close(STDOUT_FILENO);
		else
			dup2(out, STDOUT_FILENO);
		dup2(err[1], STDERR_FILENO);
		execl(program, tool, option, (char *)NULL);
		_exit(127);
	}
	close(err[1]);
	while ((n = read(err[0], said + size, sizeof(said) - 1 - size)) > 0)
		size += n;
	said[size] = '\0';
	close(err[0]);
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static const struct {
	const char *name;
	int lost;
} tools[] = {
	{ "tgctl", 1 }, { "tgtop", 1 }, { "tgspec", 3 }, { "tgsim", 4 }, { "tgfocus", 1 },
	{ "tgrun", 125 },
};

static void check(const char *option)
{
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		const char *name = tools[i].name;
		size_t n = strlen(name);

		if (!CHECK(run(name, option, "/dev/null") == 0 && !*said) ||
		    !CHECK(run(name, option, "/dev/full") == tools[i].lost) ||
		    !CHECK(!strncmp(said, name, n)) ||
		    !CHECK(!strcmp(said + n, ": the output cannot be written: "
						"No space left on device\n")) ||
		    !CHECK(run(name, option, NULL) == tools[i].lost))
			tap_diag("%s %s says '%s'", name, option, said);
	}
}

static void help_that_does_not_arrive_is_an_error(void)
{
	check("--help");
}

static void a_version_that_does_not_arrive_is_an_error(void)
{
	check("--version");
}

static void who_prints_nothing_needs_no_output(void)
{
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++)
		if (!CHECK(run(tools[i].name, "--no-such-option", NULL) == 2 &&
			   !strstr(said, "cannot be written")))
			tap_diag("%s says '%s'", tools[i].name, said);
}

static const struct tap_case cases[] = {
	{ "help_that_does_not_arrive_is_an_error", help_that_does_not_arrive_is_an_error },
	{ "a_version_that_does_not_arrive_is_an_error",
	  a_version_that_does_not_arrive_is_an_error },
	{ "who_prints_nothing_needs_no_output", who_prints_nothing_needs_no_output },
};

int main(void)
{
	return tap_run(cases, sizeof(cases) / sizeof(cases[0]));
}
