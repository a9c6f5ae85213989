/* Doubles as decimal text and back, exactly, without allocating and without a locale.
 * Why C++: std::to_chars and std::from_chars are the only such pair in the system's libraries, and
 * Swift cannot call them (they are overloaded templates). See docs/decisions/0002-number-text.md. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the shortest text that reads back as `value`; returns its length, 0 if `capacity` is too
 * small. 24 bytes are always enough. `value` must be finite. */
size_t number_text_write(double value, unsigned char *out, size_t capacity);

/* Reads all `length` bytes as a decimal number, correctly rounded. False if they are no such number
 * or it does not fit a double. */
bool number_text_read(const unsigned char *text, size_t length, double *out);

#ifdef __cplusplus
}
#endif
