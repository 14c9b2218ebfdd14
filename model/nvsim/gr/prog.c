// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long is a shader program? The cost model needs the number of instructions; nothing is
 * executed. Encoding (envytools: tesla/cuda/isa): bit 0 of a word = the instruction is 8 bytes
 * long; bits 1:0 of its second word = 1 on the last instruction; major opcode 15 = texture.
 * A loop's body counts once.
 */
#include "prog.h"

#include "op.h"

#define CHUNK_WORDS	64u
#define MAX_WORDS	8192u
#define SUBCLIENT_CB	0

struct scan {
	uint32_t alu, tex;
	bool second;		/* the next word is an instruction's second one */
	bool done;
};

static void scan_word(struct scan *scan, uint32_t word)
{
	if (scan->second) {
		scan->second = false;
		scan->done = (word & 3) == 1;
		return;
	}
	if ((word & 1) && word >> 28 == 0xf)
		scan->tex++;
	else
		scan->alu++;
	scan->second = word & 1;
}

static bool scan_program(struct nvsim_gr_op *op, uint32_t dma, uint64_t address,
			 struct scan *scan)
{
	const struct nvsim_vm vm = {
		.inst = op->c->inst, .engine = NVSIM_VM_ENGINE_PGRAPH,
		.client = NVSIM_VM_CLIENT_CCACHE, .subclient = SUBCLIENT_CB,
	};
	uint8_t buf[CHUNK_WORDS * 4];

	for (uint32_t words = 0; words < MAX_WORDS && !scan->done; words += CHUNK_WORDS) {
		if (!nvsim_mmu_read(op->mmu, &vm, dma, address + words * 4, buf, sizeof(buf))) {
			nvsim_gr_trap(op, NVSIM_GR_TRAP_CCACHE, 1, address);
			return false;
		}
		for (uint32_t i = 0; i < CHUNK_WORDS && !scan->done; i++) {
			const uint8_t *p = buf + i * 4;

			scan_word(scan, p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24);
		}
	}
	return true;
}

const struct nvsim_gr_prog *nvsim_gr_prog_get(struct nvsim_gr_op *op, enum nvsim_gr_stage stage,
					      uint32_t dma, uint64_t address)
{
	struct nvsim_gr_prog *prog =
		&op->c->prog[stage][(address ^ address >> 6 ^ address >> 12) % NVSIM_GR_PROGS];
	struct scan scan = { 0 };

	if (prog->valid && prog->address == address)
		return prog;
	prog->valid = false;
	if (!scan_program(op, dma, address, &scan))
		return NULL;
	prog->valid = true;
	prog->address = address;
	prog->alu = scan.alu;
	prog->tex = scan.tex;
	return prog;
}

void nvsim_gr_prog_flush(struct nvsim_gr_chan *c)
{
	for (unsigned int s = 0; s < NVSIM_GR_STAGES; s++) {
		for (unsigned int i = 0; i < NVSIM_GR_PROGS; i++)
			c->prog[s][i].valid = false;
	}
}
