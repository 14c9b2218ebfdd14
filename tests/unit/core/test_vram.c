// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A card's memory.  The oracle keeps a list of who came when and adds everything up anew
 * at each question; whom it serves is section 5 of the paper, put as sentences about the
 * list.  The promises are checked beside it, on what the core says alone.
 */
#include "random.h"
#include "tap.h"
#include "tg_vram.h"

#define MB (1ULL << 20)
#define SIZE (512 * MB)
#define MARGIN (16 * MB)
#define NR 12
#define AGING 5000ULL

static struct tg_vram v;
static struct tg_vram_account acc[NR];

static void begin(enum tg_vram_policy_id policy, u64 aging_ns)
{
	tg_vram_init(&v, SIZE, MARGIN);
	v.policy = &tg_vram_policies[policy];
	v.aging_ns = aging_ns;
	memset(acc, 0, sizeof(acc));
}

static int ask(int i, u64 mb, u64 now)
{
	return tg_vram_ask(&v, &acc[i], mb * MB, true, now);
}

static int served(u64 now)
{
	struct tg_vram_account *a = tg_vram_next(&v, now);

	return a ? a - acc : -1;
}

/* The oracle. */

struct entry {
	int id;
	u64 wanted;
	u64 since;
};

static struct {
	u64 held[NR], charged[NR];
	bool holds[NR];
	struct entry queue[NR];
	int nr;
} o;

static u64 oracle_free(void)
{
	u64 taken = v.margin + v.older;

	for (int i = 0; i < NR; i++)
		taken += o.held[i] > o.charged[i] ? o.held[i] : o.charged[i];
	return taken > SIZE ? 0 : SIZE - taken;
}

static bool oracle_fits(const struct entry *e)
{
	return e->wanted <= oracle_free() + o.charged[e->id];
}

static bool oracle_aged(u64 now)
{
	for (int i = 0; i < o.nr; i++)
		if (v.aging_ns && now - o.queue[i].since >= v.aging_ns)
			return true;
	return false;
}

/* Not if what is older has grown, so that there will be no room anyway. */
static bool oracle_entitled(const struct entry *e)
{
	return acc[e->id].entitled && e->wanted + v.margin + v.older <= SIZE;
}

/* Those who have been preferred twice as long, and are not entitled to it, are the last. */
static void oracle_pass_on(u64 now)
{
	for (int tries = o.nr; tries && v.aging_ns; tries--) {
		struct entry e = o.queue[0];

		if (oracle_entitled(&e) || now - e.since < 2 * v.aging_ns || oracle_fits(&e))
			return;
		memmove(&o.queue[0], &o.queue[1], (o.nr - 1) * sizeof(e));
		e.since = now;
		o.queue[o.nr - 1] = e;
	}
}

/* What it may have when it is its turn by age: others' use makes room for the entitled. */
static bool oracle_fits_aged(const struct entry *e)
{
	u64 held = 0;

	for (int i = 0; i < NR; i++)
		held += o.held[i];
	if (acc[e->id].entitled && e->wanted + held + v.margin + v.older <= SIZE)
		return true;
	return oracle_fits(e);
}

/* Who is served, as a place in the list, or -1. */
static int oracle_next(enum tg_vram_policy_id policy, u64 now)
{
	bool by_prio = policy == TG_VRAM_PRIO_FIFO || policy == TG_VRAM_PRIO_MMU;
	bool packs = policy == TG_VRAM_MMU || policy == TG_VRAM_PRIO_MMU;
	int top = 0;

	for (int i = 0; i < o.nr; i++)
		if (acc[o.queue[i].id].prio > top)
			top = acc[o.queue[i].id].prio;
	oracle_pass_on(now);
	if (oracle_aged(now))
		return oracle_fits_aged(&o.queue[0]) ? 0 : -1;
	for (int i = 0; i < o.nr; i++) {
		if (by_prio && acc[o.queue[i].id].prio != top)
			continue;
		if (oracle_fits(&o.queue[i]))
			return i;
		if (!packs)
			return -1;
	}
	return -1;
}

static void oracle_drop(int place)
{
	memmove(&o.queue[place], &o.queue[place + 1],
		(--o.nr - place) * sizeof(o.queue[0]));
}

static int oracle_place(int id)
{
	for (int i = 0; i < o.nr; i++)
		if (o.queue[i].id == id)
			return i;
	return -1;
}

static int oracle_ask(enum tg_vram_policy_id policy, int id, u64 bytes, bool wait, u64 now)
{
	int refusal = wait ? -EDEADLK : -EAGAIN, place;

	if (oracle_place(id) >= 0)
		return -EALREADY;
	if (bytes < o.charged[id])
		return -EBUSY;
	if (bytes + v.margin + v.older > SIZE)
		return -ENOSPC;
	if (o.holds[id]) {
		u64 has = o.held[id] > o.charged[id] ? o.held[id] : o.charged[id];

		if (bytes > o.held[id] && (o.nr || bytes > oracle_free() + has))
			return refusal;
		o.held[id] = bytes;
		return 0;
	}
	o.queue[o.nr++] = (struct entry){ id, bytes, now };
	place = oracle_next(policy, now);
	if (place >= 0 && o.queue[place].id == id) {
		oracle_drop(place);
		o.held[id] = bytes;
		o.holds[id] = true;
		return 0;
	}
	if (wait && !o.charged[id])
		return -EINPROGRESS;
	oracle_drop(oracle_place(id));
	return refusal;
}

