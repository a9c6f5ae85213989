package refreshd.client;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The connections and the messages of a client, on its executor. */
final class Session {
    /** A connection counts as lost if no `welcome` arrives within this time, in ms. */
    private static final long WELCOME_TIMEOUT_MS = 10_000;
    /** A connection that the daemon does not close in this time ends without its close frame. */
    private static final long CLOSE_TIMEOUT_MS = 5000;

    Status status = Status.IDLE;
    int closeCode = 0;
    String closeReason = "";
    long retryInMs = 0;
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
    /** Counted down when the connection has ended after {@link #close}. */
    final CountDownLatch hasEnded = new CountDownLatch(1);
    private final Greeting greeting;
    private final Sender sender;
    private boolean isResumeRefused = false;
    private @Nullable Fault helloFault = null; // of this connection, before `welcome`
    private boolean hasSession = false;
    private @Nullable Link link = null;
    private final OneTimer timer; // of `welcome`, or of the next attempt

    Session(RefreshClient client, RefreshClientBuilder settings, Dispatcher dispatcher) {
        this.client = client;
        this.settings = settings;
        this.dispatcher = dispatcher;
        features = new Features(settings.features);
        sender = new Sender(queue.writer(), () -> link, this::recordSent);
        greeting = new Greeting(settings, views, queue, resume, features);
        SavedState.restore(settings.savedState, resume, queue);
        hasSession = resume.canResume();
        timer = new OneTimer(dispatcher);
        backoff = new Backoff(settings.random);
        heartbeat = new Heartbeat(settings.scheduler, dispatcher::schedule,
                () -> sender.ping(settings.scheduler.now()),
                () -> lose(1006, "no answer to a ping"));
    }

    // The app's calls

    void attach(RefreshView view) {
        RefreshView before = views.get(view.name());
        if (before != null) {
            before.detach();
        }
        views.add(view);
        queue.attachRestored(view);
        if (status == Status.OPEN) {
            sender.transmit(views.attachMessages(view));
        }
    }

    void remove(RefreshView view) {
        if (views.get(view.name()) == view) {
            resume.removeView(view.name());
            sender.transmit(views.remove(view, status == Status.OPEN));
        }
    }

    void send(RefreshView view, JsonObject message) {
        if (status == Status.CLOSED || status == Status.REFUSED
                || views.get(view.name()) != view) {
            return;
        }
        if (!queue.isAnnounced(view)) {
            queue.hold(view, message);
            return;
        }
        JsonObject numbered = queue.number(view, message);
        if (status == Status.OPEN) {
            sender.transmit(Collections.singletonList(numbered));
        }
    }

    /** The state with which another process resumes the session, or null. */
    @Nullable String saveState() {
        return SavedState.write(resume, queue);
    }

    boolean isAnnounced(RefreshView view) {
        return queue.isAnnounced(view);
    }

    /** Sends a `geometry`. Returns false if it must be part of a later message. */
    boolean sendGeometry(RefreshView view, JsonObject message) {
        if (status != Status.OPEN || !queue.isAnnounced(view)) {
            return false;
        }
        send(view, message);
        return true;
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
        status = Status.CONNECTING;
        reportStatus(0, "", 0);
        if (link == opened) { // the listener may have ended the client
            opened.open(settings.transport, settings.url);
        }
    }

    /** Reconnects at once instead of waiting. */
    void reconnectNow() {
        if (status == Status.LOST || status == Status.SUSPENDED) {
            backoff.reset();
            connect();
        }
    }

    /** Ends the session. It cannot be resumed. */
    void close() {
        if (status == Status.CLOSED) {
            return;
        }
        timer.cancel();
        Link ended = link;
        if (ended != null) {
            ended.sendBye();
        }
        closeLink(1000);
        status = Status.CLOSED;
        endSession();
        queue.clear();
        reportStatus(1000, "", 0);
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
        status = Status.SUSPENDED;
        suspendViews();
        reportStatus(1001, "", 0);
    }

    // From `connect` to `welcome`

    void handleOpen(Link opened) {
        if (link == opened) {
            settings.tokens.request(token -> dispatcher.run(() -> greet(opened, token)));
        }
    }

    /** Opens or resumes a session. All messages needed for this are sent in one frame. */
    private void greet(Link greeted, String token) {
        if (link != greeted || greeted.isGreeted()) {
            return;
        }
        greeted.setGreeted();
        sender.transmit(greeting.frame(token));
    }

