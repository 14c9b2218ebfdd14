// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads timegraph's trace events as text (/sys/kernel/tracing/trace) and checks
 * that every decision in them was one the policies allow. It models the
 * GPU-online list and the wait queue from the events alone, in the slowest and
 * plainest way: it shares nothing with the scheduler that it judges.
 *
 * The rules, by the names in its output (levels: higher goes first):
 *
 *	two-tasks	the GPU-online list holds groups of one task only, but with
 *			staging one that is staged
 *	staged		that one is the only one behind groups of another channel, not above
 *			it; it is submitted to wait (staged=1) for what is still there
 *			then, and completes after it
 *	prt-alone	a PRT or FQ group goes online only on an empty list; with a lead
 *			also on one of groups of its channel, fewer than ht_depth
 *	ht-depth	no task has more than ht_depth groups online
 *	lower-first	no group starts while one of a higher level waits, but by the
 *			floor (lifted=1)
 *	fifo		within a level, the one that waits longest starts first; an
 *			HT task's arriving group may join its own on the list, and
 *			FQ has another order, but among the groups of a task
 *	idle-wait	no group arrives to wait while the list is empty, nor
 *			stays waiting when it has become so, but for FQ: another may
 *			be expected
 *	blocked-twice	a group waits for no more groups of lower levels than
 *			were online when it arrived: for one, if PRT has them; those that
 *			the floor lifted come to that
 *	ht-interrupted	no group of a lower level completes between two groups of
 *			an HT task of which the second arrived before the first
 *			completed, but one that the floor lifted
 *	floor		no group is lifted without one
 *	taken		a group that starts without having asked had a turn, which was
 *			taken from its channel; the rules above are for those that ask
 *	passed		a group of FQ that is online gives way to an equal that waits, four
 *			times at most
 *	life		a group arrives, starts, completes, each once, and in the
 *			order of its channel's ring, which the numbers of fences tell; one
 *			that was stuck is off the list, and completes or is dropped later
 *	counts		the lengths in the events are those of the model
 *	lost		the trace has all events
 *	left-over	at the end nobody is online or waiting
 */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_TASKS 1024
#define MAX_LISTED 4096		/* groups online or waiting at a time */
#define MAX_REPORTS 20
#define MAX_PASSES 4

enum state { WAITING, ONLINE, GONE };

struct group {
	unsigned long long id;
	int pid, chid, level;
	enum state state;
	unsigned long arrived, started;	/* event numbers */
	uint32_t fence;			/* of its channel, if it has it */
	bool has_fence;
	unsigned int lower_online;	/* on the list when it arrived */
	unsigned int lower_waited;	/* completed while it waited */
	unsigned int passes;		/* by equals, since it did not come for its turn */
	bool ht, fq, lifted, taken;
	bool staged;			/* started behind another task's */
	bool lapsed;			/* had a turn when it was dropped */
	bool stuck;			/* set aside, and not known to have ended */
	bool overlapped;		/* arrived while its HT task had others online */
};

struct task {
	int pid;
	bool ht, fq;
};

static struct {
	struct group **all;
	size_t nr_all, room;
	unsigned long long first_id;
	struct group *listed[MAX_LISTED];	/* online and waiting, by arrival */
	size_t nr_listed;
	struct task tasks[MAX_TASKS];
	size_t nr_tasks;
	unsigned long event, line, entries, entries_said;
	unsigned long violations;

	unsigned int ht_depth;
	bool lead, stage, floor;
	bool check_end;
	unsigned long min_groups;

	/* summary */
	unsigned long arrived, completed, dropped, waits, blocked, overlaps, stuck;
	unsigned long lifted, taken, staged, passed;
	unsigned long by_notify, by_fence, by_poll, foreign, submitted;
	unsigned int most_online, most_waiting, most_lower;
	int levels_seen[256];
} m = { .ht_depth = 16 };

