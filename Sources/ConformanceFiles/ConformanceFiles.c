#include "ConformanceFiles.h"

/* Arrays of Swift would take the compiler half a minute. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t session[] = {
#embed "../RefreshScenario/Suite/session.suite"
};

static const uint8_t geometry[] = {
#embed "../RefreshScenario/Suite/geometry.suite"
};

static const uint8_t pull[] = {
#embed "../RefreshScenario/Suite/pull.suite"
};

static const uint8_t load_more[] = {
#embed "../RefreshScenario/Suite/load-more.suite"
};

static const uint8_t paging[] = {
#embed "../RefreshScenario/Suite/paging.suite"
};

static const uint8_t indicators[] = {
#embed "../RefreshScenario/Suite/indicators.suite"
};

static const uint8_t insets[] = {
#embed "../RefreshScenario/Suite/insets.suite"
};

static const uint8_t physics[] = {
#embed "../RefreshScenario/Suite/physics.suite"
};

static const uint8_t faults[] = {
#embed "../RefreshScenario/Suite/faults.suite"
};

static const uint8_t resume[] = {
#embed "../RefreshScenario/Suite/resume.suite"
};

static const uint8_t batching[] = {
#embed "../RefreshScenario/Suite/batching.suite"
};

static const uint8_t ordering[] = {
#embed "../RefreshScenario/Suite/ordering.suite"
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
