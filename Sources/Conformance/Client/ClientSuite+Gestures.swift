internal import RefreshProtocol

/// Cases about samples of gestures and about geometry.
extension ClientSuite {
    static let gestures = numberedCases(
        .gestures,
        [
            Draft(
                "began-first",
                "A finger that begins to drag starts a new gesture, with the phase `began`.",
                expects: "`began` before any other sample, once.", at: "scroll",
                needs: [.overscroll]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.drag(by: 40)
                try trial.order("release", #"{"view":"list"}"#)
                try trial.expect("scroll", "{phase: began}")
                try trial.awaitMessage("scroll", "{phase: ended}")
                try trial.expectNoSecondSample("began")
            },
            Draft(
                "pull-is-negative",
                "The offset is negative while the content is pulled down beyond its end.",
                expects:
                    "Samples with decreasing offsets; the last has the offset that the client "
                    + "shows.",
                at: "units-and-signs", needs: [.overscroll]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.drag(by: 60)
                let shown = try trial.shownOffset()
                try trial.expectSamples(fallingTo: shown)
            },
            Draft(
                "ended-once", "When the finger lifts, the client sends `ended` once.",
                expects: "One `ended` after the samples, at the place of the list.", at: "scroll",
                needs: [.overscroll]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.drag(by: 60)
                try trial.order("release", #"{"view":"list"}"#)
                let end = try trial.awaitMessage("scroll", "{phase: ended, offset: <0}")
                try trial.expectNoSecondSample("ended")
                try trial.expectNoDragging(after: end)
            },
            Draft(
                "cancelled", "When the system takes a gesture away, the client sends `cancelled`.",
                expects: "`cancelled`, and no `ended`.", at: "scroll", needs: [.overscroll]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.drag(by: 60)
                try trial.order("takeAway", #"{"view":"list"}"#)
                try trial.awaitMessage("scroll", "{phase: cancelled}")
                if trial.unmatchedMessages.contains(where: { $0.value["phase"]?.string == "ended" })
                {
                    throw .failed(expected: "no `ended`", came: "an `ended`")
                }
            },
            Draft(
                "code-is-no-finger",
                "Samples of a list that the program moves have the cause `code`.",
                expects: "Samples with that cause, and none of a finger.", at: "scroll",
                needs: [.scroll]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.order("scrollTo", #"{"view":"list","offset":400,"cause":"code"}"#)
                let sample = try trial.expect("scroll", "{offset: 400, cause: code}")
                try trial.require(
                    ["decelerating", "idle"].contains(sample.value["phase"]?.string ?? ""),
                    "`decelerating` or `idle`", came: sample.value.text)
            },
            Draft(
                "wheel-is-told", "Samples of a list that a wheel moves have the cause `wheel`.",
                expects: "`decelerating` with the cause `wheel`, then `idle`.", at: "scroll",
                needs: [.scroll]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.order("scrollTo", #"{"view":"list","offset":400,"cause":"wheel"}"#)
                try trial.expect("scroll", "{phase: decelerating, cause: wheel}")
                try trial.awaitMessage("scroll", "{phase: idle, offset: 400}")
            },
            Draft(
                "still-finger",
                "While a finger rests, the client repeats its sample at least every 2 s.",
                expects: "`dragging` at the same place within 2.5 s.", at: "scroll"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.order("drag", #"{"view":"list","by":40,"ms":60}"#, takesMs: 60)
                try trial.wait(ms: 150)
                let told = trial.removeReceived(["scroll", "pan"])
                let kind = told.last?.type ?? "scroll"
                try trial.awaitMessage(kind, "{phase: dragging}", withinMs: 3000)
            },
            Draft(
                "silent-in-the-middle",
                "A `stream` client sends no sample where the server needs none.",
                expects: "No sample between the bounds of `interest`.", at: "what-a-client-sends",
                needs: [.scroll, .stream]
            ) { trial throws(TrialEnd) in
                try trial.open(frames: "stream", attached: lawful)
                try trial.order("scrollTo", #"{"view":"list","offset":300,"cause":"wheel"}"#)
                try trial.wait(ms: 500)
                _ = trial.removeReceived(["scroll"])
                for offset in [400, 500] {
                    try trial.order(
                        "scrollTo", #"{"view":"list","offset":\#(offset),"cause":"wheel"}"#)
                }
                try trial.expectNone(["scroll"], forMs: 500)
            },
            Draft(
                "pan-travel", "`translation` is the travel of the finger since `began`.",
                expects: "`began`, then travel that grows to 60, then `ended`.", at: "pan",
                needs: [.pan]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.drag(by: 60, way: "pan")
                try trial.order("release", #"{"view":"list"}"#)
                try trial.expect("pan", "{phase: began}")
                try trial.awaitMessage("pan", "{phase: dragging, translation: 60}")
                let end = try trial.awaitMessage("pan", "{phase: ended}")
                try trial.wait(ms: 50)
                try trial.expectNoDragging(after: end)
            },
            Draft(
                "pan-is-answered",
                "The server answers a `pan` with an `offset`, which the client applies at once.",
                expects: "The list at the commanded offset, under the finger.", at: "pan",
                needs: [.pan]
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.drag(by: 60, way: "pan")
                let last = try trial.awaitMessage("pan", "{translation: 60}")
                try trial.sendUpdate(#""offset":{"to":-32,"duration":0}"#, ack: last.seq)
                try trial.expectShown("{offset: -32}")
                if let echo = trial.removeReceived(["scroll"]).first {
                    throw .failed(
                        expected: "no `scroll` for a commanded movement", came: echo.value.text)
                }
            },
            Draft(
                "local-is-brief", "A `local` client omits every sample that changes nothing.",
                expects: "Of a pull of twenty samples, at most six are sent.",
                at: "what-a-client-sends", needs: [.local, .pan]
            ) { trial throws(TrialEnd) in
                try trial.open(frames: "local", attached: lawful)
                try trial.drag(by: 40, ms: 320, way: "pan")
                try trial.awaitMessage("pan", "{phase: began}")
                try trial.wait(ms: 50)
                let told = trial.removeReceived(["pan"])
                try trial.require(
                    told.count <= 5, "at most six samples", came: "\(told.count + 1) samples")
            },
            Draft(
                "local-predicts",
                "A message that changes the shown state of the refresh edge carries that state.",
                expects: "`predicted` with `eligible`, and with `refreshing` at the release.",
                at: "what-a-local-client-predicts", needs: [.local, .pan]
            ) { trial throws(TrialEnd) in
                try trial.open(frames: "local", attached: lawful)
                try trial.drag(by: 100, ms: 160, way: "pan")
                try trial.awaitMessage("pan", "{predicted: eligible}")
                try trial.order("release", #"{"view":"list"}"#)
                try trial.awaitMessage("pan", "{phase: ended, predicted: refreshing}")
            },
            Draft(
                "local-opens-at-once",
                "When an armed edge fires, a `local` client shows the refresh and opens "
                    + "its room at once.",
                expects: "The state and the room, before any answer.",
                at: "what-a-local-client-predicts", needs: [.local, .pan]
            ) { trial throws(TrialEnd) in
                try trial.open(frames: "local", attached: lawful)
                try trial.drag(by: 100, ms: 160, way: "pan")
                try trial.order("release", #"{"view":"list"}"#)
                try trial.expectShown(
                    "{edges: {top: {state: refreshing}}, insets: {top: 64}}")
            },
            Draft(
                "sizes-are-told", "The client reports changed sizes by `geometry`.",
                expects: "The new content.", at: "geometry"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.order("resize", #"{"view":"list","content":{"width":390,"height":2600}}"#)
                try trial.awaitMessage("geometry", "{view: list, content: {height: 2600}}")
            },
            Draft(
                "velocity-agrees", "The `velocity` of `ended` is the last speed of the list.",
                expects: "None, or one that fits a finger that moves 60 points in 600 ms.",
                at: "scroll"
            ) { trial throws(TrialEnd) in
                try trial.open()
                try trial.order("drag", #"{"view":"list","by":60,"ms":600}"#, takesMs: 600)
                try trial.order("release", #"{"view":"list"}"#)
                let kind = try trial.awaitGesture().type
                let end = try trial.awaitMessage(kind, "{phase: ended}")
                let velocity = end.value["velocity"]?.number ?? 0
                // The content is pulled down at 100 points per second. The last steps may have been
                // faster than that, but not much, and not in the other direction.
                try trial.require(
                    (-1_000...100).contains(velocity), "a velocity of about -100, or none",
                    came: end.value.text)
            },
        ])

    /// A view with a control law, whose lists follow a finger one to one; without indicators.
    private static let lawful = ServerMessages.attached(
        top: #","indicator":null"#,
        more: #","law":{"rest":[0,1200],"top":{"pull":[[0,0],[-64,1]],"arm":-64,"disarm":-56,"#
            + #""fires":"release","room":64,"duration":250},"bottom":{"pull":[[936,0],[1000,1]]},"#
            + #""crossings":[],"interest":[[null,0],[936,null]],"resistance":{"top":[[0,0],[200,200]]}}"#
    )
}

extension ClientTrial {
    /// Checks that no other sample of this phase arrives.
    fileprivate func expectNoSecondSample(_ phase: String) throws(TrialEnd) {
        try wait(ms: 50)
        let second = unmatchedMessages.first {
            $0.type == "scroll" && $0.value["phase"]?.string == phase
        }
        try require(second == nil, "one `\(phase)`", came: second?.value.text ?? "")
    }

    /// Checks that there is no sample of a finger after the release, which would be a new gesture.
    fileprivate func expectNoDragging(after end: ReceivedClientMessage) throws(TrialEnd) {
        let late = unmatchedMessages.first {
            $0.seq > end.seq && $0.value["phase"]?.string == "dragging"
        }
        try require(late == nil, "`ended` after the samples", came: late?.value.text ?? "")
    }

    /// Checks the samples of a pull: from `began` on the offsets decrease, and the last one is
    /// where the list is shown.
    fileprivate func expectSamples(fallingTo shown: Double) throws(TrialEnd) {
        try awaitMessage("scroll", "{phase: began}")
        try awaitMessage("scroll", "{phase: dragging, offset: \(JSONValue.number(shown).text)}")
        try require(shown < 0, "an offset below 0", came: "\(shown)")
        let places = unmatchedMessages.filter { $0.type == "scroll" }.compactMap {
            $0.value["offset"]?.number
        }
        if let place = places.first(where: { $0 > 0 || $0 < shown }) {
            throw .failed(expected: "offsets from 0 to \(shown)", came: "\(place)")
        }
        try require(places == places.sorted(by: >), "decreasing offsets", came: "\(places)")
    }
}
