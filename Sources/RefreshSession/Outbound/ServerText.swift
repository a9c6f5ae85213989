import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// The complete texts of infrequent messages. Source: docs/protocol.md, "Messages of the daemon".
enum ServerText {
    static let bye = Array(#"{"type":"bye"}"#.utf8)

    static func error(_ fault: Fault) -> [UInt8] {
        var out = ByteBuffer(capacity: 256)
        FaultEncoder.write(fault, to: &out)
        return out.bytes
    }

    static func diagnostic(_ diagnostic: Diagnostic, dropped: Int) -> [UInt8] {
        var out = ByteBuffer(capacity: 256)
        DiagnosticEncoder.write(diagnostic, dropped: dropped, to: &out)
        return out.bytes
    }

    static func draining(closesMs: Int) -> [UInt8] {
        object(type: "draining") { out in out.appendMember("closes", Double(closesMs)) }
    }

    static func pong(time: Double, now: Instant, ack: UInt64) -> [UInt8] {
        object(type: "pong") { out in
            out.appendMember("t", time)
            out.appendMember("time", now.milliseconds)
            out.appendMember("ack", Double(ack))
        }
    }

    static func load(_ order: LoadOrder, view: ViewID) -> [UInt8] {
        object(type: "load") { out in
            out.appendMember("view", view)
            out.appendMember("load", order.id)
            out.appendRequest(order)
            out.appendMember("attempt", order.attempt)
            out.appendMember("deadlineMs", order.deadlineMs)
        }
    }

    static func loadingBegan(_ order: LoadOrder, view: ViewID) -> [UInt8] {
        object(type: "loading") { out in
            out.appendMember("view", view)
            out.appendMember("load", order.id)
            out.appendMember("phase", "began")
            out.appendRequest(order)
            out.appendMember("attempt", order.attempt)
        }
    }

    static func loadingFailed(
        _ load: LoadID, _ kind: LoadKind, _ failure: LoadFailure, view: ViewID
    ) -> [UInt8] {
        object(type: "loading") { out in
            out.appendMember("view", view)
            out.appendMember("load", load)
            out.appendMember("kind", kind.rawValue)
            out.appendMember("phase", "failed")
            out.appendMember("code", failure.code.rawValue)
            out.appendMember("message", failure.message)
            out.appendMember("temporary", failure.isTemporary)
            if let delay = failure.retryAfterMs { out.appendMember("retryAfterMs", delay) }
        }
    }

    /// The message with the progress of a load, 0...1.
    static func loadingProgress(
        _ load: LoadID, _ kind: LoadKind, _ progress: Double, view: ViewID
    ) -> [UInt8] {
        object(type: "loading") { out in
            out.appendMember("view", view)
            out.appendMember("load", load.description)
            out.appendMember("kind", kind.rawValue)
            out.appendMember("phase", "progress")
            out.appendMember("progress", progress)
        }
    }

    /// The message which says that one attempt of a load has failed and another attempt follows.
    static func loadingRetries(
        _ load: LoadID, _ kind: LoadKind, attempt: Int, afterMs: Int, _ failure: LoadFailure,
        view: ViewID
    ) -> [UInt8] {
        object(type: "loading") { out in
            out.appendMember("view", view)
            out.appendMember("load", load.description)
            out.appendMember("kind", kind.rawValue)
            out.appendMember("phase", "retrying")
            out.appendMember("attempt", attempt)
            out.appendMember("afterMs", afterMs)
            out.appendMember("code", failure.code.rawValue)
            out.appendMember("message", failure.message)
        }
    }

    /// The message which says that a load was cancelled or timed out.
    static func loadingEnded(
        _ load: LoadID, _ kind: LoadKind, _ result: LoadResult, view: ViewID
    ) -> [UInt8] {
        object(type: "loading") { out in
            out.appendMember("view", view)
            out.appendMember("load", load)
            out.appendMember("kind", kind.rawValue)
            out.appendMember("phase", result.rawValue)
        }
    }

    /// The answer to a `refresh` message that arrives while the view already refreshes: the message
    /// joins the running refresh. `load` is the load of that refresh. It is nil while that refresh
    /// waits for the end of the other edge's load.
    static func loadingJoined(_ load: LoadID?, seq: UInt64?, view: ViewID) -> [UInt8] {
        object(type: "loading") { out in
            out.appendMember("view", view)
            if let load { out.appendMember("load", load) }
            out.appendMember("kind", LoadKind.refresh.rawValue)
            out.appendMember("phase", "joined")
            if let seq { out.appendMember("seq", Double(seq)) }
        }
    }

    /// The start of an `items` message. The array of items and a closing brace follow. `pages` is
    /// the number of pages if the load is a refresh at depth (docs/protocol.md, "Refresh at
    /// depth").
    static func itemsHead(
        _ load: LoadID, _ kind: LoadKind, _ page: Page, removed: Int, pages: Int? = nil,
        of slot: ViewSlot
    ) -> [UInt8] {
        let paging = slot.engine.paging
        let isFirst = kind == .refresh && !slot.engine.hasRandomAccess
        let place =
            isFirst
            ? (paging.firstPage, paging.firstOffset) : (paging.lastPage, paging.lastOffset)
        return itemsHead(
            load, mode: kind.mode(in: slot.engine), page, count: page.count - removed, place: place,
            pages: pages, removed: removed, of: slot)
    }

    /// The start of an `items` message with the mode `mode`. `place` is the number and the offset
    /// of its page.
    static func itemsHead(
        _ load: LoadID, mode: String, _ page: Page, count: Int, place: (page: Int, offset: Int),
        pages: Int? = nil, removed: Int = 0, of slot: ViewSlot
    ) -> [UInt8] {
        var text = object(type: "items") { out in
            out.appendMember("view", slot.id)
            out.appendMember("load", load)
            out.appendMember("mode", mode)
            out.appendMember("count", count)
            out.appendMember("page", place.page)
            out.appendMember("offset", place.offset)
            out.appendMember("more", slot.engine.paging.hasMore)
            if let total = page.total { out.appendMember("total", total) }
            if let cursor = page.cursor { out.appendMember("cursor", cursor) }
            if let pages { out.appendMember("pages", pages) }
            if removed > 0 { out.appendMember("removed", removed) }
        }
        text.removeLast()
        text.append(contentsOf: #","items":"#.utf8)
        return text
    }

    /// The message with the sealed snapshot of the session. `sealed` is nil if the snapshot is too
    /// large.
    static func snapshot(_ sealed: SealedText?, ack: UInt64) -> [UInt8] {
        object(type: "snapshot") { out in
            out.appendMember("ack", Double(ack))
            if let sealed {
                out.appendMember("expires", sealed.expiresMs)
                out.appendMember("sealed", sealed.text)
            } else {
                out.beginMember("sealed")
                out.append(literal: "null")
                out.appendMember("reason", "tooLarge")
            }
        }
    }

    static func object(type: String, _ members: (inout ByteBuffer) -> Void) -> [UInt8] {
        var out = ByteBuffer(capacity: 512)
        out.append(literal: #"{"type":"#)
        out.appendQuoted(type)
        members(&out)
        out.append(0x7D as UInt8)
        return out.bytes
    }
}

extension LoadKind {
    /// How the last accepted page changes the list. The first page replaces the list, whichever
    /// edge requested it. A reversed list grows at its beginning.
    fileprivate func mode(in engine: Engine) -> String {
        switch self {
        case .refresh: "replace"
        case .more where engine.paging.isAtFirstPage: "replace"
        case .more: engine.options.layout.isReversed ? "prepend" : "append"
        }
    }
}

extension ByteBuffer {
    /// Appends the members that describe the request of a load.
    fileprivate mutating func appendRequest(_ order: LoadOrder) {
        appendMember("kind", order.kind.rawValue)
        appendMember("trigger", order.trigger.rawValue)
        appendMember("cause", order.cause.rawValue)
        appendMember("page", order.page)
        appendMember("offset", order.offset)
        appendMember("size", order.size)
        if let cursor = order.cursor { appendMember("cursor", cursor) }
        if order.pages > 1 { appendMember("pages", order.pages) }
    }
}
