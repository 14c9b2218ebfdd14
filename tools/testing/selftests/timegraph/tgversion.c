// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The specification and the limit as one version: pushed, read, raced for.
 *
 *	tgversion TEST		with the clients alpha and beta, where a test needs them
 *	tgversion push TEXT	as the specification, without a limit
 *
 * Ends with 0 if all is as <drm/timegraph.h> says; else it says what is not.
 */
#include <pthread.h>
#include <sys/prctl.h>

#include "channel.h"
#include "device.h"

#define PUSHES 500
#define RENAMES 300
#define RELOADS 300

static int fd;

static struct timegraph_config config(void)
{
	struct timegraph_config c = { };

	CHECK(!ioctl(fd, TIMEGRAPH_IOC_CONFIG, &c));
	return c;
}

static struct timegraph_push push_of(const char *spec, const char *ac)
{
	return (struct timegraph_push){
		.spec_ptr = (uintptr_t)spec, .spec_len = spec ? strlen(spec) : 0,
		.ac_ptr = (uintptr_t)ac, .ac_len = ac ? strlen(ac) : 0,
	};
}

static int push(struct timegraph_push p)
{
	return ioctl(fd, TIMEGRAPH_IOC_PUSH, &p);
}

/* What a task of that name has; { 0 } if there is none. */
static struct timegraph_task task(const char *comm)
{
	static _Thread_local struct timegraph_task t[ROOM];
	uint32_t n = list_tasks(fd, t);

	for (uint32_t i = 0; i < n && i < ROOM; i++)
		if (!strcmp(t[i].comm, comm))
			return t[i];
	return (struct timegraph_task){ };
}

static int gpu_open(void)
{
	int gpu = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);

	CHECK(gpu >= 0);
	return gpu;
}

static int channel_open(int gpu)
{
	struct chan_alloc c = { .vram = VRAM_HANDLE, .gart = GART_HANDLE };

	CHECK(!ioctl(gpu, CHANNEL_ALLOC, &c));
	return c.channel;
}

static void channel_close(int gpu, int channel)
{
	struct chan_free c = { channel };

	CHECK(!ioctl(gpu, CHANNEL_FREE, &c));
}

/* A new file in the place of @path. */
static void replace(const char *path, const char *text)
{
	char fresh[TIMEGRAPH_TEXT_LEN + 8];
	int file;

	snprintf(fresh, sizeof(fresh), "%s.new", path);
	file = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	CHECK(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
	close(file);
	CHECK(!rename(fresh, path));
}

static void nobody_pushes(int *unused)
{
	(void)unused;
	fd = node(O_RDWR);
	FAILS(push(push_of("<alpha:HT:-:99::>\n", NULL)), EPERM);
}

static bool same_version(const struct timegraph_config *a)
{
	struct timegraph_config b = config();

	return a->version == b.version && a->nr_entries == b.nr_entries &&
	       a->limit_percent == b.limit_percent && a->flags == b.flags &&
	       task("alpha").spec_version == a->version;
}

static void bad_pushes_change_nothing(int *unused)
{
	static char big[TIMEGRAPH_PUSH_MAX + 2];
	const struct timegraph_push good = push_of("<alpha:HT:-:99::>\n", "50\n");
	const struct timegraph_config before = config();
	struct timegraph_push p;
	int ro = node(O_RDONLY);

#define TRY(change, error)         \
	p = good;                  \
	change;                    \
	FAILS(push(p), error);     \
	CHECK(same_version(&before))

	TRY(p.flags = 1, EINVAL);
	TRY(p.reserved = 1, EINVAL);
	TRY(p.version = 1, EINVAL);
	TRY(p.spec_ptr = 0, EINVAL);
	TRY(p.ac_ptr = 0, EINVAL);
	TRY(p.spec_ptr = 8, EFAULT);
	TRY(p.ac_ptr = 8, EFAULT);
	memset(big, '#', TIMEGRAPH_PUSH_MAX + 1);
	TRY(p = push_of(big, NULL), E2BIG);
	TRY(p = push_of(NULL, big), E2BIG);
	TRY(p.spec_len = ~0u, E2BIG);
	p = good;
	FAILS(ioctl(ro, TIMEGRAPH_IOC_PUSH, &p), EBADF);
	as_nobody(nobody_pushes, unused);
	CHECK(same_version(&before));
#undef TRY
	close(ro);
}

/* Of two texts one is wrong: neither changes anything, and line and column are told. */
static void refused_texts_change_nothing(int *unused)
{
	const struct timegraph_config before = config();
	struct timegraph_config after;
	char at[2 * TIMEGRAPH_TEXT_LEN];

	(void)unused;
	FAILS(push(push_of("# good\n<alpha:PRT:X:60::>\n", "50\n")), EBADMSG);
	after = config();
	snprintf(at, sizeof(at), "%s: 2:12: error[", before.spec_path);
	CHECK(!strncmp(after.spec_refusal, at, strlen(at)) && !after.ac_refusal[0]);
	CHECK(same_version(&before));
	FAILS(push(push_of("<alpha:PRT:-:60::>\n", "\n a lot\n")), EBADMSG);
	after = config();
	snprintf(at, sizeof(at), "%s: 2:2: error[", before.ac_path);
	CHECK(!strncmp(after.ac_refusal, at, strlen(at)) && !after.spec_refusal[0]);
	CHECK(same_version(&before));
	/* What is good takes the words back. */
	CHECK(!push(push_of("<alpha:PRT:-:60::>\n", NULL)));
	after = config();
	CHECK(!after.ac_refusal[0] && after.version == before.version + 1);
}

static void push_is_one_version_for_all(int *unused)
{
	struct timegraph_push p = push_of("<alpha:PRT:-:61::>\n<beta:PRT:-:62::>\n", "44");
	struct timegraph_config before = config(), after;

	(void)unused;
	CHECK(!(before.flags & TIMEGRAPH_CONFIG_PUSHED));
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_PUSH, &p) && p.version == before.version + 1);
	after = config();
	CHECK(after.version == p.version && after.flags == TIMEGRAPH_CONFIG_PUSHED);
	CHECK(after.limit_percent == 44 && after.nr_entries == 2);
	CHECK(task("alpha").prio == 61 && task("alpha").spec_version == p.version);
	CHECK(task("beta").prio == 62 && task("beta").spec_version == p.version);
	/* The same again is the same; an empty text is none. */
	p.version = 0;
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_PUSH, &p) && p.version == after.version);
	CHECK(!push(push_of("", NULL)));
	after = config();
	CHECK(!after.nr_entries && after.limit_percent == 100);
	CHECK(!task("alpha").prio && !task("alpha").spec_line);
	/* The files are what they were: asked for, they come back. */
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_RELOAD));
	after = config();
	CHECK(!(after.flags & TIMEGRAPH_CONFIG_PUSHED) && after.version == p.version + 2);
	CHECK(after.nr_entries == before.nr_entries);
}

