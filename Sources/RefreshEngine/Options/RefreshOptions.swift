package import RefreshProtocol

/// The behaviour of a view's refresh edge. Source: docs/protocol.md, "Profiles and edge options".
///
/// Distances are in points, times in whole milliseconds, which keeps a view small. The members are
/// ordered by kind and size, which leaves no padding.
package struct RefreshOptions: Hashable, Sendable, Codable {
    /// The distance to the threshold, above 0.
    package var length: Double
    /// The pulled distance at which the pull becomes visible; less than `length`.
    package var start = 0.0
    /// The room of the indicator while it is shown; nil: `length`.
    package var ownRoom: Double? {
        get { sparseRoom.value }
        set { sparseRoom.value = newValue }
    }
    private var sparseRoom = SparseLength()
    /// The distance by which the threshold is moved earlier.
    package var preload = 0.0
    /// The distance by which the list must go back from the threshold to be disarmed.
    package var hysteresis = 0.0
    /// The additional distance by which a list that is held open must be pulled for the pull to
    /// count; 0: its position alone decides.
    package var slop = 10.0
    /// The maximum distance of the list from its start at which the room opens; nil: it opens
    /// anywhere.
    package var roomZone: Double? {
        @inline(__always) get { sparseZone.value }
        set { sparseZone.value = newValue }
    }
    private var sparseZone = SparseLength()

    private var storedFloor = FloorOptions(length: 0)
    /// Whether there is a second floor.
    package private(set) var hasFloor = false

    package var isEnabled = true
    package var trigger = TriggerStyle.release
    /// Whether the threshold must be passed rather than only reached.
    package var isStrict = false
    /// Whether the daemon holds the room open with an inset.
    package var holdsInset = true
    /// Whether the room follows the list, so that sticky headers stay at the edge.
    package var isFloating = false
    /// The intents that may refresh.
    package var intents: Intents
    /// Whether the user may refresh by any means.
    var isForUsers: Bool {
        isEnabled && !intents.isDisjoint(with: [.finger, .fling, .wheel, .key, .accessibility])
    }
    /// The effect of a refresh on a running load-more.
    package var whileLoading = ConflictPolicy.cancel
    package var closing = ClosingPolicy.atOnce
    package var onCancel = CancelPolicy.disarm
    /// Whether a movement of the list by the program is shown as a pull. Such a pull never fires.
    package var seesProgram = false
    /// Whether a gesture that continues after the end of a refresh is shown as a pull again.
    package var pullsAgain = true
    /// Whether a gesture whose refresh has succeeded may fire another refresh after the finger has
    /// gone back from the threshold.
    package var firesAgain = false
    /// The reaction to newer data in the feed.
    package var changes = ChangePolicy.cue

    package var insetDuration: UInt32 = 100
    /// The duration of an animated offset command.
    package var offsetDuration: UInt32 = 100
    /// The duration of a step of the indicator's programme, for `atStep`; above 0.
    package var step: UInt32 = 0
    /// The minimum time for which a refresh is shown.
    package var minVisible: UInt32 = 0
    /// How long a success or a failure is shown; `failureHold` is for failures.
    package var successHold: UInt32 = 0
    package var failureHold: UInt32 = 0
    /// The time after a success in which the user cannot refresh.
    package var coolDown: UInt32 = 0
    /// The age at which shown content is stale when the view appears; 0: never.
    package var staleAfter: UInt32 = 0
    /// The time after which a load times out; nil: the daemon's limit.
    package var deadline: UInt32? {
        get { sparseDeadline.value }
        set { sparseDeadline.value = newValue }
    }
    private var sparseDeadline = SparseTime()

    package init(length: Double, intents: Intents = .allButInertia) {
        self.length = length
        self.intents = intents
    }

    package var floor: FloorOptions? {
        get { hasFloor ? storedFloor : nil }
        set {
            hasFloor = newValue != nil
            storedFloor = newValue ?? FloorOptions(length: 0)
        }
    }

    /// The room of the indicator, points.
    package var room: Double {
        get { ownRoom ?? length }
        set { ownRoom = newValue }
    }
}

extension Intents {
    /// Every intent except `fling`: a fling or a wheel that runs beyond the top is not an intent to
    /// refresh.
    package static var allButInertia: Intents { all.subtracting(.fling) }
}
