// SPDX-License-Identifier: GPL-2.0-or-later
/* Whose a cgroup is, by folders that look like /sys/fs/cgroup and /proc. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cgroup.h"
#include "owner.h"
#include "tap.h"

static char folder[] = "/tmp/tgrun-test-XXXXXX";

static void put(const char *name, const char *text)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	f = fopen(path, "w");
	if (!CHECK(f))
		return;
	fputs(text, f);
	fclose(f);
}

static const struct {
	const char *path;
	bool ok;
} paths[] = {
	{ "/sys/fs/cgroup/tgrun-a-1", true },
	{ "/tgrun-", true },
	{ "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/tgrun-x-7.scope",
	  true },
	{ "/sys/fs/cgroup/...x/tgrun-1", true },
	{ "/sys/fs/cgroup/user.slice/user-1000.slice", false },
	{ "/sys/fs/cgroup/tgrun-a-1/", false },
	{ "/sys/fs/cgroup/tgrun-a-1/b", false },
	{ "/sys/fs/cgroup//tgrun-a-1", false },
	{ "/sys/fs/cgroup/./tgrun-a-1", false },
	{ "/sys/fs/cgroup/x/../tgrun-a-1", false },
	{ "/tgrun-a/..", false },
	{ "sys/fs/cgroup/tgrun-a-1", false },
	{ "tgrun-a", false },
	{ "/", false },
	{ "", false },
};

static void only_paths_that_tgrun_makes_are_taken(void)
{
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (!CHECK(owner_is_path(paths[i].path) == paths[i].ok))
			tap_diag("'%s'", paths[i].path);
}

static void a_process_is_his_who_runs_it_alone(void)
{
	CHECK(owner_check_status("Name:\tx\nUid:\t7\t7\t7\t7\nGid:\t0\t0\t0\t0\n", 7));
	CHECK(!owner_check_status("Name:\tx\nUid:\t7\t0\t7\t7\n", 7));
	CHECK(!owner_check_status("Name:\tx\nUid:\t7\t7\t0\t7\n", 7));
	CHECK(!owner_check_status("Name:\tx\nUid:\t7\t7\t7\t0\n", 7));
	CHECK(!owner_check_status("Name:\tx\nUid:\t0\t7\t7\t7\n", 7));
	CHECK(!owner_check_status("Name:\tx\nUid:\t7\t7\n", 7));
	CHECK(!owner_check_status("Name:\tx\n", 7));
	/* What a program calls itself has no line ends there, but might look like it. */
	CHECK(!owner_check_status("Name:\tUid:\t7\t7\t7\t7\nUid:\t0\t0\t0\t0\n", 7));
}

static bool procs(const char *list)
{
	const char *why = NULL;
	int dir;
	bool ok;

	put("cgroup.procs", list);
	dir = open(folder, O_RDONLY | O_DIRECTORY);
	ok = owner_check_procs(dir, 7, folder, &why);
	close(dir);
	CHECK(ok || why);
	return ok;
}

static void every_process_in_it_has_to_be_his(void)
{
	char path[256];

	for (int i = 11; i < 14; i++) {
		snprintf(path, sizeof(path), "%s/%d", folder, i);
		CHECK(!mkdir(path, 0700));
		snprintf(path, sizeof(path), "%d/status", i);
		put(path, i == 13 ? "Name:\ta\nUid:\t0\t0\t0\t0\n" :
				    "Name:\ta\nUid:\t7\t7\t7\t7\n");
	}
	CHECK(procs("11\n"));
	CHECK(procs("11\n12\n"));
	CHECK(!procs("11\n12\n13\n"));
	CHECK(!procs("13\n11\n"));
	CHECK(!procs("11\n14\n"));	/* has just ended, or is another's */
	CHECK(!procs("11\n0\n"));	/* of another namespace */
	CHECK(!procs(""));
}

/* What is said of @name in the folder, by the mounts that @proc tells of. */
static const char *said_of(const char *name, const char *proc)
{
	const char *why = NULL;
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	CHECK(owner_open(path, getuid(), proc, &why) < 0);
	return why ? why : "";
}

