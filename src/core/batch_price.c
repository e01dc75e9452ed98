/* batch_price.c: rows whose costs depend on the new values.
 *
 * What a row's values cost is worked out once per row: of the values that are one to the core, the
 * cheapest that may be taken counts. Then a set costs what the chooser says (choose.c), and the k
 * cheapest come from there as well, where sums decide.
 *
 * Where a diagram decides, the k cheapest are found by a lower bound: with every feature at the cost
 * of its cheapest change, a set costs no more than it really does. So the first sets by that bound are
 * priced, and if k of them come no later than the last one's bound, these are the k cheapest. Otherwise
 * twice as many are asked for. */
#include <string.h>

#include "batch.h"
#include "cover.h"
#include "memory.h"
#include "try.h"

symcf_status symcf_batch_open_prices(batch_worker *w)
{
	const symcf_batch *b = w->b;
	if (!b->request.price)
		return SYMCF_OK;
	const uint32_t n_codes = b->value_offset[b->rows.n];
	w->chooser = symcf_allocate_zeroed(b->classifier.n_classes, sizeof *w->chooser);
	w->value_cost = symcf_allocate(n_codes, sizeof *w->value_cost);
	w->value_name = symcf_allocate(n_codes, sizeof *w->value_name);
	w->lower = symcf_allocate(b->rows.n, sizeof *w->lower);
	return w->chooser && w->value_cost && w->value_name && w->lower ? SYMCF_OK : symcf_no_memory();
}

void symcf_batch_close_prices(batch_worker *w)
{
	for (uint32_t k = 0; w->chooser && k < w->b->classifier.n_classes; k++)
		symcf_chooser_free(w->chooser[k]);
	symcf_free(w->chooser);
	symcf_free(w->value_cost);
	symcf_free(w->value_name);
	symcf_free(w->lower);
	symcf_sets_free_arrays(&w->first);
	symcf_free(w->price);
	symcf_free(w->keyed);
}

/* ---------------------------------------------------------------------- values --------------- */

static bool is_on(const symcf_price *p, uint32_t value)
{
	return p->low[value] <= p->high[value];
}

/* What a change of a feature costs. place: of the row, if the price has one. */
static int64_t price_of(const symcf_price *p, uint32_t d, uint32_t old, uint32_t new, int64_t place)
{
	if (p->table)
		return p->table[(uint64_t)old * d + new];
	if (!p->low || place == INT64_MIN || !is_on(p, old) || !is_on(p, new))
		return p->flat;
	const int64_t up = p->low[new] - place, down = place - p->high[new];
	const int64_t way = up > down ? up : down;
	return (way > 1 ? way : 1) * p->step;
}

static bool may_become(const symcf_batch *b, uint32_t j, uint32_t at, uint32_t old, uint32_t new)
{
	const uint8_t *direction = b->request.direction;
	if (new == old || (b->request.allowed && !b->request.allowed[at + new]))
		return false;
	return !direction || direction[j] == SYMCF_ANY ||
	       (direction[j] == SYMCF_UP ? new > old : new < old);
}

static void price_feature(batch_worker *w, uint64_t row, uint32_t j)
{
	const symcf_batch *b = w->b;
	const symcf_rows *rows = &b->rows;
	const symcf_price *p = &b->request.price[j];
	const uint32_t *offset = rows->group ? rows->value_offset : b->value_offset;
	const uint32_t d = offset[j + 1] - offset[j], core = b->value_offset[j];
	const uint32_t old = rows->group ? w->values[j] : w->x[j];
	int64_t place = p->low ? p->low[old] : 0, least = INT64_MAX, any = INT64_MAX;
	if (p->low && p->place != SYMCF_NO_PLACES)
		place = b->request.place[row * b->request.n_places + p->place];
	for (uint32_t code = core; code < b->value_offset[j + 1]; code++)
		w->value_cost[code] = -1;
	for (uint32_t v = 0; v < d; v++) {
		if (v == old)
			continue;
		const int64_t cost = price_of(p, d, old, v, place);
		any = cost < any ? cost : any;
		if (!may_become(b, j, offset[j], old, v))
			continue;
		const uint32_t code = core + (rows->group ? rows->group[offset[j] + v] : v);
		least = cost < least ? cost : least;
		if (w->value_cost[code] < 0 || cost < w->value_cost[code]) {
			w->value_cost[code] = cost;
			w->value_name[code] = v;
		}
	}
	w->lower[j] = least < INT64_MAX ? least : any < INT64_MAX ? any : 1;
}

symcf_status symcf_batch_price_row(batch_worker *w, uint64_t row, uint32_t class)
{
	const symcf_batch *b = w->b;
	const symcf_options options = {.cost = w->value_cost, .name = w->value_name};
	for (uint32_t j = 0; j < b->rows.n; j++)
		price_feature(w, row, j);
	w->query.cost = w->lower;
	if (!w->chooser[class])
		TRY(symcf_chooser_open(&b->request.aims[class], b->rows.n, b->value_offset,
		                       &w->chooser[class]));
	symcf_chooser_reset(w->chooser[class], w->x, &options);
	return symcf_tick(w->control, 4 * b->value_offset[b->rows.n]);
}

/* ------------------------------------------------------------------------ sets --------------- */

/* Prices the sets from `first` on. */
static symcf_status price_sets(batch_worker *w, uint32_t class, const symcf_sets *sets,
                               uint64_t first)
{
	if (!symcf_grow(&w->price, &w->cap_price, sets->n_sets - first + 1, sizeof *w->price))
		return symcf_no_memory();
	for (uint64_t i = first, start = first ? sets->end[first - 1] : 0; i < sets->n_sets;
	     start = sets->end[i++]) {
		const symcf_status status =
			symcf_choose(w->chooser[class], sets->features + start,
			             (uint32_t)(sets->end[i] - start), w->control, NULL, &w->price[i - first]);
		if (status)
			return status == SYMCF_INVALID ? SYMCF_INTERNAL : status; /* each set flips */
	}
	return SYMCF_OK;
}

