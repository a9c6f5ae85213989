package refreshd.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A patch: a new list, stated by what differs from the old one (protocol page, "Patches"). */
final class ListPatch {
    /** The position of a key that several items have. */
    private static final int AMBIGUOUS = -1;

    private ListPatch() {}

    /**
     * Returns the list that a patch makes from the old items; {@code null} if they do not fit.
     *
     * @param pointer the place of the key in an item; {@code null} if it is not known
     */
    static @Nullable List<Object> apply(
            JsonObject patch, List<Object> old, @Nullable String pointer) {
        List<Object> runs = patch.array("runs");
        if (pointer == null || runs == null) {
            return null;
        }
        Map<Object, Integer> positions = positions(old, pointer);
        List<Object> items = new ArrayList<>();
        for (Object one : runs) {
            JsonObject run = one instanceof JsonObject ? (JsonObject) one : JsonObject.empty();
            List<Object> added = run.array("items");
            if (added != null) {
                items.addAll(added);
                continue;
            }
            if (items.size() > patch.integer("count", -1)) {
                return null; // no list is longer than it is stated to be
            }
            int start = positions.getOrDefault(keyOf(run.get("from")), AMBIGUOUS);
            long count = run.integer("count", -1);
            if (start == AMBIGUOUS || count < 0 || start + count > old.size()) {
                return null;
            }
            items.addAll(old.subList(start, start + (int) count));
        }
        return items.size() == patch.integer("count", -1) ? items : null;
    }

    private static Map<Object, Integer> positions(List<Object> items, String pointer) {
        Map<Object, Integer> positions = new HashMap<>();
        String[] names = pointer.split("/", -1);
        for (int position = 0; position < items.size(); position++) {
            Object key = keyOf(valueAt(items.get(position), names));
            if (key != null) {
                positions.merge(key, position, (first, second) -> AMBIGUOUS);
            }
        }
        return positions;
    }

    /** Returns a string or a number as a key; null if the value is neither. */
    private static @Nullable Object keyOf(@Nullable Object value) {
        if (value instanceof Integer || value instanceof Long) { // of an item that the app restores
            return new JsonNumber(value.toString());
        }
        return value instanceof String || value instanceof JsonNumber ? value : null;
    }

    /** Returns the part of an item at a JSON pointer (RFC 6901); {@code null} if there is none. */
    private static @Nullable Object valueAt(@Nullable Object item, String[] names) {
        Object value = item;
        for (int index = 1; index < names.length; index++) {
            String name = names[index].replace("~1", "/").replace("~0", "~");
            if (value instanceof JsonObject) {
                value = ((JsonObject) value).get(name);
            } else if (value instanceof List && name.matches("0|[1-9][0-9]{0,8}")
                    && Integer.parseInt(name) < ((List<?>) value).size()) {
                value = ((List<?>) value).get(Integer.parseInt(name));
            } else {
                return null;
            }
        }
        return value;
    }
}
