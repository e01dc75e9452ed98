/* try.h (private): leaves the function with the status of a call that did not succeed.
 *
 *   TRY(symcf_tick(control, 1));
 *
 * Only where nothing has to be freed on the way out.
 */
#ifndef SYMCF_TRY_H
#define SYMCF_TRY_H

#include "symcf.h"

#define TRY(call)                                                                                  \
	do {                                                                                           \
		const symcf_status status_ = (call);                                                       \
		if (status_ != SYMCF_OK)                                                                   \
			return status_;                                                                        \
	} while (0)

#endif
