package refreshd.client;

import java.util.List;

/**
 * The bounds of one message (protocol page, "Limits"). A frame with a message beyond a bound has no
 * effect at all, so such a message must not be kept and sent again with `hello`.
 */
final class MessageBounds {
    /** The levels of a frame around a message: the array of the batch. */
    static final int AROUND_MESSAGE = 1;

    /** The levels of a frame around the body of a view: the batch, `hello` and its `views`. */
    static final int AROUND_BODY = 3;

    /** Room for the members that are added when a message is sent, such as `seq`, in bytes. */
    private static final int ADDED_BYTES = 64;

    private final Limits limits;

    MessageBounds(Limits limits) {
        this.limits = limits;
    }

    /** Explains which bound a message exceeds; null if it exceeds none. */
    @Nullable String violation(JsonObject message, int levelsAround) {
        long bytes = FrameWriter.bytes(message.toString()) + ADDED_BYTES;
        JsonObject parameters = message.object("parameters");
        String found = violation("the message", message, levelsAround + 1);
        if (found == null && bytes > limits.frameBytesMax()) {
            found = exceeds("the message", bytes + " bytes", "frameBytesMax",
                    limits.frameBytesMax());
        }
        if (found == null && parameters != null
                && parameters.names().size() > limits.parametersMax()) {
            found = exceeds("the query", parameters.names().size() + " parameters",
                    "parametersMax", limits.parametersMax());
        }
        return found;
    }

    private @Nullable String violation(String place, @Nullable Object value, int level) {
        if (value instanceof String) {
            return violation(place, (String) value);
        }
        if (value instanceof Number && Double.isInfinite(((Number) value).doubleValue())) {
            return place + " is " + value + ", which is beyond the range of a double";
        }
        boolean isNested = value instanceof JsonObject || value instanceof List;
        if (isNested && level > limits.jsonDepthMax()) {
            return exceeds(place, level + " levels in its frame", "jsonDepthMax",
                    limits.jsonDepthMax());
        }
        String found = null;
        if (value instanceof JsonObject) {
            for (String name : ((JsonObject) value).names()) {
                found = found == null ? violation("a name in " + place, name) : found;
                found = found == null
                        ? violation(name, ((JsonObject) value).get(name), level + 1) : found;
            }
        } else if (value instanceof List) {
            for (Object element : (List<?>) value) {
                found = found == null ? violation(place, element, level + 1) : found;
            }
        }
        return found;
    }

    private @Nullable String violation(String place, String string) {
        if (string.length() * 6L <= limits.stringBytesMax()) {
            return null; // no character has more than six bytes
        }
        StringBuilder encoded = new StringBuilder();
        Json.appendString(encoded, string);
        long bytes = FrameWriter.bytes(encoded.toString()) - 2; // without the quotes
        return bytes <= limits.stringBytesMax() ? null
                : exceeds(place, bytes + " bytes", "stringBytesMax", limits.stringBytesMax());
    }

    private static String exceeds(String place, String found, String limit, long most) {
        return place + " has " + found + ", and the daemon accepts at most " + most
                + " (" + limit + ")";
    }
}
