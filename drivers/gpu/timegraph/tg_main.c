// SPDX-License-Identifier: GPL-2.0-only
/* timegraph: schedules the command groups that nouveau's clients submit. */
#define pr_fmt(fmt) "timegraph: " fmt

#include <linux/module.h>

#include "attach/tg_attach.h"
#include "core/tg_predict.h"
#include "tg_cgroup.h"
#include "tg_bpf.h"
#include "tg_class.h"
#include "tg_client.h"
#include "tg_complete.h"
#include "tg_config.h"
#include "tg_dispatch.h"
#include "tg_domains.h"
#include "tg_events.h"
#include "tg_foreground.h"
#include "tg_freerun.h"
#include "tg_gate.h"
#include "tg_grace.h"
#include "tg_instance.h"
#include "tg_lost.h"
#include "tg_memory.h"
#include "tg_node.h"
#include "tg_oncpu.h"
#include "tg_params.h"
#include "tg_process.h"
#include "tg_reader.h"
#include "tg_registry.h"
#include "tg_reservation.h"
#include "tg_rules.h"
#include "tg_runner.h"
#include "tg_stats.h"
#include "tg_watchdog.h"

char *tg_param_spec = "/etc/timegraph.spec";
module_param_named(spec, tg_param_spec, charp, 0444);
MODULE_PARM_DESC(spec, "the specification file (/etc/timegraph.spec)");

char *tg_param_ac = "/etc/timegraph.ac";
module_param_named(ac, tg_param_ac, charp, 0444);
MODULE_PARM_DESC(ac, "the file with the admission limit (/etc/timegraph.ac)");

unsigned int tg_param_ht_depth = 16;
module_param_named(ht_depth, tg_param_ht_depth, uint, 0444);
MODULE_PARM_DESC(ht_depth, "groups an HT task may have on the GPU at once, 1-256 (16)");

unsigned int tg_param_lead_us = 1000;
module_param_named(lead_us, tg_param_lead_us, uint, 0444);
MODULE_PARM_DESC(lead_us, "predicted work that the GPU may have when a PRT task's next group starts, 0-100000 us (1000)");

bool tg_param_stage;
module_param_named(stage, tg_param_stage, bool, 0444);
MODULE_PARM_DESC(stage, "groups may wait on the GPU for the end of another channel's (N)");

unsigned int tg_param_floor = 3;
module_param_named(floor, tg_param_floor, uint, 0444);
MODULE_PARM_DESC(floor, "percent of GPU time for who would get none beside others, 0-50 (3)");

unsigned int tg_param_floor_period_us = 100000;
module_param_named(floor_period_us, tg_param_floor_period_us, uint, 0444);
MODULE_PARM_DESC(floor_period_us, "who got none for this long is given it, 1000-10000000 us (100000)");

unsigned int tg_param_poll_ms = 100;
module_param_named(poll_ms, tg_param_poll_ms, uint, 0444);
MODULE_PARM_DESC(poll_ms, "period of the watchdog that finds lost interrupts, 1-10000 ms (100)");

unsigned int tg_param_hang_ms = 5000;
module_param_named(hang_ms, tg_param_hang_ms, uint, 0444);
MODULE_PARM_DESC(hang_ms, "a group that is on the GPU for longer is stuck, 10-100000 ms (5000)");

unsigned int tg_param_lease_us = 10000;
module_param_named(lease_us, tg_param_lease_us, uint, 0444);
MODULE_PARM_DESC(lease_us, "a turn not used within this, or less, goes to who waits, 100-10000000 us (10000)");

static char *completion = "auto";
module_param(completion, charp, 0444);
MODULE_PARM_DESC(completion, "how ends are learnt: notify, fence, auto (NOTIFY while somebody waits or a reserve is spent) (auto)");

static const char *const completion_words[] = {
	[TG_COMPLETE_NOTIFY] = "notify",
	[TG_COMPLETE_AUTO] = "auto",
	[TG_COMPLETE_FENCE] = "fence",
};

enum tg_complete_param tg_param_completion;

bool tg_param_freerun = true;
module_param_named(freerun, tg_param_freerun, bool, 0444);
MODULE_PARM_DESC(freerun, "a task that has the GPU to itself is not gated (Y)");

unsigned int tg_param_tick_us;
module_param_named(tick_us, tg_param_tick_us, uint, 0444);
MODULE_PARM_DESC(tick_us, "look for ends of groups so often instead of learning of each, 100-100000 us; 0: learn of each (0)");

bool tg_param_cpu_clock;
module_param_named(cpu_clock, tg_param_cpu_clock, bool, 0444);
MODULE_PARM_DESC(cpu_clock, "account GPU time by the CPU's clock even where the GPU's can be had (N)");

unsigned int tg_param_history = TG_HISTORY_DEFAULT;
module_param_named(history, tg_param_history, uint, 0444);
MODULE_PARM_DESC(history, "records of a task's table of group costs, 1-4096 (100)");

static char *predictor = "history";
module_param(predictor, charp, 0444);
MODULE_PARM_DESC(predictor, "what an AE reserve predicts by: history (table), largest, average (of the task's last 16 groups) (history)");

