/* bdd.c: the one place that knows CUDD.
 *
 * The frozen diagram is what symcf works with; CUDD's BDD is its canonical twin, where reordering,
 * prime covers (ISOP), arbitrary Boolean functions and the dddmp file format come from. Freezing
 * and thawing go back and forth between the two.
 *
 * CUDD variable i is made for level i of the diagram it comes from, so no variable ever moves
 * unless sifting moves it; feature_of[i] says which feature it is.
 *
 * References. CUDD counts them; a node without one may vanish in the next garbage collection.
 * While a BDD is built every finished node holds one reference of ours. At the end all but the
 * root's are given back: their parents hold them now.
 *
 * Memory. CUDD reports an exhausted budget as NULL and an error code, provided its out-of-memory
 * hook, which by default prints and exits, is silenced.
 */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SYMCF_HAVE_CUDD_INTERNALS
#include "cuddInt.h"
#else
#include "cudd.h"
#endif
#ifdef SYMCF_WITH_DDDMP
#include "dddmp.h"
#endif

#include "diagram.h"
#include "memory.h"

struct symcf_bdd {
	DdManager *manager;
	DdNode *root; /* referenced; NULL while under construction */
	uint32_t n;
	uint32_t *feature_of;   /* n: CUDD variable -> feature */
	symcf_control *control; /* of the call under way, or NULL */
	symcf_status stopped;   /* why CUDD was told to give up */
	bool has_zdd_variables;
};

extern void (*MMoutOfMemory)(size_t); /* CUDD's process-wide hook; see above */

/* --------------------------------------------------- managers, budgets, status --------------- */

static int must_stop(const void *data)
{
	symcf_bdd *b = (symcf_bdd *)data;
	if (!b->stopped)
		b->stopped = symcf_tick(b->control, 50);
	return b->stopped != SYMCF_OK;
}

/* Brackets every call that may take long. */
static void begin(symcf_bdd *b, symcf_control *control)
{
	b->control = control;
	b->stopped = SYMCF_OK;
	Cudd_ClearErrorCode(b->manager);
	Cudd_RegisterTerminationCallback(b->manager, must_stop, b);
}

static void end(symcf_bdd *b)
{
	Cudd_UnregisterTerminationCallback(b->manager);
	Cudd_ClearErrorCode(b->manager);
	if (b->control)
		b->control->memory = Cudd_ReadMemoryInUse(b->manager);
	b->control = NULL;
}

/* Why did CUDD return NULL? */
static symcf_status failure(const symcf_bdd *b)
{
	if (b->stopped)
		return b->stopped;
	switch (Cudd_ReadErrorCode(b->manager)) {
	case CUDD_MAX_MEM_EXCEEDED: return SYMCF_LIMIT_MEMORY;
	case CUDD_TOO_MANY_NODES: return SYMCF_LIMIT_NODES;
	case CUDD_TIMEOUT_EXPIRED: return SYMCF_LIMIT_TIME;
	case CUDD_INTERNAL_ERROR: return SYMCF_INTERNAL;
	default: return SYMCF_NO_MEMORY;
	}
}

/* Hash slots a variable for this many nodes; CUDD wants a power of two and grows it at 4 a slot. */
static unsigned int slots_for(uint64_t nodes, uint32_t n)
{
	unsigned int slots = 32;
	while (n && slots < (1u << 20) && 2 * (uint64_t)slots * n < nodes)
		slots *= 2;
	return slots;
}

static symcf_status new_bdd(uint32_t n, uint64_t nodes, const symcf_control *control,
                            symcf_bdd **out)
{
	enum { CACHE_SLOTS = 1 << 12 };
	symcf_bdd *b = symcf_allocate_zeroed(1, sizeof *b);
	if (!b)
		return SYMCF_NO_MEMORY;
	MMoutOfMemory = Cudd_OutOfMemSilent;
	b->n = n;
	b->feature_of = symcf_allocate(n, sizeof *b->feature_of);
	if (b->feature_of && n < 1u << 28)
		b->manager = Cudd_Init(n, 0, slots_for(nodes, n), CACHE_SLOTS, 0);
	if (!b->manager) {
		symcf_free(b->feature_of);
		symcf_free(b);
		return SYMCF_NO_MEMORY;
	}
	Cudd_RegisterOutOfMemoryCallback(b->manager, Cudd_OutOfMemSilent);
	if (control && control->max_memory)
		Cudd_SetMaxMemory(b->manager, control->max_memory);
	for (uint32_t i = 0; i < n; i++)
		b->feature_of[i] = i;
	*out = b;
	return SYMCF_OK;
}

