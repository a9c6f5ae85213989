/*
 * The files of Sources/Conformance/Suite with the cases of the conformance suites. The files in its
 * subfolder `clients` are the suite for clients, and the others are the suite for servers.
 */
#ifndef CONFORMANCE_FILES_H
#define CONFORMANCE_FILES_H

#include <stddef.h>
#include <stdint.h>

struct conformance_file {
	/* The path of the file in Sources/Conformance/Suite, without the extension. */
	const char *name;
	const uint8_t *bytes;
	size_t count;
};

/* The number of files. */
size_t conformance_file_count(void);

/* Returns the file with this index. The index must be less than the number of files. */
struct conformance_file conformance_file_at(size_t index);

#endif
