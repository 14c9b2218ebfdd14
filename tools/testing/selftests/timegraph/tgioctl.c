// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Calls /dev/timegraph in every way, right and wrong.
 *
 *	tgioctl TEST [PID]...		PIDs of clients that run
 *	tgioctl --nobody COMMAND...	runs it as that user, without privileges
 *
 * Ends with 0 if all is as <drm/timegraph.h> says; else it says what is not.
 */
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "device.h"
#include "random.h"

/* Not a constant: the compiler would know better than to pass it. */
static void *volatile nowhere = (void *)8;
#define NOWHERE nowhere
#define MS 1000000ull

static unsigned int resized(unsigned int cmd, size_t size)
{
	return _IOC(_IOC_DIR(cmd), _IOC_TYPE(cmd), _IOC_NR(cmd), size);
}

static uint32_t list_reserves(int fd, struct timegraph_reserve *r)
{
	struct timegraph_list list = { .ptr = (uintptr_t)r, .stride = sizeof(*r), .room = ROOM };

	CHECK(!ioctl(fd, TIMEGRAPH_IOC_RESERVES, &list));
	return list.count;
}

static bool find_reserve(int fd, const char *name, struct timegraph_reserve *out)
{
	static struct timegraph_reserve r[ROOM];
	uint32_t n = list_reserves(fd, r);

	for (uint32_t i = 0; i < n && i < ROOM; i++)
		if (!strcmp(r[i].name, name)) {
			*out = r[i];
			return true;
		}
	return false;
}

/*
 * A reserve that its last task has left: it goes at once, or, if that task ran in it,
 * once it is full.
 */
static bool goes_when_full(int fd, const char *name)
{
	struct timegraph_reserve r = { };

	for (int i = 0; i < 500; i++) {
		if (!find_reserve(fd, name, &r))
			return true;
		if (!(r.flags & TIMEGRAPH_RESERVE_LINGERING))
			return false;
		usleep(10000);
	}
	return false;
}

static int foreground(int fd, const int *pids, uint32_t n, uint32_t *boosted)
{
	struct timegraph_foreground fg = { .ptr = (uintptr_t)pids, .count = n };
	int ret = ioctl(fd, TIMEGRAPH_IOC_FOREGROUND, &fg);

	*boosted = fg.nr_boosted;
	return ret;
}

static bool in_foreground(int fd, int pid)
{
	struct timegraph_task t = { };

	CHECK(find_task(fd, pid, &t));
	return t.flags & TIMEGRAPH_TASK_FOREGROUND;
}

static struct timegraph_set set_prio(int pid, int prio)
{
	return (struct timegraph_set){ .pid = pid, .fields = TIMEGRAPH_SET_PRIO, .prio = prio };
}

static struct timegraph_set set_cpu(int pid)
{
	return (struct timegraph_set){ .pid = pid, .fields = TIMEGRAPH_SET_PRIO,
				       .focus = TIMEGRAPH_FOLLOW_CPU };
}

static struct timegraph_set set_reserve(int pid, int resv, uint64_t c_ms, uint64_t t_ms,
					const char *group)
{
	struct timegraph_set s = {
		.pid = pid, .fields = TIMEGRAPH_SET_RESV, .resv = resv,
		.capacity_ns = c_ms * MS, .period_ns = t_ms * MS,
	};

	strncpy(s.group, group, sizeof(s.group) - 1);
	return s;
}

static int set_task(int fd, struct timegraph_set s)
{
	return ioctl(fd, TIMEGRAPH_IOC_SET_TASK, &s);
}

static int clear_task(int fd, int pid)
{
	struct timegraph_set s = { .pid = pid };

	return ioctl(fd, TIMEGRAPH_IOC_CLEAR_TASK, &s);
}

static void look(int *pids)
{
	struct timegraph_caps caps = { };
	struct timegraph_gpu gpu = { .index = 0 };
	struct timegraph_task t = { };
	struct timegraph_reserve r = { };
	int fd = node(O_RDONLY);

	CHECK(!ioctl(fd, TIMEGRAPH_IOC_CAPS, &caps));
	CHECK(caps.abi_version == TIMEGRAPH_ABI_VERSION && caps.nr_gpus == 1);
	CHECK(caps.ht_depth == 16 && caps.history == 100 && caps.version[0] && caps.now_ns);
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_GPU, &gpu));
	CHECK(!strcmp(gpu.name, "0000:00:02.0") && !gpu.bypass && gpu.submitted > 10);
	CHECK(gpu.busy_ns > 0 && gpu.stamped > 0 && gpu.now_ns >= caps.now_ns);
	gpu.index = 1;
	FAILS(ioctl(fd, TIMEGRAPH_IOC_GPU, &gpu), ENXIO);
	CHECK(find_task(fd, pids[0], &t));
	CHECK(!strcmp(t.comm, "alpha") && t.prio == 30 && t.policy == TIMEGRAPH_POLICY_PRT);
	CHECK(t.resv == TIMEGRAPH_RESV_PE && t.spec_line == 1 && t.nr_channels >= 1);
	CHECK(t.groups > 0 && t.gpu_ns > 0 && t.id > 0 && !t.flags);
	CHECK(find_reserve(fd, "Background", &r));
	CHECK(r.id == 1 && r.flags == (TIMEGRAPH_RESERVE_SHARED | TIMEGRAPH_RESERVE_BACKGROUND));
	CHECK(find_reserve(fd, "shop", &r) && r.id == t.reserve);
	CHECK(r.flags == TIMEGRAPH_RESERVE_SHARED && r.nr_tasks == 1 && r.used_ns > 0);
	CHECK(r.capacity_ns == 20 * MS && r.period_ns == 40 * MS);
	close(fd);
}

