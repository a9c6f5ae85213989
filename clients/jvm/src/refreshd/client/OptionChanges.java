package refreshd.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The options of a view, and the changes of them that the daemon has not answered yet. If the
 * daemon refuses a change, the options are those without it.
 */
final class OptionChanges {
    private static final long UNSENT = -1;

    /** The oldest change counts as accepted if more are not acknowledged. */
    private static final int CHANGES_MAX = 1000;

    /** So many acknowledged changes can still be refused, by a fault that waited for the client. */
    private static final int ACKNOWLEDGED_MAX = 16;

    private JsonObject accepted;
    private JsonObject options;
    private final List<Change> changes = new ArrayList<>();

    /** One `configure` or `enable`. */
    private static final class Change {
        JsonObject message;
        long seq;
        /** Whether the body of a `hello` or an `attach` has contained it. */
        boolean isInBody = false;
        boolean isAcknowledged = false;

        Change(JsonObject message, long seq) {
            this.message = message;
            this.seq = seq;
        }
    }

    OptionChanges(JsonObject options) {
        accepted = options;
        this.options = options;
    }

    /** The options with all changes. */
    JsonObject options() {
        return options;
    }

    /** The options for a body, which states all changes. */
    JsonObject optionsForBody() {
        changes.forEach(change -> change.isInBody = true);
        return options;
    }

    /** Applies a change that is sent now or later. */
    void apply(JsonObject message) {
        add(new Change(message, UNSENT));
    }

    /** Applies a change that is not sent, because the body of the view states it. */
    void applyUnsent(JsonObject message) {
        add(new Change(message, 0));
    }

    private void add(Change change) {
        changes.add(change);
        options = changed(options, change.message);
        if (changes.size() > CHANGES_MAX) {
            accepted = changed(accepted, changes.remove(0).message);
        }
    }

    /** Records the `seq` with which a message is sent. */
    void recordSent(JsonObject message, long seq) {
        for (Change change : changes) {
            if (change.message == message) {
                change.seq = seq;
            }
        }
    }

    /** Records that a message will be sent again, with another `seq`. */
    void withdraw(long seq, JsonObject unnumbered) {
        for (Change change : changes) {
            if (change.seq == seq) {
                change.seq = UNSENT;
                change.message = unnumbered;
                change.isAcknowledged = false;
            }
        }
    }

    /** The daemon has handled all messages up to this `seq`. */
    void acknowledge(long seq) {
        acknowledge(change -> change.seq > 0 && change.seq <= seq);
    }

    /** The daemon has attached the view with a body. */
    void acceptBody() {
        acknowledge(change -> change.isInBody);
    }

    private void acknowledge(Predicate<Change> isHandled) {
        for (Change change : changes) {
            change.isAcknowledged |= isHandled.test(change);
        }
        while (changes.size() > ACKNOWLEDGED_MAX && changes.get(0).isAcknowledged) {
            accepted = changed(accepted, changes.remove(0).message);
        }
    }

    /** The messages of the changes with a larger `seq`. */
    List<JsonObject> sentAfter(long seq) {
        List<JsonObject> later = new ArrayList<>();
        for (Change change : changes) {
            if (change.seq > seq) {
                later.add(change.message);
            }
        }
        return later;
    }

    /** A message is not sent. */
    void refuse(JsonObject message) {
        remove(change -> change.message == message);
    }

    /** Whether the last body has contained changes that the daemon has not accepted yet. */
    boolean hasChangesInBody() {
        return changes.stream().anyMatch(OptionChanges::isDoubtful);
    }

    /** The daemon has refused the message with this `seq`. */
    void refuse(long seq) {
        remove(change -> change.seq == seq);
    }

    /**
     * Whether the query with this `seq` has the parameters before it, because the queries between
     * were refused. Then nothing answers it.
     */
    boolean isEqualQuery(long seq) {
        JsonObject before = accepted;
        for (Change change : changes) {
            if (change.seq == seq) {
                return parameters(change.message).equals(parameters(before));
            }
            before = changed(before, change.message);
        }
        return false;
    }

    private static JsonObject parameters(JsonObject options) {
        JsonObject parameters = options.object("parameters");
        return parameters == null ? JsonObject.empty() : parameters;
    }

    /** The daemon has refused the body. Returns the changes that it has contained. */
    List<JsonObject> refuseBody() {
        return remove(OptionChanges::isDoubtful);
    }

    /**
     * The daemon has refused to attach the view with the body. Returns the newest change of the
     * part at fault, which may be the cause; null if there is none.
     *
     * @param isQuery whether the parameters are at fault
     */
    @Nullable JsonObject refuseNewest(boolean isQuery) {
        for (int index = changes.size() - 1; index >= 0; index--) {
            Change change = changes.get(index);
            if (isDoubtful(change) && change.message.has("parameters") == isQuery) {
                refuse(change.message);
                return change.message;
            }
        }
        return null;
    }

    private static boolean isDoubtful(Change change) {
        return change.isInBody && !change.isAcknowledged;
    }

    private List<JsonObject> remove(Predicate<Change> isRefused) {
        List<JsonObject> removed = new ArrayList<>();
        for (int index = 0; index < changes.size(); ) {
            if (isRefused.test(changes.get(index))) {
                removed.add(changes.remove(index).message);
            } else {
                index++;
            }
        }
        options = accepted;
        changes.forEach(change -> options = changed(options, change.message));
        return removed;
    }

    private static JsonObject changed(JsonObject options, JsonObject message) {
        JsonObject.Builder changed = options.toBuilder();
        if ("enable".equals(message.string("type"))) {
            String edge = String.valueOf(message.string("edge"));
            merge(options, changed, edge, JsonObject.builder()
                    .put("enabled", message.get("enabled")).build());
            return changed.build();
        }
        for (String name : message.names()) {
            switch (name) {
                case "type":
                case "view":
                case "debounceMs":
                case "shown":
                    break;
                case "parameters":
                    changed.put(name, message.get(name));
                    break;
                default:
                    merge(options, changed, name, message.object(name));
            }
        }
        return changed.build();
    }

    private static void merge(JsonObject options, JsonObject.Builder changed, String member,
            @Nullable JsonObject change) {
        JsonObject before = options.object(member);
        changed.put(member, change == null || before == null
                ? change : before.toBuilder().putAll(change).build());
    }
}
