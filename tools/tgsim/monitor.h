/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An observer that knows the paper's rules and nothing of the core: it is told
 * what arrives, what is let go and what things cost, keeps budgets of its own,
 * and says when a decision breaks a rule.
 *
 * Rules, with the place in the paper:
 *
 *  order	  Of the groups that may go, one of the highest level goes; within
 *		  a level and within a task in the order of arrival, but for those
 *		  that were held back, which queue anew (4), and for the tasks of FQ,
 *		  which share by weight.
 *  exclusion	  A PRT or FQ group starts on an empty GPU-online list, or behind its own
 *		  by the rule "lead" (ahead.h), which has "floor" too; an HT group also
 *		  on one of its own task, unless somebody more important may go
 *		  (4.1); at most ht_depth of them.
 *  budget	  A group goes only if its reserve allows it: e > 0 (PE), e > x or,
 *		  if refused before, e >= x (AE) (5.1, 5.2).  Nobody passes a group
 *		  of its own reserve that is held back, if that is of a level
 *		  above, or of its own and came before.
 *		  A reserve with C = T is all of the GPU: it refuses nothing, and
 *		  has no bound.
 *  work	  When all consequences of an event are drawn and the GPU-online
 *		  list is empty, nobody is left who may go; nor is a group held
 *		  back that has budget.  One of FQ may wait for a moment, as the task
 *		  that had the GPU is expected, and so may who comes behind it, but nobody
 *		  of a level above.
 *  account	  The cost of a group is finish − max(start, finish before), and
 *		  budgets are what the rules of replenishment make of that:
 *		  e = min(C, e + C), and AE, if x > C: e = min(x, e + C).
 *  supply	  Over any time with k replenishments, a reserve was charged at most
 *			PE: (k + 1)·C + L
 *			AE: max(C, X) + k·C + U
 *		  with L its longest group, X its largest predicted cost (started
 *		  or refused) and U its largest cost − x >= 0 so far.  e <= C (AE:
 *		  max(C, X)) at the beginning, and each replenishment adds at most C.
 *		  PE: before its last group e was positive, so what went before that
 *		  group is less than (k + 1)·C.  AE: before its last group e was x at
 *		  least, so what went before it is at most max(C, X) + k·C − x, and
 *		  it cost x + U at most.
 *		  What those used that went, ahead of each other, while it was demoted
 *		  comes on top; and, by the rule "lead", by how much those that a group
 *		  was let go behind cost more than they were taken to, at most: e was
 *		  only then what the rule thought.
 *  debt	  e > −L (PE); e >= −max(U, L − C) (AE: −U if the budget was that of
 *		  the group's start, and C − cost if it was cut to C meanwhile); that
 *		  excess comes on top here, too.
 *  admission	  A reserve is demoted exactly if it does not fit when it comes,
 *		  and admitted, in the order of creation, as soon as it fits; Σ C/T
 *		  of those admitted never exceeds the limit when one is admitted
 *		  (3).  Computed with integers as long as it takes.
 *  quota	  In ten periods of a domain's quota its groups, and those of the domains
 *		  within, had 10·C and a group at most, and with a lead by how much those
 *		  on the GPU were predicted too short; if it has none that quotas do
 *		  not limit.  The GPU may idle if quotas alone keep groups from going.
 *  memory	  Programs begin in the order of the policy (schedGPU, section 5), or who has
 *		  waited for too long first; what those have that have begun fits on the
 *		  card; nobody waits whose turn it is; no reservation that the card could
 *		  hold is refused; the sums at the end are right.
 *  liveness	  If nothing new arrives, every group completes.
 */
#ifndef MONITOR_H
#define MONITOR_H

#include "sim.h"

struct monitor;

struct monitor *monitor_observe(struct sim *s);

/* The first rule that was broken, as a sentence; NULL if none was. */
const char *monitor_violation(const struct monitor *m);

/* What was checked, to know that a campaign is not empty. */
struct monitor_counts {
	u64 grants, throttles, refusals, completions, replenishments;
	u64 demotions, admissions, idle_checks, windows, leads, lifts, rooms;
};
const struct monitor_counts *monitor_counts(const struct monitor *m);

void monitor_free(struct monitor *m);

#endif