    private void handleWelcome(JsonObject message) {
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
        if (isResumeRefused) {
            queue.beginFreshSession();
            views.end();
        }
        queue.outbox().filter(features::permits);
        // These messages are sent before any that a listener sends, whose numbers are larger.
        List<JsonObject> waiting = greeting.messagesAfterWelcome(
                opened.isResumed(), message.integer("ack", 0));
        status = Status.OPEN;
        sender.transmit(waiting);
        heartbeat.start(message);
        reportStatus(0, "", 0);
        dispatcher.notify(() -> settings.listener.onWelcome(client, opened));
    }

    // The messages of the daemon

    void receive(Link source, List<JsonObject> messages) {
        if (link != source) {
            return;
        }
        for (JsonObject message : messages) {
            if (link == source) { // a listener may end the connection
                handle(message);
            }
        }
        queue.outbox().acknowledge(resume.durableSeq());
        dispatcher.notify(() -> settings.listener.onFrameEnd(client));
    }

    private void handle(JsonObject message) {
        String name = message.string("view");
        RefreshView view = name == null ? null : views.get(name);
        if (view != null && !queue.isAnnounced(view)) {
            view = null; // the message is about an earlier view of this name
        }
        boolean isDiscarded = resume.record(message, view);
        switch (String.valueOf(message.string("type"))) {
            case "welcome":
                handleWelcome(message);
                break;
            case "pong":
                heartbeat.handlePong(message);
                break;
            case "error":
                handleFault(message, view);
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
        if (isDiscarded && view != null) {
            view.handleDiscarded();
        }
    }

    /** Whether a message is about a view that the resumed session has had before. */
    private boolean isOfResumedView(JsonObject message, RefreshView view) {
        // Only the `attached` of a new view has the insets.
        return welcome != null && welcome.isResumed() && views.wasGreeted(view)
                && !message.has("inset");
    }

    private void handleFault(JsonObject message, @Nullable RefreshView view) {
        Fault fault = new Fault(message, view == null ? null : view.body());
        if (isResumeRefused && fault.seq() > 0 && fault.seq() <= greeting.lastSeq()) {
            return; // it is about a repeated message of the session that has ended
        }
        if (view != null && view.isConsequence(fault)) {
            return;
        }
        dispatcher.notify(() -> settings.listener.onFault(client, fault));
        if (view != null) {
            view.handleFault(fault);
        }
        if (status == Status.CONNECTING) {
            helloFault = fault;
            if (fault.refusesHello()) {
                refuse(0, ""); // the same `hello` would be refused again
            }
        }
    }

    // From one connection to the next

    void handleClosed(Link closed, int code, String reason) {
        if (link == closed) {
            lose(code, reason);
        }
    }

    /**
     * Handles an upgrade that was refused. Before the first `welcome`, a status that blames the
     * client ends the session. After it, a proxy may answer so for a while.
     */
    void handleRefused(Link refused, int httpStatus, String body) {
        if (link != refused) {
            return;
        }
        String reason = Refusal.text(settings.url, httpStatus, body);
        if (welcome == null && Backoff.isFinal(httpStatus)) {
            refuse(httpStatus, reason);
        } else {
            lose(1006, reason);
        }
    }

    private void refuse(int code, String reason) {
        timer.cancel();
        Link lost = detachLink();
        if (lost != null) {
            lost.abort();
        }
        status = Status.REFUSED;
        endSession();
        queue.clear();
        reportStatus(code, reason, 0);
    }

    /** Handles the end of the connection. The close code decides whether to reconnect. */
    private void lose(int code, String reason) {
        if (!Backoff.mayReconnect(code)) {
            refuse(code, reason);
            return;
        }
        timer.cancel();
        Link lost = detachLink();
        if (lost != null) {
            lost.abort();
        }
        long delay = backoff.delayAfterClose(code, settings.scheduler.now());
        timer.set(this::connect, delay);
        status = Status.LOST;
        suspendViews();
        reportStatus(code, reason, delay);
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
        queue.beginFreshSession();
        queue.forgetViews();
        views.clearGone();
        views.end();
    }

    private void reportStatus(int code, String reason, long retry) {
        closeCode = code;
        closeReason = reason.isEmpty() ? missingReason(code) : reason;
        retryInMs = retry;
        dispatcher.notify(() -> settings.listener.onStatus(client));
    }

    /** Explains the end of a connection without an explanation. */
    private String missingReason(int code) {
        if (status != Status.LOST && status != Status.REFUSED) {
            return "";
        }
        if (helloFault != null) {
            return "the daemon has refused hello: " + helloFault.summary();
        }
        return code == 1005 || code == 1006 ? "the connection was lost"
                : "the daemon has closed the connection with the code " + code;
    }

    private @Nullable Link detachLink() {
        heartbeat.stop();
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
