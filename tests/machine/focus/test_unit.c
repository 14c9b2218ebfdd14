// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Units from made-up processes and control groups, and the reader of sway's JSON.
 * A folder of files stands for /proc and another for /sys/fs/cgroup.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pins.h"
#include "reader.h"
#include "tap.h"
#include "unit.h"

#define UID 1234u
#define SLICE "/user.slice/user-1234.slice/user@1234.service/app.slice"

static char top[] = "/tmp/tgfocus-XXXXXX", proc[64], cgroup[64];
static struct focus_unit unit;

static void put(const char *path, const char *text)
{
	char dir[512], *p;
	FILE *f;

	snprintf(dir, sizeof(dir), "%s", path);
	for (p = dir + 1; (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		mkdir(dir, 0700);
	}
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f)) {
		perror(path);
		exit(1);
	}
}

static void remove_all(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", top);
	if (system(command))
		exit(1);
}

/* No process, no group. */
static void begin(void)
{
	snprintf(proc, sizeof(proc), "%s/proc", top);
	snprintf(cgroup, sizeof(cgroup), "%s/cgroup", top);
	remove_all();
	mkdir(top, 0700);
	mkdir(proc, 0700);
	mkdir(cgroup, 0700);
	focus_roots = (struct focus_roots){ .proc = proc, .cgroup = cgroup, .uid = UID };
}

static void group(const char *path, const char *pids)
{
	char file[512];

	snprintf(file, sizeof(file), "%s%s/cgroup.procs", cgroup, path);
	put(file, pids);
}

static void process_of(int pid, int ppid, const char *comm, const char *path, unsigned int uid)
{
	char file[512], text[512];

	snprintf(file, sizeof(file), "%s/%d/stat", proc, pid);
	snprintf(text, sizeof(text), "%d (%s) S %d 1 1 0 -1\n", pid, comm, ppid);
	put(file, text);
	snprintf(file, sizeof(file), "%s/%d/status", proc, pid);
	snprintf(text, sizeof(text), "Name:\t%s\nNSpid:\t%d\nUid:\t%u\t0\t0\t0\n", comm, pid, uid);
	put(file, text);
	snprintf(file, sizeof(file), "%s/%d/cgroup", proc, pid);
	snprintf(text, sizeof(text), "1:name=systemd:/old\n0::%s\n", path);
	put(file, text);
}

static void process(int pid, int ppid, const char *comm, const char *path)
{
	process_of(pid, ppid, comm, path, UID);
}

static void resolve(int pid)
{
	static struct focus_window w;

	memset(&w, 0, sizeof(w));
	w.pid = pid;
	focus_unit_resolve(&unit, &w);
}

/* "10 11 12" */
static bool members(const char *list)
{
	char text[256] = "", *at = text;
	uint32_t i;

	for (i = 0; i < unit.nr_pids && i < 20; i++)
		at += sprintf(at, "%s%d", i ? " " : "", unit.pids[i]);
	if (strcmp(text, list))
		tap_diag("members are '%s', not '%s'; why: %s", text, list, unit.why);
	return !strcmp(text, list);
}

static void tree(void)
{
	begin();
	process(1, 0, "init", "/init.scope");
	process(10, 1, "shell", "/session-1.scope");
	process(20, 10, "game", "/session-1.scope");
	process(15, 20, "helper", "/session-1.scope");
	process(30, 15, "grandchild", "/session-1.scope");
	process(40, 10, "other", "/session-1.scope");
	resolve(20);
	CHECK(unit.kind == FOCUS_UNIT_TREE && !strcmp(unit.name, "game"));
	CHECK(members("15 20 30"));
}

static void odd_names(void)
{
	begin();
	process(1, 0, "init", "/");
	process(20, 1, "a) S 999 (b", "/");
	process(21, 20, "x y", "/");
	resolve(20);
	CHECK(!strcmp(unit.name, "a) S 999 (b"));
	CHECK(members("20 21"));
}

