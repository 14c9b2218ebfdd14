/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * QEMU glue of the GPU model: BARs, virtual time, interrupt, DMA.
 *
 *	-device nvsim[,fault=SPEC][,report=FILE][,log=FILE][,gpulog=FILE]
 *	        [,read-ns=N][,journal=on]
 *
 * Time stands still while the card works on one access.
 */
#include "qemu/osdep.h"
#include "qemu/error-report.h"
#include "qemu/module.h"
#include "qemu/seqlock.h"
#include "qemu/timer.h"
#include "qapi/error.h"
#include "hw/pci/msi.h"
#include "hw/pci/pci.h"
#include "hw/qdev-properties.h"
#include "migration/blocker.h"
#include "migration/vmstate.h"
#include "softmmu/timers-state.h"
#include "sysemu/cpu-timers.h"
#include "sysemu/sysemu.h"
#include "hw/core/cpu.h"
#include "qom/object.h"
#include "nvsim.h"
#include "nvsim-journal.h"

#define TYPE_NVSIM "nvsim"
OBJECT_DECLARE_SIMPLE_TYPE(NvsimState, NVSIM)

/*
 * Round trip of a register read: PCI Express 2.0 cards answer in 0.5 to 1 us
 * (an estimate, nobody has measured this card); the lower end.
 */
#define NVSIM_READ_NS 500

/* nouveau re-arms MSI by writing to this very byte of configuration space */
#define NVSIM_MSI_CAP 0x68

struct NvsimState {
    PCIDevice parent_obj;

    /* config */
    char *fault;
    char *report;
    char *log;
    char *gpulog;
    uint32_t read_ns;
    uint32_t vram_mb;
    bool journal_on;

    struct nvsim *core;
    struct nvsim_journal journal;
    Error *no_snapshot;
    /* Of the access that the core works on. */
    uint64_t now_ns;
    /* What the core wants its timer set to. */
    uint64_t deadline_ns;
    MemoryRegion mmio;
    MemoryRegion bar1;
    MemoryRegion bar3;
    QEMUTimer timer;
    Notifier exit;
};

/* Before every call of the core: all that it depends on, but what it asks for. */
static void nvsim_pci_enter(NvsimState *s, enum nvsim_journal_kind kind, uint32_t off,
                            uint64_t val, unsigned size)
{
    s->now_ns = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    nvsim_journal_call(&s->journal, kind, s->now_ns, off, val, size);
}

static uint64_t nvsim_pci_now_ns(void *host)
{
    NvsimState *s = host;

    return s->now_ns;
}

static void nvsim_pci_set_irq(void *host, bool level)
{
    NvsimState *s = host;
    PCIDevice *dev = host;

    if (nvsim_journal_replays(&s->journal)) {
        return;
    }
    if (!msi_enabled(dev)) {
        pci_set_irq(dev, level);
    } else if (level) {
        msi_notify(dev, 0);
    }
}

static void nvsim_pci_arm(NvsimState *s)
{
    if (s->deadline_ns > INT64_MAX) {
        timer_del(&s->timer);
    } else {
        timer_mod_ns(&s->timer, s->deadline_ns);
    }
}

static void nvsim_pci_set_timer(void *host, uint64_t deadline_ns)
{
    NvsimState *s = host;

    s->deadline_ns = deadline_ns;
    if (!nvsim_journal_replays(&s->journal)) {
        nvsim_pci_arm(s);
    }
}

static bool nvsim_pci_dma_read(void *host, uint64_t addr, void *buf, size_t len)
{
    NvsimState *s = host;
    bool ok;

    if (nvsim_journal_replays(&s->journal)) {
        return nvsim_journal_answer(&s->journal, NVSIM_DMA_READ, addr, buf, len);
    }
    ok = pci_dma_read(host, addr, buf, len) == MEMTX_OK;
    nvsim_journal_asked(&s->journal, NVSIM_DMA_READ, addr, buf, len, ok);
    return ok;
}

static bool nvsim_pci_dma_write(void *host, uint64_t addr, const void *buf,
                                size_t len)
{
    NvsimState *s = host;
    bool ok;

    if (nvsim_journal_replays(&s->journal)) {
        return nvsim_journal_answer(&s->journal, NVSIM_DMA_WRITE, addr, NULL, len);
    }
    ok = pci_dma_write(host, addr, buf, len) == MEMTX_OK;
    nvsim_journal_asked(&s->journal, NVSIM_DMA_WRITE, addr, NULL, len, ok);
    return ok;
}

