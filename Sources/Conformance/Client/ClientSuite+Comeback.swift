internal import RefreshProtocol

/// Cases about how a client resumes its session.
extension ClientSuite {
    static let comeback = numberedCases(
        .comeback,
        [
            Draft(
                "resume-names-session",
                "`resume` has the session and the token of the last `welcome`.",
                expects: "Both, and the largest `ack` that the client received.", at: "coming-back",
                needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.sendUpdate(#""top":{"state":"eligible","progress":1}"#, ack: 7)
                try trial.expectShown("{edges: {top: {state: eligible}}}")
                try trial.sendUpdate(#""top":{"state":"idle"}"#, ack: 5)
                try trial.expectShown("{edges: {top: {state: idle}}}")
                try trial.expectResume("{session: \"5f0c\", token: T1, ack: 7}")
            },
            Draft(
                "token-rotates", "Each `welcome` has a new token, which makes the last one void.",
                expects: "The second token, when the client resumes the second time.",
                at: "welcome",
                needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.cutAndAwaitReconnect()
                try trial.resumeSession(ack: 0)
                try trial.expectStatus("open")
                try trial.expectResume("{token: T2}")
            },
            Draft(
                "lost-welcome", "A `welcome` may be lost with its connection.",
                expects: "The token that the client has, once more.", at: "coming-back",
                needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.cutAndAwaitReconnect()
                try trial.expectResume("{token: T1}")
            },
            Draft(
                "no-token-no-resume", "If no session is kept, `welcome` has no token.",
                expects: "`hello` without `resume`.", at: "welcome", needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.open(welcome: ServerMessages.welcome(token: nil))
                let hello = try trial.cutAndAwaitReconnect()
                try trial.require(
                    hello.value["resume"] == nil, "no `resume`", came: hello.value.text)
            },
            Draft(
                "received-loads",
                "`received` has, for each view, the last load whose items the client has.",
                expects: "The last of two loads.", at: "coming-back", needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.sendItems(["a"], load: "1.1")
                try trial.sendItems(["b"], load: "1.2", mode: "append")
                try trial.expectShown("{items: [a, b]}")
                try trial.expectResume(#"{received: ["1.2"]}"#)
            },
            Draft(
                "views-as-shown",
                "`views` in `hello` describes the views that the client shows now.",
                expects: "The view, with the profile with which it was attached.",
                at: "coming-back",
                needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.open()
                let hello = try trial.cutAndAwaitReconnect()
                guard let views = hello.value["views"]?.array else { return }
                guard views.count == 1, views[0]["view"]?.string == "list",
                    views[0]["profile"]?.string == "default"
                else {
                    throw .failed(expected: "the view list", came: hello.value.text)
                }
            },
            Draft(
                "snapshot-returned", "A client must return the newest sealed snapshot unchanged.",
                expects: "The second of two.", at: "sealed-snapshots",
                needs: [.resume, .snapshots]
            ) { trial throws(TrialEnd) in
                try trial.openWithSnapshot("v1.k.Old")
                try trial.replaceSnapshot(by: "v1.k.N-w_")
                try trial.expectResume(#"{snapshot: "v1.k.N-w_"}"#)
            },
            Draft(
                "snapshot-void",
                "A session that is too large gets `sealed` `null`, which voids the last snapshot.",
                expects: "No snapshot.", at: "sealed-snapshots", needs: [.resume, .snapshots]
            ) { trial throws(TrialEnd) in
                try trial.openWithSnapshot("v1.k.Old")
                try trial.replaceSnapshot(by: nil)
                try trial.expectResume("{snapshot: absent}")
            },
            Draft(
                "intent-repeated",
                "A client repeats each message that it does not know to be handled.",
                expects: "`refresh` with the same `seq`, in the frame of `hello`.",
                at: "coming-back", needs: [.resume, .requests]
            ) { trial throws(TrialEnd) in
                try trial.open()
                let asked = try trial.performHostRequest("refresh")
                let hello = try trial.cutAndAwaitReconnect()
                let again = try trial.expect("refresh", "{seq: \(asked.seq)}")
                try trial.require(
                    again.frame == hello.frame, "the message in the frame of `hello`",
                    came: "the message in a later frame")
            },
            Draft(
                "handled-not-repeated", "A client does not repeat a message that was handled.",
                expects: "No `refresh` after `hello`.", at: "coming-back",
                needs: [.resume, .requests]
            ) { trial throws(TrialEnd) in
                try trial.open()
                let asked = try trial.performHostRequest("refresh")
                try trial.sendUpdate(
                    #""top":{"state":"refreshing","cause":"code"}"#, ack: asked.seq)
                try trial.expectShown("{edges: {top: {state: refreshing}}}")
                try trial.cutAndAwaitReconnect()
                try trial.resumeSession(
                    ack: asked.seq, #""top":{"state":"refreshing","cause":"code"}"#)
                try trial.expectNone(["refresh"], forMs: 200)
            },
            Draft(
                "silent-until-welcome",
                "After `hello` a client sends nothing before it receives `welcome`.",
                expects: "The requests that the host makes meanwhile follow after `welcome`.",
                at: "coming-back", needs: [.resume, .requests]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.cutAndAwaitReconnect()
                try trial.order("ask", #"{"view":"list","for":"loadMore"}"#)
                try trial.expectNone(["loadMore"], forMs: 150)
                try trial.resumeSession(ack: 0)
                try trial.expect("loadMore")
            },
            Draft(
                "asked-while-away",
                "A request that is made without a connection is sent on the next one.",
                expects: "`refresh`, once.", at: "coming-back", needs: [.resume, .requests]
            ) { trial throws(TrialEnd) in
                try trial.open()
                trial.cut()
                try trial.awaitDisconnect()
                try trial.order("ask", #"{"view":"list","for":"refresh"}"#)
                _ = try trial.awaitReconnect()
                try trial.resumeSession(ack: 0)
                let asked = try trial.expect("refresh")
                try trial.sendUpdate(ack: asked.seq)
                try trial.expectNone(["refresh"], forMs: 150)
            },
            Draft(
                "frame-is-bounded",
                "The frame of `hello` holds at most `batchMessagesMax` messages.",
                expects: "All of eight requests, in frames of at most four messages.",
                at: "coming-back", needs: [.resume, .requests]
            ) { trial throws(TrialEnd) in
                try trial.open(welcome: ServerMessages.welcome(batchMessagesMax: 4))
                for _ in 0..<8 { try trial.performHostRequest("loadMore") }
                try trial.cutAndAwaitReconnect()
                try trial.send(
                    ServerMessages.welcome(token: "T2", ack: 0, resumed: true, batchMessagesMax: 4),
                    ServerMessages.attached(), ServerMessages.update(""))
                for _ in 0..<3 { try trial.expect("loadMore") }
            },
        ])

    static let bounds = numberedCases(
        .comeback, from: comeback.count + sessions.count + 1,
        [
            Draft(
                "frame-bytes-are-bounded",
                "The frame of `hello` holds at most `frameBytesMax` bytes.",
                expects: "Those of eighty requests that fit, in frames of at most 4,096 bytes.",
                at: "coming-back", needs: [.resume, .requests]
            ) { trial throws(TrialEnd) in
                try trial.open(
                    welcome: ServerMessages.welcome(batchMessagesMax: 200, frameBytesMax: 4096))
                for _ in 0..<80 { try trial.performHostRequest("loadMore") }
                try trial.cutAndAwaitReconnect()
                try trial.send(
                    ServerMessages.welcome(
                        token: "T2", ack: 0, resumed: true, batchMessagesMax: 200,
                        frameBytesMax: 4096),
                    ServerMessages.attached(), ServerMessages.update(""))
                for _ in 0..<20 { try trial.expect("loadMore") }
            }
        ])
}

extension ClientTrial {
    /// Cuts the connection, and checks the `resume` in the `hello` of the next one.
    func expectResume(_ pattern: String) throws(TrialEnd) {
        let hello = try cutAndAwaitReconnect()
        unmatchedMessages.insert(
            ReceivedClientMessage(
                value: .object([
                    JSONValue.Member("type", .string("(resume)")),
                    JSONValue.Member("resume", hello.value["resume"] ?? .null),
                ]), connection: hello.connection, frame: hello.frame, atMs: hello.atMs), at: 0)
        try expect("(resume)", "{resume: \(pattern)}")
    }

    /// Opens a client that has items and a snapshot of its session.
    fileprivate func openWithSnapshot(_ sealed: String) throws(TrialEnd) {
        let hello = try open()
        try require(
            hello.value["snapshots"]?.bool == true, #""snapshots":true"#, came: hello.value.text)
        try send(ServerMessages.items(["a"], load: "1.1"), ServerMessages.snapshot(sealed, ack: 0))
        try expectShown("{items: [a]}")
    }

    /// Sends another snapshot, and returns when the client has it.
    fileprivate func replaceSnapshot(by sealed: String?) throws(TrialEnd) {
        try send(
            ServerMessages.snapshot(sealed, ack: 0),
            ServerMessages.update(#""top":{"state":"eligible","progress":1}"#))
        try expectShown("{edges: {top: {state: eligible}}}")
    }
}
