import RefreshProtocol

/// The messages that a client may send in a session. Source: docs/protocol.md, "Messages of
/// the client".
extension Contract {
    static let clientMessages: [MessageShape] = [
        client(
            "hello", "opens a session or resumes one; the first message", hello,
            [
                #"{"type":"hello","protocol":1,"client":"web/1.0","frames":"stream","views":[{"view":"list","#
                    + #""profile":"default","feed":"packages","geometry":{"viewport":{"width":390,"height":800}}}]}"#,
                #"{"type":"hello","protocol":1,"views":[],"snapshots":true,"resume":{"session":"5f0c2a","#
                    + #""token":"Qk3x","ack":12,"received":["1.3"],"snapshot":"v1.k2.Zm9v"}}"#,
            ]),
        client(
            "attach", "attaches a view", header + attachFields,
            [
                #"{"type":"attach","seq":1,"view":"list","profile":"default","feed":"packages","#
                    + #""parameters":{"section":"libs"},"offset":-88,"top":{"length":80},"#
                    + #""bottom":{"mode":"user"},"paging":{"size":50}}"#,
                #"{"type":"attach","seq":2,"view":"chat","profile":"default","axis":"vertical","#
                    + #""reversed":true,"bottom":{"successHold":0},"top":{"preloadItems":10},"announcements":false}"#,
            ]),
        client("detach", "detaches a view and cancels its loads", header, [plain("detach")]),
        client("appear", "the view became visible", header, [plain("appear")]),
        client(
            "disappear", "the view is not visible any more", header, [plain("disappear")],
            need: .features),
        client(
            "reveal", "brings an end of the list or an item into sight",
            header + [
                ShapeField(
                    "edge", .reference("edge"),
                    "the end of the list that is meant; default: the refresh edge"),
                ShapeField("id", .string, "the client's name for an item"),
                ShapeField("position", .points, "where the item begins"), animated,
            ],
            [
                plain("reveal"), plain("reveal", #","edge":"bottom""#),
                plain("reveal", #","id":"m42","position":2912.5,"animated":false"#),
            ], need: .named(.unread)),
        client(
            "read", "the user has read the list up to this item",
            header + [.required("id", .string, "the client's name for the item")],
            [plain("read", #","id":"m42""#)], need: .named(.unread)),
        client(
            "edit", "the user of the client changes the list", header + editFields,
            [
                plain("edit", "," + editExample),
                plain(
                    "edit",
                    #","edit":"6f0c8a52-91d5","operation":{"remove":"m2"},"delayMs":5000"#),
                plain(
                    "edit",
                    #","edit":"0b7c1a33-52e0","operation":{"refresh":"m2"},"repeated":true"#),
            ], need: .named(.edits)),
        client(
            "undo", "the edit should not be performed", header + [editName],
            [plain("undo", #","edit":"6f0c8a52-91d5""#)], need: .named(.edits)),
        client(
            "geometry", "reports changed sizes and positions", header + geometry + [visible],
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
            "refresh", "starts a refresh with its load", header + [cause, animated],
            [plain("refresh", #","cause":"code""#)]),
        client(
            "begin", "shows the refresh indicator without a load", header + [animated],
            [plain("begin", #","animated":true"#)]),
        client("end", "hides the refresh indicator", header + [animated], [plain("end")]),
        client(
            "loadMore", "loads the next page", header + [cause],
            [plain("loadMore", #","cause":"key""#)]),
        client(
            "retry", "repeats the failed load",
            header + [
                ShapeField(
                    "edge", .reference("edge"),
                    "the edge of the load; default: the edge whose load has failed last")
            ], [plain("retry")]),
        client(
            "cancel", "cancels the running load", header + [edge],
            [plain("cancel", #","edge":"bottom""#)]),
        client(
            "reset", "discards the pages of an edge and the results of its loads", header + [edge],
            [plain("reset", #","edge":"top""#)]),
        client(
            "floor", "opens or closes the second floor",
            header + [.required("open", .flag, "whether the floor opens")],
            [plain("floor", #","open":true"#)]),
        client(
            "loadBegan", "from the client as backend: the load starts, or is refused",
            header + [load, ShapeField("accepted", .flag, "false: the load is refused")],
            [plain("loadBegan", #","load":"1.3""#)]),
        client(
            "loadProgress", "from the client as backend: the progress of the load",
            header + [load, .required("progress", .part, "the part that is done")],
            [plain("loadProgress", #","load":"1.3","progress":0.5"#)]),
        client(
            "loadFinished", "from the client as backend: the load has ended", header + loadFinished,
            [plain("loadFinished", #","load":"1.3","result":"success","count":50,"more":true"#)]),
        client(
            "enable", "enables or disables an edge",
            header + [
                .required("edge", .reference("edge"), "the edge that is meant"),
                .required("enabled", .flag, "whether the edge does anything"),
            ],
            [plain("enable", #","edge":"top","enabled":false"#)]),
        client(
            "configure", "changes options, or the parameters of the feed",
            header + edgeSettings + [
                ShapeField("paging", .reference("pagingOptions")),
                ShapeField("pan", .reference("panOptions")),
                ShapeField(
                    "parameters", .named(.string), "the parameters of the new query, by name",
                    need: .named(.query)),
                ShapeField(
                    "debounceMs", .whole(0...QueryChange.debounceMsMax, in: .milliseconds),
                    "the time to wait for a further query", need: .named(.query)),
                ShapeField(
                    "shown", .words(ShownItems.self),
                    "what the client shows until the first page is there", need: .named(.query)),
            ],
            [
                plain(
                    "configure", #","parameters":{"q":"swift"},"debounceMs":250,"shown":"clear""#),
                plain(
                    "configure",
                    #","top":{"floor":{"length":160}},"bottom":null,"pan":{"damping":"compose"}"#),
            ]),
        client(
            "ping", "requests the daemon's clock",
            [.required("t", .clock, "the client's clock")],
            [#"{"type":"ping","t":1516.7}"#]),
        client("snapshot", "requests a sealed snapshot", [], [#"{"type":"snapshot"}"#]),
        client("bye", "ends the session", [], [#"{"type":"bye"}"#]),
    ]

    private static func client(
        _ type: String, _ meaning: String, _ fields: [ShapeField], _ examples: [String],
        need: FeatureNeed? = nil
    ) -> MessageShape {
        MessageShape(.client, type, meaning, fields, examples: examples, need: need)
    }

    /// Returns an example of a message about the view `list`, with the additional members `more`.
    private static func plain(_ type: String, _ more: String = "") -> String {
        #"{"type":"\#(type)","seq":7,"view":"list"\#(more)}"#
    }

    private static let header: [ShapeField] = [
        .required("seq", .reference("seq")), .required("view", .reference("view")),
        ShapeField("generation", .reference("generation")),
    ]

    private static let cause = ShapeField(
        "cause", .reference("intentCause"), "the origin of the request")
    private static let animated = ShapeField(
        "animated", .flag, "whether the list moves with the duration of the edge, or at once")
    private static let edge = ShapeField(
        "edge", .reference("edge"), "the edge that is meant; default: both edges")
    private static let load = ShapeField.required(
        "load", .reference("load"), "the `load` of the message that requested it")

    private static let hello: [ShapeField] = [
        .required(
            "protocol", .whole(0...Int(Int32.max)), "the major protocol version of the client"),
        ShapeField("client", .string, "the client's name, for logs"),
        ShapeField("token", .string, "authenticates the client"),
        ShapeField("frames", .reference("frames"), "how the client draws its indicators"),
        ShapeField(
            "features", .list(.string, count: 0...ClientFeatures.namesMax),
            "the features that the client can use"),
        ShapeField(
            "headers",
            .named(
                .text(Shape.TextBounds(pattern: "^[ -~]*$")),
                names: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"),
            "the client's headers that backends receive, by name"),
        ShapeField("views", .list(.reference("attachBody")), "the views to attach"),
        ShapeField(
            "resume",
            .object([
                .required("session", .string, "the `session` of the last `welcome`"),
                .required("token", .string, "the `token` of the last `welcome`"),
                ShapeField("ack", .reference("ack"), "the largest `ack` that was received"),
                ShapeField(
                    "received", .list(.reference("load")), "the loads whose items were received"),
                ShapeField("snapshot", .string, "the last sealed snapshot"),
            ]), "the session to resume"),
        ShapeField("snapshots", .flag, "whether the client wants sealed snapshots"),
        ShapeField("diagnostics", .flag, "whether the client wants `diagnostic` messages"),
    ]

    /// The common members of `scroll` and `pan`.
    private static let sample: [ShapeField] = [
        ShapeField(
            "t",
            .number(Shape.NumberBounds(least: -0x1p53, most: 0x1p53, unit: .milliseconds)),
            "the client's clock"),
        ShapeField(
            "velocity", .velocity,
            "the velocity of the list, positive towards the end of the content"),
        ShapeField(
            "cause", .reference("intentCause"), "the origin of the movement; default: `finger`"),
        ShapeField("from", .points, "the offset of the list in the previous frame"),
        ShapeField(
            "predicted", .words(Prediction.self), "the state that a `local` client shows"),
    ]

    private static let scroll: [ShapeField] =
        [
            .required("offset", .points, "the content offset along the axis"),
            .required("phase", .words(ScrollPhase.self), "the phase of the movement"),
        ] + sample + [visible]

    private static let pan: [ShapeField] =
        [
            .required(
                "translation", .points,
                "the travel of the finger since `began`, positive downwards (to the right)"),
            .required(
                "phase", .words(ScrollPhase.self, where: { $0 != .decelerating && $0 != .idle }),
                "the phase of the gesture"),
            ShapeField(
                "offset", .points, "in the first sample: the offset at which the list is shown"),
        ] + sample

    private static let loadFinished: [ShapeField] = [
        load,
        .required("result", .words(LoadResult.self, where: \.mayBeSent), "how the load ended"),
        ShapeField("count", .whole(0...Int(Int32.max)), "the number of received items"),
        ShapeField("more", .flag, "whether another page exists"),
        ShapeField("cursor", .string, "the cursor of the next page"),
        ShapeField("code", .string, "with `failed`: the client's code of the failure"),
        ShapeField("message", .string, "with `failed`: the client's explanation"),
    ]
}
