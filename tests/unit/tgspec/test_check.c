// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tgspec check, the program itself ($TGSPEC), on files as people get them wrong,
 * and whether it accepts what the kernel's parser accepts.
 */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "random.h"
#include "random_spec.h"
#include "spec.h"
#include "tap.h"
#include "wrong.h"

static char file[4096], limit_file[4096];

static void write_file(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	if (!CHECK(f))
		exit(1);
	fwrite(text, 1, len, f);
	if (fclose(f))
		exit(1);
}

/* What the program printed; *@status is how it ended. */
static char *run(const char *const *args, int *status)
{
	static char out[1 << 20];
	size_t len = 0;
	ssize_t n;
	int fd[2];
	pid_t pid;

	if (pipe(fd))
		exit(1);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		dup2(fd[1], STDOUT_FILENO);
		close(fd[0]);
		close(fd[1]);
		execv(args[0], (char *const *)args);
		_exit(127);
	}
	close(fd[1]);
	while ((n = read(fd[0], out + len, sizeof(out) - 1 - len)) > 0)
		len += n;
	close(fd[0]);
	out[len] = '\0';
	waitpid(pid, status, 0);
	*status = WIFEXITED(*status) ? WEXITSTATUS(*status) : 128 + WTERMSIG(*status);
	return out;
}

/* The next message's "line:column check", and its severity. */
static char *next_place(char **out, const char *path, char *severity)
{
	static char place[256];
	char check[64];
	unsigned int line, column;

	while (*out) {
		char *start = *out, *end = strchr(start, '\n');
		size_t skip = strlen(path);

		*out = end ? end + 1 : NULL;
		if (strncmp(start, path, skip) ||
		    sscanf(start + skip, ":%u:%u: %15[a-z][%63[a-z0-9-]]: ", &line, &column,
			   severity, check) != 4)
			continue;
		snprintf(place, sizeof(place), "%u:%u %s", line, column, check);
		return place;
	}
	return NULL;
}

static bool places_are(const struct wrong *w, const char *path, char *out,
		       const char *severities)
{
	char severity[16], *place, *rest = out;
	u32 i = 0;
	bool ok = true;

	while ((place = next_place(&rest, path, severity))) {
		if (!CHECK(i < WRONG_PLACES && w->places[i]) ||
		    !CHECK(!strcmp(place, w->places[i])) ||
		    !CHECK(strstr(severities, severity))) {
			tap_diag("  \"%s\": %s %s, not %s", w->description, severity, place,
				 i < WRONG_PLACES && w->places[i] ? w->places[i] : "any");
			ok = false;
			break;
		}
		i++;
	}
	if (ok && !CHECK(i == WRONG_PLACES || !w->places[i])) {
		tap_diag("  \"%s\": no %s", w->description, w->places[i]);
		ok = false;
	}
	return ok;
}

static char *check(const char *spec, const char *ac, int *status)
{
	const char *const args[] = { getenv("TGSPEC"), "check", "--ac", ac, "-i", "ht-starves",
		"-i", "unlimited", "-i", "reserves-starve", "-i", "name-alone", spec, NULL };

	return run(args, status);
}

/* With the checks for what starves others. */
static char *check_all(const char *spec, int *status)
{
	const char *const args[] = { getenv("TGSPEC"), "check", "--ac", limit_file, spec, NULL };

	return run(args, status);
}

static void wrong_specs_are_named_in_every_place(void)
{
	int status;

	for (u32 i = 0; i < nr_wrong_specs; i++) {
		const struct wrong *w = &wrong_specs[i];
		char *out;

		write_file(file, w->text, strlen(w->text));
		out = check(file, limit_file, &status);
		CHECK(w->places[0]);
		CHECK(places_are(w, file, out, "error"));
		if (!CHECK(status == 1))
			tap_diag("  \"%s\": status %d", w->description, status);
	}
	tap_diag("%u files", nr_wrong_specs);
	CHECK(nr_wrong_specs >= 100);
}

static void wrong_limits_are_named(void)
{
	static const char good[] = "<a:HT:-:5::>\n";
	int status;

	write_file(file, good, strlen(good));
	for (u32 i = 0; i < nr_wrong_limits; i++) {
		const struct wrong *w = &wrong_limits[i];
		char path[4200], *out;

		snprintf(path, sizeof(path), "%s.wrong", limit_file);
		write_file(path, w->text, strlen(w->text));
		out = check(file, path, &status);
		unlink(path);
		CHECK(places_are(w, path, out, "error"));
		if (!CHECK(status == 1))
			tap_diag("  \"%s\": status %d", w->description, status);
	}
}

static void doubtful_specs_are_named(void)
{
	int status;

	for (u32 i = 0; i < nr_doubtful_specs; i++) {
		const struct wrong *w = &doubtful_specs[i];
		char *out;

		write_file(file, w->text, strlen(w->text));
		out = check(file, limit_file, &status);
		CHECK(places_are(w, file, out, "warning note"));
		if (!CHECK(status == 0))
			tap_diag("  \"%s\": status %d", w->description, status);
	}
}

static void what_starves_others_is_named(void)
{
	int status;

	for (u32 i = 0; i < nr_starving_specs; i++) {
		const struct wrong *w = &starving_specs[i];
		char *out;

		write_file(file, w->text, strlen(w->text));
		out = check_all(file, &status);
		CHECK(places_are(w, file, out, "warning note"));
		if (!CHECK(status == 0))
			tap_diag("  \"%s\": status %d", w->description, status);
	}
}

