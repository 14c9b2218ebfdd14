// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

struct focus_roots focus_roots = { .proc = "/proc", .cgroup = "/sys/fs/cgroup" };

static void nobody(struct focus_unit *unit, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void nobody(struct focus_unit *unit, const char *format, ...)
{
	va_list args;

	unit->kind = FOCUS_UNIT_NONE;
	unit->nr_pids = 0;
	unit->name[0] = '\0';
	va_start(args, format);
	vsnprintf(unit->why, sizeof(unit->why), format, args);
	va_end(args);
}

/* --- /proc */

/* The beginning of a file of a process; false if it is gone. */
static bool read_proc(pid_t pid, const char *file, char *text, size_t size)
{
	char path[PATH_MAX];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%s/%d/%s", focus_roots.proc, (int)pid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, size - 1);
	close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	return true;
}

/*
 * "pid (comm) S ppid …".  A name may hold anything, so it ends at the last ')'.
 * Returns 0 if the process is gone.
 */
static pid_t parent_of(pid_t pid, char comm[NAME_MAX + 1])
{
	char text[512], *open, *close;
	int ppid;

	if (!read_proc(pid, "stat", text, sizeof(text)))
		return 0;
	open = strchr(text, '(');
	close = strrchr(text, ')');
	if (!open || !close || close < open || sscanf(close + 1, " %*c %d", &ppid) != 1)
		return 0;
	if (comm) {
		*close = '\0';
		snprintf(comm, NAME_MAX + 1, "%s", open + 1);
	}
	/* Process 1, and what the kernel started, have 0. */
	return ppid ? ppid : -1;
}

/* By its real user: that is what the module asks for. */
static bool is_own(pid_t pid)
{
	char text[2048], *line;

	if (!read_proc(pid, "status", text, sizeof(text)))
		return false;
	line = strstr(text, "\nUid:");
	return line && strtoul(line + 5, NULL, 10) == focus_roots.uid;
}

/* "NSpid:" has one number for each namespace from this one down to its own. */
bool focus_same_namespace(pid_t pid)
{
	char text[2048], *line;
	int first, second;

	if (!read_proc(pid, "status", text, sizeof(text)))
		return false;
	line = strstr(text, "\nNSpid:");
	if (!line)
		return false;
	line[1 + strcspn(line + 1, "\n")] = '\0';
	return sscanf(line, "\nNSpid: %d %d", &first, &second) == 1;
}

/* Its control group of the unified hierarchy: the line "0::/path". */
static bool cgroup_of(pid_t pid, char path[PATH_MAX])
{
	char text[PATH_MAX + 1024], *line;

	if (!read_proc(pid, "cgroup", text, sizeof(text)))
		return false;
	line = !strncmp(text, "0::", 3) ? text : strstr(text, "\n0::");
	if (!line)
		return false;
	line = strchr(line, '/');
	if (!line)
		return false;
	line[strcspn(line, "\n")] = '\0';
	return snprintf(path, PATH_MAX, "%s", line) < PATH_MAX;
}

/* --- names of control groups */

static bool ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && !strcmp(s + n - m, end);
}

/* Not a slice: "app-….slice" holds several applications or several windows'. */
bool focus_unit_is_app(const char *name)
{
	return !strncmp(name, "app-", 4) && (ends_with(name, ".scope") ||
					     ends_with(name, ".service"));
}

/* systemd's escapes: "\x2d" for '-'. */
static void unescape(char *s)
{
	char *out = s, hex[3] = "";

	for (; *s; s++) {
		if (s[0] == '\\' && s[1] == 'x' && isxdigit((unsigned char)s[2]) &&
		    isxdigit((unsigned char)s[3])) {
			memcpy(hex, s + 2, 2);
			*out++ = (char)strtoul(hex, NULL, 16);
			s += 3;
		} else {
			*out++ = *s;
		}
	}
	*out = '\0';
}

/*
 *	app[-<launcher>]-<application>-<random>.scope
 *	app[-<launcher>]-<application>[@<random>].service
 *
 * A '-' within a part is escaped, so that parts end at those that are not.
 */
bool focus_unit_is_app_id(const char *name, const char *app_id)
{
	char text[NAME_MAX + 1], *application, *end;

	if (!*app_id || !focus_unit_is_app(name))
		return false;
	if (snprintf(text, sizeof(text), "%s", name + 4) >= (int)sizeof(text))
		return false;
	end = ends_with(text, ".scope") ? strrchr(text, '-') : strchr(text, '@');
	if (!end && ends_with(text, ".service"))
		end = text + strlen(text) - strlen(".service");
	if (!end)
		return false;
	*end = '\0';
	application = strrchr(text, '-');
	application = application ? application + 1 : text;
	unescape(application);
	return !strcmp(application, app_id);
}

