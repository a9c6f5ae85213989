package refreshd.client;

/** The text in which a session outlives its process. */
final class SavedState {
    /** A state with another number is of another version of the client, and is ignored. */
    private static final int VERSION = 2;

    private SavedState() {}

    /** Returns the state of a session that can be resumed, or null. */
    static @Nullable String write(
            ResumeState resume, MessageQueue queue, ViewRegistry views) {
        return resume.canResume() ? JsonObject.builder().put("version", VERSION)
                .put("resume", resume.saved()).put("queue", queue.saved())
                .put("replaced", views.savedReplacements()).build().toString()
                : null;
    }

    /** Restores a state. If it cannot be read, nothing happens. */
    static void restore(@Nullable String text, ResumeState resume, MessageQueue queue,
            ViewRegistry views) {
        JsonObject state = parsed(text);
        JsonObject session = state.object("resume");
        JsonObject messages = state.object("queue");
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
