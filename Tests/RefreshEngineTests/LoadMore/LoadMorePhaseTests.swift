import RefreshEngine
import RefreshProtocol
import Testing

@Suite("The load-more edge, phase by phase")
struct LoadMorePhaseTests {
    /// The phases without a load or a result.
    private static let open = """
        fact                        | disabled     | idle                 | approaching .5       | approaching 1        | eligible
        approached 0 showing        | .            | .                    | idle: show           | idle: show           | idle: show
        approached .25 showing      | .            | approaching .25: show | approaching .25: show | approaching .25: show | approaching .25: disarm
        approached .5 arming        | .            | approaching .5: show | .                    | approaching .5: show | approaching .5: disarm
        approached .5 reaching      | .            | approaching .5: show | .                    | approaching .5: show | approaching .5: disarm
        approached 1 showing        | .            | approaching 1: show  | approaching 1: show  | .                    | approaching 1: show
        approached 1 arming         | .            | eligible: arm        | eligible: arm        | eligible: arm        | .
        approached 1 reaching       | .            | loading N: fire N    | loading N: fire N    | loading N: fire N    | loading N: fire N
        approached 1 reaching later | .            | waiting: queue       | waiting: queue       | waiting: queue       | waiting: queue
        approached 1 reaching never | .            | approaching 1: show  | approaching 1: show  | .                    | approaching 1: show
        released                    | .            | .                    | .                    | .                    | loading N: fire N
        released later              | .            | .                    | .                    | .                    | waiting: queue
        released never              | .            | .                    | .                    | .                    | approaching 1: show
        cancelled                   | .            | .                    | .                    | .                    | approaching 1: show
        rested                      | .            | .                    | idle: show           | idle: show           | idle: show
        requested                   | .            | loading N: begin N   | loading N: begin N   | loading N: begin N   | loading N: begin N
        requested, waits            | .            | triggered N: ask N   | triggered N: ask N   | triggered N: ask N   | triggered N: ask N
        requested later             | .            | waiting: show        | waiting: show        | waiting: show        | waiting: show
        requested never             | .            | .                    | .                    | .                    | .
        resumed                     | .            | .                    | .                    | .                    | .
        resumed, waits              | .            | .                    | .                    | .                    | .
        rearmed                     | .            | .                    | .                    | .                    | .
        A began                     | drop A       | drop A               | drop A               | drop A               | drop A
        B began                     | drop B       | drop B               | drop B               | drop B               | drop B
        A refused                   | drop A       | drop A               | drop A               | drop A               | drop A
        B refused                   | drop B       | drop B               | drop B               | drop B               | drop B
        A success, more             | drop A       | drop A               | drop A               | drop A               | drop A
        A success, all              | drop A       | drop A               | drop A               | drop A               | drop A
        A empty, more               | drop A       | drop A               | drop A               | drop A               | drop A
        A noMore, all               | drop A       | drop A               | drop A               | drop A               | drop A
        A failed                    | drop A       | drop A               | drop A               | drop A               | drop A
        A cancelled                 | drop A       | drop A               | drop A               | drop A               | drop A
        A timedOut                  | drop A       | drop A               | drop A               | drop A               | drop A
        B success                   | drop B       | drop B               | drop B               | drop B               | drop B
        renewed, more               | .            | .                    | .                    | .                    | .
        renewed, all                | .            | noMore: show         | noMore: show         | noMore: show         | noMore: show
        abandoned                   | .            | .                    | .                    | .                    | .
        enabled, more               | idle: show   | .                    | .                    | .                    | .
        enabled, all                | noMore: show | .                    | .                    | .                    | .
        disabled                    | .            | disabled: show       | disabled: show       | disabled: show       | disabled: show
        """

