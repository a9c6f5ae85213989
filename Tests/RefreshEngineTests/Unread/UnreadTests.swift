import Foundation
import RefreshEngine
import RefreshProtocol
import Testing

/// Tests the number of newer items, the distance from the newest end of the list (`away`, `back`),
/// and the read mark. Source: docs/protocol.md, "Unread items".
@Suite("Unread items")
struct UnreadTests {
    /// A view of a client with the feature `unread`, whose first page is loaded.
    private static func tester(
        _ policy: ChangePolicy = .cue, _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> EngineTester {
        var tester = EngineTester(
            .iq {
                $0.refresh?.changes = policy
                $0.refresh?.holdsInset = false
                change(&$0)
            })
        tester.setUnread()
        tester.loadFirstPage()
        return tester
    }

    private static func change(_ count: Int?) -> Event { .feedChanged(count: NewerCount(count)) }

    private static func refresh(_ tester: inout EngineTester) {
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
    }

    // MARK: The number of newer items

    @Test("The numbers of new items in several changes are added, and each sum is sent")
    func sum() {
        var tester = Self.tester()
        tester.send(Self.change(3))
        tester.expect("newer", "3 newer")
        tester.send(Self.change(2))
        tester.expect("5 newer")
        #expect(tester.engine.newerCount == NewerCount(5))
    }

    @Test("A change without a number makes the number unknown until a refresh has succeeded")
    func unknown() {
        var tester = Self.tester()
        tester.send(Self.change(3))
        tester.expect("newer", "3 newer")
        tester.send(Self.change(nil))
        tester.expect("some newer")
        tester.send(Self.change(2))
        tester.expect("some newer")
        Self.refresh(&tester)
        tester.finish(2, .success, count: 10)
        #expect(Array(tester.take().suffix(3)) == ["nothing newer", "0 newer", "list 10 and more"])
        tester.send(Self.change(1))
        tester.expect("newer", "1 newer")
    }

    @Test("The number of newer items is at most 1,000,000")
    func most() {
        var tester = Self.tester()
        tester.send(Self.change(999_999))
        tester.expect("newer", "999999 newer")
        tester.send(Self.change(5))
        tester.expect("1000000 newer")
    }

    @Test("After a refresh, the number counts only the changes that arrived during the refresh")
    func duringRefresh() {
        var tester = Self.tester()
        tester.send(Self.change(3))
        tester.skip()
        Self.refresh(&tester)
        tester.send(Self.change(2))
        tester.expect("5 newer")
        tester.finish(2, .success, count: 10)
        let effects = tester.take()
        #expect(effects.contains("2 newer"))
        #expect(!effects.contains("nothing newer"))
        #expect(tester.engine.newerCount == NewerCount(2))
    }

    @Test("A refresh that fails leaves the number unchanged")
    func failure() {
        var tester = Self.tester()
        tester.send(Self.change(3))
        tester.skip()
        Self.refresh(&tester)
        tester.finish(2, .failed)
        #expect(!tester.take().contains { $0.hasSuffix("newer") })
        #expect(tester.engine.newerCount == NewerCount(3))
    }

    @Test("With the policy `silent`, the number is sent only if the refresh fails")
    func silent() {
        var tester = Self.tester(.silent)
        tester.send(Self.change(4))
        tester.expect("load 1.2 refresh manual by changed, page 1 offset 0 size 10")
        #expect(tester.engine.newerCount == NewerCount.none)
        tester.finish(2, .failed)
        tester.expect("end 1.2 refresh failed", "newer", "4 newer")
    }

    @Test("The items of a delayed change are counted only once: not again when the refresh begins")
    func delayed() {
        var tester = Self.tester(.silent)
        tester.delayChange(count: 4)
        tester.delayChange(count: 1)
        tester.send(Self.change(0))
        tester.skip()
        tester.finish(2, .failed)
        tester.expect("end 1.2 refresh failed", "newer", "5 newer")
    }

    @Test("With the policy `ignore`, nothing is counted")
    func ignored() {
        var tester = Self.tester(.ignore)
        tester.send(Self.change(4))
        tester.expectNothing()
        #expect(tester.engine.newerCount == NewerCount.none)
    }

    @Test("A reset sets the number to 0")
    func reset() {
        var tester = Self.tester()
        tester.send(Self.change(3))
        tester.skip()
        tester.send(.resetRequested(.refresh))
        #expect(tester.take().contains("0 newer"))
        tester.send(Self.change(1))
        tester.expect("newer", "1 newer")
    }

    @Test("Without the feature `unread`, the number is neither sent nor stored")
    func withoutFeature() {
        var tester = Self.tester()
        tester.send(Self.change(3))
        tester.skip()
        tester.setUnread(false)
        tester.send(Self.change(2))
        tester.expectNothing()
        #expect(tester.engine.newerCount == nil)
        #expect(tester.engine.isAway == nil)
        // If the client resumes with the feature, the number is not known.
        tester.setUnread()
        #expect(tester.engine.newerCount == .unknown)
    }

    // MARK: The newest end

    @Test("The list is away more than 48 points from its newest end, and back at 24 points or less")
    func away() {
        var tester = Self.tester()
        tester.scroll(.began, 0)
        tester.scroll(.dragging, 48)
        tester.expectNothing()
        tester.scroll(.dragging, 49)
        tester.expect("away")
        tester.scroll(.dragging, 300)
        tester.expectNothing()
        tester.scroll(.dragging, 25)
        tester.expectNothing()
        tester.scroll(.dragging, 24)
        tester.expect("back")
        tester.scroll(.dragging, 40)
        tester.expectNothing()
        #expect(tester.engine.isAway == false)
    }

    @Test("During an animated command, the list counts as being at the command's target")
    func awayByCommand() {
        var tester = Self.tester()
        var geometry = GeometryChange()
        geometry.offset = 500
        tester.send(.geometryChanged(geometry))
        tester.expect("away")
        tester.send(.revealRequested(.newestEnd, animated: true))
        tester.expect("offset 0 in 100", "revealed: reached", "back")
    }

    @Test("In a reversed list, the newest end is the end with the largest offset")
    func awayInChat() {
        var options = ViewOptions.iq()
        options.layout.isReversed = true
        var tester = EngineTester(options, offset: 1200)
        tester.setUnread()
        tester.scroll(.began, 1200)
        tester.scroll(.dragging, 1100)
        tester.expect("away")
    }

    // MARK: The read mark and saved state

    @Test("The last read mark is kept, and a decoded engine equals the encoded one")
    func coded() throws {
        var tester = Self.tester()
        tester.send(.readMarked("m1"))
        tester.send(.readMarked("m2"))
        tester.send(Self.change(3))
        tester.skip()
        tester.send(.revealRequested(.edge(.bottom), animated: false))
        tester.skip()
        let engine = try JSONDecoder().decode(
            Engine.self, from: JSONEncoder().encode(tester.engine))
        #expect(engine == tester.engine)
        #expect(engine.readMark == "m2")
        #expect(engine.newerCount == NewerCount(3))
        tester.finish(2, .failed)
        tester.skip()
    }
}
