// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a channel tells, by its provider, its scratch area, and the word that it has in memory
 * which all channels have in common.
 */
#include <linux/dma-fence.h>
#include <linux/io.h>
#include <linux/kernel.h>

#include "tg_chan.h"
#include "tg_told.h"

static u32 read_ref(const struct tg_chan *chan)
{
	return chan->hc->ops->ref(chan->hc);
}

/* Reads a stamp if the semaphore was released with @value. */
static bool read_stamp(const struct tg_chan *chan, u32 index, u32 value,
		       u64 *ns)
{
	const u32 *page = READ_ONCE(chan->hc->scratch_cpu);
	const u32 *p = page + index * (TG_HOOK_STAMP_BYTES / sizeof(u32));

	if (!page || READ_ONCE(p[0]) != value)
		return false;
	/* The value is written with the time: pairs with nothing but the bus. */
	dma_rmb();
	*ns = READ_ONCE(p[2]) | (u64)READ_ONCE(p[3]) << 32;
	return true;
}

static bool read_finish(const struct tg_chan *chan, u32 stamp, u64 *ns)
{
	return read_stamp(chan, tg_stamp_index(stamp), stamp, ns);
}

static bool read_switch(const struct tg_chan *chan, u64 *ns)
{
	u64 before, after;

	if (!read_stamp(chan, TG_STAMP_BEFORE_SWITCH, 1, &before) ||
	    !read_stamp(chan, TG_STAMP_AFTER_SWITCH, 1, &after) || after < before)
		return false;
	*ns = after - before;
	return true;
}

static void charge(const struct tg_chan *chan, u64 ns)
{
	if (chan->hc->ops->charge)
		chan->hc->ops->charge(chan->hc, ns);
}

static int engine(const struct tg_chan *chan)
{
	return chan->hc->ops->engine ? chan->hc->ops->engine(chan->hc) : -ENODEV;
}

static u32 context(const struct tg_chan *chan)
{
	return chan->hc->ops->context ? chan->hc->ops->context(chan->hc) : 0;
}

static u32 engine_context(const struct tg_chan *chan)
{
	return chan->hc->ops->engine_context ? chan->hc->ops->engine_context(chan->hc) : 0;
}

static bool number(const struct tg_chan *chan, u32 *nr)
{
	return chan->hc->ops->number && chan->hc->ops->number(chan->hc, nr);
}

static struct dma_fence *newest(const struct tg_chan *chan)
{
	return chan->hc->ops->newest(chan->hc);
}

static bool busy(const struct tg_chan *chan)
{
	return chan->hc->ops->busy(chan->hc);
}

static const struct tg_hook_chan *hc_of(const struct tg_word *word)
{
	return container_of(word, struct tg_chan, word)->hc;
}

static bool word_exists(const struct tg_word *word)
{
	return READ_ONCE(hc_of(word)->words);
}

static u32 read_word(const struct tg_word *word)
{
	return readl(hc_of(word)->words_cpu + word->chid * TG_HOOK_STAMP_BYTES);
}

static void write_word(const struct tg_word *word, int chid, u32 value)
{
	writel(value, hc_of(word)->words_cpu + chid * TG_HOOK_STAMP_BYTES);
	/* It may be write-combined. */
	wmb();
}

static bool read_let_in(const struct tg_word *word, u32 turn, u64 *ns)
{
	return read_stamp(container_of(word, struct tg_chan, word), TG_STAMP_LET_IN, turn, ns);
}

static bool read_word_finish(const struct tg_word *word, u32 stamp, u64 *ns)
{
	return read_finish(container_of(word, struct tg_chan, word), stamp, ns);
}

static u64 read_word_now(const struct tg_word *word)
{
	const struct tg_hook_chan *hc = hc_of(word);

	return hc->ops->time(hc);
}

/* The next group of the channel writes there, too: then this one's time is gone. */
static bool read_mark(const struct tg_chan *chan, u32 mark, u64 *ns)
{
	const void __iomem *p = chan->hc->words_cpu + chan->chid * TG_HOOK_STAMP_BYTES;

	if (readl(p) != mark)
		return false;
	*ns = readl(p + 8) | (u64)readl(p + 12) << 32;
	return readl(p) == mark;
}

const struct tg_word_ops tg_word_ops = {
	.exists = word_exists,
	.read = read_word,
	.write = write_word,
	.finish = read_word_finish,
	.now = read_word_now,
	.let_in = read_let_in,
};

const struct tg_chan_ops tg_chan_ops = {
	.ref = read_ref,
	.stamp = read_finish,
	.mark = read_mark,
	.switch_time = read_switch,
	.charge = charge,
	.engine = engine,
	.context = context,
	.engine_context = engine_context,
	.number = number,
	.newest = newest,
	.busy = busy,
};