/* Cuts the path behind the first component that is an application's group. */
static bool app_group(char *path)
{
	char *part, *next, saved;

	for (part = path; *part; part = next) {
		part++;
		next = part + strcspn(part, "/");
		saved = *next;
		*next = '\0';
		if (focus_unit_is_app(part))
			return true;
		*next = saved;
	}
	return false;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* --- members */

static void add(struct focus_unit *unit, pid_t pid)
{
	if (unit->nr_pids < UNIT_PIDS_MAX && is_own(pid))
		unit->pids[unit->nr_pids++] = pid;
}

/* All processes of a group and of those below it. */
static void add_group(struct focus_unit *unit, const char *dir, unsigned int depth)
{
	char path[PATH_MAX];
	struct dirent *e;
	FILE *procs;
	DIR *d;
	int pid;

	/* Too deep to be named is too deep to be an application's. */
	if (snprintf(path, sizeof(path), "%s/cgroup.procs", dir) >= (int)sizeof(path))
		return;
	procs = fopen(path, "re");
	while (procs && fscanf(procs, "%d", &pid) == 1)
		if (pid > 0)
			add(unit, pid);
	if (procs)
		fclose(procs);
	d = depth ? opendir(dir) : NULL;
	while (d && (e = readdir(d))) {
		if (e->d_type != DT_DIR || e->d_name[0] == '.')
			continue;
		if (snprintf(path, sizeof(path), "%s/%s", dir, e->d_name) < (int)sizeof(path))
			add_group(unit, path, depth - 1);
	}
	if (d)
		closedir(d);
}

struct process {
	pid_t pid, ppid;
};

struct processes {
	struct process *item;
	size_t count, room;
};

static void snapshot(struct processes *all)
{
	struct process *more;
	struct dirent *e;
	pid_t pid, ppid;
	DIR *d;

	d = opendir(focus_roots.proc);
	while (d && (e = readdir(d))) {
		pid = atoi(e->d_name);
		if (pid <= 0)
			continue;
		ppid = parent_of(pid, NULL);
		if (!ppid)
			continue;
		if (all->count == all->room) {
			all->room = all->room ? 2 * all->room : 256;
			more = realloc(all->item, all->room * sizeof(*more));
			if (!more)
				break;
			all->item = more;
		}
		all->item[all->count++] = (struct process){ .pid = pid, .ppid = ppid };
	}
	if (d)
		closedir(d);
}

/* The path of the application's group that the process is in, or "". */
static void app_group_of(pid_t pid, char path[PATH_MAX])
{
	if (!cgroup_of(pid, path) || !app_group(path))
		path[0] = '\0';
}

/*
 * A process that has an application's group other than @group is another
 * application: a desktop's shell starts those.
 */
static bool is_other_app(pid_t pid, const char *group)
{
	char path[PATH_MAX];

	app_group_of(pid, path);
	return path[0] && strcmp(path, group) != 0;
}

/* A process whose parent was added belongs too: until nobody more is found. */
static void add_tree(struct focus_unit *unit, pid_t root)
{
	char group[PATH_MAX];
	struct processes all = { 0 };
	struct process *p;
	uint32_t i;

	app_group_of(root, group);
	add(unit, root);
	snapshot(&all);
	for (i = 0; i < unit->nr_pids; i++)
		for (p = all.item; p < all.item + all.count; p++)
			if (p->ppid == unit->pids[i] && !is_other_app(p->pid, group))
				add(unit, p->pid);
	free(all.item);
}

static int by_number(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

	return (x > y) - (x < y);
}

/* --- resolving */

/*
 * Somebody above the process is in the same group: it was started from within
 * another application, which has the group to its name.
 */
static bool started_by_member(pid_t pid, const char *group)
{
	char path[PATH_MAX];
	unsigned int steps;

	for (steps = 0; steps < 64; steps++) {
		pid = parent_of(pid, NULL);
		if (pid <= 1)
			return false;
		app_group_of(pid, path);
		if (!strcmp(path, group))
			return true;
	}
	return false;
}

static void resolve_group(struct focus_unit *unit, const char *group)
{
	char dir[PATH_MAX];

	unit->kind = FOCUS_UNIT_CGROUP;
	snprintf(unit->name, sizeof(unit->name), "%s", base_name(group));
	if (snprintf(dir, sizeof(dir), "%s%s", focus_roots.cgroup, group) < (int)sizeof(dir))
		add_group(unit, dir, 8);
}

/* False if the process is gone.  A process may have no name: "tree : 42" says little. */
static bool name_of(pid_t pid, char name[NAME_MAX + 1])
{
	if (!parent_of(pid, name))
		return false;
	if (!*name)
		strcpy(name, "(without a name)");
	return true;
}

static void resolve_pid(struct focus_unit *unit, pid_t pid)
{
	char group[PATH_MAX];

	if (!name_of(pid, unit->name)) {
		nobody(unit, "process %d does not exist here", (int)pid);
		return;
	}
	if (!is_own(pid)) {
		nobody(unit, "process %d is another user's", (int)pid);
		return;
	}
	app_group_of(pid, group);
	if (group[0] && !started_by_member(pid, group)) {
		resolve_group(unit, group);
		if (unit->nr_pids)
			return;
		/* The group is not visible here: the process itself is. */
		name_of(pid, unit->name);
	}
	unit->kind = FOCUS_UNIT_TREE;
	add_tree(unit, pid);
}

void focus_unit_resolve(struct focus_unit *unit, const struct focus_window *w)
{
	unit->nr_pids = 0;
	unit->why[0] = '\0';
	if (w->pid > 0) {
		resolve_pid(unit, w->pid);
	} else if (w->cgroup[0]) {
		resolve_group(unit, w->cgroup);
	} else {
		nobody(unit, "%s", w->why);
		return;
	}
	if (unit->kind != FOCUS_UNIT_NONE && !unit->nr_pids)
		nobody(unit, "%.100s has no process any more", unit->name);
	qsort(unit->pids, unit->nr_pids, sizeof(unit->pids[0]), by_number);
}

bool focus_unit_equal(const struct focus_unit *a, const struct focus_unit *b)
{
	return a->kind == b->kind && a->nr_pids == b->nr_pids && !strcmp(a->name, b->name) &&
	       !memcmp(a->pids, b->pids, a->nr_pids * sizeof(a->pids[0])) &&
	       !strcmp(a->why, b->why);
}

const char *focus_unit_kind_name(enum focus_unit_kind kind)
{
	static const char *const names[] = {
		[FOCUS_UNIT_NONE] = "none",
		[FOCUS_UNIT_CGROUP] = "cgroup",
		[FOCUS_UNIT_TREE] = "tree",
	};

	return names[kind];
}

/* --- this user's applications */

/* The user's systemd: above this process, or where it is by convention. */
void focus_unit_app_slice(char path[PATH_MAX])
{
	char manager[64], own[PATH_MAX], dir[2 * PATH_MAX], *at;
	unsigned int uid = focus_roots.uid;

	snprintf(manager, sizeof(manager), "/user@%u.service", uid);
	path[0] = '\0';
	if (cgroup_of(getpid(), own) && (at = strstr(own, manager))) {
		at[strlen(manager)] = '\0';
		if (strlen(own) + strlen("/app.slice") >= PATH_MAX)
			return;
		strcat(own, "/app.slice");
	} else {
		snprintf(own, sizeof(own), "/user.slice/user-%u.slice/user@%u.service/app.slice",
			 uid, uid);
	}
	snprintf(dir, sizeof(dir), "%s%s", focus_roots.cgroup, own);
	if (!access(dir, X_OK))
		memcpy(path, own, strlen(own) + 1);
}

static bool walk(const char *path, unsigned int depth,
		 bool (*visit)(const char *path, void *data), void *data)
{
	char dir[2 * PATH_MAX], below[PATH_MAX];
	bool done = false;
	struct dirent *e;
	DIR *d;

	if (ends_with(path, ".scope") || ends_with(path, ".service"))
		return visit(path, data);
	if (!depth)
		return false;
	snprintf(dir, sizeof(dir), "%s%s", focus_roots.cgroup, path);
	d = opendir(dir);
	while (d && !done && (e = readdir(d))) {
		if (e->d_type != DT_DIR || e->d_name[0] == '.')
			continue;
		if (snprintf(below, sizeof(below), "%s/%s", path, e->d_name) < PATH_MAX)
			done = walk(below, depth - 1, visit, data);
	}
	if (d)
		closedir(d);
	return done;
}

void focus_unit_each(bool (*visit)(const char *path, void *data), void *data)
{
	char slice[PATH_MAX];

	focus_unit_app_slice(slice);
	if (slice[0])
		walk(slice, 8, visit, data);
}
