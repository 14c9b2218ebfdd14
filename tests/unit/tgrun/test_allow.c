// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What /etc/timegraph.grant lets whom have.  What comes out is written down from
 * timegraph.grant(5), case by case; and arbitrary texts are never taken for more than
 * they say.
 */
#include "allow.h"
#include "random.h"
#include "tap.h"

static const gid_t gids[] = { 100, 44 };
static const char *const groups[] = { "users", "video" };
static const struct allow_caller alice = {
	.uid = 1000, .name = "alice", .gids = gids, .groups = groups, .nr_groups = 2,
};
/* Somebody whom the user database does not know. */
static const struct allow_caller nobody = { .uid = 4711 };

static bool may(const char *file, const struct allow_caller *who, const struct want *w)
{
	char why[ALLOW_WHY_BYTES] = "";
	struct allow_error err;
	struct allow a;
	bool ok;

	allow_default(&a);
	if (file && !allow_read(file, strlen(file), who, &a, &err)) {
		tap_diag("line %u: %s", err.line, err.text);
		return false;
	}
	ok = allow_check(&a, w, why);
	CHECK(ok == !*why);
	return ok;
}

#define WEIGHT(n) { .weight = (n) }
#define QUOTA(c, t) { .quota_ns = (c), .quota_period_ns = (t) }
#define TARGET(ppm) { .target_ppm = (ppm) }
#define TASK(...) { .task = { __VA_ARGS__ } }
#define PRIO(n) TASK(.fields = TIMEGRAPH_SET_PRIO, .prio = (n))
#define POLICY(p) TASK(.fields = TIMEGRAPH_SET_POLICY, .policy = TIMEGRAPH_POLICY_##p)
#define FQ(n) TASK(.fields = TIMEGRAPH_SET_POLICY | TIMEGRAPH_SET_WEIGHT, \
		   .policy = TIMEGRAPH_POLICY_FQ, .weight = (n))
#define RESERVE(c, t) TASK(.fields = TIMEGRAPH_SET_RESV, .resv = TIMEGRAPH_RESV_PE, \
			   .capacity_ns = (c), .period_ns = (t))
#define MS 1000000ull
#define S (1000 * MS)

