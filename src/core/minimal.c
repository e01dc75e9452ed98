/* minimal.c: all minimal change sets over any decision diagram, without listing them.
 *
 * The problem. Given a frozen diagram, an instance x and the sink it should end in, find every set
 * of features that can be changed so that it does, and no proper subset of which can.
 *
 * The idea. Let F(u) be the family of these sets for the part of the diagram below node u, which
 * tests feature j at level k. A set without j follows x at u; a set with j goes on from one of the
 * children that x_j may move to. So, as a ZDD over the levels of the diagram (see zdd.c),
 *
 *   F(sink) = { {} },  F(other sink) = { },
 *   F(u) = lo: F(child for x_j)
 *          hi: the minimal members of all F(child for v), v a move of x_j,
 *              without the supersets of members of lo.
 *
 * A set with j never makes one without j superfluous, and S + j is not minimal exactly if S is not
 * minimal among the sets with j or contains a set without j. Features of skipped levels make no
 * difference and are in no minimal set. Nodes come after their children in the arrays, so this is
 * one loop from the bottom over the nodes that x can get to, and equal families are one ZDD node.
 *
 * Bounded size. Let least(u) be the fewest changes with which x gets to u. With max_changes = b, of
 * F(u) only the sets with at most b - least(u) elements matter, and cut down to them the recursion
 * still holds. Nothing is missing: x gets to a child of u with at most least(u) changes, or with
 * least(u) + 1 if it moves. Nothing is too much: what makes a set superfluous is smaller than it,
 * and so was not cut.
 *
 * Sufficient reasons. Let R(u) be the family of the minimal sets of features that, fixed at their
 * values in x, keep every allowed row below u from the sink. In the same way,
 *
 *   R(sink) = { },  R(other sink) = { {} },
 *   R(u) = lo: the minimal sets that contain, for x_j and for each v that x_j may move to, a member
 *              of R(child for v)
 *          hi: R(child for x_j), without the supersets of members of lo.
 *
 * Change sets and reasons are each other's minimal hitting sets, so the order facts hold for both;
 * max_changes bounds the size of reasons, which are cut at the end.
 *
 * Diagrams of threshold functions are monotone in every feature, and much faster for it:
 * minimal_order.c. The family, once built, is asked in minimal_count.c (how many, draw some) and
 * minimal_best.c (the cheapest); listing is here, a depth-first walk, as no branch of a ZDD is
 * without a member.
 */
#include "minimal.h"

#include <assert.h>
#include <string.h>

#include "memory.h"

/* ------------------------------------------------------------ construction ------------------- */

static inline bool is_active(const symcf_minimal *e, uint32_t k)
{
	return e->move_start[k] < e->move_start[k + 1];
}

/* Appends the values that feature j, at level k, may change to and that may be of use for `sink`.
 * On an ordered level one is enough: the allowed one closest to the sink, if x is not closer. */
static uint32_t find_moves_at(const symcf_minimal *e, const symcf_query *q, uint32_t sink,
                              uint32_t k, uint32_t *move)
{
	const uint32_t j = e->d->order[k], arity = e->d->arity[k];
	const uint8_t *allowed = q->allowed ? q->allowed + e->value_offset[j] : NULL;
	const uint32_t *rising = e->rising + e->value_start[k];
	uint32_t used = 0;
	for (uint32_t i = 0; i < arity; i++) {
		const uint32_t nth = sink ? arity - 1 - i : i;
		const uint32_t v = minimal_is_ordered(e, k) ? rising[nth] : i;
		if (v != q->x[j] && (!allowed || allowed[v]))
			move[used++] = v;
		if (minimal_is_ordered(e, k) && (used > 0 || v == q->x[j]))
			break;
	}
	return used;
}

static void find_moves(symcf_minimal *e, const symcf_query *q, uint32_t sink)
{
	uint32_t used = 0;
	for (uint32_t k = 0; k < e->d->n; k++) {
		e->stay[k] = q->x[e->d->order[k]];
		e->move_start[k] = used;
		used += find_moves_at(e, q, sink, k, e->move + used);
	}
	e->move_start[e->d->n] = used;
	for (uint32_t k = e->d->n, next = e->d->n; k--; next = is_active(e, k) ? k : next)
		e->next_active[k] = next;
}

/* Notes that x gets to u with so many changes. */
static inline void reach(symcf_minimal *e, uint32_t u, uint32_t changes)
{
	uint64_t *const word = &e->reached[u / 64], bit = UINT64_C(1) << u % 64;
	if (!(*word & bit) || changes < e->at[u])
		e->at[u] = changes;
	*word |= bit;
}

