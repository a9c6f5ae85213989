package refreshd.client;

/**
 * The state of one edge at one moment: all messages about it, merged. It is immutable.
 *
 * <p>Draw a {@link EdgeState} for which the app has no appearance as {@link EdgeState#IDLE}.
 */
public final class EdgeStatus {
    private final JsonObject members;

    private EdgeStatus(JsonObject members) {
        this.members = members;
    }

    /** The first state of an edge, from `attached`. */
    static EdgeStatus first(JsonObject members) {
        return new EdgeStatus(members);
    }

    /** Applies a change. A new state removes `cause`, `result` and `progress`. */
    EdgeStatus merged(JsonObject change) {
        JsonObject.Builder merged = members.toBuilder();
        if (change.has("state")) {
            merged.remove("cause").remove("result").remove("progress");
        }
        JsonObject before = members.object("indicator");
        JsonObject indicator = change.object("indicator");
        merged.putAll(change);
        if (before != null && indicator != null) {
            merged.put("indicator", before.toBuilder().putAll(indicator).build());
        }
        return new EdgeStatus(merged.build());
    }

    /**
     * Returns what the edge shows and does.
     *
     * @return the state; {@link EdgeState#UNKNOWN} if this version does not know it
     */
    public EdgeState state() {
        return EdgeState.of(members.string("state"));
    }

    /**
     * Returns how near the list is to the threshold.
     *
     * @return 0 to 1, or more with the option {@code progressMax}; {@code null} in a state without
     *     progress
     */
    public @Nullable Double progress() {
        return members.number("progress");
    }

    /**
     * Returns what caused the load that runs.
     *
     * @return the cause; {@code null} in a state without a cause
     */
    public @Nullable Cause cause() {
        return members.has("cause") ? Cause.of(members.string("cause")) : null;
    }

    /**
     * Returns how the last load of this state has ended.
     *
     * @return the result; {@code null} if there is none
     */
    public @Nullable EdgeResult result() {
        return members.has("result") ? EdgeResult.of(members.string("result")) : null;
    }

    /**
     * Returns how to draw a plain spinner.
     *
     * @return the spinner; a spinner that is not shown if the daemon has sent none
     */
    public Spinner spinner() {
        JsonObject indicator = members.object("indicator");
        return new Spinner(indicator == null ? JsonObject.empty() : indicator);
    }

    /**
     * Returns all members: state and options in force (protocol page, "attached" and "update").
     *
     * @return the members
     */
    public JsonObject json() {
        return members;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EdgeStatus && ((EdgeStatus) other).members.equals(members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    @Override
    public String toString() {
        return members.toString();
    }
}
