internal import Foundation
internal import RefreshBroker
internal import RefreshIndicator
internal import RefreshProtocol

extension JournalLine {
    /// Parses a line without its line break.
    ///
    /// - Throws: An error if the text is not a line of this format, or if its checksum shows that
    ///   the line was changed.
    package init(parsing bytes: [UInt8]) throws(JournalLineError) {
        let value = try Self.verifiedObject(bytes)
        let members = JournalMembers(value)
        if let format = value["journal"] {
            guard format == .string(JournalHeader.format) else {
                throw JournalLineError("has another format: \(format.text)")
            }
            self = .header(try JournalHeader(members))
        } else if value["in"] != nil {
            self = .input(
                at: try members.moment("at"),
                try SessionInput(members))
        } else if value["out"] != nil {
            let output = try JournalOutput(members)
            if let at = try members.momentIfAny("at") {
                self = .observed(at: at, output)
            } else {
                self = .output(output)
            }
        } else if value["end"] == .bool(true) {
            self = .end(
                inputs: try members.integer("inputs"), outputs: try members.integer("outputs"))
        } else {
            throw JournalLineError("is not a journal line")
        }
    }

    /// Returns the line's object after its checksum was verified.
    private static func verifiedObject(_ bytes: [UInt8]) throws(JournalLineError) -> JSONValue {
        let object: JSONValue
        do throws(FaultCode) {
            object = try JSONValue(parsing: bytes)
        } catch {
            throw JournalLineError("is not a journal line: \(error.message)")
        }
        let bare = bytes.dropLast(sumBytes)
        let tail = bytes[bare.endIndex...]
        guard let sum = object["sum"]?.string,
            tail.elementsEqual(sumMember + sum.utf8 + [0x22, 0x7D])
        else { throw JournalLineError("does not end with its checksum") }
        let real = LineSum(bare.span).text
        guard sum == real else {
            throw JournalLineError("was changed: its checksum is \(sum), its text gives \(real)")
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
        // Journals of older daemons lack these two limits. Those daemons did not limit the bytes of
        // clock-driven frames, and did not wait for a layout.
        limits.playedBytesPerSecondMax = 0
        limits.layoutWaitMs = 0
        let given = try members.value("limits")
        for entry in Limits.recorded {
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
            at: try members.moment("at"),
            session: try members.text("session"),
            key: SessionKey(loop: loop, slot: slot, generation: generation),
            subject: try members.textIfAny("subject"), token: try members.tokenIfAny(),
            seals: try members.booleanIfAny("seals") ?? false,
            limits: limits, feeds: feeds, indicators: indicators,
            recorder: try members.objectIfAny("recorder").map(JournalRecorder.init))
    }
}

extension JournalRecorder {
    fileprivate init(_ members: JournalMembers) throws(JournalLineError) {
        self.init(
            program: try members.text("program"), url: try members.text("url"),
            connection: try members.integer("connection"))
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
            throw JournalLineError("has an invalid indicator: \(error)")
        }
    }
}

extension FeedDescription {
    fileprivate init(_ value: JSONValue) throws(JournalLineError) {
        let members = JournalMembers(value)
        self.init(
            name: try members.text("name"),
            parameters: try (value["parameters"]?.array ?? []).map(FeedParameter.init),
            forward: Set((value["forward"]?.array ?? []).compactMap(\.string)),
            style: try members.choiceIfAny("style"), first: try members.integerIfAny("first"),
            size: try members.integerIfAny("size"),
            itemKey: try members.textIfAny("itemKey").flatMap { JSONPointer($0) },
            sectionKey: try members.textIfAny("sectionKey").flatMap { JSONPointer($0) },
            keepsPages: try members.booleanIfAny("keepsPages") ?? false,
            edits: Set(
                (value["edits"]?.array ?? []).compactMap(\.string).compactMap {
                    ItemOperation.Kind(rawValue: $0)
                }),
            debounceMs: try members.integerIfAny("debounceMs") ?? 0)
    }
}

extension FeedParameter {
    fileprivate init(_ value: JSONValue) throws(JournalLineError) {
        if let name = value.string {
            self.init(name)
            return
        }
        let members = JournalMembers(value)
        self.init(try members.text("name"), try members.choice("type"))
    }
}

