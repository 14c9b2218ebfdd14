// SPDX-License-Identifier: GPL-2.0-or-later
/* tgpolicy eject, new. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <drm/timegraph_policy.h>

#include "state.h"
#include "tgpolicy.h"

static bool is_name(const char *s)
{
	size_t len = strlen(s);

	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && *s != '_' && *s != '-')
			return false;
	return len && len < TIMEGRAPH_POLICY_NAME_LEN;
}

static int bad_name(const char *name)
{
	fprintf(stderr, "tgpolicy: '%s': a name has 1 to 15 letters, digits, '_' or '-'\n", name);
	return TGPOLICY_USAGE;
}

static int run_eject(const struct command *cmd, int n, char **args)
{
	char words[64], pin[128];
	int fd, err = 0;

	if (!is_name(args[0]))
		return bad_name(args[0]);
	fd = open(STATE_CONTROL, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return no_module(errno);
	snprintf(words, sizeof(words), "eject %s", args[0]);
	if (write(fd, words, strlen(words)) < 0)
		err = errno;
	close(fd);
	/* What is left of it, ejected or not. */
	pin_path(pin, sizeof(pin), args[0]);
	if (!unlink(pin) && err == ENOENT)
		err = 0;
	if (!err)
		return TGPOLICY_OK;
	fprintf(stderr, "tgpolicy: %s: %s\n", args[0],
		err == ENOENT ? "no such policy is loaded" : strerror(err));
	return TGPOLICY_REFUSED;
}

const struct command tgpolicy_eject = {
	.cli = {
		.who = "tgpolicy eject",
		.about =
		"usage: tgpolicy eject NAME\n"
		"\n"
		"Takes a policy out.  Its GPUs are ordered by FQ from then on; no group is lost.  The\n"
		"module can be removed some tenths of a second later.\n"
		"\n",
		.min_args = 1, .max_args = 1,
		.args_wanted = "it takes a name",
		.notes = "\nExit status: as of tgpolicy.\n",
	},
	.summary = "take a policy out",
	.run = run_eject,
};

/*
 * What compiles it; %1$s is the name, %2$s the machine: <linux/types.h> includes files of
 * its folder, and a compiler for another machine does not look there.
 */
#define COMPILE \
	"clang -target bpf -mcpu=v3 -O2 -g %3$s" \
	" -I/usr/include/%2$s-linux-gnu -c %1$s.c -o %1$s.bpf.o\n"

/* The body; %3$s is where headers are, %4$s the name as a word of C. */
static const char template[] =
	"// SPDX-License-Identifier: GPL-2.0-or-later\n"
	"/*\n"
	" * %1$s: who has had least goes first.\n"
	" *\n"
	" *	" COMPILE
	" *	tgpolicy load ./%1$s.bpf.o\n"
	" *\n"
	" * or, to try it first:\n"
	" *\n"
	" *	cc -shared -fPIC -O2 %3$s -o %1$s.so %1$s.c\n"
	" *	tgsim --policy ./%1$s.so SCENARIO\n"
	" */\n"
	"#include <timegraph_policy.h>\n"
	"\n"
	"/* Kept for each task, 0 when it comes: up to 64 bytes. */\n"
	"struct account {\n"
	"	__u64 had_ns;\n"
	"};\n"
	"\n"
	"/* Kept for each GPU: what who started last had had. */\n"
	"struct clock {\n"
	"	__u64 at_ns;\n"
	"};\n"
	"\n"
	"/* A group begins to wait: of all who wait the smallest key goes first. */\n"
	"TG_OP(__u64, %4$s_enqueue, struct timegraph_policy_gpu *gpu,\n"
	"      const struct timegraph_policy_group *group)\n"
	"{\n"
	"	struct account *a = (void *)timegraph_policy_task_data(gpu, group->task, sizeof(*a));\n"
	"	struct clock *c = (void *)timegraph_policy_gpu_data(gpu, sizeof(*c));\n"
	"\n"
	"	if (!a || !c)\n"
	"		return 0;\n"
	"	/* Who comes late is not before all others until it has had as much. */\n"
	"	if (a->had_ns < c->at_ns)\n"
	"		a->had_ns = c->at_ns;\n"
	"	return a->had_ns;\n"
	"}\n"
	"\n"
	"/* A group goes to the GPU. */\n"
	"TG_OP(void, %4$s_started, struct timegraph_policy_gpu *gpu,\n"
	"      const struct timegraph_policy_group *group)\n"
	"{\n"
	"	struct account *a = (void *)timegraph_policy_task_data(gpu, group->task, sizeof(*a));\n"
	"	struct clock *c = (void *)timegraph_policy_gpu_data(gpu, sizeof(*c));\n"
	"\n"
	"	if (a && c && c->at_ns < a->had_ns)\n"
	"		c->at_ns = a->had_ns;\n"
	"}\n"
	"\n"
	"/* A group has left the GPU: what it took is known now. */\n"
	"TG_OP(void, %4$s_complete, struct timegraph_policy_gpu *gpu,\n"
	"      const struct timegraph_policy_group *group)\n"
	"{\n"
	"	struct account *a = (void *)timegraph_policy_task_data(gpu, group->task, sizeof(*a));\n"
	"\n"
	"	if (!a)\n"
	"		return;\n"
	"	a->had_ns += group->cost_ns;\n"
	"	/* One that waits already was given a key before this was known. */\n"
	"	timegraph_policy_set_key(gpu, group->task, a->had_ns);\n"
	"}\n"
	"\n"
	"TG_POLICY(.name = \"%1$s\", .enqueue = (void *)%4$s_enqueue,\n"
	"	  .started = (void *)%4$s_started, .complete = (void *)%4$s_complete);\n";