static void violation(const char *rule, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void violation(const char *rule, const char *format, ...)
{
	va_list ap;

	if (m.violations++ >= MAX_REPORTS)
		return;
	printf("violation %s: line %lu: ", rule, m.line);
	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
}

/* The value of " key=" in an event's text; false if it has none. */
static bool field(const char *text, const char *key, long long *value)
{
	char pattern[32];
	const char *p;
	char *end;

	snprintf(pattern, sizeof(pattern), " %s=", key);
	p = strstr(text, pattern);
	if (!p)
		return false;
	p += strlen(pattern);
	*value = strtoll(p, &end, 10);
	return end != p;
}

static long long must(const char *text, const char *key)
{
	long long v = -1;

	if (!field(text, key, &v))
		violation("life", "no %s in: %s", key, text);
	return v;
}

static struct task *task_of(int pid)
{
	size_t i;

	for (i = 0; i < m.nr_tasks; i++)
		if (m.tasks[i].pid == pid)
			return &m.tasks[i];
	return NULL;
}

/* @policy: its word, which something may follow */
static void set_task(int pid, const char *policy)
{
	struct task *t = task_of(pid);

	if (!t) {
		if (m.nr_tasks == MAX_TASKS) {
			fprintf(stderr, "tg-check-trace: more than %d tasks\n", MAX_TASKS);
			exit(2);
		}
		t = &m.tasks[m.nr_tasks++];
		t->pid = pid;
	}
	t->ht = !strncmp(policy, "HT", 2);
	t->fq = !strncmp(policy, "FQ", 2);
}

static struct group *find(unsigned long long id)
{
	if (!m.nr_all || id < m.first_id || id - m.first_id >= m.nr_all)
		return NULL;
	return m.all[id - m.first_id];
}

static struct group *add(unsigned long long id)
{
	struct group *g = calloc(1, sizeof(*g));

	if (!m.nr_all)
		m.first_id = id;
	if (m.nr_all == m.room) {
		m.room = m.room ? 2 * m.room : 4096;
		m.all = realloc(m.all, m.room * sizeof(m.all[0]));
	}
	if (!g || !m.all || m.nr_listed == MAX_LISTED) {
		fprintf(stderr, "tg-check-trace: too many groups\n");
		exit(2);
	}
	if (id != m.first_id + m.nr_all)
		violation("life", "group %llu arrives, %llu was next", id,
			  m.first_id + m.nr_all);
	g->id = m.first_id + m.nr_all;
	m.all[m.nr_all++] = g;
	m.listed[m.nr_listed++] = g;
	return g;
}

static void unlist(struct group *g)
{
	size_t i;

	for (i = 0; i < m.nr_listed; i++)
		if (m.listed[i] == g)
			break;
	if (i == m.nr_listed)
		return;
	m.nr_listed--;
	memmove(&m.listed[i], &m.listed[i + 1], (m.nr_listed - i) * sizeof(m.listed[0]));
	g->state = GONE;
}

static unsigned int count(enum state state)
{
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < m.nr_listed; i++)
		n += m.listed[i]->state == state;
	return n;
}

static void check_counts(const char *text)
{
	unsigned int online = count(ONLINE), waiting = count(WAITING);
	long long v;

	if (field(text, "online", &v) && v != online)
		violation("counts", "online=%lld, but the events make %u", v, online);
	if (field(text, "waiting", &v) && v != waiting)
		violation("counts", "waiting=%lld, but the events make %u", v, waiting);
	if (online > m.most_online)
		m.most_online = online;
	if (waiting > m.most_waiting)
		m.most_waiting = waiting;
}

/* Whether the list is empty or all of it belongs to the task. */
static void look_at_online(const struct group *g, unsigned int *own, unsigned int *others)
{
	size_t i;

	*own = *others = 0;
	for (i = 0; i < m.nr_listed; i++) {
		const struct group *o = m.listed[i];

		if (o->state != ONLINE || o == g)
			continue;
		if (o->pid == g->pid)
			++*own;
		else
			++*others;
	}
}

