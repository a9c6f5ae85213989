package refreshd.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The messages that no acknowledgement covers. The client repeats them after it has reconnected
 * (protocol page, "Coming back").
 */
final class Outbox {
    /** The oldest messages are dropped if more are kept, after intermediate samples. */
    static final int MESSAGES_MAX = 1000;

    private List<JsonObject> messages = new ArrayList<>();

    /** The kept messages, the oldest first, without samples that later samples supersede. */
    List<JsonObject> messages() {
        return thinned(messages);
    }

    /** Keeps a message if it is a request, an answer to a load, or a sample. */
    void record(JsonObject message) {
        if (isSample(message)) {
            String view = message.string("view");
            JsonObject before = lastSample(view);
            boolean isFirst = "began".equals(message.string("phase"));
            if (isFirst || before != null && "idle".equals(before.string("phase"))) {
                messages.removeIf(kept -> isSample(kept) && String.valueOf(view).equals(
                        kept.string("view")));
            }
        } else if (!ViewMessages.REPEATED.contains(String.valueOf(message.string("type")))) {
            return;
        }
        messages.add(message);
        if (messages.size() > MESSAGES_MAX) {
            messages = thinned(messages);
        }
        if (messages.size() > MESSAGES_MAX) {
            messages.remove(0);
        }
    }

    /** Keeps a message of any kind. */
    void keep(JsonObject message) {
        messages.add(message);
    }

    /** Removes the messages up to this `seq`. */
    void acknowledge(long seq) {
        if (!messages.isEmpty() && seq(messages.get(0)) <= seq) {
            messages.removeIf(kept -> seq(kept) <= seq);
        }
    }

    void removeView(String view) {
        messages.removeIf(kept -> view.equals(kept.string("view")));
    }

    void filter(Predicate<JsonObject> isKept) {
        messages.removeIf(isKept.negate());
    }

    /** Removes messages, and returns them, the oldest first. */
    List<JsonObject> remove(Predicate<JsonObject> isRemoved) {
        List<JsonObject> removed = new ArrayList<>();
        messages.removeIf(message -> isRemoved.test(message) && removed.add(message));
        return removed;
    }

    /** Keeps the messages of a saved state. */
    void restore(List<JsonObject> saved) {
        messages.addAll(saved);
    }

    static long seq(JsonObject message) {
        return message.integer("seq", 0);
    }

    private @Nullable JsonObject lastSample(@Nullable String view) {
        for (int index = messages.size() - 1; index >= 0; index--) {
            JsonObject kept = messages.get(index);
            if (isSample(kept) && String.valueOf(view).equals(kept.string("view"))) {
                return kept;
            }
        }
        return null;
    }

    /** Drops each intermediate sample that is followed by another one of its view. */
    private static List<JsonObject> thinned(List<JsonObject> messages) {
        Map<String, String> nextPhases = new HashMap<>();
        List<JsonObject> kept = new ArrayList<>();
        for (int index = messages.size() - 1; index >= 0; index--) {
            JsonObject message = messages.get(index);
            if (isSample(message)) {
                String phase = message.string("phase");
                String next = nextPhases.put(message.string("view"), phase);
                if (isIntermediate(phase) && isIntermediate(next)) {
                    continue;
                }
            }
            kept.add(message);
        }
        Collections.reverse(kept);
        return kept;
    }

    private static boolean isSample(JsonObject message) {
        return "scroll".equals(message.string("type")) || "pan".equals(message.string("type"));
    }

    private static boolean isIntermediate(@Nullable String phase) {
        return "dragging".equals(phase) || "decelerating".equals(phase);
    }
}
