package refreshd.client;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The views of a session, and what the daemon knows of them. */
final class ViewRegistry {
    private final MessageQueue queue;
    private final Map<String, RefreshView> views = new LinkedHashMap<>();
    /** Names of views that the daemon may know, and that were detached without a connection. */
    private final Set<String> goneNames = new HashSet<>();
    /** Names of the views of the last `hello`. */
    private Set<String> helloNames = Collections.emptySet();

    ViewRegistry(MessageQueue queue) {
        this.queue = queue;
    }

    @Nullable RefreshView get(String name) {
        return views.get(name);
    }

    List<RefreshView> all() {
        return new ArrayList<>(views.values());
    }

    Set<String> names() {
        return views.keySet();
    }

    /** Whether the last `hello` contained the view, so that a resumed session knows it. */
    boolean wasGreeted(RefreshView view) {
        return helloNames.contains(view.name());
    }

    void add(RefreshView view) {
        views.put(view.name(), view);
    }

    /** Removes a view. Returns the `detach`, if the client is connected. */
    List<JsonObject> remove(RefreshView view, boolean isOpen) {
        views.remove(view.name());
        if (!queue.remove(view)) {
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
        return queue.number(null,
                JsonObject.builder().put("type", "detach").put("view", name).build());
    }

    /** The `attach` of a view and the messages that wait for it. */
    List<JsonObject> attachMessages(RefreshView view) {
        List<JsonObject> messages = new ArrayList<>();
        messages.add(queue.number(null, JsonObject.builder().put("type", "attach")
                .putAll(view.body().json()).build()));
        messages.addAll(queue.announce(view));
        return messages;
    }

    /**
     * Announces all views in a `hello`, and returns their members. A view whose name belongs to a
     * detached view of the session is attached after `welcome`.
     */
    List<Object> announceAll() {
        List<Object> bodies = new ArrayList<>();
        helloNames = new HashSet<>();
        for (RefreshView view : all()) {
            if (!goneNames.contains(view.name())) {
                bodies.add(view.body().json());
                helloNames.add(view.name());
                queue.announce(view);
            }
        }
        return bodies;
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

    /** Forgets the views that were detached, because there is no session that knows them. */
    void clearGone() {
        goneNames.clear();
    }

    /** The session has ended. */
    void end() {
        for (RefreshView view : all()) {
            view.beginFreshSession();
            view.end();
        }
    }
}
