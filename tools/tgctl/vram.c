// SPDX-License-Identifier: GPL-2.0-or-later
/* tgctl vram: who has reserved how much video memory, who waits for it, and how it is given. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "device.h"
#include "object.h"
#include "print.h"
#include "text.h"

static bool json;
static struct timegraph_vram_set change = { .gpu = TIMEGRAPH_ALL_GPUS };

/* The number of which @word says @value. */
static bool take_word(const char *(*word)(unsigned int), const char *value, uint32_t *to)
{
	for (*to = 0; strcmp(word(*to), "?"); ++*to)
		if (!strcmp(word(*to), value))
			return true;
	return false;
}

static bool take_policy(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	(void)opt;
	(void)err;
	change.fields |= TIMEGRAPH_VRAM_SET_POLICY;
	return take_word(text_vram_policy, value, &change.policy);
}

static bool take_beyond(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	(void)opt;
	(void)err;
	change.fields |= TIMEGRAPH_VRAM_SET_BEYOND;
	return take_word(text_vram_beyond, value, &change.beyond);
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
	       text_vram_policy(v->policy), text_vram_beyond(v->beyond), aging);
	print_accounts(stdout, l, now);
}

static int show_gpu(int fd, uint32_t gpu, uint64_t now, struct json *j)
{
	struct timegraph_vram_accounts l = { 0 };
	struct timegraph_vram v;
	int ret = timegraph_get_vram(fd, gpu, &v);

	if (!ret)
		ret = timegraph_list_vram(fd, gpu, &l);
	if (!ret && json)
		object_vram(j, NULL, &v, &l);
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
