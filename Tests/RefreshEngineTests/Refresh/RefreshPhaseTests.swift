import RefreshEngine
import RefreshProtocol
import Testing

@Suite("The refresh edge, phase by phase")
struct RefreshPhaseTests {
    /// The phases without a load.
    private static let open = """
        fact                    | disabled | idle                  | pulling .5            | pulling 1             | eligible
        pulled 0 showing        | .        | .                     | idle: show            | idle: show            | idle: show
        pulled .25 showing      | .        | pulling .25: show     | pulling .25: show     | pulling .25: show     | pulling .25: disarm
        pulled .5 arming        | .        | pulling .5: show      | .                     | pulling .5: show      | pulling .5: disarm
        pulled .5 reaching      | .        | pulling .5: show      | .                     | pulling .5: show      | pulling .5: disarm
        pulled 1 showing        | .        | pulling 1: show       | pulling 1: show       | .                     | pulling 1: show
        pulled 1 arming         | .        | eligible: arm         | eligible: arm         | eligible: arm         | .
        pulled 1 reaching       | .        | refreshing N: fire N  | refreshing N: fire N  | refreshing N: fire N  | refreshing N: fire N
        pulled 1 reaching later | .        | waiting: queue        | waiting: queue        | waiting: queue        | waiting: queue
        pulled 1 reaching never | .        | pulling 1: show       | pulling 1: show       | .                     | pulling 1: show
        released                | .        | .                     | .                     | .                     | refreshing N: fire N
        released later          | .        | .                     | .                     | .                     | waiting: queue
        released never          | .        | .                     | .                     | .                     | pulling 1: show
        cancelled               | .        | .                     | .                     | .                     | pulling 1: show
        rested                  | .        | .                     | idle: show            | idle: show            | idle: show
        touched                 | .        | .                     | .                     | .                     | .
        requested               | .        | refreshing N: begin N | refreshing N: begin N | refreshing N: begin N | refreshing N: begin N
        requested, waits        | .        | triggered N: ask N    | triggered N: ask N    | triggered N: ask N    | triggered N: ask N
        requested later         | .        | waiting: show         | waiting: show         | waiting: show         | waiting: show
        requested never         | .        | .                     | .                     | .                     | .
        resumed                 | .        | .                     | .                     | .                     | .
        resumed, waits          | .        | .                     | .                     | .                     | .
        superseded              | .        | .                     | .                     | .                     | .
        shown                   | .        | refreshing: reveal    | refreshing: reveal    | refreshing: reveal    | refreshing: reveal
        hidden                  | .        | .                     | .                     | .                     | .
        hidden, finish          | .        | .                     | .                     | .                     | .
        A began                 | drop A   | drop A                | drop A                | drop A                | drop A
        A refused               | drop A   | drop A                | drop A                | drop A                | drop A
        A refused, finish       | drop A   | drop A                | drop A                | drop A                | drop A
        B began                 | drop B   | drop B                | drop B                | drop B                | drop B
        B refused               | drop B   | drop B                | drop B                | drop B                | drop B
        A success               | drop A   | drop A                | drop A                | drop A                | drop A
        A empty                 | drop A   | drop A                | drop A                | drop A                | drop A
        A noMore                | drop A   | drop A                | drop A                | drop A                | drop A
        A failed                | drop A   | drop A                | drop A                | drop A                | drop A
        A cancelled             | drop A   | drop A                | drop A                | drop A                | drop A
        A timedOut              | drop A   | drop A                | drop A                | drop A                | drop A
        A success, linger       | drop A   | drop A                | drop A                | drop A                | drop A
        A success, hold         | drop A   | drop A                | drop A                | drop A                | drop A
        A failed, hold          | drop A   | drop A                | drop A                | drop A                | drop A
        A success, finish       | drop A   | drop A                | drop A                | drop A                | drop A
        B success               | drop B   | drop B                | drop B                | drop B                | drop B
        time up, linger         | .        | .                     | .                     | .                     | .
        time up, hold           | .        | .                     | .                     | .                     | .
        time up, finish         | .        | .                     | .                     | .                     | .
        time up, rest           | .        | .                     | .                     | .                     | .
        enabled                 | idle: show | .                   | .                     | .                     | .
        disabled                | .        | disabled: show        | disabled: show        | disabled: show        | disabled: show
        """

