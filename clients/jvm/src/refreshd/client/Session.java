package refreshd.client;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;

/** The connections and the messages of a client, on its executor. */
final class Session {
    /** A connection counts as lost if no `welcome` arrives within this time, in ms. */
    private static final long WELCOME_TIMEOUT_MS = 10_000;
    /** A connection that the daemon does not close in this time ends without its close frame. */
    private static final long CLOSE_TIMEOUT_MS = 5000;

    final ConnectionState state;
    @Nullable Welcome welcome = null;
    private final RefreshClient client;
    private final RefreshClientBuilder settings;
    private final Dispatcher dispatcher;
    final Features features;
    private final Backoff backoff;
    final Heartbeat heartbeat;
    private final MessageQueue queue = new MessageQueue();
    private final ResumeState resume = new ResumeState();
    final ViewRegistry views = new ViewRegistry(queue);
    final ViewRequests requests;
    /** Counted down when the connection has ended after {@link #close}. */
    final CountDownLatch hasEnded = new CountDownLatch(1);
    private final Greeting greeting;
    private final Sender sender;
    private boolean isResumeRefused = false;
    private @Nullable Fault helloFault = null; // of this connection, before `welcome`
    private @Nullable Fault frameRefusal = null; // of the present frame, before `welcome`
    private boolean hasSession = false;
    private volatile @Nullable Link link = null;
    private final OneTimer timer; // of `welcome`, or of the next attempt

    Session(RefreshClient client, RefreshClientBuilder settings, Dispatcher dispatcher) {
        this.client = client;
        this.settings = settings;
        this.dispatcher = dispatcher;
        state = new ConnectionState(() -> settings.listener.onStatus(client), dispatcher);
        features = new Features(settings.features);
        sender = new Sender(queue.writer(), () -> link, this::recordSent);
        requests = new ViewRequests(state, views, queue, sender, resume, features);
        greeting = new Greeting(settings, views, queue, resume, features);
        SavedState.restore(settings.savedState, resume, queue, views);
        hasSession = resume.canResume();
        timer = new OneTimer(dispatcher);
        backoff = new Backoff(settings.random);
        heartbeat = new Heartbeat(settings.scheduler, dispatcher::schedule,
                () -> sender.ping(settings.scheduler.now()),
                () -> lose(1006, "no answer to a ping", 0));
    }

    // The app's calls

    /** The state with which another process resumes the session, or null. */
    @Nullable String saveState() {
        return SavedState.write(resume, queue, views);
    }

    void batch(Runnable sending) {
        sender.batch(sending);
    }

    private void recordSent() {
        heartbeat.recordSent();
    }

    void connect() {
        timer.cancel();
        closeLink(1001);
        Link opened = new Link(this, dispatcher);
        link = opened;
        timer.set(() -> handleClosed(opened, 1006, "no welcome"), WELCOME_TIMEOUT_MS);
        helloFault = null;
        state.report(state.change(Status.CONNECTING, 0, "", 0));
        if (link == opened) { // the listener may have ended the client
            opened.open(settings.transport, settings.url);
        }
    }

    /** Reconnects at once instead of waiting. */
    void reconnectNow() {
        if (state.status == Status.LOST || state.status == Status.SUSPENDED) {
            backoff.reset();
            connect();
        }
    }

    /** Ends the session. It cannot be resumed. */
    void close() {
        if (state.status == Status.CLOSED) {
            return;
        }
        timer.cancel();
        Link ended = link;
        if (ended != null) {
            sender.flush();
            ended.sendBye();
        }
        closeLink(1000);
        dispatcher.dropHeld();
        int change = state.change(Status.CLOSED, 1000, "", 0);
        endSession();
        state.report(change);
        if (ended == null) {
            hasEnded.countDown();
        } else {
            ended.setAfterEnd(hasEnded::countDown);
        }
    }

    /** Ends the connection, but keeps the session for later. */
    void suspend() {
        timer.cancel();
        closeLink(1001);
        int change = state.change(Status.SUSPENDED, 1001, "", 0);
        suspendViews();
        state.report(change);
    }

    /** The executor has rejected a task, on any thread: nothing can be delivered any more. */
    void abandon() {
        Link open = link;
        if (open != null) {
            open.abort();
        }
        hasEnded.countDown();
    }