static int oracle_charge(int id, u64 bytes, u64 now)
{
	bool owed = oracle_aged(now) && oracle_entitled(&o.queue[0]);
	bool fits = o.holds[id] ? o.charged[id] + bytes <= o.held[id] :
				  bytes <= oracle_free() && !owed;

	if (oracle_place(id) >= 0)
		return -EBUSY;
	if (!fits)
		return -ENOMEM;
	o.charged[id] += bytes;
	return 0;
}

static void oracle_leave(int id)
{
	int place = oracle_place(id);

	if (place >= 0)
		oracle_drop(place);
	o.held[id] = 0;
	o.holds[id] = false;
}

/* What was served must be whom the oracle would; all that can be is. */
static void serve(enum tg_vram_policy_id policy, u64 now)
{
	int got, place;

	do {
		place = oracle_next(policy, now);
		got = served(now);
		if (!CHECK(got == (place < 0 ? -1 : o.queue[place].id)))
			return;
		if (place >= 0) {
			o.held[got] = o.queue[place].wanted;
			o.holds[got] = true;
			oracle_drop(place);
		}
	} while (got >= 0);
}

static void compare(void)
{
	u64 held = 0, rest = 0;

	for (int i = 0; i < NR; i++) {
		CHECK(acc[i].held == o.held[i] && acc[i].charged == o.charged[i]);
		CHECK((acc[i].state == TG_VRAM_WAITING) == (oracle_place(i) >= 0));
		CHECK((acc[i].state == TG_VRAM_HELD) == o.holds[i]);
		held += o.held[i];
		rest += o.charged[i] > o.held[i] ? o.charged[i] - o.held[i] : 0;
	}
	CHECK(v.held == held && v.rest == rest && (int)v.nr_waiting == o.nr);
	CHECK(tg_vram_free(&v) == oracle_free());
}

static bool step(enum tg_vram_policy_id policy, u64 *seed, u64 now)
{
	int id = random_below(seed, NR), want, got;
	u64 bytes = 1 + random_next(seed) % (SIZE / (1 + random_below(seed, 8)));
	bool wait = random_below(seed, 4);

	switch (random_below(seed, 8)) {
	case 0:
	case 1:
		if (acc[id].state != TG_VRAM_WAITING) {
			acc[id].prio = random_below(seed, 3);
			acc[id].entitled = random_below(seed, 2);
		}
		want = oracle_ask(policy, id, bytes, wait, now);
		got = tg_vram_ask(&v, &acc[id], bytes, wait, now);
		break;
	case 2:
	case 3:
	case 4:
		bytes = 1 + random_next(seed) % (64 * MB);
		want = oracle_charge(id, bytes, now);
		got = tg_vram_charge(&v, &acc[id], bytes, now);
		break;
	case 5:
		oracle_leave(id);
		tg_vram_leave(&v, &acc[id]);
		want = got = 0;
		break;
	case 6:
		bytes = random_below(seed, 3) ? o.charged[id] :
						random_next(seed) % (o.charged[id] + 1);
		o.charged[id] -= bytes;
		tg_vram_uncharge(&v, &acc[id], bytes);
		want = got = 0;
		break;
	default:
		want = got = 0;
		v.older = random_below(seed, 20) ? v.older : random_next(seed) % (64 * MB);
	}
	if (!CHECK(want == got))
		tap_diag("%s: account %d: %d, the oracle says %d",
			 tg_vram_policies[policy].name, id, got, want);
	serve(policy, now);
	compare();
	return !tap_bad_checks;
}

static void every_step_is_what_the_paper_says(void)
{
	for (u64 run = 1; run <= 400; run++) {
		u64 seed = run * 7919, now = 1;
		enum tg_vram_policy_id policy = run % TG_VRAM_NR_POLICIES;

		begin(policy, run & 4 ? AGING : 0);
		memset(&o, 0, sizeof(o));
		for (int i = 0; i < 1000; i++, now += random_below(&seed, 500))
			if (!step(policy, &seed, now))
				return;
	}
}

/*
 * Programs that reserve and then allocate what they reserved, in pieces, beside hogs that
 * take all they get: by what the core answers alone.
 */
