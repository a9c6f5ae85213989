package refreshd.client;

/** What happens to a load between its begin and its end (protocol page, "loading"). */
public final class LoadEvent {
    private final JsonObject message;

    LoadEvent(JsonObject message) {
        this.message = message;
    }

    /**
     * Returns the identifier of the load.
     *
     * @return the identifier; {@code null} for a joined load that waits
     */
    public @Nullable String load() {
        return message.string("load");
    }

    /**
     * Returns what is loaded.
     *
     * @return the kind
     */
    public LoadKind kind() {
        return LoadKind.of(message.string("kind"));
    }

    /**
     * Returns what happened.
     *
     * @return the phase; {@link LoadPhase#UNKNOWN} if this version does not know it
     */
    public LoadPhase phase() {
        return LoadPhase.of(message.string("phase"));
    }

    /**
     * Returns whether the load has failed or taken too long.
     *
     * @return whether it has failed
     */
    public boolean isFailure() {
        return phase() == LoadPhase.FAILED || phase() == LoadPhase.TIMED_OUT;
    }

    /**
     * Returns whether the load has ended without items: it has failed, taken too long, or was
     * cancelled. A load that has items ends with {@link ViewListener#onItems}.
     *
     * @return whether it has ended without items
     */
    public boolean hasEndedWithoutItems() {
        return isFailure() || phase() == LoadPhase.CANCELLED;
    }

    /**
     * Returns what caused the load.
     *
     * @return the cause; {@link Cause#UNKNOWN} if it is unknown or not stated
     */
    public Cause cause() {
        return Cause.of(message.string("cause"));
    }

    /**
     * Returns the progress of the load.
     *
     * @return 0 to 1, or {@code null}
     */
    public @Nullable Double progress() {
        return message.number("progress");
    }

    /**
     * Returns why a call has failed.
     *
     * @return the code, or {@code null}
     */
    public @Nullable FaultCode code() {
        return message.has("code") ? FaultCode.of(message.string("code")) : null;
    }

    /**
     * Returns an explanation of the failure.
     *
     * @return the explanation in English, or {@code null}
     */
    public @Nullable String message() {
        return message.string("message");
    }

    /**
     * Returns whether the same load may succeed later.
     *
     * @return whether the failure is temporary
     */
    public boolean isTemporary() {
        return message.flag("temporary", false);
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
