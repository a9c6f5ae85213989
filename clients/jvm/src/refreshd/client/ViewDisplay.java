package refreshd.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/**
 * What a view shows. Its methods must be called on the executor of the client, for instance in a
 * {@link ViewListener}.
 */
public abstract class ViewDisplay {
    final RefreshClient client;
    final String name;
    final ViewListener listener;
    final ViewBody body;
    final ViewState state;
    private final MovementTracker movement = new MovementTracker();
    private boolean isDisconnected = false;
    /** The `seq` of the last `attach`; 0 if the view was in `hello`. */
    private long attachSeq = 0;
    /** Whether `hello` or an `attach` has announced the view, and nothing has attached it yet. */
    private boolean awaitsAttached = true;
    /** Whether the daemon has refused to attach the view. */
    private boolean isRefused = false;
    /** Whether the listener knows that the view is attached. */
    private boolean isReported = false;

    ViewDisplay(RefreshClient client, ViewBody body, ViewListener listener) {
        this.client = client;
        this.name = body.name();
        this.body = body;
        this.state = new ViewState(body.isReversed());
        this.listener = listener;
    }

    /** This object, as the app knows it. */
    abstract RefreshView view();

    /**
     * Returns the name of the view.
     *
     * @return the name
     */
    public String name() {
        return name;
    }

    /**
     * Returns whether the view is attached to the session. It stays attached while the connection
     * is lost.
     *
     * @return whether it is attached
     */
    public boolean isAttached() {
        return state.isAttached;
    }

    /**
     * Returns the state of an edge.
     *
     * @param edge the edge
     * @return the state; {@code null} if the view does not have the edge or is not attached
     */
    public @Nullable EdgeStatus edge(Edge edge) {
        return state.edges.get(edge);
    }

    /**
     * Returns the daemon's share of the inset at an edge.
     *
     * @param edge the edge
     * @return points, to be added to the inset of the app
     */
    public double inset(Edge edge) {
        Double share = state.insets.get(edge);
        return share == null ? 0 : share;
    }

    /**
     * Returns where the list is: the offset that the app has reported or the daemon has commanded
     * last.
     *
     * @return the content offset in points; 0 before the first report
     */
    public double offset() {
        return body.offset();
    }

    /**
     * Returns the items of the list, with the edits that have no answer yet.
     *
     * @return an unmodifiable list, each item a value of {@link Json}; each page makes a new list.
     *     With {@link RefreshView#isRandom}, it has {@code null} for each row that has not arrived
     */
    public List<Object> items() {
        return state.items();
    }

    /**
     * Returns whether there are more items after those of {@link #items}.
     *
     * @return whether there are more; true before the first page
     */
    public boolean hasMore() {
        return state.hasMore;
    }

    /**
     * Returns the loads that run.
     *
     * @return the identifiers of the loads
     */
    public Set<String> loads() {
        return Collections.unmodifiableSet(state.loads);
    }

    /**
     * Returns whether the feed has newer data than the list.
     *
     * @return whether there is newer data
     */
    public boolean isNewer() {
        return state.isNewer;
    }

    /**
     * Returns the number of newer items, with the feature {@code unread}.
     *
     * @return the number; {@code null} if it is not known
     */
    public @Nullable Long newerCount() {
        return state.newerCount;
    }

    /**
     * Returns whether the newest end of the list is out of sight, with the feature {@code unread}.
     *
     * @return whether it is out of sight
     */
    public boolean isAway() {
        return state.isAway;
    }

    /**
     * Returns the item up to which the user has read, as the resumed session knows it.
     *
     * @return the identifier of the item, or {@code null}
     */
    public @Nullable String readMark() {
        return state.readMark;
    }

    /**
     * Returns the state of the second floor.
     *
     * @return the state; {@link FloorState#CLOSED} if there is no floor
     */
    public FloorState floor() {
        return state.floor.has("state")
                ? FloorState.of(state.floor.string("state")) : FloorState.CLOSED;
    }

    /**
     * Returns how near the list is to the threshold of the second floor.
     *
     * @return 0 to 1; {@code null} in a state without progress
     */
    public @Nullable Double floorProgress() {
        return state.floor.number("progress");
    }

    /**
     * Returns when the list was last refreshed.
     *
     * @return milliseconds on the clock of the client; {@code null} if it never was
     */
    public @Nullable Double lastUpdated() {
        return state.lastUpdated == null
                ? null : (Double) client.clock().localTime(state.lastUpdated);
    }

    // For the client

    ViewBody body() {
        return body;
    }

    /** Records a message about this view, and the same message with its `seq`. */
    void recordSent(JsonObject message, JsonObject numbered) {
        movement.recordSent(numbered);
        body.changes().recordSent(message, Outbox.seq(numbered));
        if ("clear".equals(numbered.string("shown"))) {
            state.setHidingSeq(Outbox.seq(numbered));
        }
    }

    /** Forgets the messages of an earlier session. */
    void beginFreshSession() {
        movement.reset();
        state.forgetHidden();
    }

