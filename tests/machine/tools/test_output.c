// SPDX-License-Identifier: GPL-2.0-or-later
/* JSON, events and trace lines.  What is JSON is said by the test of the tools. */
#include <math.h>
#include <stdlib.h>

#include "events.h"
#include "fake.h"
#include "object.h"
#include "tap.h"
#include "tracefs.h"

static char *text;
static size_t size;

static struct json begin(bool compact)
{
	struct json j = { .compact = compact };

	free(text);
	text = NULL;
	j.out = open_memstream(&text, &size);
	return j;
}

static bool is(struct json *j, const char *want)
{
	fclose(j->out);
	if (!strcmp(text, want))
		return true;
	tap_diag("got '%s', wanted '%s'", text, want);
	return false;
}

static void json_puts_commas_where_they_belong(void)
{
	struct json j = begin(true);

	json_open(&j, NULL, '{');
	json_open(&j, "a", '[');
	json_close(&j, ']');
	json_uint(&j, "b", UINT64_MAX);
	json_int(&j, "c", INT64_MIN);
	json_open(&j, "d", '[');
	json_bool(&j, NULL, true);
	json_null(&j, NULL);
	json_close(&j, ']');
	json_close(&j, '}');
	CHECK(is(&j, "{\"a\": [], \"b\": 18446744073709551615, \"c\": -9223372036854775808, "
		     "\"d\": [true, null]}\n"));
	j = begin(false);
	json_open(&j, NULL, '{');
	json_uint(&j, "a", 1);
	json_uint(&j, "b", 2);
	json_close(&j, '}');
	CHECK(is(&j, "{\n  \"a\": 1,\n  \"b\": 2\n}\n"));
}

static void json_can_be_dense(void)
{
	struct json j = begin(false);

	j.dense = true;
	json_open(&j, NULL, '[');
	json_open(&j, NULL, '{');
	json_string(&j, "a", "b: c, d");
	json_fixed(&j, "e", 1.25, 1);
	json_fixed(&j, "f", INFINITY, 3);
	json_close(&j, '}');
	json_raw(&j, NULL, "{\"g\":1}");
	json_close(&j, ']');
	CHECK(is(&j, "[{\"a\":\"b: c, d\",\"e\":1.2,\"f\":null},{\"g\":1}]\n"));
}

static void json_strings_hold_anything(void)
{
	struct json j = begin(true);

	json_open(&j, NULL, '[');
	json_string(&j, NULL, "a\"\\\n\x01\x7f\xff\xc3\xa9\xed\xa0\x80");
	json_string(&j, NULL, NULL);
	json_string(&j, NULL, "");
	json_close(&j, ']');
	CHECK(is(&j, "[\"a\\\"\\\\\\u000a\\u0001\\u007f\\ufffd\xc3\xa9\\ufffd\\ufffd\\ufffd\", "
		     "null, \"\"]\n"));
}

static void json_numbers_are_finite(void)
{
	struct json j = begin(true);

	json_open(&j, NULL, '[');
	json_real(&j, NULL, 0.25);
	json_real(&j, NULL, 1e300 * 1e300);
	json_real(&j, NULL, -(1e300 * 1e300) + 1e300 * 1e300);
	json_close(&j, ']');
	CHECK(is(&j, "[0.250000, null, null]\n"));
}

static void json_tells_which_version_is_in_force(void)
{
	static const struct {
		uint64_t version;
		uint32_t flags;
		const char *want;
	} c[] = {
		{ 0, 0, "{\"version\": null, \"pushed\": false, \"slow\": false, " },
		{ 7, TIMEGRAPH_CONFIG_PUSHED, "{\"version\": 7, \"pushed\": true, \"slow\": false, " },
		{ 8, TIMEGRAPH_CONFIG_SLOW, "{\"version\": 8, \"pushed\": false, \"slow\": true, " },
	};
	const struct timegraph_task t = { .spec_line = 3, .spec_version = 7 };
	struct json j;

	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct timegraph_config config = { .version = c[i].version, .flags = c[i].flags };

		j = begin(true);
		json_open(&j, NULL, '{');
		object_config(&j, &config);
		json_close(&j, '}');
		fclose(j.out);
		if (!CHECK(strstr(text, c[i].want) == text))
			tap_diag("%s", text);
	}
	j = begin(true);
	object_task(&j, NULL, &t);
	fclose(j.out);
	CHECK(strstr(text, "\"spec_line\": 3, \"spec_version\": 7, "));
}

