import RefreshEngine
import RefreshProtocol
import Testing

@Suite("The tester itself")
struct EngineTesterTests {
    @Test("An effect that was not asserted before the next event, or at the end, fails")
    func unasserted() {
        withKnownIssue {
            var tester = EngineTester()
            tester.drag(to: -30)
            tester.scroll(.dragging, -31)
            tester.skip()
        } matching: { issue in
            "\(issue)".contains("top pulling 0.5")
        }
        withKnownIssue {
            var tester = EngineTester()
            tester.drag(to: -30)
        } matching: { issue in
            "\(issue)".contains("never asserted")
        }
    }

    @Test("A load that is in flight at the end fails")
    func inFlight() {
        withKnownIssue {
            var tester = EngineTester()
            tester.send(.refreshRequested(cause: .code, animated: false))
            tester.skip()
        } matching: { issue in
            "\(issue)".contains("in flight")
        }
    }

    @Test("A wrong effect, or one in the wrong order, fails")
    func wrong() {
        withKnownIssue {
            var tester = EngineTester()
            tester.drag(to: -60)
            tester.expect("top eligible 1", "top pulling 1", "selection")
        }
    }
}
