/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The scheduler of one GPU: GPU-online list, wait queue, reserves, decisions.
 *
 * Pure: no clock, lock, allocation or output.  Time comes in as an argument
 * (nanoseconds of any monotonic clock); the caller serialises all calls for
 * one struct tg_sched and owns the memory of tasks and groups.
 */
#ifndef TG_SCHED_H
#define TG_SCHED_H

#include "tg_credit.h"
#include "tg_lift.h"
#include "tg_policy.h"
#include "tg_port.h"
#include "tg_predictor.h"
#include "tg_reserve.h"
#include "tg_task.h"
#include "tg_vtime.h"

/**
 * struct tg_sched - one GPU
 * @online: the GPU-online list, oldest first
 * @nr_online: its length
 * @aside: groups that were set aside, the first one first
 * @nr_aside: their number
 * @beside: of them, the one that the GPU was at when it was looked last, or NULL: until
 *	the next look it pays for all that the GPU does
 * @queue: waiting groups, and domains that have some (struct tg_turn), a tree a level
 * @nr_queued: groups of each, those of its domains too
 * @waiting: the levels that are not empty
 * @nr_waiting: groups in @queue and its domains
 * @last_finish_ns: up to when the GPU's time is paid for: when the last group left
 *	it, or one set aside was charged last
 * @last_complete_ns: when the last group of the GPU-online list completed
 * @busy_ns: all that was charged
 * @last_gpu_finish_ns: the same by the GPU's clock
 * @gap_ns: when a group left whose end the GPU's clock does not tell
 * @last_context: of the group that was started last
 * @ht_depth: groups one HT task may have on the GPU at once, at least 1.
 *	Not in the paper: it bounds how long a more important arrival is
 *	blocked, and keeps the channel's ring from filling up.
 * @lead_ns: W: predicted work that the GPU may have when the next group is started, of
 *	a task that has no W of its own.  0, as in the paper: none
 * @lead_by: who predicts that
 * @ahead_ns: predicted cost of all groups online
 * @nr_unknown: groups online that there is no prediction of
 * @ahead_at_ns: when the best waiting group may start ahead of the end of those before,
 *	or although another was expected; 0: not, or not by the time alone
 * @nr_led: groups that started so
 * @nr_staged: of them, those behind another channel's
 * @away_level: of who left last to come back with a ticket, or of one above
 * @away_until_ns: when their tickets have lapsed
 * @nr_arrivals: groups that asked so far
 * @nr_places: places given out in the queues
 * @nr_wakeups: groups started from the wait queue
 * @nr_throttled: groups that wait for a budget, of a reserve or of a domain's quota
 * @nr_stamped: groups charged by the GPU's clock
 * @nr_unstamped: groups charged by the caller's.  Rises where the GPU gives no
 *	stamps, or if what it gives cannot be
 * @reserves: all but @background, in the order of creation
 * @nr_reserves: added so far
 * @unsettled: those with tasks whose groups are still to be moved, see @part
 * @due: reserves that somebody waits for, @background among them, by tg_reserve.due_ns
 * @refused: the demoted ones, in the order of creation
 * @look: the one of them that tg_sched_reconsider() goes on with, or NULL
 * @look_again: there is more room than when it began
 * @lingering: those of @reserves whose last task has gone, by when they would be full
 * @background: Shared PE reserve of tasks without a reserve of their own; not
 *	subject to admission: what the others leave is all it can use, since its
 *	tasks have the lowest priority
 * @admission: what @reserves claim together, but for the demoted ones
 * @limit_percent: of GPU time that reserves may claim together
 * @fair: virtual times, see tg_vtime.h
 * @domains: all, parents before those within them
 * @credits: whose turn it is among domains, see tg_credit.h
 * @throttled: domains that wait for their quota (tg_domain.due), by when that is
 * @floor: what those have who would get nothing, see tg_lift.h
 * @policy: what the policies keep, by their ids
 * @tick_ns: when the first of their ticks is due, 0 for none
 * @more: tg_sched_next() has sent as many to wait for a budget as it may at once, and is to
 *	be called again
 * @sent_for: then the reserve that the last of them waits for, else NULL
 * @sent_ns: when that was
 * @part: of the groups that a period or an admission concerns, and of the reserves
 *	whose periods begin or that there may be room for, about how many one call is
 *	about; tg_sched_next() and tg_sched_reconsider() go on with the others.  Those are
 *	late by that, and what is not let go yet does not count as waiting
 */
