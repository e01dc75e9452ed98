/* mcs.c: engine `sat`, all minimal correction subsets of clauses and an instance.
 *
 * Problem. The hard clauses say what the classifier should answer; the instance is one soft literal
 * a feature, "it keeps its value". A minimal correction subset (MCS) is a minimal set of soft
 * literals whose removal makes the rest satisfiable together with the hard clauses: the features
 * that change in one minimal counterfactual (Boumazouza et al. 2020, Proposition 2). Its complement
 * is a maximal satisfiable subset (MSS).
 *
 * Words. A feature is *kept* or *changed*; it is *fixed* if it must be kept, else *movable*. A set
 * of changes *flips* if the hard clauses are satisfied after it. To *block* a set is to forbid all
 * its supersets, by the clause "one of its features is kept".
 *
 * Algorithm. The hard clauses are loaded once. An instance is a set of assumptions, and its blocking
 * clauses carry the negation of an activation variable, which is assumed while the instance is open
 * and refuted when it closes. Then, as in all enumerators since Liffiton and Sakallah 2008:
 *
 *   1. Ask the solver for a model. UNSAT proves that all sets have been found.
 *   2. Grow the kept part of the model to an MSS: assume what is kept and constrain the rest by "one
 *      of you is kept, too" (the D clause of Marques-Silva et al. 2013, by CaDiCaL's `constrain`,
 *      so that nothing needs to be retired); UNSAT says that the rest is an MCS.
 *   3. Block it, go to 1.
 *
 * With the diagram of a function that is monotone in each feature, as every threshold function is,
 * the solver is left with step 1:
 *
 *   - A change away from the wanted sink never helps, so such features are fixed: half of the search
 *     space's dimensions. The diagram is reduced, so that two different nodes differ somewhere, and
 *     a walk down a differing pair tells each feature's direction.
 *   - Growing is reverting changes, one by one, while the diagram still says flipped.
 *   - From one MCS others follow by *model rotation* (Gregoire, Izza and Lagniez 2018, "Boosting MCSes
 *     enumeration"): take one change back, make others further down the diagram until it flips again,
 *     shrink. We start from the most influential changes and rotate each set at each of its features
 *     until nothing new appears; only then the solver is asked. With the features of a threshold
 *     function in order of influence this has reached every set in all our measurements, so that
 *     one call is left: the proof. In other orders the solver finds what rotation does not reach.
 *
 * The diagram is read as the instance sees it (`view`): fixed features are skipped, branches say
 * "kept" and "changed".
 *
 * Tried, in processor milliseconds an instance, random naive Bayes classifiers of 22 features with 109
 * sets an instance on average; first on the no-cut CNF, then on node-cut clauses of one direction:
 *
 *   the solver grows, softs one by one             40.7   56.5   638 calls of the solver
 *   the solver grows by the D clause               24.4   36.0   219
 *   the same without phases set to the instance    45.8   43.8   266
 *   the diagram grows                              17.6   30.1   110
 *   ... and features that cannot help are fixed    11.6   27.3   110
 *   ... and rotation (phases no longer matter)      3.4    2.0     1
 *
 *   Rotation by exchanging one feature for one other left 6 calls of 110 and saved a third of the time
 *   at best, for a model is hard to find when most are blocked. Extending from every level, not only
 *   from below the change taken back, left the same one call and took a third longer.
 *   Encodings (sat.py has the figures): what is left is one proof, and aux-cut clauses make it
 *   shortest; where the solver has to find models, prime clauses do.
 *   Solver options: inprocessing, probing, elimination, vivification, subsumption, walks, lucky
 *   phases, chronological backtracking, trail reuse (ilb), stable mode, scores, restart and reduce
 *   intervals, each alone: all within the noise of 15 %, so they stay as CaDiCaL sets them.
 *   Closed instances: without a fresh solver now and then, the engine without a diagram takes twice
 *   as long after 10,000 instances; a new one for each thousand keeps it within a half.
 *   Not tried: blocking by unsatisfiable cores, which has nothing left to save where one call is made.
 */
#include "mcs.h"

#include <string.h>

#include "memory.h"

