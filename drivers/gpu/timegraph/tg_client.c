// SPDX-License-Identifier: GPL-2.0-only
/* Tasks and the parameters that the specification, or somebody, gives them. */
#include <linux/cred.h>
#include <linux/slab.h>

#include "core/tg_cpu.h"
#include "tg_cgroup.h"
#include "tg_client.h"
#include "tg_config.h"
#include "tg_device.h"
#include "tg_dispatch.h"
#include "tg_domains.h"
#include "tg_events.h"
#include "tg_foreground.h"
#include "tg_lost.h"
#include "tg_memory.h"
#include "tg_params.h"
#include "tg_process.h"
#include "tg_reader.h"
#include "tg_registry.h"
#include "tg_reservation.h"
#include "tg_rules.h"

/* See the header. */
DEFINE_MUTEX(tg_client_mutex);

/*
 * Of several threads of a task that follows the CPU the most important one counts, for its
 * groups may be behind those of the others in a channel: until it has neither waited nor
 * handed a group over for so long.
 */
#define FOLLOW_KEEP_NS (250 * NSEC_PER_MSEC)

/* Of the task that was made last; under tg_client_mutex. */
static u64 last_id;

static struct tg_client *find_client(struct tg_device *td, struct pid *pid)
{
	struct tg_client *client;

	lockdep_assert_held(&tg_client_mutex);
	list_for_each_entry(client, &td->clients, node)
		if (client->pid == pid)
			return client;
	return NULL;
}

static struct tg_client *create_client(struct tg_device *td,
				       struct pid *pid)
{
	struct tg_client *client = kzalloc(sizeof(*client), GFP_KERNEL);

	if (!client)
		return NULL;
	client->td = td;
	client->id = ++last_id;
	client->pid = get_pid(pid);
	client->uid = tg_process_uid(pid);
	client->payer = tg_process_payer(pid);
	client->ceiling = TG_NO_CEILING;
	sema_init(&client->room, TG_CLIENT_ROOM);
	tg_task_init(&client->task);
	client->turns.user = tg_lost_join(td, client->payer);
	if (xa_insert_irq(&td->bpf.tasks, client->id, client, GFP_KERNEL))
		goto leave;
	spin_lock_irq(&td->lock);
	list_add_tail(&client->node, &td->clients);
	spin_unlock_irq(&td->lock);
	tg_events_post_of(client->uid, TIMEGRAPH_EVENT_TASK);
	return client;

leave:
	tg_lost_leave(td, client->turns.user);
	put_pid(client->pid);
	kfree(client);
	return NULL;
}

static struct tg_reserve_user user_of(struct tg_client *client)
{
	return (struct tg_reserve_user){
		.task = &client->task,
		.reserve = &client->reservation,
		.name = client->comm,
		.payer = client->payer,
		.uid = client->uid,
	};
}

static void free_client(struct tg_client *client)
{
	const struct tg_reserve_user user = user_of(client);
	struct tg_device *td = client->td;
	struct tg_dev_reserve *gone;

	spin_lock_irq(&td->lock);
	list_del(&client->node);
	gone = tg_reservation_leave(td, &user);
	xa_erase(&td->bpf.tasks, client->id);
	tg_dispatch_locked(td, ktime_get_ns());
	spin_unlock_irq(&td->lock);
	tg_events_post_of(client->uid, TIMEGRAPH_EVENT_TASK);
	tg_memory_client(td, client->pid, false);
	tg_lost_leave(td, client->turns.user);
	kfree(gone);
	kvfree(client->history);
	tg_cgroup_free(client->chain);
	put_pid(client->pid);
	kfree(client);
}

static bool is_predicted(const struct tg_spec_entry *entry)
{
	return entry->resv == TG_SPEC_RESV_AE && tg_spec_policy(entry)->reserves;
}

/* Without memory for it the predicted costs are 0, as for PE. */
static struct tg_history_memory *alloc_history(const struct tg_spec_entry *entry)
{
	struct tg_history_memory *h;

	if (!tg_param_lead_predictor->profiles &&
	    !(tg_param_predictor->profiles && is_predicted(entry)))
		return NULL;
	h = kvzalloc(struct_size(h, record, tg_param_history), GFP_KERNEL);
	if (h)
		tg_history_init(&h->table, h->record, tg_param_history, 0);
	return h;
}

