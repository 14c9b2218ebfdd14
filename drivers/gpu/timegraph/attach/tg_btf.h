/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading the types of a module from its BTF (Documentation/bpf/btf.rst of the
 * kernel): where a member lies, and what a function takes.
 *
 * The kernel has a reader of its own, but exports next to nothing of it to
 * modules before 7.2.  This one trusts nothing that it reads: it is also built in
 * user space and fed with garbage (tests of attach/).  It takes no lock and
 * allocates nothing.
 */
#ifndef TG_BTF_H
#define TG_BTF_H

#include "../core/tg_port.h"

/**
 * struct tg_btf_part - one blob: the kernel's own types, or a module's
 * @types: the type section
 * @types_len: its length in bytes
 * @strings: the string section, which ends with a 0
 * @strings_len: its length
 * @index: where in @types each type begins
 * @nr: types, and places in @index
 */
struct tg_btf_part {
	const u8 *types;
	u32 types_len;
	const char *strings;
	u32 strings_len;
	u32 *index;
	u32 nr;
};

/**
 * struct tg_btf - the types of a module, on top of the kernel's
 * @base: types 1 to base.nr
 * @module: the types after these
 */
struct tg_btf {
	struct tg_btf_part base;
	struct tg_btf_part module;
};

/**
 * struct tg_btf_member - a member of a structure
 * @offset: in bytes from the start of the outermost one
 * @type: its type, typedefs and qualifiers taken off
 */
struct tg_btf_member {
	u32 offset;
	u32 type;
};

/**
 * tg_btf_open - check a blob's header and its types' bounds
 *
 * Return: 0 with part->nr set: @part->index is to be set to memory for as many,
 * and tg_btf_index() called; -EINVAL if it is no BTF.
 */
int tg_btf_open(struct tg_btf_part *part, const void *data, size_t size);

/** tg_btf_index - note where each type begins; of an opened part */
void tg_btf_index(struct tg_btf_part *part);

/**
 * tg_btf_find_struct - the structure of a name, the module's own first
 *
 * Return: its type, or 0.
 */
u32 tg_btf_find_struct(const struct tg_btf *btf, const char *name);

/**
 * tg_btf_path - follow "member.member…" from a structure; members of unnamed
 * structures count as their parent's
 *
 * Return: 0; -ENOENT: there is no such member; -EINVAL: it is a bit field, or the
 * types contradict themselves.
 */
int tg_btf_path(const struct tg_btf *btf, const char *structure,
		const char *path, struct tg_btf_member *m);

/** tg_btf_is_int - whether it is an integer, or an enumeration, of @size bytes */
bool tg_btf_is_int(const struct tg_btf *btf, u32 type, u32 size);

/**
 * tg_btf_is_pointer - whether it is a pointer
 * @to: to the structure of this name; "()" to a function; NULL to anything
 */
bool tg_btf_is_pointer(const struct tg_btf *btf, u32 type, const char *to);

/** tg_btf_is_struct - whether it is the structure of this name */
bool tg_btf_is_struct(const struct tg_btf *btf, u32 type, const char *name);

/**
 * tg_btf_function - the parameters of a function of the module
 * @param: room for their types
 * @room: how many fit
 *
 * Return: how many there are, or -ENOENT.
 */
int tg_btf_function(const struct tg_btf *btf, const char *name, u32 *param,
		    u32 room);

#endif