static void elements_fit_the_stride(int *pids)
{
	static uint8_t buf[8 * 4096];
	struct timegraph_list list = { .ptr = (uintptr_t)buf, .stride = 4096, .room = 8 };
	struct timegraph_task t = { };
	int fd = node(O_RDONLY);

	memset(buf, 0xee, sizeof(buf));
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_TASKS, &list) && list.count == 2);
	memcpy(&t, buf, sizeof(t));
	CHECK(t.pid == pids[0] || t.pid == pids[1]);
	for (size_t i = sizeof(t); i < 4096; i++)
		CHECK(!buf[i]);
	CHECK(buf[2 * 4096] == 0xee);

	memset(buf, 0xee, sizeof(buf));
	list.stride = 8;
	list.room = 1;
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_TASKS, &list) && list.count == 2);
	CHECK(!memcmp(buf, &t, 4) && buf[8] == 0xee);

	list = (struct timegraph_list){ 0 };
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_TASKS, &list) && list.count == 2);
	close(fd);
}

static void bad_lists(int *pids)
{
	struct timegraph_task t[4];
	const struct timegraph_list good = {
		.ptr = (uintptr_t)t, .stride = sizeof(t[0]), .room = 4,
	};
	struct timegraph_list list;
	int fd = node(O_RDONLY);

	(void)pids;
#define TRY(field, value, error)                                            \
	list = good;                                                        \
	list.field = value;                                                 \
	FAILS(ioctl(fd, TIMEGRAPH_IOC_TASKS, &list), error);                \
	list = good;                                                        \
	list.field = value;                                                 \
	FAILS(ioctl(fd, TIMEGRAPH_IOC_RESERVES, &list), error)

	TRY(gpu, 1, ENXIO);
	TRY(gpu, ~0u, ENXIO);
	TRY(flags, 1, EINVAL);
	TRY(reserved, 1, EINVAL);
	TRY(stride, 0, EINVAL);
	TRY(stride, 4, EINVAL);
	TRY(stride, 12, EINVAL);
	TRY(stride, 4104, EINVAL);
	TRY(stride, ~0u, EINVAL);
	TRY(ptr, (uintptr_t)NOWHERE, EFAULT);
	TRY(ptr, 0xffffffff00000000ull, EFAULT);
#undef TRY
	/* Room for four thousand million of them is no reason to make any. */
	list = good;
	list.room = ~0u;
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_TASKS, &list) && list.count == 2);
	close(fd);
}

static void structures_of_any_size(int *pids)
{
	struct { struct timegraph_gpu gpu; uint8_t more[64]; } big = { };
	struct { struct timegraph_set set; uint8_t more[16]; } set = { };
	struct timegraph_gpu gpu;
	int fd = node(O_RDWR);

	/* Shorter: what is missing is 0, and nothing is written behind. */
	memset(&gpu, 0xee, sizeof(gpu));
	gpu.index = 0;
	CHECK(!ioctl(fd, resized(TIMEGRAPH_IOC_GPU, 16), &gpu));
	CHECK(!strncmp(gpu.name, "0000:00:", 8) && (uint8_t)gpu.name[8] == 0xee);
	/* Longer: 0 is taken, and given. */
	CHECK(!ioctl(fd, resized(TIMEGRAPH_IOC_GPU, sizeof(big)), &big));
	CHECK(!strcmp(big.gpu.name, "0000:00:02.0"));
	memset(&big, 0, sizeof(big));
	big.more[63] = 1;
	FAILS(ioctl(fd, resized(TIMEGRAPH_IOC_GPU, sizeof(big)), &big), E2BIG);
	set.set = set_prio(pids[0], 3);
	set.more[0] = 1;
	FAILS(ioctl(fd, resized(TIMEGRAPH_IOC_SET_TASK, sizeof(set)), &set), E2BIG);
	FAILS(ioctl(fd, resized(TIMEGRAPH_IOC_GPU, 0), &gpu), EINVAL);
	FAILS(ioctl(fd, resized(TIMEGRAPH_IOC_RELOAD, 8), &gpu), EINVAL);
	FAILS(ioctl(fd, TIMEGRAPH_IOC_CAPS, NOWHERE), EFAULT);
	FAILS(ioctl(fd, TIMEGRAPH_IOC_GPU, NOWHERE), EFAULT);
	FAILS(ioctl(fd, TIMEGRAPH_IOC_SET_TASK, NOWHERE), EFAULT);
	FAILS(ioctl(fd, _IO(TIMEGRAPH_IOC_MAGIC, 0x0d)), ENOTTY);
	FAILS(ioctl(fd, _IO(TIMEGRAPH_IOC_MAGIC, 0xff)), ENOTTY);
	FAILS(ioctl(fd, _IOR('T', 0x00, struct timegraph_caps), &gpu), ENOTTY);
	FAILS(ioctl(fd, _IOW(TIMEGRAPH_IOC_MAGIC, 0x00, struct timegraph_caps), &gpu), ENOTTY);
	close(fd);
}

static void foreground_lasts_as_long_as_the_file(int *pids)
{
	int a = node(O_RDWR), b = node(O_RDWR), look = node(O_RDONLY);
	int many[] = { -1, 0, 0x7fffffff, pids[1], getpid(), pids[0] };
	uint32_t n;

	/* beta is managed by focus, alpha is not. */
	CHECK(!foreground(a, &pids[0], 1, &n) && n == 0);
	CHECK(!foreground(a, &pids[1], 1, &n) && n == 1 && in_foreground(look, pids[1]));
	CHECK(!foreground(b, many, 6, &n) && n == 1);
	CHECK(!foreground(a, NULL, 0, &n) && n == 0 && in_foreground(look, pids[1]));
	close(b);
	CHECK(!in_foreground(look, pids[1]));
	CHECK(!foreground(a, &pids[1], 1, &n) && in_foreground(look, pids[1]));
	close(a);
	CHECK(!in_foreground(look, pids[1]));
	close(look);
}

