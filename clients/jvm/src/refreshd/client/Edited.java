package refreshd.client;

/** The answer to an edit of the user (protocol page, "Edits"). */
public final class Edited {
    private final JsonObject message;

    Edited(JsonObject message) {
        this.message = message;
    }

    /**
     * Returns which edit was answered.
     *
     * @return what {@link EditableView#edit(JsonObject, int)} has returned
     */
    public String edit() {
        return String.valueOf(message.string("edit"));
    }

    /**
     * Returns what has become of the edit.
     *
     * @return the result; {@link EditResult#UNKNOWN} if this version does not know it
     */
    public EditResult result() {
        return EditResult.of(message.string("result"));
    }

    /**
     * Returns the key of the item as it is now.
     *
     * @return a string or a number; {@code null} unless the result is {@link EditResult#REPLACED}
     */
    public @Nullable Object key() {
        return message.get("key");
    }

    /**
     * Returns why nothing was changed.
     *
     * @return the code: that of a fault, or {@code undone}, {@code editNotAccepted} or {@code
     *     tooManyEdits}; {@code null} unless the result is {@link EditResult#ROLLED_BACK}
     */
    public @Nullable String code() {
        return message.string("code");
    }

    /**
     * Returns an explanation of the code.
     *
     * @return the explanation in English, or {@code null}
     */
    public @Nullable String message() {
        return message.string("message");
    }

    /**
     * Returns whether the same operation may succeed later.
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
