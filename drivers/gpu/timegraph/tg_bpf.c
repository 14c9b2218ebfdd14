// SPDX-License-Identifier: GPL-2.0-only
/*
 * Policies that are BPF programs: what the verifier is told, loading and ejecting.
 *
 * A program is bounded: the verifier walks all that it can do, a million instructions.  What
 * would get around that is refused here, for programs run with interrupts off: global
 * functions, which it looks at once however often they are called; may_goto and the
 * kernel's own functions, iterators among them; helpers that call back, or that take as long
 * as what they are given is large.
 */
#define pr_fmt(fmt) "timegraph: " fmt

#include <linux/bpf.h>
#include <linux/bpf_verifier.h>
#include <linux/btf.h>
#include <linux/btf_ids.h>
#include <linux/ctype.h>
#include <linux/filter.h>
#include <linux/math64.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "tg_bpf.h"
#include "tg_bpf_glue.h"
#include "tg_registry.h"

#define EJECT_CLAIMED 0
#define EJECT_TOLD 1

/* Protects what follows; outside of tg_client_mutex. */
static DEFINE_MUTEX(policies_mutex);
static LIST_HEAD(policies);
static struct workqueue_struct *wq;
static const char *why_not;

/* The policy that was ejected last, as it was then. */
static struct {
	char name[TIMEGRAPH_POLICY_NAME_LEN];
	char reason[TG_BPF_REASON];
	u64 nr_calls;
	struct tg_bpf_call call[TG_BPF_CALLS];
} last;

static const char *const op_names[] = {
	[TG_BPF_TASK_INIT] = "task_init",
	[TG_BPF_TASK_EXIT] = "task_exit",
	[TG_BPF_ENQUEUE] = "enqueue",
	[TG_BPF_PICK] = "pick",
	[TG_BPF_MAY_START] = "may_start",
	[TG_BPF_STARTED] = "started",
	[TG_BPF_COMPLETE] = "complete",
	[TG_BPF_TICK] = "tick",
};

const char *tg_bpf_op_name(enum tg_bpf_op op)
{
	return op < TG_NR_BPF_OPS ? op_names[op] : "?";
}

/*
 * What the verifier asks.
 */

/*
 * Those that are short, sleep never and call nothing back.
 *
 * The verifier counts a call as one instruction.  So none whose time grows with a size that
 * the program chooses, as that of all functions of maps does: keys and values may have
 * megabytes, and what a hash table has in one chain is its owner's choice.  Global variables
 * take their place, which are an array that user space sees too.
 */
static const struct bpf_func_proto *get_func_proto(enum bpf_func_id id,
						   const struct bpf_prog *prog)
{
	switch (id) {
	case BPF_FUNC_get_prandom_u32:
	case BPF_FUNC_ktime_get_ns:
	case BPF_FUNC_jiffies64:
	case BPF_FUNC_ringbuf_reserve:
	case BPF_FUNC_ringbuf_submit:
	case BPF_FUNC_ringbuf_discard:
	case BPF_FUNC_trace_printk:
		return bpf_base_func_proto(id, prog);
	default:
		return NULL;
	}
}

static bool is_valid_access(int off, int size, enum bpf_access_type type,
			    const struct bpf_prog *prog, struct bpf_insn_access_aux *info)
{
	return bpf_tracing_btf_ctx_access(off, size, type, prog, info);
}

static const struct bpf_verifier_ops verifier_ops = {
	.get_func_proto = get_func_proto,
	.is_valid_access = is_valid_access,
};

static int refuse(const struct bpf_prog *prog, const char *why)
{
	pr_info_ratelimited("policy refused: %s: %s\n", prog->aux->name, why);
	return -EINVAL;
}

static bool is_may_goto(const struct bpf_insn *insn)
{
#ifdef BPF_JCOND
	return insn->code == (BPF_JMP | BPF_JCOND);
#else
	return false;
#endif
}

