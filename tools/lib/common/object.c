// SPDX-License-Identifier: GPL-2.0-or-later
#include "object.h"
#include "text.h"

/* 0 stands for "none" in the interface. */
static void uint_or_null(struct json *j, const char *key, uint64_t value)
{
	if (value)
		json_uint(j, key, value);
	else
		json_null(j, key);
}

static void pid(struct json *j, const char *key, int32_t value)
{
	uint_or_null(j, key, value > 0 ? value : 0);
}

static void string_or_null(struct json *j, const char *key, const char *value)
{
	json_string(j, key, value[0] ? value : NULL);
}

void object_caps(struct json *j, const struct timegraph_caps *caps)
{
	json_string(j, "version", caps->version);
	json_uint(j, "abi_version", caps->abi_version);
	json_uint(j, "now_ns", caps->now_ns);
	json_uint(j, "ht_depth", caps->ht_depth);
	json_uint(j, "history", caps->history);
	json_uint(j, "background_capacity_ns", caps->background_capacity_ns);
	json_uint(j, "background_period_ns", caps->background_period_ns);
	json_string(j, "attached", caps->attached);
	json_uint(j, "lead_ns", caps->lead_ns);
	json_string(j, "completion", text_completion(caps));
	json_uint(j, "floor_capacity_ns", caps->floor_capacity_ns);
	json_uint(j, "floor_period_ns", caps->floor_period_ns);
	json_string(j, "predictor", text_predictor(caps, caps->predictor));
	json_string(j, "lead_predictor", text_predictor(caps, caps->lead_predictor));
}

void object_config(struct json *j, const struct timegraph_config *config)
{
	uint_or_null(j, "version", config->version);
	json_bool(j, "pushed", config->flags & TIMEGRAPH_CONFIG_PUSHED);
	json_bool(j, "slow", config->flags & TIMEGRAPH_CONFIG_SLOW);
	json_string(j, "spec_path", config->spec_path);
	json_uint(j, "entries", config->nr_entries);
	string_or_null(j, "spec_refusal", config->spec_refusal);
	json_string(j, "ac_path", config->ac_path);
	json_uint(j, "limit_percent", config->limit_percent);
	string_or_null(j, "ac_refusal", config->ac_refusal);
}

static void gpu_fields(struct json *j, const struct timegraph_gpu *g)
{
	json_uint(j, "index", g->index);
	json_string(j, "name", g->name);
	json_bool(j, "scheduling", !g->bypass);
	json_string(j, "bypass", text_bypass_word(g->bypass));
	json_uint(j, "now_ns", g->now_ns);
	json_uint(j, "busy_ns", g->busy_ns);
	pid(j, "online_pid", g->online_pid);
	json_uint(j, "online", g->nr_online);
	json_uint(j, "waiting", g->nr_waiting);
	json_uint(j, "throttled", g->nr_throttled);
	json_uint(j, "submitted", g->submitted);
	json_uint(j, "verified", g->verified);
	json_uint(j, "recovered", g->recovered);
	json_uint(j, "foreign", g->foreign);
	json_uint(j, "stuck", g->stuck);
	json_uint(j, "abandoned", g->abandoned);
	json_uint(j, "cancelled", g->cancelled);
	json_uint(j, "interrupted", g->interrupted);
	json_uint(j, "ungated", g->ungated);
	json_uint(j, "stamped", g->stamped);
	json_uint(j, "unstamped", g->unstamped);
	uint_or_null(j, "context_switch_ns", g->context_switch_ns);
	uint_or_null(j, "chipset", g->chipset);
	json_uint(j, "notify_channels", g->notify_channels);
	json_uint(j, "fence_channels", g->fence_channels);
	string_or_null(j, "fence_why", g->fence_why);
	json_uint(j, "dropped", g->dropped);
	json_uint(j, "refused", g->refused);
	json_uint(j, "running", g->nr_running);
	json_uint(j, "hung", g->nr_hung);
	json_uint(j, "freerun_groups", g->freerun_groups);
	pid(j, "freerun_pid", g->freerun_pid);
	json_uint(j, "freerun_tasks", g->nr_freerun);
}

