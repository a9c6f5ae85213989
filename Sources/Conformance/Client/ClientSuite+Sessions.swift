internal import RefreshProtocol

/// Cases about what a client shows of a resumed session and of a fresh one.
extension ClientSuite {
    static let sessions = numberedCases(
        .comeback, from: comeback.count + 1,
        [
            Draft(
                "items-stay", "A resumed session has the items that it had.",
                expects: "The items once each, and the next page after them.",
                at: "coming-back", needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.openWithItems()
                try trial.cutAndAwaitReconnect()
                try trial.resumeSession(ack: 0, #""list":{"count":2,"more":true}"#)
                try trial.expectStatus("open")
                try trial.sendItems(["c"], load: "1.2", mode: "append")
                try trial.expectShown("{items: [a, b, c]}")
            },
            Draft(
                "lost-items-come",
                "Messages that had to wait follow after the state of the session.",
                expects: "The items of a load that ended meanwhile, once.",
                at: "coming-back", needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.openWithItems()
                try trial.sendLoadBegan(load: "1.2", kind: "more")
                try trial.cutAndAwaitReconnect()
                try trial.resumeSession(
                    ack: 0, #""list":{"count":3,"more":true}"#,
                    followedBy: [ServerMessages.items(["c"], load: "1.2", mode: "append")])
                try trial.expectShown("{items: [a, b, c], loads: []}")
                try trial.expectStaysShown("{items: [a, b, c], loads: []}", forMs: 100)
            },
            Draft(
                "load-goes-on", "For each running load, `began` is sent again.",
                expects: "One load is shown, which ends.", at: "coming-back", needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.sendLoadBegan(load: "1.1")
                try trial.cutAndAwaitReconnect()
                try trial.resumeSession(ack: 0, followedBy: [ServerMessages.loadingBegan("1.1")])
                try trial.expectStatus("open")
                try trial.expectShown(#"{loads: ["1.1"]}"#)
                try trial.sendItems(["a"], load: "1.1")
                try trial.expectShown("{loads: [], items: [a]}")
            },
            Draft(
                "load-ended-away", "A load whose `began` is not sent again no longer runs.",
                expects: "No load is shown.", at: "coming-back", level: .should, needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.sendLoadBegan(load: "1.1")
                try trial.cutAndAwaitReconnect()
                try trial.resumeSession(ack: 0)
                try trial.expectStatus("open")
                try trial.expectShown("{loads: []}")
            },
            Draft(
                "insets-go-on", "The one `update` of a resumed view has both shares.",
                expects: "The shares in that `update`.", at: "coming-back", needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.sendUpdate(#""inset":{"top":64,"duration":0}"#)
                try trial.expectShown("{insets: {top: 64}}")
                try trial.cutAndAwaitReconnect()
                try trial.resumeSession(ack: 0, #""inset":{"top":0,"bottom":40,"duration":0}"#)
                try trial.expectShown("{insets: {top: 0, bottom: 40}}")
            },
            Draft(
                "numbers-go-on", "A resumed session continues its numbers.",
                expects: "A `seq` larger than all earlier ones.", at: "frames-batches-fields",
                needs: [.resume, .requests]
            ) { trial throws(TrialEnd) in
                try trial.open()
                let first = try trial.performHostRequest("refresh")
                try trial.sendUpdate(ack: first.seq)
                try trial.wait(ms: 60)
                try trial.cutAndAwaitReconnect()
                try trial.resumeSession(ack: first.seq)
                try trial.expectStatus("open")
                let second = try trial.performHostRequest("loadMore")
                try trial.require(
                    second.seq > first.seq, "a `seq` larger than \(first.seq)",
                    came: second.value.text)
            },
            Draft(
                "emptied-by-reset", "An `update` without `list` means that nothing is loaded.",
                expects: "When the client resumes next, `received` names no load.",
                at: "coming-back",
                needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.openWithItems()
                try trial.cutAndAwaitReconnect()
                try trial.resumeSession(ack: 0)
                try trial.expectStatus("open")
                try trial.expectResume("{received: []}")
            },
            Draft(
                "fresh-gives-back", "A new session keeps nothing of the old one: it has no insets.",
                expects: "Both shares 0, no load, and the edges as in `attached`.",
                at: "coming-back", needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.send(
                    ServerMessages.update(
                        #""top":{"state":"refreshing","cause":"code"},"inset":{"top":64,"duration":0}"#
                    ),
                    ServerMessages.loadingBegan("1.1"))
                try trial.expectShown(#"{insets: {top: 64}, loads: ["1.1"]}"#)
                trial.cut()
                try trial.startNewSession()
                try trial.expectShown(
                    "{insets: {top: 0, bottom: 0}, loads: [], edges: {top: {state: idle}}}")
            },
            Draft(
                "fresh-asks-anew", "In a new session the client requests what the list needs.",
                expects: "`refresh` again.", at: "coming-back", needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.open(first: #"[{"view":"list","type":"refresh"}]"#)
                let first = try trial.expect("refresh")
                try trial.send(
                    ServerMessages.update("", ack: first.seq),
                    ServerMessages.items(["a"], load: "1.1"))
                try trial.expectShown("{items: [a]}")
                trial.cut()
                try trial.startNewSession()
                try trial.expect("refresh", "{view: list}")
            },
            Draft(
                "fresh-forgets",
                "A new session discards everything of the old one except the numbers.",
                expects:
                    "When the client resumes next: the new name and token, `ack` 0 and no "
                    + "received load.",
                at: "coming-back", needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.openWithItems()
                try trial.sendUpdate(ack: 9)
                try trial.wait(ms: 60)
                trial.cut()
                try trial.startNewSession()
                try trial.expectShown("{attached: true}")
                try trial.expectResume(
                    #"{session: "77aa", token: U1, ack: 0, received: [], snapshot: absent}"#)
            },
            Draft(
                "fresh-replaces", "After a new session, a refresh replaces the list.",
                expects: "Only its items.", at: "coming-back", needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.openWithItems()
                trial.cut()
                try trial.startNewSession()
                try trial.expectShown("{attached: true}")
                try trial.sendItems(["x"], load: "1.1")
                try trial.expectShown("{items: [x]}")
            },
            Draft(
                "generation-current",
                "`generation` is given in `attached`; a client that sends it sends that value.",
                expects: "Messages after a return have the new value, or none.",
                at: "frames-batches-fields", needs: [.resume, .requests]
            ) { trial throws(TrialEnd) in
                try trial.open()
                let hello = try trial.cutAndAwaitReconnect()
                try trial.send(
                    ServerMessages.welcome(
                        session: "77aa", token: "U1", ack: 0, resumed: false,
                        reason: "unknownSession"))
                // Until then, the old session is still shown.
                try trial.expectStatus("open")
                if hello.value["views"]?.array?.isEmpty ?? true { try trial.expect("attach") }
                try trial.send(ServerMessages.attached(generation: 5))
                try trial.expectShown("{attached: true}")
                try trial.performHostRequest("refresh")
            },
            Draft(
                "own-load-again",
                "A `load` of the client's own is sent again, and answered once.",
                expects: "`loadFinished` once, after the return.", at: "coming-back",
                needs: [.resume, .backend]
            ) { trial throws(TrialEnd) in
                try trial.open(isBackend: true)
                try trial.send(ServerMessages.load("1.1"))
                try trial.expectShown(#"{loads: ["1.1"]}"#)
                try trial.cutAndAwaitReconnect()
                try trial.resumeSession(ack: 0, followedBy: [ServerMessages.load("1.1")])
                try trial.expectStatus("open")
                try trial.expectShown(#"{loads: ["1.1"]}"#)
                try trial.order(
                    "finish", #"{"view":"list","load":"1.1","result":"success","count":10}"#)
                try trial.expect("loadFinished", #"{load: "1.1"}"#)
                try trial.expectNone(["loadFinished"], forMs: 100)
            },
            Draft(
                "views-are-current",
                "`views` in `hello` describes the views that the client shows now.",
                expects: "The view with its current sizes and offset.",
                at: "coming-back", needs: [.resume, .scroll]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.order("resize", #"{"view":"list","content":{"width":390,"height":2400}}"#)
                try trial.order("scrollTo", #"{"view":"list","offset":400,"cause":"wheel"}"#)
                try trial.awaitMessage("geometry", "{content: {height: 2400}}")
                try trial.awaitMessage("scroll", "{phase: idle, offset: 400}")
                let hello = try trial.cutAndAwaitReconnect()
                guard let view = hello.value["views"]?.array?.first else { return }
                let height = view["geometry"]?["content"]?["height"]?.number
                try trial.require(
                    height == 2400 && view["offset"]?.number == 400,
                    "a content of 2400, shown at 400", came: view.text)
            },
        ])
}

extension ClientTrial {
    fileprivate func openWithItems() throws(TrialEnd) {
        try open()
        try send(ServerMessages.items(["a", "b"], load: "1.1"))
        try expectShown("{items: [a, b]}")
    }

    /// Lets the client reconnect, and answers that its session no longer exists.
    func startNewSession() throws(TrialEnd) {
        let hello = try awaitReconnect()
        try answerHello(
            hello,
            ServerMessages.welcome(
                session: "77aa", token: "U1", ack: 0, resumed: false, reason: "unknownSession"))
        try expectStatus("open")
    }
}
