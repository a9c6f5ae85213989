/* Counts every heap allocation of the process it is linked into, of whatever library.
 * Why C: the allocator is replaced by name, as the dynamic linker finds these functions first. */
#pragma once

#include <stdint.h>

/* Allocations (malloc and its kin, growing by realloc included) since the process began. */
uint64_t allocation_count(void);

/* Bytes of the heap that are in use now, with the allocator's own overhead. */
uint64_t allocated_bytes(void);
