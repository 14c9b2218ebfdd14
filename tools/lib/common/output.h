/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The end of standard output. */
#ifndef OUTPUT_H
#define OUTPUT_H

/*
 * The last thing a program does: what was printed must have arrived. If it has
 * not, @who says so and a @status of 0 becomes @lost. Closes standard output.
 */
int output_end(const char *who, int status, int lost);

#endif
