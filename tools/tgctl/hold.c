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
#include <signal.h>
#include <stdio.h>
#include <string.h>
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

static int wait_for_signal(void)
{
	sigset_t set;
	int sig;

	end_signals(&set);
	sigprocmask(SIG_BLOCK, &set, NULL);
	fflush(stdout);
	return sigwait(&set, &sig) ? TGCTL_REFUSED : TGCTL_OK;
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

/* @command is what stands behind "--", NULL without one. */
static int hold(char **command)
{
	return command ? run_command(command) : wait_for_signal();
}

/* Splits "A B -- COMMAND": argc without the command; NULL if there is none. */
static char **split(int *argc, char **argv)
{
	for (int i = 1; i < *argc; i++)
		if (!strcmp(argv[i], "--")) {
			char **command = i + 1 < *argc ? argv + i + 1 : NULL;

			*argc = i;
			argv[i] = NULL;
			return command;
		}
	return NULL;
}

static void say_foreground(const struct targets *t, int boosted, bool json)
{
	struct json j = { .out = stdout };

	if (json) {
		json_open(&j, NULL, '{');
		json_int(&j, "boosted", boosted);
		json_open(&j, "pids", '[');
		for (uint32_t i = 0; i < t->n; i++)
			json_int(&j, NULL, t->pid[i]);
		json_close(&j, ']');
		json_close(&j, '}');
		return;
	}
	printf("in the foreground: %d task%s", boosted, boosted == 1 ? "" : "s");
	puts(boosted ? "" :
	     "; it holds for channels that the processes open later, too");
	puts("only tasks whose priority is * gain by it ('tgctl list tasks': 50*)");
}

static int foreground(char **words, int n, char **command, bool json)
{
	struct targets t;
	int fd = device_open(O_RDWR), ret, status;

	if (fd < 0)
		return command ? TGCTL_COMMAND : -fd;
	status = device_targets(fd, words, n, &t);
	if (!status) {
		ret = timegraph_set_foreground(fd, t.pid, t.n);
		if (ret < 0) {
			status = device_fail("foreground", ret, DEVICE_OWN);
		} else {
			/* A command's output is its own. */
			if (!command || json)
				say_foreground(&t, ret, json);
			status = hold(command);
			command = NULL;
		}
		targets_free(&t);
	}
	timegraph_close(fd);
	return status && command ? TGCTL_COMMAND : status;
}

static const struct option foreground_options[] = {
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 }
};

static int run_foreground(const struct tgctl_command *cmd, int argc, char **argv)
{
	char **command = split(&argc, argv);
	bool json = false;
	int c;

	while ((c = getopt_long(argc, argv, "+jh", foreground_options, NULL)) != -1) {
		if (c == 'h')
			return tgctl_help(cmd);
		else if (c == 'j')
			json = true;
		else
			return tgctl_usage(cmd, NULL);
	}
	if (optind == argc)
		return tgctl_usage(cmd, "which task? Give its process number or its name");
	if (argc - optind > TIMEGRAPH_FOREGROUND_MAX)
		return tgctl_usage(cmd, "at most %d at once", TIMEGRAPH_FOREGROUND_MAX);
	return foreground(argv + optind, argc - optind, command, json);
}

const struct tgctl_command tgctl_foreground = {
	.name = "foreground",
	.summary = "put tasks into the foreground, while it runs",
	.help =
	"usage: tgctl foreground [--json] PID|NAME... [-- COMMAND [ARGUMENT]...]\n"
	"\n"
	"Tasks whose priority is managed by focus (*) go to the top of their level, now\n"
	"and for channels that they open later.  It holds until ^C, or while COMMAND\n"
	"runs: the kernel ends it with the file that asked for it, so that a crash leaves\n"
	"nobody boosted.  While it holds, the module cannot be removed.\n"
	"\n"
	"  -j, --json  say as JSON how many are boosted\n"
	"\n"
	"  tgctl foreground 412 -- sleep 10\n"
	"\n"
	"Exit status: 0 ended by a signal; 1 no such task; 2 wrong usage; 3 the module is\n"
	"not loaded; 4 no right: another user's task takes CAP_SYS_NICE.  With a COMMAND:\n"
	"its status, 126 or 127 if it cannot be run, 125 if tgctl fails before.\n",
	.run = run_foreground,
};

