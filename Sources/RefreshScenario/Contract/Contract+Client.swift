import RefreshProtocol

/// The messages a client may send in a session. Source: docs/protocol.md, "What a client may say".
extension Contract {
    static let clientMessages: [MessageShape] = [
        client(
            "hello", "opens the session, or goes on with one; first message", hello,
            [
                #"{"type":"hello","protocol":1,"client":"web/1.0","frames":"stream","views":[{"view":"list","#
                    + #""profile":"default","feed":"packages","geometry":{"viewport":{"width":390,"height":800}}}]}"#,
                #"{"type":"hello","protocol":1,"views":[],"snapshots":true,"resume":{"session":"5f0c2a","#
                    + #""token":"Qk3x","ack":12,"received":["1.3"],"snapshot":"v1.k2.Zm9v"}}"#,
            ]),
        client(
            "attach", "a view exists", header + attachFields,
            [
                #"{"type":"attach","seq":1,"view":"list","profile":"default","feed":"packages","#
                    + #""parameters":{"section":"libs"},"offset":-88,"top":{"length":80},"#
                    + #""bottom":{"mode":"user"},"paging":{"size":50}}"#,
                #"{"type":"attach","seq":2,"view":"chat","profile":"default","axis":"vertical","#
                    + #""reversed":true,"bottom":{"successHold":0},"top":{"preloadItems":10},"announcements":false}"#,
            ]),
        client("detach", "a view is gone; its loads are cancelled", header, [plain("detach")]),
        client("appear", "the view came into sight", header, [plain("appear")]),
        client(
            "geometry", "any of these changed", header + geometry,
            [
                plain(
                    "geometry",
                    #","content":{"width":390,"height":3600},"anchor":{"id":"m42","position":312.5}"#
                )
            ]),
        client(
            "scroll", "the list scrolled; the client owns the physics", header + scroll,
            [plain("scroll", #","t":1516.7,"offset":-62.5,"phase":"dragging""#)]),
        client(
            "pan", "the finger moved; the daemon owns the physics", header + pan,
            [plain("pan", #","t":1516.7,"translation":42,"phase":"dragging""#)]),
        client(
            "refresh", "refresh now, with the load", header + [cause, animated],
            [plain("refresh", #","cause":"code""#)]),
        client(
            "begin", "show the refresh indicator, without a load", header + [animated],
            [plain("begin", #","animated":true"#)]),
        client("end", "hide the refresh indicator", header + [animated], [plain("end")]),
        client(
            "loadMore", "load the next page now", header + [cause],
            [plain("loadMore", #","cause":"key""#)]),
        client("retry", "repeat the failed load", header + [edge], [plain("retry")]),
        client(
            "cancel", "give up the running load", header + [edge],
            [plain("cancel", #","edge":"bottom""#)]),
        client(
            "reset", "forget what was loaded, and how it ended", header + [edge],
            [plain("reset", #","edge":"top""#)]),
        client(
            "floor", "open or close the second floor", header + [.required("open", .flag)],
            [plain("floor", #","open":true"#)]),
        client(
            "loadBegan", "the client as backend: it starts (or refuses) this load",
            header + [load, ShapeField("accepted", .flag)], [plain("loadBegan", #","load":"1.3""#)]),
        client(
            "loadProgress", "the client as backend: the load is so far",
            header + [load, .required("progress", .part)],
            [plain("loadProgress", #","load":"1.3","progress":0.5"#)]),
        client(
            "loadFinished", "the client as backend: the load is done", header + loadFinished,
            [plain("loadFinished", #","load":"1.3","result":"success","count":50,"more":true"#)]),
        client(
            "enable", "switches an edge on or off",
            header + [.required("edge", .reference("edge")), .required("enabled", .flag)],
            [plain("enable", #","edge":"top","enabled":false"#)]),
        client(
            "configure", "changes options",
            header + edgeSettings + [
                ShapeField("paging", .reference("pagingOptions")),
                ShapeField("pan", .reference("panOptions")),
            ],
            [
                plain(
                    "configure",
                    #","top":{"floor":{"length":160}},"bottom":null,"pan":{"damping":"compose"}"#)
            ]),
        client(
            "ping", "asks for the daemon's clock",
            [.required("t", .real, "the client's clock, ms")],
            [#"{"type":"ping","t":1516.7}"#]),
        client("snapshot", "asks for a sealed snapshot", [], [#"{"type":"snapshot"}"#]),
        client("bye", "the client leaves", [], [#"{"type":"bye"}"#]),
    ]

    private static func client(
        _ type: String, _ meaning: String, _ fields: [ShapeField], _ examples: [String]
    ) -> MessageShape {
        MessageShape(.client, type, meaning, fields, examples: examples)
    }

    /// Returns a message about the view `list`, with further members.
    private static func plain(_ type: String, _ more: String = "") -> String {
        #"{"type":"\#(type)","seq":7,"view":"list"\#(more)}"#
    }

    private static let header: [ShapeField] = [
        .required("seq", .reference("seq")), .required("view", .reference("view")),
        ShapeField("generation", .reference("generation")),
    ]

    private static let cause = ShapeField("cause", .reference("intentCause"))
    private static let animated = ShapeField("animated", .flag)
    private static let edge = ShapeField("edge", .reference("edge"))
    private static let load = ShapeField.required("load", .reference("load"))

    private static let hello: [ShapeField] = [
        .required("protocol", .whole(0...Int(Int32.max)), "the major version the client speaks"),
        ShapeField("client", .string, "its name, for logs"),
        ShapeField("token", .string, "says who the client is"),
        ShapeField("frames", .reference("frames")),
        ShapeField(
            "headers",
            .named(
                .text(Shape.TextBounds(pattern: "^[ -~]*$")),
                names: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"),
            "what a backend may want to know of the client"),
        ShapeField("views", .list(.reference("attachBody"))),
        ShapeField(
            "resume",
            .object([
                .required("session", .string), .required("token", .string),
                ShapeField("ack", .reference("ack")),
                ShapeField("received", .list(.reference("load"))), ShapeField("snapshot", .string),
            ]), "the session to go on with"),
        ShapeField("snapshots", .flag, "whether it wants sealed snapshots"),
        ShapeField("diagnostics", .flag, "whether it wants to know what is ignored"),
    ]

    /// The common members of `scroll` and `pan`.
    private static let sample: [ShapeField] = [
        ShapeField(
            "t", .number(Shape.NumberBounds(least: -0x1p53, most: 0x1p53)),
            "the client's clock, ms"),
        ShapeField(
            "velocity", .number(Shape.NumberBounds(limit: "velocityMax")), "points per second"),
        cause,
        ShapeField("from", .points, "where the list was in the frame before"),
        ShapeField("predicted", .words(Prediction.self), "the state that the client shows"),
    ]

    private static let scroll: [ShapeField] =
        [.required("offset", .points), .required("phase", .words(ScrollPhase.self))] + sample

    private static let pan: [ShapeField] =
        [
            .required("translation", .points, "points that the finger has travelled"),
            .required(
                "phase", .words(ScrollPhase.self, where: { $0 != .decelerating && $0 != .idle })),
            ShapeField("offset", .points),
        ] + sample

    private static let loadFinished: [ShapeField] = [
        load, .required("result", .words(LoadResult.self, where: \.mayBeSent)),
        ShapeField("count", .whole(0...Int(Int32.max))), ShapeField("more", .flag),
        ShapeField("cursor", .string), ShapeField("code", .string), ShapeField("message", .string),
    ]
}
