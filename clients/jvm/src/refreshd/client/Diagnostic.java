package refreshd.client;

/**
 * A part of a message that the daemon has ignored, or a mistake of the client (protocol page,
 * "Diagnostics").
 */
public final class Diagnostic {
    private final JsonObject message;

    Diagnostic(JsonObject message) {
        this.message = message;
    }

    /**
     * Returns why it was ignored.
     *
     * @return the code
     */
    public DiagnosticCode code() {
        return DiagnosticCode.of(message.string("code"));
    }

    /**
     * Returns an explanation.
     *
     * @return the explanation in English
     */
    public String message() {
        return String.valueOf(message.string("message"));
    }

    /**
     * Returns the field that was ignored.
     *
     * @return the path of the field, or {@code null}
     */
    public @Nullable String field() {
        return message.string("field");
    }

    /**
     * Returns the most similar known name.
     *
     * @return the name, or {@code null}
     */
    public @Nullable String suggestion() {
        return message.string("suggestion");
    }

    /**
     * Returns the view that the message is about.
     *
     * @return the name of the view, or {@code null}
     */
    public @Nullable String view() {
        return message.string("view");
    }

    /**
     * Returns the section of the documentation that explains a mistake of the client.
     *
     * @return a path with an anchor, such as {@code docs/start.md#idle}, or {@code null}
     */
    public @Nullable String page() {
        return message.string("page");
    }

    /**
     * Returns the number of the message.
     *
     * @return the number; 0: not known
     */
    public long seq() {
        return message.integer("seq", 0);
    }

    /**
     * Returns the whole message.
     *
     * @return the message
     */
    public JsonObject json() {
        return message;
    }

    @Override
    public String toString() {
        return message.toString();
    }
}
