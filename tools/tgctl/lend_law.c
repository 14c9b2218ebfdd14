// SPDX-License-Identifier: GPL-2.0-or-later
/* See lend_law.h. */
#include "lend_law.h"

#define LAST 0.2
#define ENOUGH 0.9
/* Of a second; who waits less does not want for CPU time. */
#define WAITS_MIN 0.05
/* So much more than the average it must make of its CPU time. */
#define PAYS 1.2
#define STEP_UP 1.5
#define STEP_DOWN 1.1

static void into(double *average, double now)
{
	*average += LAST * (now - *average);
}

void lend_average(struct lend_rates *average, const struct lend_rates *now)
{
	into(&average->gpu, now->gpu);
	into(&average->cpu, now->cpu);
	into(&average->waits, now->waits);
}

/* The weights of those who compete with @self, and its own. */
static double weights(const struct timegraph_domain *d, uint32_t n, const bool *competes,
		      uint32_t self)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		if (d[i].parent == d[self].parent && (i == self || competes[i]))
			sum += d[i].weight;
	return sum;
}

static double of_parent(const struct timegraph_domain *d, const double *part, uint32_t self)
{
	for (uint32_t i = self; i--;)
		if (d[i].id == d[self].parent)
			return part[i];
	return 1;
}

void lend_entitled(const struct timegraph_domain *d, uint32_t n, const bool *competes,
		   double *part)
{
	for (uint32_t i = 0; i < n; i++)
		part[i] = of_parent(d, part, i) * d[i].weight / weights(d, n, competes, i);
}

/* More of the CPU would go into the GPU, sooner than with others. */
static bool pays(const struct lend_rates *of, const struct lend_rates *all)
{
	return of->gpu * all->cpu > PAYS * all->gpu * of->cpu;
}

double lend_factor(double factor, const struct lend_rates *of, const struct lend_rates *all,
		   double could, double max)
{
	bool more = of->gpu < ENOUGH * could && of->waits >= WAITS_MIN && pays(of, all);

	factor = more ? factor * STEP_UP : factor / STEP_DOWN;
	if (factor > max)
		return max;
	return factor < 1 ? 1 : factor;
}
