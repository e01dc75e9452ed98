/* bdd_files.c: the BDD as a text file that other BDD tools read, in the format DDDMP-2.0.
 *
 * Written from the format as it is seen in files, without the package it is named after, whose
 * licence permits academic use only. A header, then a line per node, children first:
 *
 *     number  variable  place  then  else
 *
 * `variable` is its name or index, `place` its rank from the root among the variables that are
 * tested; a negative `else` is complemented. Node 1 is the sink 1, which the root may complement.
 */
#include <inttypes.h>
#include <string.h>

#include "bdd.h"
#include "hash_table.h"
#include "memory.h"
#include "try.h"

/* The nodes, without the signs of edges, and where they are in the file. */
typedef struct listing {
	symcf_bdd *b;
	DdNode **found;   /* in order of discovery, from the root; the sink is first */
	uint32_t *number; /* discovery -> number in the file                         */
	uint32_t *place;  /* variable -> rank among those tested; NONE               */
	uint64_t n_found, cap_found;
	uint32_t n_tested;
	hash_table table; /* of those found, numbered from 1 */
} listing;

static const uint32_t NONE = UINT32_MAX;

static uint64_t hash_pointer(const DdNode *node)
{
	return hash_table_mix(0, (uint64_t)(uintptr_t)node);
}

static uint64_t hash_found(const void *owner, uint32_t number)
{
	return hash_pointer(((const listing *)owner)->found[number - 1]);
}

static bool is_found(const void *owner, uint32_t number, const void *node)
{
	return ((const listing *)owner)->found[number - 1] == node;
}

static uint32_t *find_slot(listing *l, DdNode *node)
{
	return hash_table_find(&l->table, hash_pointer(node), is_found, l, node);
}

static symcf_status discover(listing *l, DdNode *node)
{
	node = Cudd_Regular(node);
	TRY(symcf_hash_table_reserve(&l->table, 1, l->n_found + 1, hash_found, l));
	uint32_t *slot = find_slot(l, node);
	if (*slot)
		return SYMCF_OK;
	if (l->n_found >= UINT32_MAX - 2)
		return SYMCF_OVERFLOW;
	if (!symcf_grow(&l->found, &l->cap_found, l->n_found + 1, sizeof(DdNode *)))
		return symcf_no_memory();
	l->found[l->n_found++] = node;
	*slot = (uint32_t)l->n_found;
	return SYMCF_OK;
}

static uint32_t level_of(const listing *l, uint32_t variable)
{
	return (uint32_t)Cudd_ReadPerm(l->b->manager, (int)variable);
}

static uint32_t variable_at(const listing *l, uint32_t level)
{
	return (uint32_t)Cudd_ReadInvPerm(l->b->manager, (int)level);
}

/* Numbers nodes from the deepest level up, so that children come first. `end`: by level, zeroed. */
static void number_nodes(listing *l, uint64_t *end)
{
	const uint32_t n = l->b->n_variables;
	for (uint64_t i = 1; i < l->n_found; i++)
		end[level_of(l, Cudd_NodeReadIndex(l->found[i]))]++;
	for (uint32_t level = 0; level < n; level++)
		l->place[variable_at(l, level)] = end[level] ? l->n_tested++ : NONE;
	uint64_t next = 2;
	for (uint32_t level = n; level-- > 0;) {
		const uint64_t count = end[level];
		end[level] = next;
		next += count;
	}
	l->number[0] = 1;
	for (uint64_t i = 1; i < l->n_found; i++)
		l->number[i] = (uint32_t)end[level_of(l, Cudd_NodeReadIndex(l->found[i]))]++;
}

static symcf_status list_nodes(listing *l)
{
	symcf_bdd *b = l->b;
	TRY(discover(l, Cudd_ReadOne(b->manager)));
	TRY(discover(l, b->root));
	for (uint64_t i = 1; i < l->n_found; i++) {
		TRY(discover(l, Cudd_T(l->found[i])));
		TRY(discover(l, Cudd_E(l->found[i])));
	}
	l->number = symcf_allocate(l->n_found, sizeof *l->number);
	l->place = symcf_allocate((uint64_t)b->n_variables + 1, sizeof *l->place);
	uint64_t *end = symcf_allocate_zeroed((uint64_t)b->n_variables + 1, sizeof *end);
	if (l->number && l->place && end)
		number_nodes(l, end);
	symcf_free(end);
	return l->number && l->place && end ? SYMCF_OK : symcf_no_memory();
}