    /// The phases with a running or waiting load, or with an indicator without a load.
    private static let running = """
        fact                    | waiting               | triggered A                  | refreshing A                  | refreshing
        pulled 0 showing        | .                     | .                            | .                             | .
        pulled .25 showing      | .                     | .                            | .                             | .
        pulled .5 arming        | .                     | .                            | .                             | .
        pulled .5 reaching      | .                     | .                            | .                             | .
        pulled 1 showing        | .                     | .                            | .                             | .
        pulled 1 arming         | .                     | .                            | .                             | .
        pulled 1 reaching       | .                     | .                            | .                             | .
        pulled 1 reaching later | .                     | .                            | .                             | .
        pulled 1 reaching never | .                     | .                            | .                             | .
        released                | .                     | .                            | .                             | .
        released later          | .                     | .                            | .                             | .
        released never          | .                     | .                            | .                             | .
        cancelled               | .                     | .                            | .                             | .
        rested                  | .                     | .                            | .                             | .
        touched                 | .                     | .                            | .                             | .
        requested               | refreshing N: begin N | .                            | .                             | refreshing N: join N
        requested, waits        | triggered N: ask N    | .                            | .                             | refreshing N: join N
        requested later         | .                     | .                            | .                             | waiting: close
        requested never         | .                     | .                            | .                             | .
        resumed                 | refreshing N: begin N | .                            | .                             | refreshing N: join N
        resumed, waits          | triggered N: ask N    | .                            | .                             | refreshing N: join N
        superseded              | .                     | triggered N: replace A       | refreshing N: replace A       | .
        shown                   | .                     | refreshing A: reveal         | .                             | .
        hidden                  | idle: show            | idle: finish A cancelled     | idle: finish A cancelled      | idle: finish - -
        hidden, finish          | idle: show            | idle: finish A cancelled     | finishing: finish A cancelled | finishing: finish - -
        A began                 | drop A                | refreshing A: reveal         | .                             | drop A
        A refused               | drop A                | idle: finish A refused       | idle: finish A refused        | drop A
        A refused, finish       | drop A                | idle: finish A refused       | finishing: finish A refused   | drop A
        B began                 | drop B                | drop B                       | drop B                        | drop B
        B refused               | drop B                | drop B                       | drop B                        | drop B
        A success               | drop A                | idle: finish A success       | idle: finish A success        | drop A
        A empty                 | drop A                | idle: finish A empty         | idle: finish A empty          | drop A
        A noMore                | drop A                | idle: finish A noMore        | idle: finish A noMore         | drop A
        A failed                | drop A                | idle: finish A failed        | idle: finish A failed         | drop A
        A cancelled             | drop A                | idle: finish A cancelled     | idle: finish A cancelled      | drop A
        A timedOut              | drop A                | idle: finish A timedOut      | idle: finish A timedOut       | drop A
        A success, linger       | drop A                | idle: finish A success       | lingering ok: conclude A success | drop A
        A success, hold         | drop A                | idle: finish A success       | held ok: conclude A success   | drop A
        A failed, hold          | drop A                | idle: finish A failed        | held failed: conclude A failed | drop A
        A success, finish       | drop A                | idle: finish A success       | finishing: finish A success   | drop A
        B success               | drop B                | drop B                       | drop B                        | drop B
        time up, linger         | .                     | .                            | .                             | .
        time up, hold           | .                     | .                            | .                             | .
        time up, finish         | .                     | .                            | .                             | .
        time up, rest           | .                     | .                            | .                             | .
        enabled                 | .                     | .                            | .                             | .
        disabled                | disabled: show        | disabled: finish A cancelled | disabled: finish A cancelled  | disabled: finish - -
        """

