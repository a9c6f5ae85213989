import RefreshEngine
import RefreshProtocol

extension EngineAdapter {
    /// A trace's settings for the engine, its delegate and its wrapper.
    struct Setup {
        /// The original: the library that was recorded with the trace.
        var peer: OracleFolder.Peer
        var options: ViewOptions
        var wrapper: Wrapper?
        /// Whether the delegate begins a requested load; nil: it does not answer.
        var acceptsBegin: Bool?
        var finishesAtOnce = false

        struct Wrapper {
            var style: String

            /// The number in a request: a page, the offset of its first item, or -1 without pages.
            func number(of order: LoadOrder) -> Int {
                if style == "none" { return -1 }
                return style.hasPrefix("offset") ? order.offset : order.page
            }
        }

        /// `extraLength`: points that are added to the lengths of both edges, to check that the
        /// comparison detects it.
        init(_ config: OracleTrace.IQ, axis: Axis, extraLength: Double = 0) {
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
            options = Self.options(.iqpulltorefresh, axis, paging, isClientBacked: wrapper == nil)
            let isWrapped = config.wrapper != nil
            let pull = Control(config.refreshControl, extraLength: extraLength)
            options.refresh?.isEnabled = config.enableRefresh || isWrapped
            options.refresh?.trigger = pull.trigger
            options.refresh?.length = pull.length
            options.refresh?.preload = pull.preload
            options.refresh?.holdsInset = !pull.isPlatform
            let approach = Control(config.loadMoreControl, extraLength: extraLength)
            options.loadMore?.isEnabled = config.enableLoadMore || isWrapped
            options.loadMore?.trigger = approach.trigger
            options.loadMore?.mode = approach.mode
            options.loadMore?.length = approach.length
            options.loadMore?.preload = approach.preload
            refuse()
        }

        init(_ config: OracleTrace.MR, version: String, axis: Axis, extraLength: Double = 0) {
            peer = .mrefresh
            finishesAtOnce = config.finishInHandler
            let isNewer = version != "0.1.1"
            options = Self.options(
                isNewer ? .mrefresh2 : .mrefresh, axis,
                PagingOptions(style: .page, first: 1, size: 10), isClientBacked: true)
            options.loadMore = nil
            let height = config.viewHeight + config.heightIncrease
            if isNewer {
                options.refresh?.start = config.animationStart
                options.refresh?.length = config.animationStart + config.animationDistance
                options.refresh?.room = config.loadingContentInset
            } else {
                options.refresh?.start = config.animationStartDistance
                options.refresh?.length = height + config.animationEndDistanceOffset
                options.refresh?.room = height
            }
            options.refresh?.length += extraLength
            refuse()
        }

        private static func options(
            _ profile: Profile, _ axis: Axis, _ paging: PagingOptions, isClientBacked: Bool
        ) -> ViewOptions {
            var options = ViewOptions(
                profile: profile, layout: ViewLayout(axis: axis), paging: paging,
                isClientBacked: isClientBacked, limits: Limits())
            options.loadDeadline = 3_600_000
            options.gestureSilence = 3_600_000
            return options
        }

        /// If the options of an edge are refused, the view does not have this edge (the rows IQ-16
        /// and MR-12 of the tables of differences, see `OracleRow`).
        private mutating func refuse() {
            if let length = options.refresh?.length, isRefused(length, at: .refresh) {
                options.refresh = nil
            }
            if let length = options.loadMore?.length, isRefused(length, at: .loadMore) {
                options.loadMore = nil
            }
        }

        private func isRefused(_ length: Double, at role: EdgeRole) -> Bool {
            var checked = options
            let setting = EdgeSetting.overrides([OptionSetting(.length, .number(length))])
            var settings = EdgeSettings()
            switch options.layout.edge(of: role) {
            case .top: settings.top = setting
            case .bottom: settings.bottom = setting
            case .leading: settings.leading = setting
            case .trailing: settings.trailing = setting
            }
            do {
                try checked.apply(settings)
                return false
            } catch {
                return true
            }
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

        /// A control of IQPullToRefresh. If the trace omits a value, the default of the control's
        /// kind applies.
        private struct Control {
            var isPlatform: Bool
            var length: Double
            var preload: Double
            var trigger: TriggerStyle
            var mode: LoadMoreMode

            init(_ control: OracleTrace.Control, extraLength: Double) {
                let isIndicator = control.kind == "indicator"
                isPlatform = control.kind == "system"
                let ownLength: Double = isIndicator ? 60 : isPlatform ? 170 : 80
                length = (control.refreshLength ?? ownLength) + extraLength
                preload = control.preloadOffset ?? 0
                let isReach = control.style.map { $0 == "progressCompletion" } ?? isIndicator
                trigger = isPlatform ? .platform : isReach ? .reach : .release
                let isLimit = control.mode.map { $0 == "scrollLimitReached" } ?? isIndicator
                mode = isLimit ? .limit : .user
            }
        }
    }
}
