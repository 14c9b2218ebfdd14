// SPDX-License-Identifier: GPL-2.0-only
/* What the specification can know a program by. */
#include <linux/cgroup.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm_types.h>
#include <linux/rcupdate.h>
#include <linux/stat.h>
#include <linux/string.h>

#include "tg_cgroup.h"
#include "tg_compat.h"
#include "tg_program.h"

/*
 * As stat() tells it: on btrfs and overlayfs inodes of different files can have the same
 * number and file system.  Without a word to the file's server: that may be anybody's.
 */
struct tg_spec_file tg_program_file(const struct file *file)
{
	struct tg_spec_file id = { };
	struct kstat st;

	if (!vfs_getattr_nosec(&file->f_path, &st, STATX_INO,
			       AT_STATX_DONT_SYNC)) {
		id.dev = st.dev;
		id.ino = st.ino;
	}
	return id;
}

static void look_at_file(struct tg_program *prog)
{
	struct file *file = tg_compat_exe_file();

	if (!file)
		return;
	snprintf(prog->exe, sizeof(prog->exe), "%pD", file);
	prog->file = tg_program_file(file);
	fput(file);
}

static void look_at_cgroup(struct tg_program *prog, struct pid *pid)
{
#ifdef CONFIG_CGROUPS
	struct task_struct *task;

	rcu_read_lock();
	/* Who is dead, as a first thread can be, stays where he was. */
	task = task_tgid(current) == pid ? current : pid_task(pid, PIDTYPE_TGID);
	/* What is too long to be named is still within what can be; two characters a level. */
	if (task)
		tg_cgroup_path_within(task_dfl_cgroup(task), sizeof(prog->cgroup) / 2,
				      prog->cgroup, sizeof(prog->cgroup));
	rcu_read_unlock();
#endif
}

void tg_program_look(struct tg_program *prog, struct pid *pid)
{
	memset(prog, 0, sizeof(*prog));
	if (task_tgid(current) == pid)
		look_at_file(prog);
	look_at_cgroup(prog, pid);
}

struct tg_spec_program tg_program_match(const struct tg_program *prog,
					const char *comm, kuid_t uid)
{
	return (struct tg_spec_program){
		.comm = comm,
		.exe = prog->exe[0] ? prog->exe : NULL,
		.cgroup = prog->cgroup[0] ? prog->cgroup : NULL,
		.file = prog->file,
		.uid = uid_valid(uid) ? from_kuid(&init_user_ns, uid) :
					TG_SPEC_NO_UID,
	};
}