    /// The phases after the load, while the refresh is still visible.
    private static let over = """
        fact                    | lingering ok         | lingering failed     | held ok              | held failed          | finishing
        pulled 0 showing        | .                    | .                    | .                    | .                    | .
        pulled .25 showing      | .                    | .                    | .                    | .                    | .
        pulled .5 arming        | .                    | .                    | .                    | .                    | .
        pulled .5 reaching      | .                    | .                    | .                    | .                    | .
        pulled 1 showing        | .                    | .                    | .                    | .                    | .
        pulled 1 arming         | .                    | .                    | .                    | .                    | .
        pulled 1 reaching       | .                    | .                    | .                    | .                    | .
        pulled 1 reaching later | .                    | .                    | .                    | .                    | .
        pulled 1 reaching never | .                    | .                    | .                    | .                    | .
        released                | .                    | .                    | .                    | .                    | .
        released later          | .                    | .                    | .                    | .                    | .
        released never          | .                    | .                    | .                    | .                    | .
        cancelled               | .                    | .                    | .                    | .                    | .
        rested                  | .                    | .                    | .                    | .                    | .
        touched                 | idle: close          | idle: close          | idle: close          | idle: close          | idle: show
        requested               | refreshing N: join N | refreshing N: join N | refreshing N: join N | refreshing N: join N | refreshing N: begin N
        requested, waits        | refreshing N: join N | refreshing N: join N | refreshing N: join N | refreshing N: join N | triggered N: ask N
        requested later         | waiting: close       | waiting: close       | waiting: close       | waiting: close       | waiting: show
        requested never         | .                    | .                    | .                    | .                    | .
        resumed                 | refreshing N: join N | refreshing N: join N | refreshing N: join N | refreshing N: join N | .
        resumed, waits          | refreshing N: join N | refreshing N: join N | refreshing N: join N | refreshing N: join N | .
        superseded              | .                    | .                    | .                    | .                    | .
        shown                   | refreshing: reveal   | refreshing: reveal   | refreshing: reveal   | refreshing: reveal   | refreshing: reveal
        hidden                  | idle: close          | idle: close          | idle: close          | idle: close          | .
        hidden, finish          | finishing: close     | finishing: close     | finishing: close     | finishing: close     | .
        A began                 | drop A               | drop A               | drop A               | drop A               | drop A
        A refused               | drop A               | drop A               | drop A               | drop A               | drop A
        A refused, finish       | drop A               | drop A               | drop A               | drop A               | drop A
        B began                 | drop B               | drop B               | drop B               | drop B               | drop B
        B refused               | drop B               | drop B               | drop B               | drop B               | drop B
        A success               | drop A               | drop A               | drop A               | drop A               | drop A
        A empty                 | drop A               | drop A               | drop A               | drop A               | drop A
        A noMore                | drop A               | drop A               | drop A               | drop A               | drop A
        A failed                | drop A               | drop A               | drop A               | drop A               | drop A
        A cancelled             | drop A               | drop A               | drop A               | drop A               | drop A
        A timedOut              | drop A               | drop A               | drop A               | drop A               | drop A
        A success, linger       | drop A               | drop A               | drop A               | drop A               | drop A
        A success, hold         | drop A               | drop A               | drop A               | drop A               | drop A
        A failed, hold          | drop A               | drop A               | drop A               | drop A               | drop A
        A success, finish       | drop A               | drop A               | drop A               | drop A               | drop A
        B success               | drop B               | drop B               | drop B               | drop B               | drop B
        time up, linger         | .                    | .                    | .                    | .                    | idle: show
        time up, hold           | held ok: show        | held failed: show    | .                    | .                    | idle: show
        time up, finish         | finishing: close     | finishing: close     | finishing: close     | finishing: close     | idle: show
        time up, rest           | idle: close          | idle: close          | idle: close          | idle: close          | idle: show
        enabled                 | .                    | .                    | .                    | .                    | .
        disabled                | disabled: close      | disabled: close      | disabled: close      | disabled: close      | disabled: show
        """

    /// This table was written by hand. Its sources are the comments of the phases and
    /// docs/protocol.md, "States".
    private static let table = PhaseTable(open, running, over)

    @Test("In every phase, every fact has the documented effect", arguments: RefreshPhase.samples)
    func answers(sample: (name: String, phase: RefreshPhase)) {
        for (name, fact) in RefreshFact.samples {
            let next = sample.phase.transition(for: fact)
            let answer = answer(
                next.phase == sample.phase ? nil : next.phase.name, next.action.name)
            #expect(answer == Self.table[name, sample.name], "\(sample.name), \(name)")
        }
    }

    @Test("The tables have a row for every fact and a column for every phase")
    func isComplete() {
        #expect(Self.table.flaws == [])
        #expect(Self.table.phases == RefreshPhase.samples.map(\.name))
        #expect(Self.table.facts == RefreshFact.samples.map(\.name))
        #expect(Set(RefreshPhase.samples.map(\.phase.state)).count == 9)
        #expect(RefreshPhase.samples.allSatisfy { $0.phase.name == $0.name })
    }

    @Test("Each phase has the documented state, load, progress and visibility")
    func names() {
        let samples = RefreshPhase.samples.map(\.phase)
        #expect(samples.compactMap(\.load) == [.a, .a])
        #expect(samples.filter { $0.load != nil } == [.triggered(.a), .refreshing(.a)])
        #expect(samples.map(\.progress).filter { $0 > 0 } == [0.5, 1, 1])
        #expect(
            samples.filter { !$0.isActive } == [
                .disabled, .idle, .held(.success), .held(.failed), .finishing,
            ])
        #expect(
            samples.filter(\.isShown) == [
                .refreshing(.a), .refreshing(nil), .lingering(.success), .lingering(.failed),
                .held(.success), .held(.failed),
            ])
    }
}

/// A cell of a phase table; `target` is nil if the phase stays.
func answer(_ target: String?, _ action: String) -> String {
    guard let target else { return action == "nothing" ? "." : action }
    return "\(target): \(action)"
}
