// SPDX-License-Identifier: GPL-2.0-or-later
/* Domains, the policy among them, and the CPUs that they share. */
#include "loader.h"

static int missing(struct loader *l, u32 word, const char *text)
{
	return load_refuse(l, word, "missing-text", text,
			   "domain NAME [weight N] [cpu N] [target P%] [quota C T] [in PARENT]");
}

/* Returns 0 for none, else its number and 1. */
static u32 find_domain(const struct scenario *sc, const char *name)
{
	for (u32 i = 0; i < sc->nr_domains; i++)
		if (!strcmp(sc->domains[i].name, name))
			return i + 1;
	return 0;
}

static int take_name(struct loader *l, u32 word, u32 *number)
{
	*number = word < l->r.nr_words ? find_domain(l->sc, l->r.word[word]) : 0;
	if (*number)
		return 0;
	return load_refuse(l, word, "unknown-domain", "there is no domain of this name before this line",
			   "domain NAME stands before the first task");
}

static int take_weight(struct loader *l, u32 word, u32 *weight)
{
	u64 v;
	int ret = load_count(l, word, TG_WEIGHT_MIN, TG_WEIGHT_MAX, &v);

	if (!ret)
		*weight = v;
	return ret;
}

static int take_quota(struct loader *l, u32 word, struct tg_domain_rule *rule)
{
	int ret = load_cost(l, word, &rule->capacity_ns);

	if (!ret)
		ret = load_cost(l, word + 1, &rule->period_ns);
	if (!ret && rule->capacity_ns > rule->period_ns)
		return load_refuse(l, word, "capacity-over-period",
				   "the capacity C is larger than the period T", "quota 10ms 100ms");
	return ret;
}

static int take_parent(struct loader *l, u32 word, struct domain_desc *d)
{
	u32 depth = 1;
	int ret = take_name(l, word, &d->parent);

	if (ret)
		return ret;
	for (u32 p = d->parent; p; p = l->sc->domains[p - 1].parent)
		depth++;
	if (depth > TG_DOMAIN_DEPTH)
		return load_refuse(l, word, "too-deep", "domains are nested too deep",
				   "at most 8 within each other");
	return 0;
}

/* Reads the option at *@word, and steps over it. */
static int take_option(struct loader *l, u32 *word, struct domain_desc *d)
{
	const char *name = l->r.word[*word];
	u32 at = *word + 1;

	*word += 2;
	if (!strcmp(name, "weight"))
		return take_weight(l, at, &d->rule.weight);
	if (!strcmp(name, "cpu"))
		return take_weight(l, at, &d->cpu_weight);
	if (!strcmp(name, "target"))
		return load_percent(l, at, 100, &d->rule.target_ppm);
	if (!strcmp(name, "in"))
		return take_parent(l, at, d);
	if (strcmp(name, "quota"))
		return load_refuse(l, at - 1, "unknown-option", "unknown option of a domain",
				   "weight N, cpu N, target P%, quota C T, in PARENT");
	++*word;
	return take_quota(l, at, &d->rule);
}

int load_domain(struct loader *l)
{
	struct domain_desc *d, new = {
		.rule.weight = TG_WEIGHT_DEFAULT, .cpu_weight = TG_WEIGHT_DEFAULT,
	};
	int ret = 0;

	if (l->r.nr_words < 2 || strlen(l->r.word[1]) >= TG_NAME_MAX)
		return missing(l, 1, "the domain's name is missing or has more than 63 bytes");
	if (find_domain(l->sc, l->r.word[1]))
		return load_refuse(l, 1, "second-domain", "a domain of this name stands before",
				   "another name");
	for (u32 word = 2; word < l->r.nr_words && !ret;)
		ret = take_option(l, &word, &new);
	if (ret)
		return ret;
	d = scenario_add_domain(l->sc, l->r.word[1]);
	memcpy(new.name, d->name, sizeof(new.name));
	*d = new;
	return 0;
}

int load_task_domain(struct loader *l)
{
	int ret;

	if (l->r.nr_words < 2)
		return load_refuse(l, 1, "missing-text", "the domain's name is missing",
				   "domain NAME, of one that stands before the first task");
	ret = take_name(l, 1, &l->task->domain);
	return ret ? ret : load_no_more(l, 2);
}

/* The scenario's word goes before the specification's, which is of the GPU 0 here. */
void load_policy_of_spec(struct scenario *sc)
{
	const char *name = tg_spec_match_gpu(sc->spec, sc->nr_spec, 0);

	if (!name || sc->policy)
		return;
	sc->policy = tg_policy_of(tg_spec_class(name));
	if (!sc->policy)
		fprintf(stderr, "tgsim: the policy %s of the specification is not built in: fq goes on; --policy takes a file\n",
			name);
}

int load_policy(struct loader *l)
{
	const char *word = l->r.nr_words > 1 ? l->r.word[1] : "";

	l->sc->policy = tg_policy_of(tg_spec_class(word));
	if (l->sc->policy)
		return load_no_more(l, 2);
	return load_refuse(l, 1, "unknown-policy", "there is no such policy",
			   "policy " TG_SPEC_CLASS_NAMES);
}

int load_tick(struct loader *l)
{
	int ret = load_time(l, 1, &l->sc->tick_ns);

	if (!ret && (l->sc->tick_ns < TG_CREDIT_TICK_MIN_NS ||
		     l->sc->tick_ns > TG_CREDIT_TICK_MAX_NS))
		return load_refuse(l, 1, "bad-tick", "a tick is from 100 us to 1 s",
				   "tick 30ms, as it is without this");
	return ret ? ret : load_no_more(l, 2);
}

int load_cpu(struct loader *l)
{
	u64 n;
	int ret = load_count(l, 1, 1, SCENARIO_CPUS_MAX, &n);

	if (ret)
		return ret;
	l->sc->nr_cpus = n;
	if (l->r.nr_words == 2)
		return 0;
	if (strcmp(l->r.word[2], "slice"))
		return load_refuse(l, 2, "unknown-option", "only \"slice TIME\" may follow",
				   "cpu 1 slice 30ms");
	ret = load_cost(l, 3, &l->sc->slice_ns);
	return ret ? ret : load_no_more(l, 4);
}