int symcf_bdd_free(symcf_bdd *b)
{
	if (!b)
		return 0;
	if (b->root)
		Cudd_RecursiveDeref(b->manager, b->root);
	const int still_referenced = Cudd_CheckZeroRef(b->manager);
	Cudd_Quit(b->manager);
	symcf_free(b->feature_of);
	symcf_free(b);
	return still_referenced;
}

/* The node (variable, high, low), found or made. ensures: referenced; NULL on failure. */
static DdNode *make_node(symcf_bdd *b, uint32_t variable, DdNode *high, DdNode *low)
{
	DdNode *node;
	if (high == low) {
		node = high;
	} else {
#ifdef SYMCF_HAVE_CUDD_INTERNALS
		/* straight into the unique table, whose nodes have an uncomplemented high child */
		const int flip = Cudd_IsComplement(high);
		node = cuddUniqueInter(b->manager, (int)variable, Cudd_NotCond(high, flip),
		                       Cudd_NotCond(low, flip));
		if (node)
			node = Cudd_NotCond(node, flip);
#else
		DdNode *test = Cudd_bddIthVar(b->manager, (int)variable);
		node = test ? Cudd_bddIte(b->manager, test, high, low) : NULL;
#endif
	}
	if (node)
		Cudd_Ref(node);
	return node;
}

/* ------------------------------------------------------------------------ thaw --------------- */

/* One pass, children first. ensures: twin[0 .. *made) are referenced. */
static symcf_status thaw_nodes(symcf_bdd *b, const symcf_diagram *d, DdNode **twin, uint32_t *made)
{
	twin[0] = Cudd_ReadLogicZero(b->manager);
	twin[1] = Cudd_ReadOne(b->manager);
	Cudd_Ref(twin[0]);
	Cudd_Ref(twin[1]);
	for (*made = 2; *made < d->n_nodes; ++*made) {
		const uint32_t *child = symcf_children(d, *made);
		twin[*made] = make_node(b, d->level[*made], twin[child[1]], twin[child[0]]);
		if (!twin[*made])
			return failure(b);
		if (b->control)
			b->control->nodes = *made - 1;
	}
	return SYMCF_OK;
}

/* Nodes that CUDD has already, as its variables. */
static uint32_t count_literals(const symcf_diagram *d)
{
	uint32_t literals = 0;
	for (uint32_t u = 2; u < d->n_nodes; u++)
		literals += symcf_child(d, u, 0) < 2 && symcf_child(d, u, 1) < 2;
	return literals;
}

/* CUDD's table tells whether two of our nodes were the same. Fewer new entries than nodes can
 * also come from complement edges, which only a count of the nodes tells apart. */
static symcf_status check_reduced(symcf_bdd *b, const symcf_diagram *d, uint32_t keys_before)
{
	const uint32_t inner = d->n_nodes - 2, added = Cudd_ReadKeys(b->manager) - keys_before;
	uint64_t size;
	if (added == inner - count_literals(d))
		return SYMCF_OK;
	const symcf_status status = symcf_bdd_size(b, b->control, &size);
	return status ? status : size == symcf_diagram_size(d) ? SYMCF_OK : SYMCF_INTERNAL;
}

symcf_status symcf_bdd_thaw(const symcf_diagram *d, symcf_control *control, symcf_bdd **out)
{
	symcf_bdd *b;
	uint32_t made = 0;
	for (uint32_t k = 0; k < d->n; k++)
		if (d->arity[k] != 2)
			return SYMCF_UNSUPPORTED;
	symcf_status status = new_bdd(d->n, d->n_nodes, control, &b);
	if (status)
		return status;
	for (uint32_t k = 0; k < d->n; k++)
		b->feature_of[k] = d->order[k];
	DdNode **twin = symcf_allocate(d->n_nodes, sizeof *twin);
	if (!twin) {
		symcf_bdd_free(b);
		return SYMCF_NO_MEMORY;
	}
	begin(b, control);
	const uint32_t keys_before = Cudd_ReadKeys(b->manager);
	status = thaw_nodes(b, d, twin, &made);
	if (!status) {
		b->root = twin[d->root];
		Cudd_Ref(b->root);
	}
	while (made-- > 0)
		Cudd_RecursiveDeref(b->manager, twin[made]); /* parents first: no node dies */
	symcf_free(twin);
	if (!status)
		status = check_reduced(b, d, keys_before);
	end(b);
	if (status)
		symcf_bdd_free(b);
	else
		*out = b;
	return status;
}

