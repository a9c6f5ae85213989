import RefreshEngine
import RefreshProtocol
import Testing

/// The announcements that a view with the default profile sends for a screen reader.
@Suite("Announcements")
struct AnnouncementTests {
    private static let load = "load 1.1 refresh manual by code, page 1 offset 0 size 10"

    @Test(
        "The beginning and the result of a refresh are announced",
        arguments: [
            (LoadResult.success, "refreshed"), (.empty, "refreshed"), (.noMore, "refreshed"),
            (.failed, "refreshFailed"), (.timedOut, "refreshFailed"),
            (.cancelled, "refreshCancelled"), (.refused, "refreshCancelled"),
        ])
    func refresh(result: LoadResult, cue: String) {
        var tester = EngineTester(.of(.default))
        tester.send(.refreshRequested(cause: .code, animated: true))
        tester.expect(
            "top refreshing by code", "inset top 64 in 250", "offset -64 in 250",
            "announce refreshing",
            Self.load)
        tester.finish(1, result, count: 10)
        let texts = tester.take()
        #expect(texts.contains("announce \(cue)"))
        #expect(texts.filter { $0.hasPrefix("announce") }.count == 1)
    }

    @Test(
        "The beginning and the result of a load-more are announced, but no cancellation or refusal",
        arguments: [
            (LoadResult.success, 10, "loadedMore"), (.success, 3, "noMore"), (.noMore, 0, "noMore"),
            (.failed, 0, "loadMoreFailed"), (.timedOut, 0, "loadMoreFailed"),
            (.cancelled, 0, nil), (.refused, 0, nil),
        ] as [(LoadResult, Int, String?)])
    func more(result: LoadResult, count: Int, cue: String?) {
        var tester = EngineTester(.of(.default))
        tester.loadFirstPage()
        tester.send(.loadMoreRequested(cause: .code))
        tester.expect(
            "bottom loading by code", "inset bottom 64 in 250", "announce loadingMore",
            "load 1.2 more manual by code, page 2 offset 10 size 10")
        tester.finish(2, result, count: count)
        let announcements = tester.take().filter { $0.hasPrefix("announce") }
        #expect(announcements == (cue.map { ["announce \($0)"] } ?? []))
    }

    @Test("The opening and the closing of a floor are announced")
    func floor() {
        var tester = EngineTester(.of(.default) { $0.refresh?.floor = FloorOptions(length: 200) })
        tester.send(.floorRequested(isOpen: true))
        tester.expect(
            "impact", "floor opening", "inset top 800 in 300", "offset -800 in 300",
            "announce floorOpened")
        tester.send(.floorRequested(isOpen: false))
        tester.expect(
            "floor closing", "inset top 0 in 300", "offset 0 in 300", "announce floorClosed")
    }

    @Test("Only the default profile sends announcements", arguments: Profile.allCases)
    func silent(profile: Profile) {
        var tester = EngineTester(.of(profile))
        tester.send(.refreshRequested(cause: .code, animated: true))
        let announcements = tester.take().filter { $0.hasPrefix("announce") }
        #expect(announcements.isEmpty == (profile != .default))
        tester.finish(1, .cancelled)
        tester.skip()
    }
}
