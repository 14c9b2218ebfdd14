/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files as people get them wrong, and every place that must be named. */
#ifndef WRONG_H
#define WRONG_H

#define WRONG_PLACES 8

struct wrong {
	const char *description;
	const char *text;
	/* "line:column check", in order; NULL ends. */
	const char *places[WRONG_PLACES];
};

extern const struct wrong wrong_specs[];
extern const unsigned int nr_wrong_specs;
extern const struct wrong wrong_limits[];
extern const unsigned int nr_wrong_limits;
/* The kernel takes them; these warnings and notes are due. */
extern const struct wrong doubtful_specs[];
extern const unsigned int nr_doubtful_specs;
/* The same of those by which others get nothing, and of how a file accepts them. */
extern const struct wrong starving_specs[];
extern const unsigned int nr_starving_specs;

#endif