struct tg_sched {
	struct list_head online;
	u32 nr_online;
	struct list_head aside;
	u32 nr_aside;
	struct tg_group *beside;
	struct rb_root_cached queue[TG_LEVELS];
	u32 nr_queued[TG_LEVELS];
	DECLARE_BITMAP(waiting, TG_LEVELS);
	u32 nr_waiting;
	u64 last_finish_ns;
	u64 last_complete_ns;
	u64 busy_ns;
	u64 last_gpu_finish_ns;
	u64 gap_ns;
	const void *last_context;
	u32 ht_depth;
	u64 lead_ns;
	const struct tg_predictor_ops *lead_by;
	u64 ahead_ns;
	u32 nr_unknown;
	u64 ahead_at_ns;
	u64 nr_led;
	u64 nr_staged;
	u8 away_level;
	u64 away_until_ns;
	u64 nr_arrivals;
	u64 nr_places;
	u64 nr_wakeups;
	u32 nr_throttled;
	u64 nr_stamped;
	u64 nr_unstamped;
	struct list_head reserves;
	u64 nr_reserves;
	struct list_head unsettled;
	struct rb_root_cached due;
	struct rb_root_cached refused;
	struct tg_reserve *look;
	bool look_again;
	struct rb_root_cached lingering;
	struct tg_reserve background;
	struct tg_admission admission;
	u32 limit_percent;
	struct tg_fair fair;
	struct list_head domains;
	struct tg_credits credits;
	struct rb_root_cached throttled;
	struct tg_floor floor;
	struct tg_policy_state policy[TG_NR_POLICIES];
	u64 tick_ns;
	bool more;
	struct tg_reserve *sent_for;
	u64 sent_ns;
	u32 part;
};

/**
 * tg_sched_init - a GPU without tasks
 * @ht_depth: see struct tg_sched
 * @capacity_ns: C of the Background reserve
 * @period_ns: its T
 * @now: time
 */
void tg_sched_init(struct tg_sched *s, u32 ht_depth, u64 capacity_ns,
		   u64 period_ns, u64 now);

/**
 * tg_sched_set_lead - another W
 * @lead_ns: see struct tg_sched
 */
void tg_sched_set_lead(struct tg_sched *s, u64 lead_ns);

/**
 * tg_sched_set_floor - another floor
 * @capacity_ns: GPU time of a period, at most half of it; 0: as in the paper, no floor,
 *	and an HT task keeps the GPU from its equals too
 * @period_ns: 0 < T <= TG_TIME_MAX_NS; how long a level has to wait
 */
void tg_sched_set_floor(struct tg_sched *s, u64 capacity_ns, u64 period_ns, u64 now);

/** tg_lead_set_predictor - who predicts for the lead: &tg_predictors[TG_PREDICTOR_LARGEST]
 * unless told
 */
void tg_lead_set_predictor(struct tg_sched *s, const struct tg_predictor_ops *ops);

/**
 * tg_lead_expect - what @g costs is predicted anew, now that it was read
 * @ns: 0 for unknown
 *
 * Nothing happens if it is not online.
 */
void tg_lead_expect(struct tg_sched *s, struct tg_group *g, u64 ns);

/* W of a group that is to start behind another channel's: an interrupt and a submission. */
#define TG_STAGED_LEAD_NS 100000ULL

/* W of who is alone, and when he has a rule: what one who runs free may have. */
#define TG_LEAD_ALONE_NS 20000000ULL
#define TG_LEAD_RULED_NS 4000000ULL