static void limits_decide_what_fits(void)
{
	static const char text[] = "<a:PRT:PE:50:3ms:10ms>\n<b:PRT:PE:51:3ms:10ms>\n";
	static const struct wrong with_60 = { "60 %", "60\n", { NULL } },
				  with_59 = { "59 %", "59\n", { "2:14 over-limit" } },
				  with_0 = { "0 %", "0\n", { "1:14 over-limit", "2:14 over-limit" } };
	static const struct wrong *const limits[] = { &with_60, &with_59, &with_0 };
	int status;

	write_file(file, text, strlen(text));
	for (u32 i = 0; i < ARRAY_SIZE(limits); i++) {
		write_file(limit_file, limits[i]->text, strlen(limits[i]->text));
		CHECK(places_are(limits[i], file, check(file, limit_file, &status), "warning"));
		CHECK(status == 0);
	}
	write_file(limit_file, "100\n", 4);
}

/* The mark stands under the column, counted in characters. */
static void marks_stand_under_the_field(void)
{
	static const char text[] = "\t<spiel\303\244:PRT:-:123::>\n";
	int status;

	write_file(file, text, strlen(text));
	CHECK(strstr(check(file, limit_file, &status),
		     "    1 | \t<spiel\303\244:PRT:-:123::>\n"
		     "      | \t              ^~~\n"));
}

/* The file's words reach the terminal as text, whatever they are. */
static void nothing_of_a_file_steers_the_terminal(void)
{
	static const char text[] = "<a:\033[2J\302\233m\302\205\233\342\200\256b\303\244:-:1::>\n";
	static const char name[] = "<\"\233\302\240gnome-control-c\376\":HT:-:5::>\n";
	int status;
	char *out;

	write_file(file, text, strlen(text));
	out = check(file, limit_file, &status);
	CHECK(strstr(out, "    1 | <a:?[2J?m???b\303\244:-:1::>\n      |            ^~~"));
	CHECK(!strpbrk(out, "\033\233\205"));
	write_file(file, name, strlen(name));
	out = check(file, limit_file, &status);
	CHECK(strstr(out, "long-name") && !strpbrk(out, "\233\376"));
}

/* The same answer as the kernel's, and its error is the first one. */
static void random_files_get_the_kernels_answer(void)
{
	static struct tg_spec_entry entries[TG_SPEC_MAX_ENTRIES];
	u32 accepted = 0, refused = 0, more = 0;
	u64 seed = 0x5ca1ab1e;

	for (u32 round = 0; round < 20000; round++) {
		struct buf text = { 0 };
		struct tg_spec_error err;
		struct diags diags = { 0 };
		struct spec spec = { .src.path = "x" };
		int ret;

		random_spec(&seed, &text);
		if (random_below(&seed, 4))
			random_damage(&seed, &text, 1 + random_below(&seed, 6));
		buf_put(&spec.src.text, text.p, text.len);
		spec_parse(&spec, &diags);
		ret = tg_spec_parse(text.p, text.len, entries, TG_SPEC_MAX_ENTRIES, &err);
		if (ret >= 0) {
			accepted++;
			CHECK(!diags.n && spec.n == (u32)ret);
		} else {
			refused++;
			more += diags.n > 1;
			CHECK(diags.n && diags.list[0].line == err.line &&
			      diags.list[0].column == err.column &&
			      !strcmp(diags.list[0].check, err.check));
		}
		for (size_t i = 1; i < diags.n; i++)
			CHECK(diags.list[i].line > diags.list[i - 1].line);
		diags_free(&diags);
		spec_free(&spec);
		buf_free(&text);
	}
	tap_diag("%u accepted, %u refused, %u of them with more than one error", accepted,
		 refused, more);
	CHECK(accepted > 2000 && refused > 2000 && more > 500);
}

static void many_errors_end(void)
{
	struct diags diags = { 0 };
	struct spec spec = { .src.path = "x" };

	for (u32 i = 0; i < TG_SPEC_MAX_BYTES / 2; i++)
		buf_puts(&spec.src.text, "x\n");
	spec_parse(&spec, &diags);
	CHECK(diags.n == TG_SPEC_MAX_ENTRIES + 1);
	CHECK(!strcmp(diags.list[diags.n - 1].check, "too-many-errors"));
	diags_free(&diags);
	buf_puts(&spec.src.text, "x");
	spec.n = 0;
	free(spec.entry);
	free(spec.place);
	spec_parse(&spec, &diags);
	CHECK(diags.n == 1 && !strcmp(diags.list[0].check, "file-too-large"));
	diags_free(&diags);
	spec_free(&spec);
}

int main(void)
{
	static const struct tap_case cases[] = {
#define CASE(f) { #f, f }
		CASE(wrong_specs_are_named_in_every_place),
		CASE(wrong_limits_are_named),
		CASE(doubtful_specs_are_named),
		CASE(what_starves_others_is_named),
		CASE(limits_decide_what_fits),
		CASE(marks_stand_under_the_field),
		CASE(nothing_of_a_file_steers_the_terminal),
		CASE(random_files_get_the_kernels_answer),
		CASE(many_errors_end),
#undef CASE
	};
	char folder[] = "/tmp/tgspec-XXXXXX";
	int ret;

	if (!getenv("TGSPEC") || !mkdtemp(folder)) {
		fputs("set TGSPEC to the program\n", stderr);
		return 1;
	}
	snprintf(file, sizeof(file), "%s/spec", folder);
	snprintf(limit_file, sizeof(limit_file), "%s/ac", folder);
	write_file(limit_file, "100\n", 4);
	ret = tap_run(cases, ARRAY_SIZE(cases));
	unlink(file);
	unlink(limit_file);
	rmdir(folder);
	return ret;
}
