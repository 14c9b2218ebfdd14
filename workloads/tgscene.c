// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs several workloads against each other:
 *
 *	tgscene --seconds 2 game -- engine -- clearspd -- clearspd
 *
 * A task may begin with "cgroup:DIR": it is in that cgroup (v2) then.
 *
 * They are started one after the other, each only when the one before is ready,
 * so that GPU channels come into being in the order of the command line. Then
 * all get the same start time and so measure the same window.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"
#include "json.h"
#include "output.h"

#define MAX_TASKS 64
#define MAX_ARGS 64
#define LINE_MAX_BYTES 8192
#define MS_NS 1000000ull

struct task {
	char *argv[MAX_ARGS + 8];
	bool started;
	pid_t pid;			/* 0 = not started or already reaped */
	int status;			/* of waitpid(), valid once reaped */
	int to, from;			/* its stdin and stdout, -1 = closed */
	bool ready;
	char line[LINE_MAX_BYTES];	/* the line being received */
	size_t used;
	char result[LINE_MAX_BYTES];	/* "" until its report came */
	const char *cgroup;
};

static struct {
	uint64_t duration_ns, settle_ns, ready_timeout_ns, grace_ns;
	const char *output;
	struct task tasks[MAX_TASKS];
	unsigned int nr_tasks;
	char dir[512];			/* where this program lives */
	char seconds[32];
} scene = {
	.duration_ns = 2000 * MS_NS,
	.settle_ns = 20 * MS_NS,
	.ready_timeout_ns = 60000 * MS_NS,
	.grace_ns = 10000 * MS_NS,
};

static void find_own_dir(void)
{
	ssize_t n = readlink("/proc/self/exe", scene.dir, sizeof(scene.dir) - 1);
	char *slash;

	scene.dir[n > 0 ? n : 0] = '\0';
	slash = strrchr(scene.dir, '/');
	if (slash)
		*slash = '\0';
}

/* Splits the words at "--"; the options every task gets come before its own. */
static bool split_tasks(char **words)
{
	const char *cgroup = NULL;
	struct task *t = NULL;
	int n = 0;

	for (; *words; words++) {
		if (!strcmp(*words, "--")) {
			t = NULL;
			continue;
		}
		if (!t && !strncmp(*words, "cgroup:", 7)) {
			cgroup = *words + 7;
			continue;
		}
		if (!t) {
			if (scene.nr_tasks == MAX_TASKS)
				return false;
			t = &scene.tasks[scene.nr_tasks++];
			t->to = t->from = -1;
			t->cgroup = cgroup;
			cgroup = NULL;
			t->argv[0] = *words;
			t->argv[1] = "--json";
			t->argv[2] = "--barrier=-";
			t->argv[3] = "--seconds";
			t->argv[4] = scene.seconds;
			n = 5;
			continue;
		}
		if (n == MAX_ARGS)
			return false;
		t->argv[n++] = *words;
	}
	return scene.nr_tasks > 0;
}

/* This process, and so the task, is in the cgroup from now on. */
static void enter(const char *cgroup)
{
	char path[600];
	int fd;

	snprintf(path, sizeof(path), "%s/cgroup.procs", cgroup);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "0", 1) != 1) {
		wl_error("%s: %s", path, strerror(errno));
		_exit(127);
	}
	close(fd);
}

static void run_child(struct task *t, int in, int out)
{
	char path[600];

	if (t->cgroup)
		enter(t->cgroup);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	if (!strchr(t->argv[0], '/')) {
		snprintf(path, sizeof(path), "%s/%s", scene.dir, t->argv[0]);
		execv(path, t->argv);
	}
	execvp(t->argv[0], t->argv);
	wl_error("%s: %s", t->argv[0], strerror(errno));
	_exit(127);
}

static bool start_task(struct task *t)
{
	int in[2], out[2];

	if (pipe2(in, O_CLOEXEC))
		return false;
	if (pipe2(out, O_CLOEXEC)) {
		close(in[0]);
		close(in[1]);
		return false;
	}
	t->pid = fork();
	if (t->pid == 0)
		run_child(t, in[0], out[1]);
	close(in[0]);
	close(out[1]);
	t->to = in[1];
	t->from = out[0];
	t->started = t->pid > 0;
	if (!t->started)
		t->pid = 0;
	return t->started;
}

