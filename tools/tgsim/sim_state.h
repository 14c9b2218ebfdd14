/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of a simulation: a GPU, the programs that use it, and the kernel's
 * scheduler between them, under virtual time.
 */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include "draw.h"
#include "heap.h"
#include "scenario.h"

struct sim;
struct sim_inst;

/**
 * struct sim_reserve - a reserve, as in tg_reservation.c
 * @node: in sim.reserves, in the order of creation
 * @core: the core's part; for Background a pointer to its own
 * @name: the group's, or the instance's
 * @entry: the name of the entry that it is for
 * @nr_users: tasks that have it; 0 while it lingers
 * @id: 0 for Background
 * @demoted: as last reported
 * @created_ns, @gone_ns: its life; gone 0 = still there
 * @periods_seen, @period_used_ns: the period that was charged last
 * @nr_overrun: periods in which more than C was charged
 * @used_ns, @debt_max_ns, @nr_refused, @periods: of the core's, kept when it is gone
 * @impl: the core's reserve, unless it is Background
 */
struct sim_reserve {
	struct sim_reserve *next;
	struct tg_reserve *core;
	char name[TG_NAME_MAX + 16];
	char entry[TG_SPEC_NAME_MAX];
	u32 nr_users;
	u32 id;
	bool shared;
	bool gone;
	bool demoted;
	u32 nr_demoted, nr_admitted;
	u64 demoted_ns, readmitted_ns;
	u64 created_ns, gone_ns;
	u64 periods_seen, period_used_ns, nr_overrun;
	struct tg_reserve impl;
};

/**
 * struct sim_group - a command group
 * @next: in the instance's backlog, on the GPU, or unused
 * @core: the scheduler's part
 * @inst: whose
 * @id: counts all groups of a run
 * @kind: index
 * @work_ns: GPU time without context switch
 * @released_ns: when its program wanted to submit it
 * @gpu_begin_ns, @gpu_end_ns: on the GPU, a context switch included
 * @x: predicted cost the budget is compared with
 * @charged: the reserve that it was charged to, NULL for none
 * @shadow: state at the last look, for observers
 * @pending_prev, @pending_next: list of those submitted and not yet started
 */
struct sim_group {
	struct sim_group *next;
	struct tg_group core;
	struct sim_inst *inst;
	u64 id;
	u32 kind;
	u64 work_ns;
	u64 released_ns;
	u64 gpu_begin_ns, gpu_end_ns;
	u64 x;
	bool profiled;
	bool dead;
	bool checking;
	bool last_of_frame;
	struct tg_profile profile;
	struct tg_prediction prediction;
	struct sim_reserve *charged;
	enum tg_group_state shadow;
	struct list_head pending;
};

struct sim_domain;

/** struct sim_cpu - a CPU: whose slice it is, and when that is over */
struct sim_cpu {
	struct sim_domain *domain;
	u64 over_ns;
};

/**
 * struct sim_domain - a domain
 * @core: the scheduler's part
 * @cpu: that it has now, or NULL
 * @thinkers: programs that need it, the one that has it first
 * @since_ns: when that one went on
 * @thought_ns: when it will be done, 0 while it has no CPU
 * @nr_programs: that run in it
 */
struct sim_domain {
	const struct domain_desc *desc;
	struct tg_domain core;
	struct sim_cpu *cpu;
	struct sim_inst *thinkers;
	u64 since_ns, thought_ns;
	u32 nr_programs;
};

struct sim_queue {
	struct sim_group *first, **last;
	u32 n;
};

/**
 * struct sim_inst - a running program
 * @desc: its block of the scenario
 * @name: with a number if there are several
 * @index: in sim.insts
 * @core: the scheduler's part
 * @entry: of the specification
 * @reserve: its own or Shared one, or NULL
 * @history: for AE, else NULL
 * @backlog: groups that wait for a thread of the program
 * @nr_inside: groups in the submission call
 * @nr_running: groups submitted and not complete
 * @frames_begun, @frames_done: of its pattern
 * @thinking: a loop computes its next frame
 * @next_thinker: in sim_domain.thinkers
 * @think_left_ns: CPU time that it still needs for that
 * @vram: what it has of the card's memory
 * @begun_ns: when it had that, or began without
 * @asked_ns: when it asked for that
 * @memory_wait_ns: how long it has waited for memory in all
 * @refused: it did not get it, and ended
 */
