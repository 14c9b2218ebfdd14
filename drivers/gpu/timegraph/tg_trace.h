/* SPDX-License-Identifier: GPL-2.0-only */
/* Tracepoints: /sys/kernel/tracing/events/timegraph, see tracing.rst. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM timegraph

#if !defined(TG_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define TG_TRACE_H

#include <linux/device.h>
#include <linux/tracepoint.h>

#include "tg_compat.h"
#include "tg_device.h"

struct tg_chan;
struct tg_dev_group;
struct tg_dev_reserve;

TRACE_EVENT(tg_channel,
	TP_PROTO(const struct tg_chan *chan, bool created),
	TP_ARGS(chan, created),
	TP_STRUCT__entry(
		__string(comm, chan->client->comm)
		__field(int, pid)
		__field(int, chid)
		__field(int, prio)
		__field(u32, line)
		__string(policy, chan->client->task.policy->name)
		__field(bool, created)
	),
	TP_fast_assign(
		tg_compat_assign_str(comm, chan->client->comm);
		__entry->pid = pid_nr(chan->client->pid);
		__entry->chid = chan->chid;
		__entry->prio = chan->client->task.prio;
		__entry->line = chan->client->entry.line;
		tg_compat_assign_str(policy, chan->client->task.policy->name);
		__entry->created = created;
	),
	TP_printk("%s chid=%d comm=%s pid=%d policy=%s prio=%d spec_line=%u",
		  __entry->created ? "new" : "del", __entry->chid,
		  __get_str(comm), __entry->pid, __get_str(policy),
		  __entry->prio, __entry->line)
);

/*
 * A group asks for the GPU: ahead of it are @online groups of @behind_pid.  One that is
 * @taken has not asked: its turn had lapsed when it was pushed, or it ran free.
 */
TRACE_EVENT(tg_arrive,
	TP_PROTO(const struct tg_device *td, const struct tg_dev_group *dg,
		 bool online),
	TP_ARGS(td, dg, online),
	TP_STRUCT__entry(
		__field(u64, id)
		__field(int, pid)
		__field(int, chid)
		__field(int, level)
		__field(int, behind_pid)
		__field(u32, nr_online)
		__field(u32, nr_waiting)
		__field(bool, online)
		__field(bool, taken)
	),
	TP_fast_assign(
		struct tg_group *head = tg_sched_head(&td->sched);

		__entry->id = dg->id;
		__entry->pid = pid_nr(dg->chan->client->pid);
		__entry->chid = dg->chan->chid;
		__entry->level = tg_task_level(dg->group.task);
		__entry->behind_pid =
			head && head != &dg->group ?
				pid_nr(container_of(head, struct tg_dev_group, group)
					       ->chan->client->pid) : 0;
		__entry->nr_online = td->sched.nr_online;
		__entry->nr_waiting = td->sched.nr_waiting;
		__entry->online = online;
		__entry->taken = dg->taken;
	),
	TP_printk("id=%llu pid=%d chid=%d level=%d %s behind_pid=%d online=%u waiting=%u taken=%d",
		  __entry->id, __entry->pid, __entry->chid, __entry->level,
		  __entry->online ? "starts" : "waits", __entry->behind_pid,
		  __entry->nr_online, __entry->nr_waiting, __entry->taken)
);

/* A waiting group gets its turn. */
TRACE_EVENT(tg_dispatch,
	TP_PROTO(const struct tg_device *td, const struct tg_dev_group *dg, u64 now),
	TP_ARGS(td, dg, now),
	TP_STRUCT__entry(
		__field(u64, id)
		__field(int, pid)
		__field(int, level)
		__field(u64, waited_ns)
		__field(u32, nr_online)
		__field(u32, nr_waiting)
		__field(bool, lifted)
	),
	TP_fast_assign(
		__entry->id = dg->id;
		__entry->pid = pid_nr(dg->chan->client->pid);
		__entry->level = tg_task_level(dg->group.task);
		__entry->waited_ns = now - dg->group.arrive_ns;
		__entry->nr_online = td->sched.nr_online;
		__entry->nr_waiting = td->sched.nr_waiting;
		__entry->lifted = dg->group.lifted;
	),
	TP_printk("id=%llu pid=%d level=%d waited_ns=%llu online=%u waiting=%u lifted=%d",
		  __entry->id, __entry->pid, __entry->level,
		  __entry->waited_ns, __entry->nr_online, __entry->nr_waiting,
		  __entry->lifted)
);

