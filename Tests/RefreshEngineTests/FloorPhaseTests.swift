import RefreshEngine
import RefreshProtocol
import Testing

@Suite("The second floor, phase by phase")
struct FloorPhaseTests {
    /// This table was written by hand. Its sources are the comments of the phases and
    /// docs/protocol.md, "States".
    private static let table = PhaseTable(
        """
        fact             | closed            | pulling .5        | pulling 1         | eligible            | opening        | open           | closing
        pulled 0         | .                 | closed: show      | closed: show      | closed: show        | .              | .              | .
        pulled 0, arms   | .                 | closed: show      | closed: show      | closed: show        | .              | .              | .
        pulled .25       | pulling .25: show | pulling .25: show | pulling .25: show | pulling .25: disarm | .              | .              | .
        pulled .25, arms | pulling .25: show | pulling .25: show | pulling .25: show | pulling .25: disarm | .              | .              | .
        pulled .5, arms  | pulling .5: show  | .                 | pulling .5: show  | pulling .5: disarm  | .              | .              | .
        pulled 1         | pulling 1: show   | pulling 1: show   | .                 | pulling 1: show     | .              | .              | .
        pulled 1, arms   | eligible: arm     | eligible: arm     | eligible: arm     | .                   | .              | .              | .
        released         | .                 | .                 | .                 | opening: open       | .              | .              | .
        released, fast   | opening: open     | opening: open     | opening: open     | opening: open       | .              | .              | .
        cancelled        | .                 | .                 | .                 | pulling 1: show     | .              | .              | .
        rested           | .                 | closed: show      | closed: show      | closed: show        | .              | .              | .
        open requested   | opening: open     | opening: open     | opening: open     | opening: open       | .              | .              | opening: open
        close requested  | .                 | .                 | .                 | .                   | closing: close | closing: close | .
        arrived          | .                 | .                 | .                 | .                   | open: show     | .              | closed: show
        removed          | .                 | closed: show      | closed: show      | closed: show        | closed: remove | closed: remove | closed: remove
        """)

    @Test("In every phase, every fact has the documented effect", arguments: FloorPhase.samples)
    func answers(sample: (name: String, phase: FloorPhase)) {
        for (name, fact) in FloorFact.samples {
            let next = sample.phase.transition(for: fact)
            let answer = answer(
                next.phase == sample.phase ? nil : next.phase.name, "\(next.action)")
            #expect(answer == Self.table[name, sample.name], "\(sample.name), \(name)")
        }
    }

    @Test("The table has a row for every fact and a column for every phase")
    func isComplete() {
        #expect(Self.table.flaws == [])
        #expect(Self.table.phases == FloorPhase.samples.map(\.name))
        #expect(Self.table.facts == FloorFact.samples.map(\.name))
        #expect(Set(FloorPhase.samples.map(\.phase.state)) == Set(FloorState.allCases))
        #expect(FloorPhase.samples.allSatisfy { $0.phase.name == $0.name })
    }

    @Test("`ownsList` is true in `opening`, `open` and `closing`, and only a pull has progress")
    func names() {
        let samples = FloorPhase.samples.map(\.phase)
        #expect(samples.filter(\.ownsList) == [.opening, .open, .closing])
        #expect(samples.map(\.progress) == [0, 0.5, 1, 1, 0, 0, 0])
    }
}

@Suite("Phase tables")
struct PhaseTableTests {
    @Test("A row of a wrong length and tables with different facts are reported as flaws")
    func flaws() {
        #expect(PhaseTable("").flaws == ["no table"])
        let short = PhaseTable("fact|a|b\nx|.\n|||||\ny|.|go: show")
        #expect(short.flaws.count == 2)
        #expect(short["x", "a"] == nil)
        #expect(short["y", "b"] == "go: show")
        #expect(PhaseTable("fact|a\nx|.", "fact|b\ny|.").flaws.count == 1)
    }
}
