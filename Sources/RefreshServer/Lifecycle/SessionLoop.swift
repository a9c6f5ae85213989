package import RefreshProtocol

/// The thread that a host's sessions live on, as the host sees it. Production gives it an event
/// loop, the simulation a queue on simulated time.
package protocol SessionLoop: AnyObject, Sendable {
    /// Runs `job` on the loop's thread, soon and in the order of the calls, and tells it the time
    /// that it is then. From any thread. What is posted to a loop that has ended is dropped.
    func run(_ job: @escaping @Sendable (_ now: Instant) -> Void)

    /// Asks for one `SessionHost.woken` at `moment` or soon after; an earlier one that was asked
    /// for holds. On the loop's thread only.
    func wake(at moment: Instant)

    /// Ends the connections that were shut with half a frame on its way, which takes memory as long
    /// as they are there. On the loop's thread only, in a job.
    func endCondemned()
}

extension SessionLoop {
    package func endCondemned() {}
}
