/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policies that are meant to be BPF programs, compiled for this machine: to try one before
 * it is loaded.  The kernel's part of this is tg_bpf_glue.c, which ejects one that errs; here
 * that ends the simulation, by what the module's parameters are by default.  How long calls
 * take is not looked at.
 */
#ifndef NATIVE_H
#define NATIVE_H

#include "tg_sched.h"

/**
 * native_load - have the fair class ordered by a policy
 * @path: of a shared object that has one, as tools/tgpolicy/policies/Makefile makes them
 * @name_of: how a task is called where the policy has done it wrong
 *
 * Return: NULL, or what is wrong with it.
 */
const char *native_load(const char *path, const char *(*name_of)(const struct tg_task *task));

/** native_of - what a task of @policy gets: FQ's the policy that was loaded */
const struct tg_policy_ops *native_of(const struct tg_policy_ops *policy);

/** native_look - the time is @now, at which something is about to happen */
void native_look(const struct tg_sched *s, u64 now);

#endif
