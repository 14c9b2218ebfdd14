// SPDX-License-Identifier: GPL-2.0-only
/*
 * Functions of a module that knows nothing of it are redirected, or seen when
 * they are entered, by ftrace, as livepatch does it.
 *
 * They share two struct ftrace_ops, since removing one takes grace periods of RCU
 * tasks: that of channels, and that of groups, which goes while nothing is
 * scheduled.  IPMODIFY: nobody else may redirect the same functions, which ftrace
 * sees to.  PERMANENT: kernel.ftrace_enabled=0 fails instead of unhooking silently.
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
#include <linux/string.h>

#include "../tg_compat.h"
#include "../tg_params.h"
#include "tg_stock.h"

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

static unsigned int slot_of(unsigned long ip)
{
	return (ip >> 4) % NR_SLOTS;
}

static void notrace redirect(unsigned long ip, unsigned long parent,
			     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	const struct found *f;
	unsigned int i;

	for (i = slot_of(ip); (f = slots[i]); i = (i + 1) % NR_SLOTS)
		if (f->ip == ip)
			break;
	if (!f)
		return;
	if (f->hook->enter)
		tg_compat_ftrace_enter(fregs, f->hook->enter);
	else if (parent - text_base >= text_size)
		tg_compat_ftrace_regs(fregs)->ip =
			(unsigned long)f->hook->replace;
}

#define FTRACE_OPS { \
	.func = redirect, \
	.flags = FTRACE_OPS_FL_IPMODIFY | FTRACE_OPS_FL_PERMANENT, \
}

static struct ftrace_ops channel_ops = FTRACE_OPS;
static struct ftrace_ops group_ops = FTRACE_OPS;
static bool seeing_channels, seeing_groups;

/* Whether @address is the very beginning of nouveau's @name. */
static bool is_entry(unsigned long address, const char *name)
{
	char want[64], is[KSYM_SYMBOL_LEN];

	snprintf(want, sizeof(want), "%s+0x0/", name);
	sprint_symbol(is, address);
	return !strncmp(is, want, strlen(want));
}

/*
 * The address of a function of nouveau's.  A disabled kprobe finds it without
 * touching it; where functions begin with ENDBR, the probe is behind that, and so
 * is the call of ftrace.
 */
static bool look_up(const char *name, struct found *f)
{
	char symbol[64];
	struct kprobe kp = {
		.symbol_name = symbol,
		.flags = KPROBE_FLAG_DISABLED,
	};

	snprintf(symbol, sizeof(symbol), "nouveau:%s", name);
	if (register_kprobe(&kp))
		return false;
	f->ip = (unsigned long)kp.addr;
	unregister_kprobe(&kp);
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

static bool find_one(const struct tg_btf *btf, const char *name,
		     const struct tg_stock_hook *h, struct found *f,
		     const char **why)
{
	if (!name)
		return false;
	if (!look_up(name, f)) {
		*why = "it is not there, or inlined";
		return false;
	}
	if (!is_expected(btf, name, h)) {
		*why = "its parameters are others";
		return false;
	}
	if (ftrace_set_filter_ip(h->always ? &channel_ops : &group_ops, f->ip,
				 0, 0)) {
		*why = "ftrace cannot trace it";
		return false;
	}
	f->hook = h;
	return true;
}

/* What ftrace_free_filter() has freed must not be found by the next attach. */
static void free_filters(void)
{
	ftrace_free_filter(&channel_ops);
	ftrace_free_filter(&group_ops);
	channel_ops = (struct ftrace_ops)FTRACE_OPS;
	group_ops = (struct ftrace_ops)FTRACE_OPS;
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
	int ret = 0;

	memset(found, 0, sizeof(found));
	memset(slots, 0, sizeof(slots));
	tg_compat_module_text(THIS_MODULE, &text_base, &text_size);
	for (int i = 0; i < TG_NR_FN; i++) {
		const struct tg_stock_hook *h = &hooks[i];
		const char *why = "";

		if (h->memory && !tg_param_vram)
			continue;
		found[i].other = find_one(btf, h->or_else, h, &found[i], &why);
		if (!found[i].other &&
		    !find_one(btf, h->name, h, &found[i], &why)) {
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
	if (ret)
		free_filters();
	return ret;
}

static int start(struct ftrace_ops *ops)
{
	int ret = register_ftrace_function(ops);

	if (ret == -EBUSY)
		pr_err("cannot attach to this nouveau: somebody else (livepatch?) redirects its functions, or kernel.ftrace_enabled is 0\n");
	else if (ret)
		pr_err("cannot attach to this nouveau: ftrace: error %d\n", ret);
	return ret;
}

int tg_stock_hooks_start(void)
{
	int ret = start(&channel_ops);

	seeing_channels = !ret;
	return ret ?: min(tg_stock_hooks_see_groups(true), 0);
}

int tg_stock_hooks_see_groups(bool see)
{
	int ret;

	if (see == seeing_groups)
		return 0;
	if (see) {
		ret = start(&group_ops);
		if (ret)
			return ret;
	} else {
		unregister_ftrace_function(&group_ops);
	}
	seeing_groups = see;
	return 1;
}

void tg_stock_hooks_stop(void)
{
	tg_stock_hooks_see_groups(false);
	if (seeing_channels)
		unregister_ftrace_function(&channel_ops);
	seeing_channels = false;
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
