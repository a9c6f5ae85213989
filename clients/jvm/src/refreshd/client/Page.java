package refreshd.client;

import java.util.Collections;
import java.util.List;

/** The items of one load that succeeded (protocol page, "items"). */
public final class Page {
    private final JsonObject message;
    /** With random access, the row of the first item. */
    private @Nullable Integer firstRow = null;
    /** The whole list that a patch has made. */
    private @Nullable List<Object> patched = null;

    Page(JsonObject message) {
        this.message = message;
    }

    JsonObject message() {
        return message;
    }

    void setFirstRow(int row) {
        firstRow = row;
    }

    /**
     * Returns where the items belong in a list with random access.
     *
     * @return the row of the first item, counted from 0; {@code null} with sequential access
     */
    public @Nullable Integer firstRow() {
        return firstRow;
    }

    void setItems(List<Object> list) {
        patched = list;
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
     * Returns where the items belong in the list.
     *
     * @return the mode; {@link ItemsMode#UNKNOWN} counts as replace
     */
    public ItemsMode mode() {
        return ItemsMode.of(message.string("mode"));
    }

    /**
     * Returns the items as the backend sent them; after a patch, all items of the list.
     *
     * @return the items, each a value of {@link Json}
     */
    public List<Object> items() {
        if (patched != null) {
            return patched;
        }
        return message.array("items") == null
                ? Collections.emptyList() : message.array("items");
    }

    /**
     * Returns whether there is another page.
     *
     * @return whether there is more
     */
    public boolean hasMore() {
        return message.flag("more", false);
    }

    /**
     * Returns the number of items of the whole list, if the backend states it.
     *
     * @return the number, or {@code null}
     */
    public @Nullable Long total() {
        return message.number("total") == null
                ? null : (Long) message.integer("total", 0);
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
