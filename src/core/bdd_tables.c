/* bdd_tables.c: any function, from its values at all inputs. */
#include "bdd.h"
#include "memory.h"

enum { MOST_ENTRIES = 1 << 30 };

/* Folds the column of values feature by feature, the last one first: entry i of the shorter column
 * tests the folded feature and leads to the entries that differ in its value. */
static symcf_status fold(symcf_bdd *b, DdNode **column, uint64_t entries)
{
	for (uint32_t j = b->n; j-- > 0;) {
		const uint32_t values = b->arity[j];
		entries /= values;
		for (uint64_t i = 0; i < entries; i++) {
			for (uint32_t v = 0; v < values; v++)
				b->children[v] = column[i + v * entries];
			DdNode *node = symcf_bdd_chain(b, j, b->children);
			if (!node)
				return symcf_bdd_failure(b);
			for (uint32_t v = 0; v < values; v++) {
				Cudd_RecursiveDeref(b->manager, b->children[v]);
				column[i + v * entries] = NULL;
			}
			column[i] = node;
		}
	}
	return SYMCF_OK;
}

typedef struct truth {
	const uint8_t *table;
	uint64_t entries;
} truth;

static symcf_status fold_table(symcf_bdd *b, void *data)
{
	const uint8_t *table = ((const truth *)data)->table;
	const uint64_t entries = ((const truth *)data)->entries;
	DdNode **column = b->scratch = symcf_allocate(entries, sizeof *column);
	if (!column)
		return symcf_no_memory();
	for (uint64_t i = 0; i < entries; i++) {
		column[i] =
			table[i / 8] >> (i % 8) & 1 ? Cudd_ReadOne(b->manager) : Cudd_ReadLogicZero(b->manager);
		Cudd_Ref(column[i]);
	}
	const symcf_status status = fold(b, column, entries);
	if (!status) {
		b->root = column[0];
		column[0] = NULL;
	}
	for (uint64_t i = 0; i < entries; i++)
		if (column[i])
			Cudd_RecursiveDeref(b->manager, column[i]);
	return status;
}

symcf_status symcf_bdd_from_table(uint32_t n, const uint32_t *n_values, const uint8_t *table,
                                  symcf_control *control, symcf_bdd **out)
{
	symcf_bdd *b;
	uint64_t entries = 1;
	for (uint32_t j = 0; j < n; j++) {
		const uint32_t values = n_values ? n_values[j] : 2;
		if (!values)
			return SYMCF_INVALID;
		if (values > MOST_ENTRIES / entries)
			return SYMCF_UNSUPPORTED;
		entries *= values;
	}
	symcf_status status = symcf_bdd_create(n, NULL, n_values, 0, control, &b);
	if (status)
		return status;
	symcf_bdd_begin(b, control, WORK_A_NODE);
	truth t = {table, entries};
	status = symcf_bdd_guard(b, fold_table, &t);
	symcf_bdd_end(b);
	return bdd_hand_over(b, status, out);
}