static void what_is_reserved_never_fails(void)
{
	int waits = 0, ret;

	for (u64 run = 1; run <= 200; run++) {
		u64 seed = run * 104729, now = 1;

		begin(run % TG_VRAM_NR_POLICIES, AGING);
		for (int i = 0; i < 500; i++, now += 100) {
			int id = random_below(&seed, NR);
			struct tg_vram_account *a = &acc[id];
			bool hog = id < NR / 3;
			u64 bytes = 1 + random_next(&seed) % (40 * MB), sum = 0;

			if (hog) {
				tg_vram_charge(&v, a, bytes, now);
			} else if (a->state == TG_VRAM_NONE && !a->charged) {
				ask(id, 1 + random_below(&seed, 300), now);
			} else if (a->state == TG_VRAM_HELD && !random_below(&seed, 4)) {
				/* It is in memory until the GPU has done with it. */
				tg_vram_let_go(a, min(bytes, tg_vram_owns(a)));
			} else if (a->state == TG_VRAM_HELD && tg_vram_owns(a) == a->held) {
				tg_vram_gone(&v, a, a->dying);
				tg_vram_uncharge(&v, a, a->charged);
				tg_vram_leave(&v, a);
			} else if (a->state == TG_VRAM_HELD) {
				bytes = min(bytes, a->held - tg_vram_owns(a));
				ret = tg_vram_charge(&v, a, bytes, now);
				waits += ret == -EAGAIN;
				if (ret == -EAGAIN && CHECK(a->dying)) {
					tg_vram_gone(&v, a, a->dying);
					ret = tg_vram_charge(&v, a, bytes, now);
				}
				CHECK(!ret);
			}
			if (hog && !random_below(&seed, 9))
				tg_vram_uncharge(&v, a, a->charged);
			while (tg_vram_next(&v, now))
				;
			for (int k = 0; k < NR; k++)
				sum += max(acc[k].held, acc[k].charged);
			CHECK(sum + MARGIN <= SIZE);
		}
	}
	tap_diag("%d waited for what they had let go of", waits);
	CHECK(waits > 100);
}

/* Small ones come and go for ever, a large one waits among them. */
static int turns_until_the_large_one(enum tg_vram_policy_id policy, u64 aging_ns)
{
	u64 now = 1;

	begin(policy, aging_ns);
	for (int i = 1; i < 4; i++) {
		acc[i].prio = 1;
		CHECK(!ask(i, 140, now));
	}
	CHECK(ask(0, 400, now) == -EINPROGRESS);
	for (int turn = 0; turn < 1000; turn++, now += 1000) {
		int i = 1 + turn % 3;

		if (acc[i].state == TG_VRAM_HELD) {
			tg_vram_leave(&v, &acc[i]);
			while (tg_vram_next(&v, now))
				;
			if (acc[0].state == TG_VRAM_HELD)
				return turn;
			ask(i, 140, now);
		}
	}
	return -1;
}

static void nobody_waits_for_ever_with_aging(void)
{
	for (int p = 0; p < TG_VRAM_NR_POLICIES; p++) {
		int turns = turns_until_the_large_one(p, AGING);

		tap_diag("%s: after %d turns", tg_vram_policies[p].name, turns);
		CHECK(turns >= 0 && turns < 12);
	}
	/* The paper's: only FIFO serves it. */
	CHECK(turns_until_the_large_one(TG_VRAM_FIFO, 0) >= 0);
	CHECK(turns_until_the_large_one(TG_VRAM_MMU, 0) < 0);
	CHECK(turns_until_the_large_one(TG_VRAM_PRIO_FIFO, 0) < 0);
	CHECK(turns_until_the_large_one(TG_VRAM_PRIO_MMU, 0) < 0);
}

/* Nor beside what has no reservation and takes whatever is free. */
static void hogs_make_room_for_the_entitled(void)
{
	begin(TG_VRAM_FIFO, AGING);
	acc[0].entitled = true;
	CHECK(!tg_vram_charge(&v, &acc[1], 300 * MB, 1));
	CHECK(ask(0, 400, 1) == -EINPROGRESS);
	CHECK(!tg_vram_charge(&v, &acc[1], 10 * MB, AGING));
	CHECK(tg_vram_charge(&v, &acc[1], 10 * MB, AGING + 1) == -ENOMEM);
	CHECK(served(AGING + 2) == 0);
	CHECK(acc[0].waited_ns == AGING + 1);
	/* All of it is there for him, and nothing for the hog. */
	CHECK(!tg_vram_charge(&v, &acc[0], 400 * MB, AGING + 3));
	CHECK(tg_vram_charge(&v, &acc[1], 1, AGING + 3) == -ENOMEM);
	CHECK(tg_vram_free(&v) == 0);
	/* Not for one who has no right to it: he waits until the hog gives back. */
	begin(TG_VRAM_FIFO, AGING);
	CHECK(!tg_vram_charge(&v, &acc[1], 300 * MB, 1));
	CHECK(ask(0, 400, 1) == -EINPROGRESS);
	CHECK(served(9 * AGING) == -1);
	CHECK(tg_vram_why(&v, &acc[0], AGING + 1) == TG_VRAM_WHY_ROOM);
	tg_vram_uncharge(&v, &acc[1], 250 * MB);
	CHECK(served(9 * AGING + 2) == 0);
}