BTF_ID_LIST_SINGLE(ops_id, struct, timegraph_policy_ops)

/*
 * Those of modules have a number, by which the program says of which.  Ids are as the module
 * was built; the kernel may have moved them when it was loaded, all by as much.
 */
static bool is_ours(const struct bpf_insn *insn, const struct bpf_prog *prog)
{
	u32 moved = prog->aux->attach_btf_id - ops_id[0];

	return insn->off && tg_bpf_is_kfunc(insn->imm - moved);
}

static int check_member(const struct btf_type *t, const struct btf_member *member,
			const struct bpf_prog *prog)
{
	const struct bpf_insn *insn;

	if (prog->sleepable)
		return refuse(prog, "it may sleep");
	for (u32 i = 1; prog->aux->func_info_aux && i < prog->aux->func_info_cnt; i++)
		if (prog->aux->func_info_aux[i].linkage == BTF_FUNC_GLOBAL)
			return refuse(prog, "it calls a global function: make it static");
	for (insn = prog->insnsi; insn < prog->insnsi + prog->len; insn++) {
		if (is_may_goto(insn))
			return refuse(prog, "it loops without a bound (may_goto)");
		if (insn->code == (BPF_JMP | BPF_CALL) &&
		    insn->src_reg == BPF_PSEUDO_KFUNC_CALL && !is_ours(insn, prog))
			return refuse(prog,
				      "it calls a function of the kernel's, not of timegraph");
	}
	return 0;
}

static bool is_name(const char *name)
{
	size_t len = strnlen(name, TIMEGRAPH_POLICY_NAME_LEN);

	if (!len || len == TIMEGRAPH_POLICY_NAME_LEN)
		return false;
	for (; *name; name++)
		if (!isalnum(*name) && *name != '_' && *name != '-')
			return false;
	return true;
}

static int init_member(const struct btf_type *t, const struct btf_member *member, void *kdata,
		       const void *udata)
{
	const struct timegraph_policy_ops *from = udata;
	struct timegraph_policy_ops *to = kdata;

	if (__btf_member_bit_offset(t, member) != 8 * offsetof(struct timegraph_policy_ops, name))
		return 0;
	if (!is_name(from->name))
		return -EINVAL;
	strscpy(to->name, from->name, sizeof(to->name));
	return 1;
}

static int init(struct btf *btf)
{
	return 0;
}

/*
 * Loading and ejecting.
 */

static struct tg_bpf_policy *find(const void *prog)
{
	struct tg_bpf_policy *p;

	lockdep_assert_held(&policies_mutex);
	list_for_each_entry(p, &policies, node)
		if (p->prog == prog)
			return p;
	return NULL;
}

static void put(struct tg_bpf_policy *p)
{
	if (refcount_dec_and_test(&p->ref))
		kfree(p);
}

/* Of the first GPU that has it. */
static void keep_calls(struct tg_device *td, void *policy)
{
	lockdep_assert_held(&policies_mutex);
	spin_lock_irq(&td->lock);
	if (td->bpf.policy == policy && !last.nr_calls) {
		last.nr_calls = td->bpf.nr_calls;
		memcpy(last.call, td->bpf.call, sizeof(last.call));
	}
	spin_unlock_irq(&td->lock);
}

static void keep_dump(struct tg_bpf_policy *p)
{
	lockdep_assert_held(&policies_mutex);
	memset(&last, 0, sizeof(last));
	strscpy(last.name, p->name, sizeof(last.name));
	strscpy(last.reason, p->reason, sizeof(last.reason));
	if (p->gpu)
		keep_calls(p->gpu, p);
	else
		tg_registry_for_each(keep_calls, p);
}

