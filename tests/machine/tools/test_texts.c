// SPDX-License-Identifier: GPL-2.0-or-later
/* What 'tgctl reload' reads before it pushes it. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tap.h"
#include "texts.h"

static char folder[] = "/tmp/test_texts.XXXXXX";
static char spec[64], ac[64], other[64];

static void put(const char *path, const char *text)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	CHECK(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
	CHECK(!fchmod(file, 0644));
	close(file);
}

static struct texts begin(void)
{
	remove(spec);
	remove(ac);
	return (struct texts){ .path = { spec, ac }, .owner = geteuid() };
}

static bool is(const struct texts *t, int i, const char *want)
{
	if (!want)
		return !t->text[i];
	return t->text[i] && t->len[i] == strlen(want) &&
	       !memcmp(t->text[i], want, t->len[i]);
}

static void both_are_read(void)
{
	struct texts t = begin();

	put(spec, "<a:HT:-:1::>\n");
	put(ac, "90\n");
	CHECK(texts_read(&t) && is(&t, TEXTS_SPEC, "<a:HT:-:1::>\n") && is(&t, TEXTS_AC, "90\n"));
	CHECK(texts_hold(&t));
	texts_free(&t);
}

static void no_file_and_an_empty_one_are_two_things(void)
{
	struct texts t = begin();

	put(spec, "");
	CHECK(texts_read(&t) && is(&t, TEXTS_SPEC, "") && is(&t, TEXTS_AC, NULL));
	CHECK(texts_hold(&t));
	put(ac, "");
	CHECK(!texts_hold(&t));
	CHECK(texts_read(&t) && is(&t, TEXTS_AC, ""));
	remove(spec);
	CHECK(!texts_hold(&t));
	texts_free(&t);
}

/* What the module must refuse is not for the tool to push. */
static void what_others_could_have_written_is_left_to_the_module(void)
{
	static char big[TIMEGRAPH_PUSH_MAX + 2];
	struct texts t = begin();

	put(ac, "90\n");
	put(spec, "#\n");
	CHECK(texts_read(&t));
	CHECK(!chmod(spec, 0664) && !texts_read(&t));
	CHECK(!chmod(spec, 0646) && !texts_read(&t));
	CHECK(!chmod(spec, 0644) && texts_read(&t));
	t.owner++;
	CHECK(!texts_read(&t));
	t.owner--;
	memset(big, '#', TIMEGRAPH_PUSH_MAX);
	put(spec, big);
	CHECK(texts_read(&t) && t.len[TEXTS_SPEC] == TIMEGRAPH_PUSH_MAX);
	big[TIMEGRAPH_PUSH_MAX] = '#';
	put(spec, big);
	CHECK(!texts_read(&t));
	remove(spec);
	CHECK(!mkfifo(spec, 0644) && !texts_read(&t));
	remove(spec);
	CHECK(!mkdir(spec, 0755) && !texts_read(&t));
	rmdir(spec);
	texts_free(&t);
}

static void what_is_being_written_is_not_read(void)
{
	struct texts t = begin();
	int file;

	put(spec, "<a:HT:-:1::>\n");
	file = open(spec, O_WRONLY | O_CLOEXEC);
	CHECK(file >= 0 && !texts_read(&t));
	close(file);
	CHECK(texts_read(&t));
	texts_free(&t);
}

/* Of equal size and within a tick of the clock: it is another file. */
static void rename_is_always_seen(void)
{
	struct texts t = begin();

	for (int i = 0; i < 200; i++) {
		put(spec, "1\n");
		put(other, "2\n");
		CHECK(texts_read(&t) && texts_hold(&t));
		CHECK(!rename(other, spec));
		CHECK(!texts_hold(&t));
	}
	texts_free(&t);
}

static volatile bool stop;

/* One after the other: for a moment they do not belong together. */
static void *replace(void *arg)
{
	for (unsigned int i = 0; !stop; i++) {
		char text[16];

		snprintf(text, sizeof(text), "%u\n", i);
		put(other, text);
		CHECK(!rename(other, spec));
		put(other, text);
		CHECK(!rename(other, ac));
		usleep(300 + i % 512 * 4);
	}
	return arg;
}

/* The second is of the same number as the first, or not there yet. */
static void both_are_of_one_moment(void)
{
	struct texts t = begin();
	pthread_t thread;
	int good = 0;

	CHECK(!pthread_create(&thread, NULL, replace, NULL));
	/* On a busy machine most of them are disturbed. */
	for (int i = 0; i < 3000 || (good <= 10 && i < 3000000); i++) {
		if (!texts_read(&t) || !t.text[TEXTS_AC])
			continue;
		t.text[TEXTS_SPEC][t.len[TEXTS_SPEC]] = 0;
		t.text[TEXTS_AC][t.len[TEXTS_AC]] = 0;
		CHECK(atoi(t.text[TEXTS_SPEC]) - atoi(t.text[TEXTS_AC]) <= 1);
		CHECK(atoi(t.text[TEXTS_SPEC]) >= atoi(t.text[TEXTS_AC]));
		good++;
	}
	stop = true;
	pthread_join(thread, NULL);
	CHECK(good > 10);
	texts_free(&t);
}

static const struct tap_case cases[] = {
	{ "both_are_read", both_are_read },
	{ "no_file_and_an_empty_one_are_two_things", no_file_and_an_empty_one_are_two_things },
	{ "what_others_could_have_written_is_left_to_the_module",
	  what_others_could_have_written_is_left_to_the_module },
	{ "what_is_being_written_is_not_read", what_is_being_written_is_not_read },
	{ "rename_is_always_seen", rename_is_always_seen },
	{ "both_are_of_one_moment", both_are_of_one_moment },
};

int main(void)
{
	int status;

	if (!mkdtemp(folder))
		return 1;
	snprintf(spec, sizeof(spec), "%s/spec", folder);
	snprintf(ac, sizeof(ac), "%s/ac", folder);
	snprintf(other, sizeof(other), "%s/other", folder);
	status = tap_run(cases, sizeof(cases) / sizeof(cases[0]));
	remove(spec);
	remove(ac);
	remove(other);
	rmdir(folder);
	return status;
}
