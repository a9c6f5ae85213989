package import RefreshProtocol

/// All options of one view, checked: a profile's values and what the client changed of them.
package struct ViewOptions: Hashable, Sendable, Codable {
    package var layout: ViewLayout
    /// Nil: the view has no such edge.
    package var refresh: RefreshOptions?
    package var loadMore: LoadMoreOptions?
    package var paging: PagingOptions
    package var pan: PanOptions
    /// Whether the client performs the loads; then an explicit refresh shows when the client says that
    /// it began.
    package var isClientBacked: Bool
    package var attention: Attention
    /// Whether crossing and firing are felt.
    package var playsHaptics: Bool
    /// Whether a screen reader is told what begins and ends.
    package var announces: Bool
    /// Time without a sign of life after which a gesture is over.
    package var gestureSilence: UInt32
    /// Time after which a load has taken too long, if the edge does not say.
    package var loadDeadline: UInt32

    package init(
        profile: Profile, layout: ViewLayout = ViewLayout(), paging: PagingOptions,
        isClientBacked: Bool, limits: Limits
    ) {
        self.layout = layout
        self.refresh = profile.refresh
        self.loadMore = profile.loadMore
        self.paging = paging
        self.pan = profile.pan
        self.isClientBacked = isClientBacked
        self.attention = profile.attention
        self.playsHaptics = profile.playsHaptics
        self.announces = profile.announces
        self.gestureSilence = UInt32(clamping: limits.gestureSilenceMs)
        self.loadDeadline = UInt32(clamping: limits.loadDeadlineMs)
    }

    /// Milliseconds after which a load has taken too long.
    package func deadline(of kind: LoadKind) -> UInt32 {
        switch kind {
        case .refresh: refresh?.deadline ?? loadDeadline
        case .more: loadMore?.deadline ?? loadDeadline
        }
    }

    func has(_ role: EdgeRole) -> Bool {
        switch role {
        case .refresh: refresh != nil
        case .loadMore: loadMore != nil
        }
    }

    /// Applies what a client said about the refresh edge.
    ///
    /// - Throws: `invalidOption` with the option's field; nothing is changed then.
    package mutating func applyRefresh(_ setting: EdgeSetting) throws(Fault) {
        switch setting {
        case .unchanged: return
        case .absent: refresh = nil
        case .overrides(let overrides):
            guard var options = refresh else { throw Fault(.missingEdge, field: .top) }
            try Self.check(overrides)
            guard overrides.mode == nil else { throw Fault(.invalidOption, field: .mode) }
            guard overrides.fill == nil else { throw Fault(.invalidOption, field: .fill) }
            options.isEnabled = overrides.enabled ?? options.isEnabled
            options.trigger = overrides.trigger ?? options.trigger
            options.length = overrides.length ?? options.length
            options.preload = overrides.preload ?? options.preload
            options.holdsInset = overrides.hold ?? options.holdsInset
            options.insetDuration =
                overrides.insetDuration.map { UInt32($0) } ?? options.insetDuration
            // A threshold at the rest or before it would fire at a touch.
            guard options.preload < options.length else {
                throw Fault(.invalidOption, field: .preload)
            }
            refresh = options
        }
    }

    /// Applies what a client said about the load-more edge.
    ///
    /// - Throws: `invalidOption` with the option's field; nothing is changed then.
    package mutating func applyLoadMore(_ setting: EdgeSetting) throws(Fault) {
        switch setting {
        case .unchanged: return
        case .absent: loadMore = nil
        case .overrides(let overrides):
            guard var options = loadMore else { throw Fault(.missingEdge, field: .bottom) }
            try Self.check(overrides)
            options.isEnabled = overrides.enabled ?? options.isEnabled
            options.trigger = overrides.trigger ?? options.trigger
            options.mode = overrides.mode ?? options.mode
            options.length = overrides.length ?? options.length
            options.preload = overrides.preload ?? options.preload
            options.holdsInset = overrides.hold ?? options.holdsInset
            options.insetDuration =
                overrides.insetDuration.map { UInt32($0) } ?? options.insetDuration
            options.fillPagesMax = overrides.fill ?? options.fillPagesMax
            loadMore = options
        }
    }

    /// A length of nothing would divide by zero and arm without a pull (O-IQ-16).
    private static func check(_ overrides: EdgeOverrides) throws(Fault) {
        if let length = overrides.length, length <= 0 {
            throw Fault(.invalidOption, field: .length)
        }
        if let preload = overrides.preload, preload < 0 {
            throw Fault(.invalidOption, field: .preload)
        }
        if let duration = overrides.insetDuration, duration < 0 {
            throw Fault(.invalidOption, field: .insetDuration)
        }
    }
}
