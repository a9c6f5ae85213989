package import RefreshBroker
internal import RefreshProtocol

extension BusMessage {
    /// The strings of a message are at most as long as its first line.
    private static let jsonLimits = JSONLimits(
        depthMax: 8, stringBytesMax: BusMessageLimits.headBytesMax)

    /// Reads a received message: one line of JSON. For a page, a line feed and the items follow.
    /// The items are checked, because they reach clients byte for byte. For a change with
    /// operations, a line feed and the operations follow. `reports` reads them. If they do not suit
    /// the feed, the change has none.
    ///
    /// - Throws: the reason why the message must be dropped.
    package init(
        reading bytes: [UInt8], reports: ChangeReader = ChangeReader()
    ) throws(BusMessageDrop) {
        let headEnd = bytes.prefix(BusMessageLimits.headBytesMax + 1).firstIndex(of: 0x0A)
        let headCount = headEnd ?? bytes.count
        guard headCount <= BusMessageLimits.headBytesMax else { throw .tooLong }
        let members = try MessageMembers(
            reading: bytes, count: headCount, limits: Self.jsonLimits)
        guard (try? members.integer("v")) == Self.version else { throw .version }
        guard let type = (try? members.text("type")).flatMap(BusMessageType.init(rawValue:)) else {
            throw .type
        }
        guard type == .changed || (headEnd != nil) == (type == .page) else { throw .malformed }
        let sender = try members.node("from")
        let body = headEnd == nil ? [] : bytes[(headCount + 1)...]
        self.init(from: sender, try Self.content(type, members, body, reports))
    }

    private static func content(
        _ type: BusMessageType, _ members: MessageMembers, _ body: ArraySlice<UInt8>,
        _ reports: ChangeReader
    ) throws(BusMessageDrop) -> Content {
        switch type {
        case .state: .state(try NodeState(members))
        case .leave: .leave
        case .changed:
            .changed(
                try FeedChange(members, body, reports), number: try members.serial("number"))
        case .counts: .counts(try NodeCounts(members), number: try members.serial("number"))
        case .load: .load(try AskedLoad(members), number: try members.serial("id"))
        case .cancel: .cancel(number: try members.serial("id"))
        case .list:
            .list(
                after: try members.optionalText(
                    "after", bytesMax: BusMessageLimits.sessionNameBytesMax),
                number: try members.serial("id"))
        case .listed: .listed(try SessionPage(members), number: try members.serial("id"))
        case .watch: .watch(try EventSelection(members), number: try members.serial("id"))
        case .unwatch: .unwatch(number: try members.serial("id"))
        case .watched: .watched(try members.events("events"), number: try members.serial("id"))
        case .waiting, .progress, .retrying, .page, .failed, .refused:
            .event(try event(type, members, body), number: try members.serial("id"))
        }
    }

    private static func event(
        _ type: BusMessageType, _ members: MessageMembers, _ items: ArraySlice<UInt8>
    ) throws(BusMessageDrop) -> OwnerEvent {
        switch type {
        case .progress: .progressed(try members.fraction("value"))
        case .retrying:
            .retrying(
                attempt: try members.integer("attempt", in: 1...BusMessageLimits.attemptMax),
                afterMs: try members.milliseconds("afterMs"), try LoadFailure(members))
        case .page:
            .page(
                try Page(members, items),
                RemainingLifetime(
                    freshMs: try members.milliseconds("freshMs"),
                    coolDownMs: try members.milliseconds("coolDownMs"),
                    ageMs: try members.milliseconds("ageMs")))
        case .failed: .failed(try LoadFailure(members))
        case .refused: .refused(try members.named("reason", as: OwnerRefusal.self))
        case .state, .leave, .changed, .counts, .load, .cancel, .list, .listed, .watch, .unwatch,
            .watched, .waiting:
            .waiting
        }
    }
}

extension FeedChange {
    fileprivate init(
        _ members: MessageMembers, _ body: ArraySlice<UInt8>, _ reports: ChangeReader
    ) throws(BusMessageDrop) {
        let feed = try members.text("feed", bytesMax: BusMessageLimits.feedNameBytesMax)
        self.init(
            feed, count: NewerCount(try members.optionalInteger("count")),
            items: body.isEmpty ? nil : reports.items(of: feed, in: Array(body).span))
        isRepeated = try members.optionalBool("repeated") ?? false
    }
}

extension NodeState {
    init(_ members: MessageMembers) throws(BusMessageDrop) {
        self.init(
            name: try members.text("name", bytesMax: BusMessageLimits.nodeNameBytesMax),
            version: try members.text("version", bytesMax: BusMessageLimits.versionBytesMax),
            sessions: try members.integer("sessions"))
        for entry in try members.entries("feeds", countMax: BusMessageLimits.feedsMax) {
            guard entry.name.utf8.count <= BusMessageLimits.feedNameBytesMax else {
                throw .member
            }
            changes[entry.name] = try MessageMembers.serial(entry.value)
        }
        for feed in try members.list("workers", countMax: BusMessageLimits.feedsMax) {
            workers.append(
                try MessageMembers.text(feed, bytesMax: BusMessageLimits.feedNameBytesMax))
        }
        loads = try members.optionalInteger("loads") ?? 0
    }
}

