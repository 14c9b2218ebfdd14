// SPDX-License-Identifier: GPL-2.0-or-later
/* tgctl vram: who has reserved how much video memory, who waits for it, and how it is given. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "device.h"
#include "object.h"
#include "text.h"

static const char *const policy_word[] = {
	[TIMEGRAPH_VRAM_FIFO] = "fifo",
	[TIMEGRAPH_VRAM_MMU] = "mmu",
	[TIMEGRAPH_VRAM_PRIO_FIFO] = "prio-fifo",
	[TIMEGRAPH_VRAM_PRIO_MMU] = "prio-mmu",
};

static const char *const beyond_word[] = {
	[TIMEGRAPH_VRAM_SPILL] = "spill",
	[TIMEGRAPH_VRAM_REFUSE] = "refuse",
	[TIMEGRAPH_VRAM_WAIT] = "wait",
};

static const char *const why_word[] = {
	[TIMEGRAPH_VRAM_WHY_NOT] = "",
	[TIMEGRAPH_VRAM_WHY_ROOM] = "there is no room",
	[TIMEGRAPH_VRAM_WHY_TURN] = "others are before it",
	[TIMEGRAPH_VRAM_WHY_AGED] = "another has waited for too long",
};

#define NR(a) (sizeof(a) / sizeof((a)[0]))
#define WORD(words, i) ((i) < NR(words) ? (words)[i] : "?")

static bool json;
static struct timegraph_vram_set change = { .gpu = TIMEGRAPH_ALL_GPUS };

static bool take_word(const char *const *words, uint32_t n, const char *value, uint32_t *to)
{
	for (*to = 0; *to < n; ++*to)
		if (!strcmp(words[*to], value))
			return true;
	return false;
}

static bool take_policy(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	(void)opt;
	(void)err;
	change.fields |= TIMEGRAPH_VRAM_SET_POLICY;
	return take_word(policy_word, NR(policy_word), value, &change.policy);
}

static bool take_beyond(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	(void)opt;
	(void)err;
	change.fields |= TIMEGRAPH_VRAM_SET_BEYOND;
	return take_word(beyond_word, NR(beyond_word), value, &change.beyond);
}

static bool take_aging(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	uint64_t ns;

	(void)opt;
	(void)err;
	change.fields |= TIMEGRAPH_VRAM_SET_AGING;
	if (strcmp(value, "0") && !args_seconds(value, &ns))
		return false;
	change.aging_ns = strcmp(value, "0") ? ns : 0;
	return change.aging_ns <= 3600000000000ULL;
}

static bool take_gpu(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	(void)opt;
	(void)err;
	return args_number(value, TIMEGRAPH_ALL_GPUS - 1, &change.gpu);
}

static double mib(uint64_t bytes)
{
	return bytes / 1048576.0;
}

static void print_account(const struct timegraph_vram_account *a, uint64_t now)
{
	char comm[4 * TIMEGRAPH_COMM_LEN], since[TEXT_BYTES] = "-";

	if (a->state == TIMEGRAPH_VRAM_WAITING)
		text_time(since, now > a->since_ns ? now - a->since_ns : 0);
	printf("%7d %-15s %4u %9.1f %9.1f %9.1f %8s  %s\n", a->pid,
	       text_safe(comm, sizeof(comm), a->comm, sizeof(comm)), a->prio, mib(a->held),
	       mib(a->charged), mib(a->wanted), since, WORD(why_word, a->why));
}

static void print_gpu(const struct timegraph_vram *v, const struct timegraph_vram_accounts *l,
		      uint64_t now)
{
	char aging[TEXT_BYTES] = "never";

	if (v->aging_ns)
		text_time(aging, v->aging_ns);
	printf("GPU %u: %.1f MiB", v->gpu, mib(v->size));
	if (!(v->flags & TIMEGRAPH_VRAM_KEPT))
		printf(", not accounted for: nothing can be reserved");
	printf("\n  reserved %.1f, else used %.1f, older %.1f, margin %.1f, free %.1f MiB\n",
	       mib(v->held), mib(v->rest), mib(v->older), mib(v->margin), mib(v->free));
	printf("  policy %s, beyond it %s, first after waiting %s\n",
	       WORD(policy_word, v->policy), WORD(beyond_word, v->beyond), aging);
	if (l->count)
		puts("    PID TASK            PRIO  RESERVED      USED     WANTS    SINCE  WHY NOT YET");
	for (uint32_t i = 0; i < l->count; i++)
		print_account(&l->item[i], now);
}

static void object_account(struct json *j, const struct timegraph_vram_account *a)
{
	static const char *const state[] = { "none", "waiting", "held" };

	json_open(j, NULL, '{');
	json_int(j, "pid", a->pid);
	json_uint(j, "uid", a->uid);
	json_string(j, "comm", a->comm);
	json_string(j, "state", WORD(state, a->state));
	json_string(j, "why", a->why ? WORD(why_word, a->why) : NULL);
	json_uint(j, "prio", a->prio);
	json_bool(j, "by_entry", a->flags & TIMEGRAPH_VRAM_BY_ENTRY);
	json_bool(j, "foreground", a->flags & TIMEGRAPH_VRAM_FOREGROUND);
	json_uint(j, "wanted", a->wanted);
	json_uint(j, "held", a->held);
	json_uint(j, "charged", a->charged);
	json_uint(j, "since_ns", a->since_ns);
	json_uint(j, "waited_ns", a->waited_ns);
	json_uint(j, "passed", a->nr_passed);
	json_close(j, '}');
}

static void object_vram(struct json *j, const struct timegraph_vram *v,
			const struct timegraph_vram_accounts *l)
{
	json_open(j, NULL, '{');
	json_uint(j, "index", v->gpu);
	json_bool(j, "kept", v->flags & TIMEGRAPH_VRAM_KEPT);
	json_string(j, "policy", WORD(policy_word, v->policy));
	json_string(j, "beyond", WORD(beyond_word, v->beyond));
	json_uint(j, "size", v->size);
	json_uint(j, "margin", v->margin);
	json_uint(j, "older", v->older);
	json_uint(j, "held", v->held);
	json_uint(j, "rest", v->rest);
	json_uint(j, "free", v->free);
	json_uint(j, "aging_ns", v->aging_ns);
	json_uint(j, "granted", v->granted);
	json_uint(j, "refused", v->refused);
	json_uint(j, "deadlocks", v->deadlocks);
	json_open(j, "processes", '[');
	for (uint32_t i = 0; i < l->count; i++)
		object_account(j, &l->item[i]);
	json_close(j, ']');
	json_close(j, '}');
}

static int show_gpu(int fd, uint32_t gpu, uint64_t now, struct json *j)
{
	struct timegraph_vram_accounts l = { 0 };
	struct timegraph_vram v;
	int ret = timegraph_get_vram(fd, gpu, &v);

	if (!ret)
		ret = timegraph_list_vram(fd, gpu, &l);
	if (!ret && json)
		object_vram(j, &v, &l);
	else if (!ret)
		print_gpu(&v, &l, now);
	timegraph_vram_accounts_free(&l);
	return ret;
}

static int show(int fd)
{
	struct json j = { .out = stdout };
	struct timegraph_caps caps;
	int ret = timegraph_get_caps(fd, &caps);

	if (ret)
		return ret;
	if (json) {
		json_open(&j, NULL, '{');
		json_open(&j, "gpus", '[');
	}
	for (uint32_t i = 0; !ret && i < caps.nr_gpus; i++)
		if (change.gpu == TIMEGRAPH_ALL_GPUS || change.gpu == i)
			ret = show_gpu(fd, i, caps.now_ns, &j);
	if (json) {
		json_close(&j, ']');
		json_close(&j, '}');
	}
	return ret;
}

static const struct cli_opt opts[] = {
	{ "policy", take_policy, NULL, "NAME",
	  "who gets what becomes free: fifo, mmu, prio-fifo, prio-mmu", 'p',
	  "fifo, mmu, prio-fifo or prio-mmu" },
	{ "beyond", take_beyond, NULL, "WHAT",
	  "what becomes of buffers beyond a reservation: spill (into\n"
	  "system memory), refuse, wait; of all GPUs", 'b', "spill, refuse or wait" },
	{ "aging", take_aging, NULL, "S",
	  "who has waited for so long is next, up to 3600 s; 0: never", 'a',
	  "seconds, up to 3600" },
	{ "gpu", take_gpu, NULL, "N", "of this GPU alone", 'g', "a GPU's number" },
	{ "json", cli_flag, &json, NULL, "as JSON; bytes and nanoseconds", 'j' },
	{ 0 }
};

static int run(const struct command *cmd, int n, char **args)
{
	int fd = device_open(change.fields ? O_RDWR : O_RDONLY), ret;

	(void)cmd;
	(void)n;
	(void)args;
	if (fd < 0)
		return -fd;
	ret = change.fields ? timegraph_set_vram(fd, &change) : show(fd);
	timegraph_close(fd);
	return ret ? device_fail("vram", ret, change.fields ? DEVICE_ADMIN : DEVICE_LOOK) :
		     TGCTL_OK;
}

const struct command tgctl_vram = {
	.cli = {
		.who = "tgctl vram",
		.about =
		"usage: tgctl vram [OPTION]...\n"
		"\n"
		"Who has reserved how much video memory, what the others use, and who waits: for\n"
		"how long, and why not yet.  With --policy, --beyond or --aging it says how it is\n"
		"given from now on.  A program reserves by vram=256M in timegraph.spec(5), or by\n"
		"libtimegraph(3).\n"
		"\n",
		.opts = { opts },
		.notes =
		"\n"
		"Exit status: 0 done; 1 refused; 2 wrong usage; 3 the module is not loaded; 4 no\n"
		"right.\n",
	},
	.summary = "video memory: who has it, who waits for it",
	.run = run,
};