static const struct {
	const char *file;
	const struct allow_caller *who;
	struct want want;
	bool may;
} table[] = {
	/*
	 * Without a file, and for who is in no line: 100, a quota, nothing else; FQ neither,
	 * which would lift a program whose entry says FQ=10.
	 */
	{ NULL, &alice, { 0 }, true },
	{ NULL, &alice, WEIGHT(100), true },
	{ NULL, &alice, WEIGHT(101), false },
	{ NULL, &alice, QUOTA(1 * MS, 100 * S), true },
	{ NULL, &alice, TARGET(1), false },
	{ NULL, &alice, PRIO(0), true },
	{ NULL, &alice, PRIO(1), false },
	{ NULL, &alice, POLICY(FQ), false },
	{ NULL, &alice, POLICY(PRT), false },
	{ NULL, &alice, POLICY(HT), false },
	{ NULL, &alice, FQ(1), false },
	{ NULL, &alice, FQ(100), false },
	{ "bob weight=9000 ht=yes\n", &alice, FQ(100), false },
	{ NULL, &alice, RESERVE(1, 100 * S), false },
	{ "", &alice, WEIGHT(100), true },
	{ "", &alice, WEIGHT(101), false },
	{ "bob weight=9000 ht=yes\n", &alice, WEIGHT(101), false },
	{ "bob weight=9000 ht=yes\n", &alice, POLICY(HT), false },
	/* Whom a line means. */
	{ "alice weight=300", &alice, WEIGHT(300), true },
	{ "alice weight=300", &alice, WEIGHT(301), false },
	{ "alic weight=300", &alice, WEIGHT(300), false },
	{ "alicea weight=300", &alice, WEIGHT(300), false },
	{ "1000 weight=300", &alice, WEIGHT(300), true },
	{ "1001 weight=300", &alice, WEIGHT(300), false },
	{ "@video weight=300", &alice, WEIGHT(300), true },
	{ "@44 weight=300", &alice, WEIGHT(300), true },
	{ "@45 weight=300", &alice, WEIGHT(300), false },
	{ "@alice weight=300", &alice, WEIGHT(300), false },
	{ "video weight=300", &alice, WEIGHT(300), false },
	{ "* weight=300", &alice, WEIGHT(300), true },
	{ "* weight=300", &nobody, WEIGHT(300), true },
	{ "4711 weight=300", &nobody, WEIGHT(300), true },
	{ "@0 weight=300", &nobody, WEIGHT(300), false },
	/* The first such line alone, whichever gives more. */
	{ "@users weight=50\nalice weight=300\n", &alice, WEIGHT(51), false },
	{ "@users weight=50\nalice weight=300\n", &alice, WEIGHT(50), true },
	{ "alice weight=300\n@users priority=9\n", &alice, PRIO(9), false },
	{ "\n  # x\n\talice\tweight=300\t# y\n", &alice, WEIGHT(300), true },
	/* What it does not name is not had. */
	{ "alice priority=60", &alice, WEIGHT(101), false },
	{ "alice priority=60", &alice, WEIGHT(100), true },
	{ "alice weight=20", &alice, WEIGHT(21), false },
	{ "alice weight=20", &alice, { 0 }, true },
	{ "alice priority=60", &alice, PRIO(60), true },
	{ "alice priority=60", &alice, PRIO(61), false },
	{ "alice weight=300", &alice, FQ(300), true },
	{ "alice weight=300", &alice, FQ(301), false },
	{ "alice weight=300", &alice, POLICY(FQ), true },
	{ "alice weight=20", &alice, FQ(20), true },
	{ "alice weight=20", &alice, FQ(21), false },
	{ "alice weight=20", &alice, POLICY(FQ), false },
	{ "alice priority=60", &alice, FQ(1), false },
	{ "alice ht=yes", &alice, FQ(1), false },
	{ "alice prt=yes", &alice, POLICY(PRT), true },
	{ "alice prt=yes", &alice, POLICY(HT), false },
	{ "alice prt=no", &alice, POLICY(PRT), false },
	{ "alice ht=yes", &alice, POLICY(PRT), true },
	{ "alice ht=yes", &alice, POLICY(HT), true },
	{ "alice ht=no prt=yes", &alice, POLICY(HT), false },
	{ "alice target=12.5%", &alice, TARGET(125000), true },
	{ "alice target=12.5%", &alice, TARGET(125001), false },
	/* C, and C/T. */
	{ "alice reserve=10ms/40ms", &alice, RESERVE(10 * MS, 40 * MS), true },
	{ "alice reserve=10ms/40ms", &alice, RESERVE(5 * MS, 20 * MS), true },
	{ "alice reserve=10ms/40ms", &alice, RESERVE(10 * MS, 100 * MS), true },
	{ "alice reserve=10ms/40ms", &alice, RESERVE(5 * MS, 10 * MS), false },
	{ "alice reserve=10ms/40ms", &alice, RESERVE(5 * MS, 20 * MS - 1), false },
	{ "alice reserve=10ms/40ms", &alice, RESERVE(20 * MS, 100 * MS), false },
	{ "alice reserve=10ms/40ms", &alice, RESERVE(10 * MS + 1, 100 * S), false },
	{ "alice reserve=50s/100s", &alice, RESERVE(50 * S, 100 * S), true },
	{ "alice reserve=50s/100s", &alice, RESERVE(50 * S, 100 * S - 1), false },
	{ "alice reserve=50s/100s", &alice, RESERVE(1, 1), false },
	/* All that is asked for has to be allowed. */
	{ "alice weight=300", &alice, { .weight = 300, .task = { .fields = TIMEGRAPH_SET_PRIO,
		.prio = 1 } }, false },
	{ "alice weight=300 priority=1", &alice, { .weight = 300, .task = {
		.fields = TIMEGRAPH_SET_PRIO, .prio = 1 } }, true },
};

static void everybody_has_what_the_page_says(void)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (!CHECK(may(table[i].file, table[i].who, &table[i].want) == table[i].may))
			tap_diag("case %zu: '%s'", i, table[i].file ? table[i].file : "(none)");
}

