package import RefreshProtocol

/// How the refresh edge of a view behaves. Source: docs/protocol.md, "Profiles and edge options".
///
/// Distances are points, times milliseconds in whole numbers, which keeps a view small; so does the
/// order, by kind and size, which leaves no gap.
package struct RefreshOptions: Hashable, Sendable, Codable {
    /// The way to the threshold, above 0.
    package var length: Double
    /// The way before anything of the pull is shown; less than `length`.
    package var start = 0.0
    /// The room that the indicator gets while it is shown; nil: `length`.
    package var ownRoom: Double? {
        get { sparseRoom.value }
        set { sparseRoom.value = newValue }
    }
    private var sparseRoom = SparseLength()
    /// By how much the threshold lies nearer.
    package var preload = 0.0
    /// By how much the list must go back from the threshold to be disarmed.
    package var hysteresis = 0.0
    /// By how much farther a list that is held open must be pulled to be pulled at all; 0: where it
    /// lies decides alone.
    package var slop = 10.0
    /// The room opens only while the list is at most so far from its start; nil: wherever it is.
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
    /// Whether the threshold must be passed, and not only reached.
    package var isStrict = false
    /// Whether the daemon holds the room open with an inset.
    package var holdsInset = true
    /// Whether the room follows the list, so that sticky headers stay at the edge.
    package var isFloating = false
    /// Who may refresh.
    package var intents: Intents
    /// Whether the user may, by whatever means.
    var isForUsers: Bool {
        isEnabled && !intents.isDisjoint(with: [.finger, .fling, .wheel, .key, .accessibility])
    }
    /// What a refresh does to a load-more that runs.
    package var whileLoading = ConflictPolicy.cancel
    package var closing = ClosingPolicy.atOnce
    package var onCancel = CancelPolicy.disarm
    /// Whether a list that the program moves is shown as a pull; it never fires.
    package var seesProgram = false
    /// Whether a gesture that lives on when a refresh ends is shown as a pull again.
    package var pullsAgain = true
    /// Whether a gesture whose refresh has succeeded may fire another, once it has been back from
    /// the threshold.
    package var firesAgain = false
    /// What it does when the feed has newer data.
    package var changes = ChangePolicy.cue

    package var insetDuration: UInt32 = 100
    /// The time that an animated offset command takes.
    package var offsetDuration: UInt32 = 100
    /// A step of the indicator's programme, for `atStep`; above 0.
    package var step: UInt32 = 0
    /// The least time that a refresh is shown.
    package var minVisible: UInt32 = 0
    /// How long a success, and a failure, is shown.
    package var successHold: UInt32 = 0
    package var failureHold: UInt32 = 0
    /// The time after a success in which the user may not refresh.
    package var coolDown: UInt32 = 0
    /// The age at which what is shown is stale when the view appears; 0: never.
    package var staleAfter: UInt32 = 0
    /// The time after which a load has taken too long; nil: the daemon's limit.
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

    /// The room that the indicator gets, points.
    package var room: Double {
        get { ownRoom ?? length }
        set { ownRoom = newValue }
    }
}

extension Intents {
    /// A fling over the top, and a wheel that runs over it, are no intents to refresh.
    package static var allButInertia: Intents { all.subtracting(.fling) }
}