/* A priority that follows the focus is above its number at times. */
static void lower(struct tg_spec_entry *entry, u8 ceiling)
{
	if (entry->prio < ceiling)
		return;
	entry->focus = false;
	entry->prio = ceiling;
}

/* What @given comes to for it. */
static void make_entry(struct tg_spec_entry *entry, const struct tg_spec_entry *given,
		       u8 rank, u8 ceiling)
{
	*entry = *given;
	if (given->cpu)
		tg_cpu_follow(entry, rank);
	lower(entry, ceiling);
}

/* Keeps @history if it has none; returns what is not needed. */
static struct tg_history_memory *take_history_locked(struct tg_client *client,
						     struct tg_history_memory *history)
{
	lockdep_assert_held(&client->td->lock);
	if (client->history || !history)
		return history;
	client->history = history;
	tg_history_measured(&history->table, client->td->switch_ns);
	return NULL;
}

/* FQ stands for whatever the GPU has in its place. */
static const struct tg_policy_ops *policy_of(const struct tg_client *client)
{
	lockdep_assert_held(&client->td->lock);
	return client->entry.sched == TG_SPEC_FQ ? client->td->fair :
						   tg_spec_policy(&client->entry);
}

static void set_task_locked(struct tg_client *client, bool foreground, u64 now)
{
	const struct tg_spec_entry *entry = &client->entry;
	struct tg_device *td = client->td;

	lockdep_assert_held(&td->lock);
	tg_task_set_weight(&client->task, entry->weight);
	tg_task_set_lead(&client->task, entry->has_lead ? entry->lead_ns : TG_LEAD_COMMON);
	tg_sched_set_task(&td->sched, &client->task, policy_of(client),
			  entry->prio, entry->focus, foreground, now);
}

/* Gives the task the parameters of @given below @ceiling; takes copies. */
static void apply(struct tg_client *client, const struct tg_spec_entry *given,
		  u32 set, u8 ceiling)
{
	u8 rank = given->cpu && !client->follows ? tg_process_rank(client->pid) : client->rank;
	const struct tg_reserve_user user = user_of(client);
	bool foreground = tg_foreground_has(client->pid);
	struct tg_device *td = client->td;
	struct tg_history_memory *history;
	struct tg_dev_reserve *spare;
	struct tg_spec_entry entry;
	u64 now;

	lockdep_assert_held(&tg_client_mutex);
	make_entry(&entry, given, rank, ceiling);
	spare = tg_reservation_alloc(&entry);
	history = alloc_history(&entry);
	spin_lock_irq(&td->lock);
	now = ktime_get_ns();
	/* Somebody may have a rule or a limit now. */
	tg_freerun_call_off(&td->freerun);
	client->given = *given;
	client->set = set;
	client->ceiling = ceiling;
	client->rank = rank;
	WRITE_ONCE(client->follows, given->cpu);
	client->entry = entry;
	client->predicts |= is_predicted(&entry);
	history = take_history_locked(client, history);
	set_task_locked(client, foreground, now);
	spare = tg_reservation_apply(td, &user, &client->entry, spare);
	tg_dispatch_locked(td, now);
	spin_unlock_irq(&td->lock);
	kfree(spare);
	kvfree(history);
}

/* To the domain that its cgroup is in, by all rules there are. */
static void place(struct tg_client *client, const struct tg_version *v)
{
	struct tg_wanted wanted[TG_DOMAIN_DEPTH];
	struct tg_device *td = client->td;
	struct tg_dev_domain *d;
	u32 nr;

	lockdep_assert_held(&tg_client_mutex);
	nr = client->chain ? tg_rules_of(client->chain, v, wanted) : 0;
	if (client->entry.weight < TG_WEIGHT_DEFAULT)
		nr = tg_rules_imposed(wanted, nr);
	d = tg_domains_get(td, wanted, nr);
	if (client->task.domain == (d ? &d->core : NULL))
		return;
	spin_lock_irq(&td->lock);
	tg_freerun_call_off(&td->freerun);
	tg_sched_move(&td->sched, &client->task, d ? &d->core : NULL, ktime_get_ns());
	tg_dispatch_locked(td, ktime_get_ns());
	spin_unlock_irq(&td->lock);
}

