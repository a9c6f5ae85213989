package refreshd.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * The edits of a view without an answer, in the order in which they were made (protocol page,
 * "Edits" and "Undo"). They outlive the session.
 */
final class PendingEdits {
    /** The most edits that the daemon accepts before it has answered one; the others wait here. */
    static final int UNANSWERED_MAX = 32;
    /** The most edits that are kept. */
    static final int COUNT_MAX = 1000;

    /** One edit. */
    private static final class Edit {
        final String name;
        final JsonObject operation;
        final long delayMs;
        /** Whether it was sent on any connection, so that the daemon may perform it. */
        boolean isSent = false;
        /** Whether it is one of another process, which may have sent it. */
        boolean isRestored = false;
        boolean isUndone = false;
        /** The number of its message since the view was attached last; 0: not sent since. */
        long seq = 0;
        boolean isUndoSent = false;

        Edit(String name, JsonObject operation, long delayMs) {
            this.name = name;
            this.operation = operation;
            this.delayMs = delayMs;
        }
    }

    private final boolean isReversed;
    private final List<Edit> edits = new ArrayList<>();
    /** The names of the edits, also of those that are about to be added. */
    private final Set<String> names = ConcurrentHashMap.newKeySet();
    /** The place of an item's key, when the view was attached last. */
    private volatile @Nullable String itemKey = null;
    /** The operations that the feed accepts; null: it is not known. */
    private volatile @Nullable List<String> accepted = null;
    /** The list to which the edits were applied last, and the result; null: they have changed. */
    private @Nullable List<Object> base = null;
    private List<Object> result = Collections.emptyList();

    PendingEdits(boolean isReversed) {
        this.isReversed = isReversed;
    }

    // On any thread

    /**
     * Reserves the name of an edit. Throws IllegalArgumentException if the daemon would refuse the
     * edit, and IllegalStateException if too many edits wait.
     */
    void reserve(String name, JsonObject operation) {
        List<String> known = accepted;
        String kind = EditCheck.kind(operation, itemKey);
        if (known != null && !known.contains(kind)) {
            throw new IllegalArgumentException("the feed of this view does not accept " + kind
                    + "; it accepts " + (known.isEmpty() ? "no edits" : String.join(", ", known)));
        }
        if (names.size() >= COUNT_MAX) {
            throw new IllegalStateException(COUNT_MAX + " edits wait for the daemon");
        }
        if (!names.add(name)) {
            throw new IllegalArgumentException("there is an edit " + name);
        }
    }

    List<String> accepted() {
        List<String> known = accepted;
        return known == null ? Collections.emptyList() : known;
    }

    // On the executor

    int count() {
        return edits.size();
    }

    /** The names in the order in which the edits were made. */
    List<String> pending() {
        List<String> all = new ArrayList<>();
        edits.forEach(edit -> all.add(edit.name));
        return all;
    }

    /** Applies what `attached` states. All edits are to be sent again. */
    void attach(@Nullable String pointer, @Nullable List<Object> operations) {
        itemKey = pointer;
        accepted = strings(operations == null ? Collections.emptyList() : operations);
        base = null;
        for (Edit edit : edits) {
            edit.seq = 0;
            edit.isUndoSent = false;
        }
    }

    private static List<String> strings(List<Object> values) {
        List<String> strings = new ArrayList<>();
        values.forEach(value -> strings.add(String.valueOf(value)));
        return Collections.unmodifiableList(strings);
    }

    /** Adds an edit whose name is reserved. */
    void add(String name, JsonObject operation, long delayMs) {
        names.add(name);
        edits.add(new Edit(name, operation, delayMs));
        base = null;
    }

    /** Gives back the name of an edit that has no effect. */
    void release(String name) {
        names.remove(name);
    }

    /** Drops an edit. Returns whether there was one. */
    boolean remove(String name) {
        if (!edits.removeIf(edit -> edit.name.equals(name))) {
            return false;
        }
        names.remove(name);
        base = null;
        return true;
    }

