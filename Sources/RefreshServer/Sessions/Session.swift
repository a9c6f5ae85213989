package import RefreshBroker
package import RefreshProtocol

/// One client's session: a conversation, and its place on a loop.
///
/// Lives on one loop and is touched by that thread alone; each call runs to completion and never
/// waits. Neither the channel nor the dispatcher may call back from within a call to them.
package final class Session {
    package let key: SessionKey
    /// The session's name in logs and in `welcome`.
    package let name: String
    private let services: SessionServices
    private var conversation: Conversation

    package init(
        key: SessionKey, name: String, channel: any Channel, services: SessionServices,
        now: Instant
    ) {
        self.key = key
        self.name = name
        self.services = services
        self.conversation = Conversation(
            key: key, name: name, channel: channel, services: services, now: now)
    }

    /// A text frame came.
    package func receive(_ frame: Span<UInt8>, at now: Instant) {
        conversation.receive(frame, at: &services.desk, now)
    }

    /// A binary frame came.
    package func receiveBinary(at now: Instant) {
        conversation.report(Fault(.binaryFrame), at: now)
        conversation.flush(at: &services.desk)
    }

    /// The channel takes frames again.
    package func becameWritable(at now: Instant) {
        conversation.flush(at: &services.desk)
    }

    /// The connection is gone: so are the views and their loads.
    package func channelClosed(at now: Instant) {
        conversation.channelClosed(at: now)
    }

    /// The daemon ends the session, for a reason of its own.
    package func end(_ code: FaultCode, at now: Instant) {
        conversation.report(Fault(code), at: now)
        conversation.flush(at: &services.desk)
    }

    /// A brokered load ended.
    package func loadEnded(_ ticket: LoadTicket, _ outcome: LoadOutcome, at now: Instant) {
        conversation.loadEnded(ticket, outcome, at: now)
        conversation.flush(at: &services.desk)
    }

    /// A deadline may have passed.
    package func wake(at now: Instant) {
        conversation.wake(at: now)
        conversation.flush(at: &services.desk)
    }

    /// When the session wants to be woken.
    package var nextDeadline: Instant? { conversation.nextDeadline }
}