/* A reservation that his own hog keeps from him is no way to hold up all others. */
static void who_waits_for_himself_holds_nobody_up_for_long(void)
{
	u64 step = AGING / 10, waited = 0, longest = 0;

	begin(TG_VRAM_FIFO, AGING);
	CHECK(!tg_vram_charge(&v, &acc[1], 300 * MB, 1));
	CHECK(ask(0, 400, 1) == -EINPROGRESS);
	for (u64 now = 1; now < 40 * AGING; now += step) {
		/* Another's buffers, and reservations of 20 MiB again and again. */
		CHECK(!tg_vram_charge(&v, &acc[2], MB, now));
		tg_vram_uncharge(&v, &acc[2], MB);
		if (acc[3].state == TG_VRAM_NONE)
			ask(3, 20, now);
		while (tg_vram_next(&v, now))
			;
		waited = acc[3].state == TG_VRAM_HELD ? 0 : waited + step;
		longest = max(longest, waited);
		if (acc[3].state == TG_VRAM_HELD)
			tg_vram_leave(&v, &acc[3]);
	}
	tap_diag("longest wait: %llu of %llu", (unsigned long long)longest,
		 (unsigned long long)AGING);
	CHECK(longest <= 2 * AGING + step);
}

/* What is let go may be had anew before the GPU has done with it. */
static void who_lets_go_of_a_buffer_gets_another(void)
{
	begin(TG_VRAM_FIFO, AGING);
	CHECK(!ask(0, 96, 1) && !tg_vram_charge(&v, &acc[0], 96 * MB, 1));
	CHECK(tg_vram_charge(&v, &acc[0], 8 * MB, 2) == -ENOMEM);
	tg_vram_let_go(&acc[0], 8 * MB);
	CHECK(!tg_vram_charge(&v, &acc[0], 8 * MB, 2));
	CHECK(tg_vram_charge(&v, &acc[0], 1, 2) == -ENOMEM);
	/* Until then both are in memory, and what it has is as safe from eviction as before. */
	CHECK(tg_vram_is_within(&acc[0]));
	CHECK(v.rest == 8 * MB && v.charged == 104 * MB);
	tg_vram_gone(&v, &acc[0], 8 * MB);
	CHECK(!v.rest && v.charged == 96 * MB && !acc[0].dying);
	CHECK(tg_vram_charge(&v, &acc[0], 1, 3) == -ENOMEM);
}

/* Nor does it get into what others have reserved, as often as it does that. */
static void what_is_let_go_does_not_fill_the_card(void)
{
	begin(TG_VRAM_FIFO, AGING);
	CHECK(!ask(0, 96, 1) && !ask(1, 300, 1));
	CHECK(!tg_vram_charge(&v, &acc[0], 96 * MB, 1));
	tg_vram_let_go(&acc[0], 96 * MB);
	CHECK(!tg_vram_charge(&v, &acc[0], 96 * MB, 2));
	tg_vram_let_go(&acc[0], 96 * MB);
	CHECK(tg_vram_charge(&v, &acc[0], 96 * MB, 3) == -EAGAIN && !v.refused);
	CHECK(tg_vram_charge_scanout(&v, &acc[0], 96 * MB) == -ENOMEM);
	CHECK(!tg_vram_charge(&v, &acc[1], 300 * MB, 3));
	tg_vram_gone(&v, &acc[0], 96 * MB);
	CHECK(!tg_vram_charge(&v, &acc[0], 96 * MB, 4));
}

/* A screen is set up whoever waits, out of the margin if need be. */
static void scanout_has_the_margin(void)
{
	begin(TG_VRAM_FIFO, AGING);
	acc[0].entitled = true;
	CHECK(!tg_vram_charge(&v, &acc[1], 200 * MB, 1) && !ask(2, 296, 1));
	CHECK(ask(0, 300, 1) == -EINPROGRESS);
	CHECK(tg_vram_charge(&v, &acc[3], MB, 2 * AGING) == -ENOMEM);
	/* But who waits himself would have something that others wait for. */
	CHECK(tg_vram_charge_scanout(&v, &acc[0], MB) == -ENOMEM);
	CHECK(!tg_vram_charge_scanout(&v, &acc[3], MARGIN));
	CHECK(tg_vram_charge_scanout(&v, &acc[3], 1) == -ENOMEM);
	/* Within what one has it needs none of that. */
	CHECK(!tg_vram_charge_scanout(&v, &acc[2], 296 * MB));
}

