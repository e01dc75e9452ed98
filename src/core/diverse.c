/* diverse.c: k sets of a list that differ from each other as much as k of them can.
 *
 * The distance of two sets is the share of their features that only one of them has (Jaccard), an exact
 * fraction; sets without a common feature have distance 1. Wanted are k sets whose smallest distance is
 * largest (max-min dispersion; Erkut, European Journal of Operational Research 46, 1990), and of all such
 * choices the first in the order of the list.
 *
 * Sets that are farther apart than d are a clique of a graph. So a greedy choice comes first, and then
 * one clique of k sets after the other that is farther apart, until there is none. The search takes
 * vertices in the order of the list and leaves a branch when a greedy colouring needs too few colours
 * (Tomita and Seki, DMTCS 2003; as bit sets: San Segundo, Computers & OR 38, 2011).
 *
 * Of a long list the first MOST_VERTICES sets and the greedy choice are searched, and the work of the
 * search is bounded. What was not proved is said not to be. */
#include <string.h>

#include "arena.h"
#include "symcf.h"
#include "try.h"

enum { MOST_VERTICES = 4096, GREEDY_STARTS = 8, WORD = 64 };

/* apart of `of` features: a distance. */
typedef struct distance {
	uint64_t apart, of;
} distance;

typedef struct choice {
	arena arena;
	uint64_t n, k;
	uint32_t words; /* of a set, as a bit set of features          */
	uint64_t *set;  /* n times `words`                             */
	distance *near; /* greedy: by set, the distance to the chosen  */
	uint64_t *picked, *best;
	/* the graph of those that are searched: number `i` is set vertex[i] */
	uint64_t m, row; /* vertices, and words of a bit set of them   */
	uint64_t *vertex, *adjacent;
	uint64_t *candidates, *at;     /* by depth, and the word of them to go on from */
	uint64_t *uncoloured, *colour; /* for the bound */
	uint64_t effort;               /* words that may still be looked at */
	bool exhausted;
	symcf_control *control;
} choice;

static bool is_less(distance a, distance b)
{
	return a.apart * b.of < b.apart * a.of;
}

static distance between(const choice *c, uint64_t a, uint64_t b)
{
	const uint64_t *x = c->set + a * c->words, *y = c->set + b * c->words;
	uint64_t both = 0, either = 0;
	for (uint32_t i = 0; i < c->words; i++) {
		both += (uint64_t)__builtin_popcountll(x[i] & y[i]);
		either += (uint64_t)__builtin_popcountll(x[i] | y[i]);
	}
	return either ? (distance){either - both, either} : (distance){0, 1};
}

static symcf_status read_sets(choice *c, const uint32_t *features, const uint64_t *end,
                              uint64_t start)
{
	memset(c->set, 0, c->n * c->words * sizeof *c->set);
	for (uint64_t i = 0; i < c->n; start = end[i++]) {
		for (uint64_t at = start; at < end[i]; at++)
			c->set[i * c->words + features[at] / WORD] |= UINT64_C(1) << features[at] % WORD;
		TRY(symcf_tick(c->control, (uint32_t)(end[i] - start) + 1));
	}
	return SYMCF_OK;
}

/* ------------------------------------------------------------------ greedy ------------------- */

/* Begins with set `first`, and takes the one that is farthest from those taken, the first of equals.
 * ensures: *least is the smallest distance of picked[0 .. k). */
static symcf_status farthest_first(choice *c, uint64_t first, distance *least)
{
	*least = (distance){1, 1};
	for (uint64_t i = 0; i < c->n; i++)
		c->near[i] = (distance){1, 1};
	for (uint64_t step = 0, next = first; step < c->k; step++) {
		const uint64_t last = c->picked[step] = next;
		if (is_less(c->near[last], *least))
			*least = c->near[last];
		c->near[last].of = 0; /* taken */
		next = c->n;
		for (uint64_t i = 0; i < c->n; i++) {
			TRY(symcf_tick(c->control, c->words + 2));
			if (!c->near[i].of)
				continue;
			const distance d = between(c, last, i);
			if (is_less(d, c->near[i]))
				c->near[i] = d;
			if (next == c->n || is_less(c->near[next], c->near[i]))
				next = i;
		}
	}
	return SYMCF_OK;
}

static bool is_smaller(const uint64_t *a, const uint64_t *b, void *unused)
{
	(void)unused;
	return *a < *b;
}

#define SORT_NAME sort_numbers
#define SORT_TYPE uint64_t
#define SORT_BEFORE is_smaller
#include "sort.h"

