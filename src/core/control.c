/* control.c: the version, status texts, and the one place that asks whether to stop. */
#include "symcf.h"

/* Work units between two looks at the clock, and seconds between two calls of `interrupted`: the
 * first is about a tenth of a millisecond of work, the second keeps Ctrl-C prompt without taking
 * the interpreter's lock all the time. */
enum { CREDIT = 100000 };
static const double POLL_INTERVAL = 0.02;

/* Seconds that the system takes to free a byte: about 0.1 for 1 GB in small pages.
 * symcf.common.clock has the same number. */
static const double FREEING = 1.5e-10;

const char *symcf_version(void)
{
	return SYMCF_VERSION;
}

const char *symcf_status_text(symcf_status status)
{
	switch (status) {
	case SYMCF_OK: return "done";
	case SYMCF_MORE: return "more is left";
	case SYMCF_NO_MEMORY: return "out of memory";
	case SYMCF_INVALID: return "invalid argument";
	case SYMCF_UNSUPPORTED: return "not supported";
	case SYMCF_OVERFLOW: return "the numbers are too large for exact 64-bit arithmetic";
	case SYMCF_LIMIT_NODES: return "node limit reached";
	case SYMCF_LIMIT_MEMORY: return "memory limit reached";
	case SYMCF_LIMIT_TIME: return "time limit reached";
	case SYMCF_INTERRUPTED: return "interrupted";
	case SYMCF_IO: return "the file could not be written";
	case SYMCF_INTERNAL: return "internal error";
	}
	return "unknown status";
}

symcf_status symcf_poll(symcf_control *control)
{
	if (!control)
		return SYMCF_OK;
	control->credit = CREDIT;
	if (!control->interrupted && control->deadline == 0)
		return SYMCF_OK;
	const double now = symcf_clock();
	if (control->deadline != 0 && now >= control->deadline - control->freeing)
		return SYMCF_LIMIT_TIME;
	if (control->interrupted && now - control->last_poll >= POLL_INTERVAL) {
		control->last_poll = now;
		if (control->interrupted(control->data))
			return SYMCF_INTERRUPTED;
	}
	return SYMCF_OK;
}

symcf_status symcf_hold(symcf_control *control, uint64_t bytes)
{
	if (!control || bytes <= control->memory)
		return SYMCF_OK;
	control->memory = bytes;
	control->freeing = FREEING * (double)bytes;
	return control->max_memory && bytes > control->max_memory ? SYMCF_LIMIT_MEMORY : SYMCF_OK;
}
