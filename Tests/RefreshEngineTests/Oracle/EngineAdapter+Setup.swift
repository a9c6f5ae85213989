import RefreshEngine
import RefreshProtocol

extension EngineAdapter {
    /// What a trace's settings are for the engine and for those around it.
    struct Setup {
        var peer: OracleFolder.Peer
        var options: ViewOptions
        var wrapper: Wrapper?
        /// Whether the delegate begins what it is asked for; nil: it says nothing.
        var acceptsBegin: Bool?
        var finishesAtOnce = false

        struct Wrapper {
            var style: String

            /// What a request names: a page, the offset of its first item, or, without pages, -1.
            func number(of order: LoadOrder) -> Int {
                if style == "none" { return -1 }
                return style.hasPrefix("offset") ? order.offset : order.page
            }
        }

        /// `extraLength`: points added to the lengths of both edges, to see that it matters.
        init(_ config: OracleTrace.IQ, extraLength: Double = 0) {
            peer = .iqpulltorefresh
            var paging = PagingOptions(style: .page, first: 1, size: 10)
            if let wrapper = config.wrapper {
                paging = Self.paging(wrapper)
                self.wrapper = Wrapper(style: wrapper.pageOffsetStyle)
            } else {
                let answers = ["success": true, "failure": false]
                acceptsBegin = answers[config.delegate.begin]
                finishesAtOnce = config.delegate.finish == "sync"
            }
            options = ViewOptions(
                profile: .iqpulltorefresh, paging: paging,
                isClientBacked: config.wrapper == nil, limits: Limits())
            options.loadDeadline = 3_600_000
            options.gestureSilence = 3_600_000
            let isWrapped = config.wrapper != nil
            Self.apply(
                Self.overrides(
                    config.refreshControl, isEnabled: config.enableRefresh || isWrapped,
                    extraLength: extraLength), to: &options, isRefresh: true)
            var more = Self.overrides(
                config.loadMoreControl, isEnabled: config.enableLoadMore || isWrapped,
                extraLength: extraLength)
            let mode = config.loadMoreControl.mode
            let isLimit =
                mode.map { $0 == "scrollLimitReached" }
                ?? (config.loadMoreControl.kind == "indicator")
            more.mode = isLimit ? .limit : .user
            more.fill = 0
            Self.apply(more, to: &options, isRefresh: false)
        }

        init(_ config: OracleTrace.MR, version: String, extraLength: Double = 0) {
            peer = .mrefresh
            finishesAtOnce = config.finishInHandler
            options = ViewOptions(
                profile: .iqpulltorefresh,
                paging: PagingOptions(style: .page, first: 1, size: 10), isClientBacked: true,
                limits: Limits())
            options.loadDeadline = 3_600_000
            options.gestureSilence = 3_600_000
            options.loadMore = nil
            let isNewer = version != "0.1.1"
            let start = isNewer ? config.animationStart : config.animationStartDistance
            let threshold =
                isNewer
                ? config.animationStart + config.animationDistance
                : config.viewHeight + config.heightIncrease + config.animationEndDistanceOffset
            options.refresh?.trigger = .reach
            options.refresh?.preload = -start
            options.refresh?.length = threshold - start + extraLength
            if start >= threshold { options.refresh = nil }
        }

        private static func paging(_ wrapper: OracleTrace.Wrapper) -> PagingOptions {
            let style: PagingStyle
            switch wrapper.pageOffsetStyle {
            case "none": style = .none
            case "offsetFrom0", "offsetFrom1": style = .offset
            default: style = .page
            }
            let first = wrapper.pageOffsetStyle.hasSuffix("From1") ? 1 : 0
            return PagingOptions(style: style, first: first, size: wrapper.pageSize)
        }

        private static func overrides(
            _ control: OracleTrace.Control, isEnabled: Bool, extraLength: Double
        ) -> EdgeOverrides {
            let isIndicator = control.kind == "indicator"
            let isSystem = control.kind == "system"
            var overrides = EdgeOverrides()
            overrides.enabled = isEnabled
            overrides.length =
                (control.refreshLength ?? (isIndicator ? 60 : isSystem ? 170 : 80)) + extraLength
            overrides.preload = control.preloadOffset ?? 0
            let isReach = control.style.map { $0 == "progressCompletion" } ?? isIndicator
            overrides.trigger = isReach ? .reach : .release
            if isSystem { overrides.hold = false }
            return overrides
        }

        /// A view whose options are refused has no such edge (O-IQ-16).
        private static func apply(
            _ overrides: EdgeOverrides, to options: inout ViewOptions, isRefresh: Bool
        ) {
            do {
                if isRefresh {
                    try options.applyRefresh(.overrides(overrides))
                } else {
                    try options.applyLoadMore(.overrides(overrides))
                }
            } catch {
                if isRefresh { options.refresh = nil } else { options.loadMore = nil }
            }
        }
    }
}
