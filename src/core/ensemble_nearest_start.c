/* ensemble_nearest_start.c: rows to begin with. What every single change of a row would give takes one pass over the
 * leaves: those that the row misses in exactly one feature. So a row is led, change by change, to where it is as
 * wanted, and then each change is taken back as far as that allows. */
#include "ensemble_nearest.h"

#include <string.h>

#include "memory.h"
#include "try.h"

enum { MOST_STEPS = 100 };

/* What each single change adds to each column, in p->gain; and the columns as they are, in p->total. */
static symcf_status look_around(nearest_problem *p, uint32_t first, uint32_t width,
                                symcf_control *control)
{
	const ensemble_scene *s = &p->scene;
	const uint64_t places = p->at[p->n];
	memset(p->gain, 0, (places + 1) * width * sizeof *p->gain);
	for (uint32_t c = 0; c < width; c++)
		p->total[c] = s->base[first + c];
	for (uint32_t t = 0; t < s->n_trees; t++) {
		uint64_t home = s->start[t];
		for (uint32_t pass = 0; pass < 2; pass++) {
			for (uint64_t i = s->start[t]; i < s->start[t + 1]; i++) {
				const ensemble_leaf *leaf = &s->leaves[i];
				const ensemble_condition *missed = NULL;
				uint32_t misses = 0;
				for (uint32_t k = 0; k < leaf->n_conditions && misses < 2; k++) {
					const ensemble_condition *c = &s->conditions[leaf->first + k];
					if (!ensemble_holds(c->range, p->point[c->feature])) {
						missed = c;
						misses++;
					}
				}
				if (!pass && !misses) {
					home = i;
					break;
				}
				if (!pass || misses != 1)
					continue;
				const uint32_t j = missed->feature, line = p->e->n_line[j];
				for (uint32_t c = 0; c < width; c++) {
					const int64_t more = s->value[i * s->n_columns + first + c] -
					                     s->value[home * s->n_columns + first + c];
					int64_t *gain = p->gain + c * (places + 1) + p->at[j];
					if (missed->range.low <
					    missed->range.high) { /* as a rise and a fall, summed below */
						gain[missed->range.low] += more;
						if (missed->range.high < line)
							gain[missed->range.high] -= more;
					}
					for (uint64_t rest = missed->range.special; rest; rest &= rest - 1)
						gain[line + (uint32_t)__builtin_ctzll(rest)] += more;
				}
			}
		}
		for (uint32_t c = 0; c < width; c++)
			p->total[c] += s->value[home * s->n_columns + first + c];
		TRY(symcf_tick(control, 20 * (uint32_t)(s->start[t + 1] - s->start[t])));
	}
	for (uint32_t c = 0; c < width; c++)
		for (uint32_t j = 0; j < p->n; j++) {
			int64_t *gain = p->gain + c * (places + 1) + p->at[j], sum = 0;
			for (uint32_t i = 0; i < p->e->n_line[j]; i++) {
				sum += gain[i];
				gain[i] = sum;
			}
		}
	return symcf_tick(control, (uint32_t)(places * width));
}

static uint32_t place_of(const nearest_problem *p, uint32_t j, uint32_t i)
{
	return i < p->e->n_line[j] ? i : ENSEMBLE_SPECIAL | (i - p->e->n_line[j]);
}

static int64_t cost_of(const nearest_problem *p, uint32_t *changed)
{
	int64_t cost = 0;
	*changed = 0;
	for (uint32_t j = 0; j < p->n; j++) {
		cost += p->cost[nearest_index(p, j, p->point[j])];
		*changed += p->point[j] != p->scene.place[j];
	}
	return cost;
}

static bool reaches(const nearest_problem *p, uint32_t width, uint64_t index)
{
	for (uint32_t c = 0; c < width; c++)
		if (p->total[c] + p->gain[c * (uint64_t)(p->at[p->n] + 1) + index] < 0)
			return false;
	return true;
}

static bool is_there(const nearest_problem *p, uint32_t width)
{
	for (uint32_t c = 0; c < width; c++)
		if (p->total[c] < 0)
			return false;
	return true;
}

