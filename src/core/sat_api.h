/* sat_api.h (bound by _mcs.pxi): CaDiCaL as it lives inside PySAT's library, behind a wall.
 *
 *   symcf_sat_bind        a solver that PySAT made, used by nobody else from now on
 *     symcf_sat_load        many clauses, checked first           } any number of
 *     symcf_sat_variable    a fresh variable                      } times, in any
 *     symcf_sat_clause      one clause                            } order
 *     symcf_sat_phase       the value to try first                }
 *     symcf_sat_assume      for the next solve only               }
 *     symcf_sat_constrain   one clause for the next solve only    }
 *     symcf_sat_solve       if SATISFIABLE: symcf_sat_value, until the next call of another kind
 *   symcf_sat_free        lets go of the solver, which stays PySAT's to delete
 *
 * CaDiCaL ends the process when its calls come in the wrong order or with a wrong literal. Here
 * clauses come whole, literals are checked against the variables there are, and the model
 * is shown only while there is one: everything else is SYMCF_INVALID. */
#ifndef SYMCF_SAT_API_H
#define SYMCF_SAT_API_H

#include "symcf.h"

typedef struct symcf_sat symcf_sat;

typedef enum symcf_answer {
	SYMCF_UNKNOWN = 0,
	SYMCF_SATISFIABLE = 10,
	SYMCF_UNSATISFIABLE = 20
} symcf_answer;

/* Binds the functions of class `space`::Solver ("CaDiCaL195", "CaDiCaL153") in the shared library
 * at `path`, which must be loaded already, and takes over `solver`, a C++ pointer to a fresh
 * object of that class.
 * requires: nobody else calls or deletes the solver before symcf_sat_free.
 * ensures: SYMCF_UNSUPPORTED with *reason (static text) if the library is not what we know. */
symcf_status symcf_sat_bind(const char *path, const char *space, void *solver, const char **reason,
                            symcf_sat **out);
void symcf_sat_free(symcf_sat *s);

/* Makes variables 1..n_vars exist and adds `length` entries of 0-terminated clauses.
 * ensures: SYMCF_INVALID, and nothing was added, if a literal is out of range or the last clause
 * is open. After LIMIT_TIME or INTERRUPTED the solver holds a part of them: throw it away. */
symcf_status symcf_sat_load(symcf_sat *s, int32_t n_vars, const int32_t *literals, uint64_t length,
                            symcf_control *control);

/* ensures: *variable is new; SYMCF_OVERFLOW when the numbers are used up. */
symcf_status symcf_sat_variable(symcf_sat *s, int32_t *variable);

symcf_status symcf_sat_clause(symcf_sat *s, const int32_t *literals, uint32_t size);
symcf_status symcf_sat_phase(symcf_sat *s, int32_t literal);
symcf_status symcf_sat_assume(symcf_sat *s, int32_t literal);
symcf_status symcf_sat_constrain(symcf_sat *s, const int32_t *literals, uint32_t size);

/* ensures: SYMCF_OK and *answer SATISFIABLE or UNSATISFIABLE; or LIMIT_TIME, INTERRUPTED with
 * *answer UNKNOWN. Assumptions and constraint are gone after the next call of another kind, and
 * at once when the answer is UNKNOWN. */
symcf_status symcf_sat_solve(symcf_sat *s, symcf_control *control, symcf_answer *answer);

/* Is the literal true in the model? ensures: SYMCF_INVALID unless the last call was a SATISFIABLE
 * solve or another symcf_sat_value. */
symcf_status symcf_sat_value(symcf_sat *s, int32_t literal, bool *out);

#endif
