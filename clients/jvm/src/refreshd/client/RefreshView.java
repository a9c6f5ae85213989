package refreshd.client;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;

/**
 * One scroll view that is attached to the session of a {@link RefreshClient}.
 *
 * <p>The methods of this class send, and may be called on any thread. Without a connection, the
 * client keeps the message and sends it when the session resumes. The methods of {@link
 * EditableView} change the list for the user, those of {@link BackendView} answer loads of the app
 * itself, and those of {@link ViewDisplay} return what the view shows.
 */
public final class RefreshView extends EditableView {
    private static final int DEBOUNCE_MS_MAX = 60_000;

    private boolean isInSight = true;
    private boolean isDetached = false;

    RefreshView(RefreshClient client, ViewBody body, ViewListener listener) {
        super(client, body, listener);
    }

    @Override
    RefreshView view() {
        return this;
    }

    boolean isInSight() {
        return isInSight;
    }

    // What the list does

    /**
     * Reports a movement of a list that the platform scrolls.
     *
     * @param offset the content offset in points; negative while the list is pulled down
     * @param phase the phase of the movement
     * @throws IllegalArgumentException if the offset is not finite
     */
    public void scroll(double offset, ScrollPhase phase) {
        scroll(offset, phase, IntentCause.FINGER, null);
    }

    /**
     * Reports a movement of a list that the platform scrolls.
     *
     * @param offset the content offset in points; negative while the list is pulled down
     * @param phase the phase of the movement
     * @param cause what moves the list
     * @param velocity the velocity in points per second, positive towards the end of the content;
     *     {@code null}: the daemon calculates it
     * @throws IllegalArgumentException if a number is not finite
     */
    public void scroll(
            double offset, ScrollPhase phase, IntentCause cause, @Nullable Double velocity) {
        requireFinite("offset", offset);
        requireFinite("velocity", velocity);
        Objects.requireNonNull(phase, "phase");
        Objects.requireNonNull(cause, "cause");
        JsonObject.Builder message = message("scroll").put("t", client.now())
                .put("offset", offset).put("phase", phase.wireName())
                .putIfPresent("cause", cause == IntentCause.FINGER ? null : cause.wireName())
                .putIfPresent("velocity", velocity);
        client.run(() -> {
            body.setOffset(offset);
            send(state.rows.addTo(message, phase == ScrollPhase.IDLE));
        });
    }

    private static void requireFinite(String name, @Nullable Double value) {
        if (value != null && (value.isNaN() || value.isInfinite())) {
            throw new IllegalArgumentException(name + " is " + value + ", and must be finite");
        }
    }

    /**
     * Reports the finger, for a list that the daemon moves by {@code offset} commands.
     *
     * @param translation the travel of the finger since it went down, in points; positive downwards
     * @param phase the phase of the gesture
     * @param velocity the velocity of the list in points per second, opposite to the translation;
     *     {@code null}: the daemon calculates it
     * @throws IllegalArgumentException if a number is not finite
     */
    public void pan(double translation, PanPhase phase, @Nullable Double velocity) {
        requireFinite("translation", translation);
        requireFinite("velocity", velocity);
        Objects.requireNonNull(phase, "phase");
        JsonObject.Builder message = message("pan").put("t", client.now())
                .put("translation", translation).put("phase", phase.wireName())
                .putIfPresent("velocity", velocity);
        client.run(() -> send(phase == PanPhase.BEGAN
                ? message.put("offset", body.offset()) : message));
    }

    /**
     * Reports changed sizes and positions, after a layout for instance.
     *
     * @param change the values that have changed
     * @throws IllegalArgumentException if a member of {@link Options#setAll} exceeds a limit
     */
    public void geometry(Geometry change) {
        JsonObject json = Objects.requireNonNull(change, "change").json();
        JsonObject message = checked(message("geometry").putAll(json));
        client.run(() -> {
            body.merge(json);
            if (!client.sendGeometry(this, state.rows.addTo(message.toBuilder(), true).build())) {
                body.setStale(json.has("offset"));
            }
        });
    }

    // What the app requests

    /** Refreshes the list, as if the user had pulled it. */
    public void refresh() {
        refresh(IntentCause.CODE, true);
    }

