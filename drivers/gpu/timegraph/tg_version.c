// SPDX-License-Identifier: GPL-2.0-only
/* A specification and an admission limit that belong together. */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "tg_compat.h"
#include "tg_program.h"
#include "tg_version.h"

static struct tg_version *alloc(u32 nr_entries)
{
	struct tg_version *v;

	v = kvzalloc(struct_size(v, entry, nr_entries), GFP_KERNEL);
	if (v)
		refcount_set(&v->refs, 1);
	return v;
}

/* No file is as if the module had just been loaded. */
static int parse(struct tg_version *v, const struct tg_text *text,
		 struct tg_spec_error *err)
{
	const struct tg_text *spec = &text[TG_VERSION_SPEC];
	const struct tg_text *ac = &text[TG_VERSION_AC];
	bool refused = false;
	int n = 0;

	v->limit_percent = TG_AC_DEFAULT;
	if (spec->text)
		n = tg_spec_parse(spec->text, spec->len, v->entry,
				  TG_SPEC_MAX_ENTRIES, &err[TG_VERSION_SPEC]);
	if (ac->text)
		refused = tg_ac_parse(ac->text, ac->len, &v->limit_percent,
				      &err[TG_VERSION_AC]);
	return n < 0 || refused ? -EBADMSG : n;
}

/* Of the size that it needs. */
static struct tg_version *fit(const struct tg_version *roomy, u32 n)
{
	struct tg_version *v = alloc(n);

	if (!v)
		return NULL;
	v->limit_percent = roomy->limit_percent;
	v->nr_entries = n;
	memcpy(v->entry, roomy->entry, n * sizeof(v->entry[0]));
	for (u32 i = 0; i < n; i++) {
		v->nr_paths += v->entry[i].kind == TG_SPEC_PATH;
		v->nr_vram_domains += v->entry[i].domain && v->entry[i].vram_bytes;
	}
	return v;
}

struct tg_version *tg_version_create(struct tg_text text[TG_VERSION_PARTS],
				     struct tg_spec_error err[TG_VERSION_PARTS])
{
	struct tg_version *v, *roomy = alloc(TG_SPEC_MAX_ENTRIES);
	int n;

	memset(err, 0, TG_VERSION_PARTS * sizeof(*err));
	if (!roomy)
		return ERR_PTR(-ENOMEM);
	n = parse(roomy, text, err);
	v = n < 0 ? NULL : fit(roomy, n);
	kvfree(roomy);
	if (!v)
		return ERR_PTR(n < 0 ? n : -ENOMEM);
	for (int i = 0; i < TG_VERSION_PARTS; i++) {
		v->text[i] = text[i];
		text[i] = (struct tg_text){ };
	}
	return v;
}

struct tg_version *tg_version_get(struct tg_version *v)
{
	refcount_inc(&v->refs);
	return v;
}

void tg_version_put(struct tg_version *v)
{
	if (!v || !refcount_dec_and_test(&v->refs))
		return;
	for (int i = 0; i < TG_VERSION_PARTS; i++)
		tg_text_free(&v->text[i]);
	kvfree(v);
}

bool tg_version_same(const struct tg_version *v,
		     const struct tg_text text[TG_VERSION_PARTS])
{
	for (int i = 0; i < TG_VERSION_PARTS; i++)
		if (!tg_text_same(&v->text[i], &text[i]))
			return false;
	return true;
}

void tg_version_look_up(const struct tg_version *v, struct tg_spec_file *files)
{
	for (u32 i = 0; i < v->nr_entries; i++) {
		struct file *file;

		if (v->entry[i].kind != TG_SPEC_PATH)
			continue;
		files[i] = (struct tg_spec_file){ };
		file = tg_compat_open_system_file(v->entry[i].name, O_PATH);
		if (IS_ERR(file))
			continue;
		files[i] = tg_program_file(file);
		fput(file);
	}
}
