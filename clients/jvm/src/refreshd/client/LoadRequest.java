package refreshd.client;

/** A load that the client itself performs, because its view has no feed (protocol page, "load"). */
public final class LoadRequest {
    private final JsonObject message;

    LoadRequest(JsonObject message) {
        this.message = message;
    }

    /**
     * Returns the identifier of the load, which is unique in its session.
     *
     * @return the identifier
     */
    public String load() {
        return String.valueOf(message.string("load"));
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
     * Returns what has requested the load.
     *
     * @return the trigger
     */
    public LoadTrigger trigger() {
        return LoadTrigger.of(message.string("trigger"));
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
     * Returns the number of the page.
     *
     * @return the number, from the first page of the paging
     */
    public long page() {
        return message.integer("page", 0);
    }

    /**
     * Returns the number of the first item.
     *
     * @return the number
     */
    public long offset() {
        return message.integer("offset", 0);
    }

    /**
     * Returns the number of items of a page.
     *
     * @return the number
     */
    public long size() {
        return message.integer("size", 0);
    }

    /**
     * Returns the cursor of the last page.
     *
     * @return the cursor, or {@code null}
     */
    public @Nullable String cursor() {
        return message.string("cursor");
    }

    /**
     * Returns the number of pages to load in one answer.
     *
     * @return the number, usually 1
     */
    public long pages() {
        return message.integer("pages", 1);
    }

    /**
     * Returns how long the load may take.
     *
     * @return milliseconds
     */
    public long deadlineMs() {
        return message.integer("deadlineMs", 0);
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
