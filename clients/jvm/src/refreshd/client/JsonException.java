package refreshd.client;

/** Reports a text that is not JSON (RFC 8259), or that exceeds a bound of {@link Json}. */
public final class JsonException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The index of the first character that does not fit. */
    private final int index;

    /**
     * Creates the report.
     *
     * @param message the reason
     * @param index the index of the first character that does not fit
     */
    JsonException(String message, int index) {
        super(message + " at character " + index);
        this.index = index;
    }

    /**
     * Returns the index of the first character that does not fit.
     *
     * @return the index, from 0
     */
    public int index() {
        return index;
    }
}
