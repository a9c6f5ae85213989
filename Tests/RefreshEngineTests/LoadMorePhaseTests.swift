import RefreshEngine
import RefreshProtocol
import Testing

@Suite("The load-more edge, phase by phase")
struct LoadMorePhaseTests {
    /// By hand, from docs/protocol.md, "States" and "Rules a client can rely on".
    private static let table = PhaseTable(
        """
        fact|disabled|idle|approaching .5|approaching 1|eligible|loading A|failed|noMore
        neared 0 showing|.|.|idle: show|idle: show|idle: show|.|idle: show|.
        neared .25 showing|.|approaching .25: show|approaching .25: show|approaching .25: show|approaching .25: disarm|.|.|.
        neared .5 arming|.|approaching .5: show|.|approaching .5: show|approaching .5: disarm|.|.|.
        neared .5 reaching|.|approaching .5: show|.|approaching .5: show|approaching .5: disarm|.|.|.
        neared 1 showing|.|approaching 1: show|approaching 1: show|.|approaching 1: show|.|.|.
        neared 1 arming|.|eligible: arm|eligible: arm|eligible: arm|.|.|.|.
        neared 1 reaching|.|loading N: fire N|loading N: fire N|loading N: fire N|loading N: fire N|.|.|.
        released|.|.|.|.|loading N: fire N|.|.|.
        cancelled|.|.|.|.|approaching 1: show|.|.|.
        rested|.|.|idle: show|idle: show|idle: show|.|.|.
        asked|.|loading N: begin N|loading N: begin N|loading N: begin N|loading N: begin N|.|loading N: begin N|.
        A refused|same: drop A|same: drop A|same: drop A|same: drop A|same: drop A|idle: finish A refused|same: drop A|same: drop A
        B refused|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B
        A success, more|same: drop A|same: drop A|same: drop A|same: drop A|same: drop A|idle: finish A success|same: drop A|same: drop A
        A success, all|same: drop A|same: drop A|same: drop A|same: drop A|same: drop A|noMore: finish A success|same: drop A|same: drop A
        A empty, more|same: drop A|same: drop A|same: drop A|same: drop A|same: drop A|idle: finish A empty|same: drop A|same: drop A
        A noMore, all|same: drop A|same: drop A|same: drop A|same: drop A|same: drop A|noMore: finish A noMore|same: drop A|same: drop A
        A failed|same: drop A|same: drop A|same: drop A|same: drop A|same: drop A|failed: finish A failed|same: drop A|same: drop A
        A cancelled|same: drop A|same: drop A|same: drop A|same: drop A|same: drop A|idle: finish A cancelled|same: drop A|same: drop A
        A timedOut|same: drop A|same: drop A|same: drop A|same: drop A|same: drop A|failed: finish A timedOut|same: drop A|same: drop A
        B success|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B|same: drop B
        renewed, more|.|.|.|.|.|.|idle: show|idle: show
        renewed, all|.|noMore: show|noMore: show|noMore: show|noMore: show|.|noMore: show|.
        abandoned|.|.|.|.|.|idle: finish A cancelled|.|.
        enabled, more|idle: show|.|.|.|.|.|.|.
        enabled, all|noMore: show|.|.|.|.|.|.|.
        disabled|.|disabled: show|disabled: show|disabled: show|disabled: show|disabled: finish A cancelled|disabled: show|disabled: show
        """)

    @Test("Every phase answers every fact as documented", arguments: LoadMorePhase.samples.indices)
    func answers(column: Int) {
        let (name, phase) = LoadMorePhase.samples[column]
        #expect(Self.table.phases[column] == name)
        for (row, sample) in zip(Self.table.rows, LoadMoreFact.samples) {
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
        #expect(Self.table.rows.count == LoadMoreFact.samples.count)
        #expect(Self.table.rows.allSatisfy { $0.cells.count == LoadMorePhase.samples.count })
        #expect(Set(LoadMorePhase.samples.map(\.phase.state)).count == 7)
        #expect(LoadMorePhase.samples.allSatisfy { $0.phase.name == $0.name })
    }

    @Test("A phase names its load and its progress")
    func names() {
        let loads = LoadMorePhase.samples.map(\.phase.load)
        #expect(loads == [nil, nil, nil, nil, nil, .a, nil, nil])
        #expect(LoadMorePhase.samples.map(\.phase.progress) == [0, 0, 0.5, 1, 1, 0, 0, 0])
    }
}
