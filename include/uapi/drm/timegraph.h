/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * timegraph: GPU command scheduling, /dev/timegraph.
 *
 * Rules of this interface
 *
 * - Structures only grow at their end.  An ioctl carries its structure's size
 *   in its number; the kernel takes any size: what a shorter one lacks is 0, and
 *   what a longer one has beyond what the kernel knows must be 0, or the call
 *   fails with E2BIG.  Results are cut to the caller's size.
 * - All is aligned to 64 bits.  Reserved fields and unknown flags must be 0, or
 *   the call fails with EINVAL.  A call that fails has changed nothing.
 * - Arrays are given as pointer, stride and room: the kernel writes elements of
 *   at most @stride bytes, and fills what is left of a longer stride with 0.
 * - Times are nanoseconds; points in time are of CLOCK_MONOTONIC.
 * - The module can be removed while files are open.  What they have asked for ends
 *   then, and they answer ENODEV for ever, poll() EPOLLERR, with or without EPOLLHUP;
 *   for a module that comes back the node must be opened again.  Only a call that waits
 *   for memory of the caller's, or for a file system (_RELOAD, _PUSH), keeps the module.
 *
 * Who may do what
 *
 * - Opening the device and asking: anybody who may open the node.  Tasks of
 *   other users, and reserves that only they use, are shown to CAP_SYS_ADMIN and
 *   CAP_PERFMON.  A task is one's own if its user is the caller's effective one,
 *   whatever each is called in a user namespace.
 * - TIMEGRAPH_IOC_FOREGROUND: the file open for writing; own tasks, and a display server
 *   of one's own or of root's to which one is connected, or CAP_SYS_NICE.
 * - TIMEGRAPH_IOC_SET_TASK and _CLEAR_TASK: the file open for writing; CAP_SYS_NICE.
 *   Without it own tasks may be given a ceiling to their priority, up to what the
 *   specification, or somebody who may, gives them, and it may be taken back.
 * - TIMEGRAPH_IOC_CREATE_RESERVE: the file open for writing, CAP_SYS_NICE.
 * - TIMEGRAPH_IOC_SET_DOMAIN and _CLEAR_DOMAIN: the file open for writing; CAP_SYS_ADMIN.
 *   Without it a cgroup that one owns, below another that one owns: who is given a cgroup
 *   may divide what that gets, and not change it.
 * - TIMEGRAPH_IOC_RELOAD, _PUSH, _BYPASS, _SET_VRAM, and _POLICY with a name: the file open for
 *   writing, CAP_SYS_ADMIN.
 * - TIMEGRAPH_IOC_RESERVE_VRAM, _FREE_VRAM: the file open for writing; for the caller's own
 *   process, up to a part of the memory for each user, or CAP_SYS_NICE.
 *
 * Who loses: a higher priority, HT or a weight takes the turn of others, a lead makes them
 * wait for longer, a reserve takes their room in admission, no reserve their GPU time; so
 * these are the administrator's, and a process cannot keep what it has by asking for it.
 * Among tasks that the specification lets follow the focus the foreground takes the turn of
 * the other such tasks, of all users: who may write to the node may do that, which is udev's
 * to say.
 *
 * What one sees of others without CAP_SYS_ADMIN or CAP_PERFMON:
 *
 * - Nothing of a task of another user; of a reserve only those that have an own task, and
 *   Background; of a domain only those that have an own task and those of own cgroups.
 * - The counters of a GPU, and of a reserve or a domain that others use too, as they were up
 *   to half a second ago, the same for all callers: its load, but not when somebody draws.
 * - Events of own tasks and own reserves, and of the machine: bypass, files.
 * - How long own groups wait.  That somebody else uses the GPU cannot be hidden from who
 *   uses it at the same time.
 *
 * Capabilities count in the initial user namespace.
 *
 * Errors of all: EFAULT for a bad pointer, ENOTTY for an unknown number, E2BIG
 * and EINVAL as above, ENOMEM, ENODEV if the module was removed since the file was opened.
 *
 * Versions: 1, the first.  2: timegraph_caps from @attached on, timegraph_gpu from
 * @chipset on.  3: TIMEGRAPH_BY_PIDFD, timegraph_gpu from @dropped on.  4:
 * timegraph_config from @version on, timegraph_task.spec_version, TIMEGRAPH_IOC_PUSH.
 * 5: TIMEGRAPH_POLICY_FQ, timegraph_task from @weight on, timegraph_set from @weight on,
 * timegraph_caps from @lead_ns on.  6: timegraph_caps from @predictor on.  7:
 * timegraph_gpu from @freerun_groups on, TIMEGRAPH_WITH_SERVER, timegraph_foreground from
 * @server on, TIMEGRAPH_TASK_SERVER, timegraph_task.level.  8: timegraph_gpu.nr_freerun,
 * TIMEGRAPH_TASK_FREERUN.  9: TIMEGRAPH_FOLLOW_CPU,
 * TIMEGRAPH_TASK_CPU, timegraph_task.rank.  10: timegraph_task from @lead_ns on,
 * timegraph_set from @lead_ns on.  11: TIMEGRAPH_IOC_SET_DOMAIN, _CLEAR_DOMAIN, _DOMAINS and
 * _POLICY, TIMEGRAPH_BY_CGROUP, timegraph_task.domain, TIMEGRAPH_EVENT_DOMAIN.
 * 12: TIMEGRAPH_IOC_VRAM and the four after it.
 */
#ifndef _UAPI_DRM_TIMEGRAPH_H
#define _UAPI_DRM_TIMEGRAPH_H

#include <linux/ioctl.h>
#include <linux/types.h>