static void bad_foregrounds(int *pids)
{
	struct timegraph_foreground fg = { .ptr = (uintptr_t)pids, .count = 1 };
	int rw = node(O_RDWR), ro = node(O_RDONLY);
	uint32_t n;

	FAILS(foreground(ro, &pids[1], 1, &n), EBADF);
	FAILS(foreground(rw, NOWHERE, 1, &n), EFAULT);
	FAILS(foreground(rw, pids, TIMEGRAPH_FOREGROUND_MAX + 1, &n), EINVAL);
	fg.flags = 4;
	FAILS(ioctl(rw, TIMEGRAPH_IOC_FOREGROUND, &fg), EINVAL);
	fg.flags = 0;
	fg.reserved = 1;
	FAILS(ioctl(rw, TIMEGRAPH_IOC_FOREGROUND, &fg), EINVAL);
	CHECK(!in_foreground(ro, pids[1]));
	close(rw);
	close(ro);
}

static void a_lead_holds_until_it_is_the_modules_again(int fd, int pid)
{
	struct timegraph_set set = {
		.pid = pid, .fields = TIMEGRAPH_SET_LEAD, .lead_ns = 100 * MS,
	};
	struct timegraph_caps caps;
	struct timegraph_task t = { };

	CHECK(!ioctl(fd, TIMEGRAPH_IOC_CAPS, &caps) && caps.lead_ns);
	CHECK(find_task(fd, pid, &t) && t.lead_ns == caps.lead_ns);
	CHECK(!(t.flags & TIMEGRAPH_TASK_LEAD));
	CHECK(!set_task(fd, set));
	CHECK(find_task(fd, pid, &t) && t.lead_ns == 100 * MS && t.flags & TIMEGRAPH_TASK_LEAD);
	set.lead_ns = 0;
	CHECK(!set_task(fd, set));
	CHECK(find_task(fd, pid, &t) && !t.lead_ns && t.flags & TIMEGRAPH_TASK_LEAD);
	set.lead_ns = TIMEGRAPH_LEAD_COMMON;
	CHECK(!set_task(fd, set));
	CHECK(find_task(fd, pid, &t) && t.lead_ns == caps.lead_ns);
	CHECK(!(t.flags & TIMEGRAPH_TASK_LEAD));
}

static void parameters_hold_until_they_are_cleared(int *pids)
{
	struct timegraph_task t = { };
	struct timegraph_reserve r = { };
	int fd = node(O_RDWR);

	CHECK(!set_task(fd, set_prio(pids[0], 77)));
	CHECK(find_task(fd, pids[0], &t) && t.prio == 77 && t.flags == TIMEGRAPH_TASK_SET);
	CHECK(t.resv == TIMEGRAPH_RESV_PE);
	CHECK(!set_task(fd, set_reserve(pids[0], TIMEGRAPH_RESV_AE, 3, 30, "")));
	CHECK(find_task(fd, pids[0], &t) && t.prio == 77 && t.resv == TIMEGRAPH_RESV_AE);
	CHECK(find_reserve(fd, "alpha", &r) && r.id == t.reserve && r.capacity_ns == 3 * MS);
	CHECK(r.policy == TIMEGRAPH_RESV_AE);
	CHECK(!set_task(fd, (struct timegraph_set){ .pid = pids[0],
			.fields = TIMEGRAPH_SET_POLICY, .policy = TIMEGRAPH_POLICY_HT }));
	CHECK(find_task(fd, pids[0], &t) && t.policy == TIMEGRAPH_POLICY_HT && !t.reserve);
	CHECK(t.flags == (TIMEGRAPH_TASK_SET | TIMEGRAPH_TASK_UNREGULATED) && t.weight == 100);
	CHECK(!set_task(fd, (struct timegraph_set){ .pid = pids[0], .weight = 10000,
			.fields = TIMEGRAPH_SET_POLICY | TIMEGRAPH_SET_WEIGHT,
			.policy = TIMEGRAPH_POLICY_FQ }));
	CHECK(find_task(fd, pids[0], &t) && t.policy == TIMEGRAPH_POLICY_FQ && t.reserve);
	CHECK(t.weight == 10000 && t.prio == 77 && t.resv == TIMEGRAPH_RESV_AE);
	a_lead_holds_until_it_is_the_modules_again(fd, pids[0]);
	close(fd);

	fd = node(O_RDWR);
	CHECK(find_task(fd, pids[0], &t) && t.prio == 77);
	CHECK(!clear_task(fd, pids[0]));
	CHECK(find_task(fd, pids[0], &t) && t.prio == 30 && !t.flags && t.resv == TIMEGRAPH_RESV_PE);
	CHECK(find_reserve(fd, "shop", &r) && t.reserve == r.id);
	CHECK(goes_when_full(fd, "alpha"));
	close(fd);
}

static void tasks_join_reserves_by_name(int *pids)
{
	struct timegraph_create c = {
		.policy = TIMEGRAPH_RESV_AE, .capacity_ns = 2 * MS, .period_ns = 20 * MS,
		.name = "kept",
	};
	struct timegraph_task t = { };
	struct timegraph_reserve r = { };
	int keeper = node(O_RDWR), fd = node(O_RDWR);

	FAILS(set_task(fd, set_reserve(pids[0], TIMEGRAPH_RESV_PE, 0, 0, "kept")), ENOENT);
	CHECK(!ioctl(keeper, TIMEGRAPH_IOC_CREATE_RESERVE, &c) && c.id > 1 && !c.flags);
	FAILS(ioctl(keeper, TIMEGRAPH_IOC_CREATE_RESERVE, &c), EEXIST);
	CHECK(find_reserve(fd, "kept", &r) && r.nr_tasks == 0);
	CHECK(r.flags == (TIMEGRAPH_RESERVE_SHARED | TIMEGRAPH_RESERVE_KEPT));
	CHECK(!set_task(fd, set_reserve(pids[0], TIMEGRAPH_RESV_PE, 0, 0, "kept")));
	CHECK(find_task(fd, pids[0], &t) && t.reserve == r.id && t.resv == TIMEGRAPH_RESV_AE);
	close(keeper);
	/* Its task still uses it. */
	CHECK(find_reserve(fd, "kept", &r) && r.flags == TIMEGRAPH_RESERVE_SHARED);
	CHECK(!clear_task(fd, pids[0]));
	CHECK(goes_when_full(fd, "kept"));

	/* All of the GPU is more than what is left. */
	keeper = node(O_RDWR);
	c.capacity_ns = c.period_ns;
	CHECK(!ioctl(keeper, TIMEGRAPH_IOC_CREATE_RESERVE, &c));
	CHECK(c.flags == TIMEGRAPH_RESERVE_DEMOTED);
	close(keeper);
	CHECK(!find_reserve(fd, "kept", &r));
	close(fd);
}

