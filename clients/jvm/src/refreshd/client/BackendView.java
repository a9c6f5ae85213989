package refreshd.client;

import java.util.Objects;

/**
 * The answers of an app that loads the items of a view itself, because the view has no feed
 * (protocol page, "load").
 */
public abstract class BackendView extends ViewDisplay {
    BackendView(RefreshClient client, ViewBody body, ViewListener listener) {
        super(client, body, listener);
    }

    /**
     * Answers a {@link LoadRequest}: the load starts, or is refused.
     *
     * @param load the identifier of the load
     * @param accepted whether it starts
     * @throws IllegalArgumentException if the identifier exceeds a limit of the daemon
     */
    public void beginLoad(String load, boolean accepted) {
        Objects.requireNonNull(load, "load");
        JsonObject message = checked(message("loadBegan").put("load", load)
                .putIfPresent("accepted", accepted ? null : Boolean.FALSE));
        client.run(() -> send(message));
    }

    /**
     * Reports the progress of a load, which shows that it still runs.
     *
     * @param load the identifier of the load
     * @param progress 0 to 1
     * @throws IllegalArgumentException if the progress is out of range, or the identifier exceeds
     *     a limit of the daemon
     */
    public void reportProgress(String load, double progress) {
        Objects.requireNonNull(load, "load");
        Range.between(0, 1).check("progress", progress);
        JsonObject message = checked(
                message("loadProgress").put("load", load).put("progress", progress));
        client.run(() -> send(message));
    }

    /**
     * Answers a {@link LoadRequest}: the load has ended.
     *
     * @param load the identifier of the load
     * @param result how it has ended
     * @param count the number of items
     * @param hasMore whether there is another page; {@code null}: the daemon decides by the count
     * @param cursor the cursor of the next page; {@code null}: there is none
     * @throws IllegalArgumentException if the count is negative, or a string exceeds a limit of
     *     the daemon
     */
    public void finishLoad(
            String load,
            LoadResult result,
            int count,
            @Nullable Boolean hasMore,
            @Nullable String cursor) {
        Objects.requireNonNull(load, "load");
        Objects.requireNonNull(result, "result");
        Range.from(0).check("count", count);
        JsonObject message = checked(message("loadFinished").put("load", load)
                .put("result", result.wireName()).put("count", count)
                .putIfPresent("more", hasMore).putIfPresent("cursor", cursor));
        client.run(() -> {
            state.loads.remove(load);
            send(message);
        });
    }

    final JsonObject.Builder message(String type) {
        return JsonObject.builder().put("type", type).put("view", name);
    }

    /** Returns the message if the daemon accepts its sizes; on any thread. */
    final JsonObject checked(JsonObject.Builder message) {
        JsonObject built = message.build();
        client.check(built, MessageBounds.AROUND_MESSAGE);
        return built;
    }

    final void send(JsonObject.Builder message) {
        send(message.build());
    }

    final void send(JsonObject message) {
        client.send(view(), message);
    }
}