    // From `connect` to `welcome`

    void handleOpen(Link opened) {
        if (link != opened) {
            return;
        }
        try {
            settings.tokens.request(token -> {
                Objects.requireNonNull(token, "token");
                dispatcher.run(() -> greet(opened, token));
            });
        } catch (RuntimeException failure) {
            handleClosed(opened, 1006, "the source of the token has failed: " + failure);
        }
    }

    /** Opens or resumes a session. All messages needed for this are sent in one frame. */
    private void greet(Link greeted, String token) {
        if (link != greeted || greeted.isGreeted()) {
            return;
        }
        greeted.setGreeted();
        sender.transmit(greeting.frame(token));
        greeting.reportDropped(client, dispatcher);
    }

    private void handleWelcome(Link source, JsonObject message) {
        if (state.status != Status.CONNECTING) {
            return; // a connection has one `welcome`
        }
        timer.cancel();
        helloFault = null;
        Welcome opened = new Welcome(message);
        welcome = opened;
        queue.writer().applyLimits(opened.limits());
        features.applyWelcome(message);
        isResumeRefused = hasSession && !opened.isResumed();
        resume.applyWelcome(message, views.names());
        hasSession = true;
        backoff.recordOpen(settings.scheduler.now());
        queue.forgetRestored();
        if (isResumeRefused) {
            queue.beginFreshSession(greeting.lastSeq());
            views.beginFreshSession(greeting.lastSeq());
            views.end();
        } else {
            queue.numberAfter(resume.ack());
        }
        greeting.dropSuspects();
        if (link != source) {
            return; // a listener has ended the connection
        }
        queue.outbox().filter(features::permits);
        // These messages are sent before any that a listener sends, whose numbers are larger.
        List<JsonObject> waiting = greeting.messagesAfterWelcome(
                opened.isResumed(), message.integer("ack", 0));
        int change = state.change(Status.OPEN, 0, "", 0);
        sender.transmit(waiting);
        if (link == source) {
            heartbeat.start(message);
        }
        state.report(change);
        greeting.reportDropped(client, dispatcher);
        if (link == source) {
            dispatcher.notify(() -> settings.listener.onWelcome(client, opened));
        }
    }

    // The messages of the daemon

    void receive(Link source, List<JsonObject> messages) {
        if (link == source) {
            dispatcher.runFrame(() -> receiveFrame(source, messages));
        }
    }

    private void receiveFrame(Link source, List<JsonObject> messages) {
        frameRefusal = null;
        for (JsonObject message : messages) {
            // A listener may end the connection, and other faults follow from a refused `hello`.
            if (link == source && frameRefusal == null) {
                handle(source, message);
            }
        }
        if (link == source) {
            queue.outbox().acknowledge(resume.durableSeq());
            views.forgetDetached(resume.durableSeq());
        }
        for (RefreshView view : views.all()) {
            if (link == source && views.has(view)) { // a listener may detach the others
                view.handleFrameEnd(resume.ack());
            }
        }
        Fault refusal = frameRefusal;
        if (link == source && refusal != null) {
            sender.transmit(greeting.retry(refusal));
            greeting.reportDropped(client, dispatcher);
        }
        dispatcher.notify(() -> settings.listener.onFrameEnd(client));
    }

    private void handle(Link source, JsonObject message) {
        RefreshView view = views.concerned(message);
        boolean isDiscarded = resume.record(message, view);
        switch (String.valueOf(message.string("type"))) {
            case "welcome":
                handleWelcome(source, message);
                break;
            case "pong":
                heartbeat.handlePong(message);
                break;
            case "error":
                handleFault(source, message, view);
                break;
            case "diagnostic":
                Diagnostic diagnostic = new Diagnostic(message);
                dispatcher.notify(() -> settings.listener.onDiagnostic(client, diagnostic));
                break;
            default:
                if (view != null) {
                    view.handle(message, isOfResumedView(message, view));
                }
        }
        if (isDiscarded && view != null && views.has(view)) {
            view.handleDiscarded();
        }
    }