/* Instead of a lead: that of the GPU. */
#define TG_LEAD_COMMON (~0ULL)

/**
 * tg_task_set_lead - another W for when groups of @task are started
 * @lead_ns: that; or TG_LEAD_COMMON
 */
void tg_task_set_lead(struct tg_task *task, u64 lead_ns);

/** tg_lead_of - the W that counts for @task */
u64 tg_lead_of(const struct tg_sched *s, const struct tg_task *task);

/**
 * tg_lead_now - the W that counts for @task now
 *
 * While it is alone, and nobody has a rule but it at most, nobody was promised anything
 * that more would break, and W is %TG_LEAD_ALONE_NS, or %TG_LEAD_RULED_NS if it has one.
 */
u64 tg_lead_now(struct tg_sched *s, const struct tg_task *task, u64 now);

/** tg_task_init - a task without groups, PRT, priority 0, weight 100, without a reserve */
void tg_task_init(struct tg_task *task);

/**
 * tg_task_set_weight - another weight
 * @weight: TG_WEIGHT_MIN–TG_WEIGHT_MAX; what the task has had counts as it was
 */
void tg_task_set_weight(struct tg_task *task, u32 weight);

/**
 * tg_sched_arrive - a group asks for the GPU
 * @s: the GPU
 * @g: the group, @g->task and @g->context set, all else 0
 * @now: time
 *
 * A group whose reserve has nothing left need not be validated to know: it is
 * throttled here.  To be followed by tg_sched_next(), as every change is.
 *
 * Return: true if the group is online, false if it waits or is throttled.
 */
bool tg_sched_arrive(struct tg_sched *s, struct tg_group *g, u64 now);

/**
 * tg_sched_leave - a group stops waiting, and may come back
 * @g: waits for its turn or for a budget
 * @ticket: of its channel; the older place stays in it
 *
 * As tg_sched_cancel().
 */
void tg_sched_leave(struct tg_sched *s, struct tg_group *g,
		    struct tg_ticket *ticket, u64 now);

/**
 * tg_sched_return - as tg_sched_arrive(), at the place that @ticket keeps
 * @ticket: of the group's channel; used up; one that lapsed or is none changes
 *	nothing
 */
bool tg_sched_return(struct tg_sched *s, struct tg_group *g,
		     struct tg_ticket *ticket, u64 now);

/**
 * tg_sched_insert - put a group online without asking its policy
 *
 * For submissions that cannot be held back (an EXEC job that is already
 * published); the others then wait for it as for any group.
 */
void tg_sched_insert(struct tg_sched *s, struct tg_group *g, u64 now);

/**
 * tg_sched_check - whether the budget lets an online group go (figure 4, after
 * validation)
 * @x: its predicted cost, 0 if the reserve does not predict
 *
 * Return: true; or false if the group is throttled now, and will be online
 * again when tg_sched_next() returns it.
 */
bool tg_sched_check(struct tg_sched *s, struct tg_group *g, u64 x, u64 now);

/** tg_sched_switches - whether a group of @context would switch contexts now */
bool tg_sched_switches(const struct tg_sched *s, const void *context);

/** tg_sched_start - an online group is now being handed to the GPU */
void tg_sched_start(struct tg_sched *s, struct tg_group *g, u64 now);

/**
 * tg_sched_stamp - the GPU's own times of a group, before tg_sched_complete()
 * @start_ns: the GPU's clock when the group was submitted
 * @finish_ns: the GPU's clock when it ended
 * @heard_ns: so much longer the CPU sees it there, as a rule: until it is handed over, and
 *	until its end is heard of
 *
 * Ignored if they contradict what the CPU saw: if they are longer, or shorter by more than is
 * allowed, see TG_LATE_MAX_NS.
 */
void tg_sched_stamp(struct tg_sched *s, struct tg_group *g, u64 start_ns,
		    u64 finish_ns, u64 heard_ns);