/* The last node before u that x gets to; 0 if there is none. */
static inline uint32_t reached_before(const symcf_minimal *e, uint32_t u)
{
	uint32_t w = u / 64;
	uint64_t bits = e->reached[w] & ((UINT64_C(1) << u % 64) - 1);
	while (!bits && w > 0)
		bits = e->reached[--w];
	return bits ? 64 * w + 63 - (uint32_t)__builtin_clzll(bits) : 0;
}

/* The first node after u that x gets to. requires: u is before the root. */
static inline uint32_t reached_after(const symcf_minimal *e, uint32_t u)
{
	uint32_t w = (u + 1) / 64;
	uint64_t bits = e->reached[w] & ~UINT64_C(0) << (u + 1) % 64;
	while (!bits)
		bits = e->reached[++w];
	return 64 * w + (uint32_t)__builtin_ctzll(bits);
}

/* at[u] = the fewest changes with which x gets to u, if not more than max_changes. */
static symcf_status descend(symcf_minimal *e, uint32_t max_changes, symcf_control *control)
{
	const symcf_diagram *d = e->d;
	memset(e->reached, 0, words_for(d->n_nodes) * sizeof *e->reached);
	reach(e, d->root, 0);
	for (uint32_t u = d->root; u > 1; u = reached_before(e, u)) {
		const uint32_t *child = symcf_children(d, u), k = d->level[u], changes = e->at[u];
		const symcf_status status = symcf_tick(control, WORK_A_NODE);
		if (status != SYMCF_OK)
			return status;
		reach(e, child[e->stay[k]], changes);
		if (changes < max_changes)
			for (uint32_t i = e->move_start[k]; i < e->move_start[k + 1]; i++)
				reach(e, child[e->move[i]], changes + 1);
	}
	return SYMCF_OK;
}

/* Where x leads from u without further changes, before the next level that could be changed. */
static uint32_t skip_inactive(const symcf_minimal *e, uint32_t u)
{
	while (u > 1 && !is_active(e, e->d->level[u]))
		u = symcf_child(e->d, u, e->stay[e->d->level[u]]);
	return u;
}

/* Is the move at u, of level k, worth at least as much as one at the next active level? If so at
 * all nodes below as well, u is regular. */
static bool outranks_next(const symcf_minimal *e, uint32_t u, uint32_t k, uint32_t sink)
{
	const uint32_t *child = symcf_children(e->d, u), next = e->next_active[k];
	if (!minimal_is_ordered(e, k))
		return false;
	uint32_t stayed = skip_inactive(e, child[e->stay[k]]);
	uint32_t moved = skip_inactive(e, child[e->move[e->move_start[k]]]);
	if ((stayed > 1 && e->d->level[stayed] != next) || (moved > 1 && e->d->level[moved] != next))
		return false;
	if (stayed > 1)
		stayed = symcf_child(e->d, stayed, e->move[e->move_start[next]]);
	if (moved > 1)
		moved = symcf_child(e->d, moved, e->stay[next]);
	return sink ? minimal_is_below(e, stayed, moved) : minimal_is_below(e, moved, stayed);
}

/* F(u), of sets with at most `most` elements. */
static uint32_t family_of(symcf_minimal *e, uint32_t u, uint32_t most, bool regular)
{
	zdd *z = &e->z;
	const uint32_t k = e->d->level[u], *child = symcf_children(e->d, u);
	const uint32_t lo = symcf_zdd_at_most(z, e->at[child[e->stay[k]]], most);
	if (lo == ZDD_UNIT || lo == ZDD_FAILED || most == 0 || !is_active(e, k))
		return lo;
	const uint32_t *move = e->move + e->move_start[k], *end = e->move + e->move_start[k + 1];
	uint32_t hi = symcf_zdd_at_most(z, e->at[child[*move]], most - 1);
	while (++move < end && hi != ZDD_FAILED) {
		const uint32_t other = symcf_zdd_at_most(z, e->at[child[*move]], most - 1);
		hi = other == ZDD_FAILED ? other : symcf_zdd_minimal_union(z, hi, other);
	}
	if (!regular && hi != ZDD_FAILED)
		hi = minimal_is_ordered(e, k) ? symcf_zdd_difference(z, hi, lo)
		                              : symcf_zdd_nonsupersets(z, hi, lo);
	return symcf_zdd_make(z, k, lo, hi);
}

/* R(u). On an ordered level the one move is the worst that can become of the feature, staying
 * included. */
