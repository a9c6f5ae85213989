package refreshd.client;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Values of a message, each of which may be left out. A value that is left out does not change, or
 * is that of the profile. An object of options is not thread-safe; the client copies it when it
 * receives it.
 */
public abstract class Options {
    private final Map<String, Object> members = new LinkedHashMap<>();

    /** Creates options without values. */
    Options() {}

    final void set(String name, @Nullable Object value) {
        members.put(name, Json.checked(value));
    }

    /** Sets a number. Throws IllegalArgumentException if it is not in the range. */
    final void setNumber(String name, @Nullable Number value, Range range) {
        if (value != null) {
            range.check(name, value);
        }
        set(name, value);
    }

    /**
     * Sets members by their names in the protocol; for members of a later version, for instance.
     *
     * @param others the members
     */
    public final void setAll(JsonObject others) {
        for (String name : others.names()) {
            set(name, others.get(name));
        }
    }

    /** Returns the strings of several constants, as a JSON array. */
    static List<Object> names(WireName... constants) {
        List<Object> names = new ArrayList<>();
        for (WireName constant : constants) {
            names.add(constant.wireName());
        }
        return names;
    }

    /** Returns the map as a JSON object. Throws NullPointerException if a value is null. */
    static JsonObject strings(Map<String, String> map) {
        JsonObject.Builder strings = JsonObject.builder();
        map.forEach((name, value) -> strings.put(
                Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, name)));
        return strings.build();
    }

    /**
     * Returns the present values as they are sent.
     *
     * @return a JSON object, which later calls do not change
     */
    public final JsonObject json() {
        return JsonObject.of(new LinkedHashMap<>(members));
    }

    /** Returns the values as JSON text. */
    @Override
    public String toString() {
        return json().toString();
    }
}
