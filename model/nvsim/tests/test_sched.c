// SPDX-License-Identifier: GPL-2.0-or-later
/* Turns, time, interrupts of PGRAPH, injected faults, determinism: in virtual time. */
#include "machine.h"

#define SEM	(VA_RAM + 0xd00000)
#define SEM_RAM	0xd00000

static struct machine *m;
static struct chan *c[8];

static void up(const char *fault, unsigned int chans)
{
	unsigned int i;

	m = machine_new(fault);
	for (i = 0; i < chans; i++) {
		c[i] = chan_new(m, i + 1);
		bind(c[i]);
		kick(c[i]);
	}
	listed(m, 1, chans);
	run_for(m, 1000000);
}

static void down(void)
{
	unsigned int i;

	for (i = 0; i < 8; i++) {
		free(c[i]);
		c[i] = NULL;
	}
	machine_free(m);
}

static uint64_t busy(unsigned int i)
{
	return chan_state(m, i + 1)->busy_ns;
}

/* n groups of some lines each, all queued at once. */
static void load(unsigned int i, unsigned int n, uint32_t lines)
{
	while (n--) {
		work(c[i], lines);
		fence(c[i], SEM + i * 16, n);
		kick(c[i]);
	}
}

static void drain_irqs(void)
{
	wr(m, 0x2100, 0x40000000);
}

/* The work takes the time it costs, neither more nor less. */
static bool work_lasts_its_cost(void)
{
	bool ok = true;
	uint64_t t0, t;

	up(NULL, 1);
	work(c[0], 1000);
	fence(c[0], SEM, 1);
	t0 = m->now;
	kick(c[0]);
	run_until(m, t0 + 1000 * LINE_NS);
	EXPECT(rr(m, SEM_RAM) == 0 && !m->irq);
	run_until(m, t0 + 1000 * LINE_NS + 50000);
	EXPECT(rr(m, SEM_RAM) == 1 && m->irq);
	t = rr(m, SEM_RAM + 8) | (uint64_t)rr(m, SEM_RAM + 12) << 32;
	EXPECT(t >= t0 + 1000 * LINE_NS && t < t0 + 1000 * LINE_NS + 30000);
	down();
	return ok;
}

/* Cheap methods cost the host few timers. */
static bool cheap_methods_run_ahead(void)
{
	bool ok = true;
	uint32_t i;

	up(NULL, 1);
	for (i = 0; i < 5000; i++)
		mthd1(c[0], 5, 0x100, 0);
	mthd1(c[0], 0, 0x50, 1);
	m->timers = 0;
	kick(c[0]);
	run_for(m, 1000000);
	EXPECT(userd(c[0], 0x48) == 1);
	EXPECT(m->timers > 5 && m->timers < 100);
	down();
	return ok;
}

/*
 * Equal slices: equal shares, however long the groups are, up to the overrun
 * of a slice's last method (1.5 ms of 2.1 ms for the first channel).
 */
static bool shares_are_equal(void)
{
	uint64_t before[3], used[3], sum = 0;
	unsigned int i;
	bool ok = true;

	up(NULL, 3);
	load(0, 20, 3000);
	load(1, 50, 1200);
	load(2, 60, 1000);
	for (i = 0; i < 3; i++)
		before[i] = busy(i);
	run_for(m, 48000000);
	for (i = 0; i < 3; i++) {
		used[i] = busy(i) - before[i];
		sum += used[i];
	}
	EXPECT(sum > 47900000 && sum < 51000000);
	for (i = 0; i < 3; i++) {
		if (used[i] * 100 < sum * 26 || used[i] * 100 > sum * 41)
			printf("# channel %u: %llu of %llu ns\n", i, (unsigned long long)used[i],
			       (unsigned long long)sum);
		EXPECT(used[i] * 100 >= sum * 26 && used[i] * 100 <= sum * 41);
	}
	drain_irqs();
	down();
	return ok;
}

