internal import RefreshBroker
internal import RefreshProtocol

extension BusMessage {
    /// The form on the bus; nil if its first line would be longer than
    /// `BusMessageLimits.headBytesMax`.
    package var bytes: [UInt8]? {
        var out = ByteBuffer(capacity: 512)
        out.append(literal: #"{"v":"#)
        out.append(Self.version)
        out.append(literal: #","type":"#)
        out.appendQuoted(content.type.rawValue)
        out.append(literal: #","from":"#)
        out.appendQuoted(sender.text)
        content.write(to: &out)
        out.append(UInt8(ascii: "}"))
        guard out.count <= BusMessageLimits.headBytesMax else { return nil }
        switch content {
        case .event(.page(let page, _), _):
            out.append(0x0A as UInt8)
            out.append(page.items)
        case .changed(let change, _):
            guard let items = change.items else { break }
            // An item can be nested more deeply than the first line.
            out.append(0x0A as UInt8)
            out.append(ItemChange.json(of: items))
        default: break
        }
        return out.bytes
    }
}

extension BusMessage.Content {
    fileprivate func write(to out: inout ByteBuffer) {
        switch self {
        case .state(let state): state.write(to: &out)
        case .leave: break
        case .changed(let change, let number):
            out.appendMember("feed", change.feed)
            out.appendMember("number", number)
            if let count = change.count.value { out.appendMember("count", Int(count)) }
            if change.isRepeated { out.append(literal: #","repeated":true"#) }
        case .counts(let counts, let number):
            out.appendMember("number", number)
            out.appendCounts("sessions", counts.sessions)
            out.appendCounts("connections", counts.connections)
            out.appendCounts("handshakes", counts.handshakes)
        case .load(let load, let number):
            out.appendMember("id", number)
            load.write(to: &out)
        case .cancel(let number): out.appendMember("id", number)
        case .event(let event, let number):
            out.appendMember("id", number)
            event.write(to: &out)
        case .list(let after, let number):
            out.appendMember("id", number)
            if let after { out.appendMember("after", after) }
        case .listed(let page, let number):
            out.appendMember("id", number)
            page.write(to: &out)
        case .watch(let selection, let number):
            out.appendMember("id", number)
            if let session = selection.session { out.appendMember("session", session) }
            if let feed = selection.feed { out.appendMember("feed", feed) }
        case .unwatch(let number): out.appendMember("id", number)
        case .watched(let events, let number):
            out.appendMember("id", number)
            out.appendList("events", events) { event, out in out.append(event) }
        }
    }
}

extension ByteBuffer {
    mutating func appendName(_ name: StaticString) {
        append(UInt8(ascii: ","))
        appendQuoted(literal: name)
        append(UInt8(ascii: ":"))
    }

    mutating func appendMember(_ name: StaticString, _ value: Int) {
        appendName(name)
        append(value)
    }

    mutating func appendMember(_ name: StaticString, _ value: UInt64) {
        appendName(name)
        append(value)
    }

    mutating func appendMember(_ name: StaticString, _ text: String) {
        appendName(name)
        appendQuoted(text)
    }

    /// Appends a time. A time above the limit is shortened.
    mutating func appendMember(_ name: StaticString, milliseconds: Int) {
        appendMember(name, min(max(0, milliseconds), BusMessageLimits.timeMsMax))
    }

    /// Appends a JSON array. `append` writes one element.
    mutating func appendList<Element>(
        _ name: StaticString, _ elements: [Element],
        _ append: (Element, inout ByteBuffer) -> Void
    ) {
        guard !elements.isEmpty else { return }
        appendName(name)
        self.append(UInt8(ascii: "["))
        var separator = MemberSeparator()
        for element in elements {
            separator.appendSeparator(to: &self)
            append(element, &self)
        }
        self.append(UInt8(ascii: "]"))
    }

    /// Appends counts, the largest first. Counts above the limit of a list are left out.
    fileprivate mutating func appendCounts(_ name: StaticString, _ counts: [CountKey: Int]) {
        let largest = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        appendList(name, Array(largest.prefix(BusMessageLimits.countsMax))) { entry, out in
            out.append(UInt8(ascii: "["))
            out.appendQuoted(NodeID(bits: entry.key.bits).text)
            out.append(UInt8(ascii: ","))
            out.append(min(max(1, entry.value), BusMessageLimits.countMax))
            out.append(UInt8(ascii: "]"))
        }
    }

    mutating func appendTexts(_ texts: [String]) {
        append(UInt8(ascii: "["))
        var separator = MemberSeparator()
        for text in texts {
            separator.appendSeparator(to: &self)
            appendQuoted(text)
        }
        append(UInt8(ascii: "]"))
    }
}

extension NodeState {
    fileprivate func write(to out: inout ByteBuffer) {
        out.appendMember("name", name)
        out.appendMember("version", version)
        out.appendMember("sessions", min(max(0, sessions), BusMessageLimits.integerMax))
        out.appendName("feeds")
        out.append(UInt8(ascii: "{"))
        var separator = MemberSeparator()
        for (feed, number) in changes.sorted(by: { $0.key < $1.key })
            .prefix(BusMessageLimits.feedsMax)
        {
            separator.appendSeparator(to: &out)
            out.appendQuoted(feed)
            out.append(UInt8(ascii: ":"))
            out.append(number)
        }
        out.append(UInt8(ascii: "}"))
        out.appendName("workers")
        out.appendTexts(Array(workers.prefix(BusMessageLimits.feedsMax)))
        if loads > 0 { out.appendMember("loads", loads) }
    }
}

extension AskedLoad {
    fileprivate func write(to out: inout ByteBuffer) {
        out.appendMember("deadlineMs", max(1, min(deadlineMs, BusMessageLimits.timeMsMax)))
        out.appendMember("kept", keptPages.rawValue)
        out.appendMember("key", idempotencyKey)
        out.appendName("request")
        out.append(UInt8(ascii: "{"))
        request.write(to: &out)
        out.append(UInt8(ascii: "}"))
        out.appendList("seen", seen) { change, out in
            out.append(UInt8(ascii: "["))
            out.appendQuoted(change.node.text)
            out.append(UInt8(ascii: ","))
            out.append(change.number)
            out.append(UInt8(ascii: "]"))
        }
    }
}

extension LoadRequest {
    fileprivate func write(to out: inout ByteBuffer) {
        out.appendQuoted(literal: "feed")
        out.append(UInt8(ascii: ":"))
        out.appendQuoted(feed)
        out.appendMember("kind", kind.rawValue)
        out.appendMember("trigger", trigger.rawValue)
        out.appendMember("page", page)
        out.appendMember("offset", offset)
        out.appendMember("size", size)
        if let cursor { out.appendMember("cursor", cursor) }
        out.appendList("parameters", parameters) { parameter, out in
            out.appendTexts(
                [parameter.name, parameter.value.type.rawValue, parameter.value.text])
        }
        out.appendList("headers", headers) { header, out in
            out.appendTexts([header.name, header.value])
        }
        if let subject { out.appendMember("subject", subject) }
    }
}

extension OwnerEvent {
    fileprivate func write(to out: inout ByteBuffer) {
        switch self {
        case .waiting: break
        case .progressed(let value):
            out.appendName("value")
            out.append(value.isFinite ? min(max(0, value), 1) : 0)
        case .retrying(let attempt, let afterMs, let failure):
            out.appendMember("attempt", min(max(1, attempt), BusMessageLimits.attemptMax))
            out.appendMember("afterMs", milliseconds: afterMs)
            failure.write(to: &out)
        case .page(let page, let lifetime):
            out.appendMember("count", page.count)
            if let more = page.more {
                out.appendName("more")
                out.append(more)
            }
            if let cursor = page.cursor { out.appendMember("cursor", cursor) }
            if let total = page.total { out.appendMember("total", total) }
            out.appendMember("freshMs", milliseconds: lifetime.freshMs)
            out.appendMember("coolDownMs", milliseconds: lifetime.coolDownMs)
            out.appendMember("ageMs", milliseconds: lifetime.ageMs)
        case .failed(let failure): failure.write(to: &out)
        case .refused(let refusal): out.appendMember("reason", refusal.rawValue)
        }
    }
}

extension LoadFailure {
    fileprivate func write(to out: inout ByteBuffer) {
        out.appendMember("code", code.rawValue)
        let scalars = message.unicodeScalars.prefix(BusMessageLimits.failureScalarsMax)
        out.appendMember("message", String(String.UnicodeScalarView(scalars)))
        if let retryAfterMs { out.appendMember("retryAfterMs", milliseconds: retryAfterMs) }
    }
}
