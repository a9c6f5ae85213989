package refreshd.client;

/** The text in which a session outlives its process. */
final class SavedState {
    /** A state with another number is of another version of the client, and is ignored. */
    private static final int VERSION = 2;

    private SavedState() {}

    /** Returns the state of a session that can be resumed, and the edits; null without both. */
    static @Nullable String write(
            ResumeState resume, MessageQueue queue, ViewRegistry views) {
        JsonObject edits = views.savedEdits();
        JsonObject.Builder state = JsonObject.builder().put("version", VERSION)
                .putIfPresent("edits", edits.names().isEmpty() ? null : edits);
        if (resume.canResume()) {
            state.put("resume", resume.saved()).put("queue", queue.saved())
                    .put("replaced", views.savedReplacements());
        } else if (edits.names().isEmpty()) {
            return null;
        }
        return state.build().toString();
    }

    /** Restores a state. If it cannot be read, nothing happens. */
    static void restore(@Nullable String text, ResumeState resume, MessageQueue queue,
            ViewRegistry views) {
        JsonObject state = parsed(text);
        JsonObject session = state.object("resume");
        JsonObject messages = state.object("queue");
        if (state.integer("version", 0) == VERSION) {
            views.restoreEdits(state.object("edits"));
        }
        if (state.integer("version", 0) == VERSION && session != null && messages != null
                && MessageQueue.isValid(messages)) {
            resume.restore(session);
            queue.restore(messages);
            views.restore(state.object("replaced"));
        }
    }

    private static JsonObject parsed(@Nullable String text) {
        try {
            return text == null ? JsonObject.empty() : JsonObject.parse(text);
        } catch (JsonException damaged) {
            return JsonObject.empty();
        }
    }
}
