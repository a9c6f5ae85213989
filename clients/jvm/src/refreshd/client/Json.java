package refreshd.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Reads and writes JSON (RFC 8259). A value is a {@link JsonObject}, a {@link List} of values, a
 * {@link String}, a {@link Number}, a {@link Boolean} or {@code null}.
 *
 * <p>Reading is bounded: no text makes it use more than a fixed depth of the stack, or more memory
 * than in proportion to the text.
 */
public final class Json {
    /** The maximum nesting of arrays and objects in a text. */
    public static final int DEPTH_MAX = 64;

    /** The maximum length of a text in characters. */
    public static final int CHARACTERS_MAX = 16 * 1024 * 1024;

    /** Larger numbers may have an exponent. */
    private static final double WHOLE_MAX = 1e15;

    private Json() {}

    /**
     * Reads one value. If an object has a name twice, the last value counts.
     *
     * @param text the JSON text
     * @return the value; its arrays are unmodifiable
     * @throws JsonException if the text is not JSON, is longer than {@link #CHARACTERS_MAX}, or is
     *     nested deeper than {@link #DEPTH_MAX}
     */
    public static @Nullable Object parse(String text) throws JsonException {
        return new JsonReader(text).read();
    }

    /**
     * Writes a value as JSON.
     *
     * @param value a value as described above
     * @return the JSON text
     * @throws IllegalArgumentException if the value, or a value in it, is of another type, or is a
     *     number that is not finite
     */
    public static String write(@Nullable Object value) {
        StringBuilder text = new StringBuilder();
        append(text, value);
        return text.toString();
    }

    /** Returns a value if it can be written; of a list a copy, because its owner may change it. */
    static @Nullable Object checked(@Nullable Object value) {
        if (value instanceof List) {
            List<Object> copy = new ArrayList<>();
            ((List<?>) value).forEach(element -> copy.add(checked(element)));
            return Collections.unmodifiableList(copy);
        } else if (value instanceof Number && !(value instanceof JsonNumber)) {
            double number = ((Number) value).doubleValue();
            if (Double.isNaN(number) || Double.isInfinite(number)) {
                throw new IllegalArgumentException("JSON has no number " + value);
            }
        } else if (value != null && !(value instanceof JsonObject) && !(value instanceof String)
                && !(value instanceof Boolean) && !(value instanceof Number)) {
            throw new IllegalArgumentException("JSON has no value of " + value.getClass());
        }
        return value;
    }

    static void append(StringBuilder text, @Nullable Object value) {
        if (value instanceof JsonObject) {
            ((JsonObject) value).append(text);
        } else if (value instanceof List) {
            String separator = "[";
            for (Object element : (List<?>) value) {
                append(text.append(separator), element);
                separator = ",";
            }
            text.append(((List<?>) value).isEmpty() ? "[]" : "]");
        } else if (value instanceof String) {
            appendString(text, (String) value);
        } else if (value instanceof Number) {
            appendNumber(text, (Number) value);
        } else {
            text.append(checked(value));
        }
    }

    private static void appendNumber(StringBuilder text, Number number) {
        double value = number.doubleValue();
        boolean isWhole = value == Math.rint(value) && Math.abs(value) < WHOLE_MAX;
        if (isWhole && (number instanceof Double || number instanceof Float)) {
            text.append((long) value); // a whole number has no fraction, and -0 becomes 0
        } else {
            text.append(checked(number));
        }
    }

    static void appendString(StringBuilder text, String string) {
        text.append('"');
        for (int index = 0; index < string.length(); index++) {
            char character = string.charAt(index);
            if (character == '"' || character == '\\') {
                text.append('\\').append(character);
            } else if (character < ' ' || isLoneSurrogate(string, index)) {
                // UTF-8 cannot encode a lone surrogate, but JSON can express it.
                text.append(String.format("\\u%04x", (int) character));
            } else {
                text.append(character);
            }
        }
        text.append('"');
    }

    private static boolean isLoneSurrogate(String string, int index) {
        char character = string.charAt(index);
        if (Character.isHighSurrogate(character)) {
            return index + 1 == string.length()
                    || !Character.isLowSurrogate(string.charAt(index + 1));
        }
        return Character.isLowSurrogate(character)
                && (index == 0 || !Character.isHighSurrogate(string.charAt(index - 1)));
    }
}
