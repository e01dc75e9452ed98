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
 * Order. Diagrams of threshold functions are monotone in every feature, and much faster for it.
 * Three facts are used where a look at the diagram, once an engine, proves them:
 *
 *   - The children of all nodes of a level rise, pointwise, in the same order of the values: the
 *     level is `ordered`. Then of all moves one is enough, the allowed value closest to the sink;
 *     and none, if x_j is closer. For whatever changes lead to the sink after another value, they
 *     do after this one. Most of the diagram is then never visited.
 *   - On an ordered level hi needs no search for supersets, plain difference will do: if T from lo
 *     is a subset of S from hi, T leads to the sink after the move as well, so T = S.
 *   - Let a move at u be worth as much as one at any active level (one with a move) below: trading
 *     the latter for the former never loses the sink. If this holds at u and below, u is `regular`
 *     and nothing has to be removed at all: if S from hi also did without the move, then the move
 *     and S without its last element would do, and S were not minimal. It is enough to compare
 *     each active level with the next. (Winder's preorder on variables is transitive, and a trade
 *     does not change the number of changes, so nodes beyond max_changes play no part.) Influence
 *     order makes every binary threshold function regular; F is then the diagram itself, redrawn.
 *
 * To prove f_a <= f_b for any two nodes without comparing all pairs, we use that the functions of
 * a level of a threshold function form a chain, and that symcf_compile writes them in that order:
 * a level has a `trend` if each node's children are in order with those of its neighbour.
 * Where that cannot be shown, nothing is assumed, and nonsupersets does the work.
 *
 * The questions. Members are listed by a depth-first walk (no branch of a ZDD is without a member),
 * counted by one addition a node, drawn uniformly by descending with one random number below the
 * count, and ranked by merging: adding the same feature to two sets does not change how they
 * compare by (cost, size, features), so the ranked list of a node is the merge of that of lo and
 * that of hi, each made only as far as it is asked for (as Jimenez and Marzal, "Computing the K
 * shortest paths", WAE 1999, do in graphs).
 *
 * What was tried, in ratios of the time to build a family (NB: a random naive Bayes classifier in
 * influence order unless said otherwise):
 *   - all order facts together: 15 for NB at n = 25;
 *   - difference for nonsupersets: 4.5 for NB at n = 25 in natural order, 80 for 50 features with
 *     weights 1 to 10 in natural order;
 *   - regular: nothing for NB at n = 25, 7 for 400 features with weights 1 to 10, 29 for 40 features
 *     with weights to a million (two million nodes);
 *   - a bit a node for those x gets to, rather than linked lists a level: 1.7;
 *   - frames rather than recursion on the C stack: 0.96, kept for its safety;
 *   - a BDD of the monotone hull of the change sets, minimal elements taken at the end: 1.1 to 1.4
 *     without the order facts; given up, as such BDDs can be exponential where F is small.
 */
#include <assert.h>
#include <string.h>

#include "count.h"
#include "memory.h"
#include "symcf.h"
#include "zdd.h"

enum {
	WORK_A_NODE = 5, /* in units of symcf_tick */
	WORK_A_SET = 20,
	KEPT_BYTES = 16 << 20 /* kept for the next instance, and a multiple of the diagram */
};

struct symcf_minimal {
	const symcf_diagram *d;
	const uint32_t *value_offset;
	zdd z;         /* after construction: the one family */
	uint32_t root; /* ... and its number                 */

	/* What is known of the diagram's order. */
	uint32_t *rising;      /* from value_start[k]: the values of level k, if ordered      */
	uint32_t *value_start; /* n + 1                                                       */
	uint32_t *trend;       /* by level                                                    */

	/* Construction. */
	uint32_t *at;          /* by diagram node: least(u) on the way down, F(u) on the way up */
	uint64_t *reached;     /* by diagram node, a bit: can x get there?                      */
	uint32_t *stay;        /* by level: the value of x                                      */
	uint32_t *move;        /* from move_start[k]: the values that level k moves to          */
	uint32_t *move_start;  /* n + 1                                                         */
	uint32_t *next_active; /* by level: the next level with moves; n: there is none         */

	/* Sets of features as bits: the features that occur are ranked by index, and rank r is bit
	 * 63 - r % 64 of word r / 64. */
	uint32_t *rank;    /* by level                    */
	uint32_t *support; /* by rank: the feature        */
	uint64_t n_words;  /* of a set                    */
	uint32_t *member;  /* a set's features, ascending */

	/* The cursor: the member to be listed next. */
	uint32_t *path; /* the nodes whose levels it has, from the top */
	uint32_t size;  /* how many                                    */
	bool at_end;    /* all were listed                             */
	uint64_t *chosen;

	/* How many members each node's family has; width limbs each. width 0: not counted yet. */
	uint64_t *counts;
	uint64_t cap_counts;
	size_t width;

	uint32_t *block; /* holds all arrays of uint32_t above */
	uint64_t cap_block, cap_chosen, cap_reached;
};

static inline uint64_t words_for(uint64_t n_bits)
{
	return (n_bits + 63) / 64;
}

/* ---------------------------------------------------------- what is monotone ----------------- */

/* Which way do the functions of a level's nodes go, in array order and pointwise? */
enum trend { NO_TREND, RISES, FALLS };

static inline bool is_ordered(const symcf_minimal *e, uint32_t k)
{
	return e->rising[e->value_start[k]] != UINT32_MAX;
}

/* Is f_a <= f_b, pointwise, by what is known of the levels of a, b and below? The greatest child of
 * an ordered node bounds it from above, the least from below. */
static inline bool is_below(const symcf_minimal *e, uint32_t a, uint32_t b)
{
	const symcf_diagram *d = e->d;
	for (;;) {
		if (a == b || a == 0 || b == 1)
			return true;
		if (a == 1 || b == 0)
			return false;
		const uint32_t at_a = d->level[a], at_b = d->level[b];
		if (at_a == at_b)
			return e->trend[at_a] == (a < b ? RISES : FALLS);
		if (!is_ordered(e, at_a < at_b ? at_a : at_b))
			return false;
		if (at_a < at_b)
			a = symcf_child(d, a, e->rising[e->value_start[at_a + 1] - 1]);
		else
			b = symcf_child(d, b, e->rising[e->value_start[at_b]]);
	}
}

/* Does every node from `first` up to `end` have a child for v below that for w? */
static bool value_is_below(const symcf_minimal *e, uint32_t first, uint32_t end, uint32_t v,
                           uint32_t w)
{
	for (uint32_t u = first; u < end; u++) {
		const uint32_t *child = symcf_children(e->d, u);
		if (!is_below(e, child[v], child[w]))
			return false;
	}
	return true;
}

/* Sorts the values of level k so that at each of its nodes the children rise, if that is possible;
 * if not, the first entry says so. */
static void order_values(symcf_minimal *e, uint32_t k, uint32_t first, uint32_t end)
{
	uint32_t *const rising = e->rising + e->value_start[k];
	for (uint32_t v = 0; v < e->d->arity[k]; v++) {
		uint32_t low = 0, high = v; /* v belongs between them */
		while (low < high) {
			const uint32_t middle = (low + high) / 2;
			if (value_is_below(e, first, end, rising[middle], v)) {
				low = middle + 1;
			} else if (value_is_below(e, first, end, v, rising[middle])) {
				high = middle;
			} else {
				rising[0] = UINT32_MAX;
				return;
			}
		}
		memmove(rising + low + 1, rising + low, (v - low) * sizeof *rising);
		rising[low] = v;
	}
}

static bool has_trend(const symcf_minimal *e, uint32_t first, uint32_t end, enum trend trend)
{
	const uint32_t arity = e->d->arity[e->d->level[first]];
	for (uint32_t u = first; u + 1 < end; u++) {
		const uint32_t *one = symcf_children(e->d, u), *two = symcf_children(e->d, u + 1);
		for (uint32_t v = 0; v < arity; v++)
			if (trend == RISES ? !is_below(e, one[v], two[v]) : !is_below(e, two[v], one[v]))
				return false;
	}
	return true;
}

/* Finds the order of values and nodes on each level, from the bottom. */
static symcf_status find_order(symcf_minimal *e, symcf_control *control)
{
	const symcf_diagram *d = e->d;
	memset(e->rising, 0xff, e->value_start[d->n] * sizeof *e->rising); /* no level is ordered */
	for (uint32_t first = 2, end; first <= d->root; first = end) {
		const uint32_t k = d->level[first];
		for (end = first + 1; end <= d->root && d->level[end] == k; end++)
			;
		const symcf_status status = symcf_tick(control, (end - first) * WORK_A_NODE);
		if (status != SYMCF_OK)
			return status;
		order_values(e, k, first, end);
		e->trend[k] = has_trend(e, first, end, FALLS)   ? FALLS
		              : has_trend(e, first, end, RISES) ? RISES
		                                                : NO_TREND;
	}
	return SYMCF_OK;
}

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
		const uint32_t v = is_ordered(e, k) ? rising[nth] : i;
		if (v != q->x[j] && (!allowed || allowed[v]))
			move[used++] = v;
		if (is_ordered(e, k) && (used > 0 || v == q->x[j]))
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
	if (!is_ordered(e, k))
		return false;
	uint32_t stayed = skip_inactive(e, child[e->stay[k]]);
	uint32_t moved = skip_inactive(e, child[e->move[e->move_start[k]]]);
	if ((stayed > 1 && e->d->level[stayed] != next) || (moved > 1 && e->d->level[moved] != next))
		return false;
	if (stayed > 1)
		stayed = symcf_child(e->d, stayed, e->move[e->move_start[next]]);
	if (moved > 1)
		moved = symcf_child(e->d, moved, e->stay[next]);
	return sink ? is_below(e, stayed, moved) : is_below(e, moved, stayed);
}

