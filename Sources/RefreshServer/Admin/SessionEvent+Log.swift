import RefreshProtocol
internal import RefreshSession

/// The log entries of events, for the trace of a session.
extension SessionEvent {
    func write(to log: DaemonLog) { log(message, values) }

    private var message: LogMessage {
        switch kind {
        case .opened: .traceOpened
        case .greeted: .traceGreeted
        case .attached: .traceAttached
        case .received: .traceReceived
        case .transition: .traceTransition
        case .loadBegan: .traceLoadBegan
        case .loadEnded: .traceLoadEnded
        case .fault: .traceFault
        case .detached: .traceDetached
        case .resumed: .traceResumed
        case .closed: .traceClosed
        }
    }

    private var values: [LogKey: String] {
        var values: [LogKey: String] = [.session: session]
        values[.view] = view?.text
        values[.feed] = feed
        switch kind {
        case .opened(let loop, let peer):
            values[.loop] = String(loop)
            values[.peer] = peer
        case .greeted(let client, let frames, let subject):
            values[.client] = client
            values[.frames] = frames.rawValue
            values[.subject] = subject
        case .received(let type, let seq):
            values[.type] = type.rawValue
            values[.seq] = seq.map { String($0) }
        case .transition(let edge, let from, let to, let cause):
            values[.edge] = edge.rawValue
            values[.from] = from?.rawValue
            values[.to] = to.rawValue
            values[.cause] = cause?.rawValue
        case .loadBegan(let load, let kind):
            values[.load] = load.text
            values[.kind] = kind.rawValue
        case .loadEnded(let load, let kind, let result, let ms):
            values[.load] = load.text
            values[.kind] = kind.rawValue
            values[.result] = result.rawValue
            values[.milliseconds] = ms.map { String($0) }
        case .fault(let code, let seq):
            values[.code] = code.rawValue
            values[.seq] = seq.map { String($0) }
        case .detached(let code), .closed(let code):
            values[.code] = code.map { String($0.rawValue) }
        case .attached, .resumed: break
        }
        return values
    }
}

extension ViewID {
    /// The name of the view as text.
    fileprivate var text: String {
        var bytes: [UInt8] = []
        forEachByte { bytes.append($0) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension LoadID {
    /// The identifier of the load, as messages contain it.
    fileprivate var text: String { "\(generation).\(number)" }
}

extension SessionServices {
    /// Writes a log line for each list that ends because its cursor does not advance.
    func logStalledCursors(to log: DaemonLog) {
        onStalledCursor = { feed, session in
            log(.cursorStalled, [.feed: feed, .session: session])
        }
    }
}