static void take_line(struct task *t)
{
	if (!strncmp(t->line, "{\"event\":\"ready\"", 16))
		t->ready = true;
	else if (!strncmp(t->line, "{\"task\":", 8))
		memcpy(t->result, t->line, t->used + 1);
	else if (*t->line)
		wl_error("%s says: %s", t->argv[0], t->line);
}

/* Reads what a task has written; closes the pipe at its end. */
static void read_task(struct task *t)
{
	char buffer[1024];
	ssize_t n = read(t->from, buffer, sizeof(buffer)), i;

	if (n < 0 && errno == EINTR)
		return;
	if (n <= 0) {
		close(t->from);
		t->from = -1;
		return;
	}
	for (i = 0; i < n; i++) {
		if (buffer[i] != '\n') {
			if (t->used < LINE_MAX_BYTES - 1)
				t->line[t->used++] = buffer[i];
			continue;
		}
		t->line[t->used] = '\0';
		take_line(t);
		t->used = 0;
	}
}

static bool is_ready(const struct task *t)
{
	return t->ready;
}

static bool has_result(const struct task *t)
{
	return *t->result;
}

/* A task is through with a phase when it is `done` or will never be. */
static unsigned int count_waiting(bool (*done)(const struct task *t))
{
	unsigned int i, n = 0;

	for (i = 0; i < scene.nr_tasks; i++)
		n += scene.tasks[i].from >= 0 && !(done && done(&scene.tasks[i]));
	return n;
}

/* Serves all pipes until every task is `done` (NULL: has ended) or time is up. */
static void serve(bool (*done)(const struct task *t), uint64_t until_ns)
{
	struct pollfd fds[MAX_TASKS];
	uint64_t now_ns;
	unsigned int i;

	while (count_waiting(done) && !wl_stopped() && (now_ns = wl_now_ns()) < until_ns) {
		for (i = 0; i < scene.nr_tasks; i++)
			fds[i] = (struct pollfd){ .fd = scene.tasks[i].from, .events = POLLIN };
		if (poll(fds, scene.nr_tasks, (int)((until_ns - now_ns) / MS_NS) + 1) <= 0)
			continue;
		for (i = 0; i < scene.nr_tasks; i++)
			if (fds[i].fd >= 0 && fds[i].revents)
				read_task(&scene.tasks[i]);
	}
}

static bool start_all(void)
{
	unsigned int i;

	for (i = 0; i < scene.nr_tasks; i++) {
		struct task *t = &scene.tasks[i];

		if (!start_task(t)) {
			wl_error("%s: %s", t->argv[0], strerror(errno));
			return false;
		}
		serve(is_ready, wl_now_ns() + scene.ready_timeout_ns);
		if (!t->ready) {
			wl_error("%s did not get ready", t->argv[0]);
			return false;
		}
	}
	return true;
}

static void release_all(uint64_t start_ns)
{
	char line[40];
	unsigned int i;
	int n = snprintf(line, sizeof(line), "%lluns\n", (unsigned long long)start_ns);

	for (i = 0; i < scene.nr_tasks; i++) {
		if (write(scene.tasks[i].to, line, (size_t)n) != n)
			wl_error("%s: %s", scene.tasks[i].argv[0], strerror(errno));
		close(scene.tasks[i].to);
		scene.tasks[i].to = -1;
	}
}

static void signal_all(int sig)
{
	unsigned int i;

	for (i = 0; i < scene.nr_tasks; i++)
		if (scene.tasks[i].pid > 0)
			kill(scene.tasks[i].pid, sig);
}

/* Reaps what has ended until all have or time is up; true when none is left. */
static bool reap_all(uint64_t until_ns)
{
	unsigned int i, left;

	for (;;) {
		for (i = left = 0; i < scene.nr_tasks; i++) {
			struct task *t = &scene.tasks[i];

			if (t->pid > 0 && waitpid(t->pid, &t->status, WNOHANG) == t->pid)
				t->pid = 0;
			left += t->pid > 0;
		}
		if (!left || wl_now_ns() >= until_ns)
			return !left;
		usleep(2000);
	}
}

/* Pipes are closed first: a task that waits for its start then goes on to end. */
static void end_all(bool failed)
{
	unsigned int i;

	for (i = 0; i < scene.nr_tasks; i++) {
		if (scene.tasks[i].to >= 0)
			close(scene.tasks[i].to);
		scene.tasks[i].to = -1;
	}
	if (!failed && !wl_stopped() && reap_all(wl_now_ns() + scene.grace_ns))
		return;
	signal_all(SIGTERM);
	if (reap_all(wl_now_ns() + 2000 * MS_NS))
		return;
	signal_all(SIGKILL);
	reap_all(wl_now_ns() + 20000 * MS_NS);
}

