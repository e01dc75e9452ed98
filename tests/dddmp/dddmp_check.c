/* dddmp_check.c: reads BDDs from files of the format DDDMP-2.0 by CUDD's dddmp, and writes them by it.
 *
 *     dddmp_check MODE LITERALS (IN OUT)...
 *
 * MODE: store, the BDD as text again; paths, a clause per path; nodes, a variable per node.
 * LITERALS: by CUDD's variables, their numbers in clauses, with commas between them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cudd.h"
#include "dddmp.h"

static int literals[1024], ids[1024], n;

static int write_clauses(DdManager *manager, DdNode *f, int by_node, FILE *file)
{
	int clauses, variables, most = 0;
	for (int i = 0; i < n; i++)
		most = literals[i] > most ? literals[i] : most;
	return Dddmp_cuddBddStoreCnf(manager, f, by_node ? DDDMP_CNF_MODE_NODE : DDDMP_CNF_MODE_MAXTERM,
	                             0, NULL, ids, ids, literals, most + 1, -1, -1, NULL, file,
	                             &clauses, &variables);
}

static int convert(const char *mode, char *in, const char *out)
{
	DdManager *manager = Cudd_Init((unsigned)n, 0, CUDD_UNIQUE_SLOTS, CUDD_CACHE_SLOTS, 0);
	DdNode *f =
		Dddmp_cuddBddLoad(manager, DDDMP_VAR_MATCHIDS, NULL, NULL, NULL, DDDMP_MODE_TEXT, in, NULL);
	FILE *file = fopen(out, "wb");
	if (!f || !file)
		return 0;
	const int written = strcmp(mode, "store") == 0
	                        ? Dddmp_cuddBddStore(manager, NULL, f, NULL, NULL, DDDMP_MODE_TEXT,
	                                             DDDMP_VARIDS, NULL, file)
	                        : write_clauses(manager, f, strcmp(mode, "nodes") == 0, file);
	Cudd_RecursiveDeref(manager, f);
	const int left = Cudd_CheckZeroRef(manager);
	Cudd_Quit(manager);
	return fclose(file) == 0 && written && left == 0;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	for (char *part = strtok(argv[2], ","); part && n < 1024; part = strtok(NULL, ",")) {
		ids[n] = n;
		literals[n++] = atoi(part);
	}
	for (int i = 3; i + 1 < argc; i += 2)
		if (!convert(argv[1], argv[i], argv[i + 1]))
			return 1;
	return 0;
}
