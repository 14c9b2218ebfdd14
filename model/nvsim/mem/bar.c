// SPDX-License-Identifier: GPL-2.0-or-later
#include "bar.h"

void nvsim_bar_init(struct nvsim_bar *bar, struct nvsim_bus *bus, struct nvsim_mmu *mmu,
		    uint32_t ctl, uint8_t subclient)
{
	bar->bus = bus;
	bar->mmu = mmu;
	bar->vram = mmu->vram;
	bar->ctl = ctl;
	bar->subclient = subclient;
	nvsim_bar_flush(bar);
}

void nvsim_bar_flush(struct nvsim_bar *bar)
{
	unsigned int i;

	for (i = 0; i < NVSIM_BAR_TLB_SIZE; i++)
		bar->tlb[i].page = UINT32_MAX;
}

static bool find_page(struct nvsim_bar *bar, uint32_t off, bool write, uint64_t *addr)
{
	struct nvsim_bar_tlb *t = &bar->tlb[(off >> 12) % NVSIM_BAR_TLB_SIZE];
	uint32_t ctl = bar->bus->reg[bar->ctl / 4];
	struct nvsim_vm vm = { .engine = NVSIM_VM_ENGINE_BAR, .subclient = bar->subclient };
	struct nvsim_run run;

	if (t->page == off >> 12 && !(write && t->ro)) {
		*addr = t->vram + (off & 0xfff);
		return true;
	}
	if (!(ctl & 0x80000000)) {
		*addr = off;
		return true;
	}
	vm.inst = (uint64_t)(bar->bus->reg[NV_PBUS_BAR_CHAN / 4] & 0x0fffffff) << 12;
	vm.client = write ? NVSIM_VM_CLIENT_PFIFO_WRITE : NVSIM_VM_CLIENT_PFIFO_READ;
	if (!nvsim_mmu_map(bar->mmu, &vm, (ctl & 0x000fffff) << 4, off & ~0xfffu, 0x1000, write,
			   &run) ||
	    !run.ptr || run.len < 0x1000)
		return false;
	t->page = off >> 12;
	t->vram = run.phys;
	/* A page seen through a read only: the first write walks again. */
	t->ro = !write;
	*addr = run.phys + (off & 0xfff);
	return true;
}

uint64_t nvsim_bar_read(struct nvsim_bar *bar, uint32_t off, unsigned int size)
{
	uint64_t addr, val = 0;
	unsigned int i;

	if (off & (size - 1)) {
		/* may cross a page: byte by byte */
		for (i = 0; i < size; i++)
			val |= (nvsim_bar_read(bar, off + i, 1) & 0xff) << (8 * i);
		return val;
	}
	if (!find_page(bar, off, false, &addr))
		return ~0ull;
	return nvsim_vram_read(bar->vram, addr, size);
}

void nvsim_bar_write(struct nvsim_bar *bar, uint32_t off, uint64_t val, unsigned int size)
{
	uint64_t addr;
	unsigned int i;

	if (off & (size - 1)) {
		for (i = 0; i < size; i++)
			nvsim_bar_write(bar, off + i, val >> (8 * i) & 0xff, 1);
		return;
	}
	if (find_page(bar, off, true, &addr))
		nvsim_vram_write(bar->vram, addr, val, size);
}
