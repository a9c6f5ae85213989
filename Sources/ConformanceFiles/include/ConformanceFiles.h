/*
 * The cases of the conformance suite, Sources/Conformance/Suite.
 */
#ifndef CONFORMANCE_FILES_H
#define CONFORMANCE_FILES_H

#include <stddef.h>
#include <stdint.h>

struct conformance_file {
	/* The file's name, without its ending. */
	const char *name;
	const uint8_t *bytes;
	size_t count;
};

/* How many there are. */
size_t conformance_file_count(void);

/* One of them, in the order of the suite; index: below that number. */
struct conformance_file conformance_file_at(size_t index);

#endif
