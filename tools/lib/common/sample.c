// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"
#include "text.h"

double sample_ratio(uint64_t num, uint64_t den)
{
	return den ? (double)num / (double)den : 0;
}

double sample_prediction_error(const struct sample_task *t)
{
	if (!t->predictions || !t->predicted_ns)
		return -1;
	return sample_ratio(t->prediction_error_ns, t->predicted_ns);
}

double sample_reserved(const struct timegraph_reserve *r, uint32_t n)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		if (!(r[i].flags & (TIMEGRAPH_RESERVE_BACKGROUND |
				    TIMEGRAPH_RESERVE_DEMOTED)))
			sum += sample_ratio(r[i].capacity_ns, r[i].period_ns);
	return sum;
}

/* A counter that fell has started anew, from 0. */
static uint64_t rise(uint64_t before, uint64_t now)
{
	return now >= before ? now - before : now;
}

/*
 * Whether @b is what @a was.  A process that closed its last channel and opened
 * another, or whose number was given to another process, is a task that starts
 * from 0.  A process outside the caller's namespace has no number: it is told by
 * user and name.
 */
static bool is_same(const struct timegraph_task *a, const struct timegraph_task *b)
{
	if (a->pid != b->pid || a->uid != b->uid)
		return false;
	if (!a->pid && strncmp(a->comm, b->comm, sizeof(a->comm)))
		return false;
	return b->groups >= a->groups && b->gpu_ns >= a->gpu_ns &&
	       b->wait_ns >= a->wait_ns;
}

/* Both lists are mostly in the same order: the search goes on where it was. */
static const struct timegraph_task *find(const struct timegraph_tasks *list,
					 uint32_t *at, const struct timegraph_task *t)
{
	for (uint32_t i = 0; i < list->count; i++) {
		uint32_t k = (*at + i) % list->count;

		if (is_same(&list->item[k], t)) {
			*at = k + 1;
			return &list->item[k];
		}
	}
	return NULL;
}

static bool is_waiting(const struct timegraph_task *t)
{
	return t->nr_waiting || t->nr_throttled;
}

static void diff_task(struct sample_task *s, const struct timegraph_task *before,
		      const struct timegraph_gpu_state *g, uint32_t index,
		      uint64_t interval_ns)
{
	static const struct timegraph_task nothing;
	const struct timegraph_task *b = before ? before : &nothing;
	const struct timegraph_task *t = &g->tasks.item[index];

	*s = (struct sample_task){
		.task = t,
		.reserve = text_find_reserve(g->reserves.item, g->reserves.count,
					     t->reserve),
		.fresh = !before,
		.groups = rise(b->groups, t->groups),
		.gpu_ns = rise(b->gpu_ns, t->gpu_ns),
		.wait_ns = rise(b->wait_ns, t->wait_ns),
		.throttle_ns = rise(b->throttle_ns, t->throttle_ns),
		.predictions = rise(b->predictions, t->predictions),
		.prediction_error_ns = rise(b->prediction_error_ns,
					    t->prediction_error_ns),
		.predicted_ns = rise(b->predicted_ns, t->predicted_ns),
	};
	s->share = sample_ratio(s->gpu_ns, interval_ns);
	s->stalled = !s->groups && is_waiting(b) && is_waiting(t);
}

static int task_room(struct sample_gpu *s, uint32_t n)
{
	struct sample_task *p;

	if (n <= s->room)
		return 0;
	p = reallocarray(s->tasks, n, sizeof(*p));
	if (!p)
		return -ENOMEM;
	s->tasks = p;
	s->room = n;
	return 0;
}

static int diff_tasks(struct sample_gpu *s, const struct timegraph_gpu_state *before,
		      const struct timegraph_gpu_state *now)
{
	uint64_t seen_ns = 0;
	uint32_t at = 0;
	int ret = task_room(s, now->tasks.count);

	if (ret)
		return ret;
	for (uint32_t i = 0; i < now->tasks.count; i++) {
		diff_task(&s->tasks[i],
			  before ? find(&before->tasks, &at, &now->tasks.item[i]) : NULL,
			  now, i, s->interval_ns);
		seen_ns += s->tasks[i].gpu_ns;
	}
	s->nr_tasks = now->tasks.count;
	/* A group may end between the look at the GPU and that at its tasks. */
	s->hidden_ns = s->busy_ns > seen_ns ? s->busy_ns - seen_ns : 0;
	s->hidden = sample_ratio(s->hidden_ns, s->interval_ns);
	return 0;
}

