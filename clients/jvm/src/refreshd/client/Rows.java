package refreshd.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** The rows of a list with random access (protocol page, "What is in sight"). */
final class Rows {
    /** The most pages that a list has. */
    private static final long PAGES_MAX = 65_535;

    /** Whether the list has random access. */
    boolean isRandom = false;
    private JsonObject paging = JsonObject.empty();
    /** The rows in sight that the app has stated last; null: it has stated none. */
    private @Nullable JsonObject sight = null;
    /** The rows in sight that were sent last. */
    private @Nullable JsonObject reported = null;
    /** Whether the view was attached, and the rows are to be sent again. */
    private boolean mustReport = false;

    /** Applies the paging in force. The daemon may not know the rows in sight any more. */
    void attach(@Nullable JsonObject inForce) {
        mustReport = sight != null;
        reported = null;
        apply(inForce == null ? JsonObject.empty() : inForce);
    }

    /** Applies changed paging. A new style begins at its own first page. */
    void configure(JsonObject changes) {
        JsonObject.Builder changed = paging.toBuilder();
        if (changes.has("style") && !Objects.equals(changes.get("style"), paging.get("style"))) {
            changed.remove("first");
        }
        apply(changed.putAll(changes).build());
    }

    private void apply(JsonObject inForce) {
        paging = inForce;
        isRandom = PagingAccess.RANDOM.wireName().equals(inForce.string("access"));
    }

    void setSight(int first, int last) {
        sight = JsonObject.builder().put("first", first).put("last", last).build();
    }

    /**
     * Adds the rows in sight to a message, if there are any.
     *
     * @param isAlways whether they are added although they have not changed
     */
    JsonObject.Builder addTo(JsonObject.Builder message, boolean isAlways) {
        JsonObject present = sight;
        if (present == null || !isAlways && present.equals(reported)) {
            return message;
        }
        reported = present;
        mustReport = false;
        return message.put("visible", present);
    }

    boolean hasSight() {
        return sight != null;
    }

    boolean mustReport() {
        return mustReport;
    }

    /** The row of the first item of a message; -1 if the list is not one of rows. */
    int firstRow(JsonObject message, ItemsMode mode) {
        boolean isPage = mode == ItemsMode.FILL
                || mode == ItemsMode.REPLACE && message.number("total") != null;
        if (!isRandom || !isPage) {
            return -1;
        }
        boolean startsAtOne = PagingStyle.OFFSET.wireName().equals(paging.string("style"))
                && paging.integer("first", 0) == 1;
        return (int) Math.max(0, message.integer("offset", 0) - (startsAtOne ? 1 : 0));
    }

    /** Returns the rows with the items of a page in their places. */
    List<Object> placed(List<Object> rows, JsonObject message, List<Object> page, int first) {
        long total = message.integer("total", Math.max(rows.size(), (long) first + page.size()));
        long size = paging.integer("size", Integer.MAX_VALUE);
        List<Object> placed = resized(rows, Math.min(total, PAGES_MAX * size));
        for (int index = 0; index < page.size() && first + index < placed.size(); index++) {
            placed.set(first + index, page.get(index));
        }
        return placed;
    }

    /** Returns a copy with this number of rows: without the last ones, or with placeholders. */
    static List<Object> resized(List<Object> rows, long count) {
        int known = (int) Math.max(0, Math.min(count, Integer.MAX_VALUE / 2));
        List<Object> resized = new ArrayList<>(rows.subList(0, Math.min(known, rows.size())));
        resized.addAll(Collections.nCopies(known - resized.size(), null));
        return resized;
    }
}
