/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policies that are meant to be BPF programs, compiled for this machine: to try one before
 * it is loaded.  The kernel's part of this is tg_bpf_glue.c; here nothing is measured, and one
 * that errs ends the simulation.
 */
#ifndef NATIVE_H
#define NATIVE_H

#include "tg_sched.h"

/**
 * native_load - have the fair class ordered by a policy
 * @path: of a shared object that has one, as tools/tgpolicy/policies/Makefile makes them
 *
 * Return: NULL, or what is wrong with it.
 */
const char *native_load(const char *path);

/** native_of - what a task of @policy gets: FQ's the policy that was loaded */
const struct tg_policy_ops *native_of(const struct tg_policy_ops *policy);

#endif