static int diff_gpu(struct sample_gpu *s, const struct timegraph_gpu_state *before,
		    const struct timegraph_gpu_state *now)
{
	static const struct timegraph_gpu nothing;
	const struct timegraph_gpu *b = before ? &before->gpu : &nothing;
	const struct timegraph_gpu *g = &now->gpu;

	s->gpu = g;
	s->reserves = now->reserves.item;
	s->nr_reserves = now->reserves.count;
	s->vram = &now->vram;
	s->accounts = &now->accounts;
	s->interval_ns = before && g->now_ns > b->now_ns ? g->now_ns - b->now_ns : 0;
	s->busy_ns = rise(b->busy_ns, g->busy_ns);
	s->groups = rise(b->verified, g->verified);
	s->trouble = rise(b->recovered, g->recovered) + rise(b->stuck, g->stuck) +
		     rise(b->abandoned, g->abandoned);
	s->busy = sample_ratio(s->busy_ns, s->interval_ns);
	s->nr_domains = 0;
	return diff_tasks(s, before, now);
}

static int gpu_room(struct sample *s, uint32_t n)
{
	struct sample_gpu *p;

	if (n <= s->room)
		return 0;
	p = reallocarray(s->gpus, n, sizeof(*p));
	if (!p)
		return -ENOMEM;
	memset(p + s->room, 0, (n - s->room) * sizeof(*p));
	s->gpus = p;
	s->room = n;
	return 0;
}

/* Numbers of GPUs begin anew when the module is loaded anew; names tell. */
static const struct timegraph_gpu_state *find_gpu(const struct timegraph_snapshot *snap,
						  const struct timegraph_gpu *gpu)
{
	for (uint32_t i = 0; snap && i < snap->nr_gpus; i++)
		if (!strncmp(snap->gpus[i].gpu.name, gpu->name, sizeof(gpu->name)))
			return &snap->gpus[i];
	return NULL;
}

int sample_diff(struct sample *s, const struct timegraph_snapshot *before,
		const struct timegraph_snapshot *now)
{
	int ret = gpu_room(s, now->nr_gpus);

	for (uint32_t i = 0; !ret && i < now->nr_gpus; i++)
		ret = diff_gpu(&s->gpus[i], find_gpu(before, &now->gpus[i].gpu),
			       &now->gpus[i]);
	s->nr_gpus = ret ? 0 : now->nr_gpus;
	return ret;
}

bool sample_is_measured(const struct sample *s)
{
	for (uint32_t i = 0; i < s->nr_gpus; i++)
		if (s->gpus[i].interval_ns)
			return true;
	return !s->nr_gpus;
}

void sample_free(struct sample *s)
{
	for (uint32_t i = 0; i < s->room; i++) {
		free(s->gpus[i].tasks);
		free(s->gpus[i].domains);
	}
	free(s->gpus);
	memset(s, 0, sizeof(*s));
}

/*
 * Domains.
 */

static int compare_domains(const void *x, const void *y)
{
	const struct sample_domain *a = x, *b = y;

	if (a->gpu_ns != b->gpu_ns)
		return a->gpu_ns > b->gpu_ns ? -1 : 1;
	return strncmp(a->domain->path, b->domain->path, sizeof(a->domain->path));
}

/* The order of the lists is the same, but for those that come and go. */
static const struct timegraph_domain *find_domain(const struct timegraph_domains *list,
						  uint32_t *at, uint64_t id)
{
	for (uint32_t i = 0; list && i < list->count; i++) {
		uint32_t k = (*at + i) % list->count;

		if (list->item[k].id != id)
			continue;
		*at = k + 1;
		return &list->item[k];
	}
	return NULL;
}

