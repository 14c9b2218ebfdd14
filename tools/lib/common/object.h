/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface's structures as JSON objects.  Keys are the fields' names. */
#ifndef OBJECT_H
#define OBJECT_H

#include "json.h"
#include "sample.h"

/* Fields of the module and its files, into the object that is open. */
void object_caps(struct json *j, const struct timegraph_caps *caps);
void object_config(struct json *j, const struct timegraph_config *config);

/* Objects. */
void object_gpu(struct json *j, const char *key, const struct timegraph_gpu *g);
void object_task(struct json *j, const char *key, const struct timegraph_task *t);
void object_domain(struct json *j, const char *key, const struct timegraph_domain *d);
void object_reserve(struct json *j, const char *key, const struct timegraph_reserve *r);

void object_vram(struct json *j, const char *key, const struct timegraph_vram *v,
		 const struct timegraph_vram_accounts *accounts);

/* One object for a sample, with what tasks and GPUs did in the interval. */
void object_sample(struct json *j, const struct timegraph_caps *caps,
		   const struct sample *s);

#endif
