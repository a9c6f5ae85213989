package refreshd.client;

/** Receives the events of a client, on its executor. Each method does nothing by default. */
public interface ClientListener {
    /**
     * The status has changed.
     *
     * @param client the client, whose {@link RefreshClient#status} is the new one
     */
    default void onStatus(RefreshClient client) {}

    /**
     * The session is open, or is open again.
     *
     * @param client the client
     * @param welcome states whether the session was resumed
     */
    default void onWelcome(RefreshClient client, Welcome welcome) {}

    /**
     * A message, a load or the session was faulty. A fault of a view is reported to the view too.
     *
     * @param client the client
     * @param fault the fault
     */
    default void onFault(RefreshClient client, Fault fault) {}

    /**
     * The daemon has ignored something; only with {@link RefreshClientBuilder#diagnostics}.
     *
     * @param client the client
     * @param diagnostic what was ignored
     */
    default void onDiagnostic(RefreshClient client, Diagnostic diagnostic) {}

    /**
     * All messages of a frame were delivered. They belong together, so a client that lays out its
     * list does it here.
     *
     * @param client the client
     */
    default void onFrameEnd(RefreshClient client) {}
}