void object_gpu(struct json *j, const char *key, const struct timegraph_gpu *g)
{
	json_open(j, key, '{');
	gpu_fields(j, g);
	json_close(j, '}');
}

static void task_fields(struct json *j, const struct timegraph_task *t)
{
	const struct timegraph_task is = text_in_force(t);

	pid(j, "pid", t->pid);
	json_uint(j, "uid", t->uid);
	json_string(j, "comm", t->comm);
	json_string(j, "policy", text_policy(t->policy));
	json_string(j, "policy_in_force", text_policy(is.policy));
	json_uint(j, "weight", t->weight);
	json_uint(j, "weight_in_force", is.weight);
	json_uint(j, "lead_ns", t->lead_ns);
	json_bool(j, "lead_own", t->flags & TIMEGRAPH_TASK_LEAD);
	json_uint(j, "prio", t->prio);
	json_uint(j, "prio_in_force", is.prio);
	json_bool(j, "focus", t->flags & TIMEGRAPH_TASK_FOCUS);
	json_bool(j, "cpu", t->flags & TIMEGRAPH_TASK_CPU);
	if (t->flags & TIMEGRAPH_TASK_CPU)
		json_uint(j, "rank", t->rank);
	else
		json_null(j, "rank");
	json_bool(j, "foreground", t->flags & TIMEGRAPH_TASK_FOREGROUND);
	json_bool(j, "server", t->flags & TIMEGRAPH_TASK_SERVER);
	json_bool(j, "freerun", t->flags & TIMEGRAPH_TASK_FREERUN);
	json_string(j, "resv", text_resv(t->resv));
	uint_or_null(j, "reserve", t->reserve);
	json_bool(j, "unregulated", t->flags & TIMEGRAPH_TASK_UNREGULATED);
	json_bool(j, "demoted", t->flags & TIMEGRAPH_TASK_DEMOTED);
	json_bool(j, "set", t->flags & TIMEGRAPH_TASK_SET);
	json_bool(j, "hung", t->flags & TIMEGRAPH_TASK_HUNG);
	json_bool(j, "refused", t->flags & TIMEGRAPH_TASK_REFUSED);
	uint_or_null(j, "spec_line", t->spec_line);
	uint_or_null(j, "spec_version", t->spec_version);
	json_uint(j, "channels", t->nr_channels);
	json_uint(j, "online", t->nr_online);
	json_uint(j, "waiting", t->nr_waiting);
	json_uint(j, "throttled", t->nr_throttled);
	json_uint(j, "groups", t->groups);
	json_uint(j, "gpu_ns", t->gpu_ns);
	json_uint(j, "gpu_cpu_ns", t->gpu_cpu_ns);
	json_uint(j, "wait_ns", t->wait_ns);
	json_uint(j, "wait_max_ns", t->wait_max_ns);
	json_uint(j, "throttle_ns", t->throttle_ns);
	json_uint(j, "throttle_max_ns", t->throttle_max_ns);
	json_uint(j, "predictions", t->predictions);
	json_uint(j, "prediction_error_ns", t->prediction_error_ns);
	json_uint(j, "predicted_ns", t->predicted_ns);
	uint_or_null(j, "domain", t->domain);
}

void object_task(struct json *j, const char *key, const struct timegraph_task *t)
{
	json_open(j, key, '{');
	task_fields(j, t);
	json_close(j, '}');
}

static const char *origin(unsigned int from)
{
	static const char *const word[] = {
		[TIMEGRAPH_ORIGIN_XATTR] = "xattr",
		[TIMEGRAPH_ORIGIN_SPEC] = "spec",
		[TIMEGRAPH_ORIGIN_CALL] = "call",
	};

	return from < sizeof(word) / sizeof(word[0]) ? word[from] : "?";
}

