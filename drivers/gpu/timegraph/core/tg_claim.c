// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reserves come, change and go: whose claim is admitted (TimeGraph section 3), and whose
 * has to wait until there is room.
 */
#include "tg_sched.h"

static bool older(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct tg_reserve, refused)->number <
	       rb_entry(b, struct tg_reserve, refused)->number;
}

static struct tg_reserve *oldest_refused(const struct tg_sched *s)
{
	return rb_entry_safe(rb_first_cached(&s->refused), struct tg_reserve, refused);
}

static struct tg_reserve *next_refused(const struct tg_reserve *r)
{
	return rb_entry_safe(rb_next(&r->refused), struct tg_reserve, refused);
}

/* Looks at @next next, or at all anew, or there is no need to. */
static void look_at(struct tg_sched *s, struct tg_reserve *next)
{
	if (!next && s->look_again) {
		s->look_again = false;
		next = oldest_refused(s);
	}
	s->look = next;
}

static void mark_demoted(struct tg_sched *s, struct tg_reserve *r, bool demoted)
{
	struct tg_reserve *next;

	if (r->demoted == demoted)
		return;
	r->demoted = demoted;
	if (demoted) {
		rb_add_cached(&r->refused, &s->refused, older);
		return;
	}
	next = next_refused(r);
	rb_erase_cached(&r->refused, &s->refused);
	if (s->look == r)
		look_at(s, next);
}

/* The tasks of a reserve become background tasks, or cease to be. */
static void set_demoted(struct tg_sched *s, struct tg_reserve *r, bool demoted,
			u64 now)
{
	if (r->demoted == demoted)
		return;
	/* What it has and owes stays: else being demoted would pay a debt. */
	tg_sched_refresh(s, r, now);
	mark_demoted(s, r, demoted);
	r->epoch++;
	if (list_empty(&r->unsettled))
		list_add_tail(&r->unsettled, &s->unsettled);
	tg_sched_settle(s, now);
}

/* Its share of the GPU, if there is room for it. */
static bool claim(struct tg_sched *s, struct tg_reserve *r)
{
	if (!tg_admission_fits(&s->admission, r->capacity_ns, r->period_ns,
			       s->limit_percent))
		return false;
	tg_admission_add(&s->admission, &r->share, r->capacity_ns, r->period_ns);
	return true;
}

static void disclaim(struct tg_sched *s, struct tg_reserve *r)
{
	tg_admission_remove(&s->admission, &r->share);
	s->look_again = s->look;
}

bool tg_sched_add_reserve(struct tg_sched *s, struct tg_reserve *r)
{
	r->number = ++s->nr_reserves;
	mark_demoted(s, r, !claim(s, r));
	list_add_tail(&r->node, &s->reserves);
	return !r->demoted;
}

static bool full_earlier(struct rb_node *a, const struct rb_node *b)
{
	return rb_entry(a, struct tg_reserve, lingering)->full_ns <
	       rb_entry(b, struct tg_reserve, lingering)->full_ns;
}

static void stop_lingering(struct tg_sched *s, struct tg_reserve *r)
{
	if (r->lingers)
		rb_erase_cached(&r->lingering, &s->lingering);
	r->lingers = false;
}

void tg_sched_remove_reserve(struct tg_sched *s, struct tg_reserve *r)
{
	WARN_ON_ONCE(!list_empty(&r->tasks) || tg_wait_any(r));
	disclaim(s, r);
	mark_demoted(s, r, false);
	list_del_init(&r->unsettled);
	stop_lingering(s, r);
	list_del_init(&r->node);
	if (s->sent_for == r)
		s->sent_for = NULL;
}

bool tg_sched_retire_reserve(struct tg_sched *s, struct tg_reserve *r, u64 now)
{
	tg_charge_sending(s, now);
	tg_sched_refresh(s, r, now);
	r->full_ns = tg_reserve_full_ns(r);
	if (!r->full_ns) {
		tg_sched_remove_reserve(s, r);
		return true;
	}
	rb_add_cached(&r->lingering, &s->lingering, full_earlier);
	r->lingers = true;
	return false;
}

void tg_sched_revive_reserve(struct tg_sched *s, struct tg_reserve *r)
{
	stop_lingering(s, r);
}

struct tg_reserve *tg_sched_lingering(const struct tg_sched *s)
{
	return rb_entry_safe(rb_first_cached(&s->lingering), struct tg_reserve, lingering);
}

struct tg_reserve *tg_sched_expire_reserve(struct tg_sched *s, u64 now)
{
	struct tg_reserve *r = tg_sched_lingering(s);

	if (!r || r->full_ns > now)
		return NULL;
	tg_sched_remove_reserve(s, r);
	return r;
}

bool tg_sched_set_reserve(struct tg_sched *s, struct tg_reserve *r,
			  const struct tg_reserve_ops *ops, u64 capacity_ns,
			  u64 period_ns, u64 now)
{
	tg_sched_refresh(s, r, now);
	tg_reserve_set(r, ops, capacity_ns, period_ns, now);
	tg_wait_track(s, r);
	disclaim(s, r);
	set_demoted(s, r, !claim(s, r), now);
	return !r->demoted;
}

void tg_sched_set_limit(struct tg_sched *s, u32 percent)
{
	s->limit_percent = percent;
	s->look_again = s->look;
}

/*
 * While it goes through them what is claimed only grows: those that did not fit need
 * no second look, unless there is more room.
 */
struct tg_reserve *tg_sched_reconsider(struct tg_sched *s, u64 now)
{
	struct tg_reserve *r;

	if (!s->look)
		s->look = oldest_refused(s);
	for (u32 left = s->part; left && (r = s->look); left--) {
		if (claim(s, r)) {
			set_demoted(s, r, false, now);
			return r;
		}
		look_at(s, next_refused(r));
	}
	return NULL;
}
