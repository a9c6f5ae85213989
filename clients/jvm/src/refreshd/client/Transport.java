package refreshd.client;

import java.net.URI;

/**
 * Opens WebSocket connections. {@code refreshd.client.http.HttpTransport} is the transport for
 * every JVM but Android; an app for Android implements this interface over its own library.
 */
public interface Transport {
    /**
     * Begins to open a connection, and returns at once.
     *
     * @param url the URL of the session, such as {@code ws://127.0.0.1:8080/v1/session}
     * @param subprotocol the WebSocket subprotocol to request
     * @param listener receives the events of the connection, on any thread, one at a time
     * @return the connection, which may not be open yet
     */
    Connection open(URI url, String subprotocol, Listener listener);

    /**
     * One connection. Its methods never block and never throw, and may be called on any thread. A
     * client ends a connection whose methods throw nevertheless.
     */
    interface Connection {
        /**
         * Sends a text message. Messages are sent in the order of the calls. A connection that
         * cannot send, because it is not open any more for instance, drops the message.
         *
         * @param text the message
         */
        void send(String text);

        /**
         * Closes the connection by a close frame, after all messages that were sent.
         *
         * @param code the close code (RFC 6455, section 7.4)
         */
        void close(int code);

        /** Ends the connection at once, without a close frame. */
        void abort();
    }

    /** Receives the events of one connection. */
    interface Listener {
        /** The connection is open. */
        void onOpen();

        /**
         * A whole text message has arrived.
         *
         * @param text the message
         */
        void onText(String text);

        /**
         * The connection has ended, or could not be opened. This is the last event.
         *
         * @param code the code of the close frame; 1005 if it had none, 1006 if there was none
         * @param reason an explanation for a log; may be empty
         */
        void onClosed(int code, String reason);

        /**
         * The daemon, or a proxy before it, has answered the upgrade with an HTTP status other than
         * 101, so that there is no connection. This is the last event. A transport that does not
         * know the status calls {@link #onClosed} with 1006 instead; the client then reconnects.
         *
         * @param status the HTTP status, such as 404
         * @param body the body of the answer, in which a daemon explains the refusal; empty if the
         *     library does not have it
         */
        default void onRefused(int status, String body) {
            onClosed(1006, body);
        }

        /**
         * The same with the header {@code Retry-After} of the answer, before which the client does
         * not connect again.
         *
         * @param status the HTTP status, such as 503
         * @param body the body of the answer; empty if the library does not have it
         * @param retryAfter the value of the header: seconds or a date (RFC 9110, section 10.2.3);
         *     {@code null} if there is none
         */
        default void onRefused(int status, String body, @Nullable String retryAfter) {
            onRefused(status, body);
        }
    }
}
