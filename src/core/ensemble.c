/* ensemble.c: decision trees whose leaves are added up, prepared for questions without a diagram.
 *
 * A split of the caller says for each code where it goes. Here it becomes a cut on the line of the
 * feature's codes. Codes at one end of the line that break this for some split are special codes. If
 * there would be more than 64 of them, a split becomes several nodes, one per run of codes, which
 * share their children. */
#include "ensemble.h"

#include <assert.h>
#include <string.h>

#include "memory.h"
#include "tree_sums.h"
#include "try.h"

/* Where the run of equal entries that begins at v ends. requires: v < d, entries 0 or 1. */
static uint32_t run_end(const uint8_t *goes, uint32_t v, uint32_t d)
{
	const uint8_t *end = memchr(goes + v, !goes[v], d - v);
	return end ? (uint32_t)(end - goes) : d;
}

/* The code from which on a split of d codes is no longer two runs; d if it always is. */
static uint32_t two_runs(const uint8_t *goes, uint32_t d)
{
	const uint32_t one = run_end(goes, 0, d);
	return one < d ? run_end(goes, one, d) : d;
}

/* The same from the last code on: how many codes are in two runs. */
static uint32_t two_runs_backwards(const uint8_t *goes, uint32_t d)
{
	uint32_t v = 1;
	while (v < d && goes[d - 1 - v] == goes[d - 1])
		v++;
	while (v < d && goes[d - 1 - v] != goes[d - 1])
		v++;
	return v;
}

/* Which codes are special: by feature, the most codes after, or before, the two runs of a split. */
static symcf_status find_special(symcf_ensemble *e, const symcf_trees *t, uint32_t *before,
                                 symcf_control *control)
{
	for (uint64_t u = 0; u < t->start[t->n_trees]; u++) {
		const int32_t j = t->feature[u];
		if (j < 0)
			continue;
		const uint8_t *goes = t->left_values + t->left_start[u];
		const uint32_t d = t->n_values[j], after = d - two_runs(goes, d);
		if (after) {
			const uint32_t first = d - two_runs_backwards(goes, d);
			e->n_special[j] = after > e->n_special[j] ? after : e->n_special[j];
			before[j] = first > before[j] ? first : before[j];
		}
		TRY(symcf_tick(control, 20 + d / 4));
	}
	for (uint32_t j = 0; j < e->n; j++) {
		const bool leading = before[j] < e->n_special[j];
		const uint32_t fewest = leading ? before[j] : e->n_special[j];
		e->n_special[j] = fewest > ENSEMBLE_MOST_SPECIAL ? 0 : fewest;
		before[j] = leading ? e->n_special[j] : 0;
	}
	return SYMCF_OK;
}

static void place_codes(symcf_ensemble *e, const uint32_t *before)
{
	for (uint32_t j = 0; j < e->n; j++) {
		const uint32_t d = e->value_offset[j + 1] - e->value_offset[j], s = e->n_special[j];
		const uint32_t first = before[j] ? 0 : d - s; /* special code */
		uint32_t *place = e->place + e->value_offset[j], *code = e->code + e->value_offset[j];
		e->n_line[j] = d - s;
		for (uint32_t v = 0; v < d; v++) {
			const bool special = v >= first && v - first < s;
			const uint32_t at = special ? v - first : v < first ? v : v - s;
			place[v] = special ? ENSEMBLE_SPECIAL | at : at;
			code[special ? e->n_line[j] + at : at] = v;
		}
	}
}

/* Counts, or writes if there are nodes, what becomes of an inner node: a node per run of the line but
 * the last. Low is where the run goes; the special codes that go there as well part at the first chance. */
static uint32_t split(symcf_ensemble *e, const uint8_t *goes, uint32_t j, uint32_t at,
                      uint32_t left, uint32_t right)
{
	const uint32_t *code = e->code + e->value_offset[j], d = e->n_line[j], first = at;
	const uint8_t *line = goes + code[0]; /* its codes are neighbours */
	uint64_t lefts = 0;
	for (uint32_t b = 0; b < e->n_special[j]; b++)
		lefts |= (uint64_t)goes[code[d + b]] << b;
	for (uint32_t v = 0, end, last = 0; !last; v = end, at++) {
		const bool is_left = line[v];
		end = run_end(line, v, d);
		last = end == d || run_end(line, end, d) == d;
		if (e->nodes)
			e->nodes[at] = (ensemble_node){.feature = (int32_t)j,
			                               .cut = end,
			                               .low = is_left ? left : right,
			                               .high = !last     ? at + 1
			                                       : is_left ? right
			                                                 : left,
			                               .special = is_left ? lefts : ~lefts};
	}
	return at - first;
}

