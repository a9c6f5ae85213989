import RefreshEngine
import RefreshProtocol
import Testing

/// The behaviour of a view when its feed has newer data. Source: docs/protocol.md, "Changes".
@Suite("Changes of the feed")
struct ChangeTests {
    private static func silent(_ number: Int) -> String {
        "load 1.\(number) refresh manual by changed, page 1 offset 0 size 10"
    }

    /// A view whose first page is loaded.
    private static func tester(
        _ policy: ChangePolicy, _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> EngineTester {
        var tester = EngineTester(
            .iq {
                $0.refresh?.changes = policy
                change(&$0)
            })
        tester.loadFirstPage()
        return tester
    }

    /// A view that has its first page, and whose running silent refresh is load 2.
    private static func refreshingSilently(
        _ change: (inout ViewOptions) -> Void = { _ in }
    ) -> EngineTester {
        var tester = tester(.silent, change)
        tester.send(.feedChanged())
        tester.expect(silent(2))
        return tester
    }

    @Test("With the policy `ignore`, newer data has no effect")
    func ignore() {
        var tester = Self.tester(.ignore)
        tester.send(.feedChanged())
        tester.expectNothing()
    }

    @Test("In a view without a refresh edge, newer data has no effect")
    func noEdge() {
        var tester = EngineTester(.iq { $0.refresh = nil })
        tester.send(.feedChanged())
        tester.expectNothing()
    }

    @Test("With attention `movement`, a change refreshes a list that `geometry` moves to its start")
    func movedByGeometry() {
        var tester = Self.tester(.silent) { $0.attention = .movement }
        tester.keepPlace()
        tester.drag(to: -60)
        tester.skip()
        tester.scroll(.cancelled, -60)
        tester.skip()
        tester.scroll(.idle, -59)
        #expect(tester.take().last == "top pulling \(59.0 / 60)")
        var geometry = GeometryChange()
        geometry.offset = 0
        tester.send(.geometryChanged(geometry))
        tester.expect("top idle")
        tester.send(.feedChanged())
        tester.expect(Self.silent(2))
        tester.finish(2, .cancelled)
        tester.skip()
    }

    // MARK: Cue

    @Test("With the policy `cue`, further changes are not reported until a refresh delivers them")
    func cue() {
        var tester = Self.tester(.cue) { $0.announces = true }
        tester.send(.feedChanged())
        tester.expect("newer", "announce newer")
        tester.send(.feedChanged())
        tester.expectNothing()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(2, .failed)
        #expect(!tester.take().contains("nothing newer"))
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(3, .success, count: 10)
        #expect(tester.take().contains("nothing newer"))
        tester.send(.feedChanged())
        tester.expect("newer", "announce newer")
    }

    @Test("With the policy `cue`, a refresh does not withdraw a change that is reported during it")
    func cueDuringRefresh() {
        var tester = Self.tester(.cue)
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.feedChanged())
        tester.expect("newer")
        tester.finish(2, .success, count: 10)
        #expect(!tester.take().contains("nothing newer"))
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(3, .success, count: 10)
        #expect(tester.take().contains("nothing newer"))
    }

    @Test("With the policy `cue`, a finger on the list does not delay the change notice")
    func cueUnderFinger() {
        var tester = Self.tester(.cue)
        tester.drag(to: -20)
        tester.skip()
        tester.send(.feedChanged())
        tester.expect("newer")
    }

    @Test("A reset of the edge withdraws the change notice", arguments: [EdgeRole.refresh, nil])
    func reset(role: EdgeRole?) {
        var tester = Self.tester(.cue)
        tester.send(.feedChanged())
        tester.skip()
        tester.send(.resetRequested(role))
        #expect(tester.take().contains("nothing newer"))
    }

    // MARK: Silent

    @Test("A silent refresh does not change the state of its edge, and delivers a new list")
    func silent() {
        var tester = Self.refreshingSilently { $0.announces = true }
        tester.expect(top: .idle)
        #expect(tester.engine.silentLoad == .init(generation: 1, number: 2))
        tester.finish(2, .success, count: 7, more: false)
        tester.expect("list 7", "bottom noMore", "end 1.2 refresh success")
        tester.expect(top: .idle, bottom: .noMore)
        #expect(tester.engine.silentLoad == nil)
        #expect(tester.engine.refresh.lastUpdated == tester.now)
        #expect(tester.engine.nextDeadline == nil)
    }

    @Test("If a silent refresh fails, newer data is reported, and the refresh can be retried")
    func silentFailure() {
        var tester = Self.refreshingSilently { $0.announces = true }
        tester.finish(2, .failed)
        tester.expect("end 1.2 refresh failed", "newer", "announce newer")
        tester.expect(top: .idle)
        tester.send(.retryRequested(nil))
        #expect(tester.take().contains { $0.hasPrefix("load 1.3 refresh manual by retry") })
        tester.finish(3, .success, count: 10)
        #expect(tester.take().contains("nothing newer"))
    }

