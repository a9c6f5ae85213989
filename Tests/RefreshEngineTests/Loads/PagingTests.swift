import RefreshEngine
import RefreshProtocol
import Testing

@Suite("Paging")
struct PagingTests {
    private func tester(_ style: PagingStyle, first: Int) -> EngineTester {
        EngineTester(
            .iq { options in
                options.paging = PagingOptions(style: style, first: first, size: 10)
                options.refresh?.holdsInset = false
                options.loadMore?.holdsInset = false
            }, offset: 500)
    }

    /// Requests a refresh or the next page, and expects a load with this number. `request` is the
    /// part of the load's text that begins with the word `page`.
    private func startLoad(
        _ tester: inout EngineTester, _ number: UInt32, refresh: Bool = false, _ request: String,
        at location: SourceLocation = #_sourceLocation
    ) {
        if refresh {
            tester.send(.refreshRequested(cause: .code, animated: false), at: location)
            tester.expect(
                "top refreshing by code", "load 1.\(number) refresh manual by code, \(request)",
                at: location)
        } else {
            tester.send(.loadMoreRequested(cause: .code), at: location)
            tester.expect(
                "bottom loading by code", "load 1.\(number) more manual by code, \(request)",
                at: location)
        }
    }

    @Test(
        "The style and `first` determine the page and the offset of each request",
        arguments: [
            (
                PagingStyle.page, 0,
                ["page 0 offset 0 size 10", "page 1 offset 10 size 10", "page 2 offset 20 size 10"]
            ),
            (
                .page, 1,
                ["page 1 offset 0 size 10", "page 2 offset 10 size 10", "page 3 offset 20 size 10"]
            ),
            (
                .offset, 0,
                ["page 1 offset 0 size 10", "page 2 offset 10 size 10", "page 3 offset 20 size 10"]
            ),
            (
                .offset, 1,
                ["page 1 offset 1 size 10", "page 2 offset 11 size 10", "page 3 offset 21 size 10"]
            ),
        ])
    func styles(style: PagingStyle, first: Int, requests: [String]) {
        var tester = tester(style, first: first)
        startLoad(&tester, 1, refresh: true, requests[0])
        tester.finish(1, .success, count: 10)
        tester.skip()
        startLoad(&tester, 2, requests[1])
        tester.finish(2, .success, count: 10)
        tester.skip()
        startLoad(&tester, 3, requests[2])
        tester.finish(3, .success, count: 10)
        tester.skip()
        startLoad(&tester, 4, refresh: true, requests[0])
        tester.finish(4, .success, count: 10)
        tester.skip()
        startLoad(&tester, 5, requests[1])
        tester.finish(5, .success, count: 9)
        tester.expect("bottom noMore after success", "end 1.5 more success", "list 19")
    }

    @Test("A request has the last accepted page's cursor; a page without a cursor ends the list")
    func cursors() {
        var tester = tester(.cursor, first: 1)
        startLoad(&tester, 1, refresh: true, "page 1 offset 0 size 10")
        tester.finish(1, .success, count: 2, cursor: "a")
        tester.skip()
        startLoad(&tester, 2, "page 2 offset 2 size 10 cursor a")
        tester.finish(2, .failed, cursor: "x")
        tester.expect("bottom failed after failed", "end 1.2 more failed")
        startLoad(&tester, 3, "page 2 offset 2 size 10 cursor a attempt 2")
        tester.finish(3, .success, count: 10, cursor: "b")
        tester.skip()
        startLoad(&tester, 4, refresh: true, "page 1 offset 0 size 10")
        tester.finish(4, .failed)
        tester.skip()
        startLoad(&tester, 5, "page 3 offset 12 size 10 cursor b")
        tester.finish(5, .success, count: 10)
        tester.expect("bottom noMore after success", "end 1.5 more success", "list 22")
    }

