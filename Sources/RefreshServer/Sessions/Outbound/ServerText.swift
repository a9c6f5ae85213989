import RefreshBroker
import RefreshEngine
import RefreshProtocol

/// The messages that a session sends rarely, as complete texts. Source: docs/protocol.md, "What the
/// daemon says".
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
        object(type: "draining") { out in out.member("closes", Double(closesMs)) }
    }

    static func pong(time: Double, now: Instant, ack: UInt64) -> [UInt8] {
        object(type: "pong") { out in
            out.member("t", time)
            out.member("time", now.milliseconds)
            out.member("ack", Double(ack))
        }
    }

    static func load(_ order: LoadOrder, view: ViewID) -> [UInt8] {
        object(type: "load") { out in
            out.member("view", view)
            out.member("load", order.id)
            out.request(order)
            out.member("attempt", order.attempt)
            out.member("deadlineMs", order.deadlineMs)
        }
    }

    static func loadingBegan(_ order: LoadOrder, view: ViewID) -> [UInt8] {
        object(type: "loading") { out in
            out.member("view", view)
            out.member("load", order.id)
            out.member("phase", "began")
            out.request(order)
            out.member("attempt", order.attempt)
        }
    }

    static func loadingFailed(
        _ load: LoadID, _ kind: LoadKind, _ failure: LoadFailure, view: ViewID
    ) -> [UInt8] {
        object(type: "loading") { out in
            out.member("view", view)
            out.member("load", load)
            out.member("kind", kind.rawValue)
            out.member("phase", "failed")
            out.member("code", failure.code.rawValue)
            out.member("message", failure.message)
            out.member("temporary", failure.isTemporary)
            if let delay = failure.retryAfterMs { out.member("retryAfterMs", delay) }
        }
    }

    /// The progress of a load, 0...1.
    static func loadingProgress(
        _ load: LoadID, _ kind: LoadKind, _ progress: Double, view: ViewID
    ) -> [UInt8] {
        object(type: "loading") { out in
            out.member("view", view)
            out.member("load", load.description)
            out.member("kind", kind.rawValue)
            out.member("phase", "progress")
            out.member("progress", progress)
        }
    }

    /// One attempt of a load has failed, and another one follows.
    static func loadingRetries(
        _ load: LoadID, _ kind: LoadKind, attempt: Int, afterMs: Int, _ failure: LoadFailure,
        view: ViewID
    ) -> [UInt8] {
        object(type: "loading") { out in
            out.member("view", view)
            out.member("load", load.description)
            out.member("kind", kind.rawValue)
            out.member("phase", "retrying")
            out.member("attempt", attempt)
            out.member("afterMs", afterMs)
            out.member("code", failure.code.rawValue)
            out.member("message", failure.message)
        }
    }

    /// The end of a load that was cancelled or timed out.
    static func loadingEnded(
        _ load: LoadID, _ kind: LoadKind, _ result: LoadResult, view: ViewID
    ) -> [UInt8] {
        object(type: "loading") { out in
            out.member("view", view)
            out.member("load", load)
            out.member("kind", kind.rawValue)
            out.member("phase", result.rawValue)
        }
    }

    /// An `items` message up to its array. The array and a closing brace follow.
    static func itemsHead(
        _ load: LoadID, _ kind: LoadKind, _ page: Page, removed: Int, of slot: ViewSlot
    ) -> [UInt8] {
        var text = object(type: "items") { out in
            out.member("view", slot.id)
            out.member("load", load)
            out.member("mode", kind.mode(in: slot.engine))
            out.member("count", page.count - removed)
            out.member("page", slot.engine.paging.lastPage)
            out.member("offset", slot.engine.paging.lastOffset)
            out.member("more", slot.engine.paging.hasMore)
            if let total = page.total { out.member("total", total) }
            if let cursor = page.cursor { out.member("cursor", cursor) }
            if removed > 0 { out.member("removed", removed) }
        }
        text.removeLast()
        text.append(contentsOf: #","items":"#.utf8)
        return text
    }

    /// The sealed snapshot of the session; nil if it is too large.
    static func snapshot(_ sealed: SealedText?, ack: UInt64) -> [UInt8] {
        object(type: "snapshot") { out in
            out.member("ack", Double(ack))
            if let sealed {
                out.member("expires", sealed.expiresMs)
                out.member("sealed", sealed.text)
            } else {
                out.beginMember("sealed")
                out.append(literal: "null")
                out.member("reason", "tooLarge")
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
    /// How the items of the page accepted last change the list. The first page begins the list,
    /// whichever edge requested it. A reversed list grows at its beginning.
    fileprivate func mode(in engine: Engine) -> String {
        switch self {
        case .refresh: "replace"
        case .more where engine.paging.isAtFirstPage: "replace"
        case .more: engine.options.layout.isReversed ? "prepend" : "append"
        }
    }
}

extension ByteBuffer {
    /// Appends what a load requests.
    fileprivate mutating func request(_ order: LoadOrder) {
        member("kind", order.kind.rawValue)
        member("trigger", order.trigger.rawValue)
        member("cause", order.cause.rawValue)
        member("page", order.page)
        member("offset", order.offset)
        member("size", order.size)
        if let cursor = order.cursor { member("cursor", cursor) }
    }
}
