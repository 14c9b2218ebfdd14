// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes a module tell lies about itself, and writes it back.  What it does stays as
 * it is; who believes what it says looks in the wrong place, or finds nothing.
 *
 *	tgbtf MODULE.ko move STRUCTURE MEMBER BYTES
 *
 * moves a member of a structure, in the module's BTF alone, by so many bytes.
 *
 *	tgbtf MODULE.ko retype FUNCTION OTHER
 *
 * gives a function the parameters of another, in the BTF alone.
 *
 *	tgbtf MODULE.ko rename FUNCTION NAME
 *
 * gives a function's symbol another name of the same length.
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

static struct blob contents(struct blob elf, const Elf64_Shdr *sh)
{
	return (struct blob){ elf.data + sh->sh_offset, sh->sh_size };
}

static const Elf64_Shdr *sections(struct blob elf)
{
	const Elf64_Ehdr *e = (const void *)elf.data;

	if (elf.size < sizeof(*e) || memcmp(e->e_ident, ELFMAG, SELFMAG))
		die("module", "no ELF file");
	return (const void *)(elf.data + e->e_shoff);
}

static const Elf64_Shdr *section(struct blob elf, const char *name)
{
	const Elf64_Shdr *sh = sections(elf);
	const Elf64_Ehdr *e = (const void *)elf.data;
	const char *names = (char *)contents(elf, &sh[e->e_shstrndx]).data;

	for (int i = 0; i < e->e_shnum; i++)
		if (!strcmp(names + sh[i].sh_name, name))
			return &sh[i];
	die(name, "no such section");
	return NULL;
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

/* A type of the module's own, in the blob that is written back. */
static struct btf_type *type_of(const struct tg_btf *btf, unsigned int id)
{
	return (void *)(btf->module.types + btf->module.index[id - btf->base.nr - 1]);
}

static struct btf_member *find_member(const struct tg_btf *btf, const char *structure,
				      const char *member)
{
	unsigned int id = tg_btf_find_struct(btf, structure);
	struct btf_type *t;
	struct btf_member *m;

	if (id <= btf->base.nr)
		die(structure, "the module has no such structure");
	t = type_of(btf, id);
	m = (void *)(t + 1);
	for (unsigned int i = 0; i < (t->info & 0xffff); i++)
		if (!strcmp(name_at(btf, m[i].name_off), member))
			return &m[i];
	die(member, "no such member");
	return NULL;
}

static struct btf_type *find_function(const struct tg_btf *btf, const char *name)
{
	for (unsigned int i = 1; i <= btf->module.nr; i++) {
		struct btf_type *t = type_of(btf, btf->base.nr + i);

		if (((t->info >> 24) & 0x1f) == BTF_KIND_FUNC &&
		    !strcmp(name_at(btf, t->name_off), name))
			return t;
	}
	die(name, "no such function in the BTF");
	return NULL;
}

static void rename_function(struct blob elf, const char *name, const char *to)
{
	const Elf64_Shdr *table = section(elf, ".symtab");
	struct blob symbols = contents(elf, table);
	char *names = (char *)contents(elf, &sections(elf)[table->sh_link]).data;
	const Elf64_Sym *s = (const void *)symbols.data;

	if (strlen(to) != strlen(name))
		die(to, "not as long as the name before");
	for (; (const unsigned char *)s < symbols.data + symbols.size; s++) {
		if (ELF64_ST_TYPE(s->st_info) == STT_FUNC &&
		    !strcmp(names + s->st_name, name)) {
			memcpy(names + s->st_name, to, strlen(to));
			return;
		}
	}
	die(name, "no such function");
}

static void change_types(struct blob elf, char **argv)
{
	struct tg_btf btf;

	open_part(&btf.base, read_whole("/sys/kernel/btf/vmlinux"), "the kernel");
	open_part(&btf.module, contents(elf, section(elf, ".BTF")), "the module");
	if (!strcmp(argv[0], "move"))
		find_member(&btf, argv[1], argv[2])->offset += atoi(argv[3]) * 8;
	else
		find_function(&btf, argv[1])->type = find_function(&btf, argv[2])->type;
}

int main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[2] : "";
	struct blob elf;

	if (!(argc == 6 && !strcmp(what, "move")) &&
	    !(argc == 5 && (!strcmp(what, "retype") || !strcmp(what, "rename")))) {
		fprintf(stderr, "usage: tgbtf MODULE.ko move STRUCTURE MEMBER BYTES\n"
			"       tgbtf MODULE.ko retype FUNCTION OTHER\n"
			"       tgbtf MODULE.ko rename FUNCTION NAME\n");
		return 2;
	}
	elf = read_whole(argv[1]);
	if (!strcmp(what, "rename"))
		rename_function(elf, argv[3], argv[4]);
	else
		change_types(elf, argv + 2);
	write_whole(argv[1], elf);
	return 0;
}
