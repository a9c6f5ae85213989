#ifndef TEST_WIDTH_H
#define TEST_WIDTH_H

// There is nothing to call. Linking the library is enough (see TestWidth.c).

#endif
