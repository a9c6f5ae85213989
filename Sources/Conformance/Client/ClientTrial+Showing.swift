internal import RefreshProtocol
internal import ScenarioKit

/// The expectations of a case about the client's display.
extension ClientTrial {
    /// Waits until the view that the client shows matches the form.
    func expectShown(
        _ form: ViewForm, within limit: ClientExpectation.Limit, _ text: FailureText = FailureText()
    ) throws(TrialEnd) {
        let deadline = deadline(limit)
        while true {
            try order("report")
            let comparison = try compareShown(form)
            if comparison.isMatch { return }
            guard GradingServer.nowMs < deadline else {
                throw failure(
                    text, expected: "\(form.view) shown as \(form.pattern.text)",
                    came: shown["views"]?[form.view] ?? shown, comparison.mismatches)
            }
            try wait(ms: 20)
        }
    }

    /// Checks that the view that the client shows matches the form, now and during this time.
    func expectStaysShown(
        _ form: ViewForm, forMs: Double, _ text: FailureText = FailureText()
    ) throws(TrialEnd) {
        let deadline = GradingServer.nowMs + forMs
        repeat {
            try order("report")
            let comparison = try compareShown(form)
            guard comparison.isMatch else {
                throw failure(
                    text, expected: "\(form.view) still shown as \(form.pattern.text)",
                    came: shown["views"]?[form.view] ?? shown, comparison.mismatches)
            }
            try wait(ms: 30)
        } while GradingServer.nowMs < deadline
    }

    /// Checks that most of the offsets that the client shows during this time match.
    ///
    /// A client with wrong timelines shows the right offsets about 150 ms late. If the machine
    /// stalls, the driver reports fewer than five offsets, which are too few to judge the client.
    func expectMostly(
        at places: WrittenPattern, forMs: Double, _ text: FailureText
    ) throws(TrialEnd) {
        let endMs = GradingServer.nowMs + forMs
        var offsets: [JSONValue] = []
        repeat {
            let offset = try order("report")["views"]?["list"]?["offset"]
            guard let offset else { throw .notOffered("showing offset") }
            offsets.append(offset)
            try wait(ms: 20)
        } while GradingServer.nowMs < endMs
        let matching = offsets.filter { compare($0, with: places.pattern).isMatch }
        guard matching.count * 2 <= offsets.count, offsets.count >= 5 else { return }
        throw .failed(
            expected: text.expected ?? "the list at \(places.text)",
            came: "the list at \(JSONValue.array(offsets).text)")
    }

    /// Waits until the list rests at `place` and the last sample reports that offset.
    func expectRest(at place: Double) throws(TrialEnd) {
        let offset = Pattern.value(.number(place))
        let idle = WrittenPattern([("phase", .text("idle")), ("offset", offset)])
        let form = ViewForm(view: "list", pattern: WrittenPattern([("offset", offset)]))
        let rest = try expect(MessageForm("scroll", matching: idle), .any)
        try expectShown(form, within: .standardLimit)
        try expectStaysShown(form, forMs: 150)
        let other = removeReceived(["scroll"]).last { $0.seq > rest.seq }
        guard other?.value["offset"]?.number ?? place == place else {
            throw .failed(
                expected: "no sample elsewhere after `idle`", came: other?.value.text ?? "")
        }
    }

    /// Waits until the client has this status.
    func expectStatus(_ status: String) throws(TrialEnd) {
        let deadline = deadline(.standardLimit)
        while try order("report")["status"]?.string != status {
            guard GradingServer.nowMs < deadline else {
                throw .failed(
                    expected: "the status \(status)", came: shown["status"]?.text ?? shown.text)
            }
            try wait(ms: 20)
        }
    }

    /// Checks that the client has reported an error with this code to its host.
    func expectReportedError(_ code: String) throws(TrialEnd) {
        guard let errors = try order("report")["errors"]?.array else {
            throw .notOffered("showing errors")
        }
        guard errors.contains(.string(code)) else {
            throw .failed(expected: code, came: JSONValue.array(errors).text)
        }
    }
}
