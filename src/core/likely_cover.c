/* likely_cover.c: minimal changes of a threshold function where the changed row has to be likely.
 *
 * How likely a row is, is a sum of tables along a forest (likely.c). Nothing is monotone in it: a change
 * may have to be accompanied by others that gain nothing, because together they are likely.
 *
 * One pass over the forest (max-sum) turns the tables into *losses*: what a value loses, given the one
 * that it depends on, against the best that can still follow. Losses are at least 0, and a row is likely
 * enough iff they add up to no more than the *slack*. So each table that is known bounds the sum, and of
 * a table of which only the own value is known, its least loss does.
 *
 * Sets are chosen depth first, features by falling gain, as in cover.c. A node is the set of features
 * that change so far, with the list of all choices of values for them that may still succeed: by what
 * they gain, and by what they lose.
 *
 *   - As soon as one choice succeeds with all later features as they are, the set does it, and no
 *     larger one is minimal.
 *   - A choice is dropped if taking back the feature that came last does as well, whatever comes later:
 *     sets that grow from there are not minimal, or are found with another choice.
 *   - Of the choices of a long list, those that gain no more and lose no less than another with the
 *     same values wherever a later feature is linked with one are dropped.
 *   - A set that does it is minimal iff no set without one of its features does; the same lists,
 *     with "as it is" among the values, tell. Where each feature's gain is needed, nothing is left to tell.
 *
 * Values share a *cell* if they count as equally likely beside whatever else; of the values of a cell
 * only the one that gains most matters.
 *
 * The k first sets are found by rising size. */
#include <string.h>

#include "likely_cover.h"
#include "memory.h"
#include "try.h"

/* Looks at the clock as often as the length of a list makes it necessary. */
static symcf_status tick_for(uint64_t choices, symcf_control *control)
{
	return symcf_tick(control, choices < 1000 ? 5 + 5 * (uint32_t)choices : 5000);
}

/* --------------------------------------------------------------- the search ------------------ */

/* The row itself, where these positions are decided. */
static likely_choice first_choice(const symcf_likely_cover *e, const likely_part *s)
{
	const symcf_likely *l = e->l;
	likely_choice c = {0, 0, 0};
	for (uint32_t p = 0; p < l->n; p++) {
		const bool is_root = l->up[p] == SYMCF_LIKELY_ROOT;
		const uint32_t u = is_root ? 0 : e->own[l->up[p]];
		const int64_t loss = e->loss[l->start[p] + (uint64_t)u * l->cells[p] + e->own[p]];
		c.full += loss;
		if (likely_knows(s, p))
			c.loss += is_root || likely_knows(s, l->up[p]) ? loss
			                                               : e->least[l->cell_start[p] + e->own[p]];
	}
	return c;
}

void symcf_likely_begin(symcf_likely_cover *e, uint32_t exactly)
{
	for (uint32_t p = 0; p < e->l->n; p++)
		e->rank[p] = -1;
	e->exactly = exactly;
	e->pending = 0;
	e->depth = 0;
	e->choices[0] = first_choice(e, &(likely_part){.rank = e->rank});
	e->node[0] = (likely_node){0, 1, 0};
	e->done = e->slack < 0 || likely_reach(e, 0, exactly ? exactly : e->most_changes) < e->deficit;
}

/* Does the set of the first `size` members without number `skip` do it, or a part of that? The list above
 * `first` is free. */