static void say_reserve(const struct timegraph_create *c, bool json)
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

static int reserve(struct timegraph_create *c, char **command, bool json)
{
	int fd = device_open(O_RDWR), ret, status;

	if (fd < 0)
		return command ? TGCTL_COMMAND : -fd;
	ret = timegraph_create_reserve(fd, c);
	if (ret) {
		status = device_fail("reserve", ret, DEVICE_NICE);
		if (command)
			status = TGCTL_COMMAND;
	} else {
		if (!command || json)
			say_reserve(c, json);
		status = hold(command);
	}
	timegraph_close(fd);
	return status;
}

static const struct option reserve_options[] = {
	{ "policy", required_argument, NULL, 'p' },
	{ "gpu", required_argument, NULL, 'G' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 }
};

/* NAME and C:T into @c. */
static int parse_reserve(const struct tgctl_command *cmd, const char *policy, const char *name,
			 const char *times, struct timegraph_create *c)
{
	struct args_resv resv = { .resv = policy, .group = name };
	struct timegraph_set set = { 0 };
	struct cli_error err;
	uint64_t capacity_ns, period_ns;

	if (!args_times(times, &capacity_ns, &period_ns, &err))
		return tgctl_usage(cmd, "%s: %s: %s", times, err.text, err.hint);
	if (!args_resv(&resv, &set, &err))
		return tgctl_usage(cmd, "%s %s: %s: %s", policy, name, err.text, err.hint);
	c->policy = set.resv;
	c->capacity_ns = capacity_ns;
	c->period_ns = period_ns;
	memcpy(c->name, set.group, sizeof(c->name));
	return TGCTL_OK;
}

static int run_reserve(const struct tgctl_command *cmd, int argc, char **argv)
{
	char **command = split(&argc, argv);
	struct timegraph_create create = { 0 };
	const char *policy = "PE";
	bool json = false;
	int c, status;

	while ((c = getopt_long(argc, argv, "+p:G:jh", reserve_options, NULL)) != -1) {
		switch (c) {
		case 'p':
			policy = optarg;
			break;
		case 'G':
			if (!args_number(optarg, UINT16_MAX, &create.gpu))
				return tgctl_usage(cmd, "--gpu %s: give the GPU's number", optarg);
			break;
		case 'j':
			json = true;
			break;
		case 'h':
			return tgctl_help(cmd);
		default:
			return tgctl_usage(cmd, NULL);
		}
	}
	if (argc - optind != 2)
		return tgctl_usage(cmd, "give a name and C:T, for example: video 5ms:20ms");
	status = parse_reserve(cmd, policy, argv[optind], argv[optind + 1], &create);
	return status ? status : reserve(&create, command, json);
}

const struct tgctl_command tgctl_reserve = {
	.name = "reserve",
	.summary = "keep a Shared reserve, while it runs",
	.help =
	"usage: tgctl reserve [OPTION]... NAME C:T [-- COMMAND [ARGUMENT]...]\n"
	"\n"
	"Makes a Shared reserve of C every T that exists without tasks: they join it with\n"
	"'tgctl set --resv PE --group NAME', or by PE@NAME in the specification.  It is\n"
	"kept until ^C, or while COMMAND runs, and then as long as it has tasks: the\n"
	"kernel ends it with the file that made it.  Meanwhile the module cannot be\n"
	"removed.\n"
	"\n"
	"  -p, --policy P  PE (default) or AE\n"
	"  -G, --gpu N     on which GPU (0)\n"
	"  -j, --json      describe it as JSON\n"
	"\n"
	"  tgctl reserve video 5ms:20ms\n"
	"\n"
	"Exit status: 0 ended by a signal; 1 refused; 2 wrong usage; 3 the module is not\n"
	"loaded; 4 no right: it takes CAP_SYS_NICE.  With a COMMAND: its status, 126 or\n"
	"127 if it cannot be run, 125 if tgctl fails before.\n",
	.run = run_reserve,
};
