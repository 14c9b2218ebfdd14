/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel demands of a file besides its text. */
#ifndef TRUST_H
#define TRUST_H

#include "diag.h"
#include "source.h"

/* Report what the kernel would refuse before it looks at the text. */
void trust_check(const struct source *s, struct diags *diags);

#endif