/* Where each of the caller's nodes goes in ours: where[u], and one more. */
static symcf_status place_nodes(symcf_ensemble *e, const symcf_trees *t, uint32_t *where,
                                symcf_control *control)
{
	uint64_t total = 0;
	for (uint64_t u = 0; u < t->start[t->n_trees]; u++) {
		const int32_t j = t->feature[u];
		where[u] = (uint32_t)total;
		total += j < 0 ? 1 : split(e, t->left_values + t->left_start[u], (uint32_t)j, 0, 0, 0);
		e->n_leaves += j < 0;
		if (total >= UINT32_MAX)
			return SYMCF_OVERFLOW;
		TRY(symcf_tick(control, 20 + (j < 0 ? 0 : t->n_values[j] / 4)));
	}
	e->n_nodes = (uint32_t)total;
	return SYMCF_OK;
}

static void write_nodes(symcf_ensemble *e, const symcf_trees *t, const int64_t *scores,
                        const uint32_t *where)
{
	uint32_t leaf = 0;
	for (uint32_t i = 0; i < t->n_trees; i++) {
		const uint64_t first = t->start[i];
		e->root[i] = where[first];
		for (uint64_t u = first; u < t->start[i + 1]; u++) {
			const int32_t j = t->feature[u];
			if (j >= 0) {
				split(e, t->left_values + t->left_start[u], (uint32_t)j, where[u],
				      where[first + (uint64_t)t->left[u]], where[first + (uint64_t)t->right[u]]);
				continue;
			}
			e->nodes[where[u]] = (ensemble_node){.feature = -1, .low = leaf};
			memcpy(e->score + (uint64_t)leaf * e->n_classes, scores + u * e->n_classes,
			       e->n_classes * sizeof *scores);
			leaf++;
		}
	}
}

/* Any sum of differences of leaves fits with bits to spare. */
static bool fits(const symcf_trees *t, uint32_t n_classes, const int64_t *scores)
{
	const int64_t most = (int64_t)1 << 62;
	int64_t total = 0;
	for (uint32_t i = 0; i < t->n_trees; i++) {
		int64_t least = INT64_MAX, largest = INT64_MIN;
		for (uint64_t u = t->start[i]; u < t->start[i + 1]; u++)
			for (uint32_t k = 0; t->feature[u] == -1 && k < n_classes; k++) {
				const int64_t score = scores[u * n_classes + k];
				if (score <= -most || score >= most)
					return false;
				least = score < least ? score : least;
				largest = score > largest ? score : largest;
			}
		if (largest >= least && largest - least >= most - total)
			return false;
		total += largest >= least ? largest - least : 0;
	}
	return true;
}

static void lay_out(arena *a, symcf_ensemble *e)
{
	const uint64_t values = e->value_offset ? e->value_offset[e->n] : 0;
	e->place = symcf_arena_take(a, values, sizeof *e->place);
	e->code = symcf_arena_take(a, values, sizeof *e->code);
	e->n_line = symcf_arena_take(a, e->n, sizeof *e->n_line);
	e->n_special = symcf_arena_take(a, e->n, sizeof *e->n_special);
	e->root = symcf_arena_take(a, e->n_trees, sizeof *e->root);
}

static symcf_status build(symcf_ensemble *e, const symcf_trees *t, const int64_t *scores,
                          uint32_t *before, uint32_t *where, symcf_control *control)
{
	memset(e->n_special, 0, e->n * sizeof *e->n_special);
	TRY(find_special(e, t, before, control));
	place_codes(e, before);
	TRY(place_nodes(e, t, where, control));
	e->nodes = symcf_allocate(e->n_nodes, sizeof *e->nodes);
	e->score = symcf_allocate(e->n_leaves * e->n_classes, sizeof *e->score);
	if (!e->nodes || !e->score)
		return symcf_no_memory();
	write_nodes(e, t, scores, where);
	return SYMCF_OK;
}

