package import RefreshBroker
package import RefreshProtocol

/// One client's session: a conversation, and its place on a loop.
///
/// Lives on one loop and is touched by that thread alone; each call runs to completion and never
/// waits. Neither the channel nor the dispatcher may call back from within a call to them.
///
/// It is a function of what its methods are given, of what it was opened with, and of what its channel
/// answers: nothing else may influence what it says. Its journal holds all of that.
package final class Session {
    package let key: SessionKey
    /// The session's name in logs and in `welcome`.
    package let name: String
    private let desk: SharedDesk
    let conversation: Owned<Conversation>
    let openedAt: Instant
    /// Nil without a journal, which must cost a message no more than the look at it.
    private let recorder: SessionRecorder?
    /// When its host will wake it; nil if nothing is due.
    var armed: Instant?

    /// `subject`: who the client is, where it is authenticated. With a `journal` everything that enters and leaves the session is written there.
    package init(
        key: SessionKey, name: String, subject: String? = nil, channel: any Channel,
        services: SessionServices, now: Instant, journal: (any JournalSink)? = nil
    ) {
        var channel = channel
        var services = services
        recorder = journal.map { journal in
            SessionRecorder(
                channel: channel, loads: services.loads, journal: journal,
                header: JournalHeader(
                    started: journal.started, at: now, session: name, key: key,
                    subject: subject, limits: services.limits, feeds: services.feeds,
                    indicators: services.indicators.configured))
        }
        if let recorder {
            channel = recorder
            services = services.reachingBroker(by: recorder)
        }
        self.key = key
        self.name = name
        openedAt = now
        self.desk = services.desk
        self.conversation = Owned(
            Conversation(
                key: key, name: name, subject: subject, channel: channel, services: services,
                now: now))
    }

    /// A text frame came. Whether an update was sent in answer.
    @discardableResult
    package func receive(_ frame: Span<UInt8>, at now: Instant) -> Bool {
        guard recorder == nil else { return receiveRecorded(frame, at: now) }
        return conversation.value.receive(frame, at: &desk.place.value, now)
    }

    /// A binary frame came.
    package func receiveBinary(at now: Instant) {
        recorder?.enters(.binary, at: now)
        conversation.value.receiveBinary(at: now)
        finish(at: now)
    }

    /// The channel takes frames again. Whether an update was sent.
    @discardableResult
    package func becameWritable(at now: Instant) -> Bool {
        recorder?.enters(.writable, at: now)
        return finish(at: now)
    }

    /// The connection is gone: so are the views and their loads.
    package func channelClosed(at now: Instant) {
        recorder?.enters(.closed, at: now)
        conversation.value.channelClosed(at: now)
        recorder?.end()
    }

    /// The daemon ends the session, for a reason of its own.
    package func end(_ code: FaultCode, at now: Instant) {
        recorder?.enters(.end(code), at: now)
        conversation.value.report(Fault(code), at: now)
        finish(at: now)
    }

    /// The broker tells of a load.
    package func loadNews(_ ticket: LoadTicket, _ news: LoadNews, at now: Instant) {
        recorder?.enters(.load(ticket.load, view: ticket.view, news), at: now)
        conversation.value.loadNews(ticket, news, at: now)
        finish(at: now)
    }

    /// A brokered load ended.
    package func loadEnded(_ ticket: LoadTicket, _ outcome: LoadOutcome, at now: Instant) {
        loadNews(ticket, .ended(outcome), at: now)
    }

    /// A feed has newer data.
    package func feedChanged(_ feed: String, at now: Instant) {
        guard conversation.value.hasViews(of: feed) else { return }
        recorder?.enters(.changed(feed: feed), at: now)
        conversation.value.feedChanged(feed, at: now)
        finish(at: now)
    }

    /// A deadline may have passed.
    package func wake(at now: Instant) {
        recorder?.enters(.wake, at: now)
        conversation.value.wake(at: now)
        finish(at: now)
    }

    /// When the session wants to be woken.
    package var nextDeadline: Instant? { conversation.value.nextDeadline() }

    /// Apart, so that it does not burden the path of those that are not recorded.
    @inline(never)
    private func receiveRecorded(_ frame: Span<UInt8>, at now: Instant) -> Bool {
        recorder?.enters(.frame(unsafe frame.withUnsafeBufferPointer { unsafe Array($0) }), at: now)
        let didSendUpdate = conversation.value.receive(frame, at: &desk.place.value, now)
        recorder?.handOver()
        return didSendUpdate
    }

    @discardableResult
    private func finish(at now: Instant) -> Bool {
        let didSendUpdate = conversation.value.flush(at: &desk.place.value, now)
        recorder?.handOver()
        return didSendUpdate
    }
}