#define TRY(call)                                                                                  \
	do {                                                                                           \
		const symcf_status status_ = (call);                                                       \
		if (status_ != SYMCF_OK)                                                                   \
			return status_;                                                                        \
	} while (0)

#define NOWHERE UINT32_MAX

/* The sets found so far, each once: a list, and a hash table of its indices. */
typedef struct found {
	symcf_sets sets;
	uint64_t *slot;   /* index + 1 into sets; 0: empty */
	uint64_t n_slots; /* a power of two, or 0          */
} found;

/* The diagram as the instance sees it. Positions number the movable features by level. */
typedef struct view {
	uint32_t m; /* movable features                                               */
	uint32_t root;
	uint32_t *feature; /* by position                                                    */
	uint32_t *place;   /* by feature: its position, NOWHERE if fixed                     */
	uint8_t *changed;  /* by position: the set that is looked at                         */
	uint32_t *at;      /* by node: its position, NOWHERE if its feature is fixed         */
	uint32_t *next;    /* by 2 * node + changed: the next node of a movable feature or a
	                      sink; where the feature is fixed, next[2 * node] is that node   */
} view;

/* "More than k features change", for some k: a totalizer (Bailleux and Boufkhad 2003), shared by all
 * instances. An instance with a bound ties its keep literals to `changed`. */
typedef struct counter {
	int32_t *changed;   /* by feature: true if it changes                    */
	int32_t *more_than; /* n_outputs entries: true if more than k change     */
	uint32_t n_outputs;
} counter;

struct symcf_mcs {
	symcf_sat *sat;
	const symcf_diagram *d;
	uint32_t n, sink;
	int32_t n_vars;
	uint8_t *towards; /* by feature: the value on the side of the sink, 2: it has no say */
	view view;
	counter counter;
	/* the instance */
	int32_t active; /* its activation variable; 0: none is open */
	bool begun;     /* has the diagram's first set been tried? */
	bool complete;
	int32_t *keep;
	uint8_t *fixed;
	uint32_t max_changes;
	found found;
	uint64_t rotated, blocked, reported; /* so many of found.sets are */
	/* scratch of n + 1 entries */
	uint32_t *set, *places;
	int32_t *clause;
	uint32_t closed; /* instances since the clauses were loaded */
	symcf_mcs_statistics statistics;
};

/* ------------------------------------------------------------------- found sets -------------- */

static const uint32_t *found_get(const found *f, uint64_t i, uint32_t *size)
{
	const uint64_t start = i ? f->sets.end[i - 1] : 0;
	*size = (uint32_t)(f->sets.end[i] - start);
	return f->sets.features + start;
}

