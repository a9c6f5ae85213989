package import RefreshBroker
internal import RefreshProtocol

/// A parser of a worker's message. It scans the message once. Items are validated and counted, but
/// not decoded.
///
/// Fields may be in any order, and unknown fields are ignored. Source: docs/backends.md, "The line
/// protocol", "What an answer looks like".
package struct WorkerMessageReader: ~Escapable {
    private enum Field: String, CaseIterable {
        case type, id, items, more, next, total, maxAgeMs, message, temporary, retryAfterMs, count
        case progress, feed, token, feeds, capacity, operations, item, edits
    }

    private static let fields = Dictionary(
        uniqueKeysWithValues: Field.allCases.map { ($0.rawValue, $0) })
    /// The maximum length of a failure message that is forwarded, in Unicode scalars. Such a
    /// message has at most 800 bytes. The limit is not in characters, because one character can
    /// have any number of scalars.
    private static let messageMax = 200
    /// The largest accepted integer. Parsers that read JSON numbers as doubles cannot represent
    /// larger integers exactly.
    private static let naturalNumberMax = 9_007_199_254_740_991
    private static let retryAfterMsMax = 86_400_000
    /// The maximum length in bytes of a number, `true`, `false` or `null` in a message.
    private static let scalarBytesMax = 40

    private var scanner: JSONScanner
    private var values: [Field: Range<Int>] = [:]
    private var load: CallID?
    private var count = 0

    /// Parses `bytes`, which must be exactly one message. `notices` reads the operations of a
    /// change; without it, a change has none.
    package static func read(
        _ bytes: Span<UInt8>, notices: FeedNotices? = nil
    ) throws(WorkerMessageFault) -> WorkerMessage {
        var reader = WorkerMessageReader(JSONScanner(bytes, limits: AnswerFault.limits))
        do throws(AnswerFault) {
            try reader.scan()
        } catch {
            guard case .field(let name) = error.reason else {
                throw WorkerMessageFault(.unreadable(error), of: reader.load)
            }
            throw WorkerMessageFault(.field(name), of: reader.load)
        }
        do throws(Refusal) {
            return try reader.message(notices)
        } catch {
            throw WorkerMessageFault(
                error.field.map { .field($0.rawValue) } ?? .unknownType, of: reader.load)
        }
    }

    /// Returns the load to which a message refers, if its `id` is in `bytes`. `bytes` may be only
    /// the beginning of the message.
    package static func load(inBeginning bytes: Span<UInt8>) -> CallID? {
        var reader = WorkerMessageReader(JSONScanner(bytes, limits: AnswerFault.limits))
        try? reader.scan()
        return reader.load
    }

    @_lifetime(copy scanner)
    private init(_ scanner: consuming JSONScanner) { self.scanner = scanner }

    // MARK: Scanning

    @_lifetime(self: copy self)
    private mutating func scan() throws(AnswerFault) {
        scanner.skipSpace()
        if scanner.peek == UInt8(ascii: "{") {
            try scanMembers()
        } else {
            _ = try scanner.skipAnswerValue(inside: 0)
        }
        scanner.skipSpace()
        guard scanner.isAtEnd else { throw AnswerFault(.malformed, at: scanner.index) }
    }

    @_lifetime(self: copy self)
    private mutating func scanMembers() throws(AnswerFault) {
        try scanner.require(UInt8(ascii: "{"))
        if scanner.consumeByte(UInt8(ascii: "}")) { return }
        repeat {
            scanner.skipSpace()
            let start = scanner.index
            let name = try scanner.readAnswerString().text(in: scanner.bytes)
            try scanner.require(UInt8(ascii: ":"))
            scanner.skipSpace()
            guard let field = Self.fields[name] else {
                _ = try scanner.skipAnswerValue(inside: 1)
                continue
            }
            guard values[field] == nil else { throw AnswerFault(.field(name), at: start) }
            let isArray = scanner.peek == UInt8(ascii: "[")
            values[field] =
                field == .items && isArray
                ? try scanItems() : try scanner.skipAnswerValue(inside: 1)
            // The id is read immediately, so that it is known even if the rest of the message is
            // not JSON.
            if field == .id { load = text(.id).flatMap(CallID.init(wire:)) }
        } while scanner.consumeByte(UInt8(ascii: ","))
        try scanner.require(UInt8(ascii: "}"))
    }

    @_lifetime(self: copy self)
    private mutating func scanItems() throws(AnswerFault) -> Range<Int> {
        let start = scanner.index
        try scanner.require(UInt8(ascii: "["))
        if !scanner.consumeByte(UInt8(ascii: "]")) {
            repeat {
                _ = try scanner.skipAnswerValue(inside: 2)
                count += 1
            } while scanner.consumeByte(UInt8(ascii: ","))
            try scanner.require(UInt8(ascii: "]"))
        }
        return start..<scanner.index
    }

    // MARK: Decoding

    /// The reason why a message is refused: the field that is invalid; nil if the type is unknown.
    private struct Refusal: Error {
        let field: Field?
    }

    private borrowing func message(_ notices: FeedNotices?) throws(Refusal) -> WorkerMessage {
        switch text(.type) {
        case "page": .page(try id(), try page())
        case "edited": .edited(try id(), item: try item())
        case "failed": .failed(try id(), try failure())
        case "progress": .progress(try id(), try progress())
        case "changed": .changed(try change(notices))
        case "register": .register(try registration())
        default: throw Refusal(field: nil)
        }
    }

    /// Returns the change, without operations if they are not as described.
    private borrowing func change(_ notices: FeedNotices?) throws(Refusal) -> FeedChange {
        let change = FeedChange(
            try requiredText(.feed), count: NewerCount(try naturalNumber(.count)))
        guard let notices, values[.operations] != nil else { return change }
        return (try? notices.change(of: change.feed, in: scanner.bytes)) ?? change
    }

    private borrowing func id() throws(Refusal) -> CallID {
        guard let load else { throw Refusal(field: .id) }
        return load
    }

    private borrowing func page() throws(Refusal) -> Page {
        guard let items = values[.items], scanner.bytes[items.lowerBound] == UInt8(ascii: "[")
        else { throw Refusal(field: .items) }
        var page = Page(
            items: bytes(items), count: count, more: try boolean(.more),
            total: try naturalNumber(.total), lifetimeMs: try naturalNumber(.maxAgeMs))
        guard values[.next] != nil else { return page }
        let cursor = try optionalText(.next, bytesMax: PageReader.cursorBytesMax) ?? ""
        page.cursor = cursor.isEmpty ? nil : cursor
        page.more = page.more ?? !cursor.isEmpty
        return page
    }

    private borrowing func item() throws(Refusal) -> [UInt8]? {
        guard let range = values[.item], scalar(.item) != "null" else { return nil }
        guard scanner.bytes[range.lowerBound] == UInt8(ascii: "{") else {
            throw Refusal(field: .item)
        }
        return bytes(range)
    }

    private borrowing func failure() throws(Refusal) -> LoadFailure {
        let text = try optionalText(.message) ?? "The worker failed."
        let isTemporary = try boolean(.temporary) ?? false
        let retryAfterMs = try naturalNumber(.retryAfterMs).map { min($0, Self.retryAfterMsMax) }
        let message = String(String.UnicodeScalarView(text.unicodeScalars.prefix(Self.messageMax)))
        guard isTemporary else { return LoadFailure(.backendRejected, message) }
        return LoadFailure(
            retryAfterMs == nil ? .backendFailed : .backendBusy, message,
            retryAfterMs: retryAfterMs)
    }

    private borrowing func progress() throws(Refusal) -> Double {
        guard let scalar = scalar(.progress), scalar != "null", let value = Double(scalar),
            (0...1).contains(value)
        else { throw Refusal(field: .progress) }
        return value
    }

    private borrowing func registration() throws(Refusal) -> WorkerRegistration {
        let capacity = try naturalNumber(.capacity) ?? 1
        guard WorkerRegistration.capacityRange.contains(capacity) else {
            throw Refusal(field: .capacity)
        }
        return WorkerRegistration(
            token: try requiredText(.token), feeds: try feedNames(), capacity: capacity,
            edits: try boolean(.edits) ?? false)
    }

    private borrowing func feedNames() throws(Refusal) -> [String] {
        guard let range = values[.feeds] else { throw Refusal(field: .feeds) }
        var list = JSONScanner(scanner.bytes, from: range.lowerBound, limits: AnswerFault.limits)
        var names: [String] = []
        guard list.consumeByte(UInt8(ascii: "[")) else { throw Refusal(field: .feeds) }
        repeat {
            list.skipSpace()
            guard let name = try? list.readString(), names.count < WorkerRegistration.feedsMax
            else {
                throw Refusal(field: .feeds)
            }
            names.append(name.text(in: scanner.bytes))
        } while list.consumeByte(UInt8(ascii: ","))
        guard Set(names).count == names.count else { throw Refusal(field: .feeds) }
        return names
    }

    // MARK: Values

    private borrowing func requiredText(_ field: Field) throws(Refusal) -> String {
        guard let text = text(field) else { throw Refusal(field: field) }
        return text
    }

    /// Returns the value of a string. Returns nil if the field is absent or `null`, and throws if
    /// it is of another type or too long.
    private borrowing func optionalText(
        _ field: Field, bytesMax: Int = .max
    ) throws(Refusal) -> String? {
        guard let range = values[field], scalar(field) != "null" else { return nil }
        guard range.count <= bytesMax, let text = text(field) else { throw Refusal(field: field) }
        return text
    }

    private borrowing func boolean(_ field: Field) throws(Refusal) -> Bool? {
        guard values[field] != nil else { return nil }
        switch scalar(field) {
        case "true": return true
        case "false": return false
        case "null": return nil
        default: throw Refusal(field: field)
        }
    }

    private borrowing func naturalNumber(_ field: Field) throws(Refusal) -> Int? {
        guard values[field] != nil else { return nil }
        guard let scalar = scalar(field) else { throw Refusal(field: field) }
        if scalar == "null" { return nil }
        guard let value = Int(scalar), (0...Self.naturalNumberMax).contains(value) else {
            throw Refusal(field: field)
        }
        return value
    }

    /// Returns the value of a string. Returns nil if the field is absent or not a string.
    private borrowing func text(_ field: Field) -> String? {
        guard let range = values[field], scanner.bytes[range.lowerBound] == UInt8(ascii: "\"")
        else { return nil }
        return JSONStringRange(
            start: range.lowerBound + 1, end: range.upperBound - 1, isEscaped: true
        ).text(in: scanner.bytes)
    }

    /// Returns the source text of a value, including the quotes of a string. Returns nil if the
    /// field is absent or longer than `scalarBytesMax`.
    private borrowing func scalar(_ field: Field) -> String? {
        guard let range = values[field], range.count <= Self.scalarBytesMax else { return nil }
        return String(decoding: bytes(range), as: UTF8.self)
    }

    private borrowing func bytes(_ range: Range<Int>) -> [UInt8] {
        unsafe scanner.bytes.extracting(range).withUnsafeBufferPointer { unsafe Array($0) }
    }
}

extension CallID {
    /// Parses the wire form. Returns nil if the text is not an id.
    init?(wire text: String) {
        guard let number = UInt64(text), String(number) == text else { return nil }
        self.init(number)
    }

    /// The form used in messages to workers.
    var wire: String { String(number) }
}
