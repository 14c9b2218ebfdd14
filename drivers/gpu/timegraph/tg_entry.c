// SPDX-License-Identifier: GPL-2.0-only
/* The entry of a process that has no channel yet. */
#include "tg_config.h"
#include "tg_entry.h"
#include "tg_process.h"
#include "tg_program.h"
#include "tg_reader.h"

void tg_entry_look(struct pid *pid, const char *comm, struct tg_spec_entry *entry)
{
	struct tg_spec_program p;
	struct tg_program program;
	struct tg_version *v;

	tg_reader_look();
	tg_program_look(&program, pid);
	v = tg_config_current();
	p = tg_program_match(&program, comm, tg_process_uid(pid));
	tg_config_lookup(v, &p, entry);
	tg_version_put(v);
}