/* It was told to go on, and did not come: it waits again, and an equal that is here starts. */
TRACE_EVENT(tg_pass,
	TP_PROTO(const struct tg_device *td, const struct tg_dev_group *dg,
		 const struct tg_dev_group *by),
	TP_ARGS(td, dg, by),
	TP_STRUCT__entry(
		__field(u64, id)
		__field(int, pid)
		__field(u64, by)
	),
	TP_fast_assign(
		__entry->id = dg->id;
		__entry->pid = pid_nr(dg->chan->client->pid);
		__entry->by = by->id;
	),
	TP_printk("id=%llu pid=%d by=%llu", __entry->id, __entry->pid, __entry->by)
);

/* nouveau handed the group to the GPU; staged: where it waits for another channel's. */
TRACE_EVENT(tg_submit,
	TP_PROTO(const struct tg_device *td, const struct tg_dev_group *dg),
	TP_ARGS(td, dg),
	TP_STRUCT__entry(
		__field(u64, id)
		__field(int, pid)
		__field(int, chid)
		__field(u32, seq)
		__field(u32, fence)
		__field(u32, nr_online)
		__field(bool, staged)
	),
	TP_fast_assign(
		__entry->id = dg->id;
		__entry->pid = pid_nr(dg->chan->client->pid);
		__entry->chid = dg->chan->chid;
		__entry->seq = dg->seq;
		__entry->fence = dg->fence->seqno;
		__entry->nr_online = td->sched.nr_online;
		__entry->staged = dg->waits;
	),
	TP_printk("id=%llu pid=%d chid=%d seq=%u fence=%u online=%u staged=%d",
		  __entry->id, __entry->pid, __entry->chid, __entry->seq,
		  __entry->fence, __entry->nr_online, __entry->staged)
);

/*
 * The group left the GPU-online list; @how tells what was the evidence.  Profile and words
 * tell what its commands were: both are 0 if they were not read, as before the trace began.
 */
TRACE_EVENT(tg_complete,
	TP_PROTO(const struct tg_device *td, const struct tg_dev_group *dg,
		 enum tg_completion how),
	TP_ARGS(td, dg, how),
	TP_STRUCT__entry(
		__field(u64, id)
		__field(int, pid)
		__field(int, chid)
		__field(int, how)
		__field(u64, response_ns)
		__field(u64, cost_ns)
		__field(u64, cost_cpu_ns)
		__field(u64, predicted_ns)
		__field(u64, profile)
		__field(u32, words)
		__field(u32, nr_online)
		__field(bool, predicted)
		__field(bool, hit)
		__field(bool, switched)
		__field(bool, led)
		__field(bool, staged)
		__field(u64, lead_ns)
	),
	TP_fast_assign(
		__entry->id = dg->id;
		__entry->pid = pid_nr(dg->chan->client->pid);
		__entry->chid = dg->chan->chid;
		__entry->how = how;
		__entry->response_ns = dg->group.finish_ns -
				       dg->group.arrive_ns;
		__entry->cost_ns = dg->group.cost_ns;
		__entry->cost_cpu_ns = dg->group.cost_cpu_ns;
		__entry->predicted_ns = dg->prediction.cost_ns;
		__entry->profile = dg->profiled ? dg->profile.hash : 0;
		__entry->words = dg->profiled ? dg->profile.words : 0;
		__entry->nr_online = td->sched.nr_online;
		__entry->predicted = dg->predicted;
		__entry->hit = dg->prediction.hit;
		__entry->switched = dg->group.switched;
		__entry->led = dg->group.led;
		__entry->staged = dg->waits;
		__entry->lead_ns = dg->group.lead_ns;
	),
	TP_printk("id=%llu pid=%d chid=%d by=%s response_ns=%llu cost_ns=%llu online=%u cost_cpu_ns=%llu predicted_ns=%llu predicted_by=%s switched=%d led=%d lead_predicted_ns=%llu profile=%016llx words=%u staged=%d",
		  __entry->id, __entry->pid, __entry->chid,
		  __print_symbolic(__entry->how,
				   { TG_COMPLETION_NOTIFY, "notify" },
				   { TG_COMPLETION_FENCE, "fence" },
				   { TG_COMPLETION_POLL, "poll" },
				   { TG_COMPLETION_STUCK, "stuck" }),
		  __entry->response_ns, __entry->cost_ns, __entry->nr_online,
		  __entry->cost_cpu_ns, __entry->predicted_ns,
		  !__entry->predicted ? "none" : __entry->hit ? "hit" : "miss",
		  __entry->switched, __entry->led, __entry->lead_ns,
		  __entry->profile, __entry->words, __entry->staged)
);

/*
 * The reserve's budget does not allow the group: it waits for the next period.  If it had
 * led and the budget allows it, but maybe not behind those that the GPU has: for their end.
 */