static void bad_parameters(int *pids)
{
	struct timegraph_task before = { }, after = { };
	int fd = node(O_RDWR), ro = node(O_RDONLY);
	struct timegraph_set s;

	CHECK(find_task(ro, pids[0], &before));
#define TRY(set, change, error)                         \
	s = set;                                        \
	change;                                         \
	FAILS(ioctl(fd, TIMEGRAPH_IOC_SET_TASK, &s), error)

	TRY(set_prio(pids[0], 5), s.fields = 0, EINVAL);
	TRY(set_prio(pids[0], 5), s.fields |= 32, EINVAL);
	TRY(set_prio(pids[0], 5), s.flags = 2, EINVAL);
	TRY(set_prio(pids[0], 100), , EINVAL);
	TRY(set_prio(pids[0], 5), s.focus = 1, EINVAL);
	TRY(set_prio(pids[0], 50), s.focus = 2, EINVAL);
	TRY(set_prio(pids[0], 0), s.focus = 3, EINVAL);
	TRY(set_cpu(pids[0]), s.prio = 1, EINVAL);
	TRY(set_prio(pids[0], 5), s.policy = 3, EINVAL);
	TRY(set_prio(pids[0], 5), s.reserved = 1, EINVAL);
	TRY(set_prio(pids[0], 5), s.weight = 10001, EINVAL);
	TRY(set_prio(pids[0], 5), (s.fields |= TIMEGRAPH_SET_WEIGHT), EINVAL);
	TRY(set_prio(pids[0], 5), (s.fields |= TIMEGRAPH_SET_WEIGHT, s.weight = 10001), EINVAL);
	TRY(set_prio(pids[0], 5), (s.fields |= TIMEGRAPH_SET_LEAD, s.lead_ns = 101 * MS), EINVAL);
	TRY(set_prio(pids[0], 5), s.lead_ns = ~1ull, EINVAL);
	TRY(set_prio(pids[0], 5), s.resv = 4, EINVAL);
	TRY(set_prio(1, 5), , ESRCH);
	TRY(set_prio(0x7ffffff0, 5), , ESRCH);
	TRY(set_prio(0, 5), , ESRCH);
	TRY(set_prio(-1, 5), , ESRCH);
	TRY(set_reserve(pids[0], TIMEGRAPH_RESV_PE, 0, 0, ""), , EINVAL);
	TRY(set_reserve(pids[0], TIMEGRAPH_RESV_PE, 5, 4, ""), , EINVAL);
	TRY(set_reserve(pids[0], TIMEGRAPH_RESV_PE, 0, 4, "g"), , EINVAL);
	TRY(set_reserve(pids[0], TIMEGRAPH_RESV_PE, 5, 100001, ""), , EINVAL);
	TRY(set_reserve(pids[0], TIMEGRAPH_RESV_PE, 5, 10, ""), s.capacity_ns = ~0ull, EINVAL);
	TRY(set_reserve(pids[0], TIMEGRAPH_RESV_BG, 5, 10, ""), , EINVAL);
	TRY(set_reserve(pids[0], TIMEGRAPH_RESV_NONE, 0, 0, "g"), , EINVAL);
	TRY(set_reserve(pids[0], TIMEGRAPH_RESV_PE, 5, 10, "a\nb"), , EINVAL);
	TRY(set_reserve(pids[0], TIMEGRAPH_RESV_PE, 5, 10, "g"), memset(s.group, 'g', sizeof(s.group)),
	    EINVAL);
#undef TRY
	FAILS(set_task(ro, set_prio(pids[0], 5)), EBADF);
	FAILS(clear_task(ro, pids[0]), EBADF);
	FAILS(clear_task(fd, 1), ESRCH);
	s = set_prio(pids[0], 5);
	FAILS(ioctl(fd, TIMEGRAPH_IOC_CLEAR_TASK, &s), EINVAL);
	CHECK(find_task(ro, pids[0], &after));
	CHECK(before.prio == after.prio && before.reserve == after.reserve);
	CHECK(before.policy == after.policy && before.flags == after.flags);
	close(fd);
	close(ro);
}

static void bad_reserves(int *pids)
{
	const struct timegraph_create good = {
		.policy = TIMEGRAPH_RESV_PE, .capacity_ns = MS, .period_ns = 100 * MS, .name = "new",
	};
	struct timegraph_create c;
	struct timegraph_reserve r = { };
	int fd = node(O_RDWR), ro = node(O_RDONLY);

	(void)pids;
#define TRY(change, error)                                         \
	c = good;                                                  \
	change;                                                    \
	FAILS(ioctl(fd, TIMEGRAPH_IOC_CREATE_RESERVE, &c), error)

	TRY(c.gpu = 1, ENXIO);
	TRY(c.policy = TIMEGRAPH_RESV_NONE, EINVAL);
	TRY(c.policy = TIMEGRAPH_RESV_BG, EINVAL);
	TRY(c.policy = ~0u, EINVAL);
	TRY(c.capacity_ns = 0, EINVAL);
	TRY(c.capacity_ns = 101 * MS, EINVAL);
	TRY(c.period_ns = 0, EINVAL);
	TRY(c.period_ns = ~0ull, EINVAL);
	TRY(c.name[0] = 0, EINVAL);
	TRY(c.name[1] = 7, EINVAL);
	TRY(memset(c.name, 'n', sizeof(c.name)), EINVAL);
	TRY(strcpy(c.name, "shop"), EEXIST);
#undef TRY
	c = good;
	FAILS(ioctl(ro, TIMEGRAPH_IOC_CREATE_RESERVE, &c), EBADF);
	CHECK(!find_reserve(ro, "new", &r));
	close(fd);
	close(ro);
}