/* ---------------------------------------------------------------------- tables --------------- */

/* Folds the column of values feature by feature, the last one first: entry i of the shorter
 * column tests the folded feature and leads to the entries that differ in its bit. */
static symcf_status fold_table(symcf_bdd *b, DdNode **column)
{
	for (uint32_t j = b->n; j-- > 0;) {
		const uint64_t half = (uint64_t)1 << j;
		for (uint64_t i = 0; i < half; i++) {
			DdNode *low = column[i], *high = column[i + half];
			DdNode *node = make_node(b, j, high, low);
			if (!node)
				return failure(b);
			Cudd_RecursiveDeref(b->manager, low);
			Cudd_RecursiveDeref(b->manager, high);
			column[i] = node;
			column[i + half] = NULL;
		}
	}
	return SYMCF_OK;
}

symcf_status symcf_bdd_from_table(uint32_t n, const uint8_t *table, symcf_control *control,
                                  symcf_bdd **out)
{
	symcf_bdd *b;
	if (n > 30)
		return SYMCF_UNSUPPORTED;
	const uint64_t entries = (uint64_t)1 << n;
	symcf_status status = new_bdd(n, 0, control, &b);
	if (status)
		return status;
	DdNode **column = symcf_allocate(entries, sizeof *column);
	if (!column) {
		symcf_bdd_free(b);
		return SYMCF_NO_MEMORY;
	}
	for (uint64_t i = 0; i < entries; i++) {
		column[i] = table[i / 8] >> (i % 8) & 1 ? Cudd_ReadOne(b->manager)
		                                        : Cudd_ReadLogicZero(b->manager);
		Cudd_Ref(column[i]);
	}
	begin(b, control);
	status = fold_table(b, column);
	end(b);
	if (!status) {
		b->root = column[0];
		column[0] = NULL;
	}
	for (uint64_t i = 0; i < entries; i++)
		if (column[i])
			Cudd_RecursiveDeref(b->manager, column[i]);
	symcf_free(column);
	if (status)
		symcf_bdd_free(b);
	else
		*out = b;
	return status;
}

/* ---------------------------------------------------------------------- freeze --------------- */

/* The nodes of the BDD as drawn without complement edges: (node, sign) pairs, that is, pointers
 * with CUDD's complement bit. An open-addressing table maps them to their order of discovery. */
typedef struct census {
	symcf_bdd *b;
	DdNode **found;  /* in order of discovery; 0 and 1 are the sinks */
	uint32_t *slot;  /* index into found plus 1; 0: empty            */
	uint32_t *rank;  /* discovery -> frozen node                     */
	uint64_t n_found, cap_found, n_slots;
} census;

static uint64_t hash_pointer(const void *p, uint64_t n_slots)
{
	const uint64_t h = (uint64_t)(uintptr_t)p * 0x9E3779B97F4A7C15u;
	return (h ^ h >> 32) & (n_slots - 1);
}

static uint32_t *find_slot(const census *s, const DdNode *node)
{
	uint64_t i = hash_pointer(node, s->n_slots);
	while (s->slot[i] && s->found[s->slot[i] - 1] != node)
		i = (i + 1) & (s->n_slots - 1);
	return &s->slot[i];
}

static symcf_status rehash(census *s)
{
	uint32_t *bigger = symcf_allocate_zeroed(2 * s->n_slots, sizeof *bigger);
	if (!bigger)
		return SYMCF_NO_MEMORY;
	symcf_free(s->slot);
	s->slot = bigger;
	s->n_slots *= 2;
	for (uint64_t i = 0; i < s->n_found; i++)
		*find_slot(s, s->found[i]) = (uint32_t)i + 1;
	return SYMCF_OK;
}

