// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads what the module tells of policies. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "state.h"

static void take_call(struct state_calls *calls, const char *line)
{
	struct state_call *c = &calls->call[calls->nr];

	if (calls->nr < STATE_CALLS &&
	    sscanf(line, " call %" SCNu64 " %15s task=%" SCNu64 " answer=%" SCNu64 " ns=%" SCNu64,
		   &c->at_ns, c->op, &c->task, &c->answer, &c->ns) == 5)
		calls->nr++;
}

static void take_op(struct state_gpu *g, const char *line)
{
	struct state_op *o = &g->op[g->nr_ops];

	if (g->nr_ops < STATE_OPS &&
	    sscanf(line, " op %15s calls=%" SCNu64 " ns=%" SCNu64 " max_ns=%" SCNu64, o->name,
		   &o->calls, &o->ns, &o->max_ns) == 4)
		g->nr_ops++;
}

static void take_gpu(struct state *s, const char *line)
{
	struct state_gpu *g = &s->gpu[s->nr_gpus];

	if (s->nr_gpus < STATE_GPUS && sscanf(line, "gpu %63s %15s", g->name, g->class) == 2)
		s->nr_gpus++;
}

/* Lines with a blank before them belong to the one above that has none. */
static void take(struct state *s, const char *line)
{
	struct state_gpu *g = s->nr_gpus ? &s->gpu[s->nr_gpus - 1] : NULL;

	if (!strncmp(line, "bpf ", 4))
		sscanf(line, "bpf %127[^\n]", s->bpf);
	else if (!strncmp(line, "loaded ", 7) && s->nr_loaded < STATE_NAMES)
		sscanf(line, "loaded %15s", s->loaded[s->nr_loaded++]);
	else if (!strncmp(line, "ejected ", 8))
		sscanf(line, "ejected %15s %127[^\n]", s->ejected, s->reason);
	else if (!strncmp(line, "gpu ", 4))
		take_gpu(s, line);
	else if (!strncmp(line, "  call ", 7))
		take_call(g ? &g->calls : &s->did, line);
	else if (g && !strncmp(line, "  op ", 5))
		take_op(g, line);
	else if (g && !strncmp(line, "  policy ", 9))
		sscanf(line, " policy %15s tasks=%u", g->policy, &g->tasks);
}

int state_read(struct state *s)
{
	FILE *f = fopen(STATE_FILE, "re");
	char line[512];

	memset(s, 0, sizeof(*s));
	if (!f)
		return -errno;
	while (fgets(line, sizeof(line), f)) {
		line[strcspn(line, "\n")] = 0;
		take(s, line);
	}
	fclose(f);
	return 0;
}
