package import RefreshProtocol

/// The thread on which a host runs its sessions. In production it is an event loop. In the
/// simulation it is a queue on simulated time.
package protocol SessionLoop: AnyObject, Sendable {
    /// Runs `job` on the loop's thread soon, in the order of the calls. `now` is the time at which
    /// the job runs. May be called on any thread. Jobs that are posted to a loop that has ended are
    /// dropped.
    func run(_ job: @escaping @Sendable (_ now: Instant) -> Void)

    /// Requests one call of `SessionHost.wakeupFired` at `moment` or soon after. Earlier requests
    /// also remain valid. Call it on the loop's thread only.
    func scheduleWakeup(at moment: Instant)

    /// Ends connections that were shut down after only a part of a frame was sent. These
    /// connections take memory as long as they exist. Call it on the loop's thread only, in a job.
    func closeCondemnedConnections()
}

extension SessionLoop {
    package func closeCondemnedConnections() {}
}
