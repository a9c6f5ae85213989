/// A connection to the message bus, NATS. It connects in the background, and replaces a connection
/// that is lost, for ever.
///
/// Messages are delivered at most once: those that are published while the connection is lost are
/// not kept. The methods do not block, except `close`. A thread of the connection makes all calls
/// of libnats, because these may wait for a server or for a full socket.
///
/// Events come one at a time. Messages come on a thread of libnats, which all connections of the
/// process share, and other events on the connection's own thread. A message can therefore arrive
/// just before `connected` or after `disconnected`.
///
/// The handler must return soon, for example after it has posted the event to a mailbox, because
/// later messages wait for it: if more than 64 MiB of a subscription wait, later ones are dropped,
/// and `failed` says so. The handler may call `publish` and `subscribe`, but not `close`.
package final class BusConnection: Sendable {
    private let queue = BusQueue()
    private let reporter: BusReporter

    /// The time that `close` waits for the thread to end, in milliseconds.
    private static let closeTimeoutMs: Int64 = 1000

    /// Checks the options, reads the files that they name, and starts to connect. Throws if an
    /// option or a file cannot be used, or the system refuses a thread.
    package init(
        _ options: BusOptions, events: @escaping @Sendable (BusEvent) -> Void
    ) throws(BusError) {
        let servers = try options.validated()
        reporter = BusReporter(events)
        let loop = BusLoop(options: options, servers: servers, queue: queue, reporter: reporter)
        guard loop.start() else { throw BusError("The system refuses a thread.") }
    }

    // The thread then ends and releases the handler. The last reference may be released within the
    // handler, so this must not wait for the handler.
    deinit { queue.close() }

    /// Checks options without connecting: their ranges, the addresses, and the files. Throws the
    /// error that `init` would throw.
    package static func check(_ options: BusOptions) throws(BusError) {
        _ = try options.validated()
    }

    /// Receives the messages of a subject, or of the subjects that match a subject with wildcards
    /// (`*` and `>`). The subscription survives disconnections, and ends with `close`. Of all
    /// subscriptions with the same queue group, one receives each message. Throws if the subject or
    /// the name of the group is not well formed.
    package func subscribe(_ subject: String, group: String? = nil) throws(BusError) {
        guard BusSubject.isSubscribable(subject) else {
            throw BusError("\(subject) is not a subject.")
        }
        guard group.map(BusSubject.isPublishable) != false else {
            throw BusError("\(group ?? "") is not the name of a queue group.")
        }
        queue.post(.subscribe(BusSubscription(subject: subject, group: group)))
    }

    /// Publishes a message. Returns false, without waiting, if the connection is not connected, the
    /// subject is not well formed or has a wildcard, the message is larger than `payloadMax`
    /// (`failed` then names the sizes), or 64 MiB of messages wait for the socket.
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

    /// The maximum size of a message in bytes, as the server of the last connection has announced
    /// it; 0 before the first connection.
    package var payloadMax: Int { queue.payloadMax }

    /// Sends the messages that `publish` has accepted, and closes the connection. This waits until
    /// both are done, but at most a second. No event comes after the call has returned. Only the
    /// first call has an effect.
    package func close() {
        queue.close()
        _ = queue.waitForEnd(untilMs: MonotonicClock.nowMs + Self.closeTimeoutMs)
        reporter.close()
    }
}
