#include "TestWidth.h"

#include <stdlib.h>
#include <sys/resource.h>

// Sets the variable that limits how many tests run at the same time. Swift Testing reads the
// variable in `main`, so this function runs before `main`. Without a limit, all tests of the bundle
// start at once. A waiting test then continues only after a thousand others, a minute later, when
// its deadline has passed. If the environment already contains the variable, its value applies.
__attribute__((constructor)) static void bound_tests_at_once(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "8", 0);
}

// Hundreds of daemons run in the test process and keep their files open until its end. Together
// they open more than the 1,024 files that a process may open by default. A process may raise this
// limit up to the hard limit.
__attribute__((constructor)) static void allow_open_files(void) {
    const rlim_t wanted = 20000;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
    limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
}
