// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tgirqs <TRACE: for how long timegraph.ko had interrupts off, by a trace of the functions
 * _raw_spin_lock_irq(), _raw_spin_lock_irqsave() and those that give back, in microseconds:
 *
 *	sections=12345 p99_us=12 longest_us=23 in=tg_gate_admit at=21.885714
 *
 * From the call that takes the first lock to the one that gives the last back.  An interrupt
 * that is seen in between, or another thread, came before that call had them off: it is from
 * then on that counts.  A function of the kernel's that has the name of one of the module's
 * counts, too.  Ends with 1 if there was none.
 */
#include <search.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CPUS 64
#define MAX_US 100000
#define NAME 128

struct event {
	unsigned int cpu;
	int pid;
	char context;
	double now;
	char function[NAME], who[NAME];
};

static struct cpu {
	unsigned int depth;
	double from;
	int pid;
	char context;	/* of the thread, or of which interrupt */
	char who[NAME];
} cpus[MAX_CPUS];

static struct {
	unsigned long nr;
	unsigned long of_us[MAX_US + 1];
	double longest, at;
	char who[NAME];
} seen;

static void *ours;

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

static bool read_names(void)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	char line[512], name[NAME], module[NAME];

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s %*s %127s %127s", name, module) == 2 &&
		    !strcmp(module, "[timegraph]") && !tsearch(strdup(name), &ours, compare))
			return false;
	return f && !fclose(f) && ours;
}

static void count(const struct cpu *c, double now)
{
	double us = (now - c->from) * 1e6;

	seen.nr++;
	seen.of_us[us < MAX_US ? (unsigned long)(us + 0.5) : MAX_US]++;
	if (us < seen.longest)
		return;
	seen.longest = us;
	seen.at = c->from;
	memcpy(seen.who, c->who, NAME);
}

static void look(const struct event *e)
{
	struct cpu *c = &cpus[e->cpu % MAX_CPUS];

	if (c->depth && (c->pid != e->pid || c->context != e->context)) {
		c->from = e->now;
		return;
	}
	if (!tfind(e->who, &ours, compare))
		return;
	if (strstr(e->function, "_lock_")) {
		if (c->depth++)
			return;
		c->from = e->now;
		c->pid = e->pid;
		c->context = e->context;
		memcpy(c->who, e->who, NAME);
	} else if (c->depth && !--c->depth) {
		count(c, e->now);
	}
}

/* comm-pid [cpu] flags time: function <-who; the third flag is the context. */
static bool parse(const char *line, struct event *e)
{
	const char *at = strstr(line, " [0"), *dash = at;
	char flags[16];

	while (dash && dash > line && *dash != '-')
		dash--;
	if (!at || sscanf(dash, "-%d", &e->pid) != 1 ||
	    sscanf(at, " [%u] %15s %lf: %127s <-%127s", &e->cpu, flags, &e->now, e->function,
		   e->who) != 5 || strlen(flags) < 3)
		return false;
	e->context = flags[2];
	return true;
}

static unsigned int percentile_us(unsigned int percent)
{
	unsigned long n = 0;
	unsigned int us = 0;

	while (us < MAX_US && (n += seen.of_us[us]) * 100 < seen.nr * percent)
		us++;
	return us;
}

int main(void)
{
	struct event e;
	char line[512];

	if (!read_names()) {
		fputs("tgirqs: no function of timegraph is in /proc/kallsyms\n", stderr);
		return 1;
	}
	while (fgets(line, sizeof(line), stdin))
		if (parse(line, &e))
			look(&e);
	printf("sections=%lu p99_us=%u longest_us=%.0f in=%s at=%.6f\n", seen.nr,
	       percentile_us(99), seen.longest, seen.who, seen.at);
	return !seen.nr;
}
