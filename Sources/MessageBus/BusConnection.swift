/// A connection to the message bus, NATS. It connects in the background, and replaces a connection
/// that is lost, for ever.
///
/// Messages are delivered at most once: those that are published while the connection is lost are
/// not kept. The methods do not block, except `receive` and `close`.
///
/// The connection exists while a thread calls `receive` again and again: only these calls read the
/// socket and write to it. A call that comes later than three seconds after the previous one can
/// find the connection lost. While messages wait to be received, the server keeps further ones for
/// a while, and then ends the connection.
///
/// Over TLS, a call of `receive` or `close` may take up to five seconds longer than the caller
/// wants if the network is slow: libnats then writes 256 KiB, or one larger message, at a time, and
/// waits until the socket has taken all of it. Without TLS, no call waits for the network.
///
/// Messages of one subscription are received in the order in which they were published. Those of
/// different subscriptions may overtake one another. A message can arrive just before `connected`
/// or after `disconnected`.
package final class BusConnection: Sendable {
    private let queue: BusQueue
    private let service: BusService

    /// The time that `close` waits for the thread to end, in milliseconds.
    private static let closeTimeoutMs: Int64 = 1000

    /// Checks the options and reads the files that they name. The first call of `receive` starts to
    /// connect. Throws if an option or a file cannot be used, or the system refuses a thread or
    /// a descriptor.
    package init(_ options: BusOptions) throws(BusError) {
        let servers = try options.validated()
        guard let queue = BusQueue() else { throw BusError("The system refuses a descriptor.") }
        self.queue = queue
        service = BusService(queue)
        let loop = BusLoop(options: options, servers: servers, queue: queue, service: service)
        guard loop.start() else { throw BusError("The system refuses a thread.") }
    }

    // The thread then ends by itself.
    deinit { queue.close() }

    /// Waits for events and replaces the contents of `events` with them. Returns when there are
    /// some, when `wake` is called, at `deadlineMs` (milliseconds of the system's monotonic clock),
    /// or earlier. Returns false, without events, if the connection is closed.
    ///
    /// Only one thread may call this function.
    package func receive(into events: inout [BusEvent], untilMs deadlineMs: Int64?) -> Bool {
        events.removeAll(keepingCapacity: true)
        guard !queue.mustClose else { return false }
        service.serve(into: &events, untilMs: deadlineMs)
        guard !queue.mustClose else {
            events = []
            return false
        }
        return true
    }

    /// Ends the waiting of `receive`: of the running call, or else of the next one.
    package func wake() { queue.wake() }

    /// Forgets the calls of `wake` so far. The thread that calls `receive` must handle what they
    /// were for before it calls `receive` again.
    package func clearWake() { queue.clearWake() }

    /// Checks options without connecting: their ranges, the addresses, and the files. Throws the
    /// error that `init` would throw.
    package static func check(_ options: BusOptions) throws(BusError) {
        _ = try options.validated()
    }

    /// Receives the messages of a subject, or of the subjects that match a subject with wildcards
    /// (`*` and `>`). The subscription survives disconnections, and ends with `close`. Of all
    /// subscriptions with the same queue group, one receives each message. Throws if the subject or
    /// the name of the group is not well formed.
    ///
    /// A message with a reply subject that no connection receives is answered by the server with an
    /// empty message. Only a subscription with `receivesReplies`, which has no group, receives such
    /// answers.
    package func subscribe(
        _ subject: String, group: String? = nil, receivesReplies: Bool = false
    ) throws(BusError) {
        guard BusSubject.isSubscribable(subject) else {
            throw BusError("\(subject) is not a subject.")
        }
        guard group.map(BusSubject.isPublishable) != false else {
            throw BusError("\(group ?? "") is not the name of a queue group.")
        }
        queue.post(
            .subscribe(
                BusSubscription(
                    subject: subject, group: group, receivesReplies: receivesReplies)))
    }

    /// Publishes a message. Returns false, without waiting, if the connection is not connected, the
    /// subject is not well formed or has a wildcard, the message with its headers is larger than
    /// `payloadMax` (`failed` then names the sizes), or 64 MiB of messages wait for the socket, for
    /// which each message counts 512 bytes more.
    ///
    /// If the function returns true, the message is lost only if the connection is lost.
    ///
    /// A message with an `envelope` has a reply subject or headers. It is also refused if one of
    /// them is not well formed.
    package func publish(
        _ bytes: [UInt8], to subject: String, _ envelope: BusEnvelope = BusEnvelope()
    ) -> Bool {
        BusSubject.isPublishable(subject) && envelope.isValid
            && queue.publish(bytes, to: subject, envelope)
    }

    /// Whether the server has sent bytes that `receive` has not read.
    package var hasUnreadBytes: Bool {
        queue.currentSocket.map { $0.socket.unreadBytes > 0 } ?? false
    }

    /// The maximum size of a message in bytes, as the server of the last connection has announced
    /// it; 0 before the first connection.
    package var payloadMax: Int { queue.payloadMax }

    /// Sends the messages that `publish` has accepted, and closes the connection. This waits until
    /// both are done, but at most a second. `receive` returns no events any more. Only the first
    /// call has an effect.
    package func close() {
        queue.close()
        let deadlineMs = MonotonicClock.nowMs + Self.closeTimeoutMs
        var ignored: [BusEvent] = []
        while !queue.isEnded, MonotonicClock.nowMs < deadlineMs {
            service.serve(into: &ignored, untilMs: deadlineMs)
            ignored.removeAll(keepingCapacity: true)
        }
    }
}
