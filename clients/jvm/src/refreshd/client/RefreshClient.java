package refreshd.client;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * A session with the daemon. It outlives its connections: after a loss, the client reconnects with
 * back-off and resumes the session. If the daemon refuses that, a fresh session begins.
 *
 * <p>Everything happens on one {@link Executor} of one thread, the main thread in an app. Methods
 * without a result may be called on any thread. Listeners are called on the executor, and states
 * are read there.
 *
 * <pre>{@code
 * RefreshClient client = RefreshClient.builder(url, new HttpTransport()).build();
 * RefreshView list = client.attach(new ViewOptions("list", "default").feed("packages"), listener);
 * client.connect();
 * }</pre>
 */
public final class RefreshClient {
    private final Dispatcher dispatcher;
    private final Scheduler scheduler;
    private final Session session;
    /** The views that were in sight when the app went to the background. */
    private final List<RefreshView> coveredViews = new ArrayList<>();
    private boolean isInBackground = false;
    private boolean isStarted = false;
    private volatile boolean isClosed = false;

    RefreshClient(RefreshClientBuilder settings) {
        scheduler = settings.scheduler;
        dispatcher = new Dispatcher(settings.executor, scheduler);
        session = new Session(this, settings, dispatcher);
        dispatcher.setOnRejection(session::abandon);
    }

    /**
     * Returns a builder.
     *
     * @param url the URL of the session, such as {@code ws://127.0.0.1:8080/v1/session}
     * @param transport opens the connections
     * @return the builder
     * @throws IllegalArgumentException if the scheme is not {@code ws} or {@code wss}, or the URL
     *     has no host
     */
    public static RefreshClientBuilder builder(URI url, Transport transport) {
        return new RefreshClientBuilder(url, transport);
    }

    // What there is

    /**
     * Returns the status.
     *
     * @return the status
     */
    public Status status() {
        return dispatcher.hasEnded() ? Status.CLOSED : session.state.status;
    }

    /**
     * Returns the code with which the last connection was closed.
     *
     * @return the code of {@link Status#LOST} and {@link Status#REFUSED}, or the HTTP status of an
     *     upgrade that was refused for good (400, 403 or 404); 0 if a fault has refused the
     *     greeting; otherwise 0, 1000 or 1001
     */
    public int closeCode() {
        return session.state.closeCode;
    }

    /**
     * Returns why the last connection has ended or could not be opened.
     *
     * @return an explanation for a log; empty unless the status is {@link Status#LOST} or {@link
     *     Status#REFUSED}
     */
    public String closeReason() {
        return session.state.closeReason;
    }

    /**
     * Returns how long the client waits before it reconnects.
     *
     * @return milliseconds from the change to {@link Status#LOST}; otherwise 0
     */
    public long retryInMs() {
        return session.state.retryInMs;
    }

    /**
     * Returns the daemon's last greeting.
     *
     * @return the greeting; {@code null} before the first
     */
    public @Nullable Welcome welcome() {
        return session.welcome;
    }

    /**
     * Returns whether the client has named a feature and the daemon serves it.
     *
     * @param feature the feature
     * @return whether the feature is in use
     */
    public boolean isInUse(Feature feature) {
        return session.features.isInUse(feature.wireName());
    }

    /**
     * Returns the present time of the client's clock.
     *
     * @return milliseconds; may be called on any thread
     */
    public double now() {
        return scheduler.now();
    }

    /**
     * Returns the best recent round trip to the daemon.
     *
     * @return milliseconds; NaN before the first
     */
    public double roundTripMs() {
        return session.heartbeat.roundTrip();
    }

    // What the app does

    /**
     * Attaches a view. If the client is connected, this happens at once, and otherwise with the
     * next connection. A view of the same name is detached first.
     *
     * @param options what the view is
     * @param listener receives the events of the view
     * @return the view
     * @throws IllegalStateException if the client is closed, or an option needs a call of {@link
     *     RefreshClientBuilder#features} that was not made
     */
    public RefreshView attach(ViewOptions options, ViewListener listener) {
        return attach(options, listener, Collections.emptyList());
    }

    /**
     * Attaches a view, and sends messages about it in each fresh session.
     *
     * @param options what the view is
     * @param listener receives the events of the view
     * @param initialMessages the messages, without {@code seq}; such as {@code {"type":"refresh"}},
     *     which loads the first page. With features, {@link ViewOptions#initial} does the same
     * @return the view
     * @throws IllegalStateException if the client is closed, or an option needs a call of {@link
     *     RefreshClientBuilder#features} that was not made
     * @throws IllegalArgumentException if an initial message has an unknown type, the name of the
     *     view does not have 1 to 32 bytes in UTF-8 without control characters, or an option or a
     *     message exceeds a limit of the daemon: a string of more than 1024 bytes in JSON, for
     *     instance
     */
    public RefreshView attach(
            ViewOptions options, ViewListener listener, List<JsonObject> initialMessages) {
        Objects.requireNonNull(options, "options");
        Objects.requireNonNull(listener, "listener");
        ViewMessages.check(Objects.requireNonNull(initialMessages, "initialMessages"));
        checkNotClosed();
        session.features.check(options.json());
        session.requests.check(options.json(), MessageBounds.AROUND_BODY);
        for (JsonObject message : initialMessages) {
            session.requests.check(message, MessageBounds.AROUND_MESSAGE);
        }
        ViewBody body = new ViewBody(options, new ArrayList<>(initialMessages));
        RefreshView view = new RefreshView(this, body, listener);
        run(() -> session.requests.attach(view));
        return view;
    }

