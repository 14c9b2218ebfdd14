/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every register the model knows, in ascending order.  From this one list
 * come the names in C (NV_<name>), the names in the report, reset values and
 * plain storage; tests/test_regs.c checks that Documentation/gpu-model.rst
 * has a line for each.
 *
 *	R(offset, count, stride, name, kind, reset, meaning)
 *
 * Reset values that hardware's documents have (envytools; tests/test_documents.c):
 * rnndb/bus/pmc.xml 000000, rnndb/bus/pbus.xml 001540, rnndb/fifo/g80_pfifo.xml
 * 002048 to 003318, docs/hw/io/pstraps.rst 101000 and 10100c.
 *
 * kind: RO    reads the reset value (a strap, a fuse), writes are ignored
 *	 RW    storage without effect
 *	 FN    the unit's code decides
 */
#ifndef NVSIM_REGS_H
#define NVSIM_REGS_H

#include <stddef.h>
#include <stdint.h>

#define NVSIM_CHANNELS		128
#define NVSIM_NO_CHANNEL	127	/* in PFIFO_CUR_CHAN: nobody */

#define NVSIM_REGS(R) \
R(0x000000, 1, 4, PMC_BOOT_0, RO, 0x092a00a2, "chip: G92, stepping a2; 19:15 low bits of the device id") \
R(0x000004, 1, 4, PMC_BOOT_1, RO, 0, "endianness; 0 = little") \
R(0x000100, 1, 4, PMC_INTR, FN, 0, "units that ask for an interrupt, live") \
R(0x000140, 1, 4, PMC_INTR_EN, FN, 0, "bit 0: let the interrupt line rise") \
R(0x000160, 1, 4, PMC_INTR_SEL, RW, 0, "interrupt routing") \
R(0x000200, 1, 4, PMC_ENABLE, FN, 0xdff3d113, "unit enables; a falling bit resets the unit") \
R(0x001080, 1, 4, PBUS_DEBUG_0, RW, 0, "debug") \
R(0x001084, 1, 4, PBUS_DEBUG_1, RW, 0, "debug") \
R(0x001098, 1, 4, PBUS_DEBUG_6, RW, 0, "hardware sequencer enable") \
R(0x001100, 1, 4, PBUS_INTR, FN, 0, "W1C") \
R(0x001140, 1, 4, PBUS_INTR_EN, FN, 0, "interrupt mask") \
R(0x001304, 4, 4, PBUS_HWSQ_CTL, RW, 0, "hardware sequencer: entry, status (bit 8 busy = 0), kick") \
R(0x001400, 64, 4, PBUS_HWSQ_CODE, RW, 0, "hardware sequencer program; not executed") \
R(0x001540, 1, 4, PBUS_UNITS, RO, 0x130f007f, "straps: TPs 15:0, partitions 23:16, MPs 27:24, bit 28 always") \
R(0x001548, 1, 4, PBUS_STRAPS_1, RO, 0, "straps") \
R(0x00154c, 1, 4, PBUS_STRAPS_DISPLAY, RO, 0, "0 = no display engine: headless") \
R(0x001550, 1, 4, PBUS_STRAPS_3, RO, 0, "straps") \
R(0x001588, 1, 4, PBUS_UNK1588, RW, 0, "touched by therm and clock code") \
R(0x00158c, 1, 4, PBUS_UNK158C, RW, 0, "touched by clock code") \
R(0x001700, 1, 4, PBUS_PRAMIN, FN, 0, "PRAMIN window: 23:0 address >> 16, 25:24 target: VRAM or system memory") \
R(0x001704, 1, 4, PBUS_BAR_CHAN, FN, 0, "BAR instance block: address >> 12; bit 30 valid") \
R(0x001708, 1, 4, PBUS_BAR1, FN, 0, "bit 31 enable, DMA object >> 4 in the BAR instance block") \
R(0x00170c, 1, 4, PBUS_BAR3, FN, 0, "bit 31 enable, DMA object >> 4 in the BAR instance block") \
R(0x001710, 1, 4, PBUS_PEEPHOLE, RW, 0, "peephole aperture") \
R(0x001900, 8, 4, PBUS_UNK1900, RW, 0, "cleared by BAR set-up") \
R(0x002040, 1, 4, PFIFO_DELAY, RW, 0, "retry delay") \
R(0x002044, 1, 4, PFIFO_DMA_TIMESLICE, RW, 0x01003fff, "default time slice; each channel has its own in RAMFC+44") \
R(0x002048, 1, 4, PFIFO_MIN_SLICE, RW, 0x00090100, "unknown minimum of time slices") \
R(0x002054, 1, 4, PFIFO_DELAY_1, RW, 2, "unknown delay") \
R(0x002100, 1, 4, PFIFO_INTR, FN, 0, "W1C: 0 CACHE_ERROR, 12 DMA_PUSHER, 20 SEMAPHORE, 30 non-stall") \
R(0x002140, 1, 4, PFIFO_INTR_EN, FN, 0, "interrupt mask; bits latch even when masked") \
R(0x002500, 1, 4, PFIFO_CACHES, FN, 0, "bit 0: channel switching allowed") \
R(0x002504, 1, 4, PFIFO_FREEZE, FN, 0, "bit 0: stop PFIFO, bit 4: stopped") \
R(0x002508, 1, 4, PFIFO_CHSW_STAT, RW, 0, "channel switch status") \
R(0x00250c, 1, 4, PFIFO_CHSW_DEBUG, RW, 0, "driver writes 6f3cfc34") \
R(0x002520, 1, 4, PFIFO_ENGINE_CTRL, RW, 0, "engines that a kick-off waits for") \
R(0x002600, 128, 4, PFIFO_CHAN, FN, 0, "per channel: bit 31 enable, 23:0 RAMFC address >> 8") \
R(0x003200, 1, 4, PFIFO_PUSH0, FN, 0, "bit 0: pusher may fill CACHE1") \
R(0x003204, 1, 4, PFIFO_PUSH1, FN, 127, "6:0 channel in CACHE1, bit 16 DMA mode") \
R(0x003210, 1, 4, PFIFO_PUT, RW, 0, "CACHE1 put") \
R(0x003214, 1, 4, PFIFO_STATUS, RO, 0x10, "CACHE1 status: bit 4 empty") \
R(0x003220, 1, 4, PFIFO_DMA_PUSH, FN, 1, "bit 0: the pusher may fetch; cleared by a pusher error; 8: it has nothing to fetch") \
R(0x003224, 1, 4, PFIFO_DMA_FETCH, RW, 0, "fetch sizes") \
R(0x003228, 1, 4, PFIFO_DMA_STATE, FN, 0, "0 non-incrementing, 12:2 method, 15:13 subchannel, 16 long, 18 not main, 31:29 error") \
R(0x00322c, 1, 4, PFIFO_DMA_INSTANCE, RW, 0, "push DMA object") \
R(0x003230, 1, 4, PFIFO_DMA_CTL, RW, 0, "DMA control") \
R(0x003240, 1, 4, PFIFO_DMA_PUT, FN, 0, "end of the current segment, low") \
R(0x003244, 1, 4, PFIFO_DMA_GET, FN, 0, "next word of the current segment, low") \
R(0x003248, 1, 4, PFIFO_REF, FN, 0, "REF_CNT of the current channel") \
R(0x003250, 1, 4, PFIFO_PULL0, FN, 0, "bit 0 run, 4 hash failed, 8 software, 23:20 semaphore error") \
R(0x003254, 1, 4, PFIFO_PULL1, RW, 0, "acquire state") \
R(0x003258, 1, 4, PFIFO_HASH, FN, 0, "instance offset >> 4 found by the last RAMHT search") \
R(0x003260, 1, 4, PFIFO_ACQ_TIMEOUT, RW, 0, "semaphore acquire timeout; not applied") \
R(0x00326c, 1, 4, PFIFO_SEMAPHORE, RW, 0, "old-style semaphore state") \
R(0x003270, 1, 4, PFIFO_GET, FN, 0, "CACHE1 get; the driver steps it over a refused method") \
R(0x003280, 1, 4, PFIFO_ENGINE, FN, 0, "engine per subchannel of the current channel, 4 bits each") \
R(0x0032a0, 1, 4, PFIFO_DMA_DCOUNT, FN, 0, "data words of the current command so far") \
R(0x0032a8, 1, 4, PFIFO_DMA_COMMAND, FN, 0, "last word that was read as a command") \
R(0x0032ac, 1, 4, PFIFO_DMA_DATA, FN, 0, "last word that was read as data") \
R(0x0032ec, 1, 4, PFIFO_PLAYLIST_LEN, FN, 0, "11:0 channels in the playlist; a write commits; bits 8 and 12 pending = 0") \
R(0x0032f0, 1, 4, PFIFO_CUR_CHAN, FN, 0, "current channel") \
R(0x0032f4, 1, 4, PFIFO_PLAYLIST, RW, 0, "playlist address >> 12") \
R(0x0032fc, 1, 4, PFIFO_KICK, FN, 0, "write instance >> 12: unload; reads ffffffff until done") \
R(0x003300, 1, 4, PFIFO_UNK3300, RW, 0x0004004f, "unknown") \
R(0x003304, 1, 4, PFIFO_UNK3304, RO, 3, "unknown") \
R(0x003308, 1, 4, PFIFO_UNK3308, RO, 0, "unknown") \
R(0x00330c, 1, 4, PFIFO_FLUSH, FN, 0, "bit 1 busy = 0") \
R(0x003310, 1, 4, PFIFO_UNK3310, RW, 0, "unknown") \
R(0x003318, 1, 4, PFIFO_UNK3318, RW, 2, "unknown") \
R(0x003320, 1, 4, PFIFO_DMA_PUT_HI, FN, 0, "end of the current segment, high") \
R(0x003328, 1, 4, PFIFO_DMA_GET_HI, FN, 0, "next word of the current segment, high") \
R(0x003330, 1, 4, PFIFO_IB_PUT, FN, 0, "IB put of the current channel") \
R(0x003334, 1, 4, PFIFO_IB_GET, FN, 0, "IB get of the current channel") \
R(0x003364, 1, 4, PFIFO_MTHD_COUNT, FN, 0, "data words still expected by the current command") \
R(0x004008, 1, 4, PCLOCK_MPLL_CTL, RW, 0, "memory PLL") \
R(0x00400c, 1, 4, PCLOCK_MPLL_COEF, RW, 0, "memory PLL") \
R(0x004020, 1, 4, PCLOCK_SPLL_CTL, RW, 0, "shader PLL") \
R(0x004024, 1, 4, PCLOCK_SPLL_COEF, RW, 0, "shader PLL") \
R(0x004028, 1, 4, PCLOCK_NVPLL_CTL, RW, 0, "core PLL") \
R(0x00402c, 1, 4, PCLOCK_NVPLL_COEF, RW, 0, "core PLL") \
R(0x004700, 1, 4, PCLOCK_UNK4700, RW, 0, "PLL multiplexer") \
R(0x004800, 1, 4, PCLOCK_DOM6, RW, 0, "clock domain 6 PLL") \
R(0x009060, 1, 4, PTIMER_UNK9060, RW, 0, "unknown; cleared by timer set-up") \
R(0x009080, 1, 4, PTIMER_UNK9080, RW, 0, "unknown") \
R(0x009084, 1, 4, PBUS_FAULT_ADDR, RO, 0, "address of a refused MMIO access; none is refused") \
R(0x009088, 1, 4, PBUS_FAULT_DATA, RO, 0, "data of a refused MMIO access") \
R(0x009100, 1, 4, PTIMER_INTR, FN, 0, "W1C: bit 0 alarm") \
R(0x009140, 1, 4, PTIMER_INTR_EN, FN, 0, "interrupt mask") \
R(0x009200, 1, 4, PTIMER_NUMERATOR, RW, 0, "clock ratio; time is ns whatever it says") \
R(0x009210, 1, 4, PTIMER_DENOMINATOR, RW, 0, "clock ratio") \
R(0x009220, 1, 4, PTIMER_UNK9220, RW, 0, "clock multiplier on later chips") \
R(0x009400, 1, 4, PTIMER_TIME_0, FN, 0, "time in ns, low; bits 4:0 are 0") \
R(0x009410, 1, 4, PTIMER_TIME_1, FN, 0, "time in ns, high") \
R(0x009420, 1, 4, PTIMER_ALARM, FN, 0, "raise the alarm when the low word gets here") \
R(0x00c040, 1, 4, PCLOCK_CTL, RW, 0, "clock sources") \
R(0x00e050, 1, 4, PNVIO_GPIO_INTR_0, FN, 0, "GPIO interrupts; none occur") \
R(0x00e054, 1, 4, PNVIO_GPIO_INTR_STAT_0, FN, 0, "W1C; none occur") \
R(0x00e070, 1, 4, PNVIO_GPIO_INTR_1, FN, 0, "GPIO interrupts; none occur") \
R(0x00e074, 1, 4, PNVIO_GPIO_INTR_STAT_1, FN, 0, "W1C; none occur") \
R(0x00e100, 14, 4, PNVIO_GPIO, RW, 0, "GPIO pins and PWM") \
R(0x00e138, 21, 4, PNVIO_I2C, RW, 0, "I2C bit-banging; nothing is attached") \
R(0x00e18c, 1, 4, PCLOCK_SEL, RW, 0, "clock sources") \
R(0x00e280, 2, 4, PNVIO_GPIO_2, RW, 0, "GPIO pins") \
R(0x00e81c, 1, 4, PCLOCK_SEL_2, RW, 0, "clock sources") \
R(0x020000, 1, 4, PTHERM_SENSOR, RW, 0, "sensor configuration and thresholds") \
R(0x020008, 1, 4, PTHERM_SENSOR_RAW, RW, 0, "sensor reading; the model has no temperature") \
R(0x0200b0, 1, 4, PTHERM_B0, RW, 0, "thermal control") \
R(0x020100, 1, 4, PTHERM_INTR, FN, 0, "W1C; none occur") \
R(0x020400, 1, 4, PTHERM_TEMP, RO, 0, "temperature in degrees; 0 = no sensor") \
R(0x020414, 1, 4, PTHERM_DOWN_CLOCK, RW, 0, "down-clock threshold") \
R(0x020480, 2, 4, PTHERM_SHUTDOWN, RW, 0, "shutdown threshold, hysteresis") \
R(0x0204c0, 2, 4, PTHERM_CRITICAL, RW, 0, "critical and fan boost thresholds") \
R(0x021000, 128, 4, PFUSE, RO, 0, "fuses") \
R(0x021200, 256, 4, PFUSE_2, RO, 0, "fuses") \
R(0x070000, 1, 4, PPEEPHOLE_FLUSH, FN, 0, "write flush; bit 1 busy = 0") \
R(0x088000, 1024, 4, PPCI, FN, 0, "mirror of PCI configuration space; IDs only, the rest is storage") \
R(0x090000, 512, 8, PFIFO_CACHE_MTHD, FN, 0, "CACHE1: subchannel << 13 | method") \
R(0x090004, 512, 8, PFIFO_CACHE_DATA, FN, 0, "CACHE1: data") \
R(0x100200, 1, 4, PFB_CFG_0, RO, 0, "bit 2: two ranks") \
R(0x100204, 1, 4, PFB_CFG_1, FN, 0, "DRAM geometry; multiplies to the VRAM size; bit 24 banks - 2") \
R(0x10020c, 1, 4, PFB_SIZE, FN, 0, "VRAM bytes; bits 7:0 are address bits 39:32") \
R(0x100210, 1, 4, PFB_UNK210, RW, 0, "DRAM control") \
R(0x100220, 9, 4, PFB_TIMING, RW, 0, "DRAM timings") \
R(0x100250, 1, 4, PFB_RBLOCK, RO, 0, "bit 0: row blocks of three") \
R(0x100320, 1, 4, PFB_TAGS, RO, 0, "compression tags: none, so no surface is compressed") \
R(0x100700, 1, 4, PFB_UNK700, RW, 0, "unknown") \
R(0x100714, 1, 4, PFB_MEM_TYPE, RO, 2, "2:0 = 2: GDDR3") \
R(0x100c08, 1, 4, PFB_SYSMEM_FLUSH, RW, 0, "flush page in system memory, address >> 8") \
R(0x100c80, 1, 4, PFB_TLB_FLUSH, FN, 0, "engine << 16 | 1: forget translations; bit 0 busy = 0") \
R(0x100c90, 1, 4, PFB_FAULT_IDX, FN, 0x001d07ff, "bit 31 fault latched (W1C), 26:24 word to read") \
R(0x100c94, 1, 4, PFB_FAULT_DATA, FN, 0, "the word: 0 who, 1/2 instance, 3/4/5 address") \
R(0x101000, 1, 4, PEXTDEV_STRAPS, FN, 0x10409002, "device id 13:10, 28; BAR1 15:14; 27 MHz; bit 31: overridden") \
R(0x10100c, 1, 4, PEXTDEV_STRAPS_1, FN, 0x00000010, "bit 4 VGA class; sizes of the BARs; bit 31: overridden") \
R(0x400040, 1, 4, PGRAPH_RESET, RW, 0, "unit resets") \
R(0x40008c, 1, 4, PGRAPH_DEBUG_3, RW, 0, "bit 2: hardware context switch") \
R(0x400100, 1, 4, PGRAPH_INTR, FN, 0, "W1C: 0 NOTIFY, 4 method, 5 class, 20 data, 21 trap") \
R(0x400108, 1, 4, PGRAPH_TRAP, FN, 0, "W1C: unit that trapped") \
R(0x400110, 1, 4, PGRAPH_DATA_ERROR, RW, 0, "code of the last data error") \
R(0x400138, 1, 4, PGRAPH_TRAP_EN, RW, 0, "trap mask; not applied") \
R(0x40013c, 1, 4, PGRAPH_INTR_EN, FN, 0, "interrupt mask") \
R(0x400300, 1, 4, PGRAPH_CTX_UNK300, RW, 0, "context control") \
R(0x400304, 1, 4, PGRAPH_CTX_CTL, RW, 0, "context control") \
R(0x400308, 1, 4, PGRAPH_CTX_UNK308, RW, 0, "context control") \
R(0x40030c, 1, 4, PGRAPH_CTX_UNK30C, RW, 0, "context control") \
R(0x400310, 1, 4, PGRAPH_CTX_UNK310, RW, 0, "context control") \
R(0x400320, 1, 4, PGRAPH_CTX_UNK320, RW, 0, "context control") \
R(0x400324, 1, 4, PGRAPH_CTXPROG_IDX, RW, 0, "context program upload: index; the program is not run") \
R(0x400328, 1, 4, PGRAPH_CTXPROG_DATA, FN, 0, "context program upload: word, dropped") \
R(0x40032c, 1, 4, PGRAPH_CTX_CUR, FN, 0, "bit 31 valid, instance >> 12 of the context on PGRAPH") \
R(0x400330, 1, 4, PGRAPH_CTX_NEXT, RW, 0, "context to load next") \
R(0x400380, 1, 4, PGRAPH_VSTATUS_0, FN, 0, "unit status, 3 bits each, 1 = busy") \
R(0x400384, 1, 4, PGRAPH_VSTATUS_1, FN, 0, "unit status, 3 bits each, 1 = busy") \
R(0x400388, 1, 4, PGRAPH_VSTATUS_2, FN, 0, "unit status, 3 bits each, 1 = busy") \
R(0x400500, 1, 4, PGRAPH_CTL, FN, 0, "bit 0 dispatch enabled; writing bit 16 as well resumes") \
R(0x400700, 1, 4, PGRAPH_STATUS, FN, 0, "bit 0 busy, 1 dispatch") \
R(0x400704, 1, 4, PGRAPH_MTHD, RW, 0, "method that raised: subchannel << 16 | method") \
R(0x400708, 1, 4, PGRAPH_MTHD_DATA, RW, 0, "its data") \
R(0x400804, 1, 4, PGRAPH_TRAP_DISPATCH, FN, 0, "dispatch trap; 30 clears, 31 enables") \
R(0x400808, 4, 4, PGRAPH_TRAP_STUCK, FN, 0, "command in dispatch; writing bit 31 hands one in; +4 data, +c class") \
R(0x400824, 4, 4, PGRAPH_CTX_824, RW, 0, "context control") \
R(0x400848, 1, 4, PGRAPH_TRAP_848, RW, 0, "dispatch trap") \
R(0x40084c, 1, 4, PGRAPH_TRAP_QUERY, RW, 0, "query trap") \
R(0x40085c, 1, 4, PGRAPH_TRAP_QDATA, RW, 0, "query trap") \
R(0x4008e8, 1, 4, PGRAPH_TRAP_8E8, RW, 0, "dispatch trap") \
R(0x400c00, 1, 4, PGRAPH_VFETCH_0, RW, 0, "vertex fetch trap") \
R(0x400c04, 1, 4, PGRAPH_TRAP_VFETCH, FN, 0, "vertex fetch trap; 30 clears, 31 enables") \
R(0x400c08, 3, 4, PGRAPH_VFETCH_1, RW, 0, "vertex fetch trap") \
R(0x401800, 1, 4, PGRAPH_TRAP_STRMOUT, FN, 0, "stream-out trap; 30 clears, 31 enables") \
R(0x401804, 4, 4, PGRAPH_STRMOUT, RW, 0, "stream-out trap") \
R(0x402000, 1, 4, PGRAPH_TRAP_UNKC04, FN, 0, "unknown unit's trap; 30 clears, 31 enables") \
R(0x402c20, 32, 4, PGRAPH_ZCULL, RW, 0, "zcull regions") \
R(0x402ca8, 1, 4, PGRAPH_ZCULL_CTL, RW, 0, "zcull control") \
R(0x405000, 6, 4, PGRAPH_CCACHE, RW, 0, "constant cache trap") \
R(0x405018, 1, 4, PGRAPH_TRAP_CCACHE, FN, 0, "constant cache trap; 30 clears, 31 enables") \
R(0x40501c, 1, 4, PGRAPH_CCACHE_6, RW, 0, "constant cache trap") \
R(0x406800, 1, 4, PGRAPH_TRAP_M2MF, FN, 0, "M2MF trap: 0 notify, 1 in, 2 out; 30 clears, 31 enables") \
R(0x406804, 4, 4, PGRAPH_M2MF, RW, 0, "M2MF trap") \
R(0x408314, 8, 0x1000, PGRAPH_TRAP_MP, FN, 0, "per TP: MP trap; 30 clears, 31 enables") \
R(0x408900, 8, 0x1000, PGRAPH_TRAP_TEX, FN, 0, "per TP: texture trap; 30 clears, 31 enables") \
R(0x408e08, 8, 0x1000, PGRAPH_TRAP_PROP, FN, 0, "per TP: PROP trap; 30 clears, 31 enables") \
R(0x6013d4, 1, 4, VGA_CRTC, RW, 0, "VGA CRTC index and data, 8 bits each") \
R(0x619f04, 1, 4, PDISP_VBIOS, RW, 0, "where the VBIOS lies in VRAM; 0 = nowhere")

