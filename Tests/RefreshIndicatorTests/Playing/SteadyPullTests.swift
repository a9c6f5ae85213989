import RefreshIndicator
import RefreshProtocol
import Testing

/// Tests that a client receives the same frames for a steady pull with and without a full
/// evaluation. A pull is steady if only the pull can change the look (see `isSteady`).
@Suite struct SteadyPullTests {
    /// Writes frames as a session does. For a steady pull, it writes only the values that the pull
    /// moves. In all other cases, it evaluates the whole look.
    private struct FrameSender {
        private var sent: LastSentFrame
        private var isRestTold = false
        private(set) var steadyFrames = 0

        init(_ choreography: Choreography) { sent = LastSentFrame(choreography) }

        /// `wasSteady`: whether the pull was steady before the player advanced.
        mutating func send(
            _ player: IndicatorPlayer, wasSteady: Bool, behindMember: Bool
        ) -> [UInt8] {
            var out = ByteBuffer()
            if wasSteady, isRestTold {
                let isBehind = sent.hasUnsentPull(player.choreography, pulledTo: player.pull)
                sent.write(
                    player.choreography, pulledTo: player.pull, behindMember: behindMember,
                    to: &out)
                #expect(isBehind == (out.count > 0))
                if isBehind { steadyFrames += 1 }
            } else {
                if sent.record(player) {
                    sent.writeChanges(of: player, behindMember: behindMember, to: &out)
                }
                isRestTold = player.isSteady
            }
            return out.bytes
        }
    }

    @Test("For every built-in indicator, both kinds of evaluation give the same frames")
    func builtIn() throws {
        for indicator in BuiltInIndicator.allCases {
            var random = SeededGenerator("steady \(indicator.rawValue)", seed: 20_260_401)
            #expect(compare(indicator.programme, &random) > 50, "\(indicator.rawValue)")
        }
    }

    @Test("For random programmes, both kinds of evaluation give the same frames")
    func generated() throws {
        let seed: UInt64 = 20_260_402
        var programmes = RandomProgramme(seed: seed)
        var random = SeededGenerator("steady programmes", seed: seed)
        var steadyFrames = 0
        for _ in 0..<60 { steadyFrames += compare(programmes.next(), &random) }
        #expect(steadyFrames > 500)
    }

    /// Plays a long pull that other states interrupt. Returns the number of frames that were
    /// written from the moved values alone.
    private func compare(_ programme: Programme, _ random: inout SeededGenerator) -> Int {
        let choreography = Choreography(programme)
        var player = IndicatorPlayer(
            choreography, role: .refresh, motion: random.chance(90) ? .full : .reduced,
            state: .idle, at: 0)
        var sender = FrameSender(choreography)
        var whole = LastSentFrame(choreography)
        var time = 0.0
        var state = EdgeState.pulling
        for _ in 0..<200 {
            time += random.chance(10) ? 700 : 16
            if random.chance(4) {
                state = EdgeState.allCases[random.below(EdgeState.allCases.count)]
            } else if random.chance(30) {
                state = .pulling
            }
            player.show(
                state, pull: Double(random.below(20_000)) / 9_000,
                result: random.chance(3) ? .success : nil, at: time)
            let wasSteady = player.isSteady
            player.advance(to: time)
            let behindMember = random.chance(50)
            var expected = ByteBuffer()
            if whole.record(player) {
                whole.writeChanges(of: player, behindMember: behindMember, to: &expected)
            }
            let sent = sender.send(player, wasSteady: wasSteady, behindMember: behindMember)
            #expect(
                String(decoding: sent, as: UTF8.self)
                    == String(decoding: expected.bytes, as: UTF8.self))
        }
        return sender.steadyFrames
    }
}