/* RAMFC+44 is the slice: twice the slice is twice the share. */
static bool slice_sets_the_share(void)
{
	bool ok = true;
	uint64_t b0, b1;

	m = machine_new(NULL);
	c[0] = chan_new_slice(m, 1, 0x01003fff);
	c[1] = chan_new_slice(m, 2, 0x01001fff);
	listed(m, 1, 2);
	bind(c[0]);
	bind(c[1]);
	load(0, 60, 500);
	load(1, 60, 500);
	run_for(m, 1000000);
	b0 = busy(0), b1 = busy(1);
	run_for(m, 13000000);
	b0 = busy(0) - b0, b1 = busy(1) - b1;
	EXPECT(b0 * 10 > b1 * 17 && b0 * 10 < b1 * 23);
	down();
	return ok;
}

/* A single method is never interrupted, however long. */
static bool methods_are_not_preempted(void)
{
	bool ok = true;
	uint64_t t0;

	up(NULL, 2);
	t0 = m->now;
	load(0, 1, 20000);
	load(1, 1, 1);
	run_until(m, t0 + 20000 * LINE_NS - 1000);
	EXPECT(chan_state(m, 2)->gr.releases == 0 && chan_state(m, 1)->gr.releases == 0);
	run_for(m, 200000);
	EXPECT(chan_state(m, 2)->gr.releases == 1 && chan_state(m, 1)->gr.releases == 1);
	down();
	return ok;
}

static bool idle_channel_gives_its_turn(void)
{
	bool ok = true;
	uint64_t b1;

	up(NULL, 2);
	load(1, 20, 1000);
	b1 = busy(1);
	run_for(m, 5000000);
	EXPECT(busy(1) - b1 > 4900000);
	down();
	return ok;
}

static void notify(struct chan *ch, uint32_t tag)
{
	mthd1(ch, 5, 0x110, 0);
	mthd1(ch, 0, 0x50, tag);
	mthd1(ch, 5, 0x110, 0);
	mthd1(ch, 5, 0x104, 1);
	mthd1(ch, 5, 0x100, tag);
}

/* What nv50_gr_intr does. rnndb/graph/g80_pgraph/pgraph.xml */
static uint32_t gr_intr(void)
{
	uint32_t stat = rd(m, 0x400100);

	if (stat & 0x00200000) {
		rd(m, 0x400108);
		wr(m, 0x406800, 0xc0000000);
		wr(m, 0x400108, 2);
	}
	wr(m, 0x400100, stat);
	wr(m, 0x400500, 0x00010001);
	return stat;
}

/*
 * The scheduler's trailer: REF first, then the interrupt, PGRAPH stops.
 * rnndb/bus/pmc.xml, rnndb/graph/g80_pgraph/pgraph.xml
 */
static bool notify_stops_until_resumed(void)
{
	bool ok = true;

	up(NULL, 2);
	work(c[0], 100);
	notify(c[0], 55);
	work(c[0], 10);
	fence(c[0], SEM, 9);
	kick(c[0]);
	run_for(m, 100 * LINE_NS - 1000);
	EXPECT(!m->irq && userd(c[0], 0x48) == 0);
	run_for(m, 200000);
	EXPECT(userd(c[0], 0x48) == 55);
	EXPECT(m->irq && (rd(m, 0x100) & 0x1000));
	EXPECT(rd(m, 0x400100) == 1);
	EXPECT(rd(m, 0x40032c) == (0x80000000 | c[0]->inst >> 12));
	EXPECT(rd(m, 0x400704) == (5 << 16 | 0x100) && rd(m, 0x400708) == 55);
	EXPECT(rd(m, 0x400814) == 0x5039);
	EXPECT(rr(m, SEM_RAM) == 0);
	load(1, 1, 10);
	run_for(m, 200000);
	EXPECT(chan_state(m, 2)->gr.releases == 0);	/* nobody else gets through */
	gr_intr();
	EXPECT(!m->irq);
	run_for(m, 200000);
	EXPECT(rr(m, SEM_RAM) == 9 && chan_state(m, 2)->gr.releases == 1);
	down();
	return ok;
}

