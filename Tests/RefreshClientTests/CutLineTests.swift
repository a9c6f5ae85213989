import RefreshProtocol
import RefreshSession
import Testing
import Workbench

@testable import RefreshClient

/// One engine, two homes: what a client shows does not depend on its connection, but for loads.
struct CutLineTests {
    /// When the line is cut, and for how long, in milliseconds after the beginning of the gesture.
    struct Cut {
        var start: Double
        var end: Double
    }

    /// One to three cuts, each shorter than the time after which the daemon considers a silent
    /// gesture lost.
    static func cuts(_ seed: UInt64, within length: Double) -> [Cut] {
        var random = SeededGenerator(seed: seed)
        var cuts: [Cut] = []
        var time = 0.0
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let start = time + Double.random(in: 0...length, using: &random)
            let end = start + Double.random(in: 20...2000, using: &random)
            cuts.append(Cut(start: start, end: end))
            time = end
        }
        return cuts
    }

    /// A client whose list has its first page.
    static func begin(_ gesture: Gesture, seed: UInt64) -> ClientRun {
        let configuration = ClientConfiguration(
            client: "test", views: [ViewDescription(body: gesture.body)], refreshedViews: ["list"])
        var run = ClientRun(
            configuration, daemon: TestDaemon(), random: SeededGenerator(seed: seed &+ 1))
        run.connect()
        run.advance(to: 1010)
        run.answerLoad()
        run.advance(to: 3000)
        return run
    }

    /// Plays a gesture. Returns what was shown after each message, and every 50 ms.
    static func play(
        _ gesture: Gesture, in run: inout ClientRun, cuts: [Cut]
    ) -> [(time: Double, picture: ClientRun.Picture)] {
        enum Step {
            case cut, mend, look
            case send(JSONValue)
        }
        let start = run.now
        var steps = gesture.messages.map { ($0.time, Step.send($0.message)) }
        let length = max(gesture.messages.last?.time ?? 0, cuts.last?.end ?? 0) + 12_000
        steps += stride(from: 25, to: length, by: 50).map { ($0, .look) }
        for cut in cuts { steps += [(cut.start, .cut), (cut.end, .mend)] }
        var pictures: [(time: Double, picture: ClientRun.Picture)] = []
        for (time, step) in steps.enumerated().sorted(by: {
            ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
        }).map(\.element) {
            run.advance(to: start + time)
            switch step {
            case .cut: run.cut()
            case .mend: run.mend()
            case .send(let message): run.send(message)
            case .look: break
            }
            pictures.append((time, run.picture))
        }
        return pictures
    }

    /// The last pictures of each time in both runs.
    static func pairs(
        _ shown: [(time: Double, picture: ClientRun.Picture)],
        _ expected: [(time: Double, picture: ClientRun.Picture)]
    ) -> [(time: Double, shown: ClientRun.Picture, expected: ClientRun.Picture)] {
        let wanted = Dictionary(
            expected.map { ($0.time, $0.picture) }, uniquingKeysWith: { $1 })
        let last = Dictionary(shown.map { ($0.time, $0.picture) }, uniquingKeysWith: { $1 })
        return last.sorted { $0.key < $1.key }.compactMap { time, picture in
            wanted[time].map { (time, picture, $0) }
        }
    }

    @Test(
        "While its line is cut, a client shows what it shows with a connection, but for loads",
        arguments: Gesture.all)
    func showsTheSame(_ gesture: Gesture) {
        for seed in UInt64(0)..<20 {
            let cuts = Self.cuts(seed, within: gesture.messages.last?.time ?? 0)
            var whole = Self.begin(gesture, seed: seed)
            var cut = Self.begin(gesture, seed: seed)
            let expected = Self.play(gesture, in: &whole, cuts: [])
            let shown = Self.play(gesture, in: &cut, cuts: cuts)
            let back = (cut.returns.dropFirst().first ?? .infinity) - 3000
            for (time, picture, wanted) in Self.pairs(shown, expected) where wanted != picture {
                guard time < back else { break }
                Issue.record(
                    "seed \(seed), cuts \(cuts), \(time) ms: \(picture) instead of \(wanted)")
                break
            }
            #expect(cut.actedAloneAt != nil || cut.picture == whole.picture, "seed \(seed)")
            #expect(cut.status == .open, "seed \(seed)")
            #expect(cut.connectionCount > 1, "seed \(seed)")
            #expect(cut.picture == ClientRun.Picture(cut.machine.views[0].remote))
            #expect(
                cut.actedAloneAt != nil
                    || cut.daemon.loads.map(\.load) == whole.daemon.loads.map(\.load),
                "seed \(seed): the loads reach the daemon")
            #expect(cut.largestJump < 0.001, "seed \(seed): nothing jumps")
        }
    }
}
