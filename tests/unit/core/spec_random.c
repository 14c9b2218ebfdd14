// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random entries, written in random ways, must be read back as they were; and
 * files with random bytes changed must parse or be refused inside the file.
 */
#include "random.h"
#include "spec_cases.h"
#include "spec_check.h"
#include "tap.h"

#define MAX_ENTRIES 24

static u64 seed;
static char text[TG_SPEC_MAX_BYTES];
static size_t len;

static u32 below(u32 n)
{
	return random_below(&seed, n);
}

static void put(const char *s)
{
	size_t n = strlen(s);

	memcpy(text + len, s, n);
	len += n;
}

static void blanks(void)
{
	static const char *const some[] = { "", "", "", " ", "\t", "  ", " \t " };

	put(some[below(ARRAY_SIZE(some))]);
}

static void random_name(char *name, bool any_byte)
{
	static const char plain[] = "abcxyzABC0189-_.+";
	static const char odd[] = "ab :<>#\"\\@*\303\244 ";
	u32 n = 1 + below(below(8) ? 12 : TG_NAME_MAX - 1);

	for (u32 i = 0; i < n; i++)
		name[i] = any_byte ? odd[below(sizeof(odd) - 1)] :
				     plain[below(sizeof(plain) - 1)];
	name[n] = '\0';
}

/* A time that can be written in at least one unit. */
static u64 random_time(u64 max_ns)
{
	static const u64 unit[] = { 1, 1000, 1000000, 1000000000 };
	u64 u = unit[below(4)];

	if (u > max_ns)
		u = 1;
	return u * (1 + random_next(&seed) % (max_ns / u));
}

static void random_who(struct tg_spec_entry *e)
{
	char name[TG_NAME_MAX];

	random_name(name, below(3) == 0);
	e->kind = below(5) ? TG_SPEC_NAME : TG_SPEC_PATH + below(3);
	if (e->kind == TG_SPEC_ANY)
		strcpy(name, "*");
	/* Behind a name, and no folder. */
	for (u32 i = 0; (e->kind == TG_SPEC_PATH || e->kind == TG_SPEC_CGROUP) && i < 4; i++)
		sprintf(e->name + strlen(e->name), "%s/%s",
			!i && e->kind == TG_SPEC_CGROUP ? "cgroup:" : "", i ? "dir" : name);
	if (!e->name[0])
		strcpy(e->name, name);
	e->has_uid = !below(3);
	if (e->has_uid)
		e->uid = random_next(&seed) % TG_SPEC_NO_UID >> below(32);
}

/* Once for a cgroup. */
static bool may_be_domain(const struct tg_spec_entry *e, const struct tg_spec_entry *before,
			  u32 n)
{
	for (u32 i = 0; i < n; i++)
		if (before[i].domain && !strcmp(before[i].name, e->name))
			return false;
	return e->kind == TG_SPEC_CGROUP && !e->has_uid && below(2);
}

static void random_domain(struct tg_spec_entry *e)
{
	e->domain = true;
	e->sched = TG_SPEC_FQ;
	e->weight = below(2) ? 1 + below(TG_WEIGHT_MAX) : TG_WEIGHT_DEFAULT;
	e->has_target = below(2);
	e->target_ppm = e->has_target ? below(TG_PPM + 1) : 0;
	e->vram_bytes = below(2) ? 1 + random_next(&seed) % TG_SPEC_VRAM_MAX : 0;
	e->resv = below(2) ? TG_SPEC_RESV_PE : TG_SPEC_RESV_NONE;
	if (e->resv == TG_SPEC_RESV_NONE)
		return;
	e->period_ns = random_time(TG_TIME_MAX_NS);
	e->capacity_ns = random_time(e->period_ns);
}

/* Each once, and none behind gpu:*, which comes last so. */
static bool random_gpu(struct tg_spec_entry *e, const struct tg_spec_entry *before, u32 n)
{
	static const char letters[] = "abcxyzABC0189-_";
	u32 len = 1 + below(TG_SPEC_POLICY_LEN - 1);

	e->gpu = below(4) ? below(TG_SPEC_GPU_MAX + 1) >> below(14) : TG_SPEC_ANY_GPU;
	for (u32 i = 0; i < n; i++)
		if (before[i].kind == TG_SPEC_GPU &&
		    (before[i].gpu == e->gpu || before[i].gpu == TG_SPEC_ANY_GPU)) {
			e->gpu = 0;
			return false;
		}
	e->kind = TG_SPEC_GPU;
	sprintf(e->name, e->gpu == TG_SPEC_ANY_GPU ? "gpu:*" : "gpu:%u", e->gpu);
	e->sched = TG_SPEC_FQ;
	e->weight = TG_WEIGHT_DEFAULT;
	for (u32 i = 0; i < len; i++)
		e->policy[i] = letters[below(sizeof(letters) - 1)];
	return true;
}

