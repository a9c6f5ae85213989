package import RefreshProtocol

/// All options of one view, validated: a profile's values with the client's changes.
package struct ViewOptions: Hashable, Sendable, Codable {
    // The members are ordered to avoid padding.
    /// Nil: the view has no such edge.
    package var refresh: RefreshOptions?
    package var pan: PanOptions
    package var layout: ViewLayout
    /// Whether the client performs the loads. If so, an explicit refresh is shown when the client
    /// reports its beginning.
    package var isClientBacked: Bool
    package var attention: EvaluationTrigger
    /// Whether crossing a threshold and firing send haptic cues.
    package var playsHaptics: Bool
    /// Whether the beginning and end of loads are announced to a screen reader.
    package var announces: Bool
    package var loadMore: LoadMoreOptions?
    package var paging: PagingOptions
    /// Milliseconds without a sample after which a gesture is over.
    package var gestureSilence: UInt32
    /// Milliseconds after which a load times out, unless the edge has its own deadline.
    package var loadDeadline: UInt32
    /// Milliseconds that a client may take to lay out a page. After this time, gestures request the
    /// next page without a layout.
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
        if !isClientBacked { replaceConcurrentPolicies() }
    }

    /// Replaces `concurrent` policies for feeds. A page of a feed belongs to the list that a
    /// refresh replaces, so profiles allow concurrent loads only if the client performs them.
    private mutating func replaceConcurrentPolicies() {
        if refresh?.whileLoading == .concurrent { refresh?.whileLoading = .cancel }
        if loadMore?.whileRefreshing == .concurrent { loadMore?.whileRefreshing = .reject }
    }

    /// Milliseconds after which a load times out.
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

/// How long an edge waits for the client to lay out a page; usually the default of `Limits`.
private struct LayoutWait: UsualValue {
    static var usual: Self { Self(milliseconds: UInt32(clamping: Limits().layoutWaitMs)) }

    var milliseconds: UInt32
}