/* Its tasks go on by FQ at once; the programs go when nobody else holds them. */
static void eject_work(struct work_struct *work)
{
	struct tg_bpf_policy *p = container_of(work, struct tg_bpf_policy, work);
	struct bpf_link *link = NULL;

	mutex_lock(&policies_mutex);
	if (p->loaded) {
		pr_warn("policy %s ejected: %s\n", p->name, p->reason);
		keep_dump(p);
		link = bpf_link_inc_not_zero(p->link);
	}
	mutex_unlock(&policies_mutex);
	if (!IS_ERR_OR_NULL(link)) {
		link->ops->detach(link);
		bpf_link_put(link);
	}
	put(p);
}

void tg_bpf_fail(struct tg_bpf_policy *p, struct tg_device *td, const char *fmt, ...)
{
	va_list args;

	if (test_and_set_bit(EJECT_CLAIMED, &p->ejected))
		return;
	va_start(args, fmt);
	vsnprintf(p->reason, sizeof(p->reason), fmt, args);
	va_end(args);
	p->gpu = td;
	p->failed_ns = ktime_get_ns();
	refcount_inc(&p->ref);
	queue_work(wq, &p->work);
}

static int reg(void *kdata, struct bpf_link *link)
{
	const struct timegraph_policy_ops *prog = kdata;
	struct tg_bpf_policy *p;
	int ret;

	/* It is by the link that it can be ejected. */
	if (!link)
		return -EOPNOTSUPP;
	p = kzalloc(sizeof(*p), GFP_KERNEL);
	if (!p)
		return -ENOMEM;
	refcount_set(&p->ref, 1);
	INIT_WORK(&p->work, eject_work);
	p->prog = prog;
	p->link = link;
	p->ops = tg_bpf_ops;
	p->ops.name = p->name;
	strscpy(p->name, prog->name, sizeof(p->name));
	p->class.name = p->name;
	p->class.ops = &p->ops;
	/* Chosen at once it may fail at once: who ejects it waits until it is loaded. */
	mutex_lock(&policies_mutex);
	ret = tg_class_register(&p->class);
	if (!ret) {
		p->loaded = true;
		list_add_tail(&p->node, &policies);
	}
	mutex_unlock(&policies_mutex);
	if (ret) {
		kfree(p);
		return ret;
	}
	pr_info("policy %s loaded\n", p->name);
	return 0;
}

/* When it returns no program of the policy runs any more. */
static void unreg(void *kdata, struct bpf_link *link)
{
	struct tg_bpf_policy *p;

	mutex_lock(&policies_mutex);
	p = find(kdata);
	if (p) {
		list_del(&p->node);
		p->loaded = false;
	}
	mutex_unlock(&policies_mutex);
	if (!p)
		return;
	tg_class_unregister(&p->class, test_bit(EJECT_CLAIMED, &p->ejected));
	if (test_bit(EJECT_CLAIMED, &p->ejected))
		pr_info("policy %s unloaded %llu ms after that: %s\n", p->name,
			div_u64(ktime_get_ns() - p->failed_ns, NSEC_PER_MSEC), p->reason);
	else
		pr_info("policy %s unloaded\n", p->name);
	put(p);
}

int tg_bpf_eject(const char *name)
{
	struct tg_bpf_policy *p, *found = NULL;

	mutex_lock(&policies_mutex);
	list_for_each_entry(p, &policies, node)
		if (!strcmp(p->name, name))
			found = p;
	if (found)
		tg_bpf_fail(found, NULL, "asked for");
	mutex_unlock(&policies_mutex);
	if (!found)
		return -ENOENT;
	flush_workqueue(wq);
	return 0;
}

/*
 * Who is loaded.
 */

static void show_calls(struct seq_file *m, const struct tg_bpf_call *call, u64 nr)
{
	for (u64 i = nr > TG_BPF_CALLS ? nr - TG_BPF_CALLS : 0; i < nr; i++) {
		const struct tg_bpf_call *c = &call[i % TG_BPF_CALLS];

		seq_printf(m, "  call %llu %s task=%llu answer=%llu ns=%u\n", c->at_ns,
			   tg_bpf_op_name(c->op), c->task, c->answer, c->ns);
	}
}

