// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of a module that knows nothing of it are redirected, or seen when
 * they are entered, by ftrace, as livepatch does it.
 *
 * They share a struct ftrace_ops for each enum tg_see, since removing one takes grace
 * periods of RCU tasks.  Not one for all, whose filter grows: a trampoline of BPF's calls the
 * function behind our back until it is told of us, which only registering does.  Functions that are
 * only seen it does not keep from us: the filter of those changes, and nobody who comes
 * meanwhile waits for a grace period, which users can draw out.
 * IPMODIFY: nobody else may redirect those that are replaced, which ftrace sees to.
 * PERMANENT: kernel.ftrace_enabled=0 fails instead of unhooking silently.
 *
 * A function that is replaced calls the original by its address, as it stands in
 * the tables of nouveau that it is called through: so it begins with ENDBR, which
 * indirect calls need where the CPU checks them (IBT).  Functions that nouveau
 * calls directly may have none, and are only seen when they are entered.
 */
#define pr_fmt(fmt) "timegraph: " fmt

#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/kprobes.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../tg_compat.h"
#include "../tg_params.h"
#include "tg_stock.h"
#include "tg_stock_call.h"

/**
 * struct found - a function that is hooked
 * @ip: where its call of ftrace is
 * @entry: where it begins
 * @hook: what to do
 * @other: it was found under its other name
 */
struct found {
	unsigned long ip;
	unsigned long entry;
	const struct tg_stock_hook *hook;
	bool other;
};

static struct found found[TG_NR_FN];

/* Open addressing by ip, a quarter full: the way of every call. */
#define NR_SLOTS 128
static const struct found *slots[NR_SLOTS];

/* Calls from this module are meant for the original. */
static unsigned long text_base, text_size;

/* From now on calls go to nouveau. */
static bool released;

static unsigned int slot_of(unsigned long ip)
{
	return (ip >> 4) % NR_SLOTS;
}

static bool is_ours(unsigned long parent)
{
	return parent - text_base < text_size;
}

static __always_inline const struct found *find(unsigned long ip)
{
	const struct found *f;
	unsigned int i;

	for (i = slot_of(ip); (f = slots[i]); i = (i + 1) % NR_SLOTS)
		if (f->ip == ip)
			break;
	return f;
}

/* The original is not called then: nothing has to be where an indirect call may go. */
static void notrace refuse(const struct tg_stock_hook *hook, struct pt_regs *regs)
{
	const unsigned long args[4] = { regs->di, regs->si, regs->dx, regs->cx };

	if (!READ_ONCE(released) && hook->refuse(args))
		regs->ip = (unsigned long)hook->replace;
}

static void notrace redirect(unsigned long ip, unsigned long parent,
			     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	const struct found *f = find(ip);

	if (!f)
		return;
	if (f->hook->enter)
		tg_compat_ftrace_enter(fregs, f->hook->enter);
	else if (f->hook->refuse)
		refuse(f->hook, tg_compat_ftrace_regs(fregs));
	else if (!is_ours(parent) && !(f->hook->call && READ_ONCE(released)))
		tg_compat_ftrace_regs(fregs)->ip =
			(unsigned long)f->hook->replace;
}

/* The way of every group: most that run free go no further than here. */
static void notrace redirect_call(unsigned long ip, unsigned long parent,
				  struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	const struct pt_regs *regs = tg_compat_ftrace_regs(fregs);

	if (ip != found[TG_FN_PUSHBUF].ip || is_ours(parent) ||
	    !tg_stock_chan_pass(regs->si, regs->dx))
		redirect(ip, parent, ops, fregs);
}

static void notrace see_within(unsigned long ip, unsigned long parent,
			       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	const struct found *f = find(ip);

	if (f && f->hook->from == TG_SEE_ALL)
		tg_compat_ftrace_enter(fregs, f->hook->enter);
}

static const ftrace_func_t funcs[TG_SEE_ALL + 1] = {
	[TG_SEE_CHANNELS] = redirect,
	[TG_SEE_CALLS] = redirect_call,
	[TG_SEE_ALL] = see_within,
};

/*
 * Of functions that are redirected together, which of these are registered, and whether the last
 * of them has its functions in its filter.  All is under the mutex.
 */
static DEFINE_MUTEX(ops_mutex);
static struct ftrace_ops ops_of[TG_SEE_ALL + 1];
static bool registered[TG_SEE_ALL + 1];
static bool sees_within;

/*
 * What was said, calls of which all is to be seen, and whether for their sake more is than
 * was said.
 */
static enum tg_see said;
static atomic_t nr_watched = ATOMIC_INIT(0);
static bool sees_more;

/* Whether @address is the very beginning of nouveau's @name. */
static bool is_entry(unsigned long address, const char *name)
{
	char want[64], is[KSYM_SYMBOL_LEN];

	snprintf(want, sizeof(want), "%s+0x0/", name);
	sprint_symbol(is, address);
	return !strncmp(is, want, strlen(want));
}