static uint32_t reasons_of(symcf_minimal *e, uint32_t u, bool regular)
{
	zdd *z = &e->z;
	const uint32_t k = e->d->level[u], *child = symcf_children(e->d, u);
	const uint32_t fixed = e->at[child[e->stay[k]]];
	if (!is_active(e, k))
		return fixed;
	const uint32_t *move = e->move + e->move_start[k], *end = e->move + e->move_start[k + 1];
	uint32_t freed = minimal_is_ordered(e, k) ? e->at[child[*move++]] : fixed;
	while (move < end && freed != ZDD_FAILED)
		freed = symcf_zdd_minimal_join(z, freed, e->at[child[*move++]]);
	if (freed == ZDD_UNIT || freed == ZDD_FAILED || regular)
		return freed == ZDD_UNIT ? freed : symcf_zdd_make(z, k, freed, fixed);
	return symcf_zdd_make(z, k, freed,
	                      minimal_is_ordered(e, k) ? symcf_zdd_difference(z, fixed, freed)
	                                               : symcf_zdd_nonsupersets(z, fixed, freed));
}

/* at[u] = F(u), or R(u) for reasons, for every u that was reached. */
static symcf_status ascend(symcf_minimal *e, uint32_t max_changes, bool reasons, uint32_t sink,
                           symcf_control *control)
{
	const symcf_diagram *d = e->d;
	bool regular = true; /* all nodes so far */
	e->at[sink] = reasons ? ZDD_EMPTY : ZDD_UNIT;
	e->at[!sink] = reasons ? ZDD_UNIT : ZDD_EMPTY;
	for (uint32_t u = 1; u < d->root;) {
		u = reached_after(e, u);
		const uint32_t k = d->level[u];
		const symcf_status status = symcf_tick(control, WORK_A_NODE);
		if (status != SYMCF_OK)
			return status;
		regular = regular && (!is_active(e, k) || outranks_next(e, u, k, sink));
		e->at[u] =
			reasons ? reasons_of(e, u, regular) : family_of(e, u, max_changes - e->at[u], regular);
		if (e->at[u] == ZDD_FAILED)
			return e->z.status;
	}
	return SYMCF_OK;
}

/* Cuts the arrays of construction and cursor out of one block. */
static bool allocate_arrays(symcf_minimal *e)
{
	const symcf_diagram *d = e->d;
	uint64_t n_values = 0;
	for (uint32_t k = 0; k < d->n; k++)
		n_values += d->arity[k];
	const uint64_t needed = d->n_nodes + 2 * n_values + 9 * (uint64_t)d->n + 2;
	const uint64_t n_chosen = words_for(d->n) + 1, n_reached = words_for(d->n_nodes);
	if (!symcf_zdd_grow(&e->z, &e->block, &e->cap_block, needed, sizeof *e->block) ||
	    !symcf_zdd_grow(&e->z, &e->chosen, &e->cap_chosen, n_chosen, sizeof *e->chosen) ||
	    !symcf_zdd_grow(&e->z, &e->reached, &e->cap_reached, n_reached, sizeof *e->reached))
		return false;
	e->at = e->block;
	e->rising = e->at + d->n_nodes;
	e->value_start = e->rising + n_values;
	e->trend = e->value_start + d->n + 1;
	e->stay = e->trend + d->n;
	e->move = e->stay + d->n;
	e->move_start = e->move + n_values;
	e->next_active = e->move_start + d->n + 1;
	e->rank = e->next_active + d->n;
	e->support = e->rank + d->n;
	e->member = e->support + d->n;
	e->path = e->member + d->n;
	e->value_start[0] = 0;
	for (uint32_t k = 0; k < d->n; k++)
		e->value_start[k + 1] = e->value_start[k] + d->arity[k];
	return true;
}

static symcf_status construct(symcf_minimal *e, const symcf_query *q, uint32_t sink,
                              symcf_control *control)
{
	symcf_status status = symcf_zdd_start(&e->z, e->d->n, control);
	if (status != SYMCF_OK)
		return status;
	find_moves(e, q, sink);
	const uint32_t changes = q->reasons ? UINT32_MAX : q->max_changes;
	status = descend(e, changes, control);
	if (status == SYMCF_OK)
		status = ascend(e, changes, q->reasons, sink, control);
	if (status != SYMCF_OK)
		return status;
	const uint32_t family = symcf_zdd_at_most(&e->z, e->at[e->d->root], q->max_changes);
	if (family == ZDD_FAILED)
		return e->z.status;
	e->root = symcf_zdd_compact(&e->z, family);
	return SYMCF_OK;
}

/* ----------------------------------------------------------- sets as bits -------------------- */

