// SPDX-License-Identifier: GPL-2.0-or-later
#include "state.h"

const char *const state_help[] = {
	"tgtop: who uses the GPU, and whether it keeps to its reserve",
	"",
	"  Sort by  g GPU share   w waiting    t waiting for the budget   p priority",
	"           e error of predictions     n name     i process number   r reverse",
	"  Show     Tab, left, right, 0-9: which GPU     up, down, PgUp, PgDn: tasks",
	"  Look     + - interval   space now   f freeze   h ? help   q quit",
	"",
	"  POL     PRT: each command group waits for its turn; HT: keeps the GPU",
	"  PRIO    0-99; *: managed by focus, F: in the foreground now, S: serves that;",
	"          60>0: given 60, but runs at 0, as the reserve does not fit",
	"  GPU%    of the interval; charged when a group ends",
	"  C/T%    what the task's reserve has: C every T.  BG: Background; BG!: the",
	"          reserve does not fit, so Background; off: HT is not regulated; -: none",
	"  BUDGET  left in this period; below zero, what the next ones pay",
	"  WAIT    of a group for its turn, B-WAIT for its budget, on average; > : none",
	"          got through in the whole interval",
	"  ERR%    of predicted costs (AE reserves)",
	"  MIB OF  video memory used of what is reserved, where there is room and vram=1",
	"  S       G on the GPU, W waits for its turn, B for its budget, F need not ask",
	"",
	"  \"lost\": completions found late, stuck channels: see 'tgctl status'.",
	0
};

static uint64_t clamp(uint64_t v, uint64_t min, uint64_t max)
{
	return v < min ? min : v > max ? max : v;
}

static enum state_action sort(struct state *s, enum view_sort by)
{
	s->view.sort = by;
	s->top = 0;
	return STATE_DRAW;
}

static enum state_action show_gpu(struct state *s, uint32_t gpu, uint32_t nr_gpus)
{
	if (gpu >= nr_gpus)
		return STATE_NOTHING;
	s->gpu = gpu;
	s->top = 0;
	return STATE_DRAW;
}

static enum state_action scroll(struct state *s, uint32_t top)
{
	s->top = top;
	return STATE_DRAW;
}

/* state_clamp() cuts what is too far down. */
static enum state_action move(struct state *s, int key, uint32_t page)
{
	switch (key) {
	case STATE_KEY_UP:
		return scroll(s, s->top ? s->top - 1 : 0);
	case STATE_KEY_DOWN:
		return scroll(s, s->top + 1);
	case STATE_KEY_PAGE_UP:
		return scroll(s, s->top > page ? s->top - page : 0);
	case STATE_KEY_PAGE_DOWN:
		return scroll(s, s->top + page);
	case STATE_KEY_HOME:
		return scroll(s, 0);
	case STATE_KEY_END:
		return scroll(s, UINT32_MAX / 2);
	}
	return STATE_NOTHING;
}

static enum state_action sort_key(struct state *s, int key)
{
	switch (key) {
	case 'g':
		return sort(s, VIEW_BY_SHARE);
	case 'w':
		return sort(s, VIEW_BY_WAIT);
	case 't':
		return sort(s, VIEW_BY_THROTTLE);
	case 'p':
		return sort(s, VIEW_BY_PRIO);
	case 'e':
		return sort(s, VIEW_BY_ERROR);
	case 'n':
		return sort(s, VIEW_BY_NAME);
	case 'i':
		return sort(s, VIEW_BY_PID);
	case 'r':
		s->view.reverse = !s->view.reverse;
		return STATE_DRAW;
	}
	return STATE_NOTHING;
}

static enum state_action interval(struct state *s, uint64_t ns)
{
	s->interval_ns = clamp(ns, STATE_MIN_NS, STATE_MAX_NS);
	return STATE_DRAW;
}

enum state_action state_key(struct state *s, int key, uint32_t nr_gpus, uint32_t page)
{
	enum state_action a;

	if (key == 'q')
		return STATE_QUIT;
	if (s->help) {
		s->help = false;
		return STATE_DRAW;
	}
	a = sort_key(s, key);
	if (a == STATE_NOTHING)
		a = move(s, key, page);
	if (a != STATE_NOTHING)
		return a;
	switch (key) {
	case 'h':
	case '?':
		s->help = true;
		return STATE_DRAW;
	case '+':
		return interval(s, 2 * s->interval_ns);
	case '-':
		return interval(s, s->interval_ns / 2);
	case ' ':
		return STATE_LOOK;
	case 'f':
		s->frozen = !s->frozen;
		return STATE_DRAW;
	case '\t':
	case STATE_KEY_RIGHT:
		return show_gpu(s, nr_gpus ? (s->gpu + 1) % nr_gpus : 0, nr_gpus);
	case STATE_KEY_LEFT:
		return show_gpu(s, nr_gpus ? (s->gpu + nr_gpus - 1) % nr_gpus : 0, nr_gpus);
	}
	if (key >= '0' && key <= '9')
		return show_gpu(s, key - '0', nr_gpus);
	return STATE_NOTHING;
}

void state_clamp(struct state *s, uint32_t nr_gpus, uint32_t nr_lines, uint32_t page)
{
	uint32_t last = nr_lines > page ? nr_lines - page : 0;

	if (s->gpu >= nr_gpus)
		s->gpu = 0;
	if (s->top > last)
		s->top = last;
}
