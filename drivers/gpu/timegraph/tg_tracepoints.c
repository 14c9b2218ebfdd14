// SPDX-License-Identifier: GPL-2.0-only
/* The tracepoints, of which tg_trace.h has the declarations alone. */
#include "tg_chan.h"
#include "tg_client.h"
#include "tg_dev_group.h"
#include "tg_reservation.h"

#define CREATE_TRACE_POINTS
#include "tg_trace.h"
