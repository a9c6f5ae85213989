package refreshd.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A patch: a new list, stated by what differs from the old one (protocol page, "Patches" and "Live
 * items").
 */
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
        if (pointer == null) {
            return null;
        }
        Double count = patch.number("count");
        double size = count == null ? -1 : count;
        String[] names = pointer.split("/", -1);
        List<Object> items = patch.has("operations")
                ? operated(patch.array("operations"), old, names)
                : joined(patch.array("runs"), old, names, size);
        return items != null && items.size() == size ? items : null;
    }

    /** Returns the items of the runs in order; {@code null} if a run does not fit. */
    private static @Nullable List<Object> joined(
            @Nullable List<Object> runs, List<Object> old, String[] names, double size) {
        if (runs == null) {
            return null;
        }
        Map<Object, Integer> positions = positions(old, names);
        List<Object> items = new ArrayList<>();
        for (Object one : runs) {
            JsonObject run = one instanceof JsonObject ? (JsonObject) one : JsonObject.empty();
            List<Object> added = run.array("items");
            if (added != null) {
                items.addAll(added);
                continue;
            }
            if (items.size() > size) {
                return null; // no list is longer than it is stated to be
            }
            int start = positions.getOrDefault(keyOf(run.get("from")), AMBIGUOUS);
            long count = run.integer("count", -1);
            if (start == AMBIGUOUS || count < 0 || count > old.size() - start) {
                return null;
            }
            items.addAll(old.subList(start, start + (int) count));
        }
        return items;
    }

    /**
     * Returns a copy of the items to which the operations were applied in order; {@code null} if
     * one does not fit.
     */
    private static @Nullable List<Object> operated(
            @Nullable List<Object> operations, List<Object> old, String[] names) {
        if (operations == null) {
            return null;
        }
        LinkedItems items = new LinkedItems(old, names);
        for (Object operation : operations) {
            if (!(operation instanceof JsonObject) || !items.apply((JsonObject) operation)) {
                return null;
            }
        }
        return items.listed();
    }

    private static Map<Object, Integer> positions(List<Object> items, String[] names) {
        Map<Object, Integer> positions = new HashMap<>();
        for (int position = 0; position < items.size(); position++) {
            Object key = keyOf(valueAt(items.get(position), names));
            if (key != null) {
                positions.merge(key, position, (first, second) -> AMBIGUOUS);
            }
        }
        return positions;
    }

    /** Returns a string or a whole number as a key; null if the value is neither. */
    static @Nullable Object keyOf(@Nullable Object value) {
        if (value instanceof Integer || value instanceof Long) { // of an item that the app restores
            return new JsonNumber(value.toString());
        }
        boolean isWhole = value instanceof JsonNumber
                && value.toString().chars().allMatch(one -> one == '-' || Character.isDigit(one));
        return value instanceof String || isWhole ? value : null;
    }

    /** Returns the part of an item at a JSON pointer (RFC 6901); {@code null} if there is none. */
    static @Nullable Object valueAt(@Nullable Object item, String[] names) {
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
