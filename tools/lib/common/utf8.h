/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef UTF8_H
#define UTF8_H

/* Bytes of the UTF-8 sequence at @s (RFC 3629), 0 if there is none. */
unsigned int utf8_length(const char *s);

#endif