/* rnndb/graph/g80_pgraph/pgraph.xml, rnndb/memory/g80_pfb.xml */
static bool trap_reports_the_vm_fault(void)
{
	bool ok = true;

	up(NULL, 1);
	work(c[0], 1);
	rw(m, c[0]->pb + c[0]->pb_put - 32, 0x40000000);	/* OFFSET_IN */
	fence(c[0], SEM, 9);
	kick(c[0]);
	run_for(m, 100000);
	EXPECT(rd(m, 0x400100) == 0x00200000 && rd(m, 0x400108) == 2);
	EXPECT(rd(m, 0x406800) == 0x80000002);
	EXPECT(rd(m, 0x100c90) & 0x80000000);
	EXPECT(rr(m, SEM_RAM) == 0);
	gr_intr();
	EXPECT(rd(m, 0x400108) == 0 && rd(m, 0x406800) == 0x80000000);
	run_for(m, 100000);
	EXPECT(rr(m, SEM_RAM) == 9);
	down();
	return ok;
}

/*
 * g84_gr_tlb_flush: dispatch off, wait for idle, flush, dispatch on.
 * rnndb/graph/g80_pgraph/pgraph.xml
 */
static bool dispatch_can_be_stopped(void)
{
	bool ok = true;

	up(NULL, 1);
	work(c[0], 100);
	work(c[0], 100);
	fence(c[0], SEM, 1);
	kick(c[0]);
	run_for(m, 10 * LINE_NS);
	wr(m, 0x400500, 0x00010000);
	EXPECT((rd(m, 0x400380) & 7) == 1 && (rd(m, 0x400700) & 1));
	run_for(m, 110 * LINE_NS);
	EXPECT(rd(m, 0x400380) == 0 && rd(m, 0x400700) == 0);
	run_for(m, 1000000);
	EXPECT(rr(m, SEM_RAM) == 0);
	wr(m, 0x400500, 0x00010001);
	run_for(m, 110 * LINE_NS);
	EXPECT(rr(m, SEM_RAM) == 1);
	down();
	return ok;
}

/* rnndb/fifo/g80_pfifo.xml, nouveau:engine/fifo/nv50.c */
static bool injected_hang_spares_others(void)
{
	bool ok = true;

	up("hang@1:2", 2);
	load(0, 3, 10);
	load(1, 3, 10);
	run_for(m, 5000000);
	EXPECT(chan_state(m, 1)->gr.releases == 1 && chan_state(m, 2)->gr.releases == 3);
	EXPECT(strstr(m->log, "never completes"));
	/* it can be killed like any channel */
	wr(m, 0x2604, rd(m, 0x2604) & 0x7fffffff);
	wr(m, 0x32fc, c[0]->inst >> 12);
	EXPECT(rd(m, 0x32fc) != 0xffffffff);
	load(1, 3, 10);
	run_for(m, 1000000);
	EXPECT(chan_state(m, 2)->gr.releases == 6);
	down();
	return ok;
}

/* rnndb/graph/g80_pgraph/pgraph.xml, rnndb/bus/pmc.xml */
static bool injected_wedge_stops_all(void)
{
	bool ok = true;

	up("wedge@1:2", 2);
	load(0, 3, 10);
	run_for(m, 1000000);
	load(1, 3, 10);
	run_for(m, 5000000);
	EXPECT(chan_state(m, 1)->gr.releases == 1 && chan_state(m, 2)->gr.releases == 0);
	EXPECT((rd(m, 0x400380) & 7) == 1);
	wr(m, 0x200, rd(m, 0x200) & ~0x1000u);		/* only a reset helps */
	wr(m, 0x200, rd(m, 0x200) | 0x1000);
	EXPECT(rd(m, 0x400380) == 0);
	down();
	return ok;
}

