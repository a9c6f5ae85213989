import RefreshProtocol
import Testing

@testable import RefreshEngine

/// Sizes and options that change while the engine moves the list.
@Suite("Pan while the range changes")
struct PanRangeTests {
    @Test("An inset that changes under a finger beyond the edge moves nothing, then or later")
    func insetUnderFinger() {
        var tester = EngineTester(.iq(), .sizes(top: 88))
        tester.pan(.began, 0)
        tester.pan(.dragging, 100)
        tester.skip()
        let shown = tester.engine.offset
        tester.change(top: 20)
        tester.skip()
        #expect(tester.engine.offset == shown)
        tester.pan(.dragging, 100)
        #expect(abs(tester.engine.offset - shown) < 1e-9)
        tester.skip()
        tester.pan(.dragging, 101)
        #expect(abs(tester.engine.offset - shown) < 1)
        tester.skip()
        tester.pan(.ended, 101)
        tester.skip()
        tester.passDeadline()
        #expect(tester.engine.offset == -20)
    }
}