/* What was set at run time stays: for it, or else for its cgroup. */
void tg_client_apply_version(struct tg_client *client, const struct tg_version *v)
{
	struct tg_device *td = client->td;
	struct tg_spec_entry entry, cgroups;
	struct tg_spec_program p;
	u32 fields;

	p = tg_program_match(&client->program, client->comm, client->uid);
	tg_config_lookup(v, &p, &entry);
	spin_lock_irq(&td->lock);
	tg_reservation_limit(td, v->limit_percent);
	client->version = v->nr;
	spin_unlock_irq(&td->lock);
	fields = client->chain ? tg_rules_tasks(client->chain, &cgroups) : 0;
	tg_rules_copy_fields(&entry, &cgroups, fields);
	tg_rules_copy_fields(&entry, &client->given, client->set);
	apply(client, &entry, client->set, client->ceiling);
	place(client, v);
}

static void apply_spec(struct tg_client *client)
{
	struct tg_version *v = tg_config_current();

	tg_client_apply_version(client, v);
	tg_version_put(v);
}

static void set_program(struct tg_client *client, const char *comm)
{
	struct tg_device *td = client->td;
	struct tg_program program;

	tg_program_look(&program, client->pid);
	spin_lock_irq(&td->lock);
	strscpy(client->comm, comm, sizeof(client->comm));
	client->program = program;
	spin_unlock_irq(&td->lock);
}

/*
 * What display servers inherit of the foreground.
 *
 * A program that shows pictures needs its display server, whatever that is listed as.  So
 * the server has the foreground's level as long as that is in the foreground: not only
 * while it has no group, for one that always has work waits for the server too, for a
 * buffer to be given back, and the kernel cannot see that.  It is the level alone.  At one
 * level neither keeps the GPU for longer than a slice while the other waits, see
 * tg_vtime.h, and a server of the usual weight takes half of it at most.
 *
 * Only what a task has of its own is passed on, so nothing is passed on twice.  And a user
 * whose program a reserve limits could get that program's level without the limit, by
 * calling another his server: so who has a reserve lends to who has one.  One of C = T
 * refuses nothing, and counts as none.
 */

/* Its own level, and whether a reserve limits it. */
static bool look(struct tg_client *client, u8 *level)
{
	struct tg_device *td = client->td;
	const struct tg_reserve *r;
	bool capped;

	spin_lock_irq(&td->lock);
	*level = tg_task_own_level(&client->task);
	r = tg_task_reserve(&td->sched, &client->task);
	capped = r && r->capacity_ns < r->period_ns;
	spin_unlock_irq(&td->lock);
	return capped;
}

static void lend(struct tg_client *client)
{
	bool capped;
	u8 level;

	capped = look(client, &level);
	tg_foreground_lend(client->pid, level, capped);
}

/* Who has given priority up is not lifted above that. */
static void borrow(struct tg_client *client)
{
	struct tg_device *td = client->td;
	bool capped;
	u8 level;

	capped = look(client, &level);
	level = client->ceiling == TG_NO_CEILING ?
			tg_foreground_borrow(client->pid, capped) : 0;
	if (client->task.lent == level)
		return;
	spin_lock_irq(&td->lock);
	tg_sched_lend(&td->sched, &client->task, level, ktime_get_ns());
	spin_unlock_irq(&td->lock);
	tg_events_post_of(client->uid, TIMEGRAPH_EVENT_FOREGROUND);
}

/* A task came or went, or has other parameters; or the foreground changed. */
void tg_client_update_servers(struct tg_device *td)
{
	struct tg_client *client;

	lockdep_assert_held(&tg_client_mutex);
	list_for_each_entry(client, &td->clients, node)
		tg_foreground_reset(client->pid);
	list_for_each_entry(client, &td->clients, node)
		lend(client);
	list_for_each_entry(client, &td->clients, node)
		borrow(client);
	spin_lock_irq(&td->lock);
	tg_dispatch_locked(td, ktime_get_ns());
	spin_unlock_irq(&td->lock);
}

/* Takes the chain over. */
void tg_client_set_chain(struct tg_client *client, struct tg_cgroup_chain *chain)
{
	lockdep_assert_held(&tg_client_mutex);
	/* Without memory it stays as it was. */
	if (!chain)
		return;
	/* So does who is gone and has left his channels to others: they have his rules. */
	if (!chain->leaf && client->chain) {
		tg_cgroup_free(chain);
		return;
	}
	tg_cgroup_free(client->chain);
	client->chain = chain;
	WRITE_ONCE(client->cgroup, chain->id);
}

