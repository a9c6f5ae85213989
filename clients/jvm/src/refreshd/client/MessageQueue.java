package refreshd.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The messages of the client on their way: numbered, kept until they are acknowledged, and held
 * back while the daemon does not know their view.
 */
final class MessageQueue {
    /** More messages than a process sends on one connection after it has saved its state. */
    private static final long RESTORED_GAP = 1_000_000;

    /** A saved state with a larger `seq` is damaged. */
    private static final long RESTORED_SEQ_MAX = 1L << 52;

    private final Outbox outbox = new Outbox();
    private final FrameWriter writer = new FrameWriter();
    /** The views that the daemon knows: by the last `hello`, or by an `attach`. */
    private final Set<RefreshView> announced = new HashSet<>();
    /** The views whose initial messages are in this session's messages. */
    private final Set<RefreshView> introduced = new HashSet<>();
    /** The messages of views that the daemon does not know yet, and their views. */
    private final List<JsonObject> waiting = new ArrayList<>();
    private final List<RefreshView> waitingViews = new ArrayList<>();
    /** By name, what a saved state has about the views of its session. */
    private final Map<String, JsonObject> restored = new HashMap<>();
    /** The messages of a saved state that were held back. */
    private final List<JsonObject> restoredWaiting = new ArrayList<>();
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

    /**
     * Whether a query of a view must be a message: the daemon knows the view, or an earlier query
     * waits that it must follow.
     */
    boolean mustSendQuery(RefreshView view) {
        if (view.isRefused()) {
            return false; // its next body has the parameters
        }
        boolean mustSend = announced.contains(view) || introduced.contains(view);
        for (int index = 0; index < waiting.size() && !mustSend; index++) {
            mustSend = waitingViews.get(index) == view && waiting.get(index).has("parameters");
        }
        return mustSend;
    }

    /** Numbers a message of no view or of an announced view, and keeps it if it is of that kind. */
    JsonObject number(@Nullable RefreshView view, JsonObject message) {
        JsonObject numbered = JsonObject.builder().put("type", message.get("type"))
                .put("seq", ++seq).putAll(message).build();
        outbox.record(numbered);
        if (view != null) {
            view.recordSent(message, numbered);
        }
        return numbered;
    }

    /** The `seq` of the next message. */
    long nextSeq() {
        return seq + 1;
    }

    /** Numbers later messages above a `seq` that the session has handled. */
    void numberAfter(long handled) {
        if (handled < RESTORED_SEQ_MAX) {
            seq = Math.max(seq, handled);
        }
    }

    /**
     * Holds the messages of a view back again, without their `seq`, because the view is attached
     * anew.
     */
    void withdraw(RefreshView view) {
        List<JsonObject> kept = outbox.remove(one -> view.name().equals(one.string("view")));
        List<JsonObject> later = new ArrayList<>(waiting);
        List<RefreshView> laterViews = new ArrayList<>(waitingViews);
        waiting.clear();
        waitingViews.clear();
        for (JsonObject message : kept) {
            if (message.has("load")) {
                continue; // it answers a load of the earlier attachment
            }
            JsonObject unnumbered = message.toBuilder().remove("seq").build();
            view.body().changes().withdraw(Outbox.seq(message), unnumbered);
            hold(view, unnumbered);
        }
        waiting.addAll(later);
        waitingViews.addAll(laterViews);
        announced.remove(view);
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
            if (view.state.rows.hasSight()) { // decides which page a first refresh requests
                JsonObject sight = number(view, view.state.rows.addTo(JsonObject.builder()
                        .put("type", "geometry").put("view", view.name()), true).build());
                outbox.keep(sight);
                messages.add(sight);
            }
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
        Set<RefreshView> all = new HashSet<>(introduced);
        all.addAll(waitingViews);
        all.forEach(view -> views.put(view.name(), JsonObject.builder()
                .put("source", view.body().source()).put("inSight", view.isInSight())
                .put("introduced", introduced.contains(view)).build()));
        List<JsonObject> messages = outbox.messages();
        messages.removeIf(message -> restored.containsKey(String.valueOf(message.string("view"))));
        return JsonObject.builder().put("seq", seq).put("messages", messages)
                .put("waiting", waiting).put("views", views.build()).build();
    }

    /** Restores a saved state. Its views are attached later. */
    void restore(JsonObject saved) {
        // Messages that were sent after the state was saved have smaller numbers.
        seq = Math.max(0, saved.integer("seq", 0)) + RESTORED_GAP;
        outbox.restore(messages(saved.array("messages")));
        restoredWaiting.addAll(messages(saved.array("waiting")));
        JsonObject views = saved.object("views");
        if (views != null) {
            for (String name : views.names()) {
                JsonObject view = views.object(name);
                restored.put(name, view == null ? JsonObject.empty() : view);
            }
        }
    }

