package refreshd.client;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** One connection. Events of a connection that is not the present one are ignored. */
final class Link implements Transport.Listener {
    private final Session session;
    private final Dispatcher dispatcher;
    private @Nullable Transport.Connection connection = null;
    private boolean isGreeted = false;
    private boolean isOver = false;
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
    }

    /** Whether `hello` was sent. */
    boolean isGreeted() {
        return isGreeted;
    }

    void setGreeted() {
        isGreeted = true;
    }

    void send(String frame) {
        if (connection != null) {
            connection.send(frame);
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
        if (connection != null) {
            connection.close(code);
        } else {
            isOver = true; // it was never opened, so its transport reports no end
        }
    }

    void abort() {
        if (connection != null) {
            connection.abort();
        }
    }

    @Override
    public void onOpen() {
        dispatcher.execute(() -> session.handleOpen(this));
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
        dispatcher.execute(() -> {
            session.handleRefused(this, status, body);
            end();
        });
    }

    private void end() {
        isOver = true;
        afterEnd.run();
        afterEnd = () -> {};
    }
}
