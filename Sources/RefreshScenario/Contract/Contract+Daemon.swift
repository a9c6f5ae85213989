import RefreshProtocol
import RefreshServer

/// The messages the daemon sends in a session. Source: docs/protocol.md, "What the daemon says".
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
            "update", "what changed, and only that", update,
            [
                #"{"type":"update","view":"list","ack":12,"top":{"state":"pulling","progress":0.78125,"#
                    + #""indicator":{"progress":0.7813,"alpha":0.7813}}}"#,
                #"{"type":"update","view":"list","ack":13,"offset":{"to":1200,"duration":711.51,"#
                    + #""start":81532.25,"path":[[0,500],[711.51,1200]]}}"#,
            ]),
        daemon(
            "load", "the client as backend: please load",
            [viewName, loadName] + request + [
                .required("attempt", .count), .required("deadlineMs", .count),
            ],
            [
                #"{"type":"load","view":"list","load":"1.3","kind":"refresh","trigger":"refreshControl","#
                    + #""cause":"finger","page":1,"offset":0,"size":10,"attempt":1,"deadlineMs":30000}"#
            ]),
        MessageShape(
            .daemon, "loading", "a load began, goes on, or ended without items", forms: loading,
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
                    + #""message":"There is no option of this name here; it was ignored.","#
                    + #""field":"top.triger","suggestion":"trigger","seq":12,"view":"list"}"#
            ]),
        daemon(
            "pong", "both clocks",
            [.required("t", .real, "as sent"), .required("time", .real), ack],
            [#"{"type":"pong","t":1516.7,"time":81532.25,"ack":12}"#]),
        MessageShape(
            .daemon, "snapshot", "what the session can be rebuilt from",
            forms: [
                [ack, .required("expires", .count, "ms from now"), .required("sealed", .string)],
                [ack, .required("sealed", .null), .required("reason", .word(["tooLarge"]))],
            ],
            examples: [#"{"type":"snapshot","ack":13,"expires":3600000,"sealed":"v1.k2.Zm9v"}"#]),
        daemon(
            "draining", "the daemon is about to stop", [.required("closes", .count, "ms")],
            [#"{"type":"draining","closes":2500}"#]),
        daemon("bye", "the daemon closes now", [], [#"{"type":"bye"}"#]),
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
        .required("session", .string, "its name, here and in logs"),
        ShapeField("token", .string, "what going on with the session takes"),
        ShapeField("resumed", .flag, "what came of `resume`"),
        ShapeField("reason", .words(ResumeRefusal.self), "why it is a fresh one"),
        ShapeField("ack", .reference("ack")),
        .required("server", .string), .required("time", .real, "the daemon's clock, ms"),
        .required("heartbeat", .count, "a client silent for so many ms should ping"),
        .required(
            "limits",
            .object(Limits.table.map { ShapeField($0.name, .count, $0.meaning) })),
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
            ShapeField("inset", .reference("inset"), "of a new view: the daemon has no share"),
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
            ShapeField("lastUpdated", .orNull(.real), "daemon time"),
            ShapeField(
                "announce", .list(.word(SpokenCue.allCases.map { "\($0.key)" }), count: 1...16)),
            ShapeField("law", .reference("law")),
            ShapeField("blend", .notNegative, "ms of going over to it"),
        ]

    /// The members that describe the request of a load.
    private static let request: [ShapeField] = [
        kind, .required("trigger", .words(LoadTrigger.self)),
        .required("cause", .reference("cause")), .required("page", .count),
        .required("offset", .count), .required("size", .count), ShapeField("cursor", .string),
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
        ShapeField("removed", .count, "items that the view has shown already"),
        .required("items", .list(.anything)),
    ]

    private static let diagnostic: [ShapeField] = [
        .required("code", .reference("diagnosticCode")), .required("message", .string),
        ShapeField("field", .string, "its path"),
        ShapeField("suggestion", .string, "the name that was probably meant"),
        ShapeField("seq", .reference("seq")), ShapeField("view", .reference("view")),
        ShapeField("dropped", .count, "those that were not sent since the last one"),
    ]

    private static let error: [ShapeField] =
        failure + [
            ShapeField("field", .string), ShapeField("seq", .reference("seq")),
            ShapeField("view", .reference("view")), .required("temporary", .flag),
            ShapeField("versions", .list(.count), "those that are served"),
        ]
}
