package import RefreshProtocol

/// All options of one view, validated. Each option of an edge or of the layout comes from the
/// client or, if the client has not set it, from a profile. The limits come from `Limits`.
package struct ViewOptions: Hashable, Sendable, Codable {
    // The members are ordered to avoid padding.
    /// The options of the refresh edge; nil if the view has no such edge.
    package var refresh: RefreshOptions?
    package var pan: PanOptions
    package var layout: ViewLayout
    /// Whether the client performs the loads. If it does, a refresh that a message requests is
    /// shown only when the client reports that the load has begun.
    package var isClientBacked: Bool
    package var attention: EvaluationTrigger
    /// Whether the daemon sends a haptic cue when a threshold is crossed, and when an edge fires.
    package var playsHaptics: Bool
    /// Whether the beginning and end of loads are announced to a screen reader.
    package var announces: Bool
    package var loadMore: LoadMoreOptions?
    package var paging: PagingOptions
    /// The number of milliseconds without a sample after which a gesture is over.
    package var gestureSilence: UInt32
    /// The number of milliseconds after which a load times out, if the edge does not have its own
    /// deadline.
    package var loadDeadline: UInt32
    /// The number of milliseconds for which gestures wait until the client has laid out a page.
    /// After this time, gestures request the next page, even if the page was not laid out.
    package var layoutWait: UInt32 {
        get { storedLayoutWait.milliseconds }
        set { storedLayoutWait.milliseconds = newValue }
    }
    @OmittedIfUsual private var storedLayoutWait: LayoutWait
    /// The largest number of pages that one refresh requests.
    package var pagesKeptMax: Int {
        get { Int(storedPagesKeptMax.count) }
        set { storedPagesKeptMax.count = UInt8(clamping: newValue) }
    }
    @OmittedIfUsual private var storedPagesKeptMax: PagesKeptMax

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
        self.layoutWait = UInt32(clamping: limits.layoutWaitMs)
        self.pagesKeptMax = limits.pagesKeptMax
        if !isClientBacked { replaceConcurrentPolicies() }
    }

    /// Replaces the policy `concurrent` in a view with a feed. A page of a feed belongs to one
    /// list, and a refresh replaces that list. Concurrent loads are therefore possible only in
    /// views whose client performs the loads.
    private mutating func replaceConcurrentPolicies() {
        if refresh?.whileLoading == .concurrent { refresh?.whileLoading = .cancel }
        if loadMore?.whileRefreshing == .concurrent { loadMore?.whileRefreshing = .reject }
    }

    /// The number of milliseconds after which a load times out.
    package func deadline(of kind: LoadKind) -> UInt32 {
        switch kind {
        case .refresh: refresh?.deadline ?? loadDeadline
        case .more: loadMore?.deadline ?? loadDeadline
        }
    }

    package func hasEdge(_ role: EdgeRole) -> Bool {
        switch role {
        case .refresh: refresh != nil
        case .loadMore: loadMore != nil
        }
    }
}

/// How long an edge waits for the client to lay out a page. The usual value is the default of
/// `Limits`.
private struct LayoutWait: UsualValue {
    static var usual: Self { Self(milliseconds: UInt32(clamping: Limits().layoutWaitMs)) }

    var milliseconds: UInt32
}

/// The largest number of pages of one refresh; usually the default of `Limits`.
private struct PagesKeptMax: UsualValue {
    static var usual: Self { Self(count: UInt8(clamping: Limits().pagesKeptMax)) }

    var count: UInt8
}