    @Test("The second page in a row with the same cursor and without new items ends the list")
    func stalledCursor() {
        var tester = tester(.cursor, first: 1)
        startLoad(&tester, 1, refresh: true, "page 1 offset 0 size 10")
        tester.finish(1, .success, count: 10, cursor: "a")
        tester.skip()
        startLoad(&tester, 2, "page 2 offset 10 size 10 cursor a")
        tester.finish(2, .empty, more: true, cursor: "a")
        tester.expect("bottom idle after empty", "end 1.2 more empty", "list 10 and more")
        startLoad(&tester, 3, "page 3 offset 10 size 10 cursor a")
        tester.finish(3, .empty, more: true, cursor: "a")
        tester.expect("bottom noMore after empty", "end 1.3 more empty", "list 10", "stalled")
        tester.send(.loadMoreRequested(cause: .code))
        startLoad(&tester, 4, refresh: true, "page 1 offset 0 size 10")
        tester.finish(4, .success, count: 10, cursor: "a")
        tester.skip()
        tester.expect(top: .idle, bottom: .idle)
    }

    @Test(
        "With new items, a new cursor, or a paging style without cursors, the list does not end",
        arguments: [
            (PagingStyle.cursor, "a", 1), (.cursor, "b", 0), (.page, "a", 0),
        ])
    func livingCursor(style: PagingStyle, between: String, kept: Int) {
        var tester = tester(style, first: 1)
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(1, .success, count: 10, cursor: "a")
        tester.skip()
        for (number, answer) in [("a", 0), (between, kept), ("a", 0)].enumerated() {
            tester.send(.loadMoreRequested(cause: .code))
            tester.skip()
            let load = LoadID(UInt32(number + 2))
            let ending = LoadEnding(
                .success, count: 10, more: true, cursor: answer.0, kept: answer.1)
            tester.send(.loadEnded(load, ending))
            #expect(!tester.take().contains("stalled"))
            tester.expect(top: .idle, bottom: .idle)
        }
    }

    @Test("With the style `none` the list ends after one page, even if the answer has `more: true`")
    func none() {
        var tester = tester(.none, first: 1)
        tester.expect(top: .idle, bottom: .noMore)
        startLoad(&tester, 1, refresh: true, "page 1 offset 0 size 10")
        tester.finish(1, .success, count: 10, more: true)
        tester.expect("top idle after success", "end 1.1 refresh success", "list 10")
        tester.send(.loadMoreRequested(cause: .code))
        tester.send(.edgeEnabled(.loadMore, false))
        tester.expect("bottom disabled")
        tester.send(.edgeEnabled(.loadMore, true))
        tester.expect("bottom noMore")
    }

    @Test(
        "The result noMore ends the list. Else `more` decides, or the page's size if there is none",
        arguments: [
            (LoadResult.success, 10, Bool?.none, true), (.success, 9, nil, false),
            (.success, 12, nil, true), (.success, 10, false, false), (.success, 1, true, true),
            (.empty, 0, nil, false), (.empty, 0, true, true), (.noMore, 10, true, false),
            (.noMore, 10, nil, false),
        ])
    func more(result: LoadResult, count: Int, more: Bool?, isMore: Bool) {
        var tester = tester(.page, first: 1)
        startLoad(&tester, 1, refresh: true, "page 1 offset 0 size 10")
        tester.finish(1, result, count: count, more: more)
        tester.skip()
        tester.expect(top: .idle, bottom: isMore ? .idle : .noMore)
    }

    @Test("If a client-backed view was never refreshed, its first `loadMore` requests page 1")
    func clientBacked() {
        var tester = EngineTester(.iq { $0.isClientBacked = true }, offset: 500)
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "bottom triggered by code", "load 1.1 more manual by code, page 1 offset 0 size 10")
        tester.send(.loadBegan(LoadID(1), accepted: true))
        tester.expect("bottom loading by code", "inset bottom 60 in 100")
        tester.finish(1, .success, count: 10)
        tester.skip()
    }
}
