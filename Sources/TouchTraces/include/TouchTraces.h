/*
 * The touch traces of Traces/, which scripts/record-traces writes: journals (docs/journal.md, "Traces").
 */
#ifndef TOUCH_TRACES_H
#define TOUCH_TRACES_H

#include <stddef.h>
#include <stdint.h>

struct touch_trace {
	/* The file's name, without its ending. */
	const char *name;
	const uint8_t *bytes;
	size_t count;
};

/* How many there are. */
size_t touch_trace_count(void);

/* One of them, in the order of their names; index: below that number. */
struct touch_trace touch_trace_at(size_t index);

#endif