static void bypass_and_reload(int *pids)
{
	struct timegraph_bypass b = { .gpu = 0, .on = 1 };
	struct timegraph_gpu gpu = { };
	int fd = node(O_RDWR), ro = node(O_RDONLY);

	(void)pids;
	FAILS(ioctl(ro, TIMEGRAPH_IOC_BYPASS, &b), EBADF);
	b.on = 2;
	FAILS(ioctl(fd, TIMEGRAPH_IOC_BYPASS, &b), EINVAL);
	b = (struct timegraph_bypass){ .gpu = 1, .on = 1 };
	FAILS(ioctl(fd, TIMEGRAPH_IOC_BYPASS, &b), ENXIO);
	CHECK(!ioctl(ro, TIMEGRAPH_IOC_GPU, &gpu) && !gpu.bypass);
	b.gpu = TIMEGRAPH_ALL_GPUS;
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_BYPASS, &b));
	CHECK(!ioctl(ro, TIMEGRAPH_IOC_GPU, &gpu) && gpu.bypass == TIMEGRAPH_BYPASS_USER);
	b = (struct timegraph_bypass){ .gpu = 0, .on = 0 };
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_BYPASS, &b));
	CHECK(!ioctl(ro, TIMEGRAPH_IOC_GPU, &gpu) && !gpu.bypass);
	FAILS(ioctl(ro, TIMEGRAPH_IOC_RELOAD), EBADF);
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_RELOAD));
	close(fd);
	close(ro);
}

/* What beta, nobody's, gets by a new line. */
static int prio_by(int fd, int *pids, const char *line)
{
	struct timegraph_config config;
	struct timegraph_task t = { };
	int file;

	CHECK(!ioctl(fd, TIMEGRAPH_IOC_CONFIG, &config));
	file = open(config.spec_path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	CHECK(file >= 0 && dprintf(file, "%s\n", line) > 0);
	close(file);
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_RELOAD));
	CHECK(find_task(fd, pids[1], &t));
	return t.flags & TIMEGRAPH_TASK_FOCUS ? -t.prio : t.prio;
}

static void nobody_asks_for_50(int *pids)
{
	int fd = node(O_RDWR);

	CHECK(!set_task(fd, set_prio(pids[1], 50)));
	close(fd);
}

static void nobody_clears(int *pids)
{
	int fd = node(O_RDWR);

	CHECK(!clear_task(fd, pids[1]));
	close(fd);
}

/* Its user asks for what it has: later specifications hold all the same, below that. */
static void nobody_pins_a_task(int *pids)
{
	struct timegraph_task t = { };
	int fd = node(O_RDWR);

	as_nobody(nobody_asks_for_50, pids);
	CHECK(prio_by(fd, pids, "<beta:PRT:-:10::>") == 10);
	CHECK(prio_by(fd, pids, "<beta:PRT:PE:20:1ms:10ms>") == 20);
	CHECK(find_task(fd, pids[1], &t) && t.resv == TIMEGRAPH_RESV_PE);
	CHECK(prio_by(fd, pids, "<beta:HT:-:99::>") == 50);
	CHECK(find_task(fd, pids[1], &t) && t.policy == TIMEGRAPH_POLICY_HT);
	CHECK(prio_by(fd, pids, "<beta:PRT:-:*::>") == 50);
	/* What the administrator sets he cannot take back, only his own. */
	CHECK(!set_task(fd, set_prio(pids[1], 5)));
	as_nobody(nobody_clears, pids);
	CHECK(prio_by(fd, pids, "<beta:PRT:-:70::>") == 5);
	CHECK(!clear_task(fd, pids[1]));
	CHECK(prio_by(fd, pids, "<beta:PRT:-:71::>") == 71);
	as_nobody(nobody_asks_for_50, pids);
	CHECK(prio_by(fd, pids, "<beta:PRT:-:72::>") == 50);
	as_nobody(nobody_clears, pids);
	CHECK(prio_by(fd, pids, "<beta:PRT:-:*::>") == -50);
	close(fd);
}

/* Looks 40 times, every 10 ms: how often was something new? */
static int news(int fd)
{
	struct timegraph_reserve r = { };
	uint64_t busy = 0, used = 0;
	int n = 0;

	for (int i = 0; i < 40; i++) {
		struct timegraph_gpu gpu = { };

		CHECK(!ioctl(fd, TIMEGRAPH_IOC_GPU, &gpu));
		CHECK(find_reserve(fd, "Background", &r));
		n += i && (gpu.busy_ns != busy || r.used_ns != used);
		busy = gpu.busy_ns;
		used = r.used_ns;
		usleep(10000);
	}
	return n;
}

/* Alpha, root's, works; nobody looks. */
static void nobody_spies(int *pids)
{
	struct timegraph_subscribe s = {
		.mask = TIMEGRAPH_EVENT_TASK | TIMEGRAPH_EVENT_ADMISSION |
			TIMEGRAPH_EVENT_FOREGROUND | TIMEGRAPH_EVENT_CONFIG,
	};
	struct pollfd p = { .events = POLLIN };
	struct timegraph_events e = { };
	uint32_t n;

	p.fd = node(O_RDWR | O_NONBLOCK);
	n = news(p.fd);
	printf("%u news of 39\n", n);
	CHECK(n <= 2);
	CHECK(!ioctl(p.fd, TIMEGRAPH_IOC_SUBSCRIBE, &s));
	/* For root's tasks, which are about to be changed in all ways. */
	CHECK(poll(&p, 1, 2000) == 0);
	/* His own he hears of. */
	CHECK(!foreground(p.fd, &pids[1], 1, &n));
	CHECK(poll(&p, 1, 0) == 1 && read(p.fd, &e, sizeof(e)) == sizeof(e));
	CHECK(e.mask == TIMEGRAPH_EVENT_FOREGROUND);
	CHECK(!set_task(p.fd, set_prio(pids[1], 40)) && !clear_task(p.fd, pids[1]));
	CHECK(read(p.fd, &e, sizeof(e)) == sizeof(e) && e.mask == TIMEGRAPH_EVENT_TASK);
	close(p.fd);
}

