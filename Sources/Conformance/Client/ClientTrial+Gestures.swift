internal import RefreshProtocol
internal import ScenarioKit

/// The gestures whose values are computed while the case runs.
extension ClientTrial {
    /// Pulls and releases the list, and opens a room while the list springs back. The list then
    /// springs to the edge of the room.
    ///
    /// The list may come to rest before the client receives the room. The list then correctly stays
    /// where it is, and the pull is repeated.
    func springIntoRoom() throws(TrialEnd) {
        for _ in 0..<4 where try springsIntoRoom() { return }
        throw .notOffered("an animated spring-back")
    }

    private func springsIntoRoom() throws(TrialEnd) -> Bool {
        let list = JSONValue.Member("view", .string("list"))
        try order(
            "drag",
            .object([
                list, JSONValue.Member("by", .number(120)), JSONValue.Member("ms", .number(100)),
                JSONValue.Member("way", .string("scroll")),
            ]))
        try order("release", .object([list]))
        let ended = WrittenPattern([("phase", .text("ended"))])
        let end = try expect(MessageForm("scroll", matching: ended), .any)
        removeReceived(["scroll"])
        try openRoom(64, state: #"{"state":"refreshing","cause":"finger"}"#, after: end)
        guard shown["views"]?["list"]?["offset"]?.number != 0 else {
            try openRoom(0, state: #"{"state":"idle"}"#, after: end)
            return false
        }
        try expectRest(at: -64)
        return true
    }

    /// Sends the room at the top edge together with a state of this edge, and waits until the
    /// client shows the room.
    private func openRoom(
        _ length: Double, state: String, after message: ReceivedClientMessage
    ) throws(TrialEnd) {
        let room = Pattern.value(.number(length))
        try send([
            try self.message(
                "update",
                with: [
                    Pattern.Field("ack", .value(.number(Double(message.seq)))),
                    Pattern.Field("top", Pattern((try? JSONValue(parsing: state)) ?? .null)),
                    Pattern.Field(
                        "inset",
                        .object([
                            Pattern.Field("top", room),
                            Pattern.Field("duration", .value(.number(0))),
                        ])),
                ])
        ])
        let insets = WrittenPattern([("insets", .object([Pattern.Field("top", room)]))])
        try expectShown(ViewForm(view: "list", pattern: insets), within: .standardLimit)
    }

    /// Checks that the offsets of the unread samples decrease.
    func expectFallingOffsets() throws(TrialEnd) {
        let places = unmatchedMessages.filter { $0.type == "scroll" }.compactMap {
            $0.value["offset"]?.number
        }
        guard places == places.sorted(by: >) else {
            throw .failed(expected: "decreasing offsets", came: "\(places)")
        }
    }

    /// Checks the difference of the times `t` of two samples. It must be at least 40 ms, and at
    /// most ten times the time between the arrivals of the samples. If the samples arrive within
    /// 400 ms, 400 ms are used as this time.
    func expectClock(from first: String, to last: String) throws(TrialEnd) {
        guard let from = variables["\(first).t"]?.number, let to = variables["\(last).t"]?.number,
            let firstMs = variables["\(first).receivedMs"]?.number,
            let lastMs = variables["\(last).receivedMs"]?.number
        else { return }
        let tookMs = max(lastMs - firstMs, 400)
        guard to - from >= 40, to - from <= tookMs * 10 else {
            throw .failed(
                expected: "a clock that advances by about \(tookMs) ms",
                came: variables[last]?.text ?? "nothing")
        }
    }
}