static void show_on(struct tg_device *td, void *arg)
{
	struct tg_bpf_gpu *b = &td->bpf;
	char name[TIMEGRAPH_COMM_LEN];
	struct seq_file *m = arg;

	tg_class_name(td, name);
	seq_printf(m, "gpu %s %s\n", dev_name(td->dev), name);
	spin_lock_irq(&td->lock);
	if (b->policy)
		seq_printf(m, "  policy %s tasks=%u\n", b->policy->name, b->nr_tasks);
	for (unsigned int op = 0; op < TG_NR_BPF_OPS; op++)
		if (b->count[op])
			seq_printf(m, "  op %s calls=%llu ns=%llu max_ns=%u\n", op_names[op],
				   b->count[op], b->sum_ns[op], b->max_ns[op]);
	if (b->policy)
		show_calls(m, b->call, b->nr_calls);
	spin_unlock_irq(&td->lock);
}

void tg_bpf_show(struct seq_file *m)
{
	struct tg_bpf_policy *p;

	seq_printf(m, "bpf %s\n", why_not ?: "yes");
	mutex_lock(&policies_mutex);
	list_for_each_entry(p, &policies, node)
		seq_printf(m, "loaded %s%s\n", p->name, p->ejected ? " ejected" : "");
	if (last.name[0]) {
		seq_printf(m, "ejected %s %s\n", last.name, last.reason);
		show_calls(m, last.call, last.nr_calls);
	}
	mutex_unlock(&policies_mutex);
	tg_registry_for_each(show_on, m);
}

/*
 * Where a program leaves a function out nothing is called; the kernel wants to know what it
 * would look like.  It finds these by their names, among all of the kernel's.
 */

static void tg_bpf_stub_task(struct timegraph_policy_gpu *gpu,
			     const struct timegraph_policy_task *task)
{
}

static void tg_bpf_stub_group(struct timegraph_policy_gpu *gpu,
			      const struct timegraph_policy_group *group)
{
}

static u64 tg_bpf_stub_key(struct timegraph_policy_gpu *gpu,
			   const struct timegraph_policy_group *group)
{
	return 0;
}

static bool tg_bpf_stub_may(struct timegraph_policy_gpu *gpu,
			    const struct timegraph_policy_task *task)
{
	return true;
}

static void tg_bpf_stub_tick(struct timegraph_policy_gpu *gpu)
{
}

static struct timegraph_policy_ops stubs = {
	.task_init = tg_bpf_stub_task,
	.task_exit = tg_bpf_stub_task,
	.enqueue = tg_bpf_stub_key,
	.pick = tg_bpf_stub_key,
	.may_start = tg_bpf_stub_may,
	.started = tg_bpf_stub_group,
	.complete = tg_bpf_stub_group,
	.tick = tg_bpf_stub_tick,
};

static struct bpf_struct_ops struct_ops = {
	.verifier_ops = &verifier_ops,
	.init = init,
	.check_member = check_member,
	.init_member = init_member,
	.reg = reg,
	.unreg = unreg,
	.cfi_stubs = &stubs,
	.name = "timegraph_policy_ops",
	.owner = THIS_MODULE,
};

void tg_bpf_start(struct tg_device *td)
{
	tg_bpf_glue_start(td);
}

void tg_bpf_stop(struct tg_device *td)
{
	tg_bpf_glue_stop(td);
}

void tg_bpf_init(void)
{
	if (!THIS_MODULE->btf_data_size) {
		why_not = "no: timegraph.ko was built without BTF";
		return;
	}
	wq = alloc_workqueue("timegraph_policy", WQ_UNBOUND, 0);
	if (!wq || tg_bpf_kfunc_init() ||
	    register_bpf_struct_ops(&struct_ops, timegraph_policy_ops))
		why_not = "no: the kernel refused (see its log)";
}

void tg_bpf_exit(void)
{
	if (wq)
		destroy_workqueue(wq);
}
