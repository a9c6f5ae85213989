public import RefreshProtocol

/// A view of a client: one list with its feed, its options and its sizes. Source: docs/protocol.md,
/// "attach".
public struct ViewDescription: Hashable, Sendable {
    /// The body of `attach`.
    package private(set) var body: JSONValue

    /// The name of the view, 1 to 32 bytes.
    public var name: String { body["view"]?.string ?? "" }

    /// Creates a view.
    ///
    /// - Parameters:
    ///   - name: The name, 1 to 32 bytes of UTF-8 without control characters.
    ///   - profile: A name from `profiles` in `welcome`, such as `default`.
    ///   - feed: The feed of the daemon. If it is nil, the app itself loads the items (`load`).
    ///   - parameters: The values of the feed's parameters.
    ///   - axis: The axis along which the list scrolls.
    ///   - isReversed: Whether reading begins at the physical end, as in a chat.
    ///   - refresh: The options of the refresh edge that differ from the profile; `.null`: the view
    ///     has no such edge.
    ///   - loadMore: The options of the load-more edge; `.null`: the view has no such edge.
    ///   - paging: How the feed is paged.
    ///   - geometry: The sizes.
    ///   - offset: The present content offset in points. If it is nil, the list rests where reading
    ///     begins.
    ///   - initial: How the view gets its first items. It needs `features` in the configuration.
    public init(
        name: String, profile: String = "default", feed: String? = nil,
        parameters: [String: String] = [:], axis: Axis = .vertical, isReversed: Bool = false,
        refresh: Nullable<RefreshEdgeOptions> = .value(RefreshEdgeOptions()),
        loadMore: Nullable<LoadMoreEdgeOptions> = .value(LoadMoreEdgeOptions()),
        paging: PagingDescription? = nil, geometry: GeometryUpdate, offset: Double? = nil,
        initial: FirstItems? = nil
    ) {
        var body = JSONValue.object([
            .init("view", .string(name)), .init("profile", .string(profile)),
        ])
        body["feed"] = feed.map { .string($0) }
        if !parameters.isEmpty {
            body["parameters"] = .object(
                parameters.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })
        }
        body["axis"] = .string(axis.rawValue)
        body["reversed"] = .bool(isReversed)
        body["paging"] = paging?.json
        body["geometry"] = geometry.json
        body["offset"] = offset.map { .number($0) }
        body["initial"] = initial.map { .string($0.rawValue) }
        let layout = ViewLayout(axis: axis, isReversed: isReversed)
        Self.add(refresh.json(\.json), layout.edge(of: .refresh), to: &body)
        Self.add(loadMore.json(\.json), layout.edge(of: .loadMore), to: &body)
        self.body = body
    }

    /// Creates a view from a body of `attach`.
    package init(body: JSONValue) { self.body = body }

    private static func add(_ options: JSONValue, _ edge: Edge, to body: inout JSONValue) {
        if options != .object([]) { body[edge.rawValue] = options }
    }
}

/// A value, or the value `null` of the protocol.
public enum Nullable<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The value `null`.
    case null
    /// A value.
    case value(Value)

    func json(_ convert: (Value) -> JSONValue) -> JSONValue {
        switch self {
        case .null: .null
        case .value(let value): convert(value)
        }
    }
}

/// Changed sizes of a view, in points. Members that are nil keep their values. Source:
/// docs/protocol.md, "geometry".
public struct GeometryUpdate: Hashable, Sendable {
    /// A width and a height in points.
    public struct Size: Hashable, Sendable {
        /// Points.
        public var width: Double
        /// Points.
        public var height: Double

        /// Creates a size.
        public init(width: Double, height: Double) {
            self.width = width
            self.height = height
        }

        var json: JSONValue {
            .object([.init("width", .number(width)), .init("height", .number(height))])
        }
    }

    /// Distances from the four sides, in points. A side that is nil keeps its value.
    public struct Insets: Hashable, Sendable {
        /// Points.
        public var top, left, bottom, right: Double?

        /// Creates insets.
        public init(
            top: Double? = nil, left: Double? = nil, bottom: Double? = nil, right: Double? = nil
        ) {
            self.top = top
            self.left = left
            self.bottom = bottom
            self.right = right
        }

        var json: JSONValue {
            let sides = [("top", top), ("left", left), ("bottom", bottom), ("right", right)]
            return .object(sides.compactMap { name, side in side.map { .init(name, .number($0)) } })
        }
    }

    /// A visible item that keeps its place. Source: docs/protocol.md, "Anchors".
    public struct ItemAnchor: Hashable, Sendable {
        /// The app's name for the item.
        public var id: String
        /// Where the item begins, in points from the upper (left) end of the content.
        public var position: Double

        /// Creates an anchor.
        public init(id: String, position: Double) {
            self.id = id
            self.position = position
        }
    }

    /// The visible size of the scroll view.
    public var viewport: Size?
    /// The size of the content.
    public var content: Size?
    /// The host's own insets, without the daemon's share.
    public var insets: Insets?
    /// The safe area.
    public var safeArea: Insets?
    /// The direction of reading.
    public var direction: LayoutDirection?
    /// The content offset after the change, if the platform has moved the list.
    public var offset: Double?
    /// A visible item and its position after the change.
    public var anchor: ItemAnchor?
    /// The rows in sight, counted from 0, after the layout. It needs the feature `visibleRange`.
    public var visible: ClosedRange<Int>?

    /// Creates an update.
    public init(
        viewport: Size? = nil, content: Size? = nil, insets: Insets? = nil, safeArea: Insets? = nil,
        direction: LayoutDirection? = nil, offset: Double? = nil, anchor: ItemAnchor? = nil,
        visible: ClosedRange<Int>? = nil
    ) {
        self.viewport = viewport
        self.content = content
        self.insets = insets
        self.safeArea = safeArea
        self.direction = direction
        self.offset = offset
        self.anchor = anchor
        self.visible = visible
    }

    var json: JSONValue {
        var json = JSONValue.object([])
        json["viewport"] = viewport?.json
        json["content"] = content?.json
        json["insets"] = insets?.json
        json["safeArea"] = safeArea?.json
        json["direction"] = direction.map { .string($0.rawValue) }
        json["offset"] = offset.map { .number($0) }
        json["anchor"] = anchor.map {
            .object([.init("id", .string($0.id)), .init("position", .number($0.position))])
        }
        json["visible"] = visible.map { .rows($0) }
        return json
    }
}

extension JSONValue {
    /// Rows in sight, within the range of the protocol.
    static func rows(_ rows: ClosedRange<Int>) -> JSONValue {
        let rows = rows.clamped(to: 0...Int(VisibleRows.rowMax))
        return .object([
            .init("first", .number(Double(rows.lowerBound))),
            .init("last", .number(Double(rows.upperBound))),
        ])
    }
}
