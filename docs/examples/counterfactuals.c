/* The admission example of the paper through the C interface: naive Bayes -> change sets of one applicant.
 *
 *   cc counterfactuals.c -lsymcf_core -lcudd -lm -lpthread -ldl
 */
#include <stdio.h>
#include <symcf.h>

enum { N = 4 };
static const char *const NAMES[N] = {"entrance exam", "work experience", "grade",
                                     "first applicant"};

static int fail(symcf_status status)
{
	fprintf(stderr, "%s\n", symcf_status_text(status));
	return 1;
}

int main(void)
{
	/* P(X_j = v | admitted) and P(X_j = v | rejected), value 0 before value 1 of each feature */
	static const uint32_t value_offset[N + 1] = {0, 2, 4, 6, 8};
	static const double p1[] = {.60, .40, .04, .96, .03, .97, .30, .70};
	static const double p0[] = {.85, .15, .90, .10, .89, .11, .80, .20};
	static const uint32_t x[N] = {1, 0, 1, 0};
	symcf_bayes_fault fault;
	symcf_threshold *t = NULL;
	symcf_cover *search = NULL;
	symcf_sets sets = {0};

	symcf_status status =
		symcf_threshold_from_bayes(N, value_offset, p1, p0, .3, .7, .5, true, &fault, &t);
	if (status)
		return fail(status);
	const bool admitted = symcf_threshold_score(t, x) >= 0;
	printf("symcf %s: %s; it changes with\n", symcf_version(), admitted ? "admitted" : "rejected");

	const symcf_query query = {.x = x, .max_changes = UINT32_MAX};
	status = symcf_cover_open(t, &query, &search);
	if (!status)
		status = symcf_cover_next(search, NULL, UINT64_MAX, &sets);
	for (uint64_t i = 0, at = 0; i < sets.n_sets && !status; i++)
		for (; at < sets.end[i]; at++)
			printf("%s%s", NAMES[sets.features[at]], at + 1 < sets.end[i] ? " and " : "\n");

	symcf_sets_free_arrays(&sets);
	symcf_cover_free(search);
	symcf_threshold_free(t);
	return status ? fail(status) : 0;
}