static void keep(choice *c)
{
	sort_numbers(c->picked, c->best, c->k, NULL, NULL);
	memcpy(c->best, c->picked, c->k * sizeof *c->best);
}

/* ensures: best and *least are the best of a few greedy choices. */
static symcf_status greedy(choice *c, distance *least)
{
	*least = (distance){0, 1};
	for (uint64_t i = 0; i < c->k; i++)
		c->best[i] = i;
	for (uint64_t first = 0; first < c->n && first < GREEDY_STARTS; first++) {
		distance d;
		TRY(farthest_first(c, first, &d));
		if (is_less(*least, d)) {
			*least = d;
			keep(c);
		}
	}
	return SYMCF_OK;
}

/* ------------------------------------------------------------------ cliques ------------------ */

/* The sets that are searched, in the order of the list: the first, and those of the greedy choice. */
static void choose_vertices(choice *c)
{
	uint64_t at = 0;
	const uint64_t first = c->n <= MOST_VERTICES ? c->n : MOST_VERTICES - c->k;
	for (c->m = 0; c->m < first; c->m++)
		c->vertex[c->m] = c->m;
	while (at < c->k && c->best[at] < c->m)
		at++;
	while (at < c->k)
		c->vertex[c->m++] = c->best[at++];
	c->row = (c->m + WORD - 1) / WORD;
}

/* Who is farther apart than `least`, or also as far. */
static symcf_status connect(choice *c, distance least, bool or_as_far)
{
	memset(c->adjacent, 0, c->m * c->row * sizeof *c->adjacent);
	for (uint64_t a = 0; a < c->m; a++)
		for (uint64_t b = 0; b < a; b++) {
			const distance d = between(c, c->vertex[a], c->vertex[b]);
			if (or_as_far ? !is_less(d, least) : is_less(least, d)) {
				c->adjacent[a * c->row + b / WORD] |= UINT64_C(1) << b % WORD;
				c->adjacent[b * c->row + a / WORD] |= UINT64_C(1) << a % WORD;
			}
			TRY(symcf_tick(c->control, c->words + 2));
		}
	return SYMCF_OK;
}

/* The work of looking at a bit set of vertices. */
static symcf_status look(choice *c)
{
	c->exhausted = c->exhausted || c->effort < c->row;
	if (!c->exhausted)
		c->effort -= c->row;
	return symcf_tick(c->control, (uint32_t)c->row);
}

/* The first vertex from word *at on, which is taken out; m if there is none. */
static uint64_t take_first(const choice *c, uint64_t *vertices, uint64_t *at)
{
	while (*at < c->row && !vertices[*at])
		++*at;
	if (*at == c->row)
		return c->m;
	const uint64_t bit = (uint64_t)__builtin_ctzll(vertices[*at]);
	vertices[*at] &= vertices[*at] - 1;
	return *at * WORD + bit;
}

/* ensures: *enough says whether the vertices need at least `wanted` colours, a greedy choice of them:
 * the vertices of a clique have as many colours as there are vertices. */
static symcf_status needs_colours(choice *c, const uint64_t *vertices, uint64_t wanted,
                                  bool *enough)
{
	uint64_t begin = 0;
	memcpy(c->uncoloured, vertices, c->row * sizeof *vertices);
	*enough = true;
	while (wanted) {
		memcpy(c->colour, c->uncoloured, c->row * sizeof *vertices);
		uint64_t at = begin;
		uint64_t v = take_first(c, c->colour, &at);
		begin = at;
		if (v == c->m) {
			*enough = false;
			return SYMCF_OK;
		}
		for (; v < c->m && !c->exhausted; v = take_first(c, c->colour, &at)) {
			c->uncoloured[v / WORD] &= ~(UINT64_C(1) << v % WORD);
			for (uint64_t i = at; i < c->row; i++)
				c->colour[i] &= ~c->adjacent[v * c->row + i];
			TRY(look(c));
		}
		wanted--;
	}
	return SYMCF_OK;
}

/* Looks for a clique of k vertices among the candidates of depth 0, depth first.
 * ensures: *found says whether picked[0 .. k) are one: the first in the order of the vertices. */
static symcf_status complete(choice *c, bool *found)
{
	uint64_t depth = 0;
	c->at[0] = 0;
	while (depth < c->k) {
		uint64_t *here = c->candidates + depth * c->row, *next = here + c->row;
		bool enough = false;
		if (!c->exhausted)
			TRY(needs_colours(c, here, c->k - depth, &enough));
		if (!enough && !depth)
			break;
		if (!enough) {
			depth--;
			continue;
		}
		const uint64_t v = take_first(c, here, &c->at[depth]);
		c->picked[depth] = v;
		for (uint64_t i = 0; i < c->row; i++)
			next[i] = here[i] & c->adjacent[v * c->row + i];
		TRY(look(c));
		c->at[++depth] = 0;
	}
	*found = depth == c->k;
	return SYMCF_OK;
}

