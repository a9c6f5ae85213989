import RefreshProtocol

/// The events sent to watchers of sessions. Source: docs/operations.md, "Watching".
extension Contract {
    static let watchEvents: [MessageShape] = [
        MessageShape(
            .watch, "watching", "this watcher now receives the events of all event loops", [],
            examples: [#"{"event":"watching"}"#]),
        watch(
            "opened", "a connection was accepted as a session",
            [.required("loop", .count), ShapeField("peer", .string)],
            #","loop":0,"peer":"127.0.0.1""#),
        watch(
            "greeted", "`hello` was received and answered",
            [
                ShapeField("client", .string), .required("frames", .words(FramesMode.self)),
                ShapeField("subject", .string),
            ], #","client":"web/1.0","frames":"plain""#),
        watch("attached", "a view is attached", view, #","view":"list","feed":"packages""#),
        watch(
            "received", "a message was received",
            view + [
                .required("type", .words(MessageType.self)),
                ShapeField("seq", .reference("seq")),
            ], #","view":"list","type":"refresh","seq":7"#),
        watch(
            "transition", "an edge changed its state",
            view + [
                .required("edge", .words(EdgeRole.self)),
                ShapeField("from", .words(EdgeState.self)),
                .required("to", .words(EdgeState.self)),
                ShapeField("cause", .reference("cause")),
            ], #","view":"list","edge":"refresh","from":"idle","to":"refreshing","cause":"code""#),
        watch(
            "loadBegan", "a load began", view + load,
            #","view":"list","load":"1.1","kind":"refresh""#),
        watch(
            "loadEnded", "a load ended",
            view + load + [
                .required("result", .words(LoadResult.self)), ShapeField("ms", .notNegative),
            ], #","view":"list","load":"1.1","kind":"refresh","result":"success","ms":12.5"#),
        watch(
            "fault", "a fault was sent to the client",
            view + [
                .required("code", .reference("faultCode")), ShapeField("seq", .reference("seq")),
            ], #","view":"list","code":"staleSequence","seq":3"#),
        watch(
            "detached", "the connection has ended, and the session waits for its client", [code], ""
        ),
        watch("resumed", "the client has resumed the session", [], ""),
        watch("closed", "the session has ended", [code], #","code":1000"#),
        MessageShape(
            .watch, "lost", "this many events were dropped",
            [.required("count", .count)], examples: [#"{"event":"lost","count":12}"#]),
    ]

    private static func watch(
        _ event: String, _ meaning: String, _ fields: [ShapeField], _ example: String
    ) -> MessageShape {
        let head: [ShapeField] = [.required("time", .string, "UTC"), .required("session", .string)]
        let start =
            #"{"event":"\#(event)","time":"2026-01-02T12:00:00.123Z","session":"c04a0b2d43fb6f50""#
        return MessageShape(
            .watch, event, meaning, head + fields, examples: [start + example + "}"])
    }

    private static let view = [
        ShapeField("view", .reference("view")), ShapeField("feed", .string),
    ]

    private static let load: [ShapeField] = [
        .required("load", .reference("load")), .required("kind", .words(LoadKind.self)),
    ]

    private static let code = ShapeField("code", .whole(1000...4999), "the close code")
}
