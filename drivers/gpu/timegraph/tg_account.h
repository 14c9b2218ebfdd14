/* SPDX-License-Identifier: GPL-2.0-only */
/* A card's memory, and what a process or a domain has of it; see tg_memory.h. */
#ifndef TG_ACCOUNT_H
#define TG_ACCOUNT_H

#include <linux/hashtable.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <linux/workqueue.h>

#include <uapi/drm/timegraph.h>

#include "core/tg_vram.h"

struct pid;
struct tg_handle;

#define TG_MEMORY_USER_BITS 6

/**
 * struct tg_memory - the memory of one GPU
 * @vram: its sums and its queue
 * @accounts: those with buffers or reservations (struct tg_account)
 * @table: the same, by process or cgroup
 * @reserving: of them, those that hold a reservation or wait for one; a user has a limit of
 *	such, and none of those with buffers alone
 * @kept: buffers are seen when they are made and freed
 * @described: when its size and what is older were told last, in jiffies
 * @instance_of: of tg_vram.instance, what each user caused; a few may have one in common
 * @gone_ns: when a buffer's memory was given back last
 * @sweep: looks for those that have died, or did not come back from a signal
 * @shown, @shown_since: see tg_coarse()
 *
 * Under tg_memory_lock.
 */
struct tg_memory {
	struct tg_vram vram;
	struct list_head accounts;
	DECLARE_HASHTABLE(table, 8);
	struct list_head reserving;
	bool kept;
	unsigned long described;
	u64 instance_of[1 << TG_MEMORY_USER_BITS];
	u64 gone_ns;
	struct delayed_work sweep;
	struct timegraph_vram shown;
	u64 shown_since;
};

/**
 * struct tg_made - a page table, or the context of a channel, that is there
 * @node: in tg_account.made
 * @a: whose thread had it made, or NULL: that has gone, or was no program's
 * @bytes: of it
 */
struct tg_made {
	struct list_head node;
	struct tg_account *a;
	u64 bytes;
};

/**
 * struct tg_account - a process, or a domain
 * @base: what it has
 * @node: in tg_memory.accounts
 * @in_table: in tg_memory.table
 * @reserving: in tg_memory.reserving
 * @made: of a process, page tables and contexts that its threads had made (struct tg_made)
 * @pid: the thread group, a reference is held; NULL: a domain
 * @cgroup: number of a domain's cgroup; 0: a process
 * @domain: of a process: to whom its buffers are charged, or NULL; it counts as a member there
 * @nr_members: of a domain: those processes
 * @uid: who is limited for it
 * @shown_uid: its user; of a domain, that of who came first
 * @comm: its name when it was seen first; of a domain, its cgroup's
 * @handle: its reservation ends with this open file
 * @by_entry: the specification gives it; of a process
 * @limited: its reservation counts for what its user may have
 * @has_client: it has channels
 * @foreground: it is in the foreground; of a domain, how many members are
 * @opening: calls that open a channel
 * @ticket: of the last look at the files for such a call, see tg_reader_look()
 * @looked_ns: when that was
 * @inside: threads in a call
 * @nr_buffers: that are charged to it, or were spilled
 * @waiting: of them, those that wait for its reservation.  None does while it waits: they
 *	have been woken by a signal
 * @absent_ns: since when
 * @blocked: threads of the process that wait, for its reservation or its domain's
 * @vain_ns: when it last waited in vain for what it was promised, see tg_memory_promised()
 */
struct tg_account {
	struct tg_vram_account base;
	struct list_head node;
	struct hlist_node in_table;
	struct list_head reserving;
	struct list_head made;
	struct pid *pid;
	u64 cgroup;
	struct tg_account *domain;
	u32 nr_members;
	kuid_t uid;
	kuid_t shown_uid;
	char comm[TASK_COMM_LEN];
	struct tg_handle *handle;
	bool by_entry;
	bool limited;
	bool has_client;
	u32 foreground;
	u32 opening;
	unsigned long ticket;
	u64 looked_ns;
	u32 inside;
	u32 nr_buffers;
	u32 waiting;
	u64 absent_ns;
	u32 blocked;
	u64 vain_ns;
};

/* An entry gives it what it holds or waits for, as it always does to a domain. */
static inline bool tg_account_is_given(const struct tg_account *a)
{
	return a->by_entry || a->cgroup;
}

#endif