struct tg_client *tg_client_join(struct tg_device *td, struct pid *pid,
				 const char *comm)
{
	struct tg_cgroup_chain *chain;
	struct tg_client *client;
	unsigned long ticket;

	/* The files are looked at for every channel (section 3); here nobody waits for us. */
	if (!tg_memory_looked(td, pid, &ticket))
		ticket = tg_reader_look();
	chain = tg_cgroup_look(tg_cgroup_of(pid));
	mutex_lock(&tg_client_mutex);
	client = find_client(td, pid);
	if (!client)
		client = create_client(td, pid);
	if (client) {
		client->nr_chans++;
		set_program(client, comm);
		tg_client_set_chain(client, chain);
		chain = NULL;
		client->late = tg_reader_is_late(ticket);
		apply_spec(client);
		tg_client_update_servers(td);
		tg_memory_client(td, pid, true);
	}
	mutex_unlock(&tg_client_mutex);
	tg_cgroup_free(chain);
	return client;
}

void tg_client_leave(struct tg_client *client)
{
	struct tg_device *td = client->td;

	mutex_lock(&tg_client_mutex);
	if (!--client->nr_chans) {
		free_client(client);
		tg_domains_sweep(td);
		tg_client_update_servers(td);
	}
	mutex_unlock(&tg_client_mutex);
}

void tg_client_for_each(struct tg_device *td,
			void (*fn)(struct tg_client *client, void *arg),
			void *arg)
{
	struct tg_client *client;

	mutex_lock(&tg_client_mutex);
	list_for_each_entry(client, &td->clients, node)
		fn(client, arg);
	mutex_unlock(&tg_client_mutex);
}

/*
 * Parameters set at run time.
 */

struct set_walk {
	struct pid *pid;
	const struct timegraph_set *set;
	bool privileged;
	bool apply;
	u32 found;
	int ret;
};

static enum tg_spec_resv resv_of(u8 resv)
{
	static const enum tg_spec_resv map[] = {
		[TIMEGRAPH_RESV_NONE] = TG_SPEC_RESV_NONE,
		[TIMEGRAPH_RESV_PE] = TG_SPEC_RESV_PE,
		[TIMEGRAPH_RESV_AE] = TG_SPEC_RESV_AE,
		[TIMEGRAPH_RESV_BG] = TG_SPEC_RESV_BG,
	};

	return map[resv];
}

/* What @set asks for on @td; false if it joins a reserve that does not exist. */
bool tg_client_to_entry(struct tg_device *td, const struct timegraph_set *set,
			struct tg_spec_entry *e)
{
	struct tg_dev_reserve *res;

	memset(e, 0, sizeof(*e));
	e->sched = (enum tg_spec_sched)set->policy;
	e->weight = set->weight;
	e->has_lead = set->lead_ns != TIMEGRAPH_LEAD_COMMON;
	e->lead_ns = e->has_lead ? set->lead_ns : 0;
	e->prio = set->prio;
	e->focus = set->focus == TIMEGRAPH_FOLLOW_FOCUS;
	e->cpu = set->focus == TIMEGRAPH_FOLLOW_CPU;
	e->resv = resv_of(set->resv);
	e->capacity_ns = set->capacity_ns;
	e->period_ns = set->period_ns;
	strscpy(e->group, set->group, sizeof(e->group));
	if (!e->group[0] || e->capacity_ns)
		return true;
	spin_lock_irq(&td->lock);
	res = tg_reservation_find(td, e->group);
	if (res) {
		e->resv = res->reserve.ops->predicts ? TG_SPEC_RESV_AE :
						       TG_SPEC_RESV_PE;
		e->capacity_ns = res->reserve.capacity_ns;
		e->period_ns = res->reserve.period_ns;
	}
	spin_unlock_irq(&td->lock);
	return res;
}

/*
 * Without privilege: one's own tasks, down from what they are given, and back.  What is
 * asked for is kept as a ceiling, not as a parameter: who lowers a task to what it has
 * would else pin it there, and the administrator could not lower it any more.
 */