static void json_of_a_task_tells_the_priority_in_force(void)
{
	static const struct {
		uint32_t flags;
		const char *want;
	} c[] = {
		{ 0, "\"prio\": 60, \"prio_in_force\": 60, " },
		{ TIMEGRAPH_TASK_DEMOTED, "\"prio\": 60, \"prio_in_force\": 0, " },
		{ TIMEGRAPH_TASK_SERVER, "\"prio\": 60, \"prio_in_force\": 70, " },
		{ TIMEGRAPH_TASK_CPU, "\"prio\": 60, \"prio_in_force\": 70, " },
		{ TIMEGRAPH_TASK_SERVER, "\"server\": true, " },
	};

	for (size_t i = 0; i < sizeof(c) / sizeof(c[0]); i++) {
		struct timegraph_task t = { .prio = 60, .level = 140, .flags = c[i].flags };
		struct json j = begin(true);

		object_task(&j, NULL, &t);
		fclose(j.out);
		if (!CHECK(strstr(text, c[i].want)))
			tap_diag("%s", text);
	}
}

/* As "tgctl vram", "tgctl status" and "tgtop" have it; 0 stands for no number. */
static void json_of_memory_has_its_processes(void)
{
	struct timegraph_vram_account a[] = {
		{ .pid = 7, .comm = "a", .state = TIMEGRAPH_VRAM_HELD, .held = 5, .charged = 3 },
		{ .pid = 8, .comm = "c", .domain = 4711 },
		{ .comm = "box", .flags = TIMEGRAPH_VRAM_DOMAIN, .domain = 4711, .nr_members = 1 },
		{ .comm = "b", .state = TIMEGRAPH_VRAM_WAITING, .wanted = 9,
		  .why = TIMEGRAPH_VRAM_WHY_ROOM },
	};
	struct timegraph_vram_accounts accounts = { .item = a, .count = 4 };
	struct timegraph_vram vram = {
		.flags = TIMEGRAPH_VRAM_KEPT, .policy = TIMEGRAPH_VRAM_MMU, .nr_waiting = 1,
		.size = 20, .held = 5, .free = 15,
	};
	struct json j = begin(true);

	json_open(&j, NULL, '{');
	object_vram(&j, "vram", &vram, &accounts);
	json_close(&j, '}');
	fclose(j.out);
	CHECK(strstr(text, "{\"vram\": {\"index\": 0, \"kept\": true, \"policy\": \"mmu\", "
			   "\"beyond\": \"spill\", \"waiting\": 1, \"size\": 20, "));
	CHECK(strstr(text, "{\"pid\": 7, \"uid\": 0, \"comm\": \"a\", \"state\": \"held\", "
			   "\"why\": null, "));
	CHECK(strstr(text, "{\"pid\": null, \"uid\": 0, \"comm\": \"b\", \"state\": \"waiting\", "
			   "\"why\": \"there is no room\", "));
	CHECK(strstr(text, "\"is_domain\": false, \"domain\": 4711, \"members\": 0, "));
	CHECK(strstr(text, "\"is_domain\": true, \"domain\": 4711, \"members\": 1, "));
	CHECK(strstr(text, "\"wanted\": 0, \"held\": 5, \"charged\": 3, "));
}

static struct fake before, after;
static char log_text[1024];

static void collect(const struct event *e, void *arg)
{
	size_t at = strlen(log_text);

	(void)arg;
	snprintf(log_text + at, sizeof(log_text) - at, "%s:%s:%s ", events_name(e->kind),
		 events_word(e->what),
		 e->task ? e->task->comm : e->reserve ? e->reserve->name : "-");
}

