// SPDX-License-Identifier: GPL-2.0-or-later
/* tgpolicy load. */
#include <errno.h>
#include <linux/magic.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <drm/timegraph_policy.h>

#include "tgpolicy.h"

static bool verbose, stay;
static uint64_t gpu = UINT64_MAX;

static const struct cli_opt load_opts[] = {
	{ "gpu", cli_uint, &gpu, "N", "for this GPU alone", 'g', .max = UINT32_MAX - 1 },
	{ "no-choose", cli_flag, &stay, NULL, "only load it: no GPU is ordered by it yet", 'n' },
	{ "verbose", cli_flag, &verbose, NULL, "all that the kernel says of it", 'v' },
	{ 0 }
};

#ifdef TGPOLICY_LIBBPF
#include <bpf/bpf.h>
#include <bpf/libbpf.h>

/* What libbpf says, and the verifier by it: to be shown if it goes wrong. */
static struct {
	char *text;
	size_t len;
} said;

static int keep(enum libbpf_print_level level, const char *fmt, va_list args)
{
	char *line, *text;
	int len;

	if (level == LIBBPF_DEBUG && !verbose)
		return 0;
	len = vasprintf(&line, fmt, args);
	if (len < 0)
		return 0;
	text = realloc(said.text, said.len + len + 1);
	if (text) {
		said.text = text;
		memcpy(text + said.len, line, len + 1);
		said.len += len;
	}
	free(line);
	return len;
}

/* The end of it says why. */
#define SAID_LINES 24

static void print_said(void)
{
	const char *from = said.text ? said.text + said.len : NULL;
	int lines = 0;

	if (!from)
		return;
	while (from > said.text && (verbose || lines <= SAID_LINES))
		lines += *--from == '\n';
	fprintf(stderr, "%s", from > said.text ? from + 1 : from);
}

static int refused(const char *file, const char *what, int err)
{
	print_said();
	fprintf(stderr, "tgpolicy: %s: %s: %s\n", file, what, strerror(err));
	if (err == ESRCH || err == ENOENT)
		fprintf(stderr, "tgpolicy: does the module take policies? see 'tgpolicy list'\n");
	return err == EPERM || err == EACCES ? TGPOLICY_DENIED : TGPOLICY_REFUSED;
}

/* Who can write there could put another policy in the place of one, or keep it. */
static int check_pin_folder(void)
{
	struct stat st;

	if (lstat(PIN_FOLDER, &st))
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return -ENOTDIR;
	return st.st_uid || st.st_mode & (S_IWGRP | S_IWOTH) ? -EPERM : 0;
}

/* systemd mounts it; a small system may not have. */
static int make_pin_folder(void)
{
	struct statfs fs;

	if (statfs("/sys/fs/bpf", &fs))
		return -errno;
	if (fs.f_type != BPF_FS_MAGIC && mount("bpf", "/sys/fs/bpf", "bpf", 0, "mode=0700"))
		return -errno;
	if (!mkdir(PIN_FOLDER, 0700))
		return 0;
	return errno == EEXIST ? check_pin_folder() : -errno;
}

static struct bpf_map *find_policy(struct bpf_object *obj)
{
	struct bpf_map *map;

	bpf_object__for_each_map(map, obj)
		if (bpf_map__type(map) == BPF_MAP_TYPE_STRUCT_OPS)
			return map;
	return NULL;
}

/* As the source says: the kernel takes it from there too. */
static bool take_name(struct bpf_map *map, char name[TIMEGRAPH_POLICY_NAME_LEN])
{
	size_t size;
	const struct timegraph_policy_ops *ops = bpf_map__initial_value(map, &size);

	if (!ops || size < sizeof(*ops))
		return false;
	memcpy(name, ops->name, TIMEGRAPH_POLICY_NAME_LEN);
	return memchr(name, 0, TIMEGRAPH_POLICY_NAME_LEN);
}

static int attach(const char *file, struct bpf_map *map)
{
	char name[TIMEGRAPH_POLICY_NAME_LEN], pin[128];
	struct bpf_link *link;
	int ret;

	if (!take_name(map, name))
		return refused(file, "its name is too long", EINVAL);
	ret = make_pin_folder();
	if (ret)
		return refused(file, PIN_FOLDER, -ret);
	link = bpf_map__attach_struct_ops(map);
	if (!link)
		return refused(file, errno == EEXIST ? "a policy of that name is there" :
						       "loading it", errno);
	pin_path(pin, sizeof(pin), name);
	/* What one that was ejected left. */
	unlink(pin);
	ret = bpf_link__pin(link, pin);
	if (!ret && !stay)
		ret = choose(name, gpu == UINT64_MAX ? -1 : (int64_t)gpu);
	if (ret) {
		unlink(pin);
		bpf_link__destroy(link);
		return refused(file, "choosing it", -ret);
	}
	bpf_link__disconnect(link);
	bpf_link__destroy(link);
	printf("%s\n", name);
	return TGPOLICY_OK;
}

static int load(const char *file)
{
	struct bpf_object *obj;
	struct bpf_map *map;
	int ret;

	libbpf_set_print(keep);
	obj = bpf_object__open_file(file, NULL);
	if (!obj)
		return refused(file, "opening it", errno);
	map = find_policy(obj);
	if (!map)
		ret = refused(file, "there is no policy in it", EINVAL);
	else if (bpf_object__load(obj))
		ret = refused(file, "the kernel refuses it (what timegraph has against it stands in its log: dmesg)",
			      errno);
	else
		ret = attach(file, map);
	if (verbose && !ret)
		print_said();
	bpf_object__close(obj);
	free(said.text);
	return ret;
}
#else
static int load(const char *file)
{
	fprintf(stderr, "tgpolicy: %s: built without libbpf 1.4 or newer, it cannot load\n", file);
	return TGPOLICY_REFUSED;
}
#endif

static int run_load(const struct command *cmd, int n, char **args)
{
	char path[4096];

	if (access("/dev/timegraph", F_OK))
		return no_module(errno);
	/* A word alone is one of those that are installed. */
	if (!strchr(args[0], '/') && access(args[0], F_OK))
		snprintf(path, sizeof(path), TGPOLICY_FOLDER "/%s.bpf.o", args[0]);
	else
		snprintf(path, sizeof(path), "%s", args[0]);
	return load(path);
}

const struct command tgpolicy_load = {
	.cli = {
		.who = "tgpolicy load",
		.about =
		"usage: tgpolicy load [--gpu N] [--no-choose] [--verbose] FILE|NAME\n"
		"\n"
		"Loads a policy and has the GPUs ordered by it, then prints its name.  FILE is what\n"
		"clang made of it; a NAME is one of those in " TGPOLICY_FOLDER ".\n"
		"With --no-choose the GPUs stay as they are, but for those of which the specification\n"
		"says <gpu:0:POLICY=name:-:-::>; 'tgctl policy' chooses it later.\n"
		"It stays until it is ejected: by 'tgpolicy eject', or because it misbehaves.\n"
		"\n",
		.opts = { load_opts },
		.min_args = 1, .max_args = 1,
		.args_wanted = "it takes a file, or a name",
		.notes = "\nExit status: as of tgpolicy.\n",
	},
	.summary = "load a policy and have the GPUs ordered by it",
	.run = run_load,
};
