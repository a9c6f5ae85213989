package import RefreshProtocol

/// The behaviour of a view's refresh edge. Source: docs/protocol.md, "Profiles and edge options".
///
/// Distances are in points. Times are in whole milliseconds, which keeps a view small. The members
/// are ordered by kind and size, which leaves no padding.
package struct RefreshOptions: Hashable, Sendable, Codable {
    /// The distance to the threshold, above 0.
    package var length: Double
    /// The pulled distance at which the pull becomes visible; less than `length`.
    package var start = 0.0
    /// The length of the room of the indicator while it is shown. If it is nil, `length` applies.
    package var ownRoom: Double? {
        get { sparseRoom.value }
        set { sparseRoom.value = newValue }
    }
    private var sparseRoom = SparseLength()
    /// The distance by which the threshold is moved, so that a pull reaches it earlier.
    package var preload = 0.0
    /// The list must go back from the threshold by this distance before the edge is disarmed.
    package var hysteresis = 0.0
    /// If a shown refresh has moved the list, the list counts as pulled only after a finger has
    /// moved it farther by this distance. If it is 0, the position of the list alone decides.
    package var slop = 10.0
    /// The room opens only if the list is at most this distance from its start. If it is nil, the
    /// room opens anywhere.
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
    /// Whether a pull must go beyond the threshold. If it is false, it is enough that the pull
    /// reaches the threshold.
    package var isStrict = false
    /// Whether the daemon holds the room open with an inset.
    package var holdsInset = true
    /// Whether the room follows the list, so that sticky headers stay at the edge.
    package var isFloating = false
    /// The intents (`Intents`, kinds of input) that may refresh.
    package var intents: Intents
    /// Whether at least one kind of input of the user may refresh.
    var isForUsers: Bool {
        isEnabled && !intents.isDisjoint(with: [.finger, .fling, .wheel, .key, .accessibility])
    }
    /// The policy for a refresh that is requested while a load-more runs.
    package var whileLoading = ConflictPolicy.cancel
    package var closing = ClosingPolicy.atOnce
    package var onCancel = CancelPolicy.disarm
    /// Whether the list is shown as pulled if the app's code moves it. Such a movement never fires
    /// the edge.
    package var seesProgram = false
    /// Whether a gesture that continues after the end of a refresh shows a pull again.
    package var pullsAgain = true
    /// Whether a gesture whose refresh has succeeded may fire another refresh after the finger has
    /// gone back from the threshold.
    package var firesAgain = false
    /// The reaction to newer data in the feed.
    package var changes = ChangePolicy.cue
    /// What happens to items that arrive at the start of the list.
    @OmittedIfUsual package var arrivals: ArrivalPolicy
    /// The effect of a request for a refresh while a refresh runs.
    @OmittedIfUsual package var repetition: RepeatPolicy
    /// The pages that a refresh requests.
    @OmittedIfUsual package var depth: RefreshDepth
    /// The largest progress of a pull that the client gets, 1 to 10, rounded to a thousandth.
    package var progressMax: Double {
        get { Double(storedProgressMax.thousandths) / 1000 }
        set { storedProgressMax = ProgressMax(newValue) }
    }
    @OmittedIfUsual private var storedProgressMax: ProgressMax

    package var insetDuration: UInt32 = 100
    /// The duration of an animated offset command.
    package var offsetDuration: UInt32 = 100
    /// The duration of a step of the indicator's programme. It is used if `closing` is `atStep`,
    /// and must then be above 0.
    package var step: UInt32 = 0
    /// The minimum time for which a refresh is shown.
    package var minVisible: UInt32 = 0
    /// The time for which the end of a successful load is shown. `failureHold` is the same time for
    /// a failed load.
    package var successHold: UInt32 = 0
    package var failureHold: UInt32 = 0
    /// The time after a successful load in which the user cannot refresh.
    package var coolDown: UInt32 = 0
    /// The age from which the content is stale when the view appears; 0: it is never stale.
    package var staleAfter: UInt32 = 0
    /// The time after which a load times out. If it is nil, the daemon's limit applies.
    package var deadline: UInt32? {
        get { sparseDeadline.value }
        set { sparseDeadline.value = newValue }
    }
    private var sparseDeadline = SparseTime()
    /// The interval of silent refreshes while the view is in sight; 0: none.
    @OmittedIfUsual package var pollMs: UInt32

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

    /// The distances from which the progress of a pull is computed, read in one access.
    @inline(__always)
    var pullDistances: (length: Double, start: Double, preload: Double) {
        (length, start, preload)
    }

    /// The room of the indicator, in points.
    package var room: Double {
        get { ownRoom ?? length }
        set { ownRoom = newValue }
    }
}

extension Intents {
    /// Every intent except `fling`. With these intents, a fling that moves the list beyond its
    /// start does not refresh.
    package static var allButInertia: Intents { all.subtracting(.fling) }
}

extension RepeatPolicy: UsualValue {
    package static var usual: Self { .reject }
}

extension RefreshOptions {
    /// The options without those that a client with these features cannot set.
    package func adapted(to features: ClientFeatures?) -> RefreshOptions {
        var options = self
        if features?.uses(.live) != true { options.arrivals = .usual }
        guard features == nil else { return options }
        options.repetition = .usual
        options.pollMs = 0
        options.depth = .usual
        options.progressMax = 1
        return options
    }
}

extension ArrivalPolicy: UsualValue {
    package static var usual: Self { .pill }
}

extension RefreshDepth: UsualValue {
    package static var usual: Self { .first }
}

/// The largest shown progress of a pull. The usual value is 1: a pull beyond the threshold is shown
/// like one at the threshold.
private struct ProgressMax: UsualValue {
    static var usual: Self { Self(1) }

    var thousandths: UInt16

    init(_ progress: Double) {
        let bounds = OptionKind.factors
        thousandths = UInt16(
            (min(max(progress, bounds.lowerBound), bounds.upperBound) * 1000).rounded())
    }
}
