import RefreshEngine
import RefreshProtocol
import Testing

@Suite("The refresh edge, phase by phase")
struct RefreshPhaseTests {
    /// By hand, from docs/protocol.md, "States" and "Rules a client can rely on".
    private static let table = PhaseTable(
        """
        fact|disabled|idle|pulling .5|pulling 1|eligible|triggered A|refreshing A|refreshing
        pulled 0 showing|.|.|idle: show|idle: show|idle: show|.|.|.
        pulled .25 showing|.|pulling .25: show|pulling .25: show|pulling .25: show|pulling .25: disarm|.|.|.
        pulled .5 arming|.|pulling .5: show|.|pulling .5: show|pulling .5: disarm|.|.|.
        pulled .5 reaching|.|pulling .5: show|.|pulling .5: show|pulling .5: disarm|.|.|.
        pulled 1 showing|.|pulling 1: show|pulling 1: show|.|pulling 1: show|.|.|.
        pulled 1 arming|.|eligible: arm|eligible: arm|eligible: arm|.|.|.|.
        pulled 1 reaching|.|refreshing N: fire N|refreshing N: fire N|refreshing N: fire N|refreshing N: fire N|.|.|.
        released|.|.|.|.|refreshing N: fire N|.|.|.
        cancelled|.|.|.|.|pulling 1: show|.|.|.
        rested|.|.|idle: show|idle: show|idle: show|.|.|.
        asked|.|refreshing N: begin N|refreshing N: begin N|refreshing N: begin N|refreshing N: begin N|.|.|refreshing N: join N
        asked, waits|.|triggered N: ask N|triggered N: ask N|triggered N: ask N|triggered N: ask N|.|.|refreshing N: join N
        shown|.|refreshing: reveal|refreshing: reveal|refreshing: reveal|refreshing: reveal|refreshing A: reveal|.|.
        hidden|.|.|.|.|.|idle: finish A cancelled|idle: finish A cancelled|idle: finish - -
        A began|same: drop A|same: drop A|same: drop A|same: drop A|same: drop A|refreshing A: reveal|.|same: drop A
        A refused|same: drop A|same: drop A|same: drop A|same: drop A|same: drop A|idle: finish A refused|idle: finish A refused|same: drop A
        B began|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B
        B refused|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B
        A success|same: drop A|same: drop A|same: drop A|same: drop A|same: drop A|idle: finish A success|idle: finish A success|same: drop A
        A empty|same: drop A|same: drop A|same: drop A|same: drop A|same: drop A|idle: finish A empty|idle: finish A empty|same: drop A
        A noMore|same: drop A|same: drop A|same: drop A|same: drop A|same: drop A|idle: finish A noMore|idle: finish A noMore|same: drop A
        A failed|same: drop A|same: drop A|same: drop A|same: drop A|same: drop A|idle: finish A failed|idle: finish A failed|same: drop A
        A cancelled|same: drop A|same: drop A|same: drop A|same: drop A|same: drop A|idle: finish A cancelled|idle: finish A cancelled|same: drop A
        A timedOut|same: drop A|same: drop A|same: drop A|same: drop A|same: drop A|idle: finish A timedOut|idle: finish A timedOut|same: drop A
        B success|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B
        enabled|idle: show|.|.|.|.|.|.|.
        disabled|.|disabled: show|disabled: show|disabled: show|disabled: show|disabled: finish A cancelled|disabled: finish A cancelled|disabled: finish - -
        """)

    @Test("Every phase answers every fact as documented", arguments: RefreshPhase.samples.indices)
    func answers(column: Int) {
        let (name, phase) = RefreshPhase.samples[column]
        #expect(Self.table.phases[column] == name)
        for (row, sample) in zip(Self.table.rows, RefreshFact.samples) {
            #expect(row.fact == sample.name)
            let next = phase.handling(sample.fact)
            let place = next.phase == phase ? "same" : next.phase.name
            let cell =
                next.phase == phase && next.deed == .nothing ? "." : "\(place): \(next.deed.name)"
            #expect(cell == row.cells[column], "\(name), \(sample.name)")
        }
    }

    @Test("The table has a row for every fact and a cell for every phase")
    func isWhole() {
        #expect(Self.table.rows.count == RefreshFact.samples.count)
        #expect(Self.table.rows.allSatisfy { $0.cells.count == RefreshPhase.samples.count })
        #expect(Set(RefreshPhase.samples.map(\.phase.state)).count == 6)
        #expect(RefreshPhase.samples.allSatisfy { $0.phase.name == $0.name })
    }

    @Test("A pull that has not moved tells nothing")
    func stillPull() {
        let next = RefreshPhase.pulling(progress: 0.5).handling(
            .pulled(progress: 0.5, .arming))
        #expect(next.phase == .pulling(progress: 0.5))
        #expect(next.deed == .nothing)
    }

    @Test("A phase names its state, its load, its progress and whether it comes first")
    func names() {
        let loads = RefreshPhase.samples.map(\.phase.load)
        #expect(loads == [nil, nil, nil, nil, nil, .a, .a, nil])
        #expect(RefreshPhase.samples.map(\.phase.progress) == [0, 0, 0.5, 1, 1, 0, 0, 0])
        #expect(
            RefreshPhase.samples.map(\.phase.isActive)
                == [false, false, true, true, true, true, true, true])
    }
}