static uint64_t hash_set(const uint32_t *set, uint32_t size)
{
	uint64_t hash = size;
	for (uint32_t i = 0; i < size; i++) {
		hash = (hash ^ set[i]) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash;
}

/* The slot of the set, or the empty one where it belongs. requires: an empty slot. */
static uint64_t find_slot(const found *f, const uint32_t *set, uint32_t size)
{
	uint64_t i = hash_set(set, size) & (f->n_slots - 1);
	for (; f->slot[i]; i = (i + 1) & (f->n_slots - 1)) {
		uint32_t other_size;
		const uint32_t *other = found_get(f, f->slot[i] - 1, &other_size);
		if (other_size == size && !memcmp(other, set, size * sizeof *set))
			break;
	}
	return i;
}

/* Makes room for one more, at most half of the slots in use. */
static symcf_status found_reserve(found *f)
{
	if (2 * (f->sets.n_sets + 1) <= f->n_slots)
		return SYMCF_OK;
	const uint64_t n_slots = f->n_slots ? 4 * f->n_slots : 256;
	uint64_t *slot = symcf_allocate_zeroed(n_slots, sizeof *slot);
	if (!slot)
		return SYMCF_NO_MEMORY;
	symcf_free(f->slot);
	f->slot = slot;
	f->n_slots = n_slots;
	for (uint64_t i = 0; i < f->sets.n_sets; i++) {
		uint32_t size;
		const uint32_t *set = found_get(f, i, &size);
		f->slot[find_slot(f, set, size)] = i + 1;
	}
	return SYMCF_OK;
}

/* ensures: *is_new tells whether the set was added; otherwise it was there. */
static symcf_status found_add(found *f, const uint32_t *set, uint32_t size, bool *is_new)
{
	TRY(found_reserve(f));
	const uint64_t slot = find_slot(f, set, size);
	*is_new = !f->slot[slot];
	if (!*is_new)
		return SYMCF_OK;
	TRY(symcf_sets_push(&f->sets, set, size));
	f->slot[slot] = f->sets.n_sets;
	return SYMCF_OK;
}

/* Forgets the sets; a table that grew large is given back rather than wiped for each instance. */
static void found_clear(found *f)
{
	enum { LARGE = 1 << 14 };
	symcf_sets_clear(&f->sets);
	if (f->n_slots > LARGE) {
		symcf_free(f->slot);
		f->slot = NULL;
		f->n_slots = 0;
	} else if (f->n_slots) {
		memset(f->slot, 0, f->n_slots * sizeof *f->slot);
	}
}

/* ----------------------------------------------------------------- the diagram --------------- */

/* The child of u for value v, or u itself where the level of u is below `level`. */
static uint32_t step(const symcf_diagram *d, uint32_t u, uint32_t level, uint32_t v)
{
	return d->level[u] == level ? symcf_child(d, u, v) : u;
}

/* Walks down from two different nodes to two different sinks. ensures: the second one's sink. */
static uint32_t tell_apart(const symcf_diagram *d, uint32_t a, uint32_t b)
{
	while (a > 1 || b > 1) {
		const uint32_t level = d->level[a] < d->level[b] ? d->level[a] : d->level[b];
		const uint32_t v = step(d, a, level, 0) == step(d, b, level, 0);
		a = step(d, a, level, v);
		b = step(d, b, level, v);
	}
	return b;
}

/* Which value of each feature lies on the side of the sink? Any node of the feature can tell. */
static void learn_directions(symcf_mcs *e)
{
	const symcf_diagram *d = e->d;
	memset(e->towards, 2, e->n);
	for (uint32_t u = 2; u < d->n_nodes; u++) {
		const uint32_t j = d->order[d->level[u]];
		const uint32_t *child = symcf_children(d, u);
		if (e->towards[j] == 2)
			e->towards[j] = tell_apart(d, child[0], child[1]) == e->sink;
	}
}

/* The first node of a movable feature, or the sink, on the instance's way from u. */
static uint32_t skip(const view *v, uint32_t u)
{
	return u > 1 && v->at[u] == NOWHERE ? v->next[2 * (uint64_t)u] : u;
}

/* Children come before parents, so one pass suffices. */
static void view_make(view *v, const symcf_diagram *d, const int32_t *keep, const uint8_t *fixed)
{
	v->m = 0;
	for (uint32_t k = 0; k < d->n; k++) {
		const uint32_t j = d->order[k];
		v->place[j] = fixed[j] ? NOWHERE : v->m;
		if (!fixed[j])
			v->feature[v->m++] = j;
	}
	for (uint32_t u = 2; u < d->n_nodes; u++) {
		const uint32_t j = d->order[d->level[u]], x = keep[j] > 0;
		const uint32_t *child = symcf_children(d, u);
		v->at[u] = v->place[j];
		v->next[2 * (uint64_t)u] = skip(v, child[x]);
		v->next[2 * (uint64_t)u + 1] = skip(v, child[!x]);
	}
	v->root = skip(v, d->root);
}

static bool flips(const symcf_mcs *e)
{
	const view *v = &e->view;
	uint32_t u = v->root;
	while (u > 1)
		u = v->next[2 * (uint64_t)u + v->changed[v->at[u]]];
	return u == e->sink;
}

/* Takes back what is changed in vain, the least influential first, and lists what is left in
 * e->set, ascending. requires: flips. ensures: the size of the set. */
static uint32_t shrink(symcf_mcs *e)
{
	view *v = &e->view;
	uint32_t size = 0;
	for (uint32_t p = v->m; p-- > 0;) {
		if (!v->changed[p])
			continue;
		v->changed[p] = 0;
		if (flips(e))
			continue;
		v->changed[p] = 1;
		uint32_t i = size++;
		for (; i > 0 && e->set[i - 1] > v->feature[p]; i--)
			e->set[i] = e->set[i - 1];
		e->set[i] = v->feature[p];
	}
	return size;
}

/* Changes what is kept from this position on, until it flips. */
static bool extend(symcf_mcs *e, uint32_t from)
{
	for (uint32_t p = from; p < e->view.m; p++) {
		if (e->view.changed[p])
			continue;
		e->view.changed[p] = 1;
		if (flips(e))
			return true;
	}
	return false;
}

static void change_places(view *v, const uint32_t *places, uint32_t size)
{
	memset(v->changed, 0, v->m);
	for (uint32_t i = 0; i < size; i++)
		v->changed[places[i]] = 1;
}

/* Adds the set that is left when changes from this position on have made it flip, if they can. */
static symcf_status add_extension(symcf_mcs *e, uint32_t from)
{
	if (!extend(e, from))
		return SYMCF_OK;
	const uint32_t size = shrink(e);
	bool is_new = false;
	if (size <= e->max_changes)
		TRY(found_add(&e->found, e->set, size, &is_new));
	e->statistics.rotated += is_new;
	return SYMCF_OK;
}

/* The set to begin with, by the most influential changes. */
static symcf_status rotate_nothing(symcf_mcs *e)
{
	change_places(&e->view, NULL, 0);
	return add_extension(e, 0);
}

/* Rotates a set at each of its features: that one goes, less influential ones come. */
static symcf_status rotate(symcf_mcs *e, uint64_t index, symcf_control *control)
{
	uint32_t size;
	const uint32_t *set = found_get(&e->found, index, &size);
	for (uint32_t i = 0; i < size; i++)
		e->places[i] = e->view.place[set[i]];
	for (uint32_t i = 0; i < size; i++) {
		change_places(&e->view, e->places, size);
		e->view.changed[e->places[i]] = 0;
		TRY(add_extension(e, e->places[i] + 1));
		TRY(symcf_tick(control, 10 * e->view.m));
	}
	return SYMCF_OK;
}

/* ----------------------------------------------------------------- the counter --------------- */

static symcf_status fresh(symcf_mcs *e, int32_t *variable)
{
	TRY(symcf_sat_variable(e->sat, variable));
	return symcf_sat_phase(e->sat, -*variable);
}

/* left[i] true: more than i on the left, and so on. The clauses say what the sum is at least. */
static symcf_status add_up(symcf_mcs *e, const int32_t *left, uint32_t n_left, const int32_t *right,
                           uint32_t n_right, const int32_t *sum, uint32_t n_sum)
{
	for (uint32_t i = 0; i <= n_left; i++) {
		for (uint32_t j = 0; j <= n_right; j++) {
			int32_t clause[3];
			uint32_t size = 0;
			if (i + j == 0 || i + j > n_sum)
				continue;
			if (i)
				clause[size++] = -left[i - 1];
			if (j)
				clause[size++] = -right[j - 1];
			clause[size++] = sum[i + j - 1];
			TRY(symcf_sat_clause(e->sat, clause, size));
		}
	}
	return SYMCF_OK;
}

/* Counts inputs[0..count) up to `most` in place: afterwards inputs[k] says "more than k" for the
 * first min(count, most) of them. sum: scratch of `most` entries. */
static symcf_status totalize(symcf_mcs *e, int32_t *inputs, uint32_t count, uint32_t most,
                             int32_t *sum)
{
	if (count <= 1)
		return SYMCF_OK;
	const uint32_t half = count / 2, rest = count - half;
	TRY(totalize(e, inputs, half, most, sum));
	TRY(totalize(e, inputs + half, rest, most, sum));
	const uint32_t n_left = half < most ? half : most, n_right = rest < most ? rest : most;
	const uint32_t n_sum = count < most ? count : most;
	for (uint32_t k = 0; k < n_sum; k++)
		TRY(fresh(e, &sum[k]));
	TRY(add_up(e, inputs, n_left, inputs + half, n_right, sum, n_sum));
	memcpy(inputs, sum, n_sum * sizeof *sum);
	return SYMCF_OK;
}

/* Makes counter.more_than[bound] available. A counter that is too short is replaced by one of at
 * least twice its length. requires: bound < n. */
static symcf_status counter_reserve(symcf_mcs *e, uint32_t bound)
{
	counter *c = &e->counter;
	if (bound < c->n_outputs)
		return SYMCF_OK;
	const uint32_t wanted = bound < 2 * c->n_outputs ? 2 * c->n_outputs : bound + 1;
	const uint32_t most = wanted < e->n ? wanted : e->n;
	int32_t *sum = symcf_allocate(most, sizeof *sum);
	if (!sum)
		return SYMCF_NO_MEMORY;
	symcf_status status = SYMCF_OK;
	for (uint32_t j = 0; j < e->n && status == SYMCF_OK; j++) {
		if (!c->n_outputs)
			status = fresh(e, &c->changed[j]);
		c->more_than[j] = c->changed[j];
	}
	c->n_outputs = 0; /* until it stands */
	if (status == SYMCF_OK)
		status = totalize(e, c->more_than, e->n, most, sum);
	if (status == SYMCF_OK)
		c->n_outputs = most;
	symcf_free(sum);
	return status;
}

static bool is_bounded(const symcf_mcs *e)
{
	return e->max_changes < e->n;
}

/* Ties the counter to the instance. */
static symcf_status bound_changes(symcf_mcs *e)
{
	if (!is_bounded(e))
		return SYMCF_OK;
	TRY(counter_reserve(e, e->max_changes));
	for (uint32_t j = 0; j < e->n; j++) {
		const int32_t tie[] = {-e->active, e->keep[j], e->counter.changed[j]};
		TRY(symcf_sat_clause(e->sat, tie, 3));
	}
	return SYMCF_OK;
}

/* ------------------------------------------------------------------ the solver --------------- */

static symcf_status solve(symcf_mcs *e, symcf_control *control, bool *satisfiable)
{
	symcf_answer answer;
	e->statistics.solves++;
	TRY(symcf_sat_solve(e->sat, control, &answer));
	*satisfiable = answer == SYMCF_SATISFIABLE;
	return SYMCF_OK;
}

static symcf_status block(symcf_mcs *e, uint64_t index)
{
	uint32_t size;
	const uint32_t *set = found_get(&e->found, index, &size);
	e->clause[0] = -e->active;
	for (uint32_t i = 0; i < size; i++)
		e->clause[i + 1] = e->keep[set[i]];
	return symcf_sat_clause(e->sat, e->clause, size + 1);
}

/* Is there a set that contains none of those found? */
static symcf_status ask(symcf_mcs *e, symcf_control *control, bool *satisfiable)
{
	for (; e->blocked < e->found.sets.n_sets; e->blocked++)
		TRY(block(e, e->blocked));
	TRY(symcf_sat_assume(e->sat, e->active));
	for (uint32_t j = 0; j < e->n; j++)
		if (e->fixed[j])
			TRY(symcf_sat_assume(e->sat, e->keep[j]));
	if (is_bounded(e))
		TRY(symcf_sat_assume(e->sat, -e->counter.more_than[e->max_changes]));
	return solve(e, control, satisfiable);
}

/* Lists the features that the model changes in e->set. */
static symcf_status read_model(symcf_mcs *e, uint32_t *size)
{
	*size = 0;
	for (uint32_t j = 0; j < e->n; j++) {
		bool kept;
		TRY(symcf_sat_value(e->sat, e->keep[j], &kept));
		if (!kept)
			e->set[(*size)++] = j;
	}
	return SYMCF_OK;
}

/* Makes the changes in e->set minimal by the diagram. */
static symcf_status grow_by_diagram(symcf_mcs *e, uint32_t *size)
{
	for (uint32_t i = 0; i < *size; i++)
		e->places[i] = e->view.place[e->set[i]];
	change_places(&e->view, e->places, *size);
	if (!flips(e))
		return SYMCF_INTERNAL;
	*size = shrink(e);
	return SYMCF_OK;
}

/* Makes the changes in e->set minimal by the solver: keeps one more as long as that is possible.
 * What is kept already satisfies the blocking clauses and the bound; more of it does, too. */
static symcf_status grow_by_solver(symcf_mcs *e, symcf_control *control, uint32_t *size)
{
	bool satisfiable = true;
	while (satisfiable) {
		for (uint32_t j = 0, i = 0; j < e->n; j++) {
			if (i < *size && e->set[i] == j)
				e->clause[i++] = e->keep[j];
			else
				TRY(symcf_sat_assume(e->sat, e->keep[j]));
		}
		TRY(symcf_sat_constrain(e->sat, e->clause, *size));
		TRY(solve(e, control, &satisfiable));
		if (satisfiable)
			TRY(read_model(e, size));
	}
	return SYMCF_OK;
}

/* Finds one more set by the solver, or that there is none. */
static symcf_status search(symcf_mcs *e, symcf_control *control)
{
	bool satisfiable, is_new;
	uint32_t size;
	TRY(ask(e, control, &satisfiable));
	if (!satisfiable) {
		e->complete = true;
		return SYMCF_OK;
	}
	TRY(read_model(e, &size));
	TRY(e->d ? grow_by_diagram(e, &size) : grow_by_solver(e, control, &size));
	TRY(found_add(&e->found, e->set, size, &is_new));
	e->statistics.models++;
	return is_new ? SYMCF_OK : SYMCF_INTERNAL;
}

/* ------------------------------------------------------------------ the engine --------------- */

static bool can_rotate(const symcf_mcs *e)
{
	return e->d && (!e->begun || e->rotated < e->found.sets.n_sets);
}

static symcf_status rotate_next(symcf_mcs *e, symcf_control *control)
{
	if (!e->begun) {
		e->begun = true;
		return rotate_nothing(e);
	}
	TRY(rotate(e, e->rotated, control));
	e->rotated++;
	return SYMCF_OK;
}

/* Appends what is found and not yet reported, at most *limit sets. */
static symcf_status report(symcf_mcs *e, uint64_t *limit, symcf_sets *sets)
{
	for (; *limit && e->reported < e->found.sets.n_sets; e->reported++, --*limit) {
		uint32_t size;
		const uint32_t *set = found_get(&e->found, e->reported, &size);
		TRY(symcf_sets_push(sets, set, size));
	}
	return SYMCF_OK;
}

symcf_status symcf_mcs_next(symcf_mcs *e, symcf_control *control, uint64_t limit, symcf_sets *sets)
{
	if (!e->active)
		return SYMCF_INVALID;
	for (;;) {
		TRY(report(e, &limit, sets));
		if (e->complete && e->reported == e->found.sets.n_sets)
			return SYMCF_OK;
		if (!limit)
			return SYMCF_MORE;
		TRY(symcf_poll(control));
		TRY(can_rotate(e) ? rotate_next(e, control) : search(e, control));
	}
}

static bool keeps_fit(const symcf_mcs *e, const int32_t *keep)
{
	for (uint32_t j = 0; j < e->n; j++) {
		const int64_t variable = keep[j] < 0 ? -(int64_t)keep[j] : keep[j];
		if (variable < 1 || variable > e->n_vars || (e->d && variable != (int64_t)j + 1))
			return false;
	}
	return true;
}

/* Takes the instance in; features whose change would never help become fixed. */
static void set_instance(symcf_mcs *e, const int32_t *keep, const uint8_t *fixed)
{
	for (uint32_t j = 0; j < e->n; j++) {
		e->keep[j] = keep[j];
		e->fixed[j] = (fixed && fixed[j]) || (e->d && e->towards[j] != (keep[j] < 0));
	}
	if (e->d)
		view_make(&e->view, e->d, e->keep, e->fixed);
}

symcf_status symcf_mcs_open(symcf_mcs *e, const int32_t *keep, const uint8_t *fixed,
                            uint32_t max_changes)
{
	if (!keeps_fit(e, keep))
		return SYMCF_INVALID;
	TRY(symcf_mcs_close(e));
	set_instance(e, keep, fixed);
	e->max_changes = max_changes;
	e->begun = e->complete = false;
	e->rotated = e->blocked = e->reported = 0;
	found_clear(&e->found);
	for (uint32_t j = 0; j < e->n; j++)
		TRY(symcf_sat_phase(e->sat, keep[j]));
	TRY(symcf_sat_variable(e->sat, &e->active));
	e->statistics.instances++;
	const symcf_status status = bound_changes(e);
	return status == SYMCF_OK ? SYMCF_OK : (symcf_mcs_close(e), status);
}

symcf_status symcf_mcs_close(symcf_mcs *e)
{
	if (!e->active)
		return SYMCF_OK;
	const int32_t retired = -e->active;
	e->active = 0;
	e->closed++;
	return symcf_sat_clause(e->sat, &retired, 1);
}

bool symcf_mcs_worn(const symcf_mcs *e)
{
	enum { MANY = 1000 };
	return e->closed >= MANY;
}

static bool diagram_fits(const symcf_hard *hard)
{
	if (hard->sink > 1 || hard->d->n != hard->n)
		return false;
	for (uint32_t k = 0; k < hard->n; k++)
		if (hard->d->arity[k] != 2)
			return false;
	return true;
}

static bool allocate_view(symcf_mcs *e)
{
	view *v = &e->view;
	const uint64_t n = e->n, n_nodes = e->d->n_nodes;
	return (e->towards = symcf_allocate(n, sizeof *e->towards)) &&
	       (v->feature = symcf_allocate(n, sizeof *v->feature)) &&
	       (v->place = symcf_allocate(n, sizeof *v->place)) &&
	       (v->changed = symcf_allocate(n, sizeof *v->changed)) &&
	       (v->at = symcf_allocate(n_nodes, sizeof *v->at)) &&
	       (v->next = symcf_allocate(n_nodes, 2 * sizeof *v->next));
}

static bool allocate(symcf_mcs *e)
{
	const uint64_t n = (uint64_t)e->n + 1;
	return (e->keep = symcf_allocate(n, sizeof *e->keep)) &&
	       (e->fixed = symcf_allocate(n, sizeof *e->fixed)) &&
	       (e->set = symcf_allocate(n, sizeof *e->set)) &&
	       (e->places = symcf_allocate(n, sizeof *e->places)) &&
	       (e->clause = symcf_allocate(n, sizeof *e->clause)) &&
	       (e->counter.changed = symcf_allocate(n, sizeof *e->counter.changed)) &&
	       (e->counter.more_than = symcf_allocate(n, sizeof *e->counter.more_than)) &&
	       (!e->d || allocate_view(e));
}

symcf_status symcf_mcs_create(symcf_sat *sat, const symcf_hard *hard, symcf_control *control,
                              symcf_mcs **out)
{
	if ((int64_t)hard->n > hard->n_vars || (hard->d && !diagram_fits(hard)))
		return SYMCF_INVALID;
	symcf_mcs *e = symcf_allocate_zeroed(1, sizeof *e);
	if (!e)
		return SYMCF_NO_MEMORY;
	e->sat = sat;
	e->d = hard->d;
	e->n = hard->n;
	e->sink = hard->sink;
	e->n_vars = hard->n_vars;
	symcf_status status = allocate(e) ? SYMCF_OK : SYMCF_NO_MEMORY;
	if (status == SYMCF_OK)
		status = symcf_sat_load(sat, hard->n_vars, hard->literals, hard->length, control);
	if (status != SYMCF_OK) {
		symcf_mcs_free(e);
		return status;
	}
	if (e->d)
		learn_directions(e);
	*out = e;
	return SYMCF_OK;
}

void symcf_mcs_free(symcf_mcs *e)
{
	if (!e)
		return;
	void *const arrays[] = {
		e->towards,   e->view.feature,    e->view.place, e->view.changed,      e->view.at,
		e->view.next, e->counter.changed, e->keep,       e->counter.more_than, e->fixed,
		e->set,       e->places,          e->clause,     e->found.slot};
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
		symcf_free(arrays[i]);
	symcf_sets_free_arrays(&e->found.sets);
	symcf_free(e);
}

symcf_mcs_statistics symcf_mcs_get_statistics(const symcf_mcs *e)
{
	return e->statistics;
}
