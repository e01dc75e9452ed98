/* sat_api.c: the CaDiCaL inside PySAT, called without Python.
 *
 * PySAT (Ignatiev, Morgado, Marques-Silva 2018) compiles CaDiCaL (Biere et al. 2020) into its
 * extension module `pysolvers`, and its `Solver("cadical195").solver.cadical` is a capsule with the
 * C++ pointer. The module exports the class, so that the dynamic linker finds the member functions
 * under their mangled names. By the Itanium C++ ABI a member function is a C function whose first
 * argument is the object; that is all we need to know of C++, with one exception: to stop a running
 * solve, CaDiCaL calls a virtual function of an object it is given, so we lay out that object and
 * its table of functions by hand.
 *
 * Words: the *space* is the namespace of one CaDiCaL version; *bound* is a function found there.
 *
 * What the wall guarantees. The life cycle drawn in cadical.hpp has a state ADDING in the middle of
 * a clause or constraint; no function here returns in it. In CONFIGURING, STEADY, SATISFIED and
 * UNSATISFIED every call that we make is permitted, except `val`, which we gate.
 * Literals 0 and INT_MIN never pass, nor does a variable that was not made before. A capsule of
 * another version cannot be confused with ours: the library says which version the space has.
 * CaDiCaL throws std::bad_alloc when memory ends, and C cannot catch it. So it is loaded and solves
 * only while HEADROOM can be had, and is stopped when it cannot: SYMCF_NO_MEMORY. What remains is one
 * allocation larger than that.
 *
 * A solve is stopped (Ctrl-C, deadlines) by the terminator below, which CaDiCaL asks after every ten decisions or
 * conflicts; some of its rounds of garbage collection and inprocessing do not ask.
 */
#include "sat_api.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "memory.h"
#include "platform.h"
#include "try.h"

/* --------------------------------------------------------------- the terminator -------------- */

/* Bytes that must be free for CaDiCaL to go on, bytes that it takes for a literal that it is given,
 * and how often it is asked to stop between two looks at the memory. */
enum { HEADROOM = 64 << 20, BYTES_A_LITERAL = 64, ASKED_A_LOOK = 256 };

/* A CaDiCaL::Terminator: one pointer to its table of virtual functions, then our own fields. */
typedef struct terminator {
	const void *table;
	symcf_control *control;
	symcf_status status; /* why it said stop */
	uint32_t asked;
} terminator;

/* Offset to the whole object and type information come before the address point; then the two
 * destructors (complete, deleting) and `bool terminate ()`, in the order of the declaration. */
typedef struct virtual_table {
	ptrdiff_t offset_to_top;
	const void *type_information;
	void (*complete)(terminator *self);
	void (*deleting)(terminator *self);
	bool (*terminate)(terminator *self);
} virtual_table;

static void terminator_destroy(terminator *self)
{
	(void)self;
}

static bool terminator_ask(terminator *self)
{
	self->status = symcf_poll(self->control);
	if (self->status == SYMCF_OK && ++self->asked % ASKED_A_LOOK == 0) {
		if (!symcf_headroom(HEADROOM))
			self->status = SYMCF_NO_MEMORY;
		else
			self->status = symcf_check_resident();
	}
	return self->status != SYMCF_OK;
}

static const virtual_table TERMINATOR = {0, NULL, terminator_destroy, terminator_destroy,
                                         terminator_ask};

/* -------------------------------------------------------------------- the solver ------------- */

typedef enum state { STEADY, SATISFIED } state; /* as far as we need to know */

struct symcf_sat {
	void *solver;  /* CaDiCaL::Solver *, PySAT's */
	void *library; /* of PySAT                   */
	state state;
	int32_t n_vars;
	symcf_budget *budget; /* that the clauses are charged to */
	uint64_t charged;     /* bytes                           */
	terminator terminator;
	/* bound */
	void (*add)(void *solver, int literal);
	void (*assume)(void *solver, int literal);
	void (*constrain)(void *solver, int literal);
	void (*reset_constraint)(void *solver);
	void (*reserve)(void *solver, int n_vars);
	void (*phase)(void *solver, int literal);
	int (*solve)(void *solver);
	int (*val)(void *solver, int literal);
	int (*vars)(void *solver);
	void (*connect_terminator)(void *solver, terminator *t);
	void (*disconnect_terminator)(void *solver);
	const char *(*version)(void);
};

