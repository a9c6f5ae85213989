package import RefreshBroker
internal import RefreshProtocol
internal import Synchronization

/// A backend that reads items from long-lived child processes, which speak the line protocol on
/// standard input and output.
///
/// One thread per backend transfers all lines and supervises the processes. They are started with
/// the backend and restarted when they end. Source: docs/backends.md, "exec" and "The line
/// protocol".
package final class ExecBackend: Backend {
    private let inbox: ExecInbox
    private let published = PublishedWorkerCounters()
    /// The backend's thread; nil after `stop`.
    private let thread: Mutex<ServiceThread?>

    /// Creates the backend and starts its thread. `feeds` are the names of the feeds that use the
    /// backend. `log` is called on the backend's thread and must not block.
    package init(
        _ options: ExecOptions, feeds: Set<String>, notices: FeedNotices,
        log: @escaping @Sendable (ExecEvent) -> Void
    ) throws(BackendConfigurationError) {
        try options.check()
        guard let inbox = ExecInbox() else {
            throw BackendConfigurationError("command", "The system could not create a pipe.")
        }
        let pool = WorkerPool(feeds: feeds, graceMs: options.graceMs, overdue: .dismiss)
        let dispatch = LoadDispatch(pool, notices: notices)
        // The thread retains `published` and not the backend, so that the backend can be released.
        let published = published
        let thread = ServiceThread {
            var loop = ExecLoop(
                options, dispatch, inbox: inbox, published: published, log: log)
            loop.run()
        }
        guard let thread else {
            throw BackendConfigurationError("command", "The system could not create a thread.")
        }
        self.inbox = inbox
        self.thread = Mutex(thread)
    }

    deinit {
        _ = inbox.post(.stop)
        thread.withLock { $0?.detach() }
    }

    package func load(_ call: BackendCall) async throws(LoadFailure) -> Page {
        let inbox = inbox
        return try await PendingLoad(.load(call)).page { inbox.post($0) }
    }

    /// Sends `bye` to the processes, and kills those that have not ended after the grace period.
    /// When this method returns, every load has ended and no process is left.
    package func stop() {
        _ = inbox.post(.stop)
        guard let thread = thread.withLock({ $0.take() }) else { return }
        if thread.isCurrent { thread.detach() } else { thread.join() }
    }

    /// The counters as the backend's thread published them after its last event.
    package var counters: WorkerCounters { published.value }
}
