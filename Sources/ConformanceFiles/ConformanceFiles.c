#include "ConformanceFiles.h"

/* Arrays of Swift would take the compiler half a minute. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t session[] = {
#embed "../Conformance/Suite/session.suite"
};

static const uint8_t geometry[] = {
#embed "../Conformance/Suite/geometry.suite"
};

static const uint8_t pull[] = {
#embed "../Conformance/Suite/pull.suite"
};

static const uint8_t load_more[] = {
#embed "../Conformance/Suite/load-more.suite"
};

static const uint8_t paging[] = {
#embed "../Conformance/Suite/paging.suite"
};

static const uint8_t indicators[] = {
#embed "../Conformance/Suite/indicators.suite"
};

static const uint8_t insets[] = {
#embed "../Conformance/Suite/insets.suite"
};

static const uint8_t physics[] = {
#embed "../Conformance/Suite/physics.suite"
};

static const uint8_t faults[] = {
#embed "../Conformance/Suite/faults.suite"
};

static const uint8_t resume[] = {
#embed "../Conformance/Suite/resume.suite"
};

static const uint8_t batching[] = {
#embed "../Conformance/Suite/batching.suite"
};

static const uint8_t ordering[] = {
#embed "../Conformance/Suite/ordering.suite"
};

static const struct conformance_file files[] = {
	{"session", session, sizeof(session)},
	{"geometry", geometry, sizeof(geometry)},
	{"pull", pull, sizeof(pull)},
	{"load-more", load_more, sizeof(load_more)},
	{"paging", paging, sizeof(paging)},
	{"indicators", indicators, sizeof(indicators)},
	{"insets", insets, sizeof(insets)},
	{"physics", physics, sizeof(physics)},
	{"faults", faults, sizeof(faults)},
	{"resume", resume, sizeof(resume)},
	{"batching", batching, sizeof(batching)},
	{"ordering", ordering, sizeof(ordering)},
};

size_t conformance_file_count(void) { return sizeof(files) / sizeof(files[0]); }

struct conformance_file conformance_file_at(size_t index) { return files[index]; }
