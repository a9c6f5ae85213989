import RefreshProtocol

// The servers that break a rule by changing the frames between the network and the daemon.
extension ServerVariant {
    /// The frame that the daemon receives in place of the client's frame.
    func received(_ frame: [UInt8]) -> [UInt8] {
        switch self {
        case .ignoresDepth, .ignoresAnchors, .ignoresQueries:
            changed(frame) { [receivedMessage($0)] }
        default: frame
        }
    }

    /// The frame that the client receives in place of the daemon's frame.
    func sent(_ frame: [UInt8]) -> [UInt8] {
        switch self {
        case .losesItems, .emptiesListOnError: changed(frame) { sentMessages($0) }
        default: frame
        }
    }

    private func changed(_ frame: [UInt8], _ change: (JSONValue) -> [JSONValue]) -> [UInt8] {
        guard let value = try? JSONValue(parsing: frame) else { return frame }
        let messages = (value.array ?? [value]).flatMap(change)
        return Array(JSONValue.array(messages).text.utf8)
    }

    private func receivedMessage(_ message: JSONValue) -> JSONValue {
        var message = message
        switch (self, message["type"]?.string) {
        case (_, "hello"):
            guard let views = message["views"]?.array else { return message }
            message["views"] = .array(views.map(receivedBody))
        case (_, "attach"): message = receivedBody(message)
        case (.ignoresDepth, "configure"): message = receivedBody(message)
        case (.ignoresAnchors, "geometry"): message["anchor"] = nil
        case (.ignoresQueries, "configure"): message["parameters"] = nil
        default: break
        }
        return message
    }

    private func receivedBody(_ body: JSONValue) -> JSONValue {
        guard self == .ignoresDepth, var top = body["top"] else { return body }
        var body = body
        top["depth"] = nil
        body["top"] = top
        return body
    }

    private func sentMessages(_ message: JSONValue) -> [JSONValue] {
        var message = message
        switch (self, message["type"]?.string) {
        case (.losesItems, "items"):
            guard message["pages"] != nil, let items = message["items"]?.array, items.count > 1
            else { break }
            message["items"] = .array(items.dropLast())
            message["count"] = .number(Double(items.count - 1))
        case (.emptiesListOnError, "loading"):
            guard let view = message["view"], let phase = message["phase"]?.string,
                phase == "failed" || phase == "timedOut"
            else { break }
            let list = JSONValue.object([.init("count", .number(0)), .init("more", .bool(true))])
            return [
                message,
                .object([
                    .init("type", .string("update")), .init("view", view), .init("list", list),
                ]),
            ]
        default: break
        }
        return [message]
    }
}
