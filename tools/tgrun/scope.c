// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <unistd.h>

#include "scope.h"

#define MANAGER "org.freedesktop.systemd1"
#define OBJECT "/org/freedesktop/systemd1"
#define INTERFACE "org.freedesktop.systemd1.Manager"
#define WAIT_US 10000000ULL

/* The job that makes the scope, and how it ended. */
struct job {
	const char *path;
	char result[32];
};

static int on_removed(sd_bus_message *m, void *data, sd_bus_error *error)
{
	const char *path, *unit, *result;
	struct job *job = data;
	uint32_t id;

	if (sd_bus_message_read(m, "uoss", &id, &path, &unit, &result) >= 0 && job->path &&
	    !strcmp(path, job->path))
		snprintf(job->result, sizeof(job->result), "%s", result);
	return 0;
}

static int fill(sd_bus_message *m, const char *name, const char *slice, const char *about,
		pid_t pid)
{
	int ret = sd_bus_message_append(m, "ss", name, "fail");

	if (ret >= 0)
		ret = sd_bus_message_open_container(m, 'a', "(sv)");
	if (ret >= 0)
		ret = sd_bus_message_append(m, "(sv)(sv)(sv)", "Description", "s", about,
					    "PIDs", "au", 1, (uint32_t)pid,
					    "CollectMode", "s", "inactive-or-failed");
	if (ret >= 0 && slice)
		ret = sd_bus_message_append(m, "(sv)", "Slice", "s", slice);
	if (ret >= 0)
		ret = sd_bus_message_close_container(m);
	return ret < 0 ? ret : sd_bus_message_append(m, "a(sa(sv))", 0);
}

/* Until the manager says that the job is done: before it the process has not been moved. */
static int wait_for(sd_bus *bus, const struct job *job, const char **why)
{
	while (!job->result[0]) {
		int ret = sd_bus_process(bus, NULL);

		if (!ret)
			ret = sd_bus_wait(bus, WAIT_US);
		else if (ret > 0)
			continue;
		if (!ret)
			ret = -ETIMEDOUT;
		if (ret < 0 && ret != -EINTR) {
			*why = strerror(-ret);
			return ret;
		}
	}
	if (!strcmp(job->result, "done"))
		return 0;
	*why = job->result;
	return -EIO;
}

static int ask(sd_bus *bus, struct job *job, sd_bus_message *m, char why[SCOPE_WHY_BYTES])
{
	sd_bus_error error = SD_BUS_ERROR_NULL;
	sd_bus_message *reply = NULL;
	const char *reason = NULL;
	int ret;

	ret = sd_bus_call(bus, m, WAIT_US, &error, &reply);
	if (ret >= 0)
		ret = sd_bus_message_read(reply, "o", &job->path);
	if (ret < 0)
		reason = error.message ? error.message : strerror(-ret);
	else
		ret = wait_for(bus, job, &reason);
	if (ret < 0)
		snprintf(why, SCOPE_WHY_BYTES, "%s", reason);
	sd_bus_error_free(&error);
	sd_bus_message_unref(reply);
	return ret;
}

int scope_start(const char *name, const char *slice, const char *about, pid_t pid,
		char why[SCOPE_WHY_BYTES])
{
	struct job job = { 0 };
	sd_bus_message *m = NULL;
	sd_bus *bus = NULL;
	int ret = -ENOENT;

	/* What sd_booted(3) looks at: a bus without systemd would start nothing. */
	if (!access("/run/systemd/system", F_OK))
		ret = geteuid() ? sd_bus_open_user(&bus) : sd_bus_open_system(&bus);
	if (ret < 0) {
		snprintf(why, SCOPE_WHY_BYTES, "no systemd: %s", strerror(-ret));
		return -ENOSYS;
	}
	ret = sd_bus_match_signal(bus, NULL, MANAGER, OBJECT, INTERFACE, "JobRemoved", on_removed,
				  &job);
	/* A manager tells its jobs only to those who ask it to. */
	if (ret >= 0)
		ret = sd_bus_call_method(bus, MANAGER, OBJECT, INTERFACE, "Subscribe", NULL, NULL, "");
	if (ret >= 0)
		ret = sd_bus_message_new_method_call(bus, &m, MANAGER, OBJECT, INTERFACE,
						     "StartTransientUnit");
	if (ret >= 0)
		ret = fill(m, name, slice, about, pid);
	if (ret < 0)
		snprintf(why, SCOPE_WHY_BYTES, "systemd: %s", strerror(-ret));
	else
		ret = ask(bus, &job, m, why);
	sd_bus_message_unref(m);
	sd_bus_flush_close_unref(bus);
	return ret < 0 ? ret : 0;
}