/* Whoever waits has nothing: in no state is somebody who waits waited for. */
static void who_has_something_is_refused_not_queued(void)
{
	begin(TG_VRAM_FIFO, AGING);
	CHECK(!ask(0, 250, 1) && !ask(1, 200, 1));
	CHECK(ask(0, 400, 2) == -EDEADLK && ask(1, 400, 2) == -EDEADLK);
	CHECK(tg_vram_ask(&v, &acc[0], 400 * MB, false, 2) == -EAGAIN);
	CHECK(acc[0].held == 250 * MB && v.deadlocks == 2);
	/* More of what is free is no wait. */
	CHECK(!ask(0, 290, 3) && acc[0].held == 290 * MB);
	CHECK(!ask(0, 100, 3) && tg_vram_free(&v) == SIZE - MARGIN - 300 * MB);
	/* Buffers without a reservation are something, too. */
	CHECK(!tg_vram_charge(&v, &acc[2], 50 * MB, 4));
	CHECK(ask(2, 300, 4) == -EDEADLK);
	CHECK(!ask(2, 196, 4) && v.rest == 0);
	CHECK(ask(3, 100, 5) == -EINPROGRESS);
	CHECK(tg_vram_charge(&v, &acc[3], 1, 5) == -EBUSY);
	CHECK(ask(3, 100, 5) == -EALREADY);
	/* And who waits is not passed by who grows. */
	tg_vram_leave(&v, &acc[1]);
	CHECK(ask(0, 101, 6) == -EDEADLK);
	CHECK(served(6) == 3 && served(6) == -1);
}

static void more_than_the_card_is_refused_at_once(void)
{
	begin(TG_VRAM_MMU, AGING);
	CHECK(ask(0, 497, 1) == -ENOSPC && ask(0, 496, 1) == 0);
	CHECK(tg_vram_ask(&v, &acc[1], ~0ULL, true, 1) == -ENOSPC);
	CHECK(tg_vram_charge(&v, &acc[1], ~0ULL, 1) == -ENOMEM);
	CHECK(tg_vram_charge(&v, &acc[0], ~0ULL, 1) == -ENOMEM);
	CHECK(v.refused == 2 && v.held == 496 * MB && !v.rest);
	v.older = SIZE;
	CHECK(!tg_vram_free(&v) && !tg_vram_usable(&v));
	CHECK(!tg_vram_charge(&v, &acc[0], 496 * MB, 1));
}

/* The example of section 5: what FIFO leaves unused MMU uses. */
static void policies_serve_as_named(void)
{
	static const struct {
		enum tg_vram_policy_id policy;
		int served[4];
	} want[] = {
		{ TG_VRAM_FIFO, { -1 } },
		{ TG_VRAM_MMU, { 2, 4, -1 } },
		{ TG_VRAM_PRIO_FIFO, { -1 } },
		{ TG_VRAM_PRIO_MMU, { 4, -1 } },
	};

	for (unsigned int p = 0; p < ARRAY_SIZE(want); p++) {
		begin(want[p].policy, 0);
		acc[3].prio = acc[4].prio = 2;
		acc[1].prio = 1;
		CHECK(!ask(0, 396, 1));
		CHECK(ask(1, 300, 2) == -EINPROGRESS);
		v.older = 80 * MB;
		for (int i = 2; i < 5; i++)
			CHECK(tg_vram_ask(&v, &acc[i], (i == 3 ? 200 : 40) * MB, true, 3) ==
			      -EINPROGRESS);
		v.older = 0;
		for (int i = 0; i < 4; i++) {
			int got = served(4);

			CHECK(got == want[p].served[i]);
			if (got < 0)
				break;
		}
		/* Who is passed over can see it. */
		CHECK(acc[1].nr_passed == (want[p].policy == TG_VRAM_MMU ? 2 :
					   want[p].policy == TG_VRAM_PRIO_MMU ? 1 : 0));
	}
}

/* A buffer lives longer than the reservation it was made in. */
static void what_outlives_its_reservation_is_rest(void)
{
	begin(TG_VRAM_FIFO, 0);
	CHECK(!ask(0, 200, 1) && !tg_vram_charge(&v, &acc[0], 150 * MB, 1));
	CHECK(ask(0, 100, 1) == -EBUSY);
	tg_vram_leave(&v, &acc[0]);
	CHECK(!v.held && v.rest == 150 * MB && tg_vram_free(&v) == SIZE - MARGIN - 150 * MB);
	tg_vram_charge_over(&v, &acc[0], SIZE);
	CHECK(!tg_vram_free(&v));
	tg_vram_uncharge(&v, &acc[0], SIZE + 150 * MB);
	CHECK(!v.rest && tg_vram_free(&v) == SIZE - MARGIN);
}

static bool is_free(u64 used, u64 bytes, u64 card_free)
{
	return tg_vram_is_instance_free(&v, used, bytes, card_free, 0);
}

/* What the header says of it, added up anew from what each has. */
static u64 oracle_margin(const u64 *has, int n)
{
	u64 common = 0, beyond = 0;

	for (int i = 0; i < n; i++) {
		u64 part = has[i] < MARGIN / 4 ? has[i] : MARGIN / 4;

		common += part;
		beyond += has[i] - part;
	}
	return MARGIN / 2 + (common > MARGIN / 2 ? common : MARGIN / 2) + beyond;
}

/*
 * Whoever has page tables, and however many: what is reserved is there, and until all of the margin's
 * half is in use by users who have no more than their part of it, others have theirs.
 */
