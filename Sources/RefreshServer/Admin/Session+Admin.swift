import RefreshEngine
import RefreshProtocol

// The operators' view of a session.
extension Session {
    /// The session's observer; nil: none.
    var observer: SessionObserver? {
        get { conversation.value.observer }
        set { conversation.value.take(newValue) }
    }

    /// The client's connection, without the layers in front of it.
    var channel: any Channel { conversation.value.channel }

    /// Returns the session's row in the list of sessions.
    func row(at now: Instant) -> SessionRow {
        SessionRow(
            name: name, loop: key.loop, state: conversation.value.state,
            ageMs: Int((now.microseconds - conversation.value.openedAt.microseconds) / 1000),
            views: conversation.value.views.count, subject: conversation.value.principal.subject,
            peer: channel.peer)
    }

    /// Returns the full description of the session: one JSON object.
    func portrait(at now: Instant) -> [UInt8] {
        var text = ByteBuffer(capacity: 1024)
        text.append(0x7B as UInt8)
        row(at: now).write(to: &text)
        text.member("recorded", isRecorded)
        conversation.value.writePortrait(to: &text, at: now)
        text.append(0x7D as UInt8)
        return text.bytes
    }
}

extension Conversation {
    fileprivate var state: SessionRow.SessionState {
        switch phase.stage {
        case .silent, .greeting: .silent
        case .open: .open
        case .detached: .detached
        case .closing, .closed: .closing
        }
    }

    fileprivate func writePortrait(to text: inout ByteBuffer, at now: Instant) {
        text.member("frames", renderMode.settings.mode.rawValue)
        text.beginMember("ack")
        text.append(inbound.ack)
        text.member("queuedBytes", outbox.queuedBytes + outbox.halfSentBytes)
        text.member("heldBack", outbox.hasPausedReading)
        text.member("traced", observer?.isTraced ?? false)
        text.beginMember("views")
        text.append(0x5B as UInt8)
        for (index, view) in views.enumerated() {
            if index > 0 { text.append(0x2C as UInt8) }
            write(view, to: &text, at: now)
        }
        text.append(0x5D as UInt8)
    }

    private func write(_ view: ViewSlot, to text: inout ByteBuffer, at now: Instant) {
        let engine = view.engine
        text.append(literal: #"{"view":"#)
        text.appendQuoted(view.id)
        text.member("generation", Int(view.generation))
        text.member("profile", view.profile.rawValue)
        if let feed = view.feed { text.member("feed", feed.name) }
        if engine.options.has(.refresh) {
            text.member("refresh", engine.refresh.state.rawValue)
        }
        if engine.options.has(.loadMore) {
            text.member("loadMore", engine.loadMore.state.rawValue)
        }
        text.beginMember("insets")
        text.append(literal: #"{"refresh":"#)
        text.append(engine.insets.toldRefresh)
        text.member("loadMore", engine.insets.toldLoadMore)
        text.append(0x7D as UInt8)
        text.member("items", engine.paging.itemCount)
        text.member("hasMore", engine.paging.hasMore)
        text.beginMember("loads")
        text.append(0x5B as UInt8)
        for (index, order) in engine.loadsInFlight.enumerated() {
            text.append(literal: index == 0 ? #"{"kind":""# : #",{"kind":""#)
            text.append(order.kind.rawValue)
            text.append(0x22 as UInt8)
            text.member("load", order.id)
            text.member("attempt", order.attempt)
            if let ms = loadClock.ms(of: order.id, at: now) { text.member("ms", ms) }
            text.append(0x7D as UInt8)
        }
        text.append(literal: "]}")
    }
}