static bool only_its_channel_is_online(const struct group *g)
{
	size_t i;

	for (i = 0; i < m.nr_listed; i++) {
		const struct group *o = m.listed[i];

		if (o->state == ONLINE && o != g && (o->pid != g->pid || o->chid != g->chid))
			return false;
	}
	return true;
}

/* Groups that @g is behind; 0 if they are not of one channel, or above it. */
static unsigned int behind_a_channel(const struct group *g)
{
	const struct group *first = NULL;
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < m.nr_listed; i++) {
		const struct group *o = m.listed[i];

		if (o->state != ONLINE || o == g)
			continue;
		first = first ? first : o;
		if (o->pid != first->pid || o->chid != first->chid || o->level > g->level)
			return 0;
		n++;
	}
	return n;
}

/* Of those that @g was behind when it started, how many are left? */
static unsigned int still_before(const struct group *g)
{
	unsigned int n = 0;
	size_t i;

	for (i = 0; i < m.nr_listed; i++) {
		const struct group *o = m.listed[i];

		n += o->state == ONLINE && (o->pid != g->pid || o->chid != g->chid) &&
		     o->started < g->started;
	}
	return n;
}

static void start(struct group *g)
{
	g->state = ONLINE;
	g->started = m.event;
}

/* The rules for the moment when @g goes online. */
static void check_start(struct group *g, bool arriving)
{
	unsigned int own, others;
	size_t i;

	look_at_online(g, &own, &others);
	g->staged = m.stage && (others || (!g->ht && !only_its_channel_is_online(g)));
	m.staged += g->staged;
	if (others && !m.stage)
		violation("two-tasks", "group %llu of %d starts beside another task's", g->id,
			  g->pid);
	else if (g->staged && behind_a_channel(g) != own + others)
		violation("staged", "group %llu of %d starts beside more than one channel's, or behind a higher one",
			  g->id, g->pid);
	if (!g->ht && !g->staged && own + others && !(m.lead && only_its_channel_is_online(g)))
		violation("prt-alone", "PRT group %llu starts with %u online", g->id,
			  own + others);
	if (own + 1 > m.ht_depth)
		violation("ht-depth", "group %llu is number %u of its task online", g->id,
			  own + 1);
	for (i = 0; i < m.nr_listed; i++) {
		const struct group *w = m.listed[i];

		if (w == g || w->state != WAITING)
			continue;
		if (w->level > g->level && !g->lifted)
			violation("lower-first", "group %llu (level %d) starts while %llu (level %d) waits",
				  g->id, g->level, w->id, w->level);
		if (w->pid != g->pid && (w->fq || g->fq || (arriving && g->ht && own)))
			continue;
		if (w->level == g->level && w->arrived < g->arrived)
			violation("fifo", "group %llu starts, %llu of level %d waits for longer",
				  g->id, w->id, w->level);
	}
	start(g);
}

/* A turn of its channel was dropped, and none was taken for that yet. */
static void check_taken(struct group *g)
{
	size_t i;

	m.taken++;
	for (i = 0; i < m.nr_all; i++) {
		struct group *o = m.all[i];

		if (!o->lapsed || o->pid != g->pid || o->chid != g->chid)
			continue;
		o->lapsed = false;
		return;
	}
	violation("taken", "group %llu had no turn that was dropped", g->id);
}

static void on_arrive(const char *text)
{
	struct group *g = add((unsigned long long)must(text, "id"));
	bool starts = strstr(text, " starts ");
	unsigned int own, others;
	long long taken;
	struct task *t;
	size_t i;

	m.arrived++;
	g->pid = (int)must(text, "pid");
	g->chid = (int)must(text, "chid");
	g->level = (int)must(text, "level");
	t = task_of(g->pid);
	if (!t)
		violation("life", "the policy of task %d is not known (see --task)", g->pid);
	g->ht = t && t->ht;
	g->fq = t && t->fq;
	g->arrived = m.event;
	g->state = WAITING;
	g->taken = field(text, "taken", &taken) && taken;
	if (g->level >= 0 && g->level < 256)
		m.levels_seen[g->level] = 1;
	for (i = 0; i < m.nr_listed; i++)
		if (m.listed[i]->state == ONLINE && m.listed[i]->level < g->level)
			g->lower_online++;
	look_at_online(g, &own, &others);
	g->overlapped = g->ht && own;
	m.overlaps += g->overlapped;
	if (g->taken) {
		check_taken(g);
		start(g);
	} else if (starts) {
		check_start(g, true);
	} else {
		m.waits++;
		m.blocked += g->lower_online > 0;
		if (!own && !others && !g->fq)
			violation("idle-wait", "group %llu waits for an idle GPU", g->id);
	}
}

