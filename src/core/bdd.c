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
#include "bdd.h"

#include <assert.h>

#include "diagram.h"
#include "memory.h"

extern void (*MMoutOfMemory)(size_t); /* CUDD's process-wide hook; see above */

/* --------------------------------------------------- managers, budgets, status --------------- */

static int must_stop(const void *data)
{
	symcf_bdd *b = (symcf_bdd *)data;
	if (!b->stopped)
		b->stopped = symcf_tick(b->control, b->work);
	return b->stopped != SYMCF_OK;
}

void bdd_begin(symcf_bdd *b, symcf_control *control, uint32_t work)
{
	b->control = control;
	b->work = work;
	b->stopped = SYMCF_OK;
	Cudd_ClearErrorCode(b->manager);
	Cudd_RegisterTerminationCallback(b->manager, must_stop, b);
}

void bdd_end(symcf_bdd *b)
{
	Cudd_UnregisterTerminationCallback(b->manager);
	Cudd_ClearErrorCode(b->manager);
	if (b->control)
		b->control->memory = Cudd_ReadMemoryInUse(b->manager);
	b->control = NULL;
}

symcf_status bdd_failure(const symcf_bdd *b)
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
			return bdd_failure(b);
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
	bdd_begin(b, control, WORK_A_NODE);
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
	bdd_end(b);
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
				return bdd_failure(b);
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
		column[i] =
			table[i / 8] >> (i % 8) & 1 ? Cudd_ReadOne(b->manager) : Cudd_ReadLogicZero(b->manager);
		Cudd_Ref(column[i]);
	}
	bdd_begin(b, control, WORK_A_NODE);
	status = fold_table(b, column);
	bdd_end(b);
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

/* ------------------------------------------------------------- sift, evaluate ---------------- */

symcf_status symcf_bdd_sift(symcf_bdd *b, symcf_control *control)
{
	bdd_begin(b, control, WORK_A_VARIABLE);
	const int done = Cudd_ReduceHeap(b->manager, CUDD_REORDER_SIFT_CONVERGE, 0);
	const symcf_status status = done ? b->stopped : bdd_failure(b);
	bdd_end(b);
	return status;
}

uint32_t symcf_bdd_evaluate(symcf_bdd *b, const uint32_t *x)
{
	DdNode *node = b->root;
	while (!Cudd_IsConstant(node))
		node = bdd_cofactor(node, x[b->feature_of[Cudd_NodeReadIndex(node)]]);
	return node == Cudd_ReadOne(b->manager);
}