static void page_tables_take_nothing_that_is_reserved(void)
{
	enum { USERS = 6 };
	uint64_t seed = 11;

	for (int round = 0; round < 200; round++) {
		u64 has[USERS] = { }, before[USERS];

		begin(TG_VRAM_FIFO, 0);
		for (int step = 0; step < 400; step++) {
			int u = random_below(&seed, USERS), i = random_below(&seed, NR);
			u64 bytes = (1 + random_below(&seed, 40)) * MB / 8;

			switch (random_below(&seed, 8)) {
			case 0:
				tg_vram_ask(&v, &acc[i], bytes * 8, false, step);
				break;
			case 1:
				tg_vram_charge(&v, &acc[i], bytes * 4, step);
				break;
			case 2:
				if (acc[i].state == TG_VRAM_HELD && !acc[i].charged)
					tg_vram_leave(&v, &acc[i]);
				break;
			case 3:
				bytes = bytes < has[u] ? bytes : has[u];
				tg_vram_sub_instance(&v, &has[u], bytes);
				break;
			default:
				memcpy(before, has, sizeof(has));
				before[u] += bytes;
				CHECK(is_free(has[u], bytes, SIZE) ==
				      (oracle_margin(before, USERS) + v.held + v.rest <= SIZE));
				if (is_free(has[u], bytes, SIZE))
					tg_vram_add_instance(&v, &has[u], bytes);
			}
			CHECK(tg_vram_margin(&v) == oracle_margin(has, USERS));
			CHECK(tg_vram_margin(&v) + v.held + v.rest <= SIZE);
		}
	}
	/* One who has taken all that was free leaves the others what is theirs. */
	u64 hog = 0, other = 0, third = 0, late = 0;

	begin(TG_VRAM_FIFO, 0);
	CHECK(!ask(0, 400, 1));
	while (is_free(hog, MB, SIZE))
		tg_vram_add_instance(&v, &hog, MB);
	CHECK(hog == 96 * MB + MARGIN / 4 && !tg_vram_free(&v));
	/* For others to have memory he would have to let go: that is still possible. */
	CHECK(tg_vram_may_have_instance(&v, 0, SIZE / 4));
	CHECK(!tg_vram_may_have_instance(&v, hog, SIZE / 4));
	CHECK(ask(1, 80, 2) == -EINPROGRESS);
	tg_vram_leave(&v, &acc[1]);
	while (is_free(other, MB, SIZE))
		tg_vram_add_instance(&v, &other, MB);
	CHECK(other == MARGIN / 4 && !is_free(third, MB, SIZE));
	/* But who has reserved is not asked: the rest of the margin is for him. */
	tg_vram_sub_instance(&v, &hog, 96 * MB);
	CHECK(tg_vram_free(&v) == 96 * MB);
	tg_vram_add_instance(&v, &late, MB);
	CHECK(tg_vram_free(&v) == 95 * MB);
	/* The card knows better: the 400 MiB, and a quarter of the margin, are not in use yet. */
	CHECK(is_free(third, MB, 401 * MB + MARGIN / 4));
	CHECK(!is_free(third, MB, 401 * MB + MARGIN / 4 - 1));
	/* That quarter is for who has reserved, but nothing of what is reserved; nor unseen. */
	CHECK(tg_vram_is_instance_left(&v, &acc[0], MB, TG_VRAM_MAX_BYTES));
	CHECK(!tg_vram_is_instance_left(&v, &acc[0], SIZE - 400 * MB, TG_VRAM_MAX_BYTES));
	CHECK(tg_vram_is_instance_left(&v, &acc[0], MB, 401 * MB));
	CHECK(!tg_vram_is_instance_left(&v, &acc[0], MB, 401 * MB - 1));
	/* What is reserved, with page tables to begin to use it, is what the card is to have. */
	CHECK(tg_vram_promised(&v) == 400 * MB + MARGIN / 8);
	/* What is scanned out may have of that, too. */
	CHECK(tg_vram_is_instance_left(&v, NULL, MB, 401 * MB));
	CHECK(!tg_vram_is_instance_left(&v, NULL, MB, 401 * MB - 1));
	/* What has no reservation can be evicted, for as long as all that is reserved has room besides. */
	CHECK(!tg_vram_charge(&v, &acc[2], 50 * MB, 3));
	CHECK(tg_vram_is_instance_left(&v, &acc[0], MB, 351 * MB));
	CHECK(!tg_vram_is_instance_left(&v, &acc[0], MB, 351 * MB - 1));
	CHECK(tg_vram_promised(&v) == 350 * MB + MARGIN / 8);
	late = SIZE - 400 * MB - MARGIN / 4 - v.instance;
	CHECK(tg_vram_is_instance_left(&v, &acc[0], late, late + 350 * MB));
	CHECK(!tg_vram_is_instance_left(&v, &acc[0], late + 1, late + 1 + 350 * MB));
	CHECK(!tg_vram_is_instance_left(&v, &acc[0], MB, MB - 1));
	tg_vram_uncharge(&v, &acc[2], 50 * MB);
	/* Who has more than his part leaves the others theirs there, too. */
	tg_vram_sub_instance(&v, &other, 3 * MB);
	CHECK(is_free(hog, MB, 403 * MB + MARGIN / 4));
	CHECK(!is_free(hog, MB, 403 * MB + MARGIN / 4 - 1));
}

