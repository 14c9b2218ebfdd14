/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef DOMAIN_RANDOM_H
#define DOMAIN_RANDOM_H

/* Steps by chance in trees of domains, and what must hold after each. */
void any_tree_is_in_order_after_any_step(void);

#endif