static void random_entry(struct tg_spec_entry *e, const struct tg_spec_entry *before,
			 u32 n)
{
	memset(e, 0, sizeof(*e));
	if (!below(8) && random_gpu(e, before, n))
		return;
	random_who(e);
	if (may_be_domain(e, before, n)) {
		random_domain(e);
		return;
	}
	e->sched = below(TG_SPEC_FQ + 1);
	e->weight = e->sched == TG_SPEC_FQ && below(2) ? 1 + below(TG_WEIGHT_MAX) : TG_WEIGHT_DEFAULT;
	e->has_lead = !below(3);
	e->lead_ns = e->has_lead && below(4) ? random_time(TG_SPEC_LEAD_MAX_NS) : 0;
	e->vram_bytes = below(4) ? 0 : 1 + random_next(&seed) % TG_SPEC_VRAM_MAX;
	e->resv = below(4);
	e->focus = below(4) == 0;
	e->cpu = !e->focus && below(4) == 0;
	e->prio = e->focus ? TG_PRIO_DEFAULT : e->cpu ? TG_PRIO_MIN : below(TG_PRIO_MAX + 1);
	if (e->resv == TG_SPEC_RESV_NONE || e->resv == TG_SPEC_RESV_BG)
		return;
	if (n && below(2)) {
		const struct tg_spec_entry *other = &before[below(n)];

		if (other->group[0]) {
			strcpy(e->group, other->group);
			e->resv = other->resv;
			e->capacity_ns = other->capacity_ns;
			e->period_ns = other->period_ns;
			return;
		}
	}
	e->period_ns = random_time(TG_TIME_MAX_NS);
	e->capacity_ns = random_time(e->period_ns);
	if (!below(2))
		return;
	random_name(e->group, false);
	for (u32 i = 0; i < n; i++)
		if (!strcmp(before[i].group, e->group))
			e->group[0] = '\0';
}

static bool needs_quotes(const struct tg_spec_entry *e)
{
	const char *name = e->name;

	if (e->kind == TG_SPEC_ANY || e->kind == TG_SPEC_GPU)
		return false;
	/* Of a cgroup the first colon is part of the word. */
	name += !strncmp(name, "cgroup:/", 8) ? 7 : 0;
	return strpbrk(name, ":>#\"<@") || !strcmp(name, "*") || name[0] == ' ' ||
	       name[strlen(name) - 1] == ' ';
}

static void put_time(u64 ns)
{
	static const struct {
		const char *suffix;
		u64 ns;
	} unit[] = { { "ns", 1 }, { "us", 1000 }, { "", 1000 }, { "ms", 1000000 },
		     { "s", 1000000000 } };
	char number[64];
	u32 u, n;

	u = below(ARRAY_SIZE(unit));
	n = sprintf(number, "%s%llu", below(8) ? "" : "0", (unsigned long long)(ns / unit[u].ns));
	/* As many decimals as there must be, and zeros behind them. */
	if (ns % unit[u].ns || below(8) == 0) {
		u64 rest = ns % unit[u].ns, scale = unit[u].ns;

		number[n++] = '.';
		do {
			scale = scale > 1 ? scale / 10 : 1;
			number[n++] = '0' + rest / scale;
			rest %= scale;
		} while (rest || (below(4) == 0 && n < 40));
	}
	sprintf(number + n, "%s", below(6) ? "" : " ");
	put(number);
	put(unit[u].suffix);
}

static void put_colon(void)
{
	blanks();
	put(":");
	blanks();
}

static void put_entry(const struct tg_spec_entry *e, bool group_is_new)
{
	static const char *const resv[] = { "-", "PE", "AE", "BG" };
	bool brackets = below(2);
	char number[32];

	blanks();
	if (brackets)
		put("<");
	blanks();
	if (needs_quotes(e) ||
	    (e->kind != TG_SPEC_ANY && e->kind != TG_SPEC_GPU && below(3) == 0))
		len += spec_quote(text + len, e->name);
	else
		put(e->name);
	if (e->has_uid) {
		char user[16];

		blanks();
		sprintf(user, "@%u", e->uid);
		put(user);
	}
	put_colon();
	put(e->domain ? "DOMAIN" : e->kind == TG_SPEC_GPU ? "POLICY=" :
	    tg_spec_sched_name(e->sched));
	put(e->policy);
	sprintf(number, "=%u", e->weight);
	put(e->weight != TG_WEIGHT_DEFAULT ? number : "");
	if (e->has_target) {
		char target[32];

		sprintf(target, " target=%u.%04u%%", e->target_ppm / 10000,
			e->target_ppm % 10000);
		put(target);
	}
	if (e->has_lead) {
		put(" ");
		blanks();
		put("lead=");
		put_time(e->lead_ns);
	}
	sprintf(number, " vram=%llu", (unsigned long long)e->vram_bytes);
	put(e->vram_bytes ? number : "");
	put_colon();
	put(resv[e->resv]);
	if (e->group[0]) {
		put("@");
		put(e->group);
	}
	put_colon();
	sprintf(number, e->prio < 10 && below(2) ? "0%u" : "%u", e->prio);
	put(e->domain || e->kind == TG_SPEC_GPU ? "-" : e->focus ? "*" : e->cpu ? "cpu" : number);
	put_colon();
	if (e->period_ns && (!e->group[0] || group_is_new || below(2))) {
		put_time(e->capacity_ns);
		put_colon();
		put_time(e->period_ns);
	} else {
		put_colon();
	}
	blanks();
	if (brackets)
		put(">");
	blanks();
}