/* ------------------------------------------------------------- text --------------------------- */

/* "name" of a feature with two values, "name=v" of one with more; its index without names. */
static void write_variable(const listing *l, const char *const *names, uint32_t variable,
                           FILE *file)
{
	const symcf_bdd *b = l->b;
	const uint32_t feature = b->feature_of[variable];
	if (!names)
		fprintf(file, "%" PRIu32, variable);
	else if (b->arity[feature] > 2)
		fprintf(file, "%s=%" PRIu32, names[feature], bdd_value(b, variable));
	else
		fputs(names[feature], file);
}

static int64_t edge_to(listing *l, DdNode *child)
{
	const int64_t number = l->number[*find_slot(l, Cudd_Regular(child)) - 1];
	return Cudd_IsComplement(child) ? -number : number;
}

static void write_header(listing *l, const char *const *names, FILE *file)
{
	const symcf_bdd *b = l->b;
	const uint32_t n = b->n_variables;
	fprintf(file, ".ver DDDMP-2.0\n.mode A\n.varinfo %d\n", names ? 3 : 0);
	fprintf(file, ".nnodes %" PRIu64 "\n.nvars %" PRIu32 "\n", l->n_found, n);
	fprintf(file, ".nsuppvars %" PRIu32 "\n", l->n_tested);
	for (int all = 0; names && all < 2; all++) {
		fputs(all ? ".orderedvarnames" : ".suppvarnames", file);
		for (uint32_t i = 0; i < n; i++) {
			if (!all && l->place[i] == NONE)
				continue;
			fputc(' ', file);
			write_variable(l, names, all ? variable_at(l, i) : i, file);
		}
		fputc('\n', file);
	}
	for (int levels = 0; levels < 2; levels++) {
		fputs(levels ? ".permids" : ".ids", file);
		for (uint32_t i = 0; i < n; i++)
			if (l->place[i] != NONE)
				fprintf(file, " %" PRIu32, levels ? level_of(l, i) : i);
		fputc('\n', file);
	}
	fprintf(file, ".nroots 1\n.rootids %" PRId64 "\n.nodes\n", edge_to(l, b->root));
}

static void write_nodes(listing *l, const uint32_t *at, const char *const *names, FILE *file)
{
	fputs("1 T 1 0 0\n", file);
	for (uint64_t i = 1; i < l->n_found; i++) {
		DdNode *node = l->found[at[i]];
		const uint32_t variable = Cudd_NodeReadIndex(node);
		fprintf(file, "%" PRIu64 " ", i + 1);
		write_variable(l, names, variable, file);
		fprintf(file, " %" PRIu32 " %" PRId64 " %" PRId64 "\n", l->place[variable],
		        edge_to(l, Cudd_T(node)), edge_to(l, Cudd_E(node)));
	}
	fputs(".end\n", file);
}

static symcf_status write_file(listing *l, const char *path, const char *const *names)
{
	uint32_t *at = symcf_allocate(l->n_found, sizeof *at); /* number - 1 -> discovery */
	if (!at)
		return symcf_no_memory();
	for (uint64_t i = 0; i < l->n_found; i++)
		at[l->number[i] - 1] = (uint32_t)i;
	FILE *file = fopen(path, "wb");
	if (file) {
		write_header(l, names, file);
		write_nodes(l, at, names, file);
	}
	symcf_free(at);
	const bool whole = file && !ferror(file);
	return file && fclose(file) == 0 && whole ? SYMCF_OK : SYMCF_IO;
}

symcf_status symcf_bdd_store(symcf_bdd *b, const char *path, const char *const *names)
{
	listing l = {.b = b};
	if (symcf_bdd_is_lost(b))
		return SYMCF_NO_MEMORY;
	symcf_status status = list_nodes(&l);
	if (!status)
		status = write_file(&l, path, names);
	symcf_free(l.found);
	symcf_free(l.number);
	symcf_free(l.place);
	symcf_hash_table_free(&l.table);
	return status;
}