/* F(u), of sets with at most `most` elements. */
static uint32_t family_of(symcf_minimal *e, uint32_t u, uint32_t most, bool regular)
{
	zdd *z = &e->z;
	const uint32_t k = e->d->level[u], *child = symcf_children(e->d, u);
	const uint32_t lo = zdd_at_most(z, e->at[child[e->stay[k]]], most);
	if (lo == ZDD_UNIT || lo == ZDD_FAILED || most == 0 || !is_active(e, k))
		return lo;
	const uint32_t *move = e->move + e->move_start[k], *end = e->move + e->move_start[k + 1];
	uint32_t hi = zdd_at_most(z, e->at[child[*move]], most - 1);
	while (++move < end && hi != ZDD_FAILED) {
		const uint32_t other = zdd_at_most(z, e->at[child[*move]], most - 1);
		hi = other == ZDD_FAILED ? other : zdd_minimal_union(z, hi, other);
	}
	if (!regular && hi != ZDD_FAILED)
		hi = is_ordered(e, k) ? zdd_difference(z, hi, lo) : zdd_nonsupersets(z, hi, lo);
	return zdd_make(z, k, lo, hi);
}

/* at[u] = F(u) for every u that was reached. */
static symcf_status ascend(symcf_minimal *e, uint32_t max_changes, uint32_t sink,
                           symcf_control *control)
{
	const symcf_diagram *d = e->d;
	bool regular = true; /* all nodes so far */
	e->at[sink] = ZDD_UNIT;
	e->at[!sink] = ZDD_EMPTY;
	for (uint32_t u = 1; u < d->root;) {
		u = reached_after(e, u);
		const uint32_t k = d->level[u];
		const symcf_status status = symcf_tick(control, WORK_A_NODE);
		if (status != SYMCF_OK)
			return status;
		regular = regular && (!is_active(e, k) || outranks_next(e, u, k, sink));
		if ((e->at[u] = family_of(e, u, max_changes - e->at[u], regular)) == ZDD_FAILED)
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
	if (!zdd_grow(&e->z, &e->block, &e->cap_block, needed, sizeof *e->block) ||
	    !zdd_grow(&e->z, &e->chosen, &e->cap_chosen, n_chosen, sizeof *e->chosen) ||
	    !zdd_grow(&e->z, &e->reached, &e->cap_reached, n_reached, sizeof *e->reached))
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
	symcf_status status = zdd_start(&e->z, e->d->n, control);
	if (status != SYMCF_OK)
		return status;
	find_moves(e, q, sink);
	status = descend(e, q->max_changes, control);
	if (status == SYMCF_OK)
		status = ascend(e, q->max_changes, sink, control);
	if (status == SYMCF_OK)
		e->root = zdd_compact(&e->z, e->at[e->d->root]);
	return status;
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

static inline void flip(uint64_t *bits, uint32_t rank)
{
	bits[rank / 64] ^= UINT64_C(1) << (63 - rank % 64);
}

static symcf_status push_bits(symcf_minimal *e, const uint64_t *bits, symcf_sets *sets)
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
		flip(e->chosen, e->rank[e->z.nodes[f].level]);
	}
}