struct sim_inst {
	const struct task_desc *desc;
	char name[TG_NAME_MAX + 16];
	u32 index;
	u32 task;
	struct tg_task core;
	struct tg_spec_entry entry;
	bool has_entry;
	struct sim_reserve *reserve;
	struct tg_history history_table;
	struct tg_record *history;
	struct rng rng;
	struct sim_queue backlog;
	u32 nr_inside, nr_running;
	u64 nr_released, nr_cancelled;
	u64 frames_begun, frames_done;
	u64 from_ns, until_ns, left_ns;
	u64 next_base_ns;
	u32 next_point;
	u32 pick_turn, *cost_turn;
	u64 pick_sum;
	struct sim_inst *next_thinker;
	u64 think_left_ns;
	struct tg_vram_account vram;
	u64 begun_ns, asked_ns, memory_wait_ns;
	bool thinking, started, stopped, left, refused;
};

enum sim_what {
	SIM_BEGIN,	/* an instance's program starts: @inst */
	SIM_ASK,	/* @inst is about to ask for memory */
	SIM_MEMORY,	/* it has it, or was refused it */
	SIM_GIVE,	/* it has given it back, and goes on */
	SIM_RELEASE,	/* its program wants to submit @group */
	SIM_ARRIVE,	/* @group is about to ask the scheduler */
	SIM_STATE,	/* @group's state changed to core.state, from shadow */
	SIM_GRANT,	/* the scheduler let @group online */
	SIM_CHECK,	/* @group's x is known, budget check follows */
	SIM_REFUSE,	/* the check put it back */
	SIM_START,	/* @group is submitted to the GPU */
	SIM_FINISH,	/* @group has ended, not yet accounted for */
	SIM_COMPLETE,	/* it was charged */
	SIM_CANCEL,	/* @group's program was ended */
	SIM_JOIN,	/* @inst has its reserve now */
	SIM_LEAVE,	/* @inst is gone */
	SIM_ADMISSION,	/* @reserve was created, demoted or admitted */
	SIM_RESERVE_GONE,
	SIM_LIMIT,	/* limit_percent changed */
	SIM_FOCUS,	/* @inst came into the foreground or left it */
	SIM_SETTLED,	/* all consequences of an event were drawn */
	SIM_END,	/* of the run */
};

struct sim_event {
	enum sim_what what;
	u64 now;
	struct sim_group *group;
	struct sim_inst *inst;
	struct sim_reserve *reserve;
};

/**
 * struct sim_observer - somebody who watches
 * @event: called for each event
 * @states: wants SIM_STATE, which costs a look at every group that waits
 */
struct sim_observer {
	void (*event)(void *arg, struct sim *s, const struct sim_event *ev);
	void *arg;
	bool states;
};

#define SIM_OBSERVERS_MAX 6

/**
 * struct sim - a run
 * @draining: behind the horizon nothing new arrives, see struct scenario
 * @vram: the card's memory
 * @vram_used: of it so far, bytes times seconds, up to @vram_since_ns
 * @stuck: why the run ended before its time, NULL
 */
struct sim {
	const struct scenario *sc;
	struct tg_sched core;
	u64 now;
	struct heap heap;
	struct sim_inst *insts;
	u32 nr_insts;
	struct sim_domain *domains;
	struct sim_cpu *cpus;
	u32 cpu_turn;
	struct sim_reserve *reserves, **last_reserve;
	struct sim_reserve background;
	u32 nr_reserves;
	struct list_head pending;
	struct sim_queue on_gpu;
	u64 gpu_free_ns;
	u64 gpu_busy_ns;
	u64 nr_groups, nr_switches;
	u64 nr_complete, nr_events;
	struct tg_vram vram;
	double vram_used;
	u64 vram_since_ns;
	u64 nr_open;		/* released, not complete nor cancelled */
	bool draining;
	const char *stuck;
	struct sim_group *unused;
	struct sim_slab { struct sim_slab *next; } *slabs;
	struct sim_observer observers[SIM_OBSERVERS_MAX];
	u32 nr_observers;
	bool states;
	bool progress;
};

#endif
