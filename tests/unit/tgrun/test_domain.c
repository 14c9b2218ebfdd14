// SPDX-License-Identifier: GPL-2.0-or-later
/* What a cgroup's reserve is called. */
#include "domain.h"
#include "tap.h"

/* The module finds a reserve by its name. */
static void cgroups_of_one_name_have_a_reserve_each(void)
{
	char a[TIMEGRAPH_NAME_LEN], b[TIMEGRAPH_NAME_LEN];

	domain_reserve_name(a, "tgrun-player-1234", 77);
	domain_reserve_name(b, "tgrun-player-1234", 78);
	CHECK(!strcmp(a, "tgrun-player-1234-77"));
	CHECK(strcmp(a, b));
}

static void nobody_can_call_his_cgroup_so(void)
{
	char a[TIMEGRAPH_NAME_LEN], b[TIMEGRAPH_NAME_LEN];

	domain_reserve_name(a, "tgrun-player-", 77);
	domain_reserve_name(b, "tgrun-player-7", 7);
	CHECK(strcmp(a, b));
}

/* A directory's name may have 255 bytes. */
static void long_name_does_not_cut_the_number(void)
{
	char a[TIMEGRAPH_NAME_LEN], b[TIMEGRAPH_NAME_LEN], name[256];

	memset(name, 'x', 255);
	name[255] = '\0';
	domain_reserve_name(a, name, UINT64_MAX);
	domain_reserve_name(b, name, UINT64_MAX - 1);
	CHECK(strcmp(a, b));
	CHECK(strstr(a, "-18446744073709551615"));
	CHECK(strlen(a) < TIMEGRAPH_NAME_LEN);
}

static const struct tap_case cases[] = {
	{ "cgroups_of_one_name_have_a_reserve_each", cgroups_of_one_name_have_a_reserve_each },
	{ "nobody_can_call_his_cgroup_so", nobody_can_call_his_cgroup_so },
	{ "long_name_does_not_cut_the_number", long_name_does_not_cut_the_number },
};

int main(void)
{
	return tap_run(cases, sizeof(cases) / sizeof(cases[0]));
}