symcf_status symcf_batch_sort_priced(batch_worker *w, uint32_t class, uint64_t first)
{
	TRY(price_sets(w, class, &w->sets, first));
	return symcf_sets_sort_priced(&w->sets, first, w->price, w->control);
}

/* ------------------------------------------------------------------------ keys --------------- */

/* A set as a key (cover_masks.c), and what it costs. */
typedef struct priced_key {
	int64_t cost;
	uint64_t key;
} priced_key;

static bool comes_before(const priced_key *a, const priced_key *b, void *unused)
{
	(void)unused;
	return a->cost != b->cost ? a->cost < b->cost : a->key < b->key;
}

#define SORT_NAME sort_keys
#define SORT_TYPE priced_key
#define SORT_BEFORE comes_before
#include "sort.h"

/* What a set costs whose features are the bits of a mask, feature 0 the highest of n. */
static symcf_status price_mask(batch_worker *w, uint32_t class, uint64_t mask, int64_t *cost)
{
	const uint32_t n = w->b->rows.n;
	uint32_t features[COVER_MASKED], size = 0;
	int64_t sum = 0;
	for (uint64_t left = mask << (64 - n); left;
	     left &= ~(UINT64_C(1) << (63 - features[size++]))) {
		features[size] = (uint32_t)__builtin_clzll(left);
		sum += w->b->request.price ? 0 : w->query.cost[features[size]];
	}
	*cost = sum;
	if (!w->b->request.price)
		return SYMCF_OK;
	const symcf_status status =
		symcf_choose(w->chooser[class], features, size, w->control, NULL, cost);
	return status == SYMCF_INVALID ? SYMCF_INTERNAL : status; /* each set flips */
}

symcf_status symcf_batch_sort_priced_keys(batch_worker *w, uint32_t class, uint64_t first)
{
	const uint32_t n = w->b->rows.n;
	const uint64_t count = w->masks.count - first, all = (UINT64_C(1) << n) - 1;
	uint64_t *key = w->masks.mask + first;
	if (count < 2)
		return SYMCF_OK;
	if (!symcf_grow(&w->keyed, &w->cap_keyed, 2 * count, sizeof *w->keyed))
		return symcf_no_memory();
	for (uint64_t i = 0; i < count; i++) {
		w->keyed[i].key = key[i];
		TRY(price_mask(w, class, ~key[i] & all, &w->keyed[i].cost));
		TRY(symcf_tick(w->control, 40));
	}
	TRY(sort_keys(w->keyed, w->keyed + count, count, NULL, w->control));
	for (uint64_t i = 0; i < count; i++)
		key[i] = w->keyed[i].key;
	return SYMCF_OK;
}

/* -------------------------------------------------------------- diagrams --------------------- */

/* Does set i, at its price, come no later than a set of this bound, size and these features? */
static bool is_final(const batch_worker *w, uint64_t i, int64_t price, int64_t bound,
                     const uint32_t *features, uint32_t size)
{
	const symcf_sets *s = &w->first;
	const uint64_t start = i ? s->end[i - 1] : 0;
	const uint32_t own = (uint32_t)(s->end[i] - start);
	if (price != bound)
		return price < bound;
	if (own != size)
		return own < size;
	for (uint32_t f = 0; f < size; f++)
		if (s->features[start + f] != features[f])
			return s->features[start + f] < features[f];
	return true;
}

/* The first `count` sets by lower costs, in order of what they really cost. ensures: *done if the
 * first k are the cheapest of all. */
static symcf_status rank_first(batch_worker *w, uint32_t class, uint64_t count, uint64_t k,
                               bool *done)
{
	symcf_sets *s = &w->first;
	symcf_sets_clear(s);
	if (w->b->engine == BY_WITHIN)
		TRY(symcf_within_best(w->within, count, w->control, s));
	else
		TRY(symcf_minimal_best(w->minimal[w->which], w->lower, count, w->control, s));
	TRY(price_sets(w, class, s, 0));
	*done = s->n_sets < count;
	if (!*done) { /* how many come no later than the bound of the last? */
		const uint64_t last = s->n_sets - 1, start = last ? s->end[last - 1] : 0;
		int64_t bound = 0;
		uint64_t final = 0;
		for (uint64_t f = start; f < s->end[last]; f++)
			bound += w->lower[s->features[f]];
		for (uint64_t i = 0; i < s->n_sets; i++)
			final += is_final(w, i, w->price[i], bound, s->features + start,
			                  (uint32_t)(s->end[last] - start));
		*done = final >= k;
	}
	return *done ? symcf_sets_sort_priced(s, 0, w->price, w->control) : SYMCF_OK;
}

symcf_status symcf_batch_best_priced(batch_worker *w, uint32_t class, uint64_t k)
{
	if (w->b->engine == BY_COVER || w->b->engine == BY_MULTICLASS_COVER)
		return symcf_choose_best(w->chooser[class], w->query.max_changes, k, w->control, &w->sets);
	bool done = !k;
	for (uint64_t count = k; !done; count = count < UINT64_MAX / 2 ? 2 * count : UINT64_MAX)
		TRY(rank_first(w, class, count, k, &done));
	const symcf_sets *s = &w->first;
	for (uint64_t i = 0, start = 0; k && i < s->n_sets && i < k; start = s->end[i++])
		TRY(symcf_sets_push(&w->sets, s->features + start, (uint32_t)(s->end[i] - start)));
	return SYMCF_OK;
}
