// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tgrun: a program in a domain of its own, as long as it runs.
 *
 *	the program, waiting -> a cgroup for it -> the cgroup's rule -> its memory -> it begins
 *	-> it ends
 *
 * tgrun itself stays outside the cgroup, so that it can remove it.  The rule is the
 * cgroup's: whatever becomes of tgrun, the module forgets it with that.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "ask.h"
#include "cgroup.h"
#include "child.h"
#include "cli.h"
#include "domain.h"
#include "failure.h"
#include "json.h"
#include "memory.h"
#include "output.h"
#include "owner.h"
#include "scope.h"
#include "want.h"

#define TGRUN_FAILED 125

/* Of a name, so that with what is put around it a reserve can be called so. */
#define NAME_CHARS 32
#define NAME_BYTES 64

static struct {
	const char *name, *slice, *root;
	uint64_t vram_bytes;
	bool anyway, json, verbose;
} opt;

static const struct cli_opt opts[] = {
	{ "vram", args_take_bytes, &opt.vram_bytes, "SIZE",
	  "video memory that the program has, as 256M; it begins\n"
	  "when there is as much", 'm', "write a number with K, M or G behind it, as 256M" },
	{ "name", cli_text, &opt.name, "NAME", "of the domain; the program's otherwise" },
	{ "slice", cli_text, &opt.slice, "SLICE", "of systemd, in which it is" },
	{ "anyway", cli_flag, &opt.anyway, NULL, "run the program even if it gets none of this", 'a' },
	{ "cgroup-root", cli_text, &opt.root, "DIR",
	  "make the cgroup by hand, in the cgroup2 mounted there" },
	{ "json", cli_flag, &opt.json, NULL, "print what it was given, before it begins", 'j' },
	{ "verbose", cli_flag, &opt.verbose, NULL, "say on standard error what is done", 'v' },
	{ "version", NULL, NULL, NULL, "the version" },
	{ 0 }
};

static const struct cli cli = {
	.who = "tgrun",
	.version = "tgrun " TGRUN_VERSION,
	.about =
	"usage: tgrun [OPTION]... PROGRAM [ARGUMENT]...\n"
	"\n"
	"Runs a program in a domain of its own: what is said here is for it and all that it\n"
	"starts together, as long as they run.\n"
	"\n",
	.opts = { want_opts, opts },
	.stops = true,
	.min_args = 1,
	.max_args = -1,
	.args_wanted = "which program?",
	.notes =
	"\n"
	"  tgrun --weight 300 game\n"
	"  tgrun --prt --prio 50 --reserve 10ms/40ms player film.mkv\n"
	"  tgrun --vram 256M train\n"
	"\n"
	"Exit status: the program's; 128 and the number of the signal that ended it; 125 tgrun\n"
	"failed; 126 the program cannot be run; 127 it was not found; 2 wrong usage.\n",
};

static void __attribute__((format(printf, 1, 2))) say(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("tgrun: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
}

static bool is_name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (c && strchr("_.-", c));
}

/* "tgrun-glxgears-1234" */
static void make_name(char out[NAME_BYTES], const char *name)
{
	char plain[NAME_CHARS + 1];
	size_t n = 0;

	for (; *name && n < NAME_CHARS; name++)
		plain[n++] = is_name_char(*name) ? *name : '_';
	plain[n] = '\0';
	snprintf(out, NAME_BYTES, DOMAIN_PREFIX "%s-%d", plain, getpid());
}

static bool by_hand(struct cgroup *cg, const char *root, const char *name, pid_t pid)
{
	char parent[PATH_MAX];
	int ret = cgroup_of(root, getpid(), parent), swept;

	if (ret) {
		say("this process is in no cgroup v2: %s", strerror(-ret));
		return false;
	}
	swept = cgroup_sweep(parent);
	if (swept && opt.verbose)
		say("removed %d that were left behind in %s", swept, parent);
	ret = cgroup_make(cg, parent, name);
	if (ret) {
		say("no cgroup can be made in %s: %s", parent,
		    ret == -EACCES || ret == -EROFS ? "it is not yours" : strerror(-ret));
		return false;
	}
	ret = cgroup_enter(cg, pid);
	if (ret)
		say("%s: the program cannot go there: %s", cg->path,
		    ret == -EACCES ? "it is not yours, or the one that it is in" : strerror(-ret));
	return !ret;
}

static bool by_systemd(struct cgroup *cg, const char *root, pid_t pid)
{
	int ret = cgroup_of(root, pid, cg->path);

	if (!ret)
		ret = cgroup_open(cg);
	if (ret)
		say("systemd's cgroup: %s", strerror(-ret));
	return !ret;
}

