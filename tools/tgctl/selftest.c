// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tgctl selftest: what works on this machine, step by step, each tried rather than looked
 * up where that can be.  Nothing lasts: the channel that it makes ends with it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "channel.h"
#include "clock.h"
#include "device.h"
#include "failure.h"
#include "json.h"
#include "text.h"

/* Fewer than a task has before its groups are known: each asks for its turn. */
#define GROUPS 12
#define WAIT_NS 2000000000ULL
/* Who may not see others sees counters that are half a second old, at most. */
#define COUNTERS_NS 700000000ULL

enum result { WORKS, WEAK, FAILED, SKIPPED, RESULTS };

static const char *const result_word[RESULTS] = { "ok", "weak", "FAILED", "skipped" };

#define TEXT_MAX 512

/**
 * struct selftest - a run
 * @snap: read last
 * @gpu: the device whose steps these are, or NULL
 * @node: its render node
 * @before: what its counters were before there was a channel
 * @counted_ns: when all groups had been counted
 * @text: what the step that runs has found
 * @n: steps by result
 */
struct selftest {
	int fd;
	bool json;
	struct json out;
	struct timegraph_snapshot snap;
	const char *gpu;
	const char *node;
	struct timegraph_gpu before;
	uint64_t counted_ns;
	char text[TEXT_MAX];
	unsigned int n[RESULTS];
};

static enum result __attribute__((format(printf, 3, 4)))
say(struct selftest *st, enum result result, const char *fmt, ...)
{
	char raw[TEXT_MAX];
	va_list args;

	va_start(args, fmt);
	vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	text_safe(st->text, sizeof(st->text), raw, sizeof(st->text));
	return result;
}

static void report(struct selftest *st, const char *name, enum result result, uint64_t ns)
{
	char took[TEXT_BYTES];

	st->n[result]++;
	if (!st->json) {
		printf("%-8s%-11s %s (%s)\n", result_word[result], name, st->text,
		       text_short(took, (int64_t)ns));
		fflush(stdout);
		return;
	}
	json_open(&st->out, NULL, '{');
	json_string(&st->out, "name", name);
	json_string(&st->out, "gpu", st->gpu);
	json_string(&st->out, "result", result == FAILED ? "failed" : result_word[result]);
	json_string(&st->out, "text", st->text);
	json_uint(&st->out, "took_ns", ns);
	json_close(&st->out, '}');
}

/**
 * struct step - one thing that is tried
 * @try: what comes of it, said by say(); @c is the GPU's channel
 */
struct step {
	const char *name;
	enum result (*try)(struct selftest *st, struct channel *c);
};

/* Whether what needs it can be tried. */
static bool run_step(struct selftest *st, const struct step *step, struct channel *c)
{
	uint64_t begin = now_ns();
	enum result result = step->try(st, c);

	report(st, step->name, result, now_ns() - begin);
	return result == WORKS || result == WEAK;
}

/*
 * The module.
 */

static enum result try_module(struct selftest *st, struct channel *c)
{
	const struct timegraph_caps *caps = &st->snap.caps;
	int ret = timegraph_snapshot(st->fd, &st->snap);

	if (ret)
		return say(st, FAILED, "%s", strerror(-ret));
	if (caps->abi_version != TIMEGRAPH_ABI_VERSION)
		return say(st, WEAK, "timegraph %.*s, interface %u; of this tgctl: %u",
			   TIMEGRAPH_COMM_LEN, caps->version, caps->abi_version,
			   TIMEGRAPH_ABI_VERSION);
	return say(st, WORKS, "timegraph %.*s, interface %u", TIMEGRAPH_COMM_LEN, caps->version,
		   caps->abi_version);
}

static enum result try_hooks(struct selftest *st, struct channel *c)
{
	const char *how = st->snap.caps.attached;

	if (access("/sys/module/nouveau", F_OK))
		return say(st, FAILED, "nouveau is not loaded: 'modprobe nouveau'");
	if (!strncmp(how, "not attached", strlen("not attached")))
		return say(st, FAILED, "%s", how);
	if (!how[0])
		return say(st, WEAK, "this module does not tell");
	return say(st, strchr(how, ',') ? WEAK : WORKS, "attached to nouveau: %s", how);
}

/* The module looks at them when a channel is made, so behind the GPUs. */
static enum result try_files(struct selftest *st, struct channel *c)
{
	const struct timegraph_config *config = &st->snap.config;
	int ret = timegraph_snapshot(st->fd, &st->snap);

