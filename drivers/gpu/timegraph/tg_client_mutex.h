/* SPDX-License-Identifier: GPL-2.0-only */
/* What tasks are changed under, and the rules and domains that they have. */
#ifndef TG_CLIENT_MUTEX_H
#define TG_CLIENT_MUTEX_H

#include <linux/mutex.h>

/* Serialises the making, changing and freeing of tasks; outside of tg_device.lock. */
extern struct mutex tg_client_mutex;

#endif