/* The address of `space`::Solver::`name`; `arguments` is the mangled tail. NULL if absent. */
static void *find(void *library, const char *space, const char *name, const char *arguments)
{
	char symbol[128];
	const int length = snprintf(symbol, sizeof symbol, "_ZN%zu%s6Solver%zu%sE%s", strlen(space),
	                            space, strlen(name), name, arguments);
	return length > 0 && (size_t)length < sizeof symbol ? symcf_library_find(library, symbol)
	                                                    : NULL;
}

static bool bind_functions(symcf_sat *s, const char *space)
{
	static const char TERMINATOR_POINTER[] = "PNS_10TerminatorE";
	const struct {
		const char *name, *arguments;
		void *slot;
	} wanted[] = {
		{"add", "i", &s->add},
		{"assume", "i", &s->assume},
		{"constrain", "i", &s->constrain},
		{"reset_constraint", "v", &s->reset_constraint},
		{"reserve", "i", &s->reserve},
		{"phase", "i", &s->phase},
		{"solve", "v", &s->solve},
		{"val", "i", &s->val},
		{"vars", "v", &s->vars},
		{"connect_terminator", TERMINATOR_POINTER, &s->connect_terminator},
		{"disconnect_terminator", "v", &s->disconnect_terminator},
		{"version", "v", &s->version},
	};
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		void *address = find(s->library, space, wanted[i].name, wanted[i].arguments);
		if (!address)
			return false;
		memcpy(wanted[i].slot, &address, sizeof address);
	}
	return true;
}

/* Does "CaDiCaL195" hold version "1.9.5"? */
static bool same_version(const char *space, const char *version)
{
	static const char NAME[] = "CaDiCaL";
	if (strncmp(space, NAME, sizeof NAME - 1) != 0)
		return false;
	space += sizeof NAME - 1;
	for (; *version; version++)
		if (*version != '.' && *version != *space++)
			return false;
	return !*space;
}

static bool bind_all(symcf_sat *s, const char *path, const char *space, const char **reason)
{
	s->library = symcf_library_open(path);
	if (!s->library)
		*reason = "PySAT's solver library is not loaded from where it should be";
	else if (!bind_functions(s, space))
		*reason = "PySAT's solver library does not export all functions of this CaDiCaL";
	else if (!same_version(space, s->version()))
		*reason = "PySAT's solver library holds another version of CaDiCaL than it says";
	else if (s->vars(s->solver) != 0)
		*reason = "the solver is not fresh";
	else
		return true;
	return false;
}

symcf_status symcf_sat_bind(const char *path, const char *space, void *solver, const char **reason,
                            symcf_sat **out)
{
	symcf_sat *s = symcf_allocate_zeroed(1, sizeof *s);
	if (!s)
		return symcf_no_memory();
	s->solver = solver;
	if (!bind_all(s, path, space, reason)) {
		symcf_library_close(s->library);
		symcf_free(s);
		return SYMCF_UNSUPPORTED;
	}
	s->terminator.table = &TERMINATOR.complete;
	*out = s;
	return SYMCF_OK;
}

void symcf_sat_free(symcf_sat *s)
{
	if (!s)
		return;
	if (s->budget == symcf_budget_now())
		symcf_refund(s->charged);
	symcf_library_close(s->library);
	symcf_free(s);
}

/* ----------------------------------------------------------------------- calls --------------- */

static bool known(const symcf_sat *s, int32_t literal)
{
	return literal && literal != INT32_MIN && (literal < 0 ? -literal : literal) <= s->n_vars;
}

static bool all_known(const symcf_sat *s, const int32_t *literals, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		if (!known(s, literals[i]))
			return false;
	return true;
}

static void set_variables(symcf_sat *s, int32_t n_vars)
{
	s->state = STEADY;
	s->n_vars = n_vars;
	s->reserve(s->solver, n_vars);
}

/* For memory that CaDiCaL is going to take. */
static symcf_status charge(symcf_sat *s, uint64_t bytes)
{
	if (!symcf_charge(bytes))
		return symcf_no_memory();
	if (s->budget != symcf_budget_now()) { /* it was charged to one that has ended */
		s->budget = symcf_budget_now();
		s->charged = 0;
	}
	s->charged += bytes;
	return SYMCF_OK;
}