/* rnndb/graph/g80_pgraph/pgraph.xml, rnndb/memory/g80_pfb.xml */
static bool injected_page_fault_traps_once(void)
{
	bool ok = true;

	up("page-fault@any:2", 1);
	load(0, 3, 10);
	run_for(m, 1000000);
	EXPECT(rd(m, 0x400100) == 0x00200000);
	EXPECT(chan_state(m, 1)->gr.releases == 1);
	EXPECT(rd(m, 0x100c90) & 0x80000000);
	gr_intr();
	run_for(m, 1000000);
	EXPECT(chan_state(m, 1)->gr.releases == 3 && rd(m, 0x400100) == 0);
	down();
	return ok;
}

/* rnndb/graph/g80_pgraph/pgraph.xml */
static bool lost_notify_leaves_the_rest(void)
{
	bool ok = true;

	up("lost-irq:2", 1);
	notify(c[0], 1);
	kick(c[0]);
	run_for(m, 100000);
	EXPECT(gr_intr() == 1);
	notify(c[0], 2);
	fence(c[0], SEM, 2);
	kick(c[0]);
	run_for(m, 100000);
	EXPECT(rd(m, 0x400100) == 0 && userd(c[0], 0x48) == 2 && rr(m, SEM_RAM) == 2);
	drain_irqs();
	notify(c[0], 3);
	kick(c[0]);
	run_for(m, 100000);
	EXPECT(m->irq && gr_intr() == 1);
	down();
	return ok;
}

/* rnndb/fifo/g80_pfifo.xml, rnndb/graph/g80_pgraph/pgraph.xml */
static bool late_notify_comes_late(void)
{
	bool ok = true;

	up("late-irq:1:500,late-nonstall:1:300", 1);
	notify(c[0], 1);
	fence(c[0], SEM, 1);
	kick(c[0]);
	run_for(m, 200000);
	EXPECT(rr(m, SEM_RAM) == 1 && !m->irq);
	run_for(m, 200000);
	EXPECT(rd(m, 0x2100) == 0x40000000 && m->irq && rd(m, 0x400100) == 0);
	drain_irqs();
	run_for(m, 300000);
	EXPECT(m->irq && rd(m, 0x400708) == 1 && gr_intr() == 1);
	down();
	return ok;
}

static bool bad_fault_specs_are_refused(void)
{
	static const char *const bad[] = { "hang", "hang@1", "hang@x:1", "hang@200:1", "hang@1:0",
		"late-irq:1", "late-irq:1:", "lost-irq:1x", "explode:1", "hang@1:1,", ",", "hang@1:1 ",
		"lost-irq:1,lost-irq:1,lost-irq:1,lost-irq:1,lost-irq:1,lost-irq:1,lost-irq:1,"
		"lost-irq:1,lost-irq:1" };
	struct nvsim_config config;
	struct nvsim_ops ops;
	const char *err;
	unsigned int i;
	bool ok = true;

	m = machine_new("hang@any:3-+lost-irq@2:5-,late-nonstall:7:1000");
	EXPECT(m->s->faults.n == 3 && m->s->faults.fault[0].onwards);
	EXPECT(m->s->faults.fault[1].chid == 2);
	ops = m->s->bus.ops;
	for (i = 0; i < NVSIM_ARRAY_SIZE(bad); i++) {
		config = (struct nvsim_config) { .ops = &ops, .host = m, .fault = bad[i] };
		err = NULL;
		if (nvsim_create(&config, &err) || !err) {
			printf("# accepted: %s\n", bad[i]);
			ok = false;
		}
	}
	machine_free(m);
	return ok;
}

/* rnndb/bus/ptimer.xml, rnndb/bus/pmc.xml */
static bool alarm_rings_on_time(void)
{
	bool ok = true;
	uint32_t t;

	m = machine_new(NULL);
	wr(m, 0x9410, 5);
	wr(m, 0x9400, 0xfffff000);
	EXPECT(rd(m, 0x9410) == 5 && rd(m, 0x9400) == 0xfffff000);
	run_for(m, 0x1000);
	EXPECT(rd(m, 0x9410) == 6 && rd(m, 0x9400) == 0);
	t = rd(m, 0x9400);
	wr(m, 0x9140, 1);
	wr(m, 0x9420, t + 10000);
	run_for(m, 9900);
	EXPECT(!m->irq);
	run_for(m, 200);
	EXPECT(m->irq && rd(m, 0x100) == 0x00100000);
	wr(m, 0x9100, 1);
	EXPECT(!m->irq);
	machine_free(m);
	return ok;
}

