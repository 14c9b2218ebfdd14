/* SPDX-License-Identifier: GPL-2.0-only */
/* Which GPUs there are. */
#ifndef TG_REGISTRY_H
#define TG_REGISTRY_H

#include <linux/types.h>

struct device;
struct tg_device;

/**
 * struct tg_registry_ops - who works on GPUs
 * @start: a GPU appears, nothing runs on it yet
 * @stop: it goes: no group is left, no timer runs and no fence calls back then
 *
 * May sleep.
 */
struct tg_registry_ops {
	void (*start)(struct tg_device *td);
	void (*stop)(struct tg_device *td);
};

/** tg_registry_init - @ops outlive tg_registry_exit() */
void tg_registry_init(const struct tg_registry_ops *ops);

/**
 * tg_registry_get - the GPU of a struct device, made on first use
 *
 * May sleep.  Devices live until tg_registry_exit().
 * Return: the GPU or NULL without memory.
 */
struct tg_device *tg_registry_get(struct device *dev);

/** tg_registry_find_rcu - the GPU of a struct device, or NULL; RCU read section */
struct tg_device *tg_registry_find_rcu(struct device *dev);

/** tg_registry_number - how many there are */
u32 tg_registry_number(void);

/** tg_registry_index - the number of a GPU */
u32 tg_registry_index(const struct tg_device *td);

/** tg_registry_by_index - the GPU of a number, in the order of appearance, or NULL */
struct tg_device *tg_registry_by_index(u32 index);

/**
 * tg_registry_for_each - call @fn for every GPU
 *
 * Takes no lock: @fn may sleep, take any, and call this.  Not beside tg_registry_exit().
 */
void tg_registry_for_each(void (*fn)(struct tg_device *td, void *arg), void *arg);

/** tg_registry_describe - what a channel tells of its GPU */
void tg_registry_describe(struct tg_device *td, u32 chipset, bool polled);

/** tg_registry_new_epoch - groups are seen again; may sleep */
void tg_registry_new_epoch(void);

/** tg_registry_exit - all GPUs go; their groups and timers are over then */
void tg_registry_exit(void);

#endif
