/* bdd.c: the one place that knows CUDD.
 *
 * The frozen diagram is what symcf works with; CUDD's BDD is its canonical twin, where reordering,
 * prime covers (ISOP), arbitrary Boolean functions and the DDDMP file format come from. Freezing
 * and thawing go back and forth between the two.
 *
 * CUDD's variables are made in the order of the levels of the diagram it comes from, so no variable
 * ever moves unless sifting moves it; feature_of[i] says which feature it belongs to, and bdd.h how
 * the variables of a feature with many values work together.
 *
 * References. CUDD counts them; a node without one may vanish in the next garbage collection.
 * While a BDD is built every finished node holds one reference of ours. At the end all but the
 * root's are given back: their parents hold them now.
 *
 * Memory. CUDD reports an exhausted budget as NULL and an error code. When memory itself ends, it
 * is left by a jump (bdd_memory.c), unless it is an installed CUDD: then its out-of-memory hook,
 * which by default prints and exits, has to be silenced.
 */
#include "bdd.h"

#include <assert.h>

#include "diagram.h"
#include "memory.h"

#ifndef SYMCF_HAVE_CUDD_INTERNALS
extern void (*MMoutOfMemory)(size_t); /* CUDD's process-wide hook; see above */
#endif

/* --------------------------------------------------- managers, budgets, status --------------- */

static int must_stop(const void *data)
{
	symcf_bdd *b = (symcf_bdd *)data;
	if (!b->stopped)
		b->stopped = symcf_tick(b->control, b->work);
	return b->stopped != SYMCF_OK;
}

void symcf_bdd_begin(symcf_bdd *b, symcf_control *control, uint32_t work)
{
	b->control = control;
	b->work = work;
	b->stopped = SYMCF_OK;
	Cudd_ClearErrorCode(b->manager);
	Cudd_RegisterTerminationCallback(b->manager, must_stop, b);
}

void symcf_bdd_limit_nodes(symcf_bdd *b)
{
	const uint64_t most = b->control ? b->control->max_nodes : 0;
	const uint64_t live = most + Cudd_ReadKeys(b->manager);
	if (most && live < UINT32_MAX)
		Cudd_SetMaxLive(b->manager, (unsigned int)live);
}

void symcf_bdd_reached(symcf_bdd *b, uint32_t steps, symcf_status status)
{
	if (!b->control || symcf_bdd_is_lost(b))
		return;
	b->control->level = steps;
	b->control->nodes = status == SYMCF_LIMIT_NODES
	                        ? b->control->max_nodes
	                        : Cudd_ReadKeys(b->manager) - Cudd_ReadDead(b->manager);
}

void symcf_bdd_end(symcf_bdd *b)
{
	if (symcf_bdd_is_lost(b))
		return;
	Cudd_UnregisterTerminationCallback(b->manager);
	Cudd_ClearErrorCode(b->manager);
	Cudd_SetMaxLive(b->manager, UINT32_MAX);
	if (b->control)
		b->control->memory = Cudd_ReadMemoryInUse(b->manager);
	b->control = NULL;
}

symcf_status symcf_bdd_failure(const symcf_bdd *b)
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

/* Hash slots per variable for this many nodes. CUDD wants a power of two and grows it when there are
 * 4 nodes per slot. */
static unsigned int slots_for(uint64_t nodes, uint32_t variables)
{
	unsigned int slots = 32;
	while (variables && slots < (1u << 20) && 2 * (uint64_t)slots * variables < nodes)
		slots *= 2;
	return slots;
}

/* Variables of CUDD for a feature. */
static uint32_t block_size(uint32_t arity)
{
	return arity > 2 ? arity - 1 : 1;
}

/* Lays the blocks out, level by level. */
static symcf_status make_variables(symcf_bdd *b, const uint32_t *order, const uint32_t *arity)
{
	uint32_t variable = 0, most = 1;
	b->arity = symcf_allocate(b->n, sizeof *b->arity);
	b->first = symcf_allocate(b->n, sizeof *b->first);
	b->literal = symcf_allocate(b->n, sizeof *b->literal);
	b->feature_of = symcf_allocate(b->n_variables, sizeof *b->feature_of);
	if (!b->arity || !b->first || !b->literal || !b->feature_of)
		return symcf_no_memory();
	for (uint32_t k = 0; k < b->n; k++) {
		const uint32_t j = order ? order[k] : k;
		b->arity[j] = arity ? arity[k] : 2;
		b->first[j] = variable;
		for (uint32_t i = block_size(b->arity[j]); i-- > 0;)
			b->feature_of[variable++] = j;
		most = b->arity[j] > most ? b->arity[j] : most;
	}
	for (uint32_t j = 0; j < b->n; j++) {
		b->literal[j] = b->n_literals + 1;
		b->n_literals += b->arity[j] - 1;
	}
	b->children = symcf_allocate(most, sizeof(DdNode *));
	return b->children ? SYMCF_OK : symcf_no_memory();
}

