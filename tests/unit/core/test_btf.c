// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tg_btf: where members lie is held against the compiler, whose BTF of the same
 * structures is read; and BTF with random damage must not lead it astray.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "btf_types.h"
#include "random.h"
#include "tap.h"
#include "tg_btf.h"

static unsigned char *blob;
static size_t blob_size;

static int read_blob(const char *path)
{
	FILE *f = fopen(path, "rb");

	if (!f)
		return -1;
	blob = malloc(1 << 20);
	blob_size = fread(blob, 1, 1 << 20, f);
	fclose(f);
	return blob_size ? 0 : -1;
}

/* Opens @data as a module's types on top of none. */
static int open_types(struct tg_btf *btf, const void *data, size_t size)
{
	memset(btf, 0, sizeof(*btf));
	if (tg_btf_open(&btf->module, data, size))
		return -1;
	btf->module.index = calloc(btf->module.nr + 1, sizeof(u32));
	tg_btf_index(&btf->module);
	return 0;
}

static const struct {
	const char *path;
	long offset;		/* or the error */
} paths[] = {
	{ "chan.push", offsetof(struct bt_channel, chan.push) },
	{ "chan.push.wait", offsetof(struct bt_channel, chan.push.wait) },
	{ "chan.push.mem.object.map.ptr", offsetof(struct bt_channel, chan.push.mem.object.map.ptr) },
	{ "chan.push.end", offsetof(struct bt_channel, chan.push.end) },
	{ "chan.depth", offsetof(struct bt_channel, chan.depth) },
	{ "chid", offsetof(struct bt_channel, chid) },
	{ "number", offsetof(struct bt_channel, number) },
	{ "in_unnamed", offsetof(struct bt_channel, in_unnamed) },
	{ "after_bits", offsetof(struct bt_channel, after_bits) },
	{ "other", offsetof(struct bt_channel, other) },
	{ "list", offsetof(struct bt_channel, list) },
	{ "dma.ib_put", offsetof(struct bt_channel, dma.ib_put) },
	{ "low", -EINVAL },
	{ "high", -EINVAL },
	{ "chan.pus", -ENOENT },
	{ "chan.pushed", -ENOENT },
	{ "chid.more", -ENOENT },
	{ "other.wait", -ENOENT },
	{ "nothing", -ENOENT },
};

static void members_lie_where_the_compiler_says(void)
{
	struct tg_btf_member m;
	struct tg_btf btf;

	CHECK(!open_types(&btf, blob, blob_size));
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		int ret = tg_btf_path(&btf, "bt_channel", paths[i].path, &m);
		long got = ret ? ret : (long)m.offset;

		if (!CHECK(got == paths[i].offset))
			tap_diag("%s: %ld, not %ld", paths[i].path, got,
				 paths[i].offset);
	}
	CHECK(tg_btf_path(&btf, "no_such", "chid", &m) == -ENOENT);
	free(btf.module.index);
}

static u32 type_at(const struct tg_btf *btf, const char *path)
{
	struct tg_btf_member m;

	return tg_btf_path(btf, "bt_channel", path, &m) ? 0 : m.type;
}

static void types_are_told_apart(void)
{
	struct tg_btf btf;
	u32 p[4] = { 0 };

	CHECK(!open_types(&btf, blob, blob_size));
	CHECK(tg_btf_is_struct(&btf, type_at(&btf, "chan.push"), "bt_push"));
	CHECK(!tg_btf_is_struct(&btf, type_at(&btf, "chan"), "bt_push"));
	CHECK(tg_btf_is_int(&btf, type_at(&btf, "chid"), 4));
	CHECK(!tg_btf_is_int(&btf, type_at(&btf, "chid"), 8));
	CHECK(!tg_btf_is_int(&btf, type_at(&btf, "other"), 8));
	CHECK(tg_btf_is_pointer(&btf, type_at(&btf, "other"), "bt_push"));
	CHECK(tg_btf_is_pointer(&btf, type_at(&btf, "other"), NULL));
	CHECK(!tg_btf_is_pointer(&btf, type_at(&btf, "other"), "bt_channel"));
	CHECK(!tg_btf_is_pointer(&btf, type_at(&btf, "other"), "()"));
	CHECK(tg_btf_is_pointer(&btf, type_at(&btf, "chan.push.kick"), "()"));
	CHECK(!tg_btf_is_pointer(&btf, type_at(&btf, "chid"), NULL));
	CHECK(tg_btf_function(&btf, "bt_function", p, 4) == 3);
	CHECK(tg_btf_is_pointer(&btf, p[0], "bt_channel"));
	CHECK(tg_btf_is_int(&btf, p[1], 4));
	CHECK(tg_btf_is_pointer(&btf, p[2], NULL));
	CHECK(tg_btf_function(&btf, "bt_function", p, 1) == 3);
	CHECK(tg_btf_function(&btf, "bt_channel", p, 4) == -ENOENT);
	free(btf.module.index);
}

/* All that is asked of a module's types; answers do not matter, reads do. */
static void ask_all(const struct tg_btf *btf)
{
	struct tg_btf_member m;
	u32 p[4];

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		if (tg_btf_path(btf, "bt_channel", paths[i].path, &m))
			continue;
		tg_btf_is_int(btf, m.type, 4);
		tg_btf_is_pointer(btf, m.type, "bt_push");
		tg_btf_is_pointer(btf, m.type, "()");
		tg_btf_is_struct(btf, m.type, "bt_push");
	}
	tg_btf_function(btf, "bt_function", p, 4);
}

static void damage_is_survived(void)
{
	u64 seed = 1;
	u32 opened = 0;

	for (int round = 0; round < 100000; round++) {
		size_t size = random_below(&seed, 8) ? blob_size :
						       random_below(&seed, blob_size + 1);
		unsigned char *copy = malloc(size ? size : 1);
		struct tg_btf btf;

		memcpy(copy, blob, size);
		for (u32 n = 1 + random_below(&seed, 6); size && n; n--) {
			size_t at = random_below(&seed, 4) ? random_below(&seed, size) :
				    random_below(&seed, size < 24 ? size : 24);

			copy[at] = random_below(&seed, 2) ? random_below(&seed, 256) :
							    copy[at] + 1u;
		}
		if (!open_types(&btf, copy, size)) {
			ask_all(&btf);
			free(btf.module.index);
			opened++;
		}
		free(copy);
	}
	/* Else the damage would only have been seen by the first look. */
	CHECK(opened > 1000);
	tap_diag("%u of 100000 were still BTF", opened);
}

static const struct tap_case cases[] = {
	{ "members_lie_where_the_compiler_says", members_lie_where_the_compiler_says },
	{ "types_are_told_apart", types_are_told_apart },
	{ "damage_is_survived", damage_is_survived },
};

int main(int argc, char **argv)
{
	int ret;

	if (argc != 2 || read_blob(argv[1])) {
		fprintf(stderr, "usage: test_btf FILE\n");
		return 2;
	}
	ret = tap_run(cases, sizeof(cases) / sizeof(cases[0]));
	free(blob);
	return ret;
}
