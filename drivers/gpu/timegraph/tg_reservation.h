/* SPDX-License-Identifier: GPL-2.0-only */
/* The reserves of a GPU and who uses them. */
#ifndef TG_RESERVATION_H
#define TG_RESERVATION_H

#include <linux/list.h>

#include "core/tg_reserve.h"
#include "core/tg_spec.h"

struct tg_client;
struct tg_device;

/**
 * struct tg_reservation - a reserve, of one task or Shared
 * @reserve: the core's part
 * @node: in tg_device.reservations, in the order of creation
 * @name: of the Shared reserve, or of its task
 * @shared: others may join it
 * @nr_users: its tasks
 *
 * Under tg_device.lock.
 */
struct tg_reservation {
	struct tg_reserve reserve;
	struct list_head node;
	char name[TG_NAME_MAX];
	bool shared;
	unsigned int nr_users;
};

/**
 * tg_reservation_alloc - memory for a reserve that @entry may need
 *
 * May sleep.  Return: it or NULL; goes to tg_reservation_apply().
 */
struct tg_reservation *tg_reservation_alloc(const struct tg_spec_entry *entry);

/**
 * tg_reservation_apply - give a task the reserve of its specification
 * @client: the task, its policy set
 * @entry: the specification
 * @spare: from tg_reservation_alloc(); without memory the task belongs to
 *	Background
 *
 * tg_device.lock held.  Return: a reservation that is to be freed, or NULL.
 */
struct tg_reservation *tg_reservation_apply(struct tg_client *client,
					    const struct tg_spec_entry *entry,
					    struct tg_reservation *spare);

/**
 * tg_reservation_leave - a task goes
 *
 * tg_device.lock held.  Return: a reservation that is to be freed, or NULL.
 */
struct tg_reservation *tg_reservation_leave(struct tg_client *client);

/** tg_reservation_limit - set the admission limit; tg_device.lock held */
void tg_reservation_limit(struct tg_device *td, unsigned int percent);

#endif
