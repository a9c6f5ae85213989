package refreshd.client;

/** The status of a client. */
public enum Status {
    /** {@link RefreshClient#connect} was not called yet. */
    IDLE,
    /** The client connects. */
    CONNECTING,
    /** The session is open. */
    OPEN,
    /**
     * The connection is lost, or none could be made. The client waits for {@link
     * RefreshClient#retryInMs}, and then connects again.
     */
    LOST,
    /** The app is in the background: there is no connection until it returns. */
    SUSPENDED,
    /** The daemon refuses the client permanently. The client does not connect again. */
    REFUSED,
    /** The app has ended the session. The client does not connect again. */
    CLOSED
}
