// SPDX-License-Identifier: GPL-2.0-or-later
#include <sys/stat.h>

#include "trust.h"

void trust_check(const struct source *s, struct diags *diags)
{
	struct diag d = { .severity = DIAG_ERROR, .file = source_name(s) };
	struct stat st;

	if (s->missing || source_is_stdin(s) || stat(s->path, &st))
		return;
	if (!S_ISREG(st.st_mode)) {
		d.check = "not-a-file";
		d.text = text_printf("the kernel reads regular files only");
		d.hint = text_printf("put the entries into a plain file");
		diags_add(diags, &d);
	}
	if (st.st_uid) {
		d.check = "not-owned-by-root";
		d.text = text_printf("the file belongs to user %u, not to root",
				     st.st_uid);
		d.hint = text_printf("chown root %s", s->path);
		diags_add(diags, &d);
	}
	if (st.st_mode & 0022) {
		d.check = "writable-by-others";
		d.text = text_printf("others than root may write the file (mode %04o)",
				     st.st_mode & 07777);
		d.hint = text_printf("chmod go-w %s", s->path);
		diags_add(diags, &d);
	}
}
