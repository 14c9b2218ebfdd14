// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tgrun-grant: gives a user's own cgroup what the administrator lets him have; run as root
 * by pkexec(1) for tgrun.
 *
 * What it is told comes from somebody who has no right: it takes its arguments and the
 * number of the user, which pkexec sets in an environment that is otherwise empty, and
 * opens nothing for him but that cgroup, to look at.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "allow.h"
#include "args.h"
#include "cli.h"
#include "domain.h"
#include "failure.h"
#include "output.h"
#include "owner.h"
#include "text.h"

enum {
	GRANT_OK = 0,
	GRANT_FAILED = 1,
	GRANT_USAGE = CLI_USAGE,
	GRANT_NO_MODULE = 3,
	GRANT_REFUSED = 4,
};

#define GROUPS_MAX 65536

static const char *cgroup;

static const struct cli_opt opts[] = {
	{ "cgroup", cli_text, &cgroup, "PATH", "the cgroup, in the file system", 'c' },
	{ 0 }
};

static const struct cli cli = {
	.who = "tgrun-grant",
	.version = "tgrun-grant " TGRUN_VERSION,
	.about =
	"usage: tgrun-grant --cgroup PATH [OPTION]...\n"
	"\n"
	"Gives a cgroup of the user who runs pkexec what is wanted, if " ALLOW_PATH "\n"
	"lets him have it.  tgrun(1) runs it.\n"
	"\n",
	.opts = { opts, want_opts },
	.whole = true,
	.args_wanted = "it takes options alone",
	.notes =
	"\n"
	"Exit status: 0 done; 1 failed; 2 wrong usage; 3 the module is not loaded; 4 refused.\n",
};

static int __attribute__((format(printf, 2, 3))) fail(int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fputs("tgrun-grant: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	return status;
}

/* Who asks; not root, who needs nobody to ask for him. */
static int find_uid(uid_t *uid)
{
	const char *text = getenv("PKEXEC_UID");
	uint32_t v;

	if (!text)
		return fail(GRANT_USAGE, "it is for pkexec to run: there is no PKEXEC_UID");
	if (!args_number(text, UINT32_MAX - 1, &v) || !v)
		return fail(GRANT_USAGE, "PKEXEC_UID is no user's number");
	if (geteuid())
		return fail(GRANT_REFUSED, "it has to run as root: by pkexec");
	*uid = v;
	return GRANT_OK;
}

static void *must(void *p)
{
	if (!p) {
		fail(GRANT_FAILED, "%s", strerror(ENOMEM));
		exit(GRANT_FAILED);
	}
	return p;
}

/* The groups that the user database has him in, whatever those of the process are. */
static void find_groups(struct allow_caller *c, gid_t gid)
{
	const char **names;
	gid_t *gids;
	int n = 0;

	getgrouplist(c->name, gid, NULL, &n);
	if (n < 1 || n > GROUPS_MAX)
		n = GROUPS_MAX;
	gids = must(calloc(n, sizeof(*gids)));
	if (getgrouplist(c->name, gid, gids, &n) < 0)
		n = 0;
	names = must(calloc(n + 1, sizeof(*names)));
	for (int i = 0; i < n; i++) {
		const struct group *g = getgrgid(gids[i]);

		names[i] = g ? must(strdup(g->gr_name)) : NULL;
	}
	c->gids = gids;
	c->groups = names;
	c->nr_groups = n;
}

/* Kept until the end. */
static void find_caller(struct allow_caller *c, uid_t uid)
{
	const struct passwd *pw = getpwuid(uid);
	gid_t gid;

	*c = (struct allow_caller){ .uid = uid };
	if (!pw)
		return;
	gid = pw->pw_gid;
	c->name = must(strdup(pw->pw_name));
	find_groups(c, gid);
}

/* The whole file, if it is one that only root writes; -1 with *why; -ENOENT is no file. */
static ssize_t read_file(char *text, size_t room, const char **why)
{
	int fd = open(ALLOW_PATH, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat st;
	ssize_t n = 0, got;

	*why = NULL;
	if (fd < 0) {
		if (errno == ENOENT)
			return -ENOENT;
		*why = strerror(errno);
		return -1;
	}
	if (fstat(fd, &st) || !S_ISREG(st.st_mode))
		*why = "it is no regular file";
	else if (st.st_uid || st.st_mode & 0022)
		*why = "others than root may write it: chown root, chmod go-w";
	while (!*why && (size_t)n < room && (got = read(fd, text + n, room - n)) != 0) {
		if (got < 0 && errno != EINTR)
			*why = strerror(errno);
		n += got > 0 ? got : 0;
	}
	close(fd);
	return *why ? -1 : n;
}

static int find_allowed(uid_t uid, struct allow *a)
{
	static char text[ALLOW_FILE_BYTES + 1];
	struct allow_caller caller;
	struct allow_error err;
	const char *why;
	ssize_t n = read_file(text, sizeof(text), &why);

	allow_default(a);
	if (n == -ENOENT)
		return GRANT_OK;
	if (n < 0)
		return fail(GRANT_REFUSED, "%s: %s", ALLOW_PATH, why);
	find_caller(&caller, uid);
	if (!allow_read(text, n, &caller, a, &err))
		return fail(GRANT_REFUSED, "%s:%u: %s: %s; nobody is granted anything",
			    ALLOW_PATH, err.line, err.text, err.hint);
	return GRANT_OK;
}

static int apply(int dir, const struct want *w)
{
	int fd = timegraph_open(O_RDWR), ret;

	if (fd < 0)
		return fail(GRANT_NO_MODULE, "%s", failure_open(fd));
	ret = domain_apply(fd, dir, owner_name(cgroup), w);
	timegraph_close(fd);
	return ret ? fail(GRANT_FAILED, "%s: %s", cgroup, domain_failure(ret)) : GRANT_OK;
}

static int grant(const struct want *w)
{
	char why[ALLOW_WHY_BYTES];
	const char *whose;
	struct allow a;
	uid_t uid = 0;
	int status = find_uid(&uid), dir;

	if (!status)
		status = find_allowed(uid, &a);
	if (status)
		return status;
	if (!allow_check(&a, w, why))
		return fail(GRANT_REFUSED, "%s (%s)", why, ALLOW_PATH);
	dir = owner_open(cgroup, uid, "/proc", &whose);
	if (dir < 0)
		return fail(GRANT_REFUSED, "the cgroup: %s", whose);
	status = apply(dir, w);
	close(dir);
	return status;
}

static int run(int argc, char **argv)
{
	int status = cli_parse(&cli, argc, argv);
	struct cli_error err;

	if (status != CLI_GO_ON)
		return status;
	if (!cgroup)
		return cli_usage(&cli, "which cgroup? Give --cgroup");
	if (!want_settle(&want_typed, &err))
		return cli_usage(&cli, "%s: %s", err.text, err.hint);
	return grant(&want_typed);
}

int main(int argc, char **argv)
{
	return output_end("tgrun-grant", run(argc, argv), GRANT_FAILED);
}
