// SPDX-License-Identifier: GPL-2.0-only
/* Channels. */
#include <linux/err.h>
#include <linux/slab.h>

#include "tg_chan.h"
#include "tg_class.h"
#include "tg_client.h"
#include "tg_device.h"
#include "tg_registry.h"
#include "tg_trace.h"

struct tg_chan *tg_chan_create(const struct tg_chan_args *args)
{
	struct tg_chan *chan;
	struct tg_device *td;

	td = tg_registry_get(args->dev);
	chan = kzalloc(sizeof(*chan), GFP_KERNEL);
	if (!td || !chan)
		goto err_free;
	chan->ops = args->ops;
	chan->hc = args->hc;
	chan->chid = args->chid;
	chan->polled = args->polled;
	tg_ring_init(&chan->ring);
	tg_freerun_chan_init(&chan->freerun, args->pass);
	chan->older = args->older;
	chan->epoch = READ_ONCE(td->epoch);
	tg_registry_describe(td, args->chipset, args->polled);
	tg_cmdstream_init(&chan->stream, args->tesla ? TG_CMDSTREAM_TESLA :
						       TG_CMDSTREAM_FERMI);

	chan->client = tg_client_join(td, args->pid, args->comm);
	if (!chan->client)
		goto err_free;
	/* The files were looked at. */
	tg_class_follow();
	chan->word = (struct tg_word){
		.ops = args->word_ops,
		.chid = args->chid,
		.not_before_ns = &chan->client->staged_ns,
	};
	trace_tg_channel(chan, true);
	return chan;

err_free:
	kfree(chan);
	return ERR_PTR(-ENOMEM);
}

void tg_chan_destroy(struct tg_chan *chan)
{
	struct tg_device *td = chan->client->td;

	trace_tg_channel(chan, false);
	spin_lock_irq(&td->lock);
	chan->client->nr_refused -= chan->ring.refused;
	spin_unlock_irq(&td->lock);
	tg_client_leave(chan->client);
	kfree(chan);
}
