package refreshd.client;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * An error that a message of the client, a load or the session has caused (protocol page,
 * "Faults").
 */
public final class Fault {
    private static final Set<FaultCode> CLOSING = Collections.unmodifiableSet(EnumSet.of(
            FaultCode.INVALID_TEXT, FaultCode.FRAME_TOO_LARGE, FaultCode.UNSUPPORTED_PROTOCOL,
            FaultCode.HELLO_TIMEOUT, FaultCode.UNAUTHORIZED, FaultCode.TOO_MANY_FAULTS,
            FaultCode.SESSION_TAKEN));

    /** The faults that concern a frame. A code of a later version may be such a fault. */
    private static final Set<FaultCode> FRAME = Collections.unmodifiableSet(EnumSet.of(
            FaultCode.MALFORMED_JSON, FaultCode.DEPTH_EXCEEDED, FaultCode.STRING_TOO_LONG,
            FaultCode.NUMBER_OUT_OF_RANGE, FaultCode.BATCH_TOO_LONG, FaultCode.UNKNOWN));

    private final JsonObject message;
    private final String subject;

    /** Creates a fault; the body is that of the view that it concerns, if there is one. */
    Fault(JsonObject message, @Nullable ViewBody body) {
        this.message = message;
        subject = body == null ? "" : body.subject(code());
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
     * Returns an explanation: that of the daemon, and the view, the feed or the profile.
     *
     * @return the explanation in English
     */
    public String message() {
        return message.string("message") + subject;
    }

    /** The explanation, the code and the field, for a log. */
    String summary() {
        return message() + " (" + codeName() + (field() == null ? "" : ", " + field()) + ")";
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

    /**
     * Whether the fault refuses a `hello`, and no close frame follows (protocol page, "Faults").
     * The daemon then still waits for a valid `hello`.
     */
    boolean refusesHello() {
        return !isTemporary() && !CLOSING.contains(code());
    }

    /** Whether the fault concerns a whole frame, so that any of its messages may be the cause. */
    boolean refusesFrame() {
        return FRAME.contains(code());
    }

    @Override
    public String toString() {
        return message.toString();
    }
}