extension SessionInput {
    fileprivate init(_ members: JournalMembers) throws(JournalLineError) {
        switch try members.text("in") {
        case "begun":
            guard let checkpoint = JournalCheckpoint(json: try members.text("living")) else {
                throw JournalLineError("has an invalid `living`")
            }
            self = .begun(checkpoint)
        case "frame": self = .frame(try members.bytes())
        case "binary": self = .binary
        case "writable": self = .writable
        case "channel": self = .channel(isWritable: try members.boolean("writable"))
        case "load":
            self = .load(
                try members.load(), view: try members.view(), .ended(try LoadOutcome(members)))
        case "progress":
            self = .load(
                try members.load(), view: try members.view(),
                .progressed(try members.number("progress")))
        case "retrying":
            self = .load(
                try members.load(), view: try members.view(),
                .retrying(
                    attempt: try members.integer("attempt"),
                    afterMs: try members.integer("afterMs"), try LoadFailure(members)))
        case "lookUp":
            self = .load(
                try members.load(), view: try members.view(),
                .lookUpEnded(try FoundPage(members)))
        case "changed":
            self = .changed(
                feed: try members.text("feed"), refreshAt: try members.momentIfAny("refresh"),
                count: NewerCount(try members.integerIfAny("count")),
                items: try members.itemChangesIfAny())
        case "edited": self = try members.edited()
        case "wake": self = .wake
        case "held": self = .held(until: try members.moment("until"))
        case "end": self = .end(try members.choice("code"))
        case "draining": self = .draining(closesMs: try members.integer("closes"))
        case "lost": self = .lost
        case "resumed":
            self = .resumed(try ResumeHandshake(members), try members.tokenIfAny())
        case "known": self = .known(try AdmissionVerdict(members))
        case "identified": self = .identified(try AdmissionVerdict(members))
        case "refused": self = .refused(try members.choice("reason"))
        case "rebuilt":
            guard let snapshot = SessionSnapshot(json: try members.text("snapshot")) else {
                throw JournalLineError("has an invalid `snapshot`")
            }
            self = .rebuilt(snapshot)
        case "sealed":
            self = .sealed(
                try members.textIfAny("sealed").map { text throws(JournalLineError) in
                    SealedText(text: text, expiresMs: try members.integer("expires"))
                })
        case "left": self = .left
        case "closed": self = .closed
        case let kind: throw JournalLineError("has an unknown kind: `\(kind)`")
        }
    }
}

extension LoadOutcome {
    fileprivate init(_ members: JournalMembers) throws(JournalLineError) {
        switch try members.text("outcome") {
        case "page": self = .page(try Page(members))
        case "failed":
            self = .failed(try LoadFailure(members))
        case "cancelled": self = .cancelled
        case "timedOut": self = .timedOut
        case let outcome: throw JournalLineError("has an unknown outcome: `\(outcome)`")
        }
    }
}

extension Page {
    fileprivate init(_ members: JournalMembers) throws(JournalLineError) {
        self.init(
            items: try JournalMembers(members.value("items")).bytes(),
            count: try members.integer("count"), more: try members.booleanIfAny("more"),
            cursor: try members.textIfAny("cursor"), total: try members.integerIfAny("total"))
        if let pages = try members.integerIfAny("pages") {
            parts = Parts(
                pages: pages, lastCount: try members.integer("lastCount"),
                skipped: try members.integer("skipped"))
        }
        if let keys = (try? members.value("keys"))?.array {
            itemKeys = try ItemKeys(
                keys, contents: (try? members.value("contents"))?.array, of: self)
        }
    }
}

extension FoundPage {
    /// Reads the page that a look-up has found; nil if it has found none.
    fileprivate init?(_ members: JournalMembers) throws(JournalLineError) {
        guard let isFresh = try members.booleanIfAny("fresh") else { return nil }
        self.init(
            page: try Page(members), ageMs: try members.integer("ageMs"), isFresh: isFresh)
    }
}

extension LoadFailure {
    fileprivate init(_ members: JournalMembers) throws(JournalLineError) {
        self.init(
            try members.choice("code"), try members.text("message"),
            retryAfterMs: try members.integerIfAny("retryAfterMs"))
    }
}

