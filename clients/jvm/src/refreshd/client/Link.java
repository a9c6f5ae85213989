package refreshd.client;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/** One connection. Events of a connection that is not the present one are ignored. */
final class Link implements Transport.Listener {
    private final Session session;
    private final Dispatcher dispatcher;
    private volatile @Nullable Transport.Connection connection = null;
    private boolean isGreeted = false;
    private boolean isOver = false;
    /** Whether the transport has reported an open connection before it has returned it. */
    private boolean isOpenEarly = false;
    /** Whether the client does not need the connection any more that is being opened. */
    private volatile boolean isUnwanted = false;
    private Runnable afterEnd = () -> {};

    Link(Session session, Dispatcher dispatcher) {
        this.session = session;
        this.dispatcher = dispatcher;
    }

    void open(Transport transport, URI url) {
        try {
            connection = transport.open(url, ProtocolVersion.SUBPROTOCOL, this);
        } catch (RuntimeException failure) {
            onClosed(1006, failure.toString());
        }
        if (isUnwanted) {
            abort();
        } else if (isOpenEarly) {
            session.handleOpen(this);
        }
    }

    /** Whether `hello` was sent. */
    boolean isGreeted() {
        return isGreeted;
    }

    void setGreeted() {
        isGreeted = true;
    }

    void send(String frame) {
        call(opened -> opened.send(frame));
    }

    /** Calls a method of the connection, if there is one. One that throws is lost. */
    private void call(Consumer<Transport.Connection> method) {
        Transport.Connection opened = connection;
        if (opened != null) {
            try {
                method.accept(opened);
            } catch (RuntimeException failure) {
                onClosed(1006, failure.toString());
            }
        }
    }

    /** Ends the session, if `hello` has opened it. */
    void sendBye() {
        if (isGreeted) {
            send("{\"type\":\"bye\"}");
        }
    }

    /** Sets what happens when the connection has ended: at once if it already has. */
    void setAfterEnd(Runnable task) {
        if (isOver) {
            task.run();
        } else {
            afterEnd = task;
        }
    }

    void close(int code) {
        if (connection == null) {
            isUnwanted = true;
            isOver = true; // it was never opened, so its transport reports no end
        }
        call(opened -> opened.close(code));
    }

    /** Ends the connection at once; on any thread. */
    void abort() {
        isUnwanted = true;
        call(Transport.Connection::abort);
    }

    @Override
    public void onOpen() {
        dispatcher.execute(() -> {
            isOpenEarly = connection == null;
            if (!isOpenEarly) {
                session.handleOpen(this);
            }
        });
    }

    /** Reads the frame on the thread of the transport, and handles it on the executor. */
    @Override
    public void onText(String text) {
        List<JsonObject> messages = new ArrayList<>();
        try {
            Object frame = Json.parse(text);
            List<?> all = frame instanceof List ? (List<?>) frame
                    : Collections.singletonList(frame);
            for (Object message : all) {
                if (message instanceof JsonObject) {
                    messages.add((JsonObject) message);
                }
            }
        } catch (JsonException notJSON) {
            onClosed(1006, String.valueOf(notJSON.getMessage()));
            return;
        }
        dispatcher.execute(() -> session.receive(this, messages));
    }

    @Override
    public void onClosed(int code, String reason) {
        dispatcher.execute(() -> {
            session.handleClosed(this, code, reason);
            end();
        });
    }

    @Override
    public void onRefused(int status, String body) {
        onRefused(status, body, null);
    }

    @Override
    public void onRefused(int status, String body, @Nullable String retryAfter) {
        long waitMs = RetryAfter.waitMs(retryAfter, System.currentTimeMillis());
        dispatcher.execute(() -> {
            session.handleRefused(this, status, body, waitMs);
            end();
        });
    }

    private void end() {
        isOver = true;
        afterEnd.run();
        afterEnd = () -> {};
    }
}