static u32 filler(u32 line)
{
	static const char *const some[] = { "\n", "# <a:PRT:-:5::>\n", " \t\r\n",
					    "\t#\n", "#\"\n" };

	while (below(3) == 0) {
		put(some[below(ARRAY_SIZE(some))]);
		line++;
	}
	return line;
}

/* Fill text with a valid file; the entries as they must be read. */
static u32 random_spec(struct tg_spec_entry *want)
{
	u32 n = below(MAX_ENTRIES + 1), line = 1;

	len = 0;
	for (u32 i = 0; i < n; i++) {
		bool group_is_new = true;

		line = filler(line);
		random_entry(&want[i], want, i);
		want[i].line = line++;
		for (u32 k = 0; k < i; k++)
			if (!strcmp(want[k].group, want[i].group))
				group_is_new = false;
		put_entry(&want[i], group_is_new);
		if (below(4) == 0)
			put("# > : \" comment");
		if (i + 1 < n || below(2))
			put("\n");
		else
			return n;
	}
	filler(line);
	return n;
}

static bool parse_and_compare(const struct tg_spec_entry *want, u32 n)
{
	struct tg_spec_entry got[MAX_ENTRIES];
	struct tg_spec_error err;
	char *copy = malloc(len ? len : 1);
	int ret;
	bool ok;

	memcpy(copy, text, len);
	ret = tg_spec_parse(copy, len, got, MAX_ENTRIES, &err);
	ok = CHECK(ret == (int)n);
	if (ret < 0)
		tap_diag("  refused at %u:%u: %s", err.line, err.column, err.check);
	for (u32 i = 0; ok && i < n; i++)
		ok = CHECK(spec_entries_equal(&want[i], &got[i])) &&
		     CHECK(want[i].line == got[i].line);
	free(copy);
	return ok;
}

void random_specs_survive_a_round_trip(void)
{
	static struct tg_spec_entry want[MAX_ENTRIES];
	u64 entries = 0;

	seed = 0x7157;
	for (u32 round = 0; round < 20000; round++) {
		u32 n = random_spec(want);

		entries += n;
		if (!parse_and_compare(want, n)) {
			tap_diag("  round %u:", round);
			tap_diag("%.*s", (int)len, text);
			return;
		}
	}
	tap_diag("%llu entries", (unsigned long long)entries);
	CHECK(entries > 100000);
}

static void mutate(void)
{
	static const char likely[] = ":<>#\"\\@*-%0159 \t\r\n\0PRTHTPEAEBG";

	for (u32 k = 1 + below(4); k && len; k--) {
		size_t at = below(len);
		char ch = below(3) ? likely[below(sizeof(likely) - 1)] : (char)below(256);

		switch (below(4)) {
		case 0:
			memmove(text + at, text + at + 1, len - at - 1);
			len--;
			break;
		case 1:
			memmove(text + at + 1, text + at, len - at);
			text[at] = ch;
			len++;
			break;
		case 2:
			text[at] = ch;
			break;
		case 3:
			if (below(8) == 0)
				len = at;
			break;
		}
	}
}

static bool answer_is_sane(const char *copy, u32 *parsed)
{
	struct tg_spec_entry got[MAX_ENTRIES];
	struct tg_spec_error err;
	u32 percent;
	int ret = tg_spec_parse(copy, len, got, MAX_ENTRIES, &err);

	if (ret >= 0) {
		(*parsed)++;
		if (!CHECK(spec_error_is_clear(&err)) ||
		    !CHECK(spec_entries_are_sane(got, ret)))
			return false;
	} else if (!CHECK(spec_place_is_inside(copy, len, &err))) {
		tap_diag("  %u:%u %s", err.line, err.column, err.check);
		return false;
	}
	if (tg_ac_parse(copy, len, &percent, &err) == 0)
		return CHECK(percent <= 100);
	return CHECK(spec_place_is_inside(copy, len, &err));
}

void mutated_specs_parse_or_give_a_place(void)
{
	static struct tg_spec_entry unused[MAX_ENTRIES];
	u32 parsed = 0, rounds = 40000;

	seed = 0xbadf11e;
	for (u32 round = 0; round < rounds; round++) {
		char *copy;
		bool ok;

		random_spec(unused);
		mutate();
		copy = malloc(len ? len : 1);
		memcpy(copy, text, len);
		ok = answer_is_sane(copy, &parsed);
		if (!ok) {
			tap_diag("  round %u:", round);
			tap_diag("%.*s", (int)len, text);
		}
		free(copy);
		if (!ok)
			return;
	}
	tap_diag("%u of %u still parsed", parsed, rounds);
	CHECK(parsed > rounds / 20 && parsed < rounds * 19 / 20);
}
