/* Converts doubles to decimal text and back: exactly, without allocation and without a locale.
 * Of the functions in the system's libraries, only std::to_chars and std::from_chars do this. They
 * are C++ functions, so this module wraps them in C functions, which Swift can call.
 * See docs/decisions/0002-number-text.md. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Writes the shortest text that reads back as `value`, which must be finite. Returns the length of
 * the text, or 0 if `capacity` is too small. 24 bytes are always enough. */
size_t number_text_write(double value, unsigned char *out, size_t capacity);

/* Reads all `length` bytes as a decimal number, correctly rounded. Returns false if they are not a
 * decimal number, or if the number does not fit a double. */
bool number_text_read(const unsigned char *text, size_t length, double *out);

#ifdef __cplusplus
}
#endif