static symcf_status does_without(symcf_likely_cover *e, uint32_t size, uint32_t skip,
                                 uint64_t first, symcf_control *control, bool *does)
{
	const uint64_t stride = likely_stride(e);
	int64_t more = 0;
	for (uint32_t i = 0; i < size; i++)
		more += i == skip ? 0 : e->best[e->member[i]];
	*does = false;
	if (more < e->deficit)
		return SYMCF_OK;
	likely_part s = {.rank = e->tried, .known = UINT64_MAX};
	for (uint32_t p = 0; p < e->l->n; p++)
		e->tried[p] = -1;
	for (uint32_t i = 0; i < size; i++)
		s.known &= i == skip ? UINT64_MAX : ~(UINT64_C(1) << e->member[i]);
	TRY(symcf_likely_grow(e, first + 1));
	e->choices[first] = first_choice(e, &s);
	uint64_t count = 1;
	for (uint32_t i = 0; i < size && count; i++) {
		if (i == skip)
			continue;
		const uint32_t p = e->member[i];
		more -= e->best[p];
		likely_extension x = {
			.more = more, .fall = e->fall[e->turn[p]], .stays = true, .first = first + count};
		likely_place at;
		symcf_likely_look(e, &s, p, &at);
		TRY(symcf_likely_extend(e, &s, &at, first, count, &x));
		*does = x.reached;
		if (x.reached)
			return SYMCF_OK;
		TRY(tick_for(x.count, control));
		e->tried[p] = (int32_t)s.depth++;
		s.known |= UINT64_C(1) << p;
		TRY(symcf_likely_thin(e, &s, x.first, &x.count, control));
		memmove(e->choices + first, e->choices + x.first, x.count * sizeof *e->choices);
		memmove(e->cells + first * stride, e->cells + x.first * stride,
		        x.count * stride * sizeof *e->cells);
		count = x.count;
	}
	return SYMCF_OK;
}

/* The set of the first `size` members does it; is it minimal? The last choice below `first` does it. */
static symcf_status is_minimal(symcf_likely_cover *e, uint32_t size, uint64_t first,
                               symcf_control *control, bool *minimal)
{
	const likely_part s = {.rank = e->rank, .known = UINT64_MAX};
	const likely_choice c = e->choices[first - 1];
	const uint8_t *cells = e->cells + (first - 1) * likely_stride(e);
	*minimal = false;
	for (uint32_t i = 0; i < size;
	     i++) { /* soon seen: the same choice with one feature taken back */
		const uint32_t p = e->member[i], v = cells[i];
		if (c.gain - e->cell_gain[e->l->cell_start[p] + v] < e->deficit)
			continue;
		likely_place at;
		symcf_likely_look(e, &s, p, &at);
		int64_t full = c.full - at.full[v];
		for (uint32_t k = 0; k < at.n_links; k++) {
			const likely_bond *to = &at.links[k];
			const int64_t *table = to->table + cells[to->rank] * to->other;
			full += table[at.own * to->step] - table[v * to->step];
		}
		if (full <= e->slack)
			return SYMCF_OK;
	}
	bool does = false;
	for (uint32_t i = size; i-- > 0 && !does;)
		TRY(does_without(e, size, i, first, control, &does));
	*minimal = !does;
	return SYMCF_OK;
}

static uint64_t mask_of(const symcf_likely_cover *e, uint32_t size)
{
	uint64_t mask = 0;
	for (uint32_t i = 0; i < size; i++)
		mask |= UINT64_C(1) << (e->l->n - 1 - e->l->feature[e->member[i]]);
	return mask;
}