    /// The phases with a running or waiting load, and those after a failure or the last page.
    private static let asked = """
        fact                        | waiting            | triggered A                  | loading A                    | failed             | noMore
        approached 0 showing        | .                  | .                            | .                            | idle: show         | .
        approached .25 showing      | .                  | .                            | .                            | .                  | .
        approached .5 arming        | .                  | .                            | .                            | .                  | .
        approached .5 reaching      | .                  | .                            | .                            | .                  | .
        approached 1 showing        | .                  | .                            | .                            | .                  | .
        approached 1 arming         | .                  | .                            | .                            | .                  | .
        approached 1 reaching       | .                  | .                            | .                            | .                  | .
        approached 1 reaching later | .                  | .                            | .                            | .                  | .
        approached 1 reaching never | .                  | .                            | .                            | .                  | .
        released                    | .                  | .                            | .                            | .                  | .
        released later              | .                  | .                            | .                            | .                  | .
        released never              | .                  | .                            | .                            | .                  | .
        cancelled                   | .                  | .                            | .                            | .                  | .
        rested                      | .                  | .                            | .                            | .                  | .
        requested                   | loading N: begin N | .                            | .                            | loading N: begin N | .
        requested, waits            | triggered N: ask N | .                            | .                            | triggered N: ask N | .
        requested later             | .                  | .                            | .                            | waiting: show      | .
        requested never             | .                  | .                            | .                            | .                  | .
        resumed                     | loading N: begin N | .                            | .                            | .                  | .
        resumed, waits              | triggered N: ask N | .                            | .                            | .                  | .
        rearmed                     | .                  | .                            | .                            | idle: show         | .
        A began                     | drop A             | loading A: reveal            | .                            | drop A             | drop A
        B began                     | drop B             | drop B                       | drop B                       | drop B             | drop B
        A refused                   | drop A             | idle: finish A refused       | idle: finish A refused       | drop A             | drop A
        B refused                   | drop B             | drop B                       | drop B                       | drop B             | drop B
        A success, more             | drop A             | idle: finish A success       | idle: finish A success       | drop A             | drop A
        A success, all              | drop A             | noMore: finish A success     | noMore: finish A success     | drop A             | drop A
        A empty, more               | drop A             | idle: finish A empty         | idle: finish A empty         | drop A             | drop A
        A noMore, all               | drop A             | noMore: finish A noMore      | noMore: finish A noMore      | drop A             | drop A
        A failed                    | drop A             | failed: finish A failed      | failed: finish A failed      | drop A             | drop A
        A cancelled                 | drop A             | idle: finish A cancelled     | idle: finish A cancelled     | drop A             | drop A
        A timedOut                  | drop A             | failed: finish A timedOut    | failed: finish A timedOut    | drop A             | drop A
        B success                   | drop B             | drop B                       | drop B                       | drop B             | drop B
        renewed, more               | .                  | .                            | .                            | idle: show         | idle: show
        renewed, all                | noMore: show       | .                            | .                            | noMore: show       | .
        abandoned                   | idle: show         | idle: finish A cancelled     | idle: finish A cancelled     | .                  | .
        enabled, more               | .                  | .                            | .                            | .                  | .
        enabled, all                | .                  | .                            | .                            | .                  | .
        disabled                    | disabled: show     | disabled: finish A cancelled | disabled: finish A cancelled | disabled: show     | disabled: show
        """

    /// This table was written by hand. Its sources are the comments of the phases and
    /// docs/protocol.md, "States".
    private static let table = PhaseTable(open, asked)

    @Test("In every phase, every fact has the documented effect", arguments: LoadMorePhase.samples)
    func answers(sample: (name: String, phase: LoadMorePhase)) {
        for (name, fact) in LoadMoreFact.samples {
            let next = sample.phase.transition(for: fact)
            let answer = answer(
                next.phase == sample.phase ? nil : next.phase.name, next.action.name)
            #expect(answer == Self.table[name, sample.name], "\(sample.name), \(name)")
        }
    }

    @Test("The tables have a row for every fact and a column for every phase")
    func isComplete() {
        #expect(Self.table.flaws == [])
        #expect(Self.table.phases == LoadMorePhase.samples.map(\.name))
        #expect(Self.table.facts == LoadMoreFact.samples.map(\.name))
        #expect(Set(LoadMorePhase.samples.map(\.phase.state)).count == 8)
        #expect(LoadMorePhase.samples.allSatisfy { $0.phase.name == $0.name })
    }

    @Test("Each phase has the documented load and progress")
    func names() {
        let samples = LoadMorePhase.samples.map(\.phase)
        #expect(samples.filter { $0.load != nil } == [.triggered(.a), .loading(.a)])
        #expect(samples.map(\.progress).filter { $0 > 0 } == [0.5, 1, 1])
    }
}