static void app_group(void)
{
	begin();
	process(1, 0, "init", "/init.scope");
	process(50, 1, "maps", SLICE "/app-gnome-maps-50.scope");
	process(60, 1, "detached", SLICE "/app-gnome-maps-50.scope/inner");
	process(70, 1, "other", SLICE "/app-gnome-chess-70.scope");
	group(SLICE "/app-gnome-maps-50.scope", "50\n");
	group(SLICE "/app-gnome-maps-50.scope/inner", "60\n");
	group(SLICE "/app-gnome-chess-70.scope", "70\n");
	resolve(50);
	CHECK(unit.kind == FOCUS_UNIT_CGROUP && !strcmp(unit.name, "app-gnome-maps-50.scope"));
	CHECK(members("50 60"));
}

static void from_within(void)
{
	const char *path = SLICE "/app-gnome-terminal-50.scope";

	begin();
	process(1, 0, "init", "/init.scope");
	process(50, 1, "terminal", path);
	process(51, 50, "bash", path);
	process(52, 51, "game", path);
	process(53, 52, "helper", path);
	process(54, 51, "game2", path);
	group(path, "50\n51\n52\n53\n54\n");
	resolve(52);
	CHECK(unit.kind == FOCUS_UNIT_TREE);
	CHECK(members("52 53"));
	resolve(50);
	CHECK(unit.kind == FOCUS_UNIT_CGROUP);
	CHECK(members("50 51 52 53 54"));
}

static void shell(void)
{
	const char *own = "/user.slice/session.slice/shell.service";

	begin();
	process(1, 0, "init", "/init.scope");
	process(50, 1, "shell", own);
	process(51, 50, "game", SLICE "/app-shell-game-51.scope");
	process(52, 51, "helper", SLICE "/app-shell-game-51.scope");
	process(53, 50, "panel", own);
	resolve(50);
	CHECK(unit.kind == FOCUS_UNIT_TREE);
	CHECK(members("50 53"));
}

static void slices(void)
{
	begin();
	process(1, 0, "init", "/init.scope");
	process(50, 1, "one", SLICE "/app-org.gnome.Terminal.slice/vte-spawn-1.scope");
	process(51, 1, "two", SLICE "/app-org.gnome.Terminal.slice/vte-spawn-2.scope");
	group(SLICE "/app-org.gnome.Terminal.slice/vte-spawn-1.scope", "50\n");
	resolve(50);
	CHECK(unit.kind == FOCUS_UNIT_TREE);
	CHECK(members("50"));
}

static void invisible_group(void)
{
	begin();
	process(1, 0, "init", "/init.scope");
	process(50, 1, "one", SLICE "/app-one-1.scope");
	resolve(50);
	CHECK(unit.kind == FOCUS_UNIT_TREE && !strcmp(unit.name, "one"));
	CHECK(members("50"));
}

static void foreign(void)
{
	begin();
	process(1, 0, "init", "/init.scope");
	process_of(50, 1, "theirs", "/", UID + 1);
	process(60, 1, "mine", "/");
	process_of(61, 60, "sudo", "/", 0);
	resolve(50);
	CHECK(unit.kind == FOCUS_UNIT_NONE && strstr(unit.why, "another user's"));
	resolve(60);
	CHECK(members("60"));
}

static void nobody(void)
{
	static struct focus_window w;

	begin();
	process(1, 0, "init", "/init.scope");
	resolve(77);
	CHECK(unit.kind == FOCUS_UNIT_NONE && strstr(unit.why, "does not exist"));
	memset(&w, 0, sizeof(w));
	strcpy(w.why, "because");
	focus_unit_resolve(&unit, &w);
	CHECK(unit.kind == FOCUS_UNIT_NONE && !strcmp(unit.why, "because") && !unit.nr_pids);
	strcpy(w.cgroup, SLICE "/app-gone-1.scope");
	focus_unit_resolve(&unit, &w);
	CHECK(unit.kind == FOCUS_UNIT_NONE && strstr(unit.why, "no process any more"));
}