    private static List<JsonObject> messages(@Nullable List<Object> saved) {
        List<JsonObject> messages = new ArrayList<>();
        if (saved != null) {
            for (Object message : saved) {
                if (message instanceof JsonObject) {
                    messages.add((JsonObject) message);
                }
            }
        }
        return messages;
    }

    /** Whether a saved state can be continued: its numbers are those of a session. */
    static boolean isValid(JsonObject saved) {
        long last = saved.integer("seq", 0);
        return last >= 0 && last <= RESTORED_SEQ_MAX;
    }

    /** Names of the views of the saved state. */
    Set<String> restoredNames() {
        return restored.keySet();
    }

    /** The `hello` was answered: views that it has not contained are not in the session. */
    void forgetRestored() {
        restored.clear();
        restoredWaiting.clear();
    }

    /**
     * Continues with a view of the saved state, which is in sight again.
     *
     * @return false if the saved state has another view of this name
     */
    boolean attachRestored(RefreshView view) {
        String name = view.name();
        JsonObject before = restored.remove(name);
        if (before == null) {
            return true;
        }
        List<JsonObject> held = new ArrayList<>(restoredWaiting);
        restoredWaiting.removeIf(message -> name.equals(message.string("view")));
        if (!view.body().source().equals(before.object("source"))) {
            outbox.removeView(name);
            return false;
        }
        if (before.flag("introduced", true)) {
            introduced.add(view);
        }
        held.removeAll(restoredWaiting);
        held.forEach(message -> hold(view, message));
        if (!before.flag("inSight", true)) {
            hold(view, JsonObject.builder().put("type", "appear").put("view", name).build());
        }
        return true;
    }

    /** Removes messages that are held back, and returns them. */
    List<JsonObject> removeHeld(Predicate<JsonObject> isRemoved) {
        List<JsonObject> removed = new ArrayList<>();
        for (int index = 0; index < waiting.size(); ) {
            if (isRemoved.test(waiting.get(index))) {
                removed.add(waiting.remove(index));
                waitingViews.remove(index).refuse(removed.get(removed.size() - 1));
            } else {
                index++;
            }
        }
        return removed;
    }

    /**
     * Removes a message that the app has made, wherever it waits. Returns it as it was sent, or
     * nothing if it is acknowledged.
     */
    List<JsonObject> remove(JsonObject message) {
        for (int index = 0; index < waiting.size(); index++) {
            if (waiting.get(index) == message) {
                waitingViews.remove(index);
                return Collections.singletonList(waiting.remove(index));
            }
        }
        return outbox.remove(kept -> kept.toBuilder().remove("seq").build().equals(message));
    }

    /**
     * Handles a fault about a view. If it refuses to attach the view, the messages of the view are
     * dropped, and its initial messages follow its next attachment.
     *
     * @return the change because of which the view may be refused, and without which it is to be
     *     attached again; null if there is none
     */
    @Nullable JsonObject refuse(RefreshView view, Fault fault) {
        boolean isRefusal = view.isRefusal(fault);
        JsonObject change = view.refuseAttach(fault);
        if (isRefusal && change == null) {
            view.setRefused();
            introduced.remove(view);
            outbox.removeView(view.name());
        }
        return change;
    }

    /** Removes a view that was detached. Returns whether the session may know it. */
    boolean remove(RefreshView view) {
        boolean wasIntroduced = introduced.remove(view);
        outbox.removeView(view.name());
        for (int index = waiting.size() - 1; index >= 0; index--) {
            if (waitingViews.get(index) == view) {
                waiting.remove(index);
                waitingViews.remove(index);
            }
        }
        return announced.remove(view) || wasIntroduced;
    }

    /**
     * Drops the messages of the session that has ended. Messages that are held back stay, and those
     * up to a `seq`, which have followed `hello` and are handled by the fresh session.
     */
    void beginFreshSession(long lastSeq) {
        outbox.filter(kept -> Outbox.seq(kept) <= lastSeq);
        introduced.clear();
        forgetRestored();
    }

    /** The daemon knows no view any more, so messages wait behind the initial ones. */
    void forgetViews() {
        announced.clear();
    }

    /** Drops everything, because there is no session any more. */
    void clear() {
        beginFreshSession(0);
        announced.clear();
        waiting.clear();
        waitingViews.clear();
    }
}
