internal import RefreshProtocol

/// How cases begin, and begin again.
extension ClientTrial {
    /// `more`: members of its `geometry`; it begins with a comma where there is any.
    static func body(
        _ view: String = "list", isReversed: Bool = false, isFeed: Bool = true, more: String = ""
    ) -> String {
        #"{"view":"\#(view)","profile":"default""# + (isFeed ? #","feed":"items""# : "")
            + (isReversed ? #","reversed":true"# : "")
            + #","geometry":{"viewport":{"width":390,"height":800},"content":{"width":390,"height":2000}\#(more)},"offset":0}"#
    }

    /// Lets the client connect, and hears its `hello`.
    @discardableResult
    func connect(
        frames: String = "plain", views: [String] = [ClientTrial.body()], first: String = "[]",
        isBackend: Bool = false
    ) throws(TrialEnd) -> HeardMessage {
        let members =
            #"{"url":"\#(server.url)","frames":"\#(frames)","views":[\#(views.joined(separator: ","))],"#
            + #""first":\#(first),"backend":\#(isBackend)}"#
        try order("connect", members)
        try awaitLine()
        return try expect("hello")
    }

    /// Answers a `hello`: welcomes the client, and attaches its views, whether they stand in
    /// `hello` or follow. The answer is what was said of them.
    @discardableResult
    func greet(
        _ hello: HeardMessage, _ welcome: String = ServerMessages.welcome(),
        attached: (String, Int) -> String = { ServerMessages.attached($0, ack: $1) },
        strange isStrange: Bool = false
    ) throws(TrialEnd) -> [JSONValue] {
        let bodies = hello.value["views"]?.array ?? []
        let views = bodies.compactMap { $0["view"]?.string }
        guard views.isEmpty else {
            try say([welcome] + views.map { attached($0, 0) }, isStrange: isStrange)
            return bodies
        }
        try say([welcome], isStrange: isStrange)
        let attach = try expect("attach")
        try say([attached(attach.value["view"]?.string ?? "", attach.seq)])
        return [attach.value]
    }

    /// A client whose one view is attached.
    @discardableResult
    func open(
        frames: String = "plain", welcome: String = ServerMessages.welcome(), first: String = "[]",
        isBackend: Bool = false, attached: String = ServerMessages.attached(),
        strange isStrange: Bool = false
    ) throws(TrialEnd) -> HeardMessage {
        let hello = try connect(
            frames: frames, views: [ClientTrial.body(isFeed: !isBackend)], first: first,
            isBackend: isBackend)
        try greet(hello, welcome, attached: { _, _ in attached }, strange: isStrange)
        try expectShown("{attached: true}")
        return hello
    }

    /// The client's next connection, and its `hello`.
    func comeBack(withinMs: Double? = nil) throws(TrialEnd) -> HeardMessage {
        try awaitLine(withinMs: withinMs ?? patienceMs + 2000)
        return try expect("hello")
    }

    /// The connection breaks, and the client is back: its `hello`.
    @discardableResult
    func breakAndReturn() throws(TrialEnd) -> HeardMessage {
        cut()
        return try comeBack()
    }

    /// Answers a `hello` that goes on with the session.
    func goOn(
        token: String = "T2", ack: Int, _ change: String = "", behind more: [String] = []
    ) throws(TrialEnd) {
        let words = [
            ServerMessages.welcome(token: token, ack: ack, resumed: true),
            ServerMessages.attached(ack: ack), ServerMessages.update(change, ack: ack),
        ]
        try say(words + more)
    }

    /// The host asks for something; the answer is the message by which the client does so.
    @discardableResult
    func ask(_ request: String, _ more: String = "") throws(TrialEnd) -> HeardMessage {
        try order("ask", #"{"view":"list","for":"\#(request)"\#(more)}"#)
        return try expect(request)
    }
}