/* What is pushed stays until a file changes. */
static void pushed_version_stays_until_a_file_changes(int *unused)
{
	const struct timegraph_config before = config();
	int gpu = gpu_open(), channel;

	(void)unused;
	CHECK(!push(push_of("<own:PRT:-:61::>\n", NULL)));
	channel = channel_open(gpu);
	CHECK(task("own").prio == 61);
	channel_close(gpu, channel);
	replace(before.spec_path, "<own:PRT:-:62::>\n");
	channel = channel_open(gpu);
	CHECK(task("own").prio == 62);
	/* A file that says what was pushed is no other version. */
	CHECK(!push(push_of("<own:PRT:-:63::>\n", NULL)));
	replace(before.spec_path, "<own:PRT:-:63::>\n");
	channel_close(gpu, channel);
	channel = channel_open(gpu);
	CHECK(task("own").prio == 63 && config().version == before.version + 3);
	CHECK(config().flags == TIMEGRAPH_CONFIG_PUSHED);
	channel_close(gpu, channel);
	close(gpu);
}

static volatile bool stop;
static volatile unsigned int opened, own_prio;

/* Channels one after the other; what the last one got. */
static void *open_channels(void *arg)
{
	int gpu = gpu_open();

	while (!stop) {
		int channel = channel_open(gpu);

		own_prio = task("own").prio;
		opened++;
		channel_close(gpu, channel);
	}
	close(gpu);
	return arg;
}

/* Two of equal size, mostly within a tick of the clock, and perhaps a look in between. */
static void renames_are_seen(int *unused)
{
	const struct timegraph_config c = config();
	pthread_t opener;
	int unseen = 0;

	(void)unused;
	CHECK(!pthread_create(&opener, NULL, open_channels, NULL));
	for (int i = 0; i < RENAMES; i++) {
		unsigned int prio = 10 + i % 80, seen;
		char text[32];

		/* At any moment of the other thread's. */
		usleep(i * 7919 % 30000);
		snprintf(text, sizeof(text), "<own:PRT:-:%u::>\n", 99 - i % 80);
		replace(c.spec_path, text);
		usleep(500 + i * 37 % 2000);
		snprintf(text, sizeof(text), "<own:PRT:-:%u::>\n", prio);
		replace(c.spec_path, text);
		/* The next may have begun before. */
		for (seen = opened; opened - seen < 2;)
			usleep(200);
		unseen += own_prio != prio;
	}
	stop = true;
	pthread_join(opener, NULL);
	printf("%d of %d renames were not seen\n", unseen, RENAMES);
	CHECK(!unseen);
}

