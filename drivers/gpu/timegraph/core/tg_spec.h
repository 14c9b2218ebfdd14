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
 *	name	which programs: a name, which is compared with their comm (15
 *		characters) and the base name of their executable; /a/path, which
 *		is the executable itself; or cgroup:/path, of cgroups v2, for all
 *		below it; * without quotes, which is all.  @1000 behind it: only
 *		those of the user of that number.
 *		"…" quotes, and then \" and \\ stand for themselves
 *	sched	PRT, HT, or FQ: fair queuing; FQ=weight, 1 … 10000, is FQ with another
 *		weight than 100.  FIFO is PRT.  Behind a blank lead=time, 0 … 100 ms: its own
 *		lead, see tg_lead.c; behind that, or instead, vram=size: video memory that it
 *		reserves, see tg_vram.h: bytes, or with a suffix K, M, G
 *	resv	-, PE, AE, PE@group, AE@group, BG
 *	prio	0 (lowest) … 99, or * = managed by focus (level 50), or cpu = what the
 *		priority of its threads on the CPU makes it, see tg_cpu.h
 *	C, T	capacity and period, 0 < C <= T <= 100 s, in microseconds or
 *		with a suffix ns, us, ms, s; with decimals behind a point down to
 *		the nanosecond; empty where resv has none.  The first entry that
 *		names a group gives its C and T, later ones leave them empty or
 *		repeat them
 *	group	up to 63 bytes without blanks, control characters and @ : < > # "
 *
 * An entry of the form
 *
 *	<cgroup:/path:DOMAIN:resv:-:C:T>
 *
 * makes the cgroup a domain and is no program's entry (tg_domain.h): DOMAIN=weight, 1 …
 * 10000, else 100; behind a blank target=50% for SLAF; resv PE with C and T is a quota, - none.
 * There is one for a cgroup.
 *
 * An entry of the form
 *
 *	<gpu:0:POLICY=name:-:-::>
 *
 * says what orders programs and domains of the fair class on the GPU of that number, gpu:* on
 * each; it is no program's entry either.  There is one for a GPU.
 *
 * The first entry that matches wins; without one it is FQ, BG, 0.  The text is bytes, of
 * which most are UTF-8: control characters (C1, too) are in no name, and blanks that are
 * none of ASCII stand in quotes or comments only.
 */
#ifndef TG_SPEC_H
#define TG_SPEC_H

#include "tg_domain.h"
#include "tg_policy.h"
#include "tg_port.h"
#include "tg_spec_error.h"
#include "tg_time.h"
#include "tg_vtime.h"

#define TG_SPEC_MAX_BYTES	65536
#define TG_SPEC_MAX_ENTRIES	1024
/* A base name of an executable may be longer than a comm. */
#define TG_NAME_MAX		64
/* Of a path, or a cgroup's. */
#define TG_SPEC_NAME_MAX	256
#define TG_SPEC_ANY_UID		0xffffffffu
#define TG_SPEC_NO_UID		0xfffffffeu
#define TG_COMM_MAX		15
/* As the module's lead_us has it at most. */
#define TG_SPEC_LEAD_MAX_NS	(100ULL * 1000 * 1000)
#define TG_SPEC_GPU_MAX		9999
#define TG_SPEC_ANY_GPU		0xffffffffu
/* As TIMEGRAPH_POLICY_NAME_LEN. */
#define TG_SPEC_POLICY_LEN	16
/* As TG_VRAM_MAX_BYTES. */
#define TG_SPEC_VRAM_MAX	(1ULL << 48)

/* Percent of GPU time that reserves may claim without /etc/timegraph.ac. */
#define TG_AC_DEFAULT		100

enum tg_spec_sched {
	TG_SPEC_PRT = TG_POLICY_PRT,
	TG_SPEC_HT = TG_POLICY_HT,
	TG_SPEC_FQ = TG_POLICY_FQ,
};

enum tg_spec_resv {
	TG_SPEC_RESV_NONE,
	TG_SPEC_RESV_PE,
	TG_SPEC_RESV_AE,
	TG_SPEC_RESV_BG,
};

/**
 * enum tg_spec_kind - by what an entry knows its programs
 * @TG_SPEC_NAME: by what they call themselves: anybody can
 * @TG_SPEC_PATH: by the file that they run
 * @TG_SPEC_CGROUP: by where they were put
 * @TG_SPEC_ANY: not at all: it is for all
 * @TG_SPEC_GPU: it is for none, but for a GPU
 */
enum tg_spec_kind {
	TG_SPEC_NAME,
	TG_SPEC_PATH,
	TG_SPEC_CGROUP,
	TG_SPEC_ANY,
	TG_SPEC_GPU,
};

/* The name of all, without quotes. */
#define TG_SPEC_ANY_WORD "*"

/* The priority that follows the CPU's. */
#define TG_SPEC_CPU_WORD "cpu"

/* What stands for a policy where a cgroup is made a domain. */
#define TG_SPEC_DOMAIN_WORD "DOMAIN"

/* What stands for a policy where a GPU is given one, before its name. */
#define TG_SPEC_POLICY_WORD "POLICY="

/* What stands before a GPU's number. */
#define TG_SPEC_GPU_WORD "gpu:"

/* What stands before a cgroup's path. */
#define TG_SPEC_CGROUP_WORD "cgroup:"

/**
 * struct tg_spec_file - what a file is, whatever its name
 * @dev: its file system
 * @ino: its inode there; 0: no file
 */
struct tg_spec_file {
	u64 dev;
	u64 ino;
};

