import RefreshProtocol
import Testing

@testable import RefreshEngine

@Suite("Options")
struct OptionTests {
    @Test("The profiles are those of the protocol page")
    func profiles() {
        #expect(
            Profile.iqpulltorefresh.refresh
                == RefreshOptions(
                    isEnabled: true, trigger: .release, length: 60, preload: 0,
                    holdsInset: true, insetDuration: 100, offsetDuration: 100))
        #expect(
            Profile.uikit.refresh
                == RefreshOptions(
                    isEnabled: true, trigger: .reach, length: 60, preload: 0,
                    holdsInset: false, insetDuration: 100, offsetDuration: 300))
        for profile in Profile.allCases {
            #expect(
                profile.loadMore
                    == LoadMoreOptions(
                        isEnabled: true, trigger: .reach, mode: .limit, length: 60, preload: 0,
                        holdsInset: true, insetDuration: 100, fillPagesMax: 5))
        }
    }

    @Test("Every option can be overridden, and what is left out stays")
    func overrides() throws {
        var overrides = EdgeOverrides()
        overrides.enabled = false
        overrides.trigger = .reach
        overrides.length = 80
        overrides.preload = 30
        overrides.hold = false
        overrides.insetDuration = 0
        var options = ViewOptions.iq()
        try options.applyRefresh(.overrides(overrides))
        #expect(
            options.refresh
                == RefreshOptions(
                    isEnabled: false, trigger: .reach, length: 80, preload: 30,
                    holdsInset: false, insetDuration: 0, offsetDuration: 100))
        overrides.mode = .user
        overrides.fill = 0
        try options.applyLoadMore(.overrides(overrides))
        #expect(
            options.loadMore
                == LoadMoreOptions(
                    isEnabled: false, trigger: .reach, mode: .user, length: 80, preload: 30,
                    holdsInset: false, insetDuration: 0, fillPagesMax: 0))
        let known = options
        try options.applyRefresh(.overrides(EdgeOverrides()))
        try options.applyRefresh(.unchanged)
        try options.applyLoadMore(.unchanged)
        #expect(options == known)
    }

    @Test("An absent edge stays absent, and its options are refused by name")
    func absent() throws {
        var options = ViewOptions.iq()
        try options.applyRefresh(.absent)
        try options.applyLoadMore(.absent)
        #expect(options.refresh == nil && options.loadMore == nil)
        let some = EdgeSetting.overrides(EdgeOverrides())
        #expect(throws: Fault(.missingEdge, field: .top)) { try options.applyRefresh(some) }
        #expect(throws: Fault(.missingEdge, field: .bottom)) { try options.applyLoadMore(some) }
    }

    @Test("What only the bottom has is refused at the top")
    func bottomOnly() {
        var mode = EdgeOverrides()
        mode.mode = .limit
        var fill = EdgeOverrides()
        fill.fill = 3
        var options = ViewOptions.iq()
        #expect(throws: Fault(.invalidOption, field: .mode)) {
            try options.applyRefresh(.overrides(mode))
        }
        #expect(throws: Fault(.invalidOption, field: .fill)) {
            try options.applyRefresh(.overrides(fill))
        }
    }

    @Test("New options hold from the next sample on, and arm nothing by themselves")
    func configured() {
        var tester = EngineTester(.iq(length: 80))
        tester.drag(to: -60)
        tester.expect("top pulling 0.75")
        var options = tester.engine.options.refresh
        options?.length = 60
        options?.trigger = .reach
        tester.send(.edgesConfigured(refresh: options, loadMore: tester.engine.options.loadMore))
        tester.expect("top pulling 1")
        tester.scroll(.dragging, -60)
        tester.expect(
            "impact", "top refreshing by finger",
            "load 1.1 refresh refreshControl by finger, page 1 offset 0 size 10")
        tester.finish(1, .success, count: 10)
        tester.expect("top idle after success", "end 1.1 refresh success")
    }
}