    @Test("A silent refresh times out at its deadline")
    func silentDeadline() {
        var tester = Self.refreshingSilently { $0.refresh?.deadline = 1000 }
        tester.passDeadline()
        tester.expect("end 1.2 refresh timedOut", "newer")
        tester.finish(2, .success, count: 10)
        tester.expect("late 1.2")
    }

    @Test("`cancel` and disabling the edge cancel a silent refresh")
    func silentCancelled() {
        for event in [
            Event.cancelRequested(nil), .cancelRequested(.refresh), .edgeEnabled(.refresh, false),
        ] {
            var tester = Self.refreshingSilently()
            tester.send(event)
            let effects = tester.take()
            #expect(effects.contains("end 1.2 refresh cancelled"))
            #expect(effects.contains("newer"))
            #expect(tester.engine.refreshLoad == nil)
        }
    }

    @Test("A pull that begins no refresh moves the list, and has no effect on a silent refresh")
    func pullBack() {
        var tester = Self.refreshingSilently()
        tester.drag(to: -30)
        tester.expect("top pulling 0.5")
        tester.scroll(.dragging, 0)
        tester.expect("top idle")
        tester.scroll(.ended, 0)
        tester.expectNothing()
        tester.finish(2, .success, count: 10)
        tester.expect("list 10 and more", "end 1.2 refresh success")
    }