/* BAR0, and apertures inside it. */
#define NV_BAR0_BYTES	0x01000000u
#define NV_PROM		0x300000u	/* VBIOS */
#define NV_PROM_BYTES	0x010000u
#define NV_PRAMIN	0x700000u	/* VRAM window, see PBUS_PRAMIN */
#define NV_PRAMIN_BYTES	0x100000u
#define NV_USERD	0xc00000u	/* 128 channel control areas */
#define NV_USERD_STRIDE	0x002000u
#define NV_USERD_END	0xd00000u

/* Offsets inside a channel's control area (envytools: hw/fifo/dma-pusher). */
enum nvsim_userd {
	NV_USERD_PUT		= 0x40,
	NV_USERD_GET		= 0x44,
	NV_USERD_REF		= 0x48,
	NV_USERD_PUT_HI		= 0x4c,
	NV_USERD_MGET		= 0x58,	/* of the main push buffer only */
	NV_USERD_MGET_HI	= 0x5c,	/* bit 31: valid */
	NV_USERD_GET_HI		= 0x60,
	NV_USERD_IB_GET		= 0x88,
	NV_USERD_IB_PUT		= 0x8c,	/* doorbell */
};

/*
 * Offsets inside RAMFC (nouveau: nvkm/engine/fifo/g84.c). Its first words are the
 * registers 0x3330 and 0x3334 of PFIFO's current channel.
 */
