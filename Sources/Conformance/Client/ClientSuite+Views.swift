internal import RefreshProtocol

/// Cases about attached and detached views, and about the second floor.
extension ClientSuite {
    static let views = numberedCases(
        .views,
        [
            Draft(
                "detach-is-said", "The client sends `detach` for a view that is removed.",
                expects: "`detach` for that view, which is no longer shown; the other view stays.",
                at: "what-a-client-may-say", needs: [.views]
            ) { trial throws(TrialEnd) in
                try trial.openTwoViews()
                try trial.detachOtherView()
                try trial.expectShown("{attached: true}")
            },
            Draft(
                "detached-is-gone", "A message for a detached view changes nothing.",
                expects:
                    "It is not shown again; the other view is unchanged, and continues to work.",
                at: "what-a-client-may-say", needs: [.views]
            ) { trial throws(TrialEnd) in
                try trial.openTwoViews()
                try trial.sendItems(["a"], load: "1.1")
                try trial.detachOtherView()
                try trial.send(
                    ServerMessages.update(
                        #""top":{"state":"refreshing","cause":"code"}"#, of: "other"),
                    ServerMessages.items(["z"], load: "2.1", view: "other"))
                try trial.sendUpdate(#""bottom":{"state":"noMore"}"#)
                try trial.expectShown("{items: [a], edges: {bottom: {state: noMore}}}")
                try trial.expectDetached("other")
            },
            Draft(
                "detached-stays-away",
                "`views` in `hello` describes the views that the client shows now.",
                expects: "After a return, `views` does not name the removed view.",
                at: "coming-back", needs: [.views, .resume]
            ) { trial throws(TrialEnd) in
                try trial.openTwoViews()
                try trial.detachOtherView()
                let hello = try trial.cutAndAwaitReconnect()
                let names = hello.value["views"]?.array?.compactMap { $0["view"]?.string }
                try trial.require(
                    names == ["list"], "`views` with list alone", came: hello.value.text)
                try trial.resumeSession(ack: 0)
                try trial.expectNone(["attach", "detach"], forMs: 100)
            },
        ])

    static let floors = numberedCases(
        .floors,
        [
            Draft(
                "floor-is-shown", "`floor` has the state of the second floor.",
                expects: "The last state, and no progress of the one before.",
                at: "the-second-floor",
                told: [
                    [ServerMessages.update(#""floor":{"state":"pulling","progress":0.25}"#)],
                    [ServerMessages.update(#""floor":{"state":"pulling","progress":0.75}"#)],
                    [ServerMessages.update(#""floor":{"state":"eligible"}"#)],
                ], shown: "{floor: {state: eligible, progress: absent}}"),
            Draft(
                "floor-opens",
                "When it opens, the share of the inset becomes the viewport's length, and "
                    + "the list leaves it.",
                expects: "The floor, the room of 800 and the list at -800, which stays there.",
                at: "the-second-floor"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.openSecondaryPage()
                try trial.expectStaysShown(
                    "{floor: {state: open}, insets: {top: 800}, offset: -800}", forMs: 150)
            },
            Draft(
                "floor-closes", "When it closes, inset and offset go back.",
                expects: "The floor closed, no room, and the list at rest.",
                at: "the-second-floor"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.openSecondaryPage()
                try trial.sendUpdate(
                    #""floor":{"state":"closing"},\#(ClientTrial.roomUpdate(0, ms: 100))"#)
                try trial.expectShown("{floor: {state: closing}}")
                try trial.sendUpdate(#""floor":{"state":"closed"}"#)
                try trial.expectShown("{floor: {state: closed}, insets: {top: 0}, offset: 0}")
            },
            Draft(
                "floor-and-refresh",
                "A release that opens the floor does not refresh: floor and edge are "
                    + "reported apart.",
                expects: "The floor opens, the edge is idle, and the other edge is unchanged.",
                at: "the-second-floor",
                told: [
                    [
                        ServerMessages.update(
                            #""top":{"state":"eligible","progress":1},"bottom":{"state":"noMore"},"#
                                + #""floor":{"state":"eligible"}"#)
                    ],
                    [
                        ServerMessages.update(
                            #""top":{"state":"idle"},"floor":{"state":"opening"}"#)
                    ],
                ],
                shown:
                    "{floor: {state: opening}, edges: {top: {state: idle}, bottom: {state: noMore}}}"
            ),
            Draft(
                "floor-begins-closed", "`attached` has the first state of a view.",
                expects: "In a new session the floor is closed.", at: "coming-back",
                needs: [.resume]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.openSecondaryPage()
                trial.cut()
                try trial.startNewSession()
                try trial.expectShown("{attached: true, floor: {state: closed}}")
            },
            Draft(
                "asks-floor", "A host opens and closes the second floor by `floor`.",
                expects: "`floor` with `open` true, and then with `open` false.",
                at: "floor", needs: [.requests]
            ) { trial throws(TrialEnd) in
                try trial.open()
                for open in [true, false] {
                    let asked = try trial.performHostRequest("floor", #","open":\#(open)"#)
                    try trial.require(
                        asked.value["open"]?.bool == open, "`open` \(open)", came: asked.value.text)
                }
            },
        ])
}

extension ClientTrial {
    /// Opens a client whose views `list` and `other` are attached.
    fileprivate func openTwoViews() throws(TrialEnd) {
        let hello = try connect(views: [ClientTrial.attachBody(), ClientTrial.attachBody("other")])
        try send(
            [ServerMessages.welcome()]
                + (hello.value["views"]?.array ?? []).compactMap { $0["view"]?.string }
                .map { ServerMessages.attached($0) })
        for _ in 0..<(hello.value["views"]?.array?.isEmpty ?? true ? 2 : 0) {
            let attach = try expect("attach")
            try send(ServerMessages.attached(attach.value["view"]?.string ?? "", ack: attach.seq))
        }
        for view in ["list", "other"] { try expectShown("{attached: true}", of: view) }
    }

    /// Detaches `other`, and checks that the client sends `detach`.
    fileprivate func detachOtherView() throws(TrialEnd) {
        try order("detach", #"{"view":"other"}"#)
        let detach = try expect("detach", "{view: other}")
        try sendUpdate(ack: detach.seq)
        try expectDetached("other")
    }

    /// Checks that a view is not shown, now and a moment later.
    fileprivate func expectDetached(_ view: String) throws(TrialEnd) {
        for _ in 0..<3 {
            let view = try order("report")["views"]?[view]
            try require(
                view == nil || view?["attached"]?.bool == false, "a view that is gone",
                came: view?.text ?? "")
            try wait(ms: 30)
        }
    }

    /// Returns the members of an update that opens a room at the top and moves the list to its edge
    /// within `ms`.
    fileprivate static func roomUpdate(_ length: Int, ms: Int) -> String {
        let rest = #""duration":\#(ms),"start":\#(ServerMessages.time()),"curve":"easeOut""#
        return #""inset":{"top":\#(length),\#(rest)},"offset":{"to":\#(-length),\#(rest)}"#
    }

    /// Opens the second floor and waits until it is open.
    fileprivate func openSecondaryPage() throws(TrialEnd) {
        try sendUpdate(#""floor":{"state":"opening"},\#(Self.roomUpdate(800, ms: 150))"#)
        try expectShown("{floor: {state: opening}}")
        try sendUpdate(#""floor":{"state":"open"}"#)
        try expectShown("{floor: {state: open}, insets: {top: 800}, offset: -800}")
    }
}
