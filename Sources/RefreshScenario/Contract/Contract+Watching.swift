import RefreshProtocol

/// The events sent to watchers of sessions. Source: docs/operations.md, "Watching".
extension Contract {
    static let watchEvents: [MessageShape] = [
        MessageShape(
            .watch, "watching", "all loops tell this watcher what happens, from now on", [],
            examples: [#"{"event":"watching"}"#]),
        watch(
            "opened", "a connection was accepted as a session",
            [.required("loop", .count), ShapeField("peer", .string)],
            #","loop":0,"peer":"127.0.0.1""#),
        watch(
            "greeted", "`hello` was said and answered",
            [
                ShapeField("client", .string), .required("frames", .words(FramesMode.self)),
                ShapeField("subject", .string),
            ], #","client":"web/1.0","frames":"plain""#),
        watch("attached", "a view is there", view, #","view":"list","feed":"packages""#),
        watch(
            "received", "a message came",
            view + [
                .required("type", .words(MessageType.self)),
                ShapeField("seq", .reference("seq")),
            ], #","view":"list","type":"refresh","seq":7"#),
        watch(
            "transition", "an edge is in another state",
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
            "loadEnded", "it ended",
            view + load + [
                .required("result", .words(LoadResult.self)), ShapeField("ms", .notNegative),
            ], #","view":"list","load":"1.1","kind":"refresh","result":"success","ms":12.5"#),
        watch(
            "fault", "the client was told of a fault",
            view + [
                .required("code", .reference("faultCode")), ShapeField("seq", .reference("seq")),
            ], #","view":"list","code":"staleSequence","seq":3"#),
        watch("detached", "the connection is gone and the session waits", [code], ""),
        watch("resumed", "its client is back", [], ""),
        watch("closed", "the session is over", [code], #","code":1000"#),
        MessageShape(
            .watch, "lost", "so many events were not told",
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

    private static let code = ShapeField("code", .whole(1000...4999), "what it was closed with")
}
