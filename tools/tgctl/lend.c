// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tgctl lend: while a GPU goes by who runs on the CPU (AugC, CoSched), the CPU goes by who is
 * to have the GPU.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "args.h"
#include "clock.h"
#include "device.h"
#include "json.h"
#include "lend_cgroup.h"
#include "lend_law.h"
#include "text.h"

#define LOCK_PATH "/run/timegraph-lend.lock"
#define WEIGHT_MAX 10000
/* Where there is nothing to lend to. */
#define IDLE_NS 1000000000

/**
 * struct gpu - of which there is one to look at
 * @busy_ns: for how long it had been used, at the last look
 * @goes_by_cpu: its policy does
 */
struct gpu {
	struct timegraph_domains domains;
	struct timegraph_tasks tasks;
	uint64_t busy_ns;
	bool goes_by_cpu;
};

/* What is counted from when something began, in nanoseconds. */
struct counts {
	uint64_t gpu, cpu, waits;
};

/**
 * struct domain - one that something is lent to, or may be
 * @id: of its cgroup
 * @path: of that
 * @listed: at this look; on some GPU
 * @inner: it is within another one
 * @failed: that its weight could not be set was said
 * @own: its weight without what is lent
 * @weight: what it was given, 0: nothing is lent
 * @factor: of @own
 * @before: at the last look
 * @now: at this one
 * @seen: @before is known
 * @rates: on the average
 * @entitled: to that of all GPUs together
 */
struct domain {
	uint64_t id;
	char path[TIMEGRAPH_PATH_LEN];
	bool listed, inner, failed;
	int own;
	int weight;
	double factor;
	struct counts before, now;
	bool seen;
	struct lend_rates rates;
	double entitled;
};

static struct {
	struct gpu *gpu;
	uint32_t nr_gpus;
	struct domain *item;
	uint32_t count, room;
	uint64_t at_ns;
	double nr_cpus;
} l;

static struct {
	uint64_t period_ns;
	double max;
	bool undo, verbose, json;
} options = { .period_ns = 100000000, .max = 4 };

static volatile sig_atomic_t stopped;

static void stop(int sig)
{
	stopped = sig;
}

/* A line for each change; without --verbose only where lending begins and ends. */
static void tell(const char *path, int own, int from, int to)
{
	char safe[4 * TIMEGRAPH_PATH_LEN];
	struct json j = { .out = stdout, .compact = true };

	if (options.json) {
		json_open(&j, NULL, '{');
		json_uint(&j, "time_ns", now_ns());
		json_string(&j, "path", path);
		json_uint(&j, "own", (uint64_t)own);
		json_uint(&j, "weight", (uint64_t)to);
		json_close(&j, '}');
	} else if (options.verbose || from == own || to == own) {
		printf("%s: cpu.weight %d -> %d\n",
		       text_safe(safe, sizeof(safe), path, sizeof(safe)), from, to);
	}
	fflush(stdout);
}

/* @hint: where it is, most often. */
static struct domain *find(uint64_t id, uint32_t hint)
{
	for (uint32_t i = 0; i < l.count; i++)
		if (l.item[(hint + i) % l.count].id == id)
			return &l.item[(hint + i) % l.count];
	return NULL;
}

static struct domain *find_or_add(const struct timegraph_domain *d, uint32_t hint)
{
	struct domain *at = find(d->id, hint);

	if (at)
		return at;
	if (l.count == l.room) {
		uint32_t room = l.room ? 2 * l.room : 16;

		at = realloc(l.item, room * sizeof(*at));
		if (!at)
			return NULL;
		l.item = at;
		l.room = room;
	}
	at = &l.item[l.count++];
	*at = (struct domain){ .id = d->id, .factor = 1 };
	memcpy(at->path, d->path, sizeof(at->path));
	return at;
}

static void drop(uint32_t i)
{
	l.item[i] = l.item[--l.count];
}

