// SPDX-License-Identifier: GPL-2.0-only
/* The version of the specification and of the admission limit that is in force. */
#define pr_fmt(fmt) "timegraph: " fmt

#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/slab.h>

#include "core/tg_sched.h"
#include "tg_config.h"
#include "tg_events.h"
#include "tg_params.h"

/* Inside of all other mutexes; nothing that can wait for a file is done under it. */
static DEFINE_MUTEX(config_mutex);
/* Never NULL once the module is loaded; this and what follows under the mutex. */
static struct tg_version *in_force;
/* Read without it. */
static bool gives_domains_vram;
/* Of the version that was put in force last. */
static u64 last_nr;
/* Why a text was refused since then, or "". */
static char refusal[TG_VERSION_PARTS][TIMEGRAPH_TEXT_LEN];

static const char *path_of(enum tg_version_part part)
{
	return part == TG_VERSION_SPEC ? tg_param_spec : tg_param_ac;
}

static const char *name_of(enum tg_version_part part)
{
	return part == TG_VERSION_SPEC ? "specification" : "limit";
}

struct tg_version *tg_config_current(void)
{
	struct tg_version *v;

	mutex_lock(&config_mutex);
	v = tg_version_get(in_force);
	mutex_unlock(&config_mutex);
	return v;
}

static void copy_paths(struct tg_version *to, const struct tg_version *from)
{
	lockdep_assert_held(&config_mutex);
	for (u32 i = 0; i < to->nr_entries; i++)
		to->entry[i].file = from->entry[i].file;
}

struct tg_version *tg_config_install(struct tg_version *v)
{
	struct tg_version *gone = v;

	mutex_lock(&config_mutex);
	if (last_nr && tg_version_same(in_force, v->text)) {
		copy_paths(in_force, v);
	} else {
		gone = in_force;
		v->nr = ++last_nr;
		in_force = v;
		WRITE_ONCE(gives_domains_vram, v->nr_vram_domains);
	}
	memset(refusal, 0, sizeof(refusal));
	v = tg_version_get(in_force);
	mutex_unlock(&config_mutex);
	tg_version_put(gone);
	tg_events_post(TIMEGRAPH_EVENT_CONFIG);
	return v;
}

void tg_config_set_paths(struct tg_version *v, const struct tg_spec_file *files)
{
	mutex_lock(&config_mutex);
	for (u32 i = 0; i < v->nr_entries; i++)
		if (v->entry[i].kind == TG_SPEC_PATH)
			v->entry[i].file = files[i];
	mutex_unlock(&config_mutex);
}

void tg_config_refuse(enum tg_version_part part, const char *why)
{
	char text[TIMEGRAPH_TEXT_LEN] = "";
	bool news;

	if (why)
		snprintf(text, sizeof(text), "%s: %s", path_of(part), why);
	mutex_lock(&config_mutex);
	news = strcmp(text, refusal[part]);
	strscpy(refusal[part], text, sizeof(refusal[part]));
	mutex_unlock(&config_mutex);
	if (!news)
		return;
	if (why)
		pr_warn("%s; the last good %s stays in force\n", text,
			name_of(part));
	tg_events_post(TIMEGRAPH_EVENT_CONFIG);
}

void tg_config_refuse_texts(const struct tg_spec_error err[TG_VERSION_PARTS])
{
	for (int i = 0; i < TG_VERSION_PARTS; i++) {
		const struct tg_spec_error *e = &err[i];
		char why[160];

		snprintf(why, sizeof(why), "%u:%u: error[%s]: %s", e->line,
			 e->column, e->check, e->text);
		tg_config_refuse(i, e->check ? why : NULL);
	}
}

bool tg_config_gives_domains_vram(void)
{
	return READ_ONCE(gives_domains_vram);
}

bool tg_config_refused(void)
{
	bool refused = false;

	mutex_lock(&config_mutex);
	for (int i = 0; i < TG_VERSION_PARTS; i++)
		refused |= refusal[i][0] != '\0';
	mutex_unlock(&config_mutex);
	return refused;
}

void tg_config_lookup(const struct tg_version *v,
		      const struct tg_spec_program *p,
		      struct tg_spec_entry *entry)
{
	const struct tg_spec_entry *e;

	tg_spec_default(entry);
	mutex_lock(&config_mutex);
	e = tg_spec_match(v->entry, v->nr_entries, p);
	if (e)
		*entry = *e;
	else
		strscpy(entry->name, p->comm, sizeof(entry->name));
	mutex_unlock(&config_mutex);
}

void tg_config_get(struct timegraph_config *config)
{
	memset(config, 0, sizeof(*config));
	mutex_lock(&config_mutex);
	config->nr_entries = in_force->nr_entries;
	config->limit_percent = in_force->limit_percent;
	config->version = in_force->nr;
	config->flags = in_force->pushed ? TIMEGRAPH_CONFIG_PUSHED : 0;
	strscpy(config->spec_path, tg_param_spec, sizeof(config->spec_path));
	strscpy(config->ac_path, tg_param_ac, sizeof(config->ac_path));
	strscpy(config->spec_refusal, refusal[TG_VERSION_SPEC],
		sizeof(config->spec_refusal));
	strscpy(config->ac_refusal, refusal[TG_VERSION_AC],
		sizeof(config->ac_refusal));
	mutex_unlock(&config_mutex);
}

static void show_refusal(struct seq_file *m, const char *text)
{
	lockdep_assert_held(&config_mutex);
	seq_printf(m, "%s%s\n", text[0] ? "; refused: " : "", text);
}

void tg_config_show(struct seq_file *m)
{
	mutex_lock(&config_mutex);
	seq_printf(m, "spec: %s, %u entries in force", tg_param_spec,
		   in_force->nr_entries);
	show_refusal(m, refusal[TG_VERSION_SPEC]);
	seq_printf(m, "ac: %s, limit %u%%", tg_param_ac,
		   in_force->limit_percent);
	show_refusal(m, refusal[TG_VERSION_AC]);
	seq_printf(m, "version: %llu%s\n", in_force->nr,
		   in_force->pushed ? ", pushed" : "");
	mutex_unlock(&config_mutex);
}

int tg_config_init(void)
{
	struct tg_text none[TG_VERSION_PARTS] = { };
	struct tg_spec_error err[TG_VERSION_PARTS];
	struct tg_version *v = tg_version_create(none, err);

	if (IS_ERR(v))
		return PTR_ERR(v);
	in_force = v;
	return 0;
}

void tg_config_exit(void)
{
	tg_version_put(in_force);
}
