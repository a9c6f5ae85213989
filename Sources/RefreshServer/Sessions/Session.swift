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
    private let conversation: Owned<Conversation>

    package init(
        key: SessionKey, name: String, channel: any Channel, services: SessionServices,
        now: Instant
    ) {
        self.key = key
        self.name = name
        self.services = services
        self.conversation = Owned(
            Conversation(
                key: key, name: name, channel: channel, services: services, now: now))
    }

    /// A text frame came. Whether an update was sent in answer.
    @discardableResult
    package func receive(_ frame: Span<UInt8>, at now: Instant) -> Bool {
        conversation.value.receive(frame, at: &services.desk.value, now)
    }

    /// A binary frame came.
    package func receiveBinary(at now: Instant) {
        conversation.value.report(Fault(.binaryFrame), at: now)
        finish()
    }

    /// The channel takes frames again. Whether an update was sent.
    @discardableResult
    package func becameWritable(at now: Instant) -> Bool {
        conversation.value.flush(at: &services.desk.value)
    }

    /// The connection is gone: so are the views and their loads.
    package func channelClosed(at now: Instant) {
        conversation.value.channelClosed(at: now)
    }

    /// The daemon ends the session, for a reason of its own.
    package func end(_ code: FaultCode, at now: Instant) {
        conversation.value.report(Fault(code), at: now)
        finish()
    }

    /// A brokered load ended.
    package func loadEnded(_ ticket: LoadTicket, _ outcome: LoadOutcome, at now: Instant) {
        conversation.value.loadEnded(ticket, outcome, at: now)
        finish()
    }

    /// A deadline may have passed.
    package func wake(at now: Instant) {
        conversation.value.wake(at: now)
        finish()
    }

    /// When the session wants to be woken.
    package var nextDeadline: Instant? { conversation.value.nextDeadline() }

    private func finish() {
        conversation.value.flush(at: &services.desk.value)
    }
}
