package refreshd.client;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The types of the messages that a client sends about a view. */
final class ViewMessages {
    /** The requests and the answers that are repeated until they are acknowledged. */
    static final Set<String> REPEATED = Collections.unmodifiableSet(new HashSet<>(
            Arrays.asList("refresh", "begin", "end", "loadMore", "retry", "cancel", "reset",
                    "floor", "enable", "configure", "appear", "disappear", "reveal", "read",
                    "loadBegan", "loadFinished")));

    private static final Set<String> OTHERS = Collections.unmodifiableSet(new HashSet<>(
            Arrays.asList("scroll", "pan", "geometry", "loadProgress")));

    private ViewMessages() {}

    /** Throws IllegalArgumentException if a message has no type of a message about a view. */
    static void check(List<JsonObject> messages) {
        for (JsonObject message : messages) {
            String type = String.valueOf(message.string("type"));
            if (!REPEATED.contains(type) && !OTHERS.contains(type)) {
                throw new IllegalArgumentException("there is no message of the type " + type
                        + " about a view: " + message);
            }
        }
    }
}
