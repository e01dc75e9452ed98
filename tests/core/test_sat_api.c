/* test_sat_api.c: the wall around PySAT's CaDiCaL, on fake libraries: what is bound, what passes, and
 * what is held back. The real solver is met in tests/property/test_sat*.py. */
#include "../../src/core/sat_api.h"

#include <dlfcn.h>

#include "fake_cadical.h"
#include "support.h"

static const char SPACE[] = "CaDiCaL195";

static symcf_status bind_to(const char *path, const char *space, fake_cadical *fake,
                            const char **reason, symcf_sat **out)
{
	*reason = "";
	*out = NULL;
	return symcf_sat_bind(path, space, fake, reason, out);
}

/* A bound solver; the caller frees it. The libraries stay open, as Python's modules do. */
static symcf_sat *bound(fake_cadical *fake)
{
	const char *reason;
	symcf_sat *s;
	*fake = (fake_cadical){.answer = SYMCF_SATISFIABLE};
	CHECK_EQ_INT(bind_to(FAKE_RIGHT, SPACE, fake, &reason, &s), SYMCF_OK);
	return s;
}

static void check_list(const fake_list *l, const int *wanted, int count)
{
	CHECK_EQ_INT(l->count, count);
	CHECK(!memcmp(l->entry, wanted, (size_t)count * sizeof *wanted));
}

static void only_the_right_library_is_bound(void)
{
	static const struct {
		const char *path, *space, *word;
		int vars;
	} cases[] = {{"/no/such/library.so", "CaDiCaL195", "not loaded", 0},
	             {FAKE_LACKING, "CaDiCaL195", "export", 0},
	             {FAKE_OTHER, "CaDiCaL195", "another version", 0},
	             {FAKE_RIGHT, "CaDiCaL153", "export", 0},
	             {FAKE_RIGHT, "Lingeling", "export", 0},
	             {FAKE_RIGHT, "", "export", 0},
	             {FAKE_RIGHT, "CaDiCaL195", "fresh", 1}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		fake_cadical fake = {.vars = cases[i].vars};
		const char *reason;
		symcf_sat *s;
		CHECK_EQ_INT(bind_to(cases[i].path, cases[i].space, &fake, &reason, &s), SYMCF_UNSUPPORTED);
		CHECK(!s);
		if (!strstr(reason, cases[i].word))
			CHECK_EQ_STR(reason, cases[i].word);
	}
	symcf_sat_free(NULL);
}

static void clauses_are_checked_before_any_is_added(void)
{
	fake_cadical fake;
	symcf_sat *s = bound(&fake);
	REQUIRE(s);
	static const int32_t good[] = {1, -3, 0, 2, 0}, far[] = {1, 0, 4, 0}, open[] = {1, 0, 2},
						 least[] = {INT32_MIN, 0};
	CHECK_EQ_INT(symcf_sat_load(s, 3, far, 4, NULL), SYMCF_INVALID);
	CHECK_EQ_INT(symcf_sat_load(s, 3, open, 3, NULL), SYMCF_INVALID);
	CHECK_EQ_INT(symcf_sat_load(s, 3, least, 2, NULL), SYMCF_INVALID);
	CHECK_EQ_INT(symcf_sat_load(s, INT32_MAX, good, 5, NULL), SYMCF_INVALID);
	CHECK_EQ_INT(symcf_sat_load(s, -1, NULL, 0, NULL), SYMCF_INVALID);
	CHECK(fake.added.count == 0 && fake.reserved == 0);
	CHECK_EQ_INT(symcf_sat_load(s, 3, good, 5, NULL), SYMCF_OK);
	check_list(&fake.added, (const int[]){1, -3, 0, 2, 0}, 5);
	CHECK_EQ_INT(fake.reserved, 3);
	CHECK_EQ_INT(symcf_sat_load(s, 2, NULL, 0, NULL), SYMCF_INVALID); /* variables stay */
	symcf_control late = too_late();
	CHECK_EQ_INT(symcf_sat_load(s, 3, good, 5, &late), SYMCF_LIMIT_TIME);
	symcf_sat_free(s);
}