	if (ret)
		return say(st, FAILED, "%s", strerror(-ret));
	if (config->spec_refusal[0] || config->ac_refusal[0])
		return say(st, FAILED, "refused, the last good one is in force: %s",
			   config->spec_refusal[0] ? config->spec_refusal : config->ac_refusal);
	return say(st, config->flags & TIMEGRAPH_CONFIG_SLOW ? WEAK : WORKS,
		   "%s: %u entr%s in force, admission up to %u %%%s", config->spec_path,
		   config->nr_entries, config->nr_entries == 1 ? "y" : "ies",
		   config->limit_percent,
		   config->flags & TIMEGRAPH_CONFIG_SLOW ? "; the files do not answer" : "");
}

/* A GPU that there is not: who may stop scheduling is told so, who may not is refused before. */
#define NO_GPU (TIMEGRAPH_ALL_GPUS - 1)

/* Writing to the node is for who follows the focus; what else is allowed goes by who asks. */
static enum result try_rights(struct selftest *st, struct channel *c)
{
	int fd = timegraph_open(O_RDWR), ret;

	if (failure_is_denial(fd))
		return say(st, WEAK, "you may look; tgfocus takes the permission of "
			   TIMEGRAPH_DEVICE ", the rest root");
	if (fd < 0)
		return say(st, FAILED, "%s", strerror(-fd));
	ret = timegraph_set_bypass(fd, NO_GPU, 0);
	timegraph_close(fd);
	if (ret == -ENXIO)
		return say(st, WORKS, "everything");
	return say(st, WORKS, "to look, to follow the focus, to lower your own; the rest takes root");
}

/*
 * The desktop, by tgfocus itself.
 */

