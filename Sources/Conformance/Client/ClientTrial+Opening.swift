internal import RefreshProtocol
internal import ScenarioKit

/// The connection of a client, and the answer to its `hello`.
extension ClientTrial {
    /// Sends the driver the order `connect`. The options replace members of this order. The
    /// defaults are the frames `plain`, the view `list`, and no initial messages. The order has
    /// `features` and `itemLength` only if the options have them.
    func connect(_ options: Pattern) throws(TrialEnd) {
        let isBackend = options["backend"] == .value(.bool(true))
        var views = [Pattern.object([])]
        if case .array(let given, _) = options["views"] { views = given }
        var bodies: [JSONValue] = []
        for view in views {
            let body = try value(of: view, over: ServerMessages.body(isFeed: !isBackend))
            if let body { bodies.append(body) }
        }
        viewCount = bodies.count
        var members = [
            JSONValue.Member("url", .string(server.url)),
            JSONValue.Member("frames", try option("frames", of: options) ?? .string("plain")),
            JSONValue.Member("views", .array(bodies)),
            JSONValue.Member("first", try option("first", of: options) ?? .array([])),
            JSONValue.Member("backend", .bool(isBackend)),
        ]
        for name in ["features", "itemLength"] {
            if let value = try option(name, of: options) {
                members.append(JSONValue.Member(name, value))
            }
        }
        try order("connect", .object(members))
        try awaitConnection(within: .standardLimit)
    }

    private func option(_ name: String, of options: Pattern) throws(TrialEnd) -> JSONValue? {
        guard let option = options[name] else { return nil }
        return try value(of: option)
    }

    /// Answers `hello`: sends `welcome`, and `attached` for each view, whether the view is in
    /// `hello` or in a later `attach`. The options are members of `welcome` and `attached`. The
    /// options also state whether these messages may violate the contract. The body of the last
    /// view (the members that describe it) is stored in `$body`.
    func answerHello(_ options: Pattern) throws(TrialEnd) {
        variables["now"] = ServerMessages.time
        let isStrange = options["strange"] == .value(.bool(true))
        let welcome = try message("welcome", option: options["welcome"])
        let bodies = variables["hello.views"]?.array ?? []
        guard bodies.isEmpty else {
            var frame = [welcome]
            for body in bodies { frame.append(try attached(body, ack: 0, options)) }
            return try send(frame, isStrange: isStrange)
        }
        try send([welcome], isStrange: isStrange)
        for _ in 0..<viewCount {
            let attach = try expect(MessageForm("attach"), .next)
            try send([try attached(attach.value, ack: attach.seq, options)])
        }
    }

    /// Returns the message `attached` for a view.
    private func attached(
        _ body: JSONValue, ack: Int, _ options: Pattern
    ) throws(TrialEnd) -> JSONValue {
        store(body, as: "body")
        return try message(
            "attached",
            with: [
                Pattern.Field("view", Pattern(body["view"] ?? .string(""))),
                Pattern.Field("ack", .value(.number(Double(ack)))),
            ], option: options["attached"])
    }

    /// Connects a client with one view, and attaches this view. The client's `hello` is stored in
    /// `$hello`.
    func open(_ options: Pattern) throws(TrialEnd) {
        try connect(options)
        try awaitHello()
        try answerHello(options)
        try expectShown(Self.attachedList, within: .standardLimit)
    }

    private static let attachedList = ViewForm(
        view: "list", pattern: WrittenPattern([("attached", .value(.bool(true)))]))

    /// Waits for the body of the view in `hello`, or in `attach` after `welcome`. Stores it in
    /// `$body`.
    func expectBody() throws(TrialEnd) {
        guard let body = variables["hello.views"]?.array?.first else {
            return store(try expect(MessageForm("attach"), .next).value, as: "body")
        }
        store(body, as: "body")
    }

    /// Waits for the client's next connection and its `hello`, which is stored in `$hello`.
    func awaitComeback() throws(TrialEnd) {
        try awaitConnection(within: .ms(timeoutMs + 2000))
        try awaitHello()
    }

    private func awaitHello() throws(TrialEnd) {
        store(try expect(MessageForm("hello"), .next), as: "hello")
    }

    /// Measures how fast the driver answers. `promptly` then means within 1,500 ms, or within a
    /// longer time if the driver is slow.
    func measureDriver() throws(TrialEnd) {
        let start = GradingServer.nowMs
        for _ in 0..<4 { try order("report") }
        promptMs = max(1500, (GradingServer.nowMs - start) * 10)
    }
}
