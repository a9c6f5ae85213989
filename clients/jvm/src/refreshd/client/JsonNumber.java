package refreshd.client;

/**
 * A number that was read from JSON. It keeps its text, so that writing it again loses no digit.
 *
 * <p>A number beyond the range of a {@code double} has an infinite {@link #doubleValue()}.
 */
public final class JsonNumber extends Number {
    private static final long serialVersionUID = 1L;

    /** The number as JSON text. */
    private final String text;

    /**
     * Creates a number.
     *
     * @param text the number as JSON text
     */
    JsonNumber(String text) {
        this.text = text;
    }

    @Override
    public int intValue() {
        return (int) longValue();
    }

    /** Returns the number without its fraction, limited to the range of a {@code long}. */
    @Override
    public long longValue() {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException notWhole) {
            return (long) doubleValue();
        }
    }

    @Override
    public float floatValue() {
        return (float) doubleValue();
    }

    @Override
    public double doubleValue() {
        return Double.parseDouble(text);
    }

    /** Compares by text: {@code 1} and {@code 1.0} are different. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonNumber && ((JsonNumber) other).text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** Returns the number as JSON text. */
    @Override
    public String toString() {
        return text;
    }
}
