#include "TestWidth.h"

#include <stdlib.h>

// Before `main`, for that is where Swift Testing looks. Without a bound all tests of the bundle begin
// at once: a test that waits then gets its turn again behind a thousand others, a minute later, when
// the deadline that it is about has long passed. A value from outside wins.
__attribute__((constructor)) static void bound_tests_at_once(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}
