/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Credits: which domain's turn it is, after Pegasus (Gupta et al., USENIX ATC 2011,
 * sections 4.1 to 4.3).
 *
 * A unit here is a domain without a parent; and the tasks of the class that are in no
 * domain are together one more, of weight 100.  Units that have something to do are in the
 * ready queue, in the order of their credits X.  Within a unit it is fair queuing.
 *
 *	RR	section 4.3: all units have one credit
 *	AccC	section 4.1, algorithm 1: X is the accelerator credit, the weight of the domain
 *	XC	section 4.3: X is the credit on the CPU, its weight there
 *	SLAF	section 4.3: AccC whose turns are made longer or shorter by feedback, see tg_slaf.c
 *	AugC	section 4.3, algorithm 2: who runs on the CPU goes first, see tg_cosched.c
 *	CoSched	section 4.2, algorithm 2: only who runs on the CPU, see tg_cosched.c
 *
 * In the paper a unit has the GPU for a number of ticks by the clock.  Here its turn is
 * GPU time: a group is not interrupted, and may take longer than the turn that it was
 * started in, so a turn by the clock would give who has long groups more.  What a unit had
 * beyond its turn is taken off the turns that follow (deficit round robin: Shreedhar,
 * Varghese, SIGCOMM 1995).  And while it has nothing to do others have the GPU, where in
 * the paper the GPU waits for it; what it could not use for that it has later.
 *
 * What a decision takes grows with the units that are ready: a thousand of them, which are as
 * many domains without a parent, are some 10 us, and 240 when a cycle begins.
 */
#ifndef TG_CREDIT_H
#define TG_CREDIT_H

#include "tg_domain.h"

/* A tick unless told: one period of the scheduler of the CPU in the paper (Xen's). */
#define TG_CREDIT_TICK_NS 30000000ULL
#define TG_CREDIT_TICK_MIN_NS 100000ULL
#define TG_CREDIT_TICK_MAX_NS 1000000000ULL
/*
 * The longest turn, in ticks: the credits of the paper, 256 to 2048, make eight.  Where credits are
 * further apart a tick of those of who has fewest is made shorter, not the longest turn longer:
 * 10,000 to 1 would be five minutes.
 */
#define TG_CREDIT_TURN_MAX 8
/* Of SLAF: a scheduling cycle is to be short beside the period of feedback. */
#define TG_CREDIT_TURN_SLAF 4
/* How often SLAF looks whether each has what it is to have. */
#define TG_CREDIT_FEEDBACK_NS 1000000000ULL
/* CoSched: ticks that a unit waits until it has a group though others are to go first. */
#define TG_CREDIT_PATIENCE 10
/* What a unit whose turn it is may be waited for at most. */
#define TG_CREDIT_HOLD_NS 500000ULL

/* Credits are counted in such parts, so that feedback can make them a little more. */
#define TG_CREDIT_UNIT 1024u

/**
 * struct tg_credit_scheme - what one of these policies does otherwise than the others
 * @ops: its policy
 * @turn_max: the longest turn in ticks
 * @credit: X of a unit, at least 1: the order of the ready queue
 * @effective: X · TG_CREDIT_UNIT by which its turns are measured.  Optional: the same X
 * @before: whether the waiting unit @a goes before @b.  Optional: who is behind in turns
 *	less does, and of those who has more credits
 * @cycle: a scheduling cycle has ended.  Optional
 */
struct tg_credit_scheme {
	const struct tg_policy_ops *ops;
	u32 turn_max;
	u32 (*credit)(const struct tg_domain *unit);
	u64 (*effective)(const struct tg_domain *unit);
	bool (*before)(const struct tg_sched *s, const struct tg_domain *a,
		       const struct tg_domain *b, u64 now);
	void (*cycle)(struct tg_sched *s, u64 now);
};

/**
 * struct tg_credits - the credit policies' of a GPU
 * @scheme: that of the policy in use, NULL for none of them
 * @nr_tasks: tasks of these policies
 * @rest: the unit of those in no domain; of it only @rule, @cpu_weight, @gpu_ns and
 *	@credit are used; it is taken to run on a CPU all the time
 * @ready: the ready queue (tg_credit.node): units with something to do, or that had in
 *	this cycle, or that had more than their turns; by credits, the most first
 * @current_unit: whose turn it is, or NULL; while it has nothing to do others go on
 * @picked: the unit that was to go next when the GPU could take its group
 * @renews: a cycle begins with it, as nobody who waits has anything left
 * @until_ns: when its turn ends if it then has nothing to do
 * @last: the task whose group ended last, or NULL
 * @least: X · TG_CREDIT_UNIT that is worth a tick
 * @spare_ns: what a unit may have that comes for the first time: a tick, or what those had
 *	left, or owed, that have gone since one was due
 * @cycle: number of the scheduling cycle
 * @tick_ns: how long a tick is
 * @patience: see %TG_CREDIT_PATIENCE; 0: as in the paper, for ever
 * @from_ns: SLAF: when the present period of feedback began; 0: not yet
 */