/* What the card has left when all is made that was: nothing is evicted here. */
static u64 oracle_card_free(const u64 *has, int n)
{
	u64 taken = 0;

	for (int i = 0; i < n; i++)
		taken += has[i];
	for (int i = 0; i < NR; i++)
		taken += acc[i].charged;
	return SIZE - taken;
}

static u64 unmet[NR];

/* What is due to an account: never less but by what it makes, and all of it where there is room. */
static void owe(int i, u64 before)
{
	u64 all = acc[i].held ? TG_VRAM_START + acc[i].held / 256 : 0;

	all = all > acc[i].made ? all - acc[i].made : 0;
	CHECK(acc[i].due <= all && acc[i].due >= (before < all ? before : all));
	CHECK(acc[i].due == all || !tg_vram_free(&v));
	unmet[i] = acc[i].due;
}

/*
 * The promise: who has a reservation gets the page tables to use it with at any time, whatever
 * others have taken, and when all who have one do so at once there is room for all, and for their
 * buffers.  It does not get them twice, and again when they are gone.
 */
static void page_tables_come_with_a_reservation(void)
{
	uint64_t seed = 12, granted = 0, made = 0, unmade = 0, refused = 0;

	for (int round = 0; round < 400; round++) {
		/* One user for each account, and one who has no reservation. */
		u64 has[NR + 1] = { };

		begin(random_below(&seed, 2) ? TG_VRAM_FIFO : TG_VRAM_MMU, 0);
		v.start = TG_VRAM_START;
		memset(unmet, 0, sizeof(unmet));
		for (int step = 0; step < 400; step++) {
			int i = random_below(&seed, NR);
			u64 bytes = (1 + random_below(&seed, 40)) * MB / 8;
			u64 free = oracle_card_free(has, NR + 1), all = 0;

			switch (random_below(&seed, 9)) {
			case 0:
				if (!tg_vram_ask(&v, &acc[i], bytes * 16, false, step)) {
					granted++;
					owe(i, 0);
				}
				break;
			case 1:
				tg_vram_charge(&v, &acc[i], bytes * 4, step);
				break;
			case 2:
				if (acc[i].state == TG_VRAM_HELD && !acc[i].charged) {
					tg_vram_leave(&v, &acc[i]);
					owe(i, 0);
				}
				break;
			case 3:
				bytes = bytes < has[i] ? bytes : has[i];
				tg_vram_sub_instance(&v, &has[i], bytes);
				tg_vram_unmade(&v, &acc[i], bytes);
				owe(i, unmet[i]);
				unmade += bytes > 0;
				break;
			case 4:
			case 5:
				if (!unmet[i] && !is_free(has[i], bytes, free))
					break;
				if (unmet[i] && bytes > unmet[i])
					bytes = unmet[i];
				CHECK(!unmet[i] ||
				      tg_vram_is_instance_left(&v, &acc[i], unmet[i], free));
				tg_vram_made(&v, &acc[i], bytes);
				tg_vram_add_instance(&v, &has[i], bytes);
				owe(i, unmet[i] > bytes ? unmet[i] - bytes : 0);
				made++;
				break;
			case 6:
				bytes = bytes < has[NR] ? bytes : has[NR];
				tg_vram_sub_instance(&v, &has[NR], bytes);
				break;
			default:
				if (!is_free(has[NR], bytes, free))
					refused++;
				else
					tg_vram_add_instance(&v, &has[NR], bytes);
			}
			for (int k = 0; k < NR; k++)
				all += unmet[k] + (acc[k].held > acc[k].charged ?
						   acc[k].held - acc[k].charged : 0);
			CHECK(all + MARGIN / 4 <= oracle_card_free(has, NR + 1));
		}
	}
	CHECK(granted > 1000 && made > 1000 && unmade > 1000 && refused > 1000);
}

/*
 * Page tables keep an entitled one out who waits, and cannot be evicted: then he does not keep the
 * others from the card either.  While he may have it they do not grow.
 */
static void page_tables_do_not_stop_the_card(void)
{
	u64 hog = 0;

	begin(TG_VRAM_FIFO, 1000);
	v.start = TG_VRAM_START;
	while (is_free(hog, MB, SIZE) && hog < 100 * MB)
		tg_vram_add_instance(&v, &hog, MB);
	acc[0].entitled = true;
	CHECK(ask(0, 450, 1) == -EINPROGRESS);
	CHECK(tg_vram_charge(&v, &acc[1], 10 * MB, 2000) == 0);
	CHECK(ask(2, 100, 2000) == -EINPROGRESS);
	CHECK(served(2500) == 2 && acc[0].state == TG_VRAM_WAITING);
	tg_vram_leave(&v, &acc[2]);
	/* With all of that gone but 20 MiB he may have it, beside what has no reservation. */
	tg_vram_sub_instance(&v, &hog, 80 * MB);
	CHECK(!tg_vram_is_instance_free(&v, hog, 8 * MB, SIZE, 9000));
	CHECK(tg_vram_charge(&v, &acc[1], 10 * MB, 9000) == -ENOMEM);
	CHECK(served(9000) == 0);
}

