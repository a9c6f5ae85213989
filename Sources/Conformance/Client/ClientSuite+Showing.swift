internal import RefreshProtocol

/// Cases about what a client shows: edges, insets, offsets and timelines.
extension ClientSuite {
    static let updates = numberedCases(
        .updates,
        [
            Draft(
                "update-merges", "An update has only what changed; a client merges it.",
                expects: "The earlier state, with the new progress.", at: "update",
                told: [
                    [ServerMessages.update(#""top":{"state":"pulling","progress":0.25}"#)],
                    [ServerMessages.update(#""top":{"progress":0.5}"#)],
                ], shown: "{edges: {top: {state: pulling, progress: 0.5}}}"),
            Draft(
                "edges-are-apart", "A change of one edge does not affect the other.",
                expects: "Both states, each with its own values.", at: "axes-and-edges",
                told: [
                    [ServerMessages.update(#""top":{"state":"refreshing","cause":"code"}"#)],
                    [ServerMessages.update(#""bottom":{"state":"noMore"}"#)],
                ], shown: "{edges: {top: {state: refreshing}, bottom: {state: noMore}}}"),
            Draft(
                "views-are-apart", "A change of one view does not affect another.",
                expects: "Both views, each with its own values.", at: "the-idea", needs: [.views]
            ) { trial throws(TrialEnd) in
                let hello = try trial.connect(views: [
                    ClientTrial.attachBody(), ClientTrial.attachBody("other"),
                ])
                try trial.answerHello(hello)
                try trial.expectShown("{attached: true}", of: "other")
                try trial.send(
                    ServerMessages.update(#""inset":{"top":64,"duration":0}"#, of: "other"),
                    ServerMessages.items(["b"], load: "2.1", view: "other"))
                try trial.sendItems(["a"], load: "1.1")
                try trial.expectShown("{insets: {top: 64}, items: [b]}", of: "other")
                try trial.expectShown("{insets: {top: 0}, items: [a]}")
            },
            Draft(
                "attached-begins", "`attached` has the first state of each edge.",
                expects: "The states in `attached`.", at: "notes-for-the-writers-of-clients"
            ) { trial throws(TrialEnd) in
                let attached = ServerMessages.attached().replacing(
                    #""role":"loadMore","state":"idle""#,
                    with: #""role":"loadMore","state":"noMore""#)
                try trial.open(attached: attached)
                try trial.expectShown("{edges: {top: {state: idle}, bottom: {state: noMore}}}")
            },
            Draft(
                "spinner-merges", "For a plain spinner, only changed parameters are sent.",
                expects: "The earlier parameters, with the new one.", at: "update"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.sendUpdate(
                    #""top":{"state":"pulling","progress":0.25,"indicator":{"progress":0.25,"alpha":0.5}}"#
                )
                try trial.expectShown("{edges: {top: {state: pulling}}}")
                guard trial.shown["views"]?["list"]?["edges"]?["top"]?["indicator"] != nil else {
                    throw .notOffered("showing a spinner")
                }
                try trial.sendUpdate(#""top":{"indicator":{"alpha":0.75}}"#)
                try trial.expectShown("{edges: {top: {indicator: {progress: 0.25, alpha: 0.75}}}}")
            },
            Draft(
                "newer-data", "`newer` is whether the feed has newer data.",
                expects: "It is shown, and disappears with the refresh that brings the data.",
                at: "changes"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.sendUpdate(#""newer":true"#)
                try trial.expectShown("{newer: true}")
                try trial.sendUpdate(#""newer":false"#)
                try trial.expectShown("{newer: false}")
            },
            Draft(
                "progress-lapses", "The progress of an edge ends with a state that has none.",
                expects: "Half of the way while it is pulled, and no progress afterwards.",
                at: "notes-for-the-writers-of-clients"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.sendUpdate(#""top":{"state":"pulling","progress":0.5}"#)
                try trial.expectShown("{edges: {top: {state: pulling, progress: 0.5}}}")
                for state in ["refreshing", "idle"] {
                    try trial.sendUpdate(#""top":{"state":"\#(state)"}"#)
                    try trial.expectShown("{edges: {top: {state: \(state)}}}")
                    let top = trial.shown["views"]?["list"]?["edges"]?["top"]
                    try trial.require(
                        top?["progress"]?.number ?? 0 == 0, "no progress with `\(state)`",
                        came: top?.text ?? "nothing")
                }
            },
            Draft(
                "cues-are-given", "`haptic` has the cues of the moment.",
                expects: "Each cue of the daemon, once and in order.", at: "cues"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.sendUpdate(
                    #""top":{"state":"eligible","progress":1},"haptic":["selection"]"#)
                try trial.sendUpdate(
                    #""top":{"state":"refreshing","cause":"finger"},"haptic":["impact"]"#)
                try trial.expectShown("{edges: {top: {state: refreshing}}}")
                try trial.expectShown("{cues: [selection, impact]}")
            },
            Draft(
                "shown-at-once", "A client applies each message when it arrives.",
                expects:
                    "States, rooms, offsets, items, and the begin and end of loads, each at once.",
                at: "the-idea"
            ) { trial throws(TrialEnd) in
                let hello = try trial.connect()
                let prompt = try trial.promptMs()
                try trial.expectPrompt(
                    hello, since: trial.upgradeRequestedAtMs[trial.connection] ?? hello.atMs, prompt
                )
                try trial.answerHello(hello)
                try trial.expectShown("{attached: true}", withinMs: prompt)
                try trial.send(
                    ServerMessages.update(
                        #""top":{"state":"eligible","progress":1},"inset":{"top":64,"duration":0},"#
                            + #""offset":{"to":-64,"duration":0}"#))
                try trial.expectShown(
                    "{edges: {top: {state: eligible}}, insets: {top: 64}, offset: -64}",
                    withinMs: prompt)
                for mode in ["replace", "append"] {
                    try trial.sendItems([mode], load: "1.1", mode: mode)
                }
                try trial.expectShown("{items: [replace, append]}", withinMs: prompt)
                for end in ["failed", "cancelled", "timedOut"] {
                    try trial.send(ServerMessages.loadingBegan("1.2"))
                    try trial.expectShown(#"{loads: ["1.2"]}"#, withinMs: prompt)
                    let why = #","code":"backendFailed","message":"No.","temporary":true"#
                    try trial.send(
                        ServerMessages.loading("1.2", end, more: end == "failed" ? why : ""))
                    try trial.expectShown("{loads: []}", withinMs: prompt)
                }
            },
        ])

    static let commands = numberedCases(
        .commands,
        [
            Draft(
                "inset-applied", "`inset` has the server's share of the inset.",
                expects: "The share is shown; that of the other side is unchanged.",
                at: "commands-and-timelines",
                told: [
                    [ServerMessages.update(#""inset":{"bottom":40,"duration":0}"#)],
                    [ServerMessages.update(#""inset":{"top":64,"duration":0}"#)],
                ], shown: "{insets: {top: 64, bottom: 40}}"),
            Draft(
                "inset-is-whole", "`inset` is the server's whole share, not a difference.",
                expects: "64, 64 and 48 result in 48; 0 gives all of it back.",
                at: "commands-and-timelines"
            ) { trial throws(TrialEnd) in
                try trial.open()
                for share in [64, 64, 48] {
                    try trial.sendUpdate(#""inset":{"top":\#(share),"duration":0}"#)
                }
                try trial.expectShown("{insets: {top: 48}}")
                try trial.sendUpdate(#""inset":{"top":0,"duration":0}"#)
                try trial.expectShown("{insets: {top: 0}}")
            },
            Draft(
                "offset-applied", "`offset` is a command to move the list.",
                expects: "The list is at that offset.", at: "commands-and-timelines",
                told: [[ServerMessages.update(#""offset":{"to":120,"duration":0}"#)]],
                shown: "{offset: 120}", keptForMs: 100),
            Draft(
                "revealed-together", "Inset and offset of one update belong together.",
                expects: "The room is open, and the list is moved into it.",
                at: "anchors",
                told: [
                    [
                        ServerMessages.update(
                            #""top":{"state":"refreshing","cause":"code"},"inset":{"top":64,"duration":0},"#
                                + #""offset":{"to":-64,"duration":0}"#)
                    ]
                ], shown: "{insets: {top: 64}, offset: -64}", keptForMs: 150),
            Draft(
                "stale-offset",
                "An `offset` whose `ack` is older than the present gesture is void.",
                expects: "The list stays under the finger.", at: "notes-for-the-writers-of-clients"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.order("drag", #"{"view":"list","by":30,"ms":60}"#, takesMs: 60)
                let began = try trial.awaitGesture()
                let place = try trial.shownOffset()
                try trial.sendUpdate(#""offset":{"to":300,"duration":0}"#, ack: began.seq - 1)
                try trial.wait(ms: 150)
                let now = try trial.shownOffset()
                try trial.require(now != 300, "the list at \(place)", came: "the list at 300")
            },
            Draft(
                "offset-replaces", "Every command replaces an earlier one of the same kind.",
                expects: "The list is at the offset of the last command, and stays there.",
                at: "commands-and-timelines"
            ) { trial throws(TrialEnd) in
                try trial.open()
                let start = ServerMessages.time()
                try trial.sendUpdate(
                    #""offset":{"to":300,"duration":600,"start":\#(start),"curve":"linear"}"#)
                try trial.sendUpdate(#""offset":{"to":40,"duration":0}"#)
                try trial.expectShown("{offset: 40}")
                try trial.expectStaysShown("{offset: 40}", forMs: 700)
            },
            Draft(
                "own-insets", "The insets of the host do not include the server's share.",
                expects: "`geometry` without the server's share.", at: "geometry"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.sendUpdate(#""inset":{"top":64,"duration":0}"#)
                try trial.expectShown("{insets: {top: 64}}")
                try trial.order("resize", #"{"view":"list","content":{"width":390,"height":2400}}"#)
                let told = try trial.awaitMessage("geometry", "{content: {height: 2400}}")
                if let top = told.value["insets"]?["top"]?.number, top != 0 {
                    throw .failed(expected: "insets of the host alone", came: told.value.text)
                }
            },
            Draft(
                "attached-inset", "`inset` of `attached` is applied like any other.",
                expects: "The shares of `attached` are shown, and the next `inset` applies.",
                at: "attached"
            ) { trial throws(TrialEnd) in
                try trial.open(
                    attached: ServerMessages.attached(
                        more: #","inset":{"top":24,"bottom":40,"duration":0}"#))
                try trial.expectShown("{insets: {top: 24, bottom: 40}}")
                try trial.sendUpdate(#""inset":{"top":0,"duration":0}"#)
                try trial.expectShown("{insets: {top: 0, bottom: 40}}")
            },
        ])

    static let timelines = numberedCases(
        .timelines,
        [
            Draft(
                "curve-arrives", "A command is a timeline; it ends at `to`.",
                expects: "The list and the room are there when the time has elapsed.",
                at: "commands-and-timelines"
            ) { trial throws(TrialEnd) in
                try trial.open()
                let rest = #""duration":150,"start":\#(ServerMessages.time()),"curve":"easeOut""#
                try trial.sendUpdate(
                    #""inset":{"top":64,\#(rest)},"offset":{"to":-64,\#(rest)}"#)
                try trial.expectShown("{insets: {top: 64}, offset: -64}")
            },
            Draft(
                "path-arrives", "A `path` has the place of the list, key by key, and ends at `to`.",
                expects: "The list is there when the time has elapsed.",
                at: "commands-and-timelines",
                told: [
                    [
                        ServerMessages.update(
                            #""offset":{"to":200,"duration":150,"start":\#(ServerMessages.time()),"#
                                + #""path":[[0,0],[50,120],[100,240],[150,200]]}"#)
                    ]
                ], shown: "{offset: 200}", keptForMs: 200),
            Draft(
                "late-timeline", "A timeline that arrives late has already begun.",
                expects: "It ends soon, at its own end.",
                at: "notes-for-the-writers-of-clients",
                told: [
                    [
                        ServerMessages.update(
                            #""offset":{"to":80,"duration":300,"start":\#(ServerMessages.time(in: -60_000)),"curve":"linear"}"#
                        )
                    ]
                ], shown: "{offset: 80}"),
            Draft(
                "server-clock", "Times that the server sends are of its own clock.",
                expects: "A timeline of 100 ms ends soon, whatever time that clock shows.",
                at: "units-and-signs"
            ) { trial throws(TrialEnd) in
                try trial.open()
                // The server's clock started long before the client's.
                try trial.sendUpdate(
                    #""offset":{"to":80,"duration":100,"start":\#(ServerMessages.time()),"curve":"linear"}"#
                )
                try trial.expectShown("{offset: 80}")
            },
            Draft(
                "past-clock", "Times from before the server's start are negative.",
                expects: "A command that began then has arrived.", at: "sealed-snapshots",
                told: [
                    [
                        ServerMessages.update(
                            #""inset":{"top":64,"duration":250,"start":-5000,"curve":"linear"}"#)
                    ]
                ], shown: "{insets: {top: 64}}"),
            Draft(
                "late-is-over", "A timeline whose time has elapsed has arrived.",
                expects:
                    "The room and the list at the end of a timeline of eight seconds that began "
                    + "earlier.",
                at: "notes-for-the-writers-of-clients"
            ) { trial throws(TrialEnd) in
                try trial.open()
                let prompt = try trial.promptMs()
                let rest =
                    #""duration":8000,"start":\#(ServerMessages.time(in: -60_000)),"curve":"linear""#
                try trial.sendUpdate(#""inset":{"top":64,\#(rest)},"offset":{"to":-64,\#(rest)}"#)
                try trial.expectShown("{insets: {top: 64}, offset: -64}", withinMs: prompt)
            },
            Draft(
                "path-is-followed",
                "The list follows the keys of a `path`, or moves to the end at once.",
                expects: "The list at 120 while the path rests there, or at 200; then at 200.",
                at: "commands-and-timelines"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.sendUpdate(
                    #""offset":{"to":200,"duration":900,"start":\#(ServerMessages.time()),"#
                        + #""path":[[0,0],[100,120],[800,120],[900,200]]}"#)
                let startMs = GradingServer.nowMs
                try trial.wait(ms: 300)
                var places: [Double] = []
                repeat {
                    places.append(try trial.shownOffset())
                    try trial.wait(ms: 20)
                } while GradingServer.nowMs - startMs < 650
                // A client that shows timelines late is off by about 150 ms. If the machine stalls,
                // there are too few values for a verdict.
                let there = places.filter { $0 == 200 || (119...121).contains($0) }
                try trial.require(
                    there.count * 2 > places.count || places.count < 5,
                    "the list at 120, or at 200", came: "the list at \(places)")
                try trial.expectShown("{offset: 200}")
            },
        ])
}
