internal import RefreshBroker
internal import RefreshProtocol

extension ScenarioRun {
    /// Returns random gestures in sequence. Each takes the same share of the step's duration.
    mutating func compileRandomGestures(_ gestures: RandomGestures) throws(StepFailure)
        -> [StepOperation]
    {
        recordRandomDraw()
        let range: ClosedRange<Double>
        do throws(Amount.NoNumber) {
            let (low, high) = (
                try gestures.low.number(in: variables), try gestures.high.number(in: variables)
            )
            range = min(low, high)...max(low, high)
        } catch {
            throw StepFailure(expected: "a number", came: "\(error)")
        }
        var random = random
        defer { self.random = random }
        return try compileGesture(for: gestures.view) { compiler throws(StepFailure) in
            let shareMs = gestures.durationMs / Double(gestures.count)
            for _ in 0..<gestures.count {
                try Self.addRandomGesture(
                    &compiler, within: range, forMs: shareMs, rate: gestures.rate, &random)
            }
        }
    }

    /// Adds one gesture: a drag and its end.
    private static func addRandomGesture(
        _ compiler: inout GestureCompiler, within range: ClosedRange<Double>, forMs shareMs: Double,
        rate: Double, _ random: inout SeededRandom
    ) throws(StepFailure) {
        func randomPosition() -> Amount {
            Amount((Double.random(in: range, using: &random) * 10).rounded() / 10)
        }
        func randomPath(_ count: Int, _ part: Double) -> Gesture.Path {
            Gesture.Path(
                from: nil, points: (0..<count).map { _ in randomPosition() },
                durationMs: shareMs * part,
                rate: rate, timing: .eased(Curve.allCases.randomElement(using: &random) ?? .linear))
        }
        func randomVelocity() -> Amount {
            Amount(Double.random(in: -1500...1500, using: &random).rounded())
        }
        let pull = randomPath(Int.random(in: 1...3, using: &random), 0.5)
        try compiler.addMotion(.drag(pull))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: try compiler.addMotion(.release(velocity: nil))
        case 1: try compiler.addMotion(.release(velocity: randomVelocity()))
        case 2:
            try compiler.addMotion(.hold(shareMs * 0.2))
            try compiler.addMotion(.release(velocity: 0))
        case 3: try compiler.addMotion(.interrupt)
        default:
            try compiler.addMotion(.release(velocity: randomVelocity()))
            try compiler.addMotion(.glide(randomPath(1, 0.3), cause: nil))
            try compiler.addMotion(.settle(nil))
        }
        compiler.addPause(shareMs * 0.2)
    }
}