static void find_support(symcf_minimal *e)
{
	const symcf_diagram *d = e->d;
	uint32_t *const level_of = e->member, n_ranks = 0;
	memset(e->rank, 0, d->n * sizeof *e->rank);
	for (uint64_t f = ZDD_UNIT + 1; f < e->z.n_nodes; f++)
		e->rank[e->z.nodes[f].level] = 1;
	for (uint32_t k = 0; k < d->n; k++)
		level_of[d->order[k]] = k;
	for (uint32_t j = 0; j < d->n; j++) {
		uint32_t *const rank = &e->rank[level_of[j]];
		if (*rank) {
			*rank = n_ranks;
			e->support[n_ranks++] = j;
		}
	}
	e->n_words = words_for(n_ranks);
}

symcf_status symcf_minimal_push_bits(symcf_minimal *e, const uint64_t *bits, symcf_sets *sets)
{
	uint32_t used = 0;
	for (uint32_t w = 0; w < e->n_words; w++) {
		for (uint64_t left = bits[w]; left;) {
			const uint32_t first = (uint32_t)__builtin_clzll(left);
			e->member[used++] = e->support[64 * w + first];
			left ^= UINT64_C(1) << (63 - first);
		}
	}
	return symcf_sets_push(sets, e->member, used);
}

/* ------------------------------------------------------------------ cursor ------------------- */

/* Extends the path to the first member of f: the one that has each level it comes to. */
static void choose_first(symcf_minimal *e, uint32_t f)
{
	assert(f != ZDD_EMPTY);
	for (; f != ZDD_UNIT; f = e->z.nodes[f].hi) {
		e->path[e->size++] = f;
		minimal_flip(e->chosen, e->rank[e->z.nodes[f].level]);
	}
}

/* Moves on to the next member: the lowest node that can do without its level does. */
static void choose_next(symcf_minimal *e)
{
	while (e->size > 0) {
		const zdd_node *node = &e->z.nodes[e->path[--e->size]];
		minimal_flip(e->chosen, e->rank[node->level]);
		if (node->lo != ZDD_EMPTY) {
			choose_first(e, node->lo);
			return;
		}
	}
	e->at_end = true;
}

static void rewind_cursor(symcf_minimal *e)
{
	memset(e->chosen, 0, e->n_words * sizeof *e->chosen);
	e->size = 0;
	e->at_end = e->root == ZDD_EMPTY;
	if (!e->at_end)
		choose_first(e, e->root);
}

symcf_status symcf_minimal_next(symcf_minimal *e, symcf_control *control, uint64_t limit,
                                symcf_sets *sets)
{
	for (; !e->at_end; limit--) {
		if (limit == 0)
			return SYMCF_MORE;
		symcf_status status = symcf_tick(control, WORK_A_SET);
		if (status != SYMCF_OK ||
		    (status = symcf_minimal_push_bits(e, e->chosen, sets)) != SYMCF_OK)
			return status;
		choose_next(e);
	}
	return SYMCF_OK;
}

/* ----------------------------------------------------------- life and size ------------------- */

symcf_status symcf_minimal_reset(symcf_minimal *e, const symcf_query *q, uint32_t sink,
                                 symcf_control *control)
{
	assert(sink <= 1);
	e->width = 0;
	e->root = ZDD_EMPTY;
	const symcf_status status = construct(e, q, sink, control);
	if (control) {
		control->nodes = e->z.n_nodes;
		control->memory = e->z.bytes;
	}
	if (status != SYMCF_OK)
		symcf_zdd_compact(&e->z, ZDD_EMPTY);
	if (e->z.bytes > KEPT_BYTES + 8 * e->cap_block * sizeof *e->block)
		symcf_zdd_trim(&e->z);
	find_support(e);
	rewind_cursor(e);
	return status;
}

symcf_status symcf_minimal_open(const symcf_diagram *d, const uint32_t *value_offset,
                                const symcf_query *q, uint32_t sink, symcf_control *control,
                                symcf_minimal **out)
{
	symcf_minimal *e = symcf_allocate_zeroed(1, sizeof *e);
	if (!e)
		return symcf_no_memory();
	e->d = d;
	e->value_offset = value_offset;
	e->z.control = control;
	symcf_status status = allocate_arrays(e) ? symcf_minimal_find_order(e, control) : e->z.status;
	if (status == SYMCF_OK)
		status = symcf_minimal_reset(e, q, sink, control);
	if (status == SYMCF_OK)
		*out = e;
	else
		symcf_minimal_free(e);
	return status;
}

void symcf_minimal_free(symcf_minimal *e)
{
	if (!e)
		return;
	symcf_zdd_free_arrays(&e->z);
	symcf_free(e->block);
	symcf_free(e->chosen);
	symcf_free(e->reached);
	symcf_free(e->counts);
	symcf_free(e);
}

uint64_t symcf_minimal_size(const symcf_minimal *e)
{
	return e->z.n_nodes;
}
