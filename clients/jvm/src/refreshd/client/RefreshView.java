package refreshd.client;

import java.util.Map;

/**
 * One scroll view that is attached to the session of a {@link RefreshClient}.
 *
 * <p>The methods of this class send, and may be called on any thread. Without a connection, the
 * client keeps the message and sends it when the session resumes. The methods of {@link
 * ViewDisplay} return what the view shows.
 */
public final class RefreshView extends ViewDisplay {
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
        JsonObject.Builder message = message("scroll").put("t", client.now())
                .put("offset", offset).put("phase", phase.wireName())
                .putIfPresent("cause", cause == IntentCause.FINGER ? null : cause.wireName())
                .putIfPresent("velocity", velocity);
        client.run(() -> {
            body.setOffset(offset);
            send(message);
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
     */
    public void geometry(Geometry change) {
        JsonObject json = change.json();
        client.run(() -> {
            body.merge(json);
            if (!client.sendGeometry(this, message("geometry").putAll(json))) {
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
        client.run(() -> {
            body.configure(edge.wireName(), JsonObject.builder().put("enabled", enabled).build());
            send(message("enable").put("edge", edge.wireName()).put("enabled", enabled));
        });
    }

    /**
     * Changes options of an edge, also for later sessions.
     *
     * @param edge the edge
     * @param options the options that change; {@code null} removes the edge
     */
    public void configure(Edge edge, @Nullable EdgeOptions options) {
        configure(edge.wireName(), options == null ? null : options.json());
    }

    /**
     * Changes the paging, also for later sessions. New paging discards the pages.
     *
     * @param paging the paging
     */
    public void configure(PagingOptions paging) {
        configure("paging", paging.json());
    }

    /**
     * Changes how the daemon moves the list, also for later sessions.
     *
     * @param pan the options that change
     */
    public void configure(PanOptions pan) {
        configure("pan", pan.json());
    }

    private void configure(String member, @Nullable JsonObject options) {
        client.run(() -> {
            body.configure(member, options);
            send(message("configure").put(member, options));
        });
    }

    /**
     * Makes a new query of the feed, if the feature {@code query} is in use; otherwise nothing
     * happens.
     *
     * @param parameters all parameters of the query
     * @param debounceMs how long the daemon waits for a further query, in milliseconds; {@code
     *     null}: the feed's own time
     * @param clear whether the present items are removed at once; otherwise they stay until the
     *     first page arrives
     */
    public void query(Map<String, String> parameters, @Nullable Integer debounceMs, boolean clear) {
        JsonObject json = Options.strings(parameters);
        client.run(() -> {
            if (!client.isInUse(Feature.QUERY)) {
                return;
            }
            parametersBefore = body.parameters();
            body.setParameters(json);
            send(message("configure").put("parameters", json)
                    .putIfPresent("debounceMs", debounceMs)
                    .putIfPresent("shown", clear ? "clear" : null));
            if (clear) {
                state.clearItems();
                client.notify(() -> listener.onItemsDiscarded(this));
            }
        });
    }

    /**
     * Brings an end of the list into sight, if the feature {@code unread} is in use; otherwise
     * nothing happens.
     *
     * @param edge the end at this edge; {@code null}: the end with the newest items
     * @param animated whether the list moves there in time
     */
    public void reveal(@Nullable Edge edge, boolean animated) {
        reveal(message("reveal").putIfPresent("edge", edge == null ? null : edge.wireName())
                .putIfPresent("animated", animated ? null : Boolean.FALSE));
    }

    /**
     * Brings an item into sight, if the feature {@code unread} is in use; otherwise nothing
     * happens.
     *
     * @param id the app's name of the item
     * @param position where the item begins in the content, in points; {@code null}: the list does
     *     not have the item yet
     */
    public void revealItem(String id, @Nullable Double position) {
        reveal(message("reveal").put("id", id).putIfPresent("position", position));
    }

    private void reveal(JsonObject.Builder message) {
        client.run(() -> {
            if (client.isInUse(Feature.UNREAD)) {
                send(message);
            }
        });
    }

    /**
     * Reports that the user has read the list up to an item, if the feature {@code unread} is in
     * use; otherwise nothing happens.
     *
     * @param id the app's name of the item, at most 128 bytes in UTF-8
     */
    public void markRead(String id) {
        reveal(message("read").put("id", id));
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

    // The loads of the app's own backend

    /**
     * Answers a {@link LoadRequest}: the load starts, or is refused.
     *
     * @param load the identifier of the load
     * @param accepted whether it starts
     */
    public void beginLoad(String load, boolean accepted) {
        client.run(() -> send(message("loadBegan").put("load", load)
                .putIfPresent("accepted", accepted ? null : Boolean.FALSE)));
    }

    /**
     * Reports the progress of a load, which shows that it still runs.
     *
     * @param load the identifier of the load
     * @param progress 0 to 1
     */
    public void reportProgress(String load, double progress) {
        client.run(() -> send(message("loadProgress").put("load", load).put("progress", progress)));
    }

    /**
     * Answers a {@link LoadRequest}: the load has ended.
     *
     * @param load the identifier of the load
     * @param result how it has ended
     * @param count the number of items
     * @param hasMore whether there is another page; {@code null}: the daemon decides by the count
     * @param cursor the cursor of the next page; {@code null}: there is none
     */
    public void finishLoad(
            String load,
            LoadResult result,
            int count,
            @Nullable Boolean hasMore,
            @Nullable String cursor) {
        client.run(() -> {
            state.loads.remove(load);
            send(message("loadFinished").put("load", load).put("result", result.wireName())
                    .put("count", count).putIfPresent("more", hasMore)
                    .putIfPresent("cursor", cursor));
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

    private JsonObject.Builder message(String type) {
        return JsonObject.builder().put("type", type).put("view", name);
    }

    private void send(JsonObject.Builder message) {
        client.send(this, message.build());
    }
}