static void nvsim_pci_log(void *host, const char *line)
{
    NvsimState *s = host;

    if (!nvsim_journal_replays(&s->journal)) {
        info_report("nvsim: %s", line);
    }
}

static const struct nvsim_ops nvsim_pci_ops = {
    .now_ns = nvsim_pci_now_ns,
    .set_irq = nvsim_pci_set_irq,
    .set_timer = nvsim_pci_set_timer,
    .dma_read = nvsim_pci_dma_read,
    .dma_write = nvsim_pci_dma_write,
    .log = nvsim_pci_log,
};

/*
 * A read crosses PCI Express twice while the CPU waits: charge it to the
 * virtual clock.  Under icount it would cost the few instructions around it,
 * and a driver that polls a register "100000 times before it gives up" would
 * give up after a millisecond rather than a tenth of a second.  Writes are
 * posted and cost nothing more.
 */
static void nvsim_pci_charge_read(NvsimState *s)
{
    if (!icount_enabled() || !s->read_ns) {
        return;
    }
    seqlock_write_lock(&timers_state.vm_clock_seqlock,
                       &timers_state.vm_clock_lock);
    qatomic_set_i64(&timers_state.qemu_icount_bias,
                    qatomic_read_i64(&timers_state.qemu_icount_bias) +
                    s->read_ns);
    seqlock_write_unlock(&timers_state.vm_clock_seqlock,
                         &timers_state.vm_clock_lock);
    /* A timer came due: leave the CPU loop, whose budget did not foresee it. */
    if (!qemu_clock_deadline_ns_all(QEMU_CLOCK_VIRTUAL,
                                    QEMU_TIMER_ATTR_ALL) && current_cpu) {
        cpu_exit(current_cpu);
    }
}

#define NVSIM_REGION(name, NAME)                                            \
static uint64_t nvsim_pci_##name##_read(void *opaque, hwaddr addr,          \
                                        unsigned size)                      \
{                                                                           \
    NvsimState *s = opaque;                                                 \
                                                                            \
    nvsim_pci_charge_read(s);                                               \
    nvsim_pci_enter(s, NVSIM_##NAME##_READ, addr, 0, size);                 \
    return nvsim_##name##_read(s->core, addr, size);                        \
}                                                                           \
                                                                            \
static void nvsim_pci_##name##_write(void *opaque, hwaddr addr,             \
                                     uint64_t val, unsigned size)           \
{                                                                           \
    NvsimState *s = opaque;                                                 \
                                                                            \
    nvsim_pci_enter(s, NVSIM_##NAME##_WRITE, addr, val, size);              \
    nvsim_##name##_write(s->core, addr, val, size);                         \
}                                                                           \
                                                                            \
static const MemoryRegionOps nvsim_pci_##name##_ops = {                     \
    .read = nvsim_pci_##name##_read,                                        \
    .write = nvsim_pci_##name##_write,                                      \
    .endianness = DEVICE_LITTLE_ENDIAN,                                     \
    .valid = { .min_access_size = 1, .max_access_size = 8,                  \
               .unaligned = true },                                         \
    .impl = { .min_access_size = 1, .max_access_size = 8,                   \
              .unaligned = true },                                          \
};

NVSIM_REGION(mmio, MMIO)
NVSIM_REGION(bar1, BAR1)
NVSIM_REGION(bar3, BAR3)

static void nvsim_pci_timer(void *opaque)
{
    NvsimState *s = opaque;

    nvsim_pci_enter(s, NVSIM_TIMER, 0, 0, 0);
    nvsim_timer(s->core);
}

static void nvsim_pci_destroy(NvsimState *s)
{
    s->now_ns = qemu_clock_get_ns(QEMU_CLOCK_VIRTUAL);
    timer_del(&s->timer);
    nvsim_destroy(s->core);
    s->core = NULL;
}

/* Devices are not unrealized when QEMU ends, but the report wants writing. */
static void nvsim_pci_at_exit(Notifier *n, void *data)
{
    NvsimState *s = container_of(n, NvsimState, exit);

    nvsim_pci_destroy(s);
}