    /** Whether a message is about a view that the resumed session has had before. */
    private boolean isOfResumedView(JsonObject message, RefreshView view) {
        // Only the `attached` of a new view has the insets.
        return welcome != null && welcome.isResumed() && views.wasGreeted(view)
                && !message.has("inset");
    }

    private void handleFault(Link source, JsonObject message, @Nullable RefreshView view) {
        Fault fault = new Fault(message, view == null ? null : view.body());
        if (isResumeRefused && fault.seq() > 0 && fault.seq() <= greeting.lastSeq()) {
            return; // it is about a repeated message of the session that has ended
        }
        if (view != null && view.isConsequence(fault)) {
            return;
        }
        if (fault.seq() > 0) {
            views.all().forEach(one -> one.refuse(fault.seq()));
        }
        boolean isConnecting = state.status == Status.CONNECTING;
        helloFault = isConnecting ? fault : helloFault;
        JsonObject change = view == null || isConnecting ? null : queue.refuse(view, fault);
        dispatcher.notify(() -> settings.listener.onFault(client, fault));
        if (view != null && views.has(view)) {
            view.handleFault(fault);
        }
        if (link != source) {
            return; // a listener has ended the connection
        }
        if (change != null && views.has(view)) {
            sender.transmit(views.attachAgain(view, change));
        } else if (isConnecting && fault.refusesHello()) {
            if (greeting.canRetry(fault)) {
                frameRefusal = fault;
            } else {
                refuse(0, ""); // the same `hello` would be refused again
            }
        }
    }

    // From one connection to the next

    void handleClosed(Link closed, int code, String reason) {
        if (link == closed) {
            lose(code, reason, 0);
        }
    }

    /**
     * Handles an upgrade that was refused. Before the first `welcome`, a status that blames the
     * client ends the session. After it, a proxy may answer so for a while.
     */
    void handleRefused(Link refused, int httpStatus, String body, long waitMs) {
        if (link != refused) {
            return;
        }
        String reason = Refusal.text(settings.url, httpStatus, body);
        if (welcome == null && Backoff.isFinal(httpStatus)) {
            refuse(httpStatus, reason);
        } else {
            lose(1006, reason, waitMs);
        }
    }

    private void refuse(int code, String reason) {
        timer.cancel();
        Link lost = detachLink();
        if (lost != null) {
            lost.abort();
        }
        int change = state.change(Status.REFUSED, code, explained(code, reason), 0);
        endSession();
        state.report(change);
    }

    /** Handles the end of the connection. The close code decides whether to reconnect. */
    private void lose(int code, String reason, long waitMs) {
        if (!Backoff.mayReconnect(code)) {
            refuse(code, reason);
            return;
        }
        timer.cancel();
        Link lost = detachLink();
        if (lost != null) {
            lost.abort();
        }
        long delay = backoff.delayAfterClose(code, settings.scheduler.now(), waitMs);
        timer.set(this::connect, delay);
        int change = state.change(Status.LOST, code, explained(code, reason), delay);
        suspendViews();
        state.report(change);
    }

    /** The views keep what they show, if the session can resume. */
    private void suspendViews() {
        if (hasSession && !resume.canResume()) {
            endSession();
        }
        views.all().forEach(RefreshView::suspend);
    }

    private void endSession() {
        hasSession = false;
        resume.clear();
        queue.beginFreshSession(0);
        queue.forgetViews();
        views.forgetSession();
        if (state.status == Status.CLOSED || state.status == Status.REFUSED) {
            queue.clear();
        }
        views.end();
    }

    /** Explains the end of a connection, also without an explanation of the transport. */
    private String explained(int code, String reason) {
        if (!reason.isEmpty()) {
            return reason;
        }
        if (helloFault != null) {
            return "the daemon has refused hello: " + helloFault.summary();
        }
        return code == 1005 || code == 1006 ? "the connection was lost"
                : "the daemon has closed the connection with the code " + code;
    }

    private @Nullable Link detachLink() {
        heartbeat.stop();
        sender.flush();
        Link detached = link;
        link = null;
        return detached;
    }

    private void closeLink(int code) {
        Link closed = detachLink();
        if (closed != null) {
            closed.close(code);
            settings.scheduler.schedule(closed::abort, CLOSE_TIMEOUT_MS);
        }
    }
}