    @Test("If a silent refresh ends during a pull, the pull continues")
    func endsUnderPull() {
        var tester = Self.refreshingSilently()
        tester.drag(to: -60)
        tester.skip()
        tester.expect(top: .eligible)
        tester.finish(2, .success, count: 10)
        tester.expect("list 10 and more", "end 1.2 refresh success")
        tester.expect(top: .eligible)
        tester.scroll(.ended, -60)
        #expect(
            tester.take().contains { $0.hasPrefix("load 1.3 refresh refreshControl by finger") })
        tester.send(.cancelRequested(nil))
        tester.skip()
    }

    @Test("A pull that fires takes over the load of a silent refresh and ends with this load")
    func joinedByPull() {
        var tester = Self.refreshingSilently { $0.announces = true }
        tester.drag(to: -60)
        tester.skip()
        tester.scroll(.ended, -60)
        let effects = tester.take()
        #expect(effects.contains("top refreshing by finger"))
        #expect(effects.contains("announce refreshing"))
        #expect(!effects.contains { $0.hasPrefix("load ") })
        tester.expect(top: .refreshing(.init(generation: 1, number: 2)))
        #expect(tester.engine.silentLoad == nil)
        tester.finish(2, .success, count: 10)
        let ended = tester.take()
        #expect(ended.contains("end 1.2 refresh success"))
        #expect(ended.contains("announce refreshed"))
    }

    @Test("A request takes over the load of a silent refresh, in client-backed views too")
    func joinedByRequest() {
        for isClientBacked in [false, true] {
            var tester = Self.tester(.silent) { $0.isClientBacked = isClientBacked }
            tester.send(.feedChanged())
            tester.expect(Self.silent(2))
            tester.send(.refreshRequested(cause: .code, animated: false))
            tester.expect("top refreshing by code", "inset top 60", "offset -60")
            tester.finish(2, .failed)
            let ended = tester.take()
            #expect(ended.contains("top idle after failed"))
            #expect(ended.contains("newer"))
        }
    }

    @Test("Changes during a silent refresh cause one more refresh after its end")
    func changedMeanwhile() {
        var tester = Self.refreshingSilently()
        tester.send(.feedChanged())
        tester.send(.feedChanged())
        tester.expectNothing()
        tester.finish(2, .success, count: 10)
        tester.expect("list 10 and more", "end 1.2 refresh success", Self.silent(3))
        tester.finish(3, .success, count: 10)
        tester.expect("list 10 and more", "end 1.3 refresh success")
    }

    @Test("Detaching the view cancels its silent refresh")
    func detached() {
        var tester = Self.refreshingSilently()
        tester.send(.detached)
        tester.expect("end 1.2 refresh cancelled")
    }

    // MARK: Waiting

    @Test("The refresh for a change waits until the finger is lifted", arguments: [false, true])
    func underFinger(isVisible: Bool) {
        var tester = Self.tester(isVisible ? .visible : .silent)
        tester.drag(to: 100)
        tester.skip()
        tester.send(.feedChanged())
        tester.send(.feedChanged())
        tester.expectNothing()
        tester.scroll(.ended, 100)
        let load = isVisible ? ["top refreshing by changed", "inset top 60 in 100"] : []
        tester.expect(load + [Self.silent(2)])
        tester.send(.cancelRequested(nil))
        tester.skip()
    }

    @Test("The refresh for a change waits until a page that is loading is received")
    func duringMore() {
        var tester = Self.tester(.silent)
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.send(.feedChanged())
        tester.expectNothing()
        tester.finish(2, .success, count: 10)
        let effects = tester.take()
        #expect(effects.contains("end 1.2 more success"))
        #expect(effects.last == Self.silent(3))
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("A running refresh that began before a change delays the refresh for this change")
    func duringRefresh() {
        var tester = Self.tester(.silent)
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.send(.feedChanged())
        tester.expectNothing()
        tester.finish(2, .success, count: 10)
        #expect(tester.take().last == Self.silent(3))
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("The refresh for a change waits until the completion display of the last refresh ends")
    func duringAftermath() {
        var tester = Self.tester(.silent) { $0.refresh?.successHold = 400 }
        tester.comeToRest()
        tester.send(.refreshRequested(cause: .code, animated: false))
        tester.skip()
        tester.finish(2, .success, count: 10)
        tester.skip()
        tester.send(.feedChanged())
        tester.expectNothing()
        var effects: [String] = []
        while tester.engine.refreshLoad == nil, tester.engine.nextDeadline != nil {
            tester.passDeadline()
            effects = tester.take()
        }
        #expect(effects.last == Self.silent(3))
        tester.finish(3, .success, count: 10)
        tester.skip()
    }

    @Test("If the user refreshes before a delayed refresh begins, no delayed refresh follows")
    func overtaken() {
        var tester = Self.tester(.silent)
        tester.drag(to: -60)
        tester.skip()
        tester.send(.feedChanged())
        tester.expectNothing()
        tester.scroll(.ended, -60)
        #expect(tester.take().contains { $0.hasPrefix("load 1.2 refresh refreshControl") })
        tester.finish(2, .failed)
        #expect(tester.take().contains("newer"))
        tester.expect(top: .idle)
    }

    @Test("A disabled edge only reports newer data", arguments: [ChangePolicy.silent, .visible])
    func disabled(policy: ChangePolicy) {
        var tester = Self.tester(policy)
        tester.send(.edgeEnabled(.refresh, false))
        tester.skip()
        tester.send(.feedChanged())
        tester.expect("newer")
        tester.send(.edgeEnabled(.refresh, true))
        tester.expect("top idle")
    }

    // MARK: Visible

    @Test("A visible refresh for a change ignores intents and cool-down. Its failure is shown")
    func visible() {
        var tester = Self.tester(.visible) {
            $0.refresh?.intents = [.code]
            $0.refresh?.coolDown = 100_000
        }
        tester.send(.feedChanged())
        tester.expect(
            "top refreshing by changed", "inset top 60 in 100", "offset -60 in 100", Self.silent(2))
        tester.finish(2, .failed)
        let effects = tester.take()
        #expect(effects.contains("top idle after failed"))
        #expect(effects.contains("newer"))
    }

    // MARK: Load more

    @Test(
        "`whileRefreshing` applies to a page that is requested during a silent refresh",
        arguments: [ConflictPolicy.cancel, .queue, .reject])
    func whileRefreshing(policy: ConflictPolicy) {
        var tester = Self.refreshingSilently { $0.loadMore?.whileRefreshing = policy }
        tester.send(.loadMoreRequested(cause: .code))
        let effects = tester.take()
        switch policy {
        case .cancel:
            #expect(effects.contains("end 1.2 refresh cancelled"))
            #expect(effects.contains("newer"))
            #expect(tester.engine.loadMore.phase == .loading(.init(generation: 1, number: 3)))
            tester.send(.cancelRequested(nil))
        case .queue:
            #expect(effects == ["bottom triggered by code"])
            tester.finish(2, .success, count: 10)
            let ended = tester.take()
            #expect(ended.contains("end 1.2 refresh success"))
            #expect(ended.last?.hasPrefix("load 1.3 more") == true)
            tester.send(.cancelRequested(nil))
        case .reject, .concurrent:
            #expect(effects == [])
            tester.finish(2, .success, count: 10)
        }
        tester.skip()
    }

    @Test("Items that a page repeats raise the offset of the next page, but not the item count")
    func kept() {
        var tester = Self.tester(.cue)
        tester.send(.loadMoreRequested(cause: .code))
        tester.skip()
        tester.send(
            .loadEnded(LoadID(generation: 1, number: 2), LoadEnding(.success, count: 10, kept: 4)))
        #expect(tester.take().contains("list 14 and more"))
        tester.send(.loadMoreRequested(cause: .code))
        #expect(tester.take().contains("load 1.3 more manual by code, page 3 offset 20 size 10"))
        tester.send(.cancelRequested(nil))
        tester.skip()
    }
}
