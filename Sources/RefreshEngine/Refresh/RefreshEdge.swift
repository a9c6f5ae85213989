package import RefreshProtocol

/// The refresh edge: its phase, its request, and its state from the last loads.
///
/// Its options are in `ViewOptions`, its deadlines in `Deadlines`, its room in `InsetLedger`.
package struct RefreshEdge: Hashable, Sendable {
    // The members are ordered to avoid padding.
    package internal(set) var phase: RefreshPhase
    /// Whether the last load failed, so that it can be retried.
    var hasFailed = false
    var request = EdgeRequest()
    /// The distance in points by which a shown refresh has moved the resting list. It is 0 while no
    /// refresh is shown.
    var revealedLength = 0.0
    /// The time at which the indicator became visible.
    var shownAt = Instant.origin
    /// The time at which the last load succeeded; `never` if no load has succeeded.
    var updatedAt = Instant.never
    /// The number of items that the running load requested. It is recorded, because the paging
    /// options can change during the load.
    var size: UInt32 = 0
    /// Whether a load has ended since the last finger came down, at an edge whose option
    /// `pullsAgain` is false. If one has, no pull is visible until the next finger comes down.
    package internal(set) var isPullSpent = false
    /// Whether the requested refresh is shown with an animation.
    var animates = true
    /// What the edge knows about refreshes that no user requests.
    var background: BackgroundState = []
    /// A number that shifts the polls of this view, so that they do not coincide with those of
    /// other sessions.
    var pollSeed: UInt8 = 0
    /// The first page that the view still has to request, if there is one.
    package internal(set) var awaited = AwaitedPage.none
    /// Whether a look-up of the first page runs. The identity of the look-up is the last load
    /// number. This number does not change during the look-up, because each load that begins is for
    /// the first page, and ends the look-up.
    package internal(set) var looksUp = false
    /// The part of the shown progress that is above 1, in thousandths. It counts only while the
    /// progress of the phase is 1.
    var overPull: UInt16 = 0

    /// Creates an edge without a load.
    init(isEnabled: Bool) { phase = isEnabled ? .idle : .disabled }

    /// The visible load that is in flight.
    package var load: LoadID? { phase.load }

    /// The progress that the client gets. Below the threshold it is the progress of the phase.
    @inline(__always)
    package var shownProgress: Double {
        let progress = phase.progress
        return progress < 1 ? progress : Double(1000 + Int(overPull)) / 1000
    }

    /// Whether a visible load runs or waits.
    var isBusy: Bool { phase == .waiting || load != nil }

    /// The time at which the last load succeeded; nil if no load has succeeded.
    package internal(set) var lastUpdated: Instant? {
        get { updatedAt == .never ? nil : updatedAt }
        set { updatedAt = newValue ?? .never }
    }

    /// Records that a load has ended, whether it was visible or not.
    mutating func recordEnd(_ result: LoadResult, at now: Instant) {
        hasFailed = request.recordEnd(result)
        if result.isAccepted { updatedAt = now }
    }
}

/// What an edge knows about refreshes that no user requests.
struct BackgroundState: OptionSet, UsualValue {
    let rawValue: UInt8

    // Computed properties: a stored static property checks at each access whether it is
    // initialized.
    /// A change of the feed waits, because the driver delays its refresh.
    static var isChangeDelayed: Self { Self(rawValue: 1) }
    /// A poll is due and has not begun. If `Changes.isPending` is true, the poll begins as soon as
    /// nothing prevents it. If not, the view is out of sight or has no connection.
    static var isPollDue: Self { Self(rawValue: 2) }
    /// The client reported that the view is not visible.
    static var isOutOfSight: Self { Self(rawValue: 4) }
    /// The session of the view has no connection.
    static var isDisconnected: Self { Self(rawValue: 8) }

    /// `Deadlines.refreshLoad` is the time of the next poll.
    static var isPollScheduled: Self { Self(rawValue: 16) }

    /// The poll that is due verifies the list after operations whose order is uncertain.
    static var isVerification: Self { Self(rawValue: 32) }
    /// The list is verified after the refresh that runs.
    static var isVerificationLater: Self { Self(rawValue: 64) }

    static var usual: Self { [] }
}
