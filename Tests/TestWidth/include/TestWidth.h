#ifndef TEST_WIDTH_H
#define TEST_WIDTH_H

// Nothing to call: being linked is enough (see TestWidth.c).

#endif
