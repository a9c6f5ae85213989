package refreshd.client;

import java.util.List;

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
     * Requests were dropped that the app has made, because the daemon accepts no frame with them.
     * This happens only if a daemon has lower limits than the daemon before it, or after an invalid
     * member of {@link Options#setAll}.
     *
     * @param client the client
     * @param messages the messages
     * @param reason an explanation for a log
     */
    default void onDropped(RefreshClient client, List<JsonObject> messages, String reason) {}

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