static void domain_fields(struct json *j, const struct timegraph_domain *d)
{
	json_uint(j, "id", d->id);
	uint_or_null(j, "parent", d->parent);
	json_string(j, "path", d->path);
	json_uint(j, "depth", d->depth);
	json_uint(j, "weight", d->weight);
	json_string(j, "weight_by", origin(d->origin_weight));
	json_uint(j, "target_ppm", d->target_ppm);
	json_string(j, "target_by", origin(d->origin_target));
	json_uint(j, "capacity_ns", d->capacity_ns);
	json_uint(j, "period_ns", d->period_ns);
	json_string(j, "quota_by", origin(d->origin_quota));
	json_int(j, "budget_ns", d->budget_ns);
	json_bool(j, "throttled", d->flags & TIMEGRAPH_DOMAIN_THROTTLED);
	json_uint(j, "tasks", d->nr_tasks);
	json_uint(j, "online", d->nr_online);
	json_uint(j, "waiting", d->nr_waiting);
	json_uint(j, "groups", d->groups);
	json_uint(j, "usage_ns", d->usage_ns);
	json_uint(j, "wait_ns", d->wait_ns);
	json_uint(j, "throttle_ns", d->throttle_ns);
	json_uint(j, "nr_throttled", d->throttled);
	uint_or_null(j, "cpu_weight", d->cpu_weight);
}

void object_domain(struct json *j, const char *key, const struct timegraph_domain *d)
{
	json_open(j, key, '{');
	domain_fields(j, d);
	json_close(j, '}');
}

void object_reserve(struct json *j, const char *key, const struct timegraph_reserve *r)
{
	json_open(j, key, '{');
	json_uint(j, "id", r->id);
	json_string(j, "name", r->name);
	json_string(j, "policy", text_resv(r->policy));
	json_bool(j, "shared", r->flags & TIMEGRAPH_RESERVE_SHARED);
	json_bool(j, "background", r->flags & TIMEGRAPH_RESERVE_BACKGROUND);
	json_bool(j, "demoted", r->flags & TIMEGRAPH_RESERVE_DEMOTED);
	json_bool(j, "kept", r->flags & TIMEGRAPH_RESERVE_KEPT);
	json_bool(j, "lingering", r->flags & TIMEGRAPH_RESERVE_LINGERING);
	json_uint(j, "tasks", r->nr_tasks);
	json_uint(j, "capacity_ns", r->capacity_ns);
	json_uint(j, "period_ns", r->period_ns);
	json_int(j, "budget_ns", r->budget_ns);
	json_uint(j, "next_ns", r->next_ns);
	json_uint(j, "used_ns", r->used_ns);
	json_uint(j, "periods", r->periods);
	json_uint(j, "refused", r->refused);
	json_uint(j, "debt_max_ns", r->debt_max_ns);
	json_close(j, '}');
}

static void vram_account(struct json *j, const struct timegraph_vram_account *a)
{
	static const char *const state[] = { "none", "waiting", "held" };

	json_open(j, NULL, '{');
	pid(j, "pid", a->pid);
	json_uint(j, "uid", a->uid);
	json_string(j, "comm", a->comm);
	json_string(j, "state", a->state < 3 ? state[a->state] : "?");
	json_string(j, "why", a->why ? text_vram_why(a->why) : NULL);
	json_uint(j, "prio", a->prio);
	json_bool(j, "by_entry", a->flags & TIMEGRAPH_VRAM_BY_ENTRY);
	json_bool(j, "foreground", a->flags & TIMEGRAPH_VRAM_FOREGROUND);
	json_bool(j, "is_domain", a->flags & TIMEGRAPH_VRAM_DOMAIN);
	json_uint(j, "domain", a->domain);
	json_uint(j, "members", a->nr_members);
	json_uint(j, "wanted", a->wanted);
	json_uint(j, "held", a->held);
	json_uint(j, "charged", a->charged);
	json_uint(j, "since_ns", a->since_ns);
	json_uint(j, "waited_ns", a->waited_ns);
	json_uint(j, "passed", a->nr_passed);
	json_close(j, '}');
}

