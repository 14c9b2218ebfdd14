/* SPDX-License-Identifier: GPL-2.0-only */
/* How much of what nouveau does is to be seen, by what all GPUs need. */
#ifndef TG_SEE_H
#define TG_SEE_H

/**
 * tg_see_count - GPUs come, go, or need less or more
 * @gpus: so many more of them
 * @idle: on which nothing is scheduled, for long
 * @quiet: all of whose groups run free, for long; not those that are @idle
 *
 * Any context; locks that are taken inside are leaves.
 */
void tg_see_count(int gpus, int idle, int quiet);

#endif
