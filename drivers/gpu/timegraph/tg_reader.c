// SPDX-License-Identifier: GPL-2.0-only
/* The one thread that looks at the administrator's files. */
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/jiffies.h>
#include <linux/kref.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "tg_compat.h"
#include "tg_config.h"
#include "tg_params.h"
#include "tg_reader.h"

/* Of two files that change all the time no pair may ever belong together. */
#define MAX_TRIES 8

/**
 * struct pair - both files as they were at one moment
 * @id: what was looked at
 * @text: what they hold
 * @why: or why one is refused
 * @again: they must be read again the next time, changed or not
 */
struct pair {
	struct tg_file_id id[TG_VERSION_PARTS];
	struct tg_text text[TG_VERSION_PARTS];
	const char *why[TG_VERSION_PARTS];
	bool again;
};

/* Of the thread: what it saw last, and when; valid if @seen. */
static bool seen;
static struct tg_file_id seen_id[TG_VERSION_PARTS];
static time64_t seen_s;
/* What came of it, NULL if that was refused. */
static struct tg_version *last_read;

static void (*tell_late)(void);
static DECLARE_WAIT_QUEUE_HEAD(waiters);
/* Looks asked for, and of these the last that has ended: they are counted. */
static atomic_long_t asked;
static unsigned long done;
/* Since when the thread looks, in jiffies; 0: it does not. */
static unsigned long since;
/* Look up the paths of what is pushed; one that does not answer stays there. */
static struct workqueue_struct *resolvers;
/* Somebody asked to read also what looks the same, or did not wait for the end. */
static atomic_t forced, left;

static const char *path_of(int part)
{
	return part == TG_VERSION_SPEC ? tg_param_spec : tg_param_ac;
}

static void look_at_both(struct tg_file_id id[TG_VERSION_PARTS])
{
	for (int i = 0; i < TG_VERSION_PARTS; i++)
		id[i] = tg_file_look(path_of(i));
}

static bool both_same(const struct tg_file_id a[TG_VERSION_PARTS],
		      const struct tg_file_id b[TG_VERSION_PARTS])
{
	for (int i = 0; i < TG_VERSION_PARTS; i++)
		if (!tg_file_same(&a[i], &b[i]))
			return false;
	return true;
}

/*
 * Change times are of a clock that ticks: what was changed just before it was looked at
 * can be changed again and look the same.  As git does, it is read again.
 */
static bool unchanged(void)
{
	struct tg_file_id id[TG_VERSION_PARTS];

	if (!seen)
		return false;
	look_at_both(id);
	for (int i = 0; i < TG_VERSION_PARTS; i++)
		if (tg_file_fresh(&id[i], seen_s))
			return false;
	return both_same(id, seen_id);
}

static void free_texts(struct pair *p)
{
	for (int i = 0; i < TG_VERSION_PARTS; i++)
		tg_text_free(&p->text[i]);
}

/* That neither changes while both are read makes them files of one moment. */
static bool read_once(struct pair *p)
{
	struct tg_file_id now[TG_VERSION_PARTS];

	*p = (struct pair){ };
	seen_s = ktime_get_real_seconds();
	look_at_both(p->id);
	for (int i = 0; i < TG_VERSION_PARTS; i++) {
		bool again;

		p->why[i] = tg_file_read(path_of(i), &p->text[i], &again);
		p->again |= again;
	}
	look_at_both(now);
	if (both_same(p->id, now))
		return true;
	free_texts(p);
	return false;
}

static void read_both(struct pair *p)
{
	for (int try = 0; try < MAX_TRIES; try++)
		if (read_once(p))
			return;
	p->why[TG_VERSION_SPEC] = "this file or the limit's changes all the time";
	p->again = true;
}

static bool is_refused(const struct pair *p)
{
	for (int i = 0; i < TG_VERSION_PARTS; i++)
		if (p->why[i])
			return true;
	return false;
}

static struct tg_version *refuse(const struct pair *p)
{
	for (int i = 0; i < TG_VERSION_PARTS; i++)
		tg_config_refuse(i, p->why[i]);
	return NULL;
}

/* A version of what was read, its paths looked up; NULL if it is refused. */
static struct tg_version *parse(struct pair *p)
{
	struct tg_spec_error err[TG_VERSION_PARTS];
	struct tg_version *v;

	if (is_refused(p))
		return refuse(p);
	v = tg_version_create(p->text, err);
	if (!IS_ERR(v))
		return v;
	if (PTR_ERR(v) == -EBADMSG) {
		tg_config_refuse_texts(err);
		return NULL;
	}
	p->again = true;
	p->why[TG_VERSION_SPEC] = "no memory to read it";
	return refuse(p);
}

static void look_up_paths(struct tg_version *v)
{
	struct tg_spec_file *files;

	if (!v->nr_paths)
		return;
	files = kvcalloc(v->nr_entries, sizeof(*files), GFP_KERNEL);
	if (!files)
		return;
	tg_version_look_up(v, files);
	tg_config_set_paths(v, files);
	kvfree(files);
}

