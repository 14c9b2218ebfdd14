// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The VBIOS, written here from the layout that nouveau reads
 * (nvkm/subdev/bios/{base,pcir,bit,dcb,init}.c); no vendor's data in it.
 * Its tables say: a GeForce 9800 GT, nothing to initialise, no outputs.
 */
#include "vbios.h"

#include <string.h>

#include "bits.h"

enum layout {
	AT_SUBSYSTEM	= 0x054,	/* envytools: docs/hw/io/pstraps.rst */
	AT_STRAPS	= 0x058,	/* two sets: which to take from here, and these */
	AT_PCIR		= 0x068,
	AT_BIT		= 0x080,
	AT_BIT_I_LOWER	= 0x100,	/* 'i': version */
	AT_BIT_I	= 0x120,	/* 'I': init scripts */
	AT_BIT_D	= 0x140,	/* 'D': display, empty */
	AT_SCRIPTS	= 0x150,	/* list of init scripts: none */
	AT_DCB		= 0x200,
};

static void w8(uint8_t *p, uint8_t v)
{
	*p = v;
}

static void w16(uint8_t *p, uint16_t v)
{
	p[0] = v;
	p[1] = v >> 8;
}

static void pcir(uint8_t *p)
{
	memcpy(p, "PCIR", 4);
	w16(p + 0x04, 0x10de);
	w16(p + 0x06, 0x0614);
	w16(p + 0x0a, 0x18);		/* length of this structure */
	w8(p + 0x0f, 0x03);		/* class: display */
	w16(p + 0x10, NVSIM_VBIOS_BYTES / 512);
	w8(p + 0x14, 0x00);		/* x86 code */
	w8(p + 0x15, 0x80);		/* last image */
}

static void bit_entry(uint8_t *p, char id, uint8_t version, uint16_t length, uint16_t offset)
{
	w8(p, id);
	w8(p + 1, version);
	w16(p + 2, length);
	w16(p + 4, offset);
}

static void bit_table(uint8_t *p)
{
	w16(p, 0xb8ff);
	memcpy(p + 2, "BIT", 4);
	w16(p + 6, 0x0100);		/* version 1.00 */
	w8(p + 8, 12);			/* header bytes */
	w8(p + 9, 6);			/* entry bytes */
	w8(p + 10, 3);			/* entries */
	bit_entry(p + 12, 'i', 2, 16, AT_BIT_I_LOWER);
	bit_entry(p + 18, 'I', 1, 28, AT_BIT_I);
	bit_entry(p + 24, 'D', 1, 4, AT_BIT_D);
}

void nvsim_vbios_build(uint8_t image[NVSIM_VBIOS_BYTES])
{
	uint8_t sum = 0;
	unsigned int i;

	memset(image, 0, NVSIM_VBIOS_BYTES);
	w16(image, 0xaa55);
	w8(image + 2, NVSIM_VBIOS_BYTES / 512);
	w16(image + 0x18, AT_PCIR);
	w16(image + 0x36, AT_DCB);
	nvsim_st32(image + AT_SUBSYSTEM, 0x061410de);
	nvsim_st32(image + AT_STRAPS, 0x7fffffff);
	nvsim_st32(image + AT_STRAPS + 8, 0x7fffffff);
	pcir(image + AT_PCIR);
	bit_table(image + AT_BIT);
	/* 62.92.00.1b.00: G92 images start with 62.92 */
	w8(image + AT_BIT_I_LOWER + 0, 0x1b);
	w8(image + AT_BIT_I_LOWER + 1, 0x00);
	w8(image + AT_BIT_I_LOWER + 2, 0x92);
	w8(image + AT_BIT_I_LOWER + 3, 0x62);
	w16(image + AT_BIT_I, AT_SCRIPTS);
	/* DCB 4.0: header 27 bytes, no entries of 8 bytes, signature */
	w8(image + AT_DCB + 0, 0x40);
	w8(image + AT_DCB + 1, 0x1b);
	w8(image + AT_DCB + 2, 0x00);
	w8(image + AT_DCB + 3, 0x08);
	nvsim_st32(image + AT_DCB + 6, 0x4edcbdcb);
	for (i = 0; i < NVSIM_VBIOS_BYTES - 1; i++)
		sum += image[i];
	image[NVSIM_VBIOS_BYTES - 1] = -sum;
}
