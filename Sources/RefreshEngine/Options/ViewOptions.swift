package import RefreshProtocol

/// All options of one view, checked: a profile's values and what the client changed of them.
package struct ViewOptions: Hashable, Sendable, Codable {
    // In the order that leaves no gap.
    /// Nil: the view has no such edge.
    package var refresh: RefreshOptions?
    package var pan: PanOptions
    package var layout: ViewLayout
    /// Whether the client performs the loads; then an explicit refresh shows when the client says
    /// that it began.
    package var isClientBacked: Bool
    package var attention: Attention
    /// Whether crossing and firing are felt.
    package var playsHaptics: Bool
    /// Whether a screen reader is told what begins and ends.
    package var announces: Bool
    package var loadMore: LoadMoreOptions?
    package var paging: PagingOptions
    /// Time without a sign of life after which a gesture is over.
    package var gestureSilence: UInt32
    /// Time after which a load has taken too long, if the edge does not say.
    package var loadDeadline: UInt32
    /// Time that a client may take to lay out a page before gestures ask for the next one without
    /// that.
    package var layoutWait: UInt32 {
        get { storedLayoutWait.milliseconds }
        set { storedLayoutWait.milliseconds = newValue }
    }
    @OmittedIfUsual private var storedLayoutWait: LayoutWait

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
        if !isClientBacked { keepPagesInTheirList() }
    }

    /// A page of a feed belongs to the list that a refresh replaces: where a profile lets both run,
    /// that is between loads that the client performs.
    private mutating func keepPagesInTheirList() {
        if refresh?.whileLoading == .concurrent { refresh?.whileLoading = .cancel }
        if loadMore?.whileRefreshing == .concurrent { loadMore?.whileRefreshing = .reject }
    }

    /// Milliseconds after which a load has taken too long.
    package func deadline(of kind: LoadKind) -> UInt32 {
        switch kind {
        case .refresh: refresh?.deadline ?? loadDeadline
        case .more: loadMore?.deadline ?? loadDeadline
        }
    }

    package func has(_ role: EdgeRole) -> Bool {
        switch role {
        case .refresh: refresh != nil
        case .loadMore: loadMore != nil
        }
    }
}

/// How long an edge waits for the client to lay out a page; usually what `Limits` says.
private struct LayoutWait: UsualValue {
    static var usual: Self { Self(milliseconds: UInt32(clamping: Limits().layoutWaitMs)) }

    var milliseconds: UInt32
}
