#include "ConformanceFiles.h"

/* The files are embedded in a C file, because the Swift compiler would take half a minute for
 * arrays of this size. */
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

static const uint8_t unread[] = {
#embed "../Conformance/Suite/unread.suite"
};

static const uint8_t patches[] = {
#embed "../Conformance/Suite/patches.suite"
};

static const uint8_t live[] = {
#embed "../Conformance/Suite/live.suite"
};

static const uint8_t edits[] = {
#embed "../Conformance/Suite/edits.suite"
};

static const uint8_t rows[] = {
#embed "../Conformance/Suite/rows.suite"
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

static const uint8_t client_greeting[] = {
#embed "../Conformance/Suite/clients/greeting.suite"
};

static const uint8_t client_batches[] = {
#embed "../Conformance/Suite/clients/batches.suite"
};

static const uint8_t client_strangers[] = {
#embed "../Conformance/Suite/clients/strangers.suite"
};

static const uint8_t client_updates[] = {
#embed "../Conformance/Suite/clients/updates.suite"
};

static const uint8_t client_commands[] = {
#embed "../Conformance/Suite/clients/commands.suite"
};

static const uint8_t client_timelines[] = {
#embed "../Conformance/Suite/clients/timelines.suite"
};

static const uint8_t client_views[] = {
#embed "../Conformance/Suite/clients/views.suite"
};

static const uint8_t client_floors[] = {
#embed "../Conformance/Suite/clients/floors.suite"
};

static const uint8_t client_layers[] = {
#embed "../Conformance/Suite/clients/layers.suite"
};

static const uint8_t client_gestures[] = {
#embed "../Conformance/Suite/clients/gestures.suite"
};

static const uint8_t client_items[] = {
#embed "../Conformance/Suite/clients/items.suite"
};

static const uint8_t client_requests[] = {
#embed "../Conformance/Suite/clients/requests.suite"
};

static const uint8_t client_features[] = {
#embed "../Conformance/Suite/clients/features.suite"
};

static const uint8_t client_patches[] = {
#embed "../Conformance/Suite/clients/patches.suite"
};

static const uint8_t client_live[] = {
#embed "../Conformance/Suite/clients/live.suite"
};

static const uint8_t client_edits[] = {
#embed "../Conformance/Suite/clients/edits.suite"
};

static const uint8_t client_sections[] = {
#embed "../Conformance/Suite/clients/sections.suite"
};

static const uint8_t client_rows[] = {
#embed "../Conformance/Suite/clients/rows.suite"
};

static const uint8_t client_errors[] = {
#embed "../Conformance/Suite/clients/errors.suite"
};

static const uint8_t client_closing[] = {
#embed "../Conformance/Suite/clients/closing.suite"
};

static const uint8_t client_comeback[] = {
#embed "../Conformance/Suite/clients/comeback.suite"
};

static const uint8_t client_liveness[] = {
#embed "../Conformance/Suite/clients/liveness.suite"
};

static const struct conformance_file files[] = {
	{"session", session, sizeof(session)},
	{"geometry", geometry, sizeof(geometry)},
	{"pull", pull, sizeof(pull)},
	{"load-more", load_more, sizeof(load_more)},
	{"paging", paging, sizeof(paging)},
	{"unread", unread, sizeof(unread)},
	{"patches", patches, sizeof(patches)},
	{"live", live, sizeof(live)},
	{"edits", edits, sizeof(edits)},
	{"rows", rows, sizeof(rows)},
	{"indicators", indicators, sizeof(indicators)},
	{"insets", insets, sizeof(insets)},
	{"physics", physics, sizeof(physics)},
	{"faults", faults, sizeof(faults)},
	{"resume", resume, sizeof(resume)},
	{"batching", batching, sizeof(batching)},
	{"ordering", ordering, sizeof(ordering)},
	{"clients/greeting", client_greeting, sizeof(client_greeting)},
	{"clients/batches", client_batches, sizeof(client_batches)},
	{"clients/strangers", client_strangers, sizeof(client_strangers)},
	{"clients/updates", client_updates, sizeof(client_updates)},
	{"clients/commands", client_commands, sizeof(client_commands)},
	{"clients/timelines", client_timelines, sizeof(client_timelines)},
	{"clients/views", client_views, sizeof(client_views)},
	{"clients/floors", client_floors, sizeof(client_floors)},
	{"clients/layers", client_layers, sizeof(client_layers)},
	{"clients/gestures", client_gestures, sizeof(client_gestures)},
	{"clients/items", client_items, sizeof(client_items)},
	{"clients/requests", client_requests, sizeof(client_requests)},
	{"clients/features", client_features, sizeof(client_features)},
	{"clients/patches", client_patches, sizeof(client_patches)},
	{"clients/live", client_live, sizeof(client_live)},
	{"clients/edits", client_edits, sizeof(client_edits)},
	{"clients/sections", client_sections, sizeof(client_sections)},
	{"clients/rows", client_rows, sizeof(client_rows)},
	{"clients/errors", client_errors, sizeof(client_errors)},
	{"clients/closing", client_closing, sizeof(client_closing)},
	{"clients/comeback", client_comeback, sizeof(client_comeback)},
	{"clients/liveness", client_liveness, sizeof(client_liveness)},
};

size_t conformance_file_count(void) { return sizeof(files) / sizeof(files[0]); }

struct conformance_file conformance_file_at(size_t index) { return files[index]; }