static void diff_domain(struct sample_domain *s, const struct timegraph_domain *before,
			const struct timegraph_domain *d, uint64_t interval_ns)
{
	static const struct timegraph_domain nothing;
	const struct timegraph_domain *b = before ? before : &nothing;

	*s = (struct sample_domain){
		.domain = d,
		.groups = rise(b->groups, d->groups),
		.gpu_ns = rise(b->usage_ns, d->usage_ns),
		.wait_ns = rise(b->wait_ns, d->wait_ns),
		.throttle_ns = rise(b->throttle_ns, d->throttle_ns),
	};
	s->share = sample_ratio(s->gpu_ns, interval_ns);
}

int sample_diff_domains(struct sample_gpu *s, const struct timegraph_domains *before,
			const struct timegraph_domains *now)
{
	uint32_t at = 0;

	if (now->count > s->domain_room) {
		void *p = reallocarray(s->domains, now->count, sizeof(*s->domains));

		if (!p)
			return -ENOMEM;
		s->domains = p;
		s->domain_room = now->count;
	}
	for (uint32_t i = 0; i < now->count; i++)
		diff_domain(&s->domains[i], find_domain(before, &at, now->item[i].id),
			    &now->item[i], s->interval_ns);
	s->nr_domains = now->count;
	if (s->nr_domains)
		qsort(s->domains, s->nr_domains, sizeof(*s->domains), compare_domains);
	return 0;
}

/* A GPU that has gone meanwhile has none, nor has one of an older module. */
static int look_at_domains(int fd, const struct timegraph_snapshot *snap,
			   struct sample_domains *d)
{
	int ret = 0;

	if (snap->nr_gpus > d->room) {
		void *p = reallocarray(d->gpu, snap->nr_gpus, sizeof(*d->gpu));

		if (!p)
			return -ENOMEM;
		d->gpu = p;
		memset(d->gpu + d->room, 0, (snap->nr_gpus - d->room) * sizeof(*d->gpu));
		d->room = snap->nr_gpus;
	}
	for (uint32_t i = 0; !ret && i < snap->nr_gpus; i++) {
		ret = timegraph_list_domains(fd, snap->gpus[i].gpu.index, &d->gpu[i]);
		if (ret != -ENXIO && ret != -ENOTTY)
			continue;
		d->gpu[i].count = 0;
		ret = 0;
	}
	return ret;
}

static int diff_domains(struct sampler *s, unsigned int next)
{
	const struct timegraph_snapshot *before = s->started ? &s->snap[s->last] : NULL;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < s->sample.nr_gpus; i++) {
		const struct timegraph_gpu_state *b = find_gpu(before, s->sample.gpus[i].gpu);

		ret = sample_diff_domains(&s->sample.gpus[i],
					  b ? &s->domains[s->last].gpu[b - before->gpus] : NULL,
					  &s->domains[next].gpu[i]);
	}
	return ret;
}

static void domains_free(struct sample_domains *d)
{
	for (uint32_t i = 0; i < d->room; i++)
		timegraph_domains_free(&d->gpu[i]);
	free(d->gpu);
}

int sampler_take(struct sampler *s)
{
	unsigned int next = s->started ? !s->last : s->last;
	int ret, fd = timegraph_open(O_RDONLY);

	if (fd < 0) {
		ret = fd;
		goto fail;
	}
	ret = timegraph_snapshot(fd, &s->snap[next]);
	if (!ret)
		ret = look_at_domains(fd, &s->snap[next], &s->domains[next]);
	timegraph_close(fd);
	if (!ret)
		ret = sample_diff(&s->sample, s->started ? &s->snap[s->last] : NULL,
				  &s->snap[next]);
	if (!ret)
		ret = diff_domains(s, next);
	if (ret)
		goto fail;
	s->last = next;
	s->started = true;
	return 0;
fail:
	s->started = false;
	s->sample.nr_gpus = 0;
	return ret;
}

void sampler_free(struct sampler *s)
{
	sample_free(&s->sample);
	timegraph_snapshot_free(&s->snap[0]);
	timegraph_snapshot_free(&s->snap[1]);
	domains_free(&s->domains[0]);
	domains_free(&s->domains[1]);
	memset(s, 0, sizeof(*s));
}
