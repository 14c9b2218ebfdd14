// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stands in for KWin: has its name on the session bus, "loads" the script that it
 * is told, and, for each line of its standard input, calls what the script would
 * call for a window of that process.  As KWin it has its name before it has its
 * object for scripts.  With --stranger it only calls.
 */
#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <systemd/sd-bus.h>

static sd_bus *bus;

static int on_load(sd_bus_message *m, void *data, sd_bus_error *error)
{
	const char *path, *name;

	(void)data, (void)error;
	if (sd_bus_message_read(m, "ss", &path, &name) < 0)
		return -EINVAL;
	/* KWin, too, answers before it finds that there is no such file. */
	printf("load %s %s\n", name, access(path, R_OK) ? "unreadable" : "readable");
	return sd_bus_reply_method_return(m, "i", 0);
}

static int on_unload(sd_bus_message *m, void *data, sd_bus_error *error)
{
	const char *name;

	(void)data, (void)error;
	if (sd_bus_message_read(m, "s", &name) < 0)
		return -EINVAL;
	printf("unload %s\n", name);
	return sd_bus_reply_method_return(m, "b", 0);
}

static int on_start(sd_bus_message *m, void *data, sd_bus_error *error)
{
	(void)data, (void)error;
	printf("start\n");
	return sd_bus_reply_method_return(m, "");
}

static const sd_bus_vtable vtable[] = {
	SD_BUS_VTABLE_START(0),
	SD_BUS_METHOD("loadScript", "ss", "i", on_load, SD_BUS_VTABLE_UNPRIVILEGED),
	SD_BUS_METHOD("unloadScript", "s", "b", on_unload, SD_BUS_VTABLE_UNPRIVILEGED),
	SD_BUS_METHOD("start", "", "", on_start, SD_BUS_VTABLE_UNPRIVILEGED),
	SD_BUS_VTABLE_END,
};

static int on_answer(sd_bus_message *m, void *data, sd_bus_error *error)
{
	const sd_bus_error *e = sd_bus_message_get_error(m);

	(void)data, (void)error;
	printf("answer %s\n", e ? e->name : "ok");
	return 0;
}

static void activated(char *line)
{
	line[strcspn(line, "\n")] = '\0';
	sd_bus_call_method_async(bus, NULL, "org.timegraph.Focus", "/org/timegraph/Focus",
				 "org.timegraph.Focus", "Activated", on_answer, NULL, "s", line);
}

static int add_object(void)
{
	return sd_bus_add_object_vtable(bus, NULL, "/Scripting", "org.kde.kwin.Scripting", vtable,
					NULL);
}

static int loop(bool late)
{
	const struct itimerspec later = { .it_value = { .tv_sec = 1, .tv_nsec = 500000000 } };
	struct pollfd p[3] = {
		{ .fd = STDIN_FILENO, .events = POLLIN },
		{ .fd = sd_bus_get_fd(bus), .events = POLLIN },
		{ .fd = late ? timerfd_create(CLOCK_MONOTONIC, 0) : -1, .events = POLLIN },
	};
	char line[128];
	int got;

	if (late)
		timerfd_settime(p[2].fd, 0, &later, NULL);
	for (;;) {
		while (sd_bus_process(bus, NULL) > 0)
			;
		sd_bus_flush(bus);
		got = poll(p, 3, -1);
		if (got < 0)
			return 1;
		if (p[2].revents) {
			p[2].fd = -1;
			if (add_object() < 0)
				return 1;
		}
		if (p[0].revents && !fgets(line, sizeof(line), stdin))
			return 0;
		if (p[0].revents)
			activated(line);
	}
}

int main(int argc, char **argv)
{
	int stranger = argc > 1 && !strcmp(argv[1], "--stranger"), error;

	/* Lines are looked for with poll(): none may wait in a buffer. */
	setvbuf(stdin, NULL, _IONBF, 0);
	setvbuf(stdout, NULL, _IOLBF, 0);
	error = sd_bus_open_user(&bus);
	if (error >= 0 && !stranger)
		error = sd_bus_request_name(bus, "org.kde.KWin", 0);
	if (error < 0) {
		fprintf(stderr, "tgkwin: %s\n", strerror(-error));
		return 1;
	}
	error = loop(!stranger);
	sd_bus_flush_close_unref(bus);
	return error;
}
