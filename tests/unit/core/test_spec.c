// SPDX-License-Identifier: GPL-2.0-or-later
/* tg_spec: what the grammar accepts, and which entry is for whom. */
#include "spec_cases.h"
#include "spec_check.h"
#include "tap.h"

#define US 1000ULL
#define MS 1000000ULL
#define S  1000000000ULL

struct accepted {
	const char *description;
	const char *text;
	struct tg_spec_entry want;
};

#define N15 "0123456789abcde"
#define N63 N15 "0" N15 "1" N15 "2" N15

static const struct accepted accepted[] = {
	{ "the paper's form", "<glxgears:PRT:PE:10:2500:25000>",
	  { "glxgears", "", TG_SPEC_PRT, TG_SPEC_RESV_PE, 10, false, 2500 * US, 25 * MS, 1, .uid = 0 } },
	{ "without brackets", "a:HT:-:0::",
	  { "a", "", TG_SPEC_HT, TG_SPEC_RESV_NONE, 0, false, 0, 0, 1, .uid = 0 } },
	{ "highest priority", "a:PRT:BG:99::",
	  { "a", "", TG_SPEC_PRT, TG_SPEC_RESV_BG, 99, false, 0, 0, 1, .uid = 0 } },
	{ "leading zero", "a:PRT:BG:07::",
	  { "a", "", TG_SPEC_PRT, TG_SPEC_RESV_BG, 7, false, 0, 0, 1, .uid = 0 } },
	{ "managed by focus", "a:HT:-:*::",
	  { "a", "", TG_SPEC_HT, TG_SPEC_RESV_NONE, 50, true, 0, 0, 1, .uid = 0 } },
	{ "managed by the CPU", "a:HT:-:cpu::",
	  { "a", "", TG_SPEC_HT, TG_SPEC_RESV_NONE, 0, false, 0, 0, 1, .cpu = true } },
	{ "a weight, too", "*:FQ=300:PE: cpu :1:2",
	  { "*", "", TG_SPEC_FQ, TG_SPEC_RESV_PE, 0, false, 1 * US, 2 * US, 1, .weight = 300,
	    .cpu = true, .kind = TG_SPEC_ANY } },
	{ "fair", "a:FQ:BG:0::",
	  { "a", "", TG_SPEC_FQ, TG_SPEC_RESV_BG, 0, false, 0, 0, 1, .weight = 100 } },
	{ "a weight", "a: FQ=10000 :PE:3:1:2",
	  { "a", "", TG_SPEC_FQ, TG_SPEC_RESV_PE, 3, false, 1 * US, 2 * US, 1, .weight = 10000 } },
	{ "the smallest weight", "a:FQ=1:-:*::",
	  { "a", "", TG_SPEC_FQ, TG_SPEC_RESV_NONE, 50, true, 0, 0, 1, .weight = 1 } },
	{ "a lead", "a:PRT lead=2.5ms:-:7::",
	  { "a", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 7, false, 0, 0, 1, .weight = 100,
	    .has_lead = true, .lead_ns = 2500 * US } },
	{ "no lead", "a:FIFO \tlead=0 :-:7::",
	  { "a", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 7, false, 0, 0, 1, .weight = 100,
	    .has_lead = true } },
	{ "a weight and the longest lead", "a:FQ=7 lead=100 ms:-:7::",
	  { "a", "", TG_SPEC_FQ, TG_SPEC_RESV_NONE, 7, false, 0, 0, 1, .weight = 7,
	    .has_lead = true, .lead_ns = 100000 * US } },
	{ "a domain", "cgroup:/batch:DOMAIN:-:-::",
	  { "cgroup:/batch", "", TG_SPEC_FQ, TG_SPEC_RESV_NONE, 0, false, 0, 0, 1, .weight = 100,
	    .kind = TG_SPEC_CGROUP, .domain = true } },
	{ "a domain with all there is", "<cgroup:/a.slice/b : DOMAIN=300 target=12.5% :PE: - :10ms:40ms>",
	  { "cgroup:/a.slice/b", "", TG_SPEC_FQ, TG_SPEC_RESV_PE, 0, false, 10000 * US, 40000 * US, 1,
	    .weight = 300, .kind = TG_SPEC_CGROUP, .domain = true, .has_target = true,
	    .target_ppm = 125000 } },
	{ "a domain with a target alone", "cgroup:/x:DOMAIN target=100%:-:-::",
	  { "cgroup:/x", "", TG_SPEC_FQ, TG_SPEC_RESV_NONE, 0, false, 0, 0, 1, .weight = 100,
	    .kind = TG_SPEC_CGROUP, .domain = true, .has_target = true, .target_ppm = 1000000 } },
	{ "a domain with video memory", "cgroup:/x:DOMAIN vram=1G:-:-::",
	  { "cgroup:/x", "", TG_SPEC_FQ, TG_SPEC_RESV_NONE, 0, false, 0, 0, 1, .weight = 100,
	    .kind = TG_SPEC_CGROUP, .domain = true, .vram_bytes = 1ULL << 30 } },
	{ "a domain with all words", "cgroup:/x:DOMAIN=7 target=50% vram=3K :PE:-:1ms:2ms",
	  { "cgroup:/x", "", TG_SPEC_FQ, TG_SPEC_RESV_PE, 0, false, MS, 2 * MS, 1, .weight = 7,
	    .kind = TG_SPEC_CGROUP, .domain = true, .has_target = true, .target_ppm = 500000,
	    .vram_bytes = 3072 } },
	{ "a GPU's policy", "gpu:0:POLICY=accc:-:-::",
	  { "gpu:0", "", TG_SPEC_FQ, TG_SPEC_RESV_NONE, 0, false, 0, 0, 1, .weight = 100,
	    .kind = TG_SPEC_GPU, .gpu = 0, .policy = "accc" } },
	{ "all GPUs' policy, the longest name", "< gpu:* : POLICY=My_policy-15-ok : - : - : : >",
	  { "gpu:*", "", TG_SPEC_FQ, TG_SPEC_RESV_NONE, 0, false, 0, 0, 1, .weight = 100,
	    .kind = TG_SPEC_GPU, .gpu = TG_SPEC_ANY_GPU, .policy = "My_policy-15-ok" } },
	{ "the GPU of the largest number", "gpu:9999:POLICY=x:-:-::",
	  { "gpu:9999", "", TG_SPEC_FQ, TG_SPEC_RESV_NONE, 0, false, 0, 0, 1, .weight = 100,
	    .kind = TG_SPEC_GPU, .gpu = 9999, .policy = "x" } },
	{ "a program that is called as a GPU", "\"gpu:0\":PRT:-:5::",
	  { "gpu:0", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 5, false, 0, 0, 1, .uid = 0 } },
	{ "a program that is called gpu", "gpu:PRT:-:5::",
	  { "gpu", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 5, false, 0, 0, 1, .uid = 0 } },
	{ "video memory", "a:FQ vram=256M:-:7::",
	  { "a", "", TG_SPEC_FQ, TG_SPEC_RESV_NONE, 7, false, 0, 0, 1, .weight = 100,
	    .vram_bytes = 256ULL << 20 } },
	{ "video memory behind a lead", "a:PRT lead=1ms  vram=70000:-:7::",
	  { "a", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 7, false, 0, 0, 1, .weight = 100,
	    .has_lead = true, .lead_ns = 1000 * US, .vram_bytes = 70000 } },
	{ "the most video memory", "a:FQ=7 vram=262144G :-:7::",
	  { "a", "", TG_SPEC_FQ, TG_SPEC_RESV_NONE, 7, false, 0, 0, 1, .weight = 7,
	    .vram_bytes = 1ULL << 48 } },
	{ "leading zeros of a weight", "a:FQ=00020:-:0::",
	  { "a", "", TG_SPEC_FQ, TG_SPEC_RESV_NONE, 0, false, 0, 0, 1, .weight = 20 } },
	{ "the paper's word", "<*:FIFO:BG:0::>",
	  { "*", "", TG_SPEC_PRT, TG_SPEC_RESV_BG, 0, false, 0, 0, 1, .kind = TG_SPEC_ANY } },
	{ "all of a user", "* @1000:FQ=20:BG:0::",
	  { "*", "", TG_SPEC_FQ, TG_SPEC_RESV_BG, 0, false, 0, 0, 1, .uid = 1000,
	    .has_uid = true, .weight = 20, .kind = TG_SPEC_ANY } },
	{ "who is called so", "\"*\":PRT:-:5::",
	  { "*", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 5, false, 0, 0, 1, .uid = 0 } },
	{ "shared", "a:PRT:AE@my-group_1:5:1ms:10ms",
	  { "a", "my-group_1", TG_SPEC_PRT, TG_SPEC_RESV_AE, 5, false, MS, 10 * MS, 1, .uid = 0 } },
	{ "blanks around every field", " < a\t: PRT : PE@g : 5 : 1 : 2 > \r\n",
	  { "a", "g", TG_SPEC_PRT, TG_SPEC_RESV_PE, 5, false, 1 * US, 2 * US, 1, .uid = 0 } },
	{ "a tab before the colon", "a b\t :PRT:-:5::",
	  { "a b", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 5, false, 0, 0, 1, .uid = 0 } },
	{ "comments and empty lines", "# x\n\n\t\r\na:PRT:-:5:: # y",
	  { "a", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 5, false, 0, 0, 4, .uid = 0 } },
	{ "comment at once", "a:PRT:-:5::#y",
	  { "a", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 5, false, 0, 0, 1, .uid = 0 } },
	{ "blanks for empty times", "<a:PRT:-:5: : >",
	  { "a", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 5, false, 0, 0, 1, .uid = 0 } },
	{ "quotes", "\"a:b>#<\":PRT:-:5::",
	  { "a:b>#<", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 5, false, 0, 0, 1, .uid = 0 } },
	{ "escapes", "<\"a\\\"b\\\\c\\d\" :PRT:-:5::>",
	  { "a\"b\\c\\d", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 5, false, 0, 0, 1, .uid = 0 } },
	{ "blanks inside quotes", "\" a \":PRT:-:5::",
	  { " a ", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 5, false, 0, 0, 1, .uid = 0 } },
	{ "a bare name's backslash", "a\\b:PRT:-:5::",
	  { "a\\b", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 5, false, 0, 0, 1, .uid = 0 } },
	{ "UTF-8", "spiel\303\244:PRT:-:5::",
	  { "spiel\303\244", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 5, false, 0, 0, 1, .uid = 0 } },
	{ "a no-break space in quotes", "\"a\302\240b\":PRT:-:5::",
	  { "a\302\240b", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 5, false, 0, 0, 1, .uid = 0 } },
	{ "a no-break space in a comment", "a:PRT:-:5:: #\302\240b",
	  { "a", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 5, false, 0, 0, 1, .uid = 0 } },
	{ "no UTF-8", "spiel\344\240\205:PRT:-:5::",
	  { "spiel\344\240\205", "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 5, false, 0, 0, 1, .uid = 0 } },
	{ "a group in another script", "a:PRT:PE@\346\230\240:5:1:2",
	  { "a", "\346\230\240", TG_SPEC_PRT, TG_SPEC_RESV_PE, 5, false, 1 * US, 2 * US, 1, .uid = 0 } },
	{ "63 bytes", N63 ":PRT:-:5::",
	  { N63, "", TG_SPEC_PRT, TG_SPEC_RESV_NONE, 5, false, 0, 0, 1, .uid = 0 } },
	{ "63 bytes, then blanks", N63 "  :PRT:PE@" N63 ":5:1:1",
	  { N63, N63, TG_SPEC_PRT, TG_SPEC_RESV_PE, 5, false, US, US, 1, .uid = 0 } },
};

static bool parse_one(const char *text, struct tg_spec_entry *e)
{
	size_t len = strlen(text);
	char *copy = malloc(len);
	struct tg_spec_error err;
	int ret;

	memcpy(copy, text, len);
	ret = tg_spec_parse(copy, len, e, 1, &err);
	free(copy);
	if (ret < 0)
		tap_diag("  refused at %u:%u: %s", err.line, err.column, err.check);
	return CHECK(ret == 1) && CHECK(spec_error_is_clear(&err));
}

static void every_form_of_the_grammar_is_read(void)
{
	for (u32 i = 0; i < ARRAY_SIZE(accepted); i++) {
		const struct accepted *a = &accepted[i];
		struct tg_spec_entry e;

		if (!parse_one(a->text, &e) ||
		    !CHECK(spec_entries_equal(&e, &a->want)) ||
		    !CHECK(e.line == a->want.line))
			tap_diag("  \"%s\"", a->description);
	}
}

static void a_file_without_entries_is_valid(void)
{
	static const char *const texts[] = { "", "\n", "#", " \t", "# a:b\n\r\n#" };
	struct tg_spec_entry e;
	struct tg_spec_error err;

	for (u32 i = 0; i < ARRAY_SIZE(texts); i++)
		CHECK(tg_spec_parse(texts[i], strlen(texts[i]), &e, 0, &err) == 0);
}

static void times_convert_to_nanoseconds(void)
{
	static const struct {
		const char *text;
		u64 ns;
	} times[] = {
		{ "1ns", 1 }, { "1", US }, { "1us", US }, { "1ms", MS }, { "1s", S },
		{ "25 ms", 25 * MS }, { "2500\tus", 2500 * US }, { "0001", US },
		{ "100s", 100 * S }, { "100000ms", 100 * S }, { "100000000", 100 * S },
		{ "100000000us", 100 * S }, { "100000000000ns", 100 * S },
		{ "99999999999ns", 100 * S - 1 }, { "000000000001", US },
		{ "2.5ms", 2500 * US }, { "2.5", 2500 }, { "0.5us", 500 }, { "0.001", 1 },
		{ "0.5 s", 500 * MS }, { "1.0ns", 1 }, { "100.000s", 100 * S },
		{ "0.000000001s", 1 }, { "1.000000001s", S + 1 }, { "16.666667ms", 16666667 },
		{ "99.999999999s", 100 * S - 1 }, { "2.50000000000000000000ms", 2500 * US },
	};

	for (u32 i = 0; i < ARRAY_SIZE(times); i++) {
		struct tg_spec_entry e;
		char text[80];

		sprintf(text, "a:PRT:PE:5:1ns:%s", times[i].text);
		if (!parse_one(text, &e) ||
		    !CHECK(e.capacity_ns == 1 && e.period_ns == times[i].ns))
			tap_diag("  \"%s\"", times[i].text);
		/* C may be as large as T. */
		sprintf(text, "a:PRT:AE:5:%s:%s", times[i].text, times[i].text);
		if (!parse_one(text, &e) ||
		    !CHECK(e.capacity_ns == times[i].ns && e.period_ns == times[i].ns))
			tap_diag("  \"%s\"", times[i].text);
	}
}

static void later_entries_take_the_groups_times(void)
{
	static const char text[] = "a:PRT:PE@g:1:1ms:10ms\n"
				   "b:PRT:AE@h:1:2ms:20ms\n"
				   "c:PRT:PE@g:2::\n"
				   "d:HT:AE@h:*:2000:20000us\n"
				   "e:PRT:PE:3:3:30\n"
				   "f:PRT:PE@g:4: : \n";
	struct tg_spec_entry e[6];
	struct tg_spec_error err;

	if (!CHECK(tg_spec_parse(text, strlen(text), e, 6, &err) == 6))
		return;
	CHECK(e[2].capacity_ns == MS && e[2].period_ns == 10 * MS);
	CHECK(e[3].capacity_ns == 2 * MS && e[3].period_ns == 20 * MS);
	CHECK(e[4].capacity_ns == 3 * US && !e[4].group[0]);
	CHECK(e[5].capacity_ns == MS && !strcmp(e[5].group, "g") && e[5].line == 6);
}

static void the_first_match_wins(void)
{
	static const char text[] = "glxgears:PRT:-:1::\n"
				   "averyveryverylongname:PRT:-:2::\n"
				   "averyveryverylongother:PRT:-:3::\n"
				   "glxgears:PRT:-:4::\n"
				   "python3.11:PRT:-:5::\n"
				   "exactly15bytes_:PRT:-:6::\n"
				   "game:PRT:-:7::\n";
	static const struct {
		const char *description, *comm, *exe;
		int prio;	/* of the entry, 0 = none */
	} matches[] = {
		{ "by comm", "glxgears", NULL, 1 },
		{ "by comm, another exe", "glxgears", "wrapper", 1 },
		{ "by exe", "worker-1", "glxgears", 1 },
		{ "15 characters of a long name", "averyveryverylo", NULL, 2 },
		{ "14 characters are too few", "averyveryveryl", NULL, 0 },
		{ "the long exe; but an earlier entry has its comm", "averyveryverylo",
		  "averyveryverylongother", 2 },
		{ "the whole exe", "x", "averyveryverylongother", 3 },
		{ "an exe's first 15 are not enough", "x", "averyveryverylo", 0 },
		{ "exe behind comm in the file", "game", "python3.11", 5 },
		{ "comm behind exe in the file", "python3.11", "game", 5 },
		{ "exactly 15", "exactly15bytes_", NULL, 6 },
		{ "a prefix is no match", "glx", NULL, 0 },
		{ "a longer one is no match", "glxgears2", "glxgears2", 0 },
		{ "case counts", "GLXgears", NULL, 0 },
		{ "nobody", "", NULL, 0 },
		{ "nobody's exe", "", "", 0 },
	};
	struct tg_spec_entry e[7];
	struct tg_spec_error err;

	if (!CHECK(tg_spec_parse(text, strlen(text), e, 7, &err) == 7))
		return;
	for (u32 i = 0; i < ARRAY_SIZE(matches); i++) {
		const struct tg_spec_entry *m =
			tg_spec_match(e, 7, &(struct tg_spec_program){
				.comm = matches[i].comm, .exe = matches[i].exe });

		if (!CHECK((m ? m->prio : 0) == matches[i].prio))
			tap_diag("  \"%s\": %d", matches[i].description, m ? m->prio : 0);
	}
	CHECK(!tg_spec_match(e, 0, &(struct tg_spec_program){ .comm = "glxgears",
							     .exe = "glxgears" }));
}

static void a_name_is_not_all_that_tells_a_program(void)
{
	static const char text[] = "/usr/bin/game:HT:-:1::\n"
				   "game@1000:PRT:-:2::\n"
				   "cgroup:/user.slice/a b@1001:PRT:-:3::\n"
				   "\"/opt/a: #\" @0 :PRT:-:4::\n"
				   "cgroup:/batch:PRT:-:5::\n"
				   "\"a@1000\":PRT:-:6::\n"
				   "/gone:PRT:-:7::\n"
				   "cgroup:/@1002:PRT:-:8::\n";
	static const struct {
		const char *description;
		struct tg_spec_program p;
		int prio;	/* of the entry, 0 = none */
	} matches[] = {
		{ "the file", { .comm = "x", .file = { 1, 10 }, .uid = 7 }, 1 },
		{ "another file system", { .comm = "x", .file = { 2, 10 }, .uid = 7 }, 0 },
		{ "another file", { .comm = "x", .file = { 1, 11 }, .uid = 7 }, 0 },
		{ "the path, of another file", { .comm = "x", .path = "/usr/bin/game",
						 .file = { 1, 11 }, .uid = 7 }, 0 },
		{ "the path, of no file", { .comm = "x", .path = "/usr/bin/game", .uid = 7 }, 1 },
		{ "a comm like the path", { .comm = "/usr/bin/game", .exe = "game", .uid = 7 }, 0 },
		{ "a file that is not there", { .comm = "x", .file = { 0, 0 }, .uid = 7 }, 0 },
		{ "the user", { .comm = "game", .uid = 1000 }, 2 },
		{ "another user", { .comm = "game", .exe = "game", .uid = 1001 }, 0 },
		{ "no user", { .comm = "game", .uid = TG_SPEC_NO_UID }, 0 },
		{ "a user who is not asked", { .comm = "game", .uid = TG_SPEC_ANY_UID }, 2 },
		{ "the cgroup", { .comm = "x", .cgroup = "/user.slice/a b", .uid = 1001 }, 3 },
		{ "below it", { .comm = "x", .cgroup = "/user.slice/a b/c", .uid = 1001 }, 3 },
		{ "above it", { .comm = "x", .cgroup = "/user.slice", .uid = 1001 }, 0 },
		{ "beside it", { .comm = "x", .cgroup = "/user.slice/a bc", .uid = 1001 }, 0 },
		{ "another user's", { .comm = "x", .cgroup = "/user.slice/a b", .uid = 1 }, 0 },
		{ "a name that looks like it", { .comm = "cgroup:/batch", .uid = 1 }, 0 },
		{ "any user's cgroup", { .comm = "x", .cgroup = "/batch/1", .uid = 1 }, 5 },
		{ "no cgroup", { .comm = "x", .uid = 1002 }, 0 },
		{ "all cgroups", { .comm = "x", .cgroup = "/", .uid = 1002 }, 8 },
		{ "a path with a blank, root's", { .comm = "x", .path = "/opt/a: #", .uid = 0 }, 4 },
		{ "a quoted @", { .comm = "a@1000", .uid = 5 }, 6 },
	};
	struct tg_spec_entry e[8];
	struct tg_spec_error err;

	if (!CHECK(tg_spec_parse(text, strlen(text), e, 8, &err) == 8))
		return;
	CHECK(e[0].kind == TG_SPEC_PATH && !e[0].has_uid);
	CHECK(e[2].kind == TG_SPEC_CGROUP && e[2].has_uid && e[2].uid == 1001 &&
	      !strcmp(e[2].name, "cgroup:/user.slice/a b"));
	CHECK(!strcmp(e[3].name, "/opt/a: #") && e[3].has_uid && !e[3].uid);
	e[0].file = (struct tg_spec_file){ 1, 10 };
	for (u32 i = 0; i < ARRAY_SIZE(matches); i++) {
		const struct tg_spec_entry *m = tg_spec_match(e, 8, &matches[i].p);

		if (!CHECK((m ? m->prio : 0) == matches[i].prio))
			tap_diag("  \"%s\": %d", matches[i].description, m ? m->prio : 0);
	}
}

static void the_innermost_domain_with_memory_counts(void)
{
	static const char text[] = "cgroup:/a:DOMAIN vram=1M:-:-::\n"
				   "cgroup:/a/b/c:DOMAIN vram=3M:-:-::\n"
				   "cgroup:/a/b:DOMAIN=7:-:-::\n"
				   "cgroup:/a/b:FQ vram=9M:-:0::\n"
				   "cgroup:/a/bb:DOMAIN vram=2M:-:-::\n";
	static const struct {
		const char *cgroup;
		u64 mib;	/* 0: none */
	} matches[] = {
		{ "/a", 1 }, { "/a/b", 1 }, { "/a/b/c", 3 }, { "/a/b/c/d/e", 3 }, { "/a/b/cc", 1 },
		{ "/a/bb", 2 }, { "/a/bb/c", 2 }, { "/ab", 0 }, { "/", 0 }, { "/x/a", 0 },
	};
	struct tg_spec_entry e[8];
	struct tg_spec_error err;

	if (!CHECK(tg_spec_parse(text, strlen(text), e, 8, &err) == 5))
		return;
	for (u32 i = 0; i < ARRAY_SIZE(matches); i++) {
		const struct tg_spec_entry *m = tg_spec_match_domain(e, 5, matches[i].cgroup);

		if (!CHECK((m ? m->vram_bytes >> 20 : 0) == matches[i].mib))
			tap_diag("  \"%s\": %s", matches[i].cgroup, m ? m->name : "none");
	}
	CHECK(!tg_spec_match_domain(e, 0, "/a"));
}

static void a_gpu_has_the_first_policy_that_is_for_it(void)
{
	static const char text[] = "gpu:PRT:-:5::\ngpu:2:POLICY=rr:-:-::\n\"gpu:3\":FQ:-:5::\n"
				   "gpu:*:POLICY=xc:-:-::\n";
	struct tg_spec_entry e[4];
	struct tg_spec_error err;

	if (!CHECK(tg_spec_parse(text, strlen(text), e, 4, &err) == 4))
		return;
	CHECK(!strcmp(tg_spec_match_gpu(e, 4, 2), "rr"));
	CHECK(!strcmp(tg_spec_match_gpu(e, 4, 3), "xc") && !strcmp(tg_spec_match_gpu(e, 4, 0), "xc"));
	CHECK(!strcmp(tg_spec_match_gpu(e, 3, 2), "rr") && !tg_spec_match_gpu(e, 3, 3));
	CHECK(!tg_spec_match_gpu(e, 0, 2));
	/* It is nobody's entry. */
	CHECK(!tg_spec_match(e + 1, 1, &(struct tg_spec_program){ .comm = "gpu:2" }));
	CHECK(!tg_spec_match(e + 3, 1, &(struct tg_spec_program){ .comm = "gpu:*" }));
}

static void limits_are_read(void)
{
	static const struct {
		const char *text;
		u32 percent;
	} limits[] = {
		{ "0", 0 }, { "100", 100 }, { "50\n", 50 }, { "  7\t\r\n\n", 7 },
		{ "# limit\n\n80 # percent\n# end", 80 }, { "100%", 100 }, { "0%", 0 },
		{ "5% \r\n", 5 }, { "0000000000000050", 50 }, { "90#", 90 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(limits); i++) {
		struct tg_spec_error err;
		u32 percent = 1234;

		if (!CHECK(!tg_ac_parse(limits[i].text, strlen(limits[i].text),
					&percent, &err)) ||
		    !CHECK(percent == limits[i].percent) ||
		    !CHECK(spec_error_is_clear(&err)))
			tap_diag("  \"%s\"", limits[i].text);
	}
}

static void names_of_policies_read_back(void)
{
	for (u32 sched = TG_SPEC_PRT; sched <= TG_SPEC_FQ; sched++)
		for (u32 resv = TG_SPEC_RESV_NONE; resv <= TG_SPEC_RESV_BG; resv++) {
			bool times = resv == TG_SPEC_RESV_PE || resv == TG_SPEC_RESV_AE;
			struct tg_spec_entry e;
			char text[80];

			sprintf(text, "a:%s:%s:1:%s", tg_spec_sched_name(sched),
				tg_spec_resv_name(resv), times ? "1:2" : ":");
			if (parse_one(text, &e))
				CHECK(e.sched == sched && e.resv == resv);
		}
}

int main(void)
{
	static const struct tap_case cases[] = {
#define CASE(f) { #f, f }
		CASE(every_form_of_the_grammar_is_read),
		CASE(a_file_without_entries_is_valid),
		CASE(times_convert_to_nanoseconds),
		CASE(later_entries_take_the_groups_times),
		CASE(the_first_match_wins),
		CASE(a_name_is_not_all_that_tells_a_program),
		CASE(the_innermost_domain_with_memory_counts),
		CASE(a_gpu_has_the_first_policy_that_is_for_it),
		CASE(limits_are_read),
		CASE(names_of_policies_read_back),
		CASE(wrong_specs_are_refused_at_their_place),
		CASE(wrong_limits_are_refused_at_their_place),
		CASE(oversized_specs_are_refused),
		CASE(random_specs_survive_a_round_trip),
		CASE(mutated_specs_parse_or_give_a_place),
#undef CASE
	};

	return tap_run(cases, ARRAY_SIZE(cases));
}