/* How long one thread has run, and waited for a CPU: its schedstat. */
static void add_thread(struct counts *c, int dir, const char *name)
{
	unsigned long long ran, waited;
	char path[280];
	FILE *f;
	int fd;

	snprintf(path, sizeof(path), "%s/schedstat", name);
	fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	f = fd < 0 ? NULL : fdopen(fd, "r");
	if (f && fscanf(f, "%llu %llu", &ran, &waited) == 2) {
		c->cpu += ran;
		c->waits += waited;
	}
	if (f)
		fclose(f);
	else if (fd >= 0)
		close(fd);
}

static struct counts process_counts(int32_t pid)
{
	struct counts c = { 0 };
	struct dirent *e;
	char path[64];
	DIR *d;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	d = opendir(path);
	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.')
			add_thread(&c, dirfd(d), e->d_name);
	if (d)
		closedir(d);
	return c;
}

/* On a GPU before @gpu, so that it is counted already. */
static bool is_counted(int32_t pid, uint32_t gpu)
{
	for (uint32_t g = 0; g < gpu; g++)
		for (uint32_t i = 0; i < l.gpu[g].tasks.count; i++)
			if (l.gpu[g].goes_by_cpu && l.gpu[g].tasks.item[i].pid == pid)
				return true;
	return false;
}

/* The domain numbered @id, and those that it is within. */
static void add_counts(const struct timegraph_domains *d, uint64_t id, const struct counts *c)
{
	for (uint32_t i = d->count; i-- && id;) {
		struct domain *at;

		if (d->item[i].id != id)
			continue;
		at = find(id, i);
		if (at) {
			at->now.cpu += c->cpu;
			at->now.waits += c->waits;
		}
		id = d->item[i].parent;
	}
}

static void count_processes(uint32_t gpu)
{
	const struct gpu *g = &l.gpu[gpu];

	for (uint32_t i = 0; i < g->tasks.count; i++) {
		const struct timegraph_task *t = &g->tasks.item[i];
		struct counts c;

		if (!t->domain || is_counted(t->pid, gpu))
			continue;
		c = process_counts(t->pid);
		add_counts(&g->domains, t->domain, &c);
	}
}

static bool uses_gpu(const struct domain *d)
{
	return d->rates.gpu > 0.001;
}

static int count_domains(const struct timegraph_domains *d)
{
	bool *competes = calloc(d->count + 1, sizeof(*competes));
	double *part = calloc(d->count + 1, sizeof(*part));
	int ret = competes && part ? 0 : -ENOMEM;
	struct domain *at;

	for (uint32_t i = 0; !ret && i < d->count; i++) {
		at = find_or_add(&d->item[i], i);
		if (!at) {
			ret = -ENOMEM;
			break;
		}
		at->listed = true;
		at->inner = d->item[i].parent;
		at->now.gpu += d->item[i].usage_ns;
		competes[i] = d->item[i].nr_waiting || d->item[i].nr_online || uses_gpu(at);
	}
	if (!ret)
		lend_entitled(d->item, d->count, competes, part);
	for (uint32_t i = 0; !ret && i < d->count; i++)
		find(d->item[i].id, i)->entitled += part[i];
	free(competes);
	free(part);
	return ret;
}

/* Of a second; what ended meanwhile took with it what it had counted. */
static double rate(uint64_t before, uint64_t now, uint64_t ns)
{
	return now > before ? (double)(now - before) / (double)ns : 0;
}

static void measure(struct domain *d, uint64_t ns)
{
	const struct lend_rates now = {
		.gpu = rate(d->before.gpu, d->now.gpu, ns),
		.cpu = rate(d->before.cpu, d->now.cpu, ns),
		.waits = rate(d->before.waits, d->now.waits, ns),
	};

	/* More than there is: a process came that had run before. */
	if (d->seen && ns && now.cpu <= l.nr_cpus + 1)
		lend_average(&d->rates, &now);
	d->before = d->now;
	d->seen = true;
}

