// SPDX-License-Identifier: GPL-2.0-or-later
#include "occupancy.h"

/* A run in the log is not longer than this. */
#define RUN_LOG_NS	1000000

void nvsim_occupancy_init(struct nvsim_occupancy *o, struct nvsim_bus *bus)
{
	o->bus = bus;
}

bool nvsim_occupancy_open(struct nvsim_occupancy *o, const char *path)
{
	o->log = fopen(path, "w");
	if (!o->log)
		return false;
	fputs("# nvsim occupancy 1\n"
	      "# chan SERIAL CHID INSTANCE VIRT_NS PTIMER_NS   activated\n"
	      "# run SERIAL CHID START_VIRT_NS END_VIRT_NS BUSY_NS   busy without gap; "
	      "BUSY_NS counts from activation\n", o->log);
	return true;
}

static void flush(struct nvsim_occupancy *o)
{
	if (o->log && o->serial)
		fprintf(o->log, "run %u %u %llu %llu %llu\n", o->serial, o->chid,
			(unsigned long long)o->start, (unsigned long long)o->end,
			(unsigned long long)o->busy);
	o->serial = 0;
}

void nvsim_occupancy_close(struct nvsim_occupancy *o)
{
	flush(o);
	if (o->log)
		fclose(o->log);
}

void nvsim_occupancy_chan(struct nvsim_occupancy *o, const struct nvsim_chan *c)
{
	uint64_t now = nvsim_now(o->bus);

	flush(o);
	if (o->log)
		fprintf(o->log, "chan %u %u %08llx %llu %llu\n", c->serial, c->gr.chid,
			(unsigned long long)c->gr.inst, (unsigned long long)now,
			(unsigned long long)nvsim_ptimer_at(o->bus, now));
}

void nvsim_occupancy_charge(struct nvsim_occupancy *o, struct nvsim_chan *c, uint64_t ns)
{
	if (!ns)
		return;
	if (o->serial != c->serial || o->end != o->bus->gpu_ns ||
	    o->end - o->start >= RUN_LOG_NS) {
		flush(o);
		o->serial = c->serial;
		o->chid = c->gr.chid;
		o->start = o->bus->gpu_ns;
	}
	o->bus->gpu_ns += ns;
	c->busy_ns += ns;
	o->end = o->bus->gpu_ns;
	o->busy = c->busy_ns;
}