static void on_dispatch(const char *text)
{
	struct group *g = find((unsigned long long)must(text, "id"));
	long long lifted;

	if (!g || g->state != WAITING) {
		violation("life", "a group that does not wait is dispatched:%s", text);
		return;
	}
	/* It may be another one since it began to wait. */
	g->level = (int)must(text, "level");
	g->lifted = field(text, "lifted", &lifted) && lifted;
	m.lifted += g->lifted;
	if (g->lifted && !m.floor)
		violation("floor", "group %llu is lifted", g->id);
	check_start(g, false);
}

/* It waits again, and the one starts that is there. */
static void on_pass(const char *text)
{
	struct group *g = find((unsigned long long)must(text, "id"));
	struct group *by = find((unsigned long long)must(text, "by"));

	if (!g || g->state != ONLINE || !by || by->state != WAITING) {
		violation("life", "a group that is not online, or by none that waits, is passed:%s",
			  text);
		return;
	}
	if (!g->fq || !by->fq || g->level != by->level || g->pid == by->pid)
		violation("passed", "group %llu is passed by %llu, which is no equal", g->id, by->id);
	if (++g->passes > MAX_PASSES)
		violation("passed", "group %llu is passed for the %uth time", g->id, g->passes);
	m.passed++;
	g->state = WAITING;
}

static void on_submit(const char *text)
{
	struct group *g = find((unsigned long long)must(text, "id"));

	m.submitted++;
	if (g) {
		g->fence = (uint32_t)must(text, "fence");
		g->has_fence = true;
	}
	if (!g || g->state == WAITING)
		violation("life", "a group that is not online is submitted:%s", text);
	else if (g->staged && still_before(g) && !strstr(text, " staged=1"))
		violation("staged", "group %llu does not wait for those before it:%s", g->id,
			  text);
}

/* Threads of a channel overtake each other between their turns and the ring. */
static bool is_before(const struct group *a, const struct group *b)
{
	return a->pid == b->pid && a->chid == b->chid && a->has_fence && b->has_fence &&
	       (int32_t)(a->fence - b->fence) < 0;
}

/* @g completes: who waited for it, and whose sequence did it break? */
static void check_complete(const struct group *g)
{
	size_t i;

	if (g->staged && still_before(g))
		violation("staged", "group %llu completes before one that it waits for", g->id);
	for (i = 0; i < m.nr_listed; i++) {
		struct group *w = m.listed[i];

		if (w == g)
			continue;
		if (w->state == ONLINE && is_before(w, g))
			violation("life", "group %llu completes before %llu of its channel",
				  g->id, w->id);
		if (w->state != WAITING || w->level <= g->level || g->lifted ||
		    g->taken)
			continue;
		w->lower_waited++;
		if (w->lower_waited > m.most_lower)
			m.most_lower = w->lower_waited;
		if (w->lower_waited > w->lower_online)
			violation("blocked-twice", "group %llu (level %d) waits for %u lower groups, %u were online when it came",
				  w->id, w->level, w->lower_waited, w->lower_online);
		if (w->overlapped && w->pid != g->pid)
			violation("ht-interrupted", "group %llu of %d completes between two of HT task %d",
				  g->id, g->pid, w->pid);
	}
}

