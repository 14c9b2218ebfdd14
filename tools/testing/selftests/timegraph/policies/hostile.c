// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Policies that misbehave, one for each EVIL_…: what it does wrong is all that it does.
 * tests/policy.sh says what is to become of each.
 */
#define TG_WAITING_MAX 512
#include <timegraph_policy.h>

#define OP_PICK TG_OP(__u64, evil_pick, struct timegraph_policy_gpu *gpu, \
		      const struct timegraph_policy_group *first)
#define OP_MAY TG_OP(bool, evil_may, struct timegraph_policy_gpu *gpu, \
		     const struct timegraph_policy_task *task)
#define OP_ENQUEUE TG_OP(__u64, evil_enqueue, struct timegraph_policy_gpu *gpu, \
			 const struct timegraph_policy_group *group)
#define OP_TICK TG_OP(void, evil_tick, struct timegraph_policy_gpu *gpu)
#define OP_INIT TG_OP(void, evil_init, struct timegraph_policy_gpu *gpu, \
		      const struct timegraph_policy_task *task)
#define OP_EXIT TG_OP(void, evil_exit, struct timegraph_policy_gpu *gpu, \
		      const struct timegraph_policy_task *task)
#define OP_STARTED TG_OP(void, evil_started, struct timegraph_policy_gpu *gpu, \
			 const struct timegraph_policy_group *group)
#define OP_COMPLETE TG_OP(void, evil_complete, struct timegraph_policy_gpu *gpu, \
			  const struct timegraph_policy_group *group)

/* Not found out when it is compiled. */
volatile __u64 seen;

#if defined(EVIL_NEVER_STARTS)
OP_MAY { return false; }
TG_POLICY(.name = "evil", .may_start = (void *)evil_may);

#elif defined(EVIL_STARTS_THEN_STOPS)
OP_MAY { return ++seen < 20; }
TG_POLICY(.name = "evil", .may_start = (void *)evil_may);

#elif defined(EVIL_STARTS_ONE_TASK)
OP_MAY
{
	if (!seen)
		seen = task->id;
	return seen == task->id;
}
TG_POLICY(.name = "evil", .may_start = (void *)evil_may);

#elif defined(EVIL_PICKS_NOBODY)
/* An id that no task has. */
OP_PICK { return 1ULL << 40; }
TG_POLICY(.name = "evil", .pick = (void *)evil_pick);

#elif defined(EVIL_PICKS_MAX)
OP_PICK { return ~0ULL; }
TG_POLICY(.name = "evil", .pick = (void *)evil_pick);

#elif defined(EVIL_PICKS_ONE_FOREVER)
/* Also when it does not wait. */
OP_PICK
{
	if (!seen)
		seen = first->task;
	return seen;
}
TG_POLICY(.name = "evil", .pick = (void *)evil_pick);

#elif defined(EVIL_PICKS_THE_GONE)
OP_EXIT { seen = task->id; }
OP_PICK { return seen; }
TG_POLICY(.name = "evil", .task_exit = (void *)evil_exit, .pick = (void *)evil_pick);

#elif defined(EVIL_PICKS_BY_NUMBER)
/* Every task of the machine in turn, another class's too. */
OP_PICK { return 1 + seen++ % 16; }
TG_POLICY(.name = "evil", .pick = (void *)evil_pick);

#elif defined(EVIL_PICKS_AT_RANDOM)
OP_PICK { return timegraph_policy_random(); }
TG_POLICY(.name = "evil", .pick = (void *)evil_pick);

#elif defined(EVIL_STARVES)
/* One that waits long never gets it: the first two only go. */
OP_PICK
{
	__u64 id, latest = 0;

	tg_for_each_waiting(id, gpu)
		latest = id;
	return latest;
}
TG_POLICY(.name = "evil", .pick = (void *)evil_pick);

#elif defined(EVIL_STARVES_BY_KEY)
OP_ENQUEUE { return group->task; }
TG_POLICY(.name = "evil", .enqueue = (void *)evil_enqueue);

#elif defined(EVIL_FLOODS_OF_TICKS)
OP_INIT { timegraph_policy_tick_at(gpu, 1); }
OP_TICK { timegraph_policy_tick_at(gpu, 1); }
TG_POLICY(.name = "evil", .task_init = (void *)evil_init, .tick = (void *)evil_tick);

#elif defined(EVIL_TICKS_IN_THE_PAST)
OP_ENQUEUE
{
	for (int i = 0; i < 100; i++)
		timegraph_policy_tick_at(gpu, i);
	return 0;
}
OP_TICK { seen++; }
TG_POLICY(.name = "evil", .enqueue = (void *)evil_enqueue, .tick = (void *)evil_tick);

