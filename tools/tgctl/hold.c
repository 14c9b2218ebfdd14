// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tgctl foreground, tgctl reserve: what holds as long as the file is open.
 *
 * The kernel ties both to the open file so that nothing has to be taken back: if
 * the program that asked is killed, the boost and the reserve end with it.  So
 * tgctl stays, until a signal comes or the command it was given has ended.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "args.h"
#include "device.h"
#include "json.h"
#include "sample.h"
#include "text.h"

/* Signals that end the holding. */
static void end_signals(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

/* Or until the module goes, and what is held with it. */
static int wait_for_signal(const char *what, int fd)
{
	struct pollfd p[2] = { { .events = POLLIN }, { .fd = fd } };
	sigset_t set;

	end_signals(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fflush(stdout);
	p[0].fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (p[0].fd < 0)
		return device_fail(what, -errno, DEVICE_LOOK);
	while (poll(p, 2, -1) < 0)
		if (errno != EINTR)
			return TGCTL_REFUSED;
	return p[0].revents ? TGCTL_OK : device_fail(what, -ENODEV, DEVICE_LOOK);
}

/* As a shell tells it. */
static int status_of(int wstatus)
{
	return WIFSIGNALED(wstatus) ? 128 + WTERMSIG(wstatus) : WEXITSTATUS(wstatus);
}

/*
 * Run the command and be its exit status.  ^C is for the command: it gets the
 * terminal's signals too, and says by ending that it is over.  SIGTERM for tgctl
 * is passed on.
 */
static volatile sig_atomic_t child;

static void pass_on(int sig)
{
	if (child > 0)
		kill(child, sig);
}

static int run_command(char **argv)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction pass = { .sa_handler = pass_on, .sa_flags = SA_RESTART };
	struct sigaction old_int, old_term, old_hup;
	sigset_t set, old_set;
	int wstatus;
	pid_t pid;

	fflush(stdout);
	/* What comes before there is a child is passed on when there is. */
	end_signals(&set);
	sigprocmask(SIG_BLOCK, &set, &old_set);
	sigaction(SIGINT, &ignore, &old_int);
	sigaction(SIGTERM, &pass, &old_term);
	sigaction(SIGHUP, &pass, &old_hup);
	pid = fork();
	if (pid < 0) {
		fprintf(stderr, "tgctl: fork: %s\n", strerror(errno));
		return TGCTL_COMMAND;
	}
	if (!pid) {
		sigaction(SIGINT, &old_int, NULL);
		sigaction(SIGTERM, &old_term, NULL);
		sigaction(SIGHUP, &old_hup, NULL);
		sigprocmask(SIG_SETMASK, &old_set, NULL);
		execvp(argv[0], argv);
		fprintf(stderr, "tgctl: %s: %s\n", argv[0], strerror(errno));
		_exit(errno == ENOENT ? 127 : 126);
	}
	child = pid;
	sigprocmask(SIG_SETMASK, &old_set, NULL);
	while (waitpid(pid, &wstatus, 0) < 0)
		if (errno != EINTR)
			return TGCTL_COMMAND;
	child = 0;
	return status_of(wstatus);
}

static bool json;
static char **command;	/* behind "--", NULL without one */

static int hold(const char *what, int fd)
{
	return command ? run_command(command) : wait_for_signal(what, fd);
}

static void say_foreground(const struct targets *t, int boosted)
{
	struct json j = { .out = stdout };

	if (json) {
		json_open(&j, NULL, '{');
		json_int(&j, "boosted", boosted);
		json_open(&j, "pids", '[');
		for (uint32_t i = 0; i < t->n; i++)
			json_int(&j, NULL, t->item[i].pid);
		json_close(&j, ']');
		json_close(&j, '}');
		return;
	}
	printf("in the foreground: %d task%s", boosted, boosted == 1 ? "" : "s");
	puts(boosted ? "" :
	     "; it holds for channels that the processes open later, too");
	puts("only tasks whose priority is * gain by it ('tgctl list tasks': 50*)");
}

/* Whatever fails before the command runs is told apart from what it says. */
static int not_held(int status)
{
	return command ? TGCTL_COMMAND : status;
}

static const char *server_path;

static int set_foreground(int fd, const struct targets *t)
{
	int server = server_path ? timegraph_connect_server(server_path) : -1;
	int ret = server_path && server < 0 ? server :
		  timegraph_set_foreground_server(fd, t->name, t->n, t->flags, server);

	if (server >= 0)
		close(server);
	return ret;
}

static int hold_foreground(int fd, const struct targets *t)
{
	int ret = set_foreground(fd, t);

	if (ret < 0)
		return not_held(device_fail("foreground", ret, DEVICE_OWN));
	/* A command's output is its own. */
	if (!command || json)
		say_foreground(t, ret);
	return hold("foreground", fd);
}

static int run_foreground(const struct command *cmd, int n, char **args)
{
	struct targets t;
	int fd, status;

	if (n > TIMEGRAPH_FOREGROUND_MAX)
		return cli_usage(&cmd->cli, "at most %d at once", TIMEGRAPH_FOREGROUND_MAX);
	fd = device_open(O_RDWR);
	if (fd < 0)
		return not_held(-fd);
	status = device_targets(fd, args, n, &t);
	if (!status) {
		status = hold_foreground(fd, &t);
		targets_free(&t);
	} else {
		status = not_held(status);
	}
	timegraph_close(fd);
	return status;
}

static const struct cli_opt foreground_opts[] = {
	{ "server", cli_text, &server_path, "SOCKET",
	  "their display server, by the Unix socket it listens at", 's' },
	{ "json", cli_flag, &json, NULL, "say as JSON how many are boosted", 'j' },
	{ 0 }
};

const struct command tgctl_foreground = {
	.cli = {
		.who = "tgctl foreground",
		.about =
		"usage: tgctl foreground [OPTION]... PID|NAME... [-- COMMAND [ARGUMENT]...]\n"
		"\n"
		"Tasks whose priority is managed by focus (*) go to the top of their level, now\n"
		"and for channels that they open later.  It holds until ^C, or while COMMAND\n"
		"runs: the kernel ends it with the file that asked for it, so that a crash leaves\n"
		"nobody boosted.\n"
		"\n",
		.opts = { foreground_opts },
		.stops = true,
		.behind = &command,
		.min_args = 1,
		.max_args = -1,
		.args_wanted = "which task? Give its process number or its name",
		.notes =
		"\n"
		"  tgctl foreground 412 -- sleep 10\n"
		"\n"
		"Exit status: 0 ended by a signal; 1 no such task; 2 wrong usage; 3 the module is\n"
		"not loaded; 4 no right: another user's task takes CAP_SYS_NICE.  With a COMMAND:\n"
		"its status, 126 or 127 if it cannot be run, 125 if tgctl fails before.\n",
	},
	.summary = "put tasks into the foreground, while it runs",
	.run = run_foreground,
};

static void say_reserve(const struct timegraph_create *c)
{
	bool fits = !(c->flags & TIMEGRAPH_RESERVE_DEMOTED);
	double percent = 100 * sample_ratio(c->capacity_ns, c->period_ns);
	struct json j = { .out = stdout };
	char times[2 * TEXT_BYTES], name[4 * TIMEGRAPH_NAME_LEN];

	if (json) {
		json_open(&j, NULL, '{');
		json_uint(&j, "gpu", c->gpu);
		json_uint(&j, "id", c->id);
		json_string(&j, "name", c->name);
		json_string(&j, "policy", text_resv(c->policy));
		json_uint(&j, "capacity_ns", c->capacity_ns);
		json_uint(&j, "period_ns", c->period_ns);
		json_bool(&j, "demoted", !fits);
		json_close(&j, '}');
		return;
	}
	printf("reserve %s (%u) on GPU %u: %s %s = %.4g %%: %s\n",
	       text_safe(name, sizeof(name), c->name, sizeof(name)), c->id, c->gpu,
	       text_resv(c->policy), text_reserve(times, c->capacity_ns, c->period_ns), percent,
	       fits ? "kept" : "does NOT fit, its tasks are background tasks");
}

static int hold_reserve(struct timegraph_create *c)
{
	int fd = device_open(O_RDWR), ret, status;

	if (fd < 0)
		return not_held(-fd);
	ret = timegraph_create_reserve(fd, c);
	if (ret) {
		status = not_held(device_fail("reserve", ret, DEVICE_NICE));
	} else {
		if (!command || json)
			say_reserve(c);
		status = hold("reserve", fd);
	}
	timegraph_close(fd);
	return status;
}

static struct timegraph_create create;
static const char *policy = "PE";

static const struct cli_opt reserve_opts[] = {
	{ "policy", cli_text, &policy, "P", "PE (default) or AE", 'p' },
	{ "gpu", args_take_number, &create.gpu, "N", "on which GPU (0)", 'G',
	  "give the GPU's number", .max = UINT16_MAX },
	{ "json", cli_flag, &json, NULL, "describe it as JSON", 'j' },
	{ 0 }
};

static int run_reserve(const struct command *cmd, int n, char **args)
{
	struct args_resv resv = { .resv = policy, .group = args[0] };
	struct timegraph_set set = { 0 };
	uint64_t capacity_ns, period_ns;
	struct cli_error err;

	if (!args_times(args[1], &capacity_ns, &period_ns, &err))
		return cli_usage(&cmd->cli, "%s: %s: %s", args[1], err.text, err.hint);
	if (!args_resv(&resv, &set, &err))
		return cli_usage(&cmd->cli, "%s %s: %s: %s", policy, args[0], err.text, err.hint);
	create.policy = set.resv;
	create.capacity_ns = capacity_ns;
	create.period_ns = period_ns;
	memcpy(create.name, set.group, sizeof(create.name));
	return hold_reserve(&create);
}

const struct command tgctl_reserve = {
	.cli = {
		.who = "tgctl reserve",
		.about =
		"usage: tgctl reserve [OPTION]... NAME C:T [-- COMMAND [ARGUMENT]...]\n"
		"\n"
		"Makes a Shared reserve of C every T that exists without tasks: they join it with\n"
		"'tgctl set --resv PE --group NAME', or by PE@NAME in the specification.  It is\n"
		"kept until ^C, or while COMMAND runs, and then as long as it has tasks: the\n"
		"kernel ends it with the file that made it.\n"
		"\n",
		.opts = { reserve_opts },
		.stops = true,
		.behind = &command,
		.min_args = 2,
		.max_args = 2,
		.args_wanted = "give a name and C:T, for example: video 5ms:20ms",
		.notes =
		"\n"
		"  tgctl reserve video 5ms:20ms\n"
		"\n"
		"Exit status: 0 ended by a signal; 1 refused; 2 wrong usage; 3 the module is not\n"
		"loaded; 4 no right: it takes CAP_SYS_NICE.  With a COMMAND: its status, 126 or\n"
		"127 if it cannot be run, 125 if tgctl fails before.\n",
	},
	.summary = "keep a Shared reserve, while it runs",
	.run = run_reserve,
};
