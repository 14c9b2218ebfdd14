// SPDX-License-Identifier: GPL-2.0-only
/* Reading the types of a module from its BTF. */
#ifdef __KERNEL__
#include <uapi/linux/btf.h>
#else
#include <linux/btf.h>
#endif

#include "tg_btf.h"

/* Of typedefs, qualifiers, and structures in structures: more is no real type. */
#define MAX_DEPTH 16

/* The header as all versions have it; newer ones are longer. */
#define HEADER_BYTES 24

/*
 * 7.2 has widened these fields into bits that were unused before: its masks do for
 * all, whatever this is built against.
 */
static u32 kind_of(const struct btf_type *t)
{
	return (t->info >> 24) & 0x7f;
}

static u32 vlen_of(const struct btf_type *t)
{
	return t->info & 0xffffff;
}

/* Bytes that follow the fixed part, or -1 for a kind that is not known. */
static s64 tail_bytes(const struct btf_type *t)
{
	s64 n = vlen_of(t);

	switch (kind_of(t)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return n * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return n * sizeof(struct btf_enum);
	case BTF_KIND_FUNC_PROTO:
		return n * sizeof(struct btf_param);
	case BTF_KIND_DATASEC:
		return n * sizeof(struct btf_var_secinfo);
	case BTF_KIND_ENUM64:
		return n * 12;
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	}
	return -1;
}

/* Where the type after the one at @at begins, or 0 if that leaves the section. */
static u32 next_type(const struct tg_btf_part *p, u32 at)
{
	const struct btf_type *t = (const void *)(p->types + at);
	s64 tail;

	if (p->types_len - at < sizeof(*t))
		return 0;
	tail = tail_bytes(t);
	if (tail < 0 || tail > (s64)(p->types_len - at - sizeof(*t)))
		return 0;
	return at + sizeof(*t) + tail;
}

static bool section_fits(u32 off, u32 len, size_t room)
{
	return off <= room && len <= room - off;
}

int tg_btf_open(struct tg_btf_part *p, const void *data, size_t size)
{
	const struct btf_header *h = data;
	const u8 *body;
	size_t room;

	memset(p, 0, sizeof(*p));
	if (size < HEADER_BYTES || h->magic != BTF_MAGIC ||
	    h->version != BTF_VERSION || h->hdr_len < HEADER_BYTES ||
	    h->hdr_len > size || h->hdr_len % 4)
		return -EINVAL;
	body = data + h->hdr_len;
	room = size - h->hdr_len;
	if (!section_fits(h->type_off, h->type_len, room) || h->type_off % 4 ||
	    !section_fits(h->str_off, h->str_len, room) || !h->str_len)
		return -EINVAL;
	p->types = body + h->type_off;
	p->types_len = h->type_len;
	p->strings = (const char *)body + h->str_off;
	p->strings_len = h->str_len;
	if (p->strings[p->strings_len - 1])
		return -EINVAL;
	for (u32 at = 0; at < p->types_len; p->nr++) {
		at = next_type(p, at);
		if (!at)
			return -EINVAL;
	}
	return 0;
}

void tg_btf_index(struct tg_btf_part *p)
{
	u32 at = 0;

	for (u32 i = 0; i < p->nr; i++) {
		p->index[i] = at;
		at = next_type(p, at);
	}
}

/* The type of a number, or NULL: 0 is void. */
static const struct btf_type *type_of(const struct tg_btf *btf, u32 id)
{
	const struct tg_btf_part *p = &btf->base;

	if (!id)
		return NULL;
	id--;
	if (id >= p->nr) {
		id -= p->nr;
		p = &btf->module;
	}
	return id < p->nr ? (const void *)(p->types + p->index[id]) : NULL;
}

static const char *string_of(const struct tg_btf *btf, u32 off)
{
	if (off < btf->base.strings_len)
		return btf->base.strings + off;
	off -= btf->base.strings_len;
	return off < btf->module.strings_len ? btf->module.strings + off : "";
}

/* Takes off what does not change how a thing lies in memory. */
static u32 strip(const struct tg_btf *btf, u32 id)
{
	for (int depth = 0; depth < MAX_DEPTH; depth++) {
		const struct btf_type *t = type_of(btf, id);

		if (!t)
			return 0;
		switch (kind_of(t)) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case BTF_KIND_TYPE_TAG:
			id = t->type;
			continue;
		}
		return id;
	}
	return 0;
}

static u32 find_in(const struct tg_btf *btf, const struct tg_btf_part *p,
		   u32 first, u32 kind, const char *name)
{
	for (u32 i = 0; i < p->nr; i++) {
		const struct btf_type *t = (const void *)(p->types + p->index[i]);

		if (kind_of(t) == kind &&
		    !strcmp(string_of(btf, t->name_off), name))
			return first + i;
	}
	return 0;
}

