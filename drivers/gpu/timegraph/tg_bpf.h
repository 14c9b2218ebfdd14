/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Policies that are BPF programs (struct timegraph_policy_ops).
 *
 * The core keeps virtual times and the order of FQ for their tasks as well, whatever a
 * program says: that is what goes on when it is ejected, in the middle of a call if need be.
 * A program's keys and picks choose among the waiting tasks of the class, and so no order
 * that it makes goes before another class.
 */
#ifndef TG_BPF_H
#define TG_BPF_H

struct seq_file;
struct tg_device;

/** tg_bpf_init - programs may be loaded; without BTF or on an old kernel it says why not */
void tg_bpf_init(void);

/** tg_bpf_exit - no program is loaded: a loaded one holds the module */
void tg_bpf_exit(void);

/** tg_bpf_start - a GPU appears */
void tg_bpf_start(struct tg_device *td);

/** tg_bpf_stop - it goes, without tasks */
void tg_bpf_stop(struct tg_device *td);

/** tg_bpf_show - the policies that are loaded, and the last one that was ejected */
void tg_bpf_show(struct seq_file *m);

/**
 * tg_bpf_eject - take a policy out
 *
 * May sleep.  Return: 0, or -ENOENT if none of that name is loaded.
 */
int tg_bpf_eject(const char *name);

#endif
