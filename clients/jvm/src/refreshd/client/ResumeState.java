package refreshd.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The state with which a client resumes its session (protocol page, "Coming back"). */
final class ResumeState {
    private @Nullable String session = null;
    private @Nullable String token = null;
    private long ack = 0;
    private @Nullable String snapshot = null;
    private long snapshotAck = 0;
    /** By view, the last load whose items have arrived. */
    private final Map<String, String> received = new HashMap<>();
    /** The views whose whole state has not arrived since the session was resumed. */
    private final Set<String> returning = new HashSet<>();

    /** Whether there is a session to resume. */
    boolean canResume() {
        return token != null;
    }

    /** The last `seq` that the daemon has acknowledged. */
    long ack() {
        return ack;
    }

    /** The last `seq` that cannot be lost, because no session is rebuilt from an older state. */
    long durableSeq() {
        return snapshot == null ? ack : snapshotAck;
    }

    /** The `resume` of a `hello`. */
    JsonObject request() {
        return JsonObject.builder()
                .put("session", session)
                .put("token", token)
                .put("ack", ack)
                .put("received", new ArrayList<>(received.values()))
                .putIfPresent("snapshot", snapshot)
                .build();
    }

    /** The whole state, for another process. */
    JsonObject saved() {
        return JsonObject.builder().put("session", session).put("token", token).put("ack", ack)
                .put("snapshot", snapshot).put("snapshotAck", snapshotAck)
                .put("received", Options.strings(received)).build();
    }

    /** Restores a saved state. */
    void restore(JsonObject saved) {
        session = saved.string("session");
        token = session == null ? null : saved.string("token");
        ack = saved.integer("ack", 0);
        snapshot = saved.string("snapshot");
        snapshotAck = saved.integer("snapshotAck", 0);
        JsonObject loads = saved.object("received");
        if (loads != null) {
            loads.names().forEach(view -> received.put(view, String.valueOf(loads.string(view))));
        }
    }

    /** Applies a `welcome`. If it has no token, the daemon keeps no session. */
    void applyWelcome(JsonObject welcome, Iterable<String> views) {
        if (!welcome.flag("resumed", false)) {
            clear();
        } else {
            returning.clear();
            views.forEach(returning::add);
        }
        session = welcome.string("session");
        token = session == null ? null : welcome.string("token");
        // A session that was rebuilt from a snapshot may have handled fewer messages.
        ack = welcome.integer("ack", 0);
    }

    /**
     * Records a message.
     *
     * @return whether it shows that the daemon has discarded the pages of its view while there was
     *     no connection
     */
    boolean record(JsonObject message, @Nullable RefreshView view) {
        boolean isDiscarded = false;
        switch (String.valueOf(message.string("type"))) {
            case "snapshot":
                snapshot = message.string("sealed");
                snapshotAck = message.integer("ack", 0);
                break;
            case "items":
                if (view != null && message.string("load") != null) {
                    received.put(view.name(), message.string("load"));
                }
                break;
            case "update":
                if (view != null && returning.remove(view.name()) && !message.has("list")) {
                    isDiscarded = received.remove(view.name()) != null;
                }
                break;
            default:
        }
        ack = Math.max(ack, message.integer("ack", 0));
        return isDiscarded;
    }

    /** Removes a view that was detached. */
    void removeView(String view) {
        received.remove(view);
        returning.remove(view);
    }

    /** Removes all views but these, because the client does not have others. */
    void retainViews(Set<String> views) {
        received.keySet().retainAll(views);
        returning.retainAll(views);
    }

    /** Clears the state, because the session has ended. */
    void clear() {
        session = null;
        token = null;
        snapshot = null;
        snapshotAck = 0;
        ack = 0;
        received.clear();
        returning.clear();
    }
}
