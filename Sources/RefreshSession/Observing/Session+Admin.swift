import RefreshEngine
package import RefreshProtocol

// The properties of a session that operators can see.
extension Session {
    /// The session's observer; nil if there is none.
    package var observer: SessionObserver? {
        get { conversation.value.observer }
        set { conversation.value.setObserver(newValue) }
    }

    /// The client's channel, or the recorder through which the session uses this channel.
    package var channel: any Channel { conversation.value.channel }

    /// Returns the session's row in the list of sessions.
    package func row(at now: Instant) -> SessionRow {
        SessionRow(
            name: name, loop: key.loop, state: conversation.value.state,
            ageMs: Int((now.microseconds - conversation.value.openedAt.microseconds) / 1000),
            views: conversation.value.views.count, subject: conversation.value.principal.subject,
            peer: channel.peer)
    }

    /// Returns the full description of the session: one JSON object.
    package func detailsJSON(at now: Instant) -> [UInt8] {
        var text = ByteBuffer(capacity: 1024)
        text.append(0x7B as UInt8)
        row(at: now).write(to: &text)
        text.appendMember("recorded", isRecorded)
        conversation.value.writeDetails(to: &text, at: now)
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

    fileprivate func writeDetails(to text: inout ByteBuffer, at now: Instant) {
        text.appendMember("frames", renderMode.settings.mode.rawValue)
        text.beginMember("ack")
        text.append(inbound.ack)
        text.appendMember("queuedBytes", outbox.queuedBytes + outbox.halfSentBytes)
        text.appendMember("heldBack", outbox.hasPausedReading)
        text.appendMember("traced", observer?.isTraced ?? false)
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
        text.appendMember("generation", Int(view.generation))
        text.appendMember("profile", view.profile.rawValue)
        if let feed = view.feed { text.appendMember("feed", feed.name) }
        if engine.options.hasEdge(.refresh) {
            text.appendMember("refresh", engine.refresh.phase.state.rawValue)
        }
        if engine.options.hasEdge(.loadMore) {
            text.appendMember("loadMore", engine.loadMore.phase.state.rawValue)
        }
        text.beginMember("insets")
        text.append(literal: #"{"refresh":"#)
        text.append(engine.insets.sentStart)
        text.appendMember("loadMore", engine.insets.sentEnd)
        text.append(0x7D as UInt8)
        text.appendMember("items", engine.paging.itemCount)
        text.appendMember("hasMore", engine.paging.hasMore)
        text.beginMember("loads")
        text.append(0x5B as UInt8)
        for (index, order) in engine.loadsInFlight.enumerated() {
            text.append(literal: index == 0 ? #"{"kind":""# : #",{"kind":""#)
            text.append(order.kind.rawValue)
            text.append(0x22 as UInt8)
            text.appendMember("load", order.id)
            text.appendMember("attempt", order.attempt)
            if let ms = loadStartTimes.elapsedMs(of: order.id, at: now) {
                text.appendMember("ms", ms)
            }
            text.append(0x7D as UInt8)
        }
        text.append(literal: "]}")
    }
}
