/* SPDX-License-Identifier: GPL-2.0-only */
/* Places in a queue: of groups, and of domains whose groups wait. */
#ifndef TG_TURN_H
#define TG_TURN_H

#include "tg_port.h"

/**
 * struct tg_turn - a place in a queue
 * @node: in the queue's tree
 * @key: the smallest goes first, see tg_policy_ops.enqueue
 * @place: number of when it began to wait: its place among equals; or 0
 * @is_domain: it is a domain's, and stands for the first of that; else a group's
 */
struct tg_turn {
	struct rb_node node;
	u64 key;
	u64 place;
	bool is_domain;
};

#endif
