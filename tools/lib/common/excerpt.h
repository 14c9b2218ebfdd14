/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file's own words in a message: nothing of them may steer the terminal. */
#ifndef EXCERPT_H
#define EXCERPT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * @len bytes of @s: control characters, what turns the direction of writing or takes no
 * room, and bytes that are no UTF-8 become '?'; a tab stays.
 */
void excerpt_put(FILE *out, const char *s, size_t len);

/* Where character @column (from 1) begins, at most @len. */
size_t excerpt_offset(const char *line, size_t len, uint32_t column);

/* The character (from 1) that begins at or behind @offset. */
uint32_t excerpt_column(const char *line, size_t len, size_t offset);

/*
 * The line numbered @number, and below it ^~~~ under the field at @column.  Of a long
 * one the part around it.
 */
void excerpt_print(FILE *out, uint32_t number, const char *line, size_t len,
		   uint32_t column);

#endif