/* Decides the next turn of the node. ensures: *found is a minimal set, or 0. */
static symcf_status step(symcf_likely_cover *e, symcf_control *control, uint64_t *found)
{
	likely_node *here = &e->node[e->depth];
	const uint32_t p = e->position[here->turn], size = e->depth + 1;
	const uint32_t most = e->exactly ? e->exactly : e->most_changes;
	likely_part s = {.rank = e->rank, .known = e->known_at[here->turn], .depth = e->depth};
	likely_extension x = {.fall = e->fall[here->turn + 1], .first = here->first + here->count};
	likely_place at;
	*found = 0;
	symcf_likely_look(e, &s, p, &at);
	if (size <= most && e->option_start[p + 1] > e->option_start[p]) {
		x.more = likely_reach(e, here->turn + 1, most - size);
		TRY(symcf_likely_extend(e, &s, &at, here->first, here->count, &x));
	}
	TRY(tick_for(x.count, control));
	here->count = symcf_likely_leave(e, &s, &at, here->first, here->count,
	                                 likely_reach(e, ++here->turn, most - s.depth));
	if (!x.count)
		return SYMCF_OK;
	e->member[s.depth] = p;
	e->rank[p] = (int32_t)s.depth++;
	s.known |= UINT64_C(1) << p;
	if (x.reached || size == most || here->turn == e->l->n) {
		bool minimal = false;
		symcf_status status = SYMCF_OK;
		if (x.reached && (!e->exactly || size == e->exactly))
			status = is_minimal(e, size, x.first + x.count, control, &minimal);
		e->rank[p] = -1;
		*found = minimal ? mask_of(e, size) : 0;
		return status;
	}
	e->node[++e->depth] = (likely_node){x.first, x.count, here->turn};
	return symcf_likely_thin(e, &s, x.first, &e->node[e->depth].count, control);
}

/* The next minimal set; 0 if there is none. */
static symcf_status next_set(symcf_likely_cover *e, symcf_control *control, uint64_t *found)
{
	*found = e->pending;
	e->pending = 0;
	while (!*found && !e->done) {
		const likely_node *here = &e->node[e->depth];
		if (here->count && here->turn < e->l->n) {
			TRY(step(e, control, found));
		} else if (e->depth) {
			e->rank[e->member[--e->depth]] = -1;
		} else {
			e->done = true;
		}
	}
	return SYMCF_OK;
}

symcf_status symcf_likely_cover_next_masks(symcf_likely_cover *e, symcf_control *control,
                                           uint64_t limit, cover_masks *masks)
{
	for (;; limit--) {
		uint64_t found;
		TRY(next_set(e, control, &found));
		if (!found)
			return SYMCF_OK;
		if (!limit) {
			e->pending = found;
			return SYMCF_MORE;
		}
		if (!symcf_grow(&masks->mask, &masks->capacity, masks->count + 1, sizeof *masks->mask))
			return symcf_no_memory();
		masks->mask[masks->count++] = found;
		masks->n_features += (uint64_t)__builtin_popcountll(found);
	}
}

static symcf_status push(const symcf_likely_cover *e, uint64_t mask, symcf_sets *sets)
{
	uint32_t features[COVER_MASKED], size = 0;
	for (uint32_t j = 0; j < e->l->n; j++)
		if (mask >> (e->l->n - 1 - j) & 1)
			features[size++] = j;
	return symcf_sets_push(sets, features, size);
}

symcf_status symcf_likely_cover_next(symcf_likely_cover *e, symcf_control *control, uint64_t limit,
                                     symcf_sets *sets)
{
	for (;; limit--) {
		uint64_t found;
		TRY(next_set(e, control, &found));
		if (!found)
			return SYMCF_OK;
		if (!limit) {
			e->pending = found;
			return SYMCF_MORE;
		}
		TRY(push(e, found, sets));
	}
}

symcf_status symcf_likely_cover_best(symcf_likely_cover *e, uint64_t k, symcf_control *control,
                                     symcf_sets *sets)
{
	const uint64_t n_sets = sets->n_sets, n_features = sets->n_features;
	symcf_status status = SYMCF_OK;
	for (uint32_t size = 1; size <= e->most_changes && !status; size++) {
		if (sets->n_sets - n_sets >= k)
			break;
		symcf_likely_begin(e, size);
		status = symcf_likely_cover_next(e, control, UINT64_MAX, sets);
	}
	symcf_likely_begin(e, 0);
	if (!status)
		status = symcf_sets_sort_from(sets, n_sets, NULL, control);
	if (status) {
		sets->n_sets = n_sets;
		sets->n_features = n_features;
	} else if (sets->n_sets - n_sets > k) {
		sets->n_sets = n_sets + k;
		sets->n_features = sets->n_sets ? sets->end[sets->n_sets - 1] : 0;
	}
	return status;
}