static char *lead_predictor = "largest";
module_param(lead_predictor, charp, 0444);
MODULE_PARM_DESC(lead_predictor, "what the lead predicts by: largest, average (of the task's last 16 groups), history (table; reads each group) (largest)");

static char *policy = "fq";
module_param(policy, charp, 0444);
MODULE_PARM_DESC(policy, "what orders who has no other rule, and domains, on a GPU that appears: fq, rr, accc, xc, slaf, augc, cosched (fq)");

const struct tg_predictor_ops *tg_param_predictor;
const struct tg_predictor_ops *tg_param_lead_predictor;

unsigned int tg_param_bg_capacity_us = 25000;
module_param_named(bg_capacity_us, tg_param_bg_capacity_us, uint, 0444);
MODULE_PARM_DESC(bg_capacity_us, "capacity of the Background reserve, at most bg_period_us (25000)");

unsigned int tg_param_bg_period_us = 25000;
module_param_named(bg_period_us, tg_param_bg_period_us, uint, 0444);
MODULE_PARM_DESC(bg_period_us, "period of the Background reserve, 100-100000000 us (25000)");

unsigned int tg_param_policy_timeout_ms = 30;
module_param_named(policy_timeout_ms, tg_param_policy_timeout_ms, uint, 0444);
MODULE_PARM_DESC(policy_timeout_ms, "a loaded policy that lets the GPU idle for longer while groups wait is ejected, 1-10000 ms (30)");

unsigned int tg_param_policy_starve_ms = 2000;
module_param_named(policy_starve_ms, tg_param_policy_starve_ms, uint, 0444);
MODULE_PARM_DESC(policy_starve_ms, "one that lets a task wait for longer while others run, too, 10-100000 ms (2000)");

unsigned int tg_param_policy_call_us = 100;
module_param_named(policy_call_us, tg_param_policy_call_us, uint, 0444);
MODULE_PARM_DESC(policy_call_us, "one whose calls take longer again and again, too, 1-10000 us (100)");
bool tg_param_vram;
module_param_named(vram, tg_param_vram, bool, 0444);
MODULE_PARM_DESC(vram, "video memory can be reserved: nouveau's buffers are accounted for (N)");

unsigned int tg_param_vram_margin_mb = 16;
module_param_named(vram_margin_mb, tg_param_vram_margin_mb, uint, 0444);
MODULE_PARM_DESC(vram_margin_mb, "video memory that nobody can reserve, for the kernel and what is scanned out, 0-65536 MiB (16)");

unsigned int tg_param_vram_aging_ms = 10000;
module_param_named(vram_aging_ms, tg_param_vram_aging_ms, uint, 0444);
MODULE_PARM_DESC(vram_aging_ms, "who has waited for video memory for this long is served next, 0-3600000 ms; 0: never (10000)");

unsigned int tg_param_vram_user = 50;
module_param_named(vram_user, tg_param_vram_user, uint, 0444);
MODULE_PARM_DESC(vram_user, "percent of the video memory that a user can reserve by calls without CAP_SYS_NICE, 0-100 (50)");

unsigned int tg_param_vram_wait_ms = 1000;
module_param_named(vram_wait_ms, tg_param_vram_wait_ms, uint, 0444);
MODULE_PARM_DESC(vram_wait_ms, "with vram_beyond=wait a buffer waits for so long, 0-3600000 ms (1000)");

char *tg_param_vram_beyond = "spill";
module_param_named(vram_beyond, tg_param_vram_beyond, charp, 0444);
MODULE_PARM_DESC(vram_beyond, "what becomes of buffers beyond a reservation, and of what is not reserved: spill (to system memory), refuse, wait (spill)");

char *tg_param_vram_policy = "fifo";
module_param_named(vram_policy, tg_param_vram_policy, charp, 0444);
MODULE_PARM_DESC(vram_policy, "who gets video memory that becomes free: fifo, mmu, prio-fifo, prio-mmu (fifo)");

static unsigned int clamp_param(const char *name, unsigned int v,
				unsigned int min, unsigned int max)
{
	unsigned int c = clamp(v, min, max);

	if (c != v)
		pr_warn("%s=%u is out of range, using %u\n", name, v, c);
	return c;
}

static int set_predictor(const struct tg_predictor_ops **ops, const char *name,
			 const char *word)
{
	for (unsigned int i = 0; i < TG_NR_PREDICTORS; i++)
		if (sysfs_streq(word, tg_predictors[i].name)) {
			*ops = &tg_predictors[i];
			return 0;
		}
	pr_err("%s=%s: history, largest or average\n", name, word);
	return -EINVAL;
}

static int set_words(void)
{
	int ret = sysfs_match_string(completion_words, completion);

	if (ret < 0) {
		pr_err("completion=%s: auto, notify or fence\n", completion);
		return ret;
	}
	tg_param_completion = ret;
	ret = set_predictor(&tg_param_predictor, "predictor", predictor);
	if (ret)
		return ret;
	return set_predictor(&tg_param_lead_predictor, "lead_predictor", lead_predictor);
}

