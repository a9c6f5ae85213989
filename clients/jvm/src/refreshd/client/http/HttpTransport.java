package refreshd.client.http;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import refreshd.client.Json;
import refreshd.client.Nullable;
import refreshd.client.Transport;

/**
 * A transport over {@link java.net.http.WebSocket}. It is for every JVM from Java 11 on. Android
 * does not have this class.
 */
public final class HttpTransport implements Transport {
    /** A connection is aborted if more characters wait to be sent. */
    private static final long QUEUED_CHARACTERS_MAX = 4 * 1024 * 1024;

    /** No further cause is added to an explanation of this length. */
    private static final int EXPLANATION_LENGTH_MAX = 400;

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient client;

    /** Creates a transport with a client of its own. */
    public HttpTransport() {
        this(HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build());
    }

    /**
     * Creates a transport.
     *
     * @param client makes the connections; it states the proxy and the TLS settings, for instance
     */
    public HttpTransport(HttpClient client) {
        this.client = client;
    }

    @Override
    public Connection open(URI url, String subprotocol, Listener listener) {
        Socket socket = new Socket(url, listener);
        try {
            client.newWebSocketBuilder()
                    .subprotocols(subprotocol)
                    .connectTimeout(CONNECT_TIMEOUT)
                    .buildAsync(url, socket)
                    .whenComplete(socket::opened);
        } catch (RuntimeException invalidURL) {
            socket.end(1006, String.valueOf(invalidURL.getMessage()));
        }
        return socket;
    }

    /** One connection. The messages are sent one after another, as the library requires. */
    private static final class Socket implements Connection, WebSocket.Listener {
        private final URI url;
        private final Listener listener;
        private final AtomicBoolean hasEnded = new AtomicBoolean();
        private final AtomicLong queuedCharacters = new AtomicLong();
        private final CompletableFuture<WebSocket> opening = new CompletableFuture<>();
        private CompletableFuture<WebSocket> lastSent = opening; // guarded by this
        private StringBuilder fragments = new StringBuilder();

        Socket(URI url, Listener listener) {
            this.url = url;
            this.listener = listener;
        }

        void opened(@Nullable WebSocket socket, @Nullable Throwable failure) {
            if (failure != null) {
                Throwable cause = failure.getCause() == null ? failure : failure.getCause();
                if (!(cause instanceof WebSocketHandshakeException)) {
                    end(1006, explanation(cause));
                } else if (hasEnded.compareAndSet(false, true)) {
                    opening.completeExceptionally(cause);
                    HttpResponse<?> answer =
                            ((WebSocketHandshakeException) cause).getResponse();
                    Object body = answer.body();
                    listener.onRefused(
                            answer.statusCode(), body instanceof String ? (String) body : "",
                            answer.headers().firstValue("Retry-After").orElse(null));
                }
            } else if (socket != null && hasEnded.get()) {
                socket.abort(); // the connection was aborted while it was being opened
            }
        }

        /** Returns the address and the failure with its causes, for a log. */
        private String explanation(Throwable failure) {
            StringBuilder text = new StringBuilder(url.getAuthority()).append(": ")
                    .append(failure);
            Throwable cause = failure.getCause();
            while (cause != null && text.length() < EXPLANATION_LENGTH_MAX) {
                text.append(", because of ").append(cause);
                cause = cause.getCause();
            }
            return text.toString();
        }

        void end(int code, String reason) {
            if (hasEnded.compareAndSet(false, true)) {
                opening.completeExceptionally(new IllegalStateException("not open any more"));
                listener.onClosed(code, reason);
            }
        }

        // The client's calls

        @Override
        public synchronized void send(String text) {
            if (hasEnded.get()) {
                return;
            }
            if (queuedCharacters.addAndGet(text.length()) > QUEUED_CHARACTERS_MAX) {
                abort();
                return;
            }
            lastSent = lastSent.thenCompose(socket -> socket.sendText(text, true));
            lastSent.whenComplete((socket, failure) -> {
                queuedCharacters.addAndGet(-text.length());
                if (failure != null) {
                    abort();
                }
            });
        }

        @Override
        public synchronized void close(int code) {
            lastSent = lastSent.thenCompose(socket -> socket.sendClose(code, ""));
            lastSent.whenComplete((socket, failure) -> {
                if (failure != null) {
                    abort();
                }
            });
        }

        @Override
        public void abort() {
            opening.thenAccept(WebSocket::abort);
            end(1006, "The connection was aborted");
        }

        // The library's calls

        @Override
        public void onOpen(WebSocket socket) {
            if (hasEnded.get() || !opening.complete(socket)) {
                socket.abort();
                return;
            }
            listener.onOpen();
            socket.request(1);
        }

        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket socket, CharSequence part, boolean isLast) {
            if (fragments.length() + part.length() > Json.CHARACTERS_MAX) {
                abort();
                return null;
            }
            if (isLast && fragments.length() == 0) {
                deliver(part.toString());
            } else {
                fragments.append(part);
                if (isLast) {
                    String text = fragments.toString();
                    fragments = new StringBuilder(); // the capacity of a large message is freed
                    deliver(text);
                }
            }
            socket.request(1);
            return null;
        }

        private void deliver(String text) {
            if (!hasEnded.get()) {
                listener.onText(text);
            }
        }

        @Override
        public @Nullable CompletionStage<?> onBinary(
                WebSocket socket, ByteBuffer data, boolean isLast) {
            socket.request(1); // the protocol has no binary messages
            return null;
        }

        @Override
        public @Nullable CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
            end(code, reason);
            return null;
        }

        @Override
        public void onError(WebSocket socket, Throwable error) {
            end(1006, explanation(error));
        }
    }
}
