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
                #"{"type":"update","view":"list","ack":16,"offset":{"to":549.9,"duration":2296.98,"#
                    + #""start":81532.25,"path":[[0,500],[105.78,509.53],[222.91,517.98],"#
                    + #"[356.02,525.45],[509.97,531.94],[692.25,537.44],[914.79,541.92],"#
                    + #"[1201.8,545.41],[1606.38,547.9],[2296.98,549.9]]}}"#,
            ]),
        daemon(
            "load", "to the client as backend: load these items",
            [viewName, loadName] + request + [
                .required("attempt", .count, attempts),
                .required(
                    "deadlineMs", .wholeDuration, "the time after which the load is timed out"),
            ],
            [
                #"{"type":"load","view":"list","load":"1.1","kind":"refresh","trigger":"refreshControl","#
                    + #""cause":"finger","page":1,"offset":0,"size":10,"attempt":1,"deadlineMs":30000}"#
            ]),
        MessageShape(
            .daemon, "loading", "a load began, continues, or ended without items", forms: loading,
            examples: [
                #"{"type":"loading","view":"list","load":"1.1","phase":"began","kind":"refresh","#
                    + #""trigger":"manual","cause":"code","page":1,"offset":0,"size":50,"attempt":1}"#,
                #"{"type":"loading","view":"list","load":"1.1","kind":"refresh","phase":"failed","#
                    + #""code":"backendTimedOut","message":"The backend did not answer in time.","temporary":true}"#,
            ]),
        MessageShape(
            .daemon, "items", "a load succeeded, or items have changed",
            forms: ShapeField.exclusive([items, fill, patch, liveItems]),
            examples: [
                #"{"type":"items","view":"list","load":"1.1","mode":"replace","count":1,"page":1,"offset":0,"#
                    + #""more":true,"items":[{"name":"zlib"}]}"#,
                #"{"type":"items","view":"list","load":"1.2","mode":"patch","count":52,"page":1,"offset":0,"#
                    + #""more":true,"runs":[{"items":[{"name":"aide"},{"name":"apt"}]},"#
                    + #"{"from":"bash","count":50}]}"#,
                #"{"type":"items","view":"chat","load":"1.4","mode":"patch","count":51,"more":true,"#
                    + #""operations":[{"insert":{"id":"m9","text":"hello"},"at":"start"},"#
                    + #"{"remove":"m2"}]}"#,
                #"{"type":"items","view":"log","load":"1.3","mode":"fill","count":1,"page":121,"#
                    + #""offset":6000,"more":false,"total":10000,"items":[{"line":6001}]}"#,
            ]),
        edited,
        daemon(
            "error", "a fault", error,
            [
                #"{"type":"error","code":"unknownView","message":"No view of that name is attached.","#
                    + #""field":"view","seq":12,"view":"lst","temporary":false}"#
            ]),
        daemon(
            "diagnostic", "something was ignored, or the client makes a mistake", diagnostic,
            [
                #"{"type":"diagnostic","code":"unknownOption","#
                    + #""message":"There is no option of this name here; it was ignored.","#
                    + #""field":"top.triger","suggestion":"trigger","seq":11,"view":"list"}"#,
                #"{"type":"diagnostic","code":"springBackMissing","#
                    + #""message":"After a release, the list rests beyond its start.","#
                    + #""seq":16,"view":"list","page":"docs/start.md#spring-back"}"#,
            ]),
        daemon(
            "pong", "the clocks of the client and of the daemon",
            [
                .required("t", .clock, "the `t` of the `ping`"),
                .required("time", .clock, "the daemon's clock"), ack,
            ],
            [#"{"type":"pong","t":1516.7,"time":81532.25,"ack":12}"#]),
        MessageShape(
            .daemon, "snapshot", "a sealed snapshot, from which a daemon can rebuild the session",
            forms: [
                [
                    ack,
                    .required("expires", .wholeDuration, "the time for which it is valid"),
                    .required("sealed", .string, "the snapshot, which only daemons can read"),
                ],
                [
                    ack, .required("sealed", .null, "there is no snapshot"),
                    .required("reason", .word(["tooLarge"]), "the reason"),
                ],
            ],
            examples: [#"{"type":"snapshot","ack":13,"expires":3600000,"sealed":"v1.k2.Zm9v"}"#]),
        daemon(
            "draining", "the daemon stops soon",
            [
                .required(
                    "closes", .wholeDuration, "the time after which the connection is closed")
            ],
            [#"{"type":"draining","closes":2500}"#]),
        daemon("bye", "the daemon closes the connection now", [], [#"{"type":"bye"}"#]),
    ]

    private static func daemon(
        _ type: String, _ meaning: String, _ fields: [ShapeField], _ examples: [String]
    ) -> MessageShape {
        MessageShape(.daemon, type, meaning, fields, examples: examples)
    }

    private static let ack = ShapeField.required("ack", .reference("ack"))
    static let viewName = ShapeField.required("view", .reference("view"))
    static let loadName = ShapeField.required("load", .reference("load"))
    private static let kind = ShapeField.required(
        "kind", .words(LoadKind.self), "whether the load refreshes or continues the list")
    private static let attempts = "1, and one more for each load that has failed before it"

    private static let welcome: [ShapeField] = [
        .required(
            "protocol", .constant(.number(Double(ProtocolVersion.current))),
            "the major protocol version"),
        .required("session", .string, "the name of the session, here and in logs"),
        ShapeField("token", .string, "the secret that resuming the session requires"),
        ShapeField("resumed", .flag, "whether the session of `resume` was resumed"),
        ShapeField("reason", .words(ResumeRefusal.self), "the reason why the session is a new one"),
        ShapeField("ack", .reference("ack")),
        .required("server", .string, "the name and version of the daemon"),
        .required("time", .clock, "the daemon's clock"),
        .required(
            "heartbeat", .wholeDuration,
            "a client that has been silent for this time should ping"),
        ShapeField(
            "features", .list(.string, count: 0...ClientFeatures.namesMax),
            "the features that the daemon serves", need: .features),
        .required(
            "limits",
            .object(
                Limits.table.map { ShapeField($0.name, limit($0.name), $0.meaning) }
                    + Limits.tableOfFeatures.map {
                        ShapeField($0.name, limit($0.name), $0.meaning, need: .features)
                    }), "the limits in force"),
        .required("profiles", .list(.string), "the profiles that `attach` may name"),
        .required("feeds", .list(.string), "the feeds that `attach` may name"),
        .required("indicators", .list(.string), "the indicators that `attach` may name"),
    ]

    /// Returns the shape of a limit, with the unit that its name contains.
    private static func limit(_ name: String) -> Shape {
        let unit: Shape.Unit? =
            name.hasSuffix("Ms") ? .milliseconds : name.contains("ytes") ? .bytes : nil
        return .number(Shape.NumberBounds(least: 0, isWhole: true, unit: unit))
    }

    private static let attached: [ShapeField] =
        [
            viewName, ack, .required("generation", .reference("generation")),
            .required("profile", .string, "the profile of the view"),
            .required("axis", .words(Axis.self), "the axis of the view"),
            .required("reversed", .flag, "whether reading begins at the far end"),
            .required(
                "attention", .words(EvaluationTrigger.self),
                "what makes the daemon evaluate the position"),
            .required("haptics", .flag, "whether updates have haptic cues"),
            .required("announcements", .flag, "whether updates have spoken cues"),
        ]
        + Edge.allCases.map {
            ShapeField(
                $0.rawValue, .either([.reference("refreshEdge"), .reference("loadMoreEdge")]),
                "the state and the options of this edge")
        } + [
            .required("paging", .reference("pagingOptions"), "the paging in force"),
            .required("pan", .reference("panOptions"), "the options of `pan` in force"),
            ShapeField(
                "itemKey", .string, "the JSON pointer to the key of an item, if the feed has keys",
                need: .named(.patch)),
            ShapeField(
                "sectionKey", .string,
                "the JSON pointer to the value that names the section of an item, if the feed has"
                    + " sections", need: .features),
            ShapeField(
                "edits", .list(.word(["insert", "update", "remove", "move", "refresh"])),
                "the operations that the feed accepts from the client", need: .named(.edits)),
            ShapeField(
                "inset", .reference("inset"),
                "only for a new view: the daemon has no share of the inset"),
            ShapeField(
                "law", .reference("law"), "for `stream` and `local` clients: the control law"),
        ]

    private static let update: [ShapeField] =
        [viewName, ack]
        + Edge.allCases.map {
            ShapeField($0.rawValue, .reference("edgeUpdate"), "what has changed at this edge")
        } + [
            ShapeField("inset", .reference("inset"), "changes the insets of the list"),
            ShapeField("offset", .reference("offset"), "moves the list"),
            ShapeField(
                "haptic", .list(.words(Haptic.self), count: 1...16), "haptic cues, in order"),
            ShapeField(
                "floor", .reference("floorUpdate"), "what has changed of the second floor"),
            ShapeField(
                "list",
                .object([
                    .required("count", .count, "the number of items"),
                    .required("more", .flag, "whether another page exists"),
                ]), "the size of the list"),
            ShapeField("newer", .flag, "whether the feed has newer data"),
            ShapeField(
                "newerCount", .orNull(.whole(NewerCount.range)),
                "the number of newer items; null: not known", need: .named(.unread)),
            ShapeField(
                "away", .flag, "whether the newest end of the list is out of sight",
                need: .named(.unread)),
            ShapeField(
                "revealed", .words(RevealResult.self), "how a `reveal` has ended",
                need: .named(.unread)),
            ShapeField("read", .string, "the read mark of the view", need: .named(.unread)),
            ShapeField(
                "lastUpdated", .orNull(.clock), "daemon time of the last successful refresh"),
            ShapeField(
                "announce", .list(.word(SpokenCue.allCases.map { "\($0.key)" }), count: 1...16),
                "spoken cues, in order"),
            ShapeField(
                "law", .reference("law"), "what has changed of the control law"),
            ShapeField(
                "blend", .duration, "the time in which a local client moves to these values"),
        ]

    /// The members that describe the request of a load.
    private static let request: [ShapeField] = [
        kind, .required("trigger", .words(LoadTrigger.self), "what has begun the load"),
        .required("cause", .reference("cause")),
        .required("page", .count, "the number of the page"),
        .required("offset", .count, "the number of items before the page"),
        .required("size", .count, "the number of requested items"),
        ShapeField("cursor", .string, "the cursor of the page, with the paging style `cursor`"),
        ShapeField("pages", .count, "the number of requested pages, if it is not 1"),
    ]

    private static let loading: [[ShapeField]] = [
        loading(
            "began",
            request.filter { $0.name != "kind" } + [.required("attempt", .count, attempts)]),
        loading("progress", [.required("progress", .part, "the part that is done")]),
        loading(
            "retrying",
            [
                .required("attempt", .count, "the number of the following call in this load"),
                .required("afterMs", .wholeDuration, "the delay until the following call"),
            ] + failure),
        loading(
            "failed",
            failure + [
                temporary,
                ShapeField(
                    "retryAfterMs", .duration, "the time after which the backend may be called"),
            ]),
        loading("cancelled", []), loading("timedOut", []),
        [
            viewName, ShapeField("load", .reference("load")), kind,
            .required("phase", .constant(.string("joined")), phaseMeaning),
            ShapeField(
                "seq", .reference("seq"), "the `seq` of the `refresh` that joined this load"),
        ],
    ]

    private static let temporary = ShapeField.required(
        "temporary", .flag, "whether the same request may succeed later")

    private static func loading(_ phase: String, _ fields: [ShapeField]) -> [ShapeField] {
        [viewName, loadName, kind, .required("phase", .constant(.string(phase)), phaseMeaning)]
            + fields
    }

    private static let phaseMeaning = "what has happened to the load"

    private static let failure: [ShapeField] = [
        .required("code", .reference("faultCode")),
        .required("message", .string, "one sentence for the log"),
    ]

    private static let items: [ShapeField] =
        [
            viewName, loadName,
            .required(
                "mode", .word(["replace", "append", "prepend"]),
                "where the items go: in place of the list, behind it, or before it"),
        ] + answer + [
            .required("items", .list(.anything), "the items, as the backend has sent them")
        ]

    private static let fill: [ShapeField] =
        [
            viewName, loadName,
            ShapeField(
                "mode", .word(["fill"]), "the items go to the rows from `offset`",
                isRequired: true, need: .named(.visibleRange)),
        ] + answer + [
            .required("items", .list(.anything), "the items, as the backend has sent them")
        ]

    private static let patch: [ShapeField] =
        [
            viewName, loadName,
            ShapeField(
                "mode", .word(["patch"]), "the list is stated by what differs", isRequired: true,
                need: .named(.patch)),
        ] + answer + [
            ShapeField(
                "runs", .list(.forms([keptRun, newRun])), "the parts of the new list, in order",
                isRequired: true, need: .named(.patch))
        ]

    private static let keptRun: [ShapeField] = [
        .required("from", .anything, "the key of the first of these items of the client's list"),
        .required("count", .count, "the number of items"),
    ]

    private static let newRun: [ShapeField] = [
        .required("items", .list(.anything), "new or changed items")
    ]

    private static let answer: [ShapeField] = [
        .required("count", .count, "the number of items"),
        .required("page", .count, "the number of the page"),
        .required("offset", .count, "the number of items before the page"),
        .required("more", .flag, "whether another page exists"),
        ShapeField("total", .count, "the number of items of the whole list, if it is known"),
        ShapeField("cursor", .string, "the cursor of the next page"),
        ShapeField("pages", .count, "the number of pages of a refresh at depth"),
        ShapeField(
            "removed", .count,
            "the number of items left out because the view has shown them already"),
    ]

    private static let diagnostic: [ShapeField] = [
        .required("code", .reference("diagnosticCode")),
        .required("message", .string, "one sentence for the log"),
        ShapeField("field", .string, "the path of the ignored field"),
        ShapeField("suggestion", .string, "the name that was probably meant"),
        ShapeField("seq", .reference("seq")), ShapeField("view", .reference("view")),
        ShapeField(
            "page", .string,
            "for a mistake of the client: the section of the documentation, such as "
                + "`docs/start.md#spring-back`"),
        ShapeField(
            "dropped", .count, "diagnostics that were not sent since the last `diagnostic` message"),
    ]

    private static let error: [ShapeField] =
        failure + [
            ShapeField("field", .string, "the member that is wrong"),
            ShapeField("seq", .reference("seq")),
            ShapeField("view", .reference("view")), temporary,
            ShapeField("versions", .list(.count), "the protocol versions that the daemon serves"),
        ]
}
