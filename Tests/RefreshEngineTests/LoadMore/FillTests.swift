import RefreshEngine
import RefreshProtocol
import Testing

/// Content that becomes too short for the viewport. Source: docs/protocol.md, "Content".
@Suite("Content that becomes too short")
struct FillTests {
    @Test("If deleted rows leave the content short, the next page is requested once")
    func deletedRows() {
        var tester = EngineTester(.iq(), .sizes(content: 0))
        tester.loadFirstPage()
        tester.change(content: 1000)
        tester.change(content: 300)
        tester.expect(
            "bottom loading by fill", "inset bottom 60 in 100",
            "load 1.2 more reachAtEnd by fill, page 2 offset 10 size 10")
        tester.finish(2, .failed)
        tester.skip()
        tester.change(content: 200)
        tester.expect(top: .idle, bottom: .failed)
        tester.send(.retryRequested(nil))
        tester.skip()
        tester.finish(3, .success, count: 10)
        tester.skip()
        tester.change(content: 1200)
        tester.expectNothing()
    }

    @Test("Each time deleted rows leave the content short, a page is requested")
    func deletedAgain() {
        var tester = EngineTester(.iq(), .sizes(content: 0))
        tester.loadFirstPage()
        tester.change(content: 1000)
        for load in UInt32(2)...12 {
            tester.skip()
            tester.change(content: 300)
            tester.expect(
                "bottom loading by fill", "inset bottom 60 in 100",
                "load 1.\(load) more reachAtEnd by fill, page \(load) offset \((load - 1) * 10) size 10"
            )
            tester.finish(load, .success, count: 10)
            tester.skip()
            tester.change(content: 1000)
        }
    }

    @Test("If all rows are deleted, the next page is requested if there is one")
    func deletedAll() {
        var tester = EngineTester(.iq(), .sizes(content: 0))
        // A list that was never laid out requests nothing.
        tester.change(content: 0)
        tester.expectNothing()
        tester.loadFirstPage()
        tester.change(content: 1000)
        tester.skip()
        tester.change(content: 0)
        tester.expect(
            "bottom loading by fill", "inset bottom 60 in 100",
            "load 1.2 more reachAtEnd by fill, page 2 offset 10 size 10")
        tester.finish(2, .success, count: 10, more: false)
        tester.skip()
        tester.change(content: 1000)
        tester.skip()
        tester.change(content: 0)
        tester.expectNothing()
    }

    @Test("If the viewport becomes longer than the laid-out content, a page is requested")
    func grownViewport() {
        var tester = EngineTester(.iq(), .sizes(viewport: 400, content: 600))
        tester.loadFirstPage()
        tester.change(content: 600)
        tester.change(viewport: 800)
        tester.expect(
            "bottom loading by fill", "inset bottom 60 in 100",
            "load 1.2 more reachAtEnd by fill, page 2 offset 10 size 10")
        tester.change(viewport: 400)
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.change(viewport: 800)
        tester.expectNothing()
        tester.change(content: 1200)
        tester.expect(top: .idle)
    }
}