/* ensures: *found, and then best is a choice with distances of more than `least`, or also as much; not
 * *found and not exhausted: there is none among the vertices. */
static symcf_status search(choice *c, distance least, bool or_as_far, bool *found)
{
	TRY(connect(c, least, or_as_far));
	memset(c->candidates, 0, c->row * sizeof *c->candidates);
	for (uint64_t v = 0; v < c->m; v++)
		c->candidates[v / WORD] |= UINT64_C(1) << v % WORD;
	TRY(complete(c, found));
	if (*found) {
		for (uint64_t i = 0; i < c->k; i++)
			c->picked[i] = c->vertex[c->picked[i]];
		keep(c);
	}
	return SYMCF_OK;
}

static distance smallest(const choice *c)
{
	distance least = {1, 1};
	for (uint64_t a = 0; a < c->k; a++)
		for (uint64_t b = 0; b < a; b++) {
			const distance d = between(c, c->best[a], c->best[b]);
			least = is_less(d, least) ? d : least;
		}
	return least;
}

/* ensures: *exact if it is proved that no choice is farther apart than `best`, whose smallest distance
 * is *least; then it is the first of its kind among the vertices. */
static symcf_status improve(choice *c, distance *least, bool *exact)
{
	bool found = false, improved = false, widest = least->apart == least->of;
	while (!widest) {
		TRY(search(c, *least, false, &found));
		if (!found)
			break;
		improved = true;
		*least = smallest(c);
		widest = least->apart == least->of;
	}
	*exact = widest || (!c->exhausted && c->m == c->n);
	if (!improved && !c->exhausted)
		TRY(search(c, *least, true, &found));
	return SYMCF_OK;
}

/* ------------------------------------------------------------------ the choice --------------- */

static void lay_out(arena *a, choice *c)
{
	const uint64_t most = c->n < MOST_VERTICES ? c->n : MOST_VERTICES;
	const uint64_t row = (most + WORD - 1) / WORD;
	c->set = symcf_arena_take(a, c->n, c->words * sizeof *c->set);
	c->near = symcf_arena_take(a, c->n, sizeof *c->near);
	c->picked = symcf_arena_take(a, c->k, sizeof *c->picked);
	c->best = symcf_arena_take(a, c->k, sizeof *c->best);
	c->vertex = symcf_arena_take(a, most, sizeof *c->vertex);
	c->adjacent = symcf_arena_take(a, most * row, sizeof *c->adjacent);
	c->candidates = symcf_arena_take(a, (c->k + 1) * row, sizeof *c->candidates);
	c->at = symcf_arena_take(a, c->k + 1, sizeof *c->at);
	c->uncoloured = symcf_arena_take(a, row, sizeof *c->uncoloured);
	c->colour = symcf_arena_take(a, row, sizeof *c->colour);
}

static symcf_status choose(choice *c, const uint32_t *features, const uint64_t *end, uint64_t start,
                           distance *least, bool *exact)
{
	TRY(read_sets(c, features, end, start));
	TRY(greedy(c, least));
	choose_vertices(c);
	return improve(c, least, exact);
}

symcf_status symcf_diverse(const uint32_t *features, const uint64_t *end, uint64_t start,
                           uint64_t n_sets, uint32_t n_features, uint64_t k, uint64_t effort,
                           symcf_control *control, uint64_t *chosen, symcf_diversity *out)
{
	choice c = {
		.n = n_sets, .k = k, .words = n_features / WORD + 1, .effort = effort, .control = control};
	distance least = {0, 1};
	if (!k || k > n_sets || k > SYMCF_MOST_DIVERSE)
		return SYMCF_INVALID;
	lay_out(&c.arena, &c);
	TRY(symcf_arena_open(&c.arena));
	lay_out(&c.arena, &c);
	bool exact = false;
	for (uint64_t i = 0; i < k; i++)
		c.best[i] = i;
	symcf_status status = choose(&c, features, end, start, &least, &exact);
	if (status == SYMCF_LIMIT_TIME) { /* what was found so far is a choice, too */
		exact = false;
		status = SYMCF_OK;
	}
	if (!status) {
		memcpy(chosen, c.best, k * sizeof *chosen);
		least = smallest(&c);
		*out = (symcf_diversity){least.apart, least.of, exact};
	}
	symcf_arena_close(&c.arena);
	return status;
}
