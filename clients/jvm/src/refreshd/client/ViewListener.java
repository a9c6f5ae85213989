package refreshd.client;

/** Receives the events of a view, on the executor of the client. Each does nothing by default. */
public interface ViewListener {
    /**
     * The view is attached, also after each reconnection.
     *
     * @param view the view
     * @param command the insets to apply; in a fresh session they are 0
     * @param isResumed whether the session was resumed; an {@code onUpdate} with the whole state
     *     then follows
     */
    default void onAttached(RefreshView view, Update command, boolean isResumed) {}

    /**
     * Values have changed; the view has them already.
     *
     * @param view the view
     * @param update the commands and cues
     */
    default void onUpdate(RefreshView view, Update update) {}

    /**
     * A page has arrived, or items have changed without a load (protocol page, "Live items");
     * {@link RefreshView#items()} has them already.
     *
     * @param view the view
     * @param page the page
     */
    default void onItems(RefreshView view, Page page) {}

    /**
     * An edit has its answer; {@link RefreshView#items()} already is the list without it, or with
     * what the backend has made of it.
     *
     * @param view the view
     * @param edited the answer
     */
    default void onEdited(RefreshView view, Edited edited) {}

    /**
     * A load has begun, continues, or has ended without items. {@link #onItems} is the end of a
     * load with items.
     *
     * @param view the view
     * @param event what happened
     */
    default void onLoading(RefreshView view, LoadEvent event) {}

    /**
     * The app must load items itself, because the view has no feed. It answers with {@link
     * RefreshView#finishLoad}. After a reconnection the same request may arrive again.
     *
     * @param view the view
     * @param request the load
     */
    default void onLoad(RefreshView view, LoadRequest request) {}

    /**
     * A message about the view was faulty, or the view could not be attached.
     *
     * @param view the view
     * @param fault the fault
     */
    default void onFault(RefreshView view, Fault fault) {}

    /**
     * The items no longer belong to the list: a new query has removed them, or the daemon has
     * discarded them while there was no connection. In the second case they stay in {@link
     * RefreshView#items()} until the next page replaces them.
     *
     * @param view the view
     */
    default void onItemsDiscarded(RefreshView view) {}

    /**
     * The connection is lost. The display stays as it is, because the session can resume.
     *
     * @param view the view
     */
    default void onDisconnected(RefreshView view) {}

    /**
     * The session has ended. The shares of the insets are 0 again, and no load runs.
     *
     * @param view the view
     */
    default void onEnded(RefreshView view) {}
}
