public import RefreshProtocol

/// The options of an edge that loads more.
///
/// An option that is nil has the value of the profile. Source: docs/protocol.md, "Profiles and edge
/// options".
public struct LoadMoreEdgeOptions: Hashable, Sendable {
    /// Whether the edge does anything.
    public var isEnabled: Bool?
    /// When the edge fires.
    public var trigger: TriggerStyle?
    /// Whether the list must be pulled beyond its end.
    public var mode: LoadMoreMode?
    /// The distance in points before the threshold in which the edge is `approaching`, above 0.
    public var length: Double?
    /// The distance in points by which the threshold lies before the end.
    public var preload: Double?
    /// As `preload`, in items, 0 to 1000.
    public var preloadItems: Double?
    /// As `preload`, in milliseconds; `.null`: none.
    public var leadTime: Nullable<Double>?
    /// Whether the daemon holds an inset of `length` open while the page loads.
    public var holdsInset: Bool?
    /// The duration of the inset command, in milliseconds.
    public var insetDuration: Double?
    /// The effect of a cancelled gesture on an armed edge.
    public var onCancel: CancelPolicy?
    /// When a gesture may request a page again.
    public var rearm: RearmPolicy?
    /// Whether a list that moves away from its end may request a page too.
    public var anyDirection: Bool?
    /// The intents that may load more.
    public var intents: Set<Intent>?
    /// The effect of a load-more on a running refresh.
    public var whileRefreshing: ConflictPolicy?
    /// How many pages in a row may fill the viewport, 0 to 1000.
    public var fill: Double?
    /// The time after a failure in which no gesture requests the page, in milliseconds.
    public var backOff: Double?
    /// The longest back-off, in milliseconds.
    public var backOffMax: Double?
    /// Whether a further gesture requests a failed page after the back-off.
    public var asksAgain: Bool?
    /// The time in milliseconds after which a load ends; `.null`: the daemon's limit.
    public var deadline: Nullable<Double>?
    /// The programme of a `stream` or `local` client. This client is `plain`, so that it has no
    /// effect.
    public var indicator: Nullable<String>?

    /// Creates options without a value.
    public init() {}

    var json: JSONValue {
        var json = JSONValue.object([])
        json["enabled"] = isEnabled.map { .bool($0) }
        json["trigger"] = trigger.map { .string($0.rawValue) }
        json["mode"] = mode.map { .string($0.rawValue) }
        json["length"] = length.map { .number($0) }
        json["preload"] = preload.map { .number($0) }
        json["preloadItems"] = preloadItems.map { .number($0) }
        json["leadTime"] = leadTime.map { $0.json(JSONValue.number) }
        json["hold"] = holdsInset.map { .bool($0) }
        json["insetDuration"] = insetDuration.map { .number($0) }
        json["onCancel"] = onCancel.map { .string($0.rawValue) }
        json["rearm"] = rearm.map { .string($0.rawValue) }
        json["anyDirection"] = anyDirection.map { .bool($0) }
        json["intents"] = intents.map { Self.json($0) }
        json["whileRefreshing"] = whileRefreshing.map { .string($0.rawValue) }
        json["fill"] = fill.map { .number($0) }
        json["backOff"] = backOff.map { .number($0) }
        json["backOffMax"] = backOffMax.map { .number($0) }
        json["asksAgain"] = asksAgain.map { .bool($0) }
        json["deadline"] = deadline.map { $0.json(JSONValue.number) }
        json["indicator"] = indicator.map { $0.json(JSONValue.string) }
        return json
    }

    private static func json(_ intents: Set<Intent>) -> JSONValue {
        .array(intents.map(\.rawValue).sorted().map { .string($0) })
    }
}
