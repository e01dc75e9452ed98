/* choose_within.c: values that raise a sum within a relation of a few features.
 *
 * The related features of the set take every combination that the relation allows, those outside the
 * set keep their values; for each combination the other features of the set are chosen as without a
 * relation (choose.c). The best of all is the choice. */
#include <string.h>

#include "choose.h"
#include "try.h"

enum { MOST_RELATED = 16 };

typedef struct trying {
	symcf_chooser *c;
	uint32_t n_free;             /* related features that are in the set             */
	uint32_t free[MOST_RELATED]; /* their places in the relation                     */
	uint32_t slot[MOST_RELATED]; /* ... and in the set                               */
	uint32_t code[MOST_RELATED]; /* by place in the relation, of the combination     */
	uint32_t n_others;           /* c->others: features of the set that are not related */
	bool any;
	choose_unit unit;
	int64_t total;
} trying;

static uint32_t n_values(const symcf_chooser *c, uint32_t j)
{
	return c->value_offset[j + 1] - c->value_offset[j];
}

/* Sorts the features of the set into related ones and others. */
static void sort_features(trying *w, const uint32_t *features, uint32_t size)
{
	symcf_chooser *c = w->c;
	const symcf_relation *r = c->aim.relation;
	uint32_t related = 0;
	for (uint32_t i = 0; i < r->n; i++)
		w->code[i] = c->x[r->feature[i]];
	for (uint32_t i = 0; i < size; i++) {
		while (related < r->n && r->feature[related] < features[i])
			related++;
		if (related < r->n && r->feature[related] == features[i]) {
			w->free[w->n_free] = related;
			w->slot[w->n_free++] = i;
			w->code[related] = 0;
		} else {
			c->other_slot[w->n_others] = i;
			c->other[w->n_others++] = features[i];
		}
	}
}

static bool holds(const trying *w)
{
	const symcf_relation *r = w->c->aim.relation;
	uint64_t combination = 0;
	for (uint32_t i = 0; i < r->n; i++)
		combination = combination * n_values(w->c, r->feature[i]) + w->code[i];
	return r->holds[combination];
}

/* The next combination of the features that are in the set; false after the last. */
static bool advance(trying *w)
{
	const symcf_relation *r = w->c->aim.relation;
	for (uint32_t i = w->n_free; i-- > 0;) {
		const uint32_t place = w->free[i];
		if (++w->code[place] < n_values(w->c, r->feature[place]))
			return true;
		w->code[place] = 0;
	}
	return false;
}

/* What the combination costs and gains, with its names in c->names. ensures: false if a value may not
 * be taken. */
static bool take_combination(const trying *w, choose_unit *unit, int64_t *gain)
{
	symcf_chooser *c = w->c;
	*unit = 0;
	*gain = 0;
	for (uint32_t i = 0; i < w->n_free; i++) {
		const uint32_t j = c->aim.relation->feature[w->free[i]], v = w->code[w->free[i]];
		if (!symcf_choose_is_allowed(c, j, v))
			return false;
		const choose_option option = symcf_choose_option_of(c, 0, j, v);
		*unit += option.unit;
		*gain += option.gain - c->sign * c->line[0]->weight[c->value_offset[j] + c->x[j]];
		c->names[w->slot[i]] = option.name;
	}
	return true;
}

static bool is_better(const trying *w, choose_unit unit, int64_t total, const uint32_t *names,
                      uint32_t size)
{
	if (!w->any || unit != w->unit)
		return !w->any || unit < w->unit;
	if (total != w->total)
		return total > w->total;
	for (uint32_t i = 0; i < size; i++)
		if (w->c->names[i] != names[i])
			return w->c->names[i] < names[i];
	return false;
}

static symcf_status try_combination(trying *w, uint32_t size, symcf_control *control,
                                    uint32_t *names)
{
	symcf_chooser *c = w->c;
	choose_unit unit, others;
	int64_t gain, total;
	if (!holds(w) || !take_combination(w, &unit, &gain))
		return SYMCF_OK;
	c->total[0] += gain;
	const symcf_status status =
		symcf_choose_raise(c, 0, c->other, w->n_others, control, c->other_name, &others, &total);
	c->total[0] -= gain;
	if (status)
		return status == SYMCF_INVALID ? SYMCF_OK : status;
	for (uint32_t i = 0; i < w->n_others; i++)
		c->names[c->other_slot[i]] = c->other_name[i];
	if (is_better(w, unit + others, total, names, size)) {
		w->any = true;
		w->unit = unit + others;
		w->total = total;
		memcpy(names, c->names, size * sizeof *names);
	}
	return SYMCF_OK;
}

symcf_status symcf_choose_within(symcf_chooser *c, const uint32_t *features, uint32_t size,
                                 symcf_control *control, uint32_t *names, choose_unit *unit)
{
	trying w = {.c = c};
	sort_features(&w, features, size);
	do {
		TRY(try_combination(&w, size, control, names));
		TRY(symcf_tick(control, 10 + 4 * size));
	} while (advance(&w));
	*unit = w.unit;
	return w.any ? SYMCF_OK : SYMCF_INVALID;
}