static struct lend_rates sum(void)
{
	struct lend_rates all = { 0 };

	for (uint32_t i = 0; i < l.count; i++)
		if (!l.item[i].inner && uses_gpu(&l.item[i])) {
			all.gpu += l.item[i].rates.gpu;
			all.cpu += l.item[i].rates.cpu;
			all.waits += l.item[i].rates.waits;
		}
	return all;
}

/* Another may have set it meanwhile: then that is its own. */
static int set(struct domain *d, int dir, double factor)
{
	int now = lend_cgroup_weight(dir), to, ret;

	if (now < 0)
		return now;
	if (now != d->weight) {
		d->own = d->weight ? now : lend_cgroup_own(dir);
		factor = d->weight ? 1 : factor;
	}
	if (d->own < 0)
		return d->own;
	d->factor = factor;
	to = (int)lround(d->own * factor);
	if (to > WEIGHT_MAX)
		to = WEIGHT_MAX;
	if (to == now && (to != d->own || !d->weight))
		return 0;
	ret = lend_cgroup_set(dir, to, d->own);
	if (ret)
		return ret;
	d->weight = to == d->own ? 0 : to;
	if (to != now)
		tell(d->path, d->own, now, to);
	return 0;
}

/* No weight; an idle one refuses any. */
static bool has_none(int err)
{
	return err == -ENODEV || err == -EINVAL;
}

static void lend(struct domain *d, double factor)
{
	int dir = lend_cgroup_open(d->path, d->id, d->weight), ret = dir;

	if (dir >= 0) {
		ret = set(d, dir, factor);
		/* It has no weight any more, or is idle: nothing is lent to it. */
		if (has_none(ret) && d->weight && !lend_cgroup_set(dir, d->own, d->own))
			d->weight = 0;
		close(dir);
	}
	if (ret == -ENOENT)
		d->weight = 0;
	/* One that is gone is not worth a word, nor one that cannot be lent to. */
	if (ret && ret != -ENOENT && ret != -EPERM && !has_none(ret) && !d->failed)
		fprintf(stderr, "tgctl: %s: %s\n", d->path, strerror(-ret));
	d->failed = ret;
}

/* What could not be taken back stays, to be tried again. */
static void give_back(void)
{
	for (uint32_t i = l.count; i--;) {
		if (l.item[i].weight)
			lend(&l.item[i], 1);
		if (!l.item[i].weight)
			drop(i);
	}
	l.at_ns = 0;
}

static void adjust(double idle)
{
	const struct lend_rates all = sum();

	for (uint32_t i = l.count; i--;) {
		struct domain *d = &l.item[i];
		double factor = lend_factor(d->factor, &d->rates, &all, d->entitled + idle,
					    options.max);

		if (!d->listed)
			factor = 1;
		if (d->weight || factor > 1)
			lend(d, factor);
		if (!d->listed && !d->weight)
			drop(i);
	}
}

/* Returns for how long the GPUs idled since the last look, of a second; or -errno. */
static double look_at_gpus(int fd, uint64_t ns)
{
	struct timegraph_gpu gpu;
	double idle = 0;
	int ret = 0;

	for (uint32_t i = 0; i < l.nr_gpus && !ret; i++) {
		struct gpu *g = &l.gpu[i];

		if (!g->goes_by_cpu)
			continue;
		ret = timegraph_list_domains(fd, i, &g->domains);
		if (!ret)
			ret = timegraph_list_tasks(fd, i, &g->tasks);
		if (!ret)
			ret = timegraph_get_gpu(fd, i, &gpu);
		if (!ret)
			ret = count_domains(&g->domains);
		if (ret)
			break;
		count_processes(i);
		if (ns)
			idle += fmax(0, 1 - rate(g->busy_ns, gpu.busy_ns, ns));
		g->busy_ns = gpu.busy_ns;
	}
	return ret ? ret : idle;
}