/* What looks changed, but is what was read last, does not replace what was pushed. */
static void take(struct pair *p, bool force)
{
	struct tg_version *v;

	if (!force && last_read && !is_refused(p) &&
	    tg_version_same(last_read, p->text))
		return;
	v = parse(p);
	tg_version_put(last_read);
	last_read = NULL;
	if (!v)
		return;
	look_up_paths(v);
	last_read = tg_config_install(v);
}

static void look_at_files(bool force)
{
	struct pair p;

	if (!force && unchanged())
		return;
	read_both(&p);
	memcpy(seen_id, p.id, sizeof(seen_id));
	take(&p, force);
	seen = !p.again;
	free_texts(&p);
}

/* A package may have replaced a program since. */
static void refresh_paths(void)
{
	struct tg_version *v = tg_config_current();

	look_up_paths(v);
	tg_version_put(v);
}

static void look(struct work_struct *work)
{
	unsigned long ticket = atomic_long_read(&asked);

	/* 0 is taken. */
	WRITE_ONCE(since, jiffies | 1);
	look_at_files(atomic_xchg(&forced, 0));
	refresh_paths();
	WRITE_ONCE(since, 0);
	/* What was read is seen by who sees this: tg_reader_done(). */
	smp_store_release(&done, ticket);
	wake_up_all(&waiters);
	if (atomic_xchg(&left, 0))
		tell_late();
}

static DECLARE_WORK(look_work, look);

bool tg_reader_done(unsigned long ticket)
{
	/* Pairs with the end of look(): what it put in force is seen. */
	return (long)(smp_load_acquire(&done) - ticket) >= 0;
}

/* Whoever is counted here before a look tells that it has ended is told. */
bool tg_reader_is_late(unsigned long ticket)
{
	if (tg_reader_done(ticket))
		return false;
	atomic_set(&left, 1);
	/* Against the order in look(): first done, then left. */
	smp_mb();
	return !tg_reader_done(ticket);
}

bool tg_reader_slow(void)
{
	unsigned long start = READ_ONCE(since);

	return start && time_after(jiffies, start + msecs_to_jiffies(TG_READER_WAIT_MS));
}

static unsigned long ask(void)
{
	unsigned long ticket = atomic_long_inc_return(&asked);

	queue_work(tg_compat_unbound_wq, &look_work);
	return ticket;
}

unsigned long tg_reader_look(void)
{
	unsigned long ticket = ask();

	if (!tg_reader_slow())
		wait_event_killable_timeout(waiters, tg_reader_done(ticket),
					    msecs_to_jiffies(TG_READER_WAIT_MS));
	if (!tg_reader_done(ticket))
		atomic_set(&left, 1);
	return ticket;
}

int tg_reader_reload(void)
{
	unsigned long ticket;

	atomic_set(&forced, 1);
	ticket = ask();
	return wait_event_interruptible(waiters, tg_reader_done(ticket));
}

/**
 * struct resolve - the paths of a version that is pushed are being looked up
 * @ref: of who waits, and of the thread
 * @work: does it
 * @done: it has
 * @v: the version
 */
struct resolve {
	struct kref ref;
	struct work_struct work;
	struct completion done;
	struct tg_version *v;
};

static void free_resolve(struct kref *ref)
{
	struct resolve *r = container_of(ref, struct resolve, ref);

	tg_version_put(r->v);
	kfree(r);
}

static void resolve(struct work_struct *work)
{
	struct resolve *r = container_of(work, struct resolve, work);

	look_up_paths(r->v);
	complete(&r->done);
	kref_put(&r->ref, free_resolve);
}

int tg_reader_resolve(struct tg_version *v)
{
	struct resolve *r;
	int ret;

	if (!v->nr_paths)
		return 0;
	r = kzalloc(sizeof(*r), GFP_KERNEL);
	if (!r)
		return -ENOMEM;
	kref_init(&r->ref);
	kref_get(&r->ref);
	INIT_WORK(&r->work, resolve);
	init_completion(&r->done);
	r->v = tg_version_get(v);
	queue_work(resolvers, &r->work);
	ret = wait_for_completion_interruptible(&r->done);
	kref_put(&r->ref, free_resolve);
	return ret;
}

int tg_reader_init(void (*late)(void))
{
	tell_late = late;
	resolvers = alloc_workqueue("timegraph_paths", WQ_UNBOUND, 0);
	if (!resolvers)
		return -ENOMEM;
	/* Report a wrong file when the module is loaded, not at the first channel. */
	tg_reader_look();
	return 0;
}

void tg_reader_exit(void)
{
	destroy_workqueue(resolvers);
	cancel_work_sync(&look_work);
	tg_version_put(last_read);
}