/* Is it a sequence of whole clauses over the variables 1..n_vars? */
static bool well_formed(int32_t n_vars, const int32_t *literals, uint64_t length)
{
	if (length && literals[length - 1])
		return false;
	bool fine = n_vars >= 0;
	for (uint64_t i = 0; i < length; i++)
		fine &= literals[i] <= n_vars && literals[i] >= -n_vars;
	return fine;
}

symcf_status symcf_sat_load(symcf_sat *s, int32_t n_vars, const int32_t *literals, uint64_t length,
                            symcf_control *control)
{
	enum { NANOSECONDS_A_LITERAL = 50 };
	if (n_vars < s->n_vars || n_vars == INT32_MAX || !well_formed(n_vars, literals, length))
		return SYMCF_INVALID;
	if (length > PTRDIFF_MAX / BYTES_A_LITERAL - HEADROOM ||
	    !symcf_headroom(HEADROOM + length * BYTES_A_LITERAL))
		return SYMCF_NO_MEMORY;
	TRY(charge(s, length * BYTES_A_LITERAL));
	set_variables(s, n_vars);
	uint32_t size = 0;
	for (uint64_t i = 0; i < length; i++) {
		s->add(s->solver, literals[i]);
		size++;
		if (literals[i])
			continue;
		const symcf_status status = symcf_tick(control, size * NANOSECONDS_A_LITERAL);
		if (status != SYMCF_OK)
			return status;
		size = 0;
	}
	return SYMCF_OK;
}

symcf_status symcf_sat_variable(symcf_sat *s, int32_t *variable)
{
	if (s->n_vars >= INT32_MAX - 1)
		return SYMCF_OVERFLOW;
	set_variables(s, s->n_vars + 1);
	*variable = s->n_vars;
	return SYMCF_OK;
}

symcf_status symcf_sat_clause(symcf_sat *s, const int32_t *literals, uint32_t size)
{
	if (!all_known(s, literals, size))
		return SYMCF_INVALID;
	TRY(charge(s, ((uint64_t)size + 1) * BYTES_A_LITERAL));
	s->state = STEADY;
	for (uint32_t i = 0; i < size; i++)
		s->add(s->solver, literals[i]);
	s->add(s->solver, 0);
	return SYMCF_OK;
}

symcf_status symcf_sat_phase(symcf_sat *s, int32_t literal)
{
	if (!known(s, literal))
		return SYMCF_INVALID;
	s->phase(s->solver, literal);
	return SYMCF_OK;
}

symcf_status symcf_sat_assume(symcf_sat *s, int32_t literal)
{
	if (!known(s, literal))
		return SYMCF_INVALID;
	s->state = STEADY;
	s->assume(s->solver, literal);
	return SYMCF_OK;
}

symcf_status symcf_sat_constrain(symcf_sat *s, const int32_t *literals, uint32_t size)
{
	if (!all_known(s, literals, size))
		return SYMCF_INVALID;
	s->state = STEADY;
	for (uint32_t i = 0; i < size; i++)
		s->constrain(s->solver, literals[i]);
	s->constrain(s->solver, 0);
	return SYMCF_OK;
}

symcf_status symcf_sat_solve(symcf_sat *s, symcf_control *control, symcf_answer *answer)
{
	if (!symcf_headroom(HEADROOM))
		return SYMCF_NO_MEMORY;
	TRY(symcf_check_resident());
	s->terminator.control = control;
	s->terminator.status = SYMCF_OK;
	if (control)
		s->connect_terminator(s->solver, &s->terminator);
	*answer = (symcf_answer)s->solve(s->solver);
	if (control)
		s->disconnect_terminator(s->solver);
	s->state = *answer == SYMCF_SATISFIABLE ? SATISFIED : STEADY;
	if (*answer == SYMCF_SATISFIABLE || *answer == SYMCF_UNSATISFIABLE)
		return SYMCF_OK;
	s->reset_constraint(s->solver); /* 1.5.3 forgets only the assumptions by itself */
	return s->terminator.status != SYMCF_OK ? s->terminator.status : SYMCF_INTERNAL;
}

symcf_status symcf_sat_value(symcf_sat *s, int32_t literal, bool *out)
{
	if (s->state != SATISFIED || !known(s, literal))
		return SYMCF_INVALID;
	/* The sign that `val` gives a negative literal depends on the version: ask for the variable. */
	const int32_t variable = literal < 0 ? -literal : literal;
	*out = (s->val(s->solver, variable) > 0) == (literal > 0);
	return SYMCF_OK;
}