static void many(void)
{
	char *text = calloc(UNIT_PIDS_MAX + 100, 8), *at = text;
	int pid;

	begin();
	process(1, 0, "init", "/init.scope");
	for (pid = 100; pid < 100 + UNIT_PIDS_MAX + 50; pid++) {
		process(pid, 1, "one", SLICE "/app-one-1.scope");
		at += sprintf(at, "%d\n", pid);
	}
	group(SLICE "/app-one-1.scope", text);
	free(text);
	resolve(100);
	CHECK(unit.nr_pids == UNIT_PIDS_MAX && unit.pids[0] == 100);
}

static void namespaces(void)
{
	char file[512];

	begin();
	process(50, 1, "here", "/");
	CHECK(focus_same_namespace(50));
	snprintf(file, sizeof(file), "%s/51/status", proc);
	put(file, "Name:\tthere\nNSpid:\t51\t2\nUid:\t1234\t0\t0\t0\n");
	CHECK(!focus_same_namespace(51));
	CHECK(!focus_same_namespace(52));
}

static void app_ids(void)
{
	static const struct {
		const char *group, *app_id;
		bool match;
	} cases[] = {
		{ "app-org.gnome.Maps-1234.scope", "org.gnome.Maps", true },
		{ "app-gnome-org.gnome.Maps-1234.scope", "org.gnome.Maps", true },
		{ "app-gnome-org.gnome.Maps-1234.scope", "gnome", false },
		{ "app-gnome-org.gnome.Maps-1234.scope", "Maps", false },
		{ "app-org.kde.kate@1234.service", "org.kde.kate", true },
		{ "app-org.kde.kate.service", "org.kde.kate", true },
		{ "app-sway-my\\x2dgame-7.scope", "my-game", true },
		{ "app-sway-my\\x2dgame-7.scope", "game", false },
		{ "app-gnome.slice", "gnome", false },
		{ "vte-spawn-1.scope", "spawn", false },
		{ "app-x-1.scope", "", false },
		{ "app-.scope", ".scope", false },
	};
	unsigned int i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (!CHECK(focus_unit_is_app_id(cases[i].group, cases[i].app_id) ==
			   cases[i].match))
			tap_diag("%s %s", cases[i].group, cases[i].app_id);
}

/* --- the reader */

static void reader_values(void)
{
	struct reader r = { .at = " { \"a\" : [1, -2,{\"x\":[]}], \"pid\": 42,\n\"s\":"
				  "\"q\\\"\\u0041\\u20ac\\n\",\"t\":true,\"f\":false,"
				  "\"n\":null,\"r\":1.5e3 } " };
	char key[16], text[16];
	int seen = 0;

	reader_enter(&r, '{');
	while (reader_key(&r, key, sizeof(key))) {
		seen++;
		if (!strcmp(key, "pid")) {
			CHECK(reader_int(&r) == 42);
		} else if (!strcmp(key, "s")) {
			reader_string(&r, text, sizeof(text));
			CHECK(!strcmp(text, "q\"A?\n"));
		} else if (!strcmp(key, "t") || !strcmp(key, "f")) {
			CHECK(reader_bool(&r) == (*key == 't'));
		} else if (!strcmp(key, "n")) {
			CHECK(!reader_int(&r));
		} else {
			reader_skip(&r);
		}
	}
	CHECK(seen == 7 && !r.bad);
	CHECK(!reader_type(&r));
}

/* Every beginning of a good text, and some more, is bad; none reads beyond its end. */
static void reader_mistakes(void)
{
	static const char good[] = "{\"a\":[1,{\"b\":\"\\u0041\\\\\"}],\"c\":true,\"d\":null}";
	static const char *const bad[] = {
		"", "[", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{\"a\":1 \"b\":2}", "{a:1}",
		"{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":]}",
	};
	char key[8], *copy;
	unsigned int i;
	size_t n;

	for (i = 0; i < sizeof(bad) / sizeof(bad[0]) + sizeof(good) - 1; i++) {
		n = i < sizeof(good) - 1 ? i : 0;
		copy = i < sizeof(good) - 1 ? strndup(good, n) :
					      strdup(bad[i - (sizeof(good) - 1)]);
		struct reader r = { .at = copy };

		reader_enter(&r, '{');
		while (reader_key(&r, key, sizeof(key)))
			if (reader_type(&r) == '"')
				reader_string(&r, key, sizeof(key));
			else
				reader_skip(&r);
		if (!CHECK(r.bad))
			tap_diag("taken for good: %s", copy);
		free(copy);
	}
}