/**
 * struct tg_spec_entry - one line
 * @name: the program, the path, or the cgroup with its word before it
 * @group: the Shared reserve, or ""
 * @sched: policy
 * @resv: reservation policy
 * @prio: static priority, TG_PRIO_DEFAULT with @focus, TG_PRIO_MIN with @cpu
 * @focus: prio was "*"
 * @capacity_ns: C, 0 if resv has none
 * @period_ns: T, 0 if resv has none
 * @line: where it stands, from 1
 * @uid: its user, if @has_uid; else any
 * @weight: of FQ; TG_WEIGHT_DEFAULT without it
 * @cpu: prio was "cpu"
 * @has_lead: it has a lead of its own
 * @lead_ns: that
 * @domain: it is a cgroup's, as a domain, and no program's: @weight, @capacity_ns and
 *	@period_ns are that domain's, @sched FQ and @prio 0
 * @has_target: a domain's target is given
 * @target_ppm: that, 0–TG_PPM
 * @vram_bytes: video memory that it reserves, a domain's for all in it together; or 0
 * @gpu: of TG_SPEC_GPU: its number, or TG_SPEC_ANY_GPU
 * @policy: of TG_SPEC_GPU: what orders it; the rest is as of a program with nothing
 * @kind: what @name is
 * @file: of a path; not filled in by the parser, which knows no files
 */
struct tg_spec_entry {
	char name[TG_SPEC_NAME_MAX];
	char group[TG_NAME_MAX];
	enum tg_spec_sched sched;
	enum tg_spec_resv resv;
	u8 prio;
	bool focus;
	u64 capacity_ns;
	u64 period_ns;
	u32 line;
	u32 uid;
	bool has_uid;
	u32 weight;
	bool cpu;
	bool has_lead;
	u64 lead_ns;
	bool domain;
	bool has_target;
	u32 target_ppm;
	u64 vram_bytes;
	u32 gpu;
	char policy[TG_SPEC_POLICY_LEN];
	enum tg_spec_kind kind;
	struct tg_spec_file file;
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
 * struct tg_spec_program - a program that asks for its entry
 * @comm: what it calls itself
 * @exe: base name of its executable, or NULL if that is not known
 * @path: of its executable, for who knows no files; or NULL
 * @cgroup: its path, or NULL
 * @file: its executable
 * @uid: its user; TG_SPEC_ANY_UID if that is not asked, TG_SPEC_NO_UID if it has none
 */
struct tg_spec_program {
	const char *comm;
	const char *exe;
	const char *path;
	const char *cgroup;
	struct tg_spec_file file;
	u32 uid;
};

/** tg_spec_is_programs - whether an entry can be a program's */
static inline bool tg_spec_is_programs(const struct tg_spec_entry *e)
{
	return !e->domain && e->kind != TG_SPEC_GPU;
}

/** tg_spec_matches - whether an entry is for a program, whatever stands before it */
bool tg_spec_matches(const struct tg_spec_entry *e,
		     const struct tg_spec_program *p);

/**
 * tg_spec_match - the entry for a program
 * @entries: a parsed specification, its paths looked up
 * @n: number of entries
 * @p: the program
 *
 * Return: the first that matches, or NULL.
 */
const struct tg_spec_entry *tg_spec_match(const struct tg_spec_entry *entries,
					  u32 n, const struct tg_spec_program *p);

/**
 * tg_spec_match_domain - the innermost domain around a cgroup that has video memory
 * @entries: a parsed specification
 * @n: number of entries
 * @cgroup: its path
 *
 * Return: of two for the same cgroup the first; NULL.
 */
const struct tg_spec_entry *tg_spec_match_domain(const struct tg_spec_entry *entries, u32 n,
						 const char *cgroup);

/**
 * tg_spec_match_gpu - what is to order a GPU
 * @entries: a parsed specification
 * @n: number of entries
 * @gpu: its number
 *
 * Return: a policy's name, or NULL: nothing is said.
 */
const char *tg_spec_match_gpu(const struct tg_spec_entry *entries, u32 n, u32 gpu);

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

/**
 * tg_spec_default - what a program without an entry has
 * @e: is filled in, but for its name
 */
void tg_spec_default(struct tg_spec_entry *e);

/** tg_spec_is_regulated - whether reserves regulate the tasks of an entry */
static inline bool tg_spec_is_regulated(const struct tg_spec_entry *entry)
{
	return entry->sched != TG_SPEC_HT;
}

/** tg_spec_wants_reserve - whether an entry asks for a reserve of its own or a Shared one */
static inline bool tg_spec_wants_reserve(const struct tg_spec_entry *entry)
{
	return !entry->domain &&
	       (entry->resv == TG_SPEC_RESV_PE || entry->resv == TG_SPEC_RESV_AE);
}

/** tg_spec_has_reserve - whether its tasks are regulated by what it asks for */
static inline bool tg_spec_has_reserve(const struct tg_spec_entry *entry)
{
	return tg_spec_is_regulated(entry) && tg_spec_wants_reserve(entry);
}

const char *tg_spec_sched_name(enum tg_spec_sched sched);
const char *tg_spec_resv_name(enum tg_spec_resv resv);

/**
 * tg_spec_class_name - what users call a policy that can order a GPU's fair class
 *
 * Return: NULL of one that cannot, and of one that is not of the core.
 */
const char *tg_spec_class_name(enum tg_policy_id id);

/** tg_spec_class - the number of what tg_spec_class_name() calls so, or %TG_NR_POLICIES */
enum tg_policy_id tg_spec_class(const char *name);

/* For messages: all of these. */
#define TG_SPEC_CLASS_NAMES "fq, rr, accc, xc, slaf, augc or cosched"

#endif
