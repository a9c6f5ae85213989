import RefreshProtocol

/// The messages the daemon sends in a session. Source: docs/protocol.md, "Messages of the daemon".
extension Contract {
    static let daemonMessages: [MessageShape] = [
        daemon(
            "welcome", "the session is open", welcome,
            [
                #"{"type":"welcome","protocol":1,"session":"5f0c2a","token":"Qk3x","server":"refreshd/1.0.0","#
                    + #""time":81532.25,"heartbeat":25000,"limits":{"frameBytesMax":65536},"#
                    + #""profiles":["default"],"feeds":["packages"],"indicators":["spinner"]}"#
            ]),
        daemon(
            "attached", "the view exists; effective options and states", attached, [attachedExample]
        ),
        daemon(
            "update", "the values that changed, and no others", update,
            [
                #"{"type":"update","view":"list","ack":12,"top":{"state":"pulling","progress":0.78125,"#
                    + #""indicator":{"progress":0.7813,"alpha":0.7813}}}"#,
                #"{"type":"update","view":"list","ack":13,"offset":{"to":1200,"duration":711.51,"#
                    + #""start":81532.25,"path":[[0,500],[711.51,1200]]}}"#,
            ]),
        daemon(
            "load", "to the client as backend: load these items",
            [viewName, loadName] + request + [
                .required("attempt", .count), .required("deadlineMs", .count),
            ],
            [
                #"{"type":"load","view":"list","load":"1.3","kind":"refresh","trigger":"refreshControl","#
                    + #""cause":"finger","page":1,"offset":0,"size":10,"attempt":1,"deadlineMs":30000}"#
            ]),
        MessageShape(
            .daemon, "loading", "a load began, continues, or ended without items", forms: loading,
            examples: [
                #"{"type":"loading","view":"list","load":"1.1","kind":"refresh","phase":"began","#
                    + #""trigger":"manual","cause":"code","page":1,"offset":0,"size":50,"attempt":1}"#,
                #"{"type":"loading","view":"list","load":"1.1","kind":"refresh","phase":"failed","#
                    + #""code":"backendTimedOut","message":"The backend did not answer in time.","temporary":true}"#,
            ]),
        daemon(
            "items", "a load succeeded", items,
            [
                #"{"type":"items","view":"list","load":"1.1","mode":"replace","count":1,"page":1,"offset":0,"#
                    + #""more":true,"items":[{"name":"zlib"}]}"#
            ]),
        daemon(
            "error", "a fault", error,
            [
                #"{"type":"error","code":"unknownView","message":"No view of that name is attached.","#
                    + #""seq":12,"view":"lst","temporary":false}"#
            ]),
        daemon(
            "diagnostic", "something was ignored", diagnostic,
            [
                #"{"type":"diagnostic","code":"unknownOption","#
                    + #""message":"The object has no option of this name; the option was "#
                    + #"ignored.","#
                    + #""field":"top.triger","suggestion":"trigger","seq":12,"view":"list"}"#
            ]),
        daemon(
            "pong", "the clocks of the client and of the daemon",
            [.required("t", .real, "as sent"), .required("time", .real), ack],
            [#"{"type":"pong","t":1516.7,"time":81532.25,"ack":12}"#]),
        MessageShape(
            .daemon, "snapshot", "a sealed snapshot, from which a daemon can rebuild the session",
            forms: [
                [ack, .required("expires", .count, "ms from now"), .required("sealed", .string)],
                [ack, .required("sealed", .null), .required("reason", .word(["tooLarge"]))],
            ],
            examples: [#"{"type":"snapshot","ack":13,"expires":3600000,"sealed":"v1.k2.Zm9v"}"#]),
        daemon(
            "draining", "the daemon stops soon", [.required("closes", .count, "ms")],
            [#"{"type":"draining","closes":2500}"#]),
        daemon("bye", "the daemon closes the connection now", [], [#"{"type":"bye"}"#]),
    ]

    private static func daemon(
        _ type: String, _ meaning: String, _ fields: [ShapeField], _ examples: [String]
    ) -> MessageShape {
        MessageShape(.daemon, type, meaning, fields, examples: examples)
    }

    private static let ack = ShapeField.required("ack", .reference("ack"))
    private static let viewName = ShapeField.required("view", .reference("view"))
    private static let loadName = ShapeField.required("load", .reference("load"))
    private static let kind = ShapeField.required("kind", .words(LoadKind.self))

    private static let welcome: [ShapeField] = [
        .required("protocol", .constant(.number(Double(ProtocolVersion.current)))),
        .required("session", .string, "the name of the session, here and in logs"),
        ShapeField("token", .string, "the secret that resuming the session requires"),
        ShapeField("resumed", .flag, "whether the session of `resume` was resumed"),
        ShapeField("reason", .words(ResumeRefusal.self), "the reason why the session is a new one"),
        ShapeField("ack", .reference("ack")),
        .required("server", .string), .required("time", .real, "the daemon's clock, ms"),
        .required(
            "heartbeat", .count, "a client that has been silent for this many ms should ping"),
        ShapeField(
            "features", .list(.string, count: 0...ClientFeatures.namesMax),
            "the features that the daemon serves; present if `hello` had `features`"),
        .required(
            "limits",
            .object(
                (Limits.table + Limits.tableOfFeatures).map {
                    ShapeField($0.name, .count, $0.meaning)
                })),
        .required("profiles", .list(.string)), .required("feeds", .list(.string)),
        .required("indicators", .list(.string)),
    ]

    private static let attached: [ShapeField] =
        [
            viewName, ack, .required("generation", .reference("generation")),
            .required("profile", .string), .required("axis", .words(Axis.self)),
            .required("reversed", .flag), .required("attention", .words(EvaluationTrigger.self)),
            .required("haptics", .flag), .required("announcements", .flag),
        ]
        + Edge.allCases.map {
            ShapeField(
                $0.rawValue, .either([.reference("refreshEdge"), .reference("loadMoreEdge")]))
        } + [
            .required("paging", .reference("pagingOptions")),
            .required("pan", .reference("panOptions")),
            ShapeField(
                "inset", .reference("inset"),
                "only for a new view: the daemon has no share of the inset"),
            ShapeField("law", .reference("law")),
        ]

    private static let update: [ShapeField] =
        [viewName, ack] + Edge.allCases.map { ShapeField($0.rawValue, .reference("edgeUpdate")) }
        + [
            ShapeField("inset", .reference("inset")), ShapeField("offset", .reference("offset")),
            ShapeField("haptic", .list(.words(Haptic.self), count: 1...16)),
            ShapeField("floor", .reference("floorUpdate")),
            ShapeField("list", .object([.required("count", .count), .required("more", .flag)])),
            ShapeField("newer", .flag, "whether the feed has newer data"),
            ShapeField(
                "newerCount", .orNull(.whole(NewerCount.range)),
                "feature `unread`: the number of newer items; null: not known"),
            ShapeField(
                "away", .flag,
                "feature `unread`: whether the newest end of the list is out of sight"),
            ShapeField(
                "revealed", .words(RevealResult.self), "feature `unread`: how a `reveal` has ended"),
            ShapeField("read", .string, "feature `unread`: the read mark of the view"),
            ShapeField("lastUpdated", .orNull(.real), "daemon time of the last successful refresh"),
            ShapeField(
                "announce", .list(.word(SpokenCue.allCases.map { "\($0.key)" }), count: 1...16)),
            ShapeField("law", .reference("law")),
            ShapeField(
                "blend", .notNegative, "ms in which a local client moves to the reported values"),
        ]

    /// The members that describe the request of a load.
    private static let request: [ShapeField] = [
        kind, .required("trigger", .words(LoadTrigger.self)),
        .required("cause", .reference("cause")), .required("page", .count),
        .required("offset", .count), .required("size", .count), ShapeField("cursor", .string),
        ShapeField("pages", .count, "the number of requested pages, if it is not 1"),
    ]

    private static let loading: [[ShapeField]] = [
        loading("began", request.filter { $0.name != "kind" } + [.required("attempt", .count)]),
        loading("progress", [.required("progress", .part)]),
        loading(
            "retrying",
            [.required("attempt", .count), .required("afterMs", .count)] + failure),
        loading(
            "failed",
            failure + [.required("temporary", .flag), ShapeField("retryAfterMs", .notNegative)]),
        loading("cancelled", []), loading("timedOut", []),
        [
            viewName, ShapeField("load", .reference("load")), kind,
            .required("phase", .constant(.string("joined"))),
            ShapeField(
                "seq", .reference("seq"), "the `seq` of the `refresh` that joined this load"),
        ],
    ]

    private static func loading(_ phase: String, _ fields: [ShapeField]) -> [ShapeField] {
        [viewName, loadName, kind, .required("phase", .constant(.string(phase)))] + fields
    }

    private static let failure: [ShapeField] = [
        .required("code", .reference("faultCode")), .required("message", .string),
    ]

    private static let items: [ShapeField] = [
        viewName, loadName, .required("mode", .word(["replace", "append", "prepend"])),
        .required("count", .count), .required("page", .count), .required("offset", .count),
        .required("more", .flag), ShapeField("total", .count), ShapeField("cursor", .string),
        ShapeField("pages", .count, "the number of pages of a refresh at depth"),
        ShapeField(
            "removed", .count,
            "the number of items left out because the view has shown them already"),
        .required("items", .list(.anything)),
    ]

    private static let diagnostic: [ShapeField] = [
        .required("code", .reference("diagnosticCode")), .required("message", .string),
        ShapeField("field", .string, "the path of the ignored field"),
        ShapeField("suggestion", .string, "the name that was probably meant"),
        ShapeField("seq", .reference("seq")), ShapeField("view", .reference("view")),
        ShapeField(
            "dropped", .count, "diagnostics that were not sent since the last `diagnostic` message"),
    ]

    private static let error: [ShapeField] =
        failure + [
            ShapeField("field", .string), ShapeField("seq", .reference("seq")),
            ShapeField("view", .reference("view")), .required("temporary", .flag),
            ShapeField("versions", .list(.count), "the protocol versions that the daemon serves"),
        ]
}
