/* Counts the heap allocations of the process, by any library.
 * It is written in C, because it replaces the allocator by name: the dynamic linker finds these functions first. */
#pragma once

#include <stdint.h>

/* The number of allocations since the process began, by malloc and related functions including realloc. */
uint64_t allocation_count(void);

/* The allocated bytes of the heap, including the allocator's overhead. */
uint64_t allocated_bytes(void);
