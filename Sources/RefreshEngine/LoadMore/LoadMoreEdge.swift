package import RefreshProtocol

/// The load-more edge: its phase, its request, and its state from the last pages. Its *zone* begins
/// `length` points before the threshold.
///
/// Its options are in `ViewOptions`, its deadline in `Deadlines`, its room in `InsetLedger`.
package struct LoadMoreEdge: Hashable, Sendable {
    // The members are ordered to avoid padding.
    package internal(set) var phase: LoadMorePhase
    /// Whether the next page was requested after the content last changed, and after the list last
    /// left the zone.
    var hasRequested = false
    var request = EdgeRequest()
    /// When the running load began.
    var startedAt = Instant.origin
    /// The instant before which no gesture requests the next page.
    var backOffEnd = Instant.origin
    /// The instant before which no gesture requests a page, because the client has not laid out the
    /// last content.
    var layoutEnd = Instant.origin
    /// The number of pages that were requested one after another to fill the viewport.
    var filledPages: UInt16 = 0
    /// Whether the next page may be requested because the accepted page did not fill the viewport.
    var mayFill = false
    /// Whether a page was accepted, but the client has not reported the length of the content with
    /// this page yet.
    var isPageLanding = false
    /// Whether the load-more indicator had a room when the page was accepted. The page will fill
    /// this room.
    var isRoomLanding = false
    /// Whether a refresh has replaced the list of the running load.
    var isSuperseded = false
    /// Whether the client, which performs the load, has laid out the page before it reported the
    /// end of the load.
    var isLaidOutEarly = false

    /// Whether items were inserted or removed since the page of the running load was requested.
    var isShifted = false
    /// How often the page of the running load was requested again.
    var repeatCount: UInt8 = 0

    /// Creates an edge without a load. `hasMore` states whether the list can have more pages.
    init(isEnabled: Bool, hasMore: Bool) {
        let open = hasMore ? LoadMorePhase.idle : .noMore
        phase = isEnabled ? open : .disabled
    }

    /// The load that is in flight.
    package var load: LoadID? { phase.load }

    /// Whether a load runs or waits.
    var isBusy: Bool { phase == .waiting || load != nil }
}
