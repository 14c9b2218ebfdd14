// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The interface sets one task after the other, and takes a reserve that does not
 * fit, too: its task becomes a background task.  So all changes are made, the
 * state is read again, and if it is not what it should be, all is put back:
 *
 *	1. every task concerned gets Background, so that what had room before has
 *	   room again, also if another reserve was admitted meanwhile;
 *	2. those get back what they had whose reserves fitted;
 *	3. then the others, which do not fit again.
 *
 * Concerned are those that were changed, and those whose reserve fits now and did
 * not before, or the other way round.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apply.h"
#include "failure.h"
#include "reserves.h"

static const struct running *find(const struct state *st, const struct running *t)
{
	for (u32 k = 0; k < st->n; k++)
		if (st->task[k].gpu == t->gpu && st->task[k].id == t->id)
			return &st->task[k];
	return NULL;
}

static bool refuse(struct apply *a, const struct running *t, char *why)
{
	a->culprit = t;
	a->why = why;
	return false;
}

/* By pidfd: since the task was listed its number may have become another's. */
static int set(const struct apply *a, const struct running *t, u32 fields,
	       const struct tg_spec_entry *e)
{
	struct timegraph_set args;
	int pidfd = timegraph_pidfd(a->fd, t->gpu, t->pid, t->id), ret;

	if (pidfd < 0)
		return pidfd;
	plan_set(&args, pidfd, fields, e);
	args.flags = TIMEGRAPH_BY_PIDFD;
	ret = timegraph_set_task(a->fd, &args);
	close(pidfd);
	return ret;
}

static void clear(const struct apply *a, const struct running *t)
{
	int pidfd = timegraph_pidfd(a->fd, t->gpu, t->pid, t->id);

	if (pidfd < 0)
		return;
	timegraph_clear_task_pidfd(a->fd, pidfd);
	close(pidfd);
}

/* Returns how many were made, with a->why if that is not all of them. */
static u32 make_changes(struct apply *a)
{
	for (u32 i = 0; i < a->plan->n; i++) {
		const struct change *c = &a->plan->list[i];
		int ret = set(a, c->task, c->fields, &c->to);

		if (ret == -ESRCH) {
			a->nr_gone++;
		} else if (ret) {
			a->denied = failure_is_denial(ret);
			refuse(a, c->task, text_printf("%s", a->denied ?
				"that takes CAP_SYS_NICE; become root" : strerror(-ret)));
			return i;
		}
	}
	return a->plan->n;
}

static bool has_what_it_should(struct apply *a, const struct running *t)
{
	const struct running *old = find(a->before, t);
	const struct change *c = plan_find(a->plan, t);

	if (t->demoted && old && (!old->demoted || (c && change_moves(c))))
		return refuse(a, old, text_printf("its reserve does not fit beside the others, the limit is %u %%",
						  a->before->config.limit_percent));
	if (c && !running_same(&t->has, &c->to)) {
		char *has = running_text(&t->has);

		refuse(a, old, text_printf("it has %s instead: somebody else sets it", has));
		free(has);
		return false;
	}
	return true;
}

static bool is_as_planned(struct apply *a)
{
	struct state now = { 0 };
	int ret = state_read(&now, a->fd);
	bool ok = true;

	if (ret)
		ok = refuse(a, NULL, text_printf("the outcome cannot be read: %s", strerror(-ret)));
	for (u32 k = 0; ok && k < now.n; k++)
		ok = has_what_it_should(a, &now.task[k]);
	state_free(&now);
	return ok;
}

/* Of the first @made changes, or because it fits now or does not any more. */
static bool is_concerned(const struct apply *a, u32 made, const struct running *old,
			 const struct state *now)
{
	const struct change *c = plan_find(a->plan, old);
	const struct running *t = find(now, old);

	return old->pid && t && ((c && c < a->plan->list + made) || t->demoted != old->demoted);
}

/* What was not set follows the file again, if that says what it had. */
static void give_back(const struct apply *a, const struct running *old)
{
	u32 fields = TIMEGRAPH_SET_POLICY | TIMEGRAPH_SET_PRIO;
	struct tg_spec_entry e;

	running_lookup(a->base, old, &e);
	/* C and T are not known of every reserve. */
	if (old->has.capacity_ns || !tg_spec_wants_reserve(&old->has))
		fields |= TIMEGRAPH_SET_RESV;
	if (!spec_same_lead(&e, &old->has))
		fields |= TIMEGRAPH_SET_LEAD;
	if (!old->set && running_same(&e, &old->has))
		clear(a, old);
	else
		set(a, old, fields, &old->has);
}

static void say_lost(const struct running *t, const struct running *old)
{
	char *name = running_name(t), *has = running_text(&t->has);
	char *had = running_text(&old->has);

	fprintf(stderr, "tgspec import: %s: NOT put back: it has %s%s, and had %s%s\n", name, has,
		t->demoted ? " (does not fit)" : "", had, old->demoted ? " (did not fit)" : "");
	free(name);
	free(has);
	free(had);
}

static bool is_as_before(const struct apply *a, const bool *concerned)
{
	struct state now = { 0 };
	int ret = state_read(&now, a->fd);
	bool ok = true;

	if (ret)
		fprintf(stderr, "tgspec import: what was put back cannot be read: %s\n",
			strerror(-ret));
	for (u32 k = 0; !ret && k < a->before->n; k++) {
		const struct running *old = &a->before->task[k], *t = find(&now, old);

		if (!concerned[k] || !t ||
		    (t->demoted == old->demoted && running_same(&t->has, &old->has)))
			continue;
		say_lost(t, old);
		ok = false;
	}
	state_free(&now);
	return ok && !ret;
}

/* Its failures show in the state afterwards. */
static bool put_back(const struct apply *a, u32 made)
{
	static const struct tg_spec_entry background = { .resv = TG_SPEC_RESV_BG };
	const struct state *st = a->before;
	bool *concerned = mem_zero(st->n, sizeof(*concerned)), ok;
	struct state now = { 0 };

	if (!state_read(&now, a->fd))
		for (u32 k = 0; k < st->n; k++)
			concerned[k] = is_concerned(a, made, &st->task[k], &now);
	for (u32 k = 0; k < st->n; k++) {
		const struct running *t = find(&now, &st->task[k]);

		if (concerned[k] && tg_spec_wants_reserve(&t->has))
			set(a, t, TIMEGRAPH_SET_RESV, &background);
	}
	for (int demoted = 0; demoted < 2; demoted++)
		for (u32 k = 0; k < st->n; k++)
			if (concerned[k] && st->task[k].demoted == demoted)
				give_back(a, &st->task[k]);
	ok = is_as_before(a, concerned);
	state_free(&now);
	free(concerned);
	return ok;
}

static enum apply_result attempt(struct apply *a)
{
	u32 made = make_changes(a);

	if (!a->why && is_as_planned(a))
		return APPLY_DONE;
	if (!put_back(a, made))
		return APPLY_PARTLY;
	return a->denied ? APPLY_DENIED : APPLY_REFUSED;
}

enum apply_result apply_plan(struct apply *a)
{
	enum apply_result result;
	sigset_t all, old;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &old);
	result = attempt(a);
	sigprocmask(SIG_SETMASK, &old, NULL);
	return result;
}
