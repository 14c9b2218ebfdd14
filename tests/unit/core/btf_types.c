// SPDX-License-Identifier: GPL-2.0-or-later
/* Compiled with -gbtf; see btf_types.h. */
#include "btf_types.h"

struct bt_channel bt_channel;

int bt_function(struct bt_channel *chan, const int slots, void *what)
{
	return what ? slots : chan->chid;
}
