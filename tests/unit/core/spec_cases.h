/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef SPEC_CASES_H
#define SPEC_CASES_H

/* spec_refused.c */
void wrong_specs_are_refused_at_their_place(void);
void wrong_limits_are_refused_at_their_place(void);
void oversized_specs_are_refused(void);

/* spec_random.c */
void random_specs_survive_a_round_trip(void);
void mutated_specs_parse_or_give_a_place(void);

#endif
