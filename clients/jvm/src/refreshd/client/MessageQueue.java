package refreshd.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The messages of the client on their way: numbered, kept until they are acknowledged, and held
 * back while the daemon does not know their view.
 */
final class MessageQueue {
    private static final long RESTORED_GAP = 1000;

    private final Outbox outbox = new Outbox();
    private final FrameWriter writer = new FrameWriter();
    /** The views that the daemon knows: by the last `hello`, or by an `attach`. */
    private final Set<RefreshView> announced = new HashSet<>();
    /** The views whose initial messages are in this session's messages. */
    private final Set<RefreshView> introduced = new HashSet<>();
    /** The messages of views that the daemon does not know yet, and their views. */
    private final List<JsonObject> waiting = new ArrayList<>();
    private final List<RefreshView> waitingViews = new ArrayList<>();
    /** By name, whether the views of a saved state were in sight. */
    private final Map<String, Boolean> restored = new HashMap<>();
    private long seq = 0;

    FrameWriter writer() {
        return writer;
    }

    Outbox outbox() {
        return outbox;
    }

    boolean isAnnounced(RefreshView view) {
        return announced.contains(view);
    }

    /** Numbers a message of no view or of an announced view, and keeps it if it is of that kind. */
    JsonObject number(@Nullable RefreshView view, JsonObject message) {
        JsonObject numbered = JsonObject.builder().put("type", message.get("type"))
                .put("seq", ++seq).putAll(message).build();
        outbox.record(numbered);
        if (view != null) {
            view.recordSent(numbered);
        }
        return numbered;
    }

    /** Holds a message back until its view is announced. */
    void hold(RefreshView view, JsonObject message) {
        if (waiting.size() >= Outbox.MESSAGES_MAX) {
            waiting.remove(0);
            waitingViews.remove(0);
        }
        waiting.add(message);
        waitingViews.add(view);
    }

    /**
     * Records that the daemon knows a view. Returns its initial messages, unless it is introduced,
     * and the messages that were held back.
     */
    List<JsonObject> announce(RefreshView view) {
        List<JsonObject> messages = new ArrayList<>(introduce(view));
        announced.add(view);
        for (int index = 0; index < waiting.size(); ) {
            if (waitingViews.get(index) == view) {
                messages.add(number(view, waiting.remove(index)));
                waitingViews.remove(index);
            } else {
                index++;
            }
        }
        return messages;
    }

    /** Returns the initial messages of a view, if they are not in this session yet. */
    List<JsonObject> introduce(RefreshView view) {
        List<JsonObject> messages = new ArrayList<>();
        if (introduced.add(view)) {
            for (JsonObject message : view.body().initialMessages()) {
                messages.add(number(view, JsonObject.builder().put("type", message.get("type"))
                        .put("view", view.name()).putAll(message).build()));
            }
        }
        return messages;
    }

    // The state for another process

    /** What another process needs: the messages, and which views are in the session. */
    JsonObject saved() {
        JsonObject.Builder views = JsonObject.builder();
        introduced.forEach(view -> views.put(view.name(), view.isInSight()));
        return JsonObject.builder().put("seq", seq).put("messages", outbox.messages())
                .put("views", views.build()).build();
    }

    /** Restores a saved state. Its views are attached later. */
    void restore(JsonObject saved) {
        // Messages that were sent after the state was saved have smaller numbers.
        seq = saved.integer("seq", 0) + RESTORED_GAP;
        List<JsonObject> messages = new ArrayList<>();
        List<Object> kept = saved.array("messages");
        if (kept != null) {
            for (Object message : kept) {
                if (message instanceof JsonObject) {
                    messages.add((JsonObject) message);
                }
            }
        }
        outbox.restore(messages);
        JsonObject views = saved.object("views");
        if (views != null) {
            views.names().forEach(name -> restored.put(name, views.flag(name, true)));
        }
    }

    /** Continues with a view of the saved state, which is in sight again. */
    void attachRestored(RefreshView view) {
        Boolean wasInSight = restored.remove(view.name());
        if (wasInSight != null) {
            introduced.add(view);
            if (!wasInSight) {
                hold(view, JsonObject.builder().put("type", "appear").put("view", view.name())
                        .build());
            }
        }
    }

    /** Removes a view that was detached. Returns whether it was announced. */
    boolean remove(RefreshView view) {
        introduced.remove(view);
        outbox.removeView(view.name());
        for (int index = waiting.size() - 1; index >= 0; index--) {
            if (waitingViews.get(index) == view) {
                waiting.remove(index);
                waitingViews.remove(index);
            }
        }
        return announced.remove(view);
    }

    /** Drops the messages of the session that has ended. Messages that are held back stay. */
    void beginFreshSession() {
        outbox.clear();
        introduced.clear();
        restored.clear();
    }

    /** The daemon knows no view any more, so messages wait behind the initial ones. */
    void forgetViews() {
        announced.clear();
    }

    /** Drops everything, because there is no session any more. */
    void clear() {
        beginFreshSession();
        announced.clear();
        waiting.clear();
        waitingViews.clear();
    }
}
