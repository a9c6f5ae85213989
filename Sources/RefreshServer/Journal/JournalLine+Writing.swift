internal import Foundation
internal import RefreshBroker
internal import RefreshIndicator
package import RefreshProtocol

extension JournalLine {
    /// Appends the line with its checksum and line break.
    package func write(to out: inout ByteBuffer) {
        var line = ByteBuffer(capacity: 256)
        writeMembers(to: &line)
        let bytes = line.bytes
        out.append(bytes)
        out.append(Self.sumMember)
        out.append(LineSum(bytes.span).text)
        out.append(literal: "\"}\n")
    }

    /// The line as one JSON object without its checksum, for people.
    package var text: String {
        var line = ByteBuffer(capacity: 256)
        writeMembers(to: &line)
        line.append(0x7D as UInt8)
        return String(decoding: line.bytes, as: UTF8.self)
    }

    /// Writes the object without its closing brace.
    private func writeMembers(to out: inout ByteBuffer) {
        switch self {
        case .header(let header): out.write(header)
        case .input(let at, let input):
            out.append(literal: #"{"at":"#)
            out.append(Int(at.microseconds))
            out.write(input)
        case .output(let output): out.write(output)
        case .end(let inputs, let outputs):
            out.append(literal: #"{"end":true"#)
            out.member("inputs", integer: inputs)
            out.member("outputs", integer: outputs)
        }
    }
}

extension ByteBuffer {
    fileprivate mutating func write(_ header: JournalHeader) {
        append(literal: #"{"journal":"#)
        appendQuoted(JournalHeader.format)
        member("server", header.server)
        member("started", header.started)
        member("at", integer: Int(header.at.microseconds))
        member("session", header.session)
        beginMember("key")
        append(0x5B as UInt8)
        append(Int(header.key.loop))
        append(0x2C as UInt8)
        append(Int(header.key.slot))
        append(0x2C as UInt8)
        append(Int(header.key.generation))
        append(0x5D as UInt8)
        if let subject = header.subject { member("subject", subject) }
        if let token = header.token { member("token", token.text) }
        if header.seals { member("seals", true) }
        beginMember("limits")
        for (index, entry) in Limits.recorded.enumerated() {
            append((index == 0 ? 0x7B : 0x2C) as UInt8)
            appendQuoted(entry.name)
            append(0x3A as UInt8)
            append(header.limits[keyPath: entry.path])
        }
        append(0x7D as UInt8)
        beginMember("feeds")
        list(header.feeds) { out, feed in
            out.append(literal: #"{"name":"#)
            out.appendQuoted(feed.name)
            out.beginMember("parameters")
            out.list(feed.parameters) { $0.write($1) }
            if !feed.forward.isEmpty {
                out.beginMember("forward")
                out.list(feed.forward.sorted()) { $0.appendQuoted($1) }
            }
            if let style = feed.style { out.member("style", style.rawValue) }
            if let first = feed.first { out.member("first", integer: first) }
            if let size = feed.size { out.member("size", integer: size) }
            if let key = feed.itemKey { out.member("itemKey", key.text) }
            out.append(0x7D as UInt8)
        }
        guard !header.indicators.isEmpty else { return }
        beginMember("indicators")
        list(header.indicators) { out, indicator in
            out.append(literal: #"{"name":"#)
            out.appendQuoted(indicator.name)
            out.beginMember("programme")
            indicator.programme.json.write(to: &out)
            out.append(0x7D as UInt8)
        }
    }

    private mutating func write(_ verdict: AdmissionVerdict) {
        member("result", verdict.result.rawValue)
        if let reason = verdict.reason { member("reason", reason) }
        guard case .admitted(let identity) = verdict else { return }
        if let subject = identity.subject { member("subject", subject) }
        if case .only(let feeds) = identity.feeds {
            beginMember("feeds")
            list(feeds) { $0.appendQuoted($1) }
        }
        if let expires = identity.expires {
            member("expires", integer: Int(expires.microseconds))
        }
    }

    fileprivate mutating func write(_ input: SessionInput) {
        beginMember("in")
        switch input {
        case .begun(let living):
            append(literal: #""begun""#)
            member("living", living.json)
        case .frame(let bytes):
            append(literal: #""frame","#)
            raw(bytes)
        case .binary: append(literal: #""binary""#)
        case .writable: append(literal: #""writable""#)
        case .channel(let isWritable):
            append(literal: #""channel""#)
            member("writable", isWritable)
        case .load(let load, let view, let news): write(news, of: load, view: view)
        case .changed(let feed):
            append(literal: #""changed""#)
            member("feed", feed)
        case .wake: append(literal: #""wake""#)
        case .held(let until):
            append(literal: #""held""#)
            member("until", integer: Int(until.microseconds))
        case .end(let code):
            append(literal: #""end""#)
            member("code", code.rawValue)
        case .draining(let closesMs):
            append(literal: #""draining""#)
            member("closes", integer: closesMs)
        case .known(let verdict):
            append(literal: #""known""#)
            write(verdict)
        case .identified(let verdict):
            append(literal: #""identified""#)
            write(verdict)
        case .lost: append(literal: #""lost""#)
        case .resumed(let arrival, let token): write(arrival, token)
        case .refused(let refusal):
            append(literal: #""refused""#)
            member("reason", refusal.rawValue)
        case .rebuilt(let snapshot):
            append(literal: #""rebuilt""#)
            member("snapshot", snapshot.json)
        case .sealed(let sealed):
            append(literal: #""sealed""#)
            guard let sealed else { return }
            member("sealed", sealed.text)
            member("expires", integer: sealed.expiresMs)
        case .left: append(literal: #""left""#)
        case .closed: append(literal: #""closed""#)
        }
    }

    private mutating func write(_ news: LoadEvent, of load: LoadID, view: ViewID) {
        switch news {
        case .ended: append(literal: #""load""#)
        case .progressed: append(literal: #""progress""#)
        case .retrying: append(literal: #""retrying""#)
        }
        member("load", load.description)
        member("view", view)
        write(news)
    }

    private mutating func write(_ arrival: ResumeHandshake, _ token: ResumeToken?) {
        append(literal: #""resumed""#)
        if let token { member("token", token.text) }
        beginMember("hello")
        object(arrival.text)
        beginMember("held")
        list(arrival.held) { $0.object($1) }
    }

    /// Writes an object of unchanged bytes.
    private mutating func object(_ bytes: [UInt8]) {
        append(0x7B as UInt8)
        raw(bytes)
        append(0x7D as UInt8)
    }

    private mutating func write(_ parameter: FeedParameter) {
        guard parameter.type != .text else { return appendQuoted(parameter.name) }
        append(literal: #"{"name":"#)
        appendQuoted(parameter.name)
        member("type", parameter.type.rawValue)
        append(0x7D as UInt8)
    }

    private mutating func write(_ news: LoadEvent) {
        switch news {
        case .ended(let outcome): write(outcome)
        case .progressed(let progress): member("progress", progress)
        case .retrying(let attempt, let afterMs, let failure):
            member("attempt", integer: attempt)
            member("afterMs", integer: afterMs)
            write(failure)
        }
    }

    private mutating func write(_ failure: LoadFailure) {
        member("code", failure.code.rawValue)
        member("message", failure.message)
        if let delay = failure.retryAfterMs { member("retryAfterMs", integer: delay) }
    }

    private mutating func write(_ keys: ItemKeys) {
        beginMember("keys")
        list(keys.hashes) { out, hash in
            guard let hash else { return out.append(literal: "null") }
            let digits = String(hash, radix: 16)
            out.appendQuoted(String(repeating: "0", count: 16 - digits.count) + digits)
        }
    }

    private mutating func write(_ outcome: LoadOutcome) {
        switch outcome {
        case .page(let page):
            member("outcome", "page")
            beginMember("items")
            append(0x7B as UInt8)
            raw(page.items)
            append(0x7D as UInt8)
            member("count", integer: page.count)
            if let more = page.more { member("more", more) }
            if let cursor = page.cursor { member("cursor", cursor) }
            if let total = page.total { member("total", integer: total) }
            if let keys = page.itemKeys { write(keys) }
        case .failed(let failure):
            member("outcome", "failed")
            write(failure)
        case .cancelled: member("outcome", "cancelled")
        case .timedOut: member("outcome", "timedOut")
        }
    }

    fileprivate mutating func write(_ output: JournalOutput) {
        append(literal: #"{"out":"#)
        switch output {
        case .frame(let bytes):
            append(literal: #""frame","#)
            raw(bytes)
        case .wait: append(literal: #""wait""#)
        case .close(let code, let reason):
            append(literal: #""close""#)
            member("code", integer: Int(code))
            member("reason", reason)
        case .identify: append(literal: #""identify""#)
        case .resume(let session):
            append(literal: #""resume""#)
            member("session", session)
        case .start(let load, let view, let wish, let deadlineMs):
            append(literal: #""start""#)
            member("load", load.description)
            member("view", view)
            write(wish)
            member("deadlineMs", integer: deadlineMs)
        case .cancel(let load, let view, let reason):
            append(literal: #""cancel""#)
            member("load", load.description)
            member("view", view)
            if reason == .outOfTime { member("timedOut", true) }
        }
    }

    private mutating func write(_ wish: BrokerRequest) {
        let request = wish.request
        member("feed", request.feed)
        member("kind", request.kind.rawValue)
        member("trigger", request.trigger.rawValue)
        member("page", integer: request.page)
        member("offset", integer: request.offset)
        member("size", integer: request.size)
        if let cursor = request.cursor { member("cursor", cursor) }
        beginMember("parameters")
        list(request.parameters) { out, parameter in
            let type = parameter.value.type
            out.list(
                [parameter.name, parameter.value.text] + (type == .text ? [] : [type.rawValue])
            ) { $0.appendQuoted($1) }
        }
        if !request.headers.isEmpty {
            beginMember("headers")
            list(request.headers) { out, header in
                out.list([header.name, header.value]) { $0.appendQuoted($1) }
            }
        }
        if let subject = request.subject { member("subject", subject) }
        member("key", wish.idempotencyKey)
        if wish.keptPages != .any { member("takes", wish.keptPages.rawValue) }
    }

    /// Writes the member of unchanged bytes: as text if they are valid UTF-8.
    private mutating func raw(_ bytes: [UInt8]) {
        if let text = String(validating: bytes, as: UTF8.self) {
            append(literal: #""text":"#)
            appendQuoted(text)
        } else {
            append(literal: #""base64":"#)
            appendQuoted(Data(bytes).base64EncodedString())
        }
    }

    fileprivate mutating func member(_ name: StaticString, integer value: Int) {
        beginMember(name)
        append(value)
    }

    private mutating func list<Element>(
        _ values: [Element], _ write: (inout ByteBuffer, Element) -> Void
    ) {
        append(0x5B as UInt8)
        for (index, value) in values.enumerated() {
            if index > 0 { append(0x2C as UInt8) }
            write(&self, value)
        }
        append(0x5D as UInt8)
    }
}
