/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random steps of the credit policies against a naive account of their turns. */
#ifndef CREDIT_RANDOM_H
#define CREDIT_RANDOM_H

void random_steps_agree_with_the_oracle(void);

#endif