static void reader_arrays(void)
{
	static const struct {
		const char *text;
		int items;	/* -1: a mistake */
	} cases[] = {
		{ "[]", 0 }, { "[ ]", 0 }, { "[1, 2 ,3]", 3 }, { "[[1,2],[],{\"a\":[]}]", 3 },
		{ "[1,]", -1 }, { "[,1]", -1 }, { "[1 2]", -1 }, { "[1", -1 }, { "[1,", -1 },
	};
	unsigned int i;
	int n;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct reader r = { .at = cases[i].text };

		reader_enter(&r, '[');
		for (n = 0; reader_item(&r); n++)
			reader_skip(&r);
		if (!CHECK((r.bad ? -1 : n) == cases[i].items))
			tap_diag("%s: %d", cases[i].text, r.bad ? -1 : n);
	}
}

/* Of three processes one leaves the unit before the second look, and one came. */
static void pins(void)
{
	static struct focus_pins pins;
	pid_t child[4];
	int i, gone;

	for (i = 0; i < 4; i++) {
		child[i] = fork();
		if (!child[i]) {
			pause();
			_exit(0);
		}
	}
	unit.nr_pids = 3;
	for (i = 0; i < 3; i++)
		unit.pids[i] = child[i];
	CHECK(!focus_pins_open(&pins, &unit) && pins.n == 3);
	gone = pins.fd[1];
	unit.pids[1] = child[2];
	unit.pids[2] = child[3];
	focus_pins_keep(&pins, &unit);
	CHECK(pins.n == 2 && pins.pid[0] == child[0] && pins.pid[1] == child[2]);
	CHECK(unit.nr_pids == 2 && unit.pids[0] == child[0] && unit.pids[1] == child[2]);
	CHECK(fcntl(gone, F_GETFD) < 0 && fcntl(pins.fd[1], F_GETFD) == FD_CLOEXEC);
	focus_pins_close(&pins);
	CHECK(fcntl(pins.fd[0], F_GETFD) < 0);
	/* A process that has ended is none. */
	for (i = 0; i < 4; i++) {
		kill(child[i], SIGKILL);
		waitpid(child[i], NULL, 0);
	}
	CHECK(!focus_pins_open(&pins, &unit) && !pins.n);
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "the_unit_is_the_windows_process_and_its_descendants", tree },
		{ "a_name_with_brackets_does_not_hide_the_parent", odd_names },
		{ "an_applications_control_group_is_the_unit_with_all_below", app_group },
		{ "a_program_started_from_within_another_is_its_own_unit", from_within },
		{ "what_a_shell_started_in_groups_of_their_own_is_not_its_unit", shell },
		{ "a_slice_of_several_applications_is_no_unit", slices },
		{ "a_control_group_that_is_not_visible_is_no_unit", invisible_group },
		{ "processes_of_other_users_are_left_out", foreign },
		{ "no_process_is_nobody_with_the_reason", nobody },
		{ "a_unit_has_at_most_as_many_processes_as_the_module_takes", many },
		{ "a_process_in_an_inner_namespace_is_told_apart", namespaces },
		{ "an_app_id_matches_its_own_groups_name_only", app_ids },
		{ "processes_are_held_to_if_they_are_in_the_unit_still", pins },
		{ "json_is_read", reader_values },
		{ "json_arrays_are_walked", reader_arrays },
		{ "json_with_mistakes_is_refused", reader_mistakes },
	};
	int status;

	if (!mkdtemp(top)) {
		perror(top);
		return 1;
	}
	status = tap_run(cases, sizeof(cases) / sizeof(cases[0]));
	remove_all();
	return status;
}