TRACE_EVENT(tg_throttle,
	TP_PROTO(const struct tg_device *td, const struct tg_dev_group *dg,
		 const struct tg_reserve *r),
	TP_ARGS(td, dg, r),
	TP_STRUCT__entry(
		__field(u64, id)
		__field(int, pid)
		__field(int, chid)
		__field(s64, budget_ns)
		__field(u64, predicted_ns)
		__field(u64, next_ns)
	),
	TP_fast_assign(
		__entry->id = dg->id;
		__entry->pid = pid_nr(dg->chan->client->pid);
		__entry->chid = dg->chan->chid;
		__entry->budget_ns = r->budget_ns;
		__entry->predicted_ns = dg->group.predicted_ns;
		__entry->next_ns = r->next_ns;
	),
	TP_printk("id=%llu pid=%d chid=%d budget_ns=%lld predicted_ns=%llu next_ns=%llu",
		  __entry->id, __entry->pid, __entry->chid, __entry->budget_ns,
		  __entry->predicted_ns, __entry->next_ns)
);

/* A reserve was admitted, or is to be background. */
TRACE_EVENT(tg_admission,
	TP_PROTO(const struct tg_device *td, const struct tg_dev_reserve *res),
	TP_ARGS(td, res),
	TP_STRUCT__entry(
		__string(name, res->name)
		__field(u64, capacity_ns)
		__field(u64, period_ns)
		__field(u32, limit)
		__field(bool, demoted)
	),
	TP_fast_assign(
		tg_compat_assign_str(name, res->name);
		__entry->capacity_ns = res->reserve.capacity_ns;
		__entry->period_ns = res->reserve.period_ns;
		__entry->limit = td->sched.limit_percent;
		__entry->demoted = res->reserve.demoted;
	),
	TP_printk("reserve=%s capacity_ns=%llu period_ns=%llu limit=%u%% %s",
		  __get_str(name), __entry->capacity_ns, __entry->period_ns,
		  __entry->limit, __entry->demoted ? "background" : "fits")
);

/*
 * The group leaves the GPU-online list or the wait queue without completing:
 * a signal, a refusal by nouveau, its channel's end, stuck, bypass.
 */
TRACE_EVENT(tg_drop,
	TP_PROTO(const struct tg_device *td, const struct tg_dev_group *dg,
		 bool waiting),
	TP_ARGS(td, dg, waiting),
	TP_STRUCT__entry(
		__field(u64, id)
		__field(int, pid)
		__field(int, chid)
		__field(bool, waiting)
	),
	TP_fast_assign(
		__entry->id = dg->id;
		__entry->pid = pid_nr(dg->chan->client->pid);
		__entry->chid = dg->chan->chid;
		__entry->waiting = waiting;
	),
	TP_printk("id=%llu pid=%d chid=%d %s", __entry->id, __entry->pid,
		  __entry->chid, __entry->waiting ? "waiting" : "online")
);

/* A NOTIFY interrupt that belongs to no group: a client's own. */
TRACE_EVENT(tg_foreign,
	TP_PROTO(const struct tg_device *td, int chid, u32 tag),
	TP_ARGS(td, chid, tag),
	TP_STRUCT__entry(
		__field(int, chid)
		__field(u32, tag)
	),
	TP_fast_assign(
		__entry->chid = chid;
		__entry->tag = tag;
	),
	TP_printk("chid=%d tag=%08x", __entry->chid, __entry->tag)
);

/* A staged group went on before it was let in: its task's are not for a while. */
TRACE_EVENT(tg_forged,
	TP_PROTO(const struct tg_device *td, const struct tg_dev_group *dg),
	TP_ARGS(td, dg),
	TP_STRUCT__entry(
		__field(u64, id)
		__field(int, pid)
		__field(int, chid)
		__field(int, before)
	),
	TP_fast_assign(
		__entry->id = dg->id;
		__entry->pid = pid_nr(dg->chan->client->pid);
		__entry->chid = dg->chan->chid;
		__entry->before = dg->wait_chid;
	),
	TP_printk("id=%llu pid=%d chid=%d before=%d", __entry->id, __entry->pid,
		  __entry->chid, __entry->before)
);

/* Scheduling of a GPU stops, with a reason, or begins again, with none. */
TRACE_EVENT(tg_bypass,
	TP_PROTO(const struct tg_device *td, const char *reason),
	TP_ARGS(td, reason),
	TP_STRUCT__entry(
		__string(gpu, dev_name(td->dev))
		__string(reason, reason ? reason : "none")
	),
	TP_fast_assign(
		tg_compat_assign_str(gpu, dev_name(td->dev));
		tg_compat_assign_str(reason, reason ? reason : "none");
	),
	TP_printk("gpu=%s reason: %s", __get_str(gpu), __get_str(reason))
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE tg_trace
#include <trace/define_trace.h>