/* Returns how many domains there are; or -errno. */
static int look(int fd)
{
	uint64_t now = now_ns(), ns = l.at_ns ? now - l.at_ns : 0;
	double idle;

	for (uint32_t i = 0; i < l.count; i++) {
		l.item[i].listed = false;
		l.item[i].now = (struct counts){ 0 };
		l.item[i].entitled = 0;
	}
	idle = look_at_gpus(fd, ns);
	if (idle < 0)
		return (int)idle;
	l.at_ns = now;
	for (uint32_t i = 0; i < l.count; i++)
		measure(&l.item[i], ns);
	if (ns)
		adjust(idle);
	return (int)l.count;
}

/* Asks what the GPUs go by; how many go by the CPU, or -errno. */
static int ask_policies(int fd)
{
	char name[TIMEGRAPH_COMM_LEN];
	int n = 0;

	for (uint32_t i = 0; i < l.nr_gpus; i++) {
		struct gpu *g = &l.gpu[i];
		int ret = timegraph_get_policy(fd, i, name);

		if (ret)
			return ret;
		g->goes_by_cpu = !strcmp(name, "augc") || !strcmp(name, "cosched");
		n += g->goes_by_cpu;
	}
	return n;
}

static int meet_gpus(int fd)
{
	struct timegraph_caps caps;
	struct gpu *gpus;
	int ret = timegraph_get_caps(fd, &caps);

	if (ret || caps.nr_gpus <= l.nr_gpus)
		return ret;
	gpus = realloc(l.gpu, caps.nr_gpus * sizeof(*gpus));
	if (!gpus)
		return -ENOMEM;
	memset(&gpus[l.nr_gpus], 0, (caps.nr_gpus - l.nr_gpus) * sizeof(*gpus));
	l.gpu = gpus;
	l.nr_gpus = caps.nr_gpus;
	return 0;
}

static void pause_for(uint64_t ns, const sigset_t *open)
{
	struct timespec t = clock_timespec(ns);

	ppoll(NULL, 0, &t, open);
}

/* Until something happens that may change who is lent to. */
static int wait_for_event(int fd, const sigset_t *open)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct timegraph_events events;

	if (ppoll(&p, 1, NULL, open) < 0)
		return errno == EINTR ? 0 : -errno;
	return timegraph_read_events(fd, &events);
}

static int serve(int fd, const sigset_t *open)
{
	int ret = timegraph_subscribe(fd, TIMEGRAPH_EVENT_DOMAIN | TIMEGRAPH_EVENT_TASK);

	while (!ret && !stopped) {
		ret = meet_gpus(fd);
		if (!ret)
			ret = ask_policies(fd);
		if (!ret) {
			give_back();
			ret = wait_for_event(fd, open);
			continue;
		}
		if (ret > 0)
			ret = look(fd);
		/* A list that grew too fast, say. */
		if (ret == -EAGAIN || ret == -ENOMEM)
			ret = 0;
		if (ret < 0)
			break;
		pause_for(ret ? options.period_ns : IDLE_NS, open);
		ret = 0;
	}
	give_back();
	return ret;
}

static void forget(void)
{
	for (uint32_t i = 0; i < l.nr_gpus; i++) {
		timegraph_domains_free(&l.gpu[i].domains);
		timegraph_tasks_free(&l.gpu[i].tasks);
	}
	free(l.gpu);
	free(l.item);
}

static void tell_undone(const char *path, int had, int own)
{
	tell(path, own, had, own);
}

