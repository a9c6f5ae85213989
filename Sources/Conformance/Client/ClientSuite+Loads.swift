internal import RefreshProtocol

/// Cases about items, loads, requests of the host, and errors.
extension ClientSuite {
    static let items = numberedCases(
        .items,
        [
            Draft(
                "items-replace", "`replace` after a refresh: the items replace those of the list.",
                expects: "Only the items of the last page.", at: "items",
                told: [
                    [ServerMessages.items(["a", "b"], load: "1.1")],
                    [ServerMessages.items(["c"], load: "1.2")],
                ], shown: "{items: [c]}"),
            Draft(
                "items-append", "`append`: the page is placed after the present items.",
                expects: "Both pages, in order.", at: "items",
                told: [
                    [ServerMessages.items(["a", "b"], load: "1.1")],
                    [ServerMessages.items(["c", "d"], load: "1.2", mode: "append")],
                ], shown: "{items: [a, b, c, d]}"),
            Draft(
                "items-prepend",
                "`prepend`: in a reversed view the page is placed before the present items.",
                expects: "The older page first, each in its own order.", at: "items",
                needs: [.reversed]
            ) { trial throws(TrialEnd) in
                let hello = try trial.connect(views: [ClientTrial.attachBody(isReversed: true)])
                try trial.answerHello(
                    hello, attached: { ServerMessages.attached($0, ack: $1, isReversed: true) })
                try trial.expectShown("{attached: true}")
                try trial.sendItems(["c", "d"], load: "1.1")
                try trial.sendItems(["a", "b"], load: "1.2", mode: "prepend")
                try trial.expectShown("{items: [a, b, c, d]}")
            },
            Draft(
                "empty-page", "A page may be empty.",
                expects:
                    "An appended empty page changes nothing; after a refresh with an empty page, "
                    + "no items are left.",
                at: "items"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.sendItems(["a"], load: "1.1")
                try trial.sendItems([], load: "1.2", mode: "append")
                try trial.expectShown("{items: [a]}")
                try trial.sendItems([], load: "1.3")
                try trial.expectShown("{items: []}")
            },
            Draft(
                "load-runs", "A load runs from `began` until its items arrive.",
                expects: "It is shown as running, and then no longer.", at: "loading"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.sendLoadBegan(load: "1.1")
                try trial.send(ServerMessages.loading("1.1", "progress", more: #","progress":0.5"#))
                try trial.expectStaysShown(#"{loads: ["1.1"]}"#, forMs: 60)
                try trial.sendItems(["a"], load: "1.1")
                try trial.expectShown("{loads: []}")
            },
            Draft(
                "load-retries", "A failed call that is retried does not end its load.",
                expects: "It is still shown as running.", at: "loading",
                told: [
                    [ServerMessages.loadingBegan("1.1")],
                    [
                        ServerMessages.loading(
                            "1.1", "retrying",
                            more:
                                #","attempt":2,"afterMs":100,"code":"backendFailed","message":"The backend failed.""#
                        )
                    ],
                ], shown: #"{loads: ["1.1"]}"#, keptForMs: 100),
            Draft(
                "load-fails", "A failed load has ended, and removes no items.",
                expects: "No load runs; the earlier items stay.", at: "loading"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.send(
                    ServerMessages.items(["a"], load: "1.1"), ServerMessages.loadingBegan("1.2"))
                try trial.expectShown(#"{loads: ["1.2"]}"#)
                let why =
                    #","code":"backendFailed","message":"The backend failed.","temporary":true"#
                try trial.send(ServerMessages.loading("1.2", "failed", more: why))
                try trial.expectShown("{loads: [], items: [a]}")
            },
            Draft(
                "load-cancelled", "A load that is cancelled or timed out has ended.",
                expects: "No load runs; the earlier items stay.", at: "loading"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.send(
                    ServerMessages.items(["a"], load: "1.1"), ServerMessages.loadingBegan("1.2"))
                try trial.expectShown(#"{loads: ["1.2"]}"#)
                try trial.send(ServerMessages.loading("1.2", "cancelled"))
                try trial.expectShown("{loads: [], items: [a]}")
                try trial.sendLoadBegan(load: "1.3")
                try trial.send(ServerMessages.loading("1.3", "timedOut"))
                try trial.expectShown("{loads: [], items: [a]}")
            },
            Draft(
                "own-backend", "A client that is the backend answers `load` with its identifier.",
                expects: "`loadFinished` with the load, its result and its count, once.",
                at: "loadbegan-loadprogress-loadfinished", needs: [.backend]
            ) { trial throws(TrialEnd) in
                try trial.open(isBackend: true)
                try trial.send(ServerMessages.load("1.1"))
                try trial.expectShown(#"{loads: ["1.1"]}"#)
                try trial.order(
                    "finish", #"{"view":"list","load":"1.1","result":"success","count":10}"#)
                try trial.expect("loadFinished", #"{load: "1.1", result: success, count: 10}"#)
                try trial.expectNone(["loadFinished"], forMs: 60)
            },
            Draft(
                "answers-at-once", "The client sends the answer to a `load` as soon as it has one.",
                expects: "The load is shown, and `loadFinished` is sent, each at once.",
                at: "loadbegan-loadprogress-loadfinished", needs: [.backend]
            ) { trial throws(TrialEnd) in
                try trial.open(isBackend: true)
                let prompt = try trial.promptMs()
                try trial.send(ServerMessages.load("1.1"))
                try trial.expectShown(#"{loads: ["1.1"]}"#, withinMs: prompt)
                let startMs = GradingServer.nowMs
                try trial.order(
                    "finish", #"{"view":"list","load":"1.1","result":"success","count":10}"#)
                try trial.expectPrompt(
                    try trial.expect("loadFinished", #"{load: "1.1"}"#), since: startMs, prompt)
            },
        ])

    static let requests = numberedCases(
        .requests,
        [
            Draft(
                "asks-refresh", "If the host requests a refresh, the client sends `refresh`.",
                expects: "`refresh` for the view.", at: "refresh-begin-end", needs: [.requests]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.expectAboutList(try trial.performHostRequest("refresh"))
            },
            Draft(
                "asks-more", "`loadMore` requests the next page.",
                expects: "`loadMore`.",
                at: "loadmore-retry-cancel-reset", needs: [.requests]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.expectAboutList(try trial.performHostRequest("loadMore"))
            },
            Draft(
                "asks-retry", "`retry` repeats the failed load, at its edge.",
                expects: "`retry` with the edge.", at: "loadmore-retry-cancel-reset",
                needs: [.requests]
            ) { trial throws(TrialEnd) in
                try trial.open()
                let asked = try trial.performHostRequest("retry", #","edge":"bottom""#)
                try trial.require(
                    asked.value["edge"]?.string == "bottom", "the edge bottom",
                    came: asked.value.text)
            },
            Draft(
                "numbers-grow", "`seq` grows by any positive step through a session.",
                expects: "Five requests with five growing numbers; `ping` and `hello` have none.",
                at: "frames-batches-fields", needs: [.requests]
            ) { trial throws(TrialEnd) in
                let hello = try trial.open()
                var last = 0
                for request in ["refresh", "cancel", "loadMore", "retry", "reset"] {
                    let asked = try trial.performHostRequest(request)
                    try trial.require(
                        asked.seq > last, "a `seq` larger than \(last)", came: asked.value.text)
                    last = asked.seq
                }
                try trial.require(
                    hello.value["seq"] == nil, "`hello` without `seq`", came: hello.value.text)
            },
            Draft(
                "asked-at-once", "The client sends a request of the host at once.",
                expects:
                    "`refresh`, `loadMore`, `retry`, `cancel`, `reset` and `floor`, at once and "
                    + "once.",
                at: "the-idea", needs: [.requests]
            ) { trial throws(TrialEnd) in
                try trial.open()
                let prompt = try trial.promptMs()
                for request in ["refresh", "loadMore", "retry", "cancel", "reset", "floor"] {
                    let startMs = GradingServer.nowMs
                    let more = request == "floor" ? #","open":true"# : ""
                    try trial.expectPrompt(
                        try trial.performHostRequest(request, more), since: startMs, prompt)
                }
                let requests: Set = ["refresh", "loadMore", "retry", "cancel", "reset", "floor"]
                try trial.expectNone(requests, forMs: 60)
            },
            Draft(
                "asked-in-order", "The client sends the requests of the host in their order.",
                expects:
                    "`geometry`, `refresh`, `cancel`, `floor`, `loadMore`, `reset`, in that order.",
                at: "the-idea", needs: [.requests]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.order("resize", #"{"view":"list","content":{"width":390,"height":2600}}"#)
                let requests = ["refresh", "cancel", "floor", "loadMore", "reset"]
                for request in requests {
                    let more = request == "floor" ? #","open":true"# : ""
                    try trial.order("ask", #"{"view":"list","for":"\#(request)"\#(more)}"#)
                }
                let wanted = ["geometry"] + requests
                var came: [ReceivedClientMessage] = []
                for type in wanted { came.append(try trial.expect(type)) }
                try trial.require(
                    zip(came, came.dropFirst()).allSatisfy { $0.seq < $1.seq },
                    wanted.joined(separator: ", "),
                    came: came.map { "\($0.type) as \($0.seq)" }.joined(separator: ", "))
            },
        ])

    static let errors = numberedCases(
        .errors,
        [
            Draft(
                "error-is-no-end", "Bad input causes an `error`, and the list stays usable.",
                expects: "The client stays connected, and shows the messages after it.",
                at: "rules-a-client-can-rely-on",
                told: [
                    [
                        ServerMessages.error(
                            "staleSequence", "`seq` is not larger than the last one.",
                            more: #","seq":1,"view":"list""#)
                    ], [ServerMessages.items(["a"], load: "1.1")],
                ], shown: "{items: [a], attached: true}"),
            Draft(
                "unknown-error",
                "An error with a code that the client does not know is an error too.",
                expects: "The client stays connected, and shows the messages after it.",
                at: "error-pong"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.send(
                    ServerMessages.error("flatTyre", "A tyre is flat.", isTemporary: true),
                    isStrange: true)
                try trial.sendItems(["a"], load: "1.1")
                try trial.expectShown("{items: [a], attached: true}")
            },
            Draft(
                "view-refused",
                "A body that cannot be served refuses its own view, and not the session.",
                expects: "The view is not attached; the client stays connected.", at: "hello"
            ) { trial throws(TrialEnd) in
                let hello = try trial.connect()
                try trial.send(ServerMessages.welcome())
                if hello.value["views"]?.array?.isEmpty ?? true { try trial.expect("attach") }
                try trial.send(
                    ServerMessages.error(
                        "unknownFeed", "There is no feed of that name.", more: #","view":"list""#))
                try trial.expectStatus("open")
                try trial.expectStaysShown("{attached: false}", forMs: 100)
            },
            Draft(
                "error-is-told", "The client reports an error to its host.",
                expects: "Its code is among those that the client reports.", at: "error-pong",
                level: .should
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.send(
                    ServerMessages.error(
                        "nothingToRetry", "There is no failed load to retry.",
                        more: #","view":"list""#))
                try trial.wait(ms: 100)
                let told = try trial.order("report")["errors"]?.array
                guard let told else { throw .notOffered("showing errors") }
                try trial.require(
                    told.contains(.string("nothingToRetry")), "nothingToRetry",
                    came: JSONValue.array(told).text)
            },
        ])
}

extension ClientTrial {
    /// Checks that a message is about the view `list`.
    fileprivate func expectAboutList(_ message: ReceivedClientMessage) throws(TrialEnd) {
        try require(
            message.value["view"]?.string == "list", "the view list", came: message.value.text)
    }
}