/**
 * tg_sched_complete - an online group, or one set aside, has left the GPU
 *
 * Charges its task, and the task's reserve, finish − max(start, finish of the
 * group before): the paper's finish − start (section 5.2) would charge groups
 * of one HT task that overlap in the list twice for the same GPU time.  By the
 * GPU's clock if tg_sched_stamp() gave its times, else by the caller's.  Both
 * operands come from one monotonic clock in nanoseconds, so the difference fits
 * 64 bits for 584 years; it is clamped at zero for a group that finished before
 * it was seen starting.
 *
 * Each moment in which the GPU has a group is charged, once: what lies between the
 * finish of the group before and the start of this one was used by the oldest of
 * the others that were there, which pays for it now.
 */
void tg_sched_complete(struct tg_sched *s, struct tg_group *g, u64 now);

/**
 * tg_sched_use - charge a task for groups that were not scheduled
 * @ns: for how long it had the GPU, up to @now, while the GPU had no group that is
 */
void tg_sched_use(struct tg_sched *s, struct tg_task *task, u64 ns, u64 now);

/**
 * tg_sched_set_aside - a running group stays too long: the others go on
 *
 * It leaves the GPU-online list and is charged for the time so far.  If one was set
 * aside before and none completed since, nothing says that the GPU got to this one:
 * then the one before is charged.  The GPU still has the group, and what it has
 * while no other is running goes on being charged, see tg_sched_account().
 */
void tg_sched_set_aside(struct tg_sched *s, struct tg_group *g, u64 now);

/**
 * tg_sched_account - charge groups set aside for the time until now
 * @at: the group that the GPU is at, or NULL if that is none or is not known
 *
 * To be called now and then while there are any: else their reserves learn of it
 * when they end.  One that was set aside can go to work later, beside whoever has the
 * turn: by turns, so whose a moment was is known by looking only.  What lies between two
 * looks is charged to one group, so these are to come at random times.
 */
void tg_sched_account(struct tg_sched *s, struct tg_group *at, u64 now);

/**
 * tg_sched_cancel - take a group out, wherever it is
 *
 * If it was running it is charged for the time so far, as one that completes.
 */
void tg_sched_cancel(struct tg_sched *s, struct tg_group *g, u64 now);

/**
 * tg_sched_drain - take out all groups of a channel, wherever they are
 * @task: whose channel it is; NULL for the groups of all
 * @context: the channel; NULL with @task
 * @online: an empty list; gets by @node those that were in the GPU-online list, or
 *	set aside
 * @waiting: an empty list; gets those that waited, for their turn or for a budget
 * @now: time
 *
 * As tg_sched_cancel() for each, but of those that wait tg_sched.part at most.
 *
 * Return: whether some may be left, and it is to be called again.
 */
bool tg_sched_drain(struct tg_sched *s, struct tg_task *task, const void *context,
		    struct list_head *online, struct list_head *waiting, u64 now);

/**
 * tg_sched_drain_waiting - take out the waiting groups of a channel
 * @waiting: as for tg_sched_drain(), whose part this is
 */
bool tg_sched_drain_waiting(struct tg_sched *s, struct tg_task *task,
			    const void *context, struct list_head *waiting, u64 now);

/* So many parts it is of those who are sent to wait for a budget: no thread is woken for it. */
#define TG_SCHED_SENT_PARTS 2

/**
 * tg_sched_next - start the best waiting group if its policy lets it
 *
 * To be called after every other call that changes something, and at the time
 * that tg_sched_next_timer() tells, until it returns NULL.  If tg_sched.part is less
 * than what there is to do, that time is then past: others may be let in between.
 *
 * Return: the group that is online now and whose owner must be woken, or NULL.
 */
struct tg_group *tg_sched_next(struct tg_sched *s, u64 now);

/* By as many groups of its equals is a group passed at most. */
#define TG_PASSES_MAX 4

