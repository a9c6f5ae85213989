package refreshd.client;

/**
 * An error that a message of the client, a load or the session has caused (protocol page,
 * "Faults").
 */
public final class Fault {
    private final JsonObject message;

    Fault(JsonObject message) {
        this.message = message;
    }

    /**
     * Returns what was wrong.
     *
     * @return the code; {@link FaultCode#UNKNOWN} if this version does not know it
     */
    public FaultCode code() {
        return FaultCode.of(message.string("code"));
    }

    /**
     * Returns the code as it was sent.
     *
     * @return the code
     */
    public String codeName() {
        return String.valueOf(message.string("code"));
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
     * Returns the field that was wrong.
     *
     * @return the name of the field, or {@code null}
     */
    public @Nullable String field() {
        return message.string("field");
    }

    /**
     * Returns the view that the fault concerns.
     *
     * @return the name of the view, or {@code null}
     */
    public @Nullable String view() {
        return message.string("view");
    }

    /**
     * Returns the number of the message that caused the fault.
     *
     * @return the number; 0: not known
     */
    public long seq() {
        return message.integer("seq", 0);
    }

    /**
     * Returns whether the same request may succeed later.
     *
     * @return whether the fault is temporary
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
