internal import RefreshProtocol

/// How cases begin, and begin again.
extension ClientTrial {
    /// `more`: members of its `geometry`; it begins with a comma where there is any.
    static func attachBody(
        _ view: String = "list", isReversed: Bool = false, isFeed: Bool = true, more: String = ""
    ) -> String {
        #"{"view":"\#(view)","profile":"default""# + (isFeed ? #","feed":"items""# : "")
            + (isReversed ? #","reversed":true"# : "")
            + #","geometry":{"viewport":{"width":390,"height":800},"content":{"width":390,"height":2000}\#(more)},"offset":0}"#
    }

    /// Lets the client connect, and hears its `hello`.
    @discardableResult
    func connect(
        frames: String = "plain", views: [String] = [ClientTrial.attachBody()],
        first: String = "[]",
        isBackend: Bool = false
    ) throws(TrialEnd) -> ReceivedClientMessage {
        let members =
            #"{"url":"\#(server.url)","frames":"\#(frames)","views":[\#(views.joined(separator: ","))],"#
            + #""first":\#(first),"backend":\#(isBackend)}"#
        try order("connect", members)
        try awaitConnection()
        return try expect("hello")
    }

    /// Answers a `hello`: welcomes the client, and attaches its views, whether they stand in
    /// `hello` or follow. The answer is what was said of them.
    @discardableResult
    func answerHello(
        _ hello: ReceivedClientMessage, _ welcome: String = ServerMessages.welcome(),
        attached: (String, Int) -> String = { ServerMessages.attached($0, ack: $1) },
        strange isStrange: Bool = false
    ) throws(TrialEnd) -> [JSONValue] {
        let bodies = hello.value["views"]?.array ?? []
        let views = bodies.compactMap { $0["view"]?.string }
        guard views.isEmpty else {
            try send([welcome] + views.map { attached($0, 0) }, isStrange: isStrange)
            return bodies
        }
        try send([welcome], isStrange: isStrange)
        let attach = try expect("attach")
        try send([attached(attach.value["view"]?.string ?? "", attach.seq)])
        return [attach.value]
    }

    /// A client whose one view is attached.
    @discardableResult
    func open(
        frames: String = "plain", welcome: String = ServerMessages.welcome(), first: String = "[]",
        isBackend: Bool = false, attached: String = ServerMessages.attached(),
        strange isStrange: Bool = false
    ) throws(TrialEnd) -> ReceivedClientMessage {
        let hello = try connect(
            frames: frames, views: [ClientTrial.attachBody(isFeed: !isBackend)], first: first,
            isBackend: isBackend)
        try answerHello(hello, welcome, attached: { _, _ in attached }, strange: isStrange)
        try expectShown("{attached: true}")
        return hello
    }

    /// The client's next connection, and its `hello`.
    func awaitReconnect(withinMs: Double? = nil) throws(TrialEnd) -> ReceivedClientMessage {
        try awaitConnection(withinMs: withinMs ?? patienceMs + 2000)
        return try expect("hello")
    }

    /// The connection breaks, and the client is back: its `hello`.
    @discardableResult
    func cutAndAwaitReconnect() throws(TrialEnd) -> ReceivedClientMessage {
        cut()
        return try awaitReconnect()
    }

    /// Answers a `hello` that goes on with the session.
    func resumeSession(
        token: String = "T2", ack: Int, _ change: String = "", followedBy more: [String] = []
    ) throws(TrialEnd) {
        let words = [
            ServerMessages.welcome(token: token, ack: ack, resumed: true),
            ServerMessages.attached(ack: ack), ServerMessages.update(change, ack: ack),
        ]
        try send(words + more)
    }

    /// The host asks for something; the answer is the message by which the client does so.
    @discardableResult
    func performHostRequest(_ request: String, _ more: String = "") throws(TrialEnd)
        -> ReceivedClientMessage
    {
        try order("ask", #"{"view":"list","for":"\#(request)"\#(more)}"#)
        return try expect(request)
    }
}