/**
 * struct probes - disabled kprobes, which find functions without touching them
 * @kp: they
 * @all: those that are registered, to go together: what removes some waits for RCU
 * @nr: their number
 *
 * Two for each function: some have another name.
 */
struct probes {
	struct kprobe kp[2 * TG_NR_FN];
	struct kprobe *all[2 * TG_NR_FN];
	int nr;
};

static void free_probes(struct probes *probes)
{
	unregister_kprobes(probes->all, probes->nr);
	kfree(probes);
}

/*
 * The address of a function of @module's.  Where functions begin with ENDBR, the probe
 * is behind that, and so is the call of ftrace.
 */
static bool look_up(struct probes *probes, const char *module, const char *name,
		    struct found *f)
{
	struct kprobe *kp = &probes->kp[probes->nr];
	char symbol[64];

	snprintf(symbol, sizeof(symbol), "%s%s%s", module, module[0] ? ":" : "", name);
	*kp = (struct kprobe){ .symbol_name = symbol, .flags = KPROBE_FLAG_DISABLED };
	if (register_kprobe(kp))
		return false;
	/* Not needed any more, and gone soon. */
	kp->symbol_name = NULL;
	probes->all[probes->nr++] = kp;
	f->ip = (unsigned long)kp->addr;
	f->entry = f->ip;
	if (!is_entry(f->entry, name))
		f->entry -= TG_ENDBR_BYTES;
	return is_entry(f->entry, name);
}

static bool takes(const struct tg_btf *btf, u32 type, const char *want)
{
	if (!strcmp(want, "#"))
		return tg_btf_is_int(btf, type, 4);
	if (!strcmp(want, "##"))
		return tg_btf_is_int(btf, type, 8);
	return tg_btf_is_pointer(btf, type, want[0] ? want : NULL);
}

/* Held against BTF: the name alone does not tell that it is still the same. */
static bool is_expected(const struct tg_btf *btf, const char *name,
			const struct tg_stock_hook *h)
{
	u32 param[ARRAY_SIZE(h->param)];
	int n, i;

	if (!btf)
		return true;
	n = tg_btf_function(btf, name, param, ARRAY_SIZE(param));
	for (i = 0; i < (int)ARRAY_SIZE(param) && h->param[i]; i++)
		if (i >= n || !takes(btf, param[i], h->param[i]))
			return false;
	return n >= i;
}

static bool find_one(struct probes *probes, const struct tg_btf *btf, const char *name,
		     const struct tg_stock_hook *h, struct found *f,
		     const char **why)
{
	if (!name)
		return false;
	if (!look_up(probes, h->module ?: "nouveau", name, f) &&
	    !(h->module && look_up(probes, "", name, f))) {
		*why = "it is not there, or inlined";
		return false;
	}
	if (!h->module && !is_expected(btf, name, h)) {
		*why = "its parameters are others";
		return false;
	}
	if (ftrace_set_filter_ip(&ops_of[h->from], f->ip, 0, 0)) {
		*why = "ftrace cannot trace it";
		return false;
	}
	f->hook = h;
	return true;
}

static void free_filters(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(ops_of); i++)
		ftrace_free_filter(&ops_of[i]);
}

static void add_slot(const struct found *f)
{
	unsigned int i = slot_of(f->ip);

	while (slots[i])
		i = (i + 1) % NR_SLOTS;
	slots[i] = f;
}

int tg_stock_hooks_find(const struct tg_stock_hook *hooks,
			const struct tg_btf *btf)
{
	struct probes *probes = kzalloc(sizeof(*probes), GFP_KERNEL);
	int ret = 0;

	if (!probes)
		return -ENOMEM;
	memset(found, 0, sizeof(found));
	memset(slots, 0, sizeof(slots));
	WRITE_ONCE(released, false);
	for (unsigned int i = 0; i < ARRAY_SIZE(ops_of); i++)
		ops_of[i] = (struct ftrace_ops){
			.func = funcs[i],
			.flags = FTRACE_OPS_FL_PERMANENT |
				 (i == TG_SEE_ALL ? FTRACE_OPS_FL_SAVE_REGS :
						    FTRACE_OPS_FL_IPMODIFY),
		};
	sees_within = true;
	tg_compat_module_text(THIS_MODULE, &text_base, &text_size);
	for (int i = 0; i < TG_NR_FN; i++) {
		const struct tg_stock_hook *h = &hooks[i];
		const char *why = "";

		if (h->memory && !tg_param_vram)
			continue;
		found[i].other = find_one(probes, btf, h->or_else, h, &found[i], &why);
		if (!found[i].other &&
		    !find_one(probes, btf, h->name, h, &found[i], &why)) {
			found[i].hook = NULL;
			if (!h->required)
				continue;
			pr_err("cannot attach to this nouveau: no %s: %s\n",
			       h->name, why);
			ret = -ENOENT;
			continue;
		}
		add_slot(&found[i]);
	}
	free_probes(probes);
	if (ret)
		free_filters();
	return ret;
}