static void *change_alpha(void *arg)
{
	int *pids = arg, fd = node(O_RDWR);
	uint32_t n;

	usleep(1200000);
	CHECK(!set_task(fd, set_prio(pids[0], 20)) && !clear_task(fd, pids[0]));
	CHECK(!foreground(fd, pids, 1, &n));
	CHECK(!set_task(fd, set_reserve(pids[0], TIMEGRAPH_RESV_PE, 90, 100, "")));
	CHECK(!clear_task(fd, pids[0]));
	close(fd);
	return NULL;
}

static void others_are_not_watched(int *pids)
{
	pthread_t thread;
	int fd = node(O_RDWR);

	CHECK(news(fd) > 20);
	close(fd);
	CHECK(!pthread_create(&thread, NULL, change_alpha, pids));
	as_nobody(nobody_spies, pids);
	pthread_join(thread, NULL);
}

/* Writes a line for alpha into the specification and has it read; its change time. */
static struct timespec reload_with(int fd, const char *path, int prio)
{
	int file = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	struct stat st = { };

	CHECK(file >= 0 && dprintf(file, "<alpha:PRT:-:%2d::>\n", prio) > 0);
	close(file);
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_RELOAD));
	CHECK(!stat(path, &st));
	return st.st_ctim;
}

/* Of the same length and changed within a tick of the clock: read all the same. */
static void reload_reads_what_looks_the_same(int *pids)
{
	struct timegraph_config config;
	struct timespec first, second;
	struct timegraph_task t;
	int fd = node(O_RDWR), prio, alike = 0;

	CHECK(!ioctl(fd, TIMEGRAPH_IOC_CONFIG, &config));
	for (prio = 10; prio < 90; prio += 2) {
		first = reload_with(fd, config.spec_path, prio);
		second = reload_with(fd, config.spec_path, prio + 1);
		alike += first.tv_sec == second.tv_sec && first.tv_nsec == second.tv_nsec;
		CHECK(find_task(fd, pids[0], &t) && t.prio == prio + 1);
	}
	printf("%d of 40 pairs had one change time\n", alike);
	CHECK(alike);
	close(fd);
}

static void *boost_later(void *arg)
{
	int fd = node(O_RDWR);
	uint32_t n;

	usleep(50000);
	CHECK(!foreground(fd, arg, 1, &n));
	close(fd);
	return NULL;
}

static void events_tell_once(int *pids)
{
	struct timegraph_subscribe s = { .mask = TIMEGRAPH_EVENT_FOREGROUND };
	struct timegraph_events e = { };
	int fd = node(O_RDWR | O_NONBLOCK);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	pthread_t thread;
	uint32_t n;

	FAILS(read(fd, &e, sizeof(e)), EINVAL);
	s.reserved = 1;
	FAILS(ioctl(fd, TIMEGRAPH_IOC_SUBSCRIBE, &s), EINVAL);
	s.reserved = 0;
	s.mask = 1u << 6;
	FAILS(ioctl(fd, TIMEGRAPH_IOC_SUBSCRIBE, &s), EINVAL);
	s.mask = TIMEGRAPH_EVENT_FOREGROUND;
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_SUBSCRIBE, &s));
	FAILS(read(fd, &e, sizeof(e)), EAGAIN);
	CHECK(poll(&p, 1, 0) == 0);
	CHECK(!foreground(fd, &pids[1], 1, &n));
	CHECK(!foreground(fd, NULL, 0, &n));
	CHECK(!set_task(fd, set_prio(pids[0], 20)) && !clear_task(fd, pids[0]));
	CHECK(poll(&p, 1, 0) == 1 && p.revents == POLLIN);
	FAILS(read(fd, &e, sizeof(e) - 1), EINVAL);
	FAILS(read(fd, NOWHERE, sizeof(e)), EFAULT);
	CHECK(!foreground(fd, &pids[1], 1, &n));
	CHECK(read(fd, &e, sizeof(e)) == sizeof(e));
	CHECK(e.mask == TIMEGRAPH_EVENT_FOREGROUND && e.time_ns);
	FAILS(read(fd, &e, sizeof(e)), EAGAIN);

	/* And it wakes a reader who sleeps. */
	fcntl(fd, F_SETFL, 0);
	CHECK(!pthread_create(&thread, NULL, boost_later, &pids[1]));
	CHECK(read(fd, &e, sizeof(e)) == sizeof(e));
	pthread_join(thread, NULL);
	close(fd);
}

