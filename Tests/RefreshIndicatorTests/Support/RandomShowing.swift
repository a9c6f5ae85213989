import RefreshIndicator
import RefreshProtocol

/// A random input sequence for an indicator: states in any order, and evaluations in between.
struct RandomShowing {
    struct Input {
        var time: Double
        /// The state that is set. If it is nil, the indicator is only evaluated.
        var state: EdgeState?
        var pull = 0.0
        var result: LoadResult?
    }

    let role: EdgeRole
    let motion: MotionPreference
    let inputs: [Input]

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        role = random.chance(70) ? .refresh : .loadMore
        motion = random.chance(85) ? .full : .reduced
        var time = 0.0
        var inputs: [Input] = [Input(time: 0, state: .idle)]
        for _ in 0..<60 {
            time += random.chance(20) ? 0 : Double(random.below(400 * 8)) / 8
            guard random.chance(50) else {
                inputs.append(Input(time: time))
                continue
            }
            let states = EdgeState.allCases
            inputs.append(
                Input(
                    time: time, state: states[random.below(states.count)],
                    pull: random.sixteenths(from: 0, to: 3),
                    result: random.chance(30)
                        ? LoadResult.allCases[random.below(LoadResult.allCases.count)] : nil))
        }
        self.inputs = inputs
    }

    /// The line that the web client's evaluator reads.
    func line(_ programme: Programme) -> String {
        let inputs = inputs.map { input -> JSONValue in
            var members = [JSONValue.Member("t", .number(input.time))]
            if let state = input.state {
                members.append(JSONValue.Member("state", .string(state.rawValue)))
                members.append(JSONValue.Member("pull", .number(input.pull)))
            }
            if let result = input.result {
                members.append(JSONValue.Member("result", .string(result.rawValue)))
            }
            return .object(members)
        }
        return JSONValue.object([
            JSONValue.Member("programme", programme.json(language: "en")),
            JSONValue.Member("motion", .string(motion.rawValue)),
            JSONValue.Member("role", .string(role.rawValue)),
            JSONValue.Member("inputs", .array(inputs)),
        ]).text
    }

    /// Returns the values that a player shows after each input. With `lookingOnlyAtTheEnd`, the
    /// inputs are the same but only the last look is evaluated.
    func play(
        _ programme: Programme, lookingOnlyAtTheEnd: Bool = false
    ) -> [(values: [Double], texts: [String?])] {
        let choreography = Choreography(programme)
        var player = IndicatorPlayer(
            choreography, role: role, motion: motion, state: .idle, at: 0)
        return inputs.map { input in
            if let state = input.state {
                player.show(state, pull: input.pull, result: input.result, at: input.time)
            }
            if !lookingOnlyAtTheEnd || input.time == inputs.last?.time {
                player.advance(to: input.time)
            }
            let texts = programme.layers.indices.map {
                choreography.text(ofLayerAt: $0, in: player.shown)
            }
            return (player.values, texts)
        }
    }
}