static bool nvsim_pci_create(NvsimState *s, Error **errp)
{
    const char *why = NULL;
    struct nvsim_config config = {
        .ops = &nvsim_pci_ops,
        .host = s,
        .vram_bytes = (uint64_t)s->vram_mb << 20,
        .fault = s->fault,
        .report_path = s->report,
        .reglog_path = s->log,
        .gpulog_path = s->gpulog,
    };

    s->deadline_ns = UINT64_MAX;
    s->core = nvsim_create(&config, &why);
    if (!s->core) {
        error_setg(errp, "nvsim: %s", why);
    }
    return s->core;
}

/* A snapshot of a card without a journal would lose its state. */
static bool nvsim_pci_refuse_snapshots(NvsimState *s, Error **errp)
{
    error_setg(&s->no_snapshot, "nvsim: only with journal=on can the card be saved");
    if (migrate_add_blocker(s->no_snapshot, errp) < 0) {
        error_free(s->no_snapshot);
        s->no_snapshot = NULL;
        return false;
    }
    return true;
}

static void nvsim_pci_realize(PCIDevice *dev, Error **errp)
{
    NvsimState *s = NVSIM(dev);

    timer_init_ns(&s->timer, QEMU_CLOCK_VIRTUAL, nvsim_pci_timer, s);
    if (!s->journal_on && !nvsim_pci_refuse_snapshots(s, errp)) {
        return;
    }
    if (s->journal_on) {
        nvsim_journal_begin(&s->journal);
    }
    nvsim_pci_enter(s, NVSIM_CREATE, 0, 0, 0);
    if (!nvsim_pci_create(s, errp)) {
        return;
    }
    s->exit.notify = nvsim_pci_at_exit;
    qemu_add_exit_notifier(&s->exit);

    pci_config_set_interrupt_pin(dev->config, 1);
    memory_region_init_io(&s->mmio, OBJECT(s), &nvsim_pci_mmio_ops, s,
                          "nvsim-mmio", NVSIM_MMIO_BYTES);
    memory_region_init_io(&s->bar1, OBJECT(s), &nvsim_pci_bar1_ops, s,
                          "nvsim-bar1", NVSIM_BAR1_BYTES);
    memory_region_init_io(&s->bar3, OBJECT(s), &nvsim_pci_bar3_ops, s,
                          "nvsim-bar3", NVSIM_BAR3_BYTES);
    pci_register_bar(dev, 0, PCI_BASE_ADDRESS_SPACE_MEMORY, &s->mmio);
    pci_register_bar(dev, 1, PCI_BASE_ADDRESS_MEM_TYPE_64 |
                     PCI_BASE_ADDRESS_MEM_PREFETCH, &s->bar1);
    pci_register_bar(dev, 3, PCI_BASE_ADDRESS_MEM_TYPE_64, &s->bar3);
    /* without MSI on the board the card has its INTx pin */
    msi_init(dev, NVSIM_MSI_CAP, 1, true, false, NULL);
}

static void nvsim_pci_unrealize(PCIDevice *dev)
{
    NvsimState *s = NVSIM(dev);

    msi_uninit(dev);
    qemu_remove_exit_notifier(&s->exit);
    nvsim_pci_destroy(s);
    nvsim_journal_end(&s->journal);
    if (s->no_snapshot) {
        migrate_del_blocker(s->no_snapshot);
        error_free(s->no_snapshot);
    }
}

static void nvsim_pci_reset(DeviceState *qdev)
{
    NvsimState *s = NVSIM(qdev);

    nvsim_pci_enter(s, NVSIM_RESET, 0, 0, 0);
    nvsim_reset(s->core);
}

static void nvsim_pci_repeat(NvsimState *s, const struct nvsim_journal_record *r)
{
    s->now_ns = r->now_ns;
    switch (r->kind) {
    case NVSIM_RESET:
        nvsim_reset(s->core);
        break;
    case NVSIM_TIMER:
        nvsim_timer(s->core);
        break;
    case NVSIM_MMIO_READ:
        nvsim_mmio_read(s->core, r->off, r->size);
        break;
    case NVSIM_MMIO_WRITE:
        nvsim_mmio_write(s->core, r->off, r->val, r->size);
        break;
    case NVSIM_BAR1_READ:
        nvsim_bar1_read(s->core, r->off, r->size);
        break;
    case NVSIM_BAR1_WRITE:
        nvsim_bar1_write(s->core, r->off, r->val, r->size);
        break;
    case NVSIM_BAR3_READ:
        nvsim_bar3_read(s->core, r->off, r->size);
        break;
    case NVSIM_BAR3_WRITE:
        nvsim_bar3_write(s->core, r->off, r->val, r->size);
        break;
    default:
        nvsim_journal_fail(&s->journal);
    }
}