static symcf_status open_manager(symcf_bdd *b, void *nodes)
{
	enum { CACHE_SLOTS = 1 << 12 };
	const unsigned int slots = slots_for(*(const uint64_t *)nodes, b->n_variables);
#ifndef SYMCF_HAVE_CUDD_INTERNALS
	MMoutOfMemory = Cudd_OutOfMemSilent;
#endif
	b->manager = Cudd_Init(b->n_variables, 0, slots, CACHE_SLOTS, 0);
	if (!b->manager)
		return SYMCF_NO_MEMORY;
#ifndef SYMCF_HAVE_CUDD_INTERNALS
	Cudd_RegisterOutOfMemoryCallback(b->manager, Cudd_OutOfMemSilent);
#endif
	return SYMCF_OK;
}

symcf_status symcf_bdd_create(uint32_t n, const uint32_t *order, const uint32_t *arity,
                              uint64_t nodes, const symcf_control *control, symcf_bdd **out)
{
	uint64_t variables = 0;
	for (uint32_t k = 0; k < n; k++)
		variables += arity ? block_size(arity[k]) : 1;
	if (variables >= 1u << 28)
		return SYMCF_NO_MEMORY;
	symcf_bdd *b = symcf_allocate_zeroed(1, sizeof *b);
	if (!b)
		return symcf_no_memory();
	b->n = n;
	b->n_variables = (uint32_t)variables;
	symcf_status status = make_variables(b, order, arity);
	if (!status)
		status = symcf_bdd_guard(b, open_manager, &nodes);
	const uint64_t left = symcf_budget_left(), most = control ? control->max_memory : 0;
	if (!status && (most || left < UINT64_MAX))
		Cudd_SetMaxMemory(b->manager, most && most < left ? most : left);
	return bdd_hand_over(b, status, out);
}

int symcf_bdd_free(symcf_bdd *b)
{
	if (!b)
		return 0;
	if (b->root)
		Cudd_RecursiveDeref(b->manager, b->root);
	const int still_referenced = b->manager ? Cudd_CheckZeroRef(b->manager) : 0;
	symcf_bdd_drop(b);
	return still_referenced;
}

void symcf_bdd_drop(symcf_bdd *b)
{
	if (!b)
		return;
	if (b->manager)
		Cudd_Quit(b->manager);
	symcf_free(b->arity);
	symcf_free(b->first);
	symcf_free(b->literal);
	symcf_free(b->feature_of);
	symcf_free(b->children);
	symcf_free(b);
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

DdNode *symcf_bdd_chain(symcf_bdd *b, uint32_t feature, DdNode *const *child)
{
	DdNode *rest = child[0], *node = rest;
	const uint32_t values = b->arity[feature];
	if (values == 1)
		Cudd_Ref(node);
	for (uint32_t v = values - 1; v > 0 && rest; v--, rest = node) {
		node = make_node(b, b->first[feature] + v - 1, child[v], rest);
		if (v < values - 1)
			Cudd_RecursiveDeref(b->manager, rest);
	}
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
		const uint32_t *child = symcf_children(d, *made), k = d->level[*made];
		for (uint32_t v = 0; v < d->arity[k]; v++)
			b->children[v] = twin[child[v]];
		twin[*made] = symcf_bdd_chain(b, d->order[k], b->children);
		if (!twin[*made])
			return symcf_bdd_failure(b);
		if (b->control)
			b->control->nodes = *made - 1;
		const symcf_status status = symcf_tick(b->control, WORK_A_NODE);
		if (status) {
			++*made;
			return status;
		}
	}
	return SYMCF_OK;
}

