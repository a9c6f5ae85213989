public import RefreshProtocol

/// The options of an edge that refreshes.
///
/// An option that is nil has the value of the profile. Source: docs/protocol.md, "Profiles and edge
/// options".
public struct RefreshEdgeOptions: Hashable, Sendable {
    /// Whether the edge does anything.
    public var isEnabled: Bool?
    /// When the edge fires.
    public var trigger: TriggerStyle?
    /// The distance from the resting offset to the threshold, in points, above 0.
    public var length: Double?
    /// The distance in points after which a pull becomes visible, below `length`.
    public var start: Double?
    /// The room of the indicator in points; `.null`: `length`.
    public var room: Nullable<Double>?
    /// The distance in points by which the threshold lies nearer, below `length`.
    public var preload: Double?
    /// An armed pull is disarmed after it has gone back by this distance, in points.
    public var hysteresis: Double?
    /// The distance in points after which a finger pulls a list that a refresh has moved.
    public var slop: Double?
    /// Whether the threshold must be passed, not only reached.
    public var isStrict: Bool?
    /// Whether the daemon holds an inset open while the indicator is shown.
    public var holdsInset: Bool?
    /// How near to its start the list must be for its room to open, in points; `.null`: anywhere.
    public var zone: Nullable<Double>?
    /// Whether the inset follows the visible part of the indicator.
    public var isFloating: Bool?
    /// The duration of an inset command, in milliseconds.
    public var insetDuration: Double?
    /// The duration of an animated offset command, in milliseconds.
    public var offsetDuration: Double?
    /// The intents that may refresh.
    public var intents: Set<Intent>?
    /// The effect of a refresh on a running load-more.
    public var whileLoading: ConflictPolicy?
    /// The effect of a cancelled gesture on an armed pull.
    public var onCancel: CancelPolicy?
    /// How long the edge is `finishing`.
    public var closing: ClosingPolicy?
    /// The duration of a step of the indicator, in milliseconds.
    public var step: Double?
    /// Whether a movement by the program is shown as a pull.
    public var seesProgram: Bool?
    /// Whether a gesture that continues after a refresh is shown as a pull again.
    public var pullsAgain: Bool?
    /// Whether a gesture whose refresh has succeeded may fire another one.
    public var firesAgain: Bool?
    /// The minimum time for which the indicator turns, in milliseconds.
    public var minVisible: Double?
    /// How long `succeeded` is shown, in milliseconds.
    public var successHold: Double?
    /// How long `failed` is shown, in milliseconds.
    public var failureHold: Double?
    /// The time after a success in which the user cannot refresh, in milliseconds.
    public var coolDown: Double?
    /// The reaction to newer data of the feed.
    public var changes: ChangePolicy?
    /// With the feature `live`: what happens to items that arrive at the start of the list.
    public var arrivals: ArrivalPolicy?
    /// The age in milliseconds after which an appearing view refreshes; 0: never.
    public var staleAfter: Double?
    /// With features: the effect of a request while a refresh runs.
    public var repetition: RepeatPolicy?
    /// With features: the interval of polls in milliseconds; 0: none.
    public var pollInterval: Double?
    /// With features: the pages that a refresh requests.
    public var depth: RefreshDepth?
    /// With features: the largest reported progress of a pull, 1...10.
    public var progressMax: Double?
    /// The time in milliseconds after which a load ends; `.null`: the daemon's limit.
    public var deadline: Nullable<Double>?
    /// The second floor; `.null`: there is none.
    public var floor: Nullable<FloorEdgeOptions>?
    /// The programme of a `stream` or `local` client. This client is `plain`, so that it has no
    /// effect.
    public var indicator: Nullable<String>?

    /// Creates options without a value.
    public init() {}

    var json: JSONValue {
        var json = JSONValue.object([])
        json["enabled"] = isEnabled.map { .bool($0) }
        json["trigger"] = trigger.map { .string($0.rawValue) }
        json["length"] = length.map { .number($0) }
        json["start"] = start.map { .number($0) }
        json["room"] = room.map { $0.json(JSONValue.number) }
        json["preload"] = preload.map { .number($0) }
        json["hysteresis"] = hysteresis.map { .number($0) }
        json["slop"] = slop.map { .number($0) }
        json["strict"] = isStrict.map { .bool($0) }
        json["hold"] = holdsInset.map { .bool($0) }
        json["zone"] = zone.map { $0.json(JSONValue.number) }
        json["floating"] = isFloating.map { .bool($0) }
        json["insetDuration"] = insetDuration.map { .number($0) }
        json["offsetDuration"] = offsetDuration.map { .number($0) }
        json["intents"] = intents.map { Self.json($0) }
        json["whileLoading"] = whileLoading.map { .string($0.rawValue) }
        json["onCancel"] = onCancel.map { .string($0.rawValue) }
        json["closing"] = closing.map { .string($0.rawValue) }
        json["step"] = step.map { .number($0) }
        json["seesCode"] = seesProgram.map { .bool($0) }
        json["pullsAgain"] = pullsAgain.map { .bool($0) }
        json["firesAgain"] = firesAgain.map { .bool($0) }
        json["minVisible"] = minVisible.map { .number($0) }
        json["successHold"] = successHold.map { .number($0) }
        json["failureHold"] = failureHold.map { .number($0) }
        json["coolDown"] = coolDown.map { .number($0) }
        json["changes"] = changes.map { .string($0.rawValue) }
        json["arrivals"] = arrivals.map { .string($0.rawValue) }
        json["staleAfter"] = staleAfter.map { .number($0) }
        json["repeat"] = repetition.map { .string($0.rawValue) }
        json["pollMs"] = pollInterval.map { .number($0) }
        json["depth"] = depth.map { .string($0.rawValue) }
        json["progressMax"] = progressMax.map { .number($0) }
        json["deadline"] = deadline.map { $0.json(JSONValue.number) }
        json["floor"] = floor.map { $0.json(\.json) }
        json["indicator"] = indicator.map { $0.json(JSONValue.string) }
        return json
    }

    private static func json(_ intents: Set<Intent>) -> JSONValue {
        .array(intents.map(\.rawValue).sorted().map { .string($0) })
    }
}

/// The options of the second floor of a refresh edge.
///
/// An option that is nil has the value of the profile. Source: docs/protocol.md, "Profiles and edge
/// options".
public struct FloorEdgeOptions: Hashable, Sendable {
    /// The distance of the floor's threshold from the resting offset, in points.
    public var length: Double?
    /// The speed of a release that opens the floor, in points per second; 0: only the distance
    /// counts.
    public var velocity: Double?
    /// The distance of a swipe that closes the floor, as a part of the viewport's length.
    public var closing: Double?
    /// The duration of opening and closing, in milliseconds.
    public var duration: Double?
    /// The floor closes after this time in milliseconds; 0: never.
    public var timeout: Double?

    /// Creates options without a value.
    public init() {}

    var json: JSONValue {
        var json = JSONValue.object([])
        json["length"] = length.map { .number($0) }
        json["velocity"] = velocity.map { .number($0) }
        json["closing"] = closing.map { .number($0) }
        json["duration"] = duration.map { .number($0) }
        json["timeout"] = timeout.map { .number($0) }
        return json
    }
}
