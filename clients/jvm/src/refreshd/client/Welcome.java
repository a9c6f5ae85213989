package refreshd.client;

/** The beginning of a connection: the session is open (protocol page, "welcome"). */
public final class Welcome {
    private final JsonObject message;

    Welcome(JsonObject message) {
        this.message = message;
    }

    /**
     * Returns the name of the session, here and in logs.
     *
     * @return the name
     */
    public String session() {
        return String.valueOf(message.string("session"));
    }

    /**
     * Returns whether this connection resumes the session of the last one.
     *
     * @return whether the session is resumed
     */
    public boolean isResumed() {
        return message.flag("resumed", false);
    }

    /**
     * Returns why the session is a fresh one, although the client had one.
     *
     * @return the reason, or {@code null}
     */
    public @Nullable FreshReason reason() {
        return message.has("reason")
                ? FreshReason.of(message.string("reason")) : null;
    }

    /**
     * Returns the name and the version of the daemon.
     *
     * @return such as {@code refreshd/1.0.0}
     */
    public String server() {
        return String.valueOf(message.string("server"));
    }

    /**
     * Returns the limits in force (protocol page, "Limits").
     *
     * @return the limits
     */
    public Limits limits() {
        JsonObject limits = message.object("limits");
        return new Limits(limits == null ? JsonObject.empty() : limits);
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
