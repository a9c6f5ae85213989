package import RefreshProtocol

/// The connection of a scripted client to its session: over a WebSocket to a daemon, or in process.
///
/// A peer is used from one task. Simulated time passes only in `receive` and `idle`.
package protocol Peer: AnyObject {
    /// The client's clock.
    var now: Instant { get }
    /// Sends one text frame.
    func send(_ text: String) async throws(PeerError)
    /// Returns the next event from the daemon. Returns nil if no event arrives before `deadline`.
    func receive(until deadline: Instant) async throws(PeerError) -> PeerEvent?
    /// Simulates an event from the backend of a feed.
    func simulate(_ word: FeedEvent, ofFeed feed: String) throws(PeerError)
    /// Closes the connection without waiting for an answer.
    func close() async
    /// Cuts the connection, as a network failure does.
    func cut() async
    /// Sends one text frame, delayed by `lateMs` milliseconds. Frames that are sent during the
    /// delay arrive before the delayed frame.
    func send(_ text: String, lateMs: Double) async throws(PeerError)
    /// Lets time pass until `deadline`, or until an event can have arrived on any connection to the
    /// same daemon.
    func idle(until deadline: Instant) async throws(PeerError)
    /// The time at which the next delayed frame or event is due; nil if there is none.
    var nextDue: Instant? { get }
}

extension Peer {
    /// By default, a cut is the same as a close.
    package func cut() async { await close() }

    /// A connection without a simulated network cannot delay single frames.
    package func send(_ text: String, lateMs: Double) async throws(PeerError) {
        throw PeerError("This connection cannot delay single frames.")
    }

    /// In real time, waits for at most a millisecond.
    package func idle(until deadline: Instant) async throws(PeerError) {
        let leftMs = deadline.milliseconds(since: now)
        try? await Task.sleep(for: .milliseconds(min(1, max(0, leftMs))))
    }

    package var nextDue: Instant? { nil }

    /// All clients share a daemon's feeds, so one client cannot simulate events of a feed.
    package func simulate(_ word: FeedEvent, ofFeed feed: String) throws(PeerError) {
        throw PeerError("Feeds can be scripted only in process.")
    }
}

/// An event from a daemon to its client.
package enum PeerEvent: Hashable, Sendable {
    /// One text frame.
    case frame(String)
    /// The connection has ended, and no event follows. The code is nil if there was no close code.
    case closed(code: UInt16?, reason: String)
}

/// The reason why an operation on a connection failed.
package struct PeerError: Error, Hashable, Sendable {
    package var message: String

    package init(_ message: String) { self.message = message }
}

/// An event from the backend of a feed. A scenario can simulate these events.
package enum FeedEvent: Hashable, Sendable {
    /// The feed has newer data, with this number of newer items. The refreshes of the sessions are
    /// spread over this time, in milliseconds.
    case changed(count: Int? = nil, spreadMs: Double = 0)
    /// The progress of the running loads of the feed, 0...1.
    case progress(Double)
    /// A call to the backend failed for the running loads of the feed. The next attempt follows
    /// after this time, in milliseconds.
    case retrying(afterMs: Double)
}