#elif defined(EVIL_TICK_AT_THE_END)
/* Of time: as a signed number it is past. */
OP_INIT { timegraph_policy_tick_at(gpu, ~0ULL); }
OP_STARTED { timegraph_policy_tick_at(gpu, ~0ULL); }
OP_TICK { seen++; }
TG_POLICY(.name = "evil", .task_init = (void *)evil_init, .started = (void *)evil_started,
	  .tick = (void *)evil_tick);

#elif defined(EVIL_LARGE_BUFFER)
/* A call is bounded by its instructions: what a function does with its memory is one. */
static char large[64 << 20];
OP_STARTED { timegraph_policy_get_task(gpu, group->task, large, sizeof(large)); }
TG_POLICY(.name = "evil", .started = (void *)evil_started);

#elif defined(EVIL_LARGE_VALUE)
static long (*const bpf_map_update_elem)(void *, const void *, const void *, __u64) = (void *)2;
static char large[1 << 20];
struct {
	int (*type)[2];
	int (*max_entries)[1];
	__u32 *key;
	char (*value)[sizeof(large)];
} large_values TG_SECTION(".maps");
OP_STARTED
{
	__u32 key = 0;

	bpf_map_update_elem(&large_values, &key, large, 0);
}
TG_POLICY(.name = "evil", .started = (void *)evil_started);

#elif defined(EVIL_DENIES_29_MS)
/* Never as long as it may, but again and again. */
OP_MAY
{
	timegraph_policy_tick_at(gpu, gpu->now_ns + 1000000);
	if (!seen)
		seen = gpu->now_ns;
	if (gpu->now_ns - seen < 29000000)
		return false;
	seen = 0;
	return true;
}
OP_TICK { }
TG_POLICY(.name = "evil", .may_start = (void *)evil_may, .tick = (void *)evil_tick);

#elif defined(EVIL_SLOW_PICK)
/* As long as the verifier lets it. */
OP_PICK
{
	for (int i = 0; i < 20000; i++)
		seen += timegraph_policy_predict(gpu, i);
	return 0;
}
TG_POLICY(.name = "evil", .pick = (void *)evil_pick);

#elif defined(EVIL_SLOW_COMPLETE)
OP_COMPLETE
{
	for (int i = 0; i < 20000; i++)
		seen += timegraph_policy_now();
}
TG_POLICY(.name = "evil", .complete = (void *)evil_complete);

#elif defined(EVIL_SLOW_EXIT)
OP_EXIT
{
	for (int i = 0; i < 20000; i++)
		seen += timegraph_policy_now();
}
TG_POLICY(.name = "evil", .task_exit = (void *)evil_exit);

#elif defined(EVIL_KEYS_OF_OTHERS)
/* Of tasks that it has not, and its own to and fro. */
OP_STARTED
{
	for (int i = 0; i < 64; i++)
		timegraph_policy_set_key(gpu, i, seen++ * 0x9e3779b97f4a7c15ULL);
}
OP_ENQUEUE { return ~group->arrive_ns; }
TG_POLICY(.name = "evil", .started = (void *)evil_started, .enqueue = (void *)evil_enqueue);

#elif defined(EVIL_KEYS_IN_PICK)
OP_PICK
{
	__u64 id;

	tg_for_each_waiting(id, gpu)
		timegraph_policy_set_key(gpu, id, timegraph_policy_random());
	return 0;
}
OP_ENQUEUE { return timegraph_policy_random(); }
TG_POLICY(.name = "evil", .pick = (void *)evil_pick, .enqueue = (void *)evil_enqueue);

#elif defined(EVIL_WRITES_GROUP)
OP_ENQUEUE { *(__u64 *)&group->task = 0; return 0; }
TG_POLICY(.name = "evil", .enqueue = (void *)evil_enqueue);

#elif defined(EVIL_WRITES_GPU)
OP_INIT { gpu->nr_online = 0; }
TG_POLICY(.name = "evil", .task_init = (void *)evil_init);

#elif defined(EVIL_WRITES_BEHIND_DATA)
OP_INIT
{
	__s64 *data = timegraph_policy_task_data(gpu, task->id, 64);

	if (data)
		data[8] = -1;
}
TG_POLICY(.name = "evil", .task_init = (void *)evil_init);

#elif defined(EVIL_DATA_TOO_LARGE)
/* It gets none, and must look. */
OP_INIT
{
	__s64 *data = timegraph_policy_task_data(gpu, task->id, 128);

	if (data)
		data[15] = -1;
}
TG_POLICY(.name = "evil", .task_init = (void *)evil_init);

#elif defined(EVIL_DATA_UNCHECKED)
OP_INIT { *timegraph_policy_task_data(gpu, 1, 8) = 1; }
TG_POLICY(.name = "evil", .task_init = (void *)evil_init);