/* What is said to be the most that can be reserved can be, on any card, and no more. */
static void most_that_can_be_reserved_has_its_page_tables(void)
{
	uint64_t seed = 13;

	for (int round = 0; round < 2000; round++) {
		u64 most;

		begin(TG_VRAM_FIFO, 0);
		v.start = TG_VRAM_START;
		v.size = (64 + random_below(&seed, 16384)) * MB + random_below(&seed, MB);
		v.margin = random_below(&seed, 32 * MB);
		acc[0].made = 0;
		most = tg_vram_usable(&v);
		CHECK(tg_vram_ask(&v, &acc[0], most + 1, false, 1) == -ENOSPC);
		CHECK(!most || tg_vram_ask(&v, &acc[0], most, false, 1) == 0);
		CHECK(!most || most + TG_VRAM_START + most / 256 + v.margin <= v.size);
		CHECK(v.size - most < v.margin + TG_VRAM_START + most / 255 + 2 || !most);
	}
	/* Page tables that nouveau keeps for the next take nothing from who is alone. */
	begin(TG_VRAM_FIFO, 0);
	v.start = TG_VRAM_START;
	u64 kept = 0;

	tg_vram_add_instance(&v, &kept, 8 * MB);
	CHECK(tg_vram_free(&v) < tg_vram_usable(&v));
	CHECK(tg_vram_ask(&v, &acc[0], tg_vram_usable(&v), false, 1) == 0);
	/* Eleven of 40 MiB leave 32.3: a twelfth of 31 has room, but not with what comes with it. */
	begin(TG_VRAM_FIFO, 0);
	v.start = TG_VRAM_START;
	for (int i = 0; i < 11; i++)
		CHECK(!ask(i, 40, 1));
	CHECK(tg_vram_free(&v) >= 32 * MB && ask(11, 31, 1) == -EINPROGRESS);
	tg_vram_leave(&v, &acc[11]);
	/* What goes is not due again where there is no room: that was out of the part of all. */
	tg_vram_made(&v, &acc[0], TG_VRAM_START);
	kept = 0;
	tg_vram_add_instance(&v, &kept, TG_VRAM_START);
	CHECK(!tg_vram_charge(&v, &acc[11], tg_vram_free(&v), 2));
	tg_vram_sub_instance(&v, &kept, TG_VRAM_START);
	tg_vram_unmade(&v, &acc[0], TG_VRAM_START);
	CHECK(tg_vram_margin(&v) + v.held + v.rest <= SIZE);
	/* What is older than the module the accounts may not know, but the card does. */
	begin(TG_VRAM_FIFO, 0);
	v.start = TG_VRAM_START;
	for (int i = 0; i < NR; i++)
		CHECK(!ask(i, 10, 1));
	CHECK(v.due == NR * (TG_VRAM_START + 10 * MB / 256));
	CHECK(is_free(0, MB, NR * 10 * MB + v.due + MARGIN / 4 + MB));
	CHECK(!is_free(0, MB, NR * 10 * MB + v.due + MARGIN / 4 + MB - 1));
}

int main(void)
{
	static const struct tap_case cases[] = {
		{ "every_step_is_what_the_paper_says", every_step_is_what_the_paper_says },
		{ "what_is_reserved_never_fails", what_is_reserved_never_fails },
		{ "nobody_waits_for_ever_with_aging", nobody_waits_for_ever_with_aging },
		{ "hogs_make_room_for_the_entitled", hogs_make_room_for_the_entitled },
		{ "who_waits_for_himself_holds_nobody_up_for_long",
		  who_waits_for_himself_holds_nobody_up_for_long },
		{ "who_lets_go_of_a_buffer_gets_another", who_lets_go_of_a_buffer_gets_another },
		{ "what_is_let_go_does_not_fill_the_card", what_is_let_go_does_not_fill_the_card },
		{ "scanout_has_the_margin", scanout_has_the_margin },
		{ "page_tables_take_nothing_that_is_reserved",
		  page_tables_take_nothing_that_is_reserved },
		{ "page_tables_come_with_a_reservation", page_tables_come_with_a_reservation },
		{ "page_tables_do_not_stop_the_card", page_tables_do_not_stop_the_card },
		{ "most_that_can_be_reserved_has_its_page_tables",
		  most_that_can_be_reserved_has_its_page_tables },
		{ "who_has_something_is_refused_not_queued",
		  who_has_something_is_refused_not_queued },
		{ "more_than_the_card_is_refused_at_once", more_than_the_card_is_refused_at_once },
		{ "policies_serve_as_named", policies_serve_as_named },
		{ "what_outlives_its_reservation_is_rest", what_outlives_its_reservation_is_rest },
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
