// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines about memory: the card's, and a task's. */
#include "loader.h"
#include "tg_words.h"

#define CARD_HINT "memory SIZE [policy fifo|mmu|prio-fifo|prio-mmu|none] [aging TIME] [margin SIZE]"
#define TASK_HINT "memory SIZE [uses SIZE] [each frame]"

static int take_size(struct loader *l, u32 word, const char *hint, u64 *bytes)
{
	const char *w = word < l->r.nr_words ? l->r.word[word] : "";

	if (!tg_words_size(w, strlen(w), bytes))
		return 0;
	return load_refuse(l, word, "bad-size", "this is no amount of memory: a whole number with K, M or G behind it",
			   hint);
}

static int take_policy(struct loader *l, u32 word, struct memory_desc *m)
{
	const char *w = word < l->r.nr_words ? l->r.word[word] : "";

	m->policy = NULL;
	if (!strcmp(w, "none"))
		return 0;
	for (u32 i = 0; i < TG_VRAM_NR_POLICIES; i++)
		if (!strcmp(w, tg_vram_policies[i].name))
			m->policy = &tg_vram_policies[i];
	return m->policy ? 0 : load_refuse(l, word, "bad-policy", "unknown policy of memory",
					   CARD_HINT);
}

static int take_card_option(struct loader *l, u32 word, struct memory_desc *m)
{
	const char *name = l->r.word[word];

	if (!strcmp(name, "policy"))
		return take_policy(l, word + 1, m);
	if (!strcmp(name, "aging"))
		return load_time(l, word + 1, &m->aging_ns);
	if (!strcmp(name, "margin"))
		return take_size(l, word + 1, CARD_HINT, &m->margin_bytes);
	return load_refuse(l, word, "unknown-option", "unknown option", CARD_HINT);
}

static int load_card(struct loader *l)
{
	struct memory_desc *m = &l->sc->memory;
	int ret = take_size(l, 1, CARD_HINT, &m->bytes);

	for (u32 word = 2; !ret && word < l->r.nr_words; word += 2)
		ret = take_card_option(l, word, m);
	if (!ret && m->margin_bytes >= m->bytes)
		return load_refuse(l, 1, "margin-over-size", "the margin is all of the memory",
				   CARD_HINT);
	return ret;
}

static int take_task_option(struct loader *l, u32 word, struct task_desc *t)
{
	const char *value = word + 1 < l->r.nr_words ? l->r.word[word + 1] : "";
	int ret;

	if (!strcmp(l->r.word[word], "each") && !strcmp(value, "frame")) {
		t->each_frame = true;
		return 0;
	}
	if (strcmp(l->r.word[word], "uses"))
		return load_refuse(l, word, "unknown-option", "unknown option", TASK_HINT);
	ret = take_size(l, word + 1, TASK_HINT, &t->uses_bytes);
	if (!ret && t->uses_bytes > t->memory_bytes)
		return load_refuse(l, word + 1, "uses-more", "more than it has reserved", TASK_HINT);
	return ret;
}

static int load_tasks(struct loader *l)
{
	struct task_desc *t = l->task;
	u32 n = 2;
	int ret;

	if (!l->sc->memory.bytes)
		return load_refuse(l, 0, "no-card-memory", "the card's memory was not said before",
				   CARD_HINT);
	ret = take_size(l, 1, TASK_HINT, &t->memory_bytes);
	t->uses_bytes = t->memory_bytes;
	while (!ret && n < l->r.nr_words) {
		ret = take_task_option(l, n, t);
		n += 2;
	}
	return ret;
}

/* In a task's block it is what that needs. */
int load_memory(struct loader *l)
{
	return l->task ? load_tasks(l) : load_card(l);
}
