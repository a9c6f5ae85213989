package refreshd.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The views of a session, and what the daemon knows of them. */
final class ViewRegistry {
    /** The `seq` of an `attach` that is not sent yet. */
    private static final long NOT_REPLACED = 1L << 53;

    private final MessageQueue queue;
    private final Map<String, RefreshView> views = new LinkedHashMap<>();
    /** Names of views that the daemon may know, and that were detached without a connection. */
    private final Set<String> goneNames = new HashSet<>();
    /** Names of the views of the last `hello`. */
    private Set<String> helloNames = Collections.emptySet();
    /** Names that this session has had. */
    private final Set<String> knownNames = new HashSet<>();
    /**
     * By name, the `seq` of the last `detach`, or of the `attach` of a view that replaces another
     * one. If it is lost, the session still has the earlier view.
     */
    private final Map<String, Long> replacements = new HashMap<>();
    /** By name, the edits of a saved state whose views were not attached yet. */
    private final Map<String, JsonObject> restoredEdits = new HashMap<>();

    ViewRegistry(MessageQueue queue) {
        this.queue = queue;
    }

    @Nullable RefreshView get(String name) {
        return views.get(name);
    }

    /** Whether a view is attached, for the app; the daemon may not know it yet. */
    boolean has(RefreshView view) {
        return views.get(view.name()) == view;
    }

    List<RefreshView> all() {
        return new ArrayList<>(views.values());
    }

    Set<String> names() {
        return views.keySet();
    }

    /** The names whose earlier views the session may still have, for another process. */
    JsonObject savedReplacements() {
        JsonObject.Builder names = JsonObject.builder();
        replacements.forEach(names::put);
        goneNames.forEach(name -> names.put(name, NOT_REPLACED));
        queue.restoredNames().forEach(name -> names.put(name, NOT_REPLACED)); // not attached again
        return names.build();
    }

    /** Restores the names of a saved state. */
    void restore(@Nullable JsonObject saved) {
        knownNames.addAll(queue.restoredNames());
        if (saved != null) {
            saved.names().forEach(name ->
                    replacements.put(name, saved.integer(name, NOT_REPLACED)));
        }
    }

    /** The edits without an answer, by view, for another process. */
    JsonObject savedEdits() {
        JsonObject.Builder saved = JsonObject.builder();
        restoredEdits.forEach(saved::put);
        for (RefreshView view : views.values()) {
            if (view.state.edits.count() > 0) {
                saved.put(view.name(), view.state.edits.saved().toBuilder()
                        .put("source", view.body().source()).build());
            }
        }
        return saved.build();
    }

    /** Keeps the edits of a saved state until their views are attached. */
    void restoreEdits(@Nullable JsonObject saved) {
        if (saved != null) {
            for (String name : saved.names()) {
                JsonObject edits = saved.object(name);
                if (edits != null) {
                    restoredEdits.put(name, edits);
                }
            }
        }
    }

    /** Whether the last `hello` contained the view, so that a resumed session knows it. */
    boolean wasGreeted(RefreshView view) {
        return helloNames.contains(view.name());
    }

    void add(RefreshView view) {
        views.put(view.name(), view);
        JsonObject edits = restoredEdits.remove(view.name());
        if (edits != null && view.body().source().equals(edits.object("source"))) {
            view.state.edits.restore(edits);
        }
        if (!queue.attachRestored(view)) {
            replacements.put(view.name(), NOT_REPLACED);
        }
    }

    /** Removes a view. Returns the `detach`, if the client is connected. */
    List<JsonObject> remove(RefreshView view, boolean isOpen) {
        views.remove(view.name());
        if (!queue.remove(view) || view.isRefused()) {
            return Collections.emptyList();
        }
        if (isOpen) {
            return Collections.singletonList(detachMessage(view.name()));
        }
        goneNames.add(view.name());
        return Collections.emptyList();
    }

    private JsonObject detachMessage(String name) {
        helloNames.remove(name);
        JsonObject detach = queue.number(null,
                JsonObject.builder().put("type", "detach").put("view", name).build());
        replacements.put(name, Outbox.seq(detach));
        return detach;
    }

    /** The `attach` of a view and the messages that wait for it. */
    List<JsonObject> attachMessages(RefreshView view) {
        List<JsonObject> messages = new ArrayList<>();
        JsonObject attach = queue.number(null, JsonObject.builder().put("type", "attach")
                .putAll(view.body().json()).build());
        messages.add(attach);
        view.setAttachSeq(Outbox.seq(attach));
        if (!knownNames.add(view.name()) || replacements.containsKey(view.name())) {
            replacements.put(view.name(), Outbox.seq(attach));
        }
        messages.addAll(queue.announce(view));
        return messages;
    }