static bool may_set(const struct tg_client *client, const struct set_walk *w)
{
	if (w->privileged)
		return true;
	if (!uid_eq(client->uid, current_euid()))
		return false;
	return !w->set->fields ||
	       (w->set->fields == TIMEGRAPH_SET_PRIO && !w->set->focus &&
		(client->given.cpu || w->set->prio <= client->given.prio));
}

static void set_client(struct tg_client *client, const struct set_walk *w,
		       const struct tg_spec_entry *wanted)
{
	u32 fields = w->set->fields;
	struct tg_spec_entry given = client->given;

	if (!w->privileged) {
		apply(client, &given, client->set,
		      fields ? wanted->prio : TG_NO_CEILING);
	} else if (fields) {
		tg_rules_copy_fields(&given, wanted, fields);
		/* Who may raise it means it. */
		apply(client, &given, client->set | fields,
		      fields & TIMEGRAPH_SET_PRIO ? TG_NO_CEILING : client->ceiling);
	} else {
		client->set = 0;
		client->ceiling = TG_NO_CEILING;
		apply_spec(client);
	}
}

static void set_on(struct tg_device *td, void *arg)
{
	struct tg_client *client = find_client(td, ((struct set_walk *)arg)->pid);
	struct tg_spec_entry wanted;
	struct set_walk *w = arg;

	if (!client || w->ret)
		return;
	w->found++;
	if (!may_set(client, w)) {
		w->ret = -EPERM;
	} else if (!tg_client_to_entry(td, w->set, &wanted)) {
		w->ret = -ENOENT;
	} else if (w->apply) {
		set_client(client, w, &wanted);
		tg_client_update_servers(td);
		tg_events_post_of(client->uid, TIMEGRAPH_EVENT_TASK);
	}
}

/* All is looked at before anything is changed. */
int tg_client_set(struct pid *pid, const struct timegraph_set *set,
		  bool privileged)
{
	struct set_walk w = { .pid = pid, .set = set, .privileged = privileged };

	mutex_lock(&tg_client_mutex);
	tg_registry_for_each(set_on, &w);
	if (!w.ret && !w.found)
		w.ret = -ESRCH;
	if (!w.ret) {
		w.apply = true;
		tg_registry_for_each(set_on, &w);
	}
	mutex_unlock(&tg_client_mutex);
	return w.ret;
}

static bool is_news(const struct tg_client *client, u8 rank, u64 now)
{
	u8 is = READ_ONCE(client->rank);

	return rank > is ||
	       (rank < is && now >= READ_ONCE(client->rank_ns) + FOLLOW_KEEP_NS);
}

/* Another of its threads may have been here first. */
static void change_rank(struct tg_client *client, u8 rank, u64 now)
{
	struct tg_spec_entry given;

	mutex_lock(&tg_client_mutex);
	if (client->follows && is_news(client, rank, now)) {
		client->rank = rank;
		WRITE_ONCE(client->rank_ns, now);
		given = client->given;
		apply(client, &given, client->set, client->ceiling);
		tg_client_update_servers(client->td);
	}
	mutex_unlock(&tg_client_mutex);
}

/*
 * The kernel tells modules of no change.  What a mutex lends a thread does not count: that
 * is meant for the CPU.
 */
void tg_client_follow_current(struct tg_client *client)
{
	u8 rank = tg_process_thread_rank(current);
	u64 now = ktime_get_ns();

	if (is_news(client, rank, now))
		change_rank(client, rank, now);
	else if (rank == READ_ONCE(client->rank))
		WRITE_ONCE(client->rank_ns, now);
}

static void reload_on(struct tg_device *td, void *version)
{
	struct tg_client *client;

	lockdep_assert_held(&tg_client_mutex);
	list_for_each_entry(client, &td->clients, node)
		tg_client_apply_version(client, version);
	tg_domains_forget(td, 0);
	tg_client_update_servers(td);
}

void tg_client_migrate(struct tg_client *client)
{
	struct tg_cgroup_chain *chain = tg_cgroup_look(tg_cgroup_of(client->pid));

	mutex_lock(&tg_client_mutex);
	if (chain && client->cgroup != chain->id) {
		tg_client_set_chain(client, chain);
		chain = NULL;
		apply_spec(client);
		tg_domains_sweep(client->td);
		tg_client_update_servers(client->td);
	}
	mutex_unlock(&tg_client_mutex);
	tg_cgroup_free(chain);
}