#elif defined(EVIL_FORGES_GPU)
OP_TICK { }
OP_INIT
{
	struct timegraph_policy_gpu forged = { 0 };

	timegraph_policy_tick_at(&forged, 1);
}
TG_POLICY(.name = "evil", .task_init = (void *)evil_init, .tick = (void *)evil_tick);

#elif defined(EVIL_READS_KERNEL)
OP_INIT { seen = *(volatile __u64 *)((const char *)task + 4096); }
TG_POLICY(.name = "evil", .task_init = (void *)evil_init);

#elif defined(EVIL_LOOPS_FOR_EVER)
OP_INIT
{
	while (timegraph_policy_now())
		seen++;
}
TG_POLICY(.name = "evil", .task_init = (void *)evil_init);

#elif defined(EVIL_RECURSION)
static __attribute__((noinline)) __u64 again(__u64 n)
{
	seen++;
	return n ? again(n - 1) + seen : 0;
}
OP_INIT { seen = again(task->id); }
TG_POLICY(.name = "evil", .task_init = (void *)evil_init);

#elif defined(EVIL_GLOBAL_FUNCTIONS)
/* The verifier looks at one once: nested loops around calls of them have no bound. */
__attribute__((noinline)) __u64 slow(__u64 n)
{
	for (int i = 0; i < 1000; i++)
		seen += n;
	return seen;
}
OP_INIT
{
	for (int i = 0; i < 1000; i++)
		seen += slow(i);
}
TG_POLICY(.name = "evil", .task_init = (void *)evil_init);

#elif defined(EVIL_BPF_LOOP)
static long (*const bpf_loop)(__u32, void *, void *, __u64) = (void *)181;
static long body(__u32 i, void *unused)
{
	seen += i;
	return 0;
}

OP_INIT { bpf_loop(1 << 23, body, (void *)0, 0); }
TG_POLICY(.name = "evil", .task_init = (void *)evil_init);

#elif defined(EVIL_ITERATOR)
struct bpf_iter_num { __u64 opaque[1]; } __attribute__((aligned(8)));
TG_KERNEL int bpf_iter_num_new(struct bpf_iter_num *it, int start, int end);
TG_KERNEL int *bpf_iter_num_next(struct bpf_iter_num *it);
TG_KERNEL void bpf_iter_num_destroy(struct bpf_iter_num *it);
OP_INIT
{
	struct bpf_iter_num it;

	bpf_iter_num_new(&it, 0, 1 << 23);
	while (bpf_iter_num_next(&it))
		seen++;
	bpf_iter_num_destroy(&it);
}
TG_POLICY(.name = "evil", .task_init = (void *)evil_init);

#elif defined(EVIL_SLEEPS)
static long (*const bpf_copy_from_user)(void *, __u32, const void *) = (void *)148;
OP_INIT
{
	char byte;

	bpf_copy_from_user(&byte, 1, (void *)0x1000);
}
TG_POLICY(.name = "evil", .task_init = (void *)evil_init);

#elif defined(EVIL_SIGNALS)
static long (*const bpf_send_signal)(__u32) = (void *)109;
OP_INIT { bpf_send_signal(9); }
TG_POLICY(.name = "evil", .task_init = (void *)evil_init);

#elif defined(EVIL_BAD_NAME)
TG_POLICY(.name = "no blanks");

#elif defined(EVIL_NO_NAME)
OP_MAY { return true; }
TG_POLICY(.may_start = (void *)evil_may);

#elif defined(EVIL_NAMED_FQ)
TG_POLICY(.name = "fq");

#elif defined(EVIL_PICKS_FIRST)
/* Not evil at all. */
OP_PICK { return first->task; }
TG_POLICY(.name = "evil", .pick = (void *)evil_pick);

#elif defined(EVIL_KEEPS_A_QUEUE)
/* Who has gone it sees; that a group waits no longer, as a signal came, nobody tells it. */
static __u64 fifo[64], head, tail;
OP_ENQUEUE
{
	fifo[tail++ % 64] = group->task;
	return group->arrive_ns;
}
OP_PICK
{
	struct timegraph_policy_task task;
	__u64 id = head != tail ? fifo[head % 64] : 0;

	return timegraph_policy_get_task(gpu, id, &task, sizeof(task)) ? 0 : id;
}
/* Those before who goes have not gone: they cannot. */
OP_STARTED
{
	for (int i = 0; i < 64 && head != tail; i++)
		if (fifo[head++ % 64] == group->task)
			break;
}
TG_POLICY(.name = "evil", .enqueue = (void *)evil_enqueue, .pick = (void *)evil_pick,
	  .started = (void *)evil_started);

#elif defined(EVIL_HARMLESS)
/* That what follows is not refused for another reason: this one is taken. */
OP_MAY { return true; }
OP_TICK { }
TG_POLICY(.name = "evil", .may_start = (void *)evil_may, .tick = (void *)evil_tick);
#endif
