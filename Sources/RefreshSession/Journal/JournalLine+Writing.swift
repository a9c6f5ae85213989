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
        case .output(let output):
            out.append(literal: #"{"out":"#)
            out.write(output)
        case .observed(let at, let output):
            out.append(literal: #"{"at":"#)
            out.append(Int(at.microseconds))
            out.beginMember("out")
            out.write(output)
        case .end(let inputs, let outputs):
            out.append(literal: #"{"end":true"#)
            out.appendMember("inputs", integer: inputs)
            out.appendMember("outputs", integer: outputs)
        }
    }
}

extension ByteBuffer {
    fileprivate mutating func write(_ header: JournalHeader) {
        append(literal: #"{"journal":"#)
        appendQuoted(JournalHeader.format)
        appendMember("server", header.server)
        appendMember("started", header.started)
        appendMember("at", integer: Int(header.at.microseconds))
        appendMember("session", header.session)
        beginMember("key")
        append(0x5B as UInt8)
        append(Int(header.key.loop))
        append(0x2C as UInt8)
        append(Int(header.key.slot))
        append(0x2C as UInt8)
        append(Int(header.key.generation))
        append(0x5D as UInt8)
        if let subject = header.subject { appendMember("subject", subject) }
        if let token = header.token { appendMember("token", token.text) }
        if header.seals { appendMember("seals", true) }
        appendLimits(header.limits)
        beginMember("feeds")
        appendList(header.feeds) { out, feed in
            out.append(literal: #"{"name":"#)
            out.appendQuoted(feed.name)
            out.beginMember("parameters")
            out.appendList(feed.parameters) { $0.write($1) }
            if !feed.forward.isEmpty {
                out.beginMember("forward")
                out.appendList(feed.forward.sorted()) { $0.appendQuoted($1) }
            }
            if let style = feed.style { out.appendMember("style", style.rawValue) }
            if let first = feed.first { out.appendMember("first", integer: first) }
            if let size = feed.size { out.appendMember("size", integer: size) }
            if let key = feed.itemKey { out.appendMember("itemKey", key.text) }
            if let key = feed.sectionKey { out.appendMember("sectionKey", key.text) }
            if feed.keepsPages { out.appendMember("keepsPages", true) }
            if feed.debounceMs > 0 { out.appendMember("debounceMs", integer: feed.debounceMs) }
            if !feed.edits.isEmpty {
                out.beginMember("edits")
                out.appendList(feed.edits.map(\.rawValue).sorted()) { $0.appendQuoted($1) }
            }
            out.append(0x7D as UInt8)
        }
        if let recorder = header.recorder {
            beginMember("recorder")
            append(literal: #"{"program":"#)
            appendQuoted(recorder.program)
            appendMember("url", recorder.url)
            appendMember("connection", integer: recorder.connection)
            append(0x7D as UInt8)
        }
        guard !header.indicators.isEmpty else { return }
        beginMember("indicators")
        appendList(header.indicators) { out, indicator in
            out.append(literal: #"{"name":"#)
            out.appendQuoted(indicator.name)
            out.beginMember("programme")
            indicator.programme.json.write(to: &out)
            out.append(0x7D as UInt8)
        }
    }

    /// Appends the limits. Journals of older daemons lack the limits of features
    /// (`Limits.tableOfFeatures`). A limit of a feature is therefore written only if it differs
    /// from its default.
    private mutating func appendLimits(_ limits: Limits) {
        let usual = Limits()
        let features = Set(Limits.tableOfFeatures.map(\.name))
        let written = Limits.recorded.filter {
            !features.contains($0.name) || limits[keyPath: $0.path] != usual[keyPath: $0.path]
        }
        beginMember("limits")
        for (index, entry) in written.enumerated() {
            append((index == 0 ? 0x7B : 0x2C) as UInt8)
            appendQuoted(entry.name)
            append(0x3A as UInt8)
            append(limits[keyPath: entry.path])
        }
        append(0x7D as UInt8)
    }

    private mutating func write(_ verdict: AdmissionVerdict) {
        appendMember("result", verdict.result.rawValue)
        if let reason = verdict.reason { appendMember("reason", reason) }
        guard case .admitted(let identity) = verdict else { return }
        if let subject = identity.subject { appendMember("subject", subject) }
        if case .only(let feeds) = identity.feeds {
            beginMember("feeds")
            appendList(feeds) { $0.appendQuoted($1) }
        }
        if let expires = identity.expires {
            appendMember("expires", integer: Int(expires.microseconds))
        }
    }

    fileprivate mutating func write(_ input: SessionInput) {
        beginMember("in")
        switch input {
        case .begun(let checkpoint):
            append(literal: #""begun""#)
            appendMember("living", checkpoint.json)
        case .frame(let bytes):
            append(literal: #""frame","#)
            appendRaw(bytes)
        case .binary: append(literal: #""binary""#)
        case .writable: append(literal: #""writable""#)
        case .channel(let isWritable):
            append(literal: #""channel""#)
            appendMember("writable", isWritable)
        case .load(let load, let view, let event): write(event, of: load, view: view)
        case .changed(let feed, let start, let count, let items):
            append(literal: #""changed""#)
            appendMember("feed", feed)
            if let start { appendMember("refresh", integer: Int(start.microseconds)) }
            if let count = count.value { appendMember("count", integer: Int(count)) }
            if let items { append(items) }
        case .edited(let view, let edit, let outcome, let change):
            writeEdited(view, edit, outcome, change)
        case .wake: append(literal: #""wake""#)
        case .held(let until):
            append(literal: #""held""#)
            appendMember("until", integer: Int(until.microseconds))
        case .end(let code):
            append(literal: #""end""#)
            appendMember("code", code.rawValue)
        case .draining(let closesMs):
            append(literal: #""draining""#)
            appendMember("closes", integer: closesMs)
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
            appendMember("reason", refusal.rawValue)
        case .rebuilt(let snapshot):
            append(literal: #""rebuilt""#)
            appendMember("snapshot", snapshot.json)
        case .sealed(let sealed):
            append(literal: #""sealed""#)
            guard let sealed else { return }
            appendMember("sealed", sealed.text)
            appendMember("expires", integer: sealed.expiresMs)
        case .left: append(literal: #""left""#)
        case .closed: append(literal: #""closed""#)
        }
    }

    private mutating func write(_ event: LoadEvent, of load: LoadID, view: ViewID) {
        switch event {
        case .ended: append(literal: #""load""#)
        case .progressed: append(literal: #""progress""#)
        case .retrying: append(literal: #""retrying""#)
        case .lookUpEnded: append(literal: #""lookUp""#)
        }
        appendMember("load", load.description)
        appendMember("view", view)
        write(event)
    }

    private mutating func write(_ arrival: ResumeHandshake, _ token: ResumeToken?) {
        append(literal: #""resumed""#)
        if let token { appendMember("token", token.text) }
        beginMember("hello")
        appendObject(arrival.text)
        beginMember("held")
        appendList(arrival.held) { $0.appendObject($1) }
    }

    /// Writes an object with one member that contains the unchanged bytes.
    private mutating func appendObject(_ bytes: [UInt8]) {
        append(0x7B as UInt8)
        appendRaw(bytes)
        append(0x7D as UInt8)
    }

    private mutating func write(_ parameter: FeedParameter) {
        guard parameter.type != .text else { return appendQuoted(parameter.name) }
        append(literal: #"{"name":"#)
        appendQuoted(parameter.name)
        appendMember("type", parameter.type.rawValue)
        append(0x7D as UInt8)
    }

    private mutating func write(_ event: LoadEvent) {
        switch event {
        case .ended(let outcome): write(outcome)
        case .progressed(let progress): appendMember("progress", progress)
        case .retrying(let attempt, let afterMs, let failure):
            appendMember("attempt", integer: attempt)
            appendMember("afterMs", integer: afterMs)
            write(failure)
        case .lookUpEnded(let found):
            guard let found else { return }
            write(found.page)
            appendMember("ageMs", integer: found.ageMs)
            appendMember("fresh", found.isFresh)
        }
    }

    private mutating func write(_ page: Page) {
        beginMember("items")
        append(0x7B as UInt8)
        appendRaw(page.items)
        append(0x7D as UInt8)
        appendMember("count", integer: page.count)
        if let more = page.more { appendMember("more", more) }
        if let cursor = page.cursor { appendMember("cursor", cursor) }
        if let total = page.total { appendMember("total", integer: total) }
        if let parts = page.parts {
            appendMember("pages", integer: parts.pages)
            appendMember("lastCount", integer: parts.lastCount)
            appendMember("skipped", integer: parts.skipped)
        }
        if let keys = page.itemKeys {
            write(keys.hashes, as: "keys")
            if let list = keys.list { write(list.contents, as: "contents") }
        }
    }

    private mutating func write(_ failure: LoadFailure) {
        appendMember("code", failure.code.rawValue)
        appendMember("message", failure.message)
        if let delay = failure.retryAfterMs { appendMember("retryAfterMs", integer: delay) }
    }

    private mutating func write(_ hashes: [UInt64?], as name: StaticString) {
        beginMember(name)
        appendList(hashes) { out, hash in
            guard let hash else { return out.append(literal: "null") }
            let digits = String(hash, radix: 16)
            out.appendQuoted(String(repeating: "0", count: 16 - digits.count) + digits)
        }
    }

    private mutating func write(_ outcome: LoadOutcome) {
        switch outcome {
        case .page(let page):
            appendMember("outcome", "page")
            write(page)
        case .failed(let failure):
            appendMember("outcome", "failed")
            write(failure)
        case .cancelled: appendMember("outcome", "cancelled")
        case .timedOut: appendMember("outcome", "timedOut")
        }
    }

    fileprivate mutating func write(_ output: JournalOutput) {
        switch output {
        case .frame(let bytes):
            append(literal: #""frame","#)
            appendRaw(bytes)
        case .wait: append(literal: #""wait""#)
        case .close(let code, let reason):
            append(literal: #""close""#)
            appendMember("code", integer: Int(code))
            appendMember("reason", reason)
        case .identify: append(literal: #""identify""#)
        case .resume(let session):
            append(literal: #""resume""#)
            appendMember("session", session)
        case .start(let load, let view, let brokerRequest, let deadlineMs):
            append(literal: #""start""#)
            appendMember("load", load.description)
            appendMember("view", view)
            write(brokerRequest)
            appendMember("deadlineMs", integer: deadlineMs)
        case .edit(let view, let edit, let key, let operation, let deadlineMs):
            append(literal: #""edit""#)
            appendMember("view", integer: Int(view))
            appendMember("edit", edit)
            appendMember("key", key)
            appendMember("operation", String(decoding: operation, as: UTF8.self))
            appendMember("deadlineMs", integer: deadlineMs)
        case .cancel(let load, let view, let reason):
            append(literal: #""cancel""#)
            appendMember("load", load.description)
            appendMember("view", view)
            if reason == .outOfTime { appendMember("timedOut", true) }
        }
    }

    private mutating func write(_ brokerRequest: BrokerRequest) {
        let request = brokerRequest.request
        appendMember("feed", request.feed)
        appendMember("kind", request.kind.rawValue)
        appendMember("trigger", request.trigger.rawValue)
        appendMember("page", integer: request.page)
        appendMember("offset", integer: request.offset)
        appendMember("size", integer: request.size)
        if let cursor = request.cursor { appendMember("cursor", cursor) }
        beginMember("parameters")
        appendList(request.parameters) { out, parameter in
            let type = parameter.value.type
            out.appendList(
                [parameter.name, parameter.value.text] + (type == .text ? [] : [type.rawValue])
            ) { $0.appendQuoted($1) }
        }
        if !request.headers.isEmpty {
            beginMember("headers")
            appendList(request.headers) { out, header in
                out.appendList([header.name, header.value]) { $0.appendQuoted($1) }
            }
        }
        if let subject = request.subject { appendMember("subject", subject) }
        appendMember("key", brokerRequest.idempotencyKey)
        if brokerRequest.keptPages != .any {
            appendMember("takes", brokerRequest.keptPages.rawValue)
        }
        if brokerRequest.isLookUp { appendMember("lookUp", true) }
        if let series = brokerRequest.series {
            appendMember("pages", integer: series.count)
            appendMember("skipped", integer: series.skipped)
            appendMember("style", series.style.rawValue)
        }
    }

    /// Writes a member with the unchanged bytes. Its name is `text` if the bytes are valid UTF-8,
    /// and `base64` if they are not.
    private mutating func appendRaw(_ bytes: [UInt8]) {
        if let text = String(validating: bytes, as: UTF8.self) {
            append(literal: #""text":"#)
            appendQuoted(text)
        } else {
            append(literal: #""base64":"#)
            appendQuoted(Data(bytes).base64EncodedString())
        }
    }

    fileprivate mutating func appendMember(_ name: StaticString, integer value: Int) {
        beginMember(name)
        append(value)
    }

    private mutating func appendList<Element>(
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