/**
 * tg_sched_pass - start @by instead of the one that had been told to
 * @by: it waits, and its thread is here
 *
 * A turn that is handed to a thread that sleeps is nobody's until a CPU runs that; on a CPU
 * that others want, too, that takes as long as their slices, with the GPU idle, group after
 * group (a lock convoy).  nouveau itself knows no such thing.  So an equal whose thread runs
 * goes first, if nothing else keeps it, its policy lets it (tg_policy_ops.passes) and no
 * budget is of both.  All that are passed wait where they did, for TG_PASSES_MAX such groups
 * at most.  Those are by the order of FQ: with credits one may be behind them whose unit
 * would be next.
 *
 * For the only group of the GPU-online list that tg_sched_next() has started and that has
 * not been validated; the caller sees to that and to the time.
 *
 * Return: whether @by is online now.
 */
bool tg_sched_pass(struct tg_sched *s, struct tg_group *by, u64 now);

/** tg_sched_clock_set - the GPU's clock may have been set back */
void tg_sched_clock_set(struct tg_sched *s);

/** tg_sched_head - the oldest online group, or NULL */
struct tg_group *tg_sched_head(const struct tg_sched *s);

/** tg_sched_first_aside - of the groups set aside the first one, or NULL */
struct tg_group *tg_sched_first_aside(const struct tg_sched *s);

/** tg_sched_best - the waiting group that would start next, or NULL */
struct tg_group *tg_sched_best(const struct tg_sched *s);

/* Groups of the GPU-online list, oldest first; with _safe @g may be taken out. */
#define tg_sched_for_each_online(g, s) \
	list_for_each_entry(g, &(s)->online, node)
#define tg_sched_for_each_online_safe(g, n, s) \
	list_for_each_entry_safe(g, n, &(s)->online, node)
/* Groups that were set aside, the first one first; @g may be taken out. */
#define tg_sched_for_each_aside_safe(g, n, s) \
	list_for_each_entry_safe(g, n, &(s)->aside, node)

/* Waiting groups of a level, best first. */
#define tg_sched_for_each_waiting(g, s, level) \
	for (g = tg_wait_first(s, level); g; g = tg_wait_next(g))
/* The same of a domain, also of one that waits for its quota. */
#define tg_sched_for_each_within(g, d) \
	for (g = tg_domain_first(d); g; g = tg_wait_next(g))
/* Groups that wait for the budget of a reserve, that for which it is first. */
#define tg_sched_for_each_throttled(g, r)                                       \
	for (g = tg_wait_any(r);                                                \
	     g; g = rb_entry_safe(rb_next(&g->turn.node), struct tg_group, turn.node))

/**
 * tg_sched_walk - look at every group that is on its way
 * @fn: called for those of the GPU-online list, oldest first; then for those set
 *	aside; then for those that wait for their turn, best first; then for those
 *	that wait for a budget, a quota's first; until it returns false
 * @arg: passed to @fn
 */
void tg_sched_walk(const struct tg_sched *s,
		   bool (*fn)(const struct tg_group *g, void *arg), void *arg);

/** tg_sched_asked_last - whether the group that asked last was @task's; without a lock */
bool tg_sched_asked_last(const struct tg_sched *s, const struct tg_task *task);

/**
 * tg_sched_may_run_free - whether it makes no difference if @task's groups ask
 * @shares: it can be told what each has if several do not
 *
 * Nobody has a rule, no reserve limits it, and its groups are so short that asking costs
 * more than a few of them: %TG_FAIR_SHORT_NS in the mean.  For %TG_FAIR_ALONE_NS nobody
 * asked whose groups are long or not known yet; if it cannot share, or has a rule itself
 * (what it is promised others would have to heed), nobody else at all.
 */
bool tg_sched_may_run_free(struct tg_sched *s, const struct tg_task *task, bool shares,
			   u64 now);

/**
 * tg_sched_may_join_free - whether another may beside tasks that do
 *
 * Its groups may take %TG_FAIR_BRIEF_NS in the mean: the GPU itself serves channels in
 * turn, so what is to be decided is only who has had too much.
 */
