#include "CNumberText.h"

#include <charconv>

size_t number_text_write(double value, unsigned char *out, size_t capacity) {
    char *first = reinterpret_cast<char *>(out);
    const auto result = std::to_chars(first, first + capacity, value);
    return result.ec == std::errc() ? static_cast<size_t>(result.ptr - first) : 0;
}

bool number_text_read(const unsigned char *text, size_t length, double *out) {
    const char *first = reinterpret_cast<const char *>(text);
    const auto result = std::from_chars(first, first + length, *out);
    return result.ec == std::errc() && result.ptr == first + length;
}