#if defined(__cplusplus)
extern "C" {
#endif

#define TIMEGRAPH_ABI_VERSION 13

#define TIMEGRAPH_NAME_LEN 64 /* with the terminating 0 */
#define TIMEGRAPH_COMM_LEN 16
#define TIMEGRAPH_TEXT_LEN 192

/* How ends of groups are learnt, where both can be had. */
enum timegraph_completion {
	TIMEGRAPH_COMPLETION_NOTIFY = 0, /* by an interrupt for each */
	TIMEGRAPH_COMPLETION_AUTO = 1, /* by one while somebody waits or a reserve pays */
	TIMEGRAPH_COMPLETION_FENCE = 2, /* by nouveau's fences */
};

/* What costs of groups are predicted by. */
enum timegraph_predictor {
	TIMEGRAPH_PREDICTOR_HISTORY = 0, /* the history table of what is in groups */
	TIMEGRAPH_PREDICTOR_LARGEST = 1, /* the largest of the task's last groups */
	TIMEGRAPH_PREDICTOR_AVERAGE = 2, /* their average */
};

/**
 * struct timegraph_caps - TIMEGRAPH_IOC_CAPS: what the module is
 * @abi_version: out: TIMEGRAPH_ABI_VERSION
 * @nr_gpus: out: GPUs with a channel so far, numbered from 0
 * @ht_depth: out: groups an HT task may have on the GPU at once
 * @history: out: records of a task's history table
 * @now_ns: out: the time
 * @background_capacity_ns: out: C of the Background reserve
 * @background_period_ns: out: its T
 * @version: out: of the module
 * @attached: out: how it is attached to nouveau: "stock" or "patch", after which a
 *	comma and what cannot be had may follow; or "not attached: " and why
 * @lead_ns: out: predicted work that the GPU may have when the next group of a PRT or FQ
 *	task starts
 * @completion: out: enum timegraph_completion
 * @predictor: out: enum timegraph_predictor, for AE reserves
 * @lead_predictor: out: the same for the lead
 * @floor_capacity_ns: out: GPU time of each @floor_period_ns for those who would get none
 *	beside others; 0: there is no floor
 * @floor_period_ns: out: how long they have to wait for it
 */
struct timegraph_caps {
	__u32 abi_version;
	__u32 nr_gpus;
	__u32 ht_depth;
	__u32 history;
	__u64 now_ns;
	__u64 background_capacity_ns;
	__u64 background_period_ns;
	char version[TIMEGRAPH_COMM_LEN];
	char attached[TIMEGRAPH_TEXT_LEN];
	__u64 lead_ns;
	__u32 completion;
	__u16 predictor;
	__u16 lead_predictor;
	__u64 floor_capacity_ns;
	__u64 floor_period_ns;
};

/**
 * struct timegraph_config - TIMEGRAPH_IOC_CONFIG: the version in force
 * @nr_entries: out: entries of the specification
 * @limit_percent: out: admission limit
 * @spec_path: out: the specification's file
 * @ac_path: out: the limit's file
 * @spec_refusal: out: why the file was refused when it was last read, or "";
 *	then the last good one is in force
 * @ac_refusal: out: the same for the limit
 * @version: out: number of the version in force: specification and limit together.  It
 *	rises with each that comes in force and is 0 before the first
 * @flags: out: TIMEGRAPH_CONFIG_*
 * @reserved: out: 0
 *
 * The two are one: if one is refused neither changes.  Without a file it is as if it
 * were empty, the limit 100.
 */
struct timegraph_config {
	__u32 nr_entries;
	__u32 limit_percent;
	char spec_path[TIMEGRAPH_TEXT_LEN];
	char ac_path[TIMEGRAPH_TEXT_LEN];
	char spec_refusal[TIMEGRAPH_TEXT_LEN];
	char ac_refusal[TIMEGRAPH_TEXT_LEN];
	__u64 version;
	__u32 flags;
	__u32 reserved;
};

#define TIMEGRAPH_CONFIG_SLOW   (1U << 0) /* the files do not answer: a look goes on */
#define TIMEGRAPH_CONFIG_PUSHED (1U << 1) /* it came by TIMEGRAPH_IOC_PUSH */

#define TIMEGRAPH_PUSH_MAX 65536

/**
 * struct timegraph_push - TIMEGRAPH_IOC_PUSH: put a specification and a limit in force
 * @spec_ptr: in: text of the specification; 0: as if there were no file
 * @ac_ptr: in: text of the limit, likewise
 * @spec_len: in: bytes of it, 0–TIMEGRAPH_PUSH_MAX; 0 without text
 * @ac_len: in: likewise
 * @flags: in: 0
 * @reserved: in: 0
 * @version: in: 0; out: timegraph_config.version that it is
 *
 * Both together become one version, which is applied to all tasks at once, those that
 * TIMEGRAPH_IOC_SET_TASK changed excepted.  What is in force already keeps its number.  It
 * stays until another is pushed, a file changes after the kernel looked at it last, or
 * TIMEGRAPH_IOC_RELOAD; files that hold what was pushed are the same version.
 *
 * The texts are checked as those of files are.  EBADMSG: one is refused; nothing has
 * changed but timegraph_config.spec_refusal and @ac_refusal, which say where and why.
 * Paths are looked up first, in the initial root: as long as one does not answer the call
 * waits, interruptibly.  EBADF, EPERM; E2BIG: a text is too long.
 */
struct timegraph_push {
	__u64 spec_ptr;
	__u64 ac_ptr;
	__u32 spec_len;
	__u32 ac_len;
	__u32 flags;
	__u32 reserved;
	__u64 version;
};

/**
 * struct timegraph_gpu - TIMEGRAPH_IOC_GPU: a GPU
 * @index: in: which, below timegraph_caps.nr_gpus
 * @bypass: out: why it is not scheduled, TIMEGRAPH_BYPASS_* bits; 0 if it is
 * @name: out: the device's name, "0000:01:00.0"
 * @now_ns: out: the time that what follows is of; for who may not see others a look
 *	up to half a second ago
 * @busy_ns: out: GPU time that was charged, to all tasks so far
 * @nr_online: out: groups in the GPU-online list
 * @nr_waiting: out: groups in the wait queue
 * @nr_throttled: out: groups that wait for a budget
 * @online_pid: out: whose group is on the GPU, as the caller's namespace calls
 *	it; 0 if nobody's or one the caller may not see
 * @submitted: out: groups handed to the GPU under the scheduler
 * @verified: out: completions verified
 * @recovered: out: completions found by polling: interrupts got lost
 * @foreign: out: NOTIFY interrupts that clients caused
 * @stuck: out: times that a channel was taken for stuck
 * @abandoned: out: groups admitted that were not submitted in time
 * @cancelled: out: groups that nouveau refused
 * @interrupted: out: sleeps ended by a signal
 * @ungated: out: groups let through unscheduled; those that the module does not see,
 *	because all GPUs are bypassed, are not counted
 * @stamped: out: groups charged by the GPU's clock
 * @unstamped: out: groups charged by the CPU's
 * @context_switch_ns: out: measured cost of one, 0 if not measured
 * @chipset: out: e.g. 0x92
 * @reserved: out: 0
 * @notify_channels: out: channels so far whose groups' ends NOTIFY told
 * @fence_channels: out: channels so far where it was nouveau's fences
 * @fence_why: out: why fences, of the last of these, or ""
 * @dropped: out: groups submitted of which no end was seen: their channel went or was
 *	killed, or scheduling stopped
 * @refused: out: channels refused so far because they hung again
 * @nr_running: out: groups submitted that are on the GPU
 * @nr_hung: out: channels that hang
 * @freerun_groups: out: groups that went without asking, since there was nothing to
 *	decide: they were not scheduled, and are in none of the other counters
 * @freerun_pid: out: who alone goes so now, as @online_pid; 0 if several do
 * @nr_freerun: out: tasks that go so now
 *
 * At every look @submitted = @verified + @recovered + @dropped + @nr_running.
 * Counters start when the GPU's first channel appears and do not fall.
 *
 * ENXIO: there is no such GPU.
 */
struct timegraph_gpu {
	__u32 index;
	__u32 bypass;
	char name[TIMEGRAPH_NAME_LEN];
	__u64 now_ns;
	__u64 busy_ns;
	__u32 nr_online;
	__u32 nr_waiting;
	__u32 nr_throttled;
	__s32 online_pid;
	__u64 submitted;
	__u64 verified;
	__u64 recovered;
	__u64 foreign;
	__u64 stuck;
	__u64 abandoned;
	__u64 cancelled;
	__u64 interrupted;
	__u64 ungated;
	__u64 stamped;
	__u64 unstamped;
	__u64 context_switch_ns;
	__u32 chipset;
	__u32 reserved;
	__u64 notify_channels;
	__u64 fence_channels;
	char fence_why[TIMEGRAPH_TEXT_LEN];
	__u64 dropped;
	__u64 refused;
	__u32 nr_running;
	__u32 nr_hung;
	__u64 freerun_groups;
	__s32 freerun_pid;
	__u32 nr_freerun;
};

#define TIMEGRAPH_BYPASS_USER    (1U << 0) /* asked for */
#define TIMEGRAPH_BYPASS_HANG    (1U << 1) /* the GPU completes nothing; ends by itself */
#define TIMEGRAPH_BYPASS_SUSPEND (1U << 2) /* asleep, ends by itself */

/**
 * struct timegraph_list - TIMEGRAPH_IOC_TASKS, TIMEGRAPH_IOC_RESERVES, TIMEGRAPH_IOC_DOMAINS,
 * TIMEGRAPH_IOC_VRAM_ACCOUNTS
 * @gpu: in: which GPU
 * @flags: in: 0
 * @ptr: in: where the elements go; may be 0 if @room is
 * @stride: in: bytes from one element to the next, at least 8, at most 4096
 * @room: in: elements there is room for
 * @count: out: elements there are; more than @room means that some are missing
 * @reserved: in: 0
 *
 * ENXIO: there is no such GPU.
 */
struct timegraph_list {
	__u32 gpu;
	__u32 flags;
	__u64 ptr;
	__u32 stride;
	__u32 room;
	__u32 count;
	__u32 reserved;
};

enum timegraph_policy {
	TIMEGRAPH_POLICY_PRT = 0,
	TIMEGRAPH_POLICY_HT = 1,
	TIMEGRAPH_POLICY_FQ = 2,
};

enum timegraph_resv {
	TIMEGRAPH_RESV_NONE = 0,
	TIMEGRAPH_RESV_PE = 1,
	TIMEGRAPH_RESV_AE = 2,
	TIMEGRAPH_RESV_BG = 3,
};

/**
 * struct timegraph_task - an element of TIMEGRAPH_IOC_TASKS: a process with
 * channels on the GPU
 * @pid: as the caller's namespace calls it; 0 if it has none there, or has ended:
 *	its number may be another's
 * @uid: its user when it made its first channel, as the caller's namespace calls
 *	it
 * @comm: its name
 * @policy: enum timegraph_policy
 * @prio: static priority, 0–99; 0 with TIMEGRAPH_TASK_CPU
 * @resv: enum timegraph_resv, as asked for
 * @flags: TIMEGRAPH_TASK_*
 * @reserve: number of the reserve it is charged to; 0 if it is not regulated
 * @spec_line: of its entry in the specification, 0 if it has none
 * @nr_channels: of it
 * @nr_online: groups in the GPU-online list
 * @nr_waiting: groups in the wait queue
 * @nr_throttled: groups that wait for the budget
 * @groups: groups completed
 * @gpu_ns: GPU time charged
 * @gpu_cpu_ns: what it would be by the CPU's clock
 * @wait_ns: time its groups spent in the wait queue
 * @wait_max_ns: longest of them
 * @throttle_ns: time its groups spent waiting for the budget
 * @throttle_max_ns: longest of them
 * @predictions: groups completed whose cost was predicted
 * @prediction_error_ns: sum over them of |predicted − actual cost|
 * @predicted_ns: sum over them of their actual costs
 * @id: its number, never used again as long as the module is loaded
 * @spec_version: timegraph_config.version that gave it its entry: a task keeps it until
 *	it opens another channel or the files are applied to all tasks
 * @weight: of FQ, 1–10000: its part of the GPU beside other tasks of its priority
 * @level: queue level that its groups have: twice the priority that is in force, and one
 *	more for the foreground among tasks managed by focus
 * @rank: with TIMEGRAPH_TASK_CPU what of its threads makes @policy, @prio and @weight
 *	others, see enum timegraph_follow: 0–39: 19 minus a nice value; 41–139: 40 and a
 *	real-time priority.  Else 0
 * @reserved2: 0
 * @lead_ns: predicted work that the GPU may have when one of its groups is started: its
 *	own with TIMEGRAPH_TASK_LEAD, else timegraph_caps.lead_ns
 * @domain: timegraph_domain.id of the innermost domain that it is in; 0: none
 */
struct timegraph_task {
	__s32 pid;
	__u32 uid;
	char comm[TIMEGRAPH_COMM_LEN];
	__u8 policy;
	__u8 prio;
	__u8 resv;
	__u8 reserved;
	__u32 flags;
	__u32 reserve;
	__u32 spec_line;
	__u32 nr_channels;
	__u32 nr_online;
	__u32 nr_waiting;
	__u32 nr_throttled;
	__u64 groups;
	__u64 gpu_ns;
	__u64 gpu_cpu_ns;
	__u64 wait_ns;
	__u64 wait_max_ns;
	__u64 throttle_ns;
	__u64 throttle_max_ns;
	__u64 predictions;
	__u64 prediction_error_ns;
	__u64 predicted_ns;
	__u64 id;
	__u64 spec_version;
	__u32 weight;
	__u32 level;
	__u32 rank;
	__u32 reserved2;
	__u64 lead_ns;
	__u64 domain;
};

#define TIMEGRAPH_TASK_FOCUS       (1U << 0) /* priority managed by focus */
#define TIMEGRAPH_TASK_FOREGROUND  (1U << 1) /* it is in the foreground */
#define TIMEGRAPH_TASK_SET         (1U << 2) /* parameters set at run time */
#define TIMEGRAPH_TASK_UNREGULATED (1U << 3) /* HT: its reserve has no effect */
#define TIMEGRAPH_TASK_DEMOTED     (1U << 4) /* its reserve does not fit */
#define TIMEGRAPH_TASK_HUNG        (1U << 5) /* a channel of it hangs */
#define TIMEGRAPH_TASK_REFUSED     (1U << 6) /* one is refused: it hung again */
#define TIMEGRAPH_TASK_SERVER      (1U << 7) /* @level is that of the foreground it serves */
#define TIMEGRAPH_TASK_FREERUN     (1U << 8) /* its groups go without asking, now */
#define TIMEGRAPH_TASK_CPU         (1U << 9) /* priority follows that on the CPU */
#define TIMEGRAPH_TASK_LEAD        (1U << 10) /* it has a lead of its own */

/**
 * struct timegraph_reserve - an element of TIMEGRAPH_IOC_RESERVES
 * @id: its number; Background is 1
 * @flags: TIMEGRAPH_RESERVE_*
 * @name: of the Shared reserve, or of its task
 * @policy: TIMEGRAPH_RESV_PE or _AE
 * @nr_tasks: that use it
 * @capacity_ns: C
 * @period_ns: T
 * @budget_ns: e, when the last period began or a group ended after it
 * @next_ns: when its next period begins
 * @used_ns: GPU time charged
 * @periods: begun
 * @refused: times that a group had to wait for the budget
 * @debt_max_ns: how far the budget was below 0, at most
 *
 * A reserve of its own belongs to an entry of the specification and a user, a Shared
 * one to its name.  If its budget is not full when its last task goes, it lingers
 * until it would be: the next task of its owner gets it as it is.
 */
struct timegraph_reserve {
	__u32 id;
	__u32 flags;
	char name[TIMEGRAPH_NAME_LEN];
	__u32 policy;
	__u32 nr_tasks;
	__u64 capacity_ns;
	__u64 period_ns;
	__s64 budget_ns;
	__u64 next_ns;
	__u64 used_ns;
	__u64 periods;
	__u64 refused;
	__u64 debt_max_ns;
};

#define TIMEGRAPH_RESERVE_SHARED     (1U << 0)
#define TIMEGRAPH_RESERVE_BACKGROUND (1U << 1) /* the Background reserve itself */
#define TIMEGRAPH_RESERVE_DEMOTED    (1U << 2) /* it does not fit: background */
#define TIMEGRAPH_RESERVE_KEPT       (1U << 3) /* made by _CREATE_RESERVE */
#define TIMEGRAPH_RESERVE_LINGERING  (1U << 4) /* its last task went before it was full */

#define TIMEGRAPH_PATH_LEN 256 /* with the terminating 0 */

/* Who gave a domain a part of its rule; of several the last of these. */
enum timegraph_origin {
	TIMEGRAPH_ORIGIN_NONE = 0, /* nobody: the default */
	TIMEGRAPH_ORIGIN_XATTR = 1, /* an extended attribute of the cgroup */
	TIMEGRAPH_ORIGIN_SPEC = 2, /* the specification */
	TIMEGRAPH_ORIGIN_CALL = 3, /* TIMEGRAPH_IOC_SET_DOMAIN */
};

/**
 * struct timegraph_domain - an element of TIMEGRAPH_IOC_DOMAINS: a cgroup v2 with a rule, on
 * the GPU
 * @id: of the cgroup, as name_to_handle_at(2) tells it; never used again
 * @parent: of the domain that it is within; 0: none
 * @path: of the cgroup, from the root of the caller's cgroup namespace; longer ones are cut
 * @weight: its part beside others
 * @target_ppm: part of the GPU's time that it is to get in the policy SLAF, in millionths;
 *	0: none
 * @capacity_ns: C of its quota; 0: it has none
 * @period_ns: its T
 * @budget_ns: e of its quota, when the last period began or a group ended after it
 * @usage_ns: GPU time of its groups, with those of the domains within it, as what follows
 * @wait_ns: time that they spent in the wait queue
 * @throttle_ns: time for which its quota made groups wait
 * @groups: completed
 * @throttled: times that its quota made groups wait
 * @nr_tasks: in it now, those of domains within it not counted
 * @nr_waiting: groups that wait
 * @nr_online: groups in the GPU-online list
 * @flags: TIMEGRAPH_DOMAIN_THROTTLED
 * @origin_weight: enum timegraph_origin: who gave it @weight
 * @origin_target: the same of @target_ppm
 * @origin_quota: the same of @capacity_ns and @period_ns
 * @depth: domains that it is within
 * @cpu_weight: its cgroup's weight on the CPU, as policies that ask for it saw it last; 0:
 *	none has asked
 *
 * A domain is listed from when a task of its cgroup, or of one below, opens its first
 * channel, until the cgroup is removed or has no rule any more: its counters begin and
 * end with that.  Parents come before those within them.
 */
struct timegraph_domain {
	__u64 id;
	__u64 parent;
	char path[TIMEGRAPH_PATH_LEN];
	__u32 weight;
	__u32 target_ppm;
	__u64 capacity_ns;
	__u64 period_ns;
	__s64 budget_ns;
	__u64 usage_ns;
	__u64 wait_ns;
	__u64 throttle_ns;
	__u64 groups;
	__u64 throttled;
	__u32 nr_tasks;
	__u32 nr_waiting;
	__u32 nr_online;
	__u32 flags;
	__u8 origin_weight;
	__u8 origin_target;
	__u8 origin_quota;
	__u8 depth;
	__u32 cpu_weight;
};

#define TIMEGRAPH_DOMAIN_THROTTLED (1U << 0) /* it has used its quota, or one around it has */

/* Domains of a GPU, and cgroups with a rule by a call. */
#define TIMEGRAPH_DOMAINS_MAX 4096
/*
 * Of these, by the rules of a user who owns the cgroup; and of the cgroups that he owns as many
 * have a rule by calls of root.  256 are no user's.
 */
#define TIMEGRAPH_DOMAINS_USER_MAX 256
/* How deep they nest: a rule further within has no effect. */
#define TIMEGRAPH_DOMAIN_DEPTH 8

/**
 * struct timegraph_domain_set - TIMEGRAPH_IOC_SET_DOMAIN, TIMEGRAPH_IOC_CLEAR_DOMAIN: what a
 * cgroup's tasks are to get together
 * @cgroup: in: descriptor of the cgroup's directory in cgroup2; O_PATH will do
 * @fields: in: TIMEGRAPH_DOMAIN_*: what to set.  The rest stays as calls have set it before
 * @weight: in: 1–10000
 * @target_ppm: in: 0–1000000
 * @capacity_ns: in: C of a quota, 0 < C <= T; or 0: none
 * @period_ns: in: T, at most 100 s; 0 without C
 * @flags: in: 0
 * @reserved: in: 0
 *
 * Holds on all GPUs, for tasks that come later too, until it is cleared, the cgroup is
 * removed or the module is.  A field that a call has set goes before the specification's, and
 * that before an extended attribute's.  TIMEGRAPH_IOC_CLEAR_DOMAIN looks at @cgroup and @flags
 * alone, @fields must be 0: what calls have set is forgotten.
 *
 * EBADF: not open for writing, or @cgroup is no directory of cgroup2.  EPERM: not allowed.
 * EINVAL: a value is out of range, or it is the root.  ENOENT: there is nothing to clear.
 * ENODEV: the cgroup has been removed.  EDQUOT: more than TIMEGRAPH_DOMAINS_USER_MAX of
 * the user who owns the cgroup; ENOSPC: more than TIMEGRAPH_DOMAINS_MAX.  EOPNOTSUPP: this
 * kernel has no cgroups.
 */
struct timegraph_domain_set {
	__s32 cgroup;
	__u32 fields;
	__u32 weight;
	__u32 target_ppm;
	__u64 capacity_ns;
	__u64 period_ns;
	__u32 flags;
	__u32 reserved;
};

#define TIMEGRAPH_DOMAIN_WEIGHT (1U << 0)
#define TIMEGRAPH_DOMAIN_TARGET (1U << 1)
#define TIMEGRAPH_DOMAIN_QUOTA  (1U << 2) /* C and T */

/**
 * struct timegraph_class - TIMEGRAPH_IOC_POLICY: how a GPU orders who is scheduled by FQ
 * @gpu: in: which GPU
 * @flags: in: 0
 * @set: in: the policy to choose: "fq", "rr", "accc", "xc", "slaf", "augc", "cosched", or one
 *	that was loaded; "": none, only ask
 * @name: out: the one that is chosen then
 *
 * Concerns the tasks whose policy is TIMEGRAPH_POLICY_FQ.  Groups that wait go on waiting under
 * the new policy.  If one that was loaded goes, it is "fq" again.
 *
 * ENXIO: there is no such GPU.  ENOENT: there is no such policy.  With a name: EBADF, EPERM.
 */
struct timegraph_class {
	__u32 gpu;
	__u32 flags;
	char set[TIMEGRAPH_COMM_LEN];
	char name[TIMEGRAPH_COMM_LEN];
};

/*
 * How a call names processes: by number, which may be another process's by the time of
 * the call, or by pidfd, see pidfd_open(2), which never is.
 */
#define TIMEGRAPH_BY_PIDFD (1U << 0)

/*
 * TIMEGRAPH_IOC_SET_TASK, _CLEAR_TASK: @pid is a descriptor of a cgroup's directory, as
 * timegraph_domain_set.cgroup: all processes in it and in those below it, now and later.
 */
#define TIMEGRAPH_BY_CGROUP (1U << 2)

/* TIMEGRAPH_IOC_FOREGROUND: @server is a descriptor */
#define TIMEGRAPH_WITH_SERVER (1U << 1)

#define TIMEGRAPH_FOREGROUND_MAX 4096
/* In all files of a user together. */
#define TIMEGRAPH_FOREGROUND_USER_MAX 16384
/* Files of a user that name a display server. */
#define TIMEGRAPH_SERVER_USER_MAX 256

/**
 * struct timegraph_foreground - TIMEGRAPH_IOC_FOREGROUND: who is in the
 * foreground
 * @ptr: in: array of @count process numbers of the caller's namespace, or pidfds
 *	(__s32)
 * @count: in: 0–TIMEGRAPH_FOREGROUND_MAX; 0: nobody
 * @flags: in: TIMEGRAPH_BY_PIDFD, TIMEGRAPH_WITH_SERVER
 * @nr_boosted: out: tasks on all GPUs that are in the foreground by this now
 * @reserved: in: 0
 * @server: in: a Unix socket that is connected to the display server; 0 without
 *	TIMEGRAPH_WITH_SERVER
 * @reserved2: in: 0
 *
 * Those of them whose priority is managed by focus ("*") go to the top of their
 * level.  The list replaces the file's list before; it also holds for channels
 * that a process opens later, and ends when the file is closed.  A task is in the
 * foreground as long as any file says so.
 *
 * The process that listens at the other end of @server, as SO_PEERCRED has it, gets the
 * highest level that a process of this list has of its own on the same GPU, as long as
 * that has a channel there, if it is above what the server has.  Its policy and its
 * reserve stay; one that does not fit, or a ceiling, keeps it where it is.  Who has a
 * reserve of C < T passes its level on only to a server that has one.  The socket may be
 * closed after the call.
 *
 * Numbers without a process, and processes that have ended, are passed over; one
 * that ends later is taken off the list.  EBADF: not open for writing, or a
 * descriptor is no pidfd.  EPERM: a process is another user's.  EDQUOT: the files of
 * the user who opened this one name more than TIMEGRAPH_FOREGROUND_USER_MAX, or
 * TIMEGRAPH_SERVER_USER_MAX of them a display server; what is opened in a user
 * namespace counts for the user who made that.
 * EOPNOTSUPP: this kernel hides what pidfds stand for.  ENOTSOCK: @server is no Unix
 * socket.  ENOTCONN: it has no other end.  EPERM also: there is another user than the
 * caller and root.
 */
struct timegraph_foreground {
	__u64 ptr;
	__u32 count;
	__u32 flags;
	__u32 nr_boosted;
	__u32 reserved;
	__s32 server;
	__u32 reserved2;
};

/*
 * What a priority follows.
 *
 * The CPU: a real-time thread (SCHED_FIFO, SCHED_RR 1–99; SCHED_DEADLINE as 99) makes its
 * task's priority its own, and leaves policy and weight as they are.  Any other makes it FQ
 * at priority 0, and multiplies its weight by 1.25 to the power of minus its nice value
 * (SCHED_IDLE as 19).  Of several threads the most important one counts that had a group
 * within the last quarter of a second.
 */
enum timegraph_follow {
	TIMEGRAPH_FOLLOW_NOTHING = 0,
	TIMEGRAPH_FOLLOW_FOCUS = 1,
	TIMEGRAPH_FOLLOW_CPU = 2,
};

/**
 * struct timegraph_set - TIMEGRAPH_IOC_SET_TASK, TIMEGRAPH_IOC_CLEAR_TASK
 * @pid: in: a process with channels: its number in the caller's namespace, or a
 *	pidfd, or the descriptor of a cgroup's directory
 * @fields: in: TIMEGRAPH_SET_*: what to change; the rest stays
 * @policy: in: enum timegraph_policy
 * @prio: in: 0–99; 50 with TIMEGRAPH_FOLLOW_FOCUS, 0 with TIMEGRAPH_FOLLOW_CPU
 * @focus: in: enum timegraph_follow: what the priority follows
 * @resv: in: enum timegraph_resv
 * @flags: in: 0, TIMEGRAPH_BY_PIDFD or TIMEGRAPH_BY_CGROUP
 * @capacity_ns: in: C of a PE or AE reserve, 0 < C <= T; with @group both may be
 *	0 to join one that exists
 * @period_ns: in: T, at most 100 s
 * @group: in: name of a Shared reserve, or ""
 * @weight: in: 1–10000, of FQ
 * @reserved: in: 0
 * @lead_ns: in: up to 100 ms, or TIMEGRAPH_LEAD_COMMON: timegraph_caps.lead_ns
 *
 * Holds on all GPUs, instead of the specification, until it is cleared or the
 * process has closed all its channels: whom it shall bind whatever he does, the
 * specification must name.  TIMEGRAPH_IOC_CLEAR_TASK looks at @pid and @flags alone,
 * @fields must be 0: the task gets what the specification says now.
 *
 * With TIMEGRAPH_BY_CGROUP it is an entry for the cgroup that stands before the
 * specification: its processes have the @fields that calls have set for it, also if they open
 * their first channel later, and the rest by the specification; of several cgroups around
 * a process that have a field the innermost one counts.  What is set for the process itself
 * goes before it.  It holds until it is cleared or the cgroup is removed.  A reserve is one
 * for each process, unless @group names a Shared one.  CAP_SYS_NICE; errors as of
 * TIMEGRAPH_IOC_SET_DOMAIN.
 *
 * Without CAP_SYS_NICE @prio of an own task is a ceiling, alone and with @focus 0: the
 * task gets what it is given by the specification, also by a later one, but no more than
 * that.  At the ceiling it does not follow the focus.  TIMEGRAPH_IOC_CLEAR_TASK then
 * takes back the ceiling alone.
 *
 * ESRCH: no such process, or it has no channel.  EBADF: not open for writing, or
 * @pid is no pidfd.  EOPNOTSUPP: as for TIMEGRAPH_IOC_FOREGROUND.
 * EPERM: not allowed.  EINVAL: a value is out of range, or a reserve is asked
 * for that makes no sense.  ENOENT: @group without C and T does not exist.
 */
struct timegraph_set {
	__s32 pid;
	__u32 fields;
	__u8 policy;
	__u8 prio;
	__u8 focus;
	__u8 resv;
	__u32 flags;
	__u64 capacity_ns;
	__u64 period_ns;
	char group[TIMEGRAPH_NAME_LEN];
	__u32 weight;
	__u32 reserved;
	__u64 lead_ns;
};

#define TIMEGRAPH_LEAD_COMMON (~0ULL)

#define TIMEGRAPH_SET_POLICY (1U << 0)
#define TIMEGRAPH_SET_PRIO   (1U << 1) /* @prio and @focus */
#define TIMEGRAPH_SET_RESV   (1U << 2) /* @resv, C, T and @group */
#define TIMEGRAPH_SET_WEIGHT (1U << 3)
#define TIMEGRAPH_SET_LEAD   (1U << 4)

/**
 * struct timegraph_create - TIMEGRAPH_IOC_CREATE_RESERVE: a Shared reserve that
 * exists without tasks
 * @gpu: in: which GPU
 * @policy: in: TIMEGRAPH_RESV_PE or _AE
 * @capacity_ns: in: C
 * @period_ns: in: T
 * @name: in: its name
 * @id: out: its number
 * @flags: out: TIMEGRAPH_RESERVE_DEMOTED if it does not fit
 *
 * It is kept as long as the file is open, and then as long as it has tasks.  One of
 * that name that lingers is taken, with its budget.
 * Tasks join it by the specification or by TIMEGRAPH_IOC_SET_TASK.
 *
 * ENXIO: no such GPU.  EEXIST: there is one of that name.  EBADF, EPERM.
 */
struct timegraph_create {
	__u32 gpu;
	__u32 policy;
	__u64 capacity_ns;
	__u64 period_ns;
	char name[TIMEGRAPH_NAME_LEN];
	__u32 id;
	__u32 flags;
};

/**
 * struct timegraph_bypass - TIMEGRAPH_IOC_BYPASS: stop or restore scheduling
 * @gpu: in: which GPU, or TIMEGRAPH_ALL_GPUS
 * @on: in: 1: let everybody through; 0: schedule again, after a hang too
 *
 * ENXIO: no such GPU.  EBADF, EPERM.
 */
struct timegraph_bypass {
	__u32 gpu;
	__u32 on;
};

#define TIMEGRAPH_ALL_GPUS 0xffffffffU

#define TIMEGRAPH_EVENT_TASK       (1U << 0) /* a task appeared or went */
#define TIMEGRAPH_EVENT_ADMISSION  (1U << 1) /* a reserve fits or does not */
#define TIMEGRAPH_EVENT_BYPASS     (1U << 2) /* scheduling stopped, or again */
#define TIMEGRAPH_EVENT_FOREGROUND (1U << 3) /* the foreground changed */
#define TIMEGRAPH_EVENT_CONFIG     (1U << 4) /* a file was read or refused */
#define TIMEGRAPH_EVENT_DOMAIN     (1U << 5) /* a rule of a domain, or a GPU's policy changed */

/**
 * struct timegraph_subscribe - TIMEGRAPH_IOC_SUBSCRIBE: what makes the file
 * readable
 * @mask: in: TIMEGRAPH_EVENT_* bits
 * @reserved: in: 0
 *
 * Without CAP_SYS_ADMIN or CAP_PERFMON, at this call, _TASK, _ADMISSION and _FOREGROUND
 * tell of own tasks and of their own reserves alone.
 *
 * poll() then reports POLLIN when something has happened; read() gives one
 * struct timegraph_events and forgets it.  What happened between two reads is
 * told once: look at the state for what it is now.
 */
struct timegraph_subscribe {
	__u32 mask;
	__u32 reserved;
};

/**
 * struct timegraph_events - what read() gives
 * @mask: what happened since the last read, TIMEGRAPH_EVENT_* bits subscribed to
 * @reserved: 0
 * @time_ns: of the last of them
 *
 * Blocks until something happens, unless O_NONBLOCK is set (EAGAIN).  EINVAL:
 * room for less than the structure, or nothing subscribed to.
 */
struct timegraph_events {
	__u32 mask;
	__u32 reserved;
	__u64 time_ns;
};

/* Who gets memory that becomes free (schedGPU, section 5). */
enum timegraph_vram_policy {
	TIMEGRAPH_VRAM_FIFO = 0, /* who came first */
	TIMEGRAPH_VRAM_MMU = 1, /* the first whom it is enough for */
	TIMEGRAPH_VRAM_PRIO_FIFO = 2, /* of the highest priority the first */
	TIMEGRAPH_VRAM_PRIO_MMU = 3, /* of the highest priority the first whom it is enough for */
};

/* What becomes of a buffer beyond its reservation, or beyond what is not reserved. */
enum timegraph_vram_beyond {
	TIMEGRAPH_VRAM_SPILL = 0, /* it is put in system memory, until there is room */
	TIMEGRAPH_VRAM_REFUSE = 1, /* ENOMEM */
	TIMEGRAPH_VRAM_WAIT = 2, /* waited for, for a time, then ENOMEM */
};

/**
 * struct timegraph_vram - TIMEGRAPH_IOC_VRAM: the video memory of a GPU, in bytes
 * @gpu: in: which GPU
 * @flags: out: TIMEGRAPH_VRAM_KEPT
 * @policy: out: enum timegraph_vram_policy
 * @beyond: out: enum timegraph_vram_beyond
 * @nr_waiting: out: processes that wait for a reservation
 * @reserved: out: 0
 * @size: out: of the card; 0 if not known
 * @margin: out: that nobody can reserve: for page tables, contexts of channels, and what is
 *	scanned out; it grows when those need more
 * @older: out: of buffers that are older than the module
 * @held: out: reserved
 * @rest: out: used beyond that
 * @free: out: neither
 * @aging_ns: out: who has waited for so long is next; 0: nobody for that reason
 * @granted: out: reservations so far
 * @refused: out: times that a buffer was more than there was for it
 * @deadlocks: out: times that who had something wanted to wait for more
 *
 * ENXIO: there is no such GPU.
 */
struct timegraph_vram {
	__u32 gpu;
	__u32 flags;
	__u32 policy;
	__u32 beyond;
	__u32 nr_waiting;
	__u32 reserved;
	__u64 size;
	__u64 margin;
	__u64 older;
	__u64 held;
	__u64 rest;
	__u64 free;
	__u64 aging_ns;
	__u64 granted;
	__u64 refused;
	__u64 deadlocks;
};

#define TIMEGRAPH_VRAM_KEPT (1U << 0) /* buffers are accounted for; else nothing is reserved */

enum timegraph_vram_state {
	TIMEGRAPH_VRAM_NONE = 0,
	TIMEGRAPH_VRAM_WAITING = 1,
	TIMEGRAPH_VRAM_HELD = 2,
};

/* Why a process waits. */
enum timegraph_vram_why {
	TIMEGRAPH_VRAM_WHY_NOT = 0, /* it does not */
	TIMEGRAPH_VRAM_WHY_ROOM = 1, /* there is not as much free */
	TIMEGRAPH_VRAM_WHY_TURN = 2, /* another is before it */
	TIMEGRAPH_VRAM_WHY_AGED = 3, /* another has waited for too long */
};

/**
 * struct timegraph_vram_account - an element of TIMEGRAPH_IOC_VRAM_ACCOUNTS: a process, or a
 * domain, with buffers or a reservation
 * @pid: as the caller's namespace calls it; 0 if it has none there, or has ended, or is a domain
 * @uid: its user, as the caller's namespace calls it; of a domain, of the process that came first
 * @comm: its name; of a domain, the end of its cgroup's path
 * @state: enum timegraph_vram_state
 * @why: enum timegraph_vram_why
 * @prio: its priority in the queue
 * @reserved: 0
 * @flags: TIMEGRAPH_VRAM_BY_ENTRY, TIMEGRAPH_VRAM_FOREGROUND, TIMEGRAPH_VRAM_DOMAIN
 * @wanted: bytes it waits for
 * @held: bytes it has reserved
 * @charged: bytes of its buffers
 * @since_ns: when it began to wait, or got what it holds
 * @waited_ns: how long it had waited for that
 * @nr_passed: of those that came later so many were served before it
 * @nr_members: of a domain: processes whose buffers are charged to it
 * @domain: number of the cgroup of a domain, or of the one that the process' buffers are
 *	charged to; 0: none
 */
struct timegraph_vram_account {
	__s32 pid;
	__u32 uid;
	char comm[TIMEGRAPH_COMM_LEN];
	__u8 state;
	__u8 why;
	__u8 prio;
	__u8 reserved;
	__u32 flags;
	__u64 wanted;
	__u64 held;
	__u64 charged;
	__u64 since_ns;
	__u64 waited_ns;
	__u32 nr_passed;
	__u32 nr_members;
	__u64 domain;
};

#define TIMEGRAPH_VRAM_BY_ENTRY   (1U << 0) /* by the specification */
#define TIMEGRAPH_VRAM_FOREGROUND (1U << 1) /* evicted last */
#define TIMEGRAPH_VRAM_DOMAIN     (1U << 2) /* no process: a cgroup */

/**
 * struct timegraph_vram_reserve - TIMEGRAPH_IOC_RESERVE_VRAM: reserve video memory for the
 * calling process; TIMEGRAPH_IOC_FREE_VRAM: give it back
 * @gpu: in: which GPU
 * @flags: in: TIMEGRAPH_VRAM_NOWAIT; 0 for _FREE_VRAM
 * @bytes: in: all that it is to hold then, more than 0; 0 for _FREE_VRAM
 * @deadline_ns: in: how long to wait; 0: until a signal.  0 for _FREE_VRAM
 * @waited_ns: in: 0; out: how long it was
 *
 * It is given whole.  What the process' buffers take is within it from then on, also of
 * those that it has already, and nobody else gets into it.  It ends with
 * TIMEGRAPH_IOC_FREE_VRAM, the file, or the process; the buffers stay.
 *
 * Who has a reservation may ask for another size: less, but not less than its buffers, and
 * more if nobody waits.
 *
 * While another thread of the process waits for a GPU that comes before this one, this waits, too.
 *
 * _RESERVE_VRAM: ENOSPC: the card never has as much.  EAGAIN: not at once, and
 * TIMEGRAPH_VRAM_NOWAIT is set.  ETIMEDOUT: not until @deadline_ns.  EINTR: a signal;
 * called again within a second it has kept its place.  EDEADLK: it would have to wait, but
 * has buffers or a reservation: others could wait for those; give them back first.  EBUSY:
 * its buffers are more.  EEXIST: the specification, or another file, has reserved for it
 * already; or its domain has memory, and it has a channel, or no CAP_SYS_NICE.  EALREADY:
 * it waits in another thread, for another size.  EDQUOT: the user has too much, or too many
 * wait.  EOPNOTSUPP: buffers are not accounted for, see TIMEGRAPH_VRAM_KEPT.  _FREE_VRAM:
 * ESRCH: there is none of this file's.  Both: ENXIO: there is no such GPU; EBADF.
 */
struct timegraph_vram_reserve {
	__u32 gpu;
	__u32 flags;
	__u64 bytes;
	__u64 deadline_ns;
	__u64 waited_ns;
};

#define TIMEGRAPH_VRAM_NOWAIT (1U << 0)

/**
 * struct timegraph_vram_set - TIMEGRAPH_IOC_SET_VRAM: how reservations are given
 * @gpu: in: which GPU, or TIMEGRAPH_ALL_GPUS
 * @fields: in: TIMEGRAPH_VRAM_SET_*: what to change; the rest stays
 * @policy: in: enum timegraph_vram_policy
 * @beyond: in: enum timegraph_vram_beyond; of all GPUs
 * @aging_ns: in: up to an hour
 *
 * ENXIO: no such GPU.  EBADF, EPERM.
 */
struct timegraph_vram_set {
	__u32 gpu;
	__u32 fields;
	__u32 policy;
	__u32 beyond;
	__u64 aging_ns;
};

#define TIMEGRAPH_VRAM_SET_POLICY (1U << 0)
#define TIMEGRAPH_VRAM_SET_BEYOND (1U << 1)
#define TIMEGRAPH_VRAM_SET_AGING  (1U << 2)

#define TIMEGRAPH_IOC_MAGIC 0xbc

#define TIMEGRAPH_IOC_CAPS _IOR(TIMEGRAPH_IOC_MAGIC, 0x00, struct timegraph_caps)
#define TIMEGRAPH_IOC_CONFIG \
	_IOR(TIMEGRAPH_IOC_MAGIC, 0x01, struct timegraph_config)
#define TIMEGRAPH_IOC_GPU _IOWR(TIMEGRAPH_IOC_MAGIC, 0x02, struct timegraph_gpu)
#define TIMEGRAPH_IOC_TASKS \
	_IOWR(TIMEGRAPH_IOC_MAGIC, 0x03, struct timegraph_list)
#define TIMEGRAPH_IOC_RESERVES \
	_IOWR(TIMEGRAPH_IOC_MAGIC, 0x04, struct timegraph_list)
#define TIMEGRAPH_IOC_FOREGROUND \
	_IOWR(TIMEGRAPH_IOC_MAGIC, 0x05, struct timegraph_foreground)
#define TIMEGRAPH_IOC_SET_TASK \
	_IOW(TIMEGRAPH_IOC_MAGIC, 0x06, struct timegraph_set)
#define TIMEGRAPH_IOC_CLEAR_TASK \
	_IOW(TIMEGRAPH_IOC_MAGIC, 0x07, struct timegraph_set)
#define TIMEGRAPH_IOC_CREATE_RESERVE \
	_IOWR(TIMEGRAPH_IOC_MAGIC, 0x08, struct timegraph_create)
#define TIMEGRAPH_IOC_BYPASS \
	_IOW(TIMEGRAPH_IOC_MAGIC, 0x09, struct timegraph_bypass)
/*
 * Read the files anew, whatever was pushed, and apply what is in force then to all tasks.
 * Waits for them, interruptibly.  EBADF, EPERM; EINVAL: a file was refused, see
 * TIMEGRAPH_IOC_CONFIG.
 */
#define TIMEGRAPH_IOC_RELOAD _IO(TIMEGRAPH_IOC_MAGIC, 0x0a)
#define TIMEGRAPH_IOC_SUBSCRIBE \
	_IOW(TIMEGRAPH_IOC_MAGIC, 0x0b, struct timegraph_subscribe)
#define TIMEGRAPH_IOC_PUSH _IOWR(TIMEGRAPH_IOC_MAGIC, 0x0c, struct timegraph_push)
#define TIMEGRAPH_IOC_SET_DOMAIN \
	_IOW(TIMEGRAPH_IOC_MAGIC, 0x0d, struct timegraph_domain_set)
#define TIMEGRAPH_IOC_CLEAR_DOMAIN \
	_IOW(TIMEGRAPH_IOC_MAGIC, 0x0e, struct timegraph_domain_set)
#define TIMEGRAPH_IOC_DOMAINS \
	_IOWR(TIMEGRAPH_IOC_MAGIC, 0x0f, struct timegraph_list)
#define TIMEGRAPH_IOC_POLICY _IOWR(TIMEGRAPH_IOC_MAGIC, 0x10, struct timegraph_class)
#define TIMEGRAPH_IOC_VRAM _IOWR(TIMEGRAPH_IOC_MAGIC, 0x20, struct timegraph_vram)
#define TIMEGRAPH_IOC_VRAM_ACCOUNTS \
	_IOWR(TIMEGRAPH_IOC_MAGIC, 0x21, struct timegraph_list)
#define TIMEGRAPH_IOC_RESERVE_VRAM \
	_IOWR(TIMEGRAPH_IOC_MAGIC, 0x22, struct timegraph_vram_reserve)
#define TIMEGRAPH_IOC_FREE_VRAM \
	_IOW(TIMEGRAPH_IOC_MAGIC, 0x23, struct timegraph_vram_reserve)
#define TIMEGRAPH_IOC_SET_VRAM \
	_IOW(TIMEGRAPH_IOC_MAGIC, 0x24, struct timegraph_vram_set)

#if defined(__cplusplus)
}
#endif

#endif