enum nvsim_ramfc {
	NV_RAMFC_IB_PUT		= 0x00,
	NV_RAMFC_IB_GET		= 0x04,
	NV_RAMFC_TIMESLICE	= 0x44,
	NV_RAMFC_PUSH_DMA	= 0x48,
	NV_RAMFC_IB_LO		= 0x50,
	NV_RAMFC_IB_HI		= 0x54,
	NV_RAMFC_SLI		= 0x7c,	/* envytools: rnndb/fifo/g80_pfifo.xml */
	NV_RAMFC_RAMHT		= 0x80,
	NV_RAMFC_INST		= 0x98,
};

#define NVSIM_REG_ENUM(off, count, stride, name, kind, reset, meaning) NV_##name = (off),
enum nvsim_regs { NVSIM_REGS(NVSIM_REG_ENUM) };
#undef NVSIM_REG_ENUM

#define NV_ENABLE_PFIFO		0x00000100u
#define NV_ENABLE_PGRAPH	0x00001000u
#define NV_ENABLE_PTIMER	0x00010000u
#define NV_ENABLE_PFB		0x00100000u

#define NV_INTR_PFIFO		0x00000100u
#define NV_INTR_PGRAPH		0x00001000u
#define NV_INTR_PTIMER		0x00100000u
#define NV_INTR_PBUS		0x10000000u

