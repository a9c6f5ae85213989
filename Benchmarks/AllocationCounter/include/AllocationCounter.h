/* Counts the heap allocations of the process, in all its libraries. The functions in
 * AllocationCounter.c have the names of the allocator's functions. The dynamic linker finds them
 * before those of glibc. Only C functions can have these names. */
#pragma once

#include <stdint.h>

/* The number of calls of malloc, realloc and related functions since the process began. */
uint64_t allocation_count(void);

/* The allocated bytes of the heap, including the allocator's overhead. */
uint64_t allocated_bytes(void);