/* A file, a directory, a link, and what is not there. */
static void nobody_learns_what_there_is_elsewhere(void)
{
	static const char *const names[] = {
		"tgrun-x", "file/tgrun-x", "none/tgrun-x", "link/tgrun-x", "tgrun-link",
	};
	const char *why = said_of("nothing/tgrun-y", "/proc");
	char path[256], mounts[512];

	snprintf(path, sizeof(path), "%s/tgrun-x", folder);
	CHECK(!mkdir(path, 0755));
	put("file", "");
	snprintf(path, sizeof(path), "%s/link", folder);
	CHECK(!symlink(".", path));
	snprintf(path, sizeof(path), "%s/tgrun-link", folder);
	CHECK(!symlink("tgrun-x", path));
	snprintf(path, sizeof(path), "%s/self", folder);
	CHECK(!mkdir(path, 0700));
	/* Somebody says that this is cgroup2. */
	snprintf(mounts, sizeof(mounts), "30 24 0:26 / %s rw - cgroup2 none rw\n", folder);
	put("self/mountinfo", mounts);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		CHECK(!strcmp(said_of(names[i], "/proc"), why));
		CHECK(!strcmp(said_of(names[i], folder), why));
	}
	CHECK(strstr(why, "no cgroup v2"));
	CHECK(owner_open("/sys/fs/cgroup", 0, "/proc", &why) < 0);
}

static int root_for(const char *mounts, const char *path, char root[PATH_MAX])
{
	char file[256];

	put("mountinfo", mounts);
	snprintf(file, sizeof(file), "%s/mountinfo", folder);
	return cgroup_find_root(file, path, root);
}

static int root_of(const char *mounts, char root[PATH_MAX])
{
	return root_for(mounts, NULL, root);
}

static void of_two_mounts_it_is_the_one_that_the_path_is_in(void)
{
	static const char mounts[] = "30 24 0:26 / /a rw - cgroup2 cgroup2 rw\n"
				     "31 24 0:26 / /a/b rw - cgroup cgroup rw,cpu\n"
				     "32 24 0:26 / /b rw - cgroup2 cgroup2 rw\n";
	char root[PATH_MAX];

	CHECK(!root_for(mounts, "/b/x", root) && !strcmp(root, "/b"));
	CHECK(!root_for(mounts, "/a/b/x", root) && !strcmp(root, "/a"));
	CHECK(root_for(mounts, "/bb/x", root) == -ENOENT);
	CHECK(root_for(mounts, "/b", root) == -ENOENT);
	CHECK(root_for(mounts, "/c/b/x", root) == -ENOENT);
}

static void cgroup2_is_found_wherever_it_is_mounted(void)
{
	char root[PATH_MAX];

	CHECK(!root_of("22 1 0:21 / / rw - ext4 /dev/sda rw\n"
		       "30 24 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n", root) &&
	      !strcmp(root, "/sys/fs/cgroup"));
	CHECK(!root_of("29 24 0:25 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
		       "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 none rw\n", root) &&
	      !strcmp(root, "/sys/fs/cgroup/unified"));
	CHECK(!root_of("41 31 0:38 / /a\\040b\\134c rw - cgroup2 none rw\n", root) &&
	      !strcmp(root, "/a b\\c"));
	CHECK(root_of("29 24 0:25 / /cgroup2 rw - cgroup cgroup2 rw,cpu\n", root) == -ENOENT);
	CHECK(root_of("", root) == -ENOENT);
	CHECK(root_of(" - cgroup2 \n", root) == -ENOENT);
}

static const struct tap_case cases[] = {
	{ "only_paths_that_tgrun_makes_are_taken", only_paths_that_tgrun_makes_are_taken },
	{ "a_process_is_his_who_runs_it_alone", a_process_is_his_who_runs_it_alone },
	{ "every_process_in_it_has_to_be_his", every_process_in_it_has_to_be_his },
	{ "nobody_learns_what_there_is_elsewhere", nobody_learns_what_there_is_elsewhere },
	{ "cgroup2_is_found_wherever_it_is_mounted", cgroup2_is_found_wherever_it_is_mounted },
	{ "of_two_mounts_it_is_the_one_that_the_path_is_in",
	  of_two_mounts_it_is_the_one_that_the_path_is_in },
};

int main(void)
{
	char command[64];
	int status;

	if (!mkdtemp(folder))
		return 1;
	status = tap_run(cases, sizeof(cases) / sizeof(cases[0]));
	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command) || status;
}
