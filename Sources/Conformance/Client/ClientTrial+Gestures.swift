internal import RefreshProtocol

/// Gestures, and the shown offset of the list.
extension ClientTrial {
    /// Waits for the message that starts a gesture, `scroll` or `pan`.
    func awaitGesture() throws(TrialEnd) -> ReceivedClientMessage {
        let deadline = GradingServer.nowMs + patienceMs
        while GradingServer.nowMs < deadline {
            let index = unmatchedMessages.firstIndex {
                ["scroll", "pan"].contains($0.type) && $0.value["phase"]?.string == "began"
            }
            if let index { return unmatchedMessages.remove(at: index) }
            try receiveEvents(untilMs: deadline)
        }
        throw .failed(expected: "a gesture's `began`", came: "no such message")
    }

    /// Returns the current offset of the list as shown.
    func shownOffset() throws(TrialEnd) -> Double {
        let value = try order("report")["views"]?["list"]?["offset"]?.number
        guard let value else { throw .notOffered("showing offset") }
        return value
    }

    /// Drags the list `list` with a finger; `way` is `scroll` or `pan`.
    func drag(by points: Double, ms: Double = 100, way: String = "scroll") throws(TrialEnd) {
        let by = JSONValue.number(points).text
        let time = JSONValue.number(ms).text
        try order(
            "drag", #"{"view":"list","by":\#(by),"ms":\#(time),"way":"\#(way)"}"#, takesMs: ms)
    }
}