static const char *tree;

static const struct cli_opt new_opts[] = {
	{ "tree", cli_text, &tree, "DIR", "headers of timegraph's source, which is there, not those installed", 't' },
	{ 0 }
};

/* What -I is to name. */
static bool find_headers(char *out, size_t size)
{
	char *path = tree ? realpath(tree, NULL) : NULL;
	int len;

	if (!tree) {
		snprintf(out, size, "-I%s", TGPOLICY_INCLUDE);
		return true;
	}
	len = path ? snprintf(out, size, "-I%s/tools/tgpolicy/include -I%s/include/uapi", path,
			      path) : -1;
	free(path);
	return len >= 0 && (size_t)len < size;
}

/* A file that is there stays. */
static int run_new(const struct command *cmd, int n, char **args)
{
	char file[64], word[TIMEGRAPH_POLICY_NAME_LEN], headers[8300];
	struct utsname machine;
	FILE *f;

	if (!find_headers(headers, sizeof(headers))) {
		fprintf(stderr, "tgpolicy: %s: %s\n", tree, strerror(errno));
		return TGPOLICY_REFUSED;
	}
	if (!is_name(args[0]) || isdigit((unsigned char)args[0][0]))
		return bad_name(args[0]);
	snprintf(word, sizeof(word), "%s", args[0]);
	for (char *c = word; *c; c++)
		if (*c == '-')
			*c = '_';
	snprintf(file, sizeof(file), "%s.c", args[0]);
	f = fopen(file, "wxe");
	if (!f) {
		fprintf(stderr, "tgpolicy: %s: %s\n", file, strerror(errno));
		return TGPOLICY_REFUSED;
	}
	uname(&machine);
	fprintf(f, template, args[0], machine.machine, headers, word);
	if (fclose(f)) {
		fprintf(stderr, "tgpolicy: %s: %s\n", file, strerror(errno));
		return TGPOLICY_REFUSED;
	}
	printf(COMPILE, args[0], machine.machine, headers);
	return TGPOLICY_OK;
}

const struct command tgpolicy_new = {
	.cli = {
		.who = "tgpolicy new",
		.about =
		"usage: tgpolicy new [--tree DIR] NAME\n"
		"\n"
		"Writes NAME.c, a policy to begin with, and prints the command that compiles it, by\n"
		"the headers that are installed, or those in a tree of timegraph's source.\n"
		"\n",
		.opts = { new_opts },
		.min_args = 1, .max_args = 1,
		.args_wanted = "it takes a name",
		.notes = "\nExit status: as of tgpolicy.\n",
	},
	.summary = "write a policy to begin with",
	.run = run_new,
};
