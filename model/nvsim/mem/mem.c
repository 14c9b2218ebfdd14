// SPDX-License-Identifier: GPL-2.0-or-later
#include "mem.h"

#include "../bus/bits.h"

bool nvsim_mem_init(struct nvsim_mem *mem, struct nvsim_bus *bus, uint64_t vram_bytes)
{
	mem->bus = bus;
	if (!nvsim_vram_init(&mem->vram, vram_bytes))
		return false;
	nvsim_mmu_init(&mem->mmu, bus, &mem->vram);
	nvsim_bar_init(&mem->bar1, bus, &mem->mmu, NV_PBUS_BAR1, 0);
	nvsim_bar_init(&mem->bar3, bus, &mem->mmu, NV_PBUS_BAR3, 1);
	return true;
}

void nvsim_mem_fini(struct nvsim_mem *mem)
{
	nvsim_vram_fini(&mem->vram);
}

void nvsim_mem_reset(struct nvsim_mem *mem)
{
	nvsim_mem_flush(mem);
	mem->mmu.fault = false;
}

void nvsim_mem_flush(struct nvsim_mem *mem)
{
	nvsim_mmu_flush(&mem->mmu);
	nvsim_bar_flush(&mem->bar1);
	nvsim_bar_flush(&mem->bar3);
}

/*
 * DRAM geometry that multiplies to the VRAM size:
 * partitions x banks x 2^columns x 8 bytes x 2^rows, with 4 partitions,
 * 8 banks, 10 columns = 256 KiB per row, and rows = log2(size / 256 KiB).
 * Source: nouveau nvkm/subdev/fb/ramnv50.c, nv50_fb_vram_rblock().
 */
static uint32_t geometry(uint64_t vram_bytes)
{
	uint32_t rows = 0;

	while ((256u << 10) << rows < vram_bytes)
		rows++;
	return 1u << 24 | (rows - 8) << 16 | 10u << 12;
}

uint32_t nvsim_mem_reg_read(struct nvsim_mem *mem, uint32_t off)
{
	uint32_t v = mem->bus->reg[off / 4];

	switch (off) {
	case NV_PFB_CFG_1:
		return geometry(mem->vram.bytes);
	case NV_PFB_SIZE:
		return mem->vram.bytes;
	case NV_PFB_TLB_FLUSH:
		return v & ~1u;
	case NV_PFB_FAULT_IDX:
		return v | (mem->mmu.fault ? 0x80000000 : 0);
	case NV_PFB_FAULT_DATA:
		v = mem->bus->reg[NV_PFB_FAULT_IDX / 4] >> 24 & 7;
		return v < 6 ? mem->mmu.fault_word[v] : 0;
	default:
		return v;
	}
}

void nvsim_mem_reg_write(struct nvsim_mem *mem, uint32_t off, uint32_t val)
{
	switch (off) {
	case NV_PFB_CFG_1:
	case NV_PFB_SIZE:
	case NV_PFB_FAULT_DATA:
		break;
	case NV_PFB_TLB_FLUSH:
		mem->bus->reg[off / 4] = val;
		if (val & 1)
			nvsim_mem_flush(mem);
		break;
	case NV_PFB_FAULT_IDX:
		mem->bus->reg[off / 4] = val & 0x7fffffff;
		if (val & 0x80000000)
			mem->mmu.fault = false;
		break;
	default:
		mem->bus->reg[off / 4] = val;
		break;
	}
}

/* envytools, rnndb/bus/pbus.xml: HOST_MEM.PMEM; no page tables on the way. */
static bool pramin_addr(const struct nvsim_mem *mem, uint32_t off, uint64_t *addr)
{
	uint32_t window = mem->bus->reg[NV_PBUS_PRAMIN / 4];

	*addr = ((uint64_t)(window & 0x00ffffff) << 16) + (off - NV_PRAMIN);
	return window >> 24 & 2;
}

uint64_t nvsim_mem_pramin_read(struct nvsim_mem *mem, uint32_t off, unsigned int size)
{
	uint64_t addr;
	uint8_t b[4] = { 0 };

	if (!pramin_addr(mem, off, &addr))
		return nvsim_vram_read(&mem->vram, addr, size);
	nvsim_dma_read(mem->bus, addr, b, size);
	return nvsim_ld32(b);
}

void nvsim_mem_pramin_write(struct nvsim_mem *mem, uint32_t off, uint64_t val, unsigned int size)
{
	uint64_t addr;
	uint8_t b[4];

	if (!pramin_addr(mem, off, &addr)) {
		nvsim_vram_write(&mem->vram, addr, val, size);
		return;
	}
	nvsim_st32(b, val);
	nvsim_dma_write(mem->bus, addr, b, size);
}
