// SPDX-License-Identifier: GPL-2.0-or-later
#include "fault.h"

#include <string.h>

#include "bits.h"
#include "regs.h"

#define ANY_CHANNEL	UINT32_MAX

static const struct {
	const char *word;
	enum nvsim_fault_kind kind;
	bool delay;
} words[] = {
	{ "hang", NVSIM_FAULT_HANG, false },
	{ "wedge", NVSIM_FAULT_WEDGE, false },
	{ "page-fault", NVSIM_FAULT_PAGE, false },
	{ "lost-irq", NVSIM_FAULT_LOST_NOTIFY, false },
	{ "late-irq", NVSIM_FAULT_LATE_NOTIFY, true },
	{ "lost-nonstall", NVSIM_FAULT_LOST_NONSTALL, false },
	{ "late-nonstall", NVSIM_FAULT_LATE_NONSTALL, true },
};

static bool number(const char **p, uint64_t max, uint64_t *out)
{
	uint64_t v = 0;

	if (**p < '0' || **p > '9')
		return false;
	for (; **p >= '0' && **p <= '9'; ++*p) {
		v = v * 10 + (**p - '0');
		if (v > max)
			return false;
	}
	*out = v;
	return true;
}

static bool parse_channel(const char **p, struct nvsim_fault *f)
{
	uint64_t v;

	f->chid = ANY_CHANNEL;
	if (**p != '@')
		return true;
	++*p;
	if (!strncmp(*p, "any", 3)) {
		*p += 3;
		return true;
	}
	if (!number(p, NVSIM_CHANNELS - 1, &v))
		return false;
	f->chid = v;
	return true;
}

static bool parse_one(const char **p, struct nvsim_fault *f)
{
	uint64_t us;
	size_t i, n;

	for (i = 0; i < NVSIM_ARRAY_SIZE(words); i++) {
		n = strlen(words[i].word);
		if (!strncmp(*p, words[i].word, n) && strchr("@:", (*p)[n]))
			break;
	}
	if (i == NVSIM_ARRAY_SIZE(words))
		return false;
	*p += n;
	f->kind = words[i].kind;
	if (!parse_channel(p, f) || *(*p)++ != ':' || !number(p, 1000000000000ull, &f->nth) ||
	    !f->nth)
		return false;
	if (**p == '-') {
		f->onwards = true;
		++*p;
	}
	if (!words[i].delay)
		return true;
	if (*(*p)++ != ':' || !number(p, 1000000000ull, &us))
		return false;
	f->delay_ns = us * 1000;
	return true;
}

bool nvsim_fault_parse(struct nvsim_faults *faults, const char *spec, const char **err)
{
	const char *p = spec;

	if (!spec || !*spec)
		return true;
	for (;;) {
		if (faults->n == NVSIM_FAULTS) {
			*err = "fault: more than 8";
			return false;
		}
		if (!parse_one(&p, &faults->fault[faults->n]) || !strchr(",+", *p)) {
			*err = "fault: want hang@CHID:N, wedge@CHID:N, page-fault@CHID:N, "
			       "lost-irq:N, late-irq:N:USEC, lost-nonstall:N or "
			       "late-nonstall:N:USEC";
			return false;
		}
		faults->n++;
		if (!*p)
			return true;
		p++;
	}
}

struct nvsim_fault *nvsim_fault_hit(struct nvsim_faults *faults, enum nvsim_fault_kind kind,
				    uint32_t chid, uint64_t nth)
{
	struct nvsim_fault *f;

	for (f = faults->fault; f < faults->fault + faults->n; f++) {
		if (f->kind != kind || (f->chid != ANY_CHANNEL && f->chid != chid))
			continue;
		if (f->onwards ? nth < f->nth : nth != f->nth || f->hits)
			continue;
		f->hits++;
		return f;
	}
	return NULL;
}

void nvsim_fault_print(const struct nvsim_faults *faults, FILE *f)
{
	unsigned int i;

	fprintf(f, "# fault injection: kind, times it struck\n");
	for (i = 0; i < faults->n; i++)
		fprintf(f, "fault %u %llu\n", faults->fault[i].kind,
			(unsigned long long)faults->fault[i].hits);
}