struct tg_credits {
	const struct tg_credit_scheme *scheme;
	u32 nr_tasks;
	struct tg_domain rest;
	struct list_head ready;
	struct tg_domain *current_unit;
	const struct tg_domain *picked;
	bool renews;
	u64 until_ns;
	const struct tg_task *last;
	u64 least;
	s64 spare_ns;
	u64 cycle;
	u64 tick_ns;
	u32 patience;
	u64 from_ns;
};

extern const struct tg_policy_ops tg_policy_rr;
extern const struct tg_policy_ops tg_policy_accc;
extern const struct tg_policy_ops tg_policy_xc;
extern const struct tg_policy_ops tg_policy_slaf;
extern const struct tg_policy_ops tg_policy_augc;
extern const struct tg_policy_ops tg_policy_cosched;

/** tg_sched_set_tick - another tick, %TG_CREDIT_TICK_MIN_NS–%TG_CREDIT_TICK_MAX_NS */
void tg_sched_set_tick(struct tg_sched *s, u64 ns);

/** tg_sched_set_patience - another patience of CoSched; 0: as in the paper, for ever */
void tg_sched_set_patience(struct tg_sched *s, u32 ticks);

/* What the core tells: */

/** tg_credit_init - no unit is ready */
void tg_credit_init(struct tg_credits *c);

/**
 * tg_credit_waits - groups wait for their turn, where none did
 * @d: a domain without a parent that has been queued; NULL: one more of those at the lowest
 *	level that are of the class and in no domain
 */
void tg_credit_waits(struct tg_sched *s, struct tg_domain *d, u64 now);

/** tg_credit_changed - @d has another rule, or another weight on the CPU */
void tg_credit_changed(struct tg_sched *s, struct tg_domain *d);

/** tg_credit_forget - @d goes */
void tg_credit_forget(struct tg_sched *s, struct tg_domain *d);

/* Between tg_ready.c, tg_cosched.c and tg_slaf.c: */

extern const struct tg_credit_scheme tg_credit_slaf;
extern const struct tg_credit_scheme tg_credit_augc;
extern const struct tg_credit_scheme tg_credit_cosched;

/** tg_credit_of_weight - see tg_credit_scheme.credit: the weight on the GPU */
u32 tg_credit_of_weight(const struct tg_domain *unit);

/** tg_credit_rounds - after how many cycles more a unit has some of its turn left; 0: it has */
u64 tg_credit_rounds(const struct tg_sched *s, const struct tg_domain *unit);

/** tg_credit_may_go - whether a unit has a group that waits and may go */
bool tg_credit_may_go(const struct tg_sched *s, const struct tg_domain *unit);

/* What the policies of credits share (tg_policy_ops), around those of FQ: */
void tg_credit_task_init(struct tg_sched *s, struct tg_task *task);
void tg_credit_task_exit(struct tg_sched *s, struct tg_task *task);
struct tg_group *tg_credit_pick(struct tg_sched *s, struct tg_group *first, u64 now);
u64 tg_credit_hold(const struct tg_sched *s, const struct tg_group *g, u64 now);
bool tg_credit_passes(const struct tg_sched *s, const struct tg_task *task,
		      const struct tg_task *other, bool first);
void tg_credit_started(struct tg_sched *s, const struct tg_group *g, u64 now);
void tg_credit_complete(struct tg_sched *s, const struct tg_group *g, u64 now);

/* One of them. */
#define TG_CREDIT_POLICY(_id, _name) {                                        \
	.id = _id,                                                            \
	.name = _name,                                                        \
	.reserves = true,                                                     \
	.fair = true,                                                         \
	.full = "its task's groups before it",                                \
	.task_init = tg_credit_task_init,                                     \
	.task_exit = tg_credit_task_exit,                                     \
	.enqueue = tg_fair_enqueue,                                           \
	.pick = tg_credit_pick,                                               \
	.may_start = tg_fair_may_start,                                       \
	.lead = tg_fair_lead,                                                 \
	.hold = tg_credit_hold,                                               \
	.passes = tg_credit_passes,                                           \
	.started = tg_credit_started,                                         \
	.complete = tg_credit_complete,                                       \
}

#endif
