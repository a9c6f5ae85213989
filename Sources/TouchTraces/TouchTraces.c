#include "TouchTraces.h"

/* C embeds the files, because the Swift compiler would take minutes for such arrays. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t cancelled_stream[] = {
#embed "Traces/cancelled.stream.jsonl"
};

static const uint8_t flick_stream[] = {
#embed "Traces/flick.stream.jsonl"
};

static const uint8_t fling_to_the_end_local[] = {
#embed "Traces/fling-to-the-end.local.jsonl"
};

static const uint8_t fling_to_the_end_stream[] = {
#embed "Traces/fling-to-the-end.stream.jsonl"
};

static const uint8_t impatient_stream[] = {
#embed "Traces/impatient.stream.jsonl"
};

static const uint8_t interrupted_by_a_tap_stream[] = {
#embed "Traces/interrupted-by-a-tap.stream.jsonl"
};

static const uint8_t over_pull_and_return_stream[] = {
#embed "Traces/over-pull-and-return.stream.jsonl"
};

static const uint8_t pull_and_hold_stream[] = {
#embed "Traces/pull-and-hold.stream.jsonl"
};

static const uint8_t reading_stream[] = {
#embed "Traces/reading.stream.jsonl"
};

static const uint8_t rotation_stream[] = {
#embed "Traces/rotation.stream.jsonl"
};

static const uint8_t short_pull_stream[] = {
#embed "Traces/short-pull.stream.jsonl"
};

static const uint8_t slow_pull_local[] = {
#embed "Traces/slow-pull.local.jsonl"
};

static const uint8_t slow_pull_stream[] = {
#embed "Traces/slow-pull.stream.jsonl"
};

static const uint8_t two_fingers_stream[] = {
#embed "Traces/two-fingers.stream.jsonl"
};

static const uint8_t wheel_stream[] = {
#embed "Traces/wheel.stream.jsonl"
};

static const struct touch_trace touch_traces[] = {
	{"cancelled.stream", cancelled_stream, sizeof(cancelled_stream)},
	{"flick.stream", flick_stream, sizeof(flick_stream)},
	{"fling-to-the-end.local", fling_to_the_end_local, sizeof(fling_to_the_end_local)},
	{"fling-to-the-end.stream", fling_to_the_end_stream, sizeof(fling_to_the_end_stream)},
	{"impatient.stream", impatient_stream, sizeof(impatient_stream)},
	{"interrupted-by-a-tap.stream", interrupted_by_a_tap_stream, sizeof(interrupted_by_a_tap_stream)},
	{"over-pull-and-return.stream", over_pull_and_return_stream, sizeof(over_pull_and_return_stream)},
	{"pull-and-hold.stream", pull_and_hold_stream, sizeof(pull_and_hold_stream)},
	{"reading.stream", reading_stream, sizeof(reading_stream)},
	{"rotation.stream", rotation_stream, sizeof(rotation_stream)},
	{"short-pull.stream", short_pull_stream, sizeof(short_pull_stream)},
	{"slow-pull.local", slow_pull_local, sizeof(slow_pull_local)},
	{"slow-pull.stream", slow_pull_stream, sizeof(slow_pull_stream)},
	{"two-fingers.stream", two_fingers_stream, sizeof(two_fingers_stream)},
	{"wheel.stream", wheel_stream, sizeof(wheel_stream)},
};

size_t touch_trace_count(void) { return sizeof(touch_traces) / sizeof(touch_traces[0]); }

struct touch_trace touch_trace_at(size_t index) { return touch_traces[index]; }
