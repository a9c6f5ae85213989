internal import Foundation
internal import RefreshBroker
internal import RefreshIndicator
internal import RefreshProtocol

extension JournalLine {
    /// Reads a line without its end.
    ///
    /// - Throws: if it is no line of this format, or if its sum says that it was changed.
    package init(parsing bytes: [UInt8]) throws(JournalLineError) {
        let value = try Self.checked(bytes)
        let members = JournalMembers(value)
        if let format = value["journal"] {
            guard format == .string(JournalHeader.format) else {
                throw JournalLineError("is of another format: \(format.text)")
            }
            self = .header(try JournalHeader(members))
        } else if value["in"] != nil {
            self = .input(
                at: Instant(microseconds: Int64(try members.integer("at"))),
                try JournalInput(members))
        } else if value["out"] != nil {
            self = .output(try JournalOutput(members))
        } else if value["end"] == .bool(true) {
            self = .end(
                inputs: try members.integer("inputs"), outputs: try members.integer("outputs"))
        } else {
            throw JournalLineError("is no line of a journal")
        }
    }

    /// The object that the line is, after its sum was found right.
    private static func checked(_ bytes: [UInt8]) throws(JournalLineError) -> JSONValue {
        let object: JSONValue
        do throws(FaultCode) {
            object = try JSONValue(parsing: bytes)
        } catch {
            throw JournalLineError("is no line of a journal: \(error.message)")
        }
        let bare = bytes.dropLast(sumBytes)
        let tail = bytes[bare.endIndex...]
        guard let sum = object["sum"]?.string,
            tail.elementsEqual(sumMember + sum.utf8 + [0x22, 0x7D])
        else { throw JournalLineError("does not end with its sum") }
        let real = LineSum(bare).text
        guard sum == real else {
            throw JournalLineError("was changed: its sum is \(sum), its text gives \(real)")
        }
        return object
    }
}

extension JournalHeader {
    init(_ members: JournalMembers) throws(JournalLineError) {
        let key = try members.value("key").array ?? []
        guard key.count == 3, let loop = key[0].number.flatMap(UInt16.init(exactly:)),
            let slot = key[1].number.flatMap(UInt32.init(exactly:)),
            let generation = key[2].number.flatMap(UInt32.init(exactly:))
        else { throw JournalLineError("has no `key` of three numbers") }
        var limits = Limits()
        let given = try members.value("limits")
        for entry in Limits.table {
            guard let number = given[entry.name]?.number else { continue }
            guard let value = Int(exactly: number), entry.range.contains(value) else {
                throw JournalLineError("has a limit out of range: `\(entry.name)`")
            }
            limits[keyPath: entry.path] = value
        }
        var feeds: [FeedDescription] = []
        for feed in try members.value("feeds").array ?? [] {
            feeds.append(try FeedDescription(feed))
        }
        var indicators: [NamedProgramme] = []
        for indicator in (try? members.value("indicators"))?.array ?? [] {
            indicators.append(try NamedProgramme(indicator))
        }
        self.init(
            server: try members.text("server"), started: try members.text("started"),
            at: Instant(microseconds: Int64(try members.integer("at"))),
            session: try members.text("session"),
            key: SessionKey(loop: loop, slot: slot, generation: generation), limits: limits,
            feeds: feeds, indicators: indicators)
    }
}

extension NamedProgramme {
    fileprivate init(_ value: JSONValue) throws(JournalLineError) {
        let members = JournalMembers(value)
        let name = try members.text("name")
        let json = try members.value("programme")
        do throws(ProgrammeError) {
            self.init(name, try Programme(json: json))
        } catch {
            throw JournalLineError("has an indicator that is none: \(error)")
        }
    }
}

extension FeedDescription {
    fileprivate init(_ value: JSONValue) throws(JournalLineError) {
        let members = JournalMembers(value)
        self.init(
            name: try members.text("name"),
            parameters: (value["parameters"]?.array ?? []).compactMap(\.string).map {
                FeedParameter($0)
            },
            style: try members.choiceIfAny("style"), first: try members.integerIfAny("first"),
            size: try members.integerIfAny("size"))
    }
}

extension JournalInput {
    fileprivate init(_ members: JournalMembers) throws(JournalLineError) {
        switch try members.text("in") {
        case "frame": self = .frame(try members.bytes())
        case "binary": self = .binary
        case "writable": self = .writable
        case "channel": self = .channel(isWritable: try members.boolean("writable"))
        case "load":
            self = .load(
                try members.load(), view: try members.view(), try LoadOutcome(members))
        case "wake": self = .wake
        case "end": self = .end(try members.choice("code"))
        case "closed": self = .closed
        case let kind: throw JournalLineError("has an unknown kind: `\(kind)`")
        }
    }
}

extension LoadOutcome {
    fileprivate init(_ members: JournalMembers) throws(JournalLineError) {
        switch try members.text("outcome") {
        case "page":
            self = .page(
                Page(
                    items: try JournalMembers(members.value("items")).bytes(),
                    count: try members.integer("count"), more: try members.booleanIfAny("more"),
                    cursor: try members.textIfAny("cursor"),
                    total: try members.integerIfAny("total")))
        case "failed":
            self = .failed(
                LoadFailure(
                    try members.choice("code"), try members.text("message"),
                    retryAfterMs: try members.integerIfAny("retryAfterMs")))
        case "cancelled": self = .cancelled
        case "timedOut": self = .timedOut
        case let outcome: throw JournalLineError("has an unknown outcome: `\(outcome)`")
        }
    }
}

extension JournalOutput {
    fileprivate init(_ members: JournalMembers) throws(JournalLineError) {
        switch try members.text("out") {
        case "frame": self = .frame(try members.bytes())
        case "wait": self = .wait
        case "close":
            guard let code = UInt16(exactly: try members.integer("code")) else {
                throw JournalLineError("has a `code` that is no close code")
            }
            self = .close(code: code, reason: try members.text("reason"))
        case "start":
            self = .start(try members.load(), view: try members.view(), try LoadRequest(members))
        case "cancel": self = .cancel(try members.load(), view: try members.view())
        case let kind: throw JournalLineError("has an unknown kind: `\(kind)`")
        }
    }
}

extension LoadRequest {
    fileprivate init(_ members: JournalMembers) throws(JournalLineError) {
        var parameters: [LoadParameter] = []
        for pair in try members.value("parameters").array ?? [] {
            guard let pair = pair.array, pair.count == 2, let name = pair[0].string,
                let value = pair[1].string
            else { throw JournalLineError("has a parameter that is no pair of texts") }
            parameters.append(LoadParameter(name: name, value: .text(value)))
        }
        self.init(
            feed: try members.text("feed"), kind: try members.choice("kind"),
            page: try members.integer("page"), offset: try members.integer("offset"),
            size: try members.integer("size"), cursor: try members.textIfAny("cursor"),
            parameters: parameters)
    }
}