static symcf_status discover(census *s, DdNode *node)
{
	uint32_t *slot = find_slot(s, node);
	if (*slot)
		return SYMCF_OK;
	if (s->n_found >= UINT32_MAX - 2)
		return SYMCF_OVERFLOW;
	if (!symcf_grow(&s->found, &s->cap_found, s->n_found + 1, sizeof(DdNode *)))
		return SYMCF_NO_MEMORY;
	s->found[s->n_found++] = node;
	*slot = (uint32_t)s->n_found;
	return 2 * s->n_found > s->n_slots ? rehash(s) : SYMCF_OK;
}

static DdNode *cofactor(DdNode *node, uint32_t value)
{
	DdNode *regular = Cudd_Regular(node);
	return Cudd_NotCond(value ? Cudd_T(regular) : Cudd_E(regular), Cudd_IsComplement(node));
}

/* Breadth first: the list of what was found is its own queue. */
static symcf_status take_census(symcf_bdd *b, census *s)
{
	*s = (census){.b = b, .n_slots = 64};
	if (!(s->slot = symcf_allocate_zeroed(s->n_slots, sizeof *s->slot)))
		return SYMCF_NO_MEMORY;
	symcf_status status = discover(s, Cudd_ReadLogicZero(b->manager));
	if (!status)
		status = discover(s, Cudd_ReadOne(b->manager));
	if (!status)
		status = discover(s, b->root);
	for (uint64_t i = 2; i < s->n_found && !status; i++) {
		status = discover(s, cofactor(s->found[i], 1));
		if (!status)
			status = discover(s, cofactor(s->found[i], 0));
		if (!status)
			status = symcf_tick(b->control, 60);
	}
	return status;
}

static void end_census(census *s)
{
	symcf_free(s->found);
	symcf_free(s->slot);
	symcf_free(s->rank);
}

symcf_status symcf_bdd_size(symcf_bdd *b, symcf_control *control, uint64_t *size)
{
	census s;
	b->control = control;
	const symcf_status status = take_census(b, &s);
	if (!status)
		*size = Cudd_IsConstant(b->root) ? 1 : s.n_found;
	end_census(&s);
	return status;
}

static uint32_t level_of(const symcf_bdd *b, DdNode *node)
{
	return (uint32_t)Cudd_ReadPerm(b->manager, (int)Cudd_NodeReadIndex(node));
}

/* Ranks the nodes by level, bottom first, discovery order within a level (so that the result does
 * not depend on where CUDD's nodes lie in memory). start: scratch, n + 2 entries, zeroed. */
static void rank_by_level(census *s, uint32_t *start)
{
	const uint32_t n = s->b->n;
	for (uint64_t i = 2; i < s->n_found; i++)
		start[n - level_of(s->b, s->found[i])]++; /* levels n-1, n-2, ... count at 1, 2, ... */
	for (uint32_t k = 1; k <= n; k++)
		start[k] += start[k - 1];
	s->rank[0] = 0;
	s->rank[1] = 1;
	for (uint64_t i = 2; i < s->n_found; i++)
		s->rank[i] = 2 + start[n - 1 - level_of(s->b, s->found[i])]++;
}

static uint32_t rank_of(const census *s, const DdNode *node)
{
	return s->rank[*find_slot(s, node) - 1];
}

static void write_frozen(const census *s, symcf_diagram *d)
{
	const symcf_bdd *b = s->b;
	for (uint32_t k = 0; k < b->n; k++) {
		d->order[k] = b->feature_of[Cudd_ReadInvPerm(b->manager, (int)k)];
		d->arity[k] = 2;
	}
	for (uint64_t i = 2; i < s->n_found; i++) {
		const uint32_t u = s->rank[i];
		d->level[u] = level_of(b, s->found[i]);
		d->child[2 * (u - 2)] = rank_of(s, cofactor(s->found[i], 0));
		d->child[2 * (u - 2) + 1] = rank_of(s, cofactor(s->found[i], 1));
	}
	d->root = rank_of(s, b->root);
	symcf_diagram_place_children(d);
}

symcf_status symcf_bdd_freeze(symcf_bdd *b, symcf_control *control, symcf_diagram **out)
{
	census s;
	symcf_diagram *d = NULL;
	uint32_t *start = NULL;
	b->control = control;
	symcf_status status = take_census(b, &s);
	if (!status) {
		start = symcf_allocate_zeroed((uint64_t)b->n + 2, sizeof *start);
		s.rank = symcf_allocate(s.n_found, sizeof *s.rank);
		d = symcf_diagram_allocate(b->n, (uint32_t)s.n_found, 2 * (s.n_found - 2));
		if (!start || !s.rank || !d)
			status = SYMCF_NO_MEMORY;
	}
	if (!status) {
		rank_by_level(&s, start);
		write_frozen(&s, d);
		*out = d;
	} else {
		symcf_diagram_free(d);
	}
	symcf_free(start);
	end_census(&s);
	b->control = NULL;
	return status;
}

