// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sway tells over its own socket (sway-ipc(7)) that windows or workspaces changed,
 * and, unlike the Wayland protocols, which process a window belongs to.
 *
 * An event is only taken as a reason to ask: the tree that sway answers with is
 * the truth of one moment, and says whether a window has the focus or none has.
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "focus.h"
#include "libtimegraph.h"
#include "reader.h"

#define MAGIC "i3-ipc"
#define MAX_BYTES (64u << 20)
#define ANSWER_WITHIN_MS 2000
#define MAX_DEPTH 64

enum message {
	MESSAGE_SUBSCRIBE = 2,
	MESSAGE_TREE = 4,
};
#define MESSAGE_EVENT 0x80000000u

struct header {
	char magic[6];
	uint32_t size, type;
} __attribute__((packed));

static struct {
	int fd;
	bool moved;		/* an event came while an answer was awaited */
	char *text;		/* of the last message, ends with a 0 */
	size_t room;
	/* The message that is being received. */
	struct header header;
	size_t used;
} sway = { .fd = -1 };

static bool sway_probe(void)
{
	const char *socket = getenv("SWAYSOCK");

	return socket && *socket;
}

static int send_message(enum message type, const char *text)
{
	struct header h = { .magic = MAGIC, .size = (uint32_t)strlen(text), .type = type };
	char buf[128];
	size_t n = sizeof(h) + h.size, sent = 0;
	ssize_t done;

	memcpy(buf, &h, sizeof(h));
	memcpy(buf + sizeof(h), text, h.size);
	while (sent < n) {
		done = send(sway.fd, buf + sent, n - sent, MSG_NOSIGNAL);
		if (done < 0 && errno != EINTR)
			return -errno;
		sent += done > 0 ? (size_t)done : 0;
	}
	return 0;
}

/* Some bytes into @to, at most @want: their number, 0 for none yet, -errno. */
static ssize_t receive(void *to, size_t want)
{
	ssize_t n = recv(sway.fd, to, want, MSG_DONTWAIT);

	if (n > 0)
		return n;
	if (!n)
		return -EPIPE;
	return errno == EAGAIN || errno == EINTR ? 0 : -errno;
}

static int make_room(void)
{
	size_t want = (size_t)sway.header.size + 1;
	char *more;

	if (memcmp(sway.header.magic, MAGIC, 6) || sway.header.size > MAX_BYTES)
		return -EPROTO;
	if (want <= sway.room)
		return 0;
	more = realloc(sway.text, want);
	if (!more)
		return -ENOMEM;
	sway.text = more;
	sway.room = want;
	return 0;
}

/* 1: a message is complete; 0: not yet; -errno. */
static int next_message(void)
{
	size_t whole;
	ssize_t n;
	int error;

	for (;;) {
		if (sway.used < sizeof(sway.header)) {
			n = receive((char *)&sway.header + sway.used,
				    sizeof(sway.header) - sway.used);
			if (n <= 0)
				return (int)n;
			sway.used += (size_t)n;
			if (sway.used < sizeof(sway.header))
				continue;
			error = make_room();
			if (error)
				return error;
		}
		whole = sizeof(sway.header) + sway.header.size;
		if (sway.used == whole) {
			sway.text[sway.header.size] = '\0';
			sway.used = 0;
			return 1;
		}
		n = receive(sway.text + sway.used - sizeof(sway.header), whole - sway.used);
		if (n <= 0)
			return (int)n;
		sway.used += (size_t)n;
	}
}

/* Waits for the answer to a question; events that come first are remembered. */
static int answer(enum message type)
{
	struct pollfd p = { .fd = sway.fd, .events = POLLIN };
	int got;

	for (;;) {
		got = next_message();
		if (got < 0)
			return got;
		if (got && sway.header.type == type)
			return 0;
		if (got)
			sway.moved |= (sway.header.type & MESSAGE_EVENT) != 0;
		else if (!poll(&p, 1, ANSWER_WITHIN_MS))
			return -ETIMEDOUT;
	}
}

static void sway_close(void)
{
	if (sway.fd >= 0)
		close(sway.fd);
	free(sway.text);
	memset(&sway, 0, sizeof(sway));
	sway.fd = -1;
}

static int subscribe(void)
{
	char key[16];
	struct reader r;
	bool success = false;
	int error;

	error = send_message(MESSAGE_SUBSCRIBE, "[\"window\",\"workspace\"]");
	if (!error)
		error = answer(MESSAGE_SUBSCRIBE);
	if (error)
		return error;
	r = (struct reader){ .at = sway.text };
	reader_enter(&r, '{');
	while (reader_key(&r, key, sizeof(key))) {
		if (!strcmp(key, "success"))
			success = reader_bool(&r);
		else
			reader_skip(&r);
	}
	return success ? 0 : -EPROTO;
}