/* The program's cgroup, with the program in it. */
static bool place(struct cgroup *cg, char name[NAME_BYTES], const char *about, pid_t pid)
{
	char root[PATH_MAX], why[SCOPE_WHY_BYTES] = "", unit[NAME_BYTES + 8];
	int ret = opt.root ? 0 : cgroup_find_root("/proc/self/mountinfo", NULL, root);

	if (ret) {
		say("there is no cgroup2 here: mount -t cgroup2 none /sys/fs/cgroup");
		return false;
	}
	if (opt.root)
		return by_hand(cg, opt.root, name, pid);
	snprintf(unit, sizeof(unit), "%s.scope", name);
	ret = scope_start(unit, opt.slice, about, pid, why);
	if (!ret)
		return by_systemd(cg, root, pid);
	if (ret != -ENOSYS || opt.slice) {
		say("%s", why);
		return false;
	}
	if (opt.verbose)
		say("%s", why);
	return by_hand(cg, root, name, pid);
}

/* The cgroup's rule; *who gave it. */
static bool rule(const struct cgroup *cg, const struct child *c, const char **who)
{
	int fd = timegraph_open(O_RDWR), ret = fd;

	*who = "tgrun";
	if (fd >= 0) {
		ret = domain_apply(fd, cg->fd, owner_name(cg->path), &want_typed);
		timegraph_close(fd);
	} else if (!failure_is_denial(fd)) {
		say("%s", failure_open(fd));
		return false;
	}
	if (failure_is_denial(ret)) {
		*who = "tgrun-grant";
		return ask_grant(cg->path, &want_typed, &c->mask);
	}
	if (ret)
		say("%s: %s", cg->path, domain_failure(ret));
	return !ret;
}

static void say_wait(void)
{
	char text[MEMORY_TEXT_BYTES];

	say("waiting for %s of video memory", memory_text(text, opt.vram_bytes));
}

/* The program's memory, if it is to have some. */
static bool reserve(struct child *c)
{
	int ret = opt.vram_bytes ? child_reserve(c, say_wait) : 0;
	char text[MEMORY_TEXT_BYTES];

	if (ret)
		say("no %s of video memory: %s", memory_text(text, opt.vram_bytes),
		    memory_failure(ret));
	return !ret;
}

/* All that it is to have before it begins; *who gave the rule. */
static bool prepare(struct cgroup *cg, struct child *c, const char *program, const char **who)
{
	const char *base = strrchr(program, '/');
	char name[NAME_BYTES];
	bool has;

	make_name(name, opt.name ? opt.name : base ? base + 1 : program);
	has = place(cg, name, program, c->pid) && rule(cg, c, who);
	return (has || opt.anyway) && reserve(c) && has;
}

static void show(const struct cgroup *cg, const struct child *c, const char *who)
{
	struct json j = { .out = stdout, .compact = true };

	if (opt.verbose)
		say("%s: given by %s", cg->path, who);
	if (!opt.json || c->ended)
		return;
	json_open(&j, NULL, '{');
	json_string(&j, "cgroup", cg->path);
	json_string(&j, "made_by", cg->made ? "tgrun" : "systemd");
	json_string(&j, "given_by", who);
	json_open(&j, "given", '{');
	want_json(&j, &want_typed);
	if (opt.vram_bytes)
		json_uint(&j, "vram_bytes", opt.vram_bytes);
	json_close(&j, '}');
	json_close(&j, '}');
	fflush(stdout);
}

/* With what it has been given, or without. */
static int run_program(struct child *c, struct cgroup *cg, const char *program)
{
	int error, status = child_run(c, &error);

	if (error)
		say("%s: %s", program, strerror(error));
	if (cgroup_end(cg) == -EBUSY && opt.verbose)
		say("%s: stays until the processes in it have ended", cg->path);
	return status;
}

static int run(int argc, char **argv)
{
	struct cgroup cg = { .fd = -1 };
	int status = cli_parse(&cli, argc, argv), ret;
	char **program = argv + optind;
	struct cli_error err;
	const char *who;
	struct child c;

	if (status != CLI_GO_ON)
		return status;
	if (!want_settle(&want_typed, &err))
		return cli_usage(&cli, "%s: %s", err.text, err.hint);
	if (opt.slice && opt.root)
		return cli_usage(&cli, "--slice is systemd's, --cgroup-root is without it");
	ret = child_start(&c, program, opt.vram_bytes);
	if (ret) {
		say("%s", strerror(-ret));
		return TGRUN_FAILED;
	}
	if (prepare(&cg, &c, program[0], &who))
		show(&cg, &c, who);
	else if (!opt.anyway) {
		child_drop(&c);
		cgroup_end(&cg);
		return TGRUN_FAILED;
	}
	return run_program(&c, &cg, program[0]);
}

int main(int argc, char **argv)
{
	return output_end("tgrun", run(argc, argv), TGRUN_FAILED);
}
