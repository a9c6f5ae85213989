package refreshd.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** A run of neighbouring items with equal values (protocol page, "Sections"). */
public final class ItemSection {
    private final @Nullable Object value;
    private final int start;
    private int count = 1;

    private ItemSection(@Nullable Object value, int start) {
        this.value = value;
        this.start = start;
    }

    /**
     * Returns the value that names the section.
     *
     * @return a string, a number or a boolean; {@code null} for a section without a header
     */
    public @Nullable Object value() {
        return value;
    }

    /**
     * Returns the position of the first item.
     *
     * @return its position in {@link ViewDisplay#items}; with random access, its row
     */
    public int start() {
        return start;
    }

    /**
     * Returns the number of items of the section that the list has.
     *
     * @return the number, at least 1
     */
    public int count() {
        return count;
    }

    /** Returns the sections of a list in order. A placeholder belongs to none. */
    static List<ItemSection> of(List<Object> items, String pointer) {
        String[] names = pointer.split("/", -1);
        List<ItemSection> sections = new ArrayList<>();
        ItemSection last = null;
        for (int position = 0; position < items.size(); position++) {
            if (items.get(position) == null) {
                last = null;
                continue;
            }
            Object value = name(ListPatch.valueAt(items.get(position), names));
            if (last != null && isSame(last.value, value)) {
                last.count++;
            } else {
                last = new ItemSection(value, position);
                sections.add(last);
            }
        }
        return Collections.unmodifiableList(sections);
    }

    /** Whether both values name the same section. The number 1 is 1.0. */
    private static boolean isSame(@Nullable Object one, @Nullable Object other) {
        return one instanceof Number && other instanceof Number
                ? ((Number) one).doubleValue() == ((Number) other).doubleValue()
                : Objects.equals(one, other);
    }

    private static @Nullable Object name(@Nullable Object value) {
        return value instanceof String || value instanceof Number || value instanceof Boolean
                ? value : null;
    }
}