static int sway_open(char why[FOCUS_TEXT_BYTES])
{
	const char *path = getenv("SWAYSOCK");
	int error;

	if (!path) {
		snprintf(why, FOCUS_TEXT_BYTES, "SWAYSOCK does not name sway's socket");
		return -ENOTSUP;
	}
	sway.fd = timegraph_connect_server(path);
	error = sway.fd < 0 ? sway.fd : subscribe();
	if (!error)
		return 0;
	snprintf(why, FOCUS_TEXT_BYTES, "%.100s: %s", path, strerror(-error));
	sway_close();
	return -ENOTSUP;
}

static int sway_fd(void)
{
	return sway.fd;
}

static int sway_dispatch(void)
{
	bool moved = sway.moved;
	int got;

	sway.moved = false;
	while ((got = next_message()) > 0)
		moved |= (sway.header.type & MESSAGE_EVENT) != 0;
	return got < 0 ? got : moved;
}

/* --- the tree */

struct node {
	bool focused;
	pid_t pid;
	char app_id[128], type[24];
};

struct found {
	struct node node;
	unsigned int count;
};

static void read_node(struct reader *r, struct found *found, unsigned int depth);

static void read_nodes(struct reader *r, struct found *found, unsigned int depth)
{
	reader_enter(r, '[');
	while (reader_item(r))
		read_node(r, found, depth);
}

/* X11's class is inside of "window_properties". */
static void read_class(struct reader *r, char *text, size_t size)
{
	char key[24];

	if (reader_type(r) != '{') {
		reader_skip(r);
		return;
	}
	reader_enter(r, '{');
	while (reader_key(r, key, sizeof(key))) {
		if (!strcmp(key, "class"))
			reader_string(r, text, size);
		else
			reader_skip(r);
	}
}

static void read_node(struct reader *r, struct found *found, unsigned int depth)
{
	struct node node = { 0 };
	char key[24], class[128] = "";

	if (depth > MAX_DEPTH) {
		reader_skip(r);
		return;
	}
	reader_enter(r, '{');
	while (reader_key(r, key, sizeof(key))) {
		if (!strcmp(key, "focused"))
			node.focused = reader_bool(r);
		else if (!strcmp(key, "pid"))
			node.pid = (pid_t)reader_int(r);
		else if (!strcmp(key, "app_id"))
			reader_string(r, node.app_id, sizeof(node.app_id));
		else if (!strcmp(key, "type"))
			reader_string(r, node.type, sizeof(node.type));
		else if (!strcmp(key, "window_properties"))
			read_class(r, class, sizeof(class));
		else if (!strcmp(key, "nodes") || !strcmp(key, "floating_nodes"))
			read_nodes(r, found, depth + 1);
		else
			reader_skip(r);
	}
	if (!node.focused)
		return;
	if (!node.app_id[0])
		memcpy(node.app_id, class, sizeof(class));
	found->node = node;
	found->count++;
}

static void sway_current(struct focus_window *w)
{
	struct found found = { 0 };
	struct reader r;
	int error;

	error = send_message(MESSAGE_TREE, "");
	if (!error)
		error = answer(MESSAGE_TREE);
	if (error) {
		focus_nobody(w, "sway does not answer: %s", strerror(-error));
		return;
	}
	r = (struct reader){ .at = sway.text };
	read_node(&r, &found, 0);
	snprintf(w->app_id, sizeof(w->app_id), "%s", found.node.app_id);
	if (r.bad) {
		focus_nobody(w, "sway's tree cannot be read");
	} else if (found.count > 1) {
		focus_nobody(w, "%u windows have the focus", found.count);
	} else if (found.node.pid > 0) {
		w->pid = found.node.pid;
		focus_why(w, "by sway");
	} else {
		focus_nobody(w, "no window has the focus%s%s", found.count ? ", but a " : "",
			     found.node.type);
	}
}

const struct focus_backend focus_sway = {
	.name = "sway",
	.about = "sway, over its own socket",
	.wants = "SWAYSOCK is not set",
	.probe = sway_probe,
	.open = sway_open,
	.fd = sway_fd,
	.at_server = true,
	.dispatch = sway_dispatch,
	.current = sway_current,
	.close = sway_close,
};
