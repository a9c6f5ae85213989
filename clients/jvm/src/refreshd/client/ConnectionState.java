package refreshd.client;

/** The status of a client, and why it has changed last. */
final class ConnectionState {
    volatile Status status = Status.IDLE;
    int closeCode = 0;
    String closeReason = "";
    long retryInMs = 0;
    private final Runnable listener;
    private final Dispatcher dispatcher;
    private int changes = 0;

    ConnectionState(Runnable listener, Dispatcher dispatcher) {
        this.listener = listener;
        this.dispatcher = dispatcher;
    }

    /**
     * Changes the status, before listeners are called.
     *
     * @return the number of the change, for {@link #report}
     */
    int change(Status changed, int code, String reason, long retry) {
        status = changed;
        closeCode = code;
        closeReason = reason;
        retryInMs = retry;
        return ++changes;
    }

    /** Reports a change, unless a listener has caused another one since. */
    void report(int change) {
        dispatcher.notify(() -> {
            if (change == changes) {
                listener.run();
            }
        });
    }
}