    /**
     * Refreshes the list.
     *
     * @param cause what requests the refresh, such as a key
     * @param animated whether the list moves to show the indicator
     */
    public void refresh(IntentCause cause, boolean animated) {
        Objects.requireNonNull(cause, "cause");
        client.run(() -> send(message("refresh").put("cause", cause.wireName())
                .putIfPresent("animated", animated ? null : Boolean.FALSE)));
    }

    /**
     * Shows or hides the refresh indicator without a load.
     *
     * @param shown whether it is shown
     */
    public void showRefreshing(boolean shown) {
        client.run(() -> send(message(shown ? "begin" : "end")));
    }

    /** Loads the next page. */
    public void loadMore() {
        loadMore(IntentCause.CODE);
    }

    /**
     * Loads the next page.
     *
     * @param cause what requests the page, such as a key
     */
    public void loadMore(IntentCause cause) {
        Objects.requireNonNull(cause, "cause");
        client.run(() -> send(message("loadMore").put("cause", cause.wireName())));
    }

    /**
     * Repeats the failed load.
     *
     * @param edge the edge of the load; {@code null}: the edge whose load has failed
     */
    public void retry(@Nullable Edge edge) {
        sendForEdge("retry", edge);
    }

    /**
     * Cancels the running load.
     *
     * @param edge the edge of the load; {@code null}: the daemon's choice
     */
    public void cancel(@Nullable Edge edge) {
        sendForEdge("cancel", edge);
    }

    /**
     * Discards the pages of an edge and the results of its loads.
     *
     * @param edge the edge; {@code null}: the daemon's choice
     */
    public void reset(@Nullable Edge edge) {
        sendForEdge("reset", edge);
    }

    private void sendForEdge(String type, @Nullable Edge edge) {
        client.run(() -> send(message(type)
                .putIfPresent("edge", edge == null ? null : edge.wireName())));
    }

    /**
     * Opens or closes the second floor.
     *
     * @param open whether it opens
     */
    public void setFloor(boolean open) {
        client.run(() -> send(message("floor").put("open", open)));
    }

    /**
     * Enables or disables an edge. The setting also holds in later sessions.
     *
     * @param edge the edge
     * @param enabled whether it is enabled
     */
    public void enable(Edge edge, boolean enabled) {
        Objects.requireNonNull(edge, "edge");
        change(message("enable").put("edge", edge.wireName()).put("enabled", enabled).build());
    }

    /**
     * Changes options of an edge, also for later sessions. If the daemon refuses the change, the
     * options of later sessions are those before it.
     *
     * @param edge the edge
     * @param options the options that change; {@code null} removes the edge
     * @throws IllegalArgumentException if a member of {@link Options#setAll} exceeds a limit
     */
    public void configure(Edge edge, @Nullable EdgeOptions options) {
        Objects.requireNonNull(edge, "edge");
        configure(edge.wireName(), options == null ? null : options.json());
    }

    /**
     * Changes the paging, also for later sessions. New paging discards the pages.
     *
     * @param paging the paging
     * @throws IllegalArgumentException if a member of {@link Options#setAll} exceeds a limit
     */
    public void configure(PagingOptions paging) {
        JsonObject json = Objects.requireNonNull(paging, "paging").json();
        configure("paging", json);
        client.run(() -> state.rows.configure(json));
    }

    /**
     * Changes how the daemon moves the list, also for later sessions.
     *
     * @param pan the options that change
     * @throws IllegalArgumentException if a member of {@link Options#setAll} exceeds a limit
     */
    public void configure(PanOptions pan) {
        configure("pan", Objects.requireNonNull(pan, "pan").json());
    }

    private void configure(String member, @Nullable JsonObject options) {
        change(checked(message("configure").put(member, options)));
    }

    private void change(JsonObject message) {
        client.run(() -> {
            body.changes().apply(message);
            send(message);
        });
    }