static int task_exit(const struct task *t)
{
	if (t->pid > 0)
		return WL_FAILED;
	return WIFEXITED(t->status) ? WEXITSTATUS(t->status) : 128 + WTERMSIG(t->status);
}

static void error_json(struct json *j, const struct task *t, int code)
{
	json_open(j, NULL, '{');
	json_string(j, "task", t->argv[0]);
	json_string(j, "error", t->started ? "no report" : "not started");
	json_int(j, "exit", code);
	json_close(j, '}');
}

static int print_results(FILE *out)
{
	struct json j = { .out = out, .dense = true };
	int worst = WL_OK;
	unsigned int i;

	json_open(&j, NULL, '[');
	for (i = 0; i < scene.nr_tasks; i++) {
		const struct task *t = &scene.tasks[i];
		int code = task_exit(t);

		if (*t->result)
			json_raw(&j, NULL, t->result);
		else
			error_json(&j, t, code);
		/* Killed after its report, by us: the numbers stand. */
		if (*t->result && code >= 128)
			code = WL_OK;
		if (code && worst != WL_FAILED)
			worst = code == WL_NO_GPU ? WL_NO_GPU : WL_FAILED;
		if (t->started && !*t->result && !code)
			worst = WL_FAILED;
	}
	json_close(&j, ']');
	return fflush(out) || ferror(out) ? WL_FAILED : worst;
}

static int run_scene(void)
{
	bool failed = !start_all();
	uint64_t start_ns = wl_now_ns() + scene.settle_ns;
	FILE *out = stdout;
	int status;

	if (!failed) {
		release_all(start_ns);
		serve(has_result, start_ns + scene.duration_ns + scene.grace_ns);
	}
	end_all(failed);
	serve(NULL, wl_now_ns() + 100 * MS_NS);
	if (scene.output) {
		out = fopen(scene.output, "w");
		if (!out) {
			wl_error("%s: %s", scene.output, strerror(errno));
			return WL_FAILED;
		}
	}
	status = print_results(out);
	if (out != stdout)
		fclose(out);
	return failed && status == WL_OK ? WL_FAILED : status;
}

static void on_stop(int sig)
{
	(void)sig;
}

static const struct wl_opt opts[] = {
	{ "seconds", WL_OPT_TIME, &scene.duration_ns, "S", "length of the window (2)",
	  .unit_ns = 1000 * MS_NS, .min = MS_NS, .max = 86400000 * MS_NS },
	{ "settle", WL_OPT_TIME, &scene.settle_ns, "MS",
	  "from the last \"ready\" to the start (20)", .unit_ns = MS_NS },
	{ "ready-timeout", WL_OPT_TIME, &scene.ready_timeout_ns, "S",
	  "how long a task may take to get ready (60)", .unit_ns = 1000 * MS_NS },
	{ "grace", WL_OPT_TIME, &scene.grace_ns, "S",
	  "how long a task may take to report and to end (10)",
	  .unit_ns = 1000 * MS_NS },
	{ "output", WL_OPT_STRING, &scene.output, "FILE", "write the array there" },
	{ "help", NULL, NULL, NULL, "this text" },
	{ 0 },
};

static const struct wl_opt *const tables[] = { opts, NULL };

static int run(int argc, char **argv)
{
	struct cli cli = wl_opts_cli(tables);
	int status;

	cli.who = "tgscene";
	cli.about =
		"usage: tgscene [options] TASK [args] [-- TASK [args]]...\n"
		"Runs workloads against each other over one common window and prints their\n"
		"reports as a JSON array. Tasks are looked for beside tgscene, then on PATH.\n";
	cli.notes = "exit status: 0 done, 1 a task failed, 2 usage, 77 no suitable GPU\n";
	status = cli_parse(&cli, argc, argv);
	if (status != CLI_GO_ON)
		return status;
	snprintf(scene.seconds, sizeof(scene.seconds), "%lluns",
		 (unsigned long long)scene.duration_ns);
	find_own_dir();
	if (!split_tasks(argv + optind))
		return cli_usage(&cli, "name 1 to %d tasks of up to %d words", MAX_TASKS, MAX_ARGS);
	wl_catch_signals();
	signal(SIGPIPE, on_stop);
	return run_scene();
}

int main(int argc, char **argv)
{
	return output_end("tgscene", run(argc, argv), WL_FAILED);
}
