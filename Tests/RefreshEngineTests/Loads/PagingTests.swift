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

    /// The tail of the load that `refresh` or `loadMore` asks for.
    private func ask(
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
        "Pages and offsets follow the style and its first number",
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
        ask(&tester, 1, refresh: true, requests[0])
        tester.finish(1, .success, count: 10)
        tester.skip()
        ask(&tester, 2, requests[1])
        tester.finish(2, .success, count: 10)
        tester.skip()
        ask(&tester, 3, requests[2])
        tester.finish(3, .success, count: 10)
        tester.skip()
        ask(&tester, 4, refresh: true, requests[0])
        tester.finish(4, .success, count: 10)
        tester.skip()
        ask(&tester, 5, requests[1])
        tester.finish(5, .success, count: 9)
        tester.expect("bottom noMore after success", "end 1.5 more success", "list 19")
    }

    @Test("A cursor is handed on from the last accepted answer; none means no more")
    func cursors() {
        var tester = tester(.cursor, first: 1)
        ask(&tester, 1, refresh: true, "page 1 offset 0 size 10")
        tester.finish(1, .success, count: 2, cursor: "a")
        tester.skip()
        ask(&tester, 2, "page 2 offset 2 size 10 cursor a")
        tester.finish(2, .failed, cursor: "x")
        tester.expect("bottom failed after failed", "end 1.2 more failed")
        ask(&tester, 3, "page 2 offset 2 size 10 cursor a attempt 2")
        tester.finish(3, .success, count: 10, cursor: "b")
        tester.skip()
        ask(&tester, 4, refresh: true, "page 1 offset 0 size 10")
        tester.finish(4, .failed)
        tester.skip()
        ask(&tester, 5, "page 3 offset 12 size 10 cursor b")
        tester.finish(5, .success, count: 10)
        tester.expect("bottom noMore after success", "end 1.5 more success", "list 22")
    }

    @Test("A cursor that stands still, with nothing new, ends the list at the second such page")
    func stalledCursor() {
        var tester = tester(.cursor, first: 1)
        ask(&tester, 1, refresh: true, "page 1 offset 0 size 10")
        tester.finish(1, .success, count: 10, cursor: "a")
        tester.skip()
        ask(&tester, 2, "page 2 offset 10 size 10 cursor a")
        tester.finish(2, .empty, more: true, cursor: "a")
        tester.expect("bottom idle after empty", "end 1.2 more empty", "list 10 and more")
        ask(&tester, 3, "page 3 offset 10 size 10 cursor a")
        tester.finish(3, .empty, more: true, cursor: "a")
        tester.expect("bottom noMore after empty", "end 1.3 more empty", "list 10", "stalled")
        tester.send(.loadMoreRequested(cause: .code))
        ask(&tester, 4, refresh: true, "page 1 offset 0 size 10")
        tester.finish(4, .success, count: 10, cursor: "a")
        tester.skip()
        tester.expect(top: .idle, bottom: .idle)
    }

    @Test(
        "Items that are new, another cursor, or another style of paging: the list goes on",
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

    @Test("One page and never more: the style none has no open end, whatever the answer says")
    func none() {
        var tester = tester(.none, first: 1)
        tester.expect(top: .idle, bottom: .noMore)
        ask(&tester, 1, refresh: true, "page 1 offset 0 size 10")
        tester.finish(1, .success, count: 10, more: true)
        tester.expect("top idle after success", "end 1.1 refresh success", "list 10")
        tester.send(.loadMoreRequested(cause: .code))
        tester.send(.edgeEnabled(.loadMore, false))
        tester.expect("bottom disabled")
        tester.send(.edgeEnabled(.loadMore, true))
        tester.expect("bottom noMore")
    }

    @Test(
        "The answer's word about more counts, else whether the page was full",
        arguments: [
            (LoadResult.success, 10, Bool?.none, true), (.success, 9, nil, false),
            (.success, 12, nil, true), (.success, 10, false, false), (.success, 1, true, true),
            (.empty, 0, nil, false), (.empty, 0, true, true), (.noMore, 10, true, false),
            (.noMore, 10, nil, false),
        ])
    func more(result: LoadResult, count: Int, more: Bool?, isMore: Bool) {
        var tester = tester(.page, first: 1)
        ask(&tester, 1, refresh: true, "page 1 offset 0 size 10")
        tester.finish(1, result, count: count, more: more)
        tester.skip()
        tester.expect(top: .idle, bottom: isMore ? .idle : .noMore)
    }

    @Test("A page of the client's own, before any refresh, follows the first one's number")
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
