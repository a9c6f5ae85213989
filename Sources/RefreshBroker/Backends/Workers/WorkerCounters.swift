/// What a backend of workers has counted, and how things stand.
package struct WorkerCounters: Hashable, Sendable {
    /// Workers that are connected, or processes that run, now.
    package var workers = 0
    /// Loads that wait for a worker, now.
    package var waiting = 0
    /// Loads that a worker has, now.
    package var running = 0
    /// Workers that came, or processes that were started, ever.
    package var joined = 0
    /// Answers to loads that nobody waits for any more.
    package var lateAnswers = 0
    /// Loads that were given to another worker because theirs was lost.
    package var reissued = 0
    /// Workers that were sent away: what they said was not understood, or they were overdue.
    package var dismissed = 0

    package init() {}
}
