package refreshd.client;

import java.util.Collections;

/** The calls of an app about its views: they are sent, or wait for the next connection. */
final class ViewRequests {
    private final ConnectionState state;
    private final Features features;
    private final ViewRegistry views;
    private final MessageQueue queue;
    private final Sender sender;
    private final ResumeState resume;

    ViewRequests(ConnectionState state, ViewRegistry views, MessageQueue queue, Sender sender,
            ResumeState resume, Features features) {
        this.state = state;
        this.features = features;
        this.views = views;
        this.queue = queue;
        this.sender = sender;
        this.resume = resume;
    }

    void attach(RefreshView view) {
        RefreshView before = views.get(view.name());
        if (before != null) {
            before.detach();
        }
        views.add(view);
        if (state.status == Status.OPEN) {
            sender.transmit(views.attachMessages(view));
        }
    }

    void remove(RefreshView view) {
        if (views.has(view)) {
            resume.removeView(view.name());
            sender.transmit(views.remove(view, state.status == Status.OPEN));
        }
    }

    /** Whether calls of a view have an effect: it is not detached, and the client has not ended. */
    boolean accepts(RefreshView view) {
        return state.status != Status.CLOSED && state.status != Status.REFUSED && views.has(view);
    }

    void send(RefreshView view, JsonObject message) {
        if (!accepts(view) || state.status == Status.OPEN && view.isRefused()) {
            return; // each message about a refused view would be a fault
        }
        if (!queue.isAnnounced(view)) {
            queue.hold(view, message);
            return;
        }
        JsonObject numbered = queue.number(view, message);
        if (state.status == Status.OPEN) {
            sender.transmit(Collections.singletonList(numbered));
        }
    }

    /** Sends the edits of an attached view that were not sent since it was attached. */
    void sendEdits(RefreshView view) {
        if (!accepts(view) || state.status != Status.OPEN || view.awaitsAttached()
                || !EditableView.NEEDED.stream().allMatch(features::mayBeInUse)) {
            return;
        }
        sender.transmit(view.state.edits.due(view.name(), message -> queue.number(null, message)));
    }

    boolean mustSendQuery(RefreshView view) {
        return queue.mustSendQuery(view);
    }

    /** Sends a `geometry`. Returns false if it must be part of a later message. */
    boolean sendGeometry(RefreshView view, JsonObject message) {
        if (state.status != Status.OPEN || !queue.isAnnounced(view)) {
            return false;
        }
        send(view, message);
        return true;
    }

    /** Throws IllegalArgumentException if the daemon would refuse a message; on any thread. */
    void check(JsonObject message, int levelsAround) {
        String violation = queue.writer().bounds().violation(message, levelsAround);
        if (violation != null) {
            throw new IllegalArgumentException(violation);
        }
    }
}