static void on_complete(const char *text)
{
	struct group *g = find((unsigned long long)must(text, "id"));

	if (!g || (g->state != ONLINE && (!g->stuck || strstr(text, " by=stuck")))) {
		violation("life", "a group that is not online completes:%s", text);
		return;
	}
	if (strstr(text, " by=stuck")) {
		m.stuck++;
		g->stuck = true;
		unlist(g);
		return;
	}
	m.completed++;
	m.by_notify += strstr(text, " by=notify") != NULL;
	m.by_fence += strstr(text, " by=fence") != NULL;
	m.by_poll += strstr(text, " by=poll") != NULL;
	if (g->stuck) {
		g->stuck = false;
		return;
	}
	check_complete(g);
	unlist(g);
}

static void on_drop(const char *text)
{
	struct group *g = find((unsigned long long)must(text, "id"));

	if (g && g->stuck) {
		g->stuck = false;
		m.dropped++;
		return;
	}
	if (!g || g->state == GONE) {
		violation("life", "a group that is not listed is dropped:%s", text);
		return;
	}
	m.dropped++;
	g->lapsed = g->state == ONLINE;
	unlist(g);
}

static void on_channel(const char *text)
{
	const char *policy = strstr(text, " policy=");
	long long pid;

	if (strstr(text, " new ") && policy && field(text, "pid", &pid))
		set_task((int)pid, policy + strlen(" policy="));
}

/* "# entries-in-buffer/entries-written: A/B": equal if nothing was overwritten. */
static void check_header(const char *line)
{
	const char *p = strstr(line, "entries-written:");
	unsigned long long in, written;

	if (p && sscanf(p, "entries-written: %llu/%llu", &in, &written) == 2) {
		if (in != written)
			violation("lost", "%llu events of %llu are left in the buffer", in, written);
		m.entries_said = (unsigned long)in;
	}
	if (strstr(line, "LOST") && strstr(line, "EVENTS"))
		violation("lost", "%s", line);
}

/* One of FQ waits, and nobody of a higher level. */
static bool waits_fairly(void)
{
	const struct group *best = NULL;

	for (size_t i = 0; i < m.nr_listed; i++)
		if (m.listed[i]->state == WAITING &&
		    (!best || m.listed[i]->level > best->level ||
		     (m.listed[i]->level == best->level && m.listed[i]->fq)))
			best = m.listed[i];
	return best && best->fq;
}

/* One look at the GPU finds all that has ended: those that were stuck, too. */
static bool ends_off_the_list(const char *event)
{
	const struct group *g;

	if (!strstr(event, "tg_complete:"))
		return false;
	g = find((unsigned long long)must(event, "id"));
	return g && g->stuck;
}

/*
 * A dispatch follows the event that made it possible at once, in the same
 * critical section; so when anything else comes while groups wait for nobody,
 * a wake-up was forgotten.
 */
static void check_idle(const char *next)
{
	if (count(ONLINE) || !count(WAITING) || waits_fairly())
		return;
	if (strstr(next, "tg_dispatch:") || strstr(next, "tg_drop:") ||
	    strstr(next, "tg_bypass:") || strstr(next, "tg_channel:") || ends_off_the_list(next))
		return;
	violation("idle-wait", "groups wait while the GPU is idle");
}

static void handle(const char *line)
{
	static const struct {
		const char *name;
		void (*fn)(const char *text);
	} events[] = {
		{ ": tg_arrive:", on_arrive }, { ": tg_dispatch:", on_dispatch },
		{ ": tg_submit:", on_submit }, { ": tg_complete:", on_complete },
		{ ": tg_drop:", on_drop }, { ": tg_pass:", on_pass }, { ": tg_channel:", on_channel },
	};
	const char *p;
	size_t i;

	m.foreign += strstr(line, ": tg_foreign:") != NULL;
	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		p = strstr(line, events[i].name);
		if (!p)
			continue;
		m.event++;
		check_idle(p + 2);
		events[i].fn(p + strlen(events[i].name));
		if (i < 4)
			check_counts(p);
		return;
	}
}