symcf_status symcf_bdd_thaw_root(symcf_bdd *b, const symcf_diagram *d, DdNode **root)
{
	uint32_t made = 0;
	symcf_free(b->scratch); /* of the diagram before */
	DdNode **twin = b->scratch = symcf_allocate(d->n_nodes, sizeof *twin);
	if (!twin)
		return symcf_no_memory();
	const symcf_status status = thaw_nodes(b, d, twin, &made);
	if (!status) {
		*root = twin[d->root];
		Cudd_Ref(*root);
	}
	while (made-- > 0)
		Cudd_RecursiveDeref(b->manager, twin[made]); /* parents first: no node dies */
	return status;
}

static bool all_binary(const symcf_diagram *d)
{
	for (uint32_t k = 0; k < d->n; k++)
		if (d->arity[k] != 2)
			return false;
	return true;
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
 * also come from complement edges, which only a count of the nodes tells apart; that count is also
 * what there is for chains, which share parts. */
static symcf_status check_reduced(symcf_bdd *b, const symcf_diagram *d, uint32_t keys_before)
{
	const uint32_t inner = d->n_nodes - 2, added = Cudd_ReadKeys(b->manager) - keys_before;
	uint64_t size;
	if (all_binary(d) && added == inner - count_literals(d))
		return SYMCF_OK;
	const symcf_status status = symcf_bdd_size(b, b->control, &size);
	return status ? status : size == symcf_diagram_size(d) ? SYMCF_OK : SYMCF_INTERNAL;
}

static symcf_status thaw(symcf_bdd *b, void *diagram)
{
	const symcf_diagram *d = diagram;
	const uint32_t keys_before = Cudd_ReadKeys(b->manager);
	const symcf_status status = symcf_bdd_thaw_root(b, d, &b->root);
	return status ? status : check_reduced(b, d, keys_before);
}

symcf_status symcf_bdd_thaw(const symcf_diagram *d, symcf_control *control, symcf_bdd **out)
{
	symcf_bdd *b;
	symcf_status status = symcf_bdd_create(d->n, d->order, d->arity, d->n_nodes, control, &b);
	if (status)
		return status;
	symcf_bdd_begin(b, control, WORK_A_NODE);
	status = symcf_bdd_guard(b, thaw, (void *)d);
	symcf_bdd_end(b);
	return bdd_hand_over(b, status, out);
}

/* ------------------------------------------------------------- sift, evaluate ---------------- */

/* Sifting moves a block as a whole and leaves it as it is inside. */
static symcf_status tie_blocks(symcf_bdd *b)
{
	for (uint32_t j = 0; j < b->n; j++)
		if (b->arity[j] > 2 &&
		    !Cudd_MakeTreeNode(b->manager, b->first[j], b->arity[j] - 1, MTR_FIXED))
			return SYMCF_NO_MEMORY;
	return SYMCF_OK;
}

/* CUDD sifts variables by themselves until that gains nothing more, but blocks once per call,
 * whatever method it is given. */
static symcf_status sift(symcf_bdd *b, void *unused)
{
	unsigned int before;
	symcf_status status = Cudd_ReadTree(b->manager) ? SYMCF_OK : tie_blocks(b);
	(void)unused;
	do {
		before = Cudd_ReadKeys(b->manager);
		if (!status && !Cudd_ReduceHeap(b->manager, CUDD_REORDER_SIFT_CONVERGE, 0))
			status = symcf_bdd_failure(b);
		if (!status)
			status = b->stopped;
	} while (!status && Cudd_ReadTree(b->manager) && Cudd_ReadKeys(b->manager) < before);
	return status;
}

symcf_status symcf_bdd_sift(symcf_bdd *b, symcf_control *control)
{
	if (symcf_bdd_is_lost(b))
		return SYMCF_NO_MEMORY;
	symcf_bdd_begin(b, control, WORK_A_LOOK);
	const symcf_status status = symcf_bdd_guard(b, sift, NULL);
	symcf_bdd_end(b);
	return status;
}

uint32_t symcf_bdd_evaluate(symcf_bdd *b, const uint32_t *x)
{
	DdNode *node = b->root;
	while (!Cudd_IsConstant(node)) {
		const uint32_t i = Cudd_NodeReadIndex(node);
		node = bdd_cofactor(node, x[b->feature_of[i]] == bdd_value(b, i));
	}
	return node == Cudd_ReadOne(b->manager);
}