#define NV_PFIFO_INTR_CACHE_ERROR 0x00000001u
#define NV_PFIFO_INTR_DMA_PUSHER 0x00001000u
#define NV_PFIFO_INTR_SEMAPHORE	0x00100000u
#define NV_PFIFO_INTR_NONSTALL	0x40000000u

#define NV_PULL0_ACCESS		0x00000001u
#define NV_PULL0_HASH_FAILED	0x00000010u
#define NV_PULL0_SOFTWARE	0x00000100u
#define NV_PULL0_SEM_ERROR(e)	((uint32_t)(e) << 20)
#define NV_PULL0_BAD_ENGINE	0x01000000u

enum nvsim_dma_error {
	NV_DMA_INVALID_MTHD	= 2,
	NV_DMA_INVALID_CMD	= 4,
	NV_DMA_IB_EMPTY		= 5,
	NV_DMA_MEM_FAULT	= 6,
};

enum nvsim_sem_error {
	NV_SEM_UNALIGNED	= 1,
	NV_SEM_INVALID_STATE	= 2,
	NV_SEM_TOO_LARGE	= 3,
	NV_SEM_MEM_FAULT	= 4,
};

struct nvsim_reg_desc {
	uint32_t off, count, stride, reset;
	char kind;		/* O, W or N: second letter of RO, RW, FN */
	const char *name;
	const char *meaning;
};
/* NULL = the model does not know it. */
const struct nvsim_reg_desc *nvsim_reg_find(uint32_t off);
/* The bits that a write can change, as far as the documents name them. */
uint32_t nvsim_reg_mask(uint32_t off);
const struct nvsim_reg_desc *nvsim_reg_table(size_t *n);
/* Of a register or a word of USERD; "-" = unknown. */
void nvsim_reg_name(uint32_t off, char *buf, size_t len);

#endif