bool tg_sched_may_join_free(struct tg_sched *s, const struct tg_task *task);

/**
 * tg_sched_hold - a task of FQ has had more than its share
 * @ahead_ns: how much more than who has had least
 *
 * Until the others of its level have caught up it is behind them.  What is more than
 * %TG_FAIR_CREDIT_NS is forgiven it, as they lose what they are further behind.
 */
void tg_sched_hold(struct tg_sched *s, struct tg_task *task, u64 ahead_ns);

/**
 * tg_task_level - the queue level of a task's groups
 *
 * Its own, or what it is lent if that is above.  A task whose reserve is demoted is a
 * background task: lowest priority, whatever it is lent.
 */
u8 tg_task_level(const struct tg_task *task);

/** tg_task_own_level - the same without what it is lent */
u8 tg_task_own_level(const struct tg_task *task);

/**
 * tg_task_reserve - the reserve that a task's groups are charged to
 *
 * Background if its own is demoted; NULL if it has none, or if its policy is one
 * that reserves do not regulate.
 */
struct tg_reserve *tg_task_reserve(struct tg_sched *s,
				   const struct tg_task *task);

/**
 * tg_sched_set_task - change a task's parameters
 *
 * Its waiting groups move to the end of their new level.  Groups that are
 * online stay: a task that changes from HT to PRT can still have several.
 * @prio must not exceed TG_PRIO_MAX.
 */
void tg_sched_set_task(struct tg_sched *s, struct tg_task *task,
		       const struct tg_policy_ops *policy, u8 prio, bool focus,
		       bool foreground, u64 now);

/**
 * tg_sched_lend - a task has at least another's level from now on
 * @level: that level, below TG_LEVELS; 0: its own again
 *
 * Policy and reserve stay.  Its waiting groups move as by tg_sched_set_task().
 */
void tg_sched_lend(struct tg_sched *s, struct tg_task *task, u8 level, u64 now);

/**
 * tg_sched_remove_task - a task goes
 *
 * It has no groups.  It leaves its reserve, its domain and its policy.
 */
void tg_sched_remove_task(struct tg_sched *s, struct tg_task *task, u64 now);

/**
 * tg_sched_add_reserve - a reserve appears
 * @r: tg_reserve_init() was called for it
 *
 * Return: whether it fits; if not it is demoted until tg_sched_reconsider()
 * finds room for it.
 */
bool tg_sched_add_reserve(struct tg_sched *s, struct tg_reserve *r);

/** tg_sched_remove_reserve - a reserve that has no tasks goes */
void tg_sched_remove_reserve(struct tg_sched *s, struct tg_reserve *r);

/**
 * tg_sched_retire_reserve - the last task of a reserve has gone
 *
 * If its budget is not full the reserve lingers: it stays with its budget, its debt
 * and its claim in admission, to be given to the next task of the same owner by
 * tg_sched_revive_reserve(), until it would be full by tg_sched_expire_reserve().
 * If it came back full, coming and going would be worth more than C every T.
 *
 * Return: true if it is full, and out: it may be freed.
 */
bool tg_sched_retire_reserve(struct tg_sched *s, struct tg_reserve *r, u64 now);

/** tg_sched_revive_reserve - a reserve that lingers is to have tasks again */
void tg_sched_revive_reserve(struct tg_sched *s, struct tg_reserve *r);

/**
 * tg_sched_expire_reserve - take out a reserve that lingered and is full
 *
 * To be called at the time that tg_sched_next_timer() tells; then
 * tg_sched_reconsider(), for there may be room.
 *
 * Return: one, which may be freed, or NULL.
 */
struct tg_reserve *tg_sched_expire_reserve(struct tg_sched *s, u64 now);

/** tg_sched_lingering - of those that linger the one that is full first, or NULL */
struct tg_reserve *tg_sched_lingering(const struct tg_sched *s);

/*
 * Reserves that linger, those that will be full last last.  An owner who has
 * several must be given the last of these: else a task could change to a better one
 * by coming anew.
 */
