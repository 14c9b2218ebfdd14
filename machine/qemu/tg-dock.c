/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a machine is laid up, and where it takes in its load.
 *
 *	-device tg-dock[,payload=FILE][,save=URI][,seed=N][,iobase=PORT]
 *
 * A guest that has booted writes to the first port. With save= QEMU then stops it
 * at that very instruction, migrates it to the URI and ends: a snapshot. Otherwise
 * the guest goes on; and so does one that was restored from the snapshot, in the
 * same state, to the bit.
 *
 * What differs between runs comes in after that, by the second port: the guest
 * writes the number of a page frame, and finds the next page of the payload there;
 * reading tells how many bytes these were. All of it within one instruction, so that
 * the host's speed is not seen.
 *
 *	iobase		8 bits	W	the guest may be laid up now
 *	iobase + 4	32 bits	W	page frame to fill
 *				R	bytes that were put there; 0: the end
 */
#include "qemu/osdep.h"
#include "exec/cpu-common.h"
#include "hw/core/cpu.h"
#include "hw/isa/isa.h"
#include "hw/qdev-properties.h"
#include "migration/misc.h"
#include "migration/vmstate.h"
#include "qapi/error.h"
#include "qapi/qapi-commands-migration.h"
#include "qemu/error-report.h"
#include "qemu/guest-random.h"
#include "qemu/main-loop.h"
#include "qemu/module.h"
#include "qom/object.h"
#include "sysemu/runstate.h"
#include "sysemu/sysemu.h"

#define TYPE_TG_DOCK "tg-dock"
OBJECT_DECLARE_SIMPLE_TYPE(TgDockState, TG_DOCK)

#define DOCK_PAGE 4096

/* Of util/guest-random.c, see guest-random.c here. */
void qemu_guest_random_restart(uint64_t seed);

struct TgDockState {
    ISADevice parent_obj;

    /* config */
    uint32_t iobase;
    uint64_t seed;
    char *payload;
    char *save;

    MemoryRegion io;
    Notifier migrated;

    /* Nothing of this is part of a snapshot: it comes after that. */
    FILE *file;
    uint32_t taken;
};

/*
 * What a generator has given so far is not part of a snapshot. So it begins anew at
 * this point, in a guest that goes on and in one that is restored.
 */
static void dock_restart_random(CPUState *cpu, run_on_cpu_data data)
{
    qemu_guest_random_restart(data.host_ulong);
}

static void dock_migrated(Notifier *n, void *data)
{
    MigrationState *m = data;

    if (migration_has_failed(m)) {
        error_report("tg-dock: the machine cannot be saved");
        exit(EXIT_FAILURE);
    }
    if (migration_has_finished(m)) {
        qemu_system_shutdown_request(SHUTDOWN_CAUSE_HOST_QMP_QUIT);
    }
}

static void dock_save(void *opaque)
{
    TgDockState *s = opaque;
    Error *err = NULL;

    vm_stop(RUN_STATE_PAUSED);
    qmp_migrate(s->save, false, false, false, false, false, false, false, false, &err);
    if (err) {
        error_report_err(err);
        exit(EXIT_FAILURE);
    }
}

/*
 * No CPU runs an instruction after this one. The main loop must know that the machine
 * stands before it sees that all of them are idle: idle time passes at once (icount
 * with sleep=off), up to the next timer. A bottom half runs in time for that; a
 * request to stop, which is what vm_stop() makes of a CPU's call, only sometimes.
 */
static void dock_stop(TgDockState *s)
{
    CPUState *cpu;

    aio_bh_schedule_oneshot(qemu_get_aio_context(), dock_save, s);
    CPU_FOREACH(cpu) {
        cpu->stop = true;
        cpu_exit(cpu);
    }
}

static void dock_lay_up(TgDockState *s)
{
    if (s->save) {
        dock_stop(s);
    } else {
        dock_restart_random(current_cpu, RUN_ON_CPU_HOST_ULONG(s->seed));
    }
}

