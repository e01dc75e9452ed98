/* bdd_files.c: the file formats of CUDD's dddmp package. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "bdd.h"
#include "memory.h"
#ifdef SYMCF_WITH_DDDMP
#include "dddmp.h"
#endif

#ifdef SYMCF_WITH_DDDMP

/* Copies what a stream holds to the file at `path`. */
static symcf_status save(FILE *stream, const char *path)
{
	char part[1 << 16];
	size_t length;
	FILE *file = fopen(path, "wb");
	if (!file)
		return SYMCF_IO;
	bool whole = true;
	rewind(stream);
	while (whole && (length = fread(part, 1, sizeof part, stream)) > 0)
		whole = fwrite(part, 1, length, file) == length;
	whole = whole && !ferror(stream);
	return fclose(file) == 0 && whole ? SYMCF_OK : SYMCF_IO;
}

/* What a writer is given: CUDD's variables by index. */
typedef struct dump {
	char **names;
	int *ids;      /* variable -> itself        */
	int *aux_ids;  /* variable -> itself        */
	int *literals; /* variable -> CNF variable  */
	bool nodes;
	FILE *file;
} dump;

static symcf_status write_bdd(symcf_bdd *b, void *data)
{
	const dump *how = data;
	const int written =
		Dddmp_cuddBddStore(b->manager, NULL, b->root, how->names, NULL, DDDMP_MODE_TEXT,
		                   how->names ? DDDMP_VARNAMES : DDDMP_VARIDS, NULL, how->file);
	return written ? SYMCF_OK : SYMCF_IO;
}

static symcf_status write_cnf(symcf_bdd *b, void *data)
{
	const dump *how = data;
	int clauses, variables;
	const int written = Dddmp_cuddBddStoreCnf(
		b->manager, b->root, how->nodes ? DDDMP_CNF_MODE_NODE : DDDMP_CNF_MODE_MAXTERM, 0, NULL,
		how->ids, how->aux_ids, how->literals, (int)b->n_literals + 1, -1, -1, NULL, how->file,
		&clauses, &variables);
	return written ? SYMCF_OK : SYMCF_IO;
}

/* dddmp complains on stderr when it cannot write, so it writes to a scratch file first. (Not to
 * memory: it goes back to complete its header, and a memory stream ends where it was left.) */
static symcf_status store(symcf_bdd *b, const char *path, bdd_work write, dump *how)
{
	how->file = tmpfile();
	if (!how->file)
		return SYMCF_IO;
	symcf_status status = bdd_guard(b, write, how);
	if (!status)
		status = fflush(how->file) == 0 ? save(how->file, path) : SYMCF_IO;
	fclose(how->file);
	return status;
}

/* "name" of a feature with two values, "name=v" of one with more. ensures: owned by the caller. */
static char *variable_name(const symcf_bdd *b, const char *const *names, uint32_t variable)
{
	enum { DIGITS = 12 };
	const uint32_t feature = b->feature_of[variable];
	const uint64_t length = strlen(names[feature]) + DIGITS;
	char *name = symcf_allocate(length, 1);
	if (name && b->arity[feature] > 2)
		snprintf(name, length, "%s=%" PRIu32, names[feature], bdd_value(b, variable));
	else if (name)
		memcpy(name, names[feature], length - DIGITS + 1);
	return name;
}

symcf_status symcf_bdd_store(symcf_bdd *b, const char *path, const char *const *names)
{
	dump how = {0};
	symcf_status status = SYMCF_OK;
	if (symcf_bdd_is_lost(b))
		return SYMCF_NO_MEMORY;
	if (names && !(how.names = symcf_allocate_zeroed(b->n_variables, sizeof *how.names)))
		return SYMCF_NO_MEMORY;
	for (uint32_t i = 0; names && i < b->n_variables && !status; i++)
		if (!(how.names[i] = variable_name(b, names, i)))
			status = SYMCF_NO_MEMORY;
	if (!status)
		status = store(b, path, write_bdd, &how);
	for (uint32_t i = 0; names && i < b->n_variables; i++)
		symcf_free(how.names[i]);
	symcf_free(how.names);
	return status;
}

symcf_status symcf_bdd_store_cnf(symcf_bdd *b, const char *path, bool nodes)
{
	dump how = {.nodes = nodes};
	const uint32_t n = b->n_variables;
	if (symcf_bdd_is_lost(b))
		return SYMCF_NO_MEMORY;
	how.ids = symcf_allocate(3 * (uint64_t)n, sizeof *how.ids);
	if (!how.ids)
		return SYMCF_NO_MEMORY;
	how.aux_ids = how.ids + n;
	how.literals = how.aux_ids + n;
	for (uint32_t i = 0; i < n; i++) {
		how.ids[i] = how.aux_ids[i] = (int)i;
		how.literals[i] = (int)bdd_literal(b, i);
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