/* One alone, or one would take for the other's what is its own. */
static int lock(void)
{
	int fd = open(LOCK_PATH, O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB))
		return fd;
	if (fd >= 0 && errno == EWOULDBLOCK)
		fprintf(stderr, "tgctl: another 'tgctl lend' is running\n");
	else
		fprintf(stderr, "tgctl: %s: %s\n", LOCK_PATH, strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

static int undo(void)
{
	int n = lend_cgroup_undo(options.undo ? tell_undone : NULL);

	if (!n)
		return TGCTL_OK;
	if (n > 0)
		fprintf(stderr, "tgctl: %d cgroups cannot be looked at, whatever is lent to them\n", n);
	else
		fprintf(stderr, "tgctl: %s\n",
			n == -ENODEV ? "no cgroup2 is mounted" : strerror(-n));
	return TGCTL_REFUSED;
}

/* Who reads along may go. */
static void catch_signals(sigset_t *open)
{
	static const int stops[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction act = { .sa_handler = stop };
	sigset_t closed;

	sigemptyset(&closed);
	for (unsigned int i = 0; i < sizeof(stops) / sizeof(*stops); i++)
		sigaddset(&closed, stops[i]);
	sigprocmask(SIG_BLOCK, &closed, open);
	for (unsigned int i = 0; i < sizeof(stops) / sizeof(*stops); i++)
		sigaction(stops[i], &act, NULL);
	act.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &act, NULL);
}

static int run_until_stopped(void)
{
	int fd = device_open(O_RDONLY), ret;
	sigset_t open;

	if (fd < 0)
		return -fd;
	catch_signals(&open);
	l.nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	ret = serve(fd, &open);
	forget();
	timegraph_close(fd);
	return ret ? device_fail("lend", ret, DEVICE_LOOK) : TGCTL_OK;
}

static bool take_max(const struct cli_opt *opt, const char *value, struct cli_error *err)
{
	char *end;

	options.max = strtod(value, &end);
	return end != value && !*end && options.max >= 1 && options.max <= 100;
}

static const struct cli_opt opts[] = {
	{ "max", take_max, NULL, "N", "at most N times the own weight (4), 1 to 100", 'm',
	  "give a number, 1 to 100" },
	{ "period", args_take_seconds, &options.period_ns, "SECONDS",
	  "how often it is looked (0.1), 0.01 to 86400", 'p', "give seconds, 0.01 to 86400" },
	{ "undo", cli_flag, &options.undo, NULL,
	  "take back what is lent, after one that was killed, and end", 'u' },
	{ "verbose", cli_flag, &options.verbose, NULL, "a line for each change", 'v' },
	{ "json", cli_flag, &options.json, NULL, "a line for each change, a JSON object", 'j' },
	{ 0 }
};

static int run(const struct command *cmd, int n, char **args)
{
	int locked, ret;

	if (geteuid()) {
		fprintf(stderr, "tgctl: lend writes cpu.weight of other cgroups; become root\n");
		return TGCTL_DENIED;
	}
	locked = lock();
	if (locked < 0)
		return TGCTL_REFUSED;
	ret = undo();
	/* What one cannot be looked at has no bearing on the others. */
	if (!options.undo)
		ret = run_until_stopped();
	close(locked);
	return ret;
}

const struct command tgctl_lend = {
	.cli = {
		.who = "tgctl lend",
		.about =
		"usage: tgctl lend [OPTION]...\n"
		"\n"
		"While a GPU's policy is augc or cosched, those of its domains are lent weight on the\n"
		"CPU that have less of the GPU than their weights give them and wait for the CPU: up\n"
		"to four times their cpu.weight.  Who has his part gives it back.  It runs until it is\n"
		"interrupted, and takes back then what is lent; so does --undo, and the next one.\n"
		"\n",
		.opts = { opts },
		.args_wanted = "it takes no arguments",
		.notes =
		"\n"
		"Only cgroups whose cpu.weight is root's are lent to.  The own weight of one stands in\n"
		"its attribute " LEND_ATTRIBUTE " meanwhile, and is what the\n"
		"policies xc and augc go by.  timegraph-lend.service runs it.\n"
		"\n"
		"Exit status: 0 interrupted, or undone; 1 another runs, or not all could be undone;\n"
		"2 wrong usage; 3 the module is not loaded; 4 no right.\n",
	},
	.summary = "lend CPU weight to domains that wait for the CPU, not the GPU",
	.run = run,
};