/* pids: alpha is root's, beta is nobody's. */
static void nobody_tries(int *pids)
{
	struct timegraph_create c = {
		.policy = TIMEGRAPH_RESV_PE, .capacity_ns = MS, .period_ns = 100 * MS, .name = "new",
	};
	struct timegraph_bypass b = { .on = 1 };
	struct timegraph_task t = { };
	struct timegraph_reserve r = { };
	int fd = node(O_RDWR);
	uint32_t n;

	CHECK(!find_task(fd, pids[0], &t) && find_task(fd, pids[1], &t));
	CHECK(t.uid == NOBODY);
	CHECK(!find_reserve(fd, "shop", &r) && find_reserve(fd, "Background", &r));
	FAILS(foreground(fd, pids, 2, &n), EPERM);
	CHECK(!foreground(fd, &pids[1], 1, &n) && n == 1);
	FAILS(set_task(fd, set_prio(pids[0], 1)), EPERM);
	FAILS(set_task(fd, set_prio(pids[1], 51)), EPERM);
	FAILS(clear_task(fd, pids[0]), EPERM);
	FAILS(set_task(fd, set_reserve(pids[1], TIMEGRAPH_RESV_PE, 1, 100, "")), EPERM);
	FAILS(set_task(fd, (struct timegraph_set){ .pid = pids[1],
			.fields = TIMEGRAPH_SET_POLICY, .policy = TIMEGRAPH_POLICY_PRT }), EPERM);
	FAILS(set_task(fd, (struct timegraph_set){ .pid = pids[1],
			.fields = TIMEGRAPH_SET_PRIO, .prio = 50, .focus = 1 }), EPERM);
	FAILS(set_task(fd, set_cpu(pids[1])), EPERM);
	CHECK(!set_task(fd, set_prio(pids[1], 49)));
	CHECK(find_task(fd, pids[1], &t) && t.prio == 49 && t.flags & TIMEGRAPH_TASK_SET);
	/* Back, but for the focus, and further: what it is given is the bound. */
	CHECK(!set_task(fd, set_prio(pids[1], 50)));
	FAILS(set_task(fd, set_prio(pids[1], 51)), EPERM);
	CHECK(find_task(fd, pids[1], &t) && t.prio == 50 && !(t.flags & TIMEGRAPH_TASK_FOCUS));
	CHECK(!clear_task(fd, pids[1]));
	CHECK(find_task(fd, pids[1], &t) && t.prio == 50 && t.flags & TIMEGRAPH_TASK_FOCUS);
	CHECK(!(t.flags & TIMEGRAPH_TASK_SET));
	FAILS(ioctl(fd, TIMEGRAPH_IOC_CREATE_RESERVE, &c), EPERM);
	FAILS(ioctl(fd, TIMEGRAPH_IOC_BYPASS, &b), EPERM);
	FAILS(ioctl(fd, TIMEGRAPH_IOC_RELOAD), EPERM);
	close(fd);
}

/* Beta follows the CPU, where it is real-time. */
static void nobody_lowers_who_follows(int *pids)
{
	struct timegraph_task t = { };
	int fd = node(O_RDWR);

	CHECK(find_task(fd, pids[1], &t) && t.level == 120);
	CHECK(!set_task(fd, set_prio(pids[1], 10)));
	CHECK(find_task(fd, pids[1], &t) && t.level == 20 && t.rank == 100);
	CHECK(t.flags & TIMEGRAPH_TASK_CPU && t.flags & TIMEGRAPH_TASK_SET);
	/* What its thread has is the bound. */
	CHECK(!set_task(fd, set_prio(pids[1], 99)));
	CHECK(find_task(fd, pids[1], &t) && t.level == 120);
	close(fd);
}

static void who_follows_the_cpu_can_be_lowered(int *pids)
{
	const struct sched_param real_time = { .sched_priority = 60 }, none = { 0 };
	struct timegraph_task t = { };
	int fd = node(O_RDWR);

	CHECK(!sched_setscheduler(pids[1], SCHED_FIFO, &real_time));
	CHECK(!set_task(fd, set_cpu(pids[1])));
	as_nobody(nobody_lowers_who_follows, pids);
	CHECK(!sched_setscheduler(pids[1], SCHED_OTHER, &none));
	CHECK(!clear_task(fd, pids[1]));
	CHECK(find_task(fd, pids[1], &t) && !(t.flags & TIMEGRAPH_TASK_CPU) && !t.rank);
	close(fd);
}

/* Root of a user namespace of its own is still nobody outside. */
static void namespaced_root_tries(int *pids)
{
	struct timegraph_bypass b = { .on = 1 };
	struct timegraph_task t = { };
	int fd;

	if (unshare(CLONE_NEWUSER))
		exit(2);
	fd = node(O_RDWR);
	CHECK(!find_task(fd, pids[0], &t) && find_task(fd, pids[1], &t));
	FAILS(set_task(fd, set_prio(pids[0], 1)), EPERM);
	FAILS(set_task(fd, set_prio(pids[1], 99)), EPERM);
	FAILS(ioctl(fd, TIMEGRAPH_IOC_BYPASS, &b), EPERM);
	close(fd);
}

static void other_users_get_no_more_than_theirs(int *pids)
{
	int fd = node(O_RDWR);

	as_nobody(nobody_tries, pids);
	CHECK(!clear_task(fd, pids[1]));
	as_nobody(namespaced_root_tries, pids);
	close(fd);
}

/* In a PID namespace others have no number, and cannot be named. */
static void numbers_are_of_the_callers_namespace(int *pids)
{
	struct timegraph_task t[ROOM];
	int status, fd = node(O_RDWR);
	pid_t child;

	CHECK(!unshare(CLONE_NEWPID));
	child = fork();
	if (!child) {
		tap_bad_checks = 0;
		CHECK(list_tasks(fd, t) == 2 && t[0].pid == 0 && t[1].pid == 0);
		FAILS(set_task(fd, set_prio(pids[0], 1)), ESRCH);
		fflush(stdout);
		_exit(tap_bad_checks ? 1 : 0);
	}
	waitpid(child, &status, 0);
	CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
	close(fd);
}

/* TG_LONG=1: a million. */
static int nr_calls(void)
{
	const char *is_long = getenv("TG_LONG");

	return is_long && strcmp(is_long, "0") ? 1000000 : 30000;
}

static void nothing(int sig)
{
	(void)sig;
}

/* Calls that wait end after a moment. */
static void interrupt_calls(bool on)
{
	const struct sigaction action = { .sa_handler = nothing };
	const struct timeval often = { .tv_usec = on ? 5000 : 0 };
	const struct itimerval timer = { often, often };

	CHECK(!sigaction(SIGALRM, &action, NULL));
	CHECK(!setitimer(ITIMER_REAL, &timer, NULL));
}