    /**
     * Makes a new query of the feed with the feature {@code query}. Before the first connection,
     * the parameters are those with which the view is attached. If the daemon does not serve the
     * feature, nothing happens.
     *
     * <p>If the daemon refuses the query, the view has the query before it: {@link
     * ViewListener#onFault} is called, and after {@code clear} also {@link ViewListener#onItems}
     * with the items that were removed, as a page of the mode {@link ItemsMode#REPLACE}.
     *
     * @param parameters all parameters of the query
     * @param debounceMs how long the daemon waits for a further query, in milliseconds; {@code
     *     null}: the feed's own time
     * @param clear whether the present items are removed at once; otherwise they stay until the
     *     first page arrives
     * @throws IllegalArgumentException if the delay is negative, or the parameters exceed a limit
     *     of the daemon: a string of more than 1024 bytes in JSON, for instance
     * @throws IllegalStateException if the app has not named {@link Feature#QUERY}
     */
    public void query(Map<String, String> parameters, @Nullable Integer debounceMs, boolean clear) {
        JsonObject json = Options.strings(Objects.requireNonNull(parameters, "parameters"));
        client.require(Feature.QUERY);
        if (debounceMs != null) {
            Range.between(0, DEBOUNCE_MS_MAX).check("debounceMs", debounceMs);
        }
        JsonObject message = checked(message("configure").put("parameters", json)
                .putIfPresent("debounceMs", debounceMs)
                .putIfPresent("shown", clear ? "clear" : null));
        client.run(() -> {
            if (client.mayBeInUse(Feature.QUERY) && client.accepts(this)) {
                query(message, clear && !json.equals(body.parameters()));
            }
        });
    }

    private void query(JsonObject message, boolean clear) {
        boolean isMessage = client.mustSendQuery(this);
        if (isMessage) {
            body.changes().apply(message);
        } else { // the body attaches the view with the parameters
            body.changes().applyUnsent(message);
        }
        if (clear) {
            if (isMessage) {
                state.hideItems();
            } else {
                state.setItems(Collections.emptyList());
            }
        }
        if (isMessage) {
            send(message);
        }
        if (clear) {
            client.notify(() -> listener.onItemsDiscarded(this));
        }
    }

    /**
     * Brings an end of the list into sight, with the feature {@code unread}. If the daemon does not
     * serve it, nothing happens.
     *
     * @param edge the end at this edge; {@code null}: the end with the newest items
     * @param animated whether the list moves there in time
     * @throws IllegalStateException if the app has not named {@link Feature#UNREAD}
     */
    public void reveal(@Nullable Edge edge, boolean animated) {
        reveal(message("reveal").putIfPresent("edge", edge == null ? null : edge.wireName())
                .putIfPresent("animated", animated ? null : Boolean.FALSE));
    }

    /**
     * Brings an item into sight, with the feature {@code unread}. If the daemon does not serve it,
     * nothing happens.
     *
     * @param id the app's name of the item
     * @param position where the item begins in the content, in points; {@code null}: the list does
     *     not have the item yet
     * @throws IllegalArgumentException if the name exceeds a limit of the daemon
     * @throws IllegalStateException if the app has not named {@link Feature#UNREAD}
     */
    public void revealItem(String id, @Nullable Double position) {
        reveal(message("reveal").put("id", Objects.requireNonNull(id, "id"))
                .putIfPresent("position", position));
    }

    private void reveal(JsonObject.Builder unread) {
        client.require(Feature.UNREAD);
        JsonObject message = checked(unread);
        client.run(() -> {
            if (client.mayBeInUse(Feature.UNREAD)) {
                send(message);
            }
        });
    }

    /**
     * Reports that the user has read the list up to an item, with the feature {@code unread}. If
     * the daemon does not serve it, nothing happens.
     *
     * @param id the app's name of the item, at most 128 bytes in UTF-8
     * @throws IllegalArgumentException if the name exceeds a limit of the daemon
     * @throws IllegalStateException if the app has not named {@link Feature#UNREAD}
     */
    public void markRead(String id) {
        reveal(message("read").put("id", Objects.requireNonNull(id, "id")));
    }

    /** Reports that the view is visible again. */
    public void appear() {
        client.run(() -> {
            if (!isInSight) {
                isInSight = true;
                send(message("appear"));
            }
        });
    }

    /** Reports that the view is not visible any more, if the daemon knows this message. */
    public void disappear() {
        client.run(() -> {
            if (isInSight) {
                isInSight = false;
                if (client.areFeaturesKnown()) {
                    send(message("disappear"));
                }
            }
        });
    }

    /** Detaches the view for good. Its loads are cancelled, and it receives nothing more. */
    public void detach() {
        client.run(() -> {
            if (!isDetached) {
                isDetached = true;
                client.remove(this);
                state.reset();
            }
        });
    }
}
