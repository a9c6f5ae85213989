package refreshd.client;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An unmodifiable JSON object. Its members keep their order.
 *
 * <p>The typed accessors return {@code null} if the member is missing or has another type, so that
 * a caller needs no check of its own for input from outside.
 */
public final class JsonObject {
    private static final JsonObject EMPTY = new JsonObject(Collections.emptyMap());

    private final Map<String, Object> members;

    private JsonObject(Map<String, Object> members) {
        this.members = members;
    }

    /** Wraps a map that is not changed any more. */
    static JsonObject of(Map<String, Object> members) {
        return new JsonObject(members);
    }

    /**
     * Returns the object without members.
     *
     * @return the object
     */
    public static JsonObject empty() {
        return EMPTY;
    }

    /**
     * Reads an object.
     *
     * @param text the JSON text
     * @return the object
     * @throws JsonException if the text is not one JSON object, or exceeds a bound of {@link Json}
     */
    public static JsonObject parse(String text) throws JsonException {
        Object value = Json.parse(text);
        if (value instanceof JsonObject) {
            return (JsonObject) value;
        }
        throw new JsonException("The value is not an object", 0);
    }

    /**
     * Returns a builder without members.
     *
     * @return the builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns a builder with the members of this object.
     *
     * @return the builder
     */
    public Builder toBuilder() {
        return new Builder().putAll(this);
    }

    /**
     * Returns the names of the members.
     *
     * @return the names, in the order of the members
     */
    public Set<String> names() {
        return Collections.unmodifiableSet(members.keySet());
    }

    /**
     * Returns whether there is a member of this name, perhaps with the value {@code null}.
     *
     * @param name the name
     * @return whether the member is present
     */
    public boolean has(String name) {
        return members.containsKey(name);
    }

    /**
     * Returns a member of any type.
     *
     * @param name the name
     * @return the value; {@code null} if it is missing or is {@code null}
     */
    public @Nullable Object get(String name) {
        return members.get(name);
    }

    /**
     * Returns a string.
     *
     * @param name the name of the member
     * @return the string, or {@code null}
     */
    public @Nullable String string(String name) {
        Object value = members.get(name);
        return value instanceof String ? (String) value : null;
    }

    /**
     * Returns a finite number.
     *
     * @param name the name of the member
     * @return the number, or {@code null}
     */
    public @Nullable Double number(String name) {
        Object value = members.get(name);
        double number = value instanceof Number ? ((Number) value).doubleValue() : Double.NaN;
        return Double.isNaN(number) || Double.isInfinite(number) ? null : (Double) number;
    }

    /**
     * Returns a finite number.
     *
     * @param name the name of the member
     * @param otherwise the result if the member is missing or is no finite number
     * @return the number
     */
    public double number(String name, double otherwise) {
        Double number = number(name);
        return number == null ? otherwise : number;
    }

    /**
     * Returns a whole number.
     *
     * @param name the name of the member
     * @param otherwise the result if the member is missing or is no finite number
     * @return the number without its fraction, limited to the range of a {@code long}
     */
    public long integer(String name, long otherwise) {
        return number(name) == null ? otherwise : ((Number) members.get(name)).longValue();
    }

    /**
     * Returns a boolean.
     *
     * @param name the name of the member
     * @return the boolean, or {@code null}
     */
    public @Nullable Boolean flag(String name) {
        Object value = members.get(name);
        return value instanceof Boolean ? (Boolean) value : null;
    }

    /**
     * Returns a boolean.
     *
     * @param name the name of the member
     * @param otherwise the result if the member is missing or is no boolean
     * @return the boolean
     */
    public boolean flag(String name, boolean otherwise) {
        Boolean value = flag(name);
        return value == null ? otherwise : value;
    }

    /**
     * Returns an object.
     *
     * @param name the name of the member
     * @return the object, or {@code null}
     */
    public @Nullable JsonObject object(String name) {
        Object value = members.get(name);
        return value instanceof JsonObject ? (JsonObject) value : null;
    }

    /**
     * Returns an array.
     *
     * @param name the name of the member
     * @return the unmodifiable elements, or {@code null}
     */
    @SuppressWarnings("unchecked")
    public @Nullable List<Object> array(String name) {
        Object value = members.get(name);
        return value instanceof List ? (List<Object>) value : null;
    }

    void append(StringBuilder text) {
        text.append('{');
        boolean isFirst = true;
        for (Map.Entry<String, Object> member : members.entrySet()) {
            if (!isFirst) {
                text.append(',');
            }
            isFirst = false;
            Json.appendString(text, member.getKey());
            Json.append(text.append(':'), member.getValue());
        }
        text.append('}');
    }

    /** Returns whether the other object has equal members, in any order. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonObject && ((JsonObject) other).members.equals(members);
    }

    @Override
    public int hashCode() {
        return members.hashCode();
    }

    /** Returns the object as JSON text. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        append(text);
        return text.toString();
    }

    /** Builds a {@link JsonObject}. */
    public static final class Builder {
        private final Map<String, Object> members = new LinkedHashMap<>();

        private Builder() {}

        /**
         * Sets a member.
         *
         * @param name its name
         * @param value its value, as {@link Json} describes
         * @return this builder
         * @throws IllegalArgumentException if JSON cannot express the value
         */
        public Builder put(String name, @Nullable Object value) {
            members.put(name, Json.checked(value));
            return this;
        }

        /**
         * Sets a member, unless the value is {@code null}.
         *
         * @param name its name
         * @param value its value, as {@link Json} describes
         * @return this builder
         */
        public Builder putIfPresent(String name, @Nullable Object value) {
            return value == null ? this : put(name, value);
        }

        /**
         * Sets all members of an object.
         *
         * @param object the object
         * @return this builder
         */
        public Builder putAll(JsonObject object) {
            members.putAll(object.members);
            return this;
        }

        /**
         * Removes a member.
         *
         * @param name its name
         * @return this builder
         */
        public Builder remove(String name) {
            members.remove(name);
            return this;
        }

        /**
         * Returns the object.
         *
         * @return the object, which later calls of this builder do not change
         */
        public JsonObject build() {
            return new JsonObject(new LinkedHashMap<>(members));
        }
    }
}