    /**
     * Attaches a view again, without the change of its options because of which it was refused,
     * and with its messages, which have had no effect.
     */
    List<JsonObject> attachAgain(RefreshView view, JsonObject refusedChange) {
        queue.remove(refusedChange);
        queue.withdraw(view);
        return attachMessages(view);
    }

    /**
     * Announces all views in a `hello`, and returns their members. A view whose name may belong to
     * an earlier view of the session is attached after `welcome`.
     *
     * @param durableSeq the last `seq` whose effects the session cannot lose
     */
    List<Object> announceAll(long durableSeq) {
        List<Object> bodies = new ArrayList<>();
        helloNames = new HashSet<>();
        replacements.values().removeIf(seq -> seq <= durableSeq);
        for (RefreshView view : all()) {
            if (replacements.containsKey(view.name())) {
                queue.withdraw(view);
            } else if (!goneNames.contains(view.name())) {
                bodies.add(view.body().json());
                helloNames.add(view.name());
                knownNames.add(view.name());
                boolean wasRefused = view.isRefused();
                view.setAttachSeq(0);
                queue.announce(view);
                if (wasRefused && !view.isInSight()) { // the session may learn of it only now
                    queue.number(view, about(view, "disappear").build());
                }
            }
        }
        for (String name : knownNames) {
            if (!helloNames.contains(name)) { // a `hello` without a view detaches it
                replacements.putIfAbsent(name, queue.nextSeq());
            }
        }
        return bodies;
    }

    /**
     * Forgets the names of detached views that no session has any more.
     *
     * @param durableSeq the last `seq` whose effects the session cannot lose
     */
    void forgetDetached(long durableSeq) {
        replacements.entrySet().removeIf(one -> {
            RefreshView view = views.get(one.getKey());
            return one.getValue() <= durableSeq && (view == null || !view.awaitsAttached());
        });
        knownNames.removeIf(name -> !views.containsKey(name) && !replacements.containsKey(name)
                && !goneNames.contains(name));
    }

    /** The names of the views that the last `hello` contained. */
    Set<String> helloNames() {
        return helloNames;
    }

    /**
     * The messages with which the daemon learns of what has changed since `hello`.
     *
     * @param isCoverKnown whether a fresh session must learn which views are not in sight
     */
    List<JsonObject> messagesAfterWelcome(boolean isCoverKnown) {
        List<JsonObject> messages = new ArrayList<>();
        for (String name : goneNames) {
            if (helloNames.contains(name)) {
                messages.add(detachMessage(name));
            }
        }
        knownNames.addAll(goneNames);
        goneNames.clear();
        for (RefreshView view : all()) {
            messages.addAll(wasGreeted(view) ? queue.introduce(view) : attachMessages(view));
            if (isCoverKnown && !view.isInSight()) {
                messages.add(queue.number(view, about(view, "disappear").build()));
            }
            JsonObject late = view.body().staleGeometry();
            if (late != null) {
                messages.add(queue.number(view, about(view, "geometry").putAll(late).build()));
            }
        }
        return messages;
    }

    private static JsonObject.Builder about(RefreshView view, String type) {
        return JsonObject.builder().put("type", type).put("view", view.name());
    }

    /**
     * Returns the view that a message concerns; null if there is none, or if the message is about
     * an earlier view of this name.
     */
    @Nullable RefreshView concerned(JsonObject message) {
        String name = message.string("view");
        RefreshView view = name == null ? null : views.get(name);
        if (view == null || !queue.isAnnounced(view)) {
            return null;
        }
        Long attachSeq = replacements.get(view.name());
        if (attachSeq == null || !view.awaitsAttached()) {
            return view;
        }
        switch (String.valueOf(message.string("type"))) {
            case "attached":
                return message.integer("ack", 0) >= attachSeq ? view : null;
            case "error":
                return message.integer("seq", 0) >= attachSeq ? view : null;
            default:
                return null;
        }
    }

    /** Forgets the views of the session that has ended. */
    void forgetSession() {
        goneNames.clear();
        replacements.clear();
        knownNames.clear();
    }

    /**
     * Forgets the views of the refused session, apart from those that `hello` has attached. Changes
     * of their options are sent again if their messages have not followed `hello`: the fresh
     * session does not have them, or has replaced them by older ones that were repeated.
     *
     * @param lastSeq the last `seq` of the frame of `hello`
     */
    void beginFreshSession(long lastSeq) {
        replacements.clear();
        knownNames.clear();
        knownNames.addAll(helloNames);
        for (RefreshView view : all()) {
            if (wasGreeted(view) && queue.isAnnounced(view)) { // not another view of this name
                view.body().changes().sentAfter(lastSeq).forEach(one -> queue.number(view, one));
            }
        }
    }

    /** The session has ended. */
    void end() {
        for (RefreshView view : all()) {
            view.beginFreshSession();
            view.end();
        }
    }
}
