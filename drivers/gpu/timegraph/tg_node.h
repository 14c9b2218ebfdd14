/* SPDX-License-Identifier: GPL-2.0-only */
/* The node /dev/timegraph, and the files that are open. */
#ifndef TG_NODE_H
#define TG_NODE_H

int tg_node_init(void);

/**
 * tg_node_close - the node goes, and what is open becomes a stub
 *
 * After it nobody asks for anything any more, but a thread may still be on its way
 * into a file operation, or out of one.
 */
void tg_node_close(void);

/**
 * tg_node_exit - nobody is on his way any more
 *
 * A grace period of RCU tasks must have passed since tg_node_close(): it takes a tenth
 * of a second or two, and who detaches waits for some anyway.
 */
void tg_node_exit(void);

#endif