/* Moves on to the next member: the lowest node that can do without its level does. */
static void choose_next(symcf_minimal *e)
{
	while (e->size > 0) {
		const zdd_node *node = &e->z.nodes[e->path[--e->size]];
		flip(e->chosen, e->rank[node->level]);
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
		if (status != SYMCF_OK || (status = push_bits(e, e->chosen, sets)) != SYMCF_OK)
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
		zdd_compact(&e->z, ZDD_EMPTY);
	if (e->z.bytes > KEPT_BYTES + 8 * e->cap_block * sizeof *e->block)
		zdd_trim(&e->z);
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
		return SYMCF_NO_MEMORY;
	e->d = d;
	e->value_offset = value_offset;
	e->z.control = control;
	symcf_status status = allocate_arrays(e) ? find_order(e, control) : e->z.status;
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
	zdd_free_arrays(&e->z);
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

/* ------------------------------------------------------------------ counts ------------------- */

static inline uint64_t *count_of(const symcf_minimal *e, uint64_t f)
{
	return e->counts + f * e->width;
}

/* Counts every node's family in limbs of this width.
 * ensures: SYMCF_OVERFLOW if that is too narrow, or what stopped it. */
static symcf_status count_families(symcf_minimal *e, size_t width, symcf_control *control)
{
	zdd *z = &e->z;
	z->control = control;
	if (!zdd_grow(z, &e->counts, &e->cap_counts, z->n_nodes * width, sizeof *e->counts))
		return z->status;
	e->width = width;
	count_set(count_of(e, ZDD_EMPTY), width, 0);
	count_set(count_of(e, ZDD_UNIT), width, 1);
	for (uint64_t f = ZDD_UNIT + 1; f < z->n_nodes; f++) {
		const symcf_status status = symcf_tick(control, (uint32_t)width);
		if (status != SYMCF_OK)
			return status;
		count_copy(count_of(e, f), count_of(e, z->nodes[f].lo), width);
		if (count_add(count_of(e, f), count_of(e, z->nodes[f].hi), width))
			return SYMCF_OVERFLOW;
	}
	return SYMCF_OK;
}

/* Counts once, and with no more limbs than are of use: no node has more members than the root, and
 * few families come near the 2^n that would be safe. */
static symcf_status ensure_counts(symcf_minimal *e, symcf_control *control)
{
	symcf_status status = SYMCF_OK;
	if (e->width)
		return SYMCF_OK;
	for (size_t width = 1; (status = count_families(e, width, control)) == SYMCF_OVERFLOW;)
		width *= 2;
	if (status != SYMCF_OK)
		e->width = 0;
	return status;
}

symcf_status symcf_minimal_count(symcf_minimal *e, symcf_control *control, uint64_t **limbs,
                                 size_t *width)
{
	const symcf_status status = ensure_counts(e, control);
	if (status != SYMCF_OK)
		return status;
	uint64_t *copy = symcf_allocate(e->width, sizeof *copy);
	if (!copy)
		return SYMCF_NO_MEMORY;
	count_copy(copy, count_of(e, e->root), e->width);
	*limbs = copy;
	*width = e->width;
	return SYMCF_OK;
}

/* ----------------------------------------------------------------- samples ------------------- */

/* A uniform number below `bound`: as many random bits as the bound has, until they are below it.
 * requires: bound > 0. */
static void draw_below(const uint64_t *bound, size_t width, uint64_t (*random)(void *data),
                       void *data, uint64_t *drawn)
{
	size_t top = width - 1;
	while (bound[top] == 0)
		top--;
	const int spare = __builtin_clzll(bound[top]);
	count_set(drawn, width, 0);
	do {
		for (size_t i = 0; i <= top; i++)
			drawn[i] = random(data);
		drawn[top] >>= spare;
	} while (count_compare(drawn, bound, width) >= 0);
}

/* Member number `index`, where those without a level come before those with it. */
static void pick_member(const symcf_minimal *e, uint64_t *index, uint64_t *bits)
{
	const zdd_node *node;
	memset(bits, 0, e->n_words * sizeof *bits);
	for (uint32_t f = e->root; f != ZDD_UNIT;) {
		node = &e->z.nodes[f];
		if (count_compare(index, count_of(e, node->lo), e->width) < 0) {
			f = node->lo;
		} else {
			count_subtract(index, count_of(e, node->lo), e->width);
			flip(bits, e->rank[node->level]);
			f = node->hi;
		}
	}
}

symcf_status symcf_minimal_sample(symcf_minimal *e, uint64_t count, uint64_t (*random)(void *data),
                                  void *data, symcf_control *control, symcf_sets *sets)
{
	symcf_status status = ensure_counts(e, control);
	if (status != SYMCF_OK || count == 0)
		return status;
	if (e->root == ZDD_EMPTY)
		return SYMCF_INVALID;
	uint64_t *index = symcf_allocate(e->width + e->n_words, sizeof *index);
	if (!index)
		return SYMCF_NO_MEMORY;
	uint64_t *const bits = index + e->width;
	for (; count > 0 && status == SYMCF_OK; count--) {
		draw_below(count_of(e, e->root), e->width, random, data, index);
		pick_member(e, index, bits);
		if ((status = symcf_tick(control, WORK_A_SET)) == SYMCF_OK)
			status = push_bits(e, bits, sets);
	}
	symcf_free(index);
	return status;
}

/* ----------------------------------------------------------------- ranking ------------------- */

/* A member of a node's family, in the node's ranked list. */
typedef struct ranked {
	int64_t cost;
	uint32_t size;
	uint32_t next; /* the next best member of the same node; NOTHING: not known, or none */
	uint64_t bits[];
} ranked;

enum { NOTHING = 0, EMPTY_SET = 1 }; /* the first two entries */
enum { LO = 0, HI = 1, NEITHER = 2 };

/* How far a node has merged the lists of its children. */
typedef struct merge {
	uint32_t head[2]; /* the first members of lo and hi not taken yet; NOTHING: no more */
	uint32_t taken;   /* the side whose head has been taken and must move on            */
	uint32_t last;    /* the last member of the node's own list                         */
} merge;

typedef struct ranking {
	symcf_minimal *e;
	const int64_t *cost; /* by feature; NULL: 1 each */
	char *entries;       /* `stride` bytes each      */
	uint64_t stride, n_entries, cap_entries;
	merge *merges;       /* by node */
	uint32_t *waiting;   /* nodes whose next member waits for that of the node after it */
	uint64_t cap_merges, cap_waiting;
} ranking;

static inline ranked *entry(const ranking *r, uint32_t i)
{
	return (ranked *)(void *)(r->entries + i * r->stride);
}

/* A copy of entry i, without a successor. ensures: NOTHING, with z.status, if that fails. */
static uint32_t copy_entry(ranking *r, uint32_t i)
{
	zdd *z = &r->e->z;
	if (r->n_entries > UINT32_MAX) {
		z->status = SYMCF_LIMIT_MEMORY;
		return NOTHING;
	}
	if ((z->status = symcf_tick(z->control, WORK_A_SET)) != SYMCF_OK ||
	    !zdd_grow(z, &r->entries, &r->cap_entries, r->n_entries + 1, r->stride))
		return NOTHING;
	const uint32_t fresh = (uint32_t)r->n_entries++;
	memcpy(entry(r, fresh), entry(r, i), r->stride);
	entry(r, fresh)->next = NOTHING;
	return fresh;
}

static inline int64_t cost_of(const ranking *r, uint32_t level)
{
	return r->cost ? r->cost[r->e->d->order[level]] : 1;
}

/* Which head comes first by (cost, size, features)? Of two sets of one size, that with the smallest
 * feature in which they differ: the larger number, as bits go. */
static uint32_t better_side(const ranking *r, const merge *m, uint32_t level)
{
	if (m->head[LO] == NOTHING || m->head[HI] == NOTHING)
		return m->head[LO] == NOTHING ? HI : LO;
	const ranked *lo = entry(r, m->head[LO]), *hi = entry(r, m->head[HI]);
	const int64_t hi_cost = hi->cost + cost_of(r, level);
	if (lo->cost != hi_cost)
		return lo->cost < hi_cost ? LO : HI;
	if (lo->size != hi->size + 1)
		return lo->size < hi->size + 1 ? LO : HI;
	const uint32_t rank = r->e->rank[level];
	for (uint32_t w = 0; w < r->e->n_words; w++) {
		const uint64_t own = w == rank / 64 ? UINT64_C(1) << (63 - rank % 64) : 0;
		if (lo->bits[w] != (hi->bits[w] | own))
			return lo->bits[w] > (hi->bits[w] | own) ? LO : HI;
	}
	assert(!"a set is in both subfamilies");
	return LO;
}

/* Appends the better head, if there is one, to the list of f. ensures: false if that fails. */
static bool append_best(ranking *r, uint32_t f)
{
	merge *m = &r->merges[f];
	const uint32_t level = r->e->z.nodes[f].level;
	if (m->head[LO] == NOTHING && m->head[HI] == NOTHING)
		return true;
	const uint32_t side = better_side(r, m, level);
	const uint32_t fresh = copy_entry(r, m->head[side]);
	if (fresh == NOTHING)
		return false;
	if (side == HI) {
		ranked *member = entry(r, fresh);
		member->cost += cost_of(r, level);
		member->size++;
		flip(member->bits, r->e->rank[level]);
	}
	if (m->last != NOTHING)
		entry(r, m->last)->next = fresh;
	m->last = fresh;
	m->taken = side;
	return true;
}

/* Appends the next member to the list of f, after those that it depends on: as only one head of a
 * node is missing at a time, they are on one path downwards. */
static bool rank_next(ranking *r, uint32_t f)
{
	uint32_t depth = 0;
	for (;;) {
		const merge *m = &r->merges[f];
		r->waiting[depth++] = f;
		if (m->taken == NEITHER || entry(r, m->head[m->taken])->next != NOTHING)
			break;
		f = m->taken == LO ? r->e->z.nodes[f].lo : r->e->z.nodes[f].hi;
	}
	while (depth > 0) {
		f = r->waiting[--depth];
		merge *m = &r->merges[f];
		if (m->taken != NEITHER)
			m->head[m->taken] = entry(r, m->head[m->taken])->next;
		m->taken = NEITHER;
		if (!append_best(r, f))
			return false;
	}
	return true;
}

/* Gives every node the first member of its list. */
static bool rank_first(ranking *r)
{
	zdd *z = &r->e->z;
	r->stride = sizeof(ranked) + r->e->n_words * sizeof(uint64_t);
	if (!zdd_grow(z, &r->merges, &r->cap_merges, z->n_nodes, sizeof *r->merges) ||
	    !zdd_grow(z, &r->waiting, &r->cap_waiting, r->e->d->n + UINT64_C(1),
	              sizeof *r->waiting) ||
	    !zdd_grow(z, &r->entries, &r->cap_entries, z->n_nodes, r->stride))
		return false;
	memset(r->entries, 0, (EMPTY_SET + 1) * r->stride);
	r->n_entries = EMPTY_SET + 1;
	r->merges[ZDD_EMPTY] = (merge){{NOTHING, NOTHING}, NEITHER, NOTHING};
	r->merges[ZDD_UNIT] = (merge){{NOTHING, NOTHING}, NEITHER, EMPTY_SET};
	for (uint32_t f = ZDD_UNIT + 1; f < z->n_nodes; f++) {
		const uint32_t lo = r->merges[z->nodes[f].lo].last;
		const uint32_t hi = r->merges[z->nodes[f].hi].last;
		r->merges[f] = (merge){{lo, hi}, NEITHER, NOTHING};
		if (!append_best(r, f))
			return false;
	}
	return true;
}

static symcf_status push_ranked(ranking *r, uint64_t k, symcf_sets *sets)
{
	const uint32_t root = r->e->root;
	if (!rank_first(r))
		return r->e->z.status;
	for (uint32_t i = r->merges[root].last; k > 0 && i != NOTHING; k--) {
		const symcf_status status = push_bits(r->e, entry(r, i)->bits, sets);
		if (status != SYMCF_OK)
			return status;
		if (k > 1 && !rank_next(r, root))
			return r->e->z.status;
		i = entry(r, i)->next;
	}
	return SYMCF_OK;
}

symcf_status symcf_minimal_best(symcf_minimal *e, const int64_t *cost, uint64_t k,
                                symcf_control *control, symcf_sets *sets)
{
	ranking r = {.e = e, .cost = cost};
	e->z.control = control;
	const symcf_status status = push_ranked(&r, k, sets);
	zdd_release(&e->z, &r.entries, &r.cap_entries, r.stride);
	zdd_release(&e->z, &r.merges, &r.cap_merges, sizeof *r.merges);
	zdd_release(&e->z, &r.waiting, &r.cap_waiting, sizeof *r.waiting);
	return status;
}
