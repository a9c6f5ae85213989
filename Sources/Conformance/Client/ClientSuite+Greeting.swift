internal import RefreshProtocol

/// `hello`, and frames as they come.
extension ClientSuite {
    static let greeting = numberedCases(
        .greeting,
        [
            Draft(
                "hello-first", "A client's first message is `hello`, with its protocol version.",
                expects: "`hello` with the protocol 1.", at: "hello"
            ) { trial throws(TrialEnd) in
                let hello = try trial.connect()
                try trial.require(
                    hello.value["protocol"]?.number == 1, "the protocol 1", came: hello.value.text)
                try trial.answerHello(hello)
                try trial.expectStatus("open")
            },
            Draft(
                "subprotocol", "The subprotocol is `refresh.v1`.",
                expects: "It is one of those that the upgrade names.", at: "transport",
                level: .should
            ) { trial throws(TrialEnd) in
                try trial.connect()
                try trial.require(
                    trial.subprotocols.contains(ProtocolVersion.subprotocol), "refresh.v1",
                    came: trial.subprotocols.joined(separator: ", "))
            },
            Draft(
                "views-are-told",
                "The client describes each view by a body of `attach`, in `hello` or after it.",
                expects: "The view with its profile, feed and geometry.", at: "attach"
            ) { trial throws(TrialEnd) in
                let hello = try trial.connect()
                var body = hello.value["views"]?.array?.first
                if body == nil {
                    try trial.send(ServerMessages.welcome())
                    body = try trial.expect("attach").value
                }
                let sizes = [("viewport", 800.0), ("content", 2000.0)]
                let isSized = sizes.allSatisfy { name, height in
                    let size = body?["geometry"]?[name]
                    return size?["width"]?.number == 390 && size?["height"]?.number == height
                }
                guard body?["view"]?.string == "list", body?["profile"]?.string == "default",
                    body?["feed"]?.string == "items", isSized
                else {
                    throw .failed(
                        expected: "the view list as it was ordered", came: body?.text ?? "nothing")
                }
            },
            Draft(
                "frames-plain", "`frames` states how the client draws; `plain` is the default.",
                expects: "No `frames`, or `plain`.", at: "hello"
            ) { trial throws(TrialEnd) in try Self.expectFrames("plain", trial) },
            Draft(
                "frames-stream", "A client that draws layers requests frames of the mode `stream`.",
                expects: "`frames` with the mode `stream`.", at: "hello", needs: [.stream]
            ) { trial throws(TrialEnd) in try Self.expectFrames("stream", trial) },
            Draft(
                "frames-local",
                "A client that evaluates programmes requests frames of the mode `local`.",
                expects: "`frames` with the mode `local`.", at: "hello", needs: [.local]
            ) { trial throws(TrialEnd) in try Self.expectFrames("local", trial) },
            Draft(
                "no-resume-at-first", "A client that has no session yet resumes none.",
                expects: "`hello` without `resume`.", at: "coming-back"
            ) { trial throws(TrialEnd) in
                let hello = try trial.connect()
                try trial.require(
                    hello.value["resume"] == nil, "no `resume`", came: hello.value.text)
            },
            Draft(
                "first-messages", "A client that wants the first page at once sends `refresh`.",
                expects: "`refresh` after `hello`, or as soon as the view is attached.",
                at: "attach"
            ) { trial throws(TrialEnd) in
                let hello = try trial.connect(first: #"[{"view":"list","type":"refresh"}]"#)
                try trial.answerHello(hello)
                try trial.expect("refresh", "{view: list}")
            },
            Draft(
                "host-insets", "A view's `geometry` has the insets of its host.",
                expects: "24 points at the top and 40 at the bottom, and no others later.",
                at: "geometry"
            ) { trial throws(TrialEnd) in
                let hello = try trial.connect(
                    views: [ClientTrial.attachBody(more: #","insets":{"top":24,"bottom":40}"#)])
                for body in try trial.answerHello(hello) {
                    try trial.expectHostInsets(in: body["geometry"])
                }
                try trial.order("resize", #"{"view":"list","content":{"width":390,"height":2400}}"#)
                let told = try trial.awaitMessage("geometry", "{content: {height: 2400}}").value
                // They may be left out of it: then they are as they were.
                if told["insets"] != nil { try trial.expectHostInsets(in: told) }
            },
        ])

    private static func expectFrames(_ mode: String, _ trial: ClientTrial) throws(TrialEnd) {
        let hello = try trial.connect(frames: mode)
        let frames = hello.value["frames"]
        let said = frames?.string ?? frames?["mode"]?.string ?? "plain"
        try trial.require(said == mode, "the frames \(mode)", came: hello.value.text)
    }

    static let batches = numberedCases(
        .batches,
        [
            Draft(
                "batch-in-order", "A frame is one message or an array of them, in order.",
                expects: "The state of the last message of an array.",
                at: "frames-batches-fields",
                told: [
                    [
                        ServerMessages.update(#""top":{"state":"pulling","progress":0.25}"#),
                        ServerMessages.update(#""top":{"state":"eligible","progress":1}"#),
                        ServerMessages.update(#""top":{"state":"refreshing","cause":"finger"}"#),
                    ]
                ], shown: "{edges: {top: {state: refreshing}}}"),
            Draft(
                "object-alone", "One message may be sent as an object, without an array.",
                expects: "The client handles it like an array of one message.",
                at: "frames-batches-fields"
            ) { trial throws(TrialEnd) in
                let hello = try trial.connect()
                try trial.send(ServerMessages.welcome())
                if hello.value["views"]?.array?.isEmpty ?? true { try trial.expect("attach") }
                try trial.send(ServerMessages.attached())
                try trial.expectShown("{attached: true}")
                try trial.sendUpdate(#""top":{"state":"eligible","progress":1}"#)
                try trial.expectShown("{edges: {top: {state: eligible}}}")
            },
            Draft(
                "batch-of-kinds", "One frame contains everything that changed.",
                expects: "State, inset, offset and items of one frame are shown.",
                at: "anchors",
                told: [
                    [
                        ServerMessages.update(
                            #""top":{"state":"refreshing","cause":"code"},"inset":{"top":64,"duration":0}"#
                        ), ServerMessages.items(["a", "b"], load: "1.1"),
                    ]
                ], shown: "{edges: {top: {state: refreshing}}, insets: {top: 64}, items: [a, b]}"),
            Draft(
                "spread-over-frames",
                "Messages in several frames have the same effect as in one frame.",
                expects: "The content of three frames is shown.", at: "update",
                told: [
                    [ServerMessages.items(["a"], load: "1.1")],
                    [ServerMessages.items(["b"], load: "1.2", mode: "append")],
                    [ServerMessages.update(#""bottom":{"state":"noMore"}"#)],
                ], shown: "{items: [a, b], edges: {bottom: {state: noMore}}}"),
        ])

    static let strangers = numberedCases(
        .strangers,
        [
            Draft(
                "unknown-fields", "Unknown fields are ignored.",
                expects: "The known fields beside them are shown.", at: "frames-batches-fields"
            ) { trial throws(TrialEnd) in
                try trial.open(
                    welcome: ServerMessages.welcome(more: #","weather":{"sky":"blue"}"#)
                        .replacing(#""limits":{"#, with: #""limits":{"skyMax":7,"#),
                    strange: true)
                try trial.send(
                    ServerMessages.update(
                        #""sparkle":[1],"top":{"state":"eligible","progress":1,"glitter":true}"#),
                    isStrange: true)
                try trial.expectShown("{edges: {top: {state: eligible}}}")
            },
            Draft(
                "unknown-type", "A client ignores a message of an unknown type.",
                expects: "The message after it in the same frame is shown.",
                at: "frames-batches-fields"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.send(
                    #"{"type":"weather","view":"list","sky":"blue"}"#,
                    ServerMessages.update(#""top":{"state":"eligible","progress":1}"#),
                    isStrange: true)
                try trial.expectShown("{edges: {top: {state: eligible}}}")
            },
            Draft(
                "unknown-view", "A message for a view that is not attached changes nothing.",
                expects: "The attached view is unchanged, and continues to work.", at: "faults"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.sendItems(["a"], load: "1.1")
                try trial.send(
                    ServerMessages.update(
                        #""top":{"state":"refreshing","cause":"code"}"#, of: "gone"),
                    ServerMessages.items(["z"], load: "2.1", view: "gone"))
                try trial.expectShown("{items: [a]}")
                try trial.expectStaysShown("{items: [a], edges: {top: {state: idle}}}", forMs: 100)
            },
            Draft(
                "not-drawn", "A client ignores what it does not draw.",
                expects: "A floor, a cue and an announcement have no effect on the rest.",
                at: "notes-for-the-writers-of-clients",
                told: [
                    [
                        ServerMessages.update(
                            #""floor":{"state":"pulling","progress":0.25},"haptic":["impact"],"announce":["refreshing"],"#
                                + #""newer":true,"top":{"state":"eligible","progress":1}"#)
                    ]
                ], shown: "{edges: {top: {state: eligible}}}"),
            Draft(
                "unknown-phase", "An unknown phase of a load ends nothing.",
                expects: "The load still runs, and ends with its items.", at: "loading"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.sendLoadBegan(load: "1.1")
                try trial.send(ServerMessages.loading("1.1", "pondering"), isStrange: true)
                try trial.expectStaysShown(#"{loads: ["1.1"]}"#, forMs: 100)
                try trial.sendItems(["a"], load: "1.1")
                try trial.expectShown("{loads: [], items: [a]}")
            },
        ])
}

extension ClientTrial {
    /// Fails unless `geometry` has the insets of the case `host-insets`.
    fileprivate func expectHostInsets(in geometry: JSONValue?) throws(TrialEnd) {
        let insets = geometry?["insets"]
        try require(
            insets?["top"]?.number == 24 && insets?["bottom"]?.number == 40,
            "`insets` with top 24 and bottom 40", came: geometry?.text ?? "no sizes")
    }
}