/* The last line that it prints, of either stream: before it come backends that cannot. */
static int ask_tgfocus(char *line, int size)
{
	FILE *f = popen("exec timeout 5 tgfocus --once 2>&1", "r");
	int status;

	line[0] = '\0';
	if (!f)
		return -1;
	while (fgets(line, size, f))
		line[strcspn(line, "\n")] = '\0';
	status = pclose(f);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static enum result try_focus(struct selftest *st, struct channel *c)
{
	char line[256];

	if (!getenv("DISPLAY") && !getenv("WAYLAND_DISPLAY"))
		return say(st, SKIPPED, "neither DISPLAY nor WAYLAND_DISPLAY: run it as the "
			   "desktop's user");
	switch (ask_tgfocus(line, sizeof(line))) {
	case 0:
		return say(st, WORKS, "tgfocus sees in the foreground: %s", line);
	case 3:
		return say(st, WORKS, "tgfocus can ask the desktop; %s", line);
	case 127:
		return say(st, SKIPPED, "tgfocus cannot be run: %s", line);
	default:
		return say(st, WEAK, "%s", line[0] ? line : "tgfocus does not end");
	}
}

/*
 * A GPU.
 */

/* As it was when @snap was read, or NULL. */
static const struct timegraph_gpu_state *find_gpu(const struct timegraph_snapshot *snap,
						  const char *name)
{
	for (uint32_t i = 0; i < snap->nr_gpus; i++)
		if (!strcmp(snap->gpus[i].gpu.name, name))
			return &snap->gpus[i];
	return NULL;
}

static const struct timegraph_task *find_self(const struct timegraph_gpu_state *g)
{
	for (uint32_t i = 0; g && i < g->tasks.count; i++)
		if (g->tasks.item[i].pid == getpid())
			return &g->tasks.item[i];
	return NULL;
}

static enum result try_channel(struct selftest *st, struct channel *c)
{
	int ret = channel_open(c, st->node);

	if (failure_is_denial(ret))
		return say(st, FAILED, "you may not open %s: its group, often 'render', may",
			   st->node);
	if (ret == -ENOENT)
		return say(st, SKIPPED, "there is no %s here", st->node);
	if (ret == -EOPNOTSUPP)
		return say(st, SKIPPED, "a card before Tesla (GeForce 8) takes other groups");
	if (ret)
		return say(st, FAILED, "nouveau makes no channel on %s: %s", st->node,
			   strerror(-ret));
	return say(st, WORKS, "nouveau made one on %s", st->node);
}

static bool is_counted(const struct timegraph_gpu_state *g)
{
	const struct timegraph_task *t = find_self(g);

	return t && (t->groups >= GROUPS || g->gpu.bypass);
}

/* Some of the counting comes after the end of a group. */
static int wait_until_counted(struct selftest *st)
{
	uint64_t end = now_ns() + WAIT_NS;
	int ret;

	do
		ret = timegraph_snapshot(st->fd, &st->snap);
	while (!ret && !is_counted(find_gpu(&st->snap, st->gpu)) && now_ns() < end &&
	       !usleep(1000));
	st->counted_ns = now_ns();
	return ret;
}

static int send_groups(struct channel *c)
{
	int ret = 0;

	for (int i = 0; i < GROUPS && !ret; i++) {
		ret = channel_submit(c);
		if (!ret)
			ret = channel_wait(c, WAIT_NS);
	}
	return ret;
}

static enum result try_groups(struct selftest *st, struct channel *c)
{
	const struct timegraph_gpu_state *g;
	const struct timegraph_task *t;
	char wait[TEXT_BYTES];
	int ret = send_groups(c);

	if (ret)
		return say(st, FAILED, "the GPU does not take, or does not end, a group that does "
			   "nothing: %s", strerror(-ret));
	ret = wait_until_counted(st);
	if (ret)
		return say(st, FAILED, "%s", strerror(-ret));
	g = find_gpu(&st->snap, st->gpu);
	t = find_self(g);
	if (g && g->gpu.bypass)
		return say(st, FAILED, "not scheduled: %s", text_bypass(g->gpu.bypass));
	if (!t)
		return say(st, FAILED, "nouveau took them, and the module has not seen any");
	if (t->groups < GROUPS)
		return say(st, FAILED, "the module has seen the end of %" PRIu64 " of %d",
			   (uint64_t)t->groups, GROUPS);
	return say(st, WORKS, "%d that do nothing were scheduled (%s); longest wait %s", GROUPS,
		   text_policy(t->policy), text_short(wait, (int64_t)t->wait_max_ns));
}

/*
 * The GPU with counters that are not older than @since, or the last that could be had; NULL
 * if there is none.
 */
static const struct timegraph_gpu *look_since(struct selftest *st, uint64_t since)
{
	uint64_t end = now_ns() + COUNTERS_NS;
	const struct timegraph_gpu_state *g;

	do
		g = timegraph_snapshot(st->fd, &st->snap) ? NULL : find_gpu(&st->snap, st->gpu);
	while (g && g->gpu.now_ns < since && now_ns() < end && !usleep(10000));
	return g ? &g->gpu : NULL;
}

static enum result try_completion(struct selftest *st, struct channel *c)
{
	const struct timegraph_gpu *g = look_since(st, st->counted_ns);
	const char *mode = text_completion(&st->snap.caps);

	if (!g)
		return say(st, FAILED, "the GPU or the module went");
	if (g->recovered > st->before.recovered)
		return say(st, WEAK, "%" PRIu64 " interrupts were lost on this GPU meanwhile; "
			   "polling found the ends",
			   (uint64_t)(g->recovered - st->before.recovered));
	if (g->notify_channels > st->before.notify_channels)
		return say(st, WORKS, "by NOTIFY, an interrupt of the GPU's (completion=%s)",
			   mode ? mode : "?");
	if (g->fence_channels > st->before.fence_channels)
		return say(st, WEAK, "by nouveau's fences: %s", g->fence_why);
	return say(st, WEAK, "the module does not tell how it learns groups' ends");
}

/* Counters are of the whole GPU: whose groups they are is not told. */
static enum result try_stamps(struct selftest *st, struct channel *c)
{
	const struct timegraph_gpu_state *g = find_gpu(&st->snap, st->gpu);
	const struct timegraph_task *t = find_self(g);
	uint64_t stamped, unstamped;
	char mean[TEXT_BYTES];

	if (!t)
		return say(st, FAILED, "the GPU or the module went");
	stamped = g->gpu.stamped - st->before.stamped;
	unstamped = g->gpu.unstamped - st->before.unstamped;
	text_short(mean, (int64_t)(t->gpu_ns / t->groups));
	return say(st, stamped > unstamped ? WORKS : WEAK,
		   "%" PRIu64 " of %" PRIu64 " groups were charged by the GPU's clock; own: %s each",
		   stamped, stamped + unstamped, mean);
}

static const struct step machine_steps[] = {
	{ "hooks", try_hooks },
	{ "rights", try_rights },
	{ "focus", try_focus },
};

/* Each needs the one before it. */
static const struct step gpu_steps[] = {
	{ "channel", try_channel },
	{ "groups", try_groups },
	{ "completion", try_completion },
	{ "stamps", try_stamps },
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void remember_counters(struct selftest *st)
{
	const struct timegraph_gpu *g = look_since(st, now_ns());

	st->before = g ? *g : (struct timegraph_gpu){ 0 };
}

static void run_gpu(struct selftest *st)
{
	struct channel c = { .fd = -1 };
	bool works = true;

	if (!st->json)
		printf("\nGPU %s\n", st->gpu);
	remember_counters(st);
	for (size_t i = 0; i < COUNT(gpu_steps); i++) {
		if (works) {
			works = run_step(st, &gpu_steps[i], &c);
		} else {
			say(st, SKIPPED, "needs the one above");
			report(st, gpu_steps[i].name, SKIPPED, 0);
		}
	}
	channel_close(&c);
}

static void run_gpus(struct selftest *st)
{
	char path[CHANNEL_PATH_BYTES], bus[CHANNEL_PATH_BYTES];
	unsigned int n;

	st->gpu = bus;
	st->node = path;
	for (n = 0; channel_node(n, path, bus); n++)
		run_gpu(st);
	st->gpu = NULL;
	if (n && !st->json)
		putchar('\n');
	if (!n) {
		say(st, FAILED, "nouveau drives no GPU");
		report(st, "channel", FAILED, 0);
	}
}

static void run_steps(struct selftest *st)
{
	static const struct step first = { "module", try_module };
	static const struct step last = { "files", try_files };

	if (!run_step(st, &first, NULL))
		return;
	for (size_t i = 0; i < COUNT(machine_steps); i++)
		run_step(st, &machine_steps[i], NULL);
	run_gpus(st);
	run_step(st, &last, NULL);
}

static void conclude(const struct selftest *st)
{
	unsigned int works = st->n[WORKS] + st->n[WEAK];

	printf("\n%u of %u work", works, works + st->n[FAILED]);
	if (st->n[WEAK])
		printf(", %u of them less well than could be", st->n[WEAK]);
	if (st->n[SKIPPED])
		printf("; %u could not be tried", st->n[SKIPPED]);
	putchar('\n');
}

static bool json;

static const struct cli_opt opts[] = {
	{ "json", cli_flag, &json, NULL, "the same as JSON; times in nanoseconds", 'j' },
	{ 0 }
};

static int run(const struct command *cmd, int n, char **args)
{
	struct selftest st = {
		.fd = device_open(O_RDONLY),
		.json = json,
		.out = { .out = stdout },
	};

	if (st.fd < 0)
		return -st.fd;
	if (json) {
		json_open(&st.out, NULL, '{');
		json_open(&st.out, "steps", '[');
	}
	run_steps(&st);
	if (json) {
		json_close(&st.out, ']');
		json_bool(&st.out, "works", !st.n[FAILED]);
		json_close(&st.out, '}');
	} else {
		conclude(&st);
	}
	timegraph_snapshot_free(&st.snap);
	timegraph_close(st.fd);
	return st.n[FAILED] ? TGCTL_REFUSED : TGCTL_OK;
}

const struct command tgctl_selftest = {
	.cli = {
		.who = "tgctl selftest",
		.about =
		"usage: tgctl selftest [--json]\n"
		"\n"
		"Tries on this machine, in some seconds, what timegraph needs: the module, its\n"
		"hooks in nouveau, your rights, the desktop; on each GPU a channel, 12 groups\n"
		"that do nothing, how their ends are learnt, by which clock they are charged; the\n"
		"files in force.  Nothing of it lasts.  A GPU that hangs takes half a minute.\n"
		"\n",
		.opts = { opts },
		.args_wanted = "it takes no arguments",
		.notes =
		"\n"
		"ok: it works; weak: it works, less well than could be; FAILED: it does not;\n"
		"skipped: it could not be tried.  The time that each took stands behind it.\n"
		"\n"
		"Exit status: 0 nothing failed; 1 something did; 2 wrong usage; 3 the module is\n"
		"not loaded; 4 no right to open /dev/timegraph.\n",
	},
	.summary = "what works on this machine, step by step",
	.run = run,
};