/* How much of what is missing a change brings, weighed by nothing but its size. */
static double progress(const nearest_problem *p, uint32_t width, uint64_t index)
{
	double sum = 0;
	for (uint32_t c = 0; c < width; c++) {
		const int64_t gain = p->gain[c * (uint64_t)(p->at[p->n] + 1) + index];
		const int64_t missing = p->total[c] < 0 ? -p->total[c] : 0;
		sum += (double)(gain > missing ? missing : gain);
	}
	return sum;
}

static void keep(nearest_problem *p)
{
	uint32_t changed;
	const int64_t cost = cost_of(p, &changed);
	if (symcf_nearest_may_improve(p, cost, p->point) && changed <= p->max_changes) {
		p->least = cost;
		p->found = true;
		memcpy(p->best, p->point, p->n * sizeof *p->best);
	}
}

/* Takes changes back as far as the row stays as wanted, the dearest first. requires: a look around. */
static symcf_status pull_back(nearest_problem *p, uint32_t first, uint32_t width,
                              symcf_control *control)
{
	for (uint32_t step = 0; step < MOST_STEPS; step++) {
		int64_t saved = 0;
		uint32_t feature = 0, to = 0;
		for (uint32_t j = 0; j < p->n; j++) {
			const int64_t now = p->cost[nearest_index(p, j, p->point[j])];
			for (uint32_t i = 0; i < p->n_by_cost[j]; i++) { /* by rising cost */
				const uint32_t index = p->by_cost[p->at[j] + i];
				if (now - p->cost[index] <= saved)
					break;
				if (reaches(p, width, index)) {
					saved = now - p->cost[index];
					feature = j;
					to = index - p->at[j];
					break;
				}
			}
		}
		if (!saved)
			break;
		p->point[feature] = place_of(p, feature, to);
		TRY(look_around(p, first, width, control));
	}
	keep(p);
	return SYMCF_OK;
}

/* The change that brings most for its cost, or the cheapest that is enough. ensures: false if none brings anything. */
static bool step_ahead(nearest_problem *p, uint32_t width)
{
	uint32_t feature = ENSEMBLE_NOWHERE, to = 0;
	double best = 0;
	bool enough = false;
	for (uint32_t j = 0; j < p->n; j++) {
		const int64_t now = p->cost[nearest_index(p, j, p->point[j])];
		for (uint32_t i = 0; i < p->n_by_cost[j]; i++) {
			const uint32_t index = p->by_cost[p->at[j] + i];
			const double brings = progress(p, width, index);
			if (brings <= 0)
				continue;
			const double more = fmax((double)(p->cost[index] - now), 1e-3);
			const bool does = reaches(p, width, index);
			const double worth = does ? 1 / more : brings / more;
			if ((does && !enough) || (does == enough && worth > best)) {
				enough = does;
				best = worth;
				feature = j;
				to = index - p->at[j];
			}
		}
	}
	if (feature == ENSEMBLE_NOWHERE)
		return false;
	p->point[feature] = place_of(p, feature, to);
	return true;
}

symcf_status symcf_nearest_start(nearest_problem *p, uint32_t first, uint32_t width,
                                 symcf_control *control)
{
	memcpy(p->point, p->scene.place, p->n * sizeof *p->point);
	TRY(look_around(p, first, width, control));
	/* one change; kept before anything else */
	for (uint32_t j = 0; j < p->n && p->max_changes; j++)
		for (uint32_t i = 0; i < p->n_by_cost[j]; i++) {
			const uint32_t index = p->by_cost[p->at[j] + i];
			if (p->cost[index] >= p->least)
				break;
			if (reaches(p, width, index)) {
				p->point[j] = place_of(p, j, index - p->at[j]);
				keep(p);
				p->point[j] = p->scene.place[j];
				break;
			}
		}
	for (uint32_t step = 0; step < MOST_STEPS && !is_there(p, width); step++) {
		if (!step_ahead(p, width))
			return SYMCF_OK;
		TRY(look_around(p, first, width, control));
	}
	return is_there(p, width) ? pull_back(p, first, width, control) : SYMCF_OK;
}