static void check_end(void)
{
	size_t i;

	if (m.check_end)
		for (i = 0; i < m.nr_listed; i++)
			violation("left-over", "group %llu of %d is still %s", m.listed[i]->id,
				  m.listed[i]->pid,
				  m.listed[i]->state == ONLINE ? "online" : "waiting");
	if (m.entries_said && m.entries != m.entries_said)
		violation("lost", "%lu events in the text, %lu in the buffer", m.entries,
			  m.entries_said);
	if (m.completed < m.min_groups)
		violation("life", "%lu groups completed, %lu were asked for", m.completed,
			  m.min_groups);
}

static void summary(void)
{
	int i, levels = 0;

	for (i = 0; i < 256; i++)
		levels += m.levels_seen[i];
	printf("groups=%lu completed=%lu tasks=%zu levels=%d waits=%lu behind_lower=%lu "
	       "most_lower=%u most_online=%u most_waiting=%u ht_overlaps=%lu submitted=%lu "
	       "notify=%lu fence=%lu poll=%lu lifted=%lu stuck=%lu dropped=%lu taken=%lu foreign=%lu staged=%lu passed=%lu violations=%lu\n",
	       m.arrived, m.completed, m.nr_tasks, levels, m.waits, m.blocked, m.most_lower,
	       m.most_online, m.most_waiting, m.overlaps, m.submitted, m.by_notify, m.by_fence,
	       m.by_poll, m.lifted, m.stuck, m.dropped, m.taken, m.foreign, m.staged,
	       m.passed, m.violations);
}

static void usage(FILE *to)
{
	fputs("usage: tg-check-trace [OPTION]... <TRACE\n"
	      "Checks the order of command groups in the text of timegraph's trace events.\n"
	      "  --ht-depth N     the module's ht_depth (16)\n"
	      "  --lead           the module's lead_us is not 0\n"
	      "  --stage          the module's stage is Y\n"
	      "  --floor          the module's floor is not 0\n"
	      "  --min-groups N   fail with fewer completed groups\n"
	      "  --end            nobody may be left at the end\n"
	      "  --task PID=POL   a task's policy (PRT, HT, FQ), if its channel is older than the trace\n"
	      "Prints violations and, as the last line, numbers. Exit status: 0 no violation,\n"
	      "1 violations, 2 wrong usage.\n", to);
}

static bool take_task(const char *text)
{
	char policy[4];
	int pid;

	if (sscanf(text, "%d=%3s", &pid, policy) != 2)
		return false;
	if (strcmp(policy, "HT") && strcmp(policy, "PRT") && strcmp(policy, "FQ"))
		return false;
	set_task(pid, policy);
	return true;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "ht-depth", required_argument, NULL, 'd' },
		{ "lead", no_argument, NULL, 'l' },
		{ "stage", no_argument, NULL, 's' },
		{ "floor", no_argument, NULL, 'f' },
		{ "min-groups", required_argument, NULL, 'm' },
		{ "end", no_argument, NULL, 'e' },
		{ "task", required_argument, NULL, 't' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	size_t size = 0;
	char *line = NULL;
	int o;

	while ((o = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (o) {
		case 'd':
			m.ht_depth = (unsigned int)atoi(optarg);
			break;
		case 'l':
			m.lead = true;
			break;
		case 's':
			m.stage = true;
			break;
		case 'f':
			m.floor = true;
			break;
		case 'm':
			m.min_groups = strtoul(optarg, NULL, 10);
			break;
		case 'e':
			m.check_end = true;
			break;
		case 't':
			if (take_task(optarg))
				break;
			/* fall through */
		default:
			usage(o == 'h' ? stdout : stderr);
			return o == 'h' ? 0 : 2;
		}
	}
	while (getline(&line, &size, stdin) > 0) {
		m.line++;
		line[strcspn(line, "\n")] = '\0';
		if (*line == '#' || strstr(line, "LOST"))
			check_header(line);
		else
			handle(line);
		m.entries += *line != '#';
	}
	free(line);
	check_end();
	summary();
	return m.violations ? 1 : 0;
}
