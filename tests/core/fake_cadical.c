/* fake_cadical.c: a shared library with the symbols of a CaDiCaL 1.9.5 that solves nothing.
 * FAKE_VERSION: what it says of itself. FAKE_LACKS_PHASE: one function is missing. */
#include "fake_cadical.h"

#include <stdbool.h>

#ifndef FAKE_VERSION
#define FAKE_VERSION "1.9.5"
#endif

#define MEMBER(length, name, arguments) _ZN10CaDiCaL1956Solver##length##name##E##arguments

static void put(fake_list *l, int entry)
{
	if (l->count < FAKE_MOST)
		l->entry[l->count++] = entry;
}

const char *MEMBER(7, version, v)(void);
const char *MEMBER(7, version, v)(void)
{
	return FAKE_VERSION;
}

#define PUTS(length, name, list)                                                                   \
	void MEMBER(length, name, i)(fake_cadical * s, int literal);                                   \
	void MEMBER(length, name, i)(fake_cadical * s, int literal)                                    \
	{                                                                                              \
		put(&s->list, literal);                                                                    \
	}
PUTS(3, add, added)
PUTS(6, assume, assumed)
PUTS(9, constrain, constrained)
#ifndef FAKE_LACKS_PHASE
PUTS(5, phase, phased)
#endif

void MEMBER(16, reset_constraint, v)(fake_cadical *s);
void MEMBER(16, reset_constraint, v)(fake_cadical *s)
{
	s->resets++;
}

void MEMBER(7, reserve, i)(fake_cadical *s, int n_vars);
void MEMBER(7, reserve, i)(fake_cadical *s, int n_vars)
{
	s->reserved = n_vars;
}

int MEMBER(3, val, i)(fake_cadical *s, int literal);
int MEMBER(3, val, i)(fake_cadical *s, int literal)
{
	put(&s->asked, literal);
	return literal > 0 && literal < FAKE_MOST && s->value[literal] ? literal : -literal;
}

int MEMBER(4, vars, v)(fake_cadical *s);
int MEMBER(4, vars, v)(fake_cadical *s)
{
	return s->vars;
}

void MEMBER(18, connect_terminator, PNS_10TerminatorE)(fake_cadical *s, void *terminator);
void MEMBER(18, connect_terminator, PNS_10TerminatorE)(fake_cadical *s, void *terminator)
{
	s->connects++;
	s->terminator = terminator;
}

void MEMBER(21, disconnect_terminator, v)(fake_cadical *s);
void MEMBER(21, disconnect_terminator, v)(fake_cadical *s)
{
	s->disconnects++;
	s->terminator = 0;
}

/* As a C++ compiler calls the third virtual function. */
static bool terminates(void *terminator)
{
	typedef bool virtual_function(void *self);
	virtual_function *const *const table = *(virtual_function *const **)terminator;
	return table[2](terminator);
}

int MEMBER(5, solve, v)(fake_cadical *s);
int MEMBER(5, solve, v)(fake_cadical *s)
{
	for (int i = 0; s->terminator && i < s->patience; i++)
		if (terminates(s->terminator))
			return 0;
	return s->answer;
}
