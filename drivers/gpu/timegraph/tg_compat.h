/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between kernels, by feature and never by version: Kbuild looks
 * for each feature in the headers and defines TG_HAVE_*.
 */
#ifndef TG_COMPAT_H
#define TG_COMPAT_H

#include <linux/dma-fence.h>
#include <linux/fs.h>
#ifdef TG_HAVE_INIT_FS
#include <linux/fs_struct.h>
#endif
#include <linux/mm_types.h>
#include <linux/hrtimer.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/stat.h>
#include <linux/workqueue.h>
#include <linux/xattr.h>

#ifdef TG_HAVE_SYSTEM_DFL_WQ
#define tg_compat_unbound_wq system_dfl_wq
#else
#define tg_compat_unbound_wq system_unbound_wq
#endif

static inline void
tg_compat_hrtimer_setup(struct hrtimer *timer,
			enum hrtimer_restart (*fn)(struct hrtimer *),
			clockid_t clock, enum hrtimer_mode mode)
{
#ifdef TG_HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, fn, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = fn;
#endif
}

/*
 * Whether the GPU has passed the fence.  Unlike dma_fence_is_signaled() this does
 * not signal it: its lock is not taken, no callback is called.
 */
static inline bool tg_compat_fence_passed(struct dma_fence *fence)
{
	const struct dma_fence_ops *ops;
	bool passed;

	if (test_bit(DMA_FENCE_FLAG_SIGNALED_BIT, &fence->flags))
		return true;
	rcu_read_lock();
#ifdef TG_HAVE_FENCE_RCU_OPS
	ops = rcu_dereference(fence->ops);
#else
	ops = fence->ops;
#endif
	passed = ops && ops->signaled && ops->signaled(fence);
	rcu_read_unlock();
	return passed;
}

/* The executable of the current process, with a reference, or NULL. */
static inline struct file *tg_compat_exe_file(void)
{
	struct file *file = NULL;

	if (!current->mm)
		return NULL;
	rcu_read_lock();
#ifdef TG_HAVE_FILE_RCU_POINTER
	if (rcu_access_pointer(current->mm->exe_file))
		file = get_file_rcu(&current->mm->exe_file);
#else
	file = rcu_dereference(current->mm->exe_file);
	if (file && !get_file_rcu(file))
		file = NULL;
#endif
	rcu_read_unlock();
	return file;
}

/* Opens a file of the system's for a kernel thread, whose own root is empty since 7.3. */
static inline struct file *tg_compat_open_system_file(const char *path, int flags)
{
	struct file *file;

#ifdef TG_HAVE_INIT_FS
	scoped_with_init_fs()
		file = filp_open(path, flags, 0);
#else
	file = filp_open(path, flags, 0);
#endif
	return file;
}

/* Counts the changes of a file, where its file system does; in the kernel since 6.3. */
#ifdef STATX_CHANGE_COOKIE
#define TG_COMPAT_CHANGE_COOKIE STATX_CHANGE_COOKIE
#else
#define TG_COMPAT_CHANGE_COOKIE 0
#endif

static inline u64 tg_compat_change_cookie(const struct kstat *st)
{
#ifdef STATX_CHANGE_COOKIE
	if (st->result_mask & STATX_CHANGE_COOKIE)
		return st->change_cookie;
#endif
	return 0;
}

/* Exported for longer than it has been declared for modules. */
#ifndef TG_HAVE_PATH_LOOKUP
int vfs_path_lookup(struct dentry *dentry, struct vfsmount *mnt, const char *name,
		    unsigned int flags, struct path *path);
#endif

/* An extended attribute in a mount whose users are the system's; as vfs_getxattr(). */
static inline ssize_t tg_compat_getxattr(struct dentry *dentry, const char *name,
					 void *value, size_t size)
{
#ifdef TG_HAVE_MNT_IDMAP
	return vfs_getxattr(&nop_mnt_idmap, dentry, name, value, size);
#else
	return vfs_getxattr(&init_user_ns, dentry, name, value, size);
#endif
}

/* In TP_fast_assign(): the source is that of the field since 6.10. */
#ifdef TG_HAVE_ASSIGN_STR_1
#define tg_compat_assign_str(field, src) __assign_str(field)
#else
#define tg_compat_assign_str(field, src) __assign_str(field, src)
#endif

#ifdef CONFIG_X86_64
#include <linux/ftrace.h>
#include <linux/module.h>

/* Of ENDBR64, with which functions may begin. */
#define TG_ENDBR_BYTES 4

static inline struct pt_regs *tg_compat_ftrace_regs(struct ftrace_regs *fregs)
{
#ifdef TG_HAVE_ARCH_FTRACE_REGS
	return &arch_ftrace_regs(fregs)->regs;
#else
	return &fregs->regs;
#endif
}

/*
 * Calls @enter with the first four arguments of the traced function, and has it
 * called with what @enter makes of them: ftrace's trampoline restores the
 * registers of arguments from where it saved them, also without SAVE_REGS.
 */
static __always_inline void
tg_compat_ftrace_enter(struct ftrace_regs *fregs,
		       void (*enter)(unsigned long *args))
{
	struct pt_regs *regs = tg_compat_ftrace_regs(fregs);
	unsigned long args[4] = { regs->di, regs->si, regs->dx, regs->cx };

	enter(args);
	regs->di = args[0];
	regs->si = args[1];
	regs->dx = args[2];
	regs->cx = args[3];
}

/* Where a module's code lies. */
static inline void tg_compat_module_text(const struct module *mod,
					 unsigned long *base,
					 unsigned long *size)
{
#ifdef TG_HAVE_MODULE_MEMORY
	*base = (unsigned long)mod->mem[MOD_TEXT].base;
	*size = mod->mem[MOD_TEXT].size;
#else
	*base = (unsigned long)mod->core_layout.base;
	*size = mod->core_layout.text_size;
#endif
}
#endif /* CONFIG_X86_64 */

#endif