static u32 find(const struct tg_btf *btf, u32 kind, const char *name)
{
	u32 id = find_in(btf, &btf->module, btf->base.nr + 1, kind, name);

	return id ? id : find_in(btf, &btf->base, 1, kind, name);
}

u32 tg_btf_find_struct(const struct tg_btf *btf, const char *name)
{
	return find(btf, BTF_KIND_STRUCT, name);
}

static bool is_aggregate(const struct btf_type *t)
{
	return t && (kind_of(t) == BTF_KIND_STRUCT ||
		     kind_of(t) == BTF_KIND_UNION);
}

/* In bits; of a bit field -1. */
static s64 bit_offset(const struct btf_type *t, const struct btf_member *m)
{
	if (!BTF_INFO_KFLAG(t->info))
		return m->offset;
	if (BTF_MEMBER_BITFIELD_SIZE(m->offset))
		return -1;
	return BTF_MEMBER_BIT_OFFSET(m->offset);
}

/* Whether the next part of @path is @name; moves @path behind it. */
static bool takes(const char **path, const char *name)
{
	size_t n = strlen(name);

	if (!n || strncmp(*path, name, n) ||
	    ((*path)[n] && (*path)[n] != '.'))
		return false;
	*path += n + ((*path)[n] == '.');
	return true;
}

/*
 * One step of a path: the member of @m->type that @path begins with, also in
 * unnamed members.  -ENOENT if there is none.
 */
static int step(const struct tg_btf *btf, const char **path,
		struct tg_btf_member *m, int depth)
{
	const struct btf_type *t = type_of(btf, m->type);
	const struct btf_member *field;

	if (depth > MAX_DEPTH || !is_aggregate(t))
		return -ENOENT;
	field = (const void *)(t + 1);
	for (u32 i = 0; i < vlen_of(t); i++, field++) {
		const char *name = string_of(btf, field->name_off);
		struct tg_btf_member in = { .type = strip(btf, field->type) };
		s64 bits = bit_offset(t, field);
		bool taken = takes(path, name);

		if (!taken && *name)
			continue;
		if (bits < 0 || bits % 8) {
			if (taken)
				return -EINVAL;
			continue;
		}
		in.offset = m->offset + bits / 8;
		if (!taken && step(btf, path, &in, depth + 1))
			continue;
		*m = in;
		return 0;
	}
	return -ENOENT;
}

int tg_btf_path(const struct tg_btf *btf, const char *structure,
		const char *path, struct tg_btf_member *m)
{
	u32 outer = tg_btf_find_struct(btf, structure);
	const struct btf_type *t = type_of(btf, outer);
	int ret;

	m->type = outer;
	m->offset = 0;
	if (!t)
		return -ENOENT;
	while (*path) {
		ret = step(btf, &path, m, 0);
		if (ret)
			return ret;
	}
	return m->offset < t->size ? 0 : -EINVAL;
}

bool tg_btf_is_int(const struct tg_btf *btf, u32 type, u32 size)
{
	const struct btf_type *t = type_of(btf, type);

	return t && t->size == size &&
	       (kind_of(t) == BTF_KIND_INT || kind_of(t) == BTF_KIND_ENUM);
}

bool tg_btf_is_struct(const struct tg_btf *btf, u32 type, const char *name)
{
	const struct btf_type *t = type_of(btf, type);

	/* What is only declared here is still of that name. */
	return t && (kind_of(t) == BTF_KIND_STRUCT || kind_of(t) == BTF_KIND_FWD) &&
	       !strcmp(string_of(btf, t->name_off), name);
}

bool tg_btf_is_pointer(const struct tg_btf *btf, u32 type, const char *to)
{
	const struct btf_type *t = type_of(btf, type);
	u32 target;

	if (!t || kind_of(t) != BTF_KIND_PTR)
		return false;
	if (!to)
		return true;
	target = strip(btf, t->type);
	if (strcmp(to, "()"))
		return tg_btf_is_struct(btf, target, to);
	t = type_of(btf, target);
	return t && kind_of(t) == BTF_KIND_FUNC_PROTO;
}

int tg_btf_function(const struct tg_btf *btf, const char *name, u32 *param,
		    u32 room)
{
	u32 id = find_in(btf, &btf->module, btf->base.nr + 1, BTF_KIND_FUNC, name);
	const struct btf_type *t = type_of(btf, id);
	const struct btf_param *p;
	u32 n;

	if (t)
		t = type_of(btf, t->type);
	if (!t || kind_of(t) != BTF_KIND_FUNC_PROTO)
		return -ENOENT;
	n = vlen_of(t);
	p = (const void *)(t + 1);
	for (u32 i = 0; i < n && i < room; i++)
		param[i] = strip(btf, p[i].type);
	return n;
}