static unsigned int number_of(uint64_t version)
{
	return 10 + version % 80;
}

/* Each version's priority and limit are its number's. */
static void *look(void *arg)
{
	struct timegraph_task *t = calloc(ROOM, sizeof(*t));
	uint64_t *looks = arg, first = config().version;

	while (!stop) {
		struct timegraph_config c = config();
		uint32_t n = list_tasks(fd, t);

		CHECK(c.version == first || c.limit_percent == number_of(c.version));
		for (uint32_t i = 0; i < n; i++) {
			CHECK(t[i].spec_version == t[0].spec_version);
			CHECK(t[i].spec_version >= c.version);
			CHECK(t[i].spec_version == first ||
			      t[i].prio == number_of(t[i].spec_version));
		}
		++*looks;
	}
	free(t);
	return arg;
}

static void pushes_race_with_channels(int *unused)
{
	uint64_t first = config().version, looks[2] = { };
	pthread_t reader[2], opener;

	(void)unused;
	for (int i = 0; i < 2; i++)
		CHECK(!pthread_create(&reader[i], NULL, look, &looks[i]));
	CHECK(!pthread_create(&opener, NULL, open_channels, NULL));
	for (uint64_t v = first + 1; v <= first + PUSHES; v++) {
		char spec[128], ac[16];
		struct timegraph_push p;

		snprintf(spec, sizeof(spec), "<alpha:PRT:-:%u::>\n<beta:PRT:-:%u::>\n<own:PRT:-:%u::>\n",
			 number_of(v), number_of(v), number_of(v));
		snprintf(ac, sizeof(ac), "%u", number_of(v));
		p = push_of(spec, ac);
		CHECK(!ioctl(fd, TIMEGRAPH_IOC_PUSH, &p) && p.version == v);
		CHECK(task("alpha").spec_version == v && task("alpha").prio == number_of(v));
	}
	stop = true;
	for (int i = 0; i < 2; i++)
		pthread_join(reader[i], NULL);
	pthread_join(opener, NULL);
	printf("%llu looks\n", (unsigned long long)(looks[0] + looks[1]));
	CHECK(looks[0] && looks[1]);
}

/* The specification, and then the limit, of the same number. */
static void replace_both(const struct timegraph_config *c, unsigned int number)
{
	char text[64];

	snprintf(text, sizeof(text), "<alpha:PRT:-:%u::>\n<beta:PRT:-:%u::>\n", number, number);
	replace(c->spec_path, text);
	snprintf(text, sizeof(text), "%u\n", number);
	replace(c->ac_path, text);
}

static void *go_on_replacing(void *arg)
{
	for (unsigned int i = 0; !stop; i++) {
		replace_both(arg, number_of(i));
		usleep(1000 + i % 16 * 500);
	}
	return NULL;
}

static void reload_applies_one_version(int *unused)
{
	struct timegraph_config c = config();
	int torn = 0, two = 0, good = 0;
	pthread_t writer;

	(void)unused;
	replace_both(&c, number_of(0));
	CHECK(!pthread_create(&writer, NULL, go_on_replacing, &c));
	for (int i = 0; i < RELOADS; i++) {
		struct timegraph_task alpha, beta;
		unsigned int ahead;

		if (ioctl(fd, TIMEGRAPH_IOC_RELOAD))
			continue;
		alpha = task("alpha");
		beta = task("beta");
		two += alpha.spec_version != beta.spec_version || alpha.prio != beta.prio;
		/* The limit is of that number, or not there yet. */
		ahead = (alpha.prio + 80 - config().limit_percent) % 80;
		torn += ahead > 1;
		good++;
	}
	stop = true;
	pthread_join(writer, NULL);
	printf("of %d reloads %d applied two versions, %d texts that were never together\n",
	       good, two, torn);
	CHECK(good > RELOADS / 2 && !two && !torn);
}

static void slow_files_are_told(int *unused)
{
	(void)unused;
	CHECK(config().flags & TIMEGRAPH_CONFIG_SLOW);
}

static const struct device_test tests[] = {
	TEST(bad_pushes_change_nothing),
	TEST(refused_texts_change_nothing),
	TEST(push_is_one_version_for_all),
	TEST(pushed_version_stays_until_a_file_changes),
	TEST(renames_are_seen),
	TEST(pushes_race_with_channels),
	TEST(reload_applies_one_version),
	TEST(slow_files_are_told),
	{ },
};

int main(int argc, char **argv)
{
	prctl(PR_SET_NAME, "own");
	fd = node(O_RDWR);
	if (argc == 3 && !strcmp(argv[1], "push"))
		return push(push_of(argv[2], NULL)) ? 1 : 0;
	return run_device_test(tests, argc, argv);
}