/* For memory that the solver will take, by an estimate. */
static void clauses_are_charged_to_the_budget(void)
{
	enum { LITERALS = 10000 };
	fake_cadical fake;
	static int32_t literals[LITERALS];
	symcf_budget *b = NULL;
	for (uint32_t i = 0; i < LITERALS; i++)
		literals[i] = i % 2 ? 0 : 1;
	REQUIRE(symcf_budget_create(LITERALS * 32, &b) == SYMCF_OK);
	symcf_budget_enter(b);
	symcf_sat *s = bound(&fake);
	REQUIRE(s);
	CHECK_EQ_INT(symcf_sat_load(s, 3, literals, LITERALS, NULL), SYMCF_LIMIT_MEMORY);
	CHECK_EQ_INT(fake.added.count, 0);
	CHECK_EQ_INT(symcf_sat_load(s, 3, literals, 20, NULL), SYMCF_OK);
	CHECK(symcf_budget_left() <= LITERALS * 32 - 20 * 32);
	symcf_status status = SYMCF_OK;
	for (uint32_t i = 0; i < LITERALS && !status; i++) /* the clauses that block what was found */
		status = symcf_sat_clause(s, literals, 1);
	CHECK_EQ_INT(status, SYMCF_LIMIT_MEMORY);
	symcf_sat_free(s);
	CHECK_EQ_INT(symcf_budget_left(), LITERALS * 32);
	symcf_budget_enter(NULL);
	symcf_budget_free(b);
}

static void literals_are_of_variables_that_exist(void)
{
	fake_cadical fake;
	symcf_sat *s = bound(&fake);
	int32_t variable = 0;
	REQUIRE(s);
	CHECK_EQ_INT(symcf_sat_variable(s, &variable), SYMCF_OK);
	CHECK(variable == 1 && fake.reserved == 1);
	CHECK_EQ_INT(symcf_sat_load(s, 4, NULL, 0, NULL), SYMCF_OK);
	CHECK_EQ_INT(symcf_sat_variable(s, &variable), SYMCF_OK);
	CHECK(variable == 5 && fake.reserved == 5);
	static const int32_t wrong[] = {0, 6, -6, INT32_MAX, INT32_MIN, INT32_MIN + 1};
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		const int32_t clause[] = {1, wrong[i]};
		CHECK_EQ_INT(symcf_sat_clause(s, clause, 2), SYMCF_INVALID);
		CHECK_EQ_INT(symcf_sat_constrain(s, clause, 2), SYMCF_INVALID);
		CHECK_EQ_INT(symcf_sat_assume(s, wrong[i]), SYMCF_INVALID);
		CHECK_EQ_INT(symcf_sat_phase(s, wrong[i]), SYMCF_INVALID);
	}
	CHECK(!fake.added.count && !fake.constrained.count && !fake.assumed.count);
	static const int32_t right[] = {-5, 1};
	CHECK_EQ_INT(symcf_sat_clause(s, right, 2), SYMCF_OK);
	CHECK_EQ_INT(symcf_sat_clause(s, NULL, 0), SYMCF_OK);
	CHECK_EQ_INT(symcf_sat_constrain(s, right, 2), SYMCF_OK);
	CHECK_EQ_INT(symcf_sat_assume(s, -5), SYMCF_OK);
	CHECK_EQ_INT(symcf_sat_phase(s, 5), SYMCF_OK);
	check_list(&fake.added, (const int[]){-5, 1, 0, 0}, 4);
	check_list(&fake.constrained, (const int[]){-5, 1, 0}, 3);
	check_list(&fake.assumed, (const int[]){-5}, 1);
	check_list(&fake.phased, (const int[]){5}, 1);
	CHECK_EQ_INT(symcf_sat_load(s, INT32_MAX - 1, NULL, 0, NULL), SYMCF_OK);
	CHECK_EQ_INT(symcf_sat_variable(s, &variable), SYMCF_OVERFLOW);
	symcf_sat_free(s);
}

