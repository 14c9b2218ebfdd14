/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who of several tasks that are not gated has had how much of the GPU, by polls of which
 * one it is at (LoGA sections 3.3 and 3.4).  All have the same weight: another is a rule.
 *
 * LoGA suspends a task that is ahead by more than a poll stands for.  But of two that
 * share the GPU evenly one is found as far ahead every few polls, by chance: after n of
 * them the difference is spread by sqrt(n) polls.  So here a task is ahead if that is by
 * a slice more than chance explains.
 */
#ifndef TG_POLLED_H
#define TG_POLLED_H

#include "tg_port.h"

/* Who is ahead by less than this is let go on. */
#define TG_POLLED_SLICE_NS 20000000ULL
/* Chance explains as many standard deviations. */
#define TG_POLLED_CHANCE 5
/*
 * After as many polls at which several had work it begins anew: else who takes more after
 * long even times is found late.  Shares of 3 : 2 are found in it, not much less.
 */
#define TG_POLLED_FORGET 1024

/**
 * struct tg_polled - of a GPU
 * @run: counts the beginnings
 * @vtime_ns: virtual time that whoever had work had had at least, at the last poll
 * @most_ns: the most that anybody has had, who may have no work at the moment and be ahead
 *	when he has some again
 * @nr: polls at which several had work, since all were level, within one poll
 */
struct tg_polled {
	u64 run;
	u64 vtime_ns;
	u64 most_ns;
	u64 nr;
};

/**
 * struct tg_polled_task - of a task
 * @run: tg_polled.run of @vtime_ns
 * @vtime_ns: GPU time
 */
struct tg_polled_task {
	u64 run;
	u64 vtime_ns;
};

/** tg_polled_begin - nobody has had anything */
void tg_polled_begin(struct tg_polled *p);

/**
 * tg_polled_saw - a poll
 * @active: who had work
 * @nr: how many, at least 1
 * @at: the one of them that the GPU was at
 * @ns: the time that the poll stands for
 *
 * Who had none for a while has no claim to what the others had meanwhile.
 * Return: by how much @at is ahead of who has had least; 0 if that is no more than a slice
 * and what chance explains.
 */
u64 tg_polled_saw(struct tg_polled *p, struct tg_polled_task *const *active,
		  unsigned int nr, struct tg_polled_task *at, u32 ns);

#endif