static symcf_status open_ensemble(symcf_ensemble *e, const symcf_trees *t, const int64_t *scores,
                                  symcf_control *control)
{
	uint64_t values = 0;
	e->value_offset = symcf_allocate((uint64_t)e->n + 1, sizeof *e->value_offset);
	if (!e->value_offset)
		return symcf_no_memory();
	for (uint32_t j = 0; j <= e->n; j++) {
		e->value_offset[j] = (uint32_t)values;
		values += j < e->n ? t->n_values[j] : 0;
		if (values >= ENSEMBLE_SPECIAL)
			return SYMCF_OVERFLOW;
	}
	lay_out(&e->arena, e);
	TRY(symcf_arena_open(&e->arena));
	lay_out(&e->arena, e);
	uint32_t *before = symcf_allocate_zeroed(e->n, sizeof *before);
	uint32_t *where = symcf_allocate(t->start[t->n_trees], sizeof *where);
	const symcf_status status =
		before && where ? build(e, t, scores, before, where, control) : symcf_no_memory();
	symcf_free(before);
	symcf_free(where);
	return status;
}

symcf_status symcf_ensemble_create(const symcf_trees *t, uint32_t n_classes, const int64_t *scores,
                                   bool later_wins, symcf_control *control, const char **reason,
                                   symcf_ensemble **out)
{
	if ((*reason = symcf_tree_sums_wrong(t)))
		return SYMCF_INVALID;
	if (n_classes < 2) {
		*reason = "there are fewer than two classes";
		return SYMCF_INVALID;
	}
	if (!fits(t, n_classes, scores))
		return SYMCF_OVERFLOW;
	symcf_ensemble *e = symcf_allocate_zeroed(1, sizeof *e);
	if (!e)
		return symcf_no_memory();
	e->n = t->n;
	e->n_trees = t->n_trees;
	e->n_classes = n_classes;
	e->later_wins = later_wins;
	const symcf_status status = open_ensemble(e, t, scores, control);
	if (status)
		symcf_ensemble_free(e);
	else
		*out = e;
	return status;
}

void symcf_ensemble_free(symcf_ensemble *e)
{
	if (!e)
		return;
	symcf_free(e->value_offset);
	symcf_free(e->nodes);
	symcf_free(e->score);
	symcf_arena_close(&e->arena);
	symcf_free(e);
}

uint64_t symcf_ensemble_leaves(const symcf_ensemble *e)
{
	return e->n_leaves;
}

/* ------------------------------------------------------------------- decisions --------------- */

static const int64_t *scores_of(const symcf_ensemble *e, uint32_t tree, const uint32_t *x)
{
	const ensemble_node *u = &e->nodes[e->root[tree]];
	while (u->feature >= 0) {
		const uint32_t place = e->place[e->value_offset[u->feature] + x[u->feature]];
		const ensemble_range low = {0, u->cut, u->special};
		u = &e->nodes[ensemble_holds(low, place) ? u->low : u->high];
	}
	return e->score + (uint64_t)u->low * e->n_classes;
}

/* The lead of class a over class b. */
static int64_t lead(const symcf_ensemble *e, const uint32_t *x, uint32_t a, uint32_t b)
{
	int64_t sum = 0;
	for (uint32_t t = 0; t < e->n_trees; t++) {
		const int64_t *score = scores_of(e, t, x);
		sum += score[a] - score[b];
	}
	return sum;
}

uint32_t symcf_ensemble_decide(const symcf_ensemble *e, const uint32_t *x)
{
	enum { BLOCK = 64 };
	int64_t sum[BLOCK] = {0};
	if (e->n_classes > BLOCK) { /* rare: a walk per class, without memory */
		uint32_t best = 0;
		for (uint32_t k = 1; k < e->n_classes; k++)
			if (lead(e, x, k, best) >= !ensemble_wins_ties(e, k, best))
				best = k;
		return best;
	}
	for (uint32_t t = 0; t < e->n_trees; t++) {
		const int64_t *score = scores_of(e, t, x);
		for (uint32_t k = 0; k < e->n_classes; k++)
			sum[k] += score[k];
	}
	uint32_t best = 0;
	for (uint32_t k = 1; k < e->n_classes; k++)
		if (sum[k] - sum[best] >= !ensemble_wins_ties(e, k, best))
			best = k;
	return best;
}
