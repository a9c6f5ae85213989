/*
 * The cases of the conformance suites, Sources/Conformance/Suite: for servers, and in `clients` for clients.
 */
#ifndef CONFORMANCE_FILES_H
#define CONFORMANCE_FILES_H

#include <stddef.h>
#include <stdint.h>

struct conformance_file {
	/* The path of the file in that folder, without its ending. */
	const char *name;
	const uint8_t *bytes;
	size_t count;
};

/* How many there are. */
size_t conformance_file_count(void);

/* One of them, in the order of the suite; index: below that number. */
struct conformance_file conformance_file_at(size_t index);

#endif