/* Each refuses all of the file it is in, wherever it stands. */
static const char *const wrong[] = {
	"alice", "alice weight", "alice weight=", "alice weight=0", "alice weight=10001",
	"alice weight=-1", "alice weight=+1", "alice weight=0x10", "alice weight=1e3",
	"alice weight=100 weight=100", "alice Weight=100", "alice wight=100", "alice weight= 100",
	"alice weight =100", "weight=100", "=100", "@ weight=100", "@@a weight=100",
	"a,b weight=100", "a:b weight=100", "/home weight=100", "** weight=100", "@* weight=100",
	"al*ce weight=100", "4294967295 weight=100", "99999999999 weight=100",
	"@4294967295 weight=100", "alice priority=100", "alice priority=", "alice ht",
	"alice ht=1", "alice ht=Yes", "alice prt=true", "alice reserve=10ms",
	"alice reserve=10ms:40ms", "alice reserve=40ms/10ms", "alice reserve=0/10ms",
	"alice reserve=1ms/101s", "alice reserve=1/2/3", "alice reserve=/", "alice target=0%",
	"alice target=50", "alice target=101%", "alice target=1.00001%", "alice target=.5%",
	"alice target=%", "alice target=-5%", "alice weight=100\r", "alice weight=100 \x01",
	"alice weight=1\x7f", "alice weight=99999999999999999999", "alice = 5",
};

static void what_is_wrong_refuses_the_whole_file(void)
{
	struct allow_error err;
	char text[256];
	struct allow a;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		int n = snprintf(text, sizeof(text), "alice weight=300\n#\n%s\nbob weight=5\n",
				 wrong[i]);

		if (!CHECK(!allow_read(text, n, &alice, &a, &err)) ||
		    !CHECK(err.line == 3 && err.text && err.hint))
			tap_diag("'%s'", wrong[i]);
	}
	CHECK(!allow_read("a weight=1\0b", 12, &alice, &a, &err) && err.line == 1);
}

static void lines_and_files_have_their_lengths(void)
{
	static char text[ALLOW_FILE_BYTES + 2];
	struct allow_error err;
	struct allow a;

	memset(text, ' ', sizeof(text));
	CHECK(allow_read(text, ALLOW_LINE_BYTES - 1, &alice, &a, &err));
	CHECK(!allow_read(text, ALLOW_LINE_BYTES, &alice, &a, &err) && err.line == 1);
	memset(text, '\n', sizeof(text));
	CHECK(allow_read(text, ALLOW_FILE_BYTES, &alice, &a, &err));
	CHECK(!allow_read(text, ALLOW_FILE_BYTES + 1, &alice, &a, &err));
}

/*
 * Texts of the grammar's own pieces.  The oracle reads what came out: whoever got more
 * than the default must stand in the text, and so must the number he got.
 */
static void no_text_grants_what_it_does_not_say(void)
{
	static const char *const piece[] = {
		"alice", "@video", "*", "bob", "1000", "@44", " ", "\t", "\n", "#", "weight=300",
		"weight=", "=", "priority=60", "reserve=10ms/40ms", "ht=yes", "prt=yes", "\r",
		"target=5%", "9", "\x01", "/",
	};
	uint64_t seed = 20261124;
	int more = 0, refused = 0;

	for (int i = 0; i < 300000; i++) {
		char text[512] = "";
		struct allow_error err;
		struct allow a;
		char weight[32];
		int n = random_below(&seed, 12);
		bool ok;

		if (random_below(&seed, 2))
			strcat(strcat(text, piece[random_below(&seed, 6)]), " ");
		for (int k = 0; k < n; k++)
			strcat(text, piece[random_below(&seed, sizeof(piece) / sizeof(piece[0]))]);
		/* Of its own length, for the sanitizer to see who reads beyond. */
		char *copy = memcpy(malloc(strlen(text) + 1), text, strlen(text));

		ok = allow_read(copy, strlen(text), &alice, &a, &err);
		free(copy);
		refused += !ok;
		if (!ok || (a.weight <= 100 && !a.fq_weight && !a.prio && !a.ht && !a.prt && !a.capacity_ns &&
			    !a.target_ppm))
			continue;
		more++;
		snprintf(weight, sizeof(weight), "weight=%u", a.weight);
		if (!CHECK(strstr(text, "alice") || strstr(text, "@video") || strchr(text, '*') ||
			   strstr(text, "1000") || strstr(text, "@44")) ||
		    !CHECK((a.weight <= 100 && !a.fq_weight) || strstr(text, weight)) ||
		    !CHECK(!a.ht || strstr(text, "ht=yes")) || !CHECK(!a.prio || strstr(text, "prio")))
			tap_diag("'%s'", text);
	}
	tap_diag("%d of 300000 granted something, %d were refused", more, refused);
	CHECK(more > 1000 && refused > 100000 && refused < 290000);
}

