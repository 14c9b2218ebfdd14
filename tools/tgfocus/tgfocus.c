// SPDX-License-Identifier: GPL-2.0-or-later
/* tgfocus: tells the module which processes are in the foreground. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "daemon.h"
#include "focus.h"
#include "json.h"
#include "output.h"
#include "session.h"
#include "text.h"

static struct {
	const char *backend;
	bool once, json, dry;
} opt;

/* What this program was built with. */
static char version[256], backends[1024];

static const struct cli_opt opts[] = {
	{ "backend", cli_text, &opt.backend, "NAME",
	  "how to learn who has the focus (default: by the session):", 'b' },
	{ .help = backends },
	{ "exec", cli_text, &focus_exec_command, "COMMAND",
	  "backend exec: COMMAND prints a process's number whenever\n"
	  "the focus moves, an empty line for nobody", 'x' },
	{ "once", cli_flag, &opt.once, NULL, "print who is in the foreground, and end", '1' },
	{ "json", cli_flag, &opt.json, NULL, "with --once: as JSON", 'j' },
	{ "dry-run", cli_flag, &opt.dry, NULL, "follow the focus, but tell the module nothing",
	  'n' },
	{ "verbose", cli_flag, &focus_verbose, NULL, "say what is decided, and why", 'v' },
	{ "help", NULL, NULL, NULL, "this text" },
	{ "version", NULL, NULL, NULL, "version, and the backends in this program" },
	{ 0 }
};

static const struct cli cli = {
	.who = "tgfocus",
	.version = version,
	.about =
	"usage: tgfocus [OPTION]...\n"
	"Gives the GPU priority of the specification's '*' to the program that has the\n"
	"focus, as long as it runs.\n"
	"\n",
	.opts = { opts },
	.args_wanted = "it takes no arguments",
	.notes =
	"\n"
	"Exit status: 0 ended by a signal, or --once found somebody; 1 failed; 2 usage;\n"
	"3 --once: nobody for certain; 4 no desktop that can be asked, or it went away;\n"
	"5 another tgfocus serves this session\n",
};

static void describe_backends(void)
{
	const struct focus_backend *const *b;
	FILE *f = fmemopen(backends, sizeof(backends), "w");

	snprintf(version, sizeof(version), "tgfocus %s\nbackends: %s", TGFOCUS_VERSION,
		 focus_backend_names());
	for (b = focus_backends; f && *b; b++)
		fprintf(f, "%s           %-8s %s", b == focus_backends ? "" : "\n", (*b)->name,
			(*b)->about);
	if (f)
		fclose(f);
}

/* CLI_GO_ON, or the exit status. */
static int parse(int argc, char **argv)
{
	int status;

	describe_backends();
	status = cli_parse(&cli, argc, argv);
	if (status != CLI_GO_ON)
		return status;
	if (opt.json && !opt.once)
		return cli_usage(&cli, "--json is for --once");
	if (focus_exec_command && !opt.backend)
		opt.backend = "exec";
	if (opt.backend && !focus_backend_find(opt.backend))
		return cli_usage(&cli, "there is no backend '%s' in this program, only: %s",
				 opt.backend, focus_backend_names());
	if (focus_exec_command && !focus_exec_command[strspn(focus_exec_command, " \t\n")])
		return cli_usage(&cli, "--exec: the command is empty");
	if (focus_exec_command && strcmp(opt.backend, "exec"))
		return cli_usage(&cli, "--exec is for the backend exec");
	return CLI_GO_ON;
}

/* Why each of them is not asked, those that were tried excepted. */
static void say_why_none(void)
{
	const struct focus_backend *const *b;

	for (b = focus_backends; *b; b++)
		if ((*b)->probe && !(*b)->probe())
			focus_say("%s: not asked: %s", (*b)->name, (*b)->wants);
	focus_say("no desktop here that can be asked: see --exec, or --help for the backends");
}

/* The one asked for, or the first that fits and works; NULL after saying why not. */
static const struct focus_backend *open_backend(void)
{
	const struct focus_backend *const *b, *one;
	char why[FOCUS_TEXT_BYTES] = "";

	if (opt.backend) {
		one = focus_backend_find(opt.backend);
		if (!one->open(why))
			return one;
		focus_say("%s: %s", one->name, why[0] ? why : "cannot be opened");
		return NULL;
	}
	for (b = focus_backends; *b; b++) {
		if (!(*b)->probe || !(*b)->probe())
			continue;
		why[0] = '\0';
		if (!(*b)->open(why))
			return *b;
		focus_say("%s: %s", (*b)->name, why[0] ? why : "cannot be opened");
	}
	say_why_none();
	return NULL;
}

static void print_json(const struct focus_backend *b, const struct focus_window *w,
		       const struct focus_unit *unit)
{
	struct json j = { .out = stdout };
	uint32_t i;

	json_open(&j, NULL, '{');
	json_string(&j, "backend", b->name);
	json_open(&j, "window", '{');
	json_int(&j, "pid", w->pid);
	json_string(&j, "cgroup", w->cgroup[0] ? w->cgroup : NULL);
	json_string(&j, "app_id", w->app_id[0] ? w->app_id : NULL);
	json_string(&j, "why", w->why);
	json_close(&j, '}');
	json_open(&j, "unit", '{');
	json_string(&j, "kind", focus_unit_kind_name(unit->kind));
	json_string(&j, "name", unit->name[0] ? unit->name : NULL);
	json_string(&j, "why", unit->why[0] ? unit->why : NULL);
	json_open(&j, "pids", '[');
	for (i = 0; i < unit->nr_pids; i++)
		json_int(&j, NULL, unit->pids[i]);
	json_close(&j, ']');
	json_close(&j, '}');
	json_close(&j, '}');
}

static void print_text(const struct focus_unit *unit)
{
	char name[sizeof(unit->name)];
	uint32_t i;

	printf("%s %s:", focus_unit_kind_name(unit->kind),
	       text_safe(name, sizeof(name), unit->name, sizeof(name)));
	for (i = 0; i < unit->nr_pids; i++)
		printf(" %d", unit->pids[i]);
	printf("\n");
}

static int look_once(const struct focus_backend *b)
{
	static struct focus_window w;
	static struct focus_unit unit;

	daemon_look(b, &w, &unit);
	if (opt.json)
		print_json(b, &w, &unit);
	else if (unit.kind != FOCUS_UNIT_NONE)
		print_text(&unit);
	else
		focus_say("nobody: %s", unit.why);
	return unit.kind == FOCUS_UNIT_NONE ? FOCUS_EXIT_NOBODY : FOCUS_EXIT_OK;
}

static int serve(void)
{
	const struct focus_backend *b;
	int status;

	b = open_backend();
	if (!b)
		return FOCUS_EXIT_NO_DESKTOP;
	status = opt.once ? look_once(b) : daemon_run(b, opt.dry);
	b->close();
	return status;
}

static int run(int argc, char **argv)
{
	int status = parse(argc, argv), error;

	if (status != CLI_GO_ON)
		return status;
	if (!opt.once && !opt.dry) {
		error = session_lock();
		if (error == -EWOULDBLOCK) {
			focus_say("another one serves this session");
			return FOCUS_EXIT_RUNNING;
		}
		if (error)
			return FOCUS_EXIT_FAILED;
	}
	return serve();
}

int main(int argc, char **argv)
{
	focus_roots.uid = geteuid();
	return output_end("tgfocus", run(argc, argv), FOCUS_EXIT_FAILED);
}