    /**
     * Connects. A client connects once; it reconnects by itself.
     *
     * @throws IllegalStateException if the client is closed
     */
    public void connect() {
        checkNotClosed();
        run(() -> {
            if (!isStarted && session.state.status == Status.IDLE) {
                isStarted = true;
                if (!isInBackground) {
                    session.connect();
                }
            }
        });
    }

    /** Reconnects at once instead of waiting, because the network has come back for instance. */
    public void reconnectNow() {
        run(() -> {
            if (!isInBackground) {
                session.reconnectNow();
            }
        });
    }

    /**
     * Ends the connection, because the app goes to the background. The views disappear. The session
     * stays: messages are kept, and {@link #foreground} resumes it.
     */
    public void background() {
        run(() -> {
            Status status = session.state.status;
            if (isInBackground || status == Status.CLOSED || status == Status.REFUSED) {
                return;
            }
            isInBackground = true;
            for (RefreshView view : session.views.all()) {
                if (view.isInSight()) {
                    coveredViews.add(view);
                    view.disappear();
                }
            }
            if (isStarted) {
                session.suspend();
            }
        });
    }

    /**
     * Connects at once, because the app is visible, for the first time or again. The views appear.
     * A client whose {@link #connect} was not called is connected too.
     */
    public void foreground() {
        run(() -> {
            boolean wasInBackground = isInBackground;
            isInBackground = false;
            List<RefreshView> covered = new ArrayList<>(coveredViews);
            coveredViews.clear();
            covered.forEach(RefreshView::appear);
            if (session.state.status == Status.IDLE) {
                isStarted = true;
                session.connect();
            } else if (wasInBackground) {
                session.reconnectNow();
            }
        });
    }

    /**
     * Returns the state with which another process resumes this session, because the system may end
     * this one. Save it after {@link #background}, together with the items of the views: an older
     * state fits neither the session nor the items. It contains the token of the session, so keep
     * it where only the app can read it.
     *
     * @return an opaque text for {@link RefreshClientBuilder#resume}; {@code null} if there is no
     *     session that can be resumed
     */
    public @Nullable String saveState() {
        return session.saveState();
    }

    /**
     * Ends the session for good. After it, {@link #attach attach} and {@link #connect} throw, and
     * all other calls have no effect.
     */
    public void close() {
        isClosed = true;
        run(session::close);
    }

    /**
     * Waits until the connection has ended after {@link #close}, the status is {@link
     * Status#CLOSED}, and the listener was called; before a program ends, for
     * instance. On the executor this method does not wait, because {@link #close} runs there.
     *
     * @param timeoutMs how long to wait at most, in milliseconds
     * @return whether the connection has ended
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if this method would wait on the executor
     */
    public boolean awaitClosed(long timeoutMs) throws InterruptedException {
        if (timeoutMs > 0 && session.hasEnded.getCount() > 0 && dispatcher.isCurrent()) {
            throw new IllegalStateException("awaitClosed waits for the executor, so it cannot be "
                    + "called on it; listen to onStatus instead");
        }
        return session.hasEnded.await(timeoutMs, TimeUnit.MILLISECONDS);
    }

    /**
     * Sends all messages of a task in one frame: changes of sizes and positions that belong
     * together, for instance.
     *
     * @param task calls methods of views; runs on the executor
     */
    public void batch(Runnable task) {
        Objects.requireNonNull(task, "task");
        run(() -> session.batch(task));
    }

    /**
     * Runs a task on the executor: at once if this is its thread. The client knows the thread of an
     * executor of the app once the executor has run a task of the client; until then, a task also
     * waits if this is the thread.
     *
     * @param task the task
     */
    public void run(Runnable task) {
        dispatcher.run(Objects.requireNonNull(task, "task"));
    }

    private void checkNotClosed() {
        if (isClosed) {
            throw new IllegalStateException("The client is closed; build a new one");
        }
    }

    // For the views

    Heartbeat clock() {
        return session.heartbeat;
    }

    /** Throws IllegalArgumentException if the daemon would refuse a message. */
    void check(JsonObject message, int levelsAround) {
        session.requests.check(message, levelsAround);
    }

    boolean areFeaturesKnown() {
        return session.features.areKnown();
    }

    /** Throws IllegalStateException if the app has not named a feature. */
    void require(Feature feature) {
        session.features.require(feature);
    }

    boolean mayBeInUse(Feature feature) {
        return session.features.mayBeInUse(feature);
    }

    /** Throws IllegalStateException if the daemon does not serve a feature; on any thread. */
    void requireServed(Feature feature) {
        session.features.requireServed(feature);
    }

    boolean has(RefreshView view) {
        return session.views.has(view);
    }

    void sendEdits(RefreshView view) {
        session.requests.sendEdits(view);
    }

    boolean accepts(RefreshView view) {
        return session.requests.accepts(view);
    }

    boolean mustSendQuery(RefreshView view) {
        return session.requests.mustSendQuery(view);
    }

    void send(RefreshView view, JsonObject message) {
        session.requests.send(view, message);
    }

    boolean sendGeometry(RefreshView view, JsonObject message) {
        return session.requests.sendGeometry(view, message);
    }

    void remove(RefreshView view) {
        coveredViews.remove(view);
        session.requests.remove(view);
    }

    void notify(Runnable call) {
        dispatcher.notify(call);
    }
}