/* Any call but symcf_sat_value ends the model. */
static void a_model_is_shown_only_while_there_is_one(void)
{
	for (int ending = 0; ending < 6; ending++) {
		fake_cadical fake;
		symcf_sat *s = bound(&fake);
		symcf_answer answer;
		int32_t variable;
		bool is_true = false;
		REQUIRE(s);
		CHECK_EQ_INT(symcf_sat_load(s, 3, NULL, 0, NULL), SYMCF_OK);
		CHECK_EQ_INT(symcf_sat_value(s, 1, &is_true), SYMCF_INVALID);
		fake.value[2] = 1;
		CHECK_EQ_INT(symcf_sat_solve(s, NULL, &answer), SYMCF_OK);
		CHECK_EQ_INT(answer, SYMCF_SATISFIABLE);
		static const int32_t literal[] = {1, -1, 2, -2};
		for (int i = 0; i < 4; i++) {
			CHECK_EQ_INT(symcf_sat_value(s, literal[i], &is_true), SYMCF_OK);
			CHECK_EQ_INT(is_true, i == 1 || i == 2);
		}
		check_list(&fake.asked, (const int[]){1, 1, 2, 2}, 4); /* never a negative literal */
		CHECK_EQ_INT(symcf_sat_value(s, 4, &is_true), SYMCF_INVALID);
		fake.answer = SYMCF_UNSATISFIABLE;
		switch (ending) {
		case 0: CHECK_EQ_INT(symcf_sat_clause(s, literal, 1), SYMCF_OK); break;
		case 1: CHECK_EQ_INT(symcf_sat_assume(s, 1), SYMCF_OK); break;
		case 2: CHECK_EQ_INT(symcf_sat_constrain(s, literal, 1), SYMCF_OK); break;
		case 3: CHECK_EQ_INT(symcf_sat_variable(s, &variable), SYMCF_OK); break;
		case 4: CHECK_EQ_INT(symcf_sat_load(s, 3, NULL, 0, NULL), SYMCF_OK); break;
		default:
			CHECK_EQ_INT(symcf_sat_solve(s, NULL, &answer), SYMCF_OK);
			CHECK_EQ_INT(answer, SYMCF_UNSATISFIABLE);
		}
		CHECK_EQ_INT(symcf_sat_value(s, 1, &is_true), SYMCF_INVALID);
		CHECK_EQ_INT(fake.asked.count, 4);
		symcf_sat_free(s);
	}
}

static void a_solve_can_be_stopped(void)
{
	fake_cadical fake;
	symcf_sat *s = bound(&fake);
	symcf_answer answer = SYMCF_SATISFIABLE;
	uint32_t calls;
	bool is_true;
	REQUIRE(s);
	CHECK_EQ_INT(symcf_sat_load(s, 1, NULL, 0, NULL), SYMCF_OK);
	fake.patience = 3;
	symcf_control patient = {0}, late = too_late(), stop = interrupting(&calls);
	CHECK_EQ_INT(symcf_sat_solve(s, &patient, &answer), SYMCF_OK);
	CHECK(answer == SYMCF_SATISFIABLE && fake.connects == 1 && fake.disconnects == 1);
	CHECK_EQ_INT(fake.resets, 0);
	CHECK_EQ_INT(symcf_sat_solve(s, &late, &answer), SYMCF_LIMIT_TIME);
	CHECK(answer == SYMCF_UNKNOWN && fake.resets == 1 && !fake.terminator);
	CHECK_EQ_INT(symcf_sat_value(s, 1, &is_true), SYMCF_INVALID);
	CHECK_EQ_INT(symcf_sat_solve(s, &stop, &answer), SYMCF_INTERRUPTED);
	CHECK(calls == 1 && fake.resets == 2);
	CHECK_EQ_INT(symcf_sat_solve(s, NULL, &answer), SYMCF_OK); /* and works on */
	CHECK_EQ_INT(fake.connects, 3);
	fake.answer = 0; /* gave up, though nobody asked it to */
	CHECK_EQ_INT(symcf_sat_solve(s, NULL, &answer), SYMCF_INTERNAL);
	symcf_sat_free(s);
}

static symcf_status bind_once(const void *data)
{
	static fake_cadical fake;
	const char *reason;
	symcf_sat *s;
	(void)data;
	const symcf_status status = bind_to(FAKE_RIGHT, SPACE, &fake, &reason, &s);
	symcf_sat_free(s);
	return status;
}

static void failing_memory_is_reported(void)
{
	CHECK_EQ_INT(fail_each_allocation(bind_once, NULL), 1);
}

int main(void)
{
	static const char *const paths[] = {FAKE_RIGHT, FAKE_OTHER, FAKE_LACKING};
	void *library[3];
	for (int i = 0; i < 3; i++)
		if (!(library[i] = dlopen(paths[i], RTLD_LAZY | RTLD_LOCAL))) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
	RUN(only_the_right_library_is_bound);
	RUN(clauses_are_checked_before_any_is_added);
	RUN(clauses_are_charged_to_the_budget);
	RUN(literals_are_of_variables_that_exist);
	RUN(a_model_is_shown_only_while_there_is_one);
	RUN(a_solve_can_be_stopped);
	RUN(failing_memory_is_reported);
	for (int i = 0; i < 3; i++)
		dlclose(library[i]);
	return check_report();
}
