// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes a module tell lies about its types.
 *
 *	tgbtf MODULE.ko STRUCTURE MEMBER BYTES
 *
 * moves a member of a structure, in the module's BTF alone, by so many bytes, and
 * writes the module back.  What it does stays as it is; who believes its BTF looks
 * in the wrong place.
 */
#include <elf.h>
#include <errno.h>
#include <linux/btf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tg_btf.h"

struct blob {
	unsigned char *data;
	size_t size;
};

static void die(const char *what, const char *why)
{
	fprintf(stderr, "tgbtf: %s: %s\n", what, why);
	exit(1);
}

static struct blob read_whole(const char *path)
{
	struct blob b = { NULL, 0 };
	size_t room = 0, n;
	FILE *f = fopen(path, "rb");

	if (!f)
		die(path, strerror(errno));
	do {
		if (b.size == room) {
			room = room ? 2 * room : 1 << 20;
			b.data = realloc(b.data, room);
			if (!b.data)
				die(path, "no memory");
		}
		n = fread(b.data + b.size, 1, room - b.size, f);
		b.size += n;
	} while (n);
	fclose(f);
	return b;
}

static void write_whole(const char *path, struct blob b)
{
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(b.data, 1, b.size, f) != b.size || fclose(f))
		die(path, strerror(errno));
}

static struct blob section(struct blob elf, const char *name)
{
	const Elf64_Ehdr *e = (const void *)elf.data;
	const Elf64_Shdr *sh, *names;

	if (elf.size < sizeof(*e) || memcmp(e->e_ident, ELFMAG, SELFMAG))
		die("module", "no ELF file");
	sh = (const void *)(elf.data + e->e_shoff);
	names = &sh[e->e_shstrndx];
	for (int i = 0; i < e->e_shnum; i++)
		if (!strcmp((char *)elf.data + names->sh_offset + sh[i].sh_name, name))
			return (struct blob){ elf.data + sh[i].sh_offset, sh[i].sh_size };
	die(name, "no such section");
	return (struct blob){ NULL, 0 };
}

static void open_part(struct tg_btf_part *part, struct blob b, const char *what)
{
	if (tg_btf_open(part, b.data, b.size))
		die(what, "no BTF");
	part->index = calloc(part->nr + 1, sizeof(*part->index));
	if (!part->index)
		die(what, "no memory");
	tg_btf_index(part);
}

static const char *name_at(const struct tg_btf *btf, unsigned int off)
{
	return off < btf->base.strings_len ? btf->base.strings + off :
	       btf->module.strings + (off - btf->base.strings_len);
}

/* The member's entry, in the blob that is written back. */
static struct btf_member *find(const struct tg_btf *btf, const char *structure,
			       const char *member)
{
	unsigned int id = tg_btf_find_struct(btf, structure);
	struct btf_type *t;
	struct btf_member *m;

	if (id <= btf->base.nr)
		die(structure, "the module has no such structure");
	t = (void *)(btf->module.types + btf->module.index[id - btf->base.nr - 1]);
	m = (void *)(t + 1);
	for (unsigned int i = 0; i < (t->info & 0xffff); i++)
		if (!strcmp(name_at(btf, m[i].name_off), member))
			return &m[i];
	die(member, "no such member");
	return NULL;
}

int main(int argc, char **argv)
{
	struct tg_btf btf;
	struct blob elf;

	if (argc != 5) {
		fprintf(stderr, "usage: tgbtf MODULE.ko STRUCTURE MEMBER BYTES\n");
		return 2;
	}
	elf = read_whole(argv[1]);
	open_part(&btf.base, read_whole("/sys/kernel/btf/vmlinux"), "the kernel");
	open_part(&btf.module, section(elf, ".BTF"), argv[1]);
	find(&btf, argv[2], argv[3])->offset += atoi(argv[4]) * 8;
	write_whole(argv[1], elf);
	return 0;
}