static int start(enum tg_see of)
{
	int ret;

	if (registered[of])
		return 0;
	ret = register_ftrace_function(&ops_of[of]);
	if (ret == -EBUSY)
		pr_err("cannot attach to this nouveau: somebody else (livepatch?) redirects its functions, or kernel.ftrace_enabled is 0\n");
	else if (ret)
		pr_err("cannot attach to this nouveau: ftrace: error %d\n", ret);
	registered[of] = !ret;
	return ret;
}

static void stop(enum tg_see of)
{
	if (registered[of])
		unregister_ftrace_function(&ops_of[of]);
	registered[of] = false;
}

/*
 * Whether it is seen what nouveau does within a call.  A filter that is empty would be of all
 * functions of the kernel; there is one in it that is hardly ever called.
 */
static int set_within(bool on)
{
	unsigned long ips[TG_NR_FN];
	unsigned int nr = 0;
	int ret;

	if (sees_within == on)
		return 0;
	if (!on)
		ips[nr++] = found[TG_FN_CHAN_FREE].ip;
	for (int i = 0; on && i < TG_NR_FN; i++)
		if (found[i].hook && found[i].hook->from == TG_SEE_ALL)
			ips[nr++] = found[i].ip;
	ret = ftrace_set_filter_ips(&ops_of[TG_SEE_ALL], ips, nr, 0, 1);
	if (ret)
		pr_err("ftrace: error %d\n", ret);
	else
		sees_within = on;
	return ret;
}

/* That, and no more, unless less cannot be set: that is no fault. */
static int see_just(enum tg_see see)
{
	int ret;

	lockdep_assert_held(&ops_mutex);
	if (see < TG_SEE_ALL)
		set_within(false);
	if (see < TG_SEE_CALLS)
		stop(TG_SEE_CALLS);
	ret = start(TG_SEE_CHANNELS);
	if (!ret && see >= TG_SEE_CALLS)
		ret = start(TG_SEE_CALLS);
	if (!ret && see >= TG_SEE_ALL)
		ret = set_within(true);
	return ret ?: start(TG_SEE_ALL);
}

int tg_stock_hooks_see(enum tg_see see, bool *anew)
{
	bool before;
	int ret;

	/* Before the lock: a call that need not be watched does not wait for it. */
	WRITE_ONCE(said, see);
	mutex_lock(&ops_mutex);
	before = registered[TG_SEE_CALLS];
	/* The last of them tells when it has read 0 here, or this reads what it has written. */
	WRITE_ONCE(sees_more, see == TG_SEE_CALLS);
	if (see == TG_SEE_CALLS && atomic_add_return(0, &nr_watched))
		see = TG_SEE_ALL;
	else
		WRITE_ONCE(sees_more, false);
	ret = see_just(see);
	if (anew)
		*anew = !before && registered[TG_SEE_CALLS];
	mutex_unlock(&ops_mutex);
	return ret;
}

bool tg_stock_hooks_watch(void)
{
	bool watched;

	if (READ_ONCE(said) == TG_SEE_CHANNELS)
		return false;
	mutex_lock(&ops_mutex);
	watched = READ_ONCE(said) != TG_SEE_CHANNELS;
	if (watched) {
		atomic_inc(&nr_watched);
		WRITE_ONCE(sees_more, sees_more || !sees_within);
		see_just(TG_SEE_ALL);
	}
	mutex_unlock(&ops_mutex);
	return watched;
}

void tg_stock_hooks_unwatch(void)
{
	if (atomic_dec_and_test(&nr_watched) && READ_ONCE(sees_more))
		tg_attach_see_again();
}

/*
 * A grace period of RCU tasks takes a tenth of a second when another was before: there are no
 * more than those of unregistering.  What may sleep goes first.  When that has left its read
 * section, the last grace period waits for its last instructions, too, as for what never sleeps.
 */
void tg_stock_hooks_release(void)
{
	WRITE_ONCE(released, true);
	mutex_lock(&ops_mutex);
	/* Nobody is watched any more: tg_stock_hooks_watch(). */
	WRITE_ONCE(said, TG_SEE_CHANNELS);
	mutex_unlock(&ops_mutex);
	stop(TG_SEE_CALLS);
}

void tg_stock_hooks_stop(void)
{
	stop(TG_SEE_CHANNELS);
	synchronize_srcu_expedited(&tg_stock_calls_srcu);
	if (registered[TG_SEE_ALL])
		stop(TG_SEE_ALL);
	else
		synchronize_rcu_tasks();
	free_filters();
}

void *tg_stock_original(enum tg_stock_fn fn)
{
	return (void *)found[fn].entry;
}

bool tg_stock_has(enum tg_stock_fn fn)
{
	return found[fn].hook;
}

bool tg_stock_has_other(enum tg_stock_fn fn)
{
	return found[fn].hook && found[fn].other;
}