    /** Handles a message of the daemon about this view. */
    void handle(JsonObject message, boolean isResumed) {
        switch (String.valueOf(message.string("type"))) {
            case "attached":
                isDisconnected = false;
                isRefused = false;
                awaitsAttached = false;
                state.applyAttached(message, isResumed);
                if (!isResumed) {
                    movement.attach(message.integer("ack", 0));
                    body.changes().acceptBody();
                }
                Update first = update(message);
                state.applyInsets(first);
                tell(() -> {
                    isReported = true;
                    listener.onAttached(view(), first, isResumed);
                });
                break;
            case "update":
                Update update = update(message);
                state.applyUpdate(message);
                state.applyInsets(update);
                if (update.offset() != null) {
                    body.setOffset(update.offset());
                }
                tell(() -> listener.onUpdate(view(), update));
                break;
            case "items":
                Page page = new Page(message);
                ViewState.Applied applied = state.applyItems(page);
                if (applied == ViewState.Applied.YES) {
                    tell(() -> listener.onItems(view(), page));
                } else if (applied == ViewState.Applied.UNFIT) {
                    requestList();
                }
                break;
            case "loading":
                LoadEvent event = new LoadEvent(message);
                state.applyLoading(event);
                tell(() -> listener.onLoading(view(), event));
                break;
            case "load":
                LoadRequest request = new LoadRequest(message);
                state.loads.add(request.load());
                tell(() -> listener.onLoad(view(), request));
                break;
            default:
                handleOther(message);
        }
    }

    /** Handles a message that is neither about the display nor about a load. */
    abstract void handleOther(JsonObject message);

    /** Calls the listener of the view, unless the view is detached by then. */
    final void tell(Runnable call) {
        client.notify(() -> {
            if (client.has(view())) {
                call.run();
            }
        });
    }

    /** Requests the whole list, because a patch could not be applied. */
    private void requestList() {
        client.batch(() -> {
            view().reset(null);
            if (state.canRefresh()) {
                view().refresh();
            } else {
                view().loadMore();
            }
        });
    }

    /** All messages of a frame are handled; the daemon has handled those up to this `seq`. */
    void handleFrameEnd(long ack) {
        if (!awaitsAttached) { // otherwise the messages have had no effect
            body.changes().acknowledge(ack);
        }
        if (state.showAnswered()) {
            Page page = state.wholePage(name);
            tell(() -> listener.onItems(view(), page));
            if (state.awaitsList()) {
                requestList();
            }
        }
    }

    private Update update(JsonObject message) {
        boolean isCurrent = movement.isCurrent(message.integer("ack", Long.MAX_VALUE));
        return new Update(message, isCurrent, client.now(), client.clock());
    }

    /** Whether a fault only follows from the fault that has refused to attach the view. */
    boolean isConsequence(Fault fault) {
        return isRefused && fault.code() == FaultCode.UNKNOWN_VIEW;
    }

    /** Whether a fault refuses to attach the view. A fault of `hello` has no `seq`. */
    boolean isRefusal(Fault fault) {
        return awaitsAttached && !isRefused && fault.seq() == attachSeq;
    }

    /** The daemon has refused to attach the view, so the session does not have it. */
    void setRefused() {
        isRefused = true;
    }

    boolean isRefused() {
        return isRefused;
    }

    /** Records that the daemon has refused the message with this `seq`. */
    void refuse(long seq) {
        body.changes().refuse(seq);
        state.refuse(body.changes().isEqualQuery(state.hidingSeq()) ? state.hidingSeq() : seq);
    }

    /** Takes back a message that is not sent, because the daemon would refuse it. */
    void refuse(JsonObject message) {
        body.changes().refuse(message);
        if ("clear".equals(message.string("shown"))) {
            state.refuseHiding();
        }
    }

    /**
     * Takes back the changes of the options that a refused body has contained, and returns their
     * messages.
     */
    List<JsonObject> refuseBody() {
        List<JsonObject> changes = body.changes().refuseBody();
        for (JsonObject change : changes) {
            if ("clear".equals(change.string("shown"))) {
                state.refuseHiding();
            }
        }
        return changes;
    }

    /** Records that the view is announced by an `attach` with this `seq`, or by `hello` (0). */
    void setAttachSeq(long seq) {
        attachSeq = seq;
        awaitsAttached = true;
        isRefused = false;
    }

    boolean awaitsAttached() {
        return awaitsAttached;
    }

    /**
     * Takes back the change of the options because of which the daemon may have refused to attach
     * the view. Returns its message; null if there is no such change.
     */
    @Nullable JsonObject refuseAttach(Fault fault) {
        boolean isQuery = fault.code() == FaultCode.UNKNOWN_PARAMETER
                || fault.code() == FaultCode.INVALID_PARAMETER;
        return isRefusal(fault) && !fault.isTemporary()
                ? body.changes().refuseNewest(isQuery) : null;
    }

    /** The connection is lost, and the session can resume. */
    void suspend() {
        if (state.isAttached && !isDisconnected) {
            isDisconnected = true;
            tell(() -> {
                if (isReported) {
                    listener.onDisconnected(view());
                }
            });
        }
    }

    /** The session has ended. */
    void end() {
        if (state.isAttached) {
            state.reset();
            isDisconnected = false;
            client.notify(() -> {
                if (isReported) {
                    isReported = false;
                    listener.onEnded(view());
                }
            });
        }
    }

    @Override
    public String toString() {
        return "RefreshView " + Arrays.asList(name, state.edges);
    }
}