static Property nvsim_pci_properties[] = {
    DEFINE_PROP_STRING("fault", NvsimState, fault),
    DEFINE_PROP_STRING("report", NvsimState, report),
    DEFINE_PROP_STRING("log", NvsimState, log),
    DEFINE_PROP_STRING("gpulog", NvsimState, gpulog),
    DEFINE_PROP_UINT32("read-ns", NvsimState, read_ns, NVSIM_READ_NS),
    DEFINE_PROP_BOOL("journal", NvsimState, journal_on, false),
    DEFINE_PROP_UINT32("vram-mb", NvsimState, vram_mb, 512),
    DEFINE_PROP_END_OF_LIST(),
};

static int nvsim_pci_pre_save(void *opaque)
{
    NvsimState *s = opaque;

    s->journal.len = s->journal.bytes ? s->journal.bytes->len : 0;
    s->journal.data = s->journal.bytes ? s->journal.bytes->data : NULL;
    return s->journal.len ? 0 : -EINVAL;
}

/* A new card, to which all happens that happened to the saved one. */
static bool nvsim_pci_replay(NvsimState *s)
{
    struct nvsim_journal_record r;
    Error *err = NULL;

    if (!nvsim_journal_next(&s->journal, &r) || r.kind != NVSIM_CREATE) {
        return false;
    }
    s->now_ns = r.now_ns;
    if (!nvsim_pci_create(s, &err)) {
        error_report_err(err);
        return false;
    }
    while (nvsim_journal_next(&s->journal, &r)) {
        nvsim_pci_repeat(s, &r);
    }
    return nvsim_journal_fits(&s->journal);
}

static int nvsim_pci_post_load(void *opaque, int version_id)
{
    NvsimState *s = opaque;
    bool ok;

    nvsim_pci_destroy(s);
    nvsim_journal_replay(&s->journal);
    ok = nvsim_pci_replay(s);
    nvsim_journal_end(&s->journal);
    if (!ok) {
        error_report("nvsim: the journal does not fit the card");
        return -EINVAL;
    }
    nvsim_pci_arm(s);
    return 0;
}

static const VMStateDescription nvsim_pci_vmstate = {
    .name = TYPE_NVSIM,
    .version_id = 1,
    .minimum_version_id = 1,
    .pre_save = nvsim_pci_pre_save,
    .post_load = nvsim_pci_post_load,
    .fields = (VMStateField[]) {
        VMSTATE_PCI_DEVICE(parent_obj, NvsimState),
        VMSTATE_UINT32(journal.len, NvsimState),
        VMSTATE_VBUFFER_ALLOC_UINT32(journal.data, NvsimState, 1, NULL, journal.len),
        VMSTATE_END_OF_LIST()
    },
};

static void nvsim_pci_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);
    PCIDeviceClass *k = PCI_DEVICE_CLASS(klass);

    k->realize = nvsim_pci_realize;
    k->exit = nvsim_pci_unrealize;
    k->vendor_id = 0x10de;
    k->device_id = 0x0614;
    k->subsystem_vendor_id = 0x10de;
    k->subsystem_id = 0x0614;
    k->revision = 0xa2;
    k->class_id = PCI_CLASS_DISPLAY_VGA;
    dc->reset = nvsim_pci_reset;
    dc->vmsd = &nvsim_pci_vmstate;
    dc->desc = "simulated GeForce 9800 GT (G92)";
    device_class_set_props(dc, nvsim_pci_properties);
    set_bit(DEVICE_CATEGORY_DISPLAY, dc->categories);
}

static const TypeInfo nvsim_pci_info = {
    .name = TYPE_NVSIM,
    .parent = TYPE_PCI_DEVICE,
    .instance_size = sizeof(NvsimState),
    .class_init = nvsim_pci_class_init,
    .interfaces = (InterfaceInfo[]) {
        { INTERFACE_CONVENTIONAL_PCI_DEVICE },
        { },
    },
};

static void nvsim_pci_register(void)
{
    type_register_static(&nvsim_pci_info);
}

type_init(nvsim_pci_register)
