package refreshd.client;

/** What has become of an edit (protocol page, "Edits"). */
public enum EditResult implements WireName {
    /** The backend has done what the operation says. */
    CONFIRMED("confirmed"),

    /** The backend has done it, and has returned the item as it is now. */
    REPLACED("replaced"),

    /** Nothing was changed. */
    ROLLED_BACK("rolledBack"),

    /** A value that this version of the client does not know. */
    UNKNOWN("");

    private final String wireName;

    EditResult(String wireName) {
        this.wireName = wireName;
    }

    @Override
    public String wireName() {
        return wireName;
    }

    /** Returns the constant of a string; UNKNOWN if there is none. */
    static EditResult of(@Nullable String wireName) {
        for (EditResult one : values()) {
            if (one.wireName.equals(wireName)) {
                return one;
            }
        }
        return UNKNOWN;
    }
}
