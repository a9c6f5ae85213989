import NodeScript
import RefreshIndicator
import RefreshProtocol
import Testing
import Workbench

@Suite("The web client's evaluator", .ownThread)
struct WebClientTests {
    @Test("For random programmes the evaluator gives the same values as the daemon's evaluator")
    func agrees() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var programmes = RandomProgramme(seed: seed)
        var lines: [String] = []
        var shown: [(values: [Double], texts: [String?])] = []
        for index in 0..<300 {
            let programme = programmes.next()
            let showing = RandomShowing(seed: seed &+ UInt64(index))
            lines.append(showing.line(programme))
            shown += showing.play(programme)
        }
        let theirs = try NodeScript("evaluate.mjs").run(lines)
        try #require(theirs.count == shown.count)
        var differences = 0
        var first: String?
        for (index, (their, our)) in zip(theirs, shown).enumerated() {
            let numbers = their["values"]?.array?.map { $0.number ?? .nan } ?? []
            let texts = their["texts"]?.array?.map(\.string) ?? []
            let agree =
                numbers.count == our.values.count
                && zip(numbers, our.values).allSatisfy {
                    abs($0 - $1) <= 1e-6 * max(1, abs($1))
                }
            if agree, texts == our.texts { continue }
            differences += 1
            guard first == nil else { continue }
            first = """
                programme \(index / 61), input \(index % 61): \(lines[index / 61])
                theirs \(numbers) \(texts)
                ours \(our.values) \(our.texts)
                """
        }
        #expect(differences == 0, "of \(shown.count), seed \(seed): \(first ?? "")")
    }
}