static bool events_are(uint32_t mask, const char *want)
{
	log_text[0] = '\0';
	events_diff(&before.snap, &after.snap, mask, collect, NULL);
	if (!strcmp(log_text, want))
		return true;
	tap_diag("got '%s', wanted '%s'", log_text, want);
	return false;
}

static void events_name_who_came_and_went(void)
{
	fake_init(&before, 1);
	fake_init(&after, 2);
	fake_task(&before, 0, 1, "stays", 0, 0);
	fake_task(&before, 0, 2, "goes", 0, 0);
	fake_task(&after, 0, 3, "comes", 0, 0);
	fake_task(&after, 0, 1, "stays", 0, 0)->flags = TIMEGRAPH_TASK_FOREGROUND;
	CHECK(events_are(TIMEGRAPH_EVENT_TASK, "task:appeared:comes task:gone:goes "));
	CHECK(events_are(TIMEGRAPH_EVENT_FOREGROUND, "foreground:foreground:stays "));
	before.task[0][0].flags = TIMEGRAPH_TASK_FOREGROUND;
	after.task[0][1].flags = 0;
	CHECK(events_are(TIMEGRAPH_EVENT_FOREGROUND, "foreground:not-foreground:stays "));
}

static void events_without_a_difference_are_told_all_the_same(void)
{
	fake_init(&before, 1);
	fake_init(&after, 2);
	CHECK(events_are(TIMEGRAPH_EVENT_TASK | TIMEGRAPH_EVENT_BYPASS,
			 "task:unseen:- bypass:unseen:- "));
	CHECK(events_are(0, ""));
}

static void events_tell_admission_bypass_and_files(void)
{
	fake_init(&before, 1);
	fake_init(&after, 2);
	fake_reserve(&before, 0, 1, "Background", 1, 1)->flags = TIMEGRAPH_RESERVE_BACKGROUND;
	fake_reserve(&after, 0, 1, "Background", 1, 1)->flags = TIMEGRAPH_RESERVE_BACKGROUND;
	fake_reserve(&before, 0, 2, "a", 1, 2)->flags = TIMEGRAPH_RESERVE_DEMOTED;
	fake_reserve(&after, 0, 2, "a", 1, 2);
	fake_reserve(&before, 0, 3, "b", 1, 2);
	fake_reserve(&after, 0, 3, "b", 1, 2);
	fake_reserve(&after, 0, 4, "c", 1, 2)->flags = TIMEGRAPH_RESERVE_DEMOTED;
	after.gpus[0].gpu.bypass = TIMEGRAPH_BYPASS_USER;
	CHECK(events_are(EVENTS_ALL & ~(TIMEGRAPH_EVENT_TASK | TIMEGRAPH_EVENT_FOREGROUND),
			 "admission:fits:a admission:does-not-fit:c bypass:bypass:- config:read:- "));
	before.gpus[0].gpu.bypass = TIMEGRAPH_BYPASS_USER;
	after.gpus[0].gpu.bypass = 0;
	strcpy(after.snap.config.ac_refusal, "x");
	CHECK(events_are(TIMEGRAPH_EVENT_BYPASS | TIMEGRAPH_EVENT_CONFIG,
			 "bypass:scheduling:- config:refused:- "));
}

static void event_masks_are_lists_of_words(void)
{
	CHECK(events_mask("task") == TIMEGRAPH_EVENT_TASK);
	CHECK(events_mask("config,task") == (TIMEGRAPH_EVENT_TASK | TIMEGRAPH_EVENT_CONFIG));
	CHECK(events_mask("task,admission,bypass,foreground,config") == EVENTS_ALL);
	CHECK(!events_mask("") && !events_mask("task,") && !events_mask(",task") &&
	      !events_mask("tas") && !events_mask("tasks") && !events_mask("task, config"));
}