static uint64_t hash_of(const void *p, size_t n, uint64_t h)
{
	const uint8_t *b = p;

	while (n--)
		h = (h ^ *b++) * 0x100000001b3ull;
	return h;
}

static uint64_t busy_run(void)
{
	uint64_t h = 14695981039346656037ull;
	unsigned int i;

	up(NULL, 4);
	for (i = 0; i < 4; i++)
		load(i, 20, 100 + 70 * i);
	for (i = 0; i < 400; i++) {
		run_for(m, 7777);
		h = hash_of(&m->timer, sizeof(m->timer), h);
		if (m->irq)
			drain_irqs();
	}
	h = hash_of(m->ram, RAM_BYTES, h);
	for (i = 0; i < 4; i++)
		h = hash_of(&chan_state(m, i + 1)->busy_ns, 8, h);
	down();
	return h;
}

static bool same_input_same_run(void)
{
	return busy_run() == busy_run();
}

/* Runs follow each other, and each channel's add up to what it used. */
static bool occupancy_log_adds_up(void)
{
	const char *path = "/tmp/nvsim-gpulog.txt";
	unsigned long long serial, chid, from, to, sum, last = 0, used[3] = { 0 }, want[3];
	unsigned int chans = 0, runs = 0;
	char line[200];
	bool ok = true;
	FILE *f;

	setenv("NVSIM_GPULOG", path, 1);
	up(NULL, 2);
	unsetenv("NVSIM_GPULOG");
	load(0, 10, 3000);
	load(1, 10, 1000);
	run_for(m, 40000000);
	want[1] = busy(0);
	want[2] = busy(1);
	down();
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f)) {
		chans += !strncmp(line, "chan ", 5);
		if (sscanf(line, "run %llu %llu %llu %llu %llu", &serial, &chid, &from, &to,
			   &sum) != 5)
			continue;
		runs++;
		EXPECT(chid >= 1 && chid <= 2 && serial == chid);
		EXPECT(from >= last && to > from);
		last = to;
		used[chid] += to - from;
		EXPECT(sum == used[chid]);
	}
	EXPECT(f && chans == 2 && runs >= 12);
	EXPECT(used[1] == want[1] && used[2] == want[2] && want[1] > 3 * want[2] / 2);
	if (f)
		fclose(f);
	remove(path);
	return ok;
}

/* DMA, or an interrupt message, that comes back into the card's own BARs. rnndb/bus/pmc.xml */
static bool reentry_is_ignored(void)
{
	bool ok = true;

	up(NULL, 1);
	m->reenter = true;
	load(0, 3, 10);
	run_for(m, 1000000);
	EXPECT(chan_state(m, 1)->gr.releases == 3);
	EXPECT(rd(m, 0x200) == 0xdff3d113);	/* all units that there are */
	down();
	return ok;
}

int main(void)
{
	TEST(work_lasts_its_cost);
	TEST(cheap_methods_run_ahead);
	TEST(shares_are_equal);
	TEST(slice_sets_the_share);
	TEST(methods_are_not_preempted);
	TEST(idle_channel_gives_its_turn);
	TEST(notify_stops_until_resumed);
	TEST(trap_reports_the_vm_fault);
	TEST(dispatch_can_be_stopped);
	TEST(injected_hang_spares_others);
	TEST(injected_wedge_stops_all);
	TEST(injected_page_fault_traps_once);
	TEST(lost_notify_leaves_the_rest);
	TEST(late_notify_comes_late);
	TEST(bad_fault_specs_are_refused);
	TEST(alarm_rings_on_time);
	TEST(same_input_same_run);
	TEST(occupancy_log_adds_up);
	TEST(reentry_is_ignored);
	return tap_done();
}
