// SPDX-License-Identifier: GPL-2.0-only
/* Without policies that are BPF programs: the kernel, or how the module was built. */
#include <linux/errno.h>
#include <linux/seq_file.h>

#include "tg_bpf.h"
#include "tg_device.h"

void tg_bpf_init(void)
{
}

void tg_bpf_exit(void)
{
}

void tg_bpf_start(struct tg_device *td)
{
	xa_init_flags(&td->bpf.tasks, XA_FLAGS_LOCK_IRQ);
}

void tg_bpf_stop(struct tg_device *td)
{
	xa_destroy(&td->bpf.tasks);
}

void tg_bpf_show(struct seq_file *m)
{
	seq_puts(m, "bpf no: built without BTF, or for a kernel before 6.12\n");
}

int tg_bpf_eject(const char *name)
{
	return -ENOENT;
}