void object_vram(struct json *j, const char *key, const struct timegraph_vram *v,
		 const struct timegraph_vram_accounts *accounts)
{
	json_open(j, key, '{');
	json_uint(j, "index", v->gpu);
	json_bool(j, "kept", v->flags & TIMEGRAPH_VRAM_KEPT);
	json_string(j, "policy", text_vram_policy(v->policy));
	json_string(j, "beyond", text_vram_beyond(v->beyond));
	json_uint(j, "waiting", v->nr_waiting);
	json_uint(j, "size", v->size);
	json_uint(j, "margin", v->margin);
	json_uint(j, "older", v->older);
	json_uint(j, "held", v->held);
	json_uint(j, "rest", v->rest);
	json_uint(j, "free", v->free);
	json_uint(j, "aging_ns", v->aging_ns);
	json_uint(j, "granted", v->granted);
	json_uint(j, "refused", v->refused);
	json_uint(j, "deadlocks", v->deadlocks);
	json_open(j, "processes", '[');
	for (uint32_t i = 0; i < accounts->count; i++)
		vram_account(j, &accounts->item[i]);
	json_close(j, ']');
	json_close(j, '}');
}

static void sample_task(struct json *j, const struct sample_task *t)
{
	double error = sample_prediction_error(t);

	json_open(j, NULL, '{');
	task_fields(j, t->task);
	json_open(j, "interval", '{');
	json_bool(j, "fresh", t->fresh);
	json_bool(j, "stalled", t->stalled);
	json_real(j, "share", t->share);
	json_uint(j, "groups", t->groups);
	json_uint(j, "gpu_ns", t->gpu_ns);
	json_uint(j, "wait_ns", t->wait_ns);
	json_uint(j, "throttle_ns", t->throttle_ns);
	json_uint(j, "predictions", t->predictions);
	if (error < 0)
		json_null(j, "prediction_error");
	else
		json_real(j, "prediction_error", error);
	json_close(j, '}');
	json_close(j, '}');
}

static void sample_domain(struct json *j, const struct sample_domain *d)
{
	json_open(j, NULL, '{');
	domain_fields(j, d->domain);
	json_open(j, "interval", '{');
	json_real(j, "share", d->share);
	json_uint(j, "groups", d->groups);
	json_uint(j, "gpu_ns", d->gpu_ns);
	json_uint(j, "wait_ns", d->wait_ns);
	json_uint(j, "throttle_ns", d->throttle_ns);
	json_close(j, '}');
	json_close(j, '}');
}

static void sample_gpu(struct json *j, const struct sample_gpu *g)
{
	json_open(j, NULL, '{');
	gpu_fields(j, g->gpu);
	json_open(j, "interval", '{');
	json_uint(j, "ns", g->interval_ns);
	json_real(j, "busy", g->busy);
	json_real(j, "hidden", g->hidden);
	json_uint(j, "groups", g->groups);
	json_uint(j, "trouble", g->trouble);
	json_close(j, '}');
	json_open(j, "reserves", '[');
	for (uint32_t i = 0; i < g->nr_reserves; i++)
		object_reserve(j, NULL, &g->reserves[i]);
	json_close(j, ']');
	json_open(j, "tasks", '[');
	for (uint32_t i = 0; i < g->nr_tasks; i++)
		sample_task(j, &g->tasks[i]);
	json_close(j, ']');
	json_open(j, "domains", '[');
	for (uint32_t i = 0; i < g->nr_domains; i++)
		sample_domain(j, &g->domains[i]);
	json_close(j, ']');
	object_vram(j, "vram", g->vram, g->accounts);
	json_close(j, '}');
}

void object_sample(struct json *j, const struct timegraph_caps *caps,
		   const struct sample *s)
{
	json_open(j, NULL, '{');
	object_caps(j, caps);
	json_open(j, "gpus", '[');
	for (uint32_t i = 0; i < s->nr_gpus; i++)
		sample_gpu(j, &s->gpus[i]);
	json_close(j, ']');
	json_close(j, '}');
}
