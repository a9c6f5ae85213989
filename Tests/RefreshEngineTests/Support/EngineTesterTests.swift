import RefreshEngine
import RefreshProtocol
import Testing

@Suite("EngineTester")
struct EngineTesterTests {
    @Test("A test fails if an effect is not asserted before the next event or the test's end")
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

    @Test("A test fails if a load is in flight at its end")
    func inFlight() {
        withKnownIssue {
            var tester = EngineTester()
            tester.send(.refreshRequested(cause: .code, animated: false))
            tester.skip()
        } matching: { issue in
            "\(issue)".contains("in flight")
        }
    }

    @Test("A test fails if an effect differs from the expected one or comes in another order")
    func wrong() {
        withKnownIssue {
            var tester = EngineTester()
            tester.drag(to: -60)
            tester.expect("top eligible 1", "top pulling 1", "selection")
        }
    }
}