extension ItemKeys {
    /// Restores the keys from the hashes in the journal. The positions of the items are found in
    /// the page.
    fileprivate init(
        _ hashes: [JSONValue], contents: [JSONValue]?, of page: Page
    ) throws(JournalLineError) {
        guard let whole = JSONPointer(""),
            var keys = ItemKeys(
                of: page, at: whole, hashedBy: SipHash(key: 0, 0), hasList: false),
            keys.elements.count == hashes.count
        else { throw JournalLineError("has `keys` that do not match the items") }
        keys.hashes = try Self.numbers(hashes)
        keys.list = try contents.map { contents throws(JournalLineError) in
            let known = keys.hashes.compactMap { $0 }
            let contents = try Self.numbers(contents).compactMap { $0 }
            guard known.count == keys.hashes.count, contents.count == keys.hashes.count,
                let list = HashedItems(keys: known, contents: contents)
            else { throw JournalLineError("has `contents` that do not match the `keys`") }
            return list
        }
        self = keys
    }

    private static func numbers(_ hashes: [JSONValue]) throws(JournalLineError) -> [UInt64?] {
        var numbers: [UInt64?] = []
        for hash in hashes {
            if hash == .null {
                numbers.append(nil)
            } else if let number = hash.string.flatMap({ UInt64($0, radix: 16) }) {
                numbers.append(number)
            } else {
                throw JournalLineError("has an invalid key")
            }
        }
        return numbers
    }
}

extension JournalOutput {
    fileprivate init(_ members: JournalMembers) throws(JournalLineError) {
        switch try members.text("out") {
        case "frame": self = .frame(try members.bytes())
        case "wait": self = .wait
        case "close":
            guard let code = UInt16(exactly: try members.integer("code")) else {
                throw JournalLineError("has a `code` that is not a close code")
            }
            self = .close(code: code, reason: try members.text("reason"))
        case "identify": self = .identify
        case "resume": self = .resume(session: try members.text("session"))
        case "start":
            self = .start(
                try members.load(), view: try members.view(), try BrokerRequest(members),
                deadlineMs: try members.integer("deadlineMs"))
        case "edit": self = try members.edit()
        case "cancel":
            self = .cancel(
                try members.load(), view: try members.view(),
                because: try members.booleanIfAny("timedOut") == true ? .outOfTime : .unwanted)
        case let kind: throw JournalLineError("has an unknown kind: `\(kind)`")
        }
    }
}

extension BrokerRequest {
    fileprivate init(_ members: JournalMembers) throws(JournalLineError) {
        var parameters: [LoadParameter] = []
        for texts in try members.value("parameters").array ?? [] {
            parameters.append(try LoadParameter(texts))
        }
        var headers: [HeaderField] = []
        for pair in (try? members.value("headers"))?.array ?? [] {
            guard let pair = pair.array, pair.count == 2, let name = pair[0].string,
                let value = pair[1].string
            else { throw JournalLineError("has a header that is not a pair of strings") }
            headers.append(HeaderField(name: name, value: value))
        }
        self.init(
            LoadRequest(
                feed: try members.text("feed"), kind: try members.choice("kind"),
                trigger: try members.choiceIfAny("trigger") ?? .manual,
                page: try members.integer("page"), offset: try members.integer("offset"),
                size: try members.integer("size"), cursor: try members.textIfAny("cursor"),
                parameters: parameters, headers: headers,
                subject: try members.textIfAny("subject")),
            idempotencyKey: try members.textIfAny("key") ?? "",
            keptPages: try members.choiceIfAny("takes") ?? .any,
            isLookUp: try members.booleanIfAny("lookUp") ?? false,
            series: try PageSeries(members))
    }
}

extension PageSeries {
    /// Reads the series of a request; nil if the request is for one page.
    fileprivate init?(_ members: JournalMembers) throws(JournalLineError) {
        guard let count = try members.integerIfAny("pages") else { return nil }
        self.init(
            count: count, skipped: try members.integer("skipped"),
            style: try members.choice("style"))
    }
}

extension LoadParameter {
    /// Parses a name, a value and, if the value is not a text, its type.
    fileprivate init(_ value: JSONValue) throws(JournalLineError) {
        let texts = (value.array ?? []).compactMap(\.string)
        let type = texts.count == 3 ? ParameterType(rawValue: texts[2]) : .text
        guard texts.count == value.array?.count, texts.count == 2 || texts.count == 3, let type,
            let value = ParameterValue(texts[1], as: type)
        else { throw JournalLineError("has a parameter that is not a pair of strings") }
        self.init(name: texts[0], value: value)
    }
}
