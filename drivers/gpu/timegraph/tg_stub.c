// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an open file of /dev/timegraph becomes when the module goes.
 *
 * It needs file operations that stay, and answer.  The kernel proper has some: a
 * dynamic POSIX clock is a character device whose files outlive it, and answer
 * -ENODEV after posix_clock_unregister().  So each of our files is opened as a
 * file of such a clock, too, as misc_open() opens one a second time; which of the two
 * it is, its f_op and private_data say.  The clock has no number and no node, and so no
 * other files; of its device there is a folder in /sys/devices.  Its memory goes with
 * that, which the files hold.
 *
 * A poll(2) that has begun keeps an entry in the wait queue of our file until it
 * returns, and it may be held up by the next file in its list for as long as a user
 * likes.  Therefore the wait queue is a sync_file's, whose file it holds instead.
 */
#include <linux/dma-fence.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/platform_device.h>
#include <linux/posix-clock.h>
#include <linux/slab.h>

#include "tg_stub.h"

static const struct file_operations *clock_fops;
/* By which the clock is found when it is opened. */
static struct inode clock_inode;
static struct posix_clock *clock;

int tg_stub_init(void)
{
	struct platform_device *pdev;
	int ret;

	pdev = platform_device_alloc("timegraph", PLATFORM_DEVID_NONE);
	if (!pdev)
		return -ENOMEM;
	clock = kzalloc(sizeof(*clock), GFP_KERNEL);
	/* Freed with it. */
	pdev->dev.platform_data = clock;
	ret = clock ? dev_set_name(&pdev->dev, "timegraph") : -ENOMEM;
	if (!ret)
		ret = posix_clock_register(clock, &pdev->dev);
	if (ret) {
		platform_device_put(pdev);
		return ret;
	}
	clock_fops = clock->cdev.ops;
	clock_inode.i_cdev = &clock->cdev;
	return 0;
}

void tg_stub_exit(void)
{
	posix_clock_unregister(clock);
}

static struct sync_file *create_waiters(void)
{
	struct dma_fence *fence = dma_fence_get_stub();
	struct sync_file *waiters = sync_file_create(fence);

	dma_fence_put(fence);
	return waiters;
}

int tg_stub_open(struct tg_stub *stub, struct file *file)
{
	int ret;

	stub->waiters = create_waiters();
	if (!stub->waiters)
		return -ENFILE;
	ret = clock_fops->open(&clock_inode, file);
	if (ret)
		tg_stub_put(stub);
	else
		stub->data = file->private_data;
	return ret;
}

void tg_stub_close(struct tg_stub *stub, struct file *file)
{
	tg_stub_prepare(stub, file);
	clock_fops->release(&clock_inode, file);
	tg_stub_replace(file);
	tg_stub_put(stub);
}

void tg_stub_prepare(const struct tg_stub *stub, struct file *file)
{
	file->private_data = stub->data;
}

void tg_stub_replace(struct file *file)
{
	WRITE_ONCE(file->f_op, clock_fops);
}

/* The last time as wake_up_pollfree(), which modules cannot call. */
void tg_stub_wake(struct tg_stub *stub, bool last)
{
	__poll_t events = EPOLLHUP | EPOLLERR | (last ? POLLFREE : 0);

	__wake_up(&stub->waiters->wq, TASK_NORMAL, 0, poll_to_key(events));
}

void tg_stub_put(struct tg_stub *stub)
{
	fput(stub->waiters->file);
}

void tg_stub_poll_wait(struct tg_stub *stub, struct poll_table_struct *wait)
{
	poll_wait(stub->waiters->file, &stub->waiters->wq, wait);
}
