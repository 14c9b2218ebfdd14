// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tgchrt POLICY NUMBER TID: gives a thread a place on the CPU, as chrt(1) and renice(1) do.
 * tgchrt POLICY NUMBER 0 PROGRAM…: itself, and then runs the program.
 *
 * POLICY is fifo or rr, with a priority; other or batch, with a nice value; idle or
 * deadline, with any number.
 */
#include <linux/sched.h>
#include <linux/types.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* <linux/sched/types.h>, which glibc's <sched.h> collides with. */
struct attr {
	__u32 size;
	__u32 policy;
	__u64 flags;
	__s32 nice;
	__u32 priority;
	__u64 runtime, deadline, period;
};

static const struct {
	const char *name;
	__u32 policy;
} policies[] = {
	{ "other", SCHED_NORMAL }, { "fifo", SCHED_FIFO }, { "rr", SCHED_RR },
	{ "batch", SCHED_BATCH }, { "idle", SCHED_IDLE }, { "deadline", SCHED_DEADLINE },
};

static int fill(struct attr *a, const char *name, int number)
{
	size_t i = 0;

	while (i < sizeof(policies) / sizeof(*policies) && strcmp(policies[i].name, name))
		i++;
	if (i == sizeof(policies) / sizeof(*policies))
		return -1;
	a->policy = policies[i].policy;
	if (a->policy == SCHED_FIFO || a->policy == SCHED_RR)
		a->priority = (__u32)number;
	else
		a->nice = number;
	if (a->policy == SCHED_DEADLINE) {
		a->runtime = 10000000;
		a->deadline = a->period = 100000000;
	}
	return 0;
}

int main(int argc, char **argv)
{
	struct attr a = { .size = sizeof(a) };
	int tid;

	if (argc < 4 || fill(&a, argv[1], atoi(argv[2]))) {
		fputs("usage: tgchrt other|batch|fifo|rr|idle|deadline NUMBER TID|0 [PROGRAM...]\n", stderr);
		return 2;
	}
	tid = atoi(argv[3]);
	if (syscall(SYS_sched_setattr, tid, &a, 0)) {
		perror("tgchrt");
		return 1;
	}
	if (argc == 4)
		return 0;
	execvp(argv[4], argv + 4);
	perror(argv[4]);
	return 127;
}