#define tg_sched_for_each_lingering(r, s)                                       \
	for (r = rb_entry_safe(rb_first_cached(&(s)->lingering), struct tg_reserve, \
			       lingering);                                      \
	     r; r = rb_entry_safe(rb_next(&r->lingering), struct tg_reserve, lingering))

/**
 * tg_sched_set_reserve - change a reserve's parameters
 *
 * It goes through admission anew.
 *
 * Return: whether it fits.
 */
bool tg_sched_set_reserve(struct tg_sched *s, struct tg_reserve *r,
			  const struct tg_reserve_ops *ops, u64 capacity_ns,
			  u64 period_ns, u64 now);

/**
 * tg_sched_join - a task joins a reserve and leaves the one it was in
 * @r: a reserve of this GPU, &s->background, or NULL for none
 *
 * Its throttled groups go back to the wait queue.
 */
void tg_sched_join(struct tg_sched *s, struct tg_task *task,
		   struct tg_reserve *r, u64 now);

/**
 * tg_sched_reconsider - admit demoted reserves that fit now
 *
 * To be called after a reserve went or shrank, or the limit changed, and as long as
 * tg_sched.look is not NULL.  In the order of creation; one that does not fit does not
 * stop those after it.
 *
 * Return: the first that was admitted, with the budget or the debt that it had when
 * it was demoted and what the periods since have added; call again until NULL.
 */
struct tg_reserve *tg_sched_reconsider(struct tg_sched *s, u64 now);

/** tg_sched_set_limit - another limit_percent; then tg_sched_reconsider() */
void tg_sched_set_limit(struct tg_sched *s, u32 percent);

/**
 * tg_sched_next_timer - when tg_sched_next() is to be called though nothing happens
 *
 * For the next budget or quota that somebody waits for, the next tick of a policy, the next
 * reserve that has lingered long enough, or a group that starts ahead (tg_lead.c).
 *
 * Return: a time that may have passed, or 0 for never.
 */
u64 tg_sched_next_timer(const struct tg_sched *s);

/* Between tg_sched.c, tg_claim.c, tg_charge.c, tg_floor.c, tg_lead.c, tg_nest.c, tg_wait.c: */

/** tg_lead_enter - @g enters the GPU-online list; sets @g->lead_ns */
void tg_lead_enter(struct tg_sched *s, struct tg_group *g);

/** tg_lead_leave - @g has left it */
void tg_lead_leave(struct tg_sched *s, const struct tg_group *g);

/**
 * tg_lead_from - from when on @g may be started beside those that the GPU has
 * @until: gets when it may no longer be
 *
 * Never if the GPU has no group, ht_depth groups, one of another channel or one without
 * a prediction; nor of a task that a reserve limits; nor while somebody of its level or
 * above has a ticket, who would have to wait for W each time that he comes.
 *
 * Return: that time; 0 for never.
 */
u64 tg_lead_from(struct tg_sched *s, const struct tg_group *g, u64 now, u64 *until);

/*
 * Whether the reserve of @g, which costs @x, lets it go behind those that the GPU has: of
 * the GPU-online list those before it, if it is there, else all.
 */
bool tg_lead_covers(struct tg_sched *s, const struct tg_group *g, u64 x);

/** tg_lead_allows - whether @g may be started beside those that the GPU has */
bool tg_lead_allows(struct tg_sched *s, const struct tg_group *g, u64 now);

/** tg_sched_take_off - take a group out that the GPU has; it pays for its time so far */
void tg_sched_take_off(struct tg_sched *s, struct tg_group *g, u64 now);

/** tg_sched_take_offline - it leaves the GPU-online list, and that is all */
void tg_sched_take_offline(struct tg_sched *s, struct tg_group *g);

/** tg_sched_enlist - @g is in the GPU-online list, since when it says */
void tg_sched_enlist(struct tg_sched *s, struct tg_group *g);