static void start(struct tg_device *td)
{
	tg_dispatch_start(td);
	tg_watchdog_start(td);
	tg_runner_start(td);
	tg_freerun_start(td);
	tg_bpf_start(td);
	tg_memory_start(td);
	tg_lost_start(td);
}

static void stop(struct tg_device *td)
{
	tg_complete_unwatch(td);
	tg_watchdog_stop(td);
	tg_runner_stop(td);
	tg_freerun_stop(td);
	tg_bpf_stop(td);
	tg_dispatch_stop(td);
	tg_reservation_exit(td);
	tg_domains_exit(td);
	tg_instance_forget(&td->memory);
	tg_memory_stop(td);
	tg_lost_stop(td);
}

static const struct tg_registry_ops gpu_ops = {
	.start = start,
	.stop = stop,
};

/* Files that answered only after those had gone on who waited for them. */
static void read_late(void)
{
	tg_client_late();
	tg_class_follow();
}

static int __init tg_main_init(void)
{
	int ret;

	ret = set_words();
	if (ret)
		return ret;
	ret = tg_memory_init();
	if (ret)
		return ret;
	tg_param_ht_depth = clamp_param("ht_depth", tg_param_ht_depth, 1, 256);
	tg_param_lead_us = clamp_param("lead_us", tg_param_lead_us, 0, 100000);
	tg_param_floor = clamp_param("floor", tg_param_floor, 0, 50);
	tg_param_floor_period_us = clamp_param("floor_period_us", tg_param_floor_period_us,
					       1000, 10000000);
	if (tg_param_tick_us)
		tg_param_tick_us = clamp_param("tick_us", tg_param_tick_us, 100, 100000);
	tg_param_poll_ms = clamp_param("poll_ms", tg_param_poll_ms, 1, 10000);
	tg_param_bg_period_us = clamp_param("bg_period_us", tg_param_bg_period_us,
					    100, 100000000);
	tg_param_bg_capacity_us = clamp_param("bg_capacity_us",
					      tg_param_bg_capacity_us, 1,
					      tg_param_bg_period_us);
	tg_param_history = clamp_param("history", tg_param_history, 1,
				       TG_HISTORY_MAX);
	tg_param_hang_ms = clamp_param("hang_ms", tg_param_hang_ms, 10, 100000);
	tg_param_lease_us = clamp_param("lease_us", tg_param_lease_us, 100, 10000000);
	tg_param_vram_margin_mb = clamp_param("vram_margin_mb", tg_param_vram_margin_mb, 0, 65536);
	tg_param_vram_aging_ms = clamp_param("vram_aging_ms", tg_param_vram_aging_ms, 0, 3600000);
	tg_param_vram_wait_ms = clamp_param("vram_wait_ms", tg_param_vram_wait_ms, 0, 3600000);
	tg_param_vram_user = clamp_param("vram_user", tg_param_vram_user, 0, 100);

	tg_param_policy_timeout_ms = clamp_param("policy_timeout_ms", tg_param_policy_timeout_ms,
						 1, 10000);
	tg_param_policy_starve_ms = clamp_param("policy_starve_ms", tg_param_policy_starve_ms,
						10, 100000);
	tg_param_policy_call_us = clamp_param("policy_call_us", tg_param_policy_call_us, 1, 10000);

	ret = tg_gate_init();
	if (ret)
		return ret;
	ret = tg_class_init(policy);
	if (ret)
		goto err_gate;
	tg_oncpu_init();
	tg_registry_init(&gpu_ops);
	tg_process_init();
	ret = tg_cgroup_init();
	if (ret)
		goto err_registry;
	ret = tg_config_init();
	if (ret)
		goto err_cgroup;
	ret = tg_reader_init(read_late);
	if (ret)
		goto err_config;
	tg_stats_init();
	ret = tg_attach_init();
	if (ret)
		goto err_stats;
	tg_bpf_init();
	/* Last: what is open is not to be taken back at once. */
	ret = tg_node_init();
	if (ret)
		goto err_attach;
	return 0;

err_attach:
	tg_attach_exit();
	tg_bpf_exit();
err_stats:
	tg_stats_exit();
	tg_reader_exit();
err_config:
	tg_config_exit();
err_cgroup:
	tg_cgroup_exit();
err_registry:
	/* Channels that were there before have had policies begin. */
	tg_oncpu_exit();
	tg_registry_exit();
err_gate:
	tg_gate_exit();
	return ret;
}

static void __exit tg_main_exit(void)
{
	tg_grace_hasten();
	tg_node_close();
	tg_foreground_exit();
	tg_attach_exit();
	tg_bpf_exit();
	tg_node_exit();
	tg_stats_exit();
	tg_reader_exit();
	tg_config_exit();
	tg_oncpu_exit();
	tg_registry_exit();
	tg_rules_exit();
	tg_cgroup_exit();
	tg_gate_exit();
	tg_events_exit();
	tg_grace_relax();
}

module_init(tg_main_init);
module_exit(tg_main_exit);

MODULE_DESCRIPTION("Real-time GPU command scheduler for nouveau");
MODULE_VERSION(TIMEGRAPH_VERSION);
MODULE_LICENSE("GPL");
