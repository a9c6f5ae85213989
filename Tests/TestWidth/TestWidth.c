#include "TestWidth.h"

#include <stdlib.h>
#include <sys/resource.h>

// Before `main`, for that is where Swift Testing looks. Without a bound all tests of the bundle begin
// at once: a test that waits then gets its turn again behind a thousand others, a minute later, when
// the deadline that it is about has long passed. A value from outside wins.
__attribute__((constructor)) static void bound_tests_at_once(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}

// Hundreds of daemons run in the one process of the tests and keep their files until it ends: more than the 1,024 that an
// ordinary user may open by default. The user may raise that limit, up to the hard one.
__attribute__((constructor)) static void allow_open_files(void) {
    const rlim_t wanted = 20000;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
}
