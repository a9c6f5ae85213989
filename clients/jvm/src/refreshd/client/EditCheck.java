package refreshd.client;

import java.util.List;

/** Checks edits before they are kept, because the daemon would refuse the wrong ones. */
final class EditCheck {
    private static final int OPERATION_BYTES_MAX = 16_384;
    private static final String[] KINDS = {"insert", "update", "remove", "move", "refresh"};
    private static final String[] KEYS = {"remove", "move", "refresh", "before", "after"};

    private EditCheck() {}

    /** Throws IllegalArgumentException if an edit cannot have this name. */
    static void name(String name) {
        if (!name.matches("[A-Za-z0-9_-]{8,64}")) {
            throw new IllegalArgumentException(
                    "the name of an edit has 8 to 64 letters, digits, - and _, not " + name);
        }
    }

    /**
     * Returns the kind of an operation. Throws IllegalArgumentException if its form or its size is
     * wrong, or if it has no key.
     *
     * @param pointer the place of an item's key; {@code null} if it is not known
     */
    static String kind(JsonObject operation, @Nullable String pointer) {
        String kind = LinkedItems.onlyMember(operation, KINDS);
        require(kind != null, "an operation has one of " + String.join(", ", KINDS), operation);
        long bytes = FrameWriter.bytes(operation.toString());
        if (bytes > OPERATION_BYTES_MAX) {
            throw new IllegalArgumentException("the operation has " + bytes
                    + " bytes, and the daemon accepts at most " + OPERATION_BYTES_MAX);
        }
        checkPlace(kind, operation);
        for (String name : KEYS) {
            require(!operation.has(name) || ListPatch.keyOf(operation.get(name)) != null,
                    name + " is a key: a string or a whole number", operation);
        }
        if ("insert".equals(kind) || "update".equals(kind)) {
            Object item = operation.get(kind);
            require(item instanceof JsonObject || item instanceof List,
                    "the item is an object", operation);
            require(pointer == null || ListPatch.keyOf(
                    ListPatch.valueAt(item, pointer.split("/", -1))) != null,
                    "the item has no key at " + pointer + ": a string or a whole number",
                    operation);
        }
        return String.valueOf(kind);
    }

    private static void checkPlace(@Nullable String kind, JsonObject operation) {
        boolean hasPlace = false;
        for (String name : LinkedItems.PLACES) {
            hasPlace |= operation.has(name);
        }
        boolean needsPlace = "insert".equals(kind) || "move".equals(kind);
        require(hasPlace == needsPlace && (!hasPlace
                || LinkedItems.onlyMember(operation, LinkedItems.PLACES) != null),
                "insert and move have one of at, before, after; the others have none",
                operation);
        String end = operation.string("at");
        require(!operation.has("at") || "start".equals(end) || "end".equals(end),
                "at is start or end", operation);
    }

    private static void require(boolean condition, String rule, JsonObject operation) {
        if (!condition) {
            throw new IllegalArgumentException(rule + ": " + operation);
        }
    }
}
