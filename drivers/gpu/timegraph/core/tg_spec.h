/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The grammar of /etc/timegraph.spec and /etc/timegraph.ac (TimeGraph section
 * 3).  One parser, for the kernel and for every tool.
 *
 * A specification has one entry a line; '#' starts a comment, blank lines and
 * blanks around fields are ignored, the angle brackets are optional:
 *
 *	<name:sched:resv:prio:C:T>
 *
 *	name	a program's name: its comm (at most 15 characters are compared)
 *		or the base name of its executable; "…" quotes, and then \" and
 *		\\ stand for themselves
 *	sched	PRT or HT
 *	resv	-, PE, AE, PE@group, AE@group, BG
 *	prio	0 (lowest) … 99, or * = managed by focus (level 50)
 *	C, T	capacity and period, 0 < C <= T <= 100 s, in microseconds or
 *		with a suffix ns, us, ms, s; empty where resv has none.  The
 *		first entry that names a group gives its C and T, later ones
 *		leave them empty or repeat them
 *
 * The first entry that matches wins.
 */
#ifndef TG_SPEC_H
#define TG_SPEC_H

#include "tg_policy.h"
#include "tg_port.h"

#define TG_SPEC_MAX_BYTES	65536
#define TG_SPEC_MAX_ENTRIES	1024
/* A base name of an executable may be longer than a comm. */
#define TG_NAME_MAX		64
#define TG_COMM_MAX		15
#define TG_TIME_MAX_NS		(100ULL * 1000 * 1000 * 1000)

/* Percent of GPU time that reserves may claim without /etc/timegraph.ac. */
#define TG_AC_DEFAULT		100

enum tg_spec_sched {
	TG_SPEC_PRT = TG_POLICY_PRT,
	TG_SPEC_HT = TG_POLICY_HT,
};

enum tg_spec_resv {
	TG_SPEC_RESV_NONE,
	TG_SPEC_RESV_PE,
	TG_SPEC_RESV_AE,
	TG_SPEC_RESV_BG,
};

/**
 * struct tg_spec_entry - one line
 * @name: the program
 * @group: the Shared reserve, or ""
 * @sched: policy
 * @resv: reservation policy
 * @prio: static priority, TG_PRIO_DEFAULT with @focus
 * @focus: prio was "*"
 * @capacity_ns: C, 0 if resv has none
 * @period_ns: T, 0 if resv has none
 * @line: where it stands, from 1
 */
struct tg_spec_entry {
	char name[TG_NAME_MAX];
	char group[TG_NAME_MAX];
	enum tg_spec_sched sched;
	enum tg_spec_resv resv;
	u8 prio;
	bool focus;
	u64 capacity_ns;
	u64 period_ns;
	u32 line;
};

/**
 * struct tg_spec_error - why a file was refused
 * @line: from 1
 * @column: from 1, in bytes
 * @check: stable name of the rule, for example "bad-priority"
 * @text: what is wrong
 * @hint: what to write instead
 */
struct tg_spec_error {
	u32 line;
	u32 column;
	const char *check;
	const char *text;
	const char *hint;
};

/**
 * tg_spec_parse - read a specification
 * @text: the file, need not end in NUL
 * @len: its length in bytes
 * @entries: where the entries go
 * @max: how many there is room for
 * @err: filled in on error
 *
 * Nothing is allocated.  Entries may have been written when it fails; they
 * must not be used.
 *
 * Return: the number of entries, -EINVAL with @err filled in, -E2BIG with @err
 * for a file over TG_SPEC_MAX_BYTES or with more than @max entries.
 */
int tg_spec_parse(const char *text, size_t len, struct tg_spec_entry *entries,
		  u32 max, struct tg_spec_error *err);

/**
 * tg_spec_match - the entry for a program
 * @entries: a parsed specification
 * @n: number of entries
 * @comm: the program's comm
 * @exe: base name of its executable, or NULL if that is not known
 *
 * Return: the first entry whose name is @exe, or whose first 15 characters are
 * @comm; NULL if there is none.
 */
const struct tg_spec_entry *tg_spec_match(const struct tg_spec_entry *entries,
					  u32 n, const char *comm,
					  const char *exe);

/**
 * tg_ac_parse - read /etc/timegraph.ac
 * @text: the file: one number 0–100, percent of GPU time that reserves may
 *	claim together, a % sign may follow; comments and blank lines as in a
 *	specification
 * @len: its length
 * @percent: the limit
 * @err: filled in on error
 *
 * Return: 0 or -EINVAL with @err filled in.
 */
int tg_ac_parse(const char *text, size_t len, u32 *percent,
		struct tg_spec_error *err);

/** tg_spec_policy - the policy of an entry */
static inline const struct tg_policy_ops *
tg_spec_policy(const struct tg_spec_entry *entry)
{
	return tg_policy_of((enum tg_policy_id)entry->sched);
}

const char *tg_spec_sched_name(enum tg_spec_sched sched);
const char *tg_spec_resv_name(enum tg_spec_resv resv);

#endif