    /** Returns the edit whose message has this number; {@code null} if there is none. */
    @Nullable String sentAs(long seq) {
        for (Edit edit : edits) {
            if (edit.seq > 0 && edit.seq == seq) {
                return edit.name;
            }
        }
        return null;
    }

    /** Undoes an edit. Returns whether it was dropped, because it was never sent. */
    boolean undo(String name) {
        for (Edit edit : edits) {
            if (edit.name.equals(name)) {
                edit.isUndone = true;
                return !edit.isSent && remove(name);
            }
        }
        return false;
    }

    /** Returns the messages that must be sent now, with their numbers. */
    List<JsonObject> due(String view, UnaryOperator<JsonObject> number) {
        List<JsonObject> messages = new ArrayList<>();
        long unanswered = edits.stream().filter(edit -> edit.seq > 0).count();
        for (Edit edit : edits) {
            if (edit.seq == 0 && unanswered < UNANSWERED_MAX) {
                unanswered++;
                JsonObject message = number.apply(JsonObject.builder().put("type", "edit")
                        .put("view", view).put("edit", edit.name).put("operation", edit.operation)
                        .putIfPresent("delayMs", edit.delayMs == 0 ? null : edit.delayMs)
                        .putIfPresent("repeated", edit.isSent || edit.isRestored ? true : null)
                        .build());
                edit.seq = Outbox.seq(message);
                edit.isSent = true;
                messages.add(message);
            }
            if (edit.seq > 0 && edit.isUndone && !edit.isUndoSent) {
                edit.isUndoSent = true;
                messages.add(number.apply(JsonObject.builder().put("type", "undo")
                        .put("view", view).put("edit", edit.name).build()));
            }
        }
        return messages;
    }

    /** Returns the list with all edits that fit it. */
    List<Object> applied(List<Object> items) {
        String pointer = itemKey;
        if (edits.isEmpty() || pointer == null) {
            return items;
        }
        if (base != items) {
            LinkedItems linked = new LinkedItems(items, pointer.split("/", -1));
            for (Edit edit : edits) {
                linked.apply(fitted(edit.operation, linked));
            }
            base = items;
            result = Collections.unmodifiableList(linked.listed());
        }
        return result;
    }

    /**
     * Returns the operation on the array of the items. An item that the list has is updated, not
     * inserted.
     */
    private JsonObject fitted(JsonObject operation, LinkedItems items) {
        Object inserted = operation.get("insert");
        if (inserted != null && items.hasOne(inserted)) {
            return JsonObject.builder().put("update", inserted).build();
        }
        if (isReversed && operation.has("at")) {
            return operation.toBuilder().put("at",
                    "start".equals(operation.string("at")) ? "end" : "start").build();
        }
        return operation;
    }

    // For another process

    JsonObject saved() {
        List<Object> all = new ArrayList<>();
        for (Edit edit : edits) {
            all.add(JsonObject.builder().put("edit", edit.name).put("operation", edit.operation)
                    .put("delayMs", edit.delayMs).put("sent", edit.isSent)
                    .put("undone", edit.isUndone).build());
        }
        return JsonObject.builder().put("itemKey", itemKey).put("accepted", accepted)
                .put("edits", all).build();
    }

    /** Continues the edits of another process. What is not an edit is left out. */
    void restore(JsonObject saved) {
        itemKey = saved.string("itemKey");
        List<Object> operations = saved.array("accepted");
        accepted = operations == null ? null : strings(operations);
        List<Object> all = saved.array("edits");
        for (Object one : all == null ? Collections.emptyList() : all) {
            JsonObject edit = one instanceof JsonObject ? (JsonObject) one : JsonObject.empty();
            JsonObject operation = edit.object("operation");
            String name = edit.string("edit");
            if (operation != null && name != null && names.add(name)) {
                Edit restored = new Edit(name, operation, edit.integer("delayMs", 0));
                restored.isSent = edit.flag("sent", true);
                restored.isRestored = true;
                restored.isUndone = edit.flag("undone", false);
                edits.add(restored);
            }
        }
        base = null;
    }
}