static void arbitrary_bytes_do_no_harm(void)
{
	uint64_t seed = 4;

	for (int i = 0; i < 100000; i++) {
		size_t n = random_below(&seed, 200);
		char *text = malloc(n + 1);
		struct allow_error err;
		struct allow a;

		for (size_t k = 0; k < n; k++)
			text[k] = random_below(&seed, 8) ? 32 + random_below(&seed, 95) :
							   random_below(&seed, 256);
		text = realloc(text, n ? n : 1);
		if (!allow_read(text, n, &alice, &a, &err))
			CHECK(err.line <= n + 1 && err.text && err.hint);
		free(text);
	}
}

/* What tgrun-grant is told is what tgrun was told. */
static void what_is_wanted_survives_its_own_words(void)
{
	uint64_t seed = 77;

	for (int i = 0; i < 20000; i++) {
		struct timegraph_set *t = &want_typed.task;
		struct cli cli = { .who = "x", .opts = { want_opts }, .whole = true };
		struct want_words words;
		struct want w = { 0 };
		char *argv[WANT_WORDS + 2] = { "x" }, err[256];
		int n = 0;

		w.weight = random_below(&seed, 2) * (1 + random_below(&seed, 10000));
		w.target_ppm = random_below(&seed, 2) * (1 + random_below(&seed, 1000000));
		if (random_below(&seed, 2)) {
			w.quota_period_ns = 1 + random_next(&seed) % (100 * S);
			w.quota_ns = 1 + random_next(&seed) % w.quota_period_ns;
		}
		if (random_below(&seed, 2)) {
			w.task.fields |= TIMEGRAPH_SET_POLICY;
			w.task.policy = random_below(&seed, 3);
		}
		if (w.task.policy == TIMEGRAPH_POLICY_FQ && random_below(&seed, 2)) {
			w.task.fields |= TIMEGRAPH_SET_WEIGHT;
			w.task.weight = 1 + random_below(&seed, 10000);
		}
		if (random_below(&seed, 2)) {
			w.task.fields |= TIMEGRAPH_SET_PRIO;
			w.task.prio = random_below(&seed, 100);
		}
		if (random_below(&seed, 2)) {
			w.task.fields |= TIMEGRAPH_SET_RESV;
			w.task.resv = TIMEGRAPH_RESV_PE + random_below(&seed, 2);
			w.task.period_ns = 1 + random_next(&seed) % (100 * S);
			w.task.capacity_ns = 1 + random_next(&seed) % w.task.period_ns;
		}
		want_words(&w, &words);
		for (; words.word[n]; n++)
			argv[n + 1] = (char *)words.word[n];
		want_typed = (struct want){ 0 };
		if (!CHECK(cli_read(&cli, n + 1, argv, err, sizeof(err)) == n + 1)) {
			tap_diag("%s", err);
			continue;
		}
		CHECK(want_typed.weight == w.weight && want_typed.target_ppm == w.target_ppm);
		CHECK(want_typed.quota_ns == w.quota_ns &&
		      want_typed.quota_period_ns == w.quota_period_ns);
		CHECK(!memcmp(t, &w.task, sizeof(*t)));
	}
}

static const struct tap_case cases[] = {
	{ "everybody_has_what_the_page_says", everybody_has_what_the_page_says },
	{ "what_is_wrong_refuses_the_whole_file", what_is_wrong_refuses_the_whole_file },
	{ "lines_and_files_have_their_lengths", lines_and_files_have_their_lengths },
	{ "no_text_grants_what_it_does_not_say", no_text_grants_what_it_does_not_say },
	{ "arbitrary_bytes_do_no_harm", arbitrary_bytes_do_no_harm },
	{ "what_is_wanted_survives_its_own_words", what_is_wanted_survives_its_own_words },
};

int main(void)
{
	return tap_run(cases, sizeof(cases) / sizeof(cases[0]));
}
