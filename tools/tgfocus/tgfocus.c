// SPDX-License-Identifier: GPL-2.0-or-later
/* tgfocus: tells the module which processes are in the foreground. */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon.h"
#include "focus.h"
#include "json.h"
#include "session.h"

static struct {
	const char *backend;
	bool once, json, dry;
} opt;

static void help(void)
{
	const struct focus_backend *const *b;

	printf("usage: tgfocus [OPTION]...\n"
	       "Gives the GPU priority of the specification's '*' to the program that has the\n"
	       "focus, as long as it runs.\n"
	       "\n"
	       "  -b, --backend NAME  how to learn who has the focus (default: by the session):\n");
	for (b = focus_backends; *b; b++)
		printf("           %-8s %s\n", (*b)->name, (*b)->about);
	printf("  -x, --exec COMMAND  backend exec: COMMAND prints a process's number whenever\n"
	       "                      the focus moves, an empty line for nobody\n"
	       "  -1, --once          print who is in the foreground, and end\n"
	       "  -j, --json          with --once: as JSON\n"
	       "  -n, --dry-run       follow the focus, but tell the module nothing\n"
	       "  -v, --verbose       say what is decided, and why\n"
	       "      --help          this text\n"
	       "      --version       version, and the backends in this program\n"
	       "\n"
	       "exit status: 0 ended by a signal, or --once found somebody; 1 failed; 2 usage;\n"
	       "3 --once: nobody for certain; 4 no desktop that can be asked, or it went away;\n"
	       "5 another tgfocus serves this session\n");
}

static int usage(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	focus_vsay(format, args);
	va_end(args);
	return FOCUS_EXIT_USAGE;
}

/* -1: go on; else the exit status. */
static int parse(int argc, char **argv)
{
	static const struct option options[] = {
		{ "backend", required_argument, NULL, 'b' },
		{ "exec", required_argument, NULL, 'x' },
		{ "once", no_argument, NULL, '1' },
		{ "json", no_argument, NULL, 'j' },
		{ "dry-run", no_argument, NULL, 'n' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "b:x:1jnvh", options, NULL)) != -1) {
		switch (c) {
		case 'b': opt.backend = optarg; break;
		case 'x': focus_exec_command = optarg; break;
		case '1': opt.once = true; break;
		case 'j': opt.json = true; break;
		case 'n': opt.dry = true; break;
		case 'v': focus_verbose = true; break;
		case 'h':
			help();
			return FOCUS_EXIT_OK;
		case 'V':
			printf("tgfocus %s\nbackends: %s\n", TGFOCUS_VERSION,
			       focus_backend_names());
			return FOCUS_EXIT_OK;
		default:
			return usage("try --help");
		}
	}
	if (optind < argc)
		return usage("'%s' is no option (try --help)", argv[optind]);
	if (opt.json && !opt.once)
		return usage("--json is for --once (try --help)");
	if (focus_exec_command && !opt.backend)
		opt.backend = "exec";
	if (opt.backend && !focus_backend_find(opt.backend))
		return usage("there is no backend '%s' in this program, only: %s", opt.backend,
			     focus_backend_names());
	if (focus_exec_command && strcmp(opt.backend, "exec"))
		return usage("--exec is for the backend exec (try --help)");
	return -1;
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
	focus_say("no desktop here that can be asked (backends: %s; see --backend)",
		  focus_backend_names());
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
	uint32_t i;

	printf("%s %s:", focus_unit_kind_name(unit->kind), unit->name);
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

static int run(void)
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

int main(int argc, char **argv)
{
	int status, error;

	focus_roots.uid = geteuid();
	status = parse(argc, argv);
	if (status >= 0)
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
	status = run();
	if (fflush(stdout) || ferror(stdout)) {
		focus_say("standard output: %s", strerror(errno));
		return FOCUS_EXIT_FAILED;
	}
	return status;
}