static void dock_fill(TgDockState *s, uint64_t frame)
{
    uint8_t page[DOCK_PAGE];

    s->taken = 0;
    if (!s->file && s->payload) {
        s->file = fopen(s->payload, "rb");
        if (!s->file) {
            error_report("tg-dock: cannot open %s: %s", s->payload, strerror(errno));
            exit(EXIT_FAILURE);
        }
    }
    if (!s->file) {
        return;
    }
    s->taken = fread(page, 1, sizeof(page), s->file);
    if (ferror(s->file)) {
        error_report("tg-dock: cannot read %s", s->payload);
        exit(EXIT_FAILURE);
    }
    cpu_physical_memory_write(frame * DOCK_PAGE, page, s->taken);
}

static uint64_t dock_read(void *opaque, hwaddr addr, unsigned size)
{
    TgDockState *s = opaque;

    return addr == 4 && size == 4 ? s->taken : ~0ull;
}

static void dock_write(void *opaque, hwaddr addr, uint64_t val, unsigned size)
{
    TgDockState *s = opaque;

    if (addr == 0) {
        dock_lay_up(s);
    } else if (addr == 4 && size == 4) {
        dock_fill(s, val);
    }
}

static const MemoryRegionOps dock_ops = {
    .read = dock_read,
    .write = dock_write,
    .valid.min_access_size = 1,
    .valid.max_access_size = 4,
    .endianness = DEVICE_LITTLE_ENDIAN,
};

/*
 * The guest's memory is a file that both machines map, and no part of the stream. In
 * this version of QEMU only code can say so.
 */
static void dock_share_memory(Error **errp)
{
    MigrationCapabilityStatus shared = {
        .capability = MIGRATION_CAPABILITY_X_IGNORE_SHARED,
        .state = true,
    };
    MigrationCapabilityStatusList list = { .value = &shared };

    qmp_migrate_set_capabilities(&list, errp);
}

static void dock_realize(DeviceState *dev, Error **errp)
{
    TgDockState *s = TG_DOCK(dev);

    memory_region_init_io(&s->io, OBJECT(dev), &dock_ops, s, TYPE_TG_DOCK, 8);
    memory_region_add_subregion(isa_address_space_io(ISA_DEVICE(dev)), s->iobase, &s->io);
    s->migrated.notify = dock_migrated;
    if (s->save || runstate_check(RUN_STATE_INMIGRATE)) {
        dock_share_memory(errp);
    }
    if (s->save) {
        add_migration_state_change_notifier(&s->migrated);
    }
}

static int dock_restored(void *opaque, int version_id)
{
    TgDockState *s = opaque;

    async_run_on_cpu(first_cpu, dock_restart_random, RUN_ON_CPU_HOST_ULONG(s->seed));
    return 0;
}

static const VMStateDescription dock_vmstate = {
    .name = TYPE_TG_DOCK,
    .version_id = 1,
    .minimum_version_id = 1,
    .post_load = dock_restored,
    .fields = (VMStateField[]) {
        VMSTATE_UINT32(iobase, TgDockState),
        VMSTATE_END_OF_LIST()
    },
};

static Property dock_properties[] = {
    DEFINE_PROP_UINT32("iobase", TgDockState, iobase, 0x4f0),
    DEFINE_PROP_UINT64("seed", TgDockState, seed, 1),
    DEFINE_PROP_STRING("payload", TgDockState, payload),
    DEFINE_PROP_STRING("save", TgDockState, save),
    DEFINE_PROP_END_OF_LIST(),
};

static void dock_class_init(ObjectClass *klass, void *data)
{
    DeviceClass *dc = DEVICE_CLASS(klass);

    dc->realize = dock_realize;
    dc->vmsd = &dock_vmstate;
    dc->desc = "where a test machine is laid up and loaded";
    device_class_set_props(dc, dock_properties);
    set_bit(DEVICE_CATEGORY_MISC, dc->categories);
}

static const TypeInfo dock_info = {
    .name = TYPE_TG_DOCK,
    .parent = TYPE_ISA_DEVICE,
    .instance_size = sizeof(TgDockState),
    .class_init = dock_class_init,
};

static void dock_register(void)
{
    type_register_static(&dock_info);
}

type_init(dock_register)