static void trace_lines_come_apart(void)
{
	struct trace_line t;

	CHECK(trace_parse("  game-412   [000] d.h3.   8.272690: tg_complete: id=1516 by=notify", &t));
	CHECK(t.time_ns == 8272690000 && t.event_len == 11 && !strncmp(t.event, "tg_complete", 11) &&
	      !strcmp(t.text, "id=1516 by=notify"));
	/* Names may look like the rest of the line. */
	CHECK(trace_parse("a: tg_x: b-1 [001] ..... 12.5: tg_submit: id=1", &t));
	CHECK(t.time_ns == 12500000000 && !strcmp(t.text, "id=1"));
	CHECK(!trace_parse("# tracer: nop", &t));
	CHECK(!trace_parse("", &t));
	CHECK(!trace_parse("game-1 [000] 8.272690: sched_switch: prev=x", &t));
	CHECK(!trace_parse(": tg_x: ", &t));
	CHECK(!trace_parse("1.0: tg_x", &t));
}

static void trace_fields_are_typed(void)
{
	struct trace_line t;
	struct json j = begin(true);

	CHECK(trace_parse("x-1 [000] d 0.000001: tg_x: new chid=3 comm=a b pid=-4 chid=9 z=007 e= =1", &t));
	trace_json(&j, &t);
	CHECK(is(&j, "{\"time_ns\": 1000, \"event\": \"tg_x\", "
		     "\"text\": \"new chid=3 comm=a b pid=-4 chid=9 z=007 e= =1\", "
		     "\"fields\": {\"chid\": 3, \"comm\": \"a\", \"pid\": -4, \"z\": \"007\", "
		     "\"e\": \"\"}}\n"));
}

static bool has_field(const char *text, const char *key, const char *value)
{
	size_t len = 0;
	const char *at = trace_field(text, key, &len);

	return at && len == strlen(value) && !strncmp(at, value, len);
}

static void trace_fields_are_found_by_whole_name(void)
{
	static const char text[] = "  starts id=1  rapid=2 pid=-4 pid=9 e= pi ";
	size_t len;

	CHECK(has_field(text, "id", "1") && has_field(text, "pid", "-4") &&
	      has_field(text, "rapid", "2") && has_field(text, "e", ""));
	CHECK(!trace_field(text, "pi", &len) && !trace_field(text, "starts", &len) &&
	      !trace_field(text, "d", &len) && !trace_field("", "id", &len));
}

static void trace_tells_what_was_overwritten(void)
{
	uint64_t kept, written;

	CHECK(trace_counts("# entries-in-buffer/entries-written: 205/1205   #P:1", &kept, &written));
	CHECK(kept == 205 && written == 1205);
	CHECK(!trace_counts("# tracer: nop", &kept, &written));
}

static const struct tap_case cases[] = {
	{ "json_puts_commas_where_they_belong", json_puts_commas_where_they_belong },
	{ "json_can_be_dense", json_can_be_dense },
	{ "json_strings_hold_anything", json_strings_hold_anything },
	{ "json_numbers_are_finite", json_numbers_are_finite },
	{ "json_tells_which_version_is_in_force", json_tells_which_version_is_in_force },
	{ "json_of_a_task_tells_the_priority_in_force",
	  json_of_a_task_tells_the_priority_in_force },
	{ "json_of_memory_has_its_processes", json_of_memory_has_its_processes },
	{ "events_name_who_came_and_went", events_name_who_came_and_went },
	{ "events_without_a_difference_are_told_all_the_same",
	  events_without_a_difference_are_told_all_the_same },
	{ "events_tell_admission_bypass_and_files", events_tell_admission_bypass_and_files },
	{ "event_masks_are_lists_of_words", event_masks_are_lists_of_words },
	{ "trace_lines_come_apart", trace_lines_come_apart },
	{ "trace_fields_are_typed", trace_fields_are_typed },
	{ "trace_fields_are_found_by_whole_name", trace_fields_are_found_by_whole_name },
	{ "trace_tells_what_was_overwritten", trace_tells_what_was_overwritten },
};

int main(void)
{
	int status = tap_run(cases, sizeof(cases) / sizeof(cases[0]));

	free(text);
	return status;
}