/** tg_sched_admit - its policy lets @g go online */
void tg_sched_admit(struct tg_sched *s, struct tg_group *g, u64 now);

/** tg_sched_may_start_now - whether nothing but others that wait keeps @g; nobody is online */
bool tg_sched_may_start_now(struct tg_sched *s, struct tg_group *g, u64 now);

/** tg_sched_take_out - take a group out of whatever it is in; it pays for its time so far */
void tg_sched_take_out(struct tg_sched *s, struct tg_group *g, u64 now);

/**
 * tg_sched_let_go - let those queue again that the budget of @r is enough for
 *
 * Return: how many.
 */
u32 tg_sched_let_go(struct tg_sched *s, struct tg_reserve *r, u64 now);

/** tg_sched_let_next_go - a group of @task waits no longer, and may have kept its next one back */
void tg_sched_let_next_go(struct tg_sched *s, const struct tg_task *task, u64 now);

/** tg_sched_settle - move groups of tasks whose reserve was demoted or admitted */
void tg_sched_settle(struct tg_sched *s, u64 now);

/** tg_sched_refresh - account for the periods of a reserve that began */
void tg_sched_refresh(struct tg_sched *s, struct tg_reserve *r, u64 now);

/** tg_wait_turn - a group waits for its turn, at its place, or last if it has none */
void tg_wait_turn(struct tg_sched *s, struct tg_group *g, u64 now);

/** tg_wait_turn_last - the same, at the end of its level */
void tg_wait_turn_last(struct tg_sched *s, struct tg_group *g, u64 now);

/** tg_wait_budget - a group waits for the budget of its reserve */
void tg_wait_budget(struct tg_sched *s, struct tg_reserve *r, struct tg_group *g,
		    u64 now);

/** tg_wait_end - it no longer does, whichever it was; its wait counts */
void tg_wait_end(struct tg_sched *s, struct tg_group *g, u64 now);

/** tg_wait_best - of those that wait for their turn the one that goes first, or NULL */
struct tg_group *tg_wait_best(const struct tg_sched *s);

/** tg_wait_first - the same of one level */
struct tg_group *tg_wait_first(const struct tg_sched *s, u8 level);

/** tg_wait_next - the one that goes next after @g where that waits, or NULL */
struct tg_group *tg_wait_next(const struct tg_group *g);

/** tg_wait_first_of - of a queue, with the domains in it, the group that goes first, or NULL */
struct tg_group *tg_wait_first_of(const struct rb_root_cached *queue);

/** tg_wait_count - @n groups more, or less, wait at the lowest level in @d and what it is in */
void tg_wait_count(struct tg_sched *s, struct tg_domain *d, int n, u64 now);

/** tg_wait_rekey - a domain has another key: it goes to its place */
void tg_wait_rekey(struct tg_sched *s, struct tg_domain *d);

/**
 * tg_charge_sending - charge tg_sched.sent_for for the time until now
 *
 * Nobody had the GPU, and who could have had it waited for those to be sent away.
 */
void tg_charge_sending(struct tg_sched *s, u64 now);

/** tg_wait_requeue - the waiting groups of a task go to the end of where they belong now */
void tg_wait_requeue(struct tg_sched *s, struct tg_task *task);

/** tg_wait_head - the group that the budget is for, or NULL */
struct tg_group *tg_wait_head(const struct tg_reserve *r);

/** tg_wait_any - the first that waits for the budget, also if it does not ask yet, or NULL */
struct tg_group *tg_wait_any(const struct tg_reserve *r);

/** tg_wait_own - the first of tg_task.waiting or tg_task.throttled, or NULL */
struct tg_group *tg_wait_own(const struct rb_root_cached *own);

/** tg_wait_track - a reserve is to be looked at at another time than before */
void tg_wait_track(struct tg_sched *s, struct tg_reserve *r);

/** tg_wait_due - of the reserves that somebody waits for the one that is due first, or
 * NULL
 */
struct tg_reserve *tg_wait_due(const struct tg_sched *s);

#endif