/* Those that wait go to the new policy with their task; until the last one has, both are asked. */
void tg_client_reclass(struct tg_device *td, const struct tg_policy_ops *ops)
{
	struct tg_dev_domain *d;
	struct tg_client *client;

	lockdep_assert_held(&tg_client_mutex);
	spin_lock_irq(&td->lock);
	td->fair = ops;
	tg_freerun_call_off(&td->freerun);
	spin_unlock_irq(&td->lock);
	tg_domains_for_each(d, td) {
		spin_lock_irq(&td->lock);
		tg_sched_domain_even(&td->sched, &d->core);
		spin_unlock_irq(&td->lock);
	}
	list_for_each_entry(client, &td->clients, node) {
		spin_lock_irq(&td->lock);
		set_task_locked(client, client->task.foreground, ktime_get_ns());
		tg_dispatch_locked(td, ktime_get_ns());
		spin_unlock_irq(&td->lock);
	}
}

/* All by one version, whatever is read meanwhile. */
int tg_client_reload(void)
{
	struct tg_version *v;
	int ret = tg_reader_reload();

	if (ret)
		return ret;
	mutex_lock(&tg_client_mutex);
	v = tg_config_current();
	tg_registry_for_each(reload_on, v);
	mutex_unlock(&tg_client_mutex);
	tg_version_put(v);
	return 0;
}

int tg_client_push(struct tg_text text[TG_VERSION_PARTS], u64 *nr)
{
	struct tg_spec_error err[TG_VERSION_PARTS];
	struct tg_version *v = tg_version_create(text, err);
	int ret;

	if (v == ERR_PTR(-EBADMSG))
		tg_config_refuse_texts(err);
	if (IS_ERR(v))
		return PTR_ERR(v);
	v->pushed = true;
	/* Before it is in force, or its paths would lead nowhere until somebody looks. */
	ret = tg_reader_resolve(v);
	if (ret) {
		tg_version_put(v);
		return ret;
	}
	mutex_lock(&tg_client_mutex);
	v = tg_config_install(v);
	*nr = v->nr;
	tg_registry_for_each(reload_on, v);
	mutex_unlock(&tg_client_mutex);
	tg_version_put(v);
	return 0;
}

static void late_on(struct tg_device *td, void *version)
{
	struct tg_client *client;

	lockdep_assert_held(&tg_client_mutex);
	list_for_each_entry(client, &td->clients, node) {
		if (client->late)
			tg_client_apply_version(client, version);
		client->late = false;
	}
	tg_client_update_servers(td);
}

void tg_client_late(void)
{
	struct tg_version *v;

	mutex_lock(&tg_client_mutex);
	v = tg_config_current();
	tg_registry_for_each(late_on, v);
	mutex_unlock(&tg_client_mutex);
	tg_version_put(v);
}

/* Brings the tasks of a GPU up to date; counts those of one file. */
struct focus_walk {
	const struct tg_foreground *fg;
	u32 count;
};

/* Who is asked about is asked without the lock: there may be many files. */
static void refocus_client(struct tg_client *client, struct focus_walk *walk)
{
	bool foreground = tg_foreground_has(client->pid);
	struct tg_device *td = client->td;
	struct tg_task *t = &client->task;

	walk->count += t->focus && tg_foreground_by(walk->fg, client->pid);
	if (t->foreground != foreground)
		tg_events_post_of(client->uid, TIMEGRAPH_EVENT_FOREGROUND);
	spin_lock_irq(&td->lock);
	tg_sched_set_task(&td->sched, t, t->policy, t->prio, t->focus,
			  foreground, ktime_get_ns());
	spin_unlock_irq(&td->lock);
	tg_memory_focus(td, client->pid, foreground);
}

static void refocus(struct tg_device *td, void *walk)
{
	struct tg_client *client;

	lockdep_assert_held(&tg_client_mutex);
	list_for_each_entry(client, &td->clients, node)
		refocus_client(client, walk);
	tg_client_update_servers(td);
}

u32 tg_client_refocus(const struct tg_foreground *fg)
{
	struct focus_walk walk = { .fg = fg };

	mutex_lock(&tg_client_mutex);
	tg_registry_for_each(refocus, &walk);
	mutex_unlock(&tg_client_mutex);
	tg_events_post_of(current_euid(), TIMEGRAPH_EVENT_FOREGROUND);
	return walk.count;
}
