internal import RefreshProtocol

/// Cases about where a list comes to rest, and which side moves it there. Source: docs/protocol.md,
/// "Who moves the list".
extension ClientSuite {
    static let resting = numberedCases(
        .gestures, from: gestures.count + 1,
        [
            Draft(
                "springs-back",
                "A list released beyond its end springs back if no room is open; then `idle`.",
                expects: "The list at its resting offset, and `idle` with that offset.",
                at: "who-moves-the-list", needs: [.overscroll]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.drag(by: 60)
                let end = try trial.releaseFinger()
                try trial.expectNoFreeMotion(before: end)
                try trial.expectRest(at: 0)
            },
            Draft(
                "springs-to-room",
                "If `inset` opens a room, the list springs back to its edge; then `idle`.",
                expects: "The list at -64, and `idle` with that offset; no `offset` is sent.",
                at: "who-moves-the-list", needs: [.overscroll]
            ) { trial throws(TrialEnd) in
                try trial.open()
                for _ in 0..<4 where try trial.springIntoRoom() { return }
                throw .notOffered("an animated spring-back")
            },
            Draft(
                "springs-to-end",
                "At the end of the content too, the list springs back, to the edge of a "
                    + "room there.",
                expects: "`idle` at 1200, and with a room of 64 at 1264.",
                at: "who-moves-the-list", needs: [.overscroll]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.order("scrollTo", #"{"view":"list","offset":1200,"cause":"code"}"#)
                try trial.awaitMessage("scroll", "{phase: idle, offset: 1200}")
                try trial.drag(by: -60)
                try trial.releaseFinger()
                try trial.expectRest(at: 1200)
                try trial.sendUpdate(#""inset":{"bottom":64,"duration":0}"#)
                try trial.expectShown("{insets: {bottom: 64}}")
                try trial.drag(by: -120)
                try trial.releaseFinger()
                try trial.expectRest(at: 1264)
            },
            Draft(
                "springs-back-cancelled",
                "A list whose gesture the system takes away also springs back.",
                expects: "The list at its resting offset, and `idle` with that offset.",
                at: "who-moves-the-list", needs: [.overscroll]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.drag(by: 60)
                try trial.order("takeAway", #"{"view":"list"}"#)
                try trial.expectRest(at: 0)
            },
            Draft(
                "rests-in-content",
                "When a list is released within its content, `idle` has the offset where it stops.",
                expects: "`ended`, and `idle` at the offset that is shown, within the content.",
                at: "who-moves-the-list", needs: [.overscroll]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.drag(by: -200)
                let end = try trial.releaseFinger()
                try trial.expectNoFreeMotion(before: end)
                let rest = try trial.awaitMessage("scroll", "{phase: idle}")
                let place = rest.value["offset"]?.number ?? -1
                try trial.require(
                    (0...1200).contains(place), "a place within the content", came: rest.value.text)
                try trial.expectStaysShown("{offset: \(JSONValue.number(place).text)}", forMs: 150)
            },
            Draft(
                "finger-stops-spring", "A finger that comes down holds a list that springs back.",
                expects: "A new gesture, and neither `decelerating` nor `idle` during it.",
                at: "who-moves-the-list", needs: [.overscroll]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.drag(by: 120)
                try trial.releaseFinger()
                _ = trial.removeReceived(["scroll"])
                try trial.drag(by: 10, ms: 20)
                let began = try trial.awaitMessage("scroll", "{phase: began}")
                try trial.wait(ms: 500)
                let loose = trial.unmatchedMessages.first { sample in
                    sample.seq > began.seq
                        && ["decelerating", "idle"].contains(sample.value["phase"]?.string ?? "")
                }
                try trial.require(
                    loose == nil, "a list under the finger", came: loose?.value.text ?? "")
                try trial.releaseFinger()
                try trial.expectRest(at: 0)
            },
            Draft(
                "commanded-is-done",
                "A command of the server counts as carried out, and is not reported.",
                expects:
                    "The list at the offsets of two commands that open a room, and no `scroll`.",
                at: "commands-and-timelines"
            ) { trial throws(TrialEnd) in
                try trial.open()
                for place in [-64, 0] {
                    let rest =
                        #""duration":100,"start":\#(ServerMessages.time()),"curve":"easeOut""#
                    try trial.sendUpdate(
                        #""inset":{"top":\#(-place),\#(rest)},"offset":{"to":\#(place),\#(rest)}"#)
                    try trial.expectShown("{insets: {top: \(-place)}, offset: \(place)}")
                }
                try trial.expectNone(["scroll", "pan"], forMs: 150)
            },
            Draft(
                "room-leaves-list",
                "When a room opens or closes and the list is elsewhere, the list stays.",
                expects: "The list at 400, with a room and without.",
                at: "who-moves-the-list", needs: [.scroll]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.order("scrollTo", #"{"view":"list","offset":400,"cause":"wheel"}"#)
                try trial.awaitMessage("scroll", "{phase: idle, offset: 400}")
                for room in [64, 0] {
                    try trial.sendUpdate(#""inset":{"top":\#(room),"duration":0}"#)
                    try trial.expectShown("{insets: {top: \(room)}}")
                    try trial.expectStaysShown("{offset: 400}", forMs: 100)
                }
            },
            Draft(
                "pan-rests",
                "With `pan` the server moves the list after the release, by one `path`.",
                expects: "`ended`, once, and nothing more; the list at the end of the path.",
                at: "who-moves-the-list", needs: [.pan]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.drag(by: 60, way: "pan")
                let last = try trial.awaitMessage("pan", "{phase: dragging, translation: 60}")
                try trial.sendUpdate(#""offset":{"to":-32,"duration":0}"#, ack: last.seq)
                try trial.expectShown("{offset: -32}")
                try trial.order("release", #"{"view":"list"}"#)
                let end = try trial.awaitMessage("pan", "{phase: ended}")
                let behind = trial.removeReceived(["pan"]).first { $0.seq > end.seq }
                try trial.require(
                    behind == nil, "`ended` last, and once", came: behind?.value.text ?? "")
                try trial.sendUpdate(
                    #""offset":{"to":0,"duration":200,"start":\#(ServerMessages.time()),"#
                        + #""path":[[0,-32],[100,-8],[200,0]]}"#, ack: end.seq)
                try trial.expectShown("{offset: 0}")
                try trial.expectNone(["scroll", "pan"], forMs: 200)
            },
            Draft(
                "pan-velocity",
                "The `velocity` of a `pan` is the speed of the list, opposite to `translation`.",
                expects:
                    "A negative one for a finger that pulls the content down; otherwise nothing "
                    + "slides on.",
                at: "pan", level: .should, needs: [.pan]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.drag(by: 300, ms: 300, way: "pan")
                try trial.order("release", #"{"view":"list"}"#)
                let end = try trial.awaitMessage("pan", "{phase: ended}")
                let last = try trial.awaitLast("pan")
                let velocity = end.value["velocity"]?.number
                try trial.require(
                    velocity.map { $0 <= 0 } ?? false, "a velocity of about -1000",
                    came: end.value.text)
                // 1,000 points per second. If the finger rested before its lift because the machine
                // was slow, the velocity is 0.
                guard end.atMs - last.atMs < 60 else { return }
                try trial.require(
                    (-10_000 ..< -50).contains(velocity ?? 0), "a velocity of about -1000",
                    came: end.value.text)
            },
            Draft(
                "pan-begins-where-shown",
                "`offset` in the `began` of a `pan` is the offset that the client shows.",
                expects: "None, or 400, where the list is shown.", at: "pan",
                needs: [.pan, .scroll]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.order("scrollTo", #"{"view":"list","offset":400,"cause":"wheel"}"#)
                try trial.expectShown("{offset: 400}")
                try trial.drag(by: 30, way: "pan")
                let began = try trial.awaitMessage("pan", "{phase: began}")
                try trial.require(
                    began.value["offset"]?.number ?? 400 == 400, "the offset 400",
                    came: began.value.text)
            },
            Draft(
                "clock-in-ms", "The `t` of a sample is the client's clock in ms.",
                expects: "None, or one that grows by about 400 while the finger moves for 400 ms.",
                at: "units-and-signs"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.order("drag", #"{"view":"list","by":60,"ms":400}"#, takesMs: 400)
                let began = try trial.awaitGesture()
                let last = try trial.awaitLast(began.type)
                guard let from = began.value["t"]?.number, let to = last.value["t"]?.number
                else { return }
                let tookMs = max(last.atMs - began.atMs, 400)
                try trial.require(
                    to - from >= 40 && to - from <= tookMs * 10,
                    "a clock that advances by about \(tookMs) ms", came: last.value.text)
            },
            Draft(
                "viewport-is-told",
                "The client reports a changed viewport by `geometry`, in points.",
                expects: "The new viewport, and the content as laid out.", at: "geometry"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.order(
                    "resize",
                    #"{"view":"list","viewport":{"width":400,"height":700},"content":{"width":400,"height":2100}}"#
                )
                let told = try trial.awaitMessage(
                    "geometry", "{viewport: {width: 400, height: 700}}")
                guard let content = told.value["content"] else {
                    try trial.awaitMessage("geometry", "{content: {width: 400, height: 2100}}")
                    return
                }
                if content["height"]?.number != 2100 {
                    try trial.awaitMessage("geometry", "{content: {width: 400, height: 2100}}")
                }
            },
            Draft(
                "told-at-once", "The client sends each action of the user at once.",
                expects: "`began`, `ended` and `geometry`, each at once.", at: "the-idea"
            ) { trial throws(TrialEnd) in
                try trial.open()
                let prompt = try trial.promptMs()
                let startMs = GradingServer.nowMs
                try trial.order("drag", #"{"view":"list","by":40,"ms":60}"#, takesMs: 60)
                let began = try trial.awaitGesture()
                try trial.expectPrompt(began, since: startMs, prompt + 60)
                let liftMs = GradingServer.nowMs
                try trial.order("release", #"{"view":"list"}"#)
                try trial.expectPrompt(
                    try trial.awaitMessage(began.type, "{phase: ended}"), since: liftMs, prompt)
                let sizeMs = GradingServer.nowMs
                try trial.order("resize", #"{"view":"list","content":{"width":390,"height":2600}}"#)
                try trial.expectPrompt(
                    try trial.awaitMessage("geometry", "{content: {height: 2600}}"), since: sizeMs,
                    prompt)
            },
        ])
}

extension ClientTrial {
    /// Lifts the finger and returns the client's `ended`.
    @discardableResult
    fileprivate func releaseFinger() throws(TrialEnd) -> ReceivedClientMessage {
        try order("release", #"{"view":"list"}"#)
        return try awaitMessage("scroll", "{phase: ended}")
    }

    /// Checks that there was no sample of a list without a finger before the release.
    fileprivate func expectNoFreeMotion(before end: ReceivedClientMessage) throws(TrialEnd) {
        let loose = unmatchedMessages.first { sample in
            sample.seq < end.seq
                && ["decelerating", "idle"].contains(sample.value["phase"]?.string ?? "")
        }
        try require(
            loose == nil, "`ended` before the list moves by itself", came: loose?.value.text ?? "")
    }

    /// Waits until the list rests at `place` and that is its last sample.
    fileprivate func expectRest(at place: Double) throws(TrialEnd) {
        let offset = JSONValue.number(place).text
        let rest = try awaitMessage("scroll", "{phase: idle, offset: \(offset)}")
        try expectShown("{offset: \(offset)}")
        try expectStaysShown("{offset: \(offset)}", forMs: 150)
        let other = removeReceived(["scroll"]).last { $0.seq > rest.seq }
        try require(
            other?.value["offset"]?.number ?? place == place, "no sample elsewhere after `idle`",
            came: other?.value.text ?? "")
    }

    /// Releases a pull and opens a room, to whose edge the list springs. Returns false if the list
    /// was at rest before the client received the room. In that case it correctly stays where it
    /// is.
    fileprivate func springIntoRoom() throws(TrialEnd) -> Bool {
        try drag(by: 120)
        let end = try releaseFinger()
        _ = removeReceived(["scroll"])
        try sendUpdate(
            #""top":{"state":"refreshing","cause":"finger"},"inset":{"top":64,"duration":0}"#,
            ack: end.seq)
        try expectShown("{insets: {top: 64}}")
        guard shown["views"]?["list"]?["offset"]?.number != 0 else {
            try sendUpdate(#""top":{"state":"idle"},"inset":{"top":0,"duration":0}"#, ack: end.seq)
            try expectShown("{insets: {top: 0}}")
            return false
        }
        try expectRest(at: -64)
        return true
    }

    /// Returns the last `dragging` sample of this type received so far.
    fileprivate func awaitLast(_ type: String) throws(TrialEnd) -> ReceivedClientMessage {
        let first = try awaitMessage(type, "{phase: dragging}")
        try wait(ms: 50)
        return removeReceived([type]).last { $0.value["phase"]?.string == "dragging" } ?? first
    }

    /// Checks that a message arrived within `ms`.
    func expectPrompt(
        _ message: ReceivedClientMessage, since startMs: Double, _ ms: Double
    ) throws(TrialEnd) {
        try require(
            message.atMs - startMs <= ms,
            "the message within \(JSONValue.number(ms.rounded()).text) ms",
            came: "\(message.value.text) after \((message.atMs - startMs).rounded()) ms")
    }

    /// Returns the time limit for immediate reactions of a client, in milliseconds: 1,500, or more
    /// if its driver is slow.
    func promptMs() throws(TrialEnd) -> Double {
        let start = GradingServer.nowMs
        for _ in 0..<4 { try order("report") }
        return max(1500, (GradingServer.nowMs - start) * 10)
    }
}