/* ------------------------------------------------------------- sift, evaluate ---------------- */

symcf_status symcf_bdd_sift(symcf_bdd *b, symcf_control *control)
{
	begin(b, control);
	const int done = Cudd_ReduceHeap(b->manager, CUDD_REORDER_SIFT_CONVERGE, 0);
	const symcf_status status = done ? b->stopped : failure(b);
	end(b);
	return status;
}

uint32_t symcf_bdd_evaluate(symcf_bdd *b, const uint32_t *x)
{
	DdNode *node = b->root;
	while (!Cudd_IsConstant(node))
		node = cofactor(node, x[b->feature_of[Cudd_NodeReadIndex(node)]]);
	return node == Cudd_ReadOne(b->manager);
}

/* ----------------------------------------------------------------------- dddmp --------------- */

#ifdef SYMCF_WITH_DDDMP

/* dddmp writes into memory, where it cannot fail half way and complain on stderr. */
static symcf_status write_file(const char *path, const char *text, size_t length)
{
	FILE *file = fopen(path, "wb");
	if (!file)
		return SYMCF_IO;
	const bool whole = fwrite(text, 1, length, file) == length;
	return fclose(file) == 0 && whole ? SYMCF_OK : SYMCF_IO;
}

/* What a writer is given: CUDD's variables by index. */
typedef struct dump {
	char **names;
	int *ids;      /* variable -> itself        */
	int *aux_ids;  /* variable -> itself        */
	int *features; /* variable -> CNF variable  */
	bool nodes;
} dump;

typedef int (*writer)(symcf_bdd *b, const dump *how, FILE *file);

static int write_bdd(symcf_bdd *b, const dump *how, FILE *file)
{
	return Dddmp_cuddBddStore(b->manager, NULL, b->root, how->names, NULL, DDDMP_MODE_TEXT,
	                          how->names ? DDDMP_VARNAMES : DDDMP_VARIDS, NULL, file);
}

static int write_cnf(symcf_bdd *b, const dump *how, FILE *file)
{
	int clauses, variables;
	return Dddmp_cuddBddStoreCnf(b->manager, b->root,
	                             how->nodes ? DDDMP_CNF_MODE_NODE : DDDMP_CNF_MODE_MAXTERM, 0,
	                             NULL, how->ids, how->aux_ids, how->features, (int)b->n + 1, -1,
	                             -1, NULL, file, &clauses, &variables);
}

static symcf_status store(symcf_bdd *b, const char *path, writer write, const dump *how)
{
	char *text = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&text, &length);
	if (!memory)
		return SYMCF_NO_MEMORY;
	const int written = write(b, how, memory);
	symcf_status status = fclose(memory) == 0 && written ? SYMCF_OK : SYMCF_NO_MEMORY;
	if (!status)
		status = write_file(path, text, length);
	free(text);
	return status;
}

symcf_status symcf_bdd_store(symcf_bdd *b, const char *path, const char *const *names)
{
	dump how = {0};
	if (names) {
		if (!(how.names = symcf_allocate(b->n, sizeof *how.names)))
			return SYMCF_NO_MEMORY;
		for (uint32_t i = 0; i < b->n; i++)
			how.names[i] = (char *)names[b->feature_of[i]]; /* dddmp only reads them */
	}
	const symcf_status status = store(b, path, write_bdd, &how);
	symcf_free(how.names);
	return status;
}

symcf_status symcf_bdd_store_cnf(symcf_bdd *b, const char *path, bool nodes)
{
	dump how = {.nodes = nodes};
	how.ids = symcf_allocate(3 * (uint64_t)b->n, sizeof *how.ids);
	if (!how.ids)
		return SYMCF_NO_MEMORY;
	how.aux_ids = how.ids + b->n;
	how.features = how.aux_ids + b->n;
	for (uint32_t i = 0; i < b->n; i++) {
		how.ids[i] = how.aux_ids[i] = (int)i;
		how.features[i] = (int)b->feature_of[i] + 1;
	}
	const symcf_status status = store(b, path, write_cnf, &how);
	symcf_free(how.ids);
	return status;
}