extension NodeCounts {
    init(_ members: MessageMembers) throws(BusMessageDrop) {
        self.init()
        sessions = try Self.counts("sessions", of: members)
        connections = try Self.counts("connections", of: members)
        handshakes = try Self.counts("handshakes", of: members)
    }

    /// Counts have the form `[key, count]`. A key has the form of the identity of a node.
    private static func counts(
        _ name: StaticString, of members: MessageMembers
    ) throws(BusMessageDrop) -> [CountKey: Int] {
        var counts: [CountKey: Int] = [:]
        for pair in try members.list(name, countMax: BusMessageLimits.countsMax) {
            guard let values = pair.array, values.count == 2 else { throw .member }
            let key = CountKey(bits: try MessageMembers.node(values[0]).bits)
            let count = try MessageMembers.integer(values[1], in: 1...BusMessageLimits.countMax)
            guard counts.updateValue(count, forKey: key) == nil else { throw .member }
        }
        return counts
    }
}

extension AskedLoad {
    init(_ members: MessageMembers) throws(BusMessageDrop) {
        let key = try members.text("key", bytesMax: BusMessageLimits.idempotencyKeyBytesMax)
        // Backends receive the key in a header.
        guard key.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { throw .member }
        self.init(
            try LoadRequest(try members.object("request")), idempotencyKey: key,
            keptPages: try members.named("kept", as: KeptPages.self),
            deadlineMs: try members.integer("deadlineMs", in: 1...BusMessageLimits.timeMsMax))
        for pair in try members.list("seen", countMax: BusMessageLimits.seenMax) {
            guard let values = pair.array, values.count == 2 else { throw .member }
            seen.append(
                SeenChange(
                    node: try MessageMembers.node(values[0]),
                    number: try MessageMembers.serial(values[1])))
        }
    }
}

extension LoadRequest {
    /// Throws if the request is not one that a node can send.
    init(_ members: MessageMembers) throws(BusMessageDrop) {
        let integers = -BusMessageLimits.integerMax...BusMessageLimits.integerMax
        self.init(
            feed: try members.text("feed", bytesMax: BusMessageLimits.feedNameBytesMax),
            kind: try members.named("kind", as: LoadKind.self),
            trigger: try members.named("trigger", as: LoadTrigger.self),
            page: try members.integer("page", in: integers),
            offset: try members.integer("offset", in: integers),
            size: try members.integer("size", in: 0...BusMessageLimits.pageSizeMax),
            cursor: try members.optionalText("cursor"),
            parameters: try Self.parameters(of: members), headers: try Self.headers(of: members),
            subject: try members.optionalText("subject"))
    }

    /// Parameters have the form `[name, type, text]`. A JSON number could not hold all integers.
    private static func parameters(
        of members: MessageMembers
    ) throws(BusMessageDrop) -> [LoadParameter] {
        var parameters: [LoadParameter] = []
        for entry in try members.list("parameters", countMax: BusMessageLimits.parametersMax) {
            guard let parts = entry.array, parts.count == 3, let name = parts[0].string,
                let type = parts[1].string.flatMap(ParameterType.init(rawValue:)),
                let value = parts[2].string.flatMap({ ParameterValue($0, as: type) })
            else { throw .member }
            parameters.append(LoadParameter(name: name, value: value))
        }
        return parameters
    }

    /// Headers have the form `[name, value]`.
    private static func headers(
        of members: MessageMembers
    ) throws(BusMessageDrop) -> [HeaderField] {
        var headers: [HeaderField] = []
        for entry in try members.list("headers", countMax: BusMessageLimits.headersMax) {
            guard let parts = entry.array, parts.count == 2, let name = parts[0].string,
                let value = parts[1].string, let header = HeaderField(checking: name, value)
            else { throw .member }
            headers.append(header)
        }
        return headers
    }
}

extension LoadFailure {
    /// Throws if the code is not one with which a backend's load can fail.
    init(_ members: MessageMembers) throws(BusMessageDrop) {
        let code = try members.named("code", as: FaultCode.self)
        guard code.rawValue.hasPrefix("backend") else { throw .member }
        // A scalar has at most four bytes.
        let message = try members.text(
            "message", bytesMax: BusMessageLimits.failureScalarsMax * 4)
        let retryAfterMs = try members.optionalInteger(
            "retryAfterMs", in: 0...BusMessageLimits.timeMsMax)
        self.init(code, message, retryAfterMs: retryAfterMs)
    }
}

extension Page {
    init(_ members: MessageMembers, _ items: ArraySlice<UInt8>) throws(BusMessageDrop) {
        let items = Array(items)
        guard let count = Page.itemCount(of: items) else { throw .malformed }
        guard try members.integer("count") == count else { throw .member }
        self.init(
            items: items, count: count, more: try members.optionalBool("more"),
            cursor: try members.optionalText("cursor"),
            total: try members.optionalInteger("total"))
    }
}
