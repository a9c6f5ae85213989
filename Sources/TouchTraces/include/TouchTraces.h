/*
 * The touch traces of the folder Traces/: journals of recorded gestures. scripts/record-traces
 * writes them. They are described in docs/journal.md, "Traces".
 */
#ifndef TOUCH_TRACES_H
#define TOUCH_TRACES_H

#include <stddef.h>
#include <stdint.h>

struct touch_trace {
	/* The file's name, without its extension. */
	const char *name;
	const uint8_t *bytes;
	size_t count;
};

/* The number of touch traces. */
size_t touch_trace_count(void);

/* One of the touch traces, which are ordered by name. The index is below their number. */
struct touch_trace touch_trace_at(size_t index);

#endif