#else

symcf_status symcf_bdd_store(symcf_bdd *b, const char *path, const char *const *names)
{
	(void)b, (void)path, (void)names;
	return SYMCF_UNSUPPORTED;
}

symcf_status symcf_bdd_store_cnf(symcf_bdd *b, const char *path, bool nodes)
{
	(void)b, (void)path, (void)nodes;
	return SYMCF_UNSUPPORTED;
}

#endif

/* ----------------------------------------------------------------- prime clauses ------------- */

/* A depth-first walk over the cubes of a ZDD cover. Variable 2i of the ZDD is literal i, 2i + 1
 * its negation. With out == NULL it only measures. */
typedef struct cube_walk {
	symcf_bdd *b;
	uint64_t max_clauses;
	int32_t *out;
	uint64_t length, n_clauses;
	int32_t *clause; /* of the cube under way: its literals, negated */
	uint32_t size;
} cube_walk;

static symcf_status end_cube(cube_walk *w)
{
	if (w->max_clauses && w->n_clauses >= w->max_clauses)
		return SYMCF_LIMIT_NODES;
	if (w->out) {
		memcpy(w->out + w->length, w->clause, w->size * sizeof *w->clause);
		w->out[w->length + w->size] = 0;
	}
	w->length += w->size + 1;
	w->n_clauses++;
	return symcf_tick(w->b->control, w->size + 10);
}

/* As deep as there are ZDD variables on a path, at most one of each pair: n frames. */
static symcf_status walk_cubes(cube_walk *w, DdNode *node)
{
	const uint32_t size = w->size;
	symcf_status status = SYMCF_OK;
	while (!status && !Cudd_IsConstant(node)) {
		const uint32_t index = Cudd_NodeReadIndex(node);
		const int32_t variable = (int32_t)w->b->feature_of[index / 2] + 1;
		w->clause[w->size++] = index % 2 ? variable : -variable;
		status = walk_cubes(w, Cudd_T(node));
		w->size = size;
		node = Cudd_E(node);
	}
	if (!status && node == Cudd_ReadOne(w->b->manager))
		status = end_cube(w);
	w->size = size;
	return status;
}

/* ensures: *cover is referenced. */
static symcf_status prime_cover(symcf_bdd *b, bool negate, DdNode **cover)
{
	DdManager *manager = b->manager;
	if (!b->has_zdd_variables && b->n) {
		if (!Cudd_zddVarsFromBddVars(manager, 2))
			return failure(b);
		b->has_zdd_variables = true;
	}
	DdNode *function = Cudd_NotCond(b->root, !negate);
	DdNode *same = Cudd_zddIsop(manager, function, function, cover);
	if (!same)
		return failure(b);
	Cudd_Ref(*cover);
	Cudd_Ref(same);
	Cudd_RecursiveDeref(manager, same);
	return same == function ? SYMCF_OK : SYMCF_INTERNAL;
}

symcf_status symcf_encode_primes(symcf_bdd *b, bool negate, uint64_t max_clauses,
                                 symcf_control *control, symcf_clauses **out)
{
	DdNode *cover = NULL;
	cube_walk w = {.b = b, .max_clauses = max_clauses};
	symcf_clauses *c = symcf_allocate_zeroed(1, sizeof *c);
	w.clause = symcf_allocate((uint64_t)b->n + 1, sizeof *w.clause);
	begin(b, control);
	symcf_status status = c && w.clause ? prime_cover(b, negate, &cover) : SYMCF_NO_MEMORY;
	if (!status) {
		if (control)
			control->nodes = (uint64_t)Cudd_zddCountDouble(b->manager, cover);
		status = walk_cubes(&w, cover);
	}
	if (!status && !(c->literals = symcf_allocate(w.length, sizeof *c->literals)))
		status = SYMCF_NO_MEMORY;
	if (!status) {
		c->length = w.length;
		c->n_clauses = w.n_clauses;
		c->n_vars = b->n;
		w.out = c->literals;
		w.length = w.n_clauses = 0;
		status = walk_cubes(&w, cover);
	}
	if (cover)
		Cudd_RecursiveDerefZdd(b->manager, cover);
	end(b);
	symcf_free(w.clause);
	if (status)
		symcf_clauses_free(c);
	else
		*out = c;
	return status;
}