/* Arbitrary calls, by somebody who may do nothing bad; then by root, who may. */
static void arbitrary_calls(int *pids)
{
	const unsigned int past = _IOC_NR(TIMEGRAPH_IOC_SET_VRAM) + 2;
	int calls = nr_calls();
	static _Alignas(8) uint8_t buf[1024];
	uint64_t seed = strtoull(getenv("TG_SEED") ?: "1", NULL, 0);
	int fd = node(O_RDWR | O_NONBLOCK);

	printf("seed %llu\n", (unsigned long long)seed);
	interrupt_calls(true);
	for (int i = 0; i < calls; i++) {
		unsigned int dir = random_below(&seed, 4), nr = random_below(&seed, past);
		size_t size = random_below(&seed, random_below(&seed, 8) ? 256 : 1024);

		memset(buf, 0, sizeof(buf));
		for (size_t k = 0; k < size; k++)
			buf[k] = random_below(&seed, 4) ? 0 : (uint8_t)random_next(&seed);
		if (random_below(&seed, 2))
			memcpy(buf, &pids[random_below(&seed, 2)], sizeof(int));
		if (random_below(&seed, 4) == 0)
			*(uint64_t *)(buf + 8) = (uintptr_t)buf;
		ioctl(fd, _IOC(dir, TIMEGRAPH_IOC_MAGIC, nr, size), buf);
	}
	interrupt_calls(false);
	close(fd);
}

static void arbitrary_calls_do_no_harm(int *pids)
{
	struct timegraph_bypass b = { .gpu = TIMEGRAPH_ALL_GPUS };
	int fd = node(O_RDWR);

	as_nobody(arbitrary_calls, pids);
	arbitrary_calls(pids);
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_BYPASS, &b));
	CHECK(!clear_task(fd, pids[0]) && !clear_task(fd, pids[1]));
	close(fd);
}

static volatile bool stop;

static void *race(void *arg)
{
	static const char *const group[] = { "", "race", "shop" };
	uint64_t seed = 1 + (uintptr_t)arg;
	struct timegraph_create c = {
		.policy = TIMEGRAPH_RESV_PE, .capacity_ns = MS, .period_ns = 50 * MS, .name = "race",
	};

	while (!stop) {
		static struct timegraph_task t[8][ROOM];
		struct timegraph_task *mine = t[(uintptr_t)arg % 8];
		struct timegraph_reserve r;
		int fd = open(NODE, O_RDWR | O_CLOEXEC);
		uint32_t n = list_tasks(fd, mine), boosted;
		int pid = n ? mine[random_below(&seed, n < ROOM ? n : ROOM)].pid : 0;

		ioctl(fd, TIMEGRAPH_IOC_CREATE_RESERVE, &c);
		foreground(fd, &pid, 1, &boosted);
		set_task(fd, set_prio(pid, random_below(&seed, 100)));
		set_task(fd, set_reserve(pid, 1 + random_below(&seed, 2), 5, 50,
					 group[random_below(&seed, 3)]));
		find_reserve(fd, "none", &r);
		if (random_below(&seed, 4) == 0)
			ioctl(fd, TIMEGRAPH_IOC_RELOAD);
		clear_task(fd, pid);
		close(fd);
	}
	return NULL;
}

/* Until a signal: the caller has clients come and go meanwhile. */
static void handle(int sig)
{
	(void)sig;
	stop = true;
}

static void races_with_tasks_that_come_and_go(int *pids)
{
	pthread_t thread[4];

	(void)pids;
	signal(SIGTERM, handle);
	for (uintptr_t i = 0; i < 4; i++)
		CHECK(!pthread_create(&thread[i], NULL, race, (void *)i));
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

/* Says that it holds all there is to hold, and is killed. */
static void hold_everything(int *pids)
{
	struct timegraph_create c = {
		.policy = TIMEGRAPH_RESV_PE, .capacity_ns = MS, .period_ns = 100 * MS, .name = "held",
	};
	int fd = node(O_RDWR);
	uint32_t n;

	CHECK(!foreground(fd, &pids[1], 1, &n) && n == 1);
	CHECK(!ioctl(fd, TIMEGRAPH_IOC_CREATE_RESERVE, &c));
	puts("held");
	fflush(stdout);
	pause();
}

static void nothing_is_held(int *pids)
{
	struct timegraph_reserve r = { };
	int fd = node(O_RDONLY);

	CHECK(!in_foreground(fd, pids[1]) && !find_reserve(fd, "held", &r));
	close(fd);
}

static const struct device_test tests[] = {
	TEST(look),
	TEST(elements_fit_the_stride),
	TEST(bad_lists),
	TEST(structures_of_any_size),
	TEST(foreground_lasts_as_long_as_the_file),
	TEST(bad_foregrounds),
	TEST(parameters_hold_until_they_are_cleared),
	TEST(tasks_join_reserves_by_name),
	TEST(bad_parameters),
	TEST(bad_reserves),
	TEST(bypass_and_reload),
	TEST(reload_reads_what_looks_the_same),
	TEST(events_tell_once),
	TEST(other_users_get_no_more_than_theirs),
	TEST(who_follows_the_cpu_can_be_lowered),
	TEST(nobody_pins_a_task),
	TEST(others_are_not_watched),
	TEST(numbers_are_of_the_callers_namespace),
	TEST(arbitrary_calls_do_no_harm),
	TEST(races_with_tasks_that_come_and_go),
	TEST(hold_everything),
	TEST(nothing_is_held),
	{ },
};

int main(int argc, char **argv)
{
	if (argc > 2 && !strcmp(argv[1], "--nobody")) {
		if (become_nobody())
			execvp(argv[2], argv + 2);
		perror(argv[2]);
		return 1;
	}
	return run_device_test(tests, argc, argv);
}
